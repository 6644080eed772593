//! What the user does in the Message view: sending, stopping, canceling, following again, choosing.

use super::action::ConversationAction;
use super::conversation::{Conversation, Ending, Progress};
use super::earlier::ShownConversation;
use super::{Effect, JobId, State};

impl State {
    pub(super) fn apply_conversation(&mut self, action: ConversationAction) -> Vec<Effect> {
        match action {
            ConversationAction::Send(draft) => return self.send(draft),
            ConversationAction::ResendInOtherDialect { turn } => return self.resend_in_other_dialect(turn),
            ConversationAction::ResendWhereRedirected { turn } => return self.resend_where_redirected(turn),
            ConversationAction::CancelTask => return self.cancel_task(),
            ConversationAction::FollowAgain { turn } => return self.follow_again(turn),
            _ => {}
        }
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        let id = entry.id;
        let conversation = &mut entry.conversation;
        match action {
            ConversationAction::Stop => {
                let Some(stopped) = conversation.stop() else { return Vec::new() };
                let job = conversation.turns.last().map(|turn| turn.job);
                let mut effects = vec![stopped];
                effects.extend(job.into_iter().flat_map(|job| self.keep_conversation_of(job)));
                return effects;
            }
            ConversationAction::NewConversation => {
                let effects = self.leave_conversation(id);
                if let Some(entry) = self.discovery.entry_mut(id) {
                    entry.conversation = entry.conversation.begun_anew();
                    entry.earlier.shown = ShownConversation::Current;
                }
                return effects;
            }
            ConversationAction::ChooseInterface { row } => conversation.interface = row,
            ConversationAction::UseSuggestedAddress { row } => {
                let interface = entry.inspection.as_ref().and_then(|card| card.interfaces.rows.get(row));
                let suggestion = interface.and_then(|interface| interface.flag.as_ref()?.suggestion.clone());
                conversation.addresses.extend(suggestion.map(|suggestion| (row, suggestion)));
            }
            ConversationAction::ConfirmInterface { row } => remember(&mut conversation.confirmed, row),
            _ => {}
        }
        Vec::new()
    }

    fn cancel_task(&mut self) -> Vec<Effect> {
        let job = self.next_job();
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        let Some(turn) = entry.conversation.turns.last_mut().filter(|turn| turn.can_cancel_task()) else {
            return Vec::new();
        };
        let Some(task_id) = turn.task.as_ref().map(|task| task.id.clone()) else { return Vec::new() };
        turn.cancel_job = Some(job);
        turn.cancel_problem = None;
        let endpoint = turn.endpoint.clone();
        let credentials = self.credentials_for(&endpoint.url);
        vec![Effect::CancelTask { job, endpoint, task_id, credentials }]
    }

    fn follow_again(&mut self, turn: JobId) -> Vec<Effect> {
        let job = self.next_job();
        let budget = self.settings.poll_budget();
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        // Only the newest turn runs: an older task would write into the conversation behind its back.
        let Some(turn) = entry.conversation.turns.last_mut().filter(|last| last.job == turn) else {
            return Vec::new();
        };
        if !turn.can_follow_again() {
            return Vec::new();
        }
        let Some(task_id) = turn.task.as_ref().map(|task| task.id.clone()) else { return Vec::new() };
        turn.job = job;
        turn.progress = Progress::Following;
        turn.ended_after = None;
        let endpoint = turn.endpoint.clone();
        let credentials = self.credentials_for(&endpoint.url);
        vec![Effect::FollowTask { job, endpoint, task_id, credentials, budget }]
    }
}

impl Conversation {
    /// Stops waiting for the newest turn; the agent is told nothing.
    pub(super) fn stop(&mut self) -> Option<Effect> {
        let turn = self.turns.last_mut().filter(|turn| turn.is_running())?;
        turn.end(Ending::Stopped);
        Some(Effect::Abort { job: turn.job })
    }
}

fn remember(rows: &mut Vec<usize>, row: usize) {
    if !rows.contains(&row) {
        rows.push(row);
    }
}
