//! `cardscope history`: lists, exports, imports and deletes what is kept.

use std::path::Path;
use std::process::ExitCode;

use super::UNOBTAINED;
use super::arguments::{DeleteArguments, HistoryCommand};
use super::history_conversations::{conversation, conversations_of, delete_conversation};
use super::history_list::list;
use super::kept::{Kept, agents_of, named_version};
use super::output::{self, Written};
use crate::card::visible_text::visible_text;
use crate::history::{AgentId, AgentRecord, AskedAs, History, Imported, Source, VersionId};

pub(super) fn run(command: HistoryCommand, data_folder: Option<&Path>) -> ExitCode {
    let mut history = match Kept::required(data_folder) {
        Ok(history) => history,
        Err(problem) => return output::fail(&problem),
    };
    let done = match command {
        HistoryCommand::List { search, json } => list(&mut history, &search.join(" "), json),
        HistoryCommand::Export { addresses } => export(&history, &addresses),
        HistoryCommand::Conversations { address, json } => conversations_of(&history, &address, json),
        HistoryCommand::Conversation { id, json } => conversation(&history, id, json),
        HistoryCommand::Import { path } => import(&mut history, &path),
        HistoryCommand::Delete(arguments) => delete(&mut history, &arguments),
    };
    match done {
        Ok(text) => match output::line(&text) {
            Written::Failed => ExitCode::from(UNOBTAINED),
            Written::Whole | Written::Unread => ExitCode::SUCCESS,
        },
        Err(problem) => output::fail(&problem),
    }
}

pub(super) fn heading(agent: &AgentRecord) -> String {
    let asker = match &agent.asked_as {
        AskedAs::Public => String::new(),
        AskedAs::Credentials { names, .. } => format!(" (got with {})", names.join(", ")),
    };
    let standing = if agent.source == Source::Catalog { " (inside a catalog)" } else { "" };
    visible_text(&format!("{}  {}{standing}{asker}", agent.title, agent.card_url)).into_owned()
}

fn export(history: &History, addresses: &[String]) -> Result<String, String> {
    let Chosen { agents, versions } = chosen(history, addresses)?;
    history.export(&agents, &versions).map_err(|error| error.to_string())
}

fn import(history: &mut History, path: &Path) -> Result<String, String> {
    let imported = if path.is_dir() {
        history.import_folder(path).map_err(|error| error.to_string())?
    } else {
        let json = std::fs::read(path).map_err(|error| format!("{} cannot be read: {error}.", path.display()))?;
        history.import(&json).map_err(|error| error.to_string())?
    };
    for problem in &imported.problems {
        output::note(problem);
    }
    let (versions, agents) = (counted(imported.new_versions, "new version"), counted(imported.new_agents, "new agent"));
    let known = counted(imported.known_versions, "version");
    Ok(format!("{versions}, {agents}; {known} here already.{}", imported_conversations(&imported)))
}

/// What came of conversations; nothing where there were none.
fn imported_conversations(imported: &Imported) -> String {
    let Imported { new_conversations, continued_conversations, known_conversations, .. } = *imported;
    if new_conversations + continued_conversations + known_conversations == 0 {
        return String::new();
    }
    let went_on = match continued_conversations {
        0 => String::new(),
        count => format!(", {count} continued"),
    };
    let new = counted(new_conversations, "new conversation");
    format!("\n{new}{went_on}; {} here already.", counted(known_conversations, "conversation"))
}

fn delete(history: &mut History, arguments: &DeleteArguments) -> Result<String, String> {
    if arguments.everything {
        history.delete_everything().map_err(|error| error.to_string())?;
        return Ok("Everything was deleted.".to_owned());
    }
    let Chosen { agents, versions } = chosen(history, &arguments.addresses)?;
    // Those of an agent that is deleted as well would be gone with it.
    for &conversation in &arguments.conversations {
        delete_conversation(history, conversation)?;
    }
    for &version in &versions {
        history.delete_version(version).map_err(|error| error.to_string())?;
    }
    for &agent in &agents {
        history.delete_agent(agent).map_err(|error| error.to_string())?;
    }
    let (agents, versions) = (counted(agents.len() as u32, "whole agent"), counted(versions.len() as u32, "version"));
    let conversations = match arguments.conversations.len() as u32 {
        0 => String::new(),
        count => format!(", {}", counted(count, "conversation")),
    };
    Ok(format!("Deleted: {agents}, {versions}{conversations}."))
}

pub(super) fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What addresses stand for: whole agents, whoever asked, or single versions of them.
#[derive(Default)]
struct Chosen {
    agents: Vec<AgentId>,
    versions: Vec<VersionId>,
}

fn chosen(history: &History, addresses: &[String]) -> Result<Chosen, String> {
    let mut chosen = Chosen::default();
    for address in addresses {
        let (agent, which) =
            named_version(address).map_or((address.as_str(), None), |(agent, which)| (agent, Some(which)));
        let agents = agents_of(history, agent)?;
        let Some(which) = which else {
            chosen.agents.extend(agents.iter().map(|agent| agent.id));
            continue;
        };
        let found = agents.iter().filter_map(|agent| history.version(agent.id, which).transpose());
        let found: Vec<VersionId> = found
            .map(|version| version.map(|version| version.id))
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        if found.is_empty() {
            return Err(format!("No version {address} is kept."));
        }
        chosen.versions.extend(found);
    }
    chosen.agents.sort_unstable();
    chosen.agents.dedup();
    chosen.versions.sort_unstable();
    chosen.versions.dedup();
    Ok(chosen)
}
