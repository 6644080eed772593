//! Commands in trouble: interrupted, out of time, with odd arguments, with secrets and tricks around them.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Running, agent, agent_with_task, cardscope, document, events, last_event, run, status, text};
use crate::support::{FakeAgent, Reply, Step, rpc};

/// How soon a command has to be over once it is interrupted.
#[cfg(target_os = "linux")]
const AT_ONCE: Duration = Duration::from_millis(300);

/// Sends ^C and waits for the end; how long that took.
#[cfg(target_os = "linux")]
fn interrupt(child: &mut Child) -> Duration {
    let began = Instant::now();
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    began.elapsed()
}

/// Starts a command that heeds ^C. What a shell runs in the background ignores it and hands that down: so may these
/// tests have been started.
#[cfg(target_os = "linux")]
fn start(arguments: &[&str]) -> Running {
    let command = cardscope(arguments);
    let mut through = std::process::Command::new("env");
    through.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => through.env(name, value),
            None => through.env_remove(name),
        };
    }
    Running(through.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_command_at_once_and_cancels_nothing_at_the_agent() {
    let working = agent_with_task(&["WORKING"]);
    let mut send = start(&["send", &working.url(""), "how many jars?"]);
    working.wait_until("the task is asked for", |agent| agent.hits("/rpc") > 2);
    let took = interrupt(&mut send.0);
    assert!(took < AT_ONCE, "{took:?}");
    working.wait_until("nothing is open", |agent| agent.open_connections() == 0);
    let methods: Vec<String> =
        working.requests().iter().filter(|request| request.path() == "/rpc").map(rpc::method).collect();
    assert!(!methods.contains(&"CancelTask".to_owned()), "{methods:?}");

    let silent = agent();
    silent.on("/rpc", Reply::default().then(Step::Hang));
    let mut send = start(&["send", &silent.url(""), "how many jars?"]);
    silent.wait_until("it is asked", |agent| agent.hits("/rpc") == 1);
    let took = interrupt(&mut send.0);
    assert!(took < AT_ONCE, "{took:?}");
    silent.wait_until("the socket is closed", |agent| agent.open_connections() == 0);

    let slow = FakeAgent::start();
    slow.otherwise(Reply::default().then(Step::Hang));
    let mut inspect = start(&["inspect", &slow.url("")]);
    slow.wait_until("it is asked", |agent| !agent.requests().is_empty());
    let took = interrupt(&mut inspect.0);
    assert!(took < AT_ONCE, "{took:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_demo_ends_although_connections_are_open() {
    use std::io::Write as _;
    let mut demo = start(&["demo"]);
    let mut address = String::new();
    BufReader::new(demo.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let host = address.trim().trim_start_matches("http://").split('/').next().unwrap();
    let mut idle = std::net::TcpStream::connect(host).unwrap();
    idle.write_all(b"POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n").unwrap();
    let took = interrupt(&mut demo.0);
    assert!(took < Duration::from_millis(600), "{took:?}");
}

#[test]
fn the_time_limit_counts_the_fetching_of_the_card() {
    let agent = FakeAgent::start();
    agent.otherwise(Reply::raw("HTTP/1.1 200 OK\r\n").then(Step::Hang));
    let began = Instant::now();
    let output = run(&["send", &agent.url(""), "hello", "--json", "--timeout", "1"]);
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    assert_eq!((last_event(&output)["outcome"].as_str(), status(&output)), (Some("error"), 2));
    assert!(text(&output.stderr).contains("Nothing was sent"), "{}", text(&output.stderr));
}

#[test]
fn an_agent_that_wants_a_longer_pause_than_there_is_time_is_quoted() {
    let agent = agent();
    agent.handle("/rpc", |request, turn| match turn {
        0 => rpc::result(request, &json!({"task": rpc::task("t1", "WORKING")})),
        _ => Reply::new(503, "text/plain", &["Retry-After: 3600"], "busy"),
    });
    let began = Instant::now();
    let output = run(&["send", &agent.url(""), "hello", "--json", "--timeout", "60"]);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let end = last_event(&output);
    assert_eq!((end["outcome"].as_str(), end["taskId"].as_str()), (Some("error"), Some("t1")));
    let said = end["text"].as_str().unwrap();
    assert!(said.contains("503") && said.contains("wait 3600 s"), "{said}");
}

#[test]
fn a_task_without_an_id_is_not_asked_for() {
    let agent = agent();
    agent.handle("/rpc", |request, _| {
        rpc::result(request, &json!({"task": {"status": {"state": "TASK_STATE_WORKING"}}}))
    });
    let output = run(&["send", &agent.url(""), "hello", "--json"]);
    assert_eq!((agent.hits("/rpc"), status(&output)), (1, 2));
    let said = last_event(&output)["text"].as_str().unwrap().to_owned();
    assert!(said.contains("no id"), "{said}");
}

#[test]
fn no_secret_of_an_address_is_printed() {
    let agent = agent();
    let with_token = agent.url("/?access_token=s3cret");
    for address in [
        "https://user:s3cret@agent.example/",
        "https://user:s3cret@exa mple/",
        "user:s3cret@agent.example",
        "user:s3cret@exa mple",
        "ftp://user:s3cret@agent.example/card.json",
        "https://agent.example:x/?token=s3cret",
        &with_token,
    ] {
        for arguments in
            [&["inspect", address][..], &["inspect", address, "--json"], &["send", address, "x", "--json", "--verbose"]]
        {
            let output = run(arguments);
            let said = text(&output.stdout) + &text(&output.stderr);
            assert!(!said.contains("s3cret"), "{arguments:?}: {said}");
        }
    }
    assert!(agent.requests().iter().any(|request| request.target.contains("s3cret")), "it is sent where it belongs");
}

#[test]
fn the_words_of_strangers_do_not_steer_the_terminal() {
    let trick = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}";
    let escaped = "\\u001b]0;owned\\u0007\\u001b[2J\\u202e";
    let agent = agent();
    let endings = [
        json!({"task": {"id": trick, "contextId": trick, "status": {"state": "TASK_STATE_INPUT_REQUIRED",
            "message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": trick}]}}}}),
        json!({"task": {"id": "t", "status": {"state": format!("TASK_STATE_{trick}")}}}),
        json!({"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"data": {"a": trick}},
            {"raw": "YQ==", "filename": trick, "mediaType": trick}, {"url": trick}]}}),
    ];
    for ending in endings {
        agent.handle("/rpc", move |request, _| rpc::result(request, &ending));
        let output = run(&["send", &agent.url(""), "hello", "--timeout", "1"]);
        assert_no_tricks(&output);
    }
    agent.handle("/rpc", move |request, _| rpc::error(request, -32603, trick));
    assert_no_tricks(&run(&["send", &agent.url(""), "hello"]));
    let page = format!("<!doctype html><title>{trick}</title>");
    agent.on("/rpc", Reply::new(200, "text/html", &[], page.clone()));
    assert_no_tricks(&run(&["send", &agent.url(""), "hello"]));
    agent.on("/page.json", Reply::new(200, "text/html", &[], page));
    assert_no_tricks(&run(&["inspect", &agent.url("/page.json")]));
    let card = rpc::card_with_interfaces(&["http://0.0.0.0/TRICK"]).replace("TRICK", escaped);
    agent
        .on("/card.json", Reply::json(card.replace("Counts.", escaped).replace("\"jars\"", &format!("\"{escaped}\""))));
    for arguments in [&["inspect", &agent.url("/card.json")][..], &["send", &agent.url("/card.json"), "hello"]] {
        assert_no_tricks(&run(arguments));
    }
}

fn assert_no_tricks(output: &std::process::Output) {
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{said:?}");
    assert!(!said.is_empty() && !said.contains("panicked"), "{said}");
}

#[test]
fn loopback_is_asked_directly_whatever_the_environment_says_of_proxies() {
    let agent = agent_with_task(&["COMPLETED"]);
    for no_proxy in ["", "10.0.0.0/8,,not a host,[::1", "localhost"] {
        let output = cardscope(&["send", &agent.url(""), "hello", "--json"])
            .envs([("HTTP_PROXY", "http://127.0.0.1:9"), ("http_proxy", "http://127.0.0.1:9")])
            .envs([("ALL_PROXY", "http://127.0.0.1:9"), ("NO_PROXY", no_proxy)])
            .output()
            .unwrap();
        assert_eq!(status(&output), 0, "{no_proxy:?}: {}", text(&output.stderr));
    }
    let output = cardscope(&["inspect", "http://larder.invalid/card.json"])
        .envs([("http_proxy", "http://user:s3cret@127.0.0.1:9"), ("NO_PROXY", "10.0.0.0/8,,not a host")])
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(status(&output), 2);
    assert!(said.contains("proxy http://127.0.0.1:9") && !said.contains("s3cret"), "{said}");
}

#[test]
fn headers_of_the_user_that_belong_to_http_itself_break_nothing() {
    let agent = agent_with_task(&["COMPLETED"]);
    for header in [
        "Content-Length: 5",
        "Content-Length: 500000",
        "Transfer-Encoding: chunked",
        "Connection: close",
        "Host: elsewhere.example",
        "Expect: 100-continue",
        "Accept: text/plain",
        "Content-Type: text/plain",
        "Accept-Encoding: identity",
        "X-Empty:",
        "X-Umlaut: grün",
    ] {
        let began = Instant::now();
        let output = run(&["send", &agent.url(""), "hello", "--json", "--header", header, "--timeout", "3"]);
        assert!(began.elapsed() < Duration::from_secs(6), "{header}: {:?}", began.elapsed());
        assert!(matches!(status(&output), 0 | 2), "{header}: {}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("panicked"), "{header}: {}", text(&output.stderr));
        assert_eq!(last_event(&output)["event"], "end", "{header}");
    }
}

#[test]
fn arguments_are_taken_in_any_place_and_nonsense_is_refused() {
    let agent = agent_with_task(&["COMPLETED"]);
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("kept").display().to_string();
    for arguments in [
        &["--data-dir", &data, "inspect", &agent.url(""), "--json", "--no-history"][..],
        &["--no-history", "--data-dir", &data, "--header", "X-Jar: 7", "inspect", &agent.url(""), "--json"],
        &["inspect", "--data-dir", &data, "--fail-on", "hint", "--json", &agent.url("")],
    ] {
        let output = run(arguments);
        assert!(matches!(status(&output), 0 | 1), "{}", text(&output.stderr));
        assert_eq!(document(&output)["shape"], "1.0");
    }
    assert!(agent.requests().iter().any(|request| request.header("X-Jar") == Some("7")));
    let output = run(&["send", &agent.url(""), "", "--data", "-5", "--data", "[1.0]", "--json"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(String::from_utf8_lossy(&agent.last("/rpc").body).contains("-5"));
    for arguments in [
        &["inspect"][..],
        &["inspect", "a.example", "--fail-on", "disaster"],
        &["send", "a.example"],
        &["send", "a.example", "x", "--timeout", "0"],
        &["send", "a.example", "x", "--timeout", "soon"],
        &["send", "a.example", "x", "--interface", "-1"],
        &["demo", "--port", "70000"],
        &["demo", "--revision", "3"],
        &["undo"],
        &["--demo", "inspect", "a.example"],
        &["--no-history", "history", "list"],
        &["inspect", ""],
        &["inspect", "a.example", "--header", "nothing"],
    ] {
        let output = run(arguments);
        assert_eq!((status(&output), output.stdout.len()), (2, 0), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["send", "--help"], &["help", "inspect"]] {
        assert_eq!(status(&run(arguments)), 0, "{arguments:?}");
    }
}

#[test]
fn cards_of_every_release_are_told_with_where_they_came_from() {
    let agent = FakeAgent::start();
    let older = r#"{"protocolVersion": "0.3.0", "name": "Clerk", "description": "Counts jars on shelves.", "version": "1",
        "url": "https://larder.example/rpc", "preferredTransport": "JSONRPC", "capabilities": {"streaming": true},
        "defaultInputModes": [], "defaultOutputModes": [], "skills": [], "supportsAuthenticatedExtendedCard": true,
        "additionalInterfaces": [{"url": "https://larder.example/grpc", "transport": "GRPC"}]}"#;
    agent.on(
        "/.well-known/agent.json",
        Reply::new(200, "application/json", &["ETag: \"k1\"", "Cache-Control: max-age=5"], older),
    );
    let output = run(&["inspect", &agent.url(""), "--json"]);
    let json = document(&output);
    assert_eq!((&json["shape"], &json["retrieval"]["legacyPath"]), (&json!("0.3"), &json!(true)));
    assert_eq!(
        (&json["retrieval"]["etag"], &json["retrieval"]["cacheControl"]),
        (&json!("\"k1\""), &json!("max-age=5"))
    );
    let capabilities = json!({"streaming": {"declared": true}, "pushNotifications": {"declared": null}, "extendedAgentCard": {"declared": true}});
    assert_eq!(json["capabilities"], capabilities);
    let rows: Vec<_> = json["interfaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["protocolBinding"], &row["usable"], &row["selected"]))
        .collect();
    assert_eq!(rows, [(&json!("JSONRPC"), &json!(true), &json!(true)), (&json!("GRPC"), &json!(false), &json!(false))]);
    assert_eq!(json["attempts"].as_array().unwrap().len(), 2, "{}", json["attempts"]);

    let hybrid = older.replacen('{', r#"{"supportedInterfaces": [{"url": "https://larder.example/1", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],"#, 1);
    for (body, shape) in [
        (
            older.replace("\"protocolVersion\": \"0.3.0\",", "").replace("\"preferredTransport\": \"JSONRPC\",", ""),
            "0.3",
        ),
        (hybrid, "hybrid"),
        ("{}".to_owned(), "notACard"),
    ] {
        agent.on("/there.json", Reply::json(body));
        agent.on("/here.json", Reply::redirect(302, "/there.json"));
        let json = document(&run(&["inspect", &agent.url("/here.json"), "--json"]));
        assert_eq!(json["shape"], shape);
        assert_eq!(json["retrieval"]["requestedUrl"], agent.url("/here.json"));
        assert_eq!(json["retrieval"]["finalUrl"], agent.url("/there.json"));
    }
    agent.on("/page.json", Reply::new(200, "text/html", &[], "<!doctype html><title>Sign in</title>"));
    let output = run(&["inspect", &agent.url("/page.json"), "--json"]);
    assert_eq!((status(&output), &document(&output)["shape"]), (2, &json!("notACard")));
    assert_eq!(document(&output)["attempts"][0]["outcome"], "notJson");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_said() {
    let agent = agent();
    for arguments in [&["inspect", &agent.url("")][..], &["inspect", &agent.url(""), "--json"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = cardscope(arguments).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert!(said.contains("could not be written") && !said.contains("panicked"), "{said}");
        assert_eq!(status(&output), 2, "what was asked for is not there");
    }
}

#[test]
fn what_the_agent_sent_is_printed_as_it_came() {
    let agent = agent();
    agent.handle("/rpc", |request, _| {
        let task = r#"{"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [
            {"artifactId": "a1", "parts": [{"data": {"n": 1.0, "big": 8747832031878802303, "z": 1, "a": 2}},
            {"raw": "", "filename": "empty.txt"}, {"odd": [1.50]}]}]}"#;
        let id = request.json()["id"].clone();
        Reply::json(format!(r#"{{"jsonrpc": "2.0", "id": {id}, "result": {{"task": {task}}}}}"#))
    });
    let output = run(&["send", &agent.url(""), "hello", "--json"]);
    let said = text(&output.stdout);
    for verbatim in [r#""n":1.0"#, "8747832031878802303", "1.50", r#""z":1,"a":2"#] {
        assert!(said.contains(verbatim), "{verbatim}: {said}");
    }
    assert_eq!(events(&output)[1]["event"], "artifact");
}
