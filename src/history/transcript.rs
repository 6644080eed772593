//! Conversations as history keeps them: plain data, without secrets, large attachments left out and said so.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::records::{AgentId, VersionId};

/// Attachments larger than this are kept by name and size only.
pub const MAX_KEPT_BYTES: usize = 256 << 10;

/// Identifies a conversation in this history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConversationId(pub i64);

/// A conversation as it is listed: which card and interface it used, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationRecord {
    pub id: ConversationId,
    pub agent: AgentId,
    /// The version of the card that it used; `None` if that was deleted.
    pub version: Option<VersionId>,
    pub started_at: SystemTime,
    pub changed_at: SystemTime,
    /// The first words of the first message.
    pub title: String,
    /// Of the last turn ("completed", "failed", "stopped").
    pub outcome: String,
    pub turns: u32,
}

/// A conversation to be kept. Saving it again under its id replaces what was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewConversation {
    pub agent: AgentId,
    pub version: Option<VersionId>,
    pub started_at: SystemTime,
    pub transcript: Transcript,
}

/// Everything that was said, as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transcript {
    pub context_id: Option<String>,
    /// Oldest first.
    pub turns: Vec<TurnRecord>,
}

/// One message of the user and what it led to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnRecord {
    /// Milliseconds since 1970.
    pub sent_at_ms: i64,
    /// The card document that the interface was read from.
    pub card_sha256: String,
    pub interface: InterfaceRecord,
    pub sent: Vec<PartRecord>,
    pub task_id: Option<String>,
    /// Each change of state with its time and words.
    pub timeline: Vec<EventRecord>,
    pub artifacts: Vec<ArtifactRecord>,
    /// The agent's Message, if the answer was one.
    pub reply: Vec<PartRecord>,
    /// How it ended ("completed", "message", "stopped") or the state it was in.
    pub outcome: String,
    /// One sentence if it failed.
    pub problem: Option<String>,
}

/// The interface that a message was sent to, and why that one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InterfaceRecord {
    pub url: String,
    pub protocol_binding: String,
    /// The dialect spoken ("1.0").
    pub protocol_version: String,
    pub tenant: Option<String>,
    pub reason: String,
}

/// Something that happened to a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventRecord {
    /// Since the message was sent.
    pub after_ms: u64,
    /// The state's word, or "note".
    pub state: String,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactRecord {
    pub artifact_id: String,
    pub name: Option<String>,
    pub parts: Vec<PartRecord>,
}

/// One piece of a message or an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PartRecord {
    Text {
        text: String,
    },
    /// JSON, as written.
    Data {
        json: String,
    },
    /// A file by its address.
    Link {
        name: Option<String>,
        media_type: Option<String>,
        url: String,
    },
    /// A file's bytes, in base64; `None` if it was larger than [`MAX_KEPT_BYTES`].
    File {
        name: Option<String>,
        media_type: Option<String>,
        bytes_len: u64,
        base64: Option<String>,
    },
}
