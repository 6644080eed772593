//! What agents are found by: title, addresses, and the names and tags of their skills.

use rusqlite::{Connection, params};

use super::records::AgentId;
use super::{Result, Statements as _};
use crate::card::Document;

/// So much of the skills is searched per agent; a card of hundreds of them fits.
const MOST_BYTES: usize = 64 << 10;

/// Keeps the title of an agent's latest version, and what it is found by from now on.
pub(super) fn put(connection: &Connection, agent: AgentId, document: &Document, title: &str) -> Result<()> {
    connection.statement("UPDATE agents SET title = ?2 WHERE id = ?1")?.execute(params![agent.0, title])?;
    let mut statement = connection.statement("SELECT card_url || char(10) || address FROM agents WHERE id = ?1")?;
    let addresses: String = statement.query_row([agent.0], |row| row.get(0))?;
    let words = format!("{title}\n{addresses}{}", skills(document)).to_lowercase();
    connection
        .statement(
            "INSERT INTO agent_words (agent, words) VALUES (?1, ?2)
             ON CONFLICT (agent) DO UPDATE SET words = excluded.words",
        )?
        .execute(params![agent.0, words])?;
    Ok(())
}

fn skills(document: &Document) -> String {
    let mut text = String::new();
    let skills = document.object().and_then(|card| card.get("skills")).into_iter();
    for skill in skills.flat_map(|skills| skills.items()) {
        let tags = skill.get("tags").into_iter().flat_map(|tags| tags.items());
        for word in
            ["id", "name"].iter().filter_map(|name| skill.get(name)).chain(tags).filter_map(|word| word.as_str())
        {
            if text.len() + word.len() > MOST_BYTES {
                return text;
            }
            text.push('\n');
            text.push_str(&word);
        }
    }
    text
}

/// The words of a search, each to be found somewhere.
pub(super) fn of_search(search: &str) -> Vec<String> {
    search.to_lowercase().split_whitespace().map(str::to_owned).collect()
}
