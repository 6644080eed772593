//! Chosen agents and versions as one JSON document for somebody else.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use serde_json::Value;

use super::exchange_file::{
    ExchangeFile, ExchangedAgent, ExchangedAsker, ExchangedConversation, ExchangedRetrieval, ExchangedVersion, FORMAT,
    FORMAT_VERSION, time_text,
};
use super::records::{AgentId, AgentRecord, AskedAs, Page, RetrievalRecord, RetrievalsOf, VersionId, VersionRecord};
use super::{History, HistoryError, Result};

impl History {
    /// All versions and conversations of `agents`, and `versions`, as one JSON document without secrets.
    ///
    /// # Errors
    /// One of them is gone, or the history cannot be read.
    pub fn export(&self, agents: &[AgentId], versions: &[VersionId]) -> Result<String> {
        let mut chosen: BTreeMap<AgentId, BTreeMap<u32, VersionRecord>> = BTreeMap::new();
        for &agent in agents {
            let all = self.versions(agent, Page::ALL)?;
            chosen.entry(agent).or_default().extend(all.into_iter().map(|version| (version.number, version)));
        }
        for &version in versions {
            let version = self.version_of_id(version)?.ok_or(HistoryError::Gone)?;
            chosen.entry(version.agent).or_default().insert(version.number, version);
        }
        let whole: BTreeSet<AgentId> = agents.iter().copied().collect();
        let mut exchanged = Vec::with_capacity(chosen.len());
        for (agent, versions) in chosen {
            let record = self.agent(agent)?.ok_or(HistoryError::Gone)?;
            let versions = versions.into_values().map(|version| self.exchanged_version(&version));
            let versions = versions.collect::<Result<_>>()?;
            let conversations = if whole.contains(&agent) { self.exchanged_conversations(agent)? } else { Vec::new() };
            exchanged.push(exchanged_agent(record, versions, conversations));
        }
        let file = ExchangeFile {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            exported_at: time_text(SystemTime::now()),
            agents: exchanged,
        };
        serde_json::to_string_pretty(&file).map_err(|error| HistoryError::Other(error.to_string()))
    }

    /// Oldest first.
    fn exchanged_conversations(&self, agent: AgentId) -> Result<Vec<Value>> {
        let mut records = self.conversations(agent, Page::ALL)?;
        records.sort_by_key(|record| (record.started_at, record.id));
        let mut exchanged = Vec::with_capacity(records.len());
        for record in records {
            let conversation = ExchangedConversation {
                started_at: time_text(record.started_at),
                changed_at: time_text(record.changed_at),
                // Also of one that an older program wrote.
                transcript: self.transcript(record.id)?.ok_or(HistoryError::Gone)?.masked(),
            };
            let value = serde_json::to_value(&conversation).map_err(|error| HistoryError::Other(error.to_string()))?;
            exchanged.push(value);
        }
        Ok(exchanged)
    }

    fn exchanged_version(&self, version: &VersionRecord) -> Result<ExchangedVersion> {
        let kept = self.document(version.id)?.ok_or(HistoryError::Gone)?;
        let (text, base64) = ExchangedVersion::content(kept.document.bytes());
        let retrievals = self.retrievals(RetrievalsOf::Version(version.id), Page::ALL)?;
        Ok(ExchangedVersion {
            sha256: version.sha256.clone(),
            first_seen: time_text(version.first_seen),
            last_seen: time_text(version.last_seen),
            text,
            base64,
            retrievals: retrievals.into_iter().map(exchanged_retrieval).collect(),
        })
    }
}

fn exchanged_agent(record: AgentRecord, versions: Vec<ExchangedVersion>, conversations: Vec<Value>) -> ExchangedAgent {
    ExchangedAgent {
        card_url: record.card_url,
        source: record.source,
        address: record.address,
        asked_as: match record.asked_as {
            AskedAs::Public => None,
            AskedAs::Credentials { names, digest } => Some(ExchangedAsker { names, digest }),
        },
        muted: record.muted.iter().map(|pointer| pointer.as_str().to_owned()).collect(),
        versions,
        conversations,
    }
}

fn exchanged_retrieval(record: RetrievalRecord) -> ExchangedRetrieval {
    ExchangedRetrieval {
        at: time_text(record.at),
        requested_url: record.requested_url,
        final_url: record.final_url,
        status: record.status,
        content_type: record.content_type,
        caching: record.caching,
        legacy_path: record.legacy_path,
        outcome: record.outcome,
        verdict: record.verdict,
        attempts: record.attempts,
        not_modified: record.not_modified,
    }
}
