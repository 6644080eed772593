//! What the worker has to do.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::JobId;
use super::settings::NetworkSettings;
use crate::a2a::SendMessageRequest;
use crate::card::catalog::CatalogQuery;
use crate::client::{Credential, Endpoint, Exchange, Known, Retrieval};

/// A work order. Every job ends in an [`super::Outcome`] with its id, also when it fails or is cancelled.
#[derive(Clone, Debug)]
pub enum Effect {
    FetchCard {
        job: JobId,
        address: String,
        credentials: Vec<Credential>,
        /// Copies that the servers are only asked to confirm.
        known: Known,
    },
    ReadFile {
        job: JobId,
        path: PathBuf,
    },
    /// Reads a file of the message being written; ends in [`super::Outcome::AttachmentRead`].
    ReadAttachment {
        path: PathBuf,
    },
    ReadBytes {
        job: JobId,
        name: String,
        bytes: Arc<[u8]>,
    },
    /// Asks for a page of a catalog; ends in [`super::Outcome::CatalogAnswered`].
    AskCatalog {
        job: JobId,
        query: CatalogQuery,
        credentials: Vec<Credential>,
    },
    /// Reads a catalog whose document is here, with the URL that it came from; ends as `AskCatalog` does.
    ReadCatalog {
        job: JobId,
        query: CatalogQuery,
        bytes: Arc<[u8]>,
        base: Option<String>,
    },
    /// Judges the document of another attempt; ends in [`super::Outcome::DocumentInspected`].
    InspectAttempt {
        job: JobId,
        retrieval: Arc<Retrieval>,
        attempt: usize,
    },
    /// Sends, then follows a task by polling until it ends, waits for the user, or the budget is spent.
    SendMessage {
        job: JobId,
        endpoint: Endpoint,
        request: Box<SendMessageRequest>,
        credentials: Vec<Credential>,
        budget: Duration,
    },
    FollowTask {
        job: JobId,
        endpoint: Endpoint,
        task_id: String,
        credentials: Vec<Credential>,
        budget: Duration,
    },
    CancelTask {
        job: JobId,
        endpoint: Endpoint,
        task_id: String,
        credentials: Vec<Credential>,
    },
    /// Cancels the job within 300 ms and closes its socket.
    Abort {
        job: JobId,
    },
    /// Serves the demo agent; ends in [`super::Outcome::DemoStarted`] or `DemoStopped`.
    StartDemo {
        revision: u8,
    },
    StopDemo,
    SetDemoRevision {
        revision: u8,
    },
    PickFile {
        purpose: FilePurpose,
    },
    SaveFile {
        suggested_name: String,
        bytes: Arc<[u8]>,
    },
    /// Writes the exchanges as JSON, secrets masked, where the user says.
    SaveTraffic {
        exchanges: Vec<Arc<Exchange>>,
    },
    OpenLink {
        url: String,
    },
    /// From now on requests go through these settings.
    UseNetworkSettings(NetworkSettings),
}

/// What a picked file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    OpenCard,
    /// An attachment of the message being written.
    Attach,
    /// A certificate authority to trust.
    CaFile,
}
