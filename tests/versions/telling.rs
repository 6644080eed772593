//! What a window tells of a card that changed: how gravely, against what, and to whom it is news.

use cardscope::history::{NewDocument, NewRetrieval};

use super::*;

fn larger_card() -> String {
    let skill = r#"{"id": "label", "name": "Label", "description": "Labels jars.", "tags": ["jars"]}, {"id": "count""#;
    card("one", "1.0.0").replace(r#"{"id": "count""#, skill)
}

/// Title and detail of the notice about `title`, and what it offers.
fn told<'a>(state: &'a State, title: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let notice = state.notices.iter().find(|notice| notice.title == title)?;
    Some((&*notice.detail, notice.choices.iter().map(|choice| &*choice.label).collect()))
}

const BREAKS: &str = "Some of the changes break clients.";

#[test]
fn an_earlier_card_that_comes_back_is_told_and_judged_like_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    served(&agent, "\"k2\"", larger_card());
    refresh(&mut model);
    let compare = "Compare with previous";
    assert_eq!(told(&model.state, "The card changed"), Some(("Its clients go on working.", vec![compare])));
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    refresh(&mut model);
    assert_eq!(told(&model.state, "The card changed"), Some((BREAKS, vec![compare])));

    model.until("it is listed first", |state| state.kept.versions[&id][0].number == 1);
    let kept = versions(&mut model, id, 2);
    let level = |version: &VersionRecord| {
        let previous = model.state.kept.previous(version).unwrap();
        (previous.number, version.level_against(previous).map(str::to_owned))
    };
    assert_eq!(level(&kept[0]), (2, Some("breaking".to_owned())));
    assert_eq!(level(&kept[1]), (1, Some("compatible".to_owned())), "as it was when it came");

    let choice = model.state.notices.last().unwrap().choices[0].clone();
    for action in choice.actions {
        model.apply(action);
    }
    model.until("it is compared", |state| state.comparison.ready().is_some());
    assert_eq!(model.state.comparison.ready().unwrap().diff.level_label(), "breaking");
}

#[test]
fn a_watch_tells_what_its_window_did_not_see_whoever_kept_it_first() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", larger_card());
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    history(&mut model, HistoryAction::Watch { agent: id, interval: Some(WatchInterval::of_minutes(15)) });
    model.until("it is watched", |state| !state.watching.agents.is_empty());

    served(&agent, "\"k2\"", card("one", "1.0.0"));
    let mut other = Model::keeping(folder.path());
    open(&mut other, &agent.url(""));
    other.until("another program keeps it first", |state| state.kept.agents[0].versions == 2);
    drop(other);
    model.absorb(an_hour_later());
    let title = "Larder changed";
    model.until("the change is told", |state| told(state, title).is_some());
    assert_eq!(told(&model.state, title), Some((BREAKS, vec!["Show", "Compare with previous"])));
    model.apply(Action::DismissNotice { index: model.state.notices.len() - 1 });

    // What was seen is told no second time, a return is.
    let asked = agent.hits(CARD_PATH);
    model.until("it is listed", |state| state.kept.agents[0].versions == 2);
    let before = model.state.kept.agents[0].retrievals;
    model.absorb(an_hour_later());
    model.until("it was asked again", |state| state.kept.agents[0].retrievals > before);
    assert_eq!((agent.hits(CARD_PATH), told(&model.state, title)), (asked + 1, None));
    served(&agent, "\"k1\"", larger_card());
    model.absorb(an_hour_later());
    model.until("the return is told", |state| told(state, title).is_some());
    assert_eq!(told(&model.state, title).unwrap().0, "Its clients go on working.");
}

#[test]
fn a_watch_tells_what_was_kept_while_no_window_was_open() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", larger_card());
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    history(&mut model, HistoryAction::Watch { agent: id, interval: Some(WatchInterval::of_minutes(15)) });
    model.until("it is watched", |state| !state.watching.agents.is_empty());
    drop(model);

    served(&agent, "\"k2\"", card("one", "1.0.0"));
    let newer = Inspection::of(Arc::new(Document::new(card("one", "1.0.0"))), Origin::default());
    let new = NewRetrieval {
        address: agent.url(""),
        card_url: Some(agent.url(CARD_PATH)),
        document: Some(NewDocument::from(&newer)),
        ..NewRetrieval::default()
    };
    let recorded = History::open(folder.path()).unwrap().history.record(&new).unwrap().unwrap();
    assert_eq!((recorded.agent, recorded.is_new_version), (id, true));
    let mut model = Model::keeping(folder.path());
    model.until("it is watched", |state| !state.watching.agents.is_empty());
    model.absorb(an_hour_later());
    model.until("the change is told", |state| told(state, "Larder changed").is_some());
    assert_eq!(told(&model.state, "Larder changed").unwrap().0, BREAKS);
    drop(model);

    let mut model = Model::keeping(folder.path());
    model.until("it is watched", |state| !state.watching.agents.is_empty());
    let before = model.state.kept.agents[0].retrievals;
    model.absorb(an_hour_later());
    model.until("it was asked again", |state| state.kept.agents[0].retrievals > before);
    assert_eq!(told(&model.state, "Larder changed"), None, "it is told once");
}

#[test]
fn another_spelling_and_muted_members_are_said_to_be_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("1547 jars", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    let pointer = JsonPointer::from_text("/description");
    history(&mut model, HistoryAction::Mute { agent: id, pointer, muted: true });
    served(&agent, "\"k2\"", card("1549 jars", "1.0.0"));
    refresh(&mut model);
    let title = "The card changed";
    assert_eq!(told(&model.state, title), Some(("only in members that are muted", vec![])));
    served(&agent, "\"k3\"", card("1549 jars", "1.0.0").replace("  ", " "));
    refresh(&mut model);
    assert_eq!(told(&model.state, title), Some(("it says the same in another spelling", vec![])));
}

#[test]
fn levels_follow_what_is_muted() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(""));
    served(&agent, "\"k2\"", larger_card());
    refresh(&mut model);
    served(&agent, "\"k3\"", larger_card().replace("\"one\"", "\"two\""));
    refresh(&mut model);
    let level = |state: &State| {
        let newest = &state.kept.versions[&id][0];
        let previous = state.kept.previous(newest)?;
        Some((previous.number, newest.level_against(previous)?.to_owned()))
    };
    versions(&mut model, id, 3);
    assert_eq!(level(&model.state), Some((2, "docs".to_owned())));
    let pointer = JsonPointer::from_text("/description");
    history(&mut model, HistoryAction::Mute { agent: id, pointer, muted: true });
    model.until("it is judged against the first", |state| level(state) == Some((1, "compatible".to_owned())));
}
