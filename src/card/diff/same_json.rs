//! Whether two JSON values say the same: order of members, white space and escapes do not count.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::card::json::{JsonTree, Kind, Node, NodeId};
use crate::card::meaning::Keeping;

/// Gives equal numbers to equal values, over as many documents as are put in. Exact: nothing is hashed away.
#[derive(Default)]
pub(super) struct Interner {
    values: HashMap<Value, u32>,
    keeping: Keeping,
    /// The order of entries does not count either.
    any_order: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Value {
    /// A scalar: strings unescaped, everything else as written.
    Scalar(Kind, Box<str>),
    Items(Box<[u32]>),
    /// Sorted by name; of repeated members the last.
    Members(Box<[(Box<str>, u32)]>),
}

/// The numbers of every value in one document, by [`NodeId`].
pub(super) struct Numbers(Vec<u32>);

impl Numbers {
    pub(super) fn of(&self, node: Node<'_>) -> u32 {
        self.0.get(node.id().0 as usize).copied().unwrap_or_default()
    }
}

impl Interner {
    /// For meanings: absent and empty are the same.
    pub(super) fn of_meaning() -> Self {
        Self { keeping: Keeping::Values, ..Self::default() }
    }

    /// For meanings where order does not count either.
    pub(super) fn of_meaning_in_any_order() -> Self {
        Self { any_order: true, ..Self::of_meaning() }
    }

    /// Numbers every value of `tree`.
    pub(super) fn number(&mut self, tree: &JsonTree) -> Numbers {
        let mut numbers = vec![0; tree.len()];
        self.visit(tree.root(), self.keeping, &mut numbers);
        Numbers(numbers)
    }

    // Recursion is bounded by the parser's nesting limit.
    fn visit(&mut self, node: Node<'_>, keeping: Keeping, numbers: &mut [u32]) -> u32 {
        let value = match node.kind() {
            Kind::Array => {
                let mut items: Box<[u32]> = node.children().map(|item| self.visit(item, keeping, numbers)).collect();
                if self.any_order {
                    items.sort_unstable();
                }
                Value::Items(items)
            }
            Kind::Object => self.members(node, keeping, numbers),
            Kind::String => Value::Scalar(Kind::String, node.as_str().unwrap_or_default().into()),
            kind => Value::Scalar(kind, node.raw().into()),
        };
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let number = *self.values.entry(value).or_insert(next);
        let NodeId(id) = node.id();
        numbers[id as usize] = number;
        number
    }

    fn members(&mut self, node: Node<'_>, keeping: Keeping, numbers: &mut [u32]) -> Value {
        let mut members: Vec<(Box<str>, u32)> = Vec::with_capacity(node.child_count());
        for (name, member) in node.members() {
            let number = self.visit(member, keeping.inside(&name), numbers);
            if keeping.counts(&name, member) {
                members.push((name.into(), number));
            }
        }
        // Stable: of repeated members the last stays last.
        members.sort_by(|a, b| a.0.cmp(&b.0));
        let mut kept: Vec<(Box<str>, u32)> = Vec::with_capacity(members.len());
        for member in members {
            match kept.last_mut() {
                Some(last) if last.0 == member.0 => *last = member,
                _ => kept.push(member),
            }
        }
        Value::Members(kept.into())
    }
}

/// Whether two JSON texts say the same; texts that are no JSON, only if they are the same.
pub(super) fn same_text(older: &str, newer: &str) -> bool {
    if older == newer {
        return true;
    }
    let (Ok(older), Ok(newer)) = (JsonTree::parse(older), JsonTree::parse(newer)) else { return false };
    let mut interner = Interner::default();
    let (before, after) = (interner.number(&older), interner.number(&newer));
    before.of(older.root()) == after.of(newer.root())
}

/// Members by name, of repeated ones the last, in the order of first mention.
pub(super) fn last_members(node: Node<'_>) -> Vec<(Cow<'_, str>, Node<'_>)> {
    let mut members: Vec<(Cow<'_, str>, Node<'_>)> = Vec::with_capacity(node.child_count());
    let mut places: HashMap<Cow<'_, str>, usize> = HashMap::with_capacity(node.child_count());
    for (name, member) in node.members() {
        if let Some(&place) = places.get(&name) {
            members[place].1 = member;
        } else {
            places.insert(name.clone(), members.len());
            members.push((name, member));
        }
    }
    members
}

/// Where two documents first differ in structure, as `interner` tells values apart: a list itself where its entries
/// only change places, or where more than the same number of them differ. "First" is by name among members, so that
/// it is the same place the other way round.
pub(super) fn first_difference<'a>(
    older: &'a JsonTree,
    newer: &'a JsonTree,
    mut interner: Interner,
) -> Option<(Node<'a>, Node<'a>)> {
    let (before, after) = (interner.number(older), interner.number(newer));
    let (mut old, mut new) = (older.root(), newer.root());
    if before.of(old) == after.of(new) {
        return None;
    }
    let differ = |(a, b): &(Node<'a>, Node<'a>)| before.of(*a) != after.of(*b);
    loop {
        let next = match (old.kind(), new.kind()) {
            (Kind::Object, Kind::Object) => {
                let others: HashMap<Cow<'_, str>, Node<'_>> = last_members(new).into_iter().collect();
                let mut both: Vec<_> = last_members(old)
                    .into_iter()
                    .filter_map(|(name, member)| others.get(&name).map(|other| (name, (member, *other))))
                    .collect();
                both.sort_by(|a, b| a.0.cmp(&b.0));
                both.into_iter().map(|(_, pair)| pair).find(differ)
            }
            (Kind::Array, Kind::Array) => {
                let (gone, come) = (left_over(old, &before, new, &after), left_over(new, &after, old, &before));
                let same_number = gone.len() == come.len();
                gone.into_iter().zip(come).next().filter(|_| same_number)
            }
            _ => None,
        };
        match next {
            Some(pair) => (old, new) = pair,
            None => return Some((old, new)),
        }
    }
}

/// The entries of a list that have no equal in the other one.
fn left_over<'a>(list: Node<'a>, numbers: &Numbers, other: Node<'_>, others: &Numbers) -> Vec<Node<'a>> {
    let mut there: HashMap<u32, usize> = HashMap::with_capacity(other.child_count());
    for item in other.children() {
        *there.entry(others.of(item)).or_default() += 1;
    }
    let mut has_equal = |item: &Node<'_>| {
        let count = there.get_mut(&numbers.of(*item)).filter(|count| **count > 0);
        count.is_some_and(|count| {
            *count -= 1;
            true
        })
    };
    list.children().filter(|item| !has_equal(item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(older: &str, newer: &str) -> bool {
        let (older, newer) = (JsonTree::parse(older).unwrap(), JsonTree::parse(newer).unwrap());
        let mut interner = Interner::of_meaning();
        interner.number(&older).of(older.root()) == interner.number(&newer).of(newer.root())
    }

    #[test]
    fn spelling_does_not_count_and_values_do() {
        assert!(same(r#"{"a": 1, "b": "x"}"#, "{\"b\":\"\\u0078\",\n\"a\":1}"));
        assert!(same(r#"{"skills": [], "x": null, "y": ""}"#, r#"{"provider": {}}"#));
        assert!(!same(r#"{"a": 1.0}"#, r#"{"a": 1}"#));
        assert!(!same(r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#));
        assert!(!same(r#"{"a": 1, "a": 2}"#, r#"{"a": 1}"#));
    }

    #[test]
    fn an_empty_value_that_says_something_is_not_absent() {
        assert!(!same(r#"{"security": [{"key": []}]}"#, r#"{"security": [{}]}"#));
        assert!(!same(
            r#"{"securitySchemes": {"m": {"mtlsSecurityScheme": {}}}}"#,
            r#"{"securitySchemes": {"m": {}}}"#
        ));
        // A skill that asks for nothing is not one that asks what its card asks for.
        assert!(!same(r#"{"skills": [{"id": "a", "security": []}]}"#, r#"{"skills": [{"id": "a"}]}"#));
        assert!(same(r#"{"security": []}"#, "{}"));
    }
}
