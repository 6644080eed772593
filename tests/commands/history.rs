//! What commands keep, and kept versions as addresses.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use super::{document, run, status, text};
use crate::support::{FakeAgent, Reply};

const CARD_PATH: &str = "/.well-known/agent-card.json";

fn card(version: &str) -> Value {
    json!({
        "name": "Quotes", "description": format!("Compares in release {version}."), "version": version, "capabilities": {}, "skills": [],
        "supportedInterfaces": [{"url": "https://a.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
    })
}

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    let folder = folder.to_str().unwrap();
    run(&[arguments, &["--data-dir", folder]].concat())
}

/// The version that the card of `address` declares, as kept in `folder`.
fn version_of(folder: &Path, address: &str) -> String {
    let output = run_in(folder, &["diff", address, address, "--json"]);
    let printed = document(&output);
    assert_eq!(printed["newer"]["address"], address);
    printed["newer"]["version"].as_str().unwrap().to_owned()
}

fn problem(output: &Output) -> String {
    assert_eq!((status(output), text(&output.stdout)), (2, String::new()));
    text(&output.stderr)
}

#[test]
fn what_was_obtained_can_be_compared_with_what_is_there_now() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    let address = agent.url("");
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        agent.on(CARD_PATH, Reply::json(card(version).to_string()));
        // The same card again makes no other version.
        for _ in 0..2 {
            run_in(folder.path(), &["inspect", &address]);
        }
    }
    for (which, version) in [("1", "1.0.0"), ("2", "1.1.0"), ("latest", "2.0.0"), ("previous", "1.1.0")] {
        assert_eq!(version_of(folder.path(), &format!("{address}@{which}")), version, "{which}");
        // By the card's own address as well.
        assert_eq!(version_of(folder.path(), &format!("{}@{which}", agent.url(CARD_PATH))), version, "{which}");
    }
    agent.on(CARD_PATH, Reply::json(card("3.0.0").to_string()));
    let printed = document(&run_in(folder.path(), &["diff", &format!("{address}@latest"), &address, "--json"]));
    assert_eq!((&printed["older"]["version"], &printed["newer"]["version"]), (&json!("2.0.0"), &json!("3.0.0")));
    // What diff has fetched is kept in its turn.
    assert_eq!(version_of(folder.path(), &format!("{address}@4")), "3.0.0");
    let inspected = document(&run_in(folder.path(), &["inspect", &format!("{address}@1"), "--json"]));
    assert_eq!(inspected["retrieval"]["bytes"], json!(card("1.0.0").to_string().len()));
    assert!(inspected["verdict"].as_str().unwrap().contains("Version 1"), "{inspected}");
}

#[test]
fn a_file_has_versions_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("card.json");
    for version in ["1", "2"] {
        fs::write(&path, card(version).to_string()).unwrap();
        run_in(folder.path(), &["inspect", path.to_str().unwrap()]);
    }
    assert_eq!(version_of(folder.path(), &format!("{}@previous", path.display())), "1");
}

#[test]
fn a_version_that_is_not_kept_is_said_to_be_so() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, Reply::json(card("1").to_string()));
    let address = agent.url("");
    let said = problem(&run_in(folder.path(), &["inspect", &format!("{address}@latest")]));
    assert!(said.contains("Nothing is kept of"), "{said}");
    assert!(agent.requests().is_empty(), "a kept version is not asked for");
    run_in(folder.path(), &["inspect", &address]);
    let said = problem(&run_in(folder.path(), &["inspect", &format!("{address}@previous")]));
    assert!(said.contains("One version is kept") && said.contains("none before the latest"), "{said}");
    let said = problem(&run_in(folder.path(), &["inspect", &format!("{address}@7")]));
    assert!(said.contains("none with the number 7"), "{said}");
    let said = problem(&run_in(folder.path(), &["inspect", &format!("{address}@latest"), "--no-history"]));
    assert!(said.contains("--no-history"), "{said}");
}

#[test]
fn no_history_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, Reply::json(card("1").to_string()));
    run_in(folder.path(), &["inspect", &agent.url(""), "--no-history"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn cards_got_with_credentials_are_kept_apart_and_the_credentials_are_not() {
    const TOKEN: &str = "opensesame-7f2a";
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    agent.handle(CARD_PATH, |request, _| {
        let version = if request.header("x-api-key").is_some() { "member" } else { "public" };
        Reply::json(card(version).to_string())
    });
    let address = agent.url("");
    let header = format!("X-API-Key: {TOKEN}");
    run_in(folder.path(), &["inspect", &address, "--header", &header]);
    let latest = format!("{address}@latest");
    let said = problem(&run_in(folder.path(), &["inspect", &latest]));
    assert!(said.contains("other credentials (x-api-key)"), "{said}");
    run_in(folder.path(), &["inspect", &address]);
    assert_eq!(version_of(folder.path(), &latest), "public");
    let member = run_in(folder.path(), &["diff", &latest, &latest, "--json", "--header", &header]);
    assert_eq!(document(&member)["newer"]["version"], "member");
    for entry in fs::read_dir(folder.path()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(memchr::memmem::find(&bytes, TOKEN.as_bytes()).is_none());
    }
}

#[test]
fn a_history_that_cannot_be_used_fails_no_command() {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, Reply::json(card("1").to_string()));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let output = run_in(&folder.path().join("file/below"), &["inspect", &agent.url(""), "--json"]);
    assert_eq!(document(&output)["shape"], "1.0");
    assert_ne!(status(&output), 2);
    let said = text(&output.stderr);
    assert!(said.contains("cannot be written") && said.contains("goes on without saving"), "{said}");
    // A damaged one is set aside, said, and begun anew.
    fs::write(folder.path().join("history.sqlite3"), "no database".repeat(500)).unwrap();
    let output = run_in(folder.path(), &["inspect", &agent.url(""), "--json"]);
    assert!(text(&output.stderr).contains("set aside"), "{}", text(&output.stderr));
    assert_eq!(version_of(folder.path(), &format!("{}@latest", agent.url(""))), "1");
}

#[test]
fn levels_are_listed_with_what_they_are_against_also_of_what_was_imported() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let agent = FakeAgent::start();
    let address = agent.url("");
    let skilled = |spaces: &str| {
        let mut card = card("1.0.0");
        card["skills"] = json!([{"id": "sum", "name": "Sum", "description": "Adds up.", "tags": ["offers"]}]);
        format!("{card}{spaces}")
    };
    for body in [card("1.0.0").to_string(), skilled(""), card("1.0.0").to_string(), skilled(""), skilled("\n")] {
        agent.on(CARD_PATH, Reply::json(body));
        run_in(folder.path(), &["inspect", &address]);
    }
    let file = other.path().join("export.json");
    fs::write(&file, run_in(folder.path(), &["history", "export", &address]).stdout).unwrap();
    run_in(other.path(), &["history", "import", file.to_str().unwrap()]);
    for folder in [folder.path(), other.path()] {
        let printed = text(&run_in(folder, &["history", "list"]).stdout);
        let seen = printed.lines().skip(1).filter_map(|line| line.split_once(" seen "));
        let ends: Vec<_> = seen.filter_map(|(_, seen)| Some(seen.split_once(", ")?.1)).collect();
        assert_eq!(ends, ["compatible", "same meaning as @3", "breaking against @2"], "{printed}");

        let printed = document(&run_in(folder, &["history", "list", "--json", "quotes"]));
        let agent = &printed["agents"][0];
        assert_eq!((&agent["title"], &agent["muted"]), (&json!("Quotes"), &json!([])));
        let facts = |at: usize| {
            let version = &agent["versions"][at];
            ["number", "isLatest", "sameMeaningAs", "previous", "level"].map(|name| version[name].clone())
        };
        assert_eq!(facts(0), [json!(3), json!(true), json!(2), json!(1), json!("compatible")]);
        assert_eq!(facts(2), [json!(1), json!(false), json!(null), json!(2), json!("breaking")]);
    }
    let printed = document(&run_in(folder.path(), &["history", "list", "--json", "nobody"]));
    assert_eq!(printed, json!({"agents": []}));
}

#[test]
fn what_is_kept_is_listed_handed_on_and_deleted() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let agent = FakeAgent::start();
    let address = agent.url("");
    for version in ["1.0.0", "1.1.0"] {
        agent.on(CARD_PATH, Reply::json(card(version).to_string()));
        run_in(folder.path(), &["inspect", &address]);
    }
    let listed = text(&run_in(folder.path(), &["history", "list", "quotes"]).stdout);
    assert!(
        listed.starts_with("Quotes  http://127.0.0.1")
            && listed.contains("  @2  version 1.1.0, 1.0 card")
            && listed.contains(", docs\n"),
        "{listed}"
    );
    assert!(text(&run_in(folder.path(), &["history", "list", "weather"]).stdout).contains("matches"));
    let file = other.path().join("export.json");
    fs::write(&file, run_in(folder.path(), &["history", "export", &format!("{address}@1")]).stdout).unwrap();
    let taken = run_in(other.path(), &["history", "import", file.to_str().unwrap()]);
    assert!(
        text(&taken.stdout).starts_with("1 new version, 1 new agent; 0 versions here already."),
        "{}",
        text(&taken.stdout)
    );
    assert_eq!(version_of(other.path(), &format!("{address}@latest")), "1.0.0");
    run_in(folder.path(), &["history", "delete", &format!("{address}@2")]);
    assert_eq!(version_of(folder.path(), &format!("{address}@latest")), "1.0.0");
    run_in(folder.path(), &["history", "delete", &address]);
    assert!(problem(&run_in(folder.path(), &["history", "export", &address])).contains("Nothing is kept"));
    run_in(other.path(), &["history", "delete", "--everything"]);
    assert!(text(&run_in(other.path(), &["history", "list"]).stdout).contains("Nothing is kept yet"));
    assert_eq!(status(&run_in(other.path(), &["history", "delete"])), 2);
}
