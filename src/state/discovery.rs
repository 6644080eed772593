//! What was opened in this run, and the fetch under way.

use std::sync::Arc;
use std::time::SystemTime;

use super::JobId;
use super::conversation::Conversation;
use super::credentials::comparable;
use super::earlier::EarlierConversations;
use super::kept::InHistory;
use crate::card::facts::Inspection;
use crate::client::{Attempt, AttemptKind, KeptCopy, Retrieval};

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
    /// Another attempt's document that is being judged: job, entry, index of the attempt.
    pub(super) judging: Option<(JobId, EntryId, usize)>,
    /// The entry whose extended card was asked for, until it came.
    pub(super) extending: Option<(JobId, EntryId)>,
}

/// One address that was opened in this run, with its last result.
#[derive(Debug)]
pub struct AgentEntry {
    pub id: EntryId,
    /// As typed.
    pub address: String,
    pub opened_at: SystemTime,
    pub retrieval: Arc<Retrieval>,
    /// What asking again came to last, where the card on screen did not come again.
    pub failed_again: Option<Arc<Retrieval>>,
    /// Of the attempt shown; `None` if nothing came at all.
    pub inspection: Option<Arc<Inspection>>,
    /// Index into the retrieval's attempts of the one shown.
    pub shown_attempt: Option<usize>,
    /// The current conversation.
    pub conversation: Conversation,
    pub earlier: EarlierConversations,
    pub history: InHistory,
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

    pub(super) fn entry_mut(&mut self, id: EntryId) -> Option<&mut AgentEntry> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }

    pub(super) fn current_entry_mut(&mut self) -> Option<&mut AgentEntry> {
        self.entry_mut(self.current?)
    }

    /// The entry that a new result belongs to: one of the same address, or of the same bytes where there is none.
    pub(super) fn same_entry(&self, retrieval: &Retrieval) -> Option<usize> {
        // An entry of a catalog cannot be asked for, but has a name of its own all the same.
        let is_named = names_one_agent(retrieval);
        self.entries.iter().position(|entry| {
            entry.address == retrieval.address
                && is_named == names_one_agent(&entry.retrieval)
                && (is_named || shown_sha256(&entry.retrieval) == shown_sha256(retrieval))
                && is_same_asker(&entry.retrieval, retrieval)
        })
    }
}

impl AgentEntry {
    /// Whether its address leads to its document again: not for pasted text, an entry of a catalog, a card that
    /// Cardscope wrote, and one that was given in an answer.
    #[must_use]
    pub fn has_address(&self) -> bool {
        self.retrieval.attempts.iter().all(|attempt| attempt.kind.has_address())
    }

    /// The answer on screen as a copy that can be kept, which knows how fresh it is.
    #[must_use]
    pub fn kept_copy(&self) -> Option<&KeptCopy> {
        self.retrieval.attempts.get(self.shown_attempt?)?.kept.as_deref()
    }

    /// The URL that the shown card came from; `None` for files and pasted text.
    #[must_use]
    pub fn card_url(&self) -> Option<&str> {
        let attempt = self.retrieval.attempts.get(self.shown_attempt?)?;
        let url = attempt.final_url.as_deref().unwrap_or(&attempt.url);
        (attempt.kind != AttemptKind::File && attempt.kind.has_address()).then_some(url)
    }
}

/// Cards that were got as different identities are kept apart. Where no card came, or it comes from history, nothing
/// speaks against it.
fn is_same_asker(older: &Retrieval, newer: &Retrieval) -> bool {
    match (sent_with(older), sent_with(newer)) {
        (Some(older), Some(newer)) => {
            let shown = |attempt: &Attempt| attempt.client_certificate_sent().map(|sent| sent.sha256);
            comparable(older.credentials_sent()) == comparable(newer.credentials_sent()) && shown(older) == shown(newer)
        }
        _ => true,
    }
}

/// The attempt over the network that brought the retrieval's card.
fn sent_with(retrieval: &Retrieval) -> Option<&Attempt> {
    let attempt = retrieval.attempts.get(retrieval.chosen.filter(|_| retrieval.found_card)?)?;
    (!attempt.exchanges.is_empty()).then_some(attempt)
}

fn names_one_agent(retrieval: &Retrieval) -> bool {
    retrieval.attempts.iter().all(|attempt| attempt.kind.has_address() || attempt.kind == AttemptKind::Listed)
}

pub(super) fn is_of_kind(retrieval: &Retrieval, kind: AttemptKind) -> bool {
    retrieval.attempts.first().is_some_and(|attempt| attempt.kind == kind)
}

pub(super) fn shown_sha256(retrieval: &Retrieval) -> Option<&str> {
    let document = retrieval.attempts.get(retrieval.chosen?)?.document.as_ref()?;
    Some(document.sha256())
}
