//! `authentication`: how cards of before 0.2 said what a client needs, in all its shapes.

use std::borrow::Cow;

use super::members::{Expected, Members};
use super::schemes::{bare, from_word, kind_of};
use super::values::{MAX_ROWS, left_out};
use crate::card::facts::{Alternative, Field, FoundBy, Note, RequiredScheme, Requirements, Scheme, SchemeKind, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

const EMPTY_LIST: &str = "The list of schemes is empty";

/// What the legacy member declares and, at once, requires.
pub(super) struct Legacy {
    pub schemes: Vec<Scheme>,
    pub requirements: Requirements,
    pub notes: Vec<Note>,
}

/// Takes `authentication`, if it is there.
pub(super) fn read(members: &mut Members<'_>) -> Option<Legacy> {
    members.peek("authentication")?;
    let member = members.take("authentication")?;
    let (schemes, optional) = match member.node.kind() {
        Kind::Array => (from_list(member.node, &member.pointer), false),
        Kind::Object => from_object(Members::of(member.node, member.pointer.clone())),
        _ => (vec![from_word(&word(member.node), member.node, member.pointer.clone())], false),
    };
    let list = if member.node.kind() == Kind::Array { Some(member.node) } else { member.node.get("schemes") };
    let count = list.map_or(0, |list| list.child_count());
    let notes = left_out(count, MAX_ROWS, "schemes").into_iter().collect();
    Some(Legacy { requirements: requirements(&schemes, optional, member.pointer), schemes, notes })
}

fn word(node: Node<'_>) -> String {
    node.as_str().map_or_else(|| node.raw().to_owned(), Cow::into_owned)
}

fn from_list(list: Node<'_>, pointer: &JsonPointer) -> Vec<Scheme> {
    list.items().enumerate().take(MAX_ROWS).map(|(at, item)| item_of(item, pointer.child(at), at)).collect()
}

/// An item of a list of schemes: a word, or an object that hides the word in one of its members.
fn item_of(item: Node<'_>, pointer: JsonPointer, at: usize) -> Scheme {
    if item.kind() != Kind::Object {
        return from_word(&word(item), item, pointer);
    }
    from_members(Members::of(item, pointer), &format!("scheme {}", at + 1))
}

/// An object that describes one scheme in words of its own.
fn from_members(mut members: Members<'_>, fallback: &str) -> Scheme {
    let pointer = members.pointer().clone();
    let mut scheme = bare(fallback, pointer);
    for name in ["type", "scheme", "method"] {
        let Some(node) = members.peek(name).filter(|node| node.kind() == Kind::String) else { continue };
        let Some(member) = members.take(name) else { continue };
        let mut read = from_word(&word(node), node, member.pointer);
        read.pointer = scheme.pointer;
        for field in &mut read.details {
            name.clone_into(&mut field.name);
        }
        scheme = read;
        break;
    }
    if scheme.summary.is_empty() {
        "A description of its own, in no notation of A2A".clone_into(&mut scheme.summary);
    }
    scheme.details.extend(members.rest());
    scheme
}

/// `{"schemes": […], "credentials": …}` or an object that is one scheme itself; whether it calls itself optional.
fn from_object(mut members: Members<'_>) -> (Vec<Scheme>, bool) {
    let optional = members.peek("required").and_then(|node| node.as_bool()) == Some(false);
    let has_credentials = members.peek("credentials").is_some();
    let Some(list) = members.take_if("schemes", Expected::List) else {
        return (vec![from_members(members, "authentication")], optional);
    };
    let mut schemes = from_list(list.node, &list.pointer);
    let pointer = members.pointer().clone();
    let rest: Vec<Field> = members.rest();
    if has_credentials && let Some(scheme) = schemes.first_mut() {
        scheme
            .notes
            .push(Note::new(Tone::Bad, "The card itself carries credentials: everyone who can read it has them."));
    }
    if let Some(scheme) = schemes.first_mut() {
        scheme.details.extend(rest);
    } else if !rest.is_empty() {
        let mut scheme = bare("authentication", pointer);
        scheme.kind = SchemeKind::None;
        EMPTY_LIST.clone_into(&mut scheme.summary);
        scheme.details = rest;
        schemes.push(scheme);
    }
    (schemes, optional)
}

/// Any one of the schemes was enough; "none" stands for anonymous use.
fn requirements(schemes: &[Scheme], optional: bool, pointer: JsonPointer) -> Requirements {
    let mut alternatives: Vec<Alternative> = schemes
        .iter()
        .filter(|scheme| scheme.summary != EMPTY_LIST)
        .map(|scheme| {
            let is_open = scheme.kind == SchemeKind::None || kind_of(&scheme.name) == SchemeKind::None;
            let required = RequiredScheme { name: scheme.name.clone(), scopes: Vec::new(), declared: true };
            Alternative { pointer: scheme.pointer.clone(), schemes: if is_open { Vec::new() } else { vec![required] } }
        })
        .collect();
    let mut notes = vec![Note::new(Tone::Plain, "Read from authentication: any one of its schemes is enough.")];
    if optional {
        notes.push(Note::new(Tone::Plain, "It says that authentication is not required."));
        alternatives.push(Alternative { pointer: pointer.clone(), schemes: Vec::new() });
    }
    let found_by = FoundBy { newer: false, older: true };
    Requirements { pointer: Some(pointer), alternatives, notes, found_by, beside: None }
}
