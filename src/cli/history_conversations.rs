//! `cardscope history conversations` and `conversation`: what was said to an agent, listed and printed whole.

use std::time::SystemTime;

use serde_json::{Value, json};

use super::history::{counted, heading};
use super::kept::{agent_of, agents_of};
use crate::card::visible_text::visible_text;
use crate::history::transcript::{CardUse, ConversationId, ConversationRecord};
use crate::history::{AgentRecord, History, HistoryError, Page};
use crate::state::conversation_markdown::{Talked, markdown};

/// The conversations with whoever is kept of `address`, the one changed last first.
///
/// # Errors
/// Nothing is kept of it, or the history cannot be read; one sentence.
pub(super) fn conversations_of(history: &History, address: &str, as_json: bool) -> Result<String, String> {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for agent in agents_of(history, agent_of(address))? {
        let records = history.conversations(agent.id, Page::ALL).map_err(|error| error.to_string())?;
        if !records.is_empty() {
            lines.push(heading(&agent));
        }
        for record in records {
            let number = version_number(history, &record).map_err(|error| error.to_string())?;
            lines.push(line(&record, number));
            values.push(value(&agent, &record, number));
        }
    }
    if as_json {
        return Ok(format!("{:#}", json!({ "conversations": values })));
    }
    Ok(if lines.is_empty() { "No conversation is kept with it yet.".to_owned() } else { lines.join("\n") })
}

/// One conversation, whole.
///
/// # Errors
/// There is none of this number, or the history cannot be read; one sentence.
pub(super) fn conversation(history: &History, id: i64, as_json: bool) -> Result<String, String> {
    let kept = history.conversation(ConversationId(id)).map_err(|error| error.to_string())?;
    let kept = kept.ok_or_else(|| no_conversation(id))?;
    let agent = history.agent(kept.record.agent).map_err(|error| error.to_string())?;
    let agent = agent.ok_or_else(|| HistoryError::Gone.to_string())?;
    if !as_json {
        let with = Talked { title: &agent.title, card_url: &agent.card_url };
        return Ok(markdown(with, &kept.transcript, &kept.cards).trim_end().to_owned());
    }
    let number = version_number(history, &kept.record).map_err(|error| error.to_string())?;
    let mut printed = value(&agent, &kept.record, number);
    let said = serde_json::to_value(kept.transcript.masked()).map_err(|error| error.to_string())?;
    if let (Value::Object(members), Value::Object(said)) = (&mut printed, said) {
        members.insert("cards".to_owned(), kept.cards.iter().map(card).collect());
        // The number of turns gives way to the turns themselves.
        members.extend(said);
    }
    Ok(format!("{printed:#}"))
}

/// # Errors
/// There is none of this number, or the history cannot be written; one sentence.
pub(super) fn delete_conversation(history: &mut History, id: i64) -> Result<(), String> {
    history.delete_conversation(ConversationId(id)).map_err(|error| match error {
        HistoryError::Gone => no_conversation(id),
        other => other.to_string(),
    })
}

fn no_conversation(id: i64) -> String {
    format!("There is no conversation {id}. `cardscope history conversations ADDRESS` lists those with an agent.")
}

fn version_number(history: &History, record: &ConversationRecord) -> Result<Option<u32>, HistoryError> {
    let version = record.version.map(|version| history.version_of_id(version)).transpose()?.flatten();
    Ok(version.map(|version| version.number))
}

fn line(record: &ConversationRecord, version: Option<u32>) -> String {
    let turns = counted(record.turns, "turn");
    let version = version.map_or_else(|| "version deleted".to_owned(), |number| format!("@{number}"));
    let changed = minute(record.changed_at);
    let text = format!("  {}  {changed}  {turns}, {}, {version}  {}", record.id.0, record.outcome, record.title);
    visible_text(text.trim_end()).into_owned()
}

fn value(agent: &AgentRecord, record: &ConversationRecord, version: Option<u32>) -> Value {
    json!({
        "number": record.id.0,
        "cardUrl": agent.card_url,
        "version": version,
        "startedAt": time_text(record.started_at),
        "changedAt": time_text(record.changed_at),
        "title": record.title,
        "outcome": record.outcome,
        "turns": record.turns,
    })
}

fn card(card: &CardUse) -> Value {
    json!({
        "sha256": card.sha256,
        "version": card.version.as_ref().map(|version| version.number),
        "agentVersion": card.version.as_ref().and_then(|version| version.agent_version.as_ref()),
        "obtainedAt": card.obtained_at.map(time_text),
    })
}

fn time_text(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time).map(|time| time.to_string()).unwrap_or_default()
}

/// In UTC, as `history list` says its days.
fn minute(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time).map(|time| time.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}
