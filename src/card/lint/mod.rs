//! Findings: what in a card misleads a client that follows the specification, each with its rule and its place.
//!
//! One function a rule, grouped by subject; a table in each group names its rules, their severity, their section
//! and why they exist. A card is judged by the release it is shaped by, a hybrid by both halves. Nothing is an
//! error that the specification shows in a card of its own or that an official SDK writes.

mod caching;
mod capabilities;
mod card;
mod content;
mod differences;
mod fetch;
mod interface_urls;
mod interfaces;
mod modes;
mod oauth;
mod provider;
mod report;
mod required;
mod requirements;
mod schema;
mod schemes;
mod shape;
mod signatures;
mod skills;
#[cfg(test)]
mod testing;

use std::cmp::Reverse;

pub use super::finding::{Finding, Severity};

use super::facts::{Inspection, Shape};
use card::Card;
use report::{Found, Report};

/// A rule that cards are judged by.
#[derive(Debug)]
pub struct Rule {
    /// Stable: lower-case words joined by hyphens.
    pub name: &'static str,
    pub severity: Severity,
    /// The section of A2A 1.0; empty where the specification is silent.
    pub spec: &'static str,
    /// The section of A2A 0.3, where a card of before 1.0 is judged by it ("0.3 §5.5.4").
    pub older_spec: &'static str,
    /// Why the rule exists, in a sentence or two.
    pub why: &'static str,
    check: fn(&Card<'_>, &mut Report<'_>),
}

impl Rule {
    const fn new(
        name: &'static str,
        severity: Severity,
        spec: &'static str,
        why: &'static str,
        check: fn(&Card<'_>, &mut Report<'_>),
    ) -> Self {
        Self { name, severity, spec, older_spec: "", why, check }
    }

    /// The same rule with the section that cards of before 1.0 are judged by.
    const fn older(mut self, spec: &'static str) -> Self {
        self.older_spec = spec;
        self
    }
}

static GROUPS: [&[Rule]; 16] = [
    fetch::RULES,
    caching::RULES,
    shape::RULES,
    required::RULES,
    interfaces::RULES,
    interface_urls::RULES,
    capabilities::RULES,
    modes::RULES,
    skills::RULES,
    schemes::RULES,
    oauth::RULES,
    requirements::RULES,
    provider::RULES,
    signatures::RULES,
    content::RULES,
    &[shape::NOT_A_CARD],
];

/// Every rule, by subject.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// The rule called `name`.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// Judges a card by every rule: the most severe findings first, then in document order, what is not in the document
/// last. What is no card gets one finding that says what it is instead.
#[must_use]
pub fn findings(inspection: &Inspection) -> Vec<Finding> {
    let root = inspection.document.object().filter(|_| inspection.shape != Shape::NotACard);
    let Some(root) = root else {
        return vec![shape::not_a_card(inspection)];
    };
    let card = Card::new(inspection, root);
    let mut found = Vec::new();
    for rule in rules() {
        let mut report = Report::new(rule, &card, &mut found);
        (rule.check)(&card, &mut report);
        report.finish();
    }
    found.sort_by_key(|Found { finding, node }| (Reverse(finding.severity), node.is_none(), *node));
    found.into_iter().map(|found| found.finding).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn rule_names_are_unique_and_well_formed() {
        let mut seen = HashSet::new();
        for rule in rules() {
            assert!(seen.insert(rule.name), "{} is there twice", rule.name);
            assert!(rule.name.split('-').all(|word| {
                !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            }));
            assert!(rule.why.ends_with('.') && rule.why.len() > 30, "{} does not say why", rule.name);
            assert!(rule.spec.is_empty() || rule.spec.starts_with('§') || rule.spec.starts_with("RFC"));
            assert!(rule.older_spec.is_empty() || rule.older_spec.starts_with("0.3 §"));
        }
        assert!(seen.len() > 80);
        assert_eq!(rule("not-a-card").map(|rule| rule.severity), Some(Severity::Error));
    }
}
