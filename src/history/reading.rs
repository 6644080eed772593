//! Lists and single records, each found by an index.

use std::sync::Arc;

use rusqlite::{OptionalExtension as _, Params, params};

use super::recording::muted;
use super::records::{
    AgentId, AgentPage, AgentRecord, KeptVersion, Page, RetrievalRecord, RetrievalsOf, VersionId, VersionRecord, Which,
    previous_version,
};
use super::rows::{self, AGENT, RETRIEVAL, VERSION};
use super::{History, Result, Statements as _, words};
use crate::card::Document;
use crate::card::address::mask_secrets;

impl History {
    /// Agents whose title, addresses or skills hold every word of `search`, the one checked last first.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn agents(&self, search: &str, page: Page) -> Result<AgentPage> {
        let ids = self.matching(&words::of_search(search))?;
        let total = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        let shown = ids.into_iter().skip(page.offset as usize).take(page.limit as usize);
        // One may be deleted by another program meanwhile.
        let agents = shown.filter_map(|id| self.agent(id).transpose()).collect::<Result<_>>()?;
        Ok(AgentPage { agents, total })
    }

    /// The ids of all agents found by `words`, in the order of the list. Ids only: rows are read for the page shown.
    fn matching(&self, words: &[String]) -> Result<Vec<AgentId>> {
        let order = "ORDER BY last_checked DESC, id DESC";
        let sql = if words.is_empty() {
            format!("SELECT id FROM agents {order}")
        } else {
            let conditions: Vec<String> =
                (1..=words.len()).map(|index| format!("instr(words, ?{index}) > 0")).collect();
            format!(
                "SELECT id FROM agents WHERE id IN (SELECT agent FROM agent_words WHERE {}) {order}",
                conditions.join(" AND ")
            )
        };
        let mut statement = self.connection.statement(&sql)?;
        let ids = statement.query_map(rusqlite::params_from_iter(words), |row| row.get(0).map(AgentId))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// # Errors
    /// The history cannot be read.
    pub fn agent(&self, id: AgentId) -> Result<Option<AgentRecord>> {
        Ok(self.agents_where("id = ?1", params![id.0])?.pop())
    }

    /// The agents that were last opened by `address` as typed, or whose card is there; public ones first, then the
    /// one checked last.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn agents_at(&self, address: &str) -> Result<Vec<AgentRecord>> {
        let condition = "address = ?1 OR card_url = ?1 ORDER BY asked_names <> '', last_checked DESC";
        self.agents_where(condition, params![mask_secrets(address.trim())])
    }

    /// The agents that are watched.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn watched(&self) -> Result<Vec<AgentRecord>> {
        self.agents_where("watch_minutes IS NOT NULL ORDER BY watch_minutes, id", [])
    }

    fn agents_where(&self, condition: &str, parameters: impl Params) -> Result<Vec<AgentRecord>> {
        let mut statement = self.connection.statement(&format!("{AGENT} WHERE {condition}"))?;
        let found = statement.query_map(parameters, rows::agent)?.collect::<rusqlite::Result<Vec<_>>>()?;
        let complete = |(mut record, latest): (AgentRecord, Option<VersionId>)| {
            record.latest = latest.map(|latest| self.version_of_id(latest)).transpose()?.flatten();
            record.muted = muted(&self.connection, record.id)?;
            Ok(record)
        };
        found.into_iter().map(complete).collect()
    }

    /// The versions of an agent: the latest first, then the one seen last.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn versions(&self, agent: AgentId, page: Page) -> Result<Vec<VersionRecord>> {
        let condition = "agent = ?1 ORDER BY id IS (SELECT latest FROM agents WHERE id = ?1) DESC, last_seen DESC,
             number DESC LIMIT ?2 OFFSET ?3";
        self.versions_where(condition, params![agent.0, page.limit, page.offset])
    }

    /// # Errors
    /// The history cannot be read.
    pub fn version(&self, agent: AgentId, which: Which) -> Result<Option<VersionRecord>> {
        let latest = "id = (SELECT latest FROM agents WHERE id = ?1)";
        let mut found = match which {
            Which::Latest => self.versions_where(latest, [agent.0]),
            Which::Previous => {
                let versions = self.versions(agent, Page::ALL)?;
                let Some((latest, others)) = versions.split_first() else { return Ok(None) };
                // Another spelling is better than nothing.
                return Ok(previous_version(&versions, latest).or(others.first()).cloned());
            }
            Which::Number(number) => self.versions_where("agent = ?1 AND number = ?2", params![agent.0, number]),
        }?;
        Ok(found.pop())
    }

    /// # Errors
    /// The history cannot be read.
    pub fn version_of_id(&self, id: VersionId) -> Result<Option<VersionRecord>> {
        Ok(self.versions_where("id = ?1", [id.0])?.pop())
    }

    fn versions_where(&self, condition: &str, parameters: impl Params) -> Result<Vec<VersionRecord>> {
        let mut statement = self.connection.statement(&format!("{VERSION} WHERE {condition}"))?;
        let versions = statement.query_map(parameters, rows::version)?;
        Ok(versions.collect::<rusqlite::Result<_>>()?)
    }

    /// A version with its document and the retrieval that gave it last; `None` if there is no such version.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn document(&self, id: VersionId) -> Result<Option<KeptVersion>> {
        let Some(version) = self.version_of_id(id)? else { return Ok(None) };
        let mut statement = self.connection.statement("SELECT bytes FROM documents WHERE sha256 = ?1")?;
        let bytes: Option<Vec<u8>> = statement.query_row([&version.sha256], |row| row.get(0)).optional()?;
        let Some(bytes) = bytes else { return Ok(None) };
        let document = Document::new(bytes);
        if document.sha256() != version.sha256 {
            let cause = format!("the document of version {} is not what was saved", version.number);
            return Err(super::HistoryError::Damaged { cause });
        }
        let retrieval = self.retrievals(RetrievalsOf::Version(id), Page { offset: 0, limit: 1 })?.pop();
        Ok(Some(KeptVersion { version, document: Arc::new(document), retrieval }))
    }

    /// Newest first.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn retrievals(&self, of: RetrievalsOf, page: Page) -> Result<Vec<RetrievalRecord>> {
        let (column, id) = match of {
            RetrievalsOf::Agent(id) => ("agent", id.0),
            RetrievalsOf::Version(id) => ("version", id.0),
        };
        let sql = format!("{RETRIEVAL} WHERE {column} = ?1 ORDER BY at DESC, id DESC LIMIT ?2 OFFSET ?3");
        let mut statement = self.connection.statement(&sql)?;
        let retrievals = statement.query_map(params![id, page.limit, page.offset], rows::retrieval)?;
        Ok(retrievals.collect::<rusqlite::Result<_>>()?)
    }
}
