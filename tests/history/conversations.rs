//! Conversations go along with what is exported, and come back once.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cardscope::a2a::Part;
use cardscope::history::transcript::{ArtifactRecord, ConversationId, InterfaceRecord, PartRecord, TurnRecord};
use cardscope::history::{
    AgentId, History, Imported, KeptConversation, NewConversation, NewRetrieval, Page, Recorded, Transcript,
};
use serde_json::{Value, json};

use super::{URL, quote_card, record, retrieval};

const START: SystemTime = UNIX_EPOCH;

/// A turn of the `number`-th second.
fn turn(number: i64, words: &str, sha256: &str) -> TurnRecord {
    TurnRecord {
        sent_at_ms: number * 1000,
        card_sha256: sha256.to_owned(),
        interface: InterfaceRecord { url: "https://quotes.example/a2a".to_owned(), ..InterfaceRecord::default() },
        sent: vec![PartRecord::from(&Part::text(words))],
        task_id: Some(format!("t{number}")),
        artifacts: vec![ArtifactRecord {
            artifact_id: "a1".to_owned(),
            description: Some("Totals.".to_owned()),
            parts: vec![PartRecord::from(&Part::file([1, 2][..].into(), "a.bin".to_owned(), None))],
            ..ArtifactRecord::default()
        }],
        outcome: "completed".to_owned(),
        ended_after_ms: Some(40),
        ..TurnRecord::default()
    }
}

fn sha256(history: &History, recorded: &Recorded) -> String {
    history.version_of_id(recorded.version.unwrap()).unwrap().unwrap().sha256
}

fn keep(history: &mut History, agent: AgentId, id: Option<ConversationId>, turns: Vec<TurnRecord>) -> ConversationId {
    let transcript = Transcript { context_id: Some("c1".to_owned()), turns };
    let new = NewConversation { agent, version: None, started_at: START, transcript };
    history.save_conversation(id, &new).unwrap()
}

/// A history with two versions, and a conversation that began with the first and went on with the second.
fn filled() -> (History, AgentId, ConversationId, Vec<TurnRecord>) {
    let mut history = History::in_memory().unwrap();
    let at = |seconds| Some(START + Duration::from_secs(seconds));
    let older = record(&mut history, &NewRetrieval { at: at(1), ..retrieval(URL, &quote_card("1", "a")) });
    let newer = record(&mut history, &NewRetrieval { at: at(3), ..retrieval(URL, &quote_card("2", "a")) });
    let turns = vec![
        turn(2, "Compare the quotes", &sha256(&history, &older)),
        turn(4, "And delivery?", &sha256(&history, &newer)),
    ];
    let id = keep(&mut history, older.agent, None, turns.clone());
    (history, older.agent, id, turns)
}

fn only(history: &History) -> KeptConversation {
    let agent = history.agents("", Page::ALL).unwrap().agents[0].id;
    let page = history.conversation_page(agent, Page::ALL).unwrap();
    assert_eq!((page.total, page.conversations.len()), (1, 1));
    history.conversation(page.conversations[0].id).unwrap().unwrap()
}

#[test]
fn a_conversation_knows_the_cards_that_it_used_and_when_they_were_obtained() {
    let (mut history, agent, id, _) = filled();
    let kept = history.conversation(id).unwrap().unwrap();
    let cards: Vec<_> =
        kept.cards.iter().map(|card| (card.version.as_ref().map(|version| version.number), card.obtained_at)).collect();
    let at = |seconds| Some(START + Duration::from_secs(seconds));
    assert_eq!(cards, [(Some(1), at(1)), (Some(2), at(3))]);
    assert_eq!(kept.record.version, kept.cards[1].version.as_ref().map(|version| version.id), "the one used last");
    assert_eq!(history.conversation_of_context(agent, "c1").unwrap(), Some(id));
    assert_eq!(history.conversation_of_context(agent, "c2").unwrap(), None);
    history.delete_version(kept.cards[0].version.as_ref().unwrap().id).unwrap();
    let cards = history.conversation(id).unwrap().unwrap().cards;
    assert!(cards[0].version.is_none() && cards[1].version.is_some());
    assert_eq!(history.conversation(ConversationId(99)).unwrap(), None);
}

#[test]
fn an_exported_agent_carries_its_conversations_and_twice_is_once() {
    let (from, agent, _, turns) = filled();
    let file = from.export(&[agent], &[]).unwrap();
    let mut to = History::in_memory().unwrap();
    record(&mut to, &retrieval("https://own.example/card.json", "{}"));
    let imported = to.import(file.as_bytes()).unwrap();
    assert_eq!((imported.new_conversations, imported.known_conversations), (1, 0));
    let twin = to.agents("quotes", Page::ALL).unwrap().agents[0].id;
    let record = to.conversations(twin, Page::ALL).unwrap().remove(0);
    let kept = to.conversation(record.id).unwrap().unwrap();
    assert_eq!(kept.transcript.turns, turns);
    assert_eq!((&*record.title, record.turns, record.started_at), ("Compare the quotes", 2, START));
    assert!(kept.cards.iter().all(|card| card.version.is_some()), "each turn finds its version");
    let again = to.import(file.as_bytes()).unwrap();
    let known = Imported { known_versions: 2, known_conversations: 1, ..Imported::default() };
    assert_eq!(again, known);
    // Versions alone are cards, not what was said.
    let versions = from.versions(agent, Page::ALL).unwrap();
    let value: Value = serde_json::from_str(&from.export(&[], &[versions[0].id]).unwrap()).unwrap();
    assert_eq!(value["agents"][0].get("conversations"), None);
    assert_eq!(value["formatVersion"], 1);
}

#[test]
fn what_went_on_elsewhere_goes_on_here_and_nothing_is_lost_where_both_went_on() {
    let (mut from, agent, id, mut turns) = filled();
    let mut to = History::in_memory().unwrap();
    to.import(from.export(&[agent], &[]).unwrap().as_bytes()).unwrap();
    let here = only(&to).record.id;
    // Saved at another moment than before.
    let before = only(&from).record.changed_at;
    while SystemTime::now() < before + Duration::from_millis(2) {
        std::thread::yield_now();
    }
    turns.push(turn(6, "Thanks", ""));
    keep(&mut from, agent, Some(id), turns.clone());
    let file = from.export(&[agent], &[]).unwrap();
    let imported = to.import(file.as_bytes()).unwrap();
    assert_eq!((imported.new_conversations, imported.continued_conversations), (0, 1));
    assert_eq!((only(&to).record.id, only(&to).record.turns), (here, 3));
    assert_eq!(to.import(file.as_bytes()).unwrap().known_conversations, 1);
    // Here it went another way: both stay.
    let own = only(&to);
    turns[2] = turn(7, "No thanks", "");
    keep(&mut to, own.record.agent, Some(here), turns);
    assert_eq!(to.import(file.as_bytes()).unwrap().new_conversations, 1);
    assert_eq!(to.import(file.as_bytes()).unwrap().known_conversations, 1);
    assert_eq!(to.conversation_page(own.record.agent, Page::ALL).unwrap().total, 2);
}

#[test]
fn files_without_conversations_and_odd_conversations_spoil_nothing() {
    let (from, agent, _, _) = filled();
    let mut file: Value = serde_json::from_str(&from.export(&[agent], &[]).unwrap()).unwrap();
    let sound = file["agents"][0]["conversations"][0].clone();
    file["agents"][0].as_object_mut().unwrap().remove("conversations");
    let mut to = History::in_memory().unwrap();
    let imported = to.import(file.to_string().as_bytes()).unwrap();
    assert_eq!((imported.new_versions, imported.new_conversations, imported.problems.len()), (2, 0, 0));
    let change = |name: &str, value: Value| {
        let mut odd = sound.clone();
        odd[name] = value;
        odd
    };
    let mut leaking = sound.clone();
    leaking["transcript"]["turns"][0]["interface"]["url"] =
        json!("https://u:hunter-22@a.example/rpc?api_key=hunter-22");
    leaking["transcript"]["turns"][0]["problem"] = json!("hunter-22 was refused");
    leaking["transcript"]["turns"][0]["reply"] =
        json!([{"link": {"name": null, "mediaType": null, "url": "https://a.example/f?token=hunter-22"}}]);
    file["agents"][0]["conversations"] = json!([
        {},
        change("startedAt", json!("yesterday")),
        change("transcript", json!({"contextId": null, "turns": []})),
        change("transcript", json!({"turns": [{"sent": [{"hologram": {}}]}]})),
        leaking,
    ]);
    let imported = to.import(file.to_string().as_bytes()).unwrap();
    assert_eq!((imported.new_conversations, imported.problems.len()), (1, 4), "{:?}", imported.problems);
    assert!(imported.problems[1].contains("yesterday"), "{:?}", imported.problems);
    let kept = only(&to);
    assert!(!format!("{kept:?}").contains("hunter-22"), "{kept:?}");
    assert!(!to.export(&[kept.record.agent], &[]).unwrap().contains("hunter-22"));
}
