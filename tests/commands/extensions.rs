//! Extensions that a card requires go along with what `cardscope send` sends.

use serde_json::{Value, json};

use super::{events, run, status, text};
use crate::support::{FakeAgent, Reply, rpc};

const REQUIRED: &str = "https://ext.example/audit/v1";

fn agent_with_extensions(version: &str) -> FakeAgent {
    let agent = FakeAgent::start();
    let mut card: Value = serde_json::from_str(&rpc::card_with_interfaces(&[&agent.url("/rpc")])).unwrap();
    card["supportedInterfaces"][0]["protocolVersion"] = json!(version);
    card["capabilities"]["extensions"] =
        json!([{"uri": REQUIRED, "required": true}, {"uri": "https://ext.example/mood/v1"}]);
    agent.on("/.well-known/agent-card.json", Reply::json(card.to_string()));
    agent.handle("/rpc", |request, _| {
        let message = json!({"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": "noted"}]});
        rpc::result(request, &json!({ "message": message }))
    });
    agent
}

#[test]
fn an_extension_that_the_card_requires_is_activated_and_named() {
    let agent = agent_with_extensions("1.0");
    let output = run(&["send", &agent.url(""), "hello", "--json"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert_eq!(agent.last("/rpc").header("A2A-Extensions"), Some(REQUIRED));
    assert_eq!(events(&output)[0]["extensions"], json!([REQUIRED]));

    let output = run(&["send", &agent.url(""), "hello"]);
    assert!(text(&output.stderr).contains(&format!("the card requires it: {REQUIRED}")), "{}", text(&output.stderr));
}

#[test]
fn the_older_dialect_has_the_older_header() {
    let agent = agent_with_extensions("0.3");
    run(&["send", &agent.url(""), "hello"]);
    let sent = agent.last("/rpc");
    assert_eq!((sent.header("X-A2A-Extensions"), sent.header("A2A-Extensions")), (Some(REQUIRED), None));
}
