//! What a document that is no Agent Card looks like, in one sentence for the reader.

use super::shape;
use super::values::listed;
use crate::card::json::{Kind, Node};

/// Longest excerpt of a body that is quoted, in characters.
const MAX_EXCERPT: usize = 60;

/// What the JSON object `root` looks like, and which members of a card are `missing`.
pub(super) fn describe(root: Node<'_>, missing: &[&str]) -> String {
    if root.child_count() == 0 {
        return "An empty JSON object: nothing of a card is there.".to_owned();
    }
    let looks = match likeness(root) {
        Some(what) => format!("Not an Agent Card: it looks like {what}."),
        None => "A JSON object, but not a card.".to_owned(),
    };
    let verb = match missing {
        [] => return looks,
        [_] => "is",
        _ => "are",
    };
    format!("{looks} Of what every card has, {} {verb} absent.", listed(missing, "and"))
}

/// What a JSON list (or another value that was read tolerantly) looks like.
pub(super) fn describe_list(root: Node<'_>) -> String {
    if root.kind() != Kind::Array {
        return format!("Nearly JSON, but {}; a card is an object.", root.kind().with_article());
    }
    let count = root.child_count();
    // A long list is judged by its beginning.
    let cards = root.items().take(1000).filter(|item| shape::is_card_inside(*item)).count();
    match (count, cards) {
        (0, _) => "An empty JSON list; a card is an object.".to_owned(),
        (1, 1) => "A JSON list of one Agent Card; a card stands alone.".to_owned(),
        (_, 0) => format!("A JSON list of {count}; a card is an object."),
        _ => {
            format!("A JSON list of {count}, {cards} of them shaped like Agent Cards: a list of agents, not one card.")
        }
    }
}

/// What a text that is no JSON looks like.
pub(super) fn describe_text(text: &str) -> String {
    let body = text.trim();
    let is_path = !body.contains(char::is_whitespace)
        && body.len() < 256
        && (body.starts_with('.') || body.starts_with('/'))
        && body.contains('/');
    if is_path {
        return format!("The body is a path ({body}), {} bytes: a link served as text, not the file.", text.len());
    }
    let excerpt: String = body.chars().take(MAX_EXCERPT).collect();
    if body.starts_with(['{', '[']) {
        return "It begins like JSON, but is not.".to_owned();
    }
    let more = if body.chars().nth(MAX_EXCERPT).is_some() { "…" } else { "" };
    format!("Not JSON: the text begins \"{}{more}\".", excerpt.replace(['\n', '\r', '\t'], " "))
}

/// Whether the object speaks of another protocol in which name, version and capabilities have their own meaning.
pub(super) fn is_other_protocol(root: Node<'_>) -> bool {
    ["serverInfo", "mcpServers", "openapi", "swagger", "jsonrpc"].iter().any(|name| root.get_set(name).is_some())
        || (is_list(root, "tools") && !is_list(root, "skills"))
}

fn is_list(root: Node<'_>, name: &str) -> bool {
    root.get(name).is_some_and(|node| node.kind() == Kind::Array)
}

/// The foreign formats that turn up where a card is expected, the surest signs first.
fn likeness(root: Node<'_>) -> Option<String> {
    let has = |name: &str| root.get_set(name).is_some();
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    if is_erc8004(root) {
        return Some(erc8004(root));
    }
    if has("jsonrpc") {
        return Some("a JSON-RPC answer".to_owned());
    }
    if any(&["openapi", "swagger"]) {
        return Some("an OpenAPI description".to_owned());
    }
    if any(&["name_for_model", "name_for_human"]) {
        return Some("an AI plugin manifest".to_owned());
    }
    if is_list(root, "keys") && root.child_count() <= 2 {
        return Some("a set of keys (JWKS)".to_owned());
    }
    if has("issuer") && any(&["jwks_uri", "authorization_endpoint", "token_endpoint"]) {
        return Some("the metadata of an authorization server".to_owned());
    }
    if has("did") || root.get_str("id").is_some_and(|id| id.starts_with("did:")) {
        return Some("a document about a decentralized identity (DID)".to_owned());
    }
    if let Some(wrapped) = wrapped_card(root) {
        return Some(wrapped);
    }
    if any(&["mcpServers", "serverInfo", "mcp_server"]) || (is_list(root, "tools") && !is_list(root, "skills")) {
        return Some("a manifest of an MCP server".to_owned());
    }
    if ["agents", "agentCards", "entries"].iter().any(|name| is_list(root, name)) {
        return Some("a list of agents (a registry or catalog)".to_owned());
    }
    if has("@context") {
        return Some("a JSON-LD document".to_owned());
    }
    if any(&["error", "errors", "detail"]) && root.child_count() <= 6 {
        return Some(error_message(root));
    }
    if root.get("agent").is_some_and(|agent| agent.kind() == Kind::Object) {
        return Some("a manifest of another kind, which describes its agent under agent".to_owned());
    }
    if any(&["endpoints", "endpoint", "baseUrl", "commands"]) {
        return Some("a manifest of another kind, with endpoints of its own".to_owned());
    }
    any(&["schema_version", "schemaVersion", "$schema", "schema", "links", "homepage", "trust_profile", "domain"])
        .then(|| "a site or AI manifest of another kind".to_owned())
}

/// An ERC-8004 registration lists services and where they are registered.
fn is_erc8004(root: Node<'_>) -> bool {
    let names_it = root.get_str("type").is_some_and(|kind| {
        let kind = kind.to_ascii_lowercase();
        kind.contains("eip-8004") || kind.contains("erc-8004") || kind.contains("erc8004")
    });
    names_it
        || (["services", "endpoints"].iter().any(|name| is_list(root, name))
            && ["registrations", "supportedTrust", "supportedTrusts", "x402Support", "x402support"]
                .iter()
                .any(|name| root.get(name).is_some()))
}

fn erc8004(root: Node<'_>) -> String {
    let services = root.get("services").or_else(|| root.get("endpoints"));
    let a2a = services.and_then(|services| {
        services
            .items()
            .map(|service| (service, service.get_str("endpoint").or_else(|| service.get_str("url"))))
            .filter_map(|(service, address)| Some((service.get_str("name"), address?)))
            .find(|(name, address)| {
                name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case("a2a"))
                    || address.contains("/.well-known/agent")
            })
            .map(|(_, address)| address)
    });
    match a2a {
        Some(address) => format!("an ERC-8004 registration; its A2A service names {address}"),
        None => "an ERC-8004 registration; it names no A2A service".to_owned(),
    }
}

/// A card inside something else: an answer of a registry, an envelope.
fn wrapped_card(root: Node<'_>) -> Option<String> {
    let (name, _) = root.members().take(64).find(|(_, node)| shape::is_card_inside(*node))?;
    Some(format!("an envelope around a card: its member {name} is shaped like one"))
}

fn error_message(root: Node<'_>) -> String {
    let words = ["message", "error", "detail"].iter().find_map(|name| root.get_str(name));
    match words {
        Some(words) => format!("an error message (\"{}\")", words.chars().take(MAX_EXCERPT).collect::<String>()),
        None => "an error message".to_owned(),
    }
}
