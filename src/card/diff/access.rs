//! Changes to what a client must prove: requirements as alternatives of sets of schemes with scopes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::change::{Group, Level, Report, Rule, Sides};
use super::halves::{self, Asked};
use super::matching::{Candidate, Matches};
use super::side::{Half, Side};
use super::skills::{Skills, title};
use super::wording::{listed, quoted};
use crate::card::facts::{Alternative, Requirements};
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

/// One alternative.
struct Sufficient {
    /// Its schemes by the names of the newer card, so that both sides can be compared.
    set: Set,
    /// The same by the names of its own card.
    words: String,
    pointer: JsonPointer,
}

/// What is required somewhere, brought to the same terms.
pub(super) struct Required {
    pub(super) pointer: Option<JsonPointer>,
    sets: Vec<Sufficient>,
    anonymous: bool,
}

impl Required {
    pub(super) fn of(requirements: &Requirements, renamed: &HashMap<String, String>) -> Self {
        let set = |alternative: &Alternative, renamed: Option<&HashMap<String, String>>| {
            let mut set = Set::new();
            for scheme in &alternative.schemes {
                let name = renamed.and_then(|names| names.get(&scheme.name)).unwrap_or(&scheme.name);
                set.entry(name.clone()).or_default().extend(scheme.scopes.iter().cloned());
            }
            set
        };
        let sufficient = |alternative: &Alternative| Sufficient {
            set: set(alternative, Some(renamed)),
            words: words(&set(alternative, None)),
            pointer: alternative.pointer.clone(),
        };
        let mut sets: Vec<Sufficient> = requirements.alternatives.iter().map(sufficient).collect();
        let anonymous = sets.is_empty() || sets.iter().any(|one| one.set.is_empty());
        sets.retain(|one| !one.set.is_empty());
        // The same alternative twice is one.
        let mut seen = BTreeSet::new();
        sets.retain(|one| seen.insert(one.set.clone()));
        Self { pointer: requirements.pointer.clone(), sets, anonymous }
    }

    pub(super) fn asks_nothing(&self) -> bool {
        self.anonymous && self.sets.is_empty()
    }

    /// Whether somebody who holds all of `set` is let in.
    fn lets_in(&self, set: &Set) -> bool {
        self.anonymous || self.sets.iter().take(MAX_COMPARED).any(|needed| covers(set, &needed.set))
    }

    pub(super) fn words(&self) -> Option<String> {
        let mut words: Vec<&str> = self.sets.iter().map(|one| one.words.as_str()).collect();
        if self.anonymous && !words.is_empty() {
            words.push("nothing");
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
    let halves: Vec<Half> = Half::of_both(older, newer).collect();
    let before = Asked::of(&older.card.access.requirements, renamed);
    let after = Asked::of(&newer.card.access.requirements, &none);
    halves::compare(report, "the agent", &halves, &before, &after);
    halves::sight(report, "the agent", &halves, &before, &after);
    for (a, b) in skills.pairs() {
        // What two skills inherit is told once, for the card.
        if a.requirements.is_none() && b.requirements.is_none() {
            continue;
        }
        let (own_before, own_after) = (
            a.requirements.as_ref().map(|own| Asked::of(own, renamed)),
            b.requirements.as_ref().map(|own| Asked::of(own, &none)),
        );
        let whose = format!("the skill {}", quoted(&title(b)));
        let (was, is) = (own_before.as_ref().unwrap_or(&before), own_after.as_ref().unwrap_or(&after));
        halves::compare(report, &whose, &halves, was, is);
        if let (Some(was), Some(is)) = (&own_before, &own_after) {
            halves::sight(report, &whose, &halves, was, is);
        }
    }
}

/// Compares two lists of alternatives. `whose` begins a sentence: "The agent".
pub(super) fn requirements(report: &mut Report, whose: &str, before: &Required, after: &Required) {
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
        let one = &before.sets[at];
        let sides = Sides::at(Some(&one.pointer), None).values(Some(&one.words), None::<String>);
        let (level, effect) = judged(&one.set, after);
        let message = format!("{whose} no longer takes {} as sufficient; {effect}.", quoted(&one.words));
        report.add_as(&ALTERNATIVE_REMOVED, level, sides, message);
    }
    for &at in &matches.only_newer {
        let one = &after.sets[at];
        let sides = Sides::at(None, Some(&one.pointer)).values(None::<String>, Some(&one.words));
        let message = format!("{whose} takes {} as sufficient too; nobody has to use it.", quoted(&one.words));
        report.add(&ALTERNATIVE_ADDED, sides, message);
    }
    for &(a, b) in &matches.pairs {
        if before.sets[a].set != after.sets[b].set {
            alternative(report, whose, &before.sets[a], &after.sets[b], after);
        }
    }
}

/// The level of a loss for those who hold `set`, and what it means to them.
fn judged(set: &Set, after: &Required) -> (Level, &'static str) {
    if after.lets_in(set) {
        (Level::Compatible, "who holds it is let in all the same")
    } else {
        (Level::Breaking, "who holds nothing else is refused")
    }
}

/// The same sets first, then the same schemes with other scopes, then those that have most in common.
fn matched(before: &Required, after: &Required) -> Matches {
    let (older, newer) = (&before.sets, &after.sets);
    let mut matches = Matches::none(older.len(), newer.len());
    matches.pass(|at| Some(&older[at].set), |at| Some(&newer[at].set));
    let names = |set: &Set| set.keys().cloned().collect::<Vec<_>>();
    matches.pass(|at| Some(names(&older[at].set)), |at| Some(names(&newer[at].set)));
    if matches.only_older.len() <= MAX_COMPARED && matches.only_newer.len() <= MAX_COMPARED {
        let mut candidates = Vec::new();
        for &a in &matches.only_older {
            for &b in &matches.only_newer {
                let common = older[a].set.keys().filter(|name| newer[b].set.contains_key(*name)).count();
                if common > 0 {
                    let all = older[a].set.len() + newer[b].set.len();
                    candidates.push(Candidate { older: a, newer: b, likeness: 2.0 * common as f64 / all as f64 });
                }
            }
        }
        matches.likeliest(candidates);
    }
    matches
}

fn alternative(report: &mut Report, whose: &str, one: &Sufficient, other: &Sufficient, after: &Required) {
    let (old, new) = (&one.set, &other.set);
    let sides = || Sides::at(Some(&one.pointer), Some(&other.pointer)).values(Some(&one.words), Some(&other.words));
    let only = |one: &Set, other: &Set| {
        one.keys().filter(|name| !other.contains_key(*name)).cloned().collect::<Vec<_>>().join(" and ")
    };
    let (gone, come) = (only(old, new), only(new, old));
    let (level, effect) = judged(old, after);
    match (gone.is_empty(), come.is_empty()) {
        (true, true) => {}
        (true, false) => {
            let message = format!("{whose} asks for {} besides {}; {effect}.", quoted(&come), quoted(&one.words));
            report.add_as(&SCHEME_NOW_REQUIRED, level, sides(), message);
        }
        (false, true) => {
            let message = format!(
                "{whose} no longer asks for {} besides {}; who holds both is let in.",
                quoted(&gone),
                quoted(&other.words)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::facts::RequiredScheme;

    /// `["key", "login read write"]`: two alternatives.
    fn required(alternatives: &[&str], renamed: &[(&str, &str)]) -> Required {
        let alternative = |text: &&str| {
            let mut words = text.split(' ').map(str::to_owned);
            let name = words.next().unwrap_or_default();
            let scheme = RequiredScheme { name, scopes: words.collect(), declared: true };
            let schemes = if text.is_empty() { Vec::new() } else { vec![scheme] };
            Alternative { pointer: JsonPointer::root(), schemes }
        };
        let requirements =
            Requirements { alternatives: alternatives.iter().map(alternative).collect(), ..Requirements::default() };
        let renamed = renamed.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        Required::of(&requirements, &renamed)
    }

    #[test]
    fn who_holds_more_than_is_needed_is_let_in() {
        let after = required(&["key", "login read"], &[]);
        let lets_in = |text: &str| after.lets_in(&required(&[text], &[]).sets[0].set);
        assert!(lets_in("key") && lets_in("login read write"));
        assert!(!lets_in("login") && !lets_in("token"));
        assert!(required(&["key", ""], &[]).anonymous && required(&[], &[]).asks_nothing());
    }

    #[test]
    fn a_renamed_scheme_is_the_same_and_is_told_by_the_name_of_its_own_card() {
        let (before, after) = (required(&["key"], &[("key", "apiKey")]), required(&["apiKey"], &[]));
        assert_eq!(before.sets[0].set, after.sets[0].set);
        assert_eq!((before.words().unwrap(), after.words().unwrap()), ("key".to_owned(), "apiKey".to_owned()));
    }
}
