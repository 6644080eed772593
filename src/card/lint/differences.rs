//! Where a document differs from what the specification declares.

use std::collections::HashMap;

use super::super::json::Node;
use super::schema::{AGENT_CARD, Era, Form, Member, Schema};

/// A value with the member that it belongs to (for an item, the list's member).
pub(super) struct Place<'a> {
    pub(super) node: Node<'a>,
    pub(super) owner: &'static Schema,
    pub(super) member: &'static Member,
    /// What it had to be.
    pub(super) form: &'static Form,
}

/// More differences of one kind in one member are not kept: rules list far fewer, and a hostile card has millions.
pub(super) const MAX_PLACES: usize = 1000;

/// Differences of one kind, in document order.
#[derive(Default)]
pub(super) struct Places<'a> {
    kept: Vec<Place<'a>>,
    counts: HashMap<(&'static str, &'static str), usize>,
}

impl<'a> Places<'a> {
    fn push(&mut self, place: Place<'a>) {
        let count = self.counts.entry((place.owner.name, place.member.name)).or_default();
        *count += 1;
        if *count <= MAX_PLACES {
            self.kept.push(place);
        }
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Place<'a>> {
        self.kept.iter()
    }

    /// How many there are of one member, kept or not.
    pub(super) fn count(&self, owner: &str, member: &str) -> usize {
        let counts = self.counts.iter().filter(|((of, name), _)| (*of, *name) == (owner, member));
        counts.map(|(_, count)| count).sum()
    }
}

impl<'c, 'a> IntoIterator for &'c Places<'a> {
    type Item = &'c Place<'a>;
    type IntoIter = std::slice::Iter<'c, Place<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Where a document differs from the tables.
#[derive(Default)]
pub(super) struct Differences<'a> {
    pub(super) mistyped: Places<'a>,
    pub(super) nulls: Places<'a>,
    /// Known members in snake_case.
    pub(super) snake_case: Places<'a>,
    /// Required members that `node` lacks.
    pub(super) missing: Places<'a>,
    /// Members that no release knows, with the kind of object they stand in.
    pub(super) foreign: Vec<(Node<'a>, &'static Schema)>,
    newer: bool,
    older: bool,
}

impl<'a> Differences<'a> {
    /// Compares the card at `root` with what the eras it belongs to declare.
    pub(super) fn of(root: Node<'a>, newer: bool, older: bool) -> Self {
        let mut differences = Self { newer, older, ..Self::default() };
        differences.object(root, &AGENT_CARD);
        differences
    }

    /// Whether a member of `era` is expected of this card.
    fn applies(&self, era: Era) -> bool {
        match era {
            Era::Both => true,
            Era::Newer => self.newer,
            Era::Older => self.older,
        }
    }

    fn object(&mut self, node: Node<'a>, owner: &'static Schema) {
        let mut seen = 0u64;
        for (key, child) in node.members() {
            let known = owner.find(&key);
            let Some(index) = known.or_else(|| owner.find_snake_case(&key)) else {
                self.foreign.push((child, owner));
                continue;
            };
            seen |= 1 << index;
            let member = &owner.members[index];
            let place = Place { node: child, owner, member, form: &member.form };
            if known.is_none() {
                self.snake_case.push(Place { ..place });
            }
            self.value(place);
        }
        for (index, member) in owner.members.iter().enumerate() {
            if member.required && seen & (1 << index) == 0 && self.applies(member.era) {
                self.missing.push(Place { node, owner, member, form: &member.form });
            }
        }
    }

    fn value(&mut self, place: Place<'a>) {
        let Place { node, owner, member, form } = place;
        if node.is_null() && !matches!(form, Form::Any) {
            self.nulls.push(place);
            return;
        }
        if !form.fits(node.kind()) {
            self.mistyped.push(place);
            return;
        }
        match form {
            Form::Object(schema) => self.object(node, schema),
            Form::List(form) | Form::Map(form) => {
                for node in node.children() {
                    self.value(Place { node, owner, member, form });
                }
            }
            Form::Text | Form::Flag | Form::Record | Form::Any => {}
        }
    }
}
