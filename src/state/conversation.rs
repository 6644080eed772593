//! A conversation with one agent: turns, the task that each led to, and how each ended.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::earlier::PastConversation;
pub use super::transcripts::SavedConversation;
use super::{Effect, JobId};
use crate::a2a::{Dialect, Message, SendMessageRequest, Task, TaskState};
use crate::client::{CallError, CallErrorKind, Endpoint, Exchange};

/// The Message view's model for one agent.
#[derive(Debug, Default)]
pub struct Conversation {
    /// Kept over turns; the agent hands it out.
    pub context_id: Option<String>,
    /// The task that waits for the user and that the next message continues; dropped when a task ends.
    pub open_task: Option<(String, TaskState)>,
    /// Oldest first.
    pub turns: Vec<Turn>,
    /// The user's choice; `None` follows the protocol's rule.
    pub interface: Option<usize>,
    /// What the user chose for this conversation instead of an address that the card declares, by row: what a flag
    /// suggested, or where a message was redirected to.
    pub addresses: BTreeMap<usize, String>,
    /// Rows to which the user agreed to send although something speaks against it.
    pub confirmed: Vec<usize>,
    /// Rows that turned out to speak another dialect than the card declares, found out by the user's own click.
    pub answered_as: Vec<(usize, Dialect)>,
    /// What was said before, where an earlier conversation is continued.
    pub earlier: Option<Arc<PastConversation>>,
    /// What history has of it.
    pub saved: SavedConversation,
}

/// One message of the user and everything it led to.
#[derive(Debug)]
pub struct Turn {
    pub job: JobId,
    /// Index into the interface table of the card it was sent by.
    pub interface: usize,
    pub sent_at: SystemTime,
    pub endpoint: Endpoint,
    pub request: SendMessageRequest,
    /// Why this interface, as shown when it was sent.
    pub interface_reason: String,
    /// SHA-256 of the card document that the interface was read from.
    pub card_sha256: String,
    pub progress: Progress,
    /// Each change of state with its time and words; consecutive polls without news add nothing.
    pub timeline: Vec<TimelineEvent>,
    /// The last snapshot of the task, if the answer was one.
    pub task: Option<Task>,
    /// The answer, if it was a Message.
    pub reply: Option<Message>,
    /// What had to be read generously, each once.
    pub deviations: Vec<String>,
    pub polls: u32,
    /// From sending to the end or to now.
    pub ended_after: Option<Duration>,
    /// Ids of artifacts that an earlier task of the same context had as well (field report M12).
    pub repeated_artifacts: Vec<String>,
    pub last_exchange: Option<Arc<Exchange>>,
    /// A `CancelTask` under way, by its own job.
    pub cancel_job: Option<JobId>,
    /// What came of the last `CancelTask`, if it was refused.
    pub cancel_problem: Option<CallError>,
}

/// Where a turn stands.
#[derive(Debug)]
pub enum Progress {
    /// The message is on its way.
    Sending,
    /// The task is polled.
    Following,
    Over(Ending),
}

/// How a turn ended.
#[derive(Debug)]
pub enum Ending {
    /// The agent answered with a Message.
    Replied,
    /// The task reached a terminal or interrupted state.
    Task(TaskState),
    /// The call failed; the message may or may not have been received.
    Failed(CallError),
    /// Polling failed for good; the last snapshot stays.
    FollowingFailed(CallError),
    /// Still not finished when the budget was spent.
    BudgetSpent,
    /// The user stopped waiting.
    Stopped,
}

/// Something that happened to a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineEvent {
    /// Since the message was sent.
    pub after: Duration,
    pub kind: TimelineKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimelineKind {
    State {
        state: TaskState,
        message: Option<Message>,
    },
    /// A transient failure, retried.
    Note(String),
}

impl Turn {
    #[must_use]
    pub fn is_running(&self) -> bool {
        !matches!(self.progress, Progress::Over(_))
    }

    /// The dialect in which the message may be sent again: the agent does not know this dialect's method (-32601).
    #[must_use]
    pub fn other_dialect(&self) -> Option<Dialect> {
        let Progress::Over(Ending::Failed(CallError { kind: CallErrorKind::Agent(error), .. })) = &self.progress else {
            return None;
        };
        (error.code == Some(-32601)).then_some(match self.endpoint.dialect {
            Dialect::V1_0 => Dialect::V0_3,
            Dialect::V0_3 => Dialect::V1_0,
        })
    }

    /// Where the message was redirected to, if it may be sent there on a click: nothing of the address is masked.
    #[must_use]
    pub fn redirected_to(&self) -> Option<&str> {
        match &self.progress {
            Progress::Over(Ending::Failed(CallError { kind: CallErrorKind::Redirected { location, .. }, .. })) => {
                Some(location.as_str()).filter(|location| !location.contains('•'))
            }
            _ => None,
        }
    }

    /// Whether `CancelTask` makes sense: there is a task, it has not ended, and no such request is under way.
    #[must_use]
    pub fn can_cancel_task(&self) -> bool {
        self.cancel_job.is_none() && self.state().is_some_and(|state| !state.is_terminal())
    }

    /// Whether the task can be followed again: it has not ended and nothing follows it.
    #[must_use]
    pub fn can_follow_again(&self) -> bool {
        !self.is_running() && self.state().is_some_and(|state| !state.is_terminal())
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.ended_after = Some(self.elapsed());
        self.progress = Progress::Over(ending);
    }

    /// Since the message was sent.
    pub(super) fn elapsed(&self) -> Duration {
        self.sent_at.elapsed().unwrap_or_default()
    }

    /// The task's state, once there is a task.
    #[must_use]
    pub fn state(&self) -> Option<&TaskState> {
        self.task.as_ref().map(|task| &task.status.state)
    }
}

impl Conversation {
    /// The newest turn, if it is still running.
    #[must_use]
    pub fn running_turn(&self) -> Option<&Turn> {
        self.turns.last().filter(|turn| turn.is_running())
    }

    /// Another conversation with the same agent; what was found out about the agent stays true.
    pub(super) fn begun_anew(&self) -> Self {
        Self { interface: self.interface, answered_as: self.answered_as.clone(), ..Self::default() }
    }

    /// Whether anything was said.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        !self.turns.is_empty() || self.context_id.is_some()
    }

    /// Forgets what was said about rows of a card that is no longer shown.
    pub(super) fn forget_rows(&mut self) {
        self.interface = None;
        self.addresses.clear();
        self.confirmed.clear();
        self.answered_as.clear();
    }

    /// Gives up everything that is under way.
    pub(super) fn abort_all(&self) -> Vec<Effect> {
        let running = self.turns.iter().filter(|turn| turn.is_running()).map(|turn| turn.job);
        let canceling = self.turns.iter().filter_map(|turn| turn.cancel_job);
        running.chain(canceling).map(|job| Effect::Abort { job }).collect()
    }
}
