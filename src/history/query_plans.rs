//! Tests that no statement reads a table from end to end that grows with what is kept.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::History;
use super::records::{NewDocument, NewRetrieval, Page, RetrievalsOf, WatchInterval, Which};
use super::transcript::{NewConversation, Transcript, TurnRecord};
use crate::card::facts::Origin;
use crate::card::{Document, Inspection};

thread_local! {
    /// The statements that this test's thread has used.
    pub(super) static SEEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// What may be read whole: the words, which are searched, the order of the list, and the one row of the salt.
const ALLOWED: [&str; 5] = [
    "SCAN CONSTANT ROW",
    "SCAN agent_words",
    "SCAN salt",
    "SCAN agents USING COVERING INDEX agents_by_check",
    "SCAN agents USING INDEX agents_watched",
];

fn retrieval(text: &str) -> NewRetrieval {
    let inspection = Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default());
    NewRetrieval {
        address: "a.example".to_owned(),
        card_url: Some("https://a.example/card.json".to_owned()),
        credentials: vec![("X-API-Key".to_owned(), "sesame-open".to_owned())],
        document: Some(NewDocument::from(&inspection)),
        ..NewRetrieval::default()
    }
}

/// Does everything once that a session does.
fn use_all(history: &mut History) {
    let page = Page { offset: 0, limit: 10 };
    let older = history.record(&retrieval(r#"{"name": "A"}"#)).unwrap().unwrap();
    let newer = history.record(&retrieval(r#"{"name": "B"}"#)).unwrap().unwrap();
    let (agent, version) = (newer.agent, newer.version.unwrap());
    history.record(&NewRetrieval { not_modified: Some(version), ..NewRetrieval::default() }).unwrap();
    history.record(&NewRetrieval { address: "a.example".to_owned(), ..NewRetrieval::default() }).unwrap();
    history.set_level(version, older.version.unwrap(), "docs").unwrap();
    history.set_watch(agent, Some(WatchInterval::SHORTEST)).unwrap();
    history.set_watch_seen(agent, version).unwrap();
    history.watch_seen(agent).unwrap();
    history.set_muted(agent, &[]).unwrap();
    assert_eq!(history.agents("b", page).unwrap().total, 1);
    history.agents("", page).unwrap();
    history.agents_at("a.example").unwrap();
    history.watched().unwrap();
    history.versions(agent, page).unwrap();
    for which in [Which::Latest, Which::Previous, Which::Number(1)] {
        history.version(agent, which).unwrap();
    }
    history.document(version).unwrap();
    history.retrievals(RetrievalsOf::Agent(agent), page).unwrap();
    let started_at = std::time::SystemTime::now();
    let transcript = Transcript { context_id: None, turns: vec![TurnRecord::default()] };
    let conversation = NewConversation { agent, version: Some(version), started_at, transcript };
    let id = history.save_conversation(None, &conversation).unwrap();
    history.save_conversation(Some(id), &conversation).unwrap();
    history.conversation_page(agent, page).unwrap();
    history.conversation(id).unwrap();
    history.conversation_of_context(agent, "c1").unwrap();
    history.import(history.export(&[agent], &[version]).unwrap().as_bytes()).unwrap();
    history.delete_conversation(id).unwrap();
    history.delete_version(older.version.unwrap()).unwrap();
    history.delete_agent(agent).unwrap();
}

#[test]
fn no_statement_reads_a_growing_table_from_end_to_end() {
    let mut history = History::in_memory().unwrap();
    use_all(&mut history);
    let seen = SEEN.take();
    assert!(seen.len() > 25, "{seen:#?}");
    let mut scans = Vec::new();
    for sql in seen {
        let mut statement = history.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        for index in 1..=statement.parameter_count() {
            statement.raw_bind_parameter(index, 1).unwrap();
        }
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get("detail").unwrap();
            if step.starts_with("SCAN") && !ALLOWED.iter().any(|allowed| step.starts_with(allowed)) {
                scans.push(format!("{step}: {sql}"));
            }
        }
    }
    assert!(scans.is_empty(), "{scans:#?}");
}
