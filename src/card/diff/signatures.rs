//! Changes to who signed the card. Whether a signature holds is not judged here.

use std::collections::HashMap;

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::side::{Side, by_name};
use super::wording::{quoted, text_of};
use crate::card::facts::{Field, Signature};

const SIGNATURE_REMOVED: Rule = Rule::new(
    "signature-removed",
    Level::Risky,
    Group::Signatures,
    "Clients that insist on this signature refuse the card, and nobody vouches for it in its place.",
)
.trust();
const SIGNATURE_ADDED: Rule =
    Rule::new("signature-added", Level::Compatible, Group::Signatures, "One more who vouches for the card.");
const SIGNING_KEY_CHANGED: Rule = Rule::new(
    "signing-key-changed",
    Level::Risky,
    Group::Signatures,
    "Another key, or another place to get it from, is a rotation or a forgery; clients that pinned the old one refuse the card.",
)
.trust();
const SIGNATURE_ALG_CHANGED: Rule = Rule::new(
    "signature-algorithm-changed",
    Level::Risky,
    Group::Signatures,
    "Clients that accept only the former algorithm refuse the card.",
);
const SIGNATURE_RENEWED: Rule = Rule::new(
    "signature-renewed",
    Level::Docs,
    Group::Signatures,
    "A changed card needs a new signature by the same key; that is as it should be.",
);

pub(super) const RULES: &[&Rule] =
    &[&SIGNATURE_REMOVED, &SIGNATURE_ADDED, &SIGNING_KEY_CHANGED, &SIGNATURE_ALG_CHANGED, &SIGNATURE_RENEWED];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (before, after) = (&older.card.signatures.rows, &newer.card.signatures.rows);
    let mut matches = Matches::none(before.len(), after.len());
    // The very same signature, then one by the same key, then by order: a signer who changed keys.
    matches.pass(|at| Some(content(&before[at])), |at| Some(content(&after[at])));
    matches.pass(|at| before[at].kid.as_ref(), |at| after[at].kid.as_ref());
    matches.pass(|at| before[at].alg.as_ref(), |at| after[at].alg.as_ref());
    matches.pass(|_| Some(()), |_| Some(()));
    for &at in &matches.only_older {
        let row = &before[at];
        let sides = Sides::at(Some(&row.pointer), None).values(Some(&row.summary), None::<String>);
        let message =
            format!("The signature {} is gone; clients that insist on it refuse the card.", quoted(&row.summary));
        report.add(&SIGNATURE_REMOVED, sides, message);
    }
    for &at in &matches.only_newer {
        let row = &after[at];
        let sides = Sides::at(None, Some(&row.pointer)).values(None::<String>, Some(&row.summary));
        report.add(
            &SIGNATURE_ADDED,
            sides,
            format!("The card has a new signature ({}); clients may check it.", quoted(&row.summary)),
        );
    }
    for &(a, b) in &matches.pairs {
        signature(report, &before[a], &after[b]);
    }
}

/// Everything the signature says, in no order.
fn content(row: &Signature) -> Vec<(String, Option<String>)> {
    let mut fields: Vec<_> = row.fields.iter().map(|field| (field.name.clone(), text_of(field))).collect();
    fields.sort();
    fields
}

fn signature(report: &mut Report, before: &Signature, after: &Signature) {
    if content(before) == content(after) {
        return;
    }
    let (old, new) = (by_name(&before.fields), by_name(&after.fields));
    let text = |fields: &HashMap<&str, &Field>, name: &str| fields.get(name).and_then(|field| text_of(field));
    let mut found = false;
    let mut said = |rule: &Rule, name: &str, old: Option<String>, new: Option<String>, effect: &str| {
        if old == new {
            return;
        }
        found = true;
        let words = |text: &Option<String>| text.as_deref().map_or_else(|| "not given".to_owned(), quoted);
        let message = format!("The {name} of a signature is {}, formerly {}; {effect}.", words(&new), words(&old));
        report.add(rule, Sides::at(Some(&before.pointer), Some(&after.pointer)).values(old, new), message);
    };
    let refusing = "clients that trust only the former key refuse the card";
    said(&SIGNING_KEY_CHANGED, "key (kid)", before.kid.clone(), after.kid.clone(), refusing);
    for name in ["jku", "jwk", "x5c"] {
        said(
            &SIGNING_KEY_CHANGED,
            name,
            text(&old, name),
            text(&new, name),
            "clients that take the key from there get another one",
        );
    }
    let effect = "clients that accept only the former refuse the card";
    said(&SIGNATURE_ALG_CHANGED, "algorithm", before.alg.clone(), after.alg.clone(), effect);
    if !found {
        let sides = Sides::at(Some(&before.pointer), Some(&after.pointer))
            .values(text(&old, "signature"), text(&new, "signature"));
        let message = format!(
            "The signature by {} was made anew; clients check it as before.",
            after.kid.as_deref().map_or_else(|| "a key without a name".to_owned(), quoted)
        );
        report.add(&SIGNATURE_RENEWED, sides, message);
    }
}
