//! Asks for pages of catalogs: exactly what the query names, once.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::Method;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::catalog_answer::{CatalogAnswer, CatalogFailure, CatalogFailureKind};
use super::credentials::Credential;
use super::discovery::attempt::{challenge, status_text};
use super::discovery::local;
use super::exchange::{Exchange, RecordedResponse};
use super::http::{Http, Limits, Request, Trip, TripEnd, mask_url};
use crate::card::Document;
use crate::card::address::{Address, Target};
use crate::card::catalog::{Asked, CatalogKind, CatalogPage, CatalogQuery};

const ACCEPT: &str = "application/json, application/ai-catalog+json, */*;q=0.1";
/// Statuses by which a registry says that it does not list what it has.
const NO_LISTING: [u16; 4] = [404, 405, 410, 501];

/// Obtains the page that `query` asks for; never fails, what happened is in the answer.
pub(super) async fn ask(
    http: &Http,
    query: CatalogQuery,
    credentials: &[Credential],
    cancel: &CancellationToken,
) -> CatalogAnswer {
    let address = match Address::parse_with(&query.address, Path::exists) {
        Ok(address) => address,
        Err(error) => {
            let failure = failure(CatalogFailureKind::Address, error.to_string(), None);
            return empty(query, String::new(), failure);
        }
    };
    let mut assumptions = address.assumptions;
    let mut answer = match address.target {
        Target::Web(candidates) => match candidates.into_iter().next_back() {
            // The address as typed is the last one that a card is looked for at.
            Some(typed) => ask_web(http, query, &typed.url, credentials, cancel).await,
            None => empty(query, String::new(), failure(CatalogFailureKind::Address, "Nothing to ask.", None)),
        },
        Target::File(path) => read_file(query, &path, &mut assumptions, cancel).await,
        Target::Pasted(text) => read_bytes(query, Bytes::from(text), None),
    };
    assumptions.append(&mut answer.assumptions);
    answer.assumptions = assumptions;
    answer
}

/// Reads a document that is here already; `base` is the URL it came from.
#[must_use]
pub fn read_bytes(query: CatalogQuery, bytes: Bytes, base: Option<&str>) -> CatalogAnswer {
    let base = base.and_then(|base| Url::parse(base).ok());
    let document = Arc::new(Document::new(bytes));
    let place = base.as_ref().map(mask_url).unwrap_or_default();
    of_document(query, place, base.as_ref(), document, None)
}

async fn ask_web(
    http: &Http,
    query: CatalogQuery,
    typed: &Url,
    credentials: &[Credential],
    cancel: &CancellationToken,
) -> CatalogAnswer {
    let wanted = query.request(typed);
    let mut headers = vec![("Accept", ACCEPT.to_owned())];
    if wanted.body.is_some() {
        headers.push(("Content-Type", "application/json".to_owned()));
    }
    let request = Request {
        purpose: "catalog",
        method: if wanted.body.is_some() { Method::POST } else { Method::GET },
        url: wanted.url.clone(),
        headers,
        body: wanted.body.map(Bytes::from).unwrap_or_default(),
        limits: Limits::CARD,
    };
    let trip = http.send(&request, credentials, cancel).await;
    let mut answer = of_trip(&query, &wanted.url, trip);
    answer.assumptions.splice(0..0, wanted.assumptions);
    answer
}

fn of_trip(query: &CatalogQuery, asked: &Url, trip: Trip) -> CatalogAnswer {
    let exchange = trip.last().cloned();
    let place = mask_url(&trip.url);
    let failed =
        |kind, sentence: String| empty(query.clone(), place.clone(), failure(kind, sentence, exchange.clone()));
    let mut answer = match trip.end {
        TripEnd::Cancelled => failed(CatalogFailureKind::Cancelled, "Cancelled.".to_owned()),
        TripEnd::Failed(failure) => failed(CatalogFailureKind::NoAnswer, failure.sentence),
        TripEnd::Redirected { status, location } => failed(
            CatalogFailureKind::Refused,
            format!("{place} redirected the search by {status} to {location}. A search is not sent elsewhere unasked."),
        ),
        TripEnd::Answered => match exchange.as_ref().and_then(|exchange| exchange.response()) {
            Some(response) => of_response(query, &trip.url, response, exchange.clone()),
            None => failed(CatalogFailureKind::NoAnswer, format!("{place} gave no answer.")),
        },
    };
    if trip.url != *asked {
        answer.assumptions.push(format!("{} redirected to {place}.", mask_url(asked)));
    }
    answer
}

fn of_response(
    query: &CatalogQuery,
    url: &Url,
    response: &RecordedResponse,
    exchange: Option<Arc<Exchange>>,
) -> CatalogAnswer {
    let place = mask_url(url);
    let status = response.status;
    let document = Arc::new(Document::new(response.body.clone()));
    let kind = match status {
        200..=299 => match &response.incomplete {
            None => return of_document(query.clone(), place, Some(url), document, exchange),
            Some(_) => CatalogFailureKind::NoAnswer,
        },
        401 | 403 | 407 => CatalogFailureKind::NeedsCredentials,
        _ if query.kind == Some(CatalogKind::Ard) && is_first_list(query) && NO_LISTING.contains(&status) => {
            CatalogFailureKind::SearchOnly
        }
        _ => CatalogFailureKind::Refused,
    };
    let status_words = status_text(status);
    let sentence = match (kind, &response.incomplete) {
        (CatalogFailureKind::NoAnswer, Some(why)) => format!("{place} answered, but not completely: {why}."),
        (CatalogFailureKind::NeedsCredentials, _) => {
            let why = response.header("www-authenticate").map(challenge);
            let why = why.map(|why| format!(", {why}")).unwrap_or_default();
            format!("{place} answered {status_words}{why}.")
        }
        (CatalogFailureKind::SearchOnly, _) => {
            format!(
                "{place} answered {status_words}: this registry does not list what it has, but may answer a search."
            )
        }
        _ => format!("{place} answered {status_words}{}.", reason(&document)),
    };
    let mut answer = empty(query.clone(), place, failure(kind, sentence, exchange));
    answer.document = Some(document).filter(|document| !document.bytes().is_empty());
    answer
}

fn is_first_list(query: &CatalogQuery) -> bool {
    query.search.is_empty() && query.next.is_none()
}

/// The words of a JSON error, as far as they are one line.
fn reason(document: &Document) -> String {
    let words = document.object().and_then(|root| {
        ["message", "detail", "title", "error"].iter().find_map(|name| root.get_str(name).map(Cow::into_owned))
    });
    words.map(|words| format!(", saying '{}'", words.chars().take(200).collect::<String>())).unwrap_or_default()
}

async fn read_file(
    query: CatalogQuery,
    path: &Path,
    assumptions: &mut Vec<String>,
    cancel: &CancellationToken,
) -> CatalogAnswer {
    let attempt = local::read_path(path, assumptions, cancel).await;
    let place = attempt.url;
    let Some(document) = attempt.document else {
        let kind = if cancel.is_cancelled() { CatalogFailureKind::Cancelled } else { CatalogFailureKind::Address };
        return empty(query, place, failure(kind, attempt.note, None));
    };
    let base = std::path::absolute(&place).ok().and_then(|path| Url::from_file_path(path).ok());
    of_document(query, place, base.as_ref(), document, None)
}

fn of_document(
    query: CatalogQuery,
    place: String,
    url: Option<&Url>,
    document: Arc<Document>,
    exchange: Option<Arc<Exchange>>,
) -> CatalogAnswer {
    let offset = url.map_or(0, |url| query.offset(url));
    let brought_by = exchange.clone();
    let read = CatalogPage::read(&document, Asked { base: url, kind: query.shape.or(query.kind), offset });
    let result = read.map(Arc::new).map_err(|what| {
        let who = if place.is_empty() { "The document" } else { &place };
        failure(CatalogFailureKind::NotACatalog, format!("{who} holds {what}."), exchange)
    });
    let base = url.map(|url| {
        let mut base = url.clone();
        base.set_query(None);
        base.to_string()
    });
    CatalogAnswer {
        query,
        place,
        base,
        assumptions: Vec::new(),
        document: Some(document),
        exchange: brought_by,
        result,
    }
}

fn empty(query: CatalogQuery, place: String, failure: CatalogFailure) -> CatalogAnswer {
    CatalogAnswer {
        query,
        place,
        base: None,
        assumptions: Vec::new(),
        document: None,
        exchange: None,
        result: Err(failure),
    }
}

fn failure(kind: CatalogFailureKind, sentence: impl Into<String>, exchange: Option<Arc<Exchange>>) -> CatalogFailure {
    CatalogFailure { kind, sentence: sentence.into(), exchange }
}
