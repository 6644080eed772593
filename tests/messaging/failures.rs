//! Errors of the agent, answers that are none, and connections that fail.

use std::time::{Duration, Instant};

use cardscope::a2a::{Dialect, ProtocolBinding, RawJson};
use cardscope::client::{CallError, CallErrorKind};

use super::{Caller, answer_rpc, endpoint, jars, rest, rpc};
use crate::support::{FakeAgent, Reply, Step};

/// The agent's error behind a failed call.
fn agent_error(error: &CallError) -> &cardscope::a2a::AgentError {
    match &error.kind {
        CallErrorKind::Agent(error) => error,
        other => panic!("{other:?} is no error of the agent"),
    }
}

#[test]
fn errors_of_json_rpc_are_read_whatever_the_http_status() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    let info = r#"{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "VERSION_NOT_SUPPORTED", "domain": "a2a-protocol.org"}"#;
    for (status, error, code, reason) in [
        (200, r#"{"code": -32601, "message": "Method not found: SendMessage"}"#.to_owned(), Some(-32601), None),
        (
            400,
            r#"{"code": -32600, "message": "Method not found: SendMessage", "data": "why"}"#.to_owned(),
            Some(-32600),
            None,
        ),
        (
            400,
            format!(
                r#"{{"code": -32009, "message": "Method not found: SendMessage", "data": [{{"@type": "x"}}, {info}]}}"#
            ),
            Some(-32009),
            Some("VERSION_NOT_SUPPORTED"),
        ),
        (
            500,
            r#"{"code": -32603, "message": "Method not found: SendMessage", "data": {"reason": "R"}}"#.to_owned(),
            Some(-32603),
            Some("R"),
        ),
        (200, r#""Method not found: SendMessage""#.to_owned(), None, None),
    ] {
        // An error may well come without the request's id.
        answer_rpc(&agent, status, &format!(r#"{{"jsonrpc": "2.0", "id": null, "error": {error}}}"#));
        let failed = caller.send(&rpc(&agent, Dialect::V1_0)).unwrap_err();
        let read = agent_error(&failed);
        assert_eq!((read.code, read.reason.as_deref()), (code, reason), "{error}");
        assert_eq!(read.message, "Method not found: SendMessage", "{error}");
        assert_eq!(failed.exchange.as_ref().unwrap().status(), Some(status));
    }
    // Declared is not spoken: nothing is sent again in another dialect.
    answer_rpc(&agent, 200, r#"{"jsonrpc": "2.0", "id": "ID", "error": {"code": -32601, "message": "unknown"}}"#);
    let before = agent.requests().len();
    assert_eq!(agent_error(&caller.send(&rpc(&agent, Dialect::V1_0)).unwrap_err()).name(), Some("MethodNotFoundError"));
    assert_eq!(agent.requests().len(), before + 1);
}

#[test]
fn errors_of_http_json_are_read_in_their_four_shapes() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    let cases = [
        (
            "application/json",
            r#"{"error": {"code": 404, "status": "NOT_FOUND", "message": "no such task", "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org"}]}}"#,
            "no such task",
            Some("TASK_NOT_FOUND"),
        ),
        (
            "application/problem+json",
            r#"{"error": {"code": 404, "status": "NOT_FOUND", "message": "no such task"}}"#,
            "no such task",
            Some("NOT_FOUND"),
        ),
        (
            "application/problem+json",
            r#"{"type": "https://larder.example/e/gone", "title": "Gone", "status": 404, "detail": "no such task"}"#,
            "Gone: no such task",
            Some("https://larder.example/e/gone"),
        ),
        (
            "application/json",
            r#"{"error": "TaskNotFoundError", "message": "no such task"}"#,
            "no such task",
            Some("TaskNotFoundError"),
        ),
        ("application/json", r#"{"detail": "no such task"}"#, "no such task", None),
        ("application/json", r#"{"error": "no such task"}"#, "no such task", None),
    ];
    for (content_type, body, message, reason) in cases {
        agent.otherwise(Reply::new(404, content_type, &[], body));
        let failed = caller.get(&rest(&agent, Dialect::V1_0), "t1").unwrap_err();
        let read = agent_error(&failed);
        assert_eq!((read.message.as_str(), read.reason.as_deref(), read.code), (message, reason, Some(404)), "{body}");
    }
    agent.otherwise(Reply::error(415, r#"{"detail": "unsupported"}"#));
    let failed = caller.send(&rest(&agent, Dialect::V1_0)).unwrap_err().to_string();
    assert!(failed.contains("415") && failed.contains("application/a2a+json"), "{failed}");
    agent.otherwise(Reply::new(
        401,
        "application/json",
        &["WWW-Authenticate: Bearer realm=\"pantry\""],
        r#"{"error": "x"}"#,
    ));
    let failed = caller.send(&rest(&agent, Dialect::V1_0)).unwrap_err();
    let CallErrorKind::HttpStatus { status: 401, www_authenticate: Some(challenge), .. } = &failed.kind else {
        panic!("{failed:?}")
    };
    assert!(challenge.contains("pantry"));
}

#[test]
fn answers_that_are_none_say_what_came() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    for (reply, words) in [
        (Reply::new(200, "text/html", &[], "<!doctype html><title>Sign in</title>"), "a web page ('Sign in')"),
        (Reply::json(""), "an empty body"),
        (Reply::json(r#"{"jsonrpc": "2.0", "result": {"task"#), "not JSON"),
        (Reply::json(r#"{"jsonrpc": "2.0", "id": "1", "result": {}}"#), "an empty object"),
        (Reply::json(r#"{"jsonrpc": "2.0", "id": "1", "result": null}"#), "null instead of an object"),
        (Reply::json("[".repeat(100_000)), "nesting"),
        (
            Reply::raw(Reply::head(200, "application/json", &[], Some(500)))
                .then(Step::Bytes(b"{\"jsonrpc\"".to_vec())),
            "broke off after 10 of 500 bytes",
        ),
        (Reply::raw(""), "before the answer was complete"),
        (Reply::raw("SSH-2.0-OpenSSH_9.6\r\n"), "not HTTP"),
    ] {
        agent.on("/rpc", reply);
        let error = caller.send(&rpc(&agent, Dialect::V1_0)).unwrap_err();
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert!(error.exchange.is_some());
        if let CallErrorKind::Transport { may_have_been_received, .. } = error.kind {
            assert!(may_have_been_received, "{error}");
        }
    }
    assert_eq!(agent.hits("/rpc"), 9, "nothing is sent twice");
    agent.on("/rpc", Reply::new(429, "text/plain", &["Retry-After: 2"], "slow down"));
    let error = caller.send(&rpc(&agent, Dialect::V1_0)).unwrap_err();
    assert!(matches!(error.kind, CallErrorKind::HttpStatus { status: 429, .. }));
    assert_eq!(error.retry_after, Some(Duration::from_secs(2)));
}

#[test]
fn a_refused_connection_is_said_and_surely_not_received() {
    let port = {
        let gone = FakeAgent::start();
        gone.port()
    };
    let caller = Caller::new();
    // The port is free again as soon as the server's thread has ended.
    let url = format!("http://127.0.0.1:{port}/rpc");
    let deadline = Instant::now() + Duration::from_secs(5);
    let error = loop {
        let error = caller.send(&endpoint(url.clone(), ProtocolBinding::JsonRpc, Dialect::V1_0)).unwrap_err();
        if error.to_string().contains("refused") || Instant::now() > deadline {
            break error;
        }
    };
    let CallErrorKind::Transport { sentence, may_have_been_received } = &error.kind else { panic!("{error:?}") };
    assert!(sentence.contains(&url) && sentence.contains("refused"), "{sentence}");
    assert!(!may_have_been_received);
}

#[test]
fn endpoints_that_cannot_be_asked_are_refused_before_anything_is_sent() {
    let caller = Caller::new();
    for (url, words) in [
        ("/rpc", "not a web address"),
        ("", "not a web address"),
        ("mailto:clerk@a.example", "not an http or https address"),
        ("https://user:secret@a.example/rpc", "user name or password"),
    ] {
        let error = caller.send(&endpoint(url.to_owned(), ProtocolBinding::JsonRpc, Dialect::V1_0)).unwrap_err();
        assert!(error.to_string().contains(words), "{url}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
        assert!(error.exchange.is_none());
    }
    let mut broken = jars();
    broken.metadata = Some(RawJson::new("{\"a\": "));
    let error = caller
        .send_with(&endpoint("http://127.0.0.1:9/".to_owned(), ProtocolBinding::JsonRpc, Dialect::V1_0), &broken, &[])
        .unwrap_err();
    assert!(error.to_string().contains("The request's metadata is not JSON"), "{error}");
}
