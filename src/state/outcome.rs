//! What came back from the worker.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::JobId;
use super::comparison::Compared;
use super::discovery::EntryId;
use super::effect::FilePurpose;
use crate::a2a::{SendMessageResponse, Task};
use crate::card::facts::Inspection;
use crate::client::{Answered, Attempt, CallError, CatalogAnswer, Exchange, Retrieval};
use crate::history::records::{AgentId, AgentPage, AgentRecord, Imported, Recorded, VersionId, VersionRecord};
use crate::history::transcript::{ConversationId, ConversationPage, KeptConversation};

/// A result or a step on the way to one.
#[derive(Debug)]
pub enum Outcome {
    /// One candidate of a running discovery is done.
    AttemptMade {
        job: JobId,
        attempt: Attempt,
    },
    /// Discovery is over; the inspection is of the chosen attempt's document.
    CardFetched {
        job: JobId,
        retrieval: Arc<Retrieval>,
        inspection: Option<Arc<Inspection>>,
    },
    ExtendedCardRefused {
        job: JobId,
        error: CallError,
    },
    /// The answer to [`super::Effect::InspectAttempt`].
    DocumentInspected {
        job: JobId,
        inspection: Arc<Inspection>,
    },
    CatalogAnswered {
        job: JobId,
        answer: Box<CatalogAnswer>,
    },
    /// The answer to [`super::Effect::LoadSide`]; the sentence says why there is no document.
    SideLoaded {
        job: JobId,
        result: Result<Arc<Inspection>, String>,
    },
    /// The answer to [`super::Effect::Compare`].
    Compared {
        job: JobId,
        compared: Arc<Compared>,
    },
    /// Any exchange that ended, for Traffic.
    Exchanged(Arc<Exchange>),
    MessageAnswered {
        job: JobId,
        result: Result<Answered<SendMessageResponse>, CallError>,
    },
    TaskUpdated {
        job: JobId,
        answer: Answered<Task>,
    },
    /// A failed poll that is tried again inside the budget.
    PollFailed {
        job: JobId,
        error: CallError,
        retry_in: Duration,
    },
    /// Following is over without a terminal or interrupted state.
    FollowingEnded {
        job: JobId,
        why: FollowingEnd,
    },
    TaskCancelAnswered {
        job: JobId,
        result: Result<Answered<Task>, CallError>,
    },
    /// The demo agent serves, newly or with its other card.
    DemoStarted {
        address: String,
        revision: u8,
    },
    DemoStopped {
        problem: Option<String>,
    },
    /// `None`: cancelled, or no dialog here (`at_once`, then a path has to be typed).
    FilePicked {
        purpose: FilePurpose,
        path: Option<PathBuf>,
        at_once: bool,
    },
    /// The file for the message being written.
    AttachmentRead {
        name: String,
        result: Result<Bytes, String>,
    },
    /// What was set as a client certificate cannot be used.
    ClientCertificateRefused {
        problem: String,
    },
    /// From now on nothing can be asked, until other settings come.
    NetworkSettingsRefused {
        problem: String,
    },
    FileSaved {
        result: Result<Option<PathBuf>, String>,
    },
    History(HistoryOutcome),
    /// The clock for what is watched.
    Tick {
        now: SystemTime,
    },
    /// A job that broke; said as a notice.
    JobFailed {
        job: Option<JobId>,
        problem: String,
    },
}

/// Another version than the one of the agent that was seen last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionChange {
    /// What was seen last.
    pub older: VersionId,
    pub newer: VersionId,
    pub kind: ChangeKind,
    /// The word of `cardscope diff`.
    pub level: String,
    /// Both declare the same `version`.
    pub version_stayed: bool,
}

/// In what two versions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// In what they say.
    Meaning,
    /// In members that are muted, and in nothing else that counts.
    MutedMembers,
    /// In the order of members, white space, or what is absent or empty.
    Spelling,
}

/// What came back from the history.
#[derive(Debug)]
pub enum HistoryOutcome {
    /// It can be used; in memory only if it cannot be written or is not wanted.
    Opened {
        on_disk: bool,
    },
    Listed {
        search: String,
        page: AgentPage,
    },
    /// The one seen last first.
    VersionsListed {
        agent: AgentId,
        versions: Vec<VersionRecord>,
    },
    /// A retrieval is kept, and it brought another version than the one seen last.
    Recorded {
        entry: Option<EntryId>,
        recorded: Recorded,
        change: Option<VersionChange>,
    },
    Restored {
        job: JobId,
        restored: Box<RestoredVersion>,
    },
    /// The agents that are watched.
    WatchListed {
        agents: Vec<AgentRecord>,
    },
    /// A watch found a version of another meaning.
    WatchedChanged {
        agent: Box<AgentRecord>,
        change: VersionChange,
    },
    ConversationSaved {
        entry: EntryId,
        first: JobId,
        id: Option<ConversationId>,
    },
    ConversationsListed {
        agent: AgentId,
        page: ConversationPage,
    },
    /// `None` if it is no longer there or cannot be read, which is said besides.
    ConversationOpened {
        job: JobId,
        kept: Option<Box<KeptConversation>>,
    },
    Exported {
        name: String,
        bytes: Bytes,
    },
    /// `job` is the reading of the file or folder that turned out to be for the history.
    Imported {
        job: Option<JobId>,
        imported: Imported,
    },
    /// Said as a notice; the session goes on.
    Failed {
        title: String,
        detail: String,
        hint: String,
    },
}

/// A kept version, made ready to be shown.
#[derive(Debug)]
pub struct RestoredVersion {
    pub agent: AgentRecord,
    pub version: VersionRecord,
    /// How it was obtained, with the document.
    pub retrieval: Arc<Retrieval>,
    pub inspection: Arc<Inspection>,
}

/// Why following a task ended early.
#[derive(Debug)]
pub enum FollowingEnd {
    BudgetSpent,
    /// An error that is not worth repeating (the agent no longer has the task, credentials refused …).
    Failed(CallError),
    Stopped,
}
