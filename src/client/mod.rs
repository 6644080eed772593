//! The network: finding cards and calling agents over one recorded HTTP stack.

pub mod caching;
mod calls;
pub mod catalog_answer;
mod catalogs;
pub mod certificate;
pub mod credentials;
pub mod curl;
mod dialect;
mod discovery;
pub mod endpoint;
pub mod error;
pub mod exchange;
mod http;
mod http_json;
mod jsonrpc;
pub mod network_settings;
pub mod retrieval;
pub mod traffic_json;

use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::a2a::{RawJson, SendMessageRequest, SendMessageResponse, Task};
use crate::card::catalog::CatalogQuery;
use crate::card::{Kind, Node};

pub use caching::{Freshness, KeptCopy, Known, Standing};
pub use catalog_answer::{CatalogAnswer, CatalogFailure, CatalogFailureKind};
pub use catalogs::read_bytes as read_catalog;
pub use certificate::{CertificateProblem, Fingerprint, FingerprintError, RefusedCertificate, TrustedCertificate};
pub use credentials::{Credential, Secret};
pub use endpoint::{Answered, Endpoint};
pub use error::{CallError, CallErrorKind};
pub use exchange::{
    Exchange, ExchangeEnd, HeaderText, RecordedHeader, RecordedRequest, RecordedResponse, SentCertificate, TlsRefusal,
};
pub use http::{ClientCertificateError, ClientError, MAX_CARD_BYTES};
pub use network_settings::{NetworkSettings, ProxyChoice};
pub use retrieval::{Attempt, AttemptKind, AttemptOutcome, Retrieval};

use dialect::{Operation, Reader};
use http::Http;

/// Asks servers: finds cards and calls agents. Cheap to clone; clones share connections.
#[derive(Clone)]
pub struct Client {
    http: Arc<Http>,
}

impl Client {
    /// A client that leaves this machine by `settings` and hands every exchange to `record` when it has ended.
    ///
    /// # Errors
    /// The CA file or the proxy address cannot be used.
    pub fn new(
        settings: &NetworkSettings,
        record: Arc<dyn Fn(Arc<Exchange>) + Send + Sync>,
    ) -> Result<Self, ClientError> {
        Ok(Self { http: Arc::new(Http::new(settings, record)?) })
    }

    /// Reads the client certificate in the PEM file at `path` and gives its fingerprint; nothing is asked.
    ///
    /// # Errors
    /// It cannot be used; the error says why in a sentence.
    pub async fn read_client_certificate(path: &Path) -> Result<Fingerprint, ClientCertificateError> {
        http::read_client_certificate(path).await
    }

    /// Obtains the document behind an address of any kind: host, URL, file, folder or pasted JSON. Never fails:
    /// what happened is in the retrieval. `on_attempt` is called as each attempt is done.
    pub async fn discover(
        &self,
        address: &str,
        credentials: &[Credential],
        on_attempt: &(dyn Fn(&Attempt) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Retrieval {
        self.discover_again(address, credentials, &Known::default(), on_attempt, cancel).await
    }

    /// The same for an address of which something is known: a server is asked only whether it changed.
    pub async fn discover_again(
        &self,
        address: &str,
        credentials: &[Credential],
        known: &Known,
        on_attempt: &(dyn Fn(&Attempt) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Retrieval {
        discovery::discover(&self.http, address, credentials, known, on_attempt, cancel).await
    }

    /// Obtains one page of a catalog: exactly what `query` names, asked once. Never fails: what happened is in the
    /// answer.
    pub async fn catalog_page(
        &self,
        query: CatalogQuery,
        credentials: &[Credential],
        cancel: &CancellationToken,
    ) -> CatalogAnswer {
        catalogs::ask(&self.http, query, credentials, cancel).await
    }

    /// Sends a message (§3.1.1), once: a send is never repeated by itself.
    ///
    /// # Errors
    /// No result came; the error says why and holds the exchange.
    pub async fn send_message(
        &self,
        endpoint: &Endpoint,
        request: &SendMessageRequest,
        credentials: &[Credential],
        cancel: &CancellationToken,
    ) -> Result<Answered<SendMessageResponse>, CallError> {
        let operation = Operation::SendMessage(request);
        calls::call(&self.http, endpoint, operation, Reader::send_result, credentials, cancel).await
    }

    /// Asks for the card that the agent shows to those it knows (§3.1.11), as `name`.
    ///
    /// # Errors
    /// No card came; the error says why and holds the exchange.
    pub async fn extended_card(
        &self,
        name: String,
        endpoint: &Endpoint,
        credentials: &[Credential],
        cancel: &CancellationToken,
    ) -> Result<Retrieval, CallError> {
        let operation = Operation::GetExtendedAgentCard;
        let read = |_: &mut Reader, node: Node<'_>| match node.kind() {
            Kind::Object => Ok(RawJson::new(node.raw())),
            other => Err(format!("{} instead of a card", other.with_article())),
        };
        let answer = calls::call(&self.http, endpoint, operation, read, credentials, cancel).await?;
        Ok(Retrieval::of_extended_card(name, answer))
    }

    /// Asks for a task's latest state (§3.1.3).
    ///
    /// # Errors
    /// No task came; the error says why and holds the exchange.
    pub async fn get_task(
        &self,
        endpoint: &Endpoint,
        task_id: &str,
        history_length: Option<u32>,
        credentials: &[Credential],
        cancel: &CancellationToken,
    ) -> Result<Answered<Task>, CallError> {
        let operation = Operation::GetTask { task_id, history_length };
        calls::call(&self.http, endpoint, operation, Reader::task_result, credentials, cancel).await
    }

    /// Asks the agent to cancel a task (§3.1.5).
    ///
    /// # Errors
    /// No task came; the error says why and holds the exchange.
    pub async fn cancel_task(
        &self,
        endpoint: &Endpoint,
        task_id: &str,
        credentials: &[Credential],
        cancel: &CancellationToken,
    ) -> Result<Answered<Task>, CallError> {
        let operation = Operation::CancelTask { task_id };
        calls::call(&self.http, endpoint, operation, Reader::task_result, credentials, cancel).await
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Client")
    }
}
