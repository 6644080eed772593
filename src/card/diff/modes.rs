//! Changes to the media types that the agent accepts and answers in, by what applies and not by where it is written.

use std::collections::HashSet;

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::set_changes;
use super::media_types::{self, Formats, normal};
use super::side::Side;
use super::skills::{Skills, title};
use super::wording::{listed, quoted};
use crate::card::facts::{Field, FieldValue, Modes, Skill};
use crate::card::pointer::JsonPointer;

const INPUT_MODE_REMOVED: Rule = Rule::new(
    "input-mode-removed",
    Level::Breaking,
    Group::Skills,
    "Clients that send this format are refused. A wider format in its place refuses nobody. Risky only where it went from the defaults and no skill lost it: then only messages meant for no listed skill are concerned.",
);
const INPUT_MODE_ADDED: Rule =
    Rule::new("input-mode-added", Level::Compatible, Group::Skills, "Clients may send one more format.");
const OUTPUT_MODE_REMOVED: Rule = Rule::new(
    "output-mode-removed",
    Level::Breaking,
    Group::Skills,
    "Clients that understand only this format get nothing they can read. A wider format in its place still promises it, and is one that was added. Risky only where it went from the defaults and no skill lost it.",
);
const OUTPUT_MODE_ADDED: Rule = Rule::new(
    "output-mode-added",
    Level::Risky,
    Group::Skills,
    "Answers may come in a format that clients did not expect, unless they say what they accept.",
);
const MODES_STATED: Rule = Rule::new(
    "modes-stated",
    Level::Risky,
    Group::Skills,
    "Where no format was stated, clients tried what they had; now some of that may be refused.",
);
const MODES_UNSTATED: Rule = Rule::new(
    "modes-unstated",
    Level::Risky,
    Group::Skills,
    "Clients that choose by formats can no longer tell whether theirs fit.",
);
const MODES_RESTATED: Rule = Rule::new(
    "modes-restated",
    Level::Docs,
    Group::Skills,
    "Case, charset=utf-8 (all text in A2A's JSON is), and what a wildcard includes anyway make no other formats. Only who compares texts can notice.",
);

pub(super) const RULES: &[&Rule] = &[
    &INPUT_MODE_REMOVED,
    &INPUT_MODE_ADDED,
    &OUTPUT_MODE_REMOVED,
    &OUTPUT_MODE_ADDED,
    &MODES_STATED,
    &MODES_UNSTATED,
    &MODES_RESTATED,
];

/// Which of the two lists of formats.
#[derive(Clone, Copy)]
struct Direction {
    default_name: &'static str,
    own_name: &'static str,
    /// As in "accepts text/plain".
    verb: &'static str,
    gone: &'static Rule,
    come: &'static Rule,
    of: fn(&Skill) -> &Modes,
}

const DIRECTIONS: [Direction; 2] = [
    Direction {
        default_name: "defaultInputModes",
        own_name: "inputModes",
        verb: "accepts",
        gone: &INPUT_MODE_REMOVED,
        come: &INPUT_MODE_ADDED,
        of: |skill| &skill.input_modes,
    },
    Direction {
        default_name: "defaultOutputModes",
        own_name: "outputModes",
        verb: "answers in",
        gone: &OUTPUT_MODE_REMOVED,
        come: &OUTPUT_MODE_ADDED,
        of: |skill| &skill.output_modes,
    },
];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>, skills: &Skills<'_>) {
    for direction in DIRECTIONS {
        defaults(report, older, newer, skills, direction);
        for (a, b) in skills.pairs() {
            let (before, after) = ((direction.of)(a), (direction.of)(b));
            // What two skills inherit is told once, for the card.
            if before.inherited && after.inherited {
                continue;
            }
            let at = |side: &Side<'_>, skill: &Skill, modes: &Modes| {
                if modes.inherited {
                    side.top(direction.default_name)
                } else {
                    Some(side.member(&skill.pointer, direction.own_name))
                }
            };
            let pointers = (at(older, a, before), at(newer, b, after));
            let whose = format!("The skill {}", quoted(&title(b)));
            let types = (&before.types[..], &after.types[..]);
            lists(report, direction, &whose, pointers, types, direction.gone.level);
        }
    }
}

fn defaults(report: &mut Report, older: &Side<'_>, newer: &Side<'_>, skills: &Skills<'_>, direction: Direction) {
    let field = |side: &Side<'_>| {
        side.card.skills.default_modes.iter().find(|field| field.name == direction.default_name).cloned()
    };
    let types = |field: Option<&Field>| match field.map(|field| &field.value) {
        Some(FieldValue::Words(words)) => words.clone(),
        Some(FieldValue::Text(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    let (before, after) = (field(older), field(newer));
    let (old, new) = (types(before.as_ref()), types(after.as_ref()));
    let (gone, _) = media_types::changes(&old, &new);
    let gone: HashSet<String> = gone.into_iter().map(normal).collect();
    let lost = |(a, b): (&Skill, &Skill)| {
        let (before, after) = (&(direction.of)(a).types, &(direction.of)(b).types);
        let remaining = Formats::of(after);
        before.iter().any(|mode| gone.contains(&normal(mode)) && !remaining.cover(mode))
    };
    let has_skills = skills.pairs().next().is_some();
    let spared = !gone.is_empty() && has_skills && !skills.pairs().any(lost);
    let level = if spared { Level::Risky } else { direction.gone.level };
    let pointer = |field: Option<&Field>| field.and_then(|field| field.pointer.clone());
    lists(report, direction, "The agent", (pointer(before.as_ref()), pointer(after.as_ref())), (&old, &new), level);
}

fn lists(
    report: &mut Report,
    direction: Direction,
    whose: &str,
    pointers: (Option<JsonPointer>, Option<JsonPointer>),
    (older, newer): (&[String], &[String]),
    gone_level: Level,
) {
    if older == newer {
        return;
    }
    let (gone, come) = media_types::changes(older, newer);
    let text = |modes: &[String]| (!modes.is_empty()).then(|| modes.join(", "));
    let sides = Sides { older_pointer: pointers.0, newer_pointer: pointers.1, older: text(older), newer: text(newer) };
    let verb = direction.verb;
    if gone.is_empty() && come.is_empty() {
        if set_changes(older, newer) != (Vec::new(), Vec::new()) {
            let message = format!(
                "{whose} writes what it {verb} otherwise ({}, formerly {}); it stands for the same formats.",
                listed(newer),
                listed(older)
            );
            report.add(&MODES_RESTATED, sides, message);
        }
        return;
    }
    if older.is_empty() {
        let message = format!(
            "{whose} now states that it {verb} {}; nothing was stated before, so clients with other formats may be refused.",
            listed(&come)
        );
        report.add(&MODES_STATED, sides, message);
        return;
    }
    if newer.is_empty() {
        let message = format!(
            "{whose} no longer states what it {verb} (it was {}); clients that choose by formats cannot tell.",
            listed(&gone)
        );
        report.add(&MODES_UNSTATED, sides, message);
        return;
    }
    if !gone.is_empty() {
        let wider = Formats::of(&gone.iter().map(|mode| (*mode).to_owned()).collect::<Vec<_>>());
        let left: Vec<&String> = newer.iter().filter(|mode| wider.cover(mode)).collect();
        let (only, what) = match left[..] {
            [] => (String::new(), "it"),
            _ => (format!(", only {}", listed(&left)), "anything else"),
        };
        let message = format!("{whose} no longer {verb} {}{only}; clients that depend on {what} fail.", listed(&gone));
        report.add_as(direction.gone, gone_level, sides.clone(), message);
    }
    if !come.is_empty() {
        let effect = if direction.come.level == Level::Risky {
            "clients should say what they accept"
        } else {
            "clients may use it"
        };
        report.add(direction.come, sides, format!("{whose} now {verb} {} too; {effect}.", listed(&come)));
    }
}
