//! What the model does with pairs, sides and results.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;

use super::{Age, Compared, ComparisonResult, ExportFormat, SideRef, SideSource, SideStanding};
use crate::card::Document;
use crate::card::facts::{Inspection, Origin};
use crate::client::AttemptKind;
use crate::state::testing::{fetch_job, retrieval};
use crate::state::{Action, ComparisonAction, Effect, EntryId, FilePurpose, JobId, Outcome, State, View};

fn card(version: &str) -> String {
    format!(
        r#"{{"name": "Jars", "version": "{version}", "supportedInterfaces": [], "skills": [{{"id": "count", "name": "{version}"}}]}}"#
    )
}

fn inspected(text: &str) -> Arc<Inspection> {
    Arc::new(Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default()))
}

/// Fetches `address` and lets `body` be what came; what this began is answered with.
fn open(state: &mut State, address: &str, body: &str) -> Vec<Effect> {
    let job = fetch_job(&state.apply(Action::FetchCard { address: address.to_owned() }));
    let retrieval = retrieval(address, AttemptKind::AsTyped, body);
    let document = retrieval.attempts[0].document.clone();
    let inspection = document.map(|document| Arc::new(Inspection::of(document, Origin::default())));
    state.absorb(Outcome::CardFetched { job, retrieval, inspection })
}

fn act(state: &mut State, action: ComparisonAction) -> Vec<Effect> {
    state.apply(Action::Comparison(action))
}

/// The comparison that the effects begin.
fn begun(effects: &[Effect]) -> (JobId, Arc<Inspection>, Arc<Inspection>) {
    let compare = effects.iter().find_map(|effect| match effect {
        Effect::Compare { job, older, newer } => Some((*job, Arc::clone(older), Arc::clone(newer))),
        _ => None,
    });
    compare.unwrap_or_else(|| panic!("no comparison: {effects:?}"))
}

/// Carries the comparison out.
fn finish(state: &mut State, effects: &[Effect]) -> Arc<Compared> {
    let (job, older, newer) = begun(effects);
    let compared = Arc::new(Compared::of(older, newer));
    assert!(state.absorb(Outcome::Compared { job, compared: Arc::clone(&compared) }).is_empty());
    compared
}

/// A model whose card changed from 1 to 2, in the Compare view, with what that began.
fn changed() -> (State, Vec<Effect>) {
    let mut state = State::default();
    let _ = open(&mut state, "jars.example", &card("1"));
    let _ = open(&mut state, "jars.example", &card("2"));
    let effects = state.apply(Action::ShowView(View::Compare));
    (state, effects)
}

fn current(state: &State) -> EntryId {
    state.discovery.current.unwrap()
}

#[test]
fn a_card_that_changed_is_compared_with_the_one_before() {
    let (mut state, effects) = changed();
    let compared = finish(&mut state, &effects);
    let version = |age| compared.side(age).agent_version.clone().unwrap();
    assert_eq!((version(Age::Older), version(Age::Newer)), ("1".to_owned(), "2".to_owned()));
    assert!(compared.diff.changes.iter().any(|change| change.rule == "skill-name-changed"), "{:?}", compared.diff);
    // The other way round is another comparison, and the way back is remembered.
    let swapped = act(&mut state, ComparisonAction::Swap);
    finish(&mut state, &swapped);
    assert!(act(&mut state, ComparisonAction::Swap).is_empty());
    assert!(Arc::ptr_eq(state.comparison.ready().unwrap(), &compared));
}

#[test]
fn a_card_that_never_changed_has_no_older_side_until_it_does() {
    let mut state = State::default();
    let _ = open(&mut state, "jars.example", &card("1"));
    assert!(state.apply(Action::ShowView(View::Compare)).is_empty());
    assert!(matches!(state.side_standing(Age::Older), SideStanding::Missing));
    assert!(matches!(state.side_standing(Age::Newer), SideStanding::Ready(_)));
    assert!(state.apply(Action::CompareWithPrevious { entry: current(&state) }).is_empty());
    assert_eq!(state.notices.last().unwrap().title, "There is no earlier version yet");
    let effects = open(&mut state, "jars.example", &card("2"));
    finish(&mut state, &effects);
    assert_eq!(state.view, View::Compare, "a refresh does not change the view");
}

#[test]
fn nothing_is_compared_before_it_is_looked_at() {
    let mut state = State::default();
    let _ = open(&mut state, "jars.example", &card("1"));
    let effects = open(&mut state, "jars.example", &card("2"));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Compare { .. })), "{effects:?}");
    let effects = state.apply(Action::CompareWithPrevious { entry: current(&state) });
    begun(&effects);
}

#[test]
fn each_agent_has_its_own_pair() {
    let (mut state, effects) = changed();
    finish(&mut state, &effects);
    let jars = current(&state);
    let _ = open(&mut state, "lids.example", &card("7"));
    let lids = current(&state);
    let effects = state.apply(Action::Compare { older: SideRef::Entry(jars), newer: SideRef::Entry(lids) });
    finish(&mut state, &effects);
    assert!(state.apply(Action::SelectAgent { entry: jars }).is_empty(), "its comparison is remembered");
    assert_eq!(state.comparison.ready().unwrap().older.agent_version.as_deref(), Some("1"));
    // A pair that names an entry which left the list says so.
    let _ = state.apply(Action::CloseAgent { entry: jars });
    assert_eq!(current(&state), lids);
    assert!(matches!(state.side_standing(Age::Older), SideStanding::Failed(why) if why.contains("no longer")));
    assert!(matches!(state.comparison.result, ComparisonResult::Nothing));
}

#[test]
fn a_late_result_is_dropped() {
    let (mut state, effects) = changed();
    let (job, older, newer) = begun(&effects);
    let effects = open(&mut state, "jars.example", &card("3"));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Abort { job: aborted } if *aborted == job)));
    let late = Arc::new(Compared::of(older, newer));
    let _ = state.absorb(Outcome::Compared { job, compared: late });
    assert!(state.comparison.ready().is_none());
    assert_eq!(finish(&mut state, &effects).newer.agent_version.as_deref(), Some("3"));
}

#[test]
fn cancelling_ends_the_wait_and_it_can_be_begun_again() {
    let (mut state, effects) = changed();
    let (job, ..) = begun(&effects);
    assert!(state.comparison.is_waiting());
    let effects = act(&mut state, ComparisonAction::Cancel);
    assert!(matches!(effects[..], [Effect::Abort { job: aborted }] if aborted == job));
    assert!(matches!(state.comparison.result, ComparisonResult::Cancelled) && !state.comparison.is_waiting());
    assert!(state.apply(Action::Select { pointer: None }).is_empty(), "it stays cancelled");
    let effects = act(&mut state, ComparisonAction::Again);
    finish(&mut state, &effects);
}

#[test]
fn a_broken_comparison_says_so() {
    let (mut state, effects) = changed();
    let (job, ..) = begun(&effects);
    let _ = state.absorb(Outcome::JobFailed { job: Some(job), problem: "a fault in a rule".to_owned() });
    assert!(matches!(&state.comparison.result, ComparisonResult::Failed(problem) if problem == "a fault in a rule"));
}

#[test]
fn a_file_becomes_a_side_and_one_that_cannot_be_read_says_why() {
    let (mut state, effects) = changed();
    finish(&mut state, &effects);
    let effects = act(&mut state, ComparisonAction::PickFile { age: Age::Older });
    assert!(matches!(effects[..], [Effect::PickFile { purpose: FilePurpose::Compare(Age::Older) }]));
    let path = Some(PathBuf::from("/tmp/card.json"));
    let picked = Outcome::FilePicked { purpose: FilePurpose::Compare(Age::Older), path, at_once: false };
    let effects = state.absorb(picked);
    let [Effect::LoadSide { job, source: SideSource::File(_) }] = effects[..] else { panic!("{effects:?}") };
    assert!(matches!(state.side_standing(Age::Older), SideStanding::Reading) && state.comparison.is_waiting());
    let _ = state.absorb(Outcome::SideLoaded { job, result: Err("There is no such file.".to_owned()) });
    assert!(matches!(state.side_standing(Age::Older), SideStanding::Failed(why) if why == "There is no such file."));
    let effects = act(&mut state, ComparisonAction::Again);
    let [Effect::LoadSide { job, .. }] = effects[..] else { panic!("{effects:?}") };
    let effects = state.absorb(Outcome::SideLoaded { job, result: Ok(inspected(&card("9"))) });
    assert_eq!(finish(&mut state, &effects).older.agent_version.as_deref(), Some("9"));
    let listed: Vec<_> = state.side_choices().into_iter().map(|group| (group.heading, group.choices.len())).collect();
    assert_eq!(listed, [("This agent", 2), ("Opened for comparing", 1), ("Demo agent", 2)]);
}

#[test]
fn pasted_text_and_the_demo_agents_revisions_are_sides_too() {
    let mut state = State::default();
    let _ = open(&mut state, "jars.example", &card("1"));
    let _ = state.apply(Action::ShowView(View::Compare));
    let paste = ComparisonAction::OpenBytes {
        age: Age::Older,
        name: "Pasted card".to_owned(),
        bytes: Bytes::from_static(b"{}"),
    };
    let effects = act(&mut state, paste);
    assert!(matches!(effects[..], [Effect::LoadSide { source: SideSource::Bytes { .. }, .. }]));
    let effects =
        state.apply(Action::Compare { older: SideRef::Demo { revision: 1 }, newer: SideRef::Demo { revision: 2 } });
    let jobs: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::LoadSide { job, source: SideSource::Demo { revision, .. } } => Some((*job, *revision)),
            _ => None,
        })
        .collect();
    assert_eq!(jobs.iter().map(|(_, revision)| *revision).collect::<Vec<_>>(), [1, 2]);
    let mut begun = Vec::new();
    for (job, revision) in jobs {
        let result = Ok(inspected(&card(&revision.to_string())));
        begun = state.absorb(Outcome::SideLoaded { job, result });
    }
    finish(&mut state, &begun);
}

#[test]
fn a_selected_change_is_selected_in_the_card_on_screen() {
    let (mut state, effects) = changed();
    let compared = finish(&mut state, &effects);
    let renamed = compared.diff.changes.iter().position(|change| change.rule == "skill-name-changed").unwrap();
    let _ = act(&mut state, ComparisonAction::SelectChange { change: Some(renamed) });
    assert_eq!(state.selection.as_ref().unwrap().as_str(), "/skills/0/name");
    assert_eq!(state.comparison.selected, Some(renamed));
    let _ = act(&mut state, ComparisonAction::SelectChange { change: Some(99) });
    assert_eq!(state.comparison.selected, None);
}

#[test]
fn an_export_has_a_name_and_what_it_says() {
    let (mut state, effects) = changed();
    let compared = finish(&mut state, &effects);
    let effects = act(&mut state, ComparisonAction::Export { format: ExportFormat::JsonPatch });
    assert!(matches!(&effects[..], [Effect::ExportComparison { format: ExportFormat::JsonPatch, .. }]));
    assert_eq!(compared.export_name(ExportFormat::Markdown), "jars-1-to-2.md");
    let json: serde_json::Value = serde_json::from_str(&compared.export(ExportFormat::Json).unwrap()).unwrap();
    assert_eq!(json["changes"].as_array().unwrap().len(), compared.diff.changes.len());
    assert_eq!(json["newer"]["version"], "2");
    let patch = compared.export(ExportFormat::JsonPatch).unwrap();
    let patch: json_patch::Patch = serde_json::from_str(&patch).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&card("1")).unwrap();
    json_patch::patch(&mut document, &patch).unwrap();
    assert_eq!(document, serde_json::from_str::<serde_json::Value>(&card("2")).unwrap());
}

#[test]
fn what_an_agent_showed_before_is_remembered_within_bounds() {
    let mut state = State::default();
    for version in 0..20 {
        let _ = open(&mut state, "jars.example", &card(&version.to_string()));
    }
    // Back and forth between two cards adds nothing.
    for version in [18, 19, 18, 19] {
        let _ = open(&mut state, "jars.example", &card(&version.to_string()));
    }
    let groups = state.side_choices();
    let versions: Vec<_> = groups[0].choices.iter().map(|choice| choice.version.clone().unwrap()).collect();
    assert_eq!(versions, ["19", "18", "17", "16", "15", "14", "13", "12"]);
}
