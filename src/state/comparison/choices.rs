//! What can be picked as a side, in groups, as data: who, which version, from where, when.

use std::sync::Arc;
use std::time::SystemTime;

use super::{ComparedDocument, Content, LoadState, SideRef};
use crate::card::address::mask_secrets;
use crate::card::facts::Inspection;
use crate::history::records::VersionRecord;
use crate::state::State;
use crate::state::discovery::{AgentEntry, EntryId};

/// Revisions of the demo agent's card.
const DEMO_REVISIONS: [u8; 2] = [1, 2];

/// Why a document can be picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// What the list shows now.
    Now,
    /// What an entry showed earlier in this run.
    Earlier,
    /// What another attempt of the same retrieval brought.
    OtherDocument,
    /// A version that history keeps.
    Kept {
        /// Counts from 1, where its agent's versions are listed.
        number: Option<u32>,
    },
    /// A file or text opened for comparing.
    Opened,
    Demo {
        revision: u8,
    },
}

/// A document that can be picked as a side.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub side: SideRef,
    pub kind: ChoiceKind,
    /// The agent's name, or the file's.
    pub name: String,
    /// The agent's own version, where it is known.
    pub version: Option<String>,
    /// The address, URL or path it came from; may be empty.
    pub place: String,
    /// When it was obtained.
    pub at: Option<SystemTime>,
}

/// Choices under one heading.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceGroup {
    pub heading: &'static str,
    pub choices: Vec<Choice>,
}

impl State {
    /// Everything that can be picked while the current entry is open.
    #[must_use]
    pub fn side_choices(&self) -> Vec<ChoiceGroup> {
        let is_current = |entry: &&AgentEntry| self.discovery.current == Some(entry.id);
        let of = |entry: &AgentEntry| self.choices_of(entry);
        let entries = &self.discovery.entries;
        let documents = self.comparison.documents.iter().rev().filter(|document| document.entry.is_none());
        let groups = [
            ("This agent", entries.iter().filter(is_current).flat_map(of).collect()),
            ("Other agents", entries.iter().filter(|entry| !is_current(entry)).flat_map(of).collect()),
            ("Kept from earlier sessions", self.kept_choices()),
            ("Opened for comparing", documents.map(|document| self.document_choice(document)).collect::<Vec<_>>()),
            ("Demo agent", DEMO_REVISIONS.iter().map(|&revision| self.demo_choice(revision)).collect()),
        ];
        let filled = groups.into_iter().filter(|(_, choices)| !choices.is_empty());
        filled.map(|(heading, choices)| ChoiceGroup { heading, choices }).collect()
    }

    /// One side as it is listed; `None` if it is gone.
    #[must_use]
    pub fn side_choice(&self, side: SideRef) -> Option<Choice> {
        match side {
            SideRef::Entry(entry) => self.discovery.entry(entry).and_then(|entry| self.entry_choice(entry)),
            SideRef::Attempt { entry, attempt } => self.attempt_choice(entry, attempt),
            SideRef::Document(id) => self.comparison.document(id).map(|document| self.document_choice(document)),
            SideRef::Kept(version) => match self.kept.version(version) {
                Some(version) => Some(self.kept_choice(version)),
                // The versions of its agent were not listed.
                None => self.loaded(side).map(|inspection| named(side, ChoiceKind::Kept { number: None }, inspection)),
            },
            SideRef::Demo { revision } => Some(self.demo_choice(revision)),
        }
    }

    /// The latest versions of agents that are not open.
    fn kept_choices(&self) -> Vec<Choice> {
        let is_open = |agent| self.discovery.entries.iter().any(|entry| entry.history.agent == Some(agent));
        let closed = self.kept.agents.iter().filter(|agent| !is_open(agent.id));
        closed.filter_map(|agent| agent.latest.as_ref()).map(|version| self.kept_choice(version)).collect()
    }

    fn choices_of(&self, entry: &AgentEntry) -> Vec<Choice> {
        let shown = entry.inspection.as_ref().map(|inspection| inspection.document.sha256());
        let is_shown = |document: &ComparedDocument| match &document.content {
            Content::Inspected(inspection) => Some(inspection.document.sha256()) == shown,
            Content::ToRead(_) => false,
        };
        let earlier = self.comparison.documents.iter().rev();
        let earlier = earlier.filter(|document| document.entry == Some(entry.id) && !is_shown(document));
        let attempts = entry.retrieval.attempts.iter().enumerate();
        let others = attempts.filter(|(at, attempt)| {
            let document = attempt.document.as_ref();
            entry.shown_attempt != Some(*at) && document.is_some_and(|document| Some(document.sha256()) != shown)
        });
        let is_remembered = |sha256: &str| {
            let documents = self.comparison.documents.iter().filter(|document| document.entry == Some(entry.id));
            let mut inspected = documents.filter_map(|document| match &document.content {
                Content::Inspected(inspection) => Some(inspection.document.sha256()),
                Content::ToRead(_) => None,
            });
            Some(sha256) == shown || inspected.any(|other| other == sha256)
        };
        let kept = entry.history.agent.and_then(|agent| self.kept.versions.get(&agent));
        let kept = kept.into_iter().flatten().filter(|version| !is_remembered(&version.sha256));
        let mut choices: Vec<Choice> = self.entry_choice(entry).into_iter().collect();
        choices.extend(earlier.map(|document| self.document_choice(document)));
        choices.extend(kept.map(|version| self.kept_choice(version)));
        choices.extend(others.filter_map(|(attempt, _)| self.attempt_choice(entry.id, attempt)));
        choices
    }

    fn attempt_choice(&self, entry: EntryId, attempt: usize) -> Option<Choice> {
        let side = SideRef::Attempt { entry, attempt };
        let entry = self.discovery.entry(entry)?;
        let place = entry.retrieval.attempts.get(attempt)?.url.clone();
        let at = Some(entry.retrieval.fetched_at);
        let choice = match self.loaded(side) {
            Some(inspection) => named(side, ChoiceKind::OtherDocument, inspection),
            None => unread(side, ChoiceKind::OtherDocument, "Other document found"),
        };
        Some(Choice { place, at, ..choice })
    }

    fn document_choice(&self, document: &ComparedDocument) -> Choice {
        let side = SideRef::Document(document.id);
        let kind = if document.entry.is_some() { ChoiceKind::Earlier } else { ChoiceKind::Opened };
        let entry = document.entry.and_then(|entry| self.discovery.entry(entry));
        let (inspection, place) = match &document.content {
            Content::Inspected(inspection) => {
                (Some(inspection), entry.map(|entry| self.place_of(entry)).unwrap_or_default())
            }
            Content::ToRead(_) => (self.loaded(side), document.name.clone()),
        };
        let choice = inspection.map_or_else(|| unread(side, kind, &document.name), |found| named(side, kind, found));
        Choice { place, at: Some(document.at), ..choice }
    }

    fn demo_choice(&self, revision: u8) -> Choice {
        let side = SideRef::Demo { revision };
        let kind = ChoiceKind::Demo { revision };
        self.loaded(side).map_or_else(|| unread(side, kind, "Demo agent"), |found| named(side, kind, found))
    }

    fn entry_choice(&self, entry: &AgentEntry) -> Option<Choice> {
        let inspection = entry.inspection.as_ref()?;
        let at = Some(entry.retrieval.fetched_at);
        let choice = named(SideRef::Entry(entry.id), ChoiceKind::Now, inspection);
        Some(Choice { place: self.place_of(entry), at, ..choice })
    }

    /// The address that the entry's card is known by: its URL, or the path of its file.
    pub(super) fn place_of(&self, entry: &AgentEntry) -> String {
        let kept = entry.history.agent.and_then(|agent| self.kept.agent(agent));
        let place = kept.map(|agent| &*agent.card_url).or_else(|| entry.card_url());
        place.map_or_else(|| mask_secrets(&entry.address), str::to_owned)
    }

    fn kept_choice(&self, version: &VersionRecord) -> Choice {
        let of = |entry: &&AgentEntry| entry.history.agent == Some(version.agent);
        let listed = self.kept.agent(version.agent).map(|agent| agent.card_url.clone());
        let place = listed.or_else(|| self.discovery.entries.iter().find(of).map(|entry| self.place_of(entry)));
        Choice {
            side: SideRef::Kept(version.id),
            kind: ChoiceKind::Kept { number: Some(version.number) },
            name: version.title.clone(),
            version: version.agent_version.clone(),
            place: place.unwrap_or_default(),
            at: Some(version.first_seen),
        }
    }

    pub(super) fn loaded(&self, side: SideRef) -> Option<&Arc<Inspection>> {
        match &self.comparison.loads.get(&side)?.state {
            LoadState::Ready(inspection) => Some(inspection),
            LoadState::Pending(_) | LoadState::Failed(_) => None,
        }
    }
}

fn named(side: SideRef, kind: ChoiceKind, inspection: &Inspection) -> Choice {
    let version = inspection.agent_version.clone();
    Choice { side, kind, name: inspection.title.clone(), version, place: String::new(), at: None }
}

fn unread(side: SideRef, kind: ChoiceKind, name: &str) -> Choice {
    Choice { side, kind, name: name.to_owned(), version: None, place: String::new(), at: None }
}
