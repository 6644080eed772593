//! Which document a side stands for: shown in the list, remembered, still to be read, or gone.

use std::sync::Arc;

use super::{
    Age, ComparedDocument, Comparison, Content, DocumentId, Load, LoadState, SideRef, SideSource, SideStanding,
};
use crate::card::facts::Inspection;
use crate::state::discovery::{AgentEntry, EntryId};
use crate::state::{Demo, Effect, State};

/// Cards of an entry remembered after it shows another one.
const MAX_EARLIER: usize = 8;
/// Bytes of all documents remembered; the oldest go first.
const MAX_BYTES: usize = 32 << 20;
/// Where the demo agent's card says the agent is while none runs.
const DEMO_ORIGIN: &str = "http://127.0.0.1";

impl Comparison {
    /// Wherever `from` was chosen, `to` is from now on.
    pub(in crate::state) fn replace_side(&mut self, from: SideRef, to: SideRef) {
        let sides = self.pairs.values_mut().flat_map(|pair| [&mut pair.older, &mut pair.newer]).flatten();
        sides.filter(|side| **side == from).for_each(|side| *side = to);
    }
}

impl State {
    /// How the side of the current entry's pair stands.
    #[must_use]
    pub fn side_standing(&self, age: Age) -> SideStanding {
        let side = self.discovery.current.and_then(|entry| self.comparison.pair(entry).side(age));
        let Some(side) = side else { return SideStanding::Missing };
        if let Some(inspection) = self.inspected(side) {
            return SideStanding::Ready(inspection);
        }
        if let Some(load) = self.comparison.loads.get(&side) {
            return match &load.state {
                LoadState::Pending(_) => SideStanding::Reading,
                LoadState::Ready(inspection) => SideStanding::Ready(Arc::clone(inspection)),
                LoadState::Failed(problem) => SideStanding::Failed(problem.clone()),
            };
        }
        SideStanding::Failed(match side {
            SideRef::Entry(entry) if self.discovery.entry(entry).is_some() => {
                "The address gave no document to compare.".to_owned()
            }
            _ => "This document is no longer in the list.".to_owned(),
        })
    }

    /// The card that the entry showed before, with which it is compared on one click.
    #[must_use]
    pub fn previous_of(&self, entry: EntryId) -> Option<SideRef> {
        let shown = self.discovery.entry(entry)?.inspection.as_ref()?.document.sha256();
        if let Some(kept) = self.discovery.entry(entry).and_then(|entry| self.kept.previous_of_entry(entry)) {
            return Some(SideRef::Kept(kept.id));
        }
        let mut earlier = self.comparison.documents.iter().rev().filter(|document| document.entry == Some(entry));
        let differs = |document: &&ComparedDocument| match &document.content {
            Content::Inspected(inspection) => inspection.document.sha256() != shown,
            Content::ToRead(_) => false,
        };
        earlier.find(differs).map(|document| SideRef::Document(document.id))
    }

    /// The document of a side that is here already.
    fn inspected(&self, side: SideRef) -> Option<Arc<Inspection>> {
        match side {
            SideRef::Entry(entry) => self.discovery.entry(entry)?.inspection.clone(),
            SideRef::Document(id) => match &self.comparison.document(id)?.content {
                Content::Inspected(inspection) => Some(Arc::clone(inspection)),
                Content::ToRead(_) => None,
            },
            SideRef::Attempt { .. } | SideRef::Kept(_) | SideRef::Demo { .. } => None,
        }
    }

    /// Where the document of a side is to be read from; `None` if it is here already, or gone.
    fn source_of(&self, side: SideRef) -> Option<SideSource> {
        match side {
            SideRef::Entry(_) => None,
            SideRef::Kept(version) => Some(SideSource::Kept(version)),
            SideRef::Attempt { entry, attempt } => {
                let retrieval = &self.discovery.entry(entry)?.retrieval;
                let document = Arc::clone(retrieval.attempts.get(attempt)?.document.as_ref()?);
                Some(SideSource::Document { document, origin: Box::new(retrieval.origin(attempt)) })
            }
            SideRef::Document(id) => match &self.comparison.document(id)?.content {
                Content::ToRead(source) => Some(source.clone()),
                Content::Inspected(_) => None,
            },
            SideRef::Demo { revision } => {
                let origin = match &self.demo {
                    Demo::Running { address, .. } => address.split("/.well-known").next().unwrap_or(address),
                    Demo::Stopped | Demo::Starting => DEMO_ORIGIN,
                };
                Some(SideSource::Demo { origin: origin.to_owned(), revision })
            }
        }
    }

    /// The document of a side; one that has to be read is begun to be read.
    pub(super) fn obtain(&mut self, side: SideRef, effects: &mut Vec<Effect>) -> Option<Arc<Inspection>> {
        if let Some(inspection) = self.inspected(side) {
            return Some(inspection);
        }
        let source = self.source_of(side)?;
        if let Some(load) = self.comparison.loads.get(&side).filter(|load| load.source.is(&source)) {
            return match &load.state {
                LoadState::Ready(inspection) => Some(Arc::clone(inspection)),
                LoadState::Pending(_) | LoadState::Failed(_) => None,
            };
        }
        let job = self.next_job();
        let load = Load { source: source.clone(), state: LoadState::Pending(job) };
        if let Some(Load { state: LoadState::Pending(job), .. }) = self.comparison.loads.insert(side, load) {
            effects.push(Effect::Abort { job });
        }
        effects.push(Effect::LoadSide { job, source });
        None
    }

    /// Keeps the card that `entry` is about to stop showing.
    pub(in crate::state) fn remember_earlier(&mut self, entry: &AgentEntry) {
        let Some(inspection) = &entry.inspection else { return };
        let document = ComparedDocument {
            id: DocumentId(self.next_id()),
            entry: Some(entry.id),
            version: entry.history.version,
            name: inspection.title.clone(),
            at: entry.retrieval.fetched_at,
            content: Content::Inspected(Arc::clone(inspection)),
        };
        let documents = &mut self.comparison.documents;
        let is_same = |other: &ComparedDocument| match &other.content {
            Content::Inspected(other) => other.document.sha256() == inspection.document.sha256(),
            Content::ToRead(_) => false,
        };
        // The same card again: it was seen later, but is the same side of any pair that names it.
        if let Some(at) = documents.iter().position(|other| other.entry == Some(entry.id) && is_same(other)) {
            let known = documents.remove(at);
            documents.push(ComparedDocument { at: entry.retrieval.fetched_at, ..known });
        } else {
            documents.push(document);
        }
        self.forget_surplus(entry.id);
    }

    /// Keeps the memory bounded; what a pair names stays.
    fn forget_surplus(&mut self, entry: EntryId) {
        let pairs: Vec<SideRef> =
            self.comparison.pairs.values().flat_map(|pair| [pair.older, pair.newer]).flatten().collect();
        let is_needed = |document: &ComparedDocument| pairs.contains(&SideRef::Document(document.id));
        let documents = &mut self.comparison.documents;
        let of_entry = documents.iter().filter(|document| document.entry == Some(entry)).count();
        let mut surplus = of_entry.saturating_sub(MAX_EARLIER);
        documents.retain(|document| {
            let goes = surplus > 0 && document.entry == Some(entry) && !is_needed(document);
            surplus -= usize::from(goes);
            !goes
        });
        let size = |document: &ComparedDocument| match &document.content {
            Content::Inspected(inspection) => inspection.document.bytes().len(),
            Content::ToRead(_) => 0,
        };
        let mut bytes: usize = documents.iter().map(size).sum();
        documents.retain(|document| {
            let goes = bytes > MAX_BYTES && !is_needed(document);
            bytes -= if goes { size(document) } else { 0 };
            !goes
        });
    }

    /// Forgets what belongs to an entry that left the list; documents opened for comparing stay.
    pub(in crate::state) fn forget_sides_of(&mut self, entry: EntryId) {
        self.comparison.pairs.remove(&entry);
        self.comparison.restoring.retain(|restoring| !restoring.is_of(entry));
        let named: Vec<SideRef> =
            self.comparison.pairs.values().flat_map(|pair| [pair.older, pair.newer]).flatten().collect();
        self.comparison
            .documents
            .retain(|document| document.entry != Some(entry) || named.contains(&SideRef::Document(document.id)));
        self.comparison.loads.retain(|side, _| !matches!(side, SideRef::Attempt { entry: of, .. } if *of == entry));
    }
}
