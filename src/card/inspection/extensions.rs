//! Declared protocol extensions, in their place and out of it.

use super::members::{Expected, Member, Members};
use super::values::{MAX_ROWS, left_out, value_of};
use crate::card::facts::{Extension, Field, Note, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// Reads `extensions` of `capabilities`, then of the card itself, where some cards put them.
pub(super) fn read(capabilities: &mut Members<'_>, card: &mut Members<'_>) -> Vec<Extension> {
    let mut extensions = Vec::new();
    if let Some(member) = take(capabilities) {
        extensions.extend(from(&member, None));
    }
    if let Some(member) = take(card) {
        let remark = "In the wrong place: clients look under capabilities.extensions only.";
        extensions.extend(from(&member, Some(remark)));
    }
    extensions
}

/// Takes `extensions` if something can be read from it; everything else stays a left-over.
fn take<'a>(members: &mut Members<'a>) -> Option<Member<'a>> {
    let is_object = members.peek("extensions").is_some_and(|node| node.kind() == Kind::Object);
    members.take_if("extensions", if is_object { Expected::Object } else { Expected::List })
}

fn from(member: &Member<'_>, misplaced: Option<&'static str>) -> Vec<Extension> {
    let mut extensions: Vec<Extension> = if member.node.kind() == Kind::Object {
        let members = member.node.members().take(MAX_ROWS);
        members.map(|(name, node)| keyed(&name, node, member.pointer.child(&name))).collect()
    } else {
        let items = member.node.items().enumerate().take(MAX_ROWS);
        items.map(|(at, node)| item(node, member.pointer.child(at))).collect()
    };
    for extension in &mut extensions {
        extension.notes.extend(misplaced.map(|remark| Note::new(Tone::Caution, remark)));
    }
    if let Some(first) = extensions.first_mut() {
        first.notes.extend(member.notes.iter().cloned());
    }
    if let Some(last) = extensions.last_mut() {
        last.notes.extend(left_out(member.node.child_count(), MAX_ROWS, "extensions"));
    }
    extensions
}

/// An entry of an object that maps names to extensions.
fn keyed(name: &str, node: Node<'_>, pointer: JsonPointer) -> Extension {
    let mut extension = item(node, pointer);
    if extension.uri.is_empty() {
        name.clone_into(&mut extension.uri);
    }
    extension.notes.retain(|note| note.text != NO_URI);
    extension.notes.push(Note::new(
        Tone::Caution,
        format!("In the wrong shape: A2A lists extensions; this one is filed under the name {name}."),
    ));
    extension
}

const NO_URI: &str = "uri is missing, so no client can ask for it.";

/// An entry of a list of extensions (§4.4.4).
fn item(node: Node<'_>, pointer: JsonPointer) -> Extension {
    let mut notes = Vec::new();
    if node.kind() != Kind::Object {
        return not_an_object(node, pointer);
    }
    let mut members = Members::of(node, pointer);
    let uri = members.take_text("uri", &mut notes).unwrap_or_default();
    let description = members.take_text("description", &mut notes);
    let required = members
        .take_if("required", Expected::Bool)
        .and_then(|mut member| {
            notes.append(&mut member.notes);
            member.node.as_bool()
        })
        .unwrap_or_default();
    if required {
        notes.push(Note::new(
            Tone::Caution,
            "Required: a client that does not declare it is answered with -32008 (§3.3.4).",
        ));
    }
    let params = members.take("params").map(|member| member.node);
    if params.is_some_and(|params| !matches!(params.kind(), Kind::Object | Kind::Null)) {
        notes.push(Note::new(Tone::Caution, "params is expected to be an object; shown as written."));
    }
    notes.extend(uri_note(&uri));
    Extension {
        pointer: members.pointer().clone(),
        uri,
        description,
        required,
        params: params.map(|params| params.raw().to_owned()),
        notes,
        other_fields: members.rest(),
    }
}

fn not_an_object(node: Node<'_>, pointer: JsonPointer) -> Extension {
    let text = node.as_str();
    let remark =
        format!("In the wrong shape: an extension is an object with uri; this is {}.", node.kind().with_article());
    let other_fields = match &text {
        Some(_) => Vec::new(),
        None => vec![Field { pointer: Some(pointer.clone()), value: value_of(node), ..Field::default() }],
    };
    let uri = text.unwrap_or_default().into_owned();
    let mut notes = vec![Note::new(Tone::Caution, remark)];
    notes.extend(uri_note(&uri).filter(|_| !uri.is_empty()));
    Extension { pointer, uri, description: None, required: false, params: None, notes, other_fields }
}

fn uri_note(uri: &str) -> Option<Note> {
    if uri.is_empty() {
        return Some(Note::new(Tone::Caution, NO_URI));
    }
    if is_about_payment(uri) {
        return Some(Note::new(Tone::Plain, "About payment: the agent may ask for money. Cardscope never pays."));
    }
    url::Url::parse(uri)
        .is_err()
        .then(|| Note::new(Tone::Caution, "This is no complete URI, as an extension's name has to be."))
}

/// Whether a name belongs to one of the payment protocols that ride on A2A.
pub(super) fn is_about_payment(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["x402", "payment", "/ap2", "pricing"].iter().any(|word| name.contains(word))
}
