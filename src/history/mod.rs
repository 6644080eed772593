//! Everything that was seen, on disk: agents, every version of their cards, retrievals, conversations.
//!
//! One SQLite file. All methods block; `worker` gives the history a thread of its own. Several programs may use one
//! history at the same time.

mod conversations;
mod deleting;
pub mod error;
mod exchange_file;
mod export;
mod identity;
mod import;
mod import_conversations;
mod migrations;
mod opening;
#[cfg(test)]
mod query_plans;
mod reading;
mod recording;
pub mod records;
mod rows;
mod sqlite_error;
pub mod transcript;
mod words;

use std::path::PathBuf;

use rusqlite::{CachedStatement, Connection};

pub use error::HistoryError;
pub use exchange_file::FORMAT as EXCHANGE_FORMAT;
pub use records::{
    AgentId, AgentPage, AgentRecord, AskedAs, AttemptRecord, CachingHeaders, Imported, KeptVersion, NewDocument,
    NewRetrieval, Page, Recorded, RetrievalId, RetrievalRecord, RetrievalsOf, Source, VersionId, VersionRecord,
    WatchInterval, Which, previous_version,
};
pub use transcript::{
    CardUse, ConversationId, ConversationPage, ConversationRecord, KeptConversation, NewConversation, Transcript,
};

type Result<T> = std::result::Result<T, HistoryError>;

/// An open history. Belongs to one thread at a time.
#[derive(Debug)]
pub struct History {
    connection: Connection,
    /// `None` in memory.
    folder: Option<PathBuf>,
}

/// A history that was opened, and what had to be done for it.
#[derive(Debug)]
pub struct Opened {
    pub history: History,
    /// One sentence if the file was damaged and set aside.
    pub set_aside: Option<String>,
}

/// Every statement that is used more than once goes through here, so that a test can see how each is carried out.
trait Statements {
    fn statement(&self, sql: &str) -> rusqlite::Result<CachedStatement<'_>>;
}

impl Statements for Connection {
    fn statement(&self, sql: &str) -> rusqlite::Result<CachedStatement<'_>> {
        #[cfg(test)]
        query_plans::SEEN.with_borrow_mut(|seen| seen.insert(sql.to_owned()));
        self.prepare_cached(sql)
    }
}
