//! Where a rule puts its findings: they get the rule's name, severity and section, and are bounded in number.

use super::super::json::Node;
use super::super::pointer::JsonPointer;
use super::super::visible_text::visible_text;
use super::card::Card;
use super::{Finding, Rule};

/// More findings of one rule are counted, not listed: ten thousand equal sentences help nobody.
const MAX_PER_RULE: usize = 50;
/// Values in sentences are cut behind so many characters.
const MAX_SHOWN_CHARS: usize = 80;

/// Collects the findings of one rule.
pub(super) struct Report<'a> {
    rule: &'static Rule,
    spec: &'static str,
    findings: &'a mut Vec<Finding>,
    count: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(rule: &'static Rule, card: &Card<'_>, findings: &'a mut Vec<Finding>) -> Self {
        let spec = if card.newer || rule.older_spec.is_empty() { rule.spec } else { rule.older_spec };
        Self { rule, spec, findings, count: 0 }
    }

    /// Finds fault with `node`; `message` is asked only if the finding is listed.
    pub(super) fn at(&mut self, node: Node<'_>, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.count <= MAX_PER_RULE {
            self.push(node.pointer(), message());
        }
    }

    /// Finds fault at a place that a fact already knows.
    pub(super) fn at_pointer(&mut self, pointer: &JsonPointer, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.count <= MAX_PER_RULE {
            self.push(pointer.clone(), message());
        }
    }

    /// Says how many were not listed.
    pub(super) fn finish(mut self) {
        let left_out = self.count.saturating_sub(MAX_PER_RULE);
        if left_out > 0 {
            let more = format!("The same holds in {left_out} more places of this card, which are not listed.");
            self.push(JsonPointer::root(), more);
        }
    }

    fn push(&mut self, pointer: JsonPointer, message: String) {
        let Rule { name: rule, severity, .. } = *self.rule;
        self.findings.push(Finding { rule, severity, pointer, message, spec: self.spec });
    }
}

/// A value in a sentence: quoted, hidden characters visible, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut chars = text.char_indices();
    let cut = chars.nth(MAX_SHOWN_CHARS).map(|(at, _)| at);
    let shown = visible_text(&text[..cut.unwrap_or(text.len())]).replace(['\n', '\t', '\r'], " ");
    format!("\"{shown}{}\"", if cut.is_some() { "…" } else { "" })
}

/// An address in a sentence: quoted, without the user name and password that it may have.
pub(super) fn quoted_url(text: &str) -> String {
    let has_credentials =
        url::Url::parse(text.trim()).is_ok_and(|url| !url.username().is_empty() || url.password().is_some());
    match text.split_once("//").filter(|_| has_credentials) {
        Some((scheme, rest)) => quoted(&format!("{scheme}//…@{}", rest.rsplit('@').next().unwrap_or_default())),
        None => quoted(text),
    }
}

/// Names in a sentence: quoted, joined by commas, the last few only counted where there are many.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const MAX_LISTED: usize = 12;
    let shown: Vec<_> = names.iter().take(MAX_LISTED).map(|name| quoted(name.as_ref())).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
