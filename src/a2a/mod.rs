//! The protocol's vocabulary, named as in a2a.proto (A2A 1.0, release 1.0.1); no I/O.
//!
//! These are the types that answers of an agent are read into and requests are written from. An Agent
//! Card is not among them: a card is a document first ([`crate::card`]), and what it says is a view of it.

mod agent_interface;
mod error;
mod message;
mod operations;
mod task;

pub use agent_interface::{Dialect, ProtocolBinding, ProtocolVersion};
pub use error::{AgentError, error_name};
pub use message::{Message, Part, PartContent, RawJson, Role, joined_text};
pub use operations::{SendMessageConfiguration, SendMessageRequest, SendMessageResponse};
pub use task::{Artifact, Task, TaskState, TaskStatus};
