//! Changes to the declared security schemes: what kind they are, and where secrets go.

use std::collections::{HashMap, HashSet};

use super::change::{Group, Level, Report, Rule, Sides};
use super::flows;
use super::matching::Matches;
use super::other_fields::{self, Owner};
use super::side::{Side, by_name};
use super::wording::{quoted, text_of};
use crate::card::facts::{Field, Scheme, SchemeKind};

const SCHEME_REMOVED: Rule = Rule::new(
    "scheme-removed",
    Level::Breaking,
    Group::Access,
    "Clients that prove themselves this way no longer can. Compatible where nothing required the scheme.",
);
const SCHEME_ADDED: Rule = Rule::new(
    "scheme-added",
    Level::Compatible,
    Group::Access,
    "A declaration alone asks for nothing; requirements do.",
);
const SCHEME_RENAMED: Rule = Rule::new(
    "scheme-renamed",
    Level::Risky,
    Group::Access,
    "The scheme is the same, but clients keep credentials by its name.",
);
const SCHEME_KIND_CHANGED: Rule = Rule::new(
    "scheme-kind-changed",
    Level::Breaking,
    Group::Access,
    "Another kind of proof under the same name; the old credentials are of no use.",
);
const API_KEY_PLACE_CHANGED: Rule = Rule::new(
    "api-key-place-changed",
    Level::Breaking,
    Group::Access,
    "Clients that send the key in the old place, or under the old name, are refused.",
);
const HTTP_SCHEME_CHANGED: Rule = Rule::new(
    "http-scheme-changed",
    Level::Breaking,
    Group::Access,
    "The word before the credential changed, and with it what the credential is. Case does not matter.",
);
const BEARER_FORMAT_CHANGED: Rule = Rule::new(
    "bearer-format-changed",
    Level::Docs,
    Group::Access,
    "A hint to people on what the token is; clients treat a token as opaque.",
);
pub(super) const LOGIN_URL_CHANGED: Rule = Rule::new(
    "login-url-changed",
    Level::Risky,
    Group::Access,
    "Secrets and people are sent to another address, which deserves a look before it is trusted.",
)
.trust();
const SCHEME_DESCRIPTION_CHANGED: Rule = Rule::new(
    "scheme-description-changed",
    Level::Docs,
    Group::Access,
    "What people read about how to come by a credential.",
);

pub(super) const RULES: &[&Rule] = &[
    &SCHEME_REMOVED,
    &SCHEME_ADDED,
    &SCHEME_RENAMED,
    &SCHEME_KIND_CHANGED,
    &API_KEY_PLACE_CHANGED,
    &HTTP_SCHEME_CHANGED,
    &BEARER_FORMAT_CHANGED,
    &LOGIN_URL_CHANGED,
    &SCHEME_DESCRIPTION_CHANGED,
];

/// Compares the schemes; returns the newer names, by the older ones, of those that only changed their name.
pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) -> HashMap<String, String> {
    let (before, after) = (&older.card.access.schemes, &newer.card.access.schemes);
    let mut matches = Matches::none(before.len(), after.len());
    matches.pass(|at| Some(&before[at].name), |at| Some(&after[at].name));
    let by_name_alone = matches.pairs.len();
    // Where a requirement goes by the other name, on the side that does not declare it, nothing was only renamed.
    let (missed_before, missed_after) = (required_but_undeclared(older), required_but_undeclared(newer));
    let renamable = |scheme: &Scheme, missed: &HashSet<&str>| {
        if missed.contains(scheme.name.as_str()) { None } else { fingerprint(scheme) }
    };
    matches.pass(|at| renamable(&before[at], &missed_after), |at| renamable(&after[at], &missed_before));
    let mut renamed = HashMap::new();
    for &at in &matches.only_older {
        removed(report, &before[at], missed_after.contains(before[at].name.as_str()));
    }
    for &at in &matches.only_newer {
        let scheme = &after[at];
        let sides = Sides::at(None, Some(&scheme.pointer)).values(None::<String>, Some(&scheme.summary));
        let message = format!(
            "The scheme {} is declared ({}); what is required says who is concerned.",
            quoted(&scheme.name),
            scheme.summary
        );
        report.add(&SCHEME_ADDED, sides, message);
    }
    for &(a, b) in &matches.pairs {
        let (a, b) = (&before[a], &after[b]);
        if matches.pairs.len() > by_name_alone && a.name != b.name {
            let sides = Sides::at(Some(&a.pointer), Some(&b.pointer)).values(Some(&a.name), Some(&b.name));
            let message = format!(
                "The scheme {} is now called {}; clients that keep credentials by its name have to learn the new one.",
                quoted(&a.name),
                quoted(&b.name)
            );
            report.add(&SCHEME_RENAMED, sides, message);
            renamed.insert(a.name.clone(), b.name.clone());
        } else {
            scheme(report, a, b);
        }
    }
    renamed
}

/// The names that the card or a skill requires without a declaration.
fn required_but_undeclared<'a>(side: &Side<'a>) -> HashSet<&'a str> {
    let of_skills = side.card.skills.rows.iter().filter_map(|skill| skill.requirements.as_ref());
    let requirements = std::iter::once(&side.card.access.requirements).chain(of_skills);
    let every = requirements.flat_map(|one| std::iter::once(one).chain(one.beside.as_deref()));
    let schemes = every.flat_map(|requirements| &requirements.alternatives).flat_map(|one| &one.schemes);
    schemes.filter(|scheme| !scheme.declared).map(|scheme| scheme.name.as_str()).collect()
}

fn removed(report: &mut Report, scheme: &Scheme, still_required: bool) {
    let sides = Sides::at(Some(&scheme.pointer), None).values(Some(&scheme.summary), None::<String>);
    let (level, effect) = if scheme.required_somewhere && still_required {
        (Level::Breaking, "it is required all the same, and clients no longer learn how to prove themselves this way")
    } else if scheme.required_somewhere {
        (Level::Breaking, "clients that prove themselves this way no longer can")
    } else {
        (Level::Compatible, "nothing required it")
    };
    let message = format!("The scheme {} ({}) is no longer declared; {effect}.", quoted(&scheme.name), scheme.summary);
    report.add_as(&SCHEME_REMOVED, level, sides, message);
}

/// Everything a scheme says but its name; nothing where it says too little to be known by it.
fn fingerprint(scheme: &Scheme) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    flatten("", &normal(scheme), &mut parts);
    parts.sort();
    (!parts.is_empty()).then(|| format!("{:?} {}", scheme.kind, parts.join("\n")))
}

fn flatten(prefix: &str, fields: &[Field], parts: &mut Vec<String>) {
    for field in fields {
        let name = format!("{prefix}/{}", field.name);
        parts.extend(text_of(field).map(|text| format!("{name}={text}")));
        flatten(&name, &field.children, parts);
    }
}

/// The details in one notation: `in` is `location`, `type` is told by the kind, `type: bearer` is a `scheme`.
fn normal(scheme: &Scheme) -> Vec<Field> {
    let has_word = scheme.details.iter().any(|field| field.name == "scheme");
    let mut fields = Vec::with_capacity(scheme.details.len());
    for field in &scheme.details {
        let mut field = field.clone();
        match field.name.as_str() {
            "in" => "location".clone_into(&mut field.name),
            "type" | "as written" if scheme.kind == SchemeKind::Http && !has_word => {
                "scheme".clone_into(&mut field.name);
                // `type: http` says nothing on the word.
                if text_of(&field).is_none_or(|word| word.to_ascii_lowercase().starts_with("http")) {
                    continue;
                }
            }
            "type" if scheme.kind != SchemeKind::Unknown => continue,
            _ => {}
        }
        fields.push(field);
    }
    fields
}

fn scheme(report: &mut Report, before: &Scheme, after: &Scheme) {
    if before.kind != after.kind {
        let sides =
            Sides::at(Some(&before.pointer), Some(&after.pointer)).values(Some(&before.summary), Some(&after.summary));
        let message = format!(
            "The scheme {} is {}, formerly {}; credentials of the former kind are of no use.",
            quoted(&after.name),
            quoted(&after.summary),
            quoted(&before.summary)
        );
        report.add(&SCHEME_KIND_CHANGED, sides, message);
        return;
    }
    let (old, new) = (normal(before), normal(after));
    let pair = Pair { before, after, which: format!("the scheme {}", quoted(&after.name)) };
    let (old_named, new_named) = (by_name(&old), by_name(&new));
    let known: [(&str, &Rule, &str); 7] = [
        ("location", &API_KEY_PLACE_CHANGED, "clients that send the key in the old place are refused"),
        ("name", &API_KEY_PLACE_CHANGED, "clients that send the key under the old name are refused"),
        ("scheme", &HTTP_SCHEME_CHANGED, "clients that send the old kind of credential are refused"),
        ("bearerFormat", &BEARER_FORMAT_CHANGED, "only people read it"),
        ("openIdConnectUrl", &LOGIN_URL_CHANGED, "clients sign in with whoever answers there"),
        ("oauth2MetadataUrl", &LOGIN_URL_CHANGED, "clients sign in with whoever that address names"),
        ("description", &SCHEME_DESCRIPTION_CHANGED, "only people read it"),
    ];
    for (name, rule, effect) in known {
        let fields = (old_named.get(name).copied(), new_named.get(name).copied());
        if rule.name == LOGIN_URL_CHANGED.name {
            flows::login_url(report, &pair, name, fields, effect);
        } else {
            pair.field(report, rule, name, fields, effect);
        }
    }
    flows::compare(report, &pair, old_named.get("flows").copied(), new_named.get("flows").copied());
    let rest = |fields: &[Field]| -> Vec<Field> {
        let is_known = |field: &Field| field.name == "flows" || known.iter().any(|(name, ..)| *name == field.name);
        fields.iter().filter(|field| !is_known(field)).cloned().collect()
    };
    let owner = Owner { group: Group::Access, words: &pair.which, known: &[] };
    other_fields::compare(report, &owner, &rest(&old), &rest(&new));
}

/// One scheme on both sides, or a part of it.
pub(super) struct Pair<'a> {
    before: &'a Scheme,
    after: &'a Scheme,
    /// As a sentence calls it: "the scheme \"x\"".
    pub which: String,
}

impl<'a> Pair<'a> {
    /// A part of the scheme.
    pub(super) fn part(&self, which: String) -> Pair<'a> {
        Pair { which, ..*self }
    }

    /// Where a field stands on each side; the scheme itself where it is absent.
    pub(super) fn at(&self, before: Option<&Field>, after: Option<&Field>) -> Sides {
        let pointer = |field: Option<&Field>, scheme: &Scheme| {
            field.and_then(|field| field.pointer.clone()).unwrap_or_else(|| scheme.pointer.clone())
        };
        Sides::at(Some(&pointer(before, self.before)), Some(&pointer(after, self.after)))
            .values(before.and_then(text_of), after.and_then(text_of))
    }

    pub(super) fn field(
        &self,
        report: &mut Report,
        rule: &Rule,
        name: &str,
        (before, after): (Option<&Field>, Option<&Field>),
        effect: &str,
    ) {
        let text = |field: Option<&Field>| field.and_then(text_of);
        // HTTP's scheme and the place of a key do not depend on case.
        let folded = |field| {
            text(field).map(|text| if matches!(name, "scheme" | "location") { text.to_ascii_lowercase() } else { text })
        };
        if folded(before) == folded(after) {
            return;
        }
        let words = |field| text(field).map_or_else(|| "not given".to_owned(), |text| quoted(&text));
        let message =
            format!("The {name} of {} is {}, formerly {}; {effect}.", self.which, words(after), words(before));
        report.add(rule, self.at(before, after), message);
    }
}
