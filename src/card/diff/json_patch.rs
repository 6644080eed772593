//! The change from one document to another as a JSON Patch (RFC 6902), on what was received: values keep their digits.

use std::collections::{HashMap, HashSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::same_json::{Interner, Numbers, last_members};
use crate::card::document::Document;
use crate::card::json::{JsonTree, Kind, Node};
use crate::card::pointer::JsonPointer;

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Add,
    Remove,
    Replace,
}

impl Op {
    fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Replace => "replace",
        }
    }
}

/// The operations that turn one document into another, in order.
#[derive(Debug, Default)]
pub struct JsonPatch {
    operations: Vec<Operation>,
}

#[derive(Debug)]
struct Operation {
    op: Op,
    path: JsonPointer,
    /// The value's JSON; none for a removal.
    value: Option<String>,
}

impl JsonPatch {
    /// The patch from `older` to `newer`; `None` if either is not JSON.
    ///
    /// Order counts in lists and not in objects, as in JSON Patch itself. Of repeated members the last counts.
    #[must_use]
    pub fn between(older: &Document, newer: &Document) -> Option<Self> {
        let (older, newer) = (older.tree()?, newer.tree()?);
        let mut interner = Interner::default();
        let (before, after) = (interner.number(older), interner.number(newer));
        let mut patch = Self::default();
        let differ = Differ { before: &before, after: &after };
        differ.value(&mut patch, older.root(), newer.root(), &JsonPointer::root());
        Some(patch)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The number of operations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// The patch as JSON text, one operation a line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let lines: Vec<String> = self.operations.iter().map(Operation::to_json).collect();
        if lines.is_empty() { "[]".to_owned() } else { format!("[\n  {}\n]", lines.join(",\n  ")) }
    }

    fn push(&mut self, op: Op, path: JsonPointer, value: Option<Node<'_>>) {
        self.operations.push(Operation { op, path, value: value.map(compact) });
    }
}

impl Operation {
    fn to_json(&self) -> String {
        // A string cannot fail to be written as JSON.
        let path = serde_json::to_string(&self.path).unwrap_or_default();
        let value = self.value.as_ref().map_or_else(String::new, |value| format!(",\"value\":{value}"));
        format!("{{\"op\":\"{}\",\"path\":{path}{value}}}", self.op.name())
    }
}

/// The JSON of a value without white space, comments or repeated members; every scalar exactly as written.
fn compact(node: Node<'_>) -> String {
    let mut out = String::with_capacity(node.span().len());
    write(node, &mut out);
    out
}

// Recursion is bounded by the parser's nesting limit.
fn write(node: Node<'_>, out: &mut String) {
    match node.kind() {
        Kind::Object => {
            out.push('{');
            for (at, (_, member)) in last_members(node).into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(member.key_span().map_or("\"\"", |span| &node.tree().text()[span]));
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for (at, item) in node.children().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        _ => out.push_str(node.raw()),
    }
}

struct Differ<'a> {
    before: &'a Numbers,
    after: &'a Numbers,
}

impl Differ<'_> {
    // Recursion is bounded by the parser's nesting limit.
    fn value(&self, patch: &mut JsonPatch, older: Node<'_>, newer: Node<'_>, path: &JsonPointer) {
        if self.before.of(older) == self.after.of(newer) {
            return;
        }
        match (older.kind(), newer.kind()) {
            (Kind::Object, Kind::Object) => self.members(patch, older, newer, path),
            (Kind::Array, Kind::Array) => self.items(patch, older, newer, path),
            _ => patch.push(Op::Replace, path.clone(), Some(newer)),
        }
    }

    fn members(&self, patch: &mut JsonPatch, older: Node<'_>, newer: Node<'_>, path: &JsonPointer) {
        let (older, newer) = (last_members(older), last_members(newer));
        let before: HashMap<&str, Node<'_>> = older.iter().map(|(name, node)| (name.as_ref(), *node)).collect();
        let after: HashSet<&str> = newer.iter().map(|(name, _)| name.as_ref()).collect();
        for (name, _) in older.iter().filter(|(name, _)| !after.contains(name.as_ref())) {
            patch.push(Op::Remove, path.child(name), None);
        }
        for (name, node) in &newer {
            match before.get(name.as_ref()) {
                Some(old) => self.value(patch, *old, *node, &path.child(name)),
                None => patch.push(Op::Add, path.child(name), Some(*node)),
            }
        }
    }

    /// Items keep their order: what has the same identity is changed in place, the rest is removed and added.
    fn items(&self, patch: &mut JsonPatch, older: Node<'_>, newer: Node<'_>, path: &JsonPointer) {
        let (olders, newers): (Vec<_>, Vec<_>) = (older.items().collect(), newer.items().collect());
        let mut names = HashMap::new();
        let (old_keys, new_keys) = (keys(&olders, self.before, &mut names), keys(&newers, self.after, &mut names));
        // The list is edited from its start, so what lies before `at` is done and has its final index.
        for op in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    for step in 0..len {
                        let at = new_index + step;
                        self.value(patch, olders[old_index + step], newers[at], &path.child(at));
                    }
                }
                DiffOp::Delete { old_len, new_index, .. } => remove(patch, path, new_index, old_len),
                DiffOp::Insert { new_index, new_len, .. } => add(patch, path, &newers, new_index..new_index + new_len),
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    let both = old_len.min(new_len);
                    for step in 0..both {
                        let at = new_index + step;
                        self.value(patch, olders[old_index + step], newers[at], &path.child(at));
                    }
                    remove(patch, path, new_index + both, old_len - both);
                    add(patch, path, &newers, new_index + both..new_index + new_len);
                }
            }
        }
    }
}

fn remove(patch: &mut JsonPatch, path: &JsonPointer, at: usize, count: usize) {
    for _ in 0..count {
        patch.push(Op::Remove, path.child(at), None);
    }
}

fn add(patch: &mut JsonPatch, path: &JsonPointer, items: &[Node<'_>], range: std::ops::Range<usize>) {
    for at in range {
        patch.push(Op::Add, path.child(at), Some(items[at]));
    }
}

/// What each item is known by: its id, uri, url or name if it has one, else all of it.
fn keys(items: &[Node<'_>], numbers: &Numbers, names: &mut HashMap<String, u64>) -> Vec<u64> {
    let key = |item: &Node<'_>| {
        let name = ["id", "uri", "url", "name"].into_iter().find_map(|member| item.get_str(member));
        match name {
            Some(name) => {
                let next = names.len() as u64;
                // Above every number that an interner gives.
                (1 << 32) + *names.entry(name.into_owned()).or_insert(next)
            }
            None => u64::from(numbers.of(*item)),
        }
    };
    items.iter().map(key).collect()
}

/// The whole of a document as compact JSON, the way values stand in a patch; `None` if it is not JSON.
#[must_use]
pub fn compact_json(document: &Document) -> Option<String> {
    document.tree().map(JsonTree::root).map(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(older: &str, newer: &str) -> String {
        let (older, newer) = (Document::new(older.to_owned()), Document::new(newer.to_owned()));
        JsonPatch::between(&older, &newer).unwrap().to_json()
    }

    #[test]
    fn small_changes_are_small_operations() {
        let older = r#"{"a~/b": 1, "skills": [{"id": "x", "n": 1.0}, {"id": "y"}, {"id": "z"}], "gone": true}"#;
        let newer = r#"{"skills": [{"id": "x", "n": 1.00}, {"id": "new"}, {"id": "z"}, {"id": "w"}], "a~/b": 2}"#;
        assert_eq!(
            patch(older, newer),
            "[\n  {\"op\":\"remove\",\"path\":\"/gone\"},\n  \
             {\"op\":\"replace\",\"path\":\"/skills/0/n\",\"value\":1.00},\n  \
             {\"op\":\"replace\",\"path\":\"/skills/1/id\",\"value\":\"new\"},\n  \
             {\"op\":\"add\",\"path\":\"/skills/3\",\"value\":{\"id\":\"w\"}},\n  \
             {\"op\":\"replace\",\"path\":\"/a~0~1b\",\"value\":2}\n]"
        );
        assert_eq!(patch(r#"{"a": 1, "b": 2}"#, r#"{"b":2,"a":1}"#), "[]");
    }

    #[test]
    fn what_is_not_json_has_no_patch() {
        let (page, card) = (Document::new(&b"<html>"[..]), Document::new(&b"{}"[..]));
        assert!(JsonPatch::between(&page, &card).is_none() && JsonPatch::between(&card, &page).is_none());
    }
}
