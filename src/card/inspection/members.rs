//! The members of one object, handed out by name; what nobody asked for is left over and shown.

use std::borrow::Cow;
use std::collections::HashMap;

use super::aliases::{camel_case_of, historic, is_snake_case_of};
use super::values::{MAX_WORDS, left_out, strings, value_of};
use crate::card::facts::{Field, Note, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// Objects with more members than this are indexed: looking through all of them for each name would take too long.
const MAX_SCANNED: usize = 48;
/// More left-overs than this are gathered in one last field: nobody reads them one by one.
const MAX_LEFT_OVERS: usize = 2000;

/// The members of an object. Taking one removes it from what is left; [`Self::rest`] turns the left-overs into fields,
/// so that nothing a card says is lost.
pub(super) struct Members<'a> {
    pointer: JsonPointer,
    slots: Vec<Slot<'a>>,
    /// For large objects: the last slot of each name, names in camelCase.
    index: Option<HashMap<Cow<'a, str>, usize>>,
}

struct Slot<'a> {
    name: Cow<'a, str>,
    node: Node<'a>,
    taken: bool,
    notes: Vec<Note>,
    /// In an index, the slot before this one with the same camelCase name.
    earlier: Option<usize>,
}

/// One member that was asked for.
pub(super) struct Member<'a> {
    pub node: Node<'a>,
    pub pointer: JsonPointer,
    /// The name as written, where it is another spelling of the one asked for.
    pub alias: Option<String>,
    pub notes: Vec<Note>,
}

/// The kind of value that a member should have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Text,
    Bool,
    List,
    Object,
}

impl Expected {
    pub fn fits(self, kind: Kind) -> bool {
        match self {
            Self::Text => kind == Kind::String,
            Self::Bool => matches!(kind, Kind::True | Kind::False),
            Self::List => kind == Kind::Array,
            Self::Object => kind == Kind::Object,
        }
    }

    fn with_article(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Bool => "true or false",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }

    /// Why a value of another kind was not read as what it should be.
    pub fn misfit(self, found: Kind) -> Note {
        if found == Kind::Null {
            return Note::new(Tone::Plain, "null counts as absent.");
        }
        let expected = self.with_article();
        Note::new(Tone::Caution, format!("Expected {expected}, found {}; shown as written.", found.with_article()))
    }
}

impl<'a> Members<'a> {
    /// The members of `node`, which stands at `pointer`; none if it is no object.
    pub fn of(node: Node<'a>, pointer: JsonPointer) -> Self {
        let mut slots = Vec::with_capacity(node.child_count());
        slots.extend(node.members().map(|(name, node)| Slot {
            name,
            node,
            taken: false,
            notes: Vec::new(),
            earlier: None,
        }));
        let index = (slots.len() > MAX_SCANNED).then(|| {
            let mut index = HashMap::with_capacity(slots.len());
            for (at, slot) in slots.iter_mut().enumerate() {
                slot.earlier = index.insert(camel_case_of(&slot.name), at);
            }
            index
        });
        Self { pointer, slots, index }
    }

    /// No members at all, where there is no object.
    pub fn empty() -> Self {
        Self { pointer: JsonPointer::root(), slots: Vec::new(), index: None }
    }

    pub fn pointer(&self) -> &JsonPointer {
        &self.pointer
    }

    /// Whether a member is written exactly so, null or not, taken or not.
    pub fn has(&self, name: &str) -> bool {
        self.spelled_like(name).any(|at| self.slots[at].name == name)
    }

    /// The member that [`Self::take`] would take, unless it is null.
    pub fn peek(&self, name: &str) -> Option<Node<'a>> {
        self.choose(name).map(|(index, _)| self.slots[index].node).filter(|node| !node.is_null())
    }

    /// Takes the member `name`, or failing that the member under another spelling. The name itself wins over its
    /// aliases, a value over null, the last of repeated members over the earlier ones; each such choice is noted.
    pub fn take(&mut self, name: &str) -> Option<Member<'a>> {
        let mut notes = Vec::new();
        let (index, is_exact) = self.claim(name, &mut notes)?;
        let slot = &self.slots[index];
        Some(Member {
            node: slot.node,
            pointer: self.pointer.child(&slot.name),
            alias: (!is_exact).then(|| slot.name.clone().into_owned()),
            notes,
        })
    }

    /// Marks the member that `name` is read from as taken; says where it is, and whether it is written exactly so.
    fn claim(&mut self, name: &str, notes: &mut Vec<Note>) -> Option<(usize, bool)> {
        let (index, is_exact) = self.choose(name)?;
        if !is_exact {
            notes.push(alias_note(&self.slots[index].name, name));
        }
        self.note_losers(name, index, notes);
        let slot = &mut self.slots[index];
        slot.taken = true;
        notes.append(&mut slot.notes);
        Some((index, is_exact))
    }

    /// Whether the member that `name` is read from is what it should be. A misfit is told where it is shown.
    fn fits(&mut self, name: &str, expected: Expected) -> bool {
        let Some((index, _)) = self.choose(name) else { return false };
        let slot = &mut self.slots[index];
        let kind = slot.node.kind();
        let fits = expected.fits(kind);
        if !fits && slot.notes.is_empty() {
            slot.notes.push(expected.misfit(kind));
        }
        fits
    }

    /// Takes the member `name` if its value is what it should be. Null and every other kind stay among the left-overs,
    /// with a note why.
    pub fn take_if(&mut self, name: &str, expected: Expected) -> Option<Member<'a>> {
        if self.fits(name, expected) { self.take(name) } else { None }
    }

    /// The text of a string member that may be taken later.
    pub fn text(&self, name: &str) -> Option<String> {
        self.peek(name).and_then(|node| node.as_str()).map(Cow::into_owned)
    }

    /// Takes a string member, unescaped; its notes go to `notes`.
    pub fn take_text(&mut self, name: &str, notes: &mut Vec<Note>) -> Option<String> {
        if !self.fits(name, Expected::Text) {
            return None;
        }
        let (index, _) = self.claim(name, notes)?;
        self.slots[index].node.as_str().map(Cow::into_owned)
    }

    /// Takes a string, or a number as written where a string should stand.
    pub fn take_scalar(&mut self, name: &str, notes: &mut Vec<Note>) -> Option<String> {
        let is_number = self.peek(name).is_some_and(|node| node.kind() == Kind::Number);
        if !is_number {
            return self.take_text(name, notes);
        }
        let (index, _) = self.claim(name, notes)?;
        notes.push(Note::new(Tone::Caution, format!("{name} is a number; a string is expected.")));
        Some(self.slots[index].node.raw().to_owned())
    }

    /// Takes a list of strings; its notes go to `notes`. A list that holds anything else stays among the left-overs.
    pub fn take_words(&mut self, name: &str, notes: &mut Vec<Note>) -> Option<Vec<String>> {
        if !self.fits(name, Expected::List) {
            return None;
        }
        let (index, _) = self.choose(name)?;
        let node = self.slots[index].node;
        if !node.children().all(|item| item.kind() == Kind::String) {
            let remark = "A list of strings is expected here; shown as written.";
            self.slots[index].notes.push(Note::new(Tone::Caution, remark));
            return None;
        }
        self.claim(name, notes)?;
        notes.extend(left_out(node.child_count(), MAX_WORDS, &format!("items of {name}")));
        Some(strings(node))
    }

    /// Whether some spelling of the names in `known` accounts for every member.
    pub fn all_known(&self, known: &[&str]) -> bool {
        self.slots.iter().all(|slot| {
            known.iter().any(|name| {
                slot.name == *name || is_snake_case_of(&slot.name, name) || historic(name).contains(&&*slot.name)
            })
        })
    }

    /// Leaves a remark on a member that is still there, for when it is shown among the left-overs.
    pub fn remark(&mut self, name: &str, tone: Tone, text: impl Into<String>) {
        let found = self.spelled_like(name).find(|&at| self.slots[at].name == name && !self.slots[at].taken);
        if let Some(at) = found {
            self.slots[at].notes.push(Note::new(tone, text));
        }
    }

    /// Everything that was not taken, in the order of the document.
    pub fn rest(self) -> Vec<Field> {
        let pointer = self.pointer;
        let mut left = self.slots.into_iter().filter(|slot| !slot.taken);
        let mut fields: Vec<Field> = left
            .by_ref()
            .take(MAX_LEFT_OVERS)
            .map(|slot| Field {
                pointer: Some(pointer.child(&slot.name)),
                name: slot.name.into_owned(),
                value: value_of(slot.node),
                notes: slot.notes,
                ..Field::default()
            })
            .collect();
        let more = left.count();
        if more > 0 {
            fields.push(Field {
                name: format!("and {more} more"),
                pointer: Some(pointer),
                aside: "too many to list; see the JSON".to_owned(),
                ..Field::default()
            });
        }
        fields
    }

    /// The slots whose name is `name` in camelCase or snake_case, and for small objects any others, the last ones first.
    fn spelled_like<'s>(&'s self, name: &str) -> impl Iterator<Item = usize> + use<'s, 'a> {
        let mut next = match &self.index {
            Some(index) => index.get(name).copied(),
            None => self.slots.len().checked_sub(1),
        };
        std::iter::from_fn(move || {
            let at = next?;
            next = if self.index.is_some() { self.slots[at].earlier } else { at.checked_sub(1) };
            Some(at)
        })
    }

    /// Where `name` is to be read from, and whether it is written exactly so.
    fn choose(&self, name: &str) -> Option<(usize, bool)> {
        let free = |name: &str| self.spelled_like(name).filter(|&at| !self.slots[at].taken);
        let is_set = |at: &usize| !self.slots[*at].node.is_null();
        let exact = free(name).find(|&at| self.slots[at].name == name);
        if let Some(at) = exact.filter(is_set) {
            return Some((at, true));
        }
        let snake = || free(name).filter(|&at| is_snake_case_of(&self.slots[at].name, name));
        // proto's own spelling before historic ones, those in their order of preference, and any value before null.
        let historic = || {
            historic(name).iter().filter_map(|alias| {
                free(&camel_case_of(&Cow::Borrowed(*alias))).find(|&at| self.slots[at].name == *alias)
            })
        };
        snake()
            .find(is_set)
            .or_else(|| historic().find(is_set))
            .map(|at| (at, false))
            .or_else(|| exact.map(|at| (at, true)))
            .or_else(|| snake().next().or_else(|| historic().next()).map(|at| (at, false)))
    }

    /// Says on both sides that a member is passed over for another one of the same meaning.
    fn note_losers(&mut self, name: &str, winner: usize, notes: &mut Vec<Note>) {
        let passed_over: Vec<usize> = self
            .spelled_like(name)
            .filter(|&at| {
                let slot = &self.slots[at];
                let is_same = slot.name == self.slots[winner].name || is_snake_case_of(&slot.name, name);
                is_same && at != winner && !slot.taken && !slot.node.is_null()
            })
            .collect();
        let won = self.slots[winner].name.clone();
        // The same is said once, however often the member is repeated.
        let mut say = |remark: String| {
            if !notes.iter().any(|note| note.text == remark) {
                notes.push(Note::new(Tone::Caution, remark));
            }
        };
        for at in passed_over.into_iter().take(MAX_LEFT_OVERS) {
            let slot = &mut self.slots[at];
            if slot.name == won {
                say(format!("{won} is given more than once; the last one is read."));
                slot.notes.push(Note::new(Tone::Caution, "An earlier member of the same name; the last one is read."));
            } else {
                say(format!("{} is there as well; {won} is the one that is read.", slot.name));
                slot.notes.push(Note::new(Tone::Caution, format!("Another spelling of {won}, which is read instead.")));
            }
        }
    }
}

fn alias_note(written: &str, name: &str) -> Note {
    if is_snake_case_of(written, name) {
        Note::new(Tone::Plain, format!("Written as {written}; the JSON name is {name}."))
    } else {
        Note::new(Tone::Caution, format!("Read from {written}, another name for {name}."))
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::card::facts::FieldValue;
    use crate::card::json::JsonTree;

    fn with_members<T>(text: &str, check: impl FnOnce(Members<'_>) -> T) -> T {
        let tree = JsonTree::parse(text).unwrap();
        check(Members::of(tree.root(), JsonPointer::root()))
    }

    fn texts(notes: &[Note]) -> Vec<&str> {
        notes.iter().map(|note| note.text.as_str()).collect()
    }

    #[test]
    fn camel_case_wins_over_snake_case_and_the_clash_is_told_on_both_sides() {
        with_members(r#"{"icon_url": "b", "iconUrl": "a"}"#, |mut members| {
            let read = members.take("iconUrl").unwrap();
            assert_eq!(read.node.as_str().unwrap(), "a");
            assert_eq!(texts(&read.notes), ["icon_url is there as well; iconUrl is the one that is read."]);
            let rest = members.rest();
            assert_eq!(rest.len(), 1);
            assert_eq!(texts(&rest[0].notes), ["Another spelling of iconUrl, which is read instead."]);
        });
    }

    #[test]
    fn null_gives_way_to_a_value_and_stays_visible() {
        with_members(r#"{"iconUrl": null, "icon_url": "b", "version": null}"#, |mut members| {
            let read = members.take("iconUrl").unwrap();
            assert_eq!((read.node.as_str().unwrap().as_ref(), read.alias.as_deref()), ("b", Some("icon_url")));
            assert!(members.take_text("version", &mut Vec::new()).is_none());
            let rest = members.rest();
            assert_eq!(rest.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), ["iconUrl", "version"]);
            assert_eq!(rest[1].value, FieldValue::Null);
            assert_eq!(texts(&rest[1].notes), ["null counts as absent."]);
        });
    }

    #[test]
    fn repeated_and_misshapen_members_are_kept() {
        with_members(r#"{"a": 1, "a": "x", "tags": ["t", 2], "": 1.0}"#, |mut members| {
            assert_eq!(members.take_text("a", &mut Vec::new()).as_deref(), Some("x"));
            assert!(members.take_words("tags", &mut Vec::new()).is_none());
            let rest = members.rest();
            let shown: Vec<_> = rest.iter().map(|field| (field.name.as_str(), field.value.clone())).collect();
            assert_eq!(
                shown,
                [
                    ("a", FieldValue::Literal("1".to_owned())),
                    ("tags", FieldValue::Json("[\"t\", 2]".to_owned())),
                    ("", FieldValue::Literal("1.0".to_owned())),
                ]
            );
            assert_eq!(rest[2].pointer.as_ref().unwrap().as_str(), "/");
        });
    }
}
