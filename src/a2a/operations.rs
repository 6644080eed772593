//! The operations' parameter and result objects (§3.2), as far as Cardscope calls them.

use super::message::{Message, RawJson};
use super::task::Task;

/// `SendMessageRequest` (§3.2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendMessageRequest {
    /// Exactly as the chosen interface declares it (§8.3.2); absent if it declares none.
    pub tenant: Option<String>,
    pub message: Message,
    pub configuration: SendMessageConfiguration,
    pub metadata: Option<RawJson>,
}

/// `SendMessageConfiguration` (§3.2.2).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SendMessageConfiguration {
    /// Empty means: not sent, the agent chooses.
    pub accepted_output_modes: Vec<String>,
    /// Messages of history wanted in the answer; `None` leaves it to the agent (§3.2.4).
    pub history_length: Option<u32>,
    /// Always sent: 1.0 `returnImmediately`, 0.3 the opposite as `blocking`.
    pub return_immediately: bool,
}

/// `SendMessageResponse` (§3.1.1): a Message ends the turn, a Task is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendMessageResponse {
    Task(Task),
    Message(Message),
}
