//! What is deleted is gone from the disk, and no secret ever gets there.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use cardscope::history::transcript::{MAX_KEPT_BYTES, PartRecord, TurnRecord};
use cardscope::history::{AttemptRecord, History, NewConversation, NewRetrieval, Page, Recorded, Transcript, Which};

use super::{URL, quote_card, record, retrieval};

/// Whether the files of the history hold `text`, in whatever corner.
fn on_disk(folder: &Path, text: &str) -> bool {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().any(|path| {
        let bytes = fs::read(path).unwrap();
        memchr::memmem::find(&bytes, text.as_bytes()).is_some()
    })
}

/// Keeps a retrieval, and a conversation, in every text of which `marker` stands.
fn keep(history: &mut History, host: &str, marker: &str, size: usize) -> Recorded {
    let filler: String = (0..size).map(|index| char::from(b'a' + (index * 7 % 26) as u8)).collect();
    let text = format!(
        r#"{{"name": "{marker} title", "description": "{filler} {marker}", "skills": [{{"id": "{marker}"}}]}}"#
    );
    let mut new = retrieval(&format!("https://{host}/{marker}.json"), &text);
    new.caching.etag = Some(marker.to_owned());
    new.verdict = format!("{marker} was found.");
    new.attempts = vec![AttemptRecord {
        url: marker.to_owned(),
        outcome: "card".to_owned(),
        status: None,
        note: marker.to_owned(),
    }];
    let recorded = record(history, &new);
    history.save_conversation(None, &conversation(&recorded, marker)).unwrap();
    recorded
}

fn conversation(recorded: &Recorded, words: &str) -> NewConversation {
    let sent = vec![PartRecord::from(&cardscope::a2a::Part::text(words))];
    let turn = TurnRecord { sent, outcome: "completed".to_owned(), ..TurnRecord::default() };
    let transcript = Transcript { context_id: None, turns: vec![turn] };
    NewConversation { agent: recorded.agent, version: recorded.version, started_at: SystemTime::now(), transcript }
}

#[test]
fn a_deleted_agent_leaves_no_byte_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::open(folder.path()).unwrap().history;
    let mut agents = Vec::new();
    for number in 0..20 {
        // Small ones share a page with others, large ones have pages of their own.
        let size = if number % 2 == 0 { 50 } else { 40_000 };
        agents.push(keep(&mut history, "a.example", &format!("marker-{number}-x"), size));
    }
    assert!(on_disk(folder.path(), "marker-4-x") && on_disk(folder.path(), "marker-5-x"));
    for number in [4, 5] {
        history.delete_agent(agents[number].agent).unwrap();
        assert!(!on_disk(folder.path(), &format!("marker-{number}-x")), "{number}");
        assert!(history.agent(agents[number].agent).unwrap().is_none());
        assert!(history.delete_agent(agents[number].agent).is_err());
    }
    assert!(on_disk(folder.path(), "marker-3-x") && on_disk(folder.path(), "marker-6-x"));
    history.delete_everything().unwrap();
    for number in 0..20 {
        assert!(!on_disk(folder.path(), &format!("marker-{number}-x")), "{number}");
    }
    assert_eq!(history.agents("", Page::ALL).unwrap().total, 0);
    keep(&mut history, "a.example", "afterwards", 50);
}

#[test]
fn a_deleted_version_goes_with_its_retrievals_and_the_next_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::open(folder.path()).unwrap().history;
    let texts = [r#"{"name": "Older name"}"#, r#"{"name": "Newer name"}"#];
    let [older, newer] = texts.map(|text| record(&mut history, &retrieval(URL, text)));
    history.delete_version(newer.version.unwrap()).unwrap();
    assert!(!on_disk(folder.path(), "Newer name"));
    let agent = history.agent(newer.agent).unwrap().unwrap();
    assert_eq!((agent.title.as_str(), agent.versions, agent.retrievals), ("Older name", 1, 1));
    assert_eq!(agent.latest.map(|version| version.id), older.version);
    assert_eq!(history.agents("newer", Page::ALL).unwrap().total, 0);
    // Its number stays free: what `@2` means does not change.
    let third = record(&mut history, &retrieval(URL, texts[1]));
    assert_eq!(history.version(third.agent, Which::Latest).unwrap().unwrap().number, 3);
    history.delete_version(third.version.unwrap()).unwrap();
    history.delete_version(older.version.unwrap()).unwrap();
    assert!(history.agent(older.agent).unwrap().is_none(), "nothing is left to show of it");
    assert!(!on_disk(folder.path(), "Older name"));
}

#[test]
fn the_oldest_of_the_same_meaning_leads_the_others() {
    let mut history = History::in_memory().unwrap();
    let spellings = [r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#, r#"{"a":1,"b":2}"#];
    let [first, second, third] = spellings.map(|text| record(&mut history, &retrieval(URL, text)).version);
    let folded = |history: &History, number| {
        history.version(super::AgentId(1), Which::Number(number)).unwrap().unwrap().same_meaning_as
    };
    assert_eq!([folded(&history, 2), folded(&history, 3)], [first, first]);
    history.delete_version(first.unwrap()).unwrap();
    assert_eq!([folded(&history, 2), folded(&history, 3)], [None, second]);
    assert!(third.is_some());
}

#[test]
fn a_document_that_two_agents_share_stays_with_the_other() {
    let mut history = History::in_memory().unwrap();
    let text = quote_card("1", "a");
    let one = record(&mut history, &retrieval(URL, &text));
    let other = record(&mut history, &retrieval("https://mirror.example/card.json", &text));
    history.delete_agent(one.agent).unwrap();
    let kept = history.document(other.version.unwrap()).unwrap().unwrap();
    assert_eq!(&kept.document.text()[..], text);
}

#[test]
fn no_secret_is_written_down() {
    const SECRET: &str = "opensesame-7f2a";
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::open(folder.path()).unwrap().history;
    let url = format!("https://user:{SECRET}@quotes.example/card.json?token={SECRET}&pick=blue");
    let mut new = NewRetrieval {
        address: url.clone(),
        credentials: vec![("Authorization".to_owned(), format!("Bearer {SECRET}"))],
        ..retrieval(&url, &quote_card("1", "a"))
    };
    new.verdict = format!("The server said '{SECRET}'.");
    new.caching.etag = Some(format!("\"{SECRET}\""));
    new.content_type = Some(format!("application/json; token={SECRET}"));
    let note = format!("Asked with {SECRET}.");
    new.attempts = vec![AttemptRecord { url: url.clone(), outcome: "card".to_owned(), status: Some(200), note }];
    let recorded = record(&mut history, &new);
    let mut kept = conversation(&recorded, "hello");
    kept.transcript.turns[0].interface.url = url.clone();
    kept.transcript.turns[0].reply = vec![PartRecord::Link { name: None, media_type: None, url }];
    history.save_conversation(None, &kept).unwrap();
    assert!(!on_disk(folder.path(), SECRET));
    assert!(on_disk(folder.path(), "pick=blue"));
    assert!(!history.export(&[recorded.agent], &[]).unwrap().contains(SECRET));
    assert!(!format!("{new:?}").contains(SECRET));
}

#[test]
fn conversations_are_kept_as_they_grow() {
    let mut history = History::in_memory().unwrap();
    let recorded = record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    let mut new = conversation(&recorded, "Compare  the\nsample quotes");
    let id = history.save_conversation(None, &new).unwrap();
    let large = cardscope::a2a::Part::file(vec![7; MAX_KEPT_BYTES + 1].into(), "large.bin".to_owned(), None);
    let small = cardscope::a2a::Part::file(vec![7; 3].into(), "small.bin".to_owned(), None);
    let turn = TurnRecord {
        sent: vec![PartRecord::from(&large), PartRecord::from(&small)],
        outcome: "input-required".to_owned(),
        ..TurnRecord::default()
    };
    new.transcript.turns.push(turn);
    assert_eq!(history.save_conversation(Some(id), &new).unwrap(), id);
    let listed = history.conversations(recorded.agent, Page::ALL).unwrap();
    let shown = (listed[0].title.as_str(), listed[0].outcome.as_str(), listed[0].turns, listed[0].version);
    assert_eq!(shown, ("Compare the sample quotes", "input-required", 2, recorded.version));
    let kept = history.transcript(id).unwrap().unwrap();
    assert_eq!(kept, new.transcript);
    let sizes = kept.turns[1].sent.iter().map(|part| match part {
        PartRecord::File { bytes_len, base64, .. } => (*bytes_len, base64.as_deref()),
        other => panic!("{other:?}"),
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [(MAX_KEPT_BYTES as u64 + 1, None), (3, Some("BwcH"))]);
    // The card may go; what was said stays until it is deleted itself.
    record(&mut history, &retrieval(URL, &quote_card("2", "a")));
    history.delete_version(recorded.version.unwrap()).unwrap();
    assert_eq!(history.conversations(recorded.agent, Page::ALL).unwrap()[0].version, None);
    history.save_conversation(Some(id), &new).unwrap();
    history.delete_conversation(id).unwrap();
    assert!(history.transcript(id).unwrap().is_none());
    assert!(history.save_conversation(Some(id), &new).is_err());
}
