//! Where a rule puts its findings: they get the rule's name, severity and section, and are bounded in number.

use super::super::address::mask_secrets;
use super::super::json::{JsonTree, Node, NodeId};
use super::super::pointer::JsonPointer;
use super::super::visible_text::visible_text;
use super::card::Card;
use super::differences::MAX_PLACES;
use super::{Finding, Rule};

/// More findings of one rule are counted, not listed: ten thousand equal sentences help nobody.
const MAX_PER_RULE: usize = 50;
/// Values in sentences are cut behind so many characters.
const MAX_SHOWN_CHARS: usize = 80;

/// A finding and the value that it is about, by which findings are put in order.
pub(super) struct Found {
    pub(super) finding: Finding,
    /// `None` if it is about nothing in the document.
    pub(super) node: Option<NodeId>,
}

/// Collects the findings of one rule.
pub(super) struct Report<'a> {
    rule: &'static Rule,
    spec: &'static str,
    tree: &'a JsonTree,
    found: &'a mut Vec<Found>,
    count: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(rule: &'static Rule, card: &Card<'a>, found: &'a mut Vec<Found>) -> Self {
        let spec = if card.newer || rule.older_spec.is_empty() { rule.spec } else { rule.older_spec };
        Self { rule, spec, tree: card.root.tree(), found, count: 0 }
    }

    /// Finds fault with `node`; `message` is asked only if the finding is listed.
    pub(super) fn at(&mut self, node: Node<'_>, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.count <= MAX_PER_RULE {
            self.push(node.pointer(), Some(node.id()), message());
        }
    }

    /// Finds fault at a place that a fact already knows.
    pub(super) fn at_pointer(&mut self, pointer: &JsonPointer, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.count <= MAX_PER_RULE {
            let node = self.tree.resolve(pointer).map(|node| node.id());
            self.push(pointer.clone(), node, message());
        }
    }

    /// Says how many were not listed.
    pub(super) fn finish(mut self) {
        let left_out = self.count.saturating_sub(MAX_PER_RULE);
        if left_out > 0 {
            let at_least = if self.count >= MAX_PLACES { "at least " } else { "" };
            let more =
                format!("The same holds in {at_least}{left_out} more places of this card, which are not listed.");
            self.push(JsonPointer::root(), Some(NodeId(0)), more);
        }
    }

    fn push(&mut self, pointer: JsonPointer, node: Option<NodeId>, message: String) {
        let Rule { name: rule, severity, .. } = *self.rule;
        let finding = Finding { rule, severity, pointer, message, spec: self.spec };
        self.found.push(Found { finding, node });
    }
}

/// A value in a sentence: quoted, hidden characters visible, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut chars = text.char_indices();
    let cut = chars.nth(MAX_SHOWN_CHARS).map(|(at, _)| at);
    let shown = visible_text(&text[..cut.unwrap_or(text.len())]).replace(['\n', '\t', '\r'], " ");
    format!("\"{shown}{}\"", if cut.is_some() { "…" } else { "" })
}

/// An address in a sentence: quoted, without the secrets that it may have.
pub(super) fn quoted_url(text: &str) -> String {
    quoted(&mask_secrets(text))
}

/// Names in a sentence: quoted, joined by commas, the last few only counted where there are many.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const MAX_LISTED: usize = 12;
    let shown: Vec<_> = names.iter().take(MAX_LISTED).map(|name| quoted(name.as_ref())).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
