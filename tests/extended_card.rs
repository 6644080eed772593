//! The extended card: asked for by its operation, kept as it came, held against the public one.

use cardscope::client::{AttemptKind, Credential, Secret};
use cardscope::state::{Action, SideRef, View};

use crate::support::{FakeAgent, Model, Reply, rpc};

/// Verbatim: the spelling of a number and the order of members are the agent's.
const EXTENDED: &str = r#"{"version":"3.1.0", "name":"Jar counter", "description":"Counts jars, and opens them.", "x": 1.50,
 "capabilities":{"extendedAgentCard":true}, "defaultInputModes":["text/plain"], "defaultOutputModes":["text/plain"], "skills":[]}"#;

/// An agent that answers `reply` in an envelope when it is asked for its extended card.
fn agent(reply: &'static str) -> (FakeAgent, Model) {
    let agent = FakeAgent::start();
    let card = rpc::card_with_interfaces(&[&agent.url("/rpc")]);
    let card = card.replace("\"streaming\":false", "\"streaming\":false,\"extendedAgentCard\":true");
    agent.on("/.well-known/agent-card.json", Reply::json(card));
    agent.handle("/rpc", move |request, _| {
        assert_eq!(rpc::method(request), "GetExtendedAgentCard");
        Reply::json(format!("{{\"jsonrpc\":\"2.0\",\"id\":{},{reply}}}", request.json()["id"]))
    });
    let model = Model::showing(&agent.url(""));
    (agent, model)
}

fn ask(model: &mut Model) {
    model.apply(Action::GetExtendedCard);
    model.until("an answer is there", |state| state.discovery.pending.is_none());
}

#[test]
fn it_is_kept_as_it_came_and_compared_with_the_public_one() {
    let reply: &'static str = format!("\"result\": {EXTENDED}").leak();
    let (_agent, mut model) = agent(reply);
    let public = model.state.discovery.current.unwrap();
    ask(&mut model);
    let entry = model.state.discovery.current_entry().unwrap();
    let extended = entry.id;
    let attempt = &entry.retrieval.attempts[0];
    assert_eq!(attempt.kind, AttemptKind::Extended);
    assert_eq!(&attempt.document.as_ref().unwrap().bytes()[..], EXTENDED.as_bytes());
    assert_eq!(entry.address, "Jar counter, extended card");
    let notice = model.state.notices.last().unwrap().clone();
    assert_eq!(notice.title, "The extended card was returned without credentials");
    for action in notice.choices[0].actions.clone() {
        model.apply(action);
    }
    assert_eq!(model.state.view, View::Compare);
    let pair = model.state.comparison.pair(extended);
    assert_eq!((pair.older, pair.newer), (Some(SideRef::Entry(public)), Some(SideRef::Entry(extended))));
}

#[test]
fn credentials_go_with_the_question_and_are_said() {
    let reply: &'static str = format!("\"result\": {EXTENDED}").leak();
    let (agent, mut model) = agent(reply);
    let headers = vec![("Authorization".to_owned(), Secret::new("Bearer shelf-token"))];
    model.apply(Action::SetCredential(Credential { origin: agent.url(""), headers, client_certificate: None }));
    ask(&mut model);
    assert_eq!(agent.last("/rpc").header("authorization"), Some("Bearer shelf-token"));
    assert_eq!(model.state.notices.last().unwrap().title, "This is the extended card");
}

#[test]
fn where_there_is_none_the_public_card_stays_and_the_answer_is_told() {
    for reply in [
        r#""error": {"code": -32007, "message": "no extended card here"}"#,
        r#""result": "no extended card here""#,
        r#""result": null"#,
    ] {
        let (_agent, mut model) = agent(reply);
        let public = model.state.discovery.current;
        ask(&mut model);
        assert_eq!(model.state.discovery.current, public);
        assert_eq!(model.state.discovery.entries.len(), 1, "{reply}");
        let notice = model.state.notices.last().unwrap();
        assert_eq!(notice.title, "There is no extended card", "{reply}");
        assert!(!notice.detail.is_empty());
    }
}
