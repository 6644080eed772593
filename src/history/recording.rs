//! One more retrieval: which agent it belongs to, and whether its document is a new version.

use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use super::identity::{self, Scrubber};
use super::records::{
    AgentId, AskedAs, NewDocument, NewRetrieval, Recorded, RetrievalId, Source, VersionId, WatchInterval,
};
use super::rows::{asked_columns, source_label, to_ms};
use super::{History, HistoryError, Result, Statements as _, words};
use crate::card::{Document, JsonPointer, meaning_digest};

impl History {
    /// Records that an agent was asked, and the document that came. When this returns, it is on disk.
    ///
    /// `None` if no card came and no known agent was meant: there is nothing then that it belongs to.
    ///
    /// # Errors
    /// Nothing was recorded; the error says why.
    pub fn record(&mut self, new: &NewRetrieval) -> Result<Option<Recorded>> {
        let transaction = self.write()?;
        let recorded = record(&transaction, new)?;
        transaction.commit()?;
        Ok(recorded)
    }

    /// Several at once, all or none: what a long list takes seconds to record one by one.
    ///
    /// # Errors
    /// Nothing was recorded; the error says why.
    pub fn record_all(&mut self, all: &mut dyn Iterator<Item = NewRetrieval>) -> Result<()> {
        let transaction = self.write()?;
        for new in all {
            record(&transaction, &new)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// On whose behalf a retrieval like `new` is made, as [`super::AgentRecord::asked_as`] says it.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn asked_as(&self, new: &NewRetrieval) -> Result<AskedAs> {
        identity::asked_as(&self.connection, new)
    }

    /// Keeps how grave the changes of a version against another one are: the word that `cardscope diff` prints.
    ///
    /// # Errors
    /// The version is gone, or nothing could be written.
    pub fn set_level(&mut self, version: VersionId, against: VersionId, level: &str) -> Result<()> {
        let changed = self
            .connection
            .statement("UPDATE versions SET level = ?2, level_against = ?3 WHERE id = ?1")?
            .execute(params![version.0, level, against.0])?;
        found(changed)
    }

    /// Watches an agent from now on, or no longer.
    ///
    /// # Errors
    /// The agent is gone, or nothing could be written.
    pub fn set_watch(&mut self, agent: AgentId, watch: Option<WatchInterval>) -> Result<()> {
        let minutes = watch.map(WatchInterval::minutes);
        let changed = self
            .connection
            .statement(
                "UPDATE agents SET watch_minutes = ?2,
                 watch_seen = CASE WHEN ?2 IS NULL THEN NULL ELSE coalesce(watch_seen, latest) END WHERE id = ?1",
            )?
            .execute(params![agent.0, minutes])?;
        found(changed)
    }

    /// Keeps which version of a watched agent was told of, or seen, last: what differs from it is still to be told,
    /// whoever recorded it.
    ///
    /// # Errors
    /// Nothing could be written.
    pub fn set_watch_seen(&mut self, agent: AgentId, version: VersionId) -> Result<()> {
        self.connection
            .statement("UPDATE agents SET watch_seen = ?2 WHERE id = ?1 AND watch_minutes IS NOT NULL")?
            .execute(params![agent.0, version.0])?;
        Ok(())
    }

    /// The version of [`Self::set_watch_seen`], at first the latest of when the watch began.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn watch_seen(&self, agent: AgentId) -> Result<Option<VersionId>> {
        let mut statement = self.connection.statement("SELECT watch_seen FROM agents WHERE id = ?1")?;
        let seen: Option<Option<i64>> = statement.query_row([agent.0], |row| row.get(0)).optional()?;
        Ok(seen.flatten().map(VersionId))
    }

    /// Says which members do not count for the meaning; which versions mean the same is judged anew.
    ///
    /// # Errors
    /// Nothing was changed; the error says why.
    pub fn set_muted(&mut self, agent: AgentId, muted: &[JsonPointer]) -> Result<()> {
        let transaction = self.write()?;
        put_muted(&transaction, agent, muted)?;
        let mut versions = transaction.prepare(
            "SELECT versions.id, documents.bytes FROM versions JOIN documents ON documents.sha256 = versions.sha256
             WHERE versions.agent = ?1",
        )?;
        let mut rows = versions.query([agent.0])?;
        while let Some(row) = rows.next()? {
            let document = Document::new(row.get::<_, Vec<u8>>(1)?);
            let meaning = meaning_digest(&document, muted);
            let id: i64 = row.get(0)?;
            transaction.statement("UPDATE versions SET meaning = ?2 WHERE id = ?1")?.execute(params![id, meaning])?;
        }
        drop(rows);
        drop(versions);
        transaction.commit()?;
        Ok(())
    }

    /// A transaction that writes: it waits its turn at once, instead of failing in the middle.
    pub(super) fn write(&mut self) -> Result<Transaction<'_>> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

pub(super) fn found(changed: usize) -> Result<()> {
    if changed == 0 { Err(HistoryError::Gone) } else { Ok(()) }
}

pub(super) fn put_muted(connection: &Connection, agent: AgentId, muted: &[JsonPointer]) -> Result<()> {
    connection.execute("DELETE FROM muted WHERE agent = ?1", [agent.0])?;
    for (position, pointer) in muted.iter().enumerate() {
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        connection.statement("INSERT INTO muted (agent, position, pointer) VALUES (?1, ?2, ?3)")?.execute(params![
            agent.0,
            position,
            pointer.as_str()
        ])?;
    }
    Ok(())
}

pub(super) fn muted(connection: &Connection, agent: AgentId) -> Result<Vec<JsonPointer>> {
    let mut statement = connection.statement("SELECT pointer FROM muted WHERE agent = ?1 ORDER BY position")?;
    let pointers = statement.query_map([agent.0], |row| row.get::<_, String>(0).map(JsonPointer::from_text))?;
    Ok(pointers.collect::<rusqlite::Result<_>>()?)
}

/// What a retrieval is about: an agent, known or new.
struct Subject {
    agent: AgentId,
    is_new: bool,
    /// Its latest version before this retrieval.
    latest: Option<VersionId>,
    /// As typed before.
    address: String,
}

impl Subject {
    const COLUMNS: &str = "agents.id, agents.latest, agents.address";

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let latest: Option<i64> = row.get(1)?;
        let agent = AgentId(row.get(0)?);
        Ok(Self { agent, is_new: false, latest: latest.map(VersionId), address: row.get(2)? })
    }
}

fn record(connection: &Connection, new: &NewRetrieval) -> Result<Option<Recorded>> {
    let scrubber = Scrubber::of(new);
    let Some(subject) = subject(connection, new, &scrubber)? else { return Ok(None) };
    let at = to_ms(new.at.unwrap_or_else(SystemTime::now));
    let (version, is_new_version) = match (&new.document, new.not_modified) {
        (Some(document), _) => {
            let (version, is_new) = put_version(connection, subject.agent, document, (at, at))?;
            (Some(version), is_new)
        }
        (None, Some(confirmed)) => (Some(confirm(connection, confirmed, at)?), false),
        (None, None) => (None, false),
    };
    let retrieval = put_retrieval(connection, subject.agent, version, new, &scrubber, at)?;
    touch(connection, &subject, version, new, &scrubber, at)?;
    let mut recorded = Recorded {
        retrieval,
        agent: subject.agent,
        is_new_agent: subject.is_new,
        version,
        is_new_version,
        previous: subject.latest.filter(|_| version.is_some() && subject.latest != version),
        same_meaning_as: None,
        content_changed_version_did_not: false,
    };
    if let (Some(version), Some(previous)) = (recorded.version, recorded.previous) {
        connection
            .statement("UPDATE versions SET came_after = ?2 WHERE id = ?1")?
            .execute(params![version.0, previous.0])?;
    }
    compare_meanings(connection, &mut recorded)?;
    Ok(Some(recorded))
}

fn subject(connection: &Connection, new: &NewRetrieval, scrubber: &Scrubber) -> Result<Option<Subject>> {
    if let (None, Some(version)) = (&new.document, new.not_modified) {
        return confirmed(connection, version).map(Some);
    }
    let asked_as = identity::asked_as(connection, new)?;
    let address = address(new, scrubber);
    let (names, digest) = asked_columns(&asked_as);
    let card_url = identity::card_url(scrubber, new);
    if let Some(url) = &card_url {
        let mut statement = connection.statement(&format!(
            "SELECT {} FROM agents WHERE card_url = ?1 AND asked_names = ?2 AND asked_digest = ?3",
            Subject::COLUMNS
        ))?;
        let found = statement.query_row(params![url, names, digest], Subject::of_row).optional()?;
        if found.is_some() {
            return Ok(found);
        }
        if let Some(document) = &new.document {
            let agent = put_agent(connection, url, new.source, &asked_as, &address, &document.title)?;
            return Ok(Some(Subject { agent, is_new: true, latest: None, address }));
        }
    }
    let mut statement = connection.statement(&format!(
        "SELECT {} FROM agents WHERE address = ?1 AND asked_names = ?2 AND asked_digest = ?3
         ORDER BY last_checked DESC LIMIT 1",
        Subject::COLUMNS
    ))?;
    Ok(statement.query_row(params![address, names, digest], Subject::of_row).optional()?)
}

fn confirmed(connection: &Connection, version: VersionId) -> Result<Subject> {
    let mut statement = connection.statement(&format!(
        "SELECT {} FROM versions JOIN agents ON agents.id = versions.agent WHERE versions.id = ?1",
        Subject::COLUMNS
    ))?;
    Ok(statement.query_row([version.0], Subject::of_row)?)
}

/// As typed, to be shown and asked again; of a file its whole path, which holds wherever the program is started.
fn address(new: &NewRetrieval, scrubber: &Scrubber) -> String {
    match new.source {
        Source::File => identity::absolute(new.address.trim()),
        source => scrubber.address(new.address.trim(), source),
    }
}

pub(super) fn put_agent(
    connection: &Connection,
    card_url: &str,
    source: Source,
    asked_as: &AskedAs,
    address: &str,
    title: &str,
) -> Result<AgentId> {
    let (names, digest) = asked_columns(asked_as);
    connection
        .statement(
            "INSERT INTO agents (card_url, source, asked_names, asked_digest, address, title, last_checked)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)",
        )?
        .execute(params![card_url, source_label(source), names, digest, address, title])?;
    Ok(AgentId(connection.last_insert_rowid()))
}

/// Keeps a document as a version of `agent`, seen at the first and at the last of two times. The second value tells
/// that it was not known.
pub(super) fn put_version(
    connection: &Connection,
    agent: AgentId,
    new: &NewDocument,
    seen: (i64, i64),
) -> Result<(VersionId, bool)> {
    let sha256 = new.document.sha256();
    let known: Option<i64> = connection
        .statement("SELECT id FROM versions WHERE agent = ?1 AND sha256 = ?2")?
        .query_row(params![agent.0, sha256], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        // Its facts as well: this program may read more in it than the one that met it first.
        connection
            .statement(
                "UPDATE versions SET first_seen = min(first_seen, ?2), last_seen = max(last_seen, ?3), title = ?4,
                 agent_version = ?5, shape = ?6 WHERE id = ?1",
            )?
            .execute(params![id, seen.0, seen.1, new.title, new.agent_version, new.shape])?;
        return Ok((VersionId(id), false));
    }
    let bytes: &[u8] = new.document.bytes();
    connection
        .statement("INSERT INTO documents (sha256, bytes) VALUES (?1, ?2) ON CONFLICT (sha256) DO NOTHING")?
        .execute(params![sha256, bytes])?;
    let number: u32 = connection
        .statement("UPDATE agents SET next_number = next_number + 1 WHERE id = ?1 RETURNING next_number - 1")?
        .query_row([agent.0], |row| row.get(0))?;
    let meaning = meaning_digest(&new.document, &muted(connection, agent)?);
    connection
        .statement(
            "INSERT INTO versions (agent, number, sha256, bytes_len, meaning, title, agent_version, shape, first_seen,
             last_seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            agent.0,
            number,
            sha256,
            i64::try_from(bytes.len()).unwrap_or(i64::MAX),
            meaning,
            new.title,
            new.agent_version,
            new.shape,
            seen.0,
            seen.1
        ])?;
    Ok((VersionId(connection.last_insert_rowid()), true))
}

fn confirm(connection: &Connection, version: VersionId, at: i64) -> Result<VersionId> {
    let changed = connection
        .statement("UPDATE versions SET last_seen = max(last_seen, ?2) WHERE id = ?1")?
        .execute(params![version.0, at])?;
    found(changed).map(|()| version)
}

pub(super) fn put_retrieval(
    connection: &Connection,
    agent: AgentId,
    version: Option<VersionId>,
    new: &NewRetrieval,
    scrubber: &Scrubber,
    at: i64,
) -> Result<RetrievalId> {
    let mut attempts = new.attempts.clone();
    for attempt in &mut attempts {
        attempt.url = scrubber.address(&attempt.url, new.source);
        attempt.note = scrubber.text(&attempt.note);
    }
    let attempts = serde_json::to_string(&attempts).map_err(|error| HistoryError::Other(error.to_string()))?;
    let (caching, text) = (&new.caching, |text: &Option<String>| scrubber.optional(text.as_deref()));
    connection
        .statement(
            "INSERT INTO retrievals (agent, version, at, requested_url, final_url, status, content_type, etag,
             last_modified, cache_control, age, expires, date, vary, pragma, legacy_path, outcome, verdict, attempts,
             not_modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
        )?
        .execute(params![
            agent.0,
            version.map(|version| version.0),
            at,
            scrubber.address(&new.requested_url, new.source),
            scrubber.address(&new.final_url, new.source),
            new.status,
            text(&new.content_type),
            text(&caching.etag),
            text(&caching.last_modified),
            text(&caching.cache_control),
            text(&caching.age),
            text(&caching.expires),
            text(&caching.date),
            text(&caching.vary),
            text(&caching.pragma),
            new.legacy_path,
            new.outcome,
            scrubber.text(&new.verdict),
            attempts,
            new.status == Some(304) || (new.document.is_none() && new.not_modified.is_some()),
        ])?;
    Ok(RetrievalId(connection.last_insert_rowid()))
}

/// Brings the agent's own row up to date.
fn touch(
    connection: &Connection,
    subject: &Subject,
    version: Option<VersionId>,
    new: &NewRetrieval,
    scrubber: &Scrubber,
    at: i64,
) -> Result<()> {
    let latest = version.or(subject.latest);
    let address = address(new, scrubber);
    connection
        .statement("UPDATE agents SET last_checked = ?2, address = ?3, latest = ?4 WHERE id = ?1")?
        .execute(params![subject.agent.0, at, address, latest.map(|version| version.0)])?;
    let is_news = subject.is_new || latest != subject.latest || address != subject.address;
    if let Some(document) = new.document.as_ref().filter(|_| is_news) {
        words::put(connection, subject.agent, &document.document, &document.title)?;
    }
    Ok(())
}

/// Whether what came says the same as an older version, and whether it says something else under the same `version`.
fn compare_meanings(connection: &Connection, recorded: &mut Recorded) -> Result<()> {
    let Some(version) = recorded.version else { return Ok(()) };
    let meaning = |id: VersionId| -> Result<(String, Option<String>)> {
        let mut statement = connection.statement("SELECT meaning, agent_version FROM versions WHERE id = ?1")?;
        Ok(statement.query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?)
    };
    if recorded.is_new_version {
        let mut statement = connection.statement(
            "SELECT older.id FROM versions JOIN versions AS older
             ON older.agent = versions.agent AND older.meaning = versions.meaning AND older.number < versions.number
             WHERE versions.id = ?1 ORDER BY older.number LIMIT 1",
        )?;
        let older: Option<i64> = statement.query_row([version.0], |row| row.get(0)).optional()?;
        recorded.same_meaning_as = older.map(VersionId);
    }
    if let Some(previous) = recorded.previous {
        let (before, after) = (meaning(previous)?, meaning(version)?);
        recorded.content_changed_version_did_not = before.0 != after.0 && before.1.is_some() && before.1 == after.1;
    }
    Ok(())
}
