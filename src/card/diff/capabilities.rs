//! Changes to which protocol features work, and to declared extensions.

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::other_fields::{self, Owner};
use super::same_json::same_text;
use super::side::{Half, Side};
use super::wording::{quoted, text_of};
use crate::card::facts::{Capability, Extension, Field, FieldValue};
use crate::card::pointer::JsonPointer;

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

/// Where clients of before 1.0 look for the extended card.
const OLDER_EXTENDED_CARD: &str = "supportsAuthenticatedExtendedCard";

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let mut told = Vec::new();
    for name in ["streaming", "pushNotifications", "stateTransitionHistory"] {
        let flags = (Flag::of(older, name), Flag::of(newer, name));
        if flag(report, name, None, &flags.0, &flags.1) {
            told.extend(places(&flags));
        }
    }
    told.extend(extended_card(report, older, newer));
    extensions(report, older, newer);
    let owner = Owner { group: Group::Capabilities, words: "the capabilities", known: &KNOWN };
    // What was told of a flag is not told again of a value that is no flag.
    let untold = |side: &Side<'_>| -> Vec<Field> {
        let fields = side.card.capabilities.other_fields.iter();
        fields.filter(|field| field.pointer.as_ref().is_none_or(|place| !told.contains(place))).cloned().collect()
    };
    other_fields::compare(report, &owner, &untold(older), &untold(newer));
}

/// What a card says of a feature, to all or to those who read one half of it.
#[derive(Default)]
struct Flag {
    declared: Option<bool>,
    pointer: Option<JsonPointer>,
    /// What stands in its place and is neither true nor false.
    misfit: Option<String>,
}

impl Flag {
    fn of(side: &Side<'_>, name: &str) -> Self {
        let capabilities = &side.card.capabilities;
        let row = capabilities.rows.iter().find(|row| row.name == name);
        row.map_or_else(Self::default, |row| Self::of_row(row, &capabilities.other_fields))
    }

    fn of_row(row: &Capability, others: &[Field]) -> Self {
        let unread = others.iter().find(|field| row.declared.is_none() && field.pointer == row.pointer);
        Self { declared: row.declared, pointer: row.pointer.clone(), misfit: unread.and_then(as_written) }
    }

    /// The flag for the extended card where clients of a release look for it.
    fn of_half(side: &Side<'_>, half: Half) -> Self {
        let capabilities = &side.card.capabilities;
        let read = Self::of(side, "extendedAgentCard");
        let is_at_the_top = |pointer: &JsonPointer| pointer.as_str().rfind('/') == Some(0);
        let stands_at_the_top = read.pointer.as_ref().is_some_and(is_at_the_top);
        let is_older = |place: &JsonPointer| is_at_the_top(place) && *place == older_place(side);
        match half {
            Half::Newer if stands_at_the_top => Self::default(),
            Half::Newer => read,
            Half::Older if read.pointer.as_ref().is_some_and(is_older) => read,
            Half::Older => {
                let beside =
                    capabilities.other_fields.iter().find(|field| field.pointer.as_ref().is_some_and(is_older));
                let declared = beside.and_then(text_of).and_then(|text| text.parse().ok());
                Self { declared, pointer: beside.and_then(|field| field.pointer.clone()), misfit: None }
            }
        }
    }

    /// Absent counts as no.
    fn counts(&self) -> bool {
        self.declared.unwrap_or_default()
    }

    fn words(&self) -> String {
        match (self.declared, &self.misfit) {
            (Some(true), _) => "yes".to_owned(),
            (Some(false), _) => "no".to_owned(),
            (None, Some(misfit)) => format!("{misfit}, which is neither true nor false and counts as no"),
            (None, None) => "not declared".to_owned(),
        }
    }
}

/// A text in quotation marks, so that it is not taken for the flag itself.
fn as_written(field: &Field) -> Option<String> {
    let text = text_of(field)?;
    Some(if matches!(field.value, FieldValue::Text(_) | FieldValue::Address(_)) { quoted(&text) } else { text })
}

fn older_place(side: &Side<'_>) -> JsonPointer {
    side.member(&JsonPointer::root(), OLDER_EXTENDED_CARD)
}

/// Compares the flag for the extended card as each half has it; what is the same for all is told once. Gives the
/// places that are dealt with.
fn extended_card(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) -> Vec<JsonPointer> {
    let name = "extendedAgentCard";
    let all = (Flag::of(older, name), Flag::of(newer, name));
    let step = |(before, after): &(Flag, Flag)| (before.declared, after.declared);
    let effect = |(before, after): &(Flag, Flag)| (before.counts(), after.counts());
    let flags = |half| (half, (Flag::of_half(older, half), Flag::of_half(newer, half)));
    let halves: Vec<(Half, (Flag, Flag))> = Half::of_both(older, newer).map(flags).collect();
    let is_common = halves.iter().all(|(_, flags)| step(flags) == step(&all));
    let is_of_a_half = halves.iter().any(|(_, flags)| effect(flags) == effect(&all));
    // What clients of before 1.0 read is dealt with even where nothing changed for them.
    let of_older = halves.iter().filter(|(half, _)| *half == Half::Older).flat_map(|(_, flags)| places(flags));
    let mut dealt_with: Vec<JsonPointer> = of_older.collect();
    if (is_common || !is_of_a_half) && flag(report, name, None, &all.0, &all.1) {
        dealt_with.extend(places(&all));
    }
    for (half, flags) in halves.iter().filter(|_| !is_common) {
        if flag(report, name, Some(*half), &flags.0, &flags.1) {
            dealt_with.extend(places(flags));
        }
    }
    dealt_with
}

fn places((before, after): &(Flag, Flag)) -> impl Iterator<Item = JsonPointer> + use<> {
    [before.pointer.clone(), after.pointer.clone()].into_iter().flatten()
}

/// Compares one flag; says whether there was anything to tell.
fn flag(report: &mut Report, name: &str, half: Option<Half>, before: &Flag, after: &Flag) -> bool {
    if before.declared == after.declared {
        return false;
    }
    let value = |flag: &Flag| flag.declared.map(|yes| yes.to_string()).or_else(|| flag.misfit.clone());
    let sides = Sides::at(before.pointer.as_ref(), after.pointer.as_ref()).values(value(before), value(after));
    let (was, is) = (before.words(), after.words());
    let whom = half.map_or_else(String::new, |half| format!("For {}, ", half.clients()));
    let (rule, effect) = match (before.counts(), after.counts()) {
        _ if name == "stateTransitionHistory" => (&STATE_HISTORY_CHANGED, "; no operation depends on it"),
        (true, false) => (&CAPABILITY_WITHDRAWN, "; clients that use it are answered with an error"),
        (false, true) => (&CAPABILITY_OFFERED, "; clients may use it"),
        _ => (&CAPABILITY_RESTATED, ", which is the same to clients"),
    };
    let effect = match (rule.name, half) {
        ("capability-withdrawn", Some(_)) => "; those that go by it no longer use it, or are answered with an error",
        _ => effect,
    };
    report.add(rule, sides, format!("{whom}{name} is {is}, formerly {was}{effect}."));
    true
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
