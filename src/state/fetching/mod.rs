//! Fetching, opening, selecting and closing cards: the actions of the discovery pane and what comes back.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::catalogs::CatalogAction;
use super::conversation::Conversation;
use super::discovery::{AgentEntry, EntryId, PendingFetch, is_of_kind, shown_sha256};
use super::earlier::EarlierConversations;
use super::effect::{HistoryEffect, Recording};
use super::kept::InHistory;
use super::notices::Choice;
use super::trusting::{TRUST_LABEL, ask_to_trust, refused_certificate};
use super::{Action, Effect, JobId, Notice, State, View};
use crate::card::address::mask_secrets;
use crate::card::catalog::{catalog_of, entry_words};
use crate::card::facts::{Inspection, Revalidation, Tone};
use crate::card::synthetic::Connection;
use crate::client::{Attempt, AttemptKind, Exchange, Known, Retrieval};

impl State {
    /// Whoever opens an address wants what it says now: what is known of it only makes the question cheaper.
    pub(super) fn fetch_card(&mut self, address: &str, anew: bool) -> Vec<Effect> {
        let address = address.trim();
        if address.is_empty() {
            return Vec::new();
        }
        if address.starts_with(['{', '[']) {
            return self.fetch_pasted(address);
        }
        let (job, mut effects) = self.begin_fetch(address);
        // Bound to their origins: the client sends each only there, whatever candidates and redirects come up.
        let credentials = self.credentials.clone();
        let known = self.known_of(address, anew);
        effects.push(Effect::FetchCard { job, address: address.to_owned(), credentials, known });
        effects
    }

    /// JSON in the address field is the card itself; a name stands for it while it is read.
    fn fetch_pasted(&mut self, json: &str) -> Vec<Effect> {
        let (job, mut effects) = self.begin_fetch("Pasted text");
        effects.push(Effect::FetchCard {
            job,
            address: json.to_owned(),
            credentials: Vec::new(),
            known: Known::default(),
        });
        effects
    }

    pub(super) fn open_file(&mut self, path: PathBuf) -> Vec<Effect> {
        let (job, mut effects) = self.begin_fetch(&path.display().to_string());
        effects.push(Effect::ReadFile { job, path });
        effects
    }

    pub(super) fn open_bytes(&mut self, name: String, bytes: Bytes) -> Vec<Effect> {
        let (job, mut effects) = self.begin_fetch(&name);
        effects.push(Effect::ReadBytes { job, name, bytes });
        effects
    }

    /// A card that stands inside a catalog; it is known by that and not by what it calls itself.
    pub(super) fn open_listed(
        &mut self,
        address: String,
        bytes: Bytes,
        exchange: Option<Arc<Exchange>>,
    ) -> Vec<Effect> {
        let (job, mut effects) = self.begin_fetch(&address);
        effects.push(Effect::ReadEntry { job, address, bytes, exchange });
        effects
    }

    pub(super) fn connect_without_card(&mut self, connection: Connection) -> Vec<Effect> {
        let (job, mut effects) = self.begin_fetch(connection.url.trim());
        effects.push(Effect::WriteCard { job, connection });
        effects
    }

    pub(super) fn refresh_card(&mut self, anew: bool) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        let address = entry.address.clone();
        if !entry.has_address() {
            let notice = without_address(entry);
            self.notify(notice);
            return Vec::new();
        }
        if is_of_kind(&entry.retrieval, AttemptKind::File) {
            return self.open_file(PathBuf::from(address));
        }
        self.fetch_card(&address, anew)
    }

    pub(super) fn cancel_fetch(&mut self) -> Vec<Effect> {
        self.discovery.pending.take().map(|pending| Effect::Abort { job: pending.job }).into_iter().collect()
    }

    /// Makes a fetch the current one; an older one that is still under way is given up.
    pub(super) fn begin_fetch(&mut self, address: &str) -> (JobId, Vec<Effect>) {
        let effects = self.cancel_fetch();
        let job = self.next_job();
        self.discovery.pending =
            Some(PendingFetch { job, address: address.to_owned(), since: SystemTime::now(), attempts: Vec::new() });
        (job, effects)
    }

    pub(super) fn attempt_made(&mut self, job: JobId, attempt: Attempt) {
        if let Some(pending) = self.discovery.pending.as_mut().filter(|pending| pending.job == job) {
            pending.attempts.push(attempt);
        }
    }

    pub(super) fn card_fetched(
        &mut self,
        job: JobId,
        retrieval: Arc<Retrieval>,
        inspection: Option<Arc<Inspection>>,
    ) -> Vec<Effect> {
        if let Some(effects) = self.watched_fetched(job, &retrieval, inspection.clone()) {
            return effects;
        }
        if self.discovery.pending.as_ref().is_none_or(|pending| pending.job != job) {
            return Vec::new();
        }
        self.discovery.pending = None;
        let (entry, known_url, seen) = match self.discovery.same_entry(&retrieval) {
            Some(at) => {
                let entry = &self.discovery.entries[at];
                let seen = entry.history.version.filter(|_| !entry.shows_older_version());
                let known = (entry.id, entry.card_url().map(str::to_owned), seen);
                self.update_entry(at, Arc::clone(&retrieval), inspection.clone());
                known
            }
            None => (self.add_entry(Arc::clone(&retrieval), inspection.clone()), None, None),
        };
        if is_of_kind(&retrieval, AttemptKind::Synthetic) {
            // Nobody published it, so that it is no version of any card.
            return Vec::new();
        }
        if is_of_kind(&retrieval, AttemptKind::Extended) {
            // It belongs to whoever asked, and no address leads to it again.
            self.extended_card_came(job, entry, &retrieval);
            return Vec::new();
        }
        let recording = Recording { entry: Some(entry), retrieval, inspection, known_url, seen };
        vec![Effect::History(HistoryEffect::Record(Box::new(recording)))]
    }

    pub(super) fn add_entry(&mut self, retrieval: Arc<Retrieval>, inspection: Option<Arc<Inspection>>) -> EntryId {
        let id = EntryId(self.next_id());
        let entry = AgentEntry {
            id,
            address: retrieval.address.clone(),
            opened_at: SystemTime::now(),
            shown_attempt: retrieval.chosen,
            retrieval,
            failed_again: None,
            inspection,
            conversation: Conversation::default(),
            earlier: EarlierConversations::default(),
            history: InHistory::default(),
        };
        self.discovery.entries.insert(0, entry);
        self.discovery.current = Some(id);
        self.selection = None;
        self.view = View::Inspect;
        id
    }

    pub(super) fn update_entry(&mut self, at: usize, retrieval: Arc<Retrieval>, inspection: Option<Arc<Inspection>>) {
        let mut entry = self.discovery.entries.remove(at);
        self.discovery.current = Some(entry.id);
        if entry.retrieval.found_card && !retrieval.found_card {
            self.notify(not_again(entry.id, &retrieval));
            entry.failed_again = Some(retrieval);
        } else {
            self.withdraw_notices_of(entry.id);
            entry.failed_again = None;
            let same_card = shown_sha256(&entry.retrieval) == shown_sha256(&retrieval);
            if entry.retrieval.found_card {
                self.notify(what_came(&retrieval, same_card));
            }
            entry.show_current();
            if !same_card {
                self.remember_earlier(&entry);
                self.selection = None;
                entry.conversation.forget_rows();
            }
            entry.history.is_restored = false;
            entry.opened_at = SystemTime::now();
            entry.shown_attempt = retrieval.chosen;
            entry.retrieval = retrieval;
            entry.inspection = inspection;
        }
        self.discovery.entries.insert(0, entry);
    }

    pub(super) fn select_agent(&mut self, id: EntryId) -> Vec<Effect> {
        if self.discovery.entry(id).is_some() && self.discovery.current != Some(id) {
            self.discovery.current = Some(id);
            self.selection = None;
        }
        Vec::new()
    }

    pub(super) fn close_agent(&mut self, id: EntryId) -> Vec<Effect> {
        let effects = self.leave_conversation(id);
        let Some(at) = self.discovery.entries.iter().position(|entry| entry.id == id) else { return Vec::new() };
        self.discovery.entries.remove(at);
        self.forget_sides_of(id);
        self.withdraw_notices_of(id);
        if self.discovery.current == Some(id) {
            self.discovery.current = self.discovery.entries.first().map(|entry| entry.id);
            self.selection = None;
        }
        effects
    }

    pub(super) fn show_alternative(&mut self) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        // The way back is the card that was chosen first.
        let other = if entry.shown_attempt == entry.retrieval.alternative {
            entry.retrieval.chosen
        } else {
            entry.retrieval.alternative
        };
        other.map_or_else(Vec::new, |attempt| self.show_attempt(attempt))
    }

    pub(super) fn show_attempt(&mut self, attempt: usize) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        let (id, retrieval) = (entry.id, Arc::clone(&entry.retrieval));
        if retrieval.attempts.get(attempt).is_none_or(|attempt| attempt.document.is_none()) {
            return Vec::new();
        }
        let job = self.next_job();
        self.discovery.judging = Some((job, id, attempt));
        vec![Effect::InspectAttempt { job, retrieval, attempt }]
    }

    pub(super) fn document_inspected(&mut self, job: JobId, inspection: Arc<Inspection>) {
        let Some((_, id, attempt)) = self.discovery.judging.take_if(|(current, ..)| *current == job) else { return };
        let Some(entry) = self.discovery.entry_mut(id) else { return };
        // A refresh may have come in between; then the number means another document.
        let document = entry.retrieval.attempts.get(attempt).and_then(|attempt| attempt.document.as_ref());
        if document.is_none_or(|document| !Arc::ptr_eq(document, &inspection.document)) {
            return;
        }
        entry.show_current();
        entry.shown_attempt = Some(attempt);
        entry.inspection = Some(inspection);
        entry.conversation.forget_rows();
        if self.discovery.current == Some(id) {
            self.selection = None;
        }
    }

    pub(super) fn fetch_broke(&mut self, job: JobId) {
        self.discovery.pending.take_if(|pending| pending.job == job);
        self.discovery.judging.take_if(|(current, ..)| *current == job);
    }
}

/// What a card is that cannot be asked for.
fn without_address(entry: &AgentEntry) -> Notice {
    let title = "Nothing to fetch again";
    if !is_of_kind(&entry.retrieval, AttemptKind::Listed) {
        let detail = "This card was pasted, written by Cardscope or given in an answer: it has no address.";
        return Notice::new(Tone::Plain, title, detail);
    }
    let detail = format!("This card stands inside a catalog: it is {}.", entry_words(&mask_secrets(&entry.address)));
    let catalog = catalog_of(&entry.address);
    if catalog.contains('•') {
        let hint = "The catalog's address holds a secret, which was not kept: open the catalog anew.";
        return Notice::new(Tone::Plain, title, detail).with_hint(hint);
    }
    let mut notice = Notice::new(Tone::Plain, title, detail).with_hint("What it says now is in the catalog.");
    notice.until_card_of = Some(entry.id);
    let open = CatalogAction::Open { address: catalog.to_owned(), kind: None };
    notice.choices.push(Choice { label: "Open catalog".to_owned(), actions: vec![Action::Catalog(open)] });
    notice
}

/// What asking again brought.
fn what_came(retrieval: &Retrieval, same_card: bool) -> Notice {
    let attempt = retrieval.chosen.and_then(|index| retrieval.attempts.get(index));
    let same_tag = retrieval
        .chosen
        .is_some_and(|index| retrieval.origin(index).revalidation == Some(Revalidation::SameTagOtherContent));
    if same_card {
        let how = if attempt.is_some_and(Attempt::is_confirmed) { "the server says so" } else { "the same bytes came" };
        Notice::new(Tone::Plain, "Checked, unchanged", how)
    } else if same_tag {
        Notice::new(Tone::Caution, "The card changed, but its ETag did not", "It was another card under the same tag.")
            .with_hint("Clients that ask by the ETag go on with the older card.")
    } else {
        Notice::new(Tone::Plain, "The card changed", "")
    }
}

/// A card that was there before stays on screen when its address fails later.
fn not_again(entry: EntryId, retrieval: &Retrieval) -> Notice {
    let certificate = refused_certificate(retrieval);
    let detail = match certificate {
        // What it says in full is shown with the question.
        Some(certificate) => format!("From {}: {}.", certificate.origin, certificate.reason_in_short()),
        None => retrieval.verdict.clone(),
    };
    let mut notice = Notice::new(Tone::Bad, "The card could not be fetched again", detail)
        .with_hint("The card on screen is the one that was fetched before. Retrieval has the details.");
    notice.until_card_of = Some(entry);
    let ask = certificate.map(|certificate| ask_to_trust(certificate, Some(Action::RefreshCard)));
    notice.choices.extend(ask.map(|ask| Choice { label: TRUST_LABEL.to_owned(), actions: vec![ask] }));
    notice
}

#[cfg(test)]
mod tests;
