//! Changes to what work the agent does.

use std::borrow::Cow;
use std::collections::HashSet;

use super::change::{Group, Level, Report, Rule, Sides};
use super::halves;
use super::likeness;
use super::matching::{Matches, set_changes};
use super::other_fields::{self, Owner};
use super::side::{Half, Side};
use super::wording::{listed, quoted};
use crate::card::facts::{Field, Skill};
use crate::card::inspection::MAX_ROWS;

const SKILL_REMOVED: Rule = Rule::new(
    "skill-removed",
    Level::Breaking,
    Group::Skills,
    "Clients and agents that rely on the skill no longer find it.",
);
const SKILL_ADDED: Rule = Rule::new("skill-added", Level::Compatible, Group::Skills, "One more kind of work.");
const SKILL_RENAMED: Rule = Rule::new(
    "skill-renamed",
    Level::Breaking,
    Group::Skills,
    "Whoever asks for the skill by its id no longer finds it, although the work seems to be the same: another id with the same name, or with nearly the same words. Compatible where it had no id.",
);
const SKILL_NAME_CHANGED: Rule = Rule::new(
    "skill-name-changed",
    Level::Docs,
    Group::Skills,
    "No client breaks, but agents that route work obey this text.",
)
.trust();
const SKILL_DESCRIPTION_CHANGED: Rule = Rule::new(
    "skill-description-changed",
    Level::Docs,
    Group::Skills,
    "No client breaks, but agents that route work obey this text.",
)
.trust();
const SKILL_TAGS_CHANGED: Rule = Rule::new(
    "skill-tags-changed",
    Level::Docs,
    Group::Skills,
    "No client breaks, but whoever looks for tags finds the skill otherwise.",
)
.trust();
const SKILL_EXAMPLES_CHANGED: Rule =
    Rule::new("skill-examples-changed", Level::Docs, Group::Skills, "No client breaks, but agents imitate examples.")
        .trust();

pub(super) const RULES: &[&Rule] = &[
    &SKILL_REMOVED,
    &SKILL_ADDED,
    &SKILL_RENAMED,
    &SKILL_NAME_CHANGED,
    &SKILL_DESCRIPTION_CHANGED,
    &SKILL_TAGS_CHANGED,
    &SKILL_EXAMPLES_CHANGED,
];

/// What A2A gives a skill, in any release.
const KNOWN: [&str; 9] =
    ["id", "name", "description", "tags", "examples", "inputModes", "outputModes", "securityRequirements", "security"];

/// The skills of both cards and which is which.
pub(super) struct Skills<'a> {
    older: &'a [Skill],
    newer: &'a [Skill],
    matches: Matches,
}

impl<'a> Skills<'a> {
    /// Skills are the same by id; failing that by name, then by likeness of their words.
    pub(super) fn of(older: &Side<'a>, newer: &Side<'a>) -> Self {
        let (in_older, in_newer) = (ids_of_cut_list(older), ids_of_cut_list(newer));
        let (older, newer) = (&older.card.skills.rows[..], &newer.card.skills.rows[..]);
        let mut matches = Matches::none(older.len(), newer.len());
        let id = |skill: &'a Skill| (!skill.id.is_empty()).then_some((skill.id.as_str(), skill.name.as_str()));
        // Where an id is given twice, the name tells which is which.
        matches.pass(|at| id(&older[at]), |at| id(&newer[at]));
        matches.pass(|at| id(&older[at]).map(|key| key.0), |at| id(&newer[at]).map(|key| key.0));
        // What stands beyond the rows of a list that is cut is neither gone nor new, nor anything else by its words.
        matches.only_older.retain(|&at| !in_newer.contains(older[at].id.as_str()));
        matches.only_newer.retain(|&at| !in_older.contains(newer[at].id.as_str()));
        let name = |skill: &Skill| Some(skill.name.trim().to_lowercase()).filter(|name| !name.is_empty());
        matches.pass(|at| name(&older[at]), |at| name(&newer[at]));
        matches.likeliest(likeness::candidates(older, newer, &matches));
        Self { older, newer, matches }
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'a Skill, &'a Skill)> {
        self.matches.pairs.iter().map(|&(a, b)| (&self.older[a], &self.newer[b]))
    }
}

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>, skills: &Skills<'_>) {
    for &at in &skills.matches.only_older {
        let skill = &skills.older[at];
        let sides = Sides::at(Some(&skill.pointer), None).values(Some(title(skill)), None::<String>);
        report.add(
            &SKILL_REMOVED,
            sides,
            format!("The skill {} is gone; whoever relies on it finds nothing in its place.", quoted(&title(skill))),
        );
    }
    for &at in &skills.matches.only_newer {
        let skill = &skills.newer[at];
        let sides = Sides::at(None, Some(&skill.pointer)).values(None::<String>, Some(title(skill)));
        report.add(&SKILL_ADDED, sides, format!("The skill {} is new; clients may ask for it.", quoted(&title(skill))));
    }
    let both: Vec<Half> = Half::of_both(older, newer).collect();
    for (a, b) in skills.pairs() {
        texts(report, (older, a), (newer, b));
        let words = format!("the skill {}", quoted(&title(b)));
        let owner = Owner { group: Group::Skills, words: &words, known: &KNOWN };
        let unread = |skill: &'_ Skill| -> Vec<Field> {
            halves::without_compared(&skill.other_fields, skill.requirements.as_ref(), &both).into_owned()
        };
        other_fields::compare(report, &owner, &unread(a), &unread(b));
    }
}

/// Every id of a list of skills that has more of them than rows; empty for any other.
fn ids_of_cut_list<'a>(side: &Side<'a>) -> HashSet<Cow<'a, str>> {
    if side.card.skills.rows.len() < MAX_ROWS {
        return HashSet::new();
    }
    let skills = side.card.document.tree().and_then(|tree| tree.root().get("skills"));
    skills.into_iter().flat_map(|skills| skills.items()).filter_map(|skill| skill.get_str("id")).collect()
}

/// What the skill is called by: its id, or its name, or where it stands.
pub(super) fn title(skill: &Skill) -> String {
    let words = [skill.id.as_str(), skill.name.as_str()].into_iter().find(|words| !words.is_empty());
    words.unwrap_or(skill.pointer.as_str()).to_owned()
}

fn texts(report: &mut Report, (older, before): (&Side<'_>, &Skill), (newer, after): (&Side<'_>, &Skill)) {
    let at =
        |name: &str| Sides::at(Some(&older.member(&before.pointer, name)), Some(&newer.member(&after.pointer, name)));
    let which = quoted(&title(after));
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    if before.id != after.id {
        id(report, at("id").values(some(&before.id), some(&after.id)), before, after);
    } else if before.name != after.name {
        let sides = at("name").values(some(&before.name), some(&after.name));
        let formerly = if before.name.is_empty() { "without a name".to_owned() } else { quoted(&before.name) };
        let subject =
            if after.id.is_empty() { "A skill without an id".to_owned() } else { format!("The skill {which}") };
        let message = format!(
            "{subject} {}, formerly {formerly}; agents that choose by names may choose otherwise.",
            called(after)
        );
        report.add(&SKILL_NAME_CHANGED, sides, message);
    }
    if before.description != after.description {
        let sides = at("description").values(some(&before.description), some(&after.description));
        let message =
            format!("The skill {which} is described otherwise; agents that choose by the text may choose otherwise.");
        report.add(&SKILL_DESCRIPTION_CHANGED, sides, message);
    }
    words(report, &SKILL_TAGS_CHANGED, at("tags"), (&before.tags, &after.tags), |delta| {
        format!("The tags of the skill {which} changed ({delta}); whoever looks for tags finds it otherwise.")
    });
    words(report, &SKILL_EXAMPLES_CHANGED, at("examples"), (&before.examples, &after.examples), |delta| {
        format!("The examples of the skill {which} changed ({delta}); agents that imitate them may ask otherwise.")
    });
}

fn called(skill: &Skill) -> String {
    if skill.name.is_empty() { "has no name".to_owned() } else { format!("is called {}", quoted(&skill.name)) }
}

/// Tells of another id, with the name where that is another too.
fn id(report: &mut Report, sides: Sides, before: &Skill, after: &Skill) {
    let was = quoted(&title(before));
    let name = if before.name == after.name { String::new() } else { format!(" and {}", called(after)) };
    if before.id.is_empty() {
        let message = format!("The skill {was} had no id and has the id {} now{name}.", quoted(&after.id));
        report.add_as(&SKILL_RENAMED, Level::Compatible, sides, message);
        return;
    }
    let has = if after.id.is_empty() {
        "no longer has an id".to_owned()
    } else {
        format!("has the id {}", quoted(&after.id))
    };
    let message = format!("The skill {was} {has}{name}; whoever asks for it by the old id no longer finds it.");
    report.add(&SKILL_RENAMED, sides, message);
}

fn words(
    report: &mut Report,
    rule: &Rule,
    sides: Sides,
    (older, newer): (&[String], &[String]),
    message: impl Fn(&str) -> String,
) {
    let (gone, come) = set_changes(older, newer);
    let part = |words: &[&str], what: &str| {
        (!words.is_empty())
            .then(|| format!("{what} {}", listed(&words.iter().map(|word| quoted(word)).collect::<Vec<_>>())))
    };
    let delta: Vec<String> = [part(&gone, "without"), part(&come, "with")].into_iter().flatten().collect();
    if delta.is_empty() {
        return;
    }
    let text = |words: &[String]| (!words.is_empty()).then(|| words.join("\n"));
    report.add(rule, sides.values(text(older), text(newer)), message(&delta.join(", ")));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::card::diff::CardDiff;
    use crate::card::facts::Origin;
    use crate::card::inspection::MAX_ROWS;
    use crate::card::{Document, Inspection};

    fn card(skills: impl Iterator<Item = usize>) -> Inspection {
        let skills: Vec<String> = skills
            .map(|n| {
                format!(r#"{{"id": "s{n}", "name": "Skill {n}", "description": "Does thing {n}.", "tags": ["t"]}}"#)
            })
            .collect();
        let text = format!(r#"{{"name": "a", "description": "b", "version": "1", "skills": [{}]}}"#, skills.join(","));
        Inspection::of(Arc::new(Document::new(text)), Origin::default())
    }

    #[test]
    fn of_a_list_that_is_cut_nothing_is_called_gone_that_stands_further_down() {
        let (half, all) = (MAX_ROWS / 2, MAX_ROWS + 1000);
        let older = card(0..all);
        let newer = card((half..all).chain(0..half));
        let diff = CardDiff::of(&older, &newer);
        let rules: Vec<&str> = diff.changes.iter().map(|change| change.rule).collect();
        assert!(rules.iter().all(|rule| !rule.starts_with("skill-")), "{rules:?}");
        // What is really gone is said.
        let shorter = CardDiff::of(&older, &card((half..all).chain(1..half)));
        assert_eq!(shorter.changes.iter().filter(|change| change.rule == "skill-removed").count(), 1);
    }
}
