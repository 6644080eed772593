//! The outcome of an attempt goes by what came, wherever it was asked.

use cardscope::client::{Attempt, AttemptOutcome};

use super::{CARD_PATH, discover};
use crate::support::{FakeAgent, Reply};

fn outcome_at(reply: Reply) -> (AttemptOutcome, String) {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, reply);
    let retrieval = discover(&agent.url(CARD_PATH));
    (retrieval.attempts[0].outcome.clone(), retrieval.verdict)
}

#[test]
fn the_same_body_has_the_same_outcome_at_every_address() {
    for reply in [
        Reply::new(200, "text/html", &[], "<html><title>Welcome</title>"),
        Reply::json("{}"),
        Reply::json("{\"name\": \"Clerk\", \"skills\": ["),
    ] {
        let agent = FakeAgent::start();
        agent.otherwise(reply.clone());
        let retrieval = discover(&agent.url("/rpc"));
        let outcomes: Vec<_> = retrieval.attempts.iter().map(|attempt| attempt.outcome.label()).collect();
        assert_eq!(outcomes.len(), 5);
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0] && *outcome != "notFound"), "{outcomes:?}");

        // Where only the site's own page is there, it is said as it is, and still does not make the headline.
        let site = FakeAgent::start();
        site.on("/rpc", reply);
        let retrieval = discover(&site.url("/rpc"));
        assert_eq!(retrieval.attempts.last().map(|attempt| attempt.outcome.label()), Some(outcomes[0]));
        assert_eq!(retrieval.headline().map(|attempt: &Attempt| &attempt.outcome), Some(&AttemptOutcome::NotFound));
        assert!(retrieval.verdict.contains("answered 200 (OK), 404 (Not Found)"), "{}", retrieval.verdict);
    }
}

#[test]
fn statuses_have_the_outcome_of_their_kind() {
    let (outcome, verdict) = outcome_at(Reply::new(429, "text/plain", &["Retry-After: 7"], ""));
    assert_eq!(outcome.label(), "tooManyRequests");
    assert!(verdict.contains("429 (Too Many Requests) and asks to wait 7 seconds."), "{verdict}");
    let (outcome, verdict) = outcome_at(Reply::status(302));
    assert_eq!(outcome, AttemptOutcome::ServerError);
    assert!(verdict.contains("302 (Found) without saying where"), "{verdict}");
    for location in [CARD_PATH, "javascript:alert(1)"] {
        assert_eq!(outcome_at(Reply::redirect(302, location)).0, AttemptOutcome::ServerError, "{location}");
    }
    assert_eq!(outcome_at(Reply::status(410)).0, AttemptOutcome::NotFound);
    assert_eq!(outcome_at(Reply::raw("")).0, AttemptOutcome::Unreachable);
}
