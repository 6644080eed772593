//! What changed between two cards, for whom, and how much it matters.
//!
//! Both sides are [`Inspection`]s, so that what is compared is what a card means: 0.3, 1.0 and hybrids in the same
//! terms, inherited formats and requirements where they apply, lists by the identity of their entries. One file a
//! subject; a table in each names its rules, their level and why they have it. A comparison the other way round
//! finds the same pairs.

mod access;
mod capabilities;
mod change;
mod flows;
mod halves;
mod identity;
mod interfaces;
pub mod json_patch;
mod likeness;
mod limits;
pub mod markdown;
mod matching;
mod media_types;
mod modes;
mod notices;
mod offers;
mod order;
mod other_fields;
mod preference;
mod same_address;
mod same_json;
mod schemes;
mod side;
mod signatures;
mod skills;
pub mod text;
mod wording;

use std::cmp::Reverse;

pub use change::{Change, Group, Level, Rule};

use self::change::{Report, Sides};
use self::other_fields::Owner;
use self::same_json::{Interner, first_difference};
use self::side::{Half, Side};
use super::facts::Inspection;
use super::inspection::shape::KNOWN_MEMBERS;
use super::json::Node;
use super::pointer::JsonPointer;

const NO_LONGER_A_CARD: Rule = Rule::new(
    "no-longer-a-card",
    Level::Breaking,
    Group::Document,
    "Clients that look for a card find none, and cannot call the agent.",
);
const NOW_A_CARD: Rule =
    Rule::new("now-a-card", Level::Compatible, Group::Document, "Where there was no card, clients find one.");
const DOCUMENT_CHANGED: Rule = Rule::new(
    "document-changed",
    Level::Docs,
    Group::Document,
    "Neither side is a card, so that there is no meaning to compare.",
);
const UNCLASSIFIED: Rule = Rule::new(
    "unclassified-change",
    Level::Docs,
    Group::Document,
    "The documents differ, but in nothing that a rule knows to matter; the text shows it.",
);

/// Every rule, subject by subject.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    let document: [&[&Rule]; 3] = [
        &[&NO_LONGER_A_CARD, &NOW_A_CARD, &DOCUMENT_CHANGED, &UNCLASSIFIED, &order::ORDER_CHANGED],
        limits::RULES,
        notices::RULES,
    ];
    let subjects = [
        identity::RULES,
        offers::RULES,
        interfaces::RULES,
        preference::RULES,
        capabilities::RULES,
        skills::RULES,
        modes::RULES,
        schemes::RULES,
        flows::RULES,
        access::RULES,
        halves::RULES,
        signatures::RULES,
        other_fields::RULES,
    ];
    document.into_iter().chain(subjects).flatten().copied().collect()
}

/// Everything that changed from one card to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardDiff {
    /// The gravest first; then by group, in the order of the cards.
    pub changes: Vec<Change>,
}

impl CardDiff {
    /// Compares two cards. Cost grows with their size, also where every id changed; run it off the UI thread.
    #[must_use]
    pub fn of(older: &Inspection, newer: &Inspection) -> Self {
        let mut report = Report::default();
        if older.document.bytes() != newer.document.bytes() {
            let (older, newer) = (Side::of(older), Side::of(newer));
            match (older.is_card(), newer.is_card()) {
                (true, true) => cards(&mut report, &older, &newer),
                (false, false) => no_cards(&mut report, &older, &newer),
                (is_older, _) => became(&mut report, &older, &newer, is_older),
            }
        }
        report.changes.sort_by_key(|change| (Reverse(change.level), change.group));
        Self { changes: report.changes }
    }

    /// The level of the gravest change; notices, which concern nobody, do not count.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.changes.iter().map(|change| change.level).max().filter(|level| *level > Level::Notice)
    }

    /// The word for [`Self::level`] that `cardscope diff --json` prints.
    #[must_use]
    pub fn level_label(&self) -> &'static str {
        self.level().map_or("none", Level::label)
    }
}

/// Whether two documents say the same: order of members, white space, and absent against empty do not count.
#[must_use]
pub fn means_the_same(older: &Inspection, newer: &Inspection) -> bool {
    match (older.document.tree(), newer.document.tree()) {
        (Some(before), Some(after)) => {
            let mut interner = Interner::of_meaning();
            let (old, new) = (interner.number(before), interner.number(after));
            old.of(before.root()) == new.of(after.root())
        }
        (None, None) => older.document.text() == newer.document.text(),
        _ => false,
    }
}

fn cards(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    identity::compare(report, older, newer);
    interfaces::compare(report, older, newer);
    capabilities::compare(report, older, newer);
    let skills = skills::Skills::of(older, newer);
    skills::compare(report, older, newer, &skills);
    modes::compare(report, older, newer, &skills);
    let renamed = schemes::compare(report, older, newer);
    access::compare(report, older, newer, &skills, &renamed);
    signatures::compare(report, older, newer);
    let both: Vec<Half> = Half::of_both(older, newer).collect();
    let unread = |side: &Side<'_>| {
        halves::without_compared(&side.card.other_fields, Some(&side.card.access.requirements), &both).into_owned()
    };
    let owner = Owner { group: Group::OtherFields, words: "the card", known: &KNOWN_MEMBERS };
    other_fields::compare(report, &owner, &unread(older), &unread(newer));
    limits::compare(report, older, newer);
    let is_silent = report.changes.is_empty() && older.card.shape == newer.card.shape;
    order::compare(report, older, newer, &skills);
    if is_silent {
        nothing_found(report, older, newer);
    }
    notices::version(report, older, newer);
    signatures::outlived(report, older, newer);
    notices::migration(report, older, newer);
}

/// Where no rule found anything but another order, says so if the documents differ in more than spelling.
fn nothing_found(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (Some(before), Some(after)) = (older.card.document.tree(), newer.card.document.tree()) else { return };
    let sides = |(old, new): (Node<'_>, Node<'_>)| {
        Sides::at(Some(&old.pointer()), Some(&new.pointer())).values(Some(old.raw()), Some(new.raw()))
    };
    if let Some(place) = first_difference(before, after, Interner::of_meaning_in_any_order()) {
        report.add(
            &UNCLASSIFIED,
            sides(place),
            "The documents differ, first here, in nothing that a rule knows to matter; the text shows all of it."
                .to_owned(),
        );
    } else if report.changes.is_empty()
        && let Some(place) = first_difference(before, after, Interner::of_meaning())
    {
        report.add(
            &order::ORDER_CHANGED,
            sides(place),
            "Entries stand in another order where order means nothing; nobody is affected.".to_owned(),
        );
    }
}

fn no_cards(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    if !means_the_same(older.card, newer.card) {
        let root = JsonPointer::root();
        let message =
            "The document changed; neither side is an Agent Card, so only the text can be compared.".to_owned();
        report.add(&DOCUMENT_CHANGED, Sides::at(Some(&root), Some(&root)), message);
    }
}

fn became(report: &mut Report, older: &Side<'_>, newer: &Side<'_>, was_card: bool) {
    let root = JsonPointer::root();
    let shape = |side: &Side<'_>| Some(side.card.shape.label());
    let sides = Sides::at(Some(&root), Some(&root)).values(shape(older), shape(newer));
    if was_card {
        let message = format!(
            "The newer document is no Agent Card ({}); clients cannot call the agent by it.",
            newer.card.shape_reason
        );
        report.add(&NO_LONGER_A_CARD, sides, message);
    } else {
        let message = format!("The older document was no Agent Card ({}); the newer one is.", older.card.shape_reason);
        report.add(&NOW_A_CARD, sides, message);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::document::Document;
    use crate::card::facts::Origin;

    fn card(text: &str) -> Inspection {
        Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default())
    }

    #[test]
    fn the_gravest_change_comes_first_and_notices_do_not_count() {
        let older =
            card(r#"{"name": "A", "version": "1", "url": "https://a.example", "skills": [{"id": "a"}, {"id": "b"}]}"#);
        let newer =
            card(r#"{"name": "A", "version": "1", "url": "https://a.example", "skills": [{"id": "b"}], "x": 1}"#);
        let diff = CardDiff::of(&older, &newer);
        let rules: Vec<&str> = diff.changes.iter().map(|change| change.rule).collect();
        assert_eq!(rules, ["skill-removed", "other-field-added", "version-unchanged"]);
        assert_eq!((diff.level(), diff.level_label()), (Some(Level::Breaking), "breaking"));
        let turned =
            card(r#"{"name": "A", "version": "1", "url": "https://a.example", "skills": [{"id": "b"}, {"id": "a"}]}"#);
        let diff = CardDiff::of(&older, &turned);
        assert_eq!((diff.changes.len(), diff.level_label()), (1, "none"));
    }

    #[test]
    fn any_bytes_can_be_compared() {
        let bytes: [&[u8]; 5] =
            [b"", b"\xff\xfe{", b"<html>", b"{\"a\": ", br#"{"supportedInterfaces": [7, null, [], "x"], "url": {}}"#];
        let cards: Vec<Inspection> =
            bytes.iter().map(|bytes| Inspection::of(Arc::new(Document::new(*bytes)), Origin::default())).collect();
        for (at, older) in cards.iter().enumerate() {
            for (other, newer) in cards.iter().enumerate() {
                assert_eq!(CardDiff::of(older, newer).changes.is_empty(), at == other);
                assert_eq!(means_the_same(older, newer), at == other);
                let _ = text::TextDiff::of(older, newer);
            }
        }
    }
}
