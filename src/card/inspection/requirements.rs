//! Security requirements in every notation: any one of the alternatives, all of the schemes within it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::members::{Member, Members};
use super::values::{MAX_ROWS, MAX_WORDS, left_out, listed, strings};
use crate::card::facts::{Alternative, FoundBy, Note, RequiredScheme, Requirements, Shape, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// The names under `securitySchemes`.
#[derive(Default)]
pub(super) struct Declared<'a> {
    in_order: Vec<Cow<'a, str>>,
    all: HashSet<Cow<'a, str>>,
}

impl<'a> Declared<'a> {
    /// The names of the members of `map`, whether or not each has a row.
    pub fn in_map(map: Node<'a>) -> Self {
        let mut declared = Self::default();
        declared.extend(map.members().map(|(name, _)| name));
        declared
    }

    pub fn extend(&mut self, names: impl Iterator<Item = Cow<'a, str>>) {
        let before = self.in_order.len();
        self.in_order.extend(names);
        self.all.extend(self.in_order[before..].iter().cloned());
    }

    fn contains(&self, name: &str) -> bool {
        self.all.contains(name)
    }
}

/// Takes `securityRequirements`, or `security` as it was called before 1.0, from a card or a skill. Where both are
/// there, the release decides which is read; the other one stays among the left-overs, with a remark.
pub(super) fn read(members: &mut Members<'_>, shape: Shape, declared: &Declared<'_>) -> Option<Requirements> {
    let is_set = |name: &str| members.peek(name).is_some_and(|node| node.kind().is_container());
    let name = match (is_set("securityRequirements"), is_set("security")) {
        (true, _) => "securityRequirements",
        (false, true) => "security",
        (false, false) => return None,
    };
    let member = members.take(name)?;
    let mut requirements = parse(member, name, declared);
    if name == "security" && shape == Shape::V1_0 {
        requirements.notes.push(Note::new(
            Tone::Caution,
            "security is the name of before 1.0; clients of 1.0 look for securityRequirements and will not see it.",
        ));
    }
    if name == "securityRequirements" && matches!(shape, Shape::V0_3 | Shape::V0_2) {
        requirements.notes.push(Note::new(
            Tone::Caution,
            "securityRequirements is the name of 1.0; older clients look for security and will not see it.",
        ));
    }
    if name == "securityRequirements" && members.has("security") {
        requirements.beside = older_beside(members, declared).map(Box::new);
        requirements.notes.extend(requirements.beside.as_deref().map(|older| comparison(older, &requirements)));
    }
    Some(requirements)
}

/// What the older list beside the newer one says, for clients that read only that.
fn older_beside(members: &mut Members<'_>, declared: &Declared<'_>) -> Option<Requirements> {
    let node = members.peek("security").filter(|node| node.kind().is_container())?;
    let member = Member { node, pointer: members.pointer().child("security"), alias: None, notes: Vec::new() };
    members.remark("security", Tone::Plain, "What clients of before 1.0 read; explained under Access.");
    Some(parse(member, "security", declared))
}

fn comparison(older: &Requirements, newer: &Requirements) -> Note {
    let meaning = |requirements: &Requirements| -> Vec<Vec<(String, Vec<String>)>> {
        let schemes = |alternative: &Alternative| {
            alternative.schemes.iter().map(|scheme| (scheme.name.clone(), scheme.scopes.clone())).collect()
        };
        requirements.alternatives.iter().map(schemes).collect()
    };
    if meaning(older) == meaning(newer) {
        Note::new(Tone::Plain, "security says the same to clients of before 1.0.")
    } else {
        let says = summary(older);
        Note::new(Tone::Caution, format!("security tells clients of before 1.0 something else: {says}"))
    }
}

fn parse(member: Member<'_>, name: &str, declared: &Declared<'_>) -> Requirements {
    let mut requirements =
        Requirements { pointer: Some(member.pointer.clone()), notes: member.notes, ..Requirements::default() };
    let is_new = name == "securityRequirements";
    let mut reader =
        Reader { declared, is_new, notes: Vec::new(), found_by: FoundBy { newer: is_new, older: !is_new } };
    match (member.node.kind(), member.node.child_count()) {
        (Kind::Array, 0) => reader.note(Tone::Plain, "An empty list: nothing is required."),
        (Kind::Array, _) => {
            let items = member.node.items().enumerate().take(MAX_ROWS);
            requirements.alternatives =
                items.filter_map(|(at, item)| reader.alternative(item, member.pointer.child(at))).collect();
            requirements.notes.extend(left_out(member.node.child_count(), MAX_ROWS, "alternatives"));
        }
        (_, 0) => {
            reader
                .note(Tone::Caution, format!("{name} is an empty object, where a list belongs; it requires nothing."));
        }
        _ => {
            reader.note(Tone::Caution, format!("{name} is an object, where a list belongs; read as its only item."));
            reader.found_by = FoundBy::default();
            requirements.alternatives = reader.alternative(member.node, member.pointer).into_iter().collect();
        }
    }
    requirements.notes.append(&mut reader.notes);
    requirements.found_by = reader.found_by;
    requirements.notes.extend(undeclared_note(&requirements, declared));
    requirements
}

fn undeclared_note(requirements: &Requirements, declared: &Declared<'_>) -> Option<Note> {
    let mut seen = HashSet::new();
    let missing: Vec<&str> = requirements
        .alternatives
        .iter()
        .flat_map(|alternative| &alternative.schemes)
        .filter(|scheme| !scheme.declared && seen.insert(scheme.name.as_str()))
        .map(|scheme| scheme.name.as_str())
        .collect();
    let verb = if missing.len() == 1 { "is" } else { "are" };
    let there = match declared.in_order.as_slice() {
        [] => "which declares nothing".to_owned(),
        names => format!("which declares {}", listed(names, "and")),
    };
    (!missing.is_empty()).then(|| {
        Note::new(Tone::Bad, format!("{} {verb} not declared in securitySchemes, {there}.", listed(&missing, "and")))
    })
}

/// Longest excerpt of a value that is quoted in a note, in characters.
const MAX_EXCERPT: usize = 200;

/// More remarks than this on one list of requirements are left out: the list is nonsense by then.
const MAX_NOTES: usize = 24;

struct Reader<'a> {
    declared: &'a Declared<'a>,
    /// Whether 1.0's notation is expected.
    is_new: bool,
    notes: Vec<Note>,
    found_by: FoundBy,
}

impl Reader<'_> {
    /// The same remark on several items is made once.
    fn note(&mut self, tone: Tone, text: impl Into<String>) {
        if self.notes.len() > MAX_NOTES {
            return;
        }
        let note = if self.notes.len() < MAX_NOTES {
            Note::new(tone, text)
        } else {
            Note::new(Tone::Caution, "There is more of this kind; see the JSON.")
        };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Says what was found where `expected` belongs, as written.
    fn odd(&mut self, expected: &str, found: Node<'_>) {
        let raw = found.raw();
        let end = raw.char_indices().nth(MAX_EXCERPT).map_or(raw.len(), |(end, _)| end);
        let more = if end < raw.len() { "…" } else { "" };
        self.note(Tone::Caution, format!("{expected} is expected; found {}{more}.", &raw[..end]));
    }

    fn alternative(&mut self, item: Node<'_>, pointer: JsonPointer) -> Option<Alternative> {
        let mut schemes = Vec::new();
        if let Some(name) = item.as_str() {
            self.note(Tone::Caution, "A requirement is an object; a plain string is read as the name of a scheme.");
            self.found_by = FoundBy::default();
            schemes.push(self.scheme(&name, Vec::new()));
        } else if item.kind() != Kind::Object {
            self.odd("A requirement", item);
            return None;
        } else if let Some(wrapped) = item.get("schemes").filter(|node| self.is_wrapper(*node)) {
            self.found_by.older = false;
            self.wrapped(wrapped, &mut schemes);
            // Nothing else belongs beside the wrapper.
            for (name, node) in item.members().filter(|(name, _)| name != "schemes") {
                self.odd(&format!("schemes alone, not {name},"), node);
            }
        } else {
            if self.is_new && item.child_count() > 0 {
                self.found_by.newer = false;
                self.note(Tone::Caution, "Written in the notation of before 1.0 (name to scopes, without schemes).");
            }
            self.all_of(item, &mut schemes);
        }
        Some(Alternative { pointer, schemes })
    }

    /// `schemes` is 1.0's wrapper, unless a scheme of that very name is meant.
    fn is_wrapper(&self, node: Node<'_>) -> bool {
        node.kind() == Kind::Object || !self.declared.contains("schemes")
    }

    fn wrapped(&mut self, wrapped: Node<'_>, schemes: &mut Vec<RequiredScheme>) {
        if !self.is_new {
            self.note(Tone::Caution, "Written in the notation of 1.0; older clients do not read it.");
        }
        match wrapped.kind() {
            Kind::Array => {
                self.note(Tone::Caution, "schemes is a list of names, where A2A maps names to scopes.");
                for name in self.names(wrapped) {
                    schemes.push(self.scheme(&name, Vec::new()));
                }
            }
            Kind::Object => {}
            _ => self.odd("An object of schemes", wrapped),
        }
        if wrapped.members().any(|(_, scopes)| scopes.kind() == Kind::Array) {
            let remark = "Scopes stand in a plain list, as the Go SDK writes them; A2A's JSON has {\"list\": […]}.";
            self.note(Tone::Plain, remark);
        }
        self.all_of(wrapped, schemes);
    }

    /// The members of `map`, names of schemes with their scopes.
    fn all_of(&mut self, map: Node<'_>, schemes: &mut Vec<RequiredScheme>) {
        for (name, scopes) in map.members().take(MAX_WORDS) {
            let scopes = self.scopes(scopes);
            schemes.push(self.scheme(&name, scopes));
        }
        if let Some(note) = left_out(map.child_count(), MAX_WORDS, "schemes in one requirement") {
            self.note(note.tone, note.text);
        }
    }

    /// Scopes as a plain list, or in 1.0's wrapper, which ProtoJSON leaves empty where there are none.
    fn scopes(&mut self, node: Node<'_>) -> Vec<String> {
        match node.kind() {
            Kind::Object => {
                for (name, odd) in node.members().filter(|(name, _)| name != "list") {
                    self.odd(&format!("list alone, not {name},"), odd);
                }
                node.get("list").map(|list| self.names(list)).unwrap_or_default()
            }
            _ => self.names(node),
        }
    }

    /// The strings of a list; a single string counts as a list of one.
    fn names(&mut self, node: Node<'_>) -> Vec<String> {
        if node.kind() != Kind::Array {
            self.odd("A list of scopes", node);
            return node.as_str().map(Cow::into_owned).into_iter().collect();
        }
        if let Some(odd) = node.items().find(|item| item.kind() != Kind::String) {
            self.odd("A string", odd);
            if node.child_count() > 1 {
                self.odd("A list of strings", node);
            }
        }
        if let Some(note) = left_out(node.child_count(), MAX_WORDS, "names in one list") {
            self.note(note.tone, note.text);
        }
        strings(node)
    }

    fn scheme(&self, name: &str, scopes: Vec<String>) -> RequiredScheme {
        let declared = self.declared.contains(name);
        RequiredScheme { name: name.to_owned(), scopes, declared }
    }
}

/// The whole requirement in one sentence.
pub(super) fn summary(requirements: &Requirements) -> String {
    let is_open = |alternative: &&Alternative| alternative.schemes.is_empty();
    let sufficient: Vec<String> =
        requirements.alternatives.iter().filter(|alternative| !is_open(alternative)).map(all_of).collect();
    let anonymous = requirements.alternatives.iter().any(|alternative| is_open(&alternative));
    match (sufficient.as_slice(), anonymous) {
        ([], true) => "Nothing is required: anonymous use is allowed.".to_owned(),
        ([], false) => "Nothing is required.".to_owned(),
        ([only], false) => format!("Required: {only}."),
        ([only], true) => format!("Optional: {only}; anonymous use is allowed too."),
        (several, false) => format!("Any one of: {}.", listed_by_semicolon(several)),
        (several, true) => format!("Any one of: {}; anonymous use is allowed too.", listed_by_semicolon(several)),
    }
}

/// Alternatives named in the summary; the rest is counted.
const MAX_ALTERNATIVES: usize = 6;

fn listed_by_semicolon(alternatives: &[String]) -> String {
    match alternatives.get(MAX_ALTERNATIVES..) {
        Some(more @ [_, ..]) => {
            format!("{}; and {} more", alternatives[..MAX_ALTERNATIVES].join("; "), more.len())
        }
        _ => alternatives.join("; "),
    }
}

/// One alternative: "a and b (read, write)".
fn all_of(alternative: &Alternative) -> String {
    let schemes: Vec<String> = alternative
        .schemes
        .iter()
        .map(|scheme| match scheme.scopes.as_slice() {
            [] => scheme.name.clone(),
            scopes => format!("{} ({})", scheme.name, scopes.join(", ")),
        })
        .collect();
    if schemes.len() > 1 { format!("all of {}", listed(&schemes, "and")) } else { listed(&schemes, "and") }
}
