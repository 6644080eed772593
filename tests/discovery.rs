//! From an address to a card, against a scripted server: what is asked, what is chosen, what is said.

use std::sync::{Arc, Mutex};

use cardscope::client::{Attempt, Client, Credential, Exchange, NetworkSettings, Retrieval};
use tokio_util::sync::CancellationToken;

use crate::support::{FakeAgent, Reply};

const CARD_PATH: &str = "/.well-known/agent-card.json";

/// A small but whole 1.0 card with a name of its own.
fn card(name: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Counts jars.", "version": "1.0.0",
  "supportedInterfaces": [{{"url": "https://larder.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}],
  "capabilities": {{}}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{{"id": "count", "name": "Count", "description": "Counts jars.", "tags": ["jars"]}}]}}"#
    )
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

fn discover(address: &str) -> Retrieval {
    discover_with(address, &[])
}

fn discover_with(address: &str, credentials: &[Credential]) -> Retrieval {
    let exchanges: Arc<Mutex<Vec<Arc<Exchange>>>> = Arc::default();
    let record = Arc::clone(&exchanges);
    let client =
        Client::new(&NetworkSettings::default(), Arc::new(move |exchange| record.lock().unwrap().push(exchange)))
            .unwrap();
    let told = Mutex::new(0);
    let retrieval = runtime().block_on(client.discover(
        address,
        credentials,
        &|_: &Attempt| *told.lock().unwrap() += 1,
        &CancellationToken::new(),
    ));
    assert_eq!(*told.lock().unwrap(), retrieval.attempts.len(), "every attempt is told as it is made");
    let made: usize = retrieval.attempts.iter().map(|attempt| attempt.exchanges.len()).sum();
    assert_eq!(exchanges.lock().unwrap().len(), made, "every exchange is recorded once");
    retrieval
}

/// The `name` of the document that was chosen.
fn chosen_name(retrieval: &Retrieval) -> String {
    let attempt = &retrieval.attempts[retrieval.chosen.expect("a document was chosen")];
    let document = attempt.document.as_ref().expect("it has a document");
    document.object().and_then(|root| root.get_str("name").map(std::borrow::Cow::into_owned)).unwrap_or_default()
}

#[test]
fn the_card_is_found_at_the_origin_or_under_the_path() {
    let at_origin = FakeAgent::with_card(&card("A"));
    let retrieval = discover(&at_origin.url("/rpc"));
    assert_eq!(chosen_name(&retrieval), "A");
    assert!(retrieval.found_card);
    let statuses: Vec<_> = retrieval.attempts.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [Some(404), Some(404), Some(200)]);

    let under_path = FakeAgent::start();
    under_path.on(&format!("/rpc{CARD_PATH}"), Reply::json(card("B")));
    under_path.otherwise(Reply::status(405));
    let retrieval = discover(&under_path.url("/rpc"));
    assert_eq!(chosen_name(&retrieval), "B");
    assert!(retrieval.alternative.is_none());

    let both = FakeAgent::with_card(&card("A"));
    both.on(&format!("/rpc{CARD_PATH}"), Reply::json(card("B")));
    let retrieval = discover(&both.url("/rpc"));
    assert_eq!(chosen_name(&retrieval), "B");
    let other = &retrieval.attempts[retrieval.alternative.expect("the other card is offered")];
    assert_eq!(other.url, both.url(CARD_PATH));
    assert!(retrieval.verdict.contains("Another card is at the origin"), "{}", retrieval.verdict);

    let same = FakeAgent::with_card(&card("A"));
    same.on(&format!("/rpc{CARD_PATH}"), Reply::json(card("A")));
    assert!(discover(&same.url("/rpc")).alternative.is_none());
}
