//! Files of older programs are taken over, those of newer ones left alone.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use cardscope::history::{
    AgentId, AskedAs, History, HistoryError, NewConversation, Page, RetrievalsOf, Transcript, VersionId, WatchInterval,
    Which,
};
use rusqlite::Connection;

use super::{URL, record, retrieval};

fn write(folder: &Path, sql: &str) {
    Connection::open(folder.join("history.sqlite3")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_history_of_layout_1_is_read_and_written_on() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), include_str!("layout_1.sql"));
    let opened = History::open(folder.path()).unwrap();
    assert_eq!(opened.set_aside, None);
    let mut history = opened.history;
    let agents = history.agents("", Page::ALL).unwrap().agents;
    assert_eq!(agents.iter().map(|agent| agent.id).collect::<Vec<_>>(), [AgentId(7), AgentId(8)]);
    let asked_as =
        AskedAs::Credentials { names: vec!["authorization".to_owned(), "x-api-key".to_owned()], digest: u32::MAX };
    assert_eq!((&agents[0].asked_as, &agents[1].asked_as), (&AskedAs::Public, &asked_as));
    assert_eq!((agents[0].versions, agents[0].retrievals, agents[0].watch), (2, 2, None));
    let latest = agents[0].latest.as_ref().unwrap();
    assert_eq!((latest.number, latest.level.as_deref(), latest.shape.as_str()), (2, Some("breaking"), "notACard"));
    assert_eq!(latest.last_seen, UNIX_EPOCH + Duration::from_secs(1_796_000_002));
    assert_eq!(&history.document(VersionId(3)).unwrap().unwrap().document.bytes()[..], b"{\"{}");
    let retrievals = history.retrievals(RetrievalsOf::Agent(AgentId(7)), Page::ALL).unwrap();
    assert!(retrievals[0].not_modified && retrievals[0].attempts.len() == 1 && retrievals[1].legacy_path);
    // What layout 2 brought works on it.
    history.set_watch(AgentId(7), Some(WatchInterval::SHORTEST)).unwrap();
    let new = NewConversation {
        agent: AgentId(7),
        version: Some(VersionId(4)),
        started_at: UNIX_EPOCH,
        transcript: Transcript::default(),
    };
    history.save_conversation(None, &new).unwrap();
    let recorded = record(&mut history, &retrieval(URL, r#"{"name": "Newer"}"#));
    assert_eq!((recorded.agent, recorded.previous), (AgentId(7), Some(VersionId(4))));
    assert_eq!(history.version(AgentId(7), Which::Latest).unwrap().unwrap().number, 3);
    drop(history);
    let again = History::open(folder.path()).unwrap().history;
    assert_eq!(again.watched().unwrap().len(), 1);
}

#[test]
fn a_history_of_layout_2_knows_what_was_served_before_what() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), include_str!("layout_2.sql"));
    let opened = History::open(folder.path()).unwrap();
    assert_eq!(opened.set_aside, None);
    let history = opened.history;
    // The first card came back.
    assert_eq!(super::listed(&history, AgentId(1)), [(1, Some(2)), (2, Some(1))]);
    let versions = history.versions(AgentId(1), Page::ALL).unwrap();
    assert_eq!(versions[1].level.as_deref(), Some("compatible"));
    assert_eq!(versions[1].level_against(&versions[0]), None, "it was not said against which version");
}

#[test]
fn a_history_of_a_newer_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    drop(History::open(folder.path()).unwrap());
    write(folder.path(), "PRAGMA user_version = 99");
    let before = fs::read(folder.path().join("history.sqlite3")).unwrap();
    let error = History::open(folder.path()).unwrap_err();
    assert!(matches!(error, HistoryError::Newer { found: 99, .. }), "{error}");
    assert_eq!(fs::read(folder.path().join("history.sqlite3")).unwrap(), before);
}
