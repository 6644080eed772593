//! Fetching by itself: entries, what is shown meanwhile, and what a failure leaves.

use super::super::testing::{fetch_job, json_rpc, open, retrieval, send, state_with};
use super::*;
use crate::card::JsonPointer;
use crate::state::{ConversationAction, Outcome};

fn fetch(state: &mut State, address: &str) -> Vec<Effect> {
    state.apply(Action::FetchCard { address: address.to_owned() })
}

#[test]
fn the_previous_card_stays_while_the_next_is_fetched() {
    let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
    let shown = state.discovery.current;
    let first = fetch_job(&fetch(&mut state, "a.example"));
    assert_eq!(state.discovery.current, shown);
    let effects = fetch(&mut state, " b.example ");
    assert!(matches!(effects[0], Effect::Abort { job } if job == first));
    assert_eq!(state.discovery.pending.as_ref().unwrap().address, "b.example");
    // The older one answers all the same: too late.
    let late = retrieval("a.example", AttemptKind::OriginCard, "{}");
    let _ = state.absorb(Outcome::CardFetched { job: first, retrieval: late, inspection: None });
    assert_eq!((state.discovery.current, state.discovery.entries.len()), (shown, 1));
    assert!(state.discovery.pending.is_some());
    assert!(matches!(state.apply(Action::CancelFetch)[..], [Effect::Abort { .. }]));
    assert!(state.discovery.pending.is_none());
}

#[test]
fn an_address_has_one_entry_and_the_newest_is_on_top() {
    let mut state = State::default();
    for address in ["a.example", "b.example"] {
        open(&mut state, address, "{}", vec![json_rpc("https://pub.example/rpc")]);
    }
    let a = state.discovery.entries[1].id;
    let _ = state.apply(Action::SelectAgent { entry: a });
    let (job, _) = send(&mut state, "hello");
    let _ = state.apply(Action::ShowView(View::Message));
    open(&mut state, "a.example", "{}", vec![json_rpc("https://pub.example/rpc")]);
    assert_eq!(
        state.discovery.entries.iter().map(|entry| &*entry.address).collect::<Vec<_>>(),
        ["a.example", "b.example"]
    );
    assert_eq!(state.discovery.current, Some(a));
    assert_eq!(state.discovery.entries[0].conversation.turns[0].job, job, "the conversation goes on");
    assert_eq!(state.view, View::Message, "a refresh does not change the view");
}

#[test]
fn a_failed_refresh_keeps_the_card() {
    let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
    let job = fetch_job(&state.apply(Action::RefreshCard));
    let nothing = retrieval(super::super::testing::CARD_URL, AttemptKind::AsTyped, "");
    let _ = state.absorb(Outcome::CardFetched { job, retrieval: nothing, inspection: None });
    assert!(state.discovery.current_entry().unwrap().inspection.is_some());
    assert_eq!(state.notices[0].detail, "Nothing answers there.", "one sentence");
    let shown = state.discovery.current_entry().unwrap();
    assert_eq!(shown.failed_again.as_ref().unwrap().attempts[0].note, "connection refused");
    // Where there was no card, the failure with its attempts is what is shown.
    let job = fetch_job(&fetch(&mut state, "https://gone.example/"));
    let nothing = retrieval("https://gone.example/", AttemptKind::AsTyped, "");
    let _ = state.absorb(Outcome::CardFetched { job, retrieval: nothing, inspection: None });
    assert_eq!(state.discovery.current_entry().unwrap().address, "https://gone.example/");
}

#[test]
fn a_failure_is_told_until_the_card_comes_again() {
    let card = super::super::testing::CARD_URL;
    let mut state = state_with(Vec::new());
    open(&mut state, "b.example", "{}", Vec::new());
    for (address, body) in [(card, ""), ("b.example", "{}")] {
        open(&mut state, address, body, Vec::new());
    }
    let failures = |state: &State| state.notices.iter().filter(|notice| notice.tone == Tone::Bad).count();
    assert_eq!(failures(&state), 1, "another agent's success says nothing about it");
    open(&mut state, card, "{}", Vec::new());
    assert_eq!(failures(&state), 0);
    let entry = state.discovery.current_entry().unwrap();
    assert!(entry.address == card && entry.failed_again.is_none());

    open(&mut state, card, "", Vec::new());
    let entry = state.discovery.current.unwrap();
    let _ = state.apply(Action::CloseAgent { entry });
    assert_eq!(failures(&state), 0, "nobody asks for a closed one");
}

#[test]
fn pasted_json_is_read_and_not_asked_for() {
    let mut state = State::default();
    for (body, entries) in [("{\"name\":1}", 1), ("{\"name\":2}", 2), ("{\"name\":1}", 2)] {
        let effects = fetch(&mut state, body);
        let job = fetch_job(&effects);
        assert_eq!(state.discovery.pending.as_ref().unwrap().address, "Pasted text");
        let retrieval = retrieval("Pasted text", AttemptKind::Pasted, body);
        let _ = state.absorb(Outcome::CardFetched { job, retrieval, inspection: None });
        assert_eq!(state.discovery.entries.len(), entries);
    }
    assert!(state.apply(Action::RefreshCard).is_empty());
}

#[test]
fn another_agent_starts_without_a_selection() {
    let mut state = state_with(Vec::new());
    let first = state.discovery.current.unwrap();
    open(&mut state, "b.example", "{}", Vec::new());
    let _ = state.apply(Action::Select { pointer: Some(JsonPointer::from_text("/name")) });
    let _ = state.apply(Action::SelectAgent { entry: first });
    assert_eq!((state.discovery.current, &state.selection), (Some(first), &None));
    let _ = state.apply(Action::CloseAgent { entry: first });
    assert_eq!(state.discovery.current_entry().unwrap().address, "b.example");
}

#[test]
fn closing_an_agent_ends_what_runs_for_it() {
    let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
    let (running, _) = send(&mut state, "hello");
    let entry = state.discovery.current.unwrap();
    let effects = state.apply(Action::CloseAgent { entry });
    assert!(matches!(effects[..], [Effect::Abort { job }] if job == running));
    assert!(state.apply(Action::Conversation(ConversationAction::Stop)).is_empty());
}

#[test]
fn another_attempt_is_shown_only_if_it_is_still_the_same_document() {
    let mut state = state_with(Vec::new());
    let judge = |effects: &[Effect]| match effects {
        [Effect::InspectAttempt { job, .. }] => *job,
        other => panic!("{other:?}"),
    };
    let job = judge(&state.apply(Action::ShowAttempt { attempt: 0 }));
    let document = state.discovery.entries[0].retrieval.attempts[0].document.clone().unwrap();
    let inspection = super::super::testing::inspection(&document, vec![json_rpc("https://other.example/rpc")]);
    open(&mut state, super::super::testing::CARD_URL, "{\"v\":2}", Vec::new());
    let _ = state.absorb(Outcome::DocumentInspected { job, inspection: Arc::clone(&inspection) });
    assert!(state.discovery.entries[0].inspection.as_ref().unwrap().interfaces.rows.is_empty());
    assert!(state.apply(Action::ShowAttempt { attempt: 9 }).is_empty());
    assert!(state.apply(Action::ShowAlternative).is_empty());
}
