//! The exact bytes of requests, and the URLs they go to.

use std::path::Path;

use bytes::Bytes;
use cardscope::a2a::{
    Dialect, Message, Part, PartContent, ProtocolBinding, RawJson, SendMessageConfiguration, SendMessageRequest,
};
use cardscope::client::{CallErrorKind, Endpoint};

use super::{Caller, ECHO_TASK, endpoint, message};
use crate::support::{FakeAgent, Received, Reply};

/// A request with everything in it that a request can have.
fn everything() -> SendMessageRequest {
    let mut file = Part::file(Bytes::from_static(b"hi"), "hi.txt".to_owned(), Some("text/plain".to_owned()));
    file.metadata = Some(RawJson::new(r#"{"shelf": 1.0}"#));
    let link = Part {
        content: PartContent::Url("https://larder.example/jars.csv".to_owned()),
        metadata: None,
        filename: Some("jars.csv".to_owned()),
        media_type: Some("text/csv".to_owned()),
    };
    SendMessageRequest {
        tenant: Some("north/42 β".to_owned()),
        message: Message {
            context_id: Some("c1".to_owned()),
            task_id: Some("t1".to_owned()),
            metadata: Some(RawJson::new(r#"{"id": 8747832031878802303, "n": 1.0}"#)),
            reference_task_ids: vec!["t0".to_owned()],
            ..message(vec![
                Part::text("how many \"jars\"?\nand lids?"),
                file,
                Part::file(Bytes::new(), "empty.txt".to_owned(), None),
                link,
                Part::data(RawJson::new(r#"{"count": 12345678901234567}"#)),
            ])
        },
        configuration: SendMessageConfiguration {
            accepted_output_modes: vec!["text/plain".to_owned(), "application/json".to_owned()],
            history_length: Some(0),
            return_immediately: false,
        },
        metadata: Some(RawJson::new(r#"{"trace":"x"}"#)),
    }
}

/// The request as sent, ids, port and program version replaced.
fn normal(request: &Received, agent: &FakeAgent) -> String {
    let text = String::from_utf8(request.raw.clone()).unwrap();
    let text = text.replace("\r\n", "\n").replace(&format!("127.0.0.1:{}", agent.port()), "HOST");
    let text = text.replace(concat!("cardscope/", env!("CARGO_PKG_VERSION")), "cardscope/VERSION");
    match text.find(r#""id":""#).filter(|_| text.contains("jsonrpc")) {
        Some(at) => {
            let id = &text[at + 6..at + 42];
            assert!(uuid::Uuid::parse_str(id).is_ok(), "the id is unique: {id}");
            text.replace(id, "UUID")
        }
        None => text,
    }
}

fn assert_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("CARDSCOPE_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // Some checkouts write line ends of their own.
    let golden = golden.replace("\r\n", "\n");
    assert_eq!(text, golden, "{name}");
}

#[test]
fn requests_are_golden() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    let task = Reply::json(format!(r#"{{"task": {ECHO_TASK}}}"#));
    agent.otherwise(task);
    let extension = "https://larder.example/ext/traceability/v1".to_owned();
    for (dialect, label) in [(Dialect::V1_0, "1.0"), (Dialect::V0_3, "0.3")] {
        for (binding, name) in [(ProtocolBinding::JsonRpc, "jsonrpc"), (ProtocolBinding::HttpJson, "http_json")] {
            let plain = endpoint(agent.url("/a2a"), binding, dialect);
            caller.send(&plain).ok();
            assert_golden(&format!("{label}_{name}_send.http"), &normal(agent.requests().last().unwrap(), &agent));
            let full = Endpoint {
                tenant: Some("north/42 β".to_owned()),
                extensions: vec![extension.clone(), "https://larder.example/ext/2".to_owned()],
                ..plain
            };
            caller.send_with(&full, &everything(), &[]).ok();
            assert_golden(&format!("{label}_{name}_send_all.http"), &normal(agent.requests().last().unwrap(), &agent));
            caller.get(&full, "t1").ok();
            assert_golden(&format!("{label}_{name}_get.http"), &normal(agent.requests().last().unwrap(), &agent));
            caller.cancel(&full, "t1").ok();
            assert_golden(&format!("{label}_{name}_cancel.http"), &normal(agent.requests().last().unwrap(), &agent));
        }
    }
}

#[test]
fn http_json_urls_have_one_slash_their_query_and_v1_once() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    for (base, new, old) in [
        ("", "/message:send", "/v1/message:send"),
        ("/", "/message:send", "/v1/message:send"),
        ("/a2a", "/a2a/message:send", "/a2a/v1/message:send"),
        ("/a2a/", "/a2a/message:send", "/a2a/v1/message:send"),
        ("/v1", "/v1/message:send", "/v1/message:send"),
        ("/v1/", "/v1/message:send", "/v1/message:send"),
        ("/a?k=1", "/a/message:send?k=1", "/a/v1/message:send?k=1"),
    ] {
        for (dialect, expected) in [(Dialect::V1_0, new), (Dialect::V0_3, old)] {
            caller.send(&endpoint(agent.url(base), ProtocolBinding::HttpJson, dialect)).ok();
            assert_eq!(agent.requests().last().unwrap().target, expected, "{base:?} {dialect:?}");
        }
    }
    // JSON-RPC goes to the declared URL as it is; a 404 is not tried another way.
    for path in ["/rpc", "/rpc/", "/rpc//x?k=1&token=abc"] {
        let before = agent.requests().len();
        let error = caller.send(&endpoint(agent.url(path), ProtocolBinding::JsonRpc, Dialect::V1_0)).unwrap_err();
        assert!(matches!(error.kind, CallErrorKind::HttpStatus { status: 404, .. }), "{error}");
        assert_eq!(agent.requests().len(), before + 1);
        assert_eq!(agent.requests().last().unwrap().target, path);
    }
}
