//! One side of a comparison: the facts of a card with a quick way from a fact to the members it was read from.

use std::collections::HashMap;

use crate::card::facts::{Field, Inspection, Shape};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// A card with the values of its long lists, so that no entry has to be looked for from the root.
pub(super) struct Side<'a> {
    pub card: &'a Inspection,
    lists: HashMap<&'a str, Vec<Node<'a>>>,
}

impl<'a> Side<'a> {
    pub(super) fn of(card: &'a Inspection) -> Self {
        let mut side = Self { card, lists: HashMap::new() };
        let skills = card.skills.rows.iter().map(|row| &row.pointer);
        let interfaces = card.interfaces.rows.iter().map(|row| &row.pointer);
        let extensions = card.capabilities.extensions.iter().map(|row| &row.pointer);
        for pointer in skills.chain(interfaces).chain(extensions) {
            side.index_list_of(pointer);
        }
        side
    }

    fn index_list_of(&mut self, entry: &'a JsonPointer) {
        let Some((list, _)) = entry.as_str().rsplit_once('/') else { return };
        if self.lists.contains_key(list) {
            return;
        }
        let node = self.card.document.tree().and_then(|tree| tree.resolve(&JsonPointer::from_text(list)));
        if let Some(node) = node.filter(|node| node.kind() == Kind::Array) {
            self.lists.insert(list, node.items().collect());
        }
    }

    /// The value at `pointer`; at once where it is an entry of one of the lists.
    pub(super) fn node(&self, pointer: &JsonPointer) -> Option<Node<'a>> {
        let entry = pointer.as_str().rsplit_once('/');
        match entry.and_then(|(list, index)| Some((self.lists.get(list)?, index))) {
            Some((items, index)) => items.get(index.parse::<usize>().ok()?).copied(),
            None => self.card.document.tree()?.resolve(pointer),
        }
    }

    /// Where the member `name` of the object at `pointer` stands; the object itself if it has none.
    pub(super) fn member(&self, pointer: &JsonPointer, name: &str) -> JsonPointer {
        self.node(pointer).map_or_else(|| pointer.clone(), |node| member_of(node, pointer, name))
    }

    /// Where the top-level member `name` stands, if it is there.
    pub(super) fn top(&self, name: &str) -> Option<JsonPointer> {
        let root = JsonPointer::root();
        Some(self.member(&root, name)).filter(|pointer| *pointer != root)
    }

    /// The field of the group "Identity" called `name`, unless it is absent.
    pub(super) fn identity(&self, name: &str) -> Option<&'a Field> {
        self.card.identity.iter().find(|field| field.name == name && field.pointer.is_some())
    }

    /// Whether the document is any kind of card.
    pub(super) fn is_card(&self) -> bool {
        self.card.shape != Shape::NotACard
    }
}

/// The clients that read one half of a card. A card of one release has one half, which is all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// What clients of before 1.0 read.
    Older,
    /// What clients of 1.0 read.
    Newer,
}

impl Half {
    /// The halves that both cards have, so that the same clients read either.
    pub(super) fn of_both(older: &Side<'_>, newer: &Side<'_>) -> impl Iterator<Item = Self> {
        let (before, after) = (older.card.shape, newer.card.shape);
        [Self::Older, Self::Newer].into_iter().filter(move |half| half.is_in(before) && half.is_in(after))
    }

    fn is_in(self, shape: Shape) -> bool {
        match shape {
            Shape::V1_0 => self == Self::Newer,
            Shape::V0_3 | Shape::V0_2 => self == Self::Older,
            Shape::Hybrid => true,
            Shape::NotACard => false,
        }
    }

    /// As a sentence calls those who read it.
    pub(super) fn clients(self) -> &'static str {
        match self {
            Self::Older => "clients of 0.3",
            Self::Newer => "clients of 1.0",
        }
    }
}

/// The member under its own name or the same in snake_case.
fn member_of(node: Node<'_>, pointer: &JsonPointer, name: &str) -> JsonPointer {
    let mut spelled_otherwise = None;
    for (key, _) in node.members() {
        if key == name {
            return pointer.child(name);
        }
        if key.len() > name.len()
            && key
                .chars()
                .filter(|&c| c != '_')
                .flat_map(char::to_lowercase)
                .eq(name.chars().flat_map(char::to_lowercase))
        {
            spelled_otherwise = Some(pointer.child(key));
        }
    }
    spelled_otherwise.unwrap_or_else(|| pointer.clone())
}

/// Fields by name, the first of repeated ones.
pub(super) fn by_name(fields: &[Field]) -> HashMap<&str, &Field> {
    let mut named = HashMap::with_capacity(fields.len());
    for field in fields {
        named.entry(field.name.as_str()).or_insert(field);
    }
    named
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::document::Document;
    use crate::card::facts::Origin;

    #[test]
    fn members_are_found_however_they_are_spelled() {
        let text = r#"{"name": "A", "url": "https://a.example", "skills": [1, {"id": "b", "input_modes": ["x/y"]}]}"#;
        let card = Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default());
        let side = Side::of(&card);
        let skill = &card.skills.rows[1].pointer;
        assert_eq!(side.member(skill, "inputModes").as_str(), "/skills/1/input_modes");
        assert_eq!(side.member(skill, "id").as_str(), "/skills/1/id");
        assert_eq!(side.member(skill, "tags").as_str(), "/skills/1");
        assert_eq!(side.top("url").unwrap().as_str(), "/url");
        assert!(side.top("iconUrl").is_none());
    }
}
