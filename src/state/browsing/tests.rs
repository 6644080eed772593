//! The model of catalogs by itself: what is asked, what is kept, what is dropped.

use std::sync::Arc;

use super::*;
use crate::card::Document;
use crate::card::catalog::{Asked, CatalogPage};
use crate::client::{CatalogFailure, CatalogFailureKind};
use crate::state::settings::Settings;
use crate::state::{Action, Outcome};

fn answer(query: &CatalogQuery, body: &str) -> Box<CatalogAnswer> {
    let document = Arc::new(Document::new(body.to_owned()));
    let base = url::Url::parse("https://r.example/agents").unwrap();
    let page =
        CatalogPage::read(&document, Asked { base: Some(&base), kind: query.shape.or(query.kind), offset: 0 }).unwrap();
    Box::new(CatalogAnswer {
        query: query.clone(),
        place: base.to_string(),
        base: Some(base.into()),
        assumptions: Vec::new(),
        document: Some(document),
        exchange: None,
        result: Ok(Arc::new(page)),
    })
}

fn do_with(state: &mut State, action: CatalogAction) -> Vec<Effect> {
    state.apply(Action::Catalog(action))
}

fn asked(effects: &[Effect]) -> (JobId, CatalogQuery) {
    match effects.last() {
        Some(Effect::AskCatalog { job, query, .. } | Effect::ReadCatalog { job, query, .. }) => (*job, query.clone()),
        other => panic!("no catalog is asked for: {other:?}"),
    }
}

fn open(state: &mut State, address: &str) -> (JobId, CatalogQuery) {
    asked(&do_with(state, CatalogAction::Open { address: address.to_owned(), kind: None }))
}

fn ard(name: &str, token: &str) -> String {
    format!(
        r#"{{"items": [{{"identifier": "{name}", "displayName": "{name}", "type": "application/a2a-agent-card+json",
        "url": "https://a.example/{name}"}}], "pageToken": "{token}"}}"#
    )
}

fn absorb(state: &mut State, job: JobId, query: &CatalogQuery, body: &str) {
    assert!(state.absorb(Outcome::CatalogAnswered { job, answer: answer(query, body) }).is_empty());
}

/// A registry of two pages, the first of which is here.
fn with_first_page() -> (State, CatalogId) {
    let mut state = State::default();
    let (job, query) = open(&mut state, "https://r.example/agents");
    assert_eq!(query.kind, None, "what was typed is asked as it is");
    absorb(&mut state, job, &query, &ard("a", "t1"));
    let id = state.catalogs.current().unwrap().id;
    (state, id)
}

#[test]
fn pages_follow_each_other_until_the_registry_repeats_itself() {
    let (mut state, catalog) = with_first_page();
    let (job, query) = asked(&do_with(&mut state, CatalogAction::More { catalog }));
    assert_eq!((query.shape, query.next.clone()), (Some(CatalogKind::Ard), Some(NextPage::Token("t1".to_owned()))));
    assert!(do_with(&mut state, CatalogAction::More { catalog }).is_empty(), "one page at a time");
    absorb(&mut state, job, &query, &ard("b", "t2"));
    let (job, query) = asked(&do_with(&mut state, CatalogAction::More { catalog }));
    absorb(&mut state, job, &query, &ard("c", "t1"));
    let current = state.catalogs.current().unwrap();
    assert_eq!((current.rows.len(), current.next.is_none()), (3, true));
    assert!(current.stopped.as_ref().unwrap().contains("here already"), "{:?}", current.stopped);
    assert!(do_with(&mut state, CatalogAction::More { catalog }).is_empty());
}

#[test]
fn the_same_page_again_ends_the_paging_and_is_not_listed_twice() {
    let (mut state, catalog) = with_first_page();
    let (job, query) = asked(&do_with(&mut state, CatalogAction::More { catalog }));
    absorb(&mut state, job, &query, &ard("a", "t1"));
    let current = state.catalogs.current().unwrap();
    assert_eq!(current.rows.len(), 1);
    assert!(current.stopped.as_ref().unwrap().contains("same page again"));
}

#[test]
fn late_and_cancelled_answers_change_nothing() {
    let (mut state, catalog) = with_first_page();
    let (first, query) = asked(&do_with(&mut state, CatalogAction::Refresh { catalog }));
    let effects = do_with(&mut state, CatalogAction::Search { catalog, words: " jam ".to_owned() });
    assert!(matches!(effects[0], Effect::Abort { job } if job == first));
    let (second, search) = asked(&effects);
    assert_eq!((search.search.as_str(), search.shape), ("jam", Some(CatalogKind::Ard)));
    absorb(&mut state, first, &query, &ard("late", ""));
    assert_eq!(state.catalogs.current().unwrap().entry(0).unwrap().0.title, "a");
    assert!(
        matches!(do_with(&mut state, CatalogAction::Cancel { catalog })[..], [Effect::Abort { job }] if job == second)
    );
    absorb(&mut state, second, &search, &ard("late", ""));
    assert_eq!(state.catalogs.current().unwrap().entry(0).unwrap().0.title, "a");
    let (third, search) = asked(&do_with(&mut state, CatalogAction::Search { catalog, words: "jam".to_owned() }));
    absorb(&mut state, third, &search, &ard("jam", ""));
    let current = state.catalogs.current().unwrap();
    assert_eq!((current.rows.len(), current.search.as_str()), (1, "jam"));
}

#[test]
fn an_entry_leads_to_exactly_its_document() {
    let (mut state, catalog) = with_first_page();
    let effects = do_with(&mut state, CatalogAction::OpenEntry { catalog, row: 0 });
    assert!(
        matches!(&effects[..], [Effect::FetchCard { address, .. }] if address == "https://a.example/a#"),
        "{effects:?}"
    );
    assert!(do_with(&mut state, CatalogAction::OpenEntry { catalog, row: 9 }).is_empty());
}

#[test]
fn what_stands_in_a_catalog_opens_without_a_request() {
    let mut state = State::default();
    let card = r#"{"name": "Inner", "url": "https://i.example", "skills": []}"#;
    let nested =
        format!(r#"{{"specVersion": "1.0", "entries": [{{"displayName": "I", "identifier": "i", "data": {card}}}]}}"#);
    let outer = format!(
        r#"{{"specVersion": "1.0", "entries": [{{"displayName": "N", "type": "application/ai-catalog+json", "data": {nested}}}]}}"#
    );
    let (job, query) = open(&mut state, "https://r.example/x.json");
    absorb(&mut state, job, &query, &outer);
    let catalog = state.catalogs.current().unwrap().id;
    let effects = do_with(&mut state, CatalogAction::OpenEntry { catalog, row: 0 });
    let [Effect::ReadCatalog { job, query, bytes, base }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((&bytes[..], base.as_deref()), (nested.as_bytes(), Some("https://r.example/agents")));
    absorb(&mut state, *job, query, &nested);
    let inner = state.catalogs.current().unwrap().id;
    assert_ne!(inner, catalog);
    let effects = do_with(&mut state, CatalogAction::OpenEntry { catalog: inner, row: 0 });
    let [Effect::ReadEntry { bytes, address, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((&bytes[..], &**address), (card.as_bytes(), "https://r.example/agents#/entries/0;i"));
    let again = do_with(&mut state, CatalogAction::OpenEntry { catalog, row: 0 });
    assert!(again.is_empty() && state.catalogs.opened.len() == 2, "it is open already");
    assert_eq!(state.settings.catalogs.len(), 1, "what has no address is not remembered");
}

/// The addresses of what the rows of a catalog hold, in order.
fn entry_addresses(address: &str, body: &str) -> Vec<String> {
    let mut state = State::default();
    let (job, query) = open(&mut state, address);
    absorb(&mut state, job, &query, body);
    let catalog = state.catalogs.current().unwrap().id;
    let rows = 0..state.catalogs.current().unwrap().rows.len();
    let opened = rows.map(|row| match &do_with(&mut state, CatalogAction::OpenEntry { catalog, row })[..] {
        [.., Effect::ReadEntry { address, .. }] => address.clone(),
        other => panic!("{other:?}"),
    });
    opened.collect()
}

#[test]
fn a_card_in_a_catalog_is_known_by_the_catalog_and_what_that_calls_it() {
    let card = r#"{"name": "Jars", "url": "https://i.example", "skills": []}"#;
    let entries = [
        format!(r#"{{"identifier": "urn:a", "displayName": "Jars", "data": {card}}}"#),
        format!(r#"{{"identifier": "urn:b", "version": "1", "displayName": "Jars", "data": {card}}}"#),
        format!(r#"{{"identifier": "urn:b", "version": "2", "displayName": "Jars", "data": {card}}}"#),
        format!(r#"{{"displayName": "Jars", "data": {card}}}"#),
    ];
    let body = format!(r#"{{"specVersion": "1.0", "entries": [{}]}}"#, entries.join(","));
    let addresses = entry_addresses("r.example/agents?set=a", &body);
    let catalog = "https://r.example/agents?set=a";
    let expected = ["urn:a", "urn:b%201", "urn:b%202", "/entries/3"].map(|name| format!("{catalog}#{name}"));
    assert_eq!(addresses, expected);
}

#[test]
fn catalogs_are_remembered_by_address_and_not_asked_at_start() {
    let (mut state, catalog) = with_first_page();
    let (job, query) = open(&mut state, "https://r.example/agents?key=secret");
    absorb(&mut state, job, &query, &ard("a", ""));
    assert_eq!(
        state.settings.catalogs,
        [RememberedCatalog { address: "https://r.example/agents".to_owned(), kind: None }]
    );

    let mut next = State::new(Settings { catalogs: state.settings.catalogs.clone(), ..Settings::default() });
    let known = next.catalogs.opened[0].id;
    assert!(next.catalogs.current().is_none());
    let (_, query) = asked(&do_with(&mut next, CatalogAction::Select { catalog: known }));
    assert_eq!(query.address, "https://r.example/agents");

    let _ = state.apply(Action::ChangeSettings(Settings::default()));
    assert_eq!(state.settings.catalogs.len(), 1, "settings that were opened before do not forget it");
    let _ = do_with(&mut state, CatalogAction::Close { catalog });
    assert!(state.settings.catalogs.is_empty());
}

#[test]
fn closing_ends_what_runs() {
    let (mut state, catalog) = with_first_page();
    let (job, query) = asked(&do_with(&mut state, CatalogAction::Refresh { catalog }));
    let effects = do_with(&mut state, CatalogAction::Close { catalog });
    assert!(matches!(effects[..], [Effect::Abort { job: aborted }] if aborted == job));
    absorb(&mut state, job, &query, &ard("late", ""));
    assert!(state.catalogs.opened.is_empty() && state.catalogs.current().is_none());
}

#[test]
fn one_host_asked_as_two_kinds_is_two_catalogs() {
    let (mut state, _) = with_first_page();
    let address = "https://r.example/agents".to_owned();
    let (job, query) = asked(&do_with(&mut state, CatalogAction::Open { address, kind: Some(CatalogKind::Ard) }));
    absorb(&mut state, job, &query, &ard("b", ""));
    assert_eq!((state.catalogs.opened.len(), state.settings.catalogs.len()), (2, 2));
    assert_eq!(open(&mut state, "https://r.example/agents").1.kind, None);
    assert_eq!(state.catalogs.opened.len(), 2, "asked again as before, it is the same");
}

#[test]
fn a_catalog_that_gave_nothing_is_tried_anew_in_its_place() {
    let mut state = State::default();
    let (job, query) = open(&mut state, "https://r.example");
    let mut nothing = answer(&query, &ard("a", ""));
    nothing.result = Err(CatalogFailure {
        kind: CatalogFailureKind::Refused,
        sentence: "It answered 404.".to_owned(),
        exchange: None,
    });
    let _ = state.absorb(Outcome::CatalogAnswered { job, answer: nothing });
    assert!(state.catalogs.current().unwrap().problem.is_some());
    let address = "https://r.example".to_owned();
    let effects = do_with(&mut state, CatalogAction::Open { address, kind: Some(CatalogKind::Ard) });
    assert_eq!((asked(&effects).1.kind, state.catalogs.opened.len()), (Some(CatalogKind::Ard), 1));
}
