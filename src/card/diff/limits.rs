//! What lies beyond the number of entries that are compared one by one.

use std::collections::BTreeMap;

use super::change::{Group, Level, Report, Rule, Sides};
use super::same_json::{Interner, Numbers};
use super::side::Side;
use crate::card::inspection::{MAX_ROWS, MAX_WORDS};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

const BEYOND_THE_LIMIT: Rule = Rule::new(
    "beyond-the-limit",
    Level::Risky,
    Group::Document,
    "So long a list is not compared entry by entry to its end, and what differs there may be anything.",
);

pub(super) const RULES: &[&Rule] = &[&BEYOND_THE_LIMIT];

/// The lists of a card that are read up to a limit, in both spellings.
const LISTS: [&str; 19] = [
    "skills",
    "supportedInterfaces",
    "supported_interfaces",
    "additionalInterfaces",
    "additional_interfaces",
    "extensions",
    "signatures",
    "securitySchemes",
    "security_schemes",
    "securityRequirements",
    "security_requirements",
    "security",
    "defaultInputModes",
    "defaultOutputModes",
    "inputModes",
    "outputModes",
    "tags",
    "examples",
    "scopes",
];
/// So many long lists are looked at: no card has more in good faith.
const MAX_LISTS: usize = 100;

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (Some(before), Some(after)) = (older.card.document.tree(), newer.card.document.tree()) else { return };
    let mut lists: BTreeMap<JsonPointer, [Option<Node<'_>>; 2]> = BTreeMap::new();
    for tree in [before, after] {
        for list in tree.nodes().filter(is_too_long).take(MAX_LISTS) {
            let pointer = list.pointer();
            let both = [before, after].map(|tree| tree.resolve(&pointer));
            lists.insert(pointer, both);
        }
    }
    if lists.is_empty() {
        return;
    }
    let mut interner = Interner::of_meaning();
    let (old, new) = (interner.number(before), interner.number(after));
    for (pointer, [one, other]) in lists {
        if tail(one, &old) == tail(other, &new) {
            continue;
        }
        let at = |list: Option<Node<'_>>| list.map(|_| pointer.clone());
        let count = |list: Option<Node<'_>>| list.map(|list| format!("{} entries", list.child_count()));
        let sides = Sides::at(at(one).as_ref(), at(other).as_ref()).values(count(one), count(other));
        let most = one.into_iter().chain(other).map(limit).min().unwrap_or(MAX_ROWS);
        let message = format!(
            "Beyond its first {most} entries the list at {pointer} differs; those are not compared one by one, and the text shows them."
        );
        report.add(&BEYOND_THE_LIMIT, sides, message);
    }
}

fn is_too_long(node: &Node<'_>) -> bool {
    node.child_count() > limit(*node) && node.key().is_some_and(|name| LISTS.contains(&name.as_ref()))
}

/// How many entries of a list are read: words fewer than others.
fn limit(list: Node<'_>) -> usize {
    let is_words = list.children().next().is_some_and(|item| item.kind() == Kind::String);
    if is_words { MAX_WORDS } else { MAX_ROWS }
}

/// What is not read of a list, in no order.
fn tail(list: Option<Node<'_>>, numbers: &Numbers) -> Vec<u32> {
    let Some(list) = list else { return Vec::new() };
    let mut tail: Vec<u32> = list.children().skip(limit(list)).map(|item| numbers.of(item)).collect();
    tail.sort_unstable();
    tail
}
