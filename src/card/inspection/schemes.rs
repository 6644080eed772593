//! Security schemes in every notation: wrapped (1.0), flat (0.3), both at once, bare, and foreign ones.

use super::extensions::is_about_payment;
use super::known_field::{Known, ValueKind};
use super::members::Members;
use super::oauth;
use super::values::{listed, value_of};
use crate::card::facts::{Field, FieldValue, Note, Scheme, SchemeKind, Shape, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// The wrappers of 1.0 and the kinds they stand for (§4.5.1).
const WRAPPERS: [(&str, SchemeKind); 5] = [
    ("apiKeySecurityScheme", SchemeKind::ApiKey),
    ("httpAuthSecurityScheme", SchemeKind::Http),
    ("oauth2SecurityScheme", SchemeKind::OAuth2),
    ("openIdConnectSecurityScheme", SchemeKind::OpenIdConnect),
    ("mtlsSecurityScheme", SchemeKind::MutualTls),
];

const TYPE: Known =
    Known::new("type", ValueKind::Text, "0.3 §5.5.3", "The kind of scheme, in the notation of 0.3 and OpenAPI.");
const DESCRIPTION: Known =
    Known::new("description", ValueKind::Text, "§4.5.1", "What the owner of the agent says about this scheme.");
const LOCATION: Known = Known::new(
    "location",
    ValueKind::Text,
    "§4.5.2",
    "Where the key goes in a request: header, query or cookie. In a query it ends up in the logs of servers.",
);
const IN: Known = Known::new("in", ValueKind::Text, "0.3 §5.5.3", LOCATION.help);
const KEY_NAME: Known = Known::new(
    "name",
    ValueKind::Text,
    "§4.5.2",
    "The name of the header, query parameter or cookie that holds the key.",
);
const HTTP_SCHEME: Known = Known::new(
    "scheme",
    ValueKind::Text,
    "§4.5.3",
    "The word before the credential in the Authorization header, such as Bearer or Basic. Case does not matter.",
);
const BEARER_FORMAT: Known =
    Known::new("bearerFormat", ValueKind::Text, "§4.5.3", "A hint to people on what the token is, for example a JWT.");
const OPEN_ID_CONNECT_URL: Known = Known::new(
    "openIdConnectUrl",
    ValueKind::Address,
    "§4.5.5",
    "Where the identity provider describes itself. Cardscope does not fetch it unasked.",
);
const OAUTH2_METADATA_URL: Known = Known::new(
    "oauth2MetadataUrl",
    ValueKind::Address,
    "§4.5.4",
    "Where the authorization server describes itself (RFC 8414). Cardscope does not fetch it unasked.",
);

/// Reads the scheme `name`, whatever notation it is in.
pub(super) fn read(name: &str, node: Node<'_>, pointer: JsonPointer, shape: Shape) -> Scheme {
    if node.kind() != Kind::Object {
        return from_word(name, node, pointer);
    }
    let mut scheme = bare(name, pointer.clone());
    let mut outer = Members::of(node, pointer);
    let flat =
        outer.peek("type").and_then(|node| node.as_str()).map(|word| (word.clone().into_owned(), kind_of(&word)));
    let wrapped: Vec<(&str, SchemeKind)> = WRAPPERS
        .into_iter()
        .filter(|(wrapper, _)| outer.peek(wrapper).is_some_and(|node| node.kind() == Kind::Object))
        .collect();
    match (wrapped.as_slice(), flat) {
        ([], flat) => read_flat(&mut scheme, outer, flat, shape),
        ([(wrapper, kind)], flat) => {
            scheme.kind = *kind;
            read_wrapped(&mut scheme, &mut outer, wrapper, shape, flat.is_some());
            if let Some((word, flat_kind)) = flat {
                both_notations(&mut scheme, &word, flat_kind);
            }
            scheme.details.extend(outer.rest());
        }
        (several, _) => {
            scheme.kind = several[0].1;
            scheme.faulty = true;
            let names: Vec<&str> = several.iter().map(|(wrapper, _)| *wrapper).collect();
            scheme.summary = format!("Several schemes at once: {}", listed(&names, "and"));
            scheme.notes.push(Note::new(Tone::Bad, "A scheme must be of one kind; which one is meant cannot be told."));
            scheme.details = outer.rest();
        }
    }
    scheme
}

/// A row of which nothing but its place is known.
pub(super) fn bare(name: &str, pointer: JsonPointer) -> Scheme {
    Scheme {
        pointer,
        name: name.to_owned(),
        kind: SchemeKind::Unknown,
        summary: String::new(),
        details: Vec::new(),
        notes: Vec::new(),
        faulty: false,
        required_somewhere: false,
    }
}

/// A scheme given as one word instead of an object, as legacy lists do.
pub(super) fn from_word(name: &str, node: Node<'_>, pointer: JsonPointer) -> Scheme {
    let mut scheme = bare(name, pointer.clone());
    let word = node.as_str().unwrap_or_default();
    scheme.kind = kind_of(&word);
    scheme.summary = match scheme.kind {
        SchemeKind::ApiKey => "API key; where it goes is not said".to_owned(),
        SchemeKind::Http if fold(&word) == "http" => "HTTP".to_owned(),
        SchemeKind::Http => format!("HTTP {}", word.to_ascii_lowercase()),
        SchemeKind::OAuth2 => "OAuth 2.0; no flow is given".to_owned(),
        SchemeKind::OpenIdConnect => "OpenID Connect; no address is given".to_owned(),
        SchemeKind::MutualTls => "Mutual TLS: a client certificate".to_owned(),
        SchemeKind::None => "No authentication".to_owned(),
        SchemeKind::Unknown if word.is_empty() => format!("Not a scheme: {}", node.kind().with_article()),
        SchemeKind::Unknown => format!("Unknown kind \"{word}\""),
    };
    scheme.details.push(Field {
        name: "as written".to_owned(),
        pointer: Some(pointer),
        value: value_of(node),
        ..Field::default()
    });
    scheme.notes.extend(payment_note(&word));
    scheme
}

/// Takes the wrapper of 1.0 out of `outer` and reads what is in it.
fn read_wrapped(scheme: &mut Scheme, outer: &mut Members<'_>, wrapper: &str, shape: Shape, has_type: bool) {
    let Some(member) = outer.take(wrapper) else { return };
    match member.alias.as_deref() {
        // The Go SDK's short name comes with the flat notation, which is noted then.
        Some(alias) if !alias.contains("ecurity") => {
            scheme
                .notes
                .push(Note::new(Tone::Plain, format!("The wrapper is called {alias} here, as the Go SDK writes it.")));
        }
        _ => scheme.notes.extend(member.notes),
    }
    if matches!(shape, Shape::V0_3 | Shape::V0_2) && !has_type {
        scheme.notes.push(Note::new(Tone::Caution, "In the notation of 1.0; older clients do not read it."));
    }
    let mut inner = Members::of(member.node, member.pointer);
    read_body(scheme, &mut inner, true);
    scheme.details.extend(inner.rest());
}

/// `type` beside a wrapper: what SDKs write so that clients of every release can read the scheme.
fn both_notations(scheme: &mut Scheme, word: &str, flat: SchemeKind) {
    if flat == scheme.kind {
        scheme.notes.push(Note::new(Tone::Plain, "Given in both notations, of 1.0 and of before."));
    } else {
        scheme.faulty = true;
        scheme.notes.push(Note::new(Tone::Bad, format!("Its two notations disagree: type says \"{word}\".")));
    }
}

fn read_flat(scheme: &mut Scheme, mut outer: Members<'_>, flat: Option<(String, SchemeKind)>, shape: Shape) {
    scheme.details.extend(TYPE.take(&mut outer));
    if let Some((word, kind)) = flat {
        scheme.kind = kind;
        scheme.notes.extend(type_note(&word, kind));
        if shape == Shape::V1_0 {
            scheme.notes.push(Note::new(Tone::Caution, "In the notation of 0.3; clients of 1.0 do not read it."));
        }
        read_body(scheme, &mut outer, false);
        typed_summary(scheme, &word);
    } else {
        scheme.kind = inferred(&outer);
        scheme.notes.push(match scheme.kind {
            SchemeKind::Unknown => {
                Note::new(Tone::Caution, "Neither type nor a wrapper says what kind of scheme it is.")
            }
            kind => Note::new(Tone::Caution, format!("No type is given; by its members it is {}.", with_article(kind))),
        });
        read_body(scheme, &mut outer, false);
        if scheme.kind == SchemeKind::Unknown {
            "Unknown kind".clone_into(&mut scheme.summary);
        }
    }
    scheme.details.extend(outer.rest());
}

/// What the word under `type` adds to the summary of a scheme.
fn typed_summary(scheme: &mut Scheme, word: &str) {
    match scheme.kind {
        SchemeKind::Unknown => {
            scheme.summary = format!("Unknown kind \"{word}\"");
            scheme.notes.extend(payment_note(word));
        }
        // `type: bearer` says what `scheme` would.
        SchemeKind::Http if !matches!(fold(word).as_str(), "http" | "httpauth") => {
            scheme.summary = format!("HTTP {}", word.to_ascii_lowercase());
            scheme.faulty = false;
            scheme.notes.retain(|note| note.text != NO_SCHEME);
        }
        _ => {}
    }
}

/// The kind of a scheme that does not name it, by the members that only one kind has.
fn inferred(members: &Members<'_>) -> SchemeKind {
    let has = |name: &str| members.peek(name).is_some();
    let says = |name: &str| {
        members.peek(name).and_then(|node| node.as_str()).map_or(SchemeKind::Unknown, |word| kind_of(&word))
    };
    if has("openIdConnectUrl") {
        SchemeKind::OpenIdConnect
    } else if has("flows") || has("oauth2MetadataUrl") {
        SchemeKind::OAuth2
    } else if (has("in") && has("name")) || says("scheme") == SchemeKind::ApiKey {
        SchemeKind::ApiKey
    } else if has("bearerFormat") || says("scheme") == SchemeKind::Http {
        SchemeKind::Http
    } else {
        SchemeKind::Unknown
    }
}

const NO_SCHEME: &str = "scheme is missing; bearer is the usual one.";

/// Reads the members that the scheme's kind has, and sums them up.
fn read_body(scheme: &mut Scheme, members: &mut Members<'_>, is_new: bool) {
    let mut take = |known: &Known| -> Option<String> {
        let field = known.take(members)?;
        let text = match &field.value {
            FieldValue::Text(text) | FieldValue::Address(text) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        scheme.details.push(field);
        text
    };
    let mut missing = Vec::new();
    scheme.summary = match scheme.kind {
        SchemeKind::ApiKey => {
            let location = take(if is_new { &LOCATION } else { &IN });
            let name = take(&KEY_NAME);
            missing.extend(location.is_none().then_some(if is_new { "location" } else { "in" }));
            missing.extend(name.is_none().then_some("name"));
            match (location, name) {
                (Some(location), Some(name)) => format!("API key in {location} {name}"),
                _ => "API key".to_owned(),
            }
        }
        SchemeKind::Http => {
            let word = take(&HTTP_SCHEME);
            let format = take(&BEARER_FORMAT);
            if word.is_none() {
                scheme.faulty = true;
                scheme.notes.push(Note::new(Tone::Caution, NO_SCHEME));
            }
            let word = word.map_or_else(String::new, |word| format!(" {}", word.to_ascii_lowercase()));
            format.map_or_else(|| format!("HTTP{word}"), |format| format!("HTTP{word} ({format})"))
        }
        SchemeKind::OpenIdConnect => {
            let url = take(&OPEN_ID_CONNECT_URL);
            missing.extend(url.is_none().then_some("openIdConnectUrl"));
            url.map_or_else(|| "OpenID Connect".to_owned(), |url| format!("OpenID Connect at {url}"))
        }
        SchemeKind::OAuth2 => {
            take(&OAUTH2_METADATA_URL);
            let (flows, names) = oauth::flows(members);
            missing.extend(names.is_empty().then_some("flows"));
            scheme.details.extend(flows);
            if names.is_empty() { "OAuth 2.0".to_owned() } else { format!("OAuth 2.0: {}", listed(&names, "or")) }
        }
        SchemeKind::MutualTls => "Mutual TLS: a client certificate".to_owned(),
        SchemeKind::None => "No authentication".to_owned(),
        SchemeKind::Unknown => String::new(),
    };
    scheme.details.extend(DESCRIPTION.take(members));
    if !missing.is_empty() {
        scheme.faulty = true;
        let verb = if missing.len() == 1 { "is" } else { "are" };
        scheme.notes.push(Note::new(
            Tone::Bad,
            format!("{} {verb} missing; without it nobody can prove who they are this way.", listed(&missing, "and")),
        ));
    }
}

/// The kind that a word stands for, in any of the spellings found in cards.
pub(super) fn kind_of(word: &str) -> SchemeKind {
    match fold(word).as_str() {
        "apikey" | "apikeyauth" => SchemeKind::ApiKey,
        "http" | "httpauth" | "bearer" | "bearertoken" | "jwt" | "basic" | "digest" => SchemeKind::Http,
        "oauth2" | "oauth" | "oauth2.0" => SchemeKind::OAuth2,
        "openidconnect" | "oidc" | "openid" => SchemeKind::OpenIdConnect,
        "mutualtls" | "mtls" => SchemeKind::MutualTls,
        "none" | "noauth" | "anonymous" | "public" => SchemeKind::None,
        _ => SchemeKind::Unknown,
    }
}

fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

/// A `type` in another spelling than OpenAPI's five.
fn type_note(word: &str, kind: SchemeKind) -> Option<Note> {
    let is_plain = matches!(word, "apiKey" | "http" | "oauth2" | "openIdConnect" | "mutualTLS" | "none");
    (!is_plain && kind != SchemeKind::Unknown).then(|| {
        Note::new(Tone::Caution, format!("\"{word}\" is none of A2A's types; read as {}.", with_article(kind)))
    })
}

fn payment_note(word: &str) -> Option<Note> {
    is_about_payment(word)
        .then(|| Note::new(Tone::Plain, "About payment: the agent may ask for money. Cardscope never pays."))
}

fn with_article(kind: SchemeKind) -> &'static str {
    match kind {
        SchemeKind::ApiKey => "an API key",
        SchemeKind::Http => "HTTP authentication",
        SchemeKind::OAuth2 => "OAuth 2.0",
        SchemeKind::OpenIdConnect => "OpenID Connect",
        SchemeKind::MutualTls => "mutual TLS",
        SchemeKind::None => "no authentication",
        SchemeKind::Unknown => "an unknown kind",
    }
}
