//! Conversations as history keeps them: what was said, by which card and interface, and how it ended.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;

use super::conversation::{Conversation, Ending, Progress, TimelineKind, Turn};
use super::discovery::EntryId;
use super::effect::HistoryEffect;
use super::{Effect, JobId, State};
use crate::a2a::{Artifact, Part, PartContent};
use crate::history::transcript::{
    ArtifactRecord, ConversationId, EventRecord, InterfaceRecord, MAX_KEPT_BYTES, NewConversation, PartRecord,
    Transcript, TurnRecord,
};

/// What history knows of a conversation.
#[derive(Debug, Default)]
pub struct KeptConversation {
    pub id: Option<ConversationId>,
    /// It is being saved; what happens meanwhile is saved after that.
    saving: bool,
    again: bool,
}

impl State {
    /// Keeps the conversation of the turn `job` once that turn is over.
    pub(super) fn keep_conversation_of(&mut self, job: JobId) -> Vec<Effect> {
        let has_ended = |turn: &Turn| turn.job == job && !turn.is_running();
        let entry = self.discovery.entries.iter().find(|entry| entry.conversation.turns.iter().any(has_ended));
        entry.map(|entry| entry.id).map_or_else(Vec::new, |entry| self.keep_conversation(entry))
    }

    fn keep_conversation(&mut self, entry: EntryId) -> Vec<Effect> {
        let Some(found) = self.discovery.entry_mut(entry) else { return Vec::new() };
        let Some(agent) = found.history.agent else { return Vec::new() };
        let version = found.history.shown.as_ref().map(|shown| shown.id).or(found.history.version);
        let conversation = &mut found.conversation;
        let Some(first) = conversation.turns.first() else { return Vec::new() };
        let (first, started_at) = (first.job, first.sent_at);
        if conversation.kept.saving {
            conversation.kept.again = true;
            return Vec::new();
        }
        conversation.kept.saving = true;
        let id = conversation.kept.id;
        let new = Box::new(NewConversation { agent, version, started_at, transcript: transcript(conversation) });
        vec![Effect::History(HistoryEffect::SaveConversation { entry, first, id, new })]
    }

    pub(super) fn conversation_saved(
        &mut self,
        entry: EntryId,
        first: JobId,
        id: Option<ConversationId>,
    ) -> Vec<Effect> {
        let Some(found) = self.discovery.entry_mut(entry) else { return Vec::new() };
        let conversation = &mut found.conversation;
        // Another conversation may have begun meanwhile.
        if conversation.turns.first().is_none_or(|turn| turn.job != first) {
            return Vec::new();
        }
        let kept = &mut conversation.kept;
        kept.id = id.or(kept.id);
        kept.saving = false;
        if std::mem::take(&mut kept.again) { self.keep_conversation(entry) } else { Vec::new() }
    }
}

fn transcript(conversation: &Conversation) -> Transcript {
    Transcript {
        context_id: conversation.context_id.clone(),
        turns: conversation.turns.iter().map(turn_record).collect(),
    }
}

fn turn_record(turn: &Turn) -> TurnRecord {
    let (outcome, problem) = outcome(turn);
    TurnRecord {
        sent_at_ms: millis(turn.sent_at),
        card_sha256: turn.card_sha256.clone(),
        interface: InterfaceRecord {
            url: turn.endpoint.url.clone(),
            protocol_binding: turn.endpoint.binding.name().to_owned(),
            protocol_version: turn.endpoint.dialect.label().to_owned(),
            tenant: turn.endpoint.tenant.clone(),
            reason: turn.interface_reason.clone(),
        },
        sent: parts(&turn.request.message.parts),
        task_id: turn.task.as_ref().map(|task| task.id.clone()),
        timeline: turn.timeline.iter().map(event).collect(),
        artifacts: turn.task.iter().flat_map(|task| &task.artifacts).map(artifact).collect(),
        reply: turn.reply.as_ref().map(|reply| parts(&reply.parts)).unwrap_or_default(),
        outcome,
        problem,
    }
}

/// A word for how the turn ended, and a sentence if it failed.
fn outcome(turn: &Turn) -> (String, Option<String>) {
    let Progress::Over(ending) = &turn.progress else {
        return (turn.state().map_or("sending", |state| state.label()).to_owned(), None);
    };
    match ending {
        Ending::Replied => ("message".to_owned(), None),
        Ending::Task(state) => (state.label().to_owned(), None),
        Ending::Failed(error) => ("error".to_owned(), Some(error.to_string())),
        Ending::FollowingFailed(error) => ("following failed".to_owned(), Some(error.to_string())),
        Ending::BudgetSpent => ("not finished in time".to_owned(), None),
        Ending::Stopped => ("stopped".to_owned(), None),
    }
}

fn event(event: &super::TimelineEvent) -> EventRecord {
    let after_ms = u64::try_from(event.after.as_millis()).unwrap_or(u64::MAX);
    match &event.kind {
        TimelineKind::State { state, message } => EventRecord {
            after_ms,
            state: state.label().to_owned(),
            text: message.as_ref().map(crate::a2a::Message::text).unwrap_or_default(),
        },
        TimelineKind::Note(text) => EventRecord { after_ms, state: "note".to_owned(), text: text.clone() },
    }
}

fn artifact(artifact: &Artifact) -> ArtifactRecord {
    ArtifactRecord {
        artifact_id: artifact.artifact_id.clone(),
        name: artifact.name.clone(),
        parts: parts(&artifact.parts),
    }
}

fn parts(parts: &[Part]) -> Vec<PartRecord> {
    parts.iter().map(part).collect()
}

fn part(part: &Part) -> PartRecord {
    let (name, media_type) = (part.filename.clone(), part.media_type.clone());
    match &part.content {
        PartContent::Text(text) => PartRecord::Text { text: text.clone() },
        PartContent::Data(json) | PartContent::Unknown(json) => PartRecord::Data { json: json.as_str().to_owned() },
        PartContent::Url(url) => PartRecord::Link { name, media_type, url: url.clone() },
        PartContent::Raw(bytes) => PartRecord::File {
            name,
            media_type,
            bytes_len: bytes.len() as u64,
            base64: (bytes.len() <= MAX_KEPT_BYTES).then(|| base64::engine::general_purpose::STANDARD.encode(bytes)),
        },
        PartContent::Undecodable(text) => PartRecord::File {
            name,
            media_type,
            bytes_len: text.len() as u64,
            base64: (text.len() <= MAX_KEPT_BYTES).then(|| text.to_string()),
        },
    }
}

fn millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
