//! The model: what is known and what is under way; no egui, no tokio, no I/O.
//!
//! [`State::apply`] takes what the user asked for, [`State::absorb`] what came back; both answer with the
//! [`Effect`]s that the worker has to carry out. Panes read the fields and change nothing.

pub mod action;
pub mod conversation;
pub mod discovery;
pub mod effect;
pub mod notices;
pub mod outcome;
pub mod settings;
pub mod traffic;

pub use action::{Action, ConversationAction, Draft, DraftPart};
pub use conversation::{Conversation, Ending, Progress, TimelineEvent, Turn};
pub use discovery::{AgentEntry, Discovery, EntryId, PendingFetch};
pub use effect::{Effect, FilePurpose};
pub use notices::{Choice, Notice, Question};
pub use outcome::Outcome;
pub use settings::{Settings, ThemeChoice};
pub use traffic::Traffic;

use crate::card::JsonPointer;

/// Identifies one asynchronous request; an outcome whose id is no longer current is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// Which view of the current agent is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum View {
    #[default]
    Inspect,
    Message,
}

/// The demo agent inside the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Demo {
    #[default]
    Stopped,
    Starting,
    Running {
        /// Its card's address.
        address: String,
        /// Which card it serves, 1 or 2.
        revision: u8,
    },
}

/// Everything the window shows.
#[derive(Debug, Default)]
pub struct State {
    pub discovery: Discovery,
    pub view: View,
    /// The selected member of the current card, the same in fields and JSON.
    pub selection: Option<JsonPointer>,
    pub traffic: Traffic,
    pub notices: Vec<Notice>,
    /// Something only the user can decide; shown as a dialog until answered.
    pub question: Option<Question>,
    pub settings: Settings,
    pub demo: Demo,
    /// Set before or after a card is fetched, each for one origin; never saved.
    pub credentials: Vec<crate::client::Credential>,
    /// Files of the message being written, in order; the composer sends them as parts and `Send` empties the list.
    pub attachments: Vec<Attachment>,
    last_job: u64,
}

/// A file that waits to be sent; an empty file is a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    pub bytes: std::sync::Arc<[u8]>,
}
