//! The list of agents with their versions, headless, through its accessible names.

use std::time::SystemTime;

use cardscope::history::{AgentId, AgentPage, AgentRecord, AskedAs, Source, VersionId, VersionRecord};
use cardscope::state::{Action, HistoryEffect, HistoryOutcome, Outcome, Settings};
use egui_kittest::kittest::Queryable as _;

use crate::support::window::{Hands as _, Recording};

fn open() -> Recording {
    Recording::open([1280.0, 800.0], Settings::default())
}

fn version(number: u32, declared: &str, level: Option<&str>, same: Option<i64>) -> VersionRecord {
    VersionRecord {
        id: VersionId(i64::from(number)),
        agent: AgentId(7),
        number,
        title: "Larder".to_owned(),
        first_seen: SystemTime::now(),
        last_seen: SystemTime::now(),
        sha256: format!("{number:064}"),
        bytes_len: 900,
        agent_version: Some(declared.to_owned()),
        shape: "1.0".to_owned(),
        same_meaning_as: same.map(VersionId),
        came_after: (number > 1).then(|| VersionId(i64::from(number) - 1)),
        level: level.map(str::to_owned),
        level_against: level.map(|_| VersionId(i64::from(number) - 1)),
    }
}

fn agent(latest: VersionRecord, asked_as: AskedAs) -> AgentRecord {
    AgentRecord {
        id: latest.agent,
        card_url: "https://larder.example/.well-known/agent-card.json".to_owned(),
        source: Source::Url,
        address: "larder.example".to_owned(),
        asked_as,
        title: "Larder".to_owned(),
        last_checked: SystemTime::now(),
        versions: latest.number,
        retrievals: 9,
        conversations: 3,
        latest: Some(latest),
        watch: None,
        muted: Vec::new(),
    }
}

/// A window that lists one kept agent with its versions unfolded.
fn unfolded(versions: Vec<VersionRecord>) -> Recording {
    let mut window = open();
    let record = agent(versions[0].clone(), AskedAs::Public);
    let page = AgentPage { agents: vec![record], total: 1 };
    window.absorb(Outcome::History(HistoryOutcome::Listed { search: String::new(), page }));
    window.click("Versions of Larder");
    assert!(matches!(window.orders()[..], [HistoryEffect::ListVersions { agent: AgentId(7) }]));
    window.absorb(Outcome::History(HistoryOutcome::VersionsListed { agent: AgentId(7), versions }));
    window
}

#[test]
fn however_many_agents_there_are_what_is_below_them_stays_in_reach() {
    let mut window = open();
    let agents: Vec<AgentRecord> = (1..=100)
        .map(|id| AgentRecord { id: AgentId(id), ..agent(version(1, "1.0", None, None), AskedAs::Public) })
        .collect();
    let page = AgentPage { total: 100, agents };
    window.absorb(Outcome::History(HistoryOutcome::Listed { search: String::new(), page }));
    for name in ["Open catalog…", "Start demo agent"] {
        let place = window.harness.get_by_label(name).rect();
        assert!(place.bottom() < 800.0, "{name}: {place:?}");
    }
    // With few of them, it follows at once.
    let page = AgentPage { total: 1, agents: vec![agent(version(1, "1.0", None, None), AskedAs::Public)] };
    window.absorb(Outcome::History(HistoryOutcome::Listed { search: String::new(), page }));
    let place = window.harness.get_by_label("Catalogs").rect();
    assert!(place.top() < 260.0, "{place:?}");
}

#[test]
fn an_agent_of_earlier_sessions_opens_to_its_versions() {
    let mut window = unfolded(vec![
        version(4, "2.0.0", Some("breaking"), None),
        version(3, "1.0.0", Some("none"), Some(2)),
        version(2, "1.0.0", Some("docs"), None),
        version(1, "1.0.0", None, None),
    ]);
    for name in ["Version 4 of Larder", "Version 3 of Larder", "Version 1 of Larder"] {
        assert!(window.has(name), "{name}");
    }
    assert!(!window.has("Version 2 of Larder"), "another spelling is folded");
    window.click("▸ 1 more, same meaning");
    assert!(window.has("Version 2 of Larder"));

    window.click("Compare version 4 with previous");
    assert!(matches!(window.orders()[..], [HistoryEffect::Restore { version: VersionId(4), .. }]), "its agent opens");
    window.click("Version 1 of Larder");
    assert!(matches!(window.orders()[..], [HistoryEffect::Restore { version: VersionId(1), .. }]));
    window.click("Larder");
    assert!(matches!(window.orders()[..], [HistoryEffect::Restore { version: VersionId(4), .. }]), "what came last");
    window.click("Versions of Larder");
    assert!(!window.has("Version 4 of Larder"), "folded again");
}

#[test]
fn deleting_asks_and_watching_has_an_interval() {
    let mut window = unfolded(vec![version(2, "2.0.0", Some("docs"), None), version(1, "1.0.0", None, None)]);
    window.right_click("Version 1 of Larder");
    window.click("Delete this version…");
    assert!(window.has("Delete version 1?") && window.orders().is_empty());
    assert!(window.has("https://larder.example/.well-known/agent-card.json"), "whose version it is");
    window.click("Delete");
    assert!(matches!(window.orders()[..], [HistoryEffect::Delete(_)]));

    window.click("Watch Larder");
    window.click("Every hour");
    let orders = window.orders();
    assert!(
        matches!(orders[..], [HistoryEffect::Watch { interval: Some(interval), .. }] if interval.minutes() == 60),
        "{orders:?}"
    );
    window.click("Export…");
    assert!(matches!(window.orders()[..], [HistoryEffect::Export(_)]));
}

#[test]
fn a_search_asks_the_history_and_private_cards_say_so() {
    let mut window = open();
    let names = vec!["authorization".to_owned()];
    let record = agent(version(1, "1", None, None), AskedAs::Credentials { names, digest: 7 });
    let page = AgentPage { agents: vec![record], total: 320 };
    window.absorb(Outcome::History(HistoryOutcome::Listed { search: String::new(), page }));
    assert!(window.has("319 more. Search to find them."));
    window.harness.get_by_label("Search agents").focus();
    window.harness.run();
    window.harness.get_by_label("Search agents").type_text("jar");
    window.harness.run();
    assert!(matches!(&window.orders()[..], [HistoryEffect::List { search }] if search == "jar"));
    window.absorb(Outcome::History(HistoryOutcome::Listed { search: "jar".to_owned(), page: AgentPage::default() }));
    assert!(window.has("No agent fits the search."));
    window.harness.state_mut().apply(Action::DismissNotice { index: 0 });
}
