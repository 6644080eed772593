//! Deleting what is kept: the question before it, and what is no longer offered after it.

use super::action::{Deletion, HistoryAction};
use super::earlier::EarlierConversations;
use super::effect::HistoryEffect;
use super::kept::InHistory;
use super::{Action, Choice, Effect, Question, State};
use crate::history::records::{AgentId, AgentRecord, AskedAs, VersionId};
use crate::history::transcript::ConversationId;

impl State {
    /// The agent whose only version is to be deleted.
    fn agent_that_goes_with(&self, what: Deletion) -> Option<AgentId> {
        let Deletion::Version(version) = what else { return None };
        let agent = self.kept.version(version)?.agent;
        self.kept.agent(agent).is_some_and(|agent| agent.versions == 1).then_some(agent)
    }

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
        match what {
            Deletion::Conversation(conversation) => self.conversation_question(conversation),
            Deletion::Version(version) => self.version_question(version),
            Deletion::Agent(id) => {
                let agent = self.kept.agent(id);
                let title = agent.map_or("this agent", |agent| &*agent.title);
                let mut facts = agent.map(agent_facts).unwrap_or_default();
                facts.extend(agent.map(|agent| ("versions", agent.versions.to_string())));
                facts.push(("conversations", self.conversations_with(id).to_string()));
                Question {
                    facts,
                    ..question(
                        format!("Delete {title} from the history?"),
                        "All its versions, how each was obtained, and its conversations are gone for good.",
                        what,
                    )
                }
            }
            Deletion::Everything => question(
                "Delete the whole history?",
                "Every agent with all versions and conversations is gone for good. What is open stays on screen.",
                what,
            ),
        }
    }

    fn version_question(&self, id: VersionId) -> Question {
        let mut detail = "Its bytes and how it was obtained are gone for good.".to_owned();
        let Some(version) = self.kept.version(id) else {
            return question("Delete this version?", detail, Deletion::Version(id));
        };
        let agent = self.kept.agent(version.agent);
        let mut facts = agent.map(agent_facts).unwrap_or_default();
        facts.insert(0, ("agent", version.title.clone()));
        facts.extend(version.agent_version.clone().map(|own| ("its version", own)));
        if agent.is_some_and(|agent| agent.versions == 1) {
            detail.push_str(" It is the only one that is kept: the agent and its conversations go with it.");
            facts.push(("conversations", self.conversations_with(version.agent).to_string()));
        }
        Question { facts, ..question(format!("Delete version {}?", version.number), detail, Deletion::Version(id)) }
    }

    /// How many conversations go with an agent: those listed are newer than the list of agents.
    fn conversations_with(&self, agent: AgentId) -> u32 {
        let listed = self.kept.conversations.get(&agent).map(|list| list.page.total);
        listed.or_else(|| Some(self.kept.agent(agent)?.conversations)).unwrap_or_default()
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
        let agent = self.agent_of_conversation(id).and_then(|agent| self.kept.agent(agent));
        let facts = agent.map(|agent| [vec![("agent", agent.title.clone())], agent_facts(agent)].concat());
        let facts = facts.unwrap_or_default();
        Question { facts, ..question("Delete this conversation?", detail, Deletion::Conversation(id)) }
    }

    /// What is deleted is no longer offered, although it may still be on screen.
    fn forget(&mut self, what: Deletion) -> Vec<Effect> {
        if let Some(agent) = self.agent_that_goes_with(what) {
            return self.forget(Deletion::Agent(agent));
        }
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
                self.settings.comparisons.retain(|pair| pair.agent != Some(agent.0));
            }
            Deletion::Everything => {
                self.kept.versions.clear();
                self.kept.conversations.clear();
                self.kept.unfolded.clear();
                self.settings.comparisons.clear();
            }
        }
        Vec::new()
    }
}

/// What tells an agent from others of its name.
fn agent_facts(agent: &AgentRecord) -> Vec<(&'static str, String)> {
    let mut facts = vec![("card", agent.place())];
    if let AskedAs::Credentials { names, .. } = &agent.asked_as {
        facts.push(("got with", names.join(", ")));
    }
    facts
}

/// What is deleted cannot be had again: leaving it is what stands out.
fn question(title: impl Into<String>, detail: impl Into<String>, what: Deletion) -> Question {
    let label = if what == Deletion::Everything { "Delete everything" } else { "Delete" };
    let delete = Action::History(HistoryAction::Delete(what));
    let choices = vec![
        Choice { label: label.to_owned(), actions: vec![delete] },
        Choice { label: "Cancel".to_owned(), actions: Vec::new() },
    ];
    Question { title: title.into(), detail: detail.into(), facts: Vec::new(), choices, main: 1 }
}
