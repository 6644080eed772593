//! Changes to what a client must prove: requirements as alternatives of sets of schemes with scopes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::{Candidate, Matches};
use super::side::Side;
use super::skills::{Skills, title};
use super::wording::{listed, quoted};
use crate::card::facts::Requirements;
use crate::card::pointer::JsonPointer;

const ACCESS_NOW_REQUIRED: Rule = Rule::new(
    "access-now-required",
    Level::Breaking,
    Group::Access,
    "Clients without credentials were served and are refused now.",
);
const ACCESS_NO_LONGER_REQUIRED: Rule = Rule::new(
    "access-no-longer-required",
    Level::Compatible,
    Group::Access,
    "Clients without credentials are served too; those with credentials go on.",
);
const ALTERNATIVE_REMOVED: Rule = Rule::new(
    "alternative-removed",
    Level::Breaking,
    Group::Access,
    "Clients that hold just these credentials are refused. Compatible only where what they hold satisfies another alternative.",
);
const ALTERNATIVE_ADDED: Rule =
    Rule::new("alternative-added", Level::Compatible, Group::Access, "One more way to be let in.");
const SCHEME_NOW_REQUIRED: Rule = Rule::new(
    "alternative-scheme-added",
    Level::Breaking,
    Group::Access,
    "All schemes of an alternative are needed: who held the others is refused, unless another alternative lets them in.",
);
const SCHEME_NO_LONGER_REQUIRED: Rule = Rule::new(
    "alternative-scheme-removed",
    Level::Compatible,
    Group::Access,
    "Who holds all of the former schemes holds what is left.",
);
const SCHEME_EXCHANGED: Rule = Rule::new(
    "alternative-schemes-exchanged",
    Level::Breaking,
    Group::Access,
    "Part of an alternative became another scheme: who held the former is refused, unless another alternative lets them in.",
);
const SCOPE_ADDED: Rule = Rule::new(
    "required-scope-added",
    Level::Breaking,
    Group::Access,
    "Tokens without the scope are refused, unless another alternative lets them in.",
);
const SCOPE_REMOVED: Rule = Rule::new(
    "required-scope-removed",
    Level::Compatible,
    Group::Access,
    "A token with more scopes than needed is still good.",
);

pub(super) const RULES: &[&Rule] = &[
    &ACCESS_NOW_REQUIRED,
    &ACCESS_NO_LONGER_REQUIRED,
    &ALTERNATIVE_REMOVED,
    &ALTERNATIVE_ADDED,
    &SCHEME_NOW_REQUIRED,
    &SCHEME_NO_LONGER_REQUIRED,
    &SCHEME_EXCHANGED,
    &SCOPE_ADDED,
    &SCOPE_REMOVED,
];

/// Beyond so many alternatives on a side, only those with the same schemes are compared one by one.
const MAX_COMPARED: usize = 64;

/// One sufficient set: scheme names with their scopes.
type Set = BTreeMap<String, BTreeSet<String>>;

/// What is required somewhere, brought to the same terms.
struct Required {
    pointer: Option<JsonPointer>,
    sets: Vec<(Set, JsonPointer)>,
    anonymous: bool,
}

impl Required {
    fn of(requirements: &Requirements, renamed: &HashMap<String, String>) -> Self {
        let mut sets = Vec::new();
        for alternative in &requirements.alternatives {
            let mut set = Set::new();
            for scheme in &alternative.schemes {
                let name = renamed.get(&scheme.name).unwrap_or(&scheme.name);
                set.entry(name.clone()).or_default().extend(scheme.scopes.iter().cloned());
            }
            sets.push((set, alternative.pointer.clone()));
        }
        let anonymous = sets.is_empty() || sets.iter().any(|(set, _)| set.is_empty());
        sets.retain(|(set, _)| !set.is_empty());
        // The same alternative twice is one.
        let mut seen = BTreeSet::new();
        sets.retain(|(set, _)| seen.insert(set.clone()));
        Self { pointer: requirements.pointer.clone(), sets, anonymous }
    }

    fn asks_nothing(&self) -> bool {
        self.anonymous && self.sets.is_empty()
    }

    /// Whether somebody who holds all of `set` is let in.
    fn lets_in(&self, set: &Set) -> bool {
        self.anonymous || self.sets.iter().take(MAX_COMPARED).any(|(needed, _)| covers(set, needed))
    }

    fn words(&self) -> Option<String> {
        let mut words: Vec<String> = self.sets.iter().map(|(set, _)| words(set)).collect();
        if self.anonymous && !words.is_empty() {
            words.push("nothing".to_owned());
        }
        (!words.is_empty()).then(|| words.join(", or "))
    }
}

fn covers(held: &Set, needed: &Set) -> bool {
    needed.iter().all(|(name, scopes)| held.get(name).is_some_and(|has| scopes.is_subset(has)))
}

fn words(set: &Set) -> String {
    let scheme = |(name, scopes): (&String, &BTreeSet<String>)| {
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        if scopes.is_empty() { name.clone() } else { format!("{name} ({})", scopes.join(", ")) }
    };
    set.iter().map(scheme).collect::<Vec<_>>().join(" and ")
}

/// Compares the card's requirements, and those that apply to a skill where it has its own. `renamed` gives the newer
/// names of schemes that only changed their name.
pub(super) fn compare(
    report: &mut Report,
    older: &Side<'_>,
    newer: &Side<'_>,
    skills: &Skills<'_>,
    renamed: &HashMap<String, String>,
) {
    let none = HashMap::new();
    let (before, after) = (&older.card.access.requirements, &newer.card.access.requirements);
    requirements(report, "The agent", &Required::of(before, renamed), &Required::of(after, &none));
    for (a, b) in skills.pairs() {
        let (own_before, own_after) = (&a.requirements, &b.requirements);
        // What two skills inherit is told once, for the card.
        if own_before.is_none() && own_after.is_none() {
            continue;
        }
        let before = Required::of(own_before.as_ref().unwrap_or(before), renamed);
        let after = Required::of(own_after.as_ref().unwrap_or(after), &none);
        requirements(report, &format!("The skill {}", quoted(&title(b))), &before, &after);
    }
}

fn requirements(report: &mut Report, whose: &str, before: &Required, after: &Required) {
    let whole = || Sides::at(before.pointer.as_ref(), after.pointer.as_ref()).values(before.words(), after.words());
    if before.anonymous && !after.anonymous {
        let message = format!(
            "{whose} now requires {}; clients without it were served and are refused.",
            quoted(&after.words().unwrap_or_default())
        );
        report.add(&ACCESS_NOW_REQUIRED, whole(), message);
    } else if !before.anonymous && after.anonymous {
        let message = format!(
            "{whose} no longer requires {}; clients without it are served too.",
            quoted(&before.words().unwrap_or_default())
        );
        report.add(&ACCESS_NO_LONGER_REQUIRED, whole(), message);
    }
    // From or to nothing at all, the change above says everything.
    if before.asks_nothing() != after.asks_nothing() && before.anonymous != after.anonymous {
        return;
    }
    let matches = matched(before, after);
    for &at in &matches.only_older {
        let (set, pointer) = &before.sets[at];
        let sides = Sides::at(Some(pointer), None).values(Some(words(set)), None::<String>);
        let (level, effect) = judged(set, after, Level::Breaking);
        let message = format!("{whose} no longer takes {} as sufficient; {effect}.", quoted(&words(set)));
        report.add_as(&ALTERNATIVE_REMOVED, level, sides, message);
    }
    for &at in &matches.only_newer {
        let (set, pointer) = &after.sets[at];
        let sides = Sides::at(None, Some(pointer)).values(None::<String>, Some(words(set)));
        let message = format!("{whose} takes {} as sufficient too; nobody has to use it.", quoted(&words(set)));
        report.add(&ALTERNATIVE_ADDED, sides, message);
    }
    for &(a, b) in &matches.pairs {
        if before.sets[a].0 != after.sets[b].0 {
            alternative(report, whose, &before.sets[a], &after.sets[b], after);
        }
    }
}

/// The level of a loss for those who hold `set`, and what it means to them.
fn judged(set: &Set, after: &Required, level: Level) -> (Level, &'static str) {
    if after.lets_in(set) {
        (level.min(Level::Compatible), "who holds it is let in all the same")
    } else {
        (level, "who holds nothing else is refused")
    }
}

/// The same sets first, then the same schemes with other scopes, then those that have most in common.
fn matched(before: &Required, after: &Required) -> Matches {
    let (older, newer) = (&before.sets, &after.sets);
    let mut matches = Matches::none(older.len(), newer.len());
    matches.pass(|at| Some(&older[at].0), |at| Some(&newer[at].0));
    let names = |set: &Set| set.keys().cloned().collect::<Vec<_>>();
    matches.pass(|at| Some(names(&older[at].0)), |at| Some(names(&newer[at].0)));
    if matches.only_older.len() <= MAX_COMPARED && matches.only_newer.len() <= MAX_COMPARED {
        let mut candidates = Vec::new();
        for &a in &matches.only_older {
            for &b in &matches.only_newer {
                let common = older[a].0.keys().filter(|name| newer[b].0.contains_key(*name)).count();
                if common > 0 {
                    let all = older[a].0.len() + newer[b].0.len();
                    candidates.push(Candidate { older: a, newer: b, likeness: 2.0 * common as f64 / all as f64 });
                }
            }
        }
        matches.likeliest(candidates);
    }
    matches
}

fn alternative(
    report: &mut Report,
    whose: &str,
    (old, old_at): &(Set, JsonPointer),
    (new, new_at): &(Set, JsonPointer),
    after: &Required,
) {
    let sides = || Sides::at(Some(old_at), Some(new_at)).values(Some(words(old)), Some(words(new)));
    let only = |one: &Set, other: &Set| {
        one.keys().filter(|name| !other.contains_key(*name)).cloned().collect::<Vec<_>>().join(" and ")
    };
    let (gone, come) = (only(old, new), only(new, old));
    let (level, effect) = judged(old, after, Level::Breaking);
    match (gone.is_empty(), come.is_empty()) {
        (true, true) => {}
        (true, false) => {
            let message = format!("{whose} asks for {} besides {}; {effect}.", quoted(&come), quoted(&words(old)));
            report.add_as(&SCHEME_NOW_REQUIRED, level, sides(), message);
        }
        (false, true) => {
            let message = format!(
                "{whose} no longer asks for {} besides {}; who holds both is let in.",
                quoted(&gone),
                quoted(&words(new))
            );
            report.add(&SCHEME_NO_LONGER_REQUIRED, sides(), message);
        }
        (false, false) => {
            let message = format!("{whose} asks for {} in place of {}; {effect}.", quoted(&come), quoted(&gone));
            report.add_as(&SCHEME_EXCHANGED, level, sides(), message);
        }
    }
    let scopes = |one: &Set, other: &Set| -> Vec<String> {
        let both = one.iter().filter_map(|(name, scopes)| Some((name, scopes, other.get(name)?)));
        both.flat_map(|(name, scopes, others)| scopes.difference(others).map(move |scope| format!("{scope} of {name}")))
            .collect()
    };
    let (gone, come) = (scopes(old, new), scopes(new, old));
    if !come.is_empty() {
        let message = format!("{whose} asks for the scope {} as well; {effect}.", listed(&come));
        report.add_as(&SCOPE_ADDED, level, sides(), message);
    }
    if !gone.is_empty() {
        let message =
            format!("{whose} no longer asks for the scope {}; tokens that have it are still good.", listed(&gone));
        report.add(&SCOPE_REMOVED, sides(), message);
    }
}
