//! Opening the file: one program at a time, and a damaged file is set aside.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::{History, HistoryError, Opened, Result, migrations};

const FILE_NAME: &str = "history.sqlite3";
/// Held while a program opens the history, so that no two of them set it aside or change its layout at once.
const LOCK_NAME: &str = "history.lock";
/// How the names of files begin that were set aside.
const SET_ASIDE: &str = "history.damaged-";
/// How long another program may hold the history.
const PATIENCE: Duration = Duration::from_secs(5);
/// Files up to this size are checked as a whole when they are opened: that takes a few milliseconds.
const CHECKED_BYTES: u64 = 4 << 20;

impl History {
    /// Opens or creates `history.sqlite3` in `folder`. A damaged file is renamed, and a new one begun.
    ///
    /// # Errors
    /// The folder cannot be written, another program does not let go, or the file is of a newer program.
    pub fn open(folder: &Path) -> Result<Opened> {
        let unwritable =
            |error: io::Error| HistoryError::Unwritable { cause: format!("{}: {error}", folder.display()) };
        fs::create_dir_all(folder).map_err(unwritable)?;
        let _lock = lock(folder).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => HistoryError::Busy,
            _ => unwritable(error),
        })?;
        match Self::open_file(folder, CHECKED_BYTES) {
            Ok(history) => Ok(Opened { history, set_aside: None }),
            Err(HistoryError::Damaged { cause }) => Self::begin_anew(folder, &cause),
            Err(error) => Err(error),
        }
    }

    /// The same without a file: for a session that keeps nothing, and for tests.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn in_memory() -> Result<Self> {
        Self::prepared(Connection::open_in_memory()?, None)
    }

    /// Gives up a history that turned out to be damaged in use ([`HistoryError::Damaged`]) and begins a new one.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn set_aside(self) -> Result<Opened> {
        let Some(folder) = self.folder.clone() else {
            return Ok(Opened { history: Self::in_memory()?, set_aside: None });
        };
        drop(self);
        let unwritable =
            |error: io::Error| HistoryError::Unwritable { cause: format!("{}: {error}", folder.display()) };
        let _lock = lock(&folder).map_err(unwritable)?;
        // Looked at again, and thoroughly: another program may have begun a new one already.
        match Self::open_file(&folder, u64::MAX) {
            Ok(history) => Ok(Opened { history, set_aside: None }),
            Err(HistoryError::Damaged { cause }) => Self::begin_anew(&folder, &cause),
            Err(error) => Err(error),
        }
    }

    fn begin_anew(folder: &Path, cause: &str) -> Result<Opened> {
        let kept_as = rename_damaged(folder)
            .map_err(|error| HistoryError::Unwritable { cause: format!("{}: {error}", folder.display()) })?;
        let message = format!(
            "The history was damaged ({cause}). It was set aside as {} and a new one was begun.",
            folder.join(kept_as).display()
        );
        Ok(Opened { history: Self::open_file(folder, CHECKED_BYTES)?, set_aside: Some(message) })
    }

    fn open_file(folder: &Path, checked_bytes: u64) -> Result<Self> {
        let path = folder.join(FILE_NAME);
        let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let history = Self::prepared(Connection::open(&path)?, Some(folder.to_owned()))?;
        history.check(length <= checked_bytes)?;
        Ok(history)
    }

    fn prepared(mut connection: Connection, folder: Option<PathBuf>) -> Result<Self> {
        connection.busy_timeout(PATIENCE)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        // WAL lets programs read while one writes. FULL: what was committed survives a power cut, not only a kill.
        // Deleted content is overwritten at once.
        connection.execute_batch(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA foreign_keys = ON;
             PRAGMA secure_delete = ON;
             PRAGMA trusted_schema = OFF;
             PRAGMA cell_size_check = ON;
             PRAGMA cache_size = -2000;",
        )?;
        connection.set_prepared_statement_cache_capacity(64);
        migrations::migrate(&mut connection)?;
        Ok(Self { connection, folder })
    }

    /// Finds damage before it is met in the middle of something: all of it, or that every table can be read at all.
    fn check(&self, whole: bool) -> Result<()> {
        if whole {
            let verdict: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
            return if verdict == "ok" { Ok(()) } else { Err(HistoryError::Damaged { cause: verdict }) };
        }
        for table in TABLES {
            self.connection.query_row(&format!("SELECT EXISTS (SELECT * FROM {table})"), [], |_| Ok(()))?;
        }
        Ok(())
    }

    /// Where damaged files were set aside.
    pub(super) fn set_aside_files(&self) -> Vec<PathBuf> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let is_set_aside = |path: &PathBuf| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(SET_ASIDE))
        };
        paths.filter(is_set_aside).collect()
    }
}

/// Every table of the newest layout.
pub(super) const TABLES: [&str; 8] =
    ["agents", "agent_words", "documents", "versions", "retrievals", "muted", "conversations", "salt"];

/// Waits for the lock, which ends with the returned file. A file system without locks is used without.
fn lock(folder: &Path) -> io::Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK_NAME))?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

/// Renames the file and what belongs to it; returns the new name.
fn rename_damaged(folder: &Path) -> io::Result<String> {
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap_or_default();
    let time = now.strftime("%Y%m%dT%H%M%S").to_string();
    let name = (0..10_000_u32)
        .map(|count| if count == 0 { format!("{SET_ASIDE}{time}") } else { format!("{SET_ASIDE}{time}-{count}") })
        .map(|stem| format!("{stem}.sqlite3"))
        .find(|name| !folder.join(name).exists())
        .ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(folder.join(FILE_NAME), folder.join(&name))?;
    // Its log may hold what the file lacks; the index to it is made anew. Neither may meet the new file.
    for (suffix, keep) in [("-wal", true), ("-shm", false)] {
        let path = folder.join(format!("{FILE_NAME}{suffix}"));
        let done =
            if keep { fs::rename(&path, folder.join(format!("{name}{suffix}"))) } else { fs::remove_file(&path) };
        match done {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::Document;
    use crate::history::{NewDocument, NewRetrieval, Page};

    fn retrieval(bytes: Vec<u8>) -> NewRetrieval {
        let document = Arc::new(Document::new(bytes));
        NewRetrieval {
            card_url: Some("https://a.example/card.json".to_owned()),
            document: Some(NewDocument {
                document,
                title: "A".to_owned(),
                agent_version: None,
                shape: "1.0".to_owned(),
            }),
            ..NewRetrieval::default()
        }
    }

    #[test]
    fn a_full_file_is_said_as_such_and_takes_more_when_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let mut history = History::open(folder.path()).unwrap().history;
        history.connection.execute_batch("PRAGMA max_page_count = 80").unwrap();
        let mut saved = 0_u8;
        let error = loop {
            match history.record(&retrieval(vec![saved; 20_000])) {
                Ok(_) => saved += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, HistoryError::DiskFull { .. }) && saved > 0, "{error}");
        let agent = history.agents("", Page::ALL).unwrap().agents.remove(0);
        assert_eq!(agent.versions, u32::from(saved));
        history.connection.execute_batch("PRAGMA max_page_count = 4294967294").unwrap();
        history.record(&retrieval(vec![saved; 20_000])).unwrap();
    }
}
