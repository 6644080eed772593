//! From an address to a document: candidates are asked in order, each attempt is kept, the best one is chosen.

pub(super) mod attempt;
pub(super) mod local;
mod verdict;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::caching::{KeptCopy, Known};
use super::credentials::Credential;
use super::endpoint::Answered;
use super::exchange::Exchange;
use super::http::{Http, Limits, Request, Step, Trip, TripEnd, mask_url};
use super::retrieval::{Attempt, AttemptKind, AttemptOutcome, Retrieval};
use crate::a2a::RawJson;
use crate::card::address::{Address, Candidate, Place, Target, mask_secrets};
use crate::card::catalog::entry_words;
use crate::card::synthetic::Connection;

/// The longest that a whole discovery may take.
const MAX_TIME: Duration = Duration::from_mins(1);
/// The version whose card is asked for; some servers choose the card's shape by it.
const CARD_VERSION: &str = "1.0";
/// Past every cache on the way (RFC 9111 §5.2.1.4).
const ANEW: (&str, &str) = ("Cache-Control", "no-cache");
const CARD_ACCEPT: &str = "application/json, application/a2a+json;q=0.9, */*;q=0.1";

/// Obtains the document behind `text`; never fails, what happened is in the retrieval.
pub(super) async fn discover(
    http: &Http,
    text: &str,
    credentials: &[Credential],
    known: &Known,
    on_attempt: &(dyn Fn(&Attempt) + Send + Sync),
    cancel: &CancellationToken,
) -> Retrieval {
    let fetched_at = SystemTime::now();
    let address = match Address::parse_with(text, std::path::Path::exists) {
        Ok(address) => address,
        Err(error) => return verdict::refused(text, &error, fetched_at),
    };
    let typed = match &address.target {
        // A pasted card would be its own, very long, name.
        Target::Pasted(_) => "Pasted text".to_owned(),
        Target::Web(_) | Target::File(_) => text.trim().to_owned(),
    };
    let mut assumptions = address.assumptions;
    let attempts = match address.target {
        Target::Web(candidates) => {
            let deadline = Instant::now() + MAX_TIME;
            Walk { http, credentials, known, on_attempt, cancel, deadline }.all(&candidates).await
        }
        Target::File(path) => {
            let attempt = local::read_path(&path, &mut assumptions, cancel).await;
            on_attempt(&attempt);
            vec![attempt]
        }
        Target::Pasted(text) => {
            let attempt = local::pasted(&text);
            on_attempt(&attempt);
            vec![attempt]
        }
    };
    verdict::judge(typed, assumptions, attempts, fetched_at)
}

impl Retrieval {
    /// A retrieval of bytes that are already here and came from no address.
    #[must_use]
    pub fn of_bytes(name: &str, bytes: bytes::Bytes) -> Self {
        let attempt = local::from_bytes(name.to_owned(), AttemptKind::Pasted, bytes, Duration::ZERO);
        verdict::judge(name.to_owned(), Vec::new(), vec![attempt], SystemTime::now())
    }

    /// The card that stands inside a catalog, at [`crate::card::catalog::entry_address`]; with what brought the catalog.
    #[must_use]
    pub fn of_entry(address: String, bytes: bytes::Bytes, exchange: Option<Arc<Exchange>>) -> Self {
        let shown = mask_secrets(&address);
        let mut attempt =
            local::from_bytes(format!("The {}", entry_words(&shown)), AttemptKind::Listed, bytes, Duration::ZERO);
        attempt.url = shown;
        let fetched_at = exchange.as_ref().map_or_else(SystemTime::now, |exchange| exchange.started_at);
        attempt.exchanges.extend(exchange);
        verdict::judge(address, Vec::new(), vec![attempt], fetched_at)
    }

    /// The card of an agent that publishes none, written from what the user knows.
    #[must_use]
    pub fn without_card(connection: &Connection) -> Self {
        let name = format!("{} without a card", connection.host());
        let bytes = connection.card().into_bytes().into();
        let mut attempt = local::from_bytes(name.clone(), AttemptKind::Synthetic, bytes, Duration::ZERO);
        let said = format!(
            "No card was asked for. Cardscope wrote this one from what you entered: {} {} at {}.",
            connection.protocol_binding,
            connection.release.label(),
            connection.url.trim()
        );
        attempt.note.clone_from(&said);
        verdict::judge(name, vec![said], vec![attempt], SystemTime::now())
    }

    /// The card in an agent's answer to `GetExtendedAgentCard`, byte for byte.
    pub(in crate::client) fn of_extended_card(name: String, answer: Answered<RawJson>) -> Self {
        let bytes = answer.value.0.into_bytes();
        let exchange = answer.exchange;
        let mut attempt = local::from_bytes(name.clone(), AttemptKind::Extended, bytes, exchange.duration);
        attempt.url.clone_from(&exchange.request.url);
        attempt.status = exchange.status();
        attempt.exchanges = vec![exchange];
        verdict::judge(name, answer.deviations, vec![attempt], SystemTime::now())
    }

    /// Reads the file (or the only card in the folder) at `path`.
    pub async fn of_file(path: &std::path::Path, cancel: &CancellationToken) -> Self {
        let mut assumptions = Vec::new();
        let attempt = local::read_path(path, &mut assumptions, cancel).await;
        verdict::judge(path.display().to_string(), assumptions, vec![attempt], SystemTime::now())
    }
}

/// One way through the candidates.
struct Walk<'a> {
    http: &'a Http,
    credentials: &'a [Credential],
    known: &'a Known,
    on_attempt: &'a (dyn Fn(&Attempt) + Send + Sync),
    cancel: &'a CancellationToken,
    deadline: Instant,
}

impl Walk<'_> {
    /// Asks the candidates in order. Each base ends with its first card; the other base is asked all the same,
    /// because a different card there is worth knowing.
    async fn all(&self, candidates: &[Candidate]) -> Vec<Attempt> {
        let mut attempts: Vec<Attempt> = Vec::new();
        for candidate in candidates {
            let found = |kinds: &[AttemptKind]| {
                attempts.iter().any(|a| a.outcome == AttemptOutcome::Card && kinds.contains(&a.kind))
            };
            let settled = match candidate.place {
                Place::PathLegacy => found(&[AttemptKind::PathCard]),
                Place::OriginLegacy => found(&[AttemptKind::OriginCard]),
                Place::AsTyped => attempts.iter().any(|attempt| attempt.outcome == AttemptOutcome::Card),
                Place::PathCard | Place::OriginCard => false,
            };
            if settled {
                continue;
            }
            let (mut attempt, host_is_dead) = self.one(candidate).await;
            let over = attempt.outcome == AttemptOutcome::Cancelled || Instant::now() >= self.deadline;
            let rest = candidates.len() - attempts.len() - 1;
            if host_is_dead && rest > 0 {
                attempt.note.push_str(" The host's other addresses were not asked.");
            }
            (self.on_attempt)(&attempt);
            attempts.push(attempt);
            if over || host_is_dead {
                break;
            }
        }
        attempts
    }

    /// Asks one candidate: once more without `A2A-Version` if that is what the server refused, and once more
    /// without conditions if it answers to some that nobody set. The second value tells that not even a connection
    /// to the host was possible.
    async fn one(&self, candidate: &Candidate) -> (Attempt, bool) {
        let started = Instant::now();
        let earlier = self.known.copies.iter().find(|copy| copy.url == shown(&candidate.url));
        let conditions = self.conditions(earlier.map(AsRef::as_ref));
        let mut version = Some(CARD_VERSION);
        let mut trip = self.ask(&candidate.url, version, &conditions).await;
        let mut before = Vec::new();
        let mut repetitions = Vec::new();
        if matches!(trip.end, TripEnd::Answered) && trip.last().is_some_and(|e| attempt::refuses_version(e)) {
            version = None;
            repetitions.push("Asked again without A2A-Version, because the first answer refused it.");
            before.append(&mut trip.exchanges);
            trip = self.ask(&candidate.url, version, &conditions).await;
        }
        if attempt::confirms_nothing(&trip, earlier.map(AsRef::as_ref)) {
            repetitions.push("Fetched anew, because the first answer (304) was about no copy that is known here.");
            before.append(&mut trip.exchanges);
            trip = self.ask(&candidate.url, version, &[(ANEW.0, ANEW.1.to_owned())]).await;
        }
        let host_is_dead = match &trip.end {
            TripEnd::Failed(failure) => failure.step == Step::Connecting && trip.url.origin() == candidate.url.origin(),
            _ => false,
        };
        let timed_out = matches!(trip.end, TripEnd::Cancelled) && !self.cancel.is_cancelled();
        let (kind, earlier) = (kind(candidate.place), earlier.cloned());
        let asked = attempt::Asked { url: &candidate.url, kind, repetitions, earlier, timed_out };
        let mut attempt = attempt::of_trip(&asked, trip, started.elapsed());
        before.append(&mut attempt.exchanges);
        attempt.exchanges = before;
        (attempt, host_is_dead)
    }

    fn conditions(&self, earlier: Option<&KeptCopy>) -> Vec<(&'static str, String)> {
        if self.known.anew {
            return vec![(ANEW.0, ANEW.1.to_owned())];
        }
        earlier.map(KeptCopy::conditions).unwrap_or_default()
    }

    async fn ask(&self, url: &Url, version: Option<&str>, more: &[(&'static str, String)]) -> Trip {
        let mut headers = vec![("Accept", CARD_ACCEPT.to_owned())];
        headers.extend(version.map(|version| ("A2A-Version", version.to_owned())));
        headers.extend_from_slice(more);
        let request = Request {
            purpose: "agent card",
            method: reqwest::Method::GET,
            url: url.clone(),
            headers,
            body: bytes::Bytes::new(),
            limits: Limits::CARD,
        };
        let stop = self.cancel.child_token();
        let sending = self.http.send(&request, self.credentials, &stop);
        tokio::pin!(sending);
        tokio::select! {
            trip = &mut sending => return trip,
            () = sleep_until(self.deadline) => stop.cancel(),
        }
        sending.await
    }
}

fn kind(place: Place) -> AttemptKind {
    match place {
        Place::AsTyped => AttemptKind::AsTyped,
        Place::PathCard => AttemptKind::PathCard,
        Place::PathLegacy => AttemptKind::PathLegacy,
        Place::OriginCard => AttemptKind::OriginCard,
        Place::OriginLegacy => AttemptKind::OriginLegacy,
    }
}

/// A URL for people: secrets masked.
fn shown(url: &Url) -> String {
    mask_url(url)
}
