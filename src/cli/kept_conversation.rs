//! What `cardscope send` says, kept in the history as the window keeps its conversations.

use std::time::SystemTime;

use super::kept::Kept;
use super::output;
use crate::history::transcript::{ConversationId, NewConversation, Transcript, TurnRecord};
use crate::history::{AgentId, History, HistoryError};

/// The conversation that a command's one turn belongs to.
pub(super) struct KeptConversation {
    id: Option<ConversationId>,
    started_at: SystemTime,
    /// What was said before.
    before: Vec<TurnRecord>,
}

impl KeptConversation {
    /// A new one; or, where a context is given, the one that was kept of it.
    ///
    /// # Errors
    /// The history cannot be read.
    fn of_context(history: &History, agent: AgentId, context_id: Option<&str>) -> Result<Self, HistoryError> {
        let known = match context_id {
            Some(context_id) => history.conversation_of_context(agent, context_id)?,
            None => None,
        };
        let kept = known.map(|id| history.conversation(id)).transpose()?.flatten();
        Ok(match kept {
            Some(kept) => {
                Self { id: Some(kept.record.id), started_at: kept.record.started_at, before: kept.transcript.turns }
            }
            None => Self { id: None, started_at: SystemTime::now(), before: Vec::new() },
        })
    }
}

impl Kept {
    /// Finds or begins the conversation with the agent that was obtained last; `None` where nothing is kept.
    pub(super) fn conversation(&self, context_id: Option<&str>) -> Option<KeptConversation> {
        let (history, (agent, _)) = (self.history.as_ref().ok()?, self.obtained?);
        let found = KeptConversation::of_context(history, agent, context_id);
        found.map_err(|error| not_saved(&error)).ok()
    }

    /// Saves the turn as it stands, in the place of what was saved of it before.
    pub(super) fn save_turn(
        &mut self,
        conversation: &mut KeptConversation,
        turn: TurnRecord,
        context_id: Option<String>,
    ) {
        let (Ok(history), Some((agent, version))) = (&mut self.history, self.obtained) else { return };
        let mut turns = conversation.before.clone();
        turns.push(turn);
        let transcript = Transcript { context_id, turns };
        let new = NewConversation { agent, version, started_at: conversation.started_at, transcript };
        match history.save_conversation(conversation.id, &new) {
            Ok(id) => conversation.id = Some(id),
            Err(error) => not_saved(&error),
        }
    }
}

fn not_saved(error: &HistoryError) {
    output::note(&format!("cardscope: {error} The conversation is not saved."));
}
