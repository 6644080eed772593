//! Asking again: what is sent, what a 304 means, and what is said when a server gets it wrong.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use cardscope::client::{Attempt, Credential, KeptCopy, Secret, Standing};
use cardscope::state::{Action, AgentEntry};

use crate::support::{FakeAgent, Model, Received, Reply};

const CARD_PATH: &str = "/.well-known/agent-card.json";

fn card(description: &str) -> String {
    format!(
        r#"{{"name": "Larder", "description": "{description}", "version": "1.0.0",
  "supportedInterfaces": [{{"url": "https://larder.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}],
  "capabilities": {{}}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{{"id": "count", "name": "Count", "description": "Counts jars.", "tags": ["jars"]}}]}}"#
    )
}

fn card_with(headers: &[&str], description: &str) -> Reply {
    Reply::new(200, "application/json", headers, card(description))
}

fn not_modified(headers: &[&str]) -> Reply {
    Reply::new(304, "", headers, "")
}

/// The entry on screen after `action` is done.
fn after(model: &mut Model, action: Action) -> &AgentEntry {
    model.apply(action);
    model.until("the answer is there", |state| state.discovery.pending.is_none());
    model.state.discovery.current_entry().unwrap()
}

fn shown(entry: &AgentEntry) -> &Attempt {
    &entry.retrieval.attempts[entry.shown_attempt.unwrap()]
}

fn description(entry: &AgentEntry) -> String {
    let inspection = entry.inspection.as_ref().unwrap();
    inspection.document.object().unwrap().get_str("description").unwrap().into_owned()
}

fn conditions(request: &Received) -> (Option<&str>, Option<&str>, Option<&str>) {
    (request.header("If-None-Match"), request.header("If-Modified-Since"), request.header("Cache-Control"))
}

fn rules(entry: &AgentEntry) -> Vec<&'static str> {
    let findings = &entry.inspection.as_ref().unwrap().findings;
    let watched = ["etag-not-compared", "etag-reused", "not-modified-unfounded"];
    findings.iter().map(|finding| finding.rule).filter(|rule| watched.contains(rule)).collect()
}

#[test]
fn a_refresh_asks_by_the_one_etag_and_a_304_keeps_the_card() {
    let agent = FakeAgent::start();
    let date = "Last-Modified: Fri, 20 Nov 2026 08:00:00 GMT";
    agent.script(
        CARD_PATH,
        vec![
            card_with(&["ETag: \"k1\"", date, "Cache-Control: max-age=300"], "one"),
            not_modified(&["ETag: \"k1\"", "Cache-Control: max-age=60"]),
            not_modified(&[]),
            card_with(&["ETag: \"k2\""], "two"),
        ],
    );
    let mut model = Model::showing(&agent.url(""));
    assert_eq!(conditions(&agent.last(CARD_PATH)), (None, None, None), "nothing is known yet");
    let first = model.state.discovery.current_entry().unwrap().inspection.clone().unwrap();

    let entry = after(&mut model, Action::RefreshCard);
    let asked = agent.last(CARD_PATH);
    assert_eq!(conditions(&asked), (Some("\"k1\""), Some("Fri, 20 Nov 2026 08:00:00 GMT"), None));
    assert!(entry.retrieval.found_card);
    assert!(entry.retrieval.verdict.contains("304, unchanged"), "{}", entry.retrieval.verdict);
    let inspection = entry.inspection.as_ref().unwrap();
    assert_eq!(inspection.document.sha256(), first.document.sha256());
    assert_eq!(inspection.origin.content_type.as_deref(), Some("application/json"), "what a 304 leaves out stays");
    assert_eq!(inspection.origin.cache_control.as_deref(), Some("max-age=60"), "what it says counts");
    let copy = shown(entry).kept.clone().unwrap();
    assert!(copy.checked_at > copy.fetched_at);
    assert!(copy.freshness(copy.checked_at).reason.starts_with("max-age 60, checked"), "{copy:?}");
    assert_eq!(rules(entry), [""; 0]);
    assert_eq!(model.state.notices.last().unwrap().title, "Checked, unchanged");

    // A 304 without an ETag is about the one that was asked for; that one is asked by once more.
    assert_eq!(description(after(&mut model, Action::RefreshCard)), "one");
    let entry = after(&mut model, Action::FetchCard { address: agent.url("") });
    assert_eq!(description(entry), "two", "opening a fresh card's address asks all the same");
    assert_eq!(conditions(&agent.last(CARD_PATH)).0, Some("\"k1\""));
    assert_eq!(model.state.notices.last().unwrap().title, "The card changed");
}

#[test]
fn fetching_anew_goes_past_every_cache() {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, card_with(&["ETag: \"k1\""], "one"));
    let mut model = Model::showing(&agent.url(""));
    let entry = after(&mut model, Action::RefetchCard);
    assert_eq!(conditions(&agent.last(CARD_PATH)), (None, None, Some("no-cache")));
    assert_eq!(rules(entry), [""; 0], "the whole card is what was wanted");
}

#[test]
fn a_304_that_is_about_nothing_known_is_not_believed() {
    let agent = FakeAgent::start();
    let replies = vec![
        not_modified(&["ETag: \"k1\""]),
        card_with(&["ETag: \"k1\""], "one"),
        not_modified(&["ETag: \"other\""]),
        card_with(&["ETag: \"k2\""], "two"),
    ];
    agent.script(CARD_PATH, replies);
    let mut model = Model::showing(&agent.url(""));
    let entry = model.state.discovery.current_entry().unwrap();
    assert_eq!((description(entry), rules(entry)), ("one".to_owned(), vec!["not-modified-unfounded"]));
    assert_eq!(conditions(&agent.last(CARD_PATH)), (None, None, Some("no-cache")));
    let entry = after(&mut model, Action::RefreshCard);
    assert_eq!((description(entry), rules(entry)), ("two".to_owned(), vec!["not-modified-unfounded"]));
    assert_eq!(agent.hits(CARD_PATH), 4);

    // A server that knows nothing else is asked twice and no more.
    let stubborn = FakeAgent::start();
    stubborn.otherwise(not_modified(&[]));
    model.apply(Action::FetchCard { address: stubborn.url("") });
    model.until("it is given up", |state| state.discovery.pending.is_none());
    let entry = model.state.discovery.current_entry().unwrap();
    assert!(!entry.retrieval.found_card && entry.retrieval.verdict.contains("304"), "{}", entry.retrieval.verdict);
    assert_eq!(stubborn.hits(CARD_PATH), 2);
}

#[test]
fn an_etag_that_is_not_compared_or_stays_over_a_change_is_a_finding() {
    let agent = FakeAgent::start();
    let tag = &["ETag: \"k1\""][..];
    agent.script(CARD_PATH, vec![card_with(tag, "one"), card_with(tag, "one"), card_with(tag, "two")]);
    let mut model = Model::showing(&agent.url(""));
    assert_eq!(rules(after(&mut model, Action::RefreshCard)), ["etag-not-compared"]);
    assert_eq!(model.state.notices.last().unwrap().title, "Checked, unchanged");
    let entry = after(&mut model, Action::RefreshCard);
    assert_eq!((description(entry), rules(entry)), ("two".to_owned(), vec!["etag-reused"]));
    assert_eq!(model.state.notices.last().unwrap().title, "The card changed, but its ETag did not");

    // A weak tag stands for every spelling of the same, and only for that.
    let agent = FakeAgent::start();
    let respelled = Reply::new(200, "application/json", &["ETag: W/\"k1\""], card("one").replace(", ", ","));
    let replies = vec![card_with(&["ETag: W/\"k1\""], "one"), respelled, card_with(&["ETag: W/\"k1\""], "two")];
    agent.script(CARD_PATH, replies);
    let mut model = Model::showing(&agent.url(""));
    assert_eq!(rules(after(&mut model, Action::RefreshCard)), [""; 0]);
    assert_eq!(rules(after(&mut model, Action::RefreshCard)), ["etag-reused"]);
}

#[test]
fn another_identity_is_not_asked_by_the_copy_of_the_first() {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, card_with(&["ETag: \"k1\""], "one"));
    let mut model = Model::showing(&agent.url(""));
    let set = |token: &str| {
        let headers = vec![("Authorization".to_owned(), Secret::new(format!("Bearer {token}")))];
        Action::SetCredential(Credential { origin: agent.url(""), headers, client_certificate: None })
    };
    for (token, condition) in [("first", None), ("first", Some("\"k1\"")), ("second", None)] {
        model.apply(set(token));
        after(&mut model, Action::RefreshCard);
        assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), condition, "{token}");
    }
    model.apply(Action::RemoveCredential { origin: agent.url("") });
    after(&mut model, Action::RefreshCard);
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), Some("\"k1\""), "the public copy is there again");
    assert_eq!(model.state.discovery.entries.len(), 3);
}

#[test]
fn a_304_from_where_a_redirect_newly_leads_is_about_another_card() {
    let agent = FakeAgent::start();
    agent.script(CARD_PATH, vec![Reply::redirect(302, "/a.json"), Reply::redirect(302, "/b.json")]);
    agent.on("/a.json", card_with(&["ETag: \"1\""], "one"));
    agent.handle("/b.json", |request, _| match request.header("If-None-Match") {
        Some("\"1\"") => not_modified(&["ETag: \"1\""]),
        _ => card_with(&["ETag: \"1\""], "another"),
    });
    let mut model = Model::showing(&agent.url(""));
    assert_eq!(description(after(&mut model, Action::RefreshCard)), "another");
}

/// The card on screen and its copy after one more look.
fn look(model: &mut Model, action: Action) -> (String, KeptCopy) {
    let entry = after(model, action);
    (description(entry), KeptCopy::clone(shown(entry).kept.as_ref().unwrap()))
}

#[test]
#[ignore = "needs an agent of .ci/interop named in CARDSCOPE_CHANGING_PEER; run by .ci/run"]
fn the_official_sdk_is_asked_whether_its_card_changed() {
    let peer = std::env::var("CARDSCOPE_CHANGING_PEER").expect("CARDSCOPE_CHANGING_PEER names the agent");
    let mut model = Model::showing(&peer);
    let entry = model.state.discovery.current_entry().unwrap();
    let first = description(entry);
    assert_eq!(shown(entry).kept.as_ref().unwrap().freshness(std::time::SystemTime::now()).standing, Standing::Fresh);

    let (same, copy) = look(&mut model, Action::RefreshCard);
    assert!(same == first && copy.checked_at > copy.fetched_at, "the SDK answers 304");

    let mut stream = TcpStream::connect(peer.trim_start_matches("http://")).unwrap();
    stream
        .write_all(b"POST /revise HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("200 OK"), "{answer}");

    let (second, copy) = look(&mut model, Action::RefreshCard);
    assert!(second != first && copy.checked_at == copy.fetched_at, "{second}");
    assert_eq!(rules(model.state.discovery.current_entry().unwrap()), [""; 0]);
    let (anew, copy) = look(&mut model, Action::RefetchCard);
    assert!(anew == second && copy.checked_at == copy.fetched_at);
}
