//! Small edits to a base card, written in words that are the same for every release.
//!
//! An edit is a list of statements joined by ` ; `. A statement is `PATH := JSON` (set), `PATH + JSON` (append to a
//! list), `PATH -` (remove), `PATH order 2 0 1` (entries in that order), `PATH rename OLD NEW`, or `whole := JSON`. It
//! concerns the newer card; behind `<` the older one, behind `=` both. `@word` begins a path that differs from release
//! to release, and `need(…)`, `interface(…)`, `jws(…)`, `kind(…)` stand for JSON that does,
//! and `words(250)` for so many words. In a hybrid card they mean what clients of 1.0 read; `@old-word` and `former(…)`
//! mean what clients of 0.3 read, as in a card of 0.3.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// Which card of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Older,
    Newer,
}

/// The base card `form` ("0.3", "1.0", "hybrid") with the statements of `edits` that concern `which` card.
pub fn edited(form: &str, edits: &str, which: Which) -> String {
    let base = match form {
        "0.3" => include_str!("bases/0.3.json"),
        "1.0" => include_str!("bases/1.0.json"),
        "hybrid" => include_str!("bases/hybrid.json"),
        _ => panic!("no base card {form}"),
    };
    let mut card: Value = serde_json::from_str(base).unwrap();
    for statement in edits.split(" ; ").map(str::trim).filter(|statement| !statement.is_empty()) {
        let (concerns, statement) = match statement.split_at(1) {
            ("<", rest) => (which == Which::Older, rest),
            ("=", rest) => (true, rest),
            _ => (which == Which::Newer, statement),
        };
        if concerns {
            apply(&mut card, form, statement.trim());
        }
    }
    card.to_string()
}

fn apply(card: &mut Value, form: &str, statement: &str) {
    let (path, rest) = statement.split_once(' ').unwrap_or_else(|| panic!("no statement: {statement}"));
    let (verb, argument) = rest.split_once(' ').unwrap_or((rest, ""));
    let path = if path == "whole" { String::new() } else { located(path, form) };
    let numbers = || argument.split(' ').map(|number| number.parse::<usize>().unwrap());
    match verb {
        ":=" => set(card, &path, value(argument, form)),
        "+" => list(card, &path).push(value(argument, form)),
        "-" => remove(card, &path),
        "order" => {
            let items = list(card, &path);
            let old = items.clone();
            *items = numbers().map(|at| old[at].clone()).collect();
            assert_eq!(items.len(), old.len(), "{statement}");
        }
        "rename" => {
            let (from, to) = argument.split_once(' ').unwrap();
            let members = card.pointer_mut(&path).and_then(Value::as_object_mut).unwrap();
            let renamed = std::mem::take(members).into_iter();
            *members = renamed.map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect();
        }
        _ => panic!("no statement: {statement}"),
    }
}

fn list<'a>(card: &'a mut Value, path: &str) -> &'a mut Vec<Value> {
    card.pointer_mut(path).and_then(Value::as_array_mut).unwrap_or_else(|| panic!("no list at {path}"))
}

fn set(card: &mut Value, path: &str, value: Value) {
    if let Some(place) = card.pointer_mut(path) {
        *place = value;
        return;
    }
    let (parent, name) = path.rsplit_once('/').unwrap();
    let parent = card.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}"));
    parent.as_object_mut().unwrap().insert(name.to_owned(), value);
}

fn remove(card: &mut Value, path: &str) {
    let (parent, name) = path.rsplit_once('/').unwrap();
    match card.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.shift_remove(name).unwrap_or_else(|| panic!("nothing at {path}"))),
        Some(Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
        _ => panic!("nothing at {parent}"),
    }
}

/// A path with its first word replaced by where that stands in a card of `form`.
fn located(path: &str, form: &str) -> String {
    let Some(path) = path.strip_prefix('@') else { return path.to_owned() };
    let (word, rest) = path.find('/').map_or((path, ""), |at| path.split_at(at));
    let (word, old) = word.strip_prefix("old-").map_or((word, form == "0.3"), |word| (word, true));
    let place = match word {
        "url" if old => "/url",
        "url" => "/supportedInterfaces/0/url",
        "binding" if old => "/preferredTransport",
        "binding" => "/supportedInterfaces/0/protocolBinding",
        "list" if old => "/additionalInterfaces",
        "list" => "/supportedInterfaces",
        "second" if old => "/additionalInterfaces/0",
        "second" => "/supportedInterfaces/1",
        "extended" if old => "/supportsAuthenticatedExtendedCard",
        "extended" => "/capabilities/extendedAgentCard",
        "security" if old => "/security",
        "security" => "/securityRequirements",
        "order-security" if old => "/skills/2/security",
        "order-security" => "/skills/2/securityRequirements",
        "key" if old => "/securitySchemes/key",
        "key" => "/securitySchemes/key/apiKeySecurityScheme",
        "key-place" if old => "/securitySchemes/key/in",
        "key-place" => "/securitySchemes/key/apiKeySecurityScheme/location",
        "token" if old => "/securitySchemes/token",
        "token" => "/securitySchemes/token/httpAuthSecurityScheme",
        "flows" if old => "/securitySchemes/login/flows",
        "flows" => "/securitySchemes/login/oauth2SecurityScheme/flows",
        "code" if old => "/securitySchemes/login/flows/authorizationCode",
        "code" => "/securitySchemes/login/oauth2SecurityScheme/flows/authorizationCode",
        "oidc" if old => "/securitySchemes/oidc",
        "oidc" => "/securitySchemes/oidc/openIdConnectSecurityScheme",
        _ => panic!("no place called @{word}"),
    };
    format!("{place}{rest}")
}

/// What a word with its argument stands for in a release.
type Meaning = fn(&str, &str) -> Value;

fn value(text: &str, form: &str) -> Value {
    let mut text = text.to_owned();
    let words: [(&str, Meaning); 6] = [
        ("need(", need),
        ("interface(", interface),
        ("former(", |words, _| interface(words, "0.3")),
        ("jws(", jws),
        ("kind(", kind),
        ("words(", words_up_to),
    ];
    for (word, meaning) in words {
        while let Some(start) = text.find(word) {
            let end = start + text[start..].find(')').unwrap();
            let json = meaning(&text[start + word.len()..end], form).to_string();
            text.replace_range(start..=end, &json);
        }
    }
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// `need(key, login:read+write)`: a requirement of both schemes, the second with two scopes.
fn need(schemes: &str, form: &str) -> Value {
    let schemes = schemes.split(", ").filter(|scheme| !scheme.is_empty()).map(|scheme| {
        let (name, scopes) = scheme.split_once(':').unwrap_or((scheme, ""));
        let scopes: Vec<&str> = scopes.split('+').filter(|scope| !scope.is_empty()).collect();
        (name.to_owned(), if form == "0.3" { json!(scopes) } else { json!({"list": scopes}) })
    });
    let schemes: Value = schemes.collect::<serde_json::Map<String, Value>>().into();
    if form == "0.3" { schemes } else { json!({"schemes": schemes}) }
}

/// `interface(GRPC https://a.example)`.
fn interface(words: &str, form: &str) -> Value {
    let (binding, url) = words.split_once(' ').unwrap();
    if form == "0.3" {
        json!({"url": url, "transport": binding})
    } else {
        json!({"url": url, "protocolBinding": binding, "protocolVersion": "1.0"})
    }
}

/// `jws(ES256 k1 https://a.example/jwks)`: a signature with that algorithm, key and key set.
fn jws(words: &str, _: &str) -> Value {
    let words: Vec<&str> = words.split(' ').collect();
    let mut header = json!({"alg": words[0], "kid": words[1]});
    if let Some(jku) = words.get(2) {
        header["jku"] = json!(jku);
    }
    json!({"protected": URL_SAFE_NO_PAD.encode(header.to_string()), "signature": "A".repeat(86)})
}

/// `words(250)`: a list of so many words.
fn words_up_to(count: &str, _: &str) -> Value {
    (0..count.parse::<usize>().unwrap()).map(|at| format!("w{at}")).collect()
}

/// `kind(mtls)`, `kind(basic)`, `kind(cookie)`: a security scheme.
fn kind(word: &str, form: &str) -> Value {
    match (word, form) {
        ("mtls", "0.3") => json!({"type": "mutualTLS"}),
        ("mtls", _) => json!({"mtlsSecurityScheme": {}}),
        ("basic", "0.3") => json!({"type": "http", "scheme": "Basic"}),
        ("basic", _) => json!({"httpAuthSecurityScheme": {"scheme": "Basic"}}),
        ("cookie", "0.3") => json!({"type": "apiKey", "in": "cookie", "name": "session"}),
        ("cookie", _) => json!({"apiKeySecurityScheme": {"location": "cookie", "name": "session"}}),
        _ => panic!("no kind of scheme {word}"),
    }
}
