//! `cardscope diff` as a script sees it.

use std::path::Path;

use serde_json::{Value, json};

use super::{document, keys, run, status, text};
use crate::support::{FakeAgent, Reply};

const OLDER: &str = r#"{"name": "Quotes", "description": "Compares.", "version": "1.0.0", "capabilities": {},
    "supportedInterfaces": [{"url": "https://a.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [
    {"id": "compare", "name": "Compare", "description": "Compares quotes.", "tags": ["quotes"], "x-cost": 1.50},
    {"id": "summarize", "name": "Summarize", "description": "Sums up.", "tags": []}]}"#;

/// Two cards as files; the newer one lacks a skill and describes the other otherwise.
fn cards(folder: &Path) -> [String; 2] {
    let newer = OLDER.replace("Compares quotes.", "Compares \\u0007quotes | offers.").replace(
        r#",
    {"id": "summarize", "name": "Summarize", "description": "Sums up.", "tags": []}"#,
        "",
    );
    let write = |name: &str, card: &str| {
        let path = folder.join(name);
        std::fs::write(&path, card).unwrap();
        path.to_string_lossy().into_owned()
    };
    [write("older.json", OLDER), write("newer.json", &newer)]
}

#[test]
fn json_has_both_sides_and_every_change() {
    let folder = tempfile::tempdir().unwrap();
    let [older, newer] = cards(folder.path());
    let output = run(&["diff", &older, &newer, "--json"]);
    let json = document(&output);
    assert_eq!(keys(&json), ["older", "newer", "level", "changes"]);
    assert_eq!(keys(&json["older"]), ["address", "finalUrl", "title", "version", "shape", "sha256"]);
    assert_eq!((&json["older"]["address"], &json["newer"]["address"]), (&json!(older), &json!(newer)));
    assert_eq!(json["level"], "breaking");
    for change in json["changes"].as_array().unwrap() {
        let wanted = ["rule", "level", "group", "olderPointer", "newerPointer", "message", "older", "newer", "trust"];
        assert_eq!(keys(change), wanted);
    }
    let rules: Vec<&str> =
        json["changes"].as_array().unwrap().iter().map(|change| change["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["skill-removed", "skill-description-changed", "version-unchanged"]);
    let described = &json["changes"][1];
    assert_eq!((&described["trust"], &described["group"]), (&json!(true), &json!("Skills and formats")));
    assert_eq!(described["newerPointer"], "/skills/0/description");
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn the_exit_status_says_how_grave_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let [older, newer] = cards(folder.path());
    for (arguments, expected) in [
        (vec!["diff", &older, &newer], 0),
        (vec!["diff", &older, &newer, "--fail-on", "breaking"], 1),
        (vec!["diff", &older, &newer, "--fail-on", "docs"], 1),
        (vec!["diff", &newer, &older, "--fail-on", "breaking"], 0),
        (vec!["diff", &newer, &older, "--fail-on", "compatible"], 1),
        (vec!["diff", &older, &older, "--fail-on", "docs"], 0),
        (vec!["diff", &older, "/no/such/file.json", "--fail-on", "docs"], 2),
    ] {
        let output = run(&arguments);
        assert_eq!(status(&output), expected, "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_side_that_could_not_be_obtained_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [older, _] = cards(folder.path());
    let output = run(&["diff", &older, "/no/such/file.json", "--json"]);
    let (problem, printed) = (text(&output.stderr), text(&output.stdout));
    assert!(problem.contains("NEWER, /no/such/file.json") && !problem.contains("OLDER"), "{problem}");
    assert_eq!((status(&output), printed.as_str()), (2, ""));
}

#[test]
fn text_is_one_line_a_value_and_steers_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let [older, newer] = cards(folder.path());
    let printed = text(&run(&["diff", &older, &newer]).stdout);
    for part in [
        "Quotes 1.0.0 (A2A 1.0) → Quotes 1.0.0 (A2A 1.0)",
        "This breaks clients: 1 breaking, 1 docs.",
        "skill-removed: The skill \"summarize\" is gone",
        "- /skills/0/description  Compares quotes.",
        "(check whether you trust it)",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert!(!printed.contains(['\u{7}', '\u{1b}']), "{printed:?}");
    assert!(text(&run(&["diff", &older, &older]).stdout).contains("The same bytes."));
}

#[test]
fn markdown_is_a_table_a_level() {
    let folder = tempfile::tempdir().unwrap();
    let [older, newer] = cards(folder.path());
    let printed = text(&run(&["diff", &older, &newer, "--format", "markdown"]).stdout);
    assert!(printed.starts_with("### Quotes: 1.0.0 (A2A 1.0) → 1.0.0 (A2A 1.0)\n"), "{printed}");
    let row = printed.lines().find(|line| line.contains("`skill-description-changed`")).unwrap();
    // Four cells; what a card says ends none of them.
    assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
    assert!(
        printed.contains("#### Breaking\n\n| Where | What | Before | After |\n|---|---|---|---|\n| `/skills/1` "),
        "{printed}"
    );
}

#[test]
fn the_patch_yields_the_newer_card_digit_for_digit() {
    let folder = tempfile::tempdir().unwrap();
    let [older, newer] = cards(folder.path());
    let output = run(&["diff", &newer, &older, "--format", "json-patch"]);
    let patch: json_patch::Patch = serde_json::from_slice(&output.stdout).unwrap();
    let read = |path: &str| -> Value { serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap() };
    let mut patched = read(&newer);
    json_patch::patch(&mut patched, &patch).unwrap();
    assert_eq!(patched, read(&older));
    assert_eq!(patched["skills"][0]["x-cost"].to_string(), "1.50");
}

#[test]
fn credentials_go_to_one_origin_or_nowhere() {
    let (one, other) = (FakeAgent::start(), FakeAgent::start());
    for agent in [&one, &other] {
        agent.on("/card.json", Reply::json(OLDER));
    }
    let header = ["--header", "Authorization: Bearer s3cret"];
    let (first, second) = (one.url("/card.json"), other.url("/card.json"));
    let output = run(&["diff", &first, &second, header[0], header[1]]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("one origin"), "{}", text(&output.stderr));
    assert!(one.requests().is_empty() && other.requests().is_empty());
    let output = run(&["diff", &first, &first, header[0], header[1]]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(one.requests().iter().all(|request| request.header("authorization") == Some("Bearer s3cret")));
}
