//! What the worker has to do.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::JobId;
use super::action::{Deletion, Export};
use super::comparison::{Age, Compared, ExportFormat, SideSource};
use super::discovery::EntryId;
use super::settings::NetworkSettings;
use crate::a2a::SendMessageRequest;
use crate::card::JsonPointer;
use crate::card::catalog::CatalogQuery;
use crate::card::facts::Inspection;
use crate::card::synthetic::Connection;
use crate::client::{Credential, Endpoint, Exchange, Known, Retrieval};
use crate::history::records::{AgentId, VersionId, WatchInterval};
use crate::history::transcript::{ConversationId, NewConversation};

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
        bytes: Bytes,
    },
    /// Reads the card that stands inside a catalog, with what brought the catalog.
    ReadEntry {
        job: JobId,
        address: String,
        bytes: Bytes,
        exchange: Option<Arc<Exchange>>,
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
        bytes: Bytes,
        base: Option<String>,
    },
    /// Writes and judges the card of an agent that publishes none.
    WriteCard {
        job: JobId,
        connection: Connection,
    },
    /// Ends in [`super::Outcome::CardFetched`] or `ExtendedCardRefused`.
    GetExtendedCard {
        job: JobId,
        name: String,
        endpoint: Endpoint,
        credentials: Vec<Credential>,
    },
    /// Judges the document of another attempt; ends in [`super::Outcome::DocumentInspected`].
    InspectAttempt {
        job: JobId,
        retrieval: Arc<Retrieval>,
        attempt: usize,
    },
    /// Reads and judges a document for comparing; ends in [`super::Outcome::SideLoaded`].
    LoadSide {
        job: JobId,
        source: SideSource,
    },
    /// Ends in [`super::Outcome::Compared`].
    Compare {
        job: JobId,
        older: Arc<Inspection>,
        newer: Arc<Inspection>,
    },
    /// Writes the comparison where the user says.
    ExportComparison {
        compared: Arc<Compared>,
        format: ExportFormat,
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
    /// Ends in [`super::Outcome::ClientCertificateRefused`] if the file cannot be used.
    CheckClientCertificate {
        path: PathBuf,
    },
    SaveFile {
        suggested_name: String,
        bytes: Bytes,
    },
    /// Writes the exchanges as JSON, secrets masked, where the user says.
    SaveTraffic {
        exchanges: Vec<Arc<Exchange>>,
    },
    OpenLink {
        url: String,
    },
    History(HistoryEffect),
    /// Starts or stops the clock that brings [`super::Outcome::Tick`].
    RunClock {
        runs: bool,
    },
    /// From now on requests go through these settings.
    UseNetworkSettings(NetworkSettings),
}

/// An order for the history; each is carried out in turn.
#[derive(Clone, Debug)]
pub enum HistoryEffect {
    /// Ends in [`super::outcome::HistoryOutcome::Listed`], and again after everything that changes the list.
    List {
        search: String,
    },
    ListVersions {
        agent: AgentId,
    },
    /// Keeps what a fetch came to.
    Record(Box<Recording>),
    /// Reads a version for showing.
    Restore {
        job: JobId,
        version: VersionId,
    },
    Delete(Deletion),
    Watch {
        agent: AgentId,
        interval: Option<WatchInterval>,
    },
    Mute {
        agent: AgentId,
        pointer: JsonPointer,
        muted: bool,
    },
    /// Keeps a conversation, or what has become of it; `first` is its first turn.
    SaveConversation {
        entry: EntryId,
        first: JobId,
        id: Option<ConversationId>,
        new: Box<NewConversation>,
    },
    /// Ends in [`super::HistoryOutcome::ConversationsListed`].
    ListConversations {
        agent: AgentId,
        limit: u32,
    },
    /// Ends in [`super::HistoryOutcome::ConversationOpened`].
    OpenConversation {
        job: JobId,
        conversation: ConversationId,
    },
    /// Ends in [`super::HistoryOutcome::Exported`].
    Export(Export),
    /// Takes in an exported file, or every card of a folder.
    Import {
        path: PathBuf,
    },
}

/// A retrieval to be kept.
#[derive(Clone, Debug)]
pub struct Recording {
    /// `None` for what is not on screen.
    pub entry: Option<EntryId>,
    pub retrieval: Arc<Retrieval>,
    /// Of the chosen document.
    pub inspection: Option<Arc<Inspection>>,
    /// Where the agent's card was found before; says which agent is meant if none came now.
    pub known_url: Option<String>,
    /// The version on screen until now, against which a change is told.
    pub seen: Option<VersionId>,
}

/// What a picked file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    OpenCard,
    /// An attachment of the message being written.
    Attach,
    /// A certificate authority to trust.
    CaFile,
    /// A client certificate with its private key.
    ClientCertificate,
    /// A side of a comparison.
    Compare(Age),
    /// A file that somebody exported, to be taken into the history.
    Import,
}
