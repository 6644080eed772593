//! A conversation with one agent: turns, the task that each led to, and how each ended.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::JobId;
use crate::a2a::{Message, SendMessageRequest, Task, TaskState};
use crate::client::{CallError, Endpoint, Exchange};

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
    /// Rows of flagged interfaces whose suggested address the user chose for this conversation.
    pub use_suggestion: Vec<usize>,
    /// Rows to which the user agreed to send although they are flagged.
    pub confirmed: Vec<usize>,
}

/// One message of the user and everything it led to.
#[derive(Debug)]
pub struct Turn {
    pub job: JobId,
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
}
