//! What the tests of all rules share: a flawless card of each era, edits of it, and questions to its findings.

use std::sync::Arc;

use super::super::document::Document;
use super::super::facts::{Inspection, Origin};
use super::{Finding, findings};

/// A card of 1.0 on which no rule finds an error or a warning.
pub(super) const CARD: &str = r#"{
    "name": "Quote Comparison Agent",
    "description": "Compares quotes of several suppliers and recommends the one that fits best.",
    "version": "1.0.0",
    "supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    "capabilities": {"streaming": true},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{
        "id": "compare",
        "name": "Compare quotes",
        "description": "Puts quotes side by side and says which one is best.",
        "tags": ["quotes"],
        "examples": ["Compare quotes for 200 chairs"]
    }]
}"#;

/// The same of 0.3.
pub(super) const OLDER_CARD: &str = r#"{
    "protocolVersion": "0.3.0",
    "name": "Quote Comparison Agent",
    "description": "Compares quotes of several suppliers and recommends the one that fits best.",
    "version": "1.0.0",
    "url": "https://a.example/a2a",
    "preferredTransport": "JSONRPC",
    "capabilities": {"streaming": true},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{
        "id": "compare",
        "name": "Compare quotes",
        "description": "Puts quotes side by side and says which one is best.",
        "tags": ["quotes"],
        "examples": ["Compare quotes for 200 chairs"]
    }]
}"#;

/// [`CARD`] with the JSON `value` for the top-level member `name`; what follows in it becomes members as well.
pub(super) fn edited(name: &str, value: &str) -> String {
    edit(CARD, name, Some(value))
}

/// [`CARD`] without the top-level member `name`.
pub(super) fn without(name: &str) -> String {
    edit(CARD, name, None)
}

/// [`OLDER_CARD`] with the JSON `value` for the top-level member `name`.
pub(super) fn older(name: &str, value: &str) -> String {
    edit(OLDER_CARD, name, Some(value))
}

/// [`OLDER_CARD`] without the top-level member `name`.
pub(super) fn older_without(name: &str) -> String {
    edit(OLDER_CARD, name, None)
}

fn edit(card: &str, name: &str, value: Option<&str>) -> String {
    let document = Document::new(card.to_owned());
    let members = document.object().unwrap().members().filter_map(|(key, node)| {
        let value = if key == name { value? } else { node.raw() };
        Some(format!("\"{key}\": {value}"))
    });
    let mut members: Vec<_> = members.collect();
    if !card.contains(&format!("\"{name}\": ")) {
        members.extend(value.map(|value| format!("\"{name}\": {value}")));
    }
    format!("{{{}}}", members.join(", "))
}

pub(super) fn card_from(text: &str, origin: Origin) -> Inspection {
    Inspection::of(Arc::new(Document::new(text.to_owned())), origin)
}

/// The finding of `rule` on `text`, which has to be there, with its pointer.
#[track_caller]
pub(super) fn fires(rule: &str, text: &str, pointer: &str) -> Finding {
    let found = findings(&card_from(text, Origin::default()));
    let rules: Vec<_> = found.iter().map(|finding| finding.rule).collect();
    let of_rule: Vec<_> = found.iter().filter(|finding| finding.rule == rule).collect();
    assert!(!of_rule.is_empty(), "{rule} does not fire, but {rules:?} on {text}");
    let at = of_rule.iter().find(|finding| finding.pointer.as_str() == pointer);
    let finding = at.unwrap_or_else(|| panic!("{rule} fires elsewhere: {of_rule:?}"));
    assert!(finding.message.ends_with(['.', '?']) && finding.message.len() > 20, "{}", finding.message);
    (*finding).clone()
}

/// `rule` finds nothing on `text`.
#[track_caller]
pub(super) fn silent(rule: &str, text: &str) {
    silent_on(rule, &card_from(text, Origin::default()));
}

/// `rule` fires on `text` and `other` leaves it alone: one fault, one finding.
#[track_caller]
pub(super) fn only(rule: &str, other: &str, text: &str) {
    fires_on(rule, &card_from(text, Origin::default()));
    silent(other, text);
}

#[track_caller]
pub(super) fn fires_on(rule: &str, inspection: &Inspection) {
    let found = findings(inspection);
    assert!(found.iter().any(|finding| finding.rule == rule), "{rule} does not fire: {found:#?}");
}

#[track_caller]
pub(super) fn silent_on(rule: &str, inspection: &Inspection) {
    assert!(super::rule(rule).is_some(), "no rule is called {rule}");
    let found = findings(inspection);
    let of_rule: Vec<_> = found.iter().filter(|finding| finding.rule == rule).collect();
    assert!(of_rule.is_empty(), "{rule} fires: {of_rule:?}");
}
