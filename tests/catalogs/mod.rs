//! Catalogs against servers that answer as the registries document it: what is asked, what is read, what is said.

mod window;

use std::fmt::Write as _;
use std::time::Duration;

use cardscope::card::catalog::CatalogKind;
use cardscope::client::{CatalogFailureKind, Credential, Secret};
use cardscope::history::{AgentRecord, AskedAs, Source};
use cardscope::state::catalogs::{Catalog, CatalogAction};
use cardscope::state::{Action, HistoryAction, State};

use crate::support::{FakeAgent, Model, Received, Reply, Step};

fn card(name: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Counts jars.", "version": "1.0.0",
  "supportedInterfaces": [{{"url": "https://larder.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}],
  "capabilities": {{}}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{{"id": "count", "name": "Count", "description": "Counts jars.", "tags": ["jars"]}}]}}"#
    )
}

/// Opens a catalog and waits for what comes of it.
fn open<'a>(model: &'a mut Model, address: &str, kind: Option<CatalogKind>) -> &'a Catalog {
    act(model, CatalogAction::Open { address: address.to_owned(), kind })
}

fn act(model: &mut Model, action: CatalogAction) -> &Catalog {
    model.apply(Action::Catalog(action));
    settle(model);
    model.state.catalogs.current().expect("a catalog is shown")
}

fn settle(model: &mut Model) {
    model.until("no catalog is being asked", |state| state.catalogs.opened.iter().all(|c| c.pending.is_none()));
}

fn current(model: &Model) -> &Catalog {
    model.state.catalogs.current().expect("a catalog is shown")
}

fn titles(catalog: &Catalog) -> Vec<&str> {
    (0..catalog.rows.len()).map(|row| catalog.entry(row).unwrap().0.title.as_str()).collect()
}

fn failure(catalog: &Catalog) -> (CatalogFailureKind, &str) {
    let failure = catalog.problem.as_ref().expect("it failed");
    (failure.kind, &failure.sentence)
}

/// Opens what a row leads to and gives the name of the card that came.
fn open_row(model: &mut Model, row: usize) -> String {
    let catalog = current(model).id;
    model.apply(Action::Catalog(CatalogAction::OpenEntry { catalog, row }));
    shown_card(model)
}

fn shown_card(model: &mut Model) -> String {
    model.until("the card is there", |state| state.discovery.pending.is_none());
    let entry = model.state.discovery.current_entry().expect("an agent is shown");
    let verdict = &entry.retrieval.verdict;
    entry.inspection.as_ref().map_or_else(|| verdict.clone(), |inspection| inspection.title.clone())
}

fn query(request: &Received, name: &str) -> Option<String> {
    let url = url::Url::parse(&format!("http://x{}", request.target)).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Serves `count` items in pages as a registry with offsets does.
fn serve_offsets(
    agent: &FakeAgent,
    path: &str,
    count: usize,
    wrap: fn(&[String], usize, usize) -> String,
    item: fn(usize) -> String,
) {
    agent.handle(path, move |request, _| {
        let number = |name: &str, usual: usize| query(request, name).map_or(usual, |value| value.parse().unwrap());
        let (offset, limit) = (number("offset", 0), number("limit", 20));
        let items: Vec<String> = (offset..count.min(offset + limit)).map(item).collect();
        Reply::json(wrap(&items, count, offset))
    });
}

#[test]
fn an_ai_catalog_of_a_bare_host_is_asked_for_only_on_wish() {
    let agent = FakeAgent::start();
    agent.on("/cards/a.json", Reply::json(card("Linked")));
    agent.on(
        "/.well-known/ai-catalog.json",
        Reply::json(format!(
            r#"{{"specVersion": "1.0", "host": {{"displayName": "Pantry"}}, "entries": [
            {{"identifier": "urn:a", "displayName": "A", "type": "application/a2a-agent-card+json", "url": "/cards/a.json"}},
            {{"identifier": "urn:b", "displayName": "B", "mediaType": "application/a2a-agent-card+json", "data": {}}},
            17]}}"#,
            card("Inline")
        )),
    );
    let mut model = Model::new();
    model.apply(Action::FetchCard { address: agent.url("") });
    model.until("the fetch is over", |state| state.discovery.pending.is_none());
    assert_eq!(agent.hits("/.well-known/ai-catalog.json"), 0, "nobody asked for a catalog");

    let catalog = open(&mut model, &agent.url(""), None);
    assert_eq!(catalog.name(), "Pantry");
    assert_eq!(titles(catalog), ["A", "B", "Entry 3 has no name"]);
    assert!(catalog.entry(2).unwrap().0.problem.is_some());
    assert!(catalog.pages[0].assumptions[0].contains("ai-catalog.json"), "{:?}", catalog.pages[0].assumptions);
    assert_eq!(open_row(&mut model, 0), "Linked");
    let asked = agent.requests().len();
    model.apply(Action::Catalog(CatalogAction::Select { catalog: model.state.catalogs.opened[0].id }));
    assert_eq!(open_row(&mut model, 1), "Inline");
    assert_eq!(agent.requests().len(), asked, "what stands in the catalog needs no request");
    let purposes: Vec<&str> =
        model.state.traffic.rows.iter().map(|row| row.exchange.purpose.as_str()).filter(|p| *p == "catalog").collect();
    assert_eq!(purposes.len(), 1);
}

/// A catalog "Pantry" with one entry that holds the card `name`.
fn serve_holding(agent: &FakeAgent, name: &str) {
    let entry = format!(r#"{{"identifier": "urn:jars", "displayName": "Jars", "data": {}}}"#, card(name));
    let body = format!(r#"{{"specVersion": "1.0", "host": {{"displayName": "Pantry"}}, "entries": [{entry}]}}"#);
    agent.on("/list.json", Reply::json(body));
}

/// Opens the only entry of the catalog at `address` and waits until its card is recorded.
fn open_held(model: &mut Model, address: &str) -> AgentRecord {
    let recorded = |state: &State| state.kept.agents.iter().map(|agent| agent.retrievals).sum::<u32>();
    let before = recorded(&model.state);
    open(model, address, None);
    open_row(model, 0);
    model.until("it is recorded", |state| recorded(state) > before);
    let agent = model.state.discovery.current_entry().unwrap().history.agent.unwrap();
    model.state.kept.agent(agent).unwrap().clone()
}

#[test]
fn cards_that_stand_in_catalogs_are_kept_apart_by_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (FakeAgent::start(), FakeAgent::start());
    serve_holding(&one, "Jars 1");
    serve_holding(&other, "Other jars");
    let mut model = Model::keeping(folder.path());
    let first = open_held(&mut model, &one.url("/list.json"));
    assert_eq!((first.card_url, first.source), (format!("{}#urn:jars", one.url("/list.json")), Source::Catalog));
    let second = open_held(&mut model, &other.url("/list.json"));
    assert_eq!((second.id == first.id, second.versions), (false, 1), "the same names are not the same agent");
    serve_holding(&one, "Jars 2");
    let changed = open_held(&mut model, &one.url("/list.json"));
    assert_eq!((changed.id, changed.versions), (first.id, 2), "it changed where it stands");
    assert_eq!(model.state.discovery.entries.len(), 2);

    // Another identity's catalog may say something else.
    let token = ("Authorization".to_owned(), Secret::new("Bearer larder-key"));
    let origin = one.url("").trim_end_matches('/').to_owned();
    model.apply(Action::SetCredential(Credential { origin, headers: vec![token], client_certificate: None }));
    let private = open_held(&mut model, &one.url("/list.json"));
    assert_ne!(private.id, first.id);
    assert!(matches!(&private.asked_as, AskedAs::Credentials { names, .. } if names[..] == ["authorization"]));

    // The next run knows what it is, and asks for no invented place.
    drop(model);
    let mut model = Model::keeping(folder.path());
    model.until("it is listed", |state| state.kept.agents.len() == 3);
    model.apply(Action::History(HistoryAction::ShowAgent { agent: second.id }));
    model.until("it is shown", |state| state.discovery.current_entry().is_some());
    model.apply(Action::RefreshCard);
    assert!(model.state.discovery.pending.is_none());
    let said = model.state.notices.last().unwrap();
    assert!(said.detail.contains(&format!("entry urn:jars of {}", other.url("/list.json"))), "{}", said.detail);
    let open_catalog = said.choices[0].actions[0].clone();
    model.apply(open_catalog);
    settle(&mut model);
    assert_eq!(titles(current(&model)), ["Jars"]);
}

#[test]
fn an_entry_is_fetched_from_its_own_place_and_no_other() {
    let agent = FakeAgent::with_card(&card("The host's own"));
    agent.on("/agents/jars", Reply::json(card("The entry's")));
    agent.on(
        "/list.json",
        Reply::json(
            r#"{"specVersion": "1.0", "entries": [{"identifier": "urn:a", "displayName": "A",
            "type": "application/a2a-agent-card+json", "url": "agents/jars"}]}"#,
        ),
    );
    let mut model = Model::new();
    open(&mut model, &agent.url("/list.json"), None);
    assert_eq!(open_row(&mut model, 0), "The entry's");
    assert_eq!(agent.hits("/.well-known/agent-card.json"), 0);
    model.apply(Action::RefreshCard);
    assert_eq!(shown_card(&mut model), "The entry's", "also when it is fetched again");
    assert_eq!(agent.hits("/.well-known/agent-card.json"), 0);
}

#[test]
fn discovery_that_meets_a_catalog_says_so_and_opens_it_without_asking_again() {
    let agent = FakeAgent::start();
    let list = format!(r#"{{"agents": [{}, null], "total": 2, "limit": 50, "offset": 0}}"#, card("Listed"));
    agent.on("/api/agents", Reply::json(list));
    let mut model = Model::new();
    model.apply(Action::FetchCard { address: agent.url("/api/agents") });
    model.until("the fetch is over", |state| state.discovery.pending.is_none());
    let verdict = &model.state.discovery.current_entry().unwrap().retrieval.verdict;
    assert!(verdict.contains("a catalog of agents (a2aregistry.org"), "{verdict}");
    let asked = agent.requests().len();
    let catalog = act(&mut model, CatalogAction::OpenShownDocument);
    assert_eq!(titles(catalog), ["Listed", "Entry 2 has no name"]);
    assert_eq!(catalog.address, agent.url("/api/agents"));
    assert_eq!(agent.requests().len(), asked);
    let id = catalog.id;
    act(&mut model, CatalogAction::Refresh { catalog: id });
    assert_eq!(agent.last("/api/agents").target, "/api/agents", "asked again as it was typed");
}

#[test]
fn a2aregistry_is_paged_and_searched_by_the_registry() {
    let agent = FakeAgent::start();
    agent.on("/jars/7", Reply::json(card("Jar 7")));
    let own = agent.url("");
    agent.handle("/api/agents", move |request, _| {
        let number = |name: &str, usual: usize| query(request, name).map_or(usual, |value| value.parse().unwrap());
        let (offset, limit) = (number("offset", 0), number("limit", 50).min(100));
        let wanted = query(request, "search").unwrap_or_default();
        let all: Vec<usize> = (0..250).filter(|index| format!("Agent {index}").contains(&wanted)).collect();
        let items: Vec<String> = all
            .iter()
            .skip(offset)
            .take(limit)
            .map(|index| {
                format!(r#"{{"name": "Agent {index}", "wellKnownURI": "{own}/jars/{index}", "is_healthy": true}}"#)
            })
            .collect();
        let (items, total) = (items.join(","), all.len());
        Reply::json(format!(r#"{{"agents": [{items}], "total": {total}, "limit": {limit}, "offset": {offset}}}"#))
    });
    let mut model = Model::new();
    let catalog = open(&mut model, &agent.url(""), Some(CatalogKind::A2aRegistry));
    assert_eq!((catalog.rows.len(), catalog.total), (100, Some(250)));
    let id = catalog.id;
    act(&mut model, CatalogAction::More { catalog: id });
    let catalog = act(&mut model, CatalogAction::More { catalog: id });
    assert_eq!((catalog.rows.len(), catalog.next.is_none()), (250, true));
    assert_eq!(titles(catalog)[249], "Agent 249");
    let catalog = act(&mut model, CatalogAction::Search { catalog: id, words: "Agent 7".to_owned() });
    assert_eq!((catalog.rows.len(), catalog.total), (11, Some(11)));
    assert_eq!(open_row(&mut model, 0), "Jar 7");
}

#[test]
fn ard_lists_by_token_and_searches_by_post() {
    let agent = FakeAgent::start();
    let entry = |name: &str| {
        format!(
            r#"{{"identifier": "urn:air:{name}", "displayName": "{name}", "type": "application/a2a-agent-card+json", "url": "https://a.example/{name}"}}"#
        )
    };
    agent.handle("/base/agents", move |request, _| match query(request, "pageToken").as_deref() {
        None => Reply::json(format!(r#"{{"items": [{}], "total": 2, "pageToken": "p 2"}}"#, entry("one"))),
        Some("p 2") => Reply::json(format!(r#"{{"items": [{}], "total": 2}}"#, entry("two"))),
        Some(_) => Reply::error(400, r#"{"errorCode": "INVALID_ARGUMENT", "message": "No such token"}"#),
    });
    agent.handle("/base/search", move |request, _| {
        let body = request.json();
        assert_eq!(body["query"]["text"], "plum jam");
        assert_eq!(body["federation"], "referrals");
        Reply::json(
            r#"{"results": [{"identifier": "urn:air:x", "displayName": "x", "type": "application/a2a-agent-card+json",
            "url": "https://a.example/x", "score": 80, "source": "https://r.example/"}],
            "referrals": [{"identifier": "urn:r", "displayName": "Other", "type": "application/ai-registry", "url": "https://o.example/search"}]}"#
        )
    });
    let mut model = Model::new();
    let catalog = open(&mut model, &agent.url("/base"), Some(CatalogKind::Ard));
    assert_eq!(titles(catalog), ["one"]);
    let id = catalog.id;
    assert_eq!(titles(act(&mut model, CatalogAction::More { catalog: id })), ["one", "two"]);
    let catalog = act(&mut model, CatalogAction::Search { catalog: id, words: "plum jam".to_owned() });
    assert_eq!(titles(catalog), ["x", "Other"]);
    assert_eq!(agent.last("/base/search").method, "POST");
}

#[test]
fn a_registry_that_only_answers_searches_says_what_to_do() {
    let agent = FakeAgent::start();
    agent.on("/search", Reply::json(r#"{"results": []}"#));
    let mut model = Model::new();
    let catalog = open(&mut model, &agent.url("/search"), Some(CatalogKind::Ard));
    let (kind, sentence) = failure(catalog);
    assert_eq!(kind, CatalogFailureKind::SearchOnly);
    assert!(sentence.contains("may answer a search"), "{sentence}");
    let id = catalog.id;
    let catalog = act(&mut model, CatalogAction::Search { catalog: id, words: "jam".to_owned() });
    assert!(catalog.problem.is_none() && catalog.rows.is_empty());
}

#[test]
fn an_agntcy_directory_gives_its_export() {
    let agent = FakeAgent::start();
    agent.on("/v1/agents/bafy1/export", Reply::json(card("Exported")));
    agent.handle("/v1/agents", |request, _| {
        if query(request, "filter").is_some_and(|filter| filter == "displayName=\"burger\"") {
            return Reply::json(r#"{"results": [], "nextPageToken": "", "totalCount": 0}"#);
        }
        Reply::json(
            r#"{"results": [{"identifier": "urn:ai:org.agntcy:cid:bafy1", "displayName": "jars",
            "mediaType": "application/a2a-agent-card+json", "data": {"card_data": {"name": "copy"}}, "version": "v1"}],
            "nextPageToken": "20", "totalCount": 2}"#,
        )
    });
    let mut model = Model::new();
    let catalog = open(&mut model, &agent.url(""), Some(CatalogKind::Agntcy));
    assert_eq!((titles(catalog), catalog.total), (vec!["jars"], Some(2)));
    let id = catalog.id;
    assert_eq!(open_row(&mut model, 0), "Exported");
    assert_eq!(agent.last("/v1/agents/bafy1/export").target, "/v1/agents/bafy1/export?format=a2a");
    let catalog = act(&mut model, CatalogAction::Search { catalog: id, words: "burger".to_owned() });
    assert!(catalog.rows.is_empty() && catalog.problem.is_none());
}

#[test]
fn apicurio_gives_cards_and_older_versions() {
    let agent = FakeAgent::start();
    serve_offsets(
        &agent,
        "/.well-known/agents",
        150,
        |items, count, _| format!(r#"{{"count": {count}, "agents": [{}]}}"#, items.join(",")),
        |index| format!(r#"{{"groupId": "team", "artifactId": "jar-{index}", "name": "Jar {index}", "version": "2"}}"#),
    );
    serve_offsets(
        &agent,
        "/apis/registry/v3/groups/team/artifacts/jar-3/versions",
        2,
        |items, count, _| format!(r#"{{"count": {count}, "versions": [{}]}}"#, items.join(",")),
        |index| {
            format!(r#"{{"artifactId": "jar-3", "groupId": "team", "globalId": {index}, "version": "{}"}}"#, index + 1)
        },
    );
    agent.handle("/.well-known/agents/team/jar-3", |request, _| {
        let version = query(request, "version").unwrap_or_else(|| "latest".to_owned());
        Reply::json(card(&format!("Jar 3, version {version}")))
    });
    let mut model = Model::new();
    let id = open(&mut model, &agent.url(""), Some(CatalogKind::Apicurio)).id;
    assert_eq!(act(&mut model, CatalogAction::More { catalog: id }).rows.len(), 150);
    assert_eq!(open_row(&mut model, 3), "Jar 3, version latest");
    let versions = act(&mut model, CatalogAction::OpenVersions { catalog: id, row: 3 });
    assert_eq!((versions.kind, versions.rows.len()), (Some(CatalogKind::ApicurioVersions), 2));
    assert_eq!(versions.name(), "Versions of jar-3");
    assert_eq!(open_row(&mut model, 0), "Jar 3, version 1");
    assert_eq!(model.state.discovery.entries.len(), 2, "a version is an entry of its own");
}

#[test]
fn nested_catalogs_open_beside_their_parent() {
    let agent = FakeAgent::start();
    agent.on(
        "/lists/top.json",
        Reply::json(
            r#"{"specVersion": "1.0", "entries": [
            {"identifier": "urn:n", "displayName": "Linked", "type": "application/ai-catalog+json", "url": "deep/sub.json"},
            {"identifier": "urn:i", "displayName": "Inner", "type": "application/ai-catalog+json", "data":
              {"specVersion": "1.0", "entries": [{"identifier": "urn:c", "displayName": "C", "type": "application/a2a-agent-card+json", "url": "c.json"}]}}]}"#,
        ),
    );
    agent.on("/lists/deep/sub.json", Reply::json(r#"["https://a.example/agent-card.json"]"#));
    agent.on("/lists/c.json", Reply::json(card("Beside the parent")));
    let mut model = Model::new();
    let top = open(&mut model, &agent.url("/lists/top.json"), None).id;
    let nested = act(&mut model, CatalogAction::OpenEntry { catalog: top, row: 0 });
    assert_eq!((nested.kind, nested.rows.len()), (Some(CatalogKind::JsonList), 1));
    let inner = act(&mut model, CatalogAction::OpenEntry { catalog: top, row: 1 });
    assert_eq!(titles(inner), ["C"]);
    assert_eq!(open_row(&mut model, 0), "Beside the parent");
}

#[test]
fn files_and_pasted_lists_are_catalogs_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("jars.json"), card("From a file")).unwrap();
    let path = folder.path().join("catalog.json");
    std::fs::write(
        &path,
        r#"{"specVersion": "1.0", "entries": [
        {"identifier": "urn:j", "displayName": "Jars", "type": "application/a2a-agent-card+json", "url": "jars.json"},
        {"identifier": "urn:p", "displayName": "Passwords", "type": "application/a2a-agent-card+json", "url": "file:///etc/passwd"}]}"#,
    )
    .unwrap();
    let mut model = Model::new();
    let catalog = open(&mut model, &path.display().to_string(), None);
    assert!(catalog.problem.is_none(), "{:?}", catalog.problem);
    assert!(catalog.entry(1).unwrap().0.problem.is_some());
    assert_eq!(open_row(&mut model, 0), "From a file");
    model.apply(Action::FetchCard { address: path.display().to_string() });
    shown_card(&mut model);
    let met = act(&mut model, CatalogAction::OpenShownDocument);
    assert!(met.entry(0).unwrap().0.url.as_deref().unwrap().ends_with("/jars.json"), "what lies beside it is found");
    let pasted = open(&mut model, &format!("[{}]", card("Pasted")), None);
    assert_eq!(titles(pasted), ["Pasted"]);
    assert_eq!(open_row(&mut model, 0), "Pasted");
}

#[test]
fn what_goes_wrong_is_said_and_what_is_here_stays() {
    let agent = FakeAgent::start();
    let page = Reply::new(200, "text/html", &[], "<html><title>Sign in</title>");
    let challenge = Reply::new(401, "text/plain", &["WWW-Authenticate: Bearer realm=\"pantry\""], "");
    let cut = Reply::raw(Reply::head(200, "application/json", &[], Some(900))).then(Step::Bytes(b"[".to_vec()));
    for (reply, kind, words) in [
        (Reply::status(404), CatalogFailureKind::Refused, "404 (Not Found)"),
        (Reply::error(400, r#"{"message": "No such filter"}"#), CatalogFailureKind::Refused, "No such filter"),
        (challenge, CatalogFailureKind::NeedsCredentials, "Bearer, realm pantry"),
        (page, CatalogFailureKind::NotACatalog, "not JSON"),
        (Reply::json(card("One")), CatalogFailureKind::NotACatalog, "an Agent Card, not a list"),
        (Reply::json(r#"{"hello": 1}"#), CatalogFailureKind::NotACatalog, "no catalog"),
        (cut, CatalogFailureKind::NoAnswer, "not completely"),
        (Reply::raw(""), CatalogFailureKind::NoAnswer, "gave no answer"),
    ] {
        agent.on("/list", reply);
        let mut model = Model::new();
        let (found, sentence) = failure(open(&mut model, &agent.url("/list"), None));
        assert_eq!(found, kind, "{sentence}");
        assert!(sentence.contains(words), "{sentence}");
    }
    agent.script(
        "/list",
        vec![
            Reply::json(
                r#"{"items": [{"identifier": "a", "displayName": "A", "url": "https://a.example"}], "pageToken": "2"}"#,
            ),
            Reply::status(503),
        ],
    );
    let mut model = Model::new();
    let id = open(&mut model, &agent.url("/list"), Some(CatalogKind::JsonList)).id;
    let catalog = act(&mut model, CatalogAction::More { catalog: id });
    assert_eq!((titles(catalog), failure(catalog).0), (vec!["A"], CatalogFailureKind::Refused));
}

#[test]
fn credentials_stay_with_their_origin_and_a_search_is_not_redirected() {
    let (registry, other) = (FakeAgent::start(), FakeAgent::start());
    other.on("/list", Reply::json("[]"));
    registry.on("/list", Reply::redirect(302, &other.url("/list")));
    registry.on("/search", Reply::redirect(307, &other.url("/search")));
    let mut model = Model::new();
    let origin = registry.url("");
    model.apply(Action::SetCredential(Credential {
        origin,
        headers: vec![("Authorization".to_owned(), Secret::new("Bearer plum-jam-token"))],
        client_certificate: None,
    }));
    let catalog = open(&mut model, &registry.url("/list"), Some(CatalogKind::JsonList));
    assert!(catalog.pages[0].assumptions.iter().any(|note| note.contains("redirected")));
    assert!(registry.last("/list").header("authorization").is_some());
    assert!(other.last("/list").header("authorization").is_none());
    let id = open(&mut model, &registry.url("/search"), Some(CatalogKind::Ard)).id;
    let catalog = act(&mut model, CatalogAction::Search { catalog: id, words: "jam".to_owned() });
    assert!(failure(catalog).1.contains("not sent elsewhere"), "{}", failure(catalog).1);
    assert_eq!(other.hits("/search"), 0);
}

#[test]
fn a_question_can_be_cancelled_and_its_socket_closes() {
    let agent = FakeAgent::start();
    agent.on("/list", Reply::default().then(Step::Hang));
    let mut model = Model::new();
    model.apply(Action::Catalog(CatalogAction::Open { address: agent.url("/list"), kind: None }));
    agent.wait_until("the question has arrived", |agent| agent.hits("/list") == 1);
    let catalog = current(&model).id;
    let started = std::time::Instant::now();
    model.apply(Action::Catalog(CatalogAction::Cancel { catalog }));
    assert!(current(&model).pending.is_none());
    agent.wait_until("the socket is closed", |agent| agent.open_connections() == 0);
    assert!(started.elapsed() < Duration::from_millis(1500), "{:?}", started.elapsed());
}

#[test]
fn ten_thousand_entries_arrive_as_one_page() {
    let mut body = r#"{"specVersion": "1.0", "entries": [null"#.to_owned();
    for index in 0..10_000 {
        write!(body, r#",{{"identifier": "urn:{index}", "displayName": "Agent {index}", "type": "application/a2a-agent-card+json", "url": "https://a.example/{index}"}}"#).unwrap();
    }
    body.push_str("]}");
    let agent = FakeAgent::start();
    agent.on("/list.json", Reply::json(body));
    let mut model = Model::new();
    let catalog = open(&mut model, &agent.url("/list.json"), None);
    assert_eq!(catalog.rows.len(), 10_001);
    assert_eq!(catalog.entry(10_000).unwrap().0.title, "Agent 9999");
}
