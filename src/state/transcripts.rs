//! Conversations as history keeps them: what was said, by which card and interface, and how it ended.

use std::time::{SystemTime, UNIX_EPOCH};

use super::conversation::{Conversation, Ending, Progress, TimelineKind, Turn};
use super::discovery::EntryId;
use super::effect::HistoryEffect;
use super::{Effect, JobId, State, TimelineEvent};
use crate::a2a::Part;
use crate::client::Endpoint;
use crate::history::transcript::{
    ArtifactRecord, ConversationId, EventRecord, InterfaceRecord, NOTE, NewConversation, PartRecord, Transcript,
    TurnRecord,
};

/// What history knows of a conversation.
#[derive(Debug, Default)]
pub struct SavedConversation {
    pub id: Option<ConversationId>,
    /// What was said last could not be saved.
    pub(super) has_failed: bool,
    /// So many turns were deleted from the history with all before them, and are not saved again.
    deleted: Option<usize>,
}

impl SavedConversation {
    /// One that history has under this id.
    pub(super) fn under(id: ConversationId) -> Self {
        Self { id: Some(id), ..Self::default() }
    }
}

impl State {
    /// Keeps the conversation of the turn `job` once that turn is over.
    pub(super) fn keep_conversation_of(&self, job: JobId) -> Vec<Effect> {
        self.keep_where(|turn| turn.job == job && !turn.is_running())
    }

    /// Keeps the conversation of the turn `job` as it stands: should the program end now, it is known how far it came.
    pub(super) fn keep_progress_of(&self, job: JobId) -> Vec<Effect> {
        self.keep_where(|turn| turn.job == job)
    }

    fn keep_where(&self, is_it: impl Fn(&Turn) -> bool) -> Vec<Effect> {
        let entry = self.discovery.entries.iter().find(|entry| entry.conversation.turns.iter().any(&is_it));
        entry.and_then(|entry| self.save(entry.id)).into_iter().collect()
    }

    /// Gives up what is under way in a conversation that another one is to replace; what was said so far is kept.
    pub(super) fn leave_conversation(&mut self, entry: EntryId) -> Vec<Effect> {
        let Some(found) = self.discovery.entry_mut(entry) else { return Vec::new() };
        let mut effects = found.conversation.abort_all();
        let was_running = found.conversation.stop().is_some();
        effects.extend(was_running.then(|| self.save(entry)).flatten());
        effects
    }

    /// Orders are carried out in turn, and history knows by the first turn which conversation it is.
    pub(super) fn save(&self, entry: EntryId) -> Option<Effect> {
        let found = self.discovery.entry(entry)?;
        let agent = found.history.agent?;
        let version = found.history.shown.as_ref().map(|shown| shown.id).or(found.history.version);
        let conversation = &found.conversation;
        let first = conversation.first_saved()?;
        let started_at = conversation.kept_before().map_or(first.sent_at, |earlier| earlier.record.started_at);
        let (first, id) = (first.job, conversation.saved.id);
        let new = Box::new(NewConversation { agent, version, started_at, transcript: transcript(conversation) });
        Some(Effect::History(HistoryEffect::SaveConversation { entry, first, id, new }))
    }

    pub(super) fn conversation_saved(
        &mut self,
        entry: EntryId,
        first: JobId,
        id: Option<ConversationId>,
    ) -> Vec<Effect> {
        let Some(found) = self.discovery.entry_mut(entry) else { return Vec::new() };
        // Another conversation may have begun meanwhile.
        if found.conversation.first_saved().is_some_and(|turn| turn.job == first) {
            let saved = &mut found.conversation.saved;
            saved.id = id.or(saved.id);
            saved.has_failed = id.is_none();
        }
        found.history.agent.map(|agent| self.list_conversations(agent)).into_iter().collect()
    }
}

impl Conversation {
    /// The first of the turns of this run that are saved.
    fn first_saved(&self) -> Option<&Turn> {
        self.turns.get(self.saved.deleted.unwrap_or(0))
    }

    /// What was said before this run, unless it was deleted.
    fn kept_before(&self) -> Option<&super::PastConversation> {
        self.earlier.as_deref().filter(|_| self.saved.deleted.is_none())
    }

    /// It was deleted from the history, but stays on screen.
    pub(super) fn was_deleted(&mut self) {
        self.saved = SavedConversation { deleted: Some(self.turns.len()), ..SavedConversation::default() };
    }
}

/// What was said, as history keeps it.
pub(super) fn transcript(conversation: &Conversation) -> Transcript {
    let before = conversation.kept_before().map(super::PastConversation::transcript).unwrap_or_default();
    let turns = conversation.turns.iter().skip(conversation.saved.deleted.unwrap_or(0)).map(turn_record);
    Transcript { context_id: conversation.context_id.clone(), turns: before.turns.into_iter().chain(turns).collect() }
}

fn turn_record(turn: &Turn) -> TurnRecord {
    let (outcome, problem) = outcome(turn);
    TurnRecord {
        sent_at_ms: millis(turn.sent_at),
        card_sha256: turn.card_sha256.clone(),
        interface: interface_record(&turn.endpoint, &turn.interface_reason),
        sent: parts(&turn.request.message.parts),
        task_id: turn.task.as_ref().map(|task| task.id.clone()),
        timeline: turn.timeline.iter().map(event_record).collect(),
        artifacts: turn.task.iter().flat_map(|task| &task.artifacts).map(ArtifactRecord::from).collect(),
        reply: turn.reply.as_ref().map(|reply| parts(&reply.parts)).unwrap_or_default(),
        outcome,
        problem,
        ended_after_ms: turn.ended_after.map(|after| u64::try_from(after.as_millis()).unwrap_or(u64::MAX)),
        polls: turn.polls,
        deviations: turn.deviations.clone(),
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

/// An event as history keeps it.
#[must_use]
pub fn event_record(event: &TimelineEvent) -> EventRecord {
    let (state, text) = match &event.kind {
        TimelineKind::State { state, message } => {
            (state.label().to_owned(), message.as_ref().map(crate::a2a::Message::text).unwrap_or_default())
        }
        TimelineKind::Note(text) => (NOTE.to_owned(), text.clone()),
    };
    EventRecord { after_ms: u64::try_from(event.after.as_millis()).unwrap_or(u64::MAX), state, text }
}

/// Where a message went, as history keeps it.
#[must_use]
pub fn interface_record(endpoint: &Endpoint, reason: &str) -> InterfaceRecord {
    InterfaceRecord {
        url: endpoint.url.clone(),
        protocol_binding: endpoint.binding.name().to_owned(),
        protocol_version: endpoint.dialect.label().to_owned(),
        tenant: endpoint.tenant.clone(),
        reason: reason.to_owned(),
    }
}

fn parts(parts: &[Part]) -> Vec<PartRecord> {
    parts.iter().map(PartRecord::from).collect()
}

/// Milliseconds since 1970.
#[must_use]
pub fn millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
