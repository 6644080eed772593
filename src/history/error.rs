//! Why history could not be read or written. Plain data: what the database said is in the sentence.

/// A failure of the history. None of them ends the session: it goes on without saving.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The folder or the file cannot be written: permissions, or a read-only disk.
    #[error("The history cannot be written: {cause}.")]
    Unwritable { cause: String },
    #[error("The disk is full: nothing more can be saved in the history ({cause}).")]
    DiskFull { cause: String },
    /// Another program holds the history and does not let go.
    #[error("Another program is using the history and did not release it in time.")]
    Busy,
    /// Found while in use; [`super::History::set_aside`] starts a new one.
    #[error("The history is damaged ({cause}).")]
    Damaged { cause: String },
    #[error(
        "The history was written by a newer Cardscope (layout {found}; this one knows {known}). It was left alone."
    )]
    Newer { found: u32, known: u32 },
    /// Deleted, but the log with the old bytes could not be emptied; that happens when the other program ends.
    #[error("It was deleted, but another program reads the history: the old bytes are overwritten when that ends.")]
    NotOverwritten,
    /// A file to be imported is not what is expected.
    #[error("{0}")]
    NotImported(String),
    #[error("The agent, version or conversation is no longer in the history.")]
    Gone,
    #[error("The history could not be used: {0}.")]
    Other(String),
}
