//! The table of pairs: each line an edit to a base card in one or more releases, and the changes expected of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use cardscope::card::Inspection;
use cardscope::card::diff::{CardDiff, Change, rules};
use serde_json::Value;

use super::edits::{Which, edited};
use super::mirror::assert_mirrored;
use super::{assert_patch_yields_the_newer, inspected};

const TABLE: &str = include_str!("pairs.txt");

/// One line of the table.
struct Line {
    /// Whether the rule is expected, or its twin that must not call it forth.
    fires: bool,
    rule: &'static str,
    /// "1.0", or "0.3>1.0" for a pair of two releases.
    forms: Vec<&'static str>,
    name: &'static str,
    edits: &'static str,
    /// "rule level", in the order of the report.
    expected: Vec<&'static str>,
}

fn lines() -> Vec<Line> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(line).collect()
}

fn line(text: &'static str) -> Line {
    let cells: Vec<&str> = text.split('|').map(str::trim).collect();
    let [rule, forms, name, edits, expected] = cells[..] else { panic!("five cells: {text}") };
    let (fires, rule) = match rule.strip_prefix("not ") {
        Some(rule) => (false, rule),
        None => (true, rule),
    };
    let forms = if forms == "all" { vec!["0.3", "1.0", "hybrid"] } else { forms.split(' ').collect() };
    let expected = expected.split(", ").filter(|change| *change != "nothing").collect();
    Line { fires, rule, forms, name, edits, expected }
}

/// The two cards of a line in one form.
fn pair(line: &Line, form: &str) -> (String, String) {
    let (older, newer) = form.split_once('>').unwrap_or((form, form));
    (edited(older, line.edits, Which::Older), edited(newer, line.edits, Which::Newer))
}

/// Cards by their text: most pairs have the base card on one side.
#[derive(Default)]
struct Cards(HashMap<String, Arc<(Inspection, Value)>>);

impl Cards {
    fn get(&mut self, text: String) -> Arc<(Inspection, Value)> {
        let read = |text: &String| (inspected(text.as_str()), serde_json::from_str(text).unwrap());
        Arc::clone(self.0.entry(text).or_insert_with_key(|text| Arc::new(read(text))))
    }
}

#[test]
fn every_pair_of_the_table_has_the_changes_expected_of_it_and_can_be_turned_round_and_patched() {
    let mut cards = Cards::default();
    let mut actual = String::new();
    let mut wrong = Vec::new();
    for line in lines() {
        for form in &line.forms {
            let what = format!("{form} | {} | {}", line.rule, line.name);
            let (older, newer) = pair(&line, form);
            let (older, newer) = (cards.get(older), cards.get(newer));
            let diff = CardDiff::of(&older.0, &newer.0);
            let found: Vec<String> =
                diff.changes.iter().map(|change| format!("{} {}", change.rule, change.level.label())).collect();
            writeln!(actual, "{what} | {}", found.join(", ")).unwrap();
            if found != line.expected {
                let (expected, found) = (line.expected.join(", "), found.join(", "));
                wrong.push(format!("{what}\n  expected: {expected}\n  found:    {found}"));
            }
            for change in &diff.changes {
                assert_is_well_formed(change, &older.0, &newer.0);
            }
            assert_mirrored(&what, &diff, &CardDiff::of(&newer.0, &older.0));
            let (before, after) = ((&*older.0.document, &older.1), (&*newer.0.document, &newer.1));
            assert_patch_yields_the_newer(&what, before, after);
            assert_patch_yields_the_newer(&what, after, before);
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/comparison-actual.txt");
    std::fs::write(&path, actual).unwrap();
    assert!(wrong.is_empty(), "{} wrong, all of it is in {}:\n{}", wrong.len(), path.display(), wrong.join("\n"));
}

/// One sentence or two on one line, the rule's own trust mark, and pointers that lead somewhere.
fn assert_is_well_formed(change: &Change, older: &Inspection, newer: &Inspection) {
    let rule = rules().into_iter().find(|rule| rule.name == change.rule).unwrap();
    assert_eq!(change.trust, rule.trust, "{}", change.rule);
    assert!(change.message.ends_with(['.', '?']) && !change.message.contains('\n'), "{}", change.message);
    assert!(change.older_pointer.is_some() || change.newer_pointer.is_some(), "{change:?}");
    for (pointer, card) in [(&change.older_pointer, older), (&change.newer_pointer, newer)] {
        let tree = card.document.tree().unwrap();
        assert!(pointer.as_ref().is_none_or(|pointer| tree.resolve(pointer).is_some()), "{change:?}");
    }
}

const FORMS: [&str; 3] = ["0.3", "1.0", "hybrid"];

/// Rules about what a form does not have.
const NOT_IN_EVERY_FORM: [(&str, &[&str]); 3] = [
    // Interfaces of before 1.0 have no version of their own to leave out.
    ("interface-version-undeclared", &["0.3"]),
    ("interface-version-declared", &["0.3"]),
    // Interfaces of before 1.0 go by the card's protocolVersion, so its change is theirs.
    ("protocol-version-member-changed", &["0.3", "hybrid"]),
];

#[test]
fn the_table_has_every_rule_twice_in_every_form_with_a_twin() {
    let mut fired: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut spared = BTreeSet::new();
    let mut pairs = 0;
    let names: BTreeSet<&str> = rules().iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), rules().len(), "a name is given twice");
    for line in lines() {
        assert!(names.contains(line.rule), "there is no rule {}", line.rule);
        let is_expected = line.expected.iter().any(|change| change.split(' ').next() == Some(line.rule));
        assert_eq!(is_expected, line.fires, "{}: {}", line.rule, line.name);
        pairs += line.forms.len();
        // A pair of two forms counts for both; a line counts once for a form.
        for form in line.forms.iter().flat_map(|form| form.split('>')).collect::<BTreeSet<_>>() {
            if line.fires {
                *fired.entry((line.rule, form)).or_default() += 1;
            } else {
                spared.insert((line.rule, form));
            }
        }
    }
    let mut missing = Vec::new();
    for name in names {
        let excused = NOT_IN_EVERY_FORM.iter().find(|(rule, _)| *rule == name).map_or(&[][..], |(_, forms)| *forms);
        for form in FORMS {
            let count = fired.get(&(name, form)).copied().unwrap_or_default();
            if excused.contains(&form) {
                assert_eq!(count, 0, "{name} is fired in {form} and needs no excuse");
                continue;
            }
            if count < 2 {
                missing.push(format!("{name} is fired by {count} lines in {form}"));
            }
            if !spared.contains(&(name, form)) {
                missing.push(format!("{name} has no twin in {form}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(lines().len() >= 120 && pairs >= 360, "{} lines, {pairs} pairs", lines().len());
}
