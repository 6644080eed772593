//! What is said of an address that leads elsewhere: the one that was asked comes first, then where it led.

use super::{CARD_PATH, card, discover};
use crate::support::{FakeAgent, Reply};

#[test]
fn a_redirect_that_only_lengthens_the_path_is_told_in_whole_sentences() {
    let agent = FakeAgent::start();
    let (asked, moved) = (agent.url(CARD_PATH), agent.url(&format!("{CARD_PATH}/")));
    agent.on(CARD_PATH, Reply::redirect(301, &moved));
    agent.on(&format!("{CARD_PATH}/"), Reply::json(card("A")));
    let retrieval = discover(&agent.url(""));
    let verdict = &retrieval.verdict;
    assert!(verdict.starts_with(&format!("{asked} answered with an Agent Card")), "{verdict}");
    assert!(verdict.contains(&format!("Redirected to {moved}.")), "{verdict}");
    let beside_url = retrieval.attempts[0].note_without_url();
    assert!(beside_url.starts_with("answered with an Agent Card"), "{beside_url}");
}

#[test]
fn a_chain_that_ends_badly_names_the_address_asked_and_the_one_that_failed() {
    let (agent, other) = (FakeAgent::start(), FakeAgent::start());
    let asked = agent.url("/card.json");
    other.on("/last", Reply::raw(""));
    agent.on("/card.json", Reply::redirect(302, "/next"));
    agent.on("/next", Reply::redirect(302, &other.url("/last")));
    let verdict = discover(&asked).verdict;
    let words = format!("{asked} redirects to another origin: {}, which gave no answer: ", other.url("/last"));
    assert!(verdict.starts_with(&words), "{verdict}");

    agent.on("/next", Reply::redirect(302, "/next"));
    let verdict = discover(&asked).verdict;
    let words =
        format!("{asked} redirects to {}, which was not followed: it redirects in a circle.", agent.url("/next"));
    assert_eq!(verdict, words);

    agent.on("/next", Reply::status(401));
    let verdict = discover(&asked).verdict;
    assert!(verdict.starts_with(&format!("Needs credentials: {asked} answered 401.")), "{verdict}");
    assert!(verdict.contains(&agent.url("/next")), "{verdict}");
}
