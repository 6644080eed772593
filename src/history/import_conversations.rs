//! Taking in conversations that somebody exported; the same one is known again, also where it went on since.

use std::collections::HashMap;

use rusqlite::Connection;

use super::conversations::put_conversation;
use super::exchange_file::{ExchangedAgent, ExchangedConversation, time_ms};
use super::records::{AgentId, Imported};
use super::rows::{from_ms, json};
use super::transcript::{ConversationId, NewConversation, Transcript};
use super::{Result, Statements as _};

/// A conversation that was found to be readable.
pub(super) struct CheckedConversation {
    started_at: i64,
    changed_at: i64,
    transcript: Transcript,
}

/// The conversations that can be read; what is wrong with the others goes to `problems`.
pub(super) fn checked_conversations(agent: &ExchangedAgent, problems: &mut Vec<String>) -> Vec<CheckedConversation> {
    let mut checked = Vec::with_capacity(agent.conversations.len());
    for (index, value) in agent.conversations.iter().enumerate() {
        let read = serde_json::from_value(value.clone()).map_err(|error| error.to_string()).and_then(checked_one);
        match read {
            Ok(conversation) => checked.push(conversation),
            Err(problem) => {
                problems.push(format!("Conversation {} with {} was left out: {problem}.", index + 1, agent.card_url));
            }
        }
    }
    checked
}

fn checked_one(conversation: ExchangedConversation) -> std::result::Result<CheckedConversation, String> {
    let ExchangedConversation { started_at, changed_at, transcript } = conversation;
    if transcript.turns.is_empty() {
        return Err("nothing was said in it".to_owned());
    }
    Ok(CheckedConversation { started_at: time_ms(&started_at)?, changed_at: time_ms(&changed_at)?, transcript })
}

/// What is here already of a conversation that comes in.
enum Here {
    All,
    /// It went on since, or more became known of its last turn.
    Beginning(ConversationId),
    Nothing,
}

/// An agent's conversations by when they started, with when they were changed.
type ByStart = HashMap<i64, Vec<(ConversationId, i64)>>;

pub(super) fn take_conversations(
    connection: &Connection,
    agent: AgentId,
    conversations: &[CheckedConversation],
    imported: &mut Imported,
) -> Result<()> {
    if conversations.is_empty() {
        return Ok(());
    }
    let mut kept = kept_by_start(connection, agent)?;
    for conversation in conversations {
        let known = match here(connection, &kept, conversation)? {
            Here::All => {
                imported.known_conversations += 1;
                continue;
            }
            Here::Beginning(id) => {
                imported.continued_conversations += 1;
                Some(id)
            }
            Here::Nothing => {
                imported.new_conversations += 1;
                None
            }
        };
        let new = NewConversation {
            agent,
            version: None,
            started_at: from_ms(conversation.started_at),
            transcript: conversation.transcript.clone(),
        };
        let id = put_conversation(connection, known, &new, conversation.changed_at)?;
        let same_start = kept.entry(conversation.started_at).or_default();
        same_start.retain(|(other, _)| *other != id);
        same_start.push((id, conversation.changed_at));
    }
    Ok(())
}

fn kept_by_start(connection: &Connection, agent: AgentId) -> Result<ByStart> {
    let mut statement =
        connection.statement("SELECT started_at, id, changed_at FROM conversations WHERE agent = ?1")?;
    let mut rows = statement.query([agent.0])?;
    let mut kept = ByStart::new();
    while let Some(row) = rows.next()? {
        kept.entry(row.get(0)?).or_default().push((ConversationId(row.get(1)?), row.get(2)?));
    }
    Ok(kept)
}

fn here(connection: &Connection, kept: &ByStart, new: &CheckedConversation) -> Result<Here> {
    let times = |transcript: &Transcript| transcript.turns.iter().map(|turn| turn.sent_at_ms).collect::<Vec<_>>();
    let sent = times(&new.transcript);
    let mut beginning = None;
    for &(id, changed_at) in kept.get(&new.started_at).into_iter().flatten() {
        let text: String = connection
            .statement("SELECT transcript FROM conversations WHERE id = ?1")?
            .query_row([id.0], |row| row.get(0))?;
        let own = times(&json(&text)?);
        let is_newer = new.changed_at > changed_at;
        if own.len() > sent.len() && own.starts_with(&sent) || own == sent && !is_newer {
            return Ok(Here::All);
        }
        if sent.starts_with(&own) && is_newer {
            beginning = Some(id);
        }
    }
    Ok(beginning.map_or(Here::Nothing, Here::Beginning))
}
