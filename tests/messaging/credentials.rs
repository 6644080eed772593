//! Where credentials go and where they never show; redirects of a POST; cancelling.

use std::time::{Duration, Instant};

use cardscope::a2a::{Dialect, ProtocolBinding};
use cardscope::client::{CallErrorKind, Credential, ExchangeEnd, Secret, curl, traffic_json};
use tokio_util::sync::CancellationToken;

use super::{Caller, ECHO_TASK, answer_rpc, endpoint, jars, rpc};
use crate::support::{FakeAgent, Reply, Step};

fn credential(agent: &FakeAgent) -> Credential {
    Credential {
        origin: agent.url(""),
        headers: vec![
            ("Authorization".to_owned(), Secret::new("Bearer pantry-key-0123456789")),
            ("X-API-Key".to_owned(), Secret::new("jar-key-0123456789")),
        ],
        client_certificate: None,
    }
}

#[test]
fn a_post_is_redirected_only_within_its_origin_and_only_with_its_body() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    agent.on("/rpc/", Reply::redirect(307, "/rpc"));
    answer_rpc(&agent, 200, &format!(r#"{{"jsonrpc": "2.0", "id": "ID", "result": {{"task": {ECHO_TASK}}}}}"#));
    let slash = endpoint(agent.url("/rpc/"), ProtocolBinding::JsonRpc, Dialect::V1_0);
    caller.send_with(&slash, &jars(), &[credential(&agent)]).unwrap();
    let [first, second] = &agent.requests()[..] else { panic!("two requests") };
    assert_eq!((&first.method, &first.body), (&second.method, &second.body));
    assert_eq!(second.header("X-API-Key"), Some("jar-key-0123456789"));
    let hops: Vec<Option<u16>> = caller.exchanges.lock().unwrap().iter().map(|exchange| exchange.status()).collect();
    assert_eq!(hops, [Some(307), Some(200)], "the hop is recorded");

    for status in [301, 302, 303] {
        agent.on("/moved", Reply::redirect(status, "/rpc"));
        let before = agent.hits("/rpc");
        let error = caller.send(&endpoint(agent.url("/moved"), ProtocolBinding::JsonRpc, Dialect::V1_0)).unwrap_err();
        let CallErrorKind::Redirected { status: said, location, url } = &error.kind else { panic!("{error:?}") };
        assert_eq!((*said, location.as_str(), url.as_str()), (status, &*agent.url("/rpc"), &*agent.url("/moved")));
        assert_eq!(agent.hits("/rpc"), before);
    }
}

#[test]
fn credentials_stay_with_their_origin() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    let other = FakeAgent::start();
    for status in [307, 308] {
        agent.on("/rpc", Reply::redirect(status, &other.url("/rpc")));
        let error = caller.send_with(&rpc(&agent, Dialect::V1_0), &jars(), &[credential(&agent)]).unwrap_err();
        assert!(matches!(error.kind, CallErrorKind::Redirected { .. }), "{error:?}");
    }
    assert!(other.requests().is_empty(), "nobody was asked at the other origin");
    assert!(agent.last("/rpc").header("authorization").is_some());

    // An interface on another origin than the credential's gets nothing of it.
    caller.send_with(&rpc(&other, Dialect::V1_0), &jars(), &[credential(&agent)]).ok();
    assert_eq!(other.last("/rpc").header("authorization"), None);
    assert_eq!(other.last("/rpc").header("x-api-key"), None);

    // An empty credential is none.
    let empty = Credential {
        origin: other.url(""),
        headers: ["", "  ", "Bearer", "Bearer ", "basic "]
            .map(|value| ("Authorization".to_owned(), Secret::new(value)))
            .to_vec(),
        client_certificate: None,
    };
    caller.send_with(&rpc(&other, Dialect::V1_0), &jars(), &[empty]).ok();
    assert_eq!(other.last("/rpc").header("authorization"), None);
}

#[test]
fn no_secret_is_in_a_record() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    agent.on(
        "/rpc",
        Reply::new(
            200,
            "application/json",
            &["Set-Cookie: session=cookie-0123456789", "Location: /x?token=loc-0123456789"],
            "{}",
        ),
    );
    let url = agent.url("/rpc?api_key=query-0123456789&pick=blue");
    let mut credential = credential(&agent);
    credential.headers.push(("X-Jar".to_owned(), Secret::new("odd-name-0123456789")));
    caller.send_with(&endpoint(url, ProtocolBinding::JsonRpc, Dialect::V1_0), &jars(), &[credential]).ok();
    assert_eq!(agent.last("/rpc").target, "/rpc?api_key=query-0123456789&pick=blue");
    assert_eq!(agent.last("/rpc").header("x-jar"), Some("odd-name-0123456789"));
    let exchanges = caller.exchanges.lock().unwrap();
    let exchange = exchanges.last().unwrap();
    let exported = traffic_json::exchanges_to_json([&**exchange].into_iter());
    for text in [format!("{exchange:?}"), exported, curl::command(exchange, false)] {
        assert!(!text.contains("012345"), "{text}");
        assert!(text.contains("pick=blue"), "{text}");
    }
    let revealed = curl::command(exchange, true);
    for secret in ["Bearer pantry-key-0123456789", "jar-key-0123456789", "odd-name-0123456789"] {
        assert!(revealed.contains(secret), "{revealed}");
    }
}

#[test]
fn cancelling_closes_the_socket_at_once() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    let head = Reply::head(200, "application/json", &[], Some(500));
    for reply in [Reply::raw("").then(Step::Hang), Reply::raw(head + "{").then(Step::Hang)] {
        agent.on("/rpc", reply);
        let before = agent.hits("/rpc");
        let cancel = CancellationToken::new();
        let (client, stop) = (caller.client.clone(), cancel.clone());
        let waiting = rpc(&agent, Dialect::V1_0);
        let sending = caller.runtime.spawn(async move { client.send_message(&waiting, &jars(), &[], &stop).await });
        agent.wait_until("the request is there", |agent| agent.hits("/rpc") > before);
        let cancelled_at = Instant::now();
        cancel.cancel();
        let error = caller.runtime.block_on(sending).unwrap().unwrap_err();
        assert_eq!(error.kind, CallErrorKind::Cancelled);
        agent.wait_until("the connection is closed", |agent| agent.open_connections() == 0);
        assert!(cancelled_at.elapsed() < Duration::from_millis(300), "{:?}", cancelled_at.elapsed());
        assert!(matches!(caller.exchanges.lock().unwrap().last().unwrap().end, ExchangeEnd::Cancelled));
    }
}
