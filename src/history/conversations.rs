//! Conversations: kept whole each time they change, listed by agent.

use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::recording::found;
use super::records::{AgentId, Page, VersionId, VersionRecord};
use super::rows::{self, VERSION, from_ms, json, to_ms};
use super::transcript::{
    CardUse, ConversationId, ConversationPage, ConversationRecord, KeptConversation, NewConversation, Transcript,
};
use super::{History, HistoryError, Result, Statements as _};

const CONVERSATION: &str =
    "SELECT id, agent, version, started_at, changed_at, title, outcome, turns FROM conversations";

impl History {
    /// Keeps a conversation, or what has become of the one with this id.
    ///
    /// # Errors
    /// The conversation or its agent is gone, or nothing could be written.
    pub fn save_conversation(&mut self, id: Option<ConversationId>, new: &NewConversation) -> Result<ConversationId> {
        let transaction = self.write()?;
        let agent_is_kept: bool = transaction
            .statement("SELECT EXISTS (SELECT 1 FROM agents WHERE id = ?1)")?
            .query_row([new.agent.0], |row| row.get(0))?;
        found(usize::from(agent_is_kept))?;
        let id = put_conversation(&transaction, id, new, to_ms(SystemTime::now()))?;
        transaction.commit()?;
        Ok(id)
    }

    /// The one changed last first.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn conversations(&self, agent: AgentId, page: Page) -> Result<Vec<ConversationRecord>> {
        let sql = format!("{CONVERSATION} WHERE agent = ?1 ORDER BY changed_at DESC, id DESC LIMIT ?2 OFFSET ?3");
        let mut statement = self.connection.statement(&sql)?;
        let records = statement.query_map(params![agent.0, page.limit, page.offset], record)?;
        Ok(records.collect::<rusqlite::Result<_>>()?)
    }

    /// The same with how many there are in all.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn conversation_page(&self, agent: AgentId, page: Page) -> Result<ConversationPage> {
        let mut statement = self.connection.statement("SELECT count(*) FROM conversations WHERE agent = ?1")?;
        let total = statement.query_row([agent.0], |row| row.get(0))?;
        Ok(ConversationPage { conversations: self.conversations(agent, page)?, total })
    }

    /// A conversation with everything that was said and the cards it used; `None` if there is no such conversation.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn conversation(&self, id: ConversationId) -> Result<Option<KeptConversation>> {
        let mut statement = self.connection.statement(&format!("{CONVERSATION} WHERE id = ?1"))?;
        let record = statement.query_row([id.0], record).optional()?;
        let (Some(record), Some(transcript)) = (record, self.transcript(id)?) else { return Ok(None) };
        let mut cards: Vec<CardUse> = Vec::new();
        for turn in &transcript.turns {
            if cards.iter().all(|card| card.sha256 != turn.card_sha256) {
                cards.push(self.card_use(record.agent, &turn.card_sha256, turn.sent_at_ms)?);
            }
        }
        Ok(Some(KeptConversation { record, transcript, cards }))
    }

    /// Everything that was said; `None` if there is no such conversation.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn transcript(&self, conversation: ConversationId) -> Result<Option<Transcript>> {
        let mut statement = self.connection.statement("SELECT transcript FROM conversations WHERE id = ?1")?;
        let text: Option<String> = statement.query_row([conversation.0], |row| row.get(0)).optional()?;
        Ok(text.as_deref().map(json).transpose()?)
    }

    /// The conversation with `agent` in this context, the one changed last.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn conversation_of_context(&self, agent: AgentId, context_id: &str) -> Result<Option<ConversationId>> {
        let mut statement = self.connection.statement(
            "SELECT id FROM conversations WHERE agent = ?1 AND json_valid(transcript)
             AND json_extract(transcript, '$.contextId') = ?2 ORDER BY changed_at DESC, id DESC LIMIT 1",
        )?;
        let found = statement.query_row(params![agent.0, context_id], |row| row.get(0)).optional()?;
        Ok(found.map(ConversationId))
    }

    fn card_use(&self, agent: AgentId, sha256: &str, used_at_ms: i64) -> Result<CardUse> {
        let mut statement = self.connection.statement(&format!("{VERSION} WHERE agent = ?1 AND sha256 = ?2"))?;
        let version: Option<VersionRecord> = statement.query_row(params![agent.0, sha256], rows::version).optional()?;
        let mut obtained_at = None;
        if let Some(version) = &version {
            let mut statement = self.connection.statement(
                "SELECT at FROM retrievals WHERE version = ?1 AND at <= ?2 ORDER BY at DESC, id DESC LIMIT 1",
            )?;
            let at: Option<i64> =
                statement.query_row(params![version.id.0, used_at_ms], |row| row.get(0)).optional()?;
            obtained_at = at.map(from_ms);
        }
        Ok(CardUse { sha256: sha256.to_owned(), version, obtained_at })
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<ConversationRecord> {
    Ok(ConversationRecord {
        id: ConversationId(row.get(0)?),
        agent: AgentId(row.get(1)?),
        version: row.get::<_, Option<i64>>(2)?.map(VersionId),
        started_at: from_ms(row.get(3)?),
        changed_at: from_ms(row.get(4)?),
        title: row.get(5)?,
        outcome: row.get(6)?,
        turns: row.get(7)?,
    })
}

/// Writes a conversation's row, anew or over the one with this id.
pub(super) fn put_conversation(
    connection: &Connection,
    id: Option<ConversationId>,
    new: &NewConversation,
    changed_at: i64,
) -> Result<ConversationId> {
    let transcript = new.transcript.masked();
    let text = serde_json::to_string(&transcript).map_err(|error| HistoryError::Other(error.to_string()))?;
    let title = transcript.title();
    let last = transcript.turns.last();
    let outcome = last.map_or("", |turn| turn.outcome.as_str());
    let turns = i64::try_from(transcript.turns.len()).unwrap_or(i64::MAX);
    // The version may have been deleted while the conversation went on.
    let version: Option<i64> = connection
        .statement(
            "SELECT coalesce((SELECT id FROM versions WHERE agent = ?1 AND sha256 = ?2),
             (SELECT id FROM versions WHERE agent = ?1 AND id = ?3))",
        )?
        .query_row(
            params![new.agent.0, last.map(|turn| &turn.card_sha256), new.version.map(|version| version.0)],
            |row| row.get(0),
        )?;
    let Some(id) = id else {
        connection
            .statement(
                "INSERT INTO conversations (agent, version, started_at, changed_at, title, outcome, turns, transcript)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![new.agent.0, version, to_ms(new.started_at), changed_at, title, outcome, turns, text])?;
        return Ok(ConversationId(connection.last_insert_rowid()));
    };
    let changed = connection
        .statement(
            "UPDATE conversations SET version = ?2, changed_at = ?3, title = ?4, outcome = ?5, turns = ?6,
             transcript = ?7 WHERE id = ?1",
        )?
        .execute(params![id.0, version, changed_at, title, outcome, turns, text])?;
    found(changed)?;
    Ok(id)
}
