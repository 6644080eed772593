//! The group "Signatures": what is signed by whom, as far as it can be read without checking.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use super::known_field::{Known, ValueKind};
use super::members::{Expected, Members};
use super::values::{MAX_ROWS, left_out, value_of};
use crate::card::facts::{Field, FieldValue, Note, Shape, Signature, Signatures, Tone};
use crate::card::json::{JsonTree, Kind, Node};
use crate::card::pointer::JsonPointer;

const NOT_CHECKED: &str = "Signatures are listed here, not checked: this build cannot say whether they hold.";

/// Header parameters of a JWS (RFC 7515 §4.1) with what they mean to a reader.
const HEADER: [Known; 8] = [
    Known::new("alg", ValueKind::Text, "§8.4.2", "The algorithm of the signature."),
    Known::new("kid", ValueKind::Text, "§8.4.2", "Which of the signer's keys was used."),
    Known::new("typ", ValueKind::Text, "§8.4.2", "What kind of object this is; JOSE for a JWS."),
    Known::new(
        "jku",
        ValueKind::Address,
        "§8.4.2",
        "Where the signer says the key can be found. Whoever signed chose it, so it proves nothing by itself.",
    ),
    Known::new(
        "jwk",
        ValueKind::Any,
        "§8.4.2",
        "A key that the signer put beside the signature; it proves nothing by itself.",
    ),
    Known::new("x5c", ValueKind::Any, "§8.4.2", "A chain of certificates for the key."),
    Known::new("iat", ValueKind::Any, "", "When it was signed, in seconds since 1970, by the signer's own account."),
    Known::new("crit", ValueKind::Any, "", "Parameters that a reader must understand, or else refuse the signature."),
];

const PROTECTED: Known = Known::new(
    "protected",
    ValueKind::Text,
    "§4.4.7",
    "The header that the signature covers, in base64url; its members are listed above.",
);
const SIGNATURE: Known = Known::new("signature", ValueKind::Text, "§4.4.7", "The signature itself, in base64url.");

/// Reads `signatures`, or a single `signature` where a card has that instead.
pub(super) fn read(members: &mut Members<'_>, shape: Shape) -> Signatures {
    let mut group = Signatures::default();
    if let Some(list) = members.take_if("signatures", Expected::List) {
        group.notes.extend(list.notes);
        let items = list.node.items().enumerate().take(MAX_ROWS);
        group.rows = items.map(|(at, item)| row(item, list.pointer.child(at))).collect();
        group.notes.extend(left_out(list.node.child_count(), MAX_ROWS, "signatures"));
        if group.rows.is_empty() {
            group.notes.push(Note::new(Tone::Plain, "The list of signatures is empty: the card is not signed."));
        }
    } else {
        group.notes.extend(members.peek("signatures").map(|node| Expected::List.misfit(node.kind())));
    }
    if members.peek("signature").is_some()
        && let Some(member) = members.take("signature")
    {
        let mut row = row(member.node, member.pointer);
        row.notes.push(Note::new(Tone::Caution, "It stands under signature; A2A has a list called signatures."));
        group.rows.push(row);
    }
    match (group.rows.is_empty(), group.notes.is_empty()) {
        (true, true) => group.notes.push(Note::new(Tone::Plain, "The card is not signed.")),
        (true, false) => {}
        (false, _) => {
            group.notes.insert(0, Note::new(Tone::Caution, NOT_CHECKED));
            if shape == Shape::Hybrid {
                group.notes.push(Note::new(
                    Tone::Plain,
                    "The card has members of two releases; what exactly was signed depends on the signer.",
                ));
            }
        }
    }
    group
}

fn row(node: Node<'_>, pointer: JsonPointer) -> Signature {
    match node.kind() {
        Kind::Object => {
            let members = Members::of(node, pointer);
            if members.peek("protected").is_some_and(|node| node.kind() == Kind::String) {
                jws(members)
            } else {
                foreign(members)
            }
        }
        _ => compact_or_odd(node, pointer),
    }
}

fn empty(pointer: JsonPointer) -> Signature {
    Signature { pointer, alg: None, kid: None, fields: Vec::new(), summary: String::new(), notes: Vec::new() }
}

/// The form that A2A defines: a JWS in its JSON form, without the payload (§8.4.2).
fn jws(mut members: Members<'_>) -> Signature {
    let mut signature = empty(members.pointer().clone());
    let text = members.text("protected").unwrap_or_default();
    let pointer = members.pointer().child("protected");
    let decoded = decode_header(&mut signature, &text, &pointer);
    signature.fields.extend(PROTECTED.take(&mut members));
    let value = members.text("signature");
    signature.fields.extend(SIGNATURE.take(&mut members));
    match value.as_deref() {
        None | Some("") => signature.notes.push(Note::new(Tone::Bad, "The signature itself is missing.")),
        Some(value) => signature.notes.extend(length_note(value, signature.alg.as_deref())),
    }
    signature.fields.extend(members.rest());
    signature.summary = if decoded {
        let alg = signature.alg.as_deref().unwrap_or("no algorithm");
        match &signature.kid {
            Some(kid) => format!("JWS, {alg}, key {kid}"),
            None => format!("JWS, {alg}, no key named"),
        }
    } else {
        "JWS whose header cannot be read".to_owned()
    };
    signature
}

/// Decodes a protected header into fields; says why if it cannot.
fn decode_header(signature: &mut Signature, text: &str, pointer: &JsonPointer) -> bool {
    let unpadded = text.trim_end_matches('=');
    if unpadded.len() != text.len() {
        signature.notes.push(Note::new(Tone::Caution, "protected is padded with =, which base64url in a JWS is not."));
    }
    let json = URL_SAFE_NO_PAD.decode(unpadded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let tree = json.and_then(|json| JsonTree::parse(json).ok()).filter(|tree| tree.root().kind() == Kind::Object);
    let Some(tree) = tree else {
        signature
            .notes
            .push(Note::new(Tone::Bad, "protected is not a JSON object in base64url, so it cannot be read."));
        return false;
    };
    let mut header = Members::of(tree.root(), pointer.clone());
    let text = |name: &str| tree.root().get_str(name).map(Cow::into_owned);
    signature.alg = text("alg");
    signature.kid = text("kid");
    let mut fields: Vec<Field> = HEADER.iter().filter_map(|known| known.take(&mut header)).collect();
    fields.extend(header.rest());
    // The decoded members have no place of their own in the document: the header has.
    for field in &mut fields {
        field.pointer = Some(pointer.clone());
        "decoded".clone_into(&mut field.aside);
    }
    signature.fields.extend(fields);
    let notes = header_notes(signature, &tree);
    signature.notes.extend(notes);
    true
}

fn header_notes(signature: &Signature, tree: &JsonTree) -> Vec<Note> {
    let mut notes = Vec::new();
    match signature.alg.as_deref() {
        None => notes.push(Note::new(Tone::Bad, "The header names no algorithm.")),
        Some(alg) if alg.eq_ignore_ascii_case("none") => {
            notes.push(Note::new(Tone::Bad, "The algorithm is none: this is no signature at all."));
        }
        Some(alg) if alg.starts_with("HS") => {
            let remark =
                format!("{alg} needs a secret that signer and reader share; whoever can check it can forge it.");
            notes.push(Note::new(Tone::Bad, remark));
        }
        Some(_) => {}
    }
    if signature.kid.is_none() {
        notes.push(Note::new(Tone::Caution, "The header names no key (kid)."));
    }
    match tree.root().get_str("jku") {
        Some(jku) => {
            notes.push(Note::new(Tone::Plain, format!("The key is said to be at {jku}; Cardscope does not fetch it.")));
        }
        None if tree.root().get("jwk").is_none() && tree.root().get("x5c").is_none() => {
            notes.push(Note::new(Tone::Plain, "It does not say where the key is; you would need it from the signer."));
        }
        None => {}
    }
    if tree.root().get("crit").is_some() {
        notes.push(Note::new(Tone::Caution, "It demands that readers understand what crit names, or refuse it."));
    }
    notes
}

/// The bytes that a fixed-length algorithm must give.
fn length_note(value: &str, alg: Option<&str>) -> Option<Note> {
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(value.trim_end_matches('=')) else {
        return Some(Note::new(Tone::Bad, "The signature is not base64url."));
    };
    let expected = match alg? {
        "ES256" | "ES256K" | "EdDSA" | "Ed25519" => 64,
        "ES384" => 96,
        "ES512" => 132,
        _ => return None,
    };
    (bytes.len() != expected).then(|| {
        let alg = alg.unwrap_or_default();
        Note::new(Tone::Caution, format!("The signature has {} bytes; {alg} gives {expected}.", bytes.len()))
    })
}

/// Another standard's signature: its members, and what it is called.
fn foreign(members: Members<'_>) -> Signature {
    let mut signature = empty(members.pointer().clone());
    let text = |name: &str| members.text(name);
    let has = |name: &str| members.peek(name).is_some();
    let kind = text("type");
    signature.alg = text("alg").or_else(|| text("algorithm"));
    signature.kid = text("kid").or_else(|| text("keyId")).or_else(|| text("verificationMethod"));
    signature.summary = if has("proofValue") || has("proofPurpose") || has("cryptosuite") {
        match &kind {
            Some(kind) => format!("Data Integrity proof ({kind}), not a JWS"),
            None => "Data Integrity proof, not a JWS".to_owned(),
        }
    } else if has("jws") {
        match &signature.alg {
            Some(alg) => format!("A JWS inside an object of its own ({alg})"),
            None => "A JWS inside an object of its own".to_owned(),
        }
    } else if has("payload") || has("signatures") {
        "A JWS with its payload, not the form of A2A".to_owned()
    } else {
        match kind.as_ref().or(signature.alg.as_ref()) {
            Some(kind) => format!("A signature in another format ({kind})"),
            None => "A signature in another format".to_owned(),
        }
    };
    signature.fields = members.rest();
    signature.notes.push(Note::new(
        Tone::Caution,
        "Not the form that A2A defines, so clients cannot check it by the specification. That does not make it wrong.",
    ));
    signature
}

/// A compact JWS as a string, or nothing that can be called a signature.
fn compact_or_odd(node: Node<'_>, pointer: JsonPointer) -> Signature {
    let mut signature = empty(pointer.clone());
    let text = node.as_str().unwrap_or_default();
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() == 3 && decode_header(&mut signature, parts[0], &pointer) {
        let alg = signature.alg.as_deref().unwrap_or("no algorithm");
        signature.summary = format!("Compact JWS, {alg}, not the form of A2A");
    } else {
        signature.notes.clear();
        signature.summary = if node.kind() == Kind::String && STANDARD.decode(text.as_ref()).is_ok() {
            "A bare signature, without what is needed to check it".to_owned()
        } else {
            format!("Not a signature: {}", node.kind().with_article())
        };
    }
    signature.fields.push(Field {
        name: "as written".to_owned(),
        pointer: Some(pointer),
        value: match value_of(node) {
            FieldValue::Address(text) => FieldValue::Text(text),
            value => value,
        },
        ..Field::default()
    });
    signature.notes.push(Note::new(Tone::Caution, "A2A's signatures are objects with protected and signature."));
    signature
}
