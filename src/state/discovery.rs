//! What was opened in this run, and the fetch under way.

use std::sync::Arc;
use std::time::SystemTime;

use super::JobId;
use super::conversation::Conversation;
use crate::card::facts::Inspection;
use crate::client::{Attempt, Retrieval};

/// Identifies an entry of the discovery list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntryId(pub u64);

/// The discovery pane's model.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Newest first.
    pub entries: Vec<AgentEntry>,
    pub current: Option<EntryId>,
    pub pending: Option<PendingFetch>,
}

/// One address that was opened in this run, with its last result.
#[derive(Debug)]
pub struct AgentEntry {
    pub id: EntryId,
    /// As typed.
    pub address: String,
    pub opened_at: SystemTime,
    pub retrieval: Arc<Retrieval>,
    /// Of the attempt shown; `None` if nothing came at all.
    pub inspection: Option<Arc<Inspection>>,
    /// Index into the retrieval's attempts of the one shown.
    pub shown_attempt: Option<usize>,
    pub conversation: Conversation,
}

/// A fetch under way; the previous card stays on screen.
#[derive(Debug)]
pub struct PendingFetch {
    pub job: JobId,
    pub address: String,
    pub since: SystemTime,
    pub attempts: Vec<Attempt>,
}

impl Discovery {
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<&AgentEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The entry whose card is on screen.
    #[must_use]
    pub fn current_entry(&self) -> Option<&AgentEntry> {
        self.current.and_then(|id| self.entry(id))
    }

    pub(super) fn current_entry_mut(&mut self) -> Option<&mut AgentEntry> {
        let id = self.current?;
        self.entries.iter_mut().find(|entry| entry.id == id)
    }
}
