//! Changes to who offers the service: name, description, provider, addresses to read, the agent's version.

use super::change::{Group, Level, Report, Rule, Sides};
use super::other_fields::{self, Owner};
use super::side::{Side, by_name};
use super::wording::{quoted, text_of};
use crate::card::facts::Field;

const NAME_CHANGED: Rule = Rule::new(
    "name-changed",
    Level::Risky,
    Group::Identity,
    "The name is what people and other agents know the agent by; under another one it may be another agent.",
)
.trust();
const DESCRIPTION_CHANGED: Rule = Rule::new(
    "description-changed",
    Level::Docs,
    Group::Identity,
    "No client breaks, but agents that route work obey this text, so that its change deserves a look.",
)
.trust();
const PROVIDER_ADDED: Rule = Rule::new(
    "provider-added",
    Level::Compatible,
    Group::Identity,
    "A provider where none was named takes nothing away; whether it is true is another matter.",
);
const PROVIDER_REMOVED: Rule = Rule::new(
    "provider-removed",
    Level::Risky,
    Group::Identity,
    "Nobody stands for the agent any more, so that who trusted it for its provider has to look again.",
);
const PROVIDER_CHANGED: Rule = Rule::new(
    "provider-changed",
    Level::Risky,
    Group::Identity,
    "Another organization or website behind the same address is either a handover or an imitation.",
)
.trust();
const ICON_URL_CHANGED: Rule =
    Rule::new("icon-url-changed", Level::Docs, Group::Identity, "Only the picture shown for the agent.");
const DOCUMENTATION_URL_CHANGED: Rule =
    Rule::new("documentation-url-changed", Level::Docs, Group::Identity, "Only where people read more.");
const VERSION_CHANGED: Rule = Rule::new(
    "version-changed",
    Level::Docs,
    Group::Identity,
    "The agent's own version tells of a change and is none for a client.",
);
const PROTOCOL_MEMBER_CHANGED: Rule = Rule::new(
    "protocol-version-member-changed",
    Level::Docs,
    Group::Identity,
    "The card's own protocolVersion counts through the interfaces it applies to; where there are none, nobody reads it.",
);

pub(super) const RULES: &[&Rule] = &[
    &NAME_CHANGED,
    &DESCRIPTION_CHANGED,
    &PROVIDER_ADDED,
    &PROVIDER_REMOVED,
    &PROVIDER_CHANGED,
    &ICON_URL_CHANGED,
    &DOCUMENTATION_URL_CHANGED,
    &VERSION_CHANGED,
    &PROTOCOL_MEMBER_CHANGED,
];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    plain(report, older, newer, &NAME_CHANGED, "name", |before, after| {
        format!(
            "The name is {after}, formerly {before}; who knew the agent by it should make sure that it is the same agent."
        )
    });
    plain(report, older, newer, &DESCRIPTION_CHANGED, "description", |_, _| {
        "The description changed; people and agents that choose by it may choose otherwise.".to_owned()
    });
    provider(report, older, newer);
    plain(report, older, newer, &DOCUMENTATION_URL_CHANGED, "documentationUrl", |before, after| {
        format!("The documentationUrl is {after}, formerly {before}; only readers of the documentation are concerned.")
    });
    plain(report, older, newer, &ICON_URL_CHANGED, "iconUrl", |before, after| {
        format!("The iconUrl is {after}, formerly {before}; only the picture of the agent is concerned.")
    });
    plain(report, older, newer, &VERSION_CHANGED, "version", |before, after| {
        format!("The agent's version is {after}, formerly {before}; for clients the other changes count.")
    });
    if !(has_older_rows(older) && has_older_rows(newer)) && older.card.shape == newer.card.shape {
        plain(report, older, newer, &PROTOCOL_MEMBER_CHANGED, "protocolVersion", |before, after| {
            format!("The card's own protocolVersion is {after}, formerly {before}; no interface goes by it.")
        });
    }
}

/// Whether an interface takes its version from the card.
fn has_older_rows(side: &Side<'_>) -> bool {
    side.card.interfaces.rows.iter().any(|row| !row.pointer.as_str().starts_with("/supported"))
}

fn plain(
    report: &mut Report,
    older: &Side<'_>,
    newer: &Side<'_>,
    rule: &Rule,
    name: &str,
    message: impl Fn(&str, &str) -> String,
) {
    let (before, after) = (older.identity(name), newer.identity(name));
    if let Some((sides, old, new)) = differing(before, after) {
        report.add(rule, sides, message(&old, &new));
    }
}

/// The sides of a field that changed, with both values in words.
fn differing(before: Option<&Field>, after: Option<&Field>) -> Option<(Sides, String, String)> {
    let (old, new) = (before.and_then(text_of), after.and_then(text_of));
    if old == new || before.zip(after).is_some_and(|(before, after)| other_fields::same_field(before, after)) {
        return None;
    }
    let words = |text: &Option<String>| text.as_deref().map_or_else(|| "not given".to_owned(), quoted);
    let (old_words, new_words) = (words(&old), words(&new));
    let pointer = |field: Option<&Field>| field.and_then(|field| field.pointer.clone());
    let sides = Sides { older_pointer: pointer(before), newer_pointer: pointer(after), older: old, newer: new };
    Some((sides, old_words, new_words))
}

fn provider(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let said = |side: &Side<'_>| {
        let field = side.card.identity.iter().find(|field| field.name == "provider")?;
        // `provider` in the words of a list of its parts, or whatever it is instead of an object.
        let parts: Vec<String> = field.children.iter().filter_map(text_of).collect();
        let text = if parts.is_empty() { text_of(field) } else { Some(parts.join(", ")) };
        text.map(|text| (field.pointer.clone(), text))
    };
    let sides = |before: Option<&(_, String)>, after: Option<&(_, String)>| {
        let pointer = |said: Option<&(Option<_>, String)>| said.and_then(|said| said.0.clone());
        Sides { older_pointer: pointer(before), newer_pointer: pointer(after), ..Sides::default() }
            .values(before.map(|said| said.1.clone()), after.map(|said| said.1.clone()))
    };
    match (said(older), said(newer)) {
        (None, Some(new)) => {
            let message = format!("The card names {} as its provider; nobody was named before.", quoted(&new.1));
            report.add(&PROVIDER_ADDED, sides(None, Some(&new)), message);
        }
        (Some(old), None) => {
            let message = format!(
                "The card no longer names {} as its provider; who trusted the agent for it should look again.",
                quoted(&old.1)
            );
            report.add(&PROVIDER_REMOVED, sides(Some(&old), None), message);
        }
        (Some(_), Some(_)) => provider_parts(report, older, newer),
        (None, None) => {}
    }
}

fn provider_parts(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (Some(before), Some(after)) = (older.identity("provider"), newer.identity("provider")) else { return };
    if before.children.is_empty() || after.children.is_empty() {
        if let Some((sides, old, new)) = differing(Some(before), Some(after)) {
            let message =
                format!("The provider is {new}, formerly {old}; who trusted the agent for it should look again.");
            report.add(&PROVIDER_CHANGED, sides, message);
        }
        return;
    }
    let (old_parts, new_parts) = (by_name(&before.children), by_name(&after.children));
    for (name, words) in [("organization", "organization behind the agent"), ("url", "provider's website")] {
        let field = |parts: &std::collections::HashMap<&str, &'_ Field>| parts.get(name).map(|field| (*field).clone());
        let (before, after) = (field(&old_parts), field(&new_parts));
        if let Some((sides, old, new)) = differing(before.as_ref(), after.as_ref()) {
            let message =
                format!("The {words} is {new}, formerly {old}; who trusted the agent for it should look again.");
            report.add(&PROVIDER_CHANGED, sides, message);
        }
    }
    let rest = |field: &Field| -> Vec<Field> {
        field.children.iter().filter(|part| !matches!(part.name.as_str(), "organization" | "url")).cloned().collect()
    };
    let owner = Owner { group: Group::Identity, words: "the provider", known: &["organization", "url"] };
    other_fields::compare(report, &owner, &rest(before), &rest(after));
}
