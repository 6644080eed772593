//! The flows of an OAuth 2.0 scheme: how a client comes by a token (§4.5.7).

use super::known_field::{Known, ValueKind};
use super::members::{Expected, Members};
use super::values::value_of;
use crate::card::facts::{Field, FieldValue, Note, Tone};
use crate::card::json::Kind;

/// The flows that A2A knows: name, words for a sentence, help, and whether it is given up.
const FLOWS: [(&str, &str, &str, bool); 5] = [
    (
        "authorizationCode",
        "authorization code",
        "A person signs in with a browser; the client gets a code and exchanges it for a token.",
        false,
    ),
    (
        "clientCredentials",
        "client credentials",
        "The client signs in as itself, with an id and a secret; no person takes part.",
        false,
    ),
    (
        "deviceCode",
        "device code",
        "A person signs in on another device, with a short code that the client shows.",
        false,
    ),
    ("implicit", "implicit", "The token comes straight from the browser's address; it leaks easily.", true),
    ("password", "password", "The client is told a person's password.", true),
];

const MEMBERS: [Known; 5] = [
    Known::new("authorizationUrl", ValueKind::Address, "§4.5.8", "Where a person gives consent."),
    Known::new("deviceAuthorizationUrl", ValueKind::Address, "§4.5.10", "Where the client asks for a code to show."),
    Known::new("tokenUrl", ValueKind::Address, "§4.5.7", "Where the client gets its token."),
    Known::new("refreshUrl", ValueKind::Address, "§4.5.7", "Where the client renews its token."),
    Known::new(
        "pkceRequired",
        ValueKind::Flag,
        "§4.5.8",
        "Whether the client has to prove that it is the one who began the sign-in (PKCE).",
    ),
];

const FLOWS_HELP: &str = "How a client can come by a token. One of them is enough.";

/// Takes `flows` as a field, with the words for every flow in it. None, if it is missing or no object.
pub(super) fn flows(members: &mut Members<'_>) -> (Option<Field>, Vec<&'static str>) {
    let Some(member) = members.take_if("flows", Expected::Object) else { return (None, Vec::new()) };
    let mut inside = Members::of(member.node, member.pointer.clone());
    let mut field = Field {
        name: "flows".to_owned(),
        pointer: Some(member.pointer),
        value: FieldValue::Group,
        notes: member.notes,
        help: FLOWS_HELP,
        spec: "§4.5.7",
        ..Field::default()
    };
    let mut names = Vec::new();
    for (name, words, help, is_given_up) in FLOWS {
        let Some(flow) = inside.take_if(name, Expected::Object) else { continue };
        names.push(words);
        let mut child = Field {
            name: name.to_owned(),
            pointer: Some(flow.pointer.clone()),
            value: FieldValue::Group,
            notes: flow.notes,
            help,
            spec: "§4.5.7",
            ..Field::default()
        };
        if is_given_up {
            child.notes.push(Note::new(Tone::Caution, "This flow is given up by OAuth 2.1 and deprecated in A2A."));
        }
        child.children = parts(Members::of(flow.node, flow.pointer));
        field.children.push(child);
    }
    field.children.extend(inside.rest());
    (Some(field), names)
}

fn parts(mut flow: Members<'_>) -> Vec<Field> {
    let mut fields: Vec<Field> = MEMBERS.iter().filter_map(|known| known.take(&mut flow)).collect();
    fields.extend(scopes(&mut flow));
    fields.extend(flow.rest());
    fields
}

/// Scopes with what each allows.
fn scopes(flow: &mut Members<'_>) -> Option<Field> {
    let member = flow.take("scopes")?;
    let mut field = Field {
        name: "scopes".to_owned(),
        pointer: Some(member.pointer.clone()),
        value: value_of(member.node),
        notes: member.notes,
        help: "What a token can be limited to, each with what it allows.",
        spec: "§4.5.7",
        ..Field::default()
    };
    if member.node.kind() == Kind::Object {
        field.value = FieldValue::Group;
        field.children = Members::of(member.node, member.pointer).rest();
    } else {
        field
            .notes
            .push(Note::new(Tone::Caution, "Expected an object of scopes and what they allow; shown as written."));
    }
    Some(field)
}
