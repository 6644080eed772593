//! What is compared with what: the pair of each agent, the documents it may come from, and what came of it.

mod choices;
mod compared;
mod comparing;
mod export;
mod remembering;
mod sides;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::JobId;
use super::discovery::EntryId;
use crate::card::Document;
use crate::card::facts::{Inspection, Origin};
use crate::history::records::VersionId;

pub use choices::{Choice, ChoiceGroup, ChoiceKind};
pub use compared::{Compared, Sameness};
pub use export::ExportFormat;

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Age {
    Older,
    Newer,
}

impl Age {
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Older => Self::Newer,
            Self::Newer => Self::Older,
        }
    }
}

/// Identifies a document that no entry of the list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DocumentId(pub u64);

/// What a side may be, as the user chose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SideRef {
    /// Whatever the list shows of the entry at the time.
    Entry(EntryId),
    /// What another attempt of the entry's retrieval brought.
    Attempt { entry: EntryId, attempt: usize },
    /// A card that an entry showed earlier in this run, or a document opened for comparing.
    Document(DocumentId),
    /// A version that history keeps.
    Kept(VersionId),
    /// The demo agent's card in one of its revisions, 1 or 2, whether it runs or not.
    Demo { revision: u8 },
}

/// The two sides as far as they are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    pub older: Option<SideRef>,
    pub newer: Option<SideRef>,
}

impl Pair {
    #[must_use]
    pub fn side(&self, age: Age) -> Option<SideRef> {
        match age {
            Age::Older => self.older,
            Age::Newer => self.newer,
        }
    }

    /// What is compared before anything was chosen: what the entry shows, with what was before it.
    fn of_shown(entry: EntryId) -> Self {
        Self { older: None, newer: Some(SideRef::Entry(entry)) }
    }

    fn set(&mut self, age: Age, side: SideRef) {
        match age {
            Age::Older => self.older = Some(side),
            Age::Newer => self.newer = Some(side),
        }
    }
}

/// A document that no entry shows.
#[derive(Debug)]
pub struct ComparedDocument {
    pub id: DocumentId,
    /// The entry that showed it before; `None` for one opened for comparing.
    pub entry: Option<EntryId>,
    /// The kept version that it is, where that is known.
    version: Option<VersionId>,
    /// The agent's name, or the file's.
    pub name: String,
    /// When it was obtained.
    pub at: SystemTime,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Inspected(Arc<Inspection>),
    ToRead(SideSource),
}

/// Where the document of a side is read from.
#[derive(Clone, Debug)]
pub enum SideSource {
    File(PathBuf),
    Bytes {
        name: String,
        bytes: Bytes,
    },
    Document {
        document: Arc<Document>,
        origin: Box<Origin>,
    },
    Kept(VersionId),
    /// The demo agent's card as it would be served at `origin`.
    Demo {
        origin: String,
        revision: u8,
    },
}

/// A side that has to be read before it can be compared.
#[derive(Debug)]
struct Load {
    source: SideSource,
    state: LoadState,
}

#[derive(Debug)]
enum LoadState {
    Pending(JobId),
    Ready(Arc<Inspection>),
    /// Why not, in a sentence.
    Failed(String),
}

/// What came of comparing the pair on screen.
#[derive(Clone, Debug, Default)]
pub enum ComparisonResult {
    /// A side is missing, is being read, or cannot be had.
    #[default]
    Nothing,
    Pending {
        job: JobId,
        since: SystemTime,
    },
    Ready(Arc<Compared>),
    /// Why not, in a sentence.
    Failed(String),
    Cancelled,
}

/// How a side stands.
#[derive(Clone, Debug)]
pub enum SideStanding {
    Missing,
    Ready(Arc<Inspection>),
    Reading,
    /// Why it cannot be had, in a sentence.
    Failed(String),
}

/// The Compare view's model.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The pair of each entry: what was chosen while that entry was the current one.
    pairs: HashMap<EntryId, Pair>,
    /// Oldest first.
    documents: Vec<ComparedDocument>,
    loads: HashMap<SideRef, Load>,
    /// Sides of pairs of an earlier run, until it is known that they are still there.
    restoring: Vec<remembering::Restoring>,
    /// Results, the newest last; found again by the digests of both sides.
    kept: Vec<Arc<Compared>>,
    /// The documents that `result` is about.
    of: Option<(Arc<Inspection>, Arc<Inspection>)>,
    pub result: ComparisonResult,
    /// Index into the changes of the one selected.
    pub selected: Option<usize>,
}

impl Comparison {
    /// What is compared while `entry` is the current one.
    #[must_use]
    pub fn pair(&self, entry: EntryId) -> Pair {
        self.pairs.get(&entry).copied().unwrap_or_default()
    }

    #[must_use]
    pub fn document(&self, id: DocumentId) -> Option<&ComparedDocument> {
        self.documents.iter().find(|document| document.id == id)
    }

    /// The comparison on screen, if there is one.
    #[must_use]
    pub fn ready(&self) -> Option<&Arc<Compared>> {
        match &self.result {
            ComparisonResult::Ready(compared) => Some(compared),
            _ => None,
        }
    }

    /// Whether something is being read or compared.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        let reads = self.loads.values().any(|load| matches!(load.state, LoadState::Pending(_)));
        reads || matches!(self.result, ComparisonResult::Pending { .. })
    }
}

impl SideSource {
    /// Whether both would give the same document.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(one), Self::File(other)) => one == other,
            (Self::Kept(one), Self::Kept(other)) => one == other,
            (Self::Bytes { bytes: one, .. }, Self::Bytes { bytes: other, .. }) => one == other,
            (Self::Document { document: one, .. }, Self::Document { document: other, .. }) => Arc::ptr_eq(one, other),
            (Self::Demo { origin: one, revision: first }, Self::Demo { origin: other, revision: second }) => {
                one == other && first == second
            }
            _ => false,
        }
    }
}
