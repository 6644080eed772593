//! What a discovery came to: which attempt counts, and one sentence for it.

use std::collections::BTreeSet;
use std::time::SystemTime;

use crate::card::address::{AddressError, mask_secrets};
use crate::client::retrieval::{Attempt, AttemptKind, AttemptOutcome, Retrieval};

/// A retrieval that ended before anything was asked.
pub(super) fn refused(text: &str, error: &AddressError, fetched_at: SystemTime) -> Retrieval {
    Retrieval {
        // A password in the address may be the reason for refusing it: not one more copy.
        address: mask_secrets(text.trim()),
        assumptions: Vec::new(),
        attempts: Vec::new(),
        chosen: None,
        alternative: None,
        verdict: error.to_string(),
        fetched_at,
        found_card: false,
    }
}

/// Chooses among `attempts` and says what came of them.
pub(super) fn judge(
    address: String,
    assumptions: Vec<String>,
    attempts: Vec<Attempt>,
    fetched_at: SystemTime,
) -> Retrieval {
    // Attempts are nearest to the typed path first, and the first of equal rank is kept.
    let headline = (0..attempts.len()).min_by_key(|&index| attempts[index].rank(attempts.len()));
    let found_card = headline.is_some_and(|index| attempts[index].outcome == AttemptOutcome::Card);
    let chosen = (0..attempts.len())
        .filter(|&index| attempts[index].document.is_some())
        .min_by_key(|&index| attempts[index].rank(attempts.len()));
    let alternative = chosen.filter(|_| found_card).and_then(|chosen| other_card(&attempts, chosen));
    let verdict = match headline {
        Some(index) if found_card => card_sentence(&attempts, index, alternative),
        Some(index) => problem_sentence(&attempts, index),
        None => "Nothing was asked.".to_owned(),
    };
    Retrieval { address, assumptions, attempts, chosen, alternative, verdict, fetched_at, found_card }
}

fn other_card(attempts: &[Attempt], chosen: usize) -> Option<usize> {
    let digest = |index: usize| attempts[index].document.as_ref().map(|document| document.sha256());
    (0..attempts.len())
        .find(|&index| attempts[index].outcome == AttemptOutcome::Card && digest(index) != digest(chosen))
}

fn card_sentence(attempts: &[Attempt], index: usize, alternative: Option<usize>) -> String {
    let mut sentence = attempts[index].note.clone();
    if let Some(other) = alternative {
        let other = &attempts[other];
        let place = match other.kind {
            AttemptKind::OriginCard | AttemptKind::OriginLegacy => "at the origin",
            _ => "elsewhere",
        };
        sentence = format!("{sentence} Another card is {place}: {}.", other.url);
    }
    sentence
}

fn problem_sentence(attempts: &[Attempt], index: usize) -> String {
    let attempt = &attempts[index];
    match attempt.outcome {
        AttemptOutcome::NeedsCredentials => format!("Needs credentials: {}", attempt.note),
        AttemptOutcome::NotFound if attempts.len() > 1 => nothing_found(attempts),
        AttemptOutcome::NotFound if attempt.kind != AttemptKind::File => format!("No card was found: {}", attempt.note),
        _ => attempt.note.clone(),
    }
}

fn nothing_found(attempts: &[Attempt]) -> String {
    let statuses: BTreeSet<u16> = attempts.iter().filter_map(|attempt| attempt.status).collect();
    let statuses: Vec<String> = statuses.into_iter().map(super::attempt::status_text).collect();
    let first = attempts.first().map(|attempt| attempt.url.as_str()).unwrap_or_default();
    format!(
        "No card was found: {first} and {} more addresses were asked and answered {}.",
        attempts.len() - 1,
        statuses.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use bytes::Bytes;

    use super::*;
    use crate::card::BodyKind;
    use crate::client::exchange::{Exchange, ExchangeEnd, RecordedRequest};

    fn attempt(outcome: AttemptOutcome, note: &str, end: ExchangeEnd) -> Attempt {
        let request = RecordedRequest {
            method: "GET".to_owned(),
            url: "https://a.example/x".to_owned(),
            headers: Vec::new(),
            body: Bytes::new(),
            proxy: None,
            client_certificate: None,
        };
        let exchange = Exchange {
            purpose: "agent card".to_owned(),
            started_at: SystemTime::UNIX_EPOCH,
            duration: Duration::ZERO,
            request,
            end,
        };
        Attempt {
            url: "https://a.example/x".to_owned(),
            kind: AttemptKind::OriginCard,
            outcome,
            status: None,
            note: note.to_owned(),
            duration: Duration::ZERO,
            final_url: None,
            exchanges: vec![Arc::new(exchange)],
            document: None,
            earlier: None,
            kept: None,
        }
    }

    #[test]
    fn an_attempt_for_which_no_time_was_left_tells_less_than_a_cut_body_and_more_than_a_refusal() {
        let given_up = || attempt(AttemptOutcome::Unreachable, "given up", ExchangeEnd::Cancelled);
        let failed = || ExchangeEnd::Failed { message: String::new(), tls: None, is_no_http: false };
        let cut = attempt(AttemptOutcome::NotJson(BodyKind::NotJson), "still not complete", failed());
        let missing = attempt(AttemptOutcome::NotFound, "404", failed());
        let verdict = |attempts| judge(String::new(), Vec::new(), attempts, SystemTime::UNIX_EPOCH).verdict;
        assert_eq!(verdict(vec![cut, given_up()]), "still not complete");
        assert_eq!(verdict(vec![missing, given_up()]), "given up");
    }
}
