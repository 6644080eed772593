//! The list, an opened conversation and the way back, headless, through their accessible names.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cardscope::a2a::{Part, RawJson};
use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection};
use cardscope::client::{Attempt, AttemptKind, AttemptOutcome, Retrieval};
use cardscope::history::transcript::{
    ArtifactRecord, ConversationId, EventRecord, InterfaceRecord, MAX_KEPT_BYTES, PartRecord, TurnRecord,
};
use cardscope::history::{
    AgentId, CardUse, ConversationPage, ConversationRecord, KeptConversation, Recorded, RetrievalId, Transcript,
    VersionId, VersionRecord,
};
use cardscope::state::{Action, HistoryEffect, HistoryOutcome, Outcome, Settings, View};
use egui_kittest::kittest::Queryable as _;

use crate::support::rpc;
use crate::support::window::{Hands as _, Recording};

const AGENT: AgentId = AgentId(7);

type Window = Recording;

impl Window {
    /// The Message view of a card that is kept.
    fn of_kept_card() -> Self {
        let mut window = Self::open([1280.0, 800.0], Settings::default());
        window.apply(Action::FetchCard { address: "https://jars.example".to_owned() });
        let state = window.harness.state().state();
        let job = state.discovery.pending.as_ref().unwrap().job;
        let (retrieval, inspection) = card();
        window.absorb(Outcome::CardFetched { job, retrieval, inspection: Some(inspection) });
        let recorded = Recorded {
            retrieval: RetrievalId(1),
            agent: AGENT,
            is_new_agent: true,
            version: Some(VersionId(2)),
            is_new_version: true,
            previous: None,
            same_meaning_as: None,
            content_changed_version_did_not: false,
        };
        let entry = window.harness.state().state().discovery.current;
        window.absorb(Outcome::History(HistoryOutcome::Recorded { entry, recorded, change: None }));
        window.apply(Action::ShowView(View::Message));
        window.orders();
        window
    }

    fn list(&mut self, count: i64, total: u32) {
        let conversations = (1..=count).rev().map(record).collect();
        let page = ConversationPage { conversations, total };
        self.absorb(Outcome::History(HistoryOutcome::ConversationsListed { agent: AGENT, page }));
    }

    /// Opens the newest of the list and lets `kept` be what was kept of it.
    fn read(&mut self, kept: KeptConversation) {
        self.click("Conversations");
        self.orders();
        self.click("Conversation Jars of shelf 3");
        let orders = self.orders();
        let [HistoryEffect::OpenConversation { job, conversation: ConversationId(3) }] = orders[..] else {
            panic!("{orders:?}")
        };
        self.absorb(Outcome::History(HistoryOutcome::ConversationOpened { job, kept: Some(Box::new(kept)) }));
    }
}

fn card() -> (Arc<Retrieval>, Arc<Inspection>) {
    let text = rpc::card_with_interfaces(&["https://jars.example/rpc"]);
    let document = Arc::new(Document::new(text));
    let attempt = Attempt {
        url: "https://jars.example/.well-known/agent-card.json".to_owned(),
        kind: AttemptKind::OriginCard,
        outcome: AttemptOutcome::Card,
        status: Some(200),
        note: String::new(),
        duration: Duration::from_millis(3),
        final_url: None,
        exchanges: Vec::new(),
        document: Some(Arc::clone(&document)),
        earlier: None,
        kept: None,
    };
    let retrieval = Retrieval {
        address: "https://jars.example".to_owned(),
        assumptions: Vec::new(),
        attempts: vec![attempt],
        chosen: Some(0),
        alternative: None,
        verdict: "A card was found.".to_owned(),
        fetched_at: SystemTime::now(),
        found_card: true,
    };
    (Arc::new(retrieval), Arc::new(Inspection::of(document, Origin::default())))
}

fn record(id: i64) -> ConversationRecord {
    ConversationRecord {
        id: ConversationId(id),
        agent: AGENT,
        version: Some(VersionId(2)),
        started_at: SystemTime::now(),
        changed_at: SystemTime::now(),
        title: format!("Jars of shelf {id}"),
        outcome: "completed".to_owned(),
        turns: 2,
    }
}

fn version(number: u32) -> VersionRecord {
    VersionRecord {
        id: VersionId(i64::from(number)),
        agent: AGENT,
        number,
        title: "Jar counter".to_owned(),
        first_seen: SystemTime::now(),
        last_seen: SystemTime::now(),
        sha256: format!("{number:064}"),
        bytes_len: 900,
        agent_version: Some("3.1.0".to_owned()),
        shape: "1.0".to_owned(),
        same_meaning_as: None,
        came_after: None,
        level: None,
        level_against: None,
    }
}

/// Two turns, by different versions and interfaces; what came of them is of every kind.
fn kept(context_id: Option<&str>) -> KeptConversation {
    let interface = |url: &str, binding: &str| InterfaceRecord {
        url: url.to_owned(),
        protocol_binding: binding.to_owned(),
        protocol_version: "1.0".to_owned(),
        tenant: None,
        reason: "The first one that can be used.".to_owned(),
    };
    let event = |state: &str, text: &str| EventRecord { after_ms: 30, state: state.to_owned(), text: text.to_owned() };
    let part = |part: &Part| PartRecord::from(part);
    let first = TurnRecord {
        sent_at_ms: 1_796_000_000_000,
        card_sha256: version(1).sha256,
        interface: interface("https://jars.example/rpc", "JSONRPC"),
        sent: vec![part(&Part::text("Jars of shelf 3"))],
        task_id: Some("t-91e0".to_owned()),
        timeline: vec![event("working", "Counting the shelf"), event("completed", "")],
        artifacts: vec![ArtifactRecord {
            artifact_id: "a1".to_owned(),
            name: Some("totals".to_owned()),
            description: None,
            parts: vec![
                part(&Part::data(RawJson::new(r#"{"jars": 17}"#))),
                part(&Part::file(vec![0; MAX_KEPT_BYTES + 1].into(), "photo.png".to_owned(), None)),
            ],
        }],
        outcome: "completed".to_owned(),
        ended_after_ms: Some(2400),
        polls: 9,
        ..TurnRecord::default()
    };
    let second = TurnRecord {
        card_sha256: version(2).sha256,
        interface: interface("https://jars.example/rest", "HTTP+JSON"),
        sent: vec![part(&Part::text("And of shelf 4?"))],
        outcome: "error".to_owned(),
        problem: Some("The connection was closed.".to_owned()),
        ..first.clone()
    };
    let card = |number: u32, version: Option<VersionRecord>| CardUse {
        sha256: format!("{number:064}"),
        version,
        obtained_at: Some(SystemTime::now()),
    };
    KeptConversation {
        record: record(3),
        transcript: Transcript { context_id: context_id.map(str::to_owned), turns: vec![first, second] },
        cards: vec![card(1, None), card(2, Some(version(2)))],
    }
}

#[test]
fn the_list_says_how_one_gets_there_and_then_what_is_kept() {
    let mut window = Window::of_kept_card();
    window.click("Conversations");
    assert!(matches!(window.orders()[..], [HistoryEffect::ListConversations { agent: AGENT, limit: 30 }]));
    assert!(window.has("No conversation with this agent is kept yet."));
    assert!(window.shows("when it is answered, the conversation is kept here"));
    window.list(8, 71);
    assert!(window.has("Conversation Jars of shelf 8") && window.has("Conversation Jars of shelf 1"));
    window.click("Show more conversations");
    assert!(matches!(window.orders()[..], [HistoryEffect::ListConversations { limit: 60, .. }]));
    window.click("Back to the current conversation");
    assert!(window.has("New conversation") && !window.has("Conversation Jars of shelf 8"));
}

#[test]
fn an_opened_conversation_says_what_it_used_and_is_painted_like_a_live_one() {
    let mut window = Window::of_kept_card();
    window.list(3, 3);
    window.read(kept(Some("c-9")));
    for words in [
        "a version that is no longer kept,",
        "· JSONRPC 1.0 at",
        "https://jars.example/rest",
        "From here on with",
        "And of shelf 4?",
        "Counting the shelf",
        "completed in 2.4 s · 9 polls",
        "failed after 2.4 s · 9 polls",
        "The connection was closed.",
        "Too large to be kept",
    ] {
        assert!(window.shows(words), "{words}");
    }
    assert!(window.harness.query_all_by_label("Save totals as…").count() > 0);
    assert!(!window.has("Poll again") && !window.has("In Traffic"), "it is to be read");
    window.click("Copy as Markdown");
    let copied = window.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    assert!(
        copied.is_some_and(|text| text.contains("And of shelf 4?")) || window.shows("The conversation as Markdown")
    );
    window.click("version 2");
    assert!(window.harness.state().state().view == View::Inspect);
}

#[test]
fn continuing_arms_the_composer_and_deleting_asks_first() {
    let mut window = Window::of_kept_card();
    window.list(3, 3);
    window.read(kept(Some("c-9")));
    window.click("Continue");
    assert!(window.has("Copy context id c-9"));
    assert!(window.has("The next message continues this context as a new task."));
    assert!(window.shows("And of shelf 4?"), "what was said stays in sight");
    assert!(window.shows("The turns before went by HTTP+JSON to https://jars.example/rest."));
    assert!(window.effects.borrow().is_empty(), "nothing is sent");

    window.click("New conversation");
    window.read(kept(None));
    assert!(!window.has("Continue") && window.shows("so it cannot be continued"));
    window.click("Delete…");
    assert!(window.has("Delete this conversation?") && window.orders().is_empty());
    window.click("Delete");
    assert!(matches!(window.orders()[..], [HistoryEffect::Delete(_), HistoryEffect::ListConversations { .. }]));
    assert!(window.has("Conversation Jars of shelf 2") && !window.has("Conversation Jars of shelf 3"));
}
