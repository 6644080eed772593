//! Deleting for good: rows go with what hangs on them, and their bytes are overwritten on disk.

use std::fs;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::opening::TABLES;
use super::recording::found;
use super::records::{AgentId, VersionId};
use super::transcript::ConversationId;
use super::{History, HistoryError, Result, Statements as _, words};
use crate::card::Document;

impl History {
    /// Deletes an agent with its versions, retrievals and conversations.
    ///
    /// # Errors
    /// It is gone already, nothing could be written, or ([`HistoryError::NotOverwritten`]) another program reads.
    pub fn delete_agent(&mut self, agent: AgentId) -> Result<()> {
        let transaction = self.write()?;
        delete_agent(&transaction, agent)?;
        transaction.commit()?;
        self.overwrite()
    }

    /// Deletes a version and its retrievals; with its last version an agent goes as well.
    ///
    /// # Errors
    /// As [`Self::delete_agent`].
    pub fn delete_version(&mut self, version: VersionId) -> Result<()> {
        let transaction = self.write()?;
        delete_version(&transaction, version)?;
        transaction.commit()?;
        self.overwrite()
    }

    /// # Errors
    /// As [`Self::delete_agent`].
    pub fn delete_conversation(&mut self, conversation: ConversationId) -> Result<()> {
        let changed = self.connection.execute("DELETE FROM conversations WHERE id = ?1", [conversation.0])?;
        found(changed)?;
        self.overwrite()
    }

    /// Deletes everything, files that were set aside as damaged included.
    ///
    /// # Errors
    /// As [`Self::delete_agent`].
    pub fn delete_everything(&mut self) -> Result<()> {
        let transaction = self.write()?;
        // Agents take versions along, and those what hangs on them.
        for table in TABLES {
            transaction.execute(&format!("DELETE FROM {table}"), [])?;
        }
        transaction.execute("INSERT INTO salt VALUES (randomblob(32))", [])?;
        transaction.commit()?;
        self.connection.execute_batch("VACUUM")?;
        for path in self.set_aside_files() {
            let kept = |error| HistoryError::Unwritable { cause: format!("{}: {error}", path.display()) };
            fs::remove_file(&path).map_err(kept)?;
        }
        self.overwrite()
    }

    /// Brings what was overwritten from the log into the file and empties the log, which still holds the old bytes.
    fn overwrite(&self) -> Result<()> {
        let busy: bool = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy { Err(HistoryError::NotOverwritten) } else { Ok(()) }
    }
}

fn delete_agent(connection: &Connection, agent: AgentId) -> Result<()> {
    let mut statement = connection.prepare("SELECT sha256 FROM versions WHERE agent = ?1")?;
    let digests: Vec<String> = statement.query_map([agent.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    found(connection.execute("DELETE FROM agents WHERE id = ?1", [agent.0])?)?;
    digests.iter().try_for_each(|sha256| delete_unused(connection, sha256))
}

fn delete_version(connection: &Connection, version: VersionId) -> Result<()> {
    let mut statement = connection.statement("SELECT agent, sha256 FROM versions WHERE id = ?1")?;
    let (agent, sha256): (i64, String) = statement.query_row([version.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let agent = AgentId(agent);
    // What is searched and shown of an agent is its latest version's.
    let next: Option<(i64, String, Vec<u8>)> = connection
        .statement(
            "SELECT versions.id, versions.title, documents.bytes FROM versions
             JOIN documents ON documents.sha256 = versions.sha256
             WHERE agent = ?1 AND versions.id <> ?2 ORDER BY last_seen DESC, number DESC LIMIT 1",
        )?
        .query_row(params![agent.0, version.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((next, title, bytes)) = next else { return delete_agent(connection, agent) };
    connection.execute("DELETE FROM versions WHERE id = ?1", [version.0])?;
    delete_unused(connection, &sha256)?;
    let was_latest = connection
        .execute("UPDATE agents SET latest = ?3 WHERE id = ?1 AND latest = ?2", params![agent.0, version.0, next])?;
    if was_latest > 0 {
        words::put(connection, agent, &Document::new(bytes), &title)?;
    }
    Ok(())
}

/// Deletes a document that no version is left of.
fn delete_unused(connection: &Connection, sha256: &str) -> Result<()> {
    connection
        .statement("DELETE FROM documents WHERE sha256 = ?1 AND NOT EXISTS (SELECT 1 FROM versions WHERE sha256 = ?1)")?
        .execute([sha256])?;
    Ok(())
}
