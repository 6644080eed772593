//! JSON as it was written: an ordered tree of positions over the received text, nothing converted.
//!
//! A general JSON value type would lose what an inspector has to show: the spelling of numbers, the order
//! and the repetition of members, and where each value stands. [`JsonTree`] keeps positions only (28 bytes a
//! value), so a document of 10 MB is read in tens of milliseconds and its text is held once.

mod escapes;
mod fault;
mod parser;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bytestring::ByteString;

use super::pointer::JsonPointer;

pub use fault::{JsonFault, JsonFaultKind};
pub use parser::Grammar;

/// The deepest nesting that is read; deeper documents are refused with a sentence.
pub const MAX_DEPTH: usize = 64;

/// What kind of JSON value a [`Node`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

impl Kind {
    /// The kind in a sentence: "an object", "a string", "true".
    #[must_use]
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "a list",
            Self::String => "a string",
            Self::Number => "a number",
            Self::True => "true",
            Self::False => "false",
            Self::Null => "null",
        }
    }

    #[must_use]
    pub fn is_container(self) -> bool {
        matches!(self, Self::Object | Self::Array)
    }
}

/// Identifies a value within its tree, in document order; 0 is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// One value's place. There are hundreds of thousands in a large card, so that every byte here counts.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    /// The member name with its quotes; empty for items and the root.
    key_start: u32,
    key_end: u32,
    parent: u32,
    /// The first entry after this one's subtree, which is its next sibling if there is one.
    after: u32,
    /// How many members or items there are; the kind in the upper bits.
    children: u32,
}

/// A parsed JSON text; a clone shares everything.
#[derive(Clone, Debug)]
pub struct JsonTree {
    text: ByteString,
    entries: Arc<Vec<Entry>>,
    /// Later members that repeat a name of the same object.
    duplicates: Arc<[NodeId]>,
}

impl JsonTree {
    /// Reads `text` by RFC 8259, up to [`MAX_DEPTH`].
    ///
    /// # Errors
    /// The first place where the text is not JSON.
    pub fn parse(text: impl Into<ByteString>) -> Result<Self, JsonFault> {
        parser::parse(text.into(), Grammar::Strict)
    }

    /// Reads `text` with comments and trailing commas skipped: what people write by hand.
    ///
    /// # Errors
    /// The first place where even that does not help.
    pub fn parse_tolerant(text: impl Into<ByteString>) -> Result<Self, JsonFault> {
        parser::parse(text.into(), Grammar::Tolerant)
    }

    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId(0))
    }

    #[must_use]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { tree: self, id }
    }

    #[must_use]
    pub fn text(&self) -> &ByteString {
        &self.text
    }

    /// The number of values in the tree, containers included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// A tree has at least its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Members that repeat an earlier name of their object; the last one wins for reading.
    pub fn duplicates(&self) -> impl Iterator<Item = Node<'_>> {
        self.duplicates.iter().map(|&id| self.node(id))
    }

    /// All values in document order.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).map(|id| self.node(NodeId(id)))
    }

    #[must_use]
    pub fn resolve(&self, pointer: &JsonPointer) -> Option<Node<'_>> {
        pointer.tokens().try_fold(self.root(), |node, token| match node.kind() {
            Kind::Object => node.get(&token),
            Kind::Array => node.children().nth(token.parse().ok()?),
            _ => None,
        })
    }

    /// The innermost value whose text covers `offset` (a byte of [`Self::text`]), a member's name included.
    #[must_use]
    pub fn node_at(&self, offset: usize) -> Option<Node<'_>> {
        let offset = u32::try_from(offset).ok()?;
        // Entries are in order of where they begin, so candidates end at the last that begins before.
        let mut id = self.entries.partition_point(|e| e.outer_start() <= offset).checked_sub(1)?;
        while self.entries[id].end <= offset {
            if id == 0 {
                return None;
            }
            id = self.entries[id].parent as usize;
        }
        Some(self.node(NodeId(u32::try_from(id).ok()?)))
    }
}

impl Entry {
    const KINDS: [Kind; 7] =
        [Kind::Object, Kind::Array, Kind::String, Kind::Number, Kind::True, Kind::False, Kind::Null];
    /// The lowest of the bits that hold the kind.
    const KIND_SHIFT: u32 = 29;

    fn kind(&self) -> Kind {
        Self::KINDS[(self.children >> Self::KIND_SHIFT) as usize]
    }

    fn child_count(&self) -> u32 {
        self.children & ((1 << Self::KIND_SHIFT) - 1)
    }

    fn outer_start(&self) -> u32 {
        if self.key_end > self.key_start { self.key_start } else { self.start }
    }
}

/// One value of a [`JsonTree`].
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tree: &'a JsonTree,
    id: NodeId,
}

impl<'a> Node<'a> {
    fn entry(&self) -> &'a Entry {
        &self.tree.entries[self.id.0 as usize]
    }

    #[must_use]
    pub fn id(&self) -> NodeId {
        self.id
    }

    #[must_use]
    pub fn kind(&self) -> Kind {
        self.entry().kind()
    }

    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// Where the value stands in the text, in bytes.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.entry().start as usize..self.entry().end as usize
    }

    /// Where the member name stands, with its quotes; `None` for items and the root.
    #[must_use]
    pub fn key_span(&self) -> Option<Range<usize>> {
        let entry = self.entry();
        (entry.key_end > entry.key_start).then_some(entry.key_start as usize..entry.key_end as usize)
    }

    /// The value exactly as written.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        &self.tree.text[self.span()]
    }

    /// The member name, unescaped; `None` for items and the root.
    #[must_use]
    pub fn key(&self) -> Option<Cow<'a, str>> {
        self.key_span().map(|span| escapes::unescape(&self.tree.text[span]))
    }

    /// The unescaped text of a string; `None` for every other kind.
    #[must_use]
    pub fn as_str(&self) -> Option<Cow<'a, str>> {
        (self.kind() == Kind::String).then(|| escapes::unescape(self.raw()))
    }

    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// A number that is an integer in the range of `i64`; `None` otherwise.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        (self.kind() == Kind::Number).then(|| self.raw().parse().ok()).flatten()
    }

    /// How many members or items there are; 0 for scalars.
    #[must_use]
    pub fn child_count(&self) -> usize {
        self.entry().child_count() as usize
    }

    /// Members or items, in the order they were written, repeated members included.
    pub fn children(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let tree = self.tree;
        let end = self.entry().after;
        let mut next = self.id.0 + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let node = tree.node(NodeId(next));
                next = node.entry().after;
                node
            })
        })
    }

    /// Items of an array; nothing for every other kind.
    pub fn items(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let is_array = self.kind() == Kind::Array;
        self.children().take_while(move |_| is_array)
    }

    /// Members of an object with their unescaped names; nothing for every other kind.
    pub fn members(&self) -> impl Iterator<Item = (Cow<'a, str>, Node<'a>)> + use<'a> {
        let is_object = self.kind() == Kind::Object;
        self.children().take_while(move |_| is_object).map(|node| (node.key().unwrap_or_default(), node))
    }

    /// The member called `name`; of repeated ones the last, as JSON readers do.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        self.members().filter(|(key, _)| key == name).map(|(_, node)| node).last()
    }

    /// The member called `name` unless it is absent or null.
    #[must_use]
    pub fn get_set(&self, name: &str) -> Option<Node<'a>> {
        self.get(name).filter(|node| !node.is_null())
    }

    /// The text of the string member called `name`.
    #[must_use]
    pub fn get_str(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).and_then(|node| node.as_str())
    }

    #[must_use]
    pub fn parent(&self) -> Option<Node<'a>> {
        (self.id.0 != 0).then(|| self.tree.node(NodeId(self.entry().parent)))
    }

    #[must_use]
    pub fn tree(&self) -> &'a JsonTree {
        self.tree
    }

    /// Where the value is, from the root.
    #[must_use]
    pub fn pointer(&self) -> JsonPointer {
        let Some(parent) = self.parent() else { return JsonPointer::root() };
        match self.key() {
            Some(key) => parent.pointer().child(key),
            None => parent.pointer().child(parent.children().take_while(|node| node.id != self.id).count()),
        }
    }

    /// The ids of this value and everything inside it.
    #[must_use]
    pub fn subtree(&self) -> Range<u32> {
        self.id.0..self.entry().after
    }
}

/// The character that the escape at the start of `text` stands for, and the escape's length in bytes.
#[must_use]
pub fn escaped_char(text: &str) -> (char, usize) {
    escapes::escaped(text)
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {:.60}", self.pointer(), self.raw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> JsonTree {
        JsonTree::parse(text).unwrap()
    }

    #[test]
    fn order_spelling_and_repetition_are_kept() {
        let tree = tree(r#"{"b": 1.0, "a": 8747832031878802303, "b": [true, null, "x\u0041\n"], "e\/": {}}"#);
        let root = tree.root();
        let keys: Vec<_> = root.members().map(|(key, _)| key.into_owned()).collect();
        assert_eq!(keys, ["b", "a", "b", "e/"]);
        assert_eq!(root.get("a").unwrap().raw(), "8747832031878802303");
        assert_eq!(root.children().next().unwrap().raw(), "1.0");
        assert_eq!(root.get("b").unwrap().child_count(), 3);
        assert_eq!(root.get("b").unwrap().items().nth(2).unwrap().as_str().unwrap(), "xA\n");
        assert_eq!(tree.duplicates().map(|n| n.pointer().to_string()).collect::<Vec<_>>(), ["/b"]);
        assert_eq!(root.items().count(), 0);
    }

    #[test]
    fn positions_and_pointers_find_each_other() {
        let text = r#"{"skills": [{"id": "a"}, {"id": "b"}]}"#;
        let tree = tree(text);
        let b = tree.resolve(&JsonPointer::from_text("/skills/1/id")).unwrap();
        assert_eq!(b.as_str().unwrap(), "b");
        assert_eq!(b.pointer().as_str(), "/skills/1/id");
        for node in tree.nodes() {
            assert_eq!(tree.resolve(&node.pointer()).unwrap().id(), node.id());
            assert_eq!(tree.node_at(node.span().start).unwrap().id(), node.id());
        }
        assert_eq!(tree.node_at(text.rfind("id").unwrap()).unwrap().id(), b.id());
        assert!(tree.node_at(text.len()).is_none());
        assert!(tree.resolve(&JsonPointer::from_text("/skills/2")).is_none());
    }
}
