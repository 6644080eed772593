//! Changes to which protocol features work, and to declared extensions.

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::other_fields::{self, Owner};
use super::same_json::same_text;
use super::side::Side;
use super::wording::quoted;
use crate::card::facts::{Capability, Extension};

const CAPABILITY_WITHDRAWN: Rule = Rule::new(
    "capability-withdrawn",
    Level::Breaking,
    Group::Capabilities,
    "Clients that use the feature are answered with an error (§3.3.4). Absent counts as no.",
);
const CAPABILITY_OFFERED: Rule = Rule::new(
    "capability-offered",
    Level::Compatible,
    Group::Capabilities,
    "Clients may use the feature; those that do not see no difference.",
);
const CAPABILITY_RESTATED: Rule =
    Rule::new("capability-restated", Level::Docs, Group::Capabilities, "No and not declared are the same to clients.");
const STATE_HISTORY_CHANGED: Rule = Rule::new(
    "state-transition-history-changed",
    Level::Docs,
    Group::Capabilities,
    "No operation was ever defined that depends on the flag, and 1.0 dropped it.",
);
const EXTENSION_REMOVED: Rule = Rule::new(
    "extension-removed",
    Level::Breaking,
    Group::Capabilities,
    "Clients that asked for the extension no longer get what it adds.",
);
const EXTENSION_ADDED: Rule = Rule::new(
    "extension-added",
    Level::Compatible,
    Group::Capabilities,
    "An optional extension concerns only clients that know it.",
);
const REQUIRED_EXTENSION_ADDED: Rule = Rule::new(
    "required-extension-added",
    Level::Breaking,
    Group::Capabilities,
    "Clients that do not declare a required extension are answered with -32008 (§3.3.4).",
);
const EXTENSION_NOW_REQUIRED: Rule = Rule::new(
    "extension-now-required",
    Level::Breaking,
    Group::Capabilities,
    "Clients that do not declare a required extension are answered with -32008 (§3.3.4).",
);
const EXTENSION_NOW_OPTIONAL: Rule = Rule::new(
    "extension-now-optional",
    Level::Compatible,
    Group::Capabilities,
    "Clients that declare it go on, and others are let in.",
);
const EXTENSION_PARAMS_CHANGED: Rule = Rule::new(
    "extension-params-changed",
    Level::Risky,
    Group::Capabilities,
    "What the parameters mean is the extension's affair; a client set up for the old ones may fail.",
);
const EXTENSION_DESCRIPTION_CHANGED: Rule = Rule::new(
    "extension-description-changed",
    Level::Docs,
    Group::Capabilities,
    "No client breaks, but the text says how the agent uses the extension, and agents read it.",
)
.trust();

pub(super) const RULES: &[&Rule] = &[
    &CAPABILITY_WITHDRAWN,
    &CAPABILITY_OFFERED,
    &CAPABILITY_RESTATED,
    &STATE_HISTORY_CHANGED,
    &EXTENSION_REMOVED,
    &EXTENSION_ADDED,
    &REQUIRED_EXTENSION_ADDED,
    &EXTENSION_NOW_REQUIRED,
    &EXTENSION_NOW_OPTIONAL,
    &EXTENSION_PARAMS_CHANGED,
    &EXTENSION_DESCRIPTION_CHANGED,
];

/// What may stand unread among the capabilities: a flag that is no flag, the extended card's of earlier releases.
const KNOWN: [&str; 6] = [
    "streaming",
    "pushNotifications",
    "extendedAgentCard",
    "supportsAuthenticatedExtendedCard",
    "supportsExtendedAgentCard",
    "capabilities",
];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (before, after) = (&older.card.capabilities, &newer.card.capabilities);
    for name in ["streaming", "pushNotifications", "extendedAgentCard", "stateTransitionHistory"] {
        let row = |rows: &'_ [Capability]| rows.iter().find(|row| row.name == name).cloned();
        flag(report, name, row(&before.rows).as_ref(), row(&after.rows).as_ref());
    }
    extensions(report, older, newer);
    let owner = Owner { group: Group::Capabilities, words: "the capabilities", known: &KNOWN };
    other_fields::compare(report, &owner, &before.other_fields, &after.other_fields);
}

fn flag(report: &mut Report, name: &str, before: Option<&Capability>, after: Option<&Capability>) {
    let declared = |row: Option<&Capability>| row.and_then(|row| row.declared);
    let (old, new) = (declared(before), declared(after));
    if old == new {
        return;
    }
    let pointer = |row: Option<&Capability>| row.and_then(|row| row.pointer.clone());
    let sides = Sides { older_pointer: pointer(before), newer_pointer: pointer(after), ..Sides::default() }
        .values(old.map(|yes| yes.to_string()), new.map(|yes| yes.to_string()));
    let words = |declared: Option<bool>| match declared {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not declared",
    };
    let (was, is) = (words(old), words(new));
    let (rule, message) = match (old.unwrap_or_default(), new.unwrap_or_default()) {
        _ if name == "stateTransitionHistory" => {
            (&STATE_HISTORY_CHANGED, format!("{name} is {is}, formerly {was}; no operation depends on it."))
        }
        (true, false) => (
            &CAPABILITY_WITHDRAWN,
            format!("{name} is {is}, formerly yes; clients that use it are answered with an error."),
        ),
        (false, true) => (&CAPABILITY_OFFERED, format!("{name} is yes, formerly {was}; clients may use it.")),
        _ => (&CAPABILITY_RESTATED, format!("{name} is {is}, formerly {was}, which is the same to clients.")),
    };
    report.add(rule, sides, message);
}

fn extensions(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (before, after) = (&older.card.capabilities.extensions, &newer.card.capabilities.extensions);
    let mut matches = Matches::none(before.len(), after.len());
    matches.pass(|at| Some(&before[at].uri), |at| Some(&after[at].uri));
    for &at in &matches.only_older {
        let extension = &before[at];
        let sides = Sides::at(Some(&extension.pointer), None).values(Some(&extension.uri), None::<String>);
        let message = format!(
            "The extension {} is gone; clients that ask for it no longer get what it adds.",
            quoted(&extension.uri)
        );
        report.add(&EXTENSION_REMOVED, sides, message);
    }
    for &at in &matches.only_newer {
        let extension = &after[at];
        let sides = Sides::at(None, Some(&extension.pointer)).values(None::<String>, Some(&extension.uri));
        let uri = quoted(&extension.uri);
        if extension.required {
            let message =
                format!("The extension {uri} is new and required; clients that do not declare it are refused.");
            report.add(&REQUIRED_EXTENSION_ADDED, sides, message);
        } else {
            let message = format!("The extension {uri} is new and optional; only clients that know it are concerned.");
            report.add(&EXTENSION_ADDED, sides, message);
        }
    }
    for &(a, b) in &matches.pairs {
        extension(report, (older, &before[a]), (newer, &after[b]));
    }
}

fn extension(report: &mut Report, (older, before): (&Side<'_>, &Extension), (newer, after): (&Side<'_>, &Extension)) {
    let uri = quoted(&after.uri);
    let at =
        |name: &str| Sides::at(Some(&older.member(&before.pointer, name)), Some(&newer.member(&after.pointer, name)));
    if before.required != after.required {
        let sides = at("required").values(Some(before.required.to_string()), Some(after.required.to_string()));
        if after.required {
            let message = format!("The extension {uri} is now required; clients that do not declare it are refused.");
            report.add(&EXTENSION_NOW_REQUIRED, sides, message);
        } else {
            let message = format!("The extension {uri} is no longer required; clients that do not know it are let in.");
            report.add(&EXTENSION_NOW_OPTIONAL, sides, message);
        }
    }
    let params = |extension: &Extension| extension.params.clone().unwrap_or_else(|| "{}".to_owned());
    let given = |extension: &Extension| {
        Some(params(extension)).filter(|text| text != "null").unwrap_or_else(|| "{}".to_owned())
    };
    if !same_text(&given(before), &given(after)) {
        let sides = at("params").values(before.params.as_ref(), after.params.as_ref());
        let message =
            format!("The parameters of the extension {uri} changed; clients set up for the old ones may fail.");
        report.add(&EXTENSION_PARAMS_CHANGED, sides, message);
    }
    let text = |extension: &Extension| extension.description.clone().filter(|text| !text.is_empty());
    if text(before) != text(after) {
        let sides = at("description").values(text(before), text(after));
        let message =
            format!("The extension {uri} is described otherwise; agents that read the text may use it otherwise.");
        report.add(&EXTENSION_DESCRIPTION_CHANGED, sides, message);
    }
    let words = format!("the extension {uri}");
    let owner =
        Owner { group: Group::Capabilities, words: &words, known: &["uri", "description", "required", "params"] };
    other_fields::compare(report, &owner, &before.other_fields, &after.other_fields);
}
