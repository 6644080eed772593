//! Taking in what somebody else exported, and whole folders of cards.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::exchange_file::{
    ExchangeFile, ExchangedAgent, ExchangedRetrieval, ExchangedVersion, FORMAT, FORMAT_VERSION, time_ms,
};
use super::identity::absolute;
use super::import_conversations::{CheckedConversation, checked_conversations, take_conversations};
use super::recording::{put_agent, put_muted, put_retrieval, put_version};
use super::records::{AgentId, Imported, NewDocument, NewRetrieval, Source, VersionId};
use super::rows::{asked_columns, from_ms};
use super::{History, HistoryError, Result, Statements as _, identity, words};
use crate::card::facts::{Origin, Shape};
use crate::card::{Document, Inspection, JsonPointer};

/// Larger files are no cards that anybody wrote.
const MOST_CARD_BYTES: u64 = 16 << 20;
const MOST_FILES: usize = 20_000;
const DEEPEST_FOLDER: usize = 16;

/// What was found to be whole of an agent in an exchange file.
struct CheckedAgent<'a> {
    agent: &'a ExchangedAgent,
    versions: Vec<Checked<'a>>,
    conversations: Vec<CheckedConversation>,
}

/// A version of an exchange file that was found to be whole.
struct Checked<'a> {
    document: NewDocument,
    seen: (i64, i64),
    retrievals: &'a [ExchangedRetrieval],
}

impl History {
    /// Takes in what [`Self::export`] wrote, here or elsewhere; importing it again changes nothing. Which version is
    /// the latest of an agent that was known before does not change.
    ///
    /// # Errors
    /// It is no such file, or nothing could be written.
    pub fn import(&mut self, json: &[u8]) -> Result<Imported> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let file: ExchangeFile = serde_json::from_slice(json)
            .map_err(|error| HistoryError::NotImported(format!("This is no file that Cardscope exported: {error}.")))?;
        if file.format != FORMAT || file.format_version > FORMAT_VERSION {
            let (format, version) = (&file.format, file.format_version);
            return Err(HistoryError::NotImported(format!(
                "The file's format is '{format}' {version}; this Cardscope reads '{FORMAT}' up to {FORMAT_VERSION}."
            )));
        }
        let mut imported = Imported::default();
        // Judged before anything is written: that takes longest, and nobody else has to wait for it.
        let checked: Vec<CheckedAgent<'_>> =
            file.agents.iter().map(|agent| checked_agent(agent, &mut imported.problems)).collect();
        let transaction = self.write()?;
        for agent in checked.iter().filter(|agent| !agent.versions.is_empty()) {
            take_agent(&transaction, agent, &mut imported)?;
        }
        transaction.commit()?;
        Ok(imported)
    }

    /// Takes in every card in a folder and the folders in it.
    ///
    /// # Errors
    /// The folder cannot be read, or nothing could be written.
    pub fn import_folder(&mut self, folder: &Path) -> Result<Imported> {
        let mut imported = Imported::default();
        let mut paths = Vec::new();
        json_files(folder, 0, &mut paths, &mut imported.problems)
            .map_err(|error| HistoryError::NotImported(format!("{} cannot be read: {error}.", folder.display())))?;
        paths.sort();
        for path in paths {
            self.take_file(&path, &mut imported)?;
        }
        Ok(imported)
    }

    fn take_file(&mut self, path: &Path, imported: &mut Imported) -> Result<()> {
        let name = absolute(&path.to_string_lossy());
        let bytes = match read_card(path) {
            Ok(bytes) => bytes,
            Err(problem) => {
                imported.problems.push(format!("{name}: {problem}."));
                return Ok(());
            }
        };
        let inspection = Inspection::of(Arc::new(Document::new(bytes)), Origin::default());
        if inspection.shape == Shape::NotACard {
            imported.problems.push(format!("{name}: {}", inspection.shape_reason));
            return Ok(());
        }
        let known: bool = self
            .connection
            .statement(
                "SELECT EXISTS (SELECT 1 FROM agents JOIN versions ON versions.agent = agents.id
                 WHERE agents.card_url = ?1 AND agents.asked_names = '' AND versions.sha256 = ?2)",
            )?
            .query_row(params![name, inspection.document.sha256()], |row| row.get(0))?;
        if known {
            imported.known_versions += 1;
            return Ok(());
        }
        let recorded = self.record(&NewRetrieval {
            source: Source::File,
            address: name.clone(),
            card_url: Some(name.clone()),
            requested_url: name.clone(),
            final_url: name,
            outcome: "card".to_owned(),
            verdict: "Imported with its folder.".to_owned(),
            document: Some(NewDocument::from(&inspection)),
            ..NewRetrieval::default()
        })?;
        imported.new_versions += 1;
        imported.new_agents += u32::from(recorded.is_some_and(|recorded| recorded.is_new_agent));
        Ok(())
    }
}

fn checked_agent<'a>(agent: &'a ExchangedAgent, problems: &mut Vec<String>) -> CheckedAgent<'a> {
    let versions = checked_versions(agent, problems);
    let conversations = checked_conversations(agent, problems);
    if versions.is_empty() && !conversations.is_empty() {
        problems.push(format!(
            "The conversations with {} were left out: without a version there is no agent to keep them by.",
            agent.card_url
        ));
    }
    CheckedAgent { agent, versions, conversations }
}

/// The versions that are what they say they are; what is wrong with the others goes to `problems`.
fn checked_versions<'a>(agent: &'a ExchangedAgent, problems: &mut Vec<String>) -> Vec<Checked<'a>> {
    let mut checked = Vec::with_capacity(agent.versions.len());
    for version in &agent.versions {
        match checked_version(version) {
            Ok(version) => checked.push(version),
            Err(problem) => {
                let digest: String = version.sha256.chars().take(12).collect();
                problems.push(format!("Version {digest} of {} was left out: {problem}.", agent.card_url));
            }
        }
    }
    checked
}

fn checked_version(version: &ExchangedVersion) -> std::result::Result<Checked<'_>, String> {
    let document = Document::new(version.bytes()?);
    if document.sha256() != version.sha256.to_lowercase() {
        return Err("its bytes do not have the digest that it states".to_owned());
    }
    let seen = (time_ms(&version.first_seen)?, time_ms(&version.last_seen)?);
    for retrieval in &version.retrievals {
        time_ms(&retrieval.at)?;
    }
    let origin = version.retrievals.first().map(origin).unwrap_or_default();
    let inspection = Inspection::of(Arc::new(document), origin);
    let seen = (seen.0.min(seen.1), seen.0.max(seen.1));
    Ok(Checked { document: NewDocument::from(&inspection), seen, retrievals: &version.retrievals })
}

fn origin(retrieval: &ExchangedRetrieval) -> Origin {
    let is_url = |url: &&String| url.contains("://");
    Origin {
        requested_url: Some(&retrieval.requested_url).filter(is_url).cloned(),
        final_url: Some(&retrieval.final_url).filter(is_url).cloned(),
        content_type: retrieval.content_type.clone(),
        cache_control: retrieval.caching.cache_control.clone(),
        etag: retrieval.caching.etag.clone(),
        last_modified: retrieval.caching.last_modified.clone(),
        legacy_path: retrieval.legacy_path,
        ..Origin::default()
    }
}

fn take_agent(connection: &Connection, checked: &CheckedAgent<'_>, imported: &mut Imported) -> Result<()> {
    let CheckedAgent { agent, versions, conversations } = checked;
    // Whoever wrote the file may not have masked anything.
    let scrubber = identity::Scrubber::of(&NewRetrieval { source: agent.source, ..NewRetrieval::default() });
    let card_url = scrubber.address(&agent.card_url, agent.source);
    let (names, digest) = asked_columns(&agent.asked_as());
    let known: Option<i64> = connection
        .statement("SELECT id FROM agents WHERE card_url = ?1 AND asked_names = ?2 AND asked_digest = ?3")?
        .query_row(params![card_url, names, digest], |row| row.get(0))
        .optional()?;
    let id = if let Some(id) = known {
        AgentId(id)
    } else {
        imported.new_agents += 1;
        let address = scrubber.address(&agent.address, agent.source);
        let id = put_agent(connection, &card_url, agent.source, &agent.asked_as(), &address, &card_url)?;
        let muted: Vec<JsonPointer> = agent.muted.iter().map(JsonPointer::from_text).collect();
        put_muted(connection, id, &muted)?;
        id
    };
    for version in versions {
        let (version_id, is_new) = put_version(connection, id, &version.document, version.seen)?;
        imported.new_versions += u32::from(is_new);
        imported.known_versions += u32::from(!is_new);
        for retrieval in version.retrievals {
            take_retrieval(connection, id, version_id, retrieval, agent.source)?;
        }
    }
    settle_order(connection, id)?;
    if known.is_none() {
        settle_new(connection, id, versions)?;
    }
    take_conversations(connection, id, conversations, imported)
}

fn take_retrieval(
    connection: &Connection,
    agent: AgentId,
    version: VersionId,
    retrieval: &ExchangedRetrieval,
    source: Source,
) -> Result<()> {
    let at = time_ms(&retrieval.at).map_err(HistoryError::NotImported)?;
    let known: bool = connection
        .statement("SELECT EXISTS (SELECT 1 FROM retrievals WHERE version = ?1 AND at = ?2)")?
        .query_row(params![version.0, at], |row| row.get(0))?;
    if known {
        return Ok(());
    }
    let new = NewRetrieval {
        source,
        at: Some(from_ms(at)),
        requested_url: retrieval.requested_url.clone(),
        final_url: retrieval.final_url.clone(),
        status: retrieval.status,
        content_type: retrieval.content_type.clone(),
        caching: retrieval.caching.clone(),
        legacy_path: retrieval.legacy_path,
        outcome: retrieval.outcome.clone(),
        verdict: retrieval.verdict.clone(),
        attempts: retrieval.attempts.clone(),
        not_modified: retrieval.not_modified.then_some(version),
        ..NewRetrieval::default()
    };
    put_retrieval(connection, agent, Some(version), &new, &identity::Scrubber::of(&new), at)?;
    Ok(())
}

/// Which version came after which, by all retrievals that are known now.
fn settle_order(connection: &Connection, agent: AgentId) -> Result<()> {
    connection
        .statement(
            "UPDATE versions SET came_after = coalesce((
                 SELECT earlier.version FROM retrievals AS earlier
                 WHERE earlier.agent = ?1 AND earlier.version <> versions.id AND (earlier.at, earlier.id) < (
                     SELECT last.at, last.id FROM retrievals AS last WHERE last.version = versions.id
                     ORDER BY last.at DESC, last.id DESC LIMIT 1
                 )
                 ORDER BY earlier.at DESC, earlier.id DESC LIMIT 1
             ), came_after)
             WHERE agent = ?1",
        )?
        .execute([agent.0])?;
    Ok(())
}

/// Gives an agent that was not known its latest version, the time it was checked, and what it is found by.
fn settle_new(connection: &Connection, agent: AgentId, versions: &[Checked<'_>]) -> Result<()> {
    connection
        .statement(
            "UPDATE agents SET
             latest = (SELECT id FROM versions WHERE agent = ?1 ORDER BY last_seen DESC, number DESC LIMIT 1),
             last_checked = (SELECT max(last_seen) FROM versions WHERE agent = ?1)
             WHERE id = ?1",
        )?
        .execute([agent.0])?;
    // As the database orders them: of those seen at the same time, the one put in last.
    match versions.iter().max_by_key(|version| version.seen.1) {
        Some(latest) => words::put(connection, agent, &latest.document.document, &latest.document.title),
        None => Ok(()),
    }
}

fn read_card(path: &Path) -> std::result::Result<Vec<u8>, String> {
    let length = fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?.len();
    if length > MOST_CARD_BYTES {
        return Err(format!("is larger than {} MiB and was left out", MOST_CARD_BYTES >> 20));
    }
    fs::read(path).map_err(|error| format!("cannot be read: {error}"))
}

/// Collects files that may be cards. Links to folders are not followed: they may lead round in a circle.
fn json_files(
    folder: &Path,
    depth: usize,
    paths: &mut Vec<PathBuf>,
    problems: &mut Vec<String>,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if paths.len() >= MOST_FILES {
            problems.push(format!("More than {MOST_FILES} files: the rest was left out."));
            return Ok(());
        }
        if entry.file_type()?.is_dir() {
            if depth == DEEPEST_FOLDER {
                problems.push(format!("{} lies too deep and was left out.", path.display()));
            } else if let Err(error) = json_files(&path, depth + 1, paths, problems) {
                problems.push(format!("{} cannot be read: {error}.", path.display()));
            }
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            paths.push(path);
        }
    }
    Ok(())
}
