//! The layout of the file, as the steps that lead to it. Steps are only ever added: a file of any age takes those it
//! lacks, each in a transaction of its own.

use rusqlite::{Connection, TransactionBehavior};

use super::{HistoryError, Result};

/// Step N makes layout N, counted from 1 (`PRAGMA user_version`).
const STEPS: [&str; 3] = [AGENTS_AND_VERSIONS, CONVERSATIONS_AND_WISHES, ORDER_OF_VERSIONS];

/// The layout that this program reads and writes.
pub(super) const NEWEST: u32 = STEPS.len() as u32;

const AGENTS_AND_VERSIONS: &str = "
-- One row: what identities are salted with. Never exported.
CREATE TABLE salt (salt BLOB NOT NULL) STRICT;
INSERT INTO salt VALUES (randomblob(32));

CREATE TABLE agents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    card_url TEXT NOT NULL,
    source TEXT NOT NULL,
    -- Header names, one a line; empty for a card that was got without credentials.
    asked_names TEXT NOT NULL,
    asked_digest INTEGER NOT NULL,
    address TEXT NOT NULL,
    title TEXT NOT NULL,
    last_checked INTEGER NOT NULL,
    next_number INTEGER NOT NULL DEFAULT 1,
    -- The version that came last; no foreign key, so that deleting versions need not search all agents.
    latest INTEGER,
    UNIQUE (card_url, asked_names, asked_digest)
) STRICT;
CREATE INDEX agents_by_check ON agents (last_checked DESC, id DESC);
CREATE INDEX agents_by_address ON agents (address);

-- What is searched, in lower case; apart from the agents, so that a search reads nothing else.
CREATE TABLE agent_words (
    agent INTEGER PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    words TEXT NOT NULL
) STRICT;

-- Each distinct document once, byte for byte.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    bytes_len INTEGER NOT NULL,
    -- Digest of what the document says but for muted members.
    meaning TEXT NOT NULL,
    title TEXT NOT NULL,
    agent_version TEXT,
    shape TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    level TEXT,
    UNIQUE (agent, number),
    UNIQUE (agent, sha256)
) STRICT;
CREATE INDEX versions_by_sight ON versions (agent, last_seen DESC, number DESC);
CREATE INDEX versions_by_meaning ON versions (agent, meaning, number);
CREATE INDEX versions_by_document ON versions (sha256);

CREATE TABLE retrievals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    version INTEGER REFERENCES versions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    requested_url TEXT NOT NULL,
    final_url TEXT NOT NULL,
    status INTEGER,
    content_type TEXT,
    etag TEXT,
    last_modified TEXT,
    cache_control TEXT,
    age TEXT,
    expires TEXT,
    date TEXT,
    vary TEXT,
    pragma TEXT,
    legacy_path INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    verdict TEXT NOT NULL,
    -- A JSON list.
    attempts TEXT NOT NULL,
    not_modified INTEGER NOT NULL
) STRICT;
CREATE INDEX retrievals_by_agent ON retrievals (agent, at DESC, id DESC);
CREATE INDEX retrievals_by_version ON retrievals (version, at DESC, id DESC);
";

const CONVERSATIONS_AND_WISHES: &str = "
-- NULL: not watched.
ALTER TABLE agents ADD COLUMN watch_minutes INTEGER;
CREATE INDEX agents_watched ON agents (watch_minutes) WHERE watch_minutes IS NOT NULL;

CREATE TABLE muted (
    agent INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    pointer TEXT NOT NULL,
    PRIMARY KEY (agent, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    version INTEGER REFERENCES versions (id) ON DELETE SET NULL,
    started_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    outcome TEXT NOT NULL,
    turns INTEGER NOT NULL,
    -- JSON.
    transcript TEXT NOT NULL
) STRICT;
CREATE INDEX conversations_by_change ON conversations (agent, changed_at DESC, id DESC);
CREATE INDEX conversations_by_version ON conversations (version);
";

const ORDER_OF_VERSIONS: &str = "
-- The version that was the latest until this one came, the last time that it came; it may be gone meanwhile.
ALTER TABLE versions ADD COLUMN came_after INTEGER;
-- Of a watched agent, the version that a window showed or told of last; what differs from it is still to be told.
ALTER TABLE agents ADD COLUMN watch_seen INTEGER;
UPDATE agents SET watch_seen = latest WHERE watch_minutes IS NOT NULL;
-- The version that the level is against. Levels of before do not say, and are judged anew.
ALTER TABLE versions ADD COLUMN level_against INTEGER;
UPDATE versions SET came_after = (
    SELECT earlier.version FROM retrievals AS earlier
    WHERE earlier.agent = versions.agent AND earlier.version <> versions.id AND (earlier.at, earlier.id) < (
        SELECT last.at, last.id FROM retrievals AS last WHERE last.version = versions.id
        ORDER BY last.at DESC, last.id DESC LIMIT 1
    )
    ORDER BY earlier.at DESC, earlier.id DESC LIMIT 1
);
";

/// Brings a file to the newest layout.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let known = NEWEST;
    loop {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read inside the transaction: another program may have been quicker.
        let found: u32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if found > known {
            return Err(HistoryError::Newer { found, known });
        }
        let Some(step) = STEPS.get(found as usize) else { return Ok(()) };
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", found + 1)?;
        transaction.commit()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_any_older_layout_becomes_one_of_the_newest() {
        let layout = |connection: &Connection| {
            let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.collect::<std::result::Result<Vec<(String, Option<String>)>, _>>().unwrap()
        };
        let mut fresh = Connection::open_in_memory().unwrap();
        migrate(&mut fresh).unwrap();
        for age in 0..STEPS.len() {
            let mut older = Connection::open_in_memory().unwrap();
            for step in &STEPS[..age] {
                older.execute_batch(step).unwrap();
            }
            older.pragma_update(None, "user_version", u32::try_from(age).unwrap()).unwrap();
            migrate(&mut older).unwrap();
            assert_eq!(layout(&older), layout(&fresh), "from layout {age}");
        }
    }

    #[test]
    fn a_file_of_a_newer_program_is_left_alone() {
        let mut newer = Connection::open_in_memory().unwrap();
        newer.pragma_update(None, "user_version", NEWEST + 1).unwrap();
        assert_eq!(migrate(&mut newer).unwrap_err(), HistoryError::Newer { found: NEWEST + 1, known: NEWEST });
    }
}
