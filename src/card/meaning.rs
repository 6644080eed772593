//! A digest of what a document says, whatever its spelling: equal for documents that mean the same.
//!
//! The order of members, white space, escapes, and absent against empty do not count; order within lists and the
//! spelling of numbers do. Members can be left out that change without anybody caring (field report C17).

use std::collections::HashSet;

use sha2::{Digest as _, Sha256};

use super::document::Document;
use super::json::{JsonTree, Kind, Node, NodeId};
use super::pointer::JsonPointer;

/// Members in which an empty value says something: a scheme without scopes, a flow without parts.
const TELLING: [&str; 6] = [
    "security",
    "securityRequirements",
    "security_requirements",
    "securitySchemes",
    "security_schemes",
    "authentication",
];

/// The digest of what `document` says apart from the members at `muted`, in hexadecimal. Of a text that is no JSON,
/// every character counts.
#[must_use]
pub fn meaning_digest(document: &Document, muted: &[JsonPointer]) -> String {
    let mut meaning = Meaning { hasher: Sha256::new(), muted: HashSet::new() };
    match document.tree() {
        Some(tree) => {
            meaning.muted = muted.iter().filter_map(|pointer| Some(tree.resolve(pointer)?.id())).collect();
            meaning.put_tree(tree);
        }
        None => meaning.put_text(b't', document.text()),
    }
    meaning.hasher.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        use std::fmt::Write as _;
        // Writing to a String cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

/// A document being digested: each value as a letter for its kind, a length, and what is inside.
struct Meaning {
    hasher: Sha256,
    muted: HashSet<NodeId>,
}

impl Meaning {
    fn put_tree(&mut self, tree: &JsonTree) {
        if !self.muted.contains(&tree.root().id()) {
            self.put(tree.root(), true);
        }
    }

    // Recursion is bounded by the parser's nesting limit.
    fn put(&mut self, node: Node<'_>, lenient: bool) {
        match node.kind() {
            Kind::Object => self.put_members(node, lenient),
            Kind::Array => {
                let items: Vec<Node<'_>> = node.children().filter(|item| !self.muted.contains(&item.id())).collect();
                self.put_length(b'[', items.len());
                for item in items {
                    self.put(item, lenient);
                }
            }
            Kind::String => self.put_text(b's', &node.as_str().unwrap_or_default()),
            Kind::Number => self.put_text(b'n', node.raw()),
            Kind::True => self.hasher.update(b"T"),
            Kind::False => self.hasher.update(b"F"),
            Kind::Null => self.hasher.update(b"N"),
        }
    }

    fn put_members(&mut self, node: Node<'_>, lenient: bool) {
        let mut members: Vec<_> = node
            .members()
            .filter(|(_, member)| !self.muted.contains(&member.id()))
            .filter(|(name, member)| !(lenient && says_nothing(name, *member)))
            .collect();
        // Stable: of repeated members the last stays last, and it is the one that counts.
        members.sort_by(|a, b| a.0.cmp(&b.0));
        let last_of_its_name = |index: usize| members.get(index + 1).is_none_or(|next| next.0 != members[index].0);
        let counted: Vec<usize> = (0..members.len()).filter(|&index| last_of_its_name(index)).collect();
        self.put_length(b'{', counted.len());
        for index in counted {
            let (name, member) = &members[index];
            self.put_text(b'm', name);
            self.put(*member, lenient && !is_telling(name));
        }
    }

    fn put_text(&mut self, kind: u8, text: &str) {
        self.put_length(kind, text.len());
        self.hasher.update(text.as_bytes());
    }

    fn put_length(&mut self, kind: u8, length: usize) {
        self.hasher.update([kind]);
        self.hasher.update((length as u64).to_le_bytes());
    }
}

/// Whether empty values inside a member of this name say something.
pub(super) fn is_telling(name: &str) -> bool {
    TELLING.contains(&name)
}

/// Whether a member might as well be absent: it is empty, and that tells nothing. A card's own empty list of
/// requirements tells nothing, a skill's does.
pub(super) fn says_nothing(name: &str, member: Node<'_>) -> bool {
    let is_of_card = member.parent().is_some_and(|parent| parent.id() == NodeId(0));
    is_empty(member) && (is_of_card || !is_telling(name))
}

fn is_empty(node: Node<'_>) -> bool {
    match node.kind() {
        Kind::Null => true,
        Kind::String => node.raw().len() == 2,
        Kind::Object | Kind::Array => node.child_count() == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str, muted: &[&str]) -> String {
        let muted: Vec<JsonPointer> = muted.iter().map(|&pointer| JsonPointer::from_text(pointer)).collect();
        meaning_digest(&Document::new(text.as_bytes()), &muted)
    }

    #[test]
    fn spelling_does_not_count_and_values_do() {
        for (older, newer, same) in [
            (r#"{"a": 1, "b": "x"}"#, "\u{feff}{\"b\":\"\\u0078\",\n\"a\":1}", true),
            (r#"{"skills": [], "x": null, "y": ""}"#, r#"{"provider": {}}"#, true),
            (r#"{"a": 1, "a": 2}"#, r#"{"a": 2}"#, true),
            (r#"{"a": 1.0}"#, r#"{"a": 1}"#, false),
            (r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#, false),
            (r#"{"a": "1"}"#, r#"{"a": 1}"#, false),
            (r#"{"a": {"b": 1}, "c": 2}"#, r#"{"a": {"b": 1, "c": 2}}"#, false),
            // An empty value that says something is not absent.
            (r#"{"security": [{"key": []}]}"#, r#"{"security": [{}]}"#, false),
            (r#"{"skills": [{"id": "a", "security": []}]}"#, r#"{"skills": [{"id": "a"}]}"#, false),
            (r#"{"security": []}"#, "{}", true),
            ("no JSON", "no  JSON", false),
        ] {
            assert_eq!(digest(older, &[]) == digest(newer, &[]), same, "{older} and {newer}");
        }
    }

    #[test]
    fn a_muted_member_does_not_count() {
        let (older, newer) =
            (r#"{"d": "1547 tiers", "v": [1, {"n": 1}]}"#, r#"{"v": [1, {"n": 2}], "d": "1549 tiers"}"#);
        assert_ne!(digest(older, &["/d"]), digest(newer, &["/d"]));
        assert_eq!(digest(older, &["/d", "/v/1/n"]), digest(newer, &["/d", "/v/1/n"]));
        assert_eq!(digest(older, &[""]), digest(newer, &[""]));
    }
}
