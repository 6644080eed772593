//! One attempt: what an exchange came to, judged by its body first and its labels last.

use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::shown;
use crate::card::catalog::recognise;
use crate::card::document::{BodyKind, Document};
use crate::card::facts::Shape;
use crate::card::inspection::shape;
use crate::client::caching::KeptCopy;
use crate::client::exchange::{Exchange, RecordedResponse, TlsRefusal};
use crate::client::http::{Trip, TripEnd};
use crate::client::retrieval::{Attempt, AttemptKind, AttemptOutcome};

/// Statuses by which a server may refuse a version that it does not know.
const VERSION_REFUSALS: [u16; 5] = [400, 406, 412, 426, 505];

/// What was asked, and how.
pub(super) struct Asked<'a> {
    pub url: &'a Url,
    pub kind: AttemptKind,
    /// Why it was asked more than once, a sentence each.
    pub repetitions: Vec<&'static str>,
    /// The copy that was known of the URL.
    pub earlier: Option<Arc<KeptCopy>>,
    /// The time for the whole discovery was over.
    pub timed_out: bool,
}

/// Whether an answer refuses the request for its `A2A-Version`.
pub(super) fn refuses_version(exchange: &Exchange) -> bool {
    let Some(response) = exchange.response() else { return false };
    let named = response.body.len() < 65_536
        && [&b"-32009"[..], b"VERSION_NOT_SUPPORTED", b"VersionNotSupported"]
            .iter()
            .any(|word| memchr::memmem::find(&response.body, word).is_some());
    VERSION_REFUSALS.contains(&response.status) || named && (response.status >= 400 || is_error_object(response))
}

fn is_error_object(response: &RecordedResponse) -> bool {
    Document::new(response.body.clone()).object().is_some_and(|root| root.get_set("error").is_some())
}

/// Whether the trip ended with a 304 that is not about `earlier`: nobody asked, or another copy is meant.
pub(super) fn confirms_nothing(trip: &Trip, earlier: Option<&KeptCopy>) -> bool {
    let response = trip.last().and_then(|exchange| exchange.response());
    let is_answer = matches!(trip.end, TripEnd::Answered);
    response.filter(|response| is_answer && response.status == 304).is_some_and(|response| {
        let is_about = |copy: &KeptCopy| copy.is_confirmed_by(&shown(&trip.url), response);
        !(was_conditional(trip) && earlier.is_some_and(is_about))
    })
}

fn was_conditional(trip: &Trip) -> bool {
    let names = ["If-None-Match", "If-Modified-Since"];
    trip.last().is_some_and(|exchange| exchange.request.headers.iter().any(|h| names.contains(&h.name.as_str())))
}

/// The attempt that `trip` makes.
pub(super) fn of_trip(asked: &Asked<'_>, trip: Trip, duration: Duration) -> Attempt {
    let response = trip.last().and_then(|exchange| exchange.response());
    let status = response.map(|response| response.status);
    let earlier = asked.earlier.as_ref().filter(|_| !confirms_nothing(&trip, asked.earlier.as_deref()));
    let confirmed = earlier.filter(|_| status == Some(304));
    let document = match confirmed {
        Some(copy) => Some(Arc::clone(&copy.document)),
        None => response.map(|response| Arc::new(Document::new(response.body.clone()))),
    };
    let (asked_url, final_url) = (shown(asked.url), shown(&trip.url));
    let moved = trip.url != *asked.url;
    let (outcome, mut note) = match (&trip.end, response, &document) {
        (TripEnd::Cancelled, ..) if asked.timed_out => {
            let note = format!("{asked_url} was given up: 60 seconds for all addresses are over.");
            (AttemptOutcome::Unreachable, note)
        }
        (TripEnd::Cancelled, ..) => (AttemptOutcome::Cancelled, "Cancelled.".to_owned()),
        // It answered, with a redirect that leads nowhere.
        (TripEnd::Failed(failure), Some(_), _) => (AttemptOutcome::ServerError, failure.sentence.clone()),
        (TripEnd::Failed(failure), ..) => {
            let outcome = match failure.tls {
                Some(TlsRefusal::ClientCertificateWanted | TlsRefusal::ClientCertificateRefused) => {
                    AttemptOutcome::NeedsCredentials
                }
                _ => AttemptOutcome::Unreachable,
            };
            (outcome, failure.sentence.clone())
        }
        (TripEnd::Answered, _, Some(document)) if confirmed.is_some() => {
            let (outcome, what) = judge(document);
            (outcome, format!("{asked_url} answered 304, unchanged: {what}."))
        }
        (TripEnd::Answered | TripEnd::Redirected { .. }, Some(response), Some(document)) => {
            of_response(&asked_url, response, document)
        }
        _ => (AttemptOutcome::Unreachable, "No answer came.".to_owned()),
    };
    if moved {
        let place = if trip.url.origin() == asked.url.origin() { "to" } else { "to another origin:" };
        // A failure is told of the address that failed.
        note = match note.strip_prefix(&final_url).filter(|_| matches!(trip.end, TripEnd::Failed(_))) {
            Some(what) => format!("{asked_url} redirects {place} {final_url}, which{what}"),
            None => format!("{note} Redirected {place} {final_url}."),
        };
    }
    if outcome == AttemptOutcome::Card && asked.kind.is_legacy_path() {
        note.push_str(" This is the legacy path of before 0.3.");
    }
    for why in &asked.repetitions {
        note.push(' ');
        note.push_str(why);
    }
    let kept = match (confirmed, trip.last(), &document) {
        (Some(copy), Some(exchange), _) => Some(copy.confirmed(exchange)),
        (None, Some(exchange), Some(document)) if matches!(trip.end, TripEnd::Answered) => {
            KeptCopy::of_exchange(&asked_url, &final_url, exchange, Arc::clone(document))
        }
        _ => None,
    };
    Attempt {
        earlier: asked.earlier.clone(),
        kept: kept.map(Arc::new),
        url: asked_url,
        kind: asked.kind,
        outcome,
        status,
        note,
        duration,
        final_url: moved.then_some(final_url),
        document: document.filter(|document| !document.bytes().is_empty()),
        exchanges: trip.exchanges,
    }
}

fn of_response(url: &str, response: &RecordedResponse, document: &Document) -> (AttemptOutcome, String) {
    let status = response.status;
    match status {
        200..=299 => of_body(url, response, document),
        401 | 403 | 407 => {
            let challenge = response.header("www-authenticate").map(challenge);
            let why = challenge.map(|challenge| format!(" ({challenge})")).unwrap_or_default();
            (AttemptOutcome::NeedsCredentials, format!("{url} answered {status}{why}."))
        }
        429 => {
            let wait = response.retry_after().map(|wait| format!(" and asks to wait {} seconds", wait.as_secs()));
            let wait = wait.unwrap_or_default();
            (AttemptOutcome::TooManyRequests, format!("{url} answered {}{wait}.", status_text(status)))
        }
        301 | 302 | 303 | 307 | 308 => {
            let note = format!("{url} answered {} without saying where it redirects to.", status_text(status));
            (AttemptOutcome::ServerError, note)
        }
        300..=399 | 408 | 500..=599 => {
            (AttemptOutcome::ServerError, format!("{url} answered {}{}.", status_text(status), aside(document)))
        }
        _ => {
            let allow = response.header("allow").map(|allow| format!(", allows {allow}")).unwrap_or_default();
            (AttemptOutcome::NotFound, format!("{url} answered {}{allow}{}.", status_text(status), aside(document)))
        }
    }
}

/// What came beside an error status.
fn aside(document: &Document) -> String {
    match document.kind() {
        BodyKind::WebPage { title: Some(title) } => format!(", with a web page ('{title}')"),
        BodyKind::WebPage { title: None } => ", with a web page".to_owned(),
        BodyKind::Object if shape::judge(document).0 != Shape::NotACard => {
            ", with what looks like a card all the same".to_owned()
        }
        _ => String::new(),
    }
}

fn of_body(url: &str, response: &RecordedResponse, document: &Document) -> (AttemptOutcome, String) {
    if let Some(why) = &response.incomplete {
        return (AttemptOutcome::NotJson(document.kind()), format!("{url} answered, but not completely: {why}."));
    }
    let (outcome, what) = judge(document);
    let mut note = format!("{url} answered with {what}.");
    let label = response.header("content-type").unwrap_or_default();
    if outcome == AttemptOutcome::Card && !label.to_ascii_lowercase().contains("json") {
        let label = if label.is_empty() { "no content type".to_owned() } else { format!("'{label}'") };
        note = format!("{note} It is labelled {label} instead of application/json.");
    }
    (outcome, note)
}

/// What a body is, as it goes on after "answered with".
pub(super) fn judge(document: &Document) -> (AttemptOutcome, String) {
    let (shape, reason) = shape::judge(document);
    let bom = if document.has_bom() { ", behind a byte order mark" } else { "" };
    let size = size(document.bytes().len());
    if shape != Shape::NotACard {
        let quirk = if document.fault().is_some() { ", read past comments or trailing commas" } else { "" };
        return (AttemptOutcome::Card, format!("an Agent Card shaped by {} ({size}{bom}{quirk})", shape_words(shape)));
    }
    match document.kind() {
        BodyKind::Object | BodyKind::OtherJson(_) | BodyKind::AlmostJson => {
            if let Some(kind) = recognise(document) {
                let what = format!("a catalog of agents ({}, {size}), not an Agent Card", kind.label());
                return (AttemptOutcome::NotACard, what);
            }
            let reason = reason.trim_end_matches('.');
            (AttemptOutcome::NotACard, format!("JSON that is not an Agent Card ({reason})"))
        }
        kind @ BodyKind::WebPage { .. } => {
            let title = match &kind {
                BodyKind::WebPage { title: Some(title) } => format!(" ('{title}')"),
                _ => String::new(),
            };
            (AttemptOutcome::NotJson(kind), format!("a web page{title}, not a card"))
        }
        BodyKind::Empty => (AttemptOutcome::NotJson(BodyKind::Empty), "an empty body".to_owned()),
        BodyKind::NotJson => (AttemptOutcome::NotJson(BodyKind::NotJson), no_json(document, &size)),
    }
}

fn no_json(document: &Document, size: &str) -> String {
    let text = document.text().trim_start();
    match document.fault() {
        Some(fault) if text.starts_with(['{', '[']) => format!("JSON that cannot be read: {fault}"),
        _ => {
            let head: String = text.chars().take(40).filter(|c| !c.is_control()).collect();
            format!("something that is neither JSON nor a web page ({size}, beginning '{head}')")
        }
    }
}

fn shape_words(shape: Shape) -> &'static str {
    match shape {
        Shape::Hybrid => "1.0 and older releases at once",
        other => other.label(),
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..=1023 => format!("{bytes} bytes"),
        1024..=1_048_575 => format!("{:.1} KB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

/// "404 (Not Found)".
pub(in crate::client) fn status_text(status: u16) -> String {
    let reason = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.map_or_else(|| status.to_string(), |reason| format!("{status} ({reason})"))
}

/// `Bearer realm="pantry"` as "Bearer, realm pantry".
pub(in crate::client) fn challenge(header: &str) -> String {
    let header = header.trim();
    let Some((scheme, parameters)) = header.split_once(' ') else { return header.to_owned() };
    let words: Vec<String> = parameters
        .split(',')
        .map(|parameter| match parameter.trim().split_once('=') {
            Some((name, value)) => format!("{name} {}", value.trim_matches('"')),
            None => parameter.trim().to_owned(),
        })
        .filter(|word| !word.is_empty())
        .collect();
    format!("{scheme}, {}", words.join(", "))
}
