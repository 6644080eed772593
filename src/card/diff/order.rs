//! Entries that stand in another order where order means nothing, list by list.
//!
//! Only entries that are on both sides can change places: what came or went between them moves nobody.

use std::collections::HashMap;

use super::change::{Group, Level, Report, Rule, Sides};
use super::same_json::last_members;
use super::side::Side;
use super::skills::{Skills, title};
use crate::card::facts::Skill;
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

pub(super) const ORDER_CHANGED: Rule = Rule::new(
    "order-changed",
    Level::Notice,
    Group::Document,
    "Entries stand in another order where order means nothing.",
);

/// The lists of a card whose order means nothing, in both spellings; skills are matched by what they are.
const OF_CARD: [&str; 8] = [
    "defaultInputModes",
    "default_input_modes",
    "defaultOutputModes",
    "default_output_modes",
    "security",
    "securityRequirements",
    "security_requirements",
    "signatures",
];
/// The same of a skill.
const OF_SKILL: [&str; 9] = [
    "tags",
    "examples",
    "inputModes",
    "input_modes",
    "outputModes",
    "output_modes",
    "security",
    "securityRequirements",
    "security_requirements",
];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>, skills: &Skills<'_>) {
    let (Some(before), Some(after)) = (older.card.document.tree(), newer.card.document.tree()) else { return };
    let (before, after) = (before.root(), after.root());
    members(report, before, after, &OF_CARD);
    if let (Some(old), Some(new)) = (before.get("capabilities"), after.get("capabilities")) {
        members(report, old, new, &["extensions"]);
    }
    of_skills(report, older, newer, skills);
    for (a, b) in skills.pairs() {
        if let (Some(old), Some(new)) = (older.node(&a.pointer), newer.node(&b.pointer)) {
            members(report, old, new, &OF_SKILL);
        }
    }
}

fn members(report: &mut Report, older: Node<'_>, newer: Node<'_>, names: &[&str]) {
    // Most skills are as they were.
    if older.raw() == newer.raw() {
        return;
    }
    for name in names {
        if let (Some(old), Some(new)) = (older.get(name), newer.get(name)) {
            list(report, old, new);
        }
    }
}

fn list(report: &mut Report, older: Node<'_>, newer: Node<'_>) {
    if older.kind() != Kind::Array || newer.kind() != Kind::Array || older.raw() == newer.raw() {
        return;
    }
    let (old, new): (Vec<_>, Vec<_>) = (older.items().collect(), newer.items().collect());
    let keys = |items: &[Node<'_>]| items.iter().map(|item| key(*item)).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys(&old), keys(&new));
    let pairs = certain_pairs(&old_keys, &new_keys);
    if is_turned(&pairs) || is_permutation(&old_keys, &new_keys) {
        let sides = Sides::at(Some(&older.pointer()), Some(&newer.pointer()));
        add(report, sides.values(Some(older.raw()), Some(newer.raw())));
    }
    for (a, b) in pairs {
        inside(report, old[a], new[b]);
    }
}

/// The lists in what is on both sides: the scopes of a requirement.
fn inside(report: &mut Report, older: Node<'_>, newer: Node<'_>) {
    if older.kind() != Kind::Object || older.raw() == newer.raw() {
        return;
    }
    let others: HashMap<_, _> = last_members(newer).into_iter().collect();
    for (name, member) in last_members(older) {
        let Some(other) = others.get(&name) else { continue };
        list(report, member, *other);
        inside(report, member, *other);
    }
}

/// Pairs of places with the same key, of keys that are there once on each side; in the order of the older list.
fn certain_pairs(older: &[String], newer: &[String]) -> Vec<(usize, usize)> {
    let (old, new) = (places_of_single(older), places_of_single(newer));
    let paired = |(at, key): (usize, &String)| {
        old.get(key.as_str()).copied().flatten()?;
        Some((at, new.get(key.as_str()).copied().flatten()?))
    };
    older.iter().enumerate().filter_map(paired).collect()
}

/// Where a key stands; nothing for one that is there more than once.
fn places_of_single(keys: &[String]) -> HashMap<&str, Option<usize>> {
    let mut places = HashMap::with_capacity(keys.len());
    for (at, key) in keys.iter().enumerate() {
        places.entry(key.as_str()).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
}

fn is_turned(pairs: &[(usize, usize)]) -> bool {
    pairs.windows(2).any(|pair| pair[0].1 > pair[1].1)
}

/// Whether the same keys, also those that are there more than once, stand otherwise.
fn is_permutation(older: &[String], newer: &[String]) -> bool {
    let sorted = |keys: &[String]| {
        let mut places: Vec<usize> = (0..keys.len()).collect();
        places.sort_by(|a, b| keys[*a].cmp(&keys[*b]));
        places
    };
    older.len() == newer.len()
        && older != newer
        && sorted(older).into_iter().zip(sorted(newer)).all(|(a, b)| older[a] == newer[b])
}

/// What an entry is known by: an extension by its URI, anything else by what it says in whatever order.
fn key(node: Node<'_>) -> String {
    match node.get_str("uri") {
        Some(uri) => uri.into_owned(),
        None => said(node),
    }
}

// Recursion is bounded by the parser's nesting limit.
fn said(node: Node<'_>) -> String {
    let sorted = |mut parts: Vec<String>| {
        parts.sort();
        parts.join(",")
    };
    match node.kind() {
        Kind::Array => format!("[{}]", sorted(node.items().map(said).collect())),
        Kind::Object => {
            let members = last_members(node).into_iter();
            format!("{{{}}}", sorted(members.map(|(name, member)| format!("{name:?}:{}", said(member))).collect()))
        }
        Kind::String => format!("{:?}", node.as_str().unwrap_or_default()),
        _ => node.raw().to_owned(),
    }
}

/// Skills are on both sides also where their text or id changed.
fn of_skills(report: &mut Report, older: &Side<'_>, newer: &Side<'_>, skills: &Skills<'_>) {
    let (before, after) = (&older.card.skills.rows, &newer.card.skills.rows);
    let paired: Vec<(&Skill, &Skill)> = skills.pairs().collect();
    // Of skills that are given twice it is not certain which is which, unless all of them are there.
    let all = paired.len() == before.len() && paired.len() == after.len();
    let (old_once, new_once) = (counts(before), counts(after));
    let is_certain =
        |(a, b): &(&Skill, &Skill)| all || (old_once.get(&named(a)) == Some(&1) && new_once.get(&named(b)) == Some(&1));
    let place = |skill: &Skill| skill.pointer.as_str().rsplit_once('/')?.1.parse::<usize>().ok();
    let pairs: Vec<(usize, usize)> =
        paired.iter().filter(|pair| is_certain(pair)).filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect();
    if is_turned(&pairs) {
        let list = |rows: &[Skill]| rows.first().and_then(|row| row.pointer.parent());
        let titles = |rows: &[Skill]| rows.iter().map(title).collect::<Vec<_>>().join(", ");
        let sides = Sides::at(list(before).as_ref(), list(after).as_ref());
        add(report, sides.values(Some(titles(before)), Some(titles(after))));
    }
}

fn named(skill: &Skill) -> (&str, &str) {
    (&skill.id, &skill.name)
}

fn counts(skills: &[Skill]) -> HashMap<(&str, &str), usize> {
    let mut counts = HashMap::with_capacity(skills.len());
    for skill in skills {
        *counts.entry(named(skill)).or_default() += 1;
    }
    counts
}

fn add(report: &mut Report, sides: Sides) {
    let list = sides.newer_pointer.as_ref().map(JsonPointer::as_str).unwrap_or_default();
    let message = format!("The entries of {list} stand in another order, which means nothing; nobody is affected.");
    report.add(&ORDER_CHANGED, sides, message);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(older: &str, newer: &str) -> bool {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (older, newer) = (words(older), words(newer));
        is_turned(&certain_pairs(&older, &newer)) || is_permutation(&older, &newer)
    }

    #[test]
    fn only_what_is_on_both_sides_changes_places() {
        assert!(turned("a b c", "c b a") && turned("a b c", "x b a y"));
        assert!(!turned("a b c", "x a c y") && !turned("a b", "c d"));
        // Which of two equal ones went is not known.
        assert!(!turned("a b a", "b a") && turned("a b a", "a a b"));
    }
}
