//! Task, its status and its artifacts (§4.1.1 to §4.1.3, §4.1.7).

use super::message::{Message, Part, RawJson};

/// `TaskState` (§4.1.3), readable in the spelling of every version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskState {
    Unspecified,
    Submitted,
    Working,
    Completed,
    Failed,
    Canceled,
    InputRequired,
    Rejected,
    AuthRequired,
    /// A state that no version knows, as spelled; counts as not finished.
    Unknown(String),
}

impl TaskState {
    /// Reads `TASK_STATE_INPUT_REQUIRED`, `input-required`, `input_required`, `cancelled` and the like.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let folded = text.trim().to_ascii_lowercase().replace('_', "-");
        match folded.trim_start_matches("task-state-") {
            "submitted" => Self::Submitted,
            "working" => Self::Working,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "canceled" | "cancelled" => Self::Canceled,
            "input-required" => Self::InputRequired,
            "rejected" => Self::Rejected,
            "auth-required" => Self::AuthRequired,
            "" | "unspecified" => Self::Unspecified,
            _ => Self::Unknown(text.to_owned()),
        }
    }

    /// The word for the screen and for `cardscope send`: `input-required`, or the unknown spelling as it is.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Submitted => "submitted",
            Self::Working => "working",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::InputRequired => "input-required",
            Self::Rejected => "rejected",
            Self::AuthRequired => "auth-required",
            Self::Unknown(text) => text,
        }
    }

    /// Nothing more will happen to the task (§4.1.3).
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// The task waits for the user (§4.1.3).
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }

    /// Whether following the task ends here.
    #[must_use]
    pub fn ends_following(&self) -> bool {
        self.is_terminal() || self.is_interrupted()
    }
}

/// The state of a task at one moment (§4.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskStatus {
    pub state: TaskState,
    pub message: Option<Message>,
    /// As written by the agent; the formats in the field differ too much to trust one.
    pub timestamp: Option<String>,
}

/// An output of a task (§4.1.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    pub artifact_id: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub parts: Vec<Part>,
    pub metadata: Option<RawJson>,
    pub extensions: Vec<String>,
}

/// A unit of work of an agent (§4.1.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub id: String,
    pub context_id: Option<String>,
    pub status: TaskStatus,
    pub artifacts: Vec<Artifact>,
    pub history: Vec<Message>,
    pub metadata: Option<RawJson>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_in_both_families() {
        for (text, state) in [
            ("TASK_STATE_WORKING", TaskState::Working),
            ("working", TaskState::Working),
            ("TASK_STATE_INPUT_REQUIRED", TaskState::InputRequired),
            ("input-required", TaskState::InputRequired),
            ("input_required", TaskState::InputRequired),
            ("canceled", TaskState::Canceled),
            ("TASK_STATE_CANCELED", TaskState::Canceled),
            ("TASK_STATE_CANCELLED", TaskState::Canceled),
            ("COMPLETED", TaskState::Completed),
            ("auth-required", TaskState::AuthRequired),
            ("BREWING", TaskState::Unknown("BREWING".to_owned())),
        ] {
            assert_eq!(TaskState::parse(text), state, "{text}");
        }
    }

    #[test]
    fn an_unknown_state_stays_visible_and_is_not_the_end() {
        let state = TaskState::parse("BREWING");
        assert_eq!(state.label(), "BREWING");
        assert!(!state.ends_following());
    }
}
