//! The commands as a script sees them.

mod conversations;
mod diff;
mod extensions;
mod history;
mod trouble;

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{FakeAgent, Reply, Step, rpc};

fn cardscope(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardscope"));
    command.args(arguments);
    // Nor is the developer's own history written to.
    if matches!(arguments.first(), Some(&("inspect" | "diff" | "send"))) && !arguments.contains(&"--data-dir") {
        command.arg("--no-history");
    }
    // What the developer's own shell says must not decide a test.
    for name in ["RUST_LOG", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "HTTP_PROXY", "http_proxy", "NO_COLOR"] {
        command.env_remove(name);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    cardscope(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("it ended by itself")
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

/// The event lines of a send.
fn events(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn last_event(output: &Output) -> Value {
    events(output).pop().unwrap_or_else(|| panic!("no event; {}", text(&output.stderr)))
}

fn agent() -> FakeAgent {
    let agent = FakeAgent::start();
    agent.on("/.well-known/agent-card.json", Reply::json(rpc::card_with_interfaces(&[&agent.url("/rpc")])));
    agent
}

/// An agent whose task goes through these states, one for the send and one for each poll.
fn agent_with_task(states: &'static [&'static str]) -> FakeAgent {
    let agent = agent();
    agent.handle("/rpc", move |request, turn| {
        let task = rpc::task_with_artifact("t1", states[turn.min(states.len() - 1)], "4 jars");
        rpc::result(request, &if turn == 0 { json!({"task": task}) } else { task })
    });
    agent
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn inspect_prints_one_document_with_every_key() {
    let agent = agent();
    let output = run(&["inspect", &agent.url(""), "--json"]);
    let json = document(&output);
    assert_eq!(
        keys(&json),
        [
            "address",
            "verdict",
            "attempts",
            "retrieval",
            "shape",
            "interfaces",
            "capabilities",
            "signatures",
            "findings"
        ]
    );
    assert_eq!(keys(&json["attempts"][0]), ["url", "outcome", "status", "note"]);
    assert_eq!(json["attempts"][0]["outcome"], "card");
    assert_eq!(
        keys(&json["retrieval"]),
        ["requestedUrl", "finalUrl", "status", "legacyPath", "etag", "cacheControl", "fetchedAt", "sha256", "bytes"]
    );
    assert_eq!(json["retrieval"]["requestedUrl"], agent.url("/.well-known/agent-card.json"));
    assert_eq!((&json["shape"], &json["retrieval"]["legacyPath"]), (&json!("1.0"), &json!(false)));
    assert_eq!(
        json["interfaces"][0],
        json!({
            "url": agent.url("/rpc"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": null,
            "usable": true, "selected": true, "notes": json["interfaces"][0]["notes"]
        })
    );
    assert_eq!(
        json["capabilities"],
        json!({
            "streaming": {"declared": false}, "pushNotifications": {"declared": false}, "extendedAgentCard": {"declared": null}
        })
    );
    assert_eq!(json["signatures"], json!([]));
    for finding in json["findings"].as_array().unwrap() {
        assert_eq!(keys(finding), ["rule", "severity", "pointer", "message", "spec"]);
    }
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn the_line_for_exit_status_1_can_be_moved() {
    let agent = FakeAgent::start();
    let mut card: Value = serde_json::from_str(&rpc::card_with_interfaces(&[&agent.url("/rpc")])).unwrap();
    card.as_object_mut().unwrap().remove("description");
    agent.on("/card.json", Reply::json(card.to_string()));
    let url = agent.url("/card.json");
    let output = run(&["inspect", &url, "--json"]);
    let severities: Vec<String> = document(&output)["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["severity"].as_str().unwrap().to_owned())
        .collect();
    assert!(!severities.is_empty(), "a card without a description is not without a finding");
    for (line, counts) in [
        ("error", &["error"][..]),
        ("warning", &["error", "warning"]),
        ("info", &["error", "warning", "info"]),
        ("hint", &["error", "warning", "info", "hint"]),
    ] {
        let reached = severities.iter().any(|severity| counts.contains(&severity.as_str()));
        let output = run(&["inspect", &url, "--json", "--fail-on", line]);
        assert_eq!(status(&output), i32::from(reached), "{line}: {severities:?}");
    }
}

#[test]
fn without_a_card_every_attempt_is_told() {
    let agent = FakeAgent::start();
    agent.on("/.well-known/agent-card.json", Reply::new(401, "", &["WWW-Authenticate: Bearer realm=\"pantry\""], ""));
    let output = run(&["inspect", &agent.url("/shelf")]);
    assert_eq!((status(&output), output.stdout.len()), (2, 0));
    let problem = text(&output.stderr);
    assert!(problem.contains("Needs credentials") && problem.contains("pantry"), "{problem}");
    for path in ["/.well-known/agent-card.json", "/shelf/.well-known/agent.json", "/shelf"] {
        assert!(problem.contains(&agent.url(path)), "{path}: {problem}");
    }
    agent.on("/.well-known/agent.json", Reply::redirect(301, &agent.url("/.well-known/agent.json/")));
    let problem = text(&run(&["inspect", &agent.url("")]).stderr);
    let row = format!("404  notFound          {} answered 404", agent.url("/.well-known/agent.json"));
    assert!(problem.contains(&row), "the address that was asked stands in its row: {problem}");
    let output = run(&["inspect", &agent.url("/shelf"), "--json"]);
    let json = document(&output);
    assert_eq!((status(&output), &json["retrieval"], &json["shape"]), (2, &Value::Null, &Value::Null));
    assert!(json["attempts"].as_array().unwrap().len() > 3);
    // Something came, but no card.
    agent.on("/not-a-card.json", Reply::json("[1, 2]"));
    let output = run(&["inspect", &agent.url("/not-a-card.json"), "--json"]);
    assert_eq!((status(&output), &document(&output)["shape"]), (2, &json!("notACard")));
}

#[test]
fn inspect_takes_files_and_pasted_json() {
    let folder = tempfile::tempdir().unwrap();
    let card = rpc::card_with_interfaces(&["https://agent.example/rpc"]);
    let path = folder.path().join("card.json");
    std::fs::write(&path, &card).unwrap();
    for address in [path.to_str().unwrap(), folder.path().to_str().unwrap(), &card] {
        let output = run(&["inspect", address, "--json"]);
        assert_eq!(document(&output)["shape"], "1.0", "{address}");
        assert_eq!(document(&output)["retrieval"]["bytes"], card.len());
    }
}

#[test]
fn text_for_people_has_no_colours_in_a_pipe_and_no_tricks_of_the_card() {
    let agent = FakeAgent::start();
    let card =
        rpc::card_with_interfaces(&["https://agent.example/rpc"]).replace("Jar counter", "Jar\\u001b[31m counter");
    agent.on("/card.json", Reply::json(card));
    let output = run(&["inspect", &agent.url("/card.json")]);
    let shown = text(&output.stdout);
    assert!(!shown.contains('\u{1b}'), "{shown}");
    for word in ["Interfaces", "JSONRPC", "Capabilities", "streaming", "Skills", "Count jars", "Findings"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

#[test]
fn credentials_go_to_the_origin_of_the_address_only_and_are_never_shown() {
    let other = FakeAgent::start();
    other.handle("/rpc", |request, _| rpc::result(request, &json!({"task": rpc::task("t1", "COMPLETED")})));
    let agent = FakeAgent::start();
    agent.on("/.well-known/agent-card.json", Reply::json(rpc::card_with_interfaces(&[&other.url("/rpc")])));
    let output =
        cardscope(&["send", &agent.url(""), "hello", "--bearer-env", "PANTRY_TOKEN", "--header", "X-Shelf: key-4711"])
            .args(["--json", "--verbose"])
            .env("PANTRY_TOKEN", "token-0815")
            .env("RUST_LOG", "trace")
            .output()
            .unwrap();
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let request = agent.last("/.well-known/agent-card.json");
    assert_eq!(request.header("authorization"), Some("Bearer token-0815"));
    assert_eq!(request.header("x-shelf"), Some("key-4711"));
    let sent = other.last("/rpc");
    assert_eq!((sent.header("authorization"), sent.header("x-shelf")), (None, None));
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.contains("not sent to the interface"), "{said}");
    assert!(!said.contains("token-0815") && !said.contains("key-4711"), "a secret was written");

    let output = run(&["inspect", &agent.url(""), "--bearer-env", "NO_SUCH_VARIABLE"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("NO_SUCH_VARIABLE"));
}

#[test]
fn send_tells_each_step_and_the_end() {
    let agent = agent_with_task(&["SUBMITTED", "WORKING", "WORKING", "COMPLETED"]);
    let output = run(&["send", &agent.url(""), "how many jars?", "--json"]);
    let events = events(&output);
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| **name == "state").count(), 3, "{names:?}");
    assert_eq!(names.iter().filter(|name| **name == "artifact").count(), 1, "{names:?}");
    assert_eq!((names[0], events[0]["url"].as_str()), ("selected", Some(&*agent.url("/rpc"))));
    let states: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "state").map(|event| &event["state"]).collect();
    assert_eq!(states, ["submitted", "working", "completed"]);
    assert_eq!(
        last_event(&output),
        json!({
            "event": "end", "outcome": "completed", "text": "4 jars", "taskId": "t1", "contextId": "c1"
        })
    );
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn each_ending_has_its_exit_status() {
    for (states, outcome, code) in [
        (&["WORKING", "COMPLETED"][..], "completed", 0),
        (&["WORKING", "INPUT_REQUIRED"], "input-required", 3),
        (&["AUTH_REQUIRED"], "auth-required", 3),
        (&["WORKING", "FAILED"], "failed", 1),
        (&["REJECTED"], "rejected", 1),
        (&["CANCELED"], "canceled", 1),
    ] {
        let agent = agent_with_task(states);
        let output = run(&["send", &agent.url(""), "how many jars?", "--json"]);
        assert_eq!((last_event(&output)["outcome"].as_str(), status(&output)), (Some(outcome), code));
    }
    let agent = agent();
    agent.handle("/rpc", |request, _| {
        let message =
            json!({"messageId": "m1", "contextId": "c2", "role": "ROLE_AGENT", "parts": [{"text": "4 jars"}]});
        rpc::result(request, &json!({"message": message}))
    });
    let output = run(&["send", &agent.url(""), "how many jars?", "--json"]);
    assert_eq!((last_event(&output)["outcome"].as_str(), status(&output)), (Some("message"), 0));
    assert_eq!(
        (last_event(&output)["text"].as_str(), last_event(&output)["contextId"].as_str()),
        (Some("4 jars"), Some("c2"))
    );
    agent.handle("/rpc", |request, _| rpc::error(request, -32005, "no pictures, please"));
    let output = run(&["send", &agent.url(""), "how many jars?", "--json"]);
    assert_eq!((last_event(&output)["outcome"].as_str(), status(&output)), (Some("error"), 2));
    let said = last_event(&output)["text"].as_str().unwrap().to_owned();
    for word in ["-32005", "ContentTypeNotSupportedError", "no pictures, please"] {
        assert!(said.contains(word), "{said}");
    }
    agent.handle("/rpc", |request, _| rpc::error(request, -32601, "Method not found"));
    let output = run(&["send", &agent.url(""), "how many jars?", "--json"]);
    let said = last_event(&output)["text"].as_str().unwrap().to_owned();
    assert!(said.contains("declares 1.0") && said.contains("Nothing was sent again"), "{said}");
}

#[test]
fn an_error_of_any_kind_is_an_end() {
    let agent = FakeAgent::start();
    for arguments in [
        &["send", &agent.url(""), "hello", "--json"][..],
        &["send", "ftp://agent.example", "hello", "--json"],
        &["send", "http://127.0.0.1:1", "hello", "--json"],
    ] {
        let output = run(arguments);
        assert_eq!((last_event(&output)["outcome"].as_str(), status(&output)), (Some("error"), 2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn what_is_sent_is_what_was_asked_for() {
    let agent = agent_with_task(&["COMPLETED"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.csv");
    std::fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    let output = cardscope(&["send", &agent.url(""), "", "--context", "c7", "--task", "t7", "--file", file])
        .args(["--data", "{\"jars\": 1.0}", "--wait"])
        .output()
        .unwrap();
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let request = agent.last("/rpc");
    let message = &request.json()["params"]["message"];
    assert_eq!((&message["contextId"], &message["taskId"]), (&json!("c7"), &json!("t7")));
    assert_eq!(message["parts"][0]["filename"], "empty.csv");
    assert_eq!((&message["parts"][0]["mediaType"], &message["parts"][0]["raw"]), (&json!("text/csv"), &json!("")));
    assert!(String::from_utf8_lossy(&request.body).contains("1.0"), "numbers keep their digits");
    assert_ne!(request.json()["params"]["configuration"]["returnImmediately"], json!(true));
    for (arguments, word) in [
        (&["--data", "{jars"][..], "--data"),
        (&["--file", "/no/such/file"], "/no/such/file"),
        (&["--interface", "7"], "interface 7"),
        (&[], "nothing to send"),
    ] {
        let hits = agent.hits("/rpc");
        let output = cardscope(&["send", &agent.url(""), ""]).args(arguments).output().unwrap();
        assert_eq!(status(&output), 2);
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
        assert_eq!(agent.hits("/rpc"), hits);
    }
}

#[test]
fn an_address_that_looks_wrong_needs_a_word_first() {
    let agent = FakeAgent::start();
    agent.handle("/rpc", |request, _| rpc::result(request, &json!({"task": rpc::task("t1", "COMPLETED")})));
    let wildcard = format!("http://0.0.0.0:{}/rpc", agent.port());
    let card = rpc::card_with_interfaces(&[&wildcard, "/rpc"]);
    agent.on("/.well-known/agent-card.json", Reply::json(card));
    let output = run(&["send", &agent.url(""), "hello"]);
    assert_eq!((status(&output), agent.hits("/rpc")), (2, 0));
    assert!(text(&output.stderr).contains("--interface 0"), "{}", text(&output.stderr));
    let output = run(&["send", &agent.url(""), "hello", "--interface", "0"]);
    assert_eq!((status(&output), agent.hits("/rpc")), (0, 1), "{}", text(&output.stderr));
    let output = run(&["send", &agent.url(""), "hello", "--interface", "1"]);
    assert_eq!((status(&output), agent.hits("/rpc")), (2, 1));
}

#[test]
fn the_time_limit_holds_whatever_the_agent_does() {
    let working = agent_with_task(&["WORKING"]);
    let silent = agent();
    silent.on("/rpc", Reply::default().then(Step::Hang));
    for (agent, word) in [(&working, "still working"), (&silent, "may have been received")] {
        let began = Instant::now();
        let output = run(&["send", &agent.url(""), "how many jars?", "--json", "--timeout", "1"]);
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        assert_eq!((last_event(&output)["outcome"].as_str(), status(&output)), (Some("error"), 2));
        let said = last_event(&output)["text"].as_str().unwrap().to_owned();
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let agent = agent_with_task(&["WORKING"]);
    for arguments in [&["inspect", &agent.url("")][..], &["send", &agent.url(""), "hello", "--json", "--timeout", "20"]]
    {
        let began = Instant::now();
        let mut child = cardscope(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut problems = String::new();
        child.stderr.take().unwrap().read_to_string(&mut problems).unwrap();
        child.wait().unwrap();
        assert!(!problems.contains("panicked"), "{problems}");
        assert!(began.elapsed() < Duration::from_secs(5), "it does not go on for nobody");
    }
}

/// A child that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[test]
fn the_demo_prints_its_address_and_answers() {
    let mut demo =
        Running(cardscope(&["demo", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut address = String::new();
    BufReader::new(demo.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim();
    let inspected = run(&["inspect", address, "--json", "--fail-on", "warning"]);
    assert_eq!((status(&inspected), &document(&inspected)["shape"]), (0, &json!("1.0")), "{}", text(&inspected.stdout));
    for number in ["0", "1"] {
        let output = run(&["send", address, "What does DAP mean?", "--json", "--interface", number]);
        assert_eq!(last_event(&output)["outcome"], "message", "interface {number}: {}", text(&output.stderr));
    }
    // The port is taken now.
    let port = address.split(':').nth(2).unwrap().split('/').next().unwrap();
    let second = run(&["demo", "--port", port]);
    assert_eq!(status(&second), 2);
    assert!(text(&second.stderr).contains(port), "{}", text(&second.stderr));
}

#[test]
fn without_a_display_the_window_says_what_works_instead() {
    if cfg!(any(windows, target_os = "macos")) {
        return;
    }
    let output = run(&["--demo"]);
    let said = text(&output.stderr);
    assert_eq!((status(&output), said.lines().count()), (2, 1), "{said}");
    assert!(said.contains("cardscope inspect"), "{said}");
}
