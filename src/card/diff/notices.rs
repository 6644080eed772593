//! Remarks on the comparison as a whole: another release of the card's shape, and what its own version says.

use super::change::{Change, Group, Level, Report, Rule, Sides};
use super::side::{Side, by_name};
use super::wording::{quoted, text_of};
use crate::card::facts::{Field, Shape};
use crate::card::pointer::JsonPointer;

const MIGRATION: Rule = Rule::new(
    "migration",
    Level::Notice,
    Group::Document,
    "Cards of two releases are brought to the same terms before they are compared, so that only what means something else counts.",
);
const WITHOUT_COUNTERPART: Rule = Rule::new(
    "without-counterpart",
    Level::Notice,
    Group::Document,
    "What one release can say and the other cannot is lost or new for a reason; it is listed so that nobody looks for it.",
);
const VERSION_UNCHANGED: Rule = Rule::new(
    "version-unchanged",
    Level::Notice,
    Group::Identity,
    "Who goes by the agent's version does not notice that the card changed.",
);
const VERSION_WENT_BACK: Rule = Rule::new(
    "version-went-back",
    Level::Notice,
    Group::Identity,
    "A lower version is a rollback, or the two cards are the wrong way round.",
);
const BREAKING_WITHOUT_MAJOR: Rule = Rule::new(
    "breaking-without-major",
    Level::Notice,
    Group::Identity,
    "By semantic versioning, what breaks clients raises the first number, or the second while the first is 0.",
);

pub(super) const RULES: &[&Rule] =
    &[&MIGRATION, &WITHOUT_COUNTERPART, &VERSION_UNCHANGED, &VERSION_WENT_BACK, &BREAKING_WITHOUT_MAJOR];

/// Says that two releases were compared, and what has no counterpart in the other one.
pub(super) fn migration(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (before, after) = (older.card.shape, newer.card.shape);
    if before == after {
        return;
    }
    let root = JsonPointer::root();
    let sides = Sides::at(Some(&root), Some(&root)).values(Some(before.label()), Some(after.label()));
    let words = |shape: Shape| match shape {
        Shape::Hybrid => "for several releases at once".to_owned(),
        shape => format!("for A2A {}", shape.label()),
    };
    let message = format!(
        "The older card is written {}, the newer one {}; both were brought to the same terms before they were compared.",
        words(before),
        words(after)
    );
    report.add(&MIGRATION, sides, message);
    for (side, other, is_older) in [(older, newer, true), (newer, older, false)] {
        for (name, pointer) in special_members(side.card.shape, other.card.shape, side) {
            let sides = if is_older { Sides::at(Some(&pointer), None) } else { Sides::at(None, Some(&pointer)) };
            let which = if is_older { "older" } else { "newer" };
            let message =
                format!("{name} of the {which} card has no counterpart in a card of A2A {}.", other.card.shape.label());
            report.add(&WITHOUT_COUNTERPART, sides, message);
        }
    }
}

/// The members that a card of `own` has and one of `other` cannot have.
fn special_members(own: Shape, other: Shape, side: &Side<'_>) -> Vec<(String, JsonPointer)> {
    let is_old = |shape| matches!(shape, Shape::V0_3 | Shape::V0_2);
    let mut found = Vec::new();
    if is_old(own) && other == Shape::V1_0 {
        let rows = side.card.capabilities.rows.iter().filter(|row| row.name == "stateTransitionHistory");
        found.extend(rows.filter_map(|row| Some((row.name.to_owned(), row.pointer.clone()?))));
    }
    if is_old(other) && !is_old(own) {
        let rows = &side.card.interfaces.rows;
        found.extend(
            rows.iter()
                .filter(|row| row.tenant.as_deref().is_some_and(|tenant| !tenant.is_empty()))
                .map(|row| ("tenant".to_owned(), side.member(&row.pointer, "tenant"))),
        );
        for scheme in &side.card.access.schemes {
            new_in_oauth(&scheme.details, &mut found);
        }
    }
    found
}

/// Parts of OAuth that 1.0 brought.
fn new_in_oauth(fields: &[Field], found: &mut Vec<(String, JsonPointer)>) {
    for field in fields {
        if matches!(field.name.as_str(), "pkceRequired" | "deviceCode" | "oauth2MetadataUrl") {
            found.extend(field.pointer.clone().map(|pointer| (field.name.clone(), pointer)));
        }
        if matches!(field.name.as_str(), "flows" | "authorizationCode") {
            new_in_oauth(&field.children, found);
        }
    }
}

/// What the agent's own version says of the changes found.
pub(super) fn version(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let level = report.changes.iter().map(|change: &Change| change.level).max();
    let Some(level) = level.filter(|level| *level > Level::Notice) else { return };
    let version = |side: &Side<'_>| by_name(&side.card.identity).get("version").and_then(|field| text_of(field));
    let (Some(old), Some(new)) = (version(older), version(newer)) else { return };
    let pointer = |side: &Side<'_>| side.identity("version").and_then(|field| field.pointer.clone());
    let sides = Sides::at(pointer(older).as_ref(), pointer(newer).as_ref()).values(Some(&old), Some(&new));
    if old == new {
        let message = format!(
            "The content changed, the agent's version did not: it is still {}; who goes by it notices nothing.",
            quoted(&new)
        );
        report.add(&VERSION_UNCHANGED, sides, message);
        return;
    }
    let (Some(before), Some(after)) = (Semantic::parse(&old), Semantic::parse(&new)) else { return };
    if after < before {
        let message = format!(
            "The agent's version went back from {} to {}; is it a rollback, or are the cards the wrong way round?",
            quoted(&old),
            quoted(&new)
        );
        report.add(&VERSION_WENT_BACK, sides, message);
    } else if level == Level::Breaking && !after.is_major_step_from(&before) {
        let message = format!(
            "The version went from {} to {}, which promises that nothing breaks; something does.",
            quoted(&old),
            quoted(&new)
        );
        report.add(&BREAKING_WITHOUT_MAJOR, sides, message);
    }
}

/// A version by semantic versioning, leniently read; a pre-release comes before its release.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Semantic {
    numbers: [u64; 3],
    is_release: bool,
    pre_release: Vec<PreRelease>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum PreRelease {
    Number(u64),
    Word(String),
}

impl Semantic {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let text = text.split_once('+').map_or(text, |(version, _)| version);
        let (core, pre_release) = text.split_once('-').map_or((text, None), |(core, rest)| (core, Some(rest)));
        let mut numbers = [0; 3];
        for (at, part) in core.split('.').enumerate() {
            *numbers.get_mut(at)? = part.parse().ok()?;
        }
        let part = |part: &str| part.parse().map_or_else(|_| PreRelease::Word(part.to_owned()), PreRelease::Number);
        let is_release = pre_release.is_none();
        Some(Self {
            numbers,
            is_release,
            pre_release: pre_release.into_iter().flat_map(|rest| rest.split('.')).map(part).collect(),
        })
    }

    fn is_major_step_from(&self, before: &Self) -> bool {
        let significant =
            |version: &Self| if version.numbers[0] == 0 { (0, version.numbers[1]) } else { (version.numbers[0], 0) };
        significant(self) > significant(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_semantic_versioning() {
        let order = ["0.9", "1.0.0-alpha", "1.0.0-rc.2", "1.0.0-rc.10", "v1.0.0+build", "1.0.1", "1.10", "2"];
        for pair in order.windows(2) {
            assert!(Semantic::parse(pair[0]) < Semantic::parse(pair[1]), "{pair:?}");
        }
        assert!(Semantic::parse("2024-latest").is_some_and(|version| version.numbers[0] == 2024));
        assert!(Semantic::parse("latest").is_none() && Semantic::parse("1.2.3.4").is_none());
    }

    #[test]
    fn what_counts_as_a_major_step() {
        let step =
            |old: &str, new: &str| Semantic::parse(new).unwrap().is_major_step_from(&Semantic::parse(old).unwrap());
        assert!(step("1.9", "2.0") && step("0.3.1", "0.4.0") && step("0.9", "1.0"));
        assert!(!step("1.0", "1.9") && !step("0.3.1", "0.3.2"));
    }
}
