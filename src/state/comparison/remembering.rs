//! The pair that was chosen for an agent, kept over restarts: versions by their digest, files by path, nothing else.

use std::path::PathBuf;
use std::time::SystemTime;

use super::{Age, ComparedDocument, Content, DocumentId, LoadState, Pair, SideRef, SideSource};
use crate::card::facts::Inspection;
use crate::history::records::VersionId;
use crate::state::discovery::{AgentEntry, EntryId};
use crate::state::settings::{RememberedPair, RememberedSide};
use crate::state::{HistoryPlace, State};

/// The most pairs that are remembered between runs.
const MAX_REMEMBERED: usize = 50;

/// A side of an earlier run that is being read: whether it still exists is known once it is here.
#[derive(Debug)]
pub(super) struct Restoring {
    side: SideRef,
    entry: EntryId,
    /// What the version's bytes were.
    sha256: Option<String>,
}

impl Restoring {
    pub(super) fn is_of(&self, entry: EntryId) -> bool {
        self.entry == entry
    }
}

impl State {
    /// Keeps the pair of `entry` for the next run; one that could not be had again is forgotten there.
    pub(super) fn remember_pair(&mut self, entry: EntryId) {
        // Whoever chooses does not wait for what was chosen before.
        self.comparison.restoring.retain(|restoring| !restoring.is_of(entry));
        // Versions are named by this history; where nothing is saved, neither is this.
        if self.kept.place != HistoryPlace::OnDisk {
            return;
        }
        let Some(of) = self.discovery.entry(entry) else { return };
        let pair = self.comparison.pair(entry);
        let side = |age| self.remembered_side(entry, pair.side(age)?);
        let sides = side(Age::Older).zip(side(Age::Newer));
        let (card, agent) = (self.place_of(of), of.history.agent.map(|agent| agent.0));
        let known = &mut self.settings.comparisons;
        known.retain(|other| !other.is_of(&card, agent));
        if let Some((older, newer)) = sides {
            known.push(RememberedPair { card, agent, older, newer });
            if known.len() > MAX_REMEMBERED {
                known.remove(0);
            }
        }
    }

    fn remembered_side(&self, current: EntryId, side: SideRef) -> Option<RememberedSide> {
        let kept = |version: Option<VersionId>, inspection: &Inspection| {
            Some(RememberedSide::Kept { version: version?.0, sha256: inspection.document.sha256().to_owned() })
        };
        match side {
            SideRef::Entry(entry) if entry == current => Some(RememberedSide::Shown),
            SideRef::Entry(entry) => {
                let entry = self.discovery.entry(entry)?;
                kept(entry.shown_version(), entry.inspection.as_ref()?)
            }
            SideRef::Document(id) => {
                let document = self.comparison.document(id)?;
                match &document.content {
                    Content::Inspected(inspection) => kept(document.version, inspection),
                    Content::ToRead(SideSource::File(path)) => Some(RememberedSide::File { path: path.clone() }),
                    Content::ToRead(_) => None,
                }
            }
            SideRef::Kept(version) => {
                let listed = self.kept.version(version).map(|known| known.sha256.clone());
                let loaded = || self.loaded(side).map(|inspection| inspection.document.sha256().to_owned());
                Some(RememberedSide::Kept { version: version.0, sha256: listed.or_else(loaded)? })
            }
            SideRef::Demo { revision } => Some(RememberedSide::Demo { revision }),
            SideRef::Attempt { .. } => None,
        }
    }

    /// The pair of an earlier run, to be read.
    pub(super) fn restored_pair(&mut self, entry: EntryId) -> Option<Pair> {
        let of = self.discovery.entry(entry).filter(|_| self.kept.place == HistoryPlace::OnDisk)?;
        let (card, agent) = (self.place_of(of), of.history.agent.map(|agent| agent.0));
        let remembered = self.settings.comparisons.iter().rfind(|pair| pair.is_of(&card, agent))?.clone();
        let older = self.restored_side(entry, remembered.older);
        let newer = self.restored_side(entry, remembered.newer);
        Some(Pair { older: Some(older), newer: Some(newer) })
    }

    fn restored_side(&mut self, entry: EntryId, side: RememberedSide) -> SideRef {
        let (side, sha256) = match side {
            RememberedSide::Shown => return SideRef::Entry(entry),
            RememberedSide::Demo { revision } => return SideRef::Demo { revision },
            RememberedSide::Kept { version, sha256 } => (SideRef::Kept(VersionId(version)), Some(sha256)),
            RememberedSide::File { path } => (SideRef::Document(self.file_to_compare(path)), None),
        };
        self.comparison.restoring.push(Restoring { side, entry, sha256 });
        side
    }

    /// A file as a document of the comparison; the same path is the same document.
    pub(super) fn file_to_compare(&mut self, path: PathBuf) -> DocumentId {
        let is_it = |document: &&ComparedDocument| matches!(&document.content, Content::ToRead(SideSource::File(other)) if *other == path);
        if let Some(known) = self.comparison.documents.iter().find(is_it) {
            return known.id;
        }
        let (id, name) = (DocumentId(self.next_id()), path.display().to_string());
        let content = Content::ToRead(SideSource::File(path));
        let document = ComparedDocument { id, entry: None, version: None, name, at: SystemTime::now(), content };
        self.comparison.documents.push(document);
        id
    }

    /// A remembered side that is gone, or another document by now, is no reason to compare nothing.
    pub(super) fn check_restored(&mut self, side: SideRef) {
        let Some(load) = self.comparison.loads.get(&side) else { return };
        let loaded = match &load.state {
            LoadState::Pending(_) => return,
            LoadState::Ready(inspection) => Some(inspection.document.sha256().to_owned()),
            LoadState::Failed(_) => None,
        };
        let (checked, others) =
            std::mem::take(&mut self.comparison.restoring).into_iter().partition(|restoring| restoring.side == side);
        self.comparison.restoring = others;
        let checked: Vec<Restoring> = checked;
        for restoring in checked {
            let is_it = loaded.is_some() && (restoring.sha256.is_none() || restoring.sha256 == loaded);
            if !is_it {
                self.comparison.pairs.insert(restoring.entry, Pair::of_shown(restoring.entry));
            }
        }
    }
}

impl AgentEntry {
    /// The kept version that is on screen.
    fn shown_version(&self) -> Option<VersionId> {
        self.history.shown.as_ref().map(|shown| shown.id).or(self.history.version)
    }
}
