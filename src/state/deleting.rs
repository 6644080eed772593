//! Deleting what is kept: the question before it, and what is no longer offered after it.

use super::action::{Deletion, HistoryAction};
use super::earlier::EarlierConversations;
use super::effect::HistoryEffect;
use super::kept::InHistory;
use super::{Action, Choice, Effect, Question, State};
use crate::history::transcript::ConversationId;

impl State {
    /// What is deleted is no longer offered, and what is left is listed.
    pub(super) fn delete(&mut self, what: Deletion) -> Vec<Effect> {
        let agent = match what {
            Deletion::Conversation(conversation) => self.agent_of_conversation(conversation),
            // With its last version an agent goes, and its conversations.
            Deletion::Version(version) => self.kept.version(version).map(|version| version.agent),
            Deletion::Agent(_) | Deletion::Everything => None,
        };
        let agent = agent.filter(|agent| self.kept.conversations.contains_key(agent));
        let mut effects = self.forget(what);
        effects.push(Effect::History(HistoryEffect::Delete(what)));
        effects.extend(agent.map(|agent| self.list_conversations(agent)));
        effects
    }

    pub(super) fn deletion_question(&self, what: Deletion) -> Question {
        let agent_title = |id| self.kept.agent(id).map_or("this agent", |agent| &*agent.title);
        let (title, detail, label) = match what {
            Deletion::Conversation(conversation) => return self.conversation_question(conversation),
            Deletion::Version(version) => {
                let found = self.kept.versions.values().flatten().find(|found| found.id == version);
                let number = found.map(|version| format!(" {}", version.number)).unwrap_or_default();
                (format!("Delete version{number}?"), "Its bytes and how it was obtained are gone for good.", "Delete")
            }
            Deletion::Agent(agent) => (
                format!("Delete {} from the history?", agent_title(agent)),
                "All its versions, how each was obtained, and its conversations are gone for good.",
                "Delete",
            ),
            Deletion::Everything => (
                "Delete the whole history?".to_owned(),
                "Every agent with all versions and conversations is gone for good. What is open stays on screen.",
                "Delete everything",
            ),
        };
        question(title, detail.to_owned(), label, what)
    }

    fn conversation_question(&self, id: ConversationId) -> Question {
        let listed = self.kept.conversations.values().flat_map(|list| &list.page.conversations);
        let opened = self.discovery.entries.iter().filter_map(|entry| entry.earlier.opened());
        let mut records = listed.chain(opened.map(|opened| &opened.record));
        let title =
            records.find(|record| record.id == id).map(|record| &*record.title).filter(|title| !title.is_empty());
        let named = title.map_or_else(String::new, |title| format!("\u{201c}{title}\u{201d}\n"));
        let current = self.discovery.entries.iter().any(|entry| entry.conversation.saved.id == Some(id));
        let leaving = if current { " It is the current one: another one begins then." } else { "" };
        let detail = format!(
            "{named}Everything that was said in it is gone for good. The agent may have a record of its own.{leaving}"
        );
        question("Delete this conversation?".to_owned(), detail, "Delete", Deletion::Conversation(id))
    }

    /// What is deleted is no longer offered, although it may still be on screen.
    fn forget(&mut self, what: Deletion) -> Vec<Effect> {
        for entry in &mut self.discovery.entries {
            let history = &mut entry.history;
            match what {
                Deletion::Version(version) if history.version == Some(version) => history.version = None,
                Deletion::Version(version) if history.shown.as_ref().is_some_and(|shown| shown.id == version) => {
                    entry.show_current();
                }
                Deletion::Version(_) | Deletion::Conversation(_) => {}
                Deletion::Agent(agent) if history.agent != Some(agent) => {}
                Deletion::Agent(_) | Deletion::Everything => {
                    entry.show_current();
                    entry.history = InHistory::default();
                    entry.conversation.was_deleted();
                    entry.earlier = EarlierConversations::default();
                }
            }
        }
        match what {
            Deletion::Conversation(conversation) => return self.forget_conversation(conversation),
            Deletion::Version(version) => self.forget_version_of_conversations(version),
            Deletion::Agent(agent) => {
                self.kept.versions.remove(&agent);
                self.kept.conversations.remove(&agent);
                self.kept.unfolded.remove(&agent);
            }
            Deletion::Everything => {
                self.kept.versions.clear();
                self.kept.conversations.clear();
                self.kept.unfolded.clear();
            }
        }
        Vec::new()
    }
}

fn question(title: String, detail: String, label: &str, what: Deletion) -> Question {
    let delete = Action::History(HistoryAction::Delete(what));
    let choices = vec![
        Choice { label: label.to_owned(), actions: vec![delete] },
        Choice { label: "Cancel".to_owned(), actions: Vec::new() },
    ];
    Question { title, detail, facts: Vec::new(), choices, main: 0 }
}
