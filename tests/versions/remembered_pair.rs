//! What was compared under an agent, in the next run.

use cardscope::state::{Action, Age, ComparisonAction, Deletion, HistoryAction, View};

use super::{CARD_PATH, card, history, open, refresh, served, versions};
use crate::support::{FakeAgent, Model};

/// The next run, as the window would begin it, with the comparison of the only agent on screen.
fn compared_again(folder: &std::path::Path, model: Model) -> Model {
    let settings = serde_json::to_string(&model.state.settings).unwrap();
    assert!(!settings.contains("larder-key"), "{settings}");
    drop(model);
    let mut model = Model::keeping_with(folder, serde_json::from_str(&settings).unwrap());
    model.until("it is listed", |state| !state.kept.agents.is_empty());
    let agent = model.state.kept.agents[0].id;
    history(&mut model, HistoryAction::ShowAgent { agent });
    model.until("it is shown with its versions", |state| state.kept.versions.contains_key(&agent));
    model.apply(Action::ShowView(View::Compare));
    compared(&mut model);
    model
}

/// The versions on both sides, once they are compared.
fn compared(model: &mut Model) -> [String; 2] {
    model.until("it is compared", |state| state.comparison.ready().is_some() && !state.comparison.is_waiting());
    let compared = model.state.comparison.ready().unwrap();
    [&compared.older, &compared.newer].map(|side| side.agent_version.clone().unwrap())
}

#[test]
fn what_was_compared_is_compared_again_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let agent = FakeAgent::start();
    served(&agent, "\"k1\"", card("one", "1.0.0"));
    let mut model = Model::keeping(folder.path());
    let id = open(&mut model, &agent.url(&format!("{CARD_PATH}?api_key=larder-key")));
    served(&agent, "\"k2\"", card("two", "2.0.0"));
    refresh(&mut model);
    versions(&mut model, id, 2);
    model.apply(Action::ShowView(View::Compare));
    assert_eq!(compared(&mut model), ["1.0.0", "2.0.0"]);
    model.apply(Action::Comparison(ComparisonAction::Swap));
    assert_eq!(compared(&mut model), ["2.0.0", "1.0.0"]);
    let mut model = compared_again(folder.path(), model);
    assert_eq!(compared(&mut model), ["2.0.0", "1.0.0"]);

    let file = folder.path().join("card.json");
    std::fs::write(&file, card("file", "3.0.0")).unwrap();
    model.apply(Action::Comparison(ComparisonAction::OpenFile { age: Age::Older, path: file.clone() }));
    model.until("the file is read", |state| {
        state.comparison.ready().is_some_and(|c| c.older.agent_version.as_deref() == Some("3.0.0"))
    });
    let mut model = compared_again(folder.path(), model);
    assert_eq!(compared(&mut model), ["3.0.0", "1.0.0"]);

    std::fs::remove_file(&file).unwrap();
    let mut model = compared_again(folder.path(), model);
    assert_eq!(compared(&mut model), ["1.0.0", "2.0.0"], "what is gone is no reason to compare nothing");
    history(&mut model, HistoryAction::Delete(Deletion::Agent(id)));
    assert!(model.state.settings.comparisons.is_empty(), "deleted for good");
}
