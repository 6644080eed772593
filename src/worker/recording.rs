//! Between the network's words and the history's: a retrieval to be kept, and a kept version as a retrieval.

use std::sync::Arc;
use std::time::Duration;

use crate::card::Inspection;
use crate::client::{Attempt, AttemptKind, AttemptOutcome, KeptCopy, Retrieval};
use crate::history::{
    AgentRecord, AttemptRecord, CachingHeaders, KeptVersion, NewDocument, NewRetrieval, RetrievalRecord, Source,
    VersionRecord,
};

/// Stands among the names of headers for whom a card was got by.
pub const CLIENT_CERTIFICATE: &str = "client certificate";

/// What history keeps of `retrieval`; `known_url` says which agent was meant where no card came.
#[must_use]
pub fn new_retrieval(retrieval: &Retrieval, inspection: Option<&Inspection>, known_url: Option<&str>) -> NewRetrieval {
    let chosen = retrieval.chosen.filter(|_| retrieval.found_card);
    let attempt = chosen.map_or_else(|| retrieval.headline(), |at| retrieval.attempts.get(at));
    let attempts = retrieval.attempts.iter().map(|attempt| AttemptRecord {
        url: attempt.url.clone(),
        outcome: attempt.outcome.label().to_owned(),
        status: attempt.status,
        note: attempt.note.clone(),
    });
    let new = NewRetrieval {
        address: retrieval.address.clone(),
        at: Some(retrieval.fetched_at),
        verdict: retrieval.verdict.clone(),
        attempts: attempts.collect(),
        card_url: known_url.map(str::to_owned),
        outcome: "notFound".to_owned(),
        ..NewRetrieval::default()
    };
    let Some(attempt) = attempt else { return new };
    let final_url = attempt.final_url.clone().unwrap_or_else(|| attempt.url.clone());
    let headers = attempt.credentials_sent().map(|(name, secret)| (name.to_owned(), secret.reveal().to_owned()));
    // A certificate is public, unlike its key: its fingerprint says who asked.
    let certificate = attempt.client_certificate_sent();
    let certificate = certificate.map(|sent| (CLIENT_CERTIFICATE.to_owned(), sent.sha256.to_string()));
    let origin = chosen.map(|at| retrieval.origin(at)).unwrap_or_default();
    let caching = attempt.kept.as_deref().map(caching_headers).unwrap_or_default();
    NewRetrieval {
        source: source(attempt.kind),
        card_url: if chosen.is_some() { Some(final_url.clone()) } else { new.card_url },
        credentials: headers.chain(certificate).collect(),
        requested_url: attempt.url.clone(),
        final_url,
        status: attempt.status,
        content_type: origin.content_type,
        caching,
        legacy_path: attempt.kind.is_legacy_path(),
        outcome: attempt.outcome.label().to_owned(),
        document: inspection.filter(|_| chosen.is_some()).map(NewDocument::from),
        ..new
    }
}

fn source(kind: AttemptKind) -> Source {
    match kind {
        AttemptKind::File => Source::File,
        AttemptKind::Listed => Source::Catalog,
        AttemptKind::Pasted | AttemptKind::Synthetic | AttemptKind::Extended => Source::Pasted,
        _ => Source::Url,
    }
}

fn caching_headers(copy: &KeptCopy) -> CachingHeaders {
    let header = |name: &str| copy.header(name).map(str::to_owned);
    CachingHeaders {
        etag: header("etag"),
        last_modified: header("last-modified"),
        cache_control: header("cache-control"),
        age: header("age"),
        expires: header("expires"),
        date: header("date"),
        vary: header("vary"),
        pragma: header("pragma"),
    }
}

/// A kept version as the retrieval that brought it, so that it can be shown and asked about like any other.
#[must_use]
pub fn restored(agent: &AgentRecord, kept: &KeptVersion) -> Retrieval {
    let record = kept.retrieval.as_ref();
    let url = record.map_or(&agent.card_url, |record| &record.requested_url).clone();
    let final_url = record.map(|record| record.final_url.clone()).filter(|final_url| *final_url != url);
    let verdict =
        format!("Version {} as it was kept. It was not asked for again in this session.", kept.version.number);
    let attempt = Attempt {
        kind: kind(agent.source, record),
        outcome: AttemptOutcome::Card,
        status: record.and_then(|record| record.status),
        note: record.map(|record| record.verdict.clone()).unwrap_or_default(),
        duration: Duration::ZERO,
        exchanges: Vec::new(),
        document: Some(Arc::clone(&kept.document)),
        earlier: None,
        kept: record.filter(|_| agent.source == Source::Url).map(|record| Arc::new(copy(record, kept))),
        final_url,
        url,
    };
    Retrieval {
        address: agent.address.clone(),
        assumptions: Vec::new(),
        attempts: vec![attempt],
        chosen: Some(0),
        alternative: None,
        verdict,
        fetched_at: record.map_or(kept.version.last_seen, |record| record.at),
        found_card: true,
    }
}

fn kind(source: Source, record: Option<&RetrievalRecord>) -> AttemptKind {
    match source {
        Source::File => AttemptKind::File,
        Source::Pasted => AttemptKind::Pasted,
        Source::Catalog => AttemptKind::Listed,
        Source::Url if record.is_some_and(|record| record.legacy_path) => AttemptKind::OriginLegacy,
        Source::Url => AttemptKind::OriginCard,
    }
}

/// The copy that a server can be asked about.
fn copy(record: &RetrievalRecord, kept: &KeptVersion) -> KeptCopy {
    let VersionRecord { first_seen, .. } = kept.version;
    let fetched_at = if record.not_modified { first_seen } else { record.at };
    let caching = &record.caching;
    let headers = [
        ("etag", &caching.etag),
        ("last-modified", &caching.last_modified),
        ("cache-control", &caching.cache_control),
        ("age", &caching.age),
        ("expires", &caching.expires),
        ("date", &caching.date),
        ("vary", &caching.vary),
        ("pragma", &caching.pragma),
        ("content-type", &record.content_type),
    ];
    let headers = headers.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
    let document = Arc::clone(&kept.document);
    KeptCopy::of_record(&record.requested_url, &record.final_url, (fetched_at, record.at), document, headers)
}

/// The copy of a public agent's latest version, to ask its server by.
#[must_use]
pub fn known_copy(agent: &AgentRecord, kept: &KeptVersion) -> Option<Arc<KeptCopy>> {
    let record = kept.retrieval.as_ref().filter(|_| agent.source == Source::Url)?;
    Some(Arc::new(copy(record, kept)))
}
