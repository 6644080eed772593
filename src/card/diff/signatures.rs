//! Changes to who signed the card. Whether a signature holds is not judged here.

use std::collections::HashSet;

use super::change::{Change, Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::side::Side;
use super::wording::{quoted, text_of};
use crate::card::facts::Signature;
use crate::card::json::{JsonTree, Kind};

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
const SIGNATURE_OUTLIVED: Rule = Rule::new(
    "signature-outlived",
    Level::Risky,
    Group::Signatures,
    "A signature is good for one content only, so that clients that check it refuse the older card or the newer. Not said where only members changed that A2A does not know: not every signer signs those.",
)
.trust();

pub(super) const RULES: &[&Rule] = &[
    &SIGNATURE_REMOVED,
    &SIGNATURE_ADDED,
    &SIGNING_KEY_CHANGED,
    &SIGNATURE_ALG_CHANGED,
    &SIGNATURE_RENEWED,
    &SIGNATURE_OUTLIVED,
];

/// Where a client may take the key from, or what it may know it by, beside its name.
const KEY_PARAMETERS: [&str; 6] = ["jku", "jwk", "x5u", "x5c", "x5t", "x5t#S256"];

/// A signature with what it says, in no order.
struct Signed<'a> {
    row: &'a Signature,
    content: Vec<(&'a str, Option<String>)>,
    /// The header that was signed and what came out; only a JWS signs the card that it stands in.
    seal: Option<(String, String)>,
    /// The header beside the protected one, which the signature does not cover.
    unprotected: Option<JsonTree>,
}

impl<'a> Signed<'a> {
    fn of(row: &'a Signature) -> Self {
        let mut content: Vec<_> = row.fields.iter().map(|field| (field.name.as_str(), text_of(field))).collect();
        content.sort();
        // What was decoded from the protected header comes before the members of the signature itself.
        let own = |name: &str| row.fields.iter().rev().find(|field| field.name == name).and_then(text_of);
        let seal = own("protected").zip(own("signature"));
        let header = own("header").filter(|_| seal.is_some());
        let unprotected = header.and_then(|json| JsonTree::parse(json).ok());
        Self { row, content, seal, unprotected }
    }

    /// The signatures of a card; the same one twice is one.
    fn all(rows: &'a [Signature]) -> Vec<Self> {
        let mut seen = HashSet::new();
        rows.iter().map(Self::of).filter(|signed| seen.insert(signed.content.clone())).collect()
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.content.iter().find(|(known, _)| *known == name).and_then(|(_, text)| text.as_deref())
    }

    /// A parameter of the header that is signed.
    fn protected(&self, name: &str) -> Option<&str> {
        match name {
            "kid" => self.row.kid.as_deref(),
            "alg" => self.row.alg.as_deref(),
            _ => self.text(name),
        }
    }

    /// A parameter of the header that is not.
    fn unprotected(&self, name: &str) -> Option<String> {
        let node = self.unprotected.as_ref()?.root().get(name)?;
        let text = if node.kind() == Kind::String { node.as_str()?.into_owned() } else { node.raw().to_owned() };
        (!text.is_empty() && text != "null").then_some(text)
    }

    /// A parameter in either header; both where they differ, since a client may go by either.
    fn parameter(&self, name: &str) -> Option<String> {
        match (self.protected(name), self.unprotected(name)) {
            (Some(one), Some(other)) if one != other => Some(format!("{one} and, unsigned, {other}")),
            (Some(one), _) => Some(one.to_owned()),
            (None, other) => other,
        }
    }
}

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let before = Signed::all(&older.card.signatures.rows);
    let after = Signed::all(&newer.card.signatures.rows);
    let mut matches = Matches::none(before.len(), after.len());
    // The very same signature, then one by the same key, then by order: a signer who changed keys.
    matches.pass(|at| Some(&before[at].content), |at| Some(&after[at].content));
    for name in ["kid", "alg"] {
        matches.pass(|at| before[at].parameter(name), |at| after[at].parameter(name));
    }
    matches.pass(|_| Some(()), |_| Some(()));
    for &at in &matches.only_older {
        let row = before[at].row;
        let sides = Sides::at(Some(&row.pointer), None).values(Some(&row.summary), None::<String>);
        let message =
            format!("The signature {} is gone; clients that insist on it refuse the card.", quoted(&row.summary));
        report.add(&SIGNATURE_REMOVED, sides, message);
    }
    for &at in &matches.only_newer {
        let row = after[at].row;
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

fn signature(report: &mut Report, before: &Signed<'_>, after: &Signed<'_>) {
    if before.content == after.content {
        return;
    }
    let places = || Sides::at(Some(&before.row.pointer), Some(&after.row.pointer));
    let mut found = false;
    let mut said = |rule: &Rule, name: &str, parameter: &str, effect: &str| {
        let (old, new) = (before.parameter(parameter), after.parameter(parameter));
        if old == new {
            return;
        }
        found = true;
        let words = |text: &Option<String>| text.as_deref().map_or_else(|| "not given".to_owned(), quoted);
        let is_unsigned = before.protected(parameter) == after.protected(parameter);
        let unsigned = if is_unsigned { ". Anybody can change it, for the signature does not cover it" } else { "" };
        let message =
            format!("The {name} of a signature is {}, formerly {}; {effect}{unsigned}.", words(&new), words(&old));
        report.add(rule, places().values(old, new), message);
    };
    said(&SIGNING_KEY_CHANGED, "key (kid)", "kid", "clients that trust only the former key refuse the card");
    for name in KEY_PARAMETERS {
        said(&SIGNING_KEY_CHANGED, name, name, "clients that take the key from there get another one");
    }
    said(&SIGNATURE_ALG_CHANGED, "algorithm", "alg", "clients that accept only the former refuse the card");
    if found {
        return;
    }
    let by = after.parameter("kid").as_deref().map_or_else(|| "a key without a name".to_owned(), quoted);
    let message = if before.seal.is_some() && before.seal == after.seal {
        format!("The signature by {by} is the same; what changed stands beside it and is not signed.")
    } else {
        format!("The signature by {by} was made anew; clients check it as before.")
    };
    report.add(&SIGNATURE_RENEWED, places().values(differing(before, after), differing(after, before)), message);
}

/// What one says that the other does not.
fn differing(one: &Signed<'_>, other: &Signed<'_>) -> Option<String> {
    let differs = |(name, text): &&(&str, Option<String>)| other.text(name) != text.as_deref();
    let mut said: Vec<_> = one.content.iter().filter(differs).collect();
    // The header's members are told one by one where they could be read.
    if said.iter().any(|(name, _)| !matches!(*name, "protected" | "signature" | "header")) {
        said.retain(|(name, _)| *name != "protected");
    }
    match said.as_slice() {
        [(_, text)] => text.clone(),
        several => {
            let lines: Vec<String> =
                several.iter().filter_map(|(name, text)| Some(format!("{name}: {}", text.as_deref()?))).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        }
    }
}

/// Says of a signature that stayed while what it signs changed that it holds for one of the two cards at most.
pub(super) fn outlived(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    if !report.changes.iter().any(proves_other_content) {
        return;
    }
    let before = Signed::all(&older.card.signatures.rows);
    let after = Signed::all(&newer.card.signatures.rows);
    let mut matches = Matches::none(before.len(), after.len());
    matches.pass(|at| before[at].seal.as_ref(), |at| after[at].seal.as_ref());
    for &(a, b) in &matches.pairs {
        let (one, other) = (before[a].row, after[b].row);
        let message = format!(
            "The signature {} is the same although what it signs changed: it holds for one of the two cards at most.",
            quoted(&other.summary)
        );
        report.add(&SIGNATURE_OUTLIVED, Sides::at(Some(&one.pointer), Some(&other.pointer)), message);
    }
}

/// Whether a change shows that every signer would have signed something else: it is no matter of spelling, of saying
/// what goes without saying, or of members that signers may leave out.
fn proves_other_content(change: &Change) -> bool {
    let is_signed = !matches!(change.group, Group::Signatures | Group::OtherFields)
        && !change.rule.starts_with("other-field-")
        && !["payment-terms-changed", "unread-member-changed", "unclassified-change"].contains(&change.rule)
        && !["capability-restated", "state-transition-history-changed"].contains(&change.rule);
    let pointers = || [&change.older_pointer, &change.newer_pointer].into_iter().flatten();
    let is_order = change.rule == "order-changed" && pointers().all(|pointer| pointer.as_str() != "/signatures");
    is_signed && (change.level > Level::Notice || is_order)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::card::diff::{CardDiff, Change};
    use crate::card::facts::Origin;
    use crate::card::{Document, Inspection};

    /// The changes between two cards with one signature each, by `{"alg":"ES256","kid":"k1"}`.
    fn changes(older: &str, newer: &str) -> Vec<Change> {
        let card = |members: &str| {
            let text = format!(
                r#"{{"name": "A", "url": "https://a.example", "skills": [], "signatures": [{{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0", {members}}}]}}"#
            );
            Inspection::of(Arc::new(Document::new(text)), Origin::default())
        };
        CardDiff::of(&card(older), &card(newer)).changes
    }

    fn values(change: &Change) -> (&str, &str) {
        (change.older.as_deref().unwrap_or_default(), change.newer.as_deref().unwrap_or_default())
    }

    #[test]
    fn both_values_show_what_changed_about_a_signature() {
        let renewed = changes(r#""signature": "AAAA""#, r#""signature": "BBBB""#);
        assert_eq!((renewed[0].rule, values(&renewed[0])), ("signature-renewed", ("AAAA", "BBBB")));
        let noted = changes(r#""signature": "AAAA""#, r#""signature": "AAAA", "header": {"note": "x"}"#);
        assert_eq!((noted[0].rule, values(&noted[0])), ("signature-renewed", ("", r#"{"note": "x"}"#)));
        assert!(noted[0].message.contains("is the same; what changed stands beside it"), "{}", noted[0].message);
    }

    #[test]
    fn a_key_that_anybody_can_write_beside_the_signature_is_told_with_suspicion() {
        let header = r#""signature": "AAAA", "header": {"jku": "https://evil.example"}"#;
        let [change] = &changes(r#""signature": "AAAA""#, header)[..] else { panic!("one change") };
        assert_eq!((change.rule, values(change)), ("signing-key-changed", ("", "https://evil.example")));
        assert!(change.trust && change.message.contains("the signature does not cover it"), "{}", change.message);
    }
}
