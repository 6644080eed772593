//! From an address to a card, against a scripted server: what is asked, what is chosen, what is said.

mod bodies;
mod local;
mod outcomes;
mod redirects;
// Apple's verifier refuses certificates that are valid for as long as these.
#[cfg(not(target_vendor = "apple"))]
mod tls;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cardscope::client::{
    Attempt, AttemptOutcome, Client, Credential, Exchange, NetworkSettings, ProxyChoice, Retrieval, Secret,
};
use tokio_util::sync::CancellationToken;

use crate::support::{FakeAgent, Reply, Step};

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
    discover_by(&NetworkSettings::default(), address, credentials)
}

fn discover_by(settings: &NetworkSettings, address: &str, credentials: &[Credential]) -> Retrieval {
    let exchanges: Arc<Mutex<Vec<Arc<Exchange>>>> = Arc::default();
    let record = Arc::clone(&exchanges);
    let client = Client::new(settings, Arc::new(move |exchange| record.lock().unwrap().push(exchange))).unwrap();
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

#[test]
fn a_refusal_at_one_place_says_nothing_about_the_next() {
    let agent = FakeAgent::start();
    let unauthorized = Reply::new(401, "text/plain", &["WWW-Authenticate: Bearer realm=\"pantry\""], "");
    agent.on("/rpc/.well-known/agent-card.json", unauthorized);
    agent.on("/rpc/.well-known/agent.json", Reply::status(405));
    agent.on(CARD_PATH, Reply::status(405));
    agent.on("/.well-known/agent.json", Reply::json(card("A")));
    let retrieval = discover(&agent.url("/rpc"));
    assert!(retrieval.found_card, "{}", retrieval.verdict);
    assert!(retrieval.verdict.contains("legacy path"), "{}", retrieval.verdict);
    assert!(retrieval.origin(retrieval.chosen.unwrap()).legacy_path);

    agent.on("/.well-known/agent.json", Reply::status(404));
    let retrieval = discover(&agent.url("/rpc"));
    let first = agent.url("/rpc/.well-known/agent-card.json");
    assert_eq!(retrieval.verdict, format!("Needs credentials: {first} answered 401 (Bearer, realm pantry)."));
    assert!(!retrieval.found_card);
    assert_eq!(retrieval.attempts.len(), 5, "every candidate was asked");
}

#[test]
fn the_headline_goes_by_rank() {
    let page = Reply::new(200, "text/html", &[], "<html><title>Sign in</title>");
    let order = [
        (Reply::json(card("A")), "an Agent Card"),
        (Reply::json("{\"intents\": []}"), "JSON that is not an Agent Card"),
        (Reply::status(403), "Needs credentials"),
        (Reply::status(503), "503 (Service Unavailable)"),
        (page, "a web page ('Sign in')"),
        (Reply::status(404), "No card was found"),
    ];
    for (better, words) in &order {
        let rank = order.iter().position(|(_, other)| other == words).unwrap();
        for (worse, _) in &order[rank..] {
            let agent = FakeAgent::start();
            agent.on(CARD_PATH, worse.clone());
            agent.on("/.well-known/agent.json", better.clone());
            // A card ends its base, so nothing is behind it.
            let verdict = discover(&agent.url("")).verdict;
            assert!(verdict.contains(words), "{words}: {verdict}");
        }
    }
}

#[test]
fn a_complete_url_is_asked_once_and_as_typed() {
    let agent = FakeAgent::start();
    agent.on("/cards/clerk.json", Reply::json(card("Clerk")));
    agent.on("/not-well-known/agent-card.json", Reply::json(card("Odd")));
    let retrieval = discover(&agent.url("/cards/clerk.json?pick=blue#top"));
    assert_eq!(chosen_name(&retrieval), "Clerk");
    let targets: Vec<String> = agent.requests().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["/cards/clerk.json?pick=blue"]);
    assert_eq!(chosen_name(&discover(&agent.url("/not-well-known/agent-card.json"))), "Odd");
    assert_eq!(agent.requests().len(), 2);

    for typed in ["/", "//", "/rpc/", "/rpc//", "/rpc#x", "/.well-known/agent-card.json/", "/.well-known/agent.json#a"]
    {
        discover(&agent.url(typed));
    }
    for request in agent.requests() {
        assert!(request.target.matches(".well-known").count() <= 1, "{}", request.target);
    }
}

#[test]
fn a_missing_scheme_is_added_and_said() {
    let agent = FakeAgent::with_card(&card("A"));
    let retrieval = discover(&format!("127.0.0.1:{}", agent.port()));
    assert!(retrieval.found_card);
    assert!(retrieval.assumptions[0].contains("http:// was added"), "{:?}", retrieval.assumptions);
    assert!(discover(&format!("localhost:{}", agent.port())).found_card);
    let refused = discover("ftp://larder.example/card.json");
    assert!(refused.verdict.contains("'ftp'") && refused.attempts.is_empty(), "{}", refused.verdict);
}

#[test]
fn the_address_as_typed_counts_only_if_it_is_a_card() {
    let agent = FakeAgent::start();
    agent.on("/rpc", Reply::json(card("Here")));
    assert_eq!(chosen_name(&discover(&agent.url("/rpc"))), "Here");
    agent.on("/rpc", Reply::new(405, "text/plain", &["Allow: POST"], ""));
    let retrieval = discover(&agent.url("/rpc"));
    assert!(retrieval.attempts.last().unwrap().note.contains("allows POST"));
    for page in [Reply::new(200, "text/html", &[], "<html><title>Welcome</title>"), Reply::json("{\"up\": true}")] {
        agent.on("/rpc", page);
        let verdict = discover(&agent.url("/rpc")).verdict;
        assert!(verdict.starts_with("No card was found"), "{verdict}");
    }
}

#[test]
fn a_version_that_a_server_refuses_is_left_out_once() {
    let agent = FakeAgent::start();
    agent.handle(CARD_PATH, |request, _| match request.header("A2A-Version") {
        Some("1.0") => Reply::error(400, r#"{"error": {"code": -32009, "message": "unknown version"}}"#),
        Some(other) => panic!("{other}"),
        None => Reply::json(card("Old")),
    });
    let retrieval = discover(&agent.url(""));
    assert_eq!(chosen_name(&retrieval), "Old");
    assert_eq!(agent.hits(CARD_PATH), 2);
    assert_eq!(retrieval.attempts[0].exchanges.len(), 2);
    assert!(retrieval.verdict.contains("without A2A-Version"), "{}", retrieval.verdict);
    assert!(agent.last(CARD_PATH).header("Accept").unwrap().starts_with("application/json"));
    // A plain refusal of something else is not asked again.
    agent.on(CARD_PATH, Reply::error(404, "{}"));
    discover(&agent.url(""));
    assert_eq!(agent.hits(CARD_PATH), 3);
}

#[test]
fn credentials_go_with_the_card_request_and_stay_with_their_origin() {
    let agent = FakeAgent::start();
    let other = FakeAgent::with_card(&card("Elsewhere"));
    agent.handle(CARD_PATH, |request, _| match request.header("Authorization") {
        Some("Bearer jar-key") => Reply::json(card("Guarded")),
        _ => Reply::status(403),
    });
    let headers = vec![
        ("Authorization".to_owned(), Secret::new("Bearer jar-key")),
        ("X-Pantry".to_owned(), Secret::new("shelf")),
    ];
    let credential = [Credential { origin: agent.url(""), headers, client_certificate: None }];
    assert_eq!(chosen_name(&discover_with(&agent.url(""), &credential)), "Guarded");

    agent.on(CARD_PATH, Reply::redirect(302, &other.url(CARD_PATH)));
    let retrieval = discover_with(&agent.url(""), &credential);
    assert_eq!(chosen_name(&retrieval), "Elsewhere");
    assert!(retrieval.verdict.contains("Redirected to another origin"), "{}", retrieval.verdict);
    let origin = retrieval.origin(retrieval.chosen.unwrap());
    assert_eq!(origin.requested_url, Some(agent.url(CARD_PATH)));
    assert_eq!(origin.final_url, Some(other.url(CARD_PATH)));
    let asked = other.last(CARD_PATH);
    assert_eq!((asked.header("Authorization"), asked.header("X-Pantry")), (None, None));
    // Also when the way leads back.
    other.on("/back", Reply::redirect(302, &agent.url("/home")));
    agent.on(CARD_PATH, Reply::redirect(302, &other.url("/back")));
    discover_with(&agent.url(""), &credential);
    assert_eq!(agent.last("/home").header("Authorization"), None);
}

#[test]
fn redirects_end() {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, Reply::redirect(302, "/a"));
    agent.on("/a", Reply::redirect(301, CARD_PATH));
    assert!(discover(&agent.url("")).verdict.contains("in a circle"));
    agent.handle("/n", |request, _| {
        let n: u32 = request.target.trim_start_matches("/n?").parse().unwrap_or(0);
        Reply::redirect(307, &format!("/n?{}", n + 1))
    });
    agent.on(CARD_PATH, Reply::redirect(302, "/n?1"));
    assert!(discover(&agent.url("")).verdict.contains("more than 10 times"));
    agent.on(CARD_PATH, Reply::redirect(302, "javascript:alert(1)"));
    assert!(discover(&agent.url("")).verdict.contains("no web address"));
    for status in [301, 302, 303, 307, 308] {
        agent.on(CARD_PATH, Reply::redirect(status, "/moved"));
        agent.on("/moved", Reply::json(card("Moved")));
        let retrieval = discover(&agent.url(""));
        assert_eq!(chosen_name(&retrieval), "Moved");
        assert_eq!(retrieval.attempts[0].final_url, Some(agent.url("/moved")));
        assert_eq!(retrieval.attempts[0].exchanges.len(), 2);
    }
}

#[test]
fn a_dead_proxy_does_not_keep_from_loopback_and_is_named_elsewhere() {
    let agent = FakeAgent::with_card(&card("A"));
    let proxy = FakeAgent::start();
    proxy.otherwise(Reply::json(card("Behind the proxy")));
    let dead = {
        let gone = FakeAgent::start();
        gone.port()
    };
    let settings = NetworkSettings {
        proxy: ProxyChoice::Manual(format!("http://127.0.0.1:{dead}")),
        ..NetworkSettings::default()
    };
    assert!(discover_by(&settings, &agent.url(""), &[]).found_card);
    let settings = NetworkSettings { proxy: ProxyChoice::Manual(proxy.url("")), ..NetworkSettings::default() };
    let retrieval = discover_by(&settings, "http://larder.invalid/card.json", &[]);
    assert_eq!(chosen_name(&retrieval), "Behind the proxy");
    assert_eq!(proxy.requests()[0].target, "http://larder.invalid/card.json");
    assert_eq!(retrieval.attempts[0].exchanges[0].request.proxy.as_deref(), Some(proxy.url("").as_str()));
    let settings = NetworkSettings {
        proxy: ProxyChoice::Manual(format!("http://127.0.0.1:{dead}")),
        ..NetworkSettings::default()
    };
    let retrieval = discover_by(&settings, "http://larder.invalid/", &[]);
    assert_eq!(retrieval.attempts.len(), 1, "a host that cannot be reached is asked once");
    assert!(retrieval.verdict.contains(&format!("proxy http://127.0.0.1:{dead}")), "{}", retrieval.verdict);
}

#[test]
fn a_slow_card_opens_and_a_failure_before_it_is_forgotten() {
    let agent = FakeAgent::start();
    let head = Reply::head(200, "application/json", &[], None);
    let slow = Reply::raw(head).then(Step::Drip(card("Slow").into_bytes(), Duration::from_micros(200)));
    agent.script(CARD_PATH, vec![Reply::status(503), slow.after(Duration::from_millis(20))]);
    let first = discover(&agent.url(CARD_PATH));
    assert!(first.verdict.contains("503 (Service Unavailable)"), "{}", first.verdict);
    for _ in 0..2 {
        assert_eq!(chosen_name(&discover(&agent.url(CARD_PATH))), "Slow");
    }
}

#[test]
fn failures_name_the_address_the_step_and_the_cause() {
    let agent = FakeAgent::start();
    agent.otherwise(Reply::raw(""));
    let plain = agent.url("").replace("http://", "https://");
    for (address, words) in [
        (agent.url("/card.json"), "closed before the answer was complete"),
        (format!("{plain}/card.json"), "TLS"),
        ("http://no-such-host.invalid/card.json".to_owned(), "name lookup failed"),
    ] {
        let verdict = discover(&address).verdict;
        assert!(verdict.contains(words) && verdict.contains(&address), "{words}: {verdict}");
    }
}

#[test]
fn cancelling_ends_the_discovery_at_once() {
    let agent = FakeAgent::start();
    agent.otherwise(Reply::raw("HTTP/1.1 200 OK\r\n").then(Step::Hang));
    let client = Client::new(&NetworkSettings::default(), Arc::new(|_| {})).unwrap();
    let cancel = CancellationToken::new();
    let (stop, address) = (cancel.clone(), agent.url(""));
    let runtime = runtime();
    let finding = runtime.spawn(async move { client.discover(&address, &[], &|_| {}, &stop).await });
    agent.wait_until("the request is there", |agent| !agent.requests().is_empty());
    let cancelled_at = Instant::now();
    cancel.cancel();
    let retrieval = runtime.block_on(finding).unwrap();
    assert_eq!(retrieval.attempts.len(), 1);
    assert_eq!(retrieval.attempts[0].outcome, AttemptOutcome::Cancelled);
    assert_eq!((retrieval.verdict.as_str(), retrieval.found_card), ("Cancelled.", false));
    agent.wait_until("the connection is closed", |agent| agent.open_connections() == 0);
    assert!(cancelled_at.elapsed() < Duration::from_millis(300), "{:?}", cancelled_at.elapsed());
}
