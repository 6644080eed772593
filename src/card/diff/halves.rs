//! What the clients of each half of a card are told of its requirements, and whether they find them at all.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::access::{Required, requirements};
use super::change::{Change, Group, Level, Report, Rule, Sides};
use super::side::Half;
use super::wording::{capital, quoted};
use crate::card::facts::{Field, FoundBy, Requirements};

const REQUIREMENT_OUT_OF_SIGHT: Rule = Rule::new(
    "requirement-out-of-sight",
    Level::Breaking,
    Group::Access,
    "The requirement stands under a name or in a notation that only another release has. Clients that go by their own do not see it, come without credentials and are refused.",
);
const REQUIREMENT_IN_SIGHT: Rule = Rule::new(
    "requirement-in-sight",
    Level::Compatible,
    Group::Access,
    "What was required stood where or how only clients of another release read it; now these are told as well.",
);

pub(super) const RULES: &[&Rule] = &[&REQUIREMENT_OUT_OF_SIGHT, &REQUIREMENT_IN_SIGHT];

/// What one card, or a skill of it, requires of each of its halves.
pub(super) struct Asked {
    /// What the card means as a whole; in a hybrid what clients of 1.0 read.
    main: Required,
    /// What clients of before 1.0 are told, where they are told something of their own.
    older: Option<Required>,
    found_by: FoundBy,
}

impl Asked {
    pub(super) fn of(requirements: &Requirements, renamed: &HashMap<String, String>) -> Self {
        let older = requirements.beside.as_deref();
        let mut found_by = requirements.found_by;
        found_by.older |= older.is_some_and(|older| older.found_by.older);
        Self {
            main: Required::of(requirements, renamed),
            older: older.map(|older| Required::of(older, renamed)),
            found_by,
        }
    }

    /// Who is told nothing of their own is asked for what the others are.
    fn of_half(&self, half: Half) -> &Required {
        self.older.as_ref().filter(|_| half == Half::Older).unwrap_or(&self.main)
    }

    fn is_found_by(&self, half: Half) -> bool {
        match half {
            Half::Older => self.found_by.older,
            Half::Newer => self.found_by.newer,
        }
    }
}

/// The left-over members of a card or a skill without what was compared here: the requirements that only clients of
/// before 1.0 read, where both cards have a half for them.
pub(super) fn without_compared<'a>(
    fields: &'a [Field],
    requirements: Option<&Requirements>,
    halves: &[Half],
) -> Cow<'a, [Field]> {
    let beside = requirements.and_then(|one| one.beside.as_deref()).filter(|_| halves.contains(&Half::Older));
    match beside.and_then(|older| older.pointer.as_ref()) {
        Some(place) => fields.iter().filter(|field| field.pointer.as_ref() != Some(place)).cloned().collect(),
        None => Cow::Borrowed(fields),
    }
}

/// Compares what each half is asked for. What changed alike for both is told once.
pub(super) fn compare(report: &mut Report, whose: &str, halves: &[Half], before: &Asked, after: &Asked) {
    let is_split = halves.contains(&Half::Older) && (before.older.is_some() || after.older.is_some());
    if !is_split {
        requirements(report, &capital(whose), &before.main, &after.main);
        return;
    }
    let changes = |half: Half, whose: &str| {
        let (old, new) = (before.of_half(half), after.of_half(half));
        let found = |one: &Required, other: &Required| {
            let mut report = Report::default();
            requirements(&mut report, whose, one, other);
            report.changes
        };
        (found(old, new), found(new, old))
    };
    let for_clients = |half: Half| format!("For {}, {whose}", half.clients());
    let (mine, mine_back) = changes(Half::Newer, &for_clients(Half::Newer));
    let (theirs, theirs_back) = changes(Half::Older, &for_clients(Half::Older));
    // Alike either way round, so that a comparison the other way round tells of the same.
    let alike = shared((&mine, &mine_back), (&theirs, &theirs_back));
    if !alike.is_empty() {
        let (all, _) = changes(Half::Newer, &capital(whose));
        report.changes.extend(all.into_iter().filter(|change| alike.contains(&key(change))));
    }
    let own = |changes: Vec<Change>| changes.into_iter().filter(|change| !alike.contains(&key(change)));
    report.changes.extend(own(mine));
    report.changes.extend(own(theirs));
}

/// What a change says, wherever it stands.
type Key = (&'static str, Level, Option<String>, Option<String>);

fn key(change: &Change) -> Key {
    (change.rule, change.level, change.older.clone(), change.newer.clone())
}

/// The changes that two lists have in common, unless those of the other way round tell them apart.
fn shared(one: (&[Change], &[Change]), other: (&[Change], &[Change])) -> HashSet<Key> {
    let keys = |changes: &[Change]| changes.iter().map(key).collect::<HashSet<Key>>();
    let (mine, theirs) = (keys(one.0), keys(other.0));
    let apart = mine.symmetric_difference(&theirs).map(|(_, _, older, newer)| (older.clone(), newer.clone()));
    let mut apart: HashSet<_> = apart.collect();
    let (mine_back, theirs_back) = (keys(one.1), keys(other.1));
    let turned = mine_back.symmetric_difference(&theirs_back);
    apart.extend(turned.map(|(_, _, older, newer)| (newer.clone(), older.clone())));
    let is_alike = |(_, _, older, newer): &&Key| !apart.contains(&(older.clone(), newer.clone()));
    mine.intersection(&theirs).filter(is_alike).cloned().collect()
}

/// Says which clients lose or gain sight of what is required before and after.
pub(super) fn sight(report: &mut Report, whose: &str, halves: &[Half], before: &Asked, after: &Asked) {
    for &half in halves {
        let (old, new) = (before.of_half(half), after.of_half(half));
        let (was_found, is_found) = (before.is_found_by(half), after.is_found_by(half));
        if old.asks_nothing() || new.asks_nothing() || was_found == is_found {
            continue;
        }
        let sides = Sides::at(old.pointer.as_ref(), new.pointer.as_ref())
            .values(old.words().filter(|_| was_found), new.words().filter(|_| is_found));
        let clients = capital(half.clients());
        if is_found {
            let message = format!(
                "{clients} now find what {whose} requires, {}, where and as they read it.",
                quoted(&new.words().unwrap_or_default())
            );
            report.add(&REQUIREMENT_IN_SIGHT, sides, message);
        } else {
            let message = format!(
                "{clients} no longer find what {whose} requires, {}, where or as they read it; they come without it and are refused.",
                quoted(&new.words().unwrap_or_default())
            );
            report.add(&REQUIREMENT_OUT_OF_SIGHT, sides, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::card::diff::CardDiff;
    use crate::card::facts::Origin;
    use crate::card::{Document, Inspection};

    /// What is said between two hybrids with these members.
    fn told(older: &str, newer: &str) -> Vec<String> {
        let card = |members: &str| {
            let text = format!(
                r#"{{"name": "A", "url": "https://a.example", "supportedInterfaces": [{{"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}], {members}}}"#
            );
            Inspection::of(Arc::new(Document::new(text)), Origin::default())
        };
        CardDiff::of(&card(older), &card(newer)).changes.into_iter().map(|change| change.message).collect()
    }

    fn both(older: &str, newer: &str) -> String {
        format!(r#""security": [{{"{older}": []}}], "securityRequirements": [{{"schemes": {{"{newer}": {{}}}}}}]"#)
    }

    #[test]
    fn a_sentence_says_which_half_it_is_about() {
        let found = told(&both("key", "key"), &both("token", "key"));
        assert!(
            found.len() == 2 && found.iter().all(|it| it.starts_with("For clients of 0.3, the agent ")),
            "{found:?}"
        );
        let found = told(&both("key", "key"), &both("key", "token"));
        assert!(
            found.len() == 2 && found.iter().all(|it| it.starts_with("For clients of 1.0, the agent ")),
            "{found:?}"
        );
    }

    #[test]
    fn what_changed_alike_for_both_halves_is_told_once_and_of_nobody_in_particular() {
        let found = told(&both("key", "key"), &both("token", "token"));
        assert!(found.len() == 2 && found.iter().all(|it| it.starts_with("The agent ")), "{found:?}");
    }

    #[test]
    fn the_extended_card_is_told_of_by_half_as_well() {
        let flags = |older: bool, newer: bool| {
            format!(r#""supportsAuthenticatedExtendedCard": {older}, "capabilities": {{"extendedAgentCard": {newer}}}"#)
        };
        let found = told(&flags(true, true), &flags(false, true));
        assert!(found.len() == 1 && found[0].starts_with("For clients of 0.3, extendedAgentCard is no"), "{found:?}");
        let found = told(&flags(true, true), &flags(false, false));
        assert!(found.len() == 1 && found[0].starts_with("extendedAgentCard is no"), "{found:?}");
    }
}
