//! Kept conversations: listed, read, continued and deleted, over restarts and through the whole window.

mod window;

use cardscope::history::{AgentId, History, Page};
use cardscope::state::{
    Action, AgentEntry, Deletion, EarlierAction, HistoryAction, PastConversation, ShownConversation, State,
};
use serde_json::{Value, json};

use crate::support::{FakeAgent, Model, Reply, rpc};

const CARD_PATH: &str = "/.well-known/agent-card.json";

/// An agent that asks back once in each context, and answers then.
fn agent() -> FakeAgent {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, Reply::json(rpc::card_with_interfaces(&[&agent.url("/rpc")])));
    agent.handle("/rpc", |request, turn| {
        let task = if turn == 0 {
            rpc::task("t1", "INPUT_REQUIRED")
        } else {
            rpc::task_with_artifact("t1", "COMPLETED", "17 jars")
        };
        rpc::result(request, &json!({"task": task}))
    });
    agent
}

fn entry(state: &State) -> &AgentEntry {
    state.discovery.current_entry().unwrap()
}

fn open_card(model: &mut Model, agent: &FakeAgent) -> AgentId {
    model.open(&agent.url(""));
    model.until("it is recorded", |state| entry(state).history.agent.is_some());
    entry(&model.state).history.agent.unwrap()
}

fn listed(state: &State) -> usize {
    let agent = entry(state).history.agent.unwrap();
    state.kept.conversations.get(&agent).map_or(0, |list| list.page.conversations.len())
}

fn earlier(model: &mut Model, action: EarlierAction) {
    model.apply(Action::Earlier(action));
}

/// Opens the conversation that began with these words.
fn open_conversation(model: &mut Model, agent: AgentId, words: &str) {
    earlier(model, EarlierAction::ShowList);
    model.until("it is listed", |state| listed(state) > 0);
    let mut records = model.state.kept.conversations[&agent].page.conversations.iter();
    let conversation = records.find(|record| record.title == words).unwrap().id;
    earlier(model, EarlierAction::Open { conversation });
    model.until("it is open", |state| entry(state).earlier.opened().is_some());
}

fn opened(model: &Model) -> &PastConversation {
    entry(&model.state).earlier.opened().unwrap()
}

fn sent_message(agent: &FakeAgent) -> Value {
    agent.last("/rpc").json()["params"]["message"].clone()
}

#[test]
fn a_conversation_of_another_day_is_read_continued_and_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent();
    {
        let mut model = Model::keeping(folder.path());
        open_card(&mut model, &agent);
        model.send_to_the_end("how many jars?");
        model.until("it is kept", |state| listed(state) == 1);
    }
    let mut model = Model::keeping(folder.path());
    let id = open_card(&mut model, &agent);
    open_conversation(&mut model, id, "how many jars?");
    let asked = agent.hits("/rpc");
    let past = opened(&model);
    assert_eq!((past.turns.len(), past.context_id.as_deref(), past.can_be_continued()), (1, Some("c1"), true));
    let version = past.card_of(&past.turns[0]).and_then(|card| card.version.as_ref()).unwrap();
    assert_eq!((version.number, &*past.turns[0].interface().url), (1, &*agent.url("/rpc")));
    assert_eq!(past.turns[0].timeline.len(), 1);
    let markdown = model.state.shown_conversation_markdown().unwrap();
    assert!(markdown.contains("how many jars?") && markdown.contains("Version of the card: 1"), "{markdown}");

    earlier(&mut model, EarlierAction::Continue { although_unsaved: false });
    assert_eq!(agent.hits("/rpc"), asked, "reading and continuing sends nothing");
    model.send_to_the_end("those on the shelf");
    let message = sent_message(&agent);
    assert_eq!((&message["contextId"], &message["taskId"]), (&json!("c1"), &json!("t1")));
    model.until("it is kept", |state| {
        state.kept.conversations.get(&id).is_some_and(|list| list.page.conversations[0].turns == 2)
    });
    assert_eq!(listed(&model.state), 1, "the same record");
    let markdown = model.state.shown_conversation_markdown().unwrap();
    assert!(markdown.contains("how many jars?") && markdown.contains("17 jars"), "all of it: {markdown}");

    // Another one, and the first again as it is now.
    model.converse(cardscope::state::ConversationAction::NewConversation);
    model.send_to_the_end("and now?");
    assert_eq!(sent_message(&agent).get("contextId"), None);
    model.until("both are listed", |state| listed(state) == 2);
    let first = model.state.kept.conversations[&id].page.conversations[1].id;
    earlier(&mut model, EarlierAction::Open { conversation: first });
    model.until("it is open", |state| entry(state).earlier.opened().is_some());
    assert_eq!(opened(&model).turns.len(), 2);
    assert_eq!(opened(&model).turns[1].artifacts.len(), 1);
}

#[test]
fn a_deleted_conversation_is_gone_from_list_disk_and_screen() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent();
    let mut model = Model::keeping(folder.path());
    let id = open_card(&mut model, &agent);
    model.send_to_the_end("how many jars?");
    model.until("it is kept", |state| listed(state) == 1);
    model.converse(cardscope::state::ConversationAction::NewConversation);
    open_conversation(&mut model, id, "how many jars?");
    let conversation = opened(&model).record.id;
    model.apply(Action::History(HistoryAction::AskToDelete(Deletion::Conversation(conversation))));
    assert!(model.state.question.is_some());
    model.apply(Action::AnswerQuestion { choice: 0 });
    assert!(matches!(entry(&model.state).earlier.shown, ShownConversation::List));
    model.send_to_the_end("something else");
    model.until("that is kept", |state| listed(state) == 1);
    drop(model);
    let history = History::open(folder.path()).unwrap().history;
    let kept = history.conversations(id, Page::ALL).unwrap();
    assert_eq!((kept.len(), &*kept[0].title), (1, "something else"));
}

#[test]
fn what_runs_while_another_one_is_continued_is_kept_in_its_own_record() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent();
    let mut model = Model::keeping(folder.path());
    let id = open_card(&mut model, &agent);
    model.send_to_the_end("first");
    model.until("it is kept", |state| listed(state) == 1);
    model.converse(cardscope::state::ConversationAction::NewConversation);
    agent.handle("/rpc", |request, _| {
        let task = rpc::task("t2", "WORKING");
        rpc::result(request, &if rpc::method(request) == "GetTask" { task } else { json!({"task": task}) })
    });
    model.send("second");
    model.until("it is followed", |state| {
        entry(state).conversation.turns.last().is_some_and(|turn| turn.state().is_some())
    });
    open_conversation(&mut model, id, "first");
    earlier(&mut model, EarlierAction::Continue { although_unsaved: false });
    model.until("it is stopped in the list as well", |state| {
        let records = &state.kept.conversations[&id].page.conversations;
        records.iter().any(|record| record.outcome == "stopped")
    });
    let records = &model.state.kept.conversations[&id].page.conversations;
    let mut shown: Vec<_> = records.iter().map(|record| (&*record.title, &*record.outcome)).collect();
    shown.sort_unstable();
    assert_eq!(shown, [("first", "input-required"), ("second", "stopped")]);
}

#[test]
fn what_was_under_way_when_the_program_ended_is_kept_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent();
    agent.handle("/rpc", |request, _| {
        let task = rpc::task("t2", "WORKING");
        rpc::result(request, &if rpc::method(request) == "GetTask" { task } else { json!({"task": task}) })
    });
    let mut model = Model::keeping(folder.path());
    let id = open_card(&mut model, &agent);
    model.send("how many jars?");
    model.until("it is followed", |state| {
        entry(state).conversation.turns.last().is_some_and(|turn| turn.state().is_some())
    });
    drop(model);
    let history = History::open(folder.path()).unwrap().history;
    let kept = history.conversations(id, Page::ALL).unwrap();
    assert_eq!((kept.len(), &*kept[0].title, &*kept[0].outcome), (1, "how many jars?", "working"));
    let transcript = history.transcript(kept[0].id).unwrap().unwrap();
    assert_eq!((transcript.context_id.as_deref(), transcript.turns[0].task_id.as_deref()), (Some("c1"), Some("t2")));
}
