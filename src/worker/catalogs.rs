//! Asks for pages of catalogs and reads those that are here already.

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::Outbox;
use crate::card::catalog::CatalogQuery;
use crate::client::{CatalogAnswer, CatalogFailure, CatalogFailureKind, Client, Credential, read_catalog};
use crate::state::{JobId, Outcome};

pub(super) async fn ask(
    client: Client,
    job: JobId,
    query: CatalogQuery,
    credentials: Vec<Credential>,
    outbox: Outbox,
    cancel: CancellationToken,
) {
    let answer = Box::new(client.catalog_page(query, &credentials, &cancel).await);
    outbox.send(Outcome::CatalogAnswered { job, answer });
}

/// Reading 10 MB takes a while: it has a thread of its own.
pub(super) async fn read(job: JobId, query: CatalogQuery, bytes: Bytes, base: Option<String>, outbox: Outbox) {
    match tokio::task::spawn_blocking(move || Box::new(read_catalog(query, bytes, base.as_deref()))).await {
        Ok(answer) => outbox.send(Outcome::CatalogAnswered { job, answer }),
        // A fault of ours: let it end this job, so that it is reported as what it is.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => {}
    }
}

/// What a question comes to when the network settings are no good.
pub(super) fn never_asked(query: CatalogQuery, problem: &str) -> CatalogAnswer {
    let sentence = format!("Nothing was asked. {problem}");
    CatalogAnswer {
        query,
        place: String::new(),
        base: None,
        assumptions: Vec::new(),
        document: None,
        exchange: None,
        result: Err(CatalogFailure { kind: CatalogFailureKind::Address, sentence, exchange: None }),
    }
}
