//! Conversations as history keeps them: plain data, without secrets, large attachments left out and said so.

use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::records::{AgentId, VersionId, VersionRecord};
use crate::a2a::{Artifact, Part, PartContent, RawJson, TaskState};
use crate::card::address::{mask_secrets, secrets_in};

/// Attachments larger than this are kept by name and size only.
pub const MAX_KEPT_BYTES: usize = 256 << 10;
/// So much of the first message is a conversation's title.
const TITLE_LENGTH: usize = 80;
/// Shorter secrets are too common to be searched for in other texts.
const TELLING_LENGTH: usize = 6;
/// The `state` of an [`EventRecord`] that is none.
pub const NOTE: &str = "note";

/// Identifies a conversation in this history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConversationId(pub i64);

/// A conversation as it is listed: which card and interface it used, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationRecord {
    pub id: ConversationId,
    pub agent: AgentId,
    /// The version of the card that it used last; `None` if that was deleted.
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
    /// Where its last turn does not say by its digest which version it used.
    pub version: Option<VersionId>,
    pub started_at: SystemTime,
    pub transcript: Transcript,
}

/// A conversation with everything that was said, and the cards that it used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptConversation {
    pub record: ConversationRecord,
    pub transcript: Transcript,
    /// Each document that a turn was sent by, in the order of their first use.
    pub cards: Vec<CardUse>,
}

/// A card's document as a conversation used it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardUse {
    pub sha256: String,
    /// `None` if that version was deleted, or never kept.
    pub version: Option<VersionRecord>,
    /// When it was obtained last before it was used.
    pub obtained_at: Option<SystemTime>,
}

/// A page of an agent's conversations, the one changed last first, and how many there are in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationPage {
    pub conversations: Vec<ConversationRecord>,
    pub total: u32,
}

/// Everything that was said, as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Transcript {
    pub context_id: Option<String>,
    /// Oldest first.
    pub turns: Vec<TurnRecord>,
}

/// One message of the user and what it led to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
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
    /// From sending to the end; `None` in older records.
    pub ended_after_ms: Option<u64>,
    pub polls: u32,
    /// What had to be read generously, one sentence each.
    pub deviations: Vec<String>,
}

/// The interface that a message was sent to, and why that one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
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
#[serde(rename_all = "camelCase", default)]
pub struct EventRecord {
    /// Since the message was sent.
    pub after_ms: u64,
    /// The state's word, or "note".
    pub state: String,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ArtifactRecord {
    pub artifact_id: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub parts: Vec<PartRecord>,
}

/// One piece of a message or an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PartRecord {
    Text {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
    },
    /// JSON, as written.
    Data {
        json: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
    },
    /// A file by its address.
    Link { name: Option<String>, media_type: Option<String>, url: String },
    /// A file's bytes, in base64; `None` if it was larger than [`MAX_KEPT_BYTES`]. Base64 that could not be decoded
    /// stands as it came.
    File { name: Option<String>, media_type: Option<String>, bytes_len: u64, base64: Option<String> },
}

impl Transcript {
    /// The same without secrets in its addresses, nor those secrets in other texts.
    #[must_use]
    pub fn masked(&self) -> Self {
        let mut masked = self.clone();
        for turn in &mut masked.turns {
            turn.mask();
        }
        masked
    }

    /// The first words of the first message; of a message without words, what else it is.
    #[must_use]
    pub fn title(&self) -> String {
        let parts = self.turns.first().map(|turn| turn.sent.as_slice()).unwrap_or_default();
        let text = parts.iter().find_map(|part| match part {
            PartRecord::Text { text, .. } => Some(text),
            _ => None,
        });
        let text = text.or_else(|| parts.iter().find_map(PartRecord::stand_in)).map_or("", String::as_str);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(TITLE_LENGTH) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// The task that waits for the user, which the next message has to name.
    #[must_use]
    pub fn open_task(&self) -> Option<(String, TaskState)> {
        let mut open = None;
        for turn in &self.turns {
            match (&turn.task_id, turn.state()) {
                (Some(id), Some(state)) => open = state.is_interrupted().then(|| (id.clone(), state)),
                // What was never answered leaves the task waiting.
                (None, _) if turn.reply.is_empty() => {}
                _ => open = None,
            }
        }
        open
    }
}

impl TurnRecord {
    /// The state that its task was seen in last.
    fn state(&self) -> Option<TaskState> {
        let last = self.timeline.iter().rfind(|event| event.state != NOTE)?;
        Some(TaskState::parse(&last.state))
    }

    fn mask(&mut self) {
        let artifacts = self.artifacts.iter_mut().flat_map(|artifact| &mut artifact.parts);
        let mut parts: Vec<&mut PartRecord> = self.sent.iter_mut().chain(&mut self.reply).chain(artifacts).collect();
        let mut secrets = secrets_in(&self.interface.url);
        self.interface.url = mask_secrets(&self.interface.url);
        for part in &mut parts {
            if let PartRecord::Link { url, .. } = part {
                secrets.extend(secrets_in(url));
                *url = mask_secrets(url);
            }
        }
        secrets.retain(|secret| secret.len() >= TELLING_LENGTH);
        // The longest first, so that none leaves a part of itself behind.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        let said = parts.into_iter().filter_map(PartRecord::words_mut);
        let events = self.timeline.iter_mut().map(|event| &mut event.text);
        let about = self.problem.iter_mut().chain(&mut self.deviations).chain([&mut self.interface.reason]);
        for text in about.chain(events).chain(said) {
            for secret in secrets.iter().filter(|secret| text.contains(*secret)).collect::<Vec<_>>() {
                *text = text.replace(secret, "••••");
            }
        }
    }
}

impl PartRecord {
    /// What was said in it, or `None` for bytes and addresses.
    fn words_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Text { text, .. } => Some(text),
            Self::Data { json, .. } => Some(json),
            Self::Link { .. } | Self::File { .. } => None,
        }
    }

    /// What stands for the part where there is no text.
    fn stand_in(&self) -> Option<&String> {
        match self {
            Self::Text { text, .. } => Some(text),
            Self::File { name, .. } => name.as_ref(),
            Self::Link { name, url, .. } => name.as_ref().or(Some(url)),
            Self::Data { json, .. } => Some(json),
        }
    }

    /// The part as it was; `None` for a file of which only name and size are kept.
    #[must_use]
    pub fn part(&self) -> Option<Part> {
        let (content, filename, media_type) = match self {
            Self::Text { text, name, media_type } => (PartContent::Text(text.clone()), name, media_type),
            Self::Data { json, name, media_type } => (PartContent::Data(RawJson::new(json)), name, media_type),
            Self::Link { name, media_type, url } => (PartContent::Url(url.clone()), name, media_type),
            Self::File { name, media_type, base64, .. } => {
                let text = base64.as_deref()?;
                let content = match STANDARD.decode(text) {
                    Ok(bytes) => PartContent::Raw(bytes.into()),
                    Err(_) => PartContent::Undecodable(text.to_owned().into()),
                };
                (content, name, media_type)
            }
        };
        Some(Part { content, metadata: None, filename: filename.clone(), media_type: media_type.clone() })
    }
}

impl From<&Part> for PartRecord {
    fn from(part: &Part) -> Self {
        let (name, media_type) = (part.filename.clone(), part.media_type.clone());
        let file = |bytes_len: usize, base64: &dyn Fn() -> String| {
            let base64 = (bytes_len <= MAX_KEPT_BYTES).then(base64);
            Self::File { name: name.clone(), media_type: media_type.clone(), bytes_len: bytes_len as u64, base64 }
        };
        match &part.content {
            PartContent::Raw(bytes) => file(bytes.len(), &|| STANDARD.encode(bytes)),
            PartContent::Undecodable(text) => file(text.len(), &|| text.to_string()),
            PartContent::Text(text) => Self::Text { text: text.clone(), name, media_type },
            PartContent::Data(json) | PartContent::Unknown(json) => {
                Self::Data { json: json.as_str().to_owned(), name, media_type }
            }
            PartContent::Url(url) => Self::Link { name, media_type, url: mask_secrets(url) },
        }
    }
}

impl From<&Artifact> for ArtifactRecord {
    fn from(artifact: &Artifact) -> Self {
        Self {
            artifact_id: artifact.artifact_id.clone(),
            name: artifact.name.clone(),
            description: artifact.description.clone(),
            parts: artifact.parts.iter().map(PartRecord::from).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(task: Option<&str>, state: &str, outcome: &str) -> TurnRecord {
        let event = EventRecord { state: state.to_owned(), ..EventRecord::default() };
        TurnRecord {
            task_id: task.map(str::to_owned),
            timeline: task.map(|_| event).into_iter().collect(),
            outcome: outcome.to_owned(),
            ..TurnRecord::default()
        }
    }

    fn open_task(turns: Vec<TurnRecord>) -> Option<String> {
        Transcript { context_id: None, turns }.open_task().map(|(id, _)| id)
    }

    #[test]
    fn a_task_waits_until_it_is_answered() {
        let waits = turn(Some("t1"), "input-required", "input-required");
        assert_eq!(open_task(vec![waits.clone()]).as_deref(), Some("t1"));
        assert_eq!(open_task(vec![waits.clone(), turn(None, "", "error")]).as_deref(), Some("t1"));
        assert_eq!(open_task(vec![waits.clone(), turn(Some("t1"), "completed", "completed")]), None);
        let reply = vec![PartRecord::from(&Part::text("Thanks."))];
        assert_eq!(open_task(vec![waits, TurnRecord { reply, ..turn(None, "", "message") }]), None);
        assert_eq!(open_task(Vec::new()), None);
    }

    #[test]
    fn parts_come_back_as_they_were() {
        let raw = Part::file(b"\0\xff"[..].into(), "a.bin".to_owned(), Some("image/png".to_owned()));
        let markdown = Part { media_type: Some("text/markdown".to_owned()), ..Part::text("# Totals") };
        let broken = Part { content: PartContent::Undecodable("?!".into()), ..raw.clone() };
        let empty = Part::file(b""[..].into(), "empty.txt".to_owned(), None);
        for part in [raw, markdown, broken, empty, Part::data(RawJson::new("{\"a\": 1.10}"))] {
            assert_eq!(PartRecord::from(&part).part(), Some(part));
        }
        let large = Part::file(vec![0; MAX_KEPT_BYTES + 1].into(), "large.bin".to_owned(), None);
        assert_eq!(PartRecord::from(&large).part(), None);
    }

    #[test]
    fn a_record_of_an_older_program_is_read() {
        let older = r#"{"contextId": "c1", "turns": [{"sentAtMs": 1, "cardSha256": "ab", "interface": {"url": "https://a.example",
            "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": null, "reason": ""},
            "sent": [{"text": {"text": "how many?"}}, {"data": {"json": "{}"}}], "taskId": "t1", "timeline": [],
            "artifacts": [{"artifactId": "a1", "name": null, "parts": []}], "reply": [], "outcome": "completed", "problem": null}]}"#;
        let transcript: Transcript = serde_json::from_str(older).unwrap();
        assert_eq!((transcript.title().as_str(), transcript.turns[0].ended_after_ms), ("how many?", None));
    }

    #[test]
    fn a_key_in_an_address_shows_nowhere() {
        let mut turn = turn(Some("t1"), NOTE, "error");
        turn.interface.url = "https://a.example/rpc?api_key=opensesame".to_owned();
        turn.problem = Some("https://a.example/rpc?api_key=opensesame did not answer.".to_owned());
        turn.timeline[0].text = "asking opensesame again".to_owned();
        let link = "https://b.example/f?token=opensesame-and-more".to_owned();
        turn.reply =
            [Part::text("you came with opensesame"), Part::data(RawJson::new("{\"k\": \"opensesame-and-more\"}"))]
                .iter()
                .map(PartRecord::from)
                .chain([PartRecord::Link { name: None, media_type: None, url: link }])
                .collect();
        let masked = Transcript { context_id: None, turns: vec![turn] }.masked();
        let shown = format!("{masked:?}");
        assert!(!shown.contains("opensesame") && !shown.contains("and-more"), "{masked:?}");
    }
}
