//! A digest of what a document says, whatever its spelling: equal for documents that mean the same.
//!
//! The order of members, white space, escapes, and absent against empty do not count; order within lists and the
//! spelling of numbers do. Members can be left out that change without anybody caring (field report C17).

use std::collections::HashSet;

use sha2::{Digest as _, Sha256};

use super::document::Document;
use super::json::{JsonTree, Kind, Node, NodeId};
use super::pointer::JsonPointer;

/// Which members count although they are null or empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Keeping {
    /// All: a requirement without scopes says something.
    #[default]
    All,
    /// All, but of what they contain only what [`Self::Containers`] keeps: schemes by their names.
    Names,
    /// Empty lists and objects, such as a scheme without parts; not null and the empty text.
    Containers,
    /// None, as everywhere else: absent, null and empty are the same.
    Values,
}

impl Keeping {
    /// What counts inside the member `name`.
    pub(super) fn inside(self, name: &str) -> Self {
        match (self, name) {
            (Self::Values, "securitySchemes" | "security_schemes") => Self::Names,
            (Self::Values, "security" | "securityRequirements" | "security_requirements" | "authentication") => {
                Self::All
            }
            (Self::Names, _) => Self::Containers,
            (keeping, _) => keeping,
        }
    }

    /// Whether `member`, called `name`, is not as good as absent.
    pub(super) fn counts(self, name: &str, member: Node<'_>) -> bool {
        let has_content = !is_empty(member);
        match self {
            Self::All | Self::Names => true,
            Self::Containers => has_content || member.kind().is_container(),
            // A skill that asks for nothing is not one that asks for what its card asks for.
            Self::Values => has_content || (self.inside(name) == Self::All && !is_of_card(member) && !member.is_null()),
        }
    }
}

fn is_of_card(member: Node<'_>) -> bool {
    member.parent().is_some_and(|parent| parent.id() == NodeId(0))
}

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
            self.put(tree.root(), Keeping::Values);
        }
    }

    // Recursion is bounded by the parser's nesting limit.
    fn put(&mut self, node: Node<'_>, keeping: Keeping) {
        match node.kind() {
            Kind::Object => self.put_members(node, keeping),
            Kind::Array => {
                let items: Vec<Node<'_>> = node.children().filter(|item| !self.muted.contains(&item.id())).collect();
                self.put_length(b'[', items.len());
                for item in items {
                    self.put(item, keeping);
                }
            }
            Kind::String => self.put_text(b's', &node.as_str().unwrap_or_default()),
            Kind::Number => self.put_text(b'n', node.raw()),
            Kind::True => self.hasher.update(b"T"),
            Kind::False => self.hasher.update(b"F"),
            Kind::Null => self.hasher.update(b"N"),
        }
    }

    fn put_members(&mut self, node: Node<'_>, keeping: Keeping) {
        let mut members: Vec<_> = node
            .members()
            .filter(|(_, member)| !self.muted.contains(&member.id()))
            .filter(|(name, member)| keeping.counts(name, *member))
            .collect();
        // Stable: of repeated members the last stays last, and it is the one that counts.
        members.sort_by(|a, b| a.0.cmp(&b.0));
        let last_of_its_name = |index: usize| members.get(index + 1).is_none_or(|next| next.0 != members[index].0);
        let counted: Vec<usize> = (0..members.len()).filter(|&index| last_of_its_name(index)).collect();
        self.put_length(b'{', counted.len());
        for index in counted {
            let (name, member) = &members[index];
            self.put_text(b'm', name);
            self.put(*member, keeping.inside(name));
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
        meaning_digest(&Document::new(text.to_owned()), &muted)
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
            (r#"{"skills": [{"id": "a", "security": null}]}"#, r#"{"skills": [{"id": "a"}]}"#, true),
            (r#"{"securitySchemes": {"m": {"mtlsSecurityScheme": {}}}}"#, r#"{"securitySchemes": {"m": {}}}"#, false),
            (r#"{"securitySchemes": {"m": {}}}"#, "{}", false),
            (
                r#"{"securitySchemes": {"m": {"type": "http", "bearerFormat": ""}}}"#,
                r#"{"securitySchemes": {"m": {"type": "http"}}}"#,
                true,
            ),
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
