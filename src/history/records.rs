//! What history keeps, as plain data: agents, versions of their cards, and how each was obtained.
//!
//! No record holds a secret. Addresses have passwords and secret query values replaced by `••••`
//! ([`crate::card::address::mask_secrets`]; history does it again to whatever it is given), and of headers only those
//! about caching are kept. Times are kept to the millisecond.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::card::catalog::entry_words;
use crate::card::facts::{Inspection, Origin};
use crate::card::{Document, JsonPointer};

/// Identifies an agent in this history; ids are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub i64);

/// Identifies a version of an agent's card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionId(pub i64);

/// Identifies one retrieval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RetrievalId(pub i64);

/// Where a card comes from, and so what its address means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    #[default]
    Url,
    /// A file on this computer; its address is the absolute path.
    File,
    /// Pasted or dropped text: each distinct text is an agent of its own, and nothing can be asked again.
    Pasted,
    /// It stands inside a catalog; its address is that of [`crate::card::catalog::entry_address`].
    Catalog,
}

impl Source {
    /// Whether its addresses are URLs, which may hold secrets.
    #[must_use]
    pub fn is_web(self) -> bool {
        matches!(self, Self::Url | Self::Catalog)
    }
}

/// On whose behalf a card was asked for. Cards of different askers are never mixed: each is an agent of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum AskedAs {
    /// Without any credential.
    #[default]
    Public,
    /// With credentials: their header names in lower case, sorted ("address" for a secret in the address itself),
    /// and a 32-bit digest that tells identities apart. It is salted with a secret of this history, which is never
    /// exported, so it says nothing about the credential elsewhere.
    Credentials { names: Vec<String>, digest: u32 },
}

/// How often a watched agent is asked, in minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatchInterval(u32);

impl WatchInterval {
    pub const SHORTEST: Self = Self(5);
    pub const LONGEST: Self = Self(7 * 24 * 60);

    /// The interval nearest to `minutes` that is polite: from 5 minutes to 7 days.
    #[must_use]
    pub fn of_minutes(minutes: u32) -> Self {
        Self(minutes.clamp(Self::SHORTEST.0, Self::LONGEST.0))
    }

    #[must_use]
    pub fn minutes(self) -> u32 {
        self.0
    }

    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_mins(u64::from(self.0))
    }
}

/// An agent: one card address as seen by one asker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRecord {
    pub id: AgentId,
    /// The URL that the card came from after redirects, the absolute path of its file, or the URL of the catalog that
    /// it stands in, with the entry. Secrets masked.
    pub card_url: String,
    pub source: Source,
    /// As typed last. Secrets masked: where there is `••••` in it, it has to be typed again.
    pub address: String,
    pub asked_as: AskedAs,
    /// The title of the latest version; the card's address if there is none.
    pub title: String,
    /// The last retrieval that was meant for this agent, whatever came of it.
    pub last_checked: SystemTime,
    /// How many versions are kept.
    pub versions: u32,
    pub retrievals: u32,
    /// How many conversations with it are kept.
    pub conversations: u32,
    /// The version that the last successful retrieval gave; not always the one with the highest number, as an
    /// older document may come back.
    pub latest: Option<VersionRecord>,
    /// `None` if the agent is not watched.
    pub watch: Option<WatchInterval>,
    /// Members whose changes do not make a version of another meaning, in the order they were muted.
    pub muted: Vec<JsonPointer>,
}

impl AgentRecord {
    /// Where its card is, in words where it stands inside a catalog.
    #[must_use]
    pub fn place(&self) -> String {
        match self.source {
            Source::Catalog => entry_words(&self.card_url),
            Source::Url | Source::File | Source::Pasted => self.card_url.clone(),
        }
    }
}

/// A version: one document, byte for byte, as one agent served it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRecord {
    pub id: VersionId,
    pub agent: AgentId,
    /// Counts from 1, the oldest. Numbers stay when other versions are deleted.
    pub number: u32,
    pub title: String,
    pub first_seen: SystemTime,
    pub last_seen: SystemTime,
    /// Of the bytes, in lower-case hexadecimal.
    pub sha256: String,
    pub bytes_len: u64,
    /// What the card says its own version is.
    pub agent_version: Option<String>,
    /// The word of [`crate::card::facts::Shape::label`].
    pub shape: String,
    /// The oldest kept version of this agent that says the same in another spelling, or but for muted members.
    pub same_meaning_as: Option<VersionId>,
    /// What was the latest version until this one came, the last time that it came; it may be deleted by now.
    pub came_after: Option<VersionId>,
    /// How grave the changes against [`Self::level_against`] are, in the words of `cardscope diff`: "breaking",
    /// "risky", "compatible", "docs" or "none". `None` until [`super::History::set_level`] was told.
    pub level: Option<String>,
    /// The version that the level was judged against. Where that is not the previous version, the level says nothing.
    pub level_against: Option<VersionId>,
}

impl VersionRecord {
    /// The version that stands for all of the same meaning.
    #[must_use]
    pub fn meaning(&self) -> VersionId {
        self.same_meaning_as.unwrap_or(self.id)
    }

    /// How grave the changes against `older` are, if that was judged.
    #[must_use]
    pub fn level_against(&self, older: &Self) -> Option<&str> {
        self.level.as_deref().filter(|_| self.level_against == Some(older.id))
    }
}

/// The version of another meaning that the agent served before `version`, the last time that `version` came. It may
/// have come back since: of two that took turns, each is the previous one of the other.
///
/// `versions` are those of one agent in the order of [`super::History::versions`]. Where it is not known what was there
/// before (a version was imported, or the one before deleted), it is the next one of another meaning in that order.
#[must_use]
pub fn previous_version<'a>(versions: &'a [VersionRecord], version: &VersionRecord) -> Option<&'a VersionRecord> {
    let differs = |other: &&VersionRecord| other.meaning() != version.meaning();
    let served = || {
        let before = versions.iter().find(|other| Some(other.id) == version.came_after)?;
        if differs(&before) {
            return Some(before);
        }
        // Thousands of spellings may have followed each other: each is looked up, not looked for.
        let of_id: HashMap<VersionId, &VersionRecord> = versions.iter().map(|other| (other.id, other)).collect();
        let chain = std::iter::successors(Some(before), |at| of_id.get(&at.came_after?).copied());
        // Spellings that took turns lead round in a circle.
        chain.take(versions.len()).find(differs)
    };
    served().or_else(|| {
        let mut after = versions.iter().skip_while(|other| other.id != version.id).skip(1);
        after.find(differs)
    })
}

/// The response headers that decide how long a card may be kept, as sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CachingHeaders {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub cache_control: Option<String>,
    pub age: Option<String>,
    pub expires: Option<String>,
    pub date: Option<String>,
    pub vary: Option<String>,
    pub pragma: Option<String>,
}

/// One attempt of a retrieval, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    pub url: String,
    /// The word of the attempt's outcome ("card", "notFound").
    pub outcome: String,
    pub status: Option<u16>,
    pub note: String,
}

/// One time that an agent was asked, and what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrievalRecord {
    pub id: RetrievalId,
    pub agent: AgentId,
    /// The version that came, or that a 304 confirmed; `None` if no card came.
    pub version: Option<VersionId>,
    pub at: SystemTime,
    pub requested_url: String,
    pub final_url: String,
    /// `None` for files, pasted text and failures before an answer.
    pub status: Option<u16>,
    pub content_type: Option<String>,
    pub caching: CachingHeaders,
    /// Served at the `agent.json` of before 0.3.
    pub legacy_path: bool,
    /// The word of the outcome ("card", "unreachable").
    pub outcome: String,
    /// One sentence: what came of it.
    pub verdict: String,
    pub attempts: Vec<AttemptRecord>,
    /// The server said that nothing changed (304).
    pub not_modified: bool,
}

/// A retrieval to be recorded, in the caller's hands still with its secrets; [`super::History::record`] masks them.
#[derive(Clone, Default)]
pub struct NewRetrieval {
    pub source: Source,
    /// As typed, secrets and all: they tell askers apart and are then dropped.
    pub address: String,
    /// The final URL of the card, or its path; `None` if no card came and it is not known which agent was meant.
    pub card_url: Option<String>,
    /// The credentials that were really sent to `card_url`, as names and values; only a digest is kept.
    pub credentials: Vec<(String, String)>,
    /// `None` is now.
    pub at: Option<SystemTime>,
    pub requested_url: String,
    pub final_url: String,
    pub status: Option<u16>,
    pub content_type: Option<String>,
    pub caching: CachingHeaders,
    pub legacy_path: bool,
    pub outcome: String,
    pub verdict: String,
    pub attempts: Vec<AttemptRecord>,
    /// What came, if it is worth keeping as a version.
    pub document: Option<NewDocument>,
    /// The version that a 304 confirmed: the one whose validators were sent.
    pub not_modified: Option<VersionId>,
}

/// A document to be kept, with what the list shows of it.
#[derive(Clone, Debug)]
pub struct NewDocument {
    pub document: Arc<Document>,
    /// [`crate::card::Inspection::title`].
    pub title: String,
    pub agent_version: Option<String>,
    /// The word of [`crate::card::facts::Shape::label`].
    pub shape: String,
}

/// What recording a retrieval came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub retrieval: RetrievalId,
    pub agent: AgentId,
    pub is_new_agent: bool,
    /// The version that came or was confirmed; `None` if no card came.
    pub version: Option<VersionId>,
    pub is_new_version: bool,
    /// What was the latest version before this retrieval, if it was another one.
    pub previous: Option<VersionId>,
    /// The new version says the same as this older one.
    pub same_meaning_as: Option<VersionId>,
    /// The meaning differs from the previous version's, but the card declares the same `version`.
    pub content_changed_version_did_not: bool,
}

/// A version with its document, to be inspected or compared.
#[derive(Clone, Debug)]
pub struct KeptVersion {
    pub version: VersionRecord,
    pub document: Arc<Document>,
    /// The last retrieval that gave it; `None` for one that was imported without.
    pub retrieval: Option<RetrievalRecord>,
}

/// A part of a list: `limit` items from `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub offset: u32,
    pub limit: u32,
}

impl Page {
    pub const ALL: Self = Self { offset: 0, limit: u32::MAX };
}

/// Which version of an agent is meant: `ADDRESS@latest`, `@previous` and `@N` of the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one that the last successful retrieval gave.
    Latest,
    /// The one of another meaning that was served before the latest came.
    Previous,
    /// The one of this number, 1 the oldest.
    Number(u32),
}

/// Whose retrievals are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetrievalsOf {
    Agent(AgentId),
    Version(VersionId),
}

/// A page of agents, the one checked last first, and how many there are in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentPage {
    pub agents: Vec<AgentRecord>,
    pub total: u32,
}

/// What an import brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Agents that were not known before.
    pub new_agents: u32,
    pub new_versions: u32,
    /// Versions that were here already.
    pub known_versions: u32,
    pub new_conversations: u32,
    /// Conversations that were here already, but went on since.
    pub continued_conversations: u32,
    pub known_conversations: u32,
    /// What was left out and why, one sentence each.
    pub problems: Vec<String>,
}

impl From<&Inspection> for NewDocument {
    fn from(inspection: &Inspection) -> Self {
        Self {
            document: Arc::clone(&inspection.document),
            title: inspection.title.clone(),
            agent_version: inspection.agent_version.clone(),
            shape: inspection.shape.label().to_owned(),
        }
    }
}

impl RetrievalRecord {
    /// Where the document came from, for judging it again.
    #[must_use]
    pub fn origin(&self) -> Origin {
        // A fragment names an entry of a catalog, of whose answer the headers were.
        let url = |url: &String| (url.contains("://") && !url.contains('#')).then(|| url.clone());
        Origin {
            requested_url: url(&self.requested_url),
            final_url: url(&self.final_url),
            content_type: self.content_type.clone(),
            cache_control: self.caching.cache_control.clone(),
            etag: self.caching.etag.clone(),
            last_modified: self.caching.last_modified.clone(),
            legacy_path: self.legacy_path,
            ..Origin::default()
        }
    }
}

impl std::fmt::Debug for NewRetrieval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The rest may hold secrets.
        f.debug_struct("NewRetrieval")
            .field("outcome", &self.outcome)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
