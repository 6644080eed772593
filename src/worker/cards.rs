//! From an address, a file or bytes to a card that has been judged.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::history_thread::Order;
use super::{CopyComing, Outbox};
use crate::card::Inspection;
use crate::card::synthetic::Connection;
use crate::client::{Attempt, Client, Credential, Endpoint, Exchange, Known, Retrieval};
use crate::history::EXCHANGE_FORMAT;
use crate::state::{JobId, Outcome};

/// A history that another program holds keeps nobody waiting: then the card is fetched whole.
const KNOWN_WITHIN: Duration = Duration::from_millis(500);

/// What is to be fetched, with what, and what is known of it already.
pub(super) struct Wanted {
    pub address: String,
    pub credentials: Vec<Credential>,
    pub known: Known,
    /// What history knows of the address, where that was asked.
    pub asked_before: Option<CopyComing>,
}

/// Discovers and judges; each attempt is told as it is done.
pub(super) async fn fetch(client: Client, job: JobId, mut wanted: Wanted, outbox: Outbox, cancel: CancellationToken) {
    let on_attempt = {
        let outbox = outbox.clone();
        move |attempt: &Attempt| outbox.send(Outcome::AttemptMade { job, attempt: attempt.clone() })
    };
    if let Some(coming) = wanted.asked_before.take()
        && let Ok(Ok(Some(copy))) = tokio::time::timeout(KNOWN_WITHIN, coming).await
    {
        wanted.known.copies.push(copy);
    }
    let retrieval =
        client.discover_again(&wanted.address, &wanted.credentials, &wanted.known, &on_attempt, &cancel).await;
    deliver(job, retrieval, outbox).await;
}

/// The same for a file, without asking what the path might mean as an address.
pub(super) async fn read_file(
    job: JobId,
    path: PathBuf,
    history: Option<Sender<Order>>,
    outbox: Outbox,
    cancel: CancellationToken,
) {
    let retrieval = Retrieval::of_file(&path, &cancel).await;
    match history.filter(|_| !retrieval.found_card && is_for_history(&path, &retrieval)) {
        // A thread that is gone has said why; then the file is shown for what it is.
        Some(history) if history.send(Order::Import { job, path }).is_ok() => {}
        _ => deliver(job, retrieval, outbox).await,
    }
}

/// Whether what was opened is a folder of cards, or a file that the history wrote.
fn is_for_history(path: &Path, retrieval: &Retrieval) -> bool {
    let document = retrieval.attempts.first().and_then(|attempt| attempt.document.as_ref());
    let format = document.and_then(|document| document.object()?.get_str("format").map(std::borrow::Cow::into_owned));
    path.is_dir() || format.is_some_and(|format| format == EXCHANGE_FORMAT)
}

/// The same for bytes that are already here.
pub(super) async fn read_bytes(job: JobId, name: String, bytes: Bytes, outbox: Outbox) {
    deliver(job, Retrieval::of_bytes(&name, bytes), outbox).await;
}

/// The same for a card that stands inside a catalog.
pub(super) async fn read_entry(
    job: JobId,
    address: String,
    bytes: Bytes,
    exchange: Option<Arc<Exchange>>,
    outbox: Outbox,
) {
    deliver(job, Retrieval::of_entry(address, bytes, exchange), outbox).await;
}

/// The same for the card of an agent that publishes none.
pub(super) async fn write_card(job: JobId, connection: Connection, outbox: Outbox) {
    deliver(job, Retrieval::without_card(&connection), outbox).await;
}

/// Asks the agent itself for its extended card.
pub(super) async fn extended_card(
    client: Client,
    job: JobId,
    name: String,
    endpoint: Endpoint,
    credentials: Vec<Credential>,
    outbox: Outbox,
    cancel: CancellationToken,
) {
    match client.extended_card(name, &endpoint, &credentials, &cancel).await {
        Ok(retrieval) => deliver(job, retrieval, outbox).await,
        Err(error) => outbox.send(Outcome::ExtendedCardRefused { job, error }),
    }
}

/// Judges another document of a retrieval.
pub(super) async fn inspect_attempt(job: JobId, retrieval: Arc<Retrieval>, attempt: usize, outbox: Outbox) {
    if let Some(inspection) = inspected(&retrieval, Some(attempt)).await {
        outbox.send(Outcome::DocumentInspected { job, inspection });
    }
}

async fn deliver(job: JobId, retrieval: Retrieval, outbox: Outbox) {
    let inspection = inspected(&retrieval, retrieval.chosen).await;
    outbox.send(Outcome::CardFetched { job, retrieval: Arc::new(retrieval), inspection });
}

/// Judging 10 MB takes a while: it has a thread of its own.
pub(super) async fn inspected(retrieval: &Retrieval, attempt: Option<usize>) -> Option<Arc<Inspection>> {
    let attempt = attempt?;
    let document = Arc::clone(retrieval.attempts.get(attempt)?.document.as_ref()?);
    let origin = retrieval.origin(attempt);
    match tokio::task::spawn_blocking(move || Arc::new(Inspection::of(document, origin))).await {
        Ok(inspection) => Some(inspection),
        // A fault in a rule: let it end this job, so that it is reported as what it is.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => None,
    }
}
