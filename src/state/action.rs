//! What the user asks for.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;

use super::catalogs::CatalogAction;
use super::comparison::{Age, ExportFormat, SideRef};
use super::discovery::EntryId;
use super::settings::Settings;
use super::{JobId, View};
use crate::a2a::RawJson;
use crate::card::JsonPointer;
use crate::card::synthetic::Connection;
use crate::client::{Credential, Exchange, RefusedCertificate};
use crate::history::records::{AgentId, VersionId, WatchInterval};
use crate::history::transcript::ConversationId;

/// One wish of the user, pushed by a pane and applied in order.
#[derive(Clone, Debug)]
pub enum Action {
    /// Whatever was typed: host, URL, path, file, pasted JSON.
    FetchCard {
        address: String,
    },
    /// The current entry's address again: the server is asked whether the card changed.
    RefreshCard,
    /// The same, but the card is fetched anew, past every cache.
    RefetchCard,
    CancelFetch,
    /// Shows the file dialog.
    PickCardFile,
    OpenFile {
        path: PathBuf,
    },
    /// A dropped file whose bytes are already here, or pasted text.
    OpenBytes {
        name: String,
        bytes: Bytes,
    },
    /// Opens a card that Cardscope writes itself, for an agent that publishes none.
    ConnectWithoutCard(Connection),
    /// Asks the agent for the card that it shows to those it knows, by the interface that Message would use.
    GetExtendedCard,
    SelectAgent {
        entry: EntryId,
    },
    CloseAgent {
        entry: EntryId,
    },
    /// Shows the other card that the current entry's retrieval found.
    ShowAlternative,
    /// Shows what another attempt of the current entry's retrieval brought.
    ShowAttempt {
        attempt: usize,
    },
    Select {
        pointer: Option<JsonPointer>,
    },
    /// Shows the file dialog for a file of the message being written.
    PickAttachment,
    /// Reads a dropped or typed file into [`super::State::attachments`].
    AttachFile {
        path: PathBuf,
    },
    RemoveAttachment {
        index: usize,
    },
    /// Shows the file dialog for a certificate authority to trust.
    PickCaFile,
    ShowView(View),
    /// Replaces what is set for the credential's origin.
    SetCredential(Credential),
    RemoveCredential {
        origin: String,
    },
    /// Shows the file dialog for a client certificate, into [`super::State::picked_client_certificate`].
    PickClientCertificate,
    /// Asks whether a certificate that was refused is to be trusted, and what follows if it is.
    AskToTrust {
        certificate: Arc<RefusedCertificate>,
        then: Option<Box<Action>>,
    },
    /// After the question.
    TrustCertificate(Arc<RefusedCertificate>),
    StopTrusting {
        origin: String,
    },
    /// Opens the comparison of two documents.
    Compare {
        older: SideRef,
        newer: SideRef,
    },
    /// Opens the comparison of what the entry shows with what it showed before.
    CompareWithPrevious {
        entry: EntryId,
    },
    Comparison(ComparisonAction),
    Conversation(ConversationAction),
    Earlier(EarlierAction),
    Catalog(CatalogAction),
    History(HistoryAction),
    StartDemo,
    StopDemo,
    /// Serves the other revision of the demo agent's card.
    SwitchDemoRevision,
    ChangeSettings(Settings),
    DismissNotice {
        index: usize,
    },
    /// The user's choice among those of [`super::Question`].
    AnswerQuestion {
        choice: usize,
    },
    /// Shows the save dialog and writes the bytes.
    SaveFile {
        suggested_name: String,
        bytes: Bytes,
    },
    ClearTraffic,
    /// All exchanges as JSON, secrets masked.
    SaveTraffic,
    /// A link the user clicked, after seeing its target.
    OpenLink {
        url: String,
    },
    /// Something was copied; confirmed in the window.
    Copied {
        what: String,
    },
    /// Shows the exchange in Traffic.
    ShowExchange(Arc<Exchange>),
}

/// What the user asks for about what is kept.
#[derive(Clone, Debug)]
pub enum HistoryAction {
    /// Lists the agents that fit; all for an empty text.
    Search {
        text: String,
    },
    /// Lists the agent's versions below it.
    Unfold {
        agent: AgentId,
    },
    Fold {
        agent: AgentId,
    },
    /// Shows what was kept last of the agent; nothing is asked over the network.
    ShowAgent {
        agent: AgentId,
    },
    ShowVersion {
        agent: AgentId,
        version: VersionId,
    },
    /// What the agent served last, also where something else of it is on screen.
    ShowLatest {
        agent: AgentId,
    },
    /// Opens the comparison of a version with the one before it.
    CompareWithPrevious {
        agent: AgentId,
        version: VersionId,
    },
    Compare {
        agent: AgentId,
        older: VersionId,
        newer: VersionId,
    },
    /// Leaves the older version for what the agent served last.
    ShowCurrent,
    AskToDelete(Deletion),
    /// After the question.
    Delete(Deletion),
    /// `None` ends it.
    Watch {
        agent: AgentId,
        interval: Option<WatchInterval>,
    },
    /// Changes of this member alone no longer make another version, or do again.
    Mute {
        agent: AgentId,
        pointer: JsonPointer,
        muted: bool,
    },
    /// Into one file, where the user says.
    Export(Export),
    /// Shows the file dialog for a file that somebody exported.
    PickImport,
}

/// What is to be written into one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    Version(VersionId),
    /// With all its versions and conversations.
    Agent(AgentId),
    Everything,
}

/// What is to be deleted for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Conversation(ConversationId),
    Version(VersionId),
    Agent(AgentId),
    Everything,
}

/// What the user asks for in the Compare view, always about the pair of the current entry.
#[derive(Clone, Debug)]
pub enum ComparisonAction {
    Choose {
        age: Age,
        side: SideRef,
    },
    Swap,
    /// Shows the file dialog for a side.
    PickFile {
        age: Age,
    },
    OpenFile {
        age: Age,
        path: PathBuf,
    },
    /// Pasted text.
    OpenBytes {
        age: Age,
        name: String,
        bytes: Bytes,
    },
    /// Stops reading and comparing.
    Cancel,
    /// Tries again what failed or was cancelled.
    Again,
    /// Index into the changes.
    SelectChange {
        change: Option<usize>,
    },
    /// Shows the save dialog and writes the comparison.
    Export {
        format: ExportFormat,
    },
}

/// What the user asks for in the Message view, always about the current entry.
#[derive(Clone, Debug)]
pub enum ConversationAction {
    Send(Draft),
    /// Stops waiting and following; the agent is told nothing.
    Stop,
    /// Asks the agent to cancel the task (`CancelTask`).
    CancelTask,
    NewConversation,
    /// Index into the interface table; `None` returns to the protocol's own choice.
    ChooseInterface {
        row: Option<usize>,
    },
    /// Uses the suggested address of a flagged interface in this conversation.
    UseSuggestedAddress {
        row: usize,
    },
    /// Sends to the row as it is, in this conversation, although something speaks against it.
    ConfirmInterface {
        row: usize,
    },
    /// Sends the turn's message again in the other dialect (declared 1.0, speaks 0.3); only ever on a click.
    ResendInOtherDialect {
        turn: JobId,
    },
    /// Sends the turn's message to where it was redirected, and what follows as well; only ever on a click.
    ResendWhereRedirected {
        turn: JobId,
    },
    /// Follows a task again after the budget was spent or following was stopped.
    FollowAgain {
        turn: JobId,
    },
}

/// What the user asks for about the conversations that are kept with the current entry's agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlierAction {
    ShowList,
    /// Lists older ones as well.
    ShowMore,
    /// Shows what was said; the current one, if it is that, where it goes on.
    Open {
        conversation: ConversationId,
    },
    /// Makes the opened one the current one; nothing is sent. The user is asked first where what was said in the
    /// current one could not be saved, unless that was agreed to.
    Continue {
        although_unsaved: bool,
    },
    ShowCurrent,
}

/// What the composer holds when Send is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub parts: Vec<DraftPart>,
    /// Media types; empty leaves the choice to the agent.
    pub accepted_output_modes: Vec<String>,
    /// Wait for the end (`blocking` / not `returnImmediately`) instead of returning at once and polling.
    pub wait: bool,
    pub history_length: Option<u32>,
    /// A JSON object, checked while it was typed.
    pub metadata: Option<RawJson>,
    /// Extension URIs to activate.
    pub extensions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftPart {
    Text(String),
    File { name: String, media_type: Option<String>, bytes: Bytes },
    Data(RawJson),
}
