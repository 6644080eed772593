//! What the user does with earlier conversations, and what comes back: listing, opening, continuing, forgetting.

use std::sync::Arc;

use super::action::EarlierAction;
use super::conversation::{Conversation, SavedConversation};
use super::earlier::{PAGE, PastConversation, ShownConversation};
use super::effect::HistoryEffect;
use super::{Action, Choice, Effect, JobId, Question, State};
use crate::history::records::{AgentId, VersionId};
use crate::history::transcript::{ConversationId, ConversationPage, KeptConversation};

impl State {
    pub(super) fn apply_earlier(&mut self, action: EarlierAction) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        let agent = entry.history.agent;
        match action {
            EarlierAction::ShowList => {
                entry.earlier.shown = ShownConversation::List;
                // Another program may have added some.
                agent.map(|agent| self.list_conversations(agent)).into_iter().collect()
            }
            EarlierAction::ShowCurrent => {
                entry.earlier.opening = None;
                entry.earlier.shown = ShownConversation::Current;
                Vec::new()
            }
            EarlierAction::ShowMore => {
                let Some(agent) = agent else { return Vec::new() };
                let list = self.kept.conversations.entry(agent).or_default();
                list.limit = list.limit.saturating_add(PAGE);
                vec![self.list_conversations(agent)]
            }
            EarlierAction::Open { conversation } => self.open_conversation(conversation),
            EarlierAction::Continue { although_unsaved: false } if entry.conversation.saved.has_failed => {
                self.question = Some(loss_question());
                Vec::new()
            }
            EarlierAction::Continue { .. } => self.continue_conversation(),
        }
    }

    /// Asks for the conversations with `agent`, as many as were asked for before.
    pub(super) fn list_conversations(&self, agent: AgentId) -> Effect {
        let limit = self.kept.conversations.get(&agent).map_or(PAGE, |list| list.limit);
        Effect::History(HistoryEffect::ListConversations { agent, limit })
    }

    pub(super) fn conversations_listed(&mut self, agent: AgentId, page: ConversationPage) {
        self.kept.conversations.entry(agent).or_default().page = page;
    }

    fn open_conversation(&mut self, conversation: ConversationId) -> Vec<Effect> {
        let job = self.next_job();
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        if entry.conversation.saved.id == Some(conversation) {
            entry.earlier.shown = ShownConversation::Current;
            return Vec::new();
        }
        entry.earlier.opening = Some(job);
        vec![Effect::History(HistoryEffect::OpenConversation { job, conversation })]
    }

    pub(super) fn conversation_opened(&mut self, job: JobId, kept: Option<KeptConversation>) -> Vec<Effect> {
        let opens = |entry: &&mut super::AgentEntry| entry.earlier.opening == Some(job);
        let Some(entry) = self.discovery.entries.iter_mut().find(opens) else { return Vec::new() };
        entry.earlier.opening = None;
        if let Some(kept) = kept {
            entry.earlier.shown = ShownConversation::Opened(Arc::new(PastConversation::new(kept)));
            return Vec::new();
        }
        entry.earlier.shown = ShownConversation::List;
        entry.history.agent.map(|agent| self.list_conversations(agent)).into_iter().collect()
    }

    /// The opened conversation is the current one from now on; nothing is sent for that.
    fn continue_conversation(&mut self) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        let Some(past) = entry.earlier.opened().filter(|past| past.can_be_continued()).map(Arc::clone) else {
            return Vec::new();
        };
        let id = entry.id;
        let effects = self.leave_conversation(id);
        if let Some(entry) = self.discovery.entry_mut(id) {
            entry.conversation = Conversation {
                context_id: past.context_id.clone(),
                open_task: past.transcript().open_task(),
                saved: SavedConversation::under(past.record.id),
                earlier: Some(past),
                ..entry.conversation.begun_anew()
            };
            entry.earlier.shown = ShownConversation::Current;
        }
        effects
    }

    /// What is deleted is offered no longer. Where it is the current conversation, another one begins: otherwise the
    /// next turn would bring back what was deleted.
    pub(super) fn forget_conversation(&mut self, conversation: ConversationId) -> Vec<Effect> {
        let mut effects = Vec::new();
        for entry in &mut self.discovery.entries {
            entry.earlier.forget(conversation);
            if entry.conversation.saved.id == Some(conversation) {
                effects.extend(entry.conversation.abort_all());
                entry.conversation = entry.conversation.begun_anew();
            }
        }
        for list in self.kept.conversations.values_mut() {
            let before = list.page.conversations.len();
            list.page.conversations.retain(|record| record.id != conversation);
            let gone = before - list.page.conversations.len();
            list.page.total = list.page.total.saturating_sub(u32::try_from(gone).unwrap_or(0));
        }
        effects
    }

    /// The agent with which a conversation was held, as far as it is known here.
    pub(super) fn agent_of_conversation(&self, conversation: ConversationId) -> Option<AgentId> {
        let lists = self.kept.conversations.iter();
        let listed = lists.filter(|(_, list)| list.page.conversations.iter().any(|record| record.id == conversation));
        let opened = self.discovery.entries.iter().filter_map(|entry| entry.earlier.opened());
        let opened = opened.filter(|opened| opened.record.id == conversation).map(|opened| opened.record.agent);
        listed.map(|(agent, _)| *agent).chain(opened).next()
    }

    /// Conversations that used a version say that it was deleted.
    pub(super) fn forget_version_of_conversations(&mut self, version: VersionId) {
        for entry in &mut self.discovery.entries {
            let opened = match &mut entry.earlier.shown {
                ShownConversation::Opened(opened) => Some(opened),
                ShownConversation::Current | ShownConversation::List => None,
            };
            for past in opened.into_iter().chain(&mut entry.conversation.earlier) {
                let used = |card: &&mut crate::history::transcript::CardUse| {
                    card.version.as_ref().is_some_and(|found| found.id == version)
                };
                Arc::make_mut(past).cards.iter_mut().filter(used).for_each(|card| card.version = None);
            }
        }
    }
}

fn loss_question() -> Question {
    let go_on = Action::Earlier(EarlierAction::Continue { although_unsaved: true });
    let choices = vec![
        Choice { label: "Continue the other one".to_owned(), actions: vec![go_on] },
        Choice { label: "Cancel".to_owned(), actions: Vec::new() },
    ];
    Question {
        title: "The current conversation could not be saved".to_owned(),
        detail: "It is gone when the other one takes its place. It can be copied as Markdown before.".to_owned(),
        facts: Vec::new(),
        choices,
        // What loses nothing.
        main: 1,
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::super::testing::{answer_with_task, converse, json_rpc, send, state_with, task};
    use super::*;
    use crate::a2a::TaskState;
    use crate::history::records::Recorded;
    use crate::history::transcript::{
        ConversationRecord, EventRecord, NewConversation, PartRecord, Transcript, TurnRecord,
    };
    use crate::history::{RetrievalId, VersionId};
    use crate::state::{ConversationAction, Deletion, HistoryAction, HistoryOutcome, Outcome};

    const AGENT: AgentId = AgentId(7);

    /// A model whose agent is kept.
    fn state() -> State {
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let recorded = Recorded {
            retrieval: RetrievalId(1),
            agent: AGENT,
            is_new_agent: true,
            version: Some(VersionId(1)),
            is_new_version: true,
            previous: None,
            same_meaning_as: None,
            content_changed_version_did_not: false,
        };
        let entry = state.discovery.current;
        let listing = state.absorb(Outcome::History(HistoryOutcome::Recorded { entry, recorded, change: None }));
        assert!(
            matches!(listing[..], [Effect::History(HistoryEffect::ListConversations { agent: AGENT, limit: PAGE })]),
            "{listing:?}"
        );
        state
    }

    fn record(id: i64) -> ConversationRecord {
        ConversationRecord {
            id: ConversationId(id),
            agent: AGENT,
            version: None,
            started_at: UNIX_EPOCH,
            changed_at: UNIX_EPOCH,
            title: "how many jars?".to_owned(),
            outcome: "input-required".to_owned(),
            turns: 1,
        }
    }

    /// A conversation of one turn, whose task waits.
    fn kept(context_id: Option<&str>) -> KeptConversation {
        let event = EventRecord { state: "input-required".to_owned(), ..EventRecord::default() };
        let text = "how many jars?".to_owned();
        let turn = TurnRecord {
            sent: vec![PartRecord::Text { text, name: None, media_type: None }],
            task_id: Some("t9".to_owned()),
            timeline: vec![event],
            outcome: "input-required".to_owned(),
            ..TurnRecord::default()
        };
        let transcript = Transcript { context_id: context_id.map(str::to_owned), turns: vec![turn] };
        KeptConversation { record: record(3), transcript, cards: Vec::new() }
    }

    fn earlier(state: &mut State, action: EarlierAction) -> Vec<Effect> {
        state.apply(Action::Earlier(action))
    }

    fn open(state: &mut State, kept: Option<KeptConversation>) -> Vec<Effect> {
        let _ = earlier(state, EarlierAction::ShowList);
        let effects = earlier(state, EarlierAction::Open { conversation: ConversationId(3) });
        let [Effect::History(HistoryEffect::OpenConversation { job, conversation: ConversationId(3) })] = effects[..]
        else {
            panic!("{effects:?}")
        };
        let kept = kept.map(Box::new);
        state.absorb(Outcome::History(HistoryOutcome::ConversationOpened { job, kept }))
    }

    fn list(state: &mut State, ids: &[i64], total: u32) {
        let page = ConversationPage { conversations: ids.iter().map(|id| record(*id)).collect(), total };
        let _ = state.absorb(Outcome::History(HistoryOutcome::ConversationsListed { agent: AGENT, page }));
    }

    fn entry(state: &State) -> &super::super::AgentEntry {
        state.discovery.current_entry().unwrap()
    }

    fn saved(effects: &[Effect]) -> (Option<ConversationId>, &NewConversation) {
        let save = effects.iter().find_map(|effect| match effect {
            Effect::History(HistoryEffect::SaveConversation { id, new, .. }) => Some((*id, &**new)),
            _ => None,
        });
        save.unwrap_or_else(|| panic!("nothing is saved: {effects:?}"))
    }

    #[test]
    fn a_continued_conversation_carries_its_context_and_is_saved_into_the_same_record() {
        let mut state = state();
        assert!(open(&mut state, Some(kept(Some("c9")))).is_empty());
        assert_eq!(entry(&state).earlier.opened().map(|opened| opened.record.id), Some(ConversationId(3)));
        assert!(
            earlier(&mut state, EarlierAction::Continue { although_unsaved: false }).is_empty(),
            "nothing is sent for that"
        );
        assert!(matches!(entry(&state).earlier.shown, ShownConversation::Current));
        let (job, effect) = send(&mut state, "four");
        let Effect::SendMessage { request, .. } = effect else { panic!() };
        assert_eq!(request.message.context_id.as_deref(), Some("c9"));
        assert_eq!(request.message.task_id.as_deref(), Some("t9"), "the task waits");
        let effects = state.absorb(answer_with_task(job, task("t9", TaskState::Completed, &[("a1", "4 jars")])));
        let (id, new) = saved(&effects);
        assert_eq!((id, new.started_at, new.transcript.turns.len()), (Some(ConversationId(3)), UNIX_EPOCH, 2));
        assert_eq!(new.transcript.turns[0], kept(None).transcript.turns[0], "what was said before stays as it was");
        // And the next message starts no task anew.
        let (_, effect) = send(&mut state, "thanks");
        let Effect::SendMessage { request, .. } = effect else { panic!() };
        assert_eq!(request.message.task_id, None);
    }

    #[test]
    fn without_a_context_there_is_nothing_to_continue_and_what_is_gone_leaves_the_list() {
        let mut state = state();
        let _ = open(&mut state, Some(kept(None)));
        assert!(earlier(&mut state, EarlierAction::Continue { although_unsaved: false }).is_empty());
        assert!(entry(&state).earlier.opened().is_some() && entry(&state).conversation.earlier.is_none());
        let effects = open(&mut state, None);
        assert!(matches!(effects[..], [Effect::History(HistoryEffect::ListConversations { .. })]), "{effects:?}");
        assert!(matches!(entry(&state).earlier.shown, ShownConversation::List));
    }

    #[test]
    fn what_is_under_way_is_stopped_and_kept_when_another_conversation_takes_its_place() {
        for replace in [None, Some(Action::Conversation(ConversationAction::NewConversation))] {
            let mut state = state();
            let (job, _) = send(&mut state, "hello");
            let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
            let _ = open(&mut state, Some(kept(Some("c9"))));
            let effects =
                state.apply(replace.unwrap_or(Action::Earlier(EarlierAction::Continue { although_unsaved: false })));
            assert!(matches!(effects[0], Effect::Abort { job: aborted } if aborted == job), "{effects:?}");
            assert_eq!(saved(&effects).1.transcript.turns[0].outcome, "stopped");
            assert!(entry(&state).conversation.turns.is_empty());
        }
    }

    #[test]
    fn a_message_is_kept_before_it_goes_out_and_its_task_as_soon_as_it_is_known() {
        let mut state = state();
        let effects = converse(&mut state, ConversationAction::Send(super::super::testing::draft("hello")));
        assert_eq!(saved(&effects).1.transcript.turns[0].outcome, "sending");
        let [_, Effect::SendMessage { job, .. }] = effects[..] else { panic!("{effects:?}") };
        let effects = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
        let turn = &saved(&effects).1.transcript.turns[0];
        assert_eq!((turn.task_id.as_deref(), &*turn.outcome), (Some("t1"), "working"));
        let polled = state.absorb(super::super::testing::update(job, task("t1", TaskState::Working, &[])));
        assert!(polled.is_empty(), "polls alone are no news: {polled:?}");
    }

    #[test]
    fn the_user_is_asked_where_the_current_conversation_would_be_lost() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let effects = state.absorb(answer_with_task(job, task("t1", TaskState::Completed, &[])));
        let [Effect::History(HistoryEffect::SaveConversation { entry: of, first, .. })] = effects[..] else {
            panic!("{effects:?}")
        };
        let saved = HistoryOutcome::ConversationSaved { entry: of, first, id: None };
        let _ = state.absorb(Outcome::History(saved));
        let _ = open(&mut state, Some(kept(Some("c9"))));
        assert!(earlier(&mut state, EarlierAction::Continue { although_unsaved: false }).is_empty());
        assert!(state.question.is_some() && entry(&state).conversation.earlier.is_none());
        let _ = state.apply(Action::AnswerQuestion { choice: 0 });
        assert!(entry(&state).conversation.earlier.is_some());
    }

    #[test]
    fn sending_shows_where_the_message_goes() {
        let mut state = state();
        let _ = open(&mut state, Some(kept(Some("c9"))));
        let (_, effect) = send(&mut state, "hello");
        let Effect::SendMessage { request, .. } = effect else { panic!() };
        assert_eq!(request.message.context_id, None, "the opened one is only read");
        assert!(matches!(entry(&state).earlier.shown, ShownConversation::Current));
    }

    #[test]
    fn more_are_listed_when_asked_for() {
        let mut state = state();
        list(&mut state, &[3, 2], 40);
        let effects = earlier(&mut state, EarlierAction::ShowMore);
        assert!(matches!(effects[..], [Effect::History(HistoryEffect::ListConversations { limit: 60, .. })]));
        let effects = earlier(&mut state, EarlierAction::ShowList);
        assert!(matches!(effects[..], [Effect::History(HistoryEffect::ListConversations { limit: 60, .. })]));
    }

    #[test]
    fn a_deleted_conversation_is_left_and_does_not_come_back() {
        let mut state = state();
        list(&mut state, &[3, 2], 2);
        let _ = open(&mut state, Some(kept(Some("c9"))));
        let _ = earlier(&mut state, EarlierAction::Continue { although_unsaved: false });
        let _ = earlier(&mut state, EarlierAction::ShowList);
        assert!(earlier(&mut state, EarlierAction::Open { conversation: ConversationId(3) }).is_empty());
        assert!(matches!(entry(&state).earlier.shown, ShownConversation::Current), "it is the current one");
        let delete = Deletion::Conversation(ConversationId(3));
        let _ = state.apply(Action::History(HistoryAction::AskToDelete(delete)));
        assert!(state.question.as_ref().is_some_and(|question| question.detail.contains("how many jars?")));
        let effects = state.apply(Action::AnswerQuestion { choice: 0 });
        assert!(
            matches!(
                effects[..],
                [
                    Effect::History(HistoryEffect::Delete(Deletion::Conversation(ConversationId(3)))),
                    Effect::History(HistoryEffect::ListConversations { .. })
                ]
            ),
            "{effects:?}"
        );
        let conversation = &entry(&state).conversation;
        assert!(conversation.earlier.is_none() && !conversation.has_begun(), "the next turn would bring it back");
        assert_eq!(state.kept.conversations[&AGENT].page.total, 1);
    }

    #[test]
    fn a_deleted_agent_takes_what_was_said_along_and_only_later_turns_are_kept() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let effects = state.absorb(answer_with_task(job, task("t1", TaskState::Completed, &[])));
        assert_eq!(saved(&effects).0, None);
        let _ = state.apply(Action::History(HistoryAction::Delete(Deletion::Agent(AGENT))));
        assert_eq!(entry(&state).conversation.turns.len(), 1, "it stays on screen");
        state.discovery.current_entry_mut().unwrap().history.agent = Some(AgentId(8));
        let (job, _) = send(&mut state, "again");
        let effects = state.absorb(answer_with_task(job, task("t2", TaskState::Completed, &[])));
        let (id, new) = saved(&effects);
        assert_eq!((id, new.transcript.turns.len(), new.transcript.title()), (None, 1, "again".to_owned()));
    }

    #[test]
    fn a_task_that_was_cancelled_is_kept_as_such() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
        let effects = converse(&mut state, ConversationAction::CancelTask);
        let [Effect::CancelTask { job: cancel, .. }] = effects[..] else { panic!("{effects:?}") };
        let answer = super::super::testing::answered(task("t1", TaskState::Canceled, &[]));
        let effects = state.absorb(Outcome::TaskCancelAnswered { job: cancel, result: Ok(answer) });
        assert_eq!(saved(&effects).1.transcript.turns[0].outcome, "canceled");
    }
}
