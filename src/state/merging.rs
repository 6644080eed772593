//! Entries that turn out to be one agent, as history knows it, become one.

use std::sync::Arc;

use super::comparison::SideRef;
use super::discovery::{AgentEntry, EntryId};
use super::{Conversation, Effect, State};

impl State {
    /// The same agent may be opened under several spellings of its address; only history knows that it is the same.
    /// What was recorded last goes into the entry that was there before. Gives the entry that stays.
    pub(super) fn merge_with_older(&mut self, newest: EntryId) -> (EntryId, Vec<Effect>) {
        let agent = self.discovery.entry(newest).and_then(|entry| entry.history.agent);
        let is_same = |entry: &&AgentEntry| entry.id != newest && agent.is_some() && entry.history.agent == agent;
        let Some(older) = self.discovery.entries.iter().find(is_same).map(|entry| entry.id) else {
            return (newest, Vec::new());
        };
        let goes_on = self.conversation_that_goes_on(older, newest);
        let given_up = if goes_on == newest { older } else { newest };
        let mut effects = self.leave_conversation(given_up);
        if given_up == newest {
            // What was said before it was known with whom.
            effects.extend(self.save(newest));
        }
        self.merge(older, newest, goes_on);
        (older, effects)
    }

    /// The entry whose conversation is kept on screen: one under way, or else what was said last.
    fn conversation_that_goes_on(&self, older: EntryId, newest: EntryId) -> EntryId {
        let talk = |id| self.discovery.entry(id).map(|entry| &entry.conversation);
        let runs = |id| talk(id).is_some_and(|talk| talk.running_turn().is_some());
        let has_begun = talk(newest).is_some_and(Conversation::has_begun);
        if has_begun && (runs(newest) || !runs(older)) { newest } else { older }
    }

    fn merge(&mut self, older: EntryId, newest: EntryId, goes_on: EntryId) {
        let Some(at) = self.discovery.entries.iter().position(|entry| entry.id == newest) else { return };
        let newest_entry = self.discovery.entries.remove(at);
        let Some(at) = self.discovery.entries.iter().position(|entry| entry.id == older) else { return };
        let (current, selection) = (self.discovery.current, self.selection.clone());
        self.rename_entry(newest, older);
        let brings_card = newest_entry.retrieval.found_card || !self.discovery.entries[at].retrieval.found_card;
        self.update_entry(at, Arc::clone(&newest_entry.retrieval), newest_entry.inspection.clone());
        if let Some(entry) = self.discovery.entry_mut(older) {
            if brings_card {
                entry.address = newest_entry.address;
                entry.shown_attempt = newest_entry.shown_attempt;
                entry.history = newest_entry.history;
            }
            if goes_on == newest {
                entry.conversation = newest_entry.conversation;
                entry.earlier = newest_entry.earlier;
            }
        }
        if current != Some(newest) {
            self.discovery.current = current;
        }
        if current != Some(older) {
            // It is of another agent, or of the newest card, which stays on screen.
            self.selection = selection;
        }
    }

    /// Whatever names the entry `from` means `to` from now on.
    fn rename_entry(&mut self, from: EntryId, to: EntryId) {
        let rename = |id: &mut EntryId| {
            if *id == from {
                *id = to;
            }
        };
        let discovery = &mut self.discovery;
        if let Some((_, id, _)) = &mut discovery.judging {
            rename(id);
        }
        if let Some((_, id)) = &mut discovery.extending {
            rename(id);
        }
        self.comparison.replace_side(SideRef::Entry(from), SideRef::Entry(to));
        self.forget_sides_of(from);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD_URL, answer_with_task, json_rpc, open, send, state_with, task};
    use super::*;
    use crate::a2a::TaskState;
    use crate::history::records::{AgentId, Recorded, RetrievalId, VersionId};
    use crate::state::{Action, HistoryOutcome, Outcome};

    const OTHER_SPELLING: &str = "pub.example";

    /// History has recorded the newest entry as its first agent.
    fn record(state: &mut State, entry: EntryId) -> Vec<Effect> {
        let recorded = Recorded {
            retrieval: RetrievalId(1),
            agent: AgentId(1),
            is_new_agent: false,
            version: Some(VersionId(1)),
            is_new_version: false,
            previous: None,
            same_meaning_as: None,
            content_changed_version_did_not: false,
        };
        state.absorb(Outcome::History(HistoryOutcome::Recorded { entry: Some(entry), recorded, change: None }))
    }

    fn current(state: &State) -> EntryId {
        state.discovery.current.unwrap()
    }

    /// The agent is open, and something was opened after it.
    fn agent_and_another() -> (State, EntryId) {
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let agent = current(&state);
        let _ = record(&mut state, agent);
        open(&mut state, "b.example", "{\"b\":1}", Vec::new());
        (state, agent)
    }

    #[test]
    fn another_spelling_of_an_address_is_the_same_entry_once_history_says_so() {
        let (mut state, agent) = agent_and_another();
        let _ = state.apply(Action::SelectAgent { entry: agent });
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t", TaskState::Working, &[])));
        open(&mut state, OTHER_SPELLING, "{\"v\":2}", vec![json_rpc("https://pub.example/rpc")]);
        assert_eq!(state.discovery.entries.len(), 3, "not known yet");
        let newest = current(&state);
        let effects = record(&mut state, newest);

        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Abort { .. })), "{effects:?}");
        let addresses: Vec<&str> = state.discovery.entries.iter().map(|entry| &*entry.address).collect();
        assert_eq!(addresses, [OTHER_SPELLING, "b.example"]);
        let entry = state.discovery.current_entry().unwrap();
        assert_eq!(entry.id, agent);
        assert_eq!(entry.inspection.as_ref().unwrap().document.text(), "{\"v\":2}", "the newest card");
        assert_eq!(entry.conversation.running_turn().unwrap().job, job, "the conversation goes on");
        assert!(state.previous_of(agent).is_some(), "the card before can be compared with");
    }

    #[test]
    fn what_was_chosen_meanwhile_stays_on_screen() {
        let (mut state, agent) = agent_and_another();
        let other = current(&state);
        open(&mut state, OTHER_SPELLING, "{}", vec![json_rpc("https://pub.example/rpc")]);
        let newest = current(&state);
        let _ = state.apply(Action::SelectAgent { entry: other });
        state.compare(SideRef::Entry(newest), SideRef::Entry(other));
        let _ = record(&mut state, newest);
        assert_eq!(current(&state), other);
        assert_eq!(state.comparison.pair(other).older, Some(SideRef::Entry(agent)), "a side is not lost");
    }

    #[test]
    fn what_was_said_under_the_newer_spelling_goes_on_as_well() {
        let (mut state, agent) = agent_and_another();
        open(&mut state, OTHER_SPELLING, "{}", vec![json_rpc("https://pub.example/rpc")]);
        let (job, _) = send(&mut state, "hello");
        let newest = current(&state);
        let effects = record(&mut state, newest);
        assert_eq!(current(&state), agent);
        assert_eq!(state.discovery.current_entry().unwrap().conversation.turns[0].job, job);
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Abort { .. })), "{effects:?}");
    }

    #[test]
    fn a_spelling_that_fails_leaves_the_card() {
        let (mut state, agent) = agent_and_another();
        open(&mut state, OTHER_SPELLING, "", Vec::new());
        let newest = current(&state);
        let _ = record(&mut state, newest);
        let entry = state.discovery.entry(agent).unwrap();
        assert_eq!((&*entry.address, entry.retrieval.found_card), (CARD_URL, true));
        assert_eq!((current(&state), state.discovery.entries.len()), (agent, 2));
        assert!(state.notices.iter().any(|notice| notice.title.contains("could not be fetched again")));
    }
}
