//! What is kept and how it is shown again: over restarts, apart by who asked, and deleted for good.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection, JsonPointer};
use cardscope::client::{Credential, Secret};
use cardscope::history::{AgentId, AgentRecord, AskedAs, History, Page, VersionRecord, WatchInterval};
use cardscope::state::comparison::ChoiceKind;
use cardscope::state::{Action, AgentEntry, Deletion, HistoryAction, HistoryPlace, Outcome, State, View};
use serde_json::json;

use crate::support::{FakeAgent, Model, Reply, rpc};

mod remembered_pair;
mod telling;

const CARD_PATH: &str = "/.well-known/agent-card.json";

fn card(description: &str, version: &str) -> String {
    format!(
        r#"{{"name": "Larder", "description": "{description}", "version": "{version}",
  "supportedInterfaces": [{{"url": "https://larder.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}],
  "capabilities": {{}}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{{"id": "count", "name": "Count", "description": "Counts jars.", "tags": ["jars"]}}]}}"#
    )
}

fn served(agent: &FakeAgent, etag: &str, body: String) {
    let tag = format!("ETag: {etag}");
    let etag = etag.to_owned();
    agent.handle(CARD_PATH, move |request, _| {
        if request.header("If-None-Match") == Some(&*etag) {
            return Reply::new(304, "", &[&*tag], "");
        }
        Reply::new(200, "application/json", &[&*tag], &body)
    });
}

/// Asks the current entry's server again, until that is recorded.
fn refresh(model: &mut Model) {
    let before = model.state.kept.agents.iter().map(|agent| agent.retrievals).sum::<u32>();
    model.apply(Action::RefreshCard);
    model.until("the answer is recorded", |state| {
        let recorded = state.kept.agents.iter().map(|agent| agent.retrievals).sum::<u32>();
        state.discovery.pending.is_none() && recorded > before
    });
}

/// Opens an address and waits until it is listed as kept.
fn open(model: &mut Model, address: &str) -> AgentId {
    model.open(address);
    model.until("it is recorded", |state| entry(state).history.agent.is_some() && !state.kept.agents.is_empty());
    entry(&model.state).history.agent.unwrap()
}

fn entry(state: &State) -> &AgentEntry {
    state.discovery.current_entry().unwrap()
}

fn description(state: &State) -> String {
    let inspection = entry(state).inspection.as_ref().unwrap();
    inspection.document.object().unwrap().get_str("description").unwrap().into_owned()
}

fn history(model: &mut Model, action: HistoryAction) {
    model.apply(Action::History(action));
}

/// The versions of `agent`, newest first, once there are `count`.
fn versions(model: &mut Model, agent: AgentId, count: usize) -> Vec<VersionRecord> {
    history(model, HistoryAction::Unfold { agent });
    model.until("the versions are listed", |state| {
        state.kept.versions.get(&agent).is_some_and(|versions| versions.len() == count)
    });
    model.state.kept.versions[&agent].clone()
}

fn only_agent(model: &Model) -> AgentRecord {
    assert_eq!(model.state.kept.agents.len(), 1, "{:?}", model.state.kept.agents);
    model.state.kept.agents[0].clone()
}

#[test]
fn agents_and_their_versions_are_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    {
        let mut model = Model::keeping(folder.path());
        open(&mut model, &agent.url(""));
        served(&agent, "\"k2\"", card("two", "1.0.0"));
        refresh(&mut model);
        let notice = model.state.notices.last().unwrap();
        assert_eq!((&*notice.title, &*notice.hint), ("The card changed", "Its content changed, its version did not."));
    }

    let mut model = Model::keeping(folder.path());
    model.until("the list is there", |state| !state.kept.agents.is_empty());
    let record = only_agent(&model);
    assert_eq!((&*record.title, record.versions, record.retrievals), ("Larder", 2, 2));
    let asked = agent.hits(CARD_PATH);
    history(&mut model, HistoryAction::ShowAgent { agent: record.id });
    model.until("its last card is shown", |state| state.discovery.current.is_some());
    assert!(entry(&model.state).history.is_restored && !entry(&model.state).shows_older_version());
    assert_eq!(description(&model.state), "two");

    let kept = versions(&mut model, record.id, 2);
    assert_eq!(kept.iter().map(|version| version.number).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((kept[0].level_against(&kept[1]), kept[1].level.as_deref()), (Some("docs"), None));
    history(&mut model, HistoryAction::ShowVersion { agent: record.id, version: kept[1].id });
    model.until("the older one is shown", |state| entry(state).shows_older_version());
    assert_eq!(description(&model.state), "one");
    history(&mut model, HistoryAction::ShowCurrent);
    assert_eq!(description(&model.state), "two");
    assert_eq!(agent.hits(CARD_PATH), asked, "looking at what is kept asks nobody");

    refresh(&mut model);
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), Some("\"k2\""), "asked by what was kept");
    assert!(!entry(&model.state).history.is_restored);
    assert_eq!((model.state.discovery.entries.len(), only_agent(&model).versions), (1, 2));
}

#[test]
fn an_address_typed_after_a_restart_is_asked_by_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    open(&mut Model::keeping(folder.path()), &agent.url(""));
    let mut model = Model::keeping(folder.path());
    open(&mut model, &agent.url(""));
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), Some("\"k1\""));
    assert_eq!(description(&model.state), "one");
    assert_eq!(only_agent(&model).versions, 1);
}

#[test]
fn an_agent_opened_under_two_spellings_of_its_address_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    let other = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    served(&other, "\"k1\"", card("another", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(CARD_PATH));
    let shown = entry(&model.state).id;
    open(&mut model, &other.url(""));
    assert_eq!(open(&mut model, &agent.url("")), id);
    model.until("both spellings are one entry", |state| state.discovery.entries.len() == 2);
    assert_eq!((entry(&model.state).id, &*entry(&model.state).address), (shown, &*agent.url("")));
    assert!(model.state.notices.iter().any(|notice| notice.title == "Checked, unchanged"));
    // Asking again goes by the spelling that came last, and by what is kept.
    refresh(&mut model);
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), Some("\"k1\""));
    assert_eq!(model.state.discovery.entries.len(), 2);
}

#[test]
fn a_card_got_with_credentials_is_an_agent_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    agent.handle(CARD_PATH, |request, _| {
        let who = if request.header("Authorization").is_some() { "for friends" } else { "for all" };
        Reply::new(200, "application/json", &["ETag: \"same\""], card(who, "1.0.0"))
    });
    let mut model = Model::keeping(folder.path());
    let public = open(&mut model, &agent.url(""));
    let headers = vec![("Authorization".to_owned(), Secret::new("Bearer 0123456789abcdef"))];
    model.apply(Action::SetCredential(Credential { origin: agent.url(""), headers, client_certificate: None }));
    model.apply(Action::RefreshCard);
    model.until("both are kept", |state| state.kept.agents.len() == 2);
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), None);
    assert_eq!(model.state.discovery.entries.len(), 2, "the public card stays beside it");
    assert_eq!(description(&model.state), "for friends");
    let asked: Vec<bool> = model.state.kept.agents.iter().map(|agent| agent.asked_as == AskedAs::Public).collect();
    assert!(asked.contains(&true) && asked.contains(&false));
    assert!(model.state.kept.agents.iter().any(|agent| agent.id == public && agent.versions == 1));
    assert!(!model.state.notices.iter().any(|notice| notice.title == "The card changed"));
    drop(model);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(memchr::memmem::find(&bytes, b"0123456789abcdef").is_none(), "no secret is on disk");
    }
}

#[test]
fn what_is_deleted_is_gone_after_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    served(&agent, "\"k2\"", card("two", "2.0.0"));
    refresh(&mut model);
    let kept = versions(&mut model, id, 2);

    history(&mut model, HistoryAction::AskToDelete(Deletion::Version(kept[1].id)));
    model.apply(Action::AnswerQuestion { choice: 1 });
    assert_eq!(versions(&mut model, id, 2).len(), 2, "cancelled");
    history(&mut model, HistoryAction::AskToDelete(Deletion::Version(kept[1].id)));
    model.apply(Action::AnswerQuestion { choice: 0 });
    assert_eq!(versions(&mut model, id, 1)[0].number, 2);

    history(&mut model, HistoryAction::AskToDelete(Deletion::Agent(id)));
    let question = model.state.question.as_ref().unwrap();
    assert_eq!(question.title, "Delete Larder from the history?");
    let facts: Vec<(&str, &str)> = question.facts.iter().map(|(name, value)| (*name, &**value)).collect();
    assert_eq!(facts, [("card", &*agent.url(CARD_PATH)), ("versions", "1"), ("conversations", "0")]);
    assert_eq!(question.choices[question.main].label, "Cancel", "what cannot be undone does not stand out");
    model.apply(Action::AnswerQuestion { choice: 0 });
    model.until("it is gone", |state| state.kept.agents.is_empty());
    assert_eq!(description(&model.state), "two", "what is on screen stays");
    assert_eq!(entry(&model.state).history.agent, None);

    model.apply(Action::RefreshCard);
    model.until("it is kept again", |state| !state.kept.agents.is_empty());
    let only = model.state.kept.agents[0].latest.as_ref().unwrap().id;
    history(&mut model, HistoryAction::AskToDelete(Deletion::Version(only)));
    model.apply(Action::AnswerQuestion { choice: 0 });
    assert_eq!(entry(&model.state).history.agent, None, "with its only version goes the agent");
    model.until("it is gone as well", |state| state.kept.agents.is_empty());

    model.apply(Action::RefreshCard);
    model.until("it is kept once more", |state| !state.kept.agents.is_empty());
    history(&mut model, HistoryAction::AskToDelete(Deletion::Everything));
    model.apply(Action::AnswerQuestion { choice: 0 });
    model.until("all is gone", |state| state.kept.agents.is_empty());
    drop(model);
    let mut model = Model::keeping(folder.path());
    history(&mut model, HistoryAction::Search { text: String::new() });
    model.until("the list came", |state| state.kept.place == HistoryPlace::OnDisk);
    assert!(model.state.kept.agents.is_empty());
}

#[test]
fn a_muted_member_makes_no_other_version() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("1547 jars", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    served(&agent, "\"k2\"", card("1549 jars", "1.0.0"));
    refresh(&mut model);
    let first = versions(&mut model, id, 2)[1].id;
    let mute = |muted| HistoryAction::Mute { agent: id, pointer: JsonPointer::from_text("/description"), muted };
    history(&mut model, mute(true));
    model.until("they mean the same", |state| state.kept.versions[&id][0].same_meaning_as == Some(first));
    history(&mut model, mute(false));
    model.until("they differ again", |state| state.kept.versions[&id][0].same_meaning_as.is_none());
}

/// With another skill.
#[test]
fn a_folder_that_cannot_be_written_is_said_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let no_folder = folder.path().join("file");
    std::fs::write(&no_folder, "in the way").unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(&no_folder);
    assert_eq!(model.state.kept.place, HistoryPlace::InMemory);
    assert_eq!(model.state.notices[0].title, "The history cannot be used");
    open(&mut model, &agent.url(""));
    assert_eq!(only_agent(&model).versions, 1, "versions are compared within the session all the same");
}

/// What the clock says an hour from now.
fn an_hour_later() -> Outcome {
    Outcome::Tick { now: SystemTime::now() + Duration::from_hours(1) }
}

#[test]
fn a_watched_agent_is_asked_when_it_is_due_and_a_change_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    model.absorb(an_hour_later());
    assert_eq!(agent.hits(CARD_PATH), 1, "nobody is watched unasked");

    let watch = |interval| HistoryAction::Watch { agent: id, interval };
    history(&mut model, watch(Some(WatchInterval::of_minutes(15))));
    model.until("it is watched", |state| !state.watching.agents.is_empty());
    model.absorb(Outcome::Tick { now: SystemTime::now() });
    assert_eq!(agent.hits(CARD_PATH), 1, "it is not due yet");
    let asked_of = |model: &Model| model.state.kept.agents[0].retrievals;
    model.absorb(an_hour_later());
    model.absorb(an_hour_later());
    model.until("it was asked", |state| state.kept.agents[0].retrievals == 2);
    assert_eq!(agent.hits(CARD_PATH), 2, "asked once at a time");
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), Some("\"k1\""), "politely");
    assert!(!model.state.notices.iter().any(|notice| notice.title == "Larder changed"));

    served(&agent, "\"k2\"", card("two", "1.0.0"));
    model.absorb(an_hour_later());
    model.until("the change is told", |state| state.notices.iter().any(|notice| notice.title == "Larder changed"));
    assert_eq!(description(&model.state), "one", "what is being read stays");
    model.until("it is listed", |state| state.kept.agents[0].versions == 2);
    let show = model.state.notices.iter().find(|notice| notice.title == "Larder changed").unwrap().choices.clone();
    for action in show.into_iter().flat_map(|choice| choice.actions) {
        model.apply(action);
    }
    model.until("the new one is shown", |state| description(state) == "two");
    assert!(!entry(&model.state).shows_older_version());
    assert_eq!(asked_of(&model), 3);

    agent.on(CARD_PATH, Reply::status(410));
    model.absorb(an_hour_later());
    model.until("the watch ends", |state| state.watching.agents.is_empty());
    assert!(model.state.notices.iter().any(|notice| notice.title == "Larder is no longer watched"));
    assert_eq!(description(&model.state), "two");
}

#[test]
fn a_watched_private_card_is_not_asked_for_without_its_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let headers = vec![("Authorization".to_owned(), Secret::new("Bearer 0123456789abcdef"))];
    model.apply(Action::SetCredential(Credential { origin: agent.url(""), headers, client_certificate: None }));
    let id = open(&mut model, &agent.url(""));
    history(&mut model, HistoryAction::Watch { agent: id, interval: Some(WatchInterval::of_minutes(15)) });
    model.until("it is watched", |state| !state.watching.agents.is_empty());
    model.apply(Action::RemoveCredential { origin: agent.url("") });
    model.absorb(an_hour_later());
    assert_eq!(agent.hits(CARD_PATH), 1);
}

#[test]
fn a_conversation_is_kept_with_the_version_it_used() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, Reply::json(rpc::card_with_interfaces(&[&agent.url("/rpc")])));
    agent.handle("/rpc", |request, _| {
        rpc::result(request, &json!({"task": rpc::task_with_artifact("t1", "COMPLETED", "17 jars")}))
    });
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    let version = entry(&model.state).history.version;
    model.send_to_the_end("how many jars?");
    model.until("it is kept", |state| entry(state).conversation.saved.id.is_some());
    model.send_to_the_end("and now?");
    drop(model);

    let history = History::open(folder.path()).unwrap().history;
    let kept = history.conversations(id, Page::ALL).unwrap();
    assert_eq!((kept.len(), kept[0].version, kept[0].turns), (1, version, 2));
    assert_eq!((&*kept[0].title, &*kept[0].outcome), ("how many jars?", "completed"));
    let transcript = history.transcript(kept[0].id).unwrap().unwrap();
    assert_eq!(transcript.turns[0].interface.url, agent.url("/rpc"));
    assert!(format!("{:?}", transcript.turns[0].artifacts).contains("17 jars"));
}

#[test]
fn an_exported_file_and_a_folder_of_cards_are_taken_in_when_they_are_opened() {
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let id = open(&mut Model::keeping(mine.path()), &agent.url(""));
    let export = History::open(mine.path()).unwrap().history.export(&[id], &[]).unwrap();
    let file = mine.path().join("export.json");
    std::fs::write(&file, export).unwrap();

    let mut model = Model::keeping(theirs.path());
    model.apply(Action::OpenFile { path: file });
    model.until("it is imported", |state| !state.kept.agents.is_empty());
    assert_eq!(
        (model.state.notices.last().unwrap().title.as_str(), model.state.discovery.pending.is_none()),
        ("Imported", true)
    );
    assert_eq!((&*only_agent(&model).title, model.state.discovery.entries.len()), ("Larder", 0));

    let cards = mine.path().join("cards");
    std::fs::create_dir(&cards).unwrap();
    for (name, body) in [("a.json", card("a", "1")), ("b.json", card("b", "1")), ("c.json", "no card".to_owned())] {
        std::fs::write(cards.join(name), body).unwrap();
    }
    model.apply(Action::OpenFile { path: cards });
    model.until("the folder is imported", |state| state.kept.agents.len() == 3);
    assert!(model.state.notices.last().unwrap().detail.contains("c.json"), "{:?}", model.state.notices);

    let damaged = mine.path().join("damaged.json");
    std::fs::write(&damaged, r#"{"format": "cardscope-history", "formatVersion": 99, "agents": []}"#).unwrap();
    model.apply(Action::OpenFile { path: damaged });
    model.until("the reading is over", |state| state.discovery.pending.is_none());
    assert!(model.state.notices.last().unwrap().detail.contains("99"), "{:?}", model.state.notices.last());
}

#[test]
fn two_kept_versions_are_compared_on_one_click_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    {
        let mut model = Model::keeping(folder.path());
        open(&mut model, &agent.url(""));
        served(&agent, "\"k2\"", card("two", "1.0.0").replace("\"capabilities\"", "\"other\": 1, \"capabilities\""));
        refresh(&mut model);
        let compare = model.state.notices.last().unwrap().choices[0].clone();
        assert_eq!(compare.label, "Compare with previous");
        for action in compare.actions {
            model.apply(action);
        }
        model.until("it is compared", |state| state.comparison.ready().is_some());
        assert_eq!(model.state.view, View::Compare);
    }
    let mut model = Model::keeping(folder.path());
    model.until("the list is there", |state| !state.kept.agents.is_empty());
    let record = only_agent(&model);
    let newest = versions(&mut model, record.id, 2)[0].id;
    let asked = agent.hits(CARD_PATH);
    history(&mut model, HistoryAction::CompareWithPrevious { agent: record.id, version: newest });
    model.until("they are compared", |state| state.comparison.ready().is_some());
    let compared = model.state.comparison.ready().unwrap();
    assert!(compared.diff.changes.iter().any(|change| change.message.contains("escription")), "{:?}", compared.diff);
    assert_eq!(agent.hits(CARD_PATH), asked, "comparing asks nobody");
    let groups = model.state.side_choices();
    let oldest = groups[0].choices.iter().find(|choice| choice.kind == ChoiceKind::Kept { number: Some(1) });
    assert_eq!(oldest.map(|choice| &*choice.place), Some(&*agent.url(CARD_PATH)), "{groups:?}");
}
