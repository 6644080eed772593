//! Conversations: kept whole each time they change, listed by agent.

use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rusqlite::{OptionalExtension as _, params};

use super::recording::found;
use super::records::{AgentId, Page, VersionId};
use super::rows::{from_ms, json, to_ms};
use super::transcript::{ConversationId, ConversationRecord, MAX_KEPT_BYTES, NewConversation, PartRecord, Transcript};
use super::{History, HistoryError, Result, Statements as _};
use crate::a2a::{Part, PartContent};
use crate::card::address::mask_secrets;

/// So much of the first message is a conversation's title.
const TITLE_LENGTH: usize = 80;

impl History {
    /// Keeps a conversation, or what has become of the one with this id.
    ///
    /// # Errors
    /// The conversation or its agent is gone, or nothing could be written.
    pub fn save_conversation(&mut self, id: Option<ConversationId>, new: &NewConversation) -> Result<ConversationId> {
        let transcript = written(&new.transcript)?;
        let title = title(&new.transcript);
        let outcome = new.transcript.turns.last().map_or("", |turn| turn.outcome.as_str());
        let turns = i64::try_from(new.transcript.turns.len()).unwrap_or(i64::MAX);
        let now = to_ms(SystemTime::now());
        let version = new.version.map(|version| version.0);
        let transaction = self.write()?;
        let agent_is_kept: bool = transaction
            .statement("SELECT EXISTS (SELECT 1 FROM agents WHERE id = ?1)")?
            .query_row([new.agent.0], |row| row.get(0))?;
        // The version may have been deleted while the conversation went on.
        let version: Option<i64> = transaction
            .statement("SELECT id FROM versions WHERE id = ?1")?
            .query_row([version], |row| row.get(0))
            .optional()?;
        found(usize::from(agent_is_kept))?;
        let id = if let Some(id) = id {
            let changed = transaction
                .statement(
                    "UPDATE conversations SET version = ?2, changed_at = ?3, title = ?4, outcome = ?5, turns = ?6,
                     transcript = ?7 WHERE id = ?1",
                )?
                .execute(params![id.0, version, now, title, outcome, turns, transcript])?;
            found(changed)?;
            id
        } else {
            let started_at = to_ms(new.started_at);
            transaction
                .statement(
                    "INSERT INTO conversations (agent, version, started_at, changed_at, title, outcome, turns,
                     transcript) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![new.agent.0, version, started_at, now, title, outcome, turns, transcript])?;
            ConversationId(transaction.last_insert_rowid())
        };
        transaction.commit()?;
        Ok(id)
    }

    /// The one changed last first.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn conversations(&self, agent: AgentId, page: Page) -> Result<Vec<ConversationRecord>> {
        let mut statement = self.connection.statement(
            "SELECT id, agent, version, started_at, changed_at, title, outcome, turns FROM conversations
             WHERE agent = ?1 ORDER BY changed_at DESC, id DESC LIMIT ?2 OFFSET ?3",
        )?;
        let records = statement.query_map(params![agent.0, page.limit, page.offset], |row| {
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
        })?;
        Ok(records.collect::<rusqlite::Result<_>>()?)
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
}

/// As JSON, addresses without their secrets.
fn written(transcript: &Transcript) -> Result<String> {
    let mut transcript = transcript.clone();
    for turn in &mut transcript.turns {
        turn.interface.url = mask_secrets(&turn.interface.url);
        let artifacts = turn.artifacts.iter_mut().flat_map(|artifact| &mut artifact.parts);
        for part in turn.sent.iter_mut().chain(&mut turn.reply).chain(artifacts) {
            if let PartRecord::Link { url, .. } = part {
                *url = mask_secrets(url);
            }
        }
    }
    serde_json::to_string(&transcript).map_err(|error| HistoryError::Other(error.to_string()))
}

fn title(transcript: &Transcript) -> String {
    let parts = transcript.turns.first().map(|turn| turn.sent.as_slice()).unwrap_or_default();
    let text = parts.iter().find_map(|part| match part {
        PartRecord::Text { text } => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        _ => None,
    });
    text.unwrap_or_default().chars().take(TITLE_LENGTH).collect()
}

impl From<&Part> for PartRecord {
    fn from(part: &Part) -> Self {
        let (name, media_type) = (part.filename.clone(), part.media_type.clone());
        match &part.content {
            PartContent::Text(text) => Self::Text { text: text.clone() },
            PartContent::Data(json) | PartContent::Unknown(json) => Self::Data { json: json.as_str().to_owned() },
            PartContent::Url(url) => Self::Link { name, media_type, url: mask_secrets(url) },
            PartContent::Raw(bytes) => Self::File {
                name,
                media_type,
                bytes_len: bytes.len() as u64,
                base64: (bytes.len() <= MAX_KEPT_BYTES).then(|| STANDARD.encode(bytes)),
            },
            // What came instead of base64, as it came.
            PartContent::Undecodable(text) => Self::Text { text: text.to_string() },
        }
    }
}
