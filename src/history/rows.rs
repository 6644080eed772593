//! How records stand in rows of the database.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::types::Type;
use rusqlite::{Error, Row};

use super::records::{
    AgentId, AgentRecord, AskedAs, CachingHeaders, RetrievalId, RetrievalRecord, Source, VersionId, VersionRecord,
    WatchInterval,
};

/// Milliseconds since 1970.
pub(super) fn to_ms(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    }
}

pub(super) fn from_ms(ms: i64) -> SystemTime {
    let distance = Duration::from_millis(ms.unsigned_abs());
    let time = if ms < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) };
    time.unwrap_or(UNIX_EPOCH)
}

pub(super) fn source_label(source: Source) -> &'static str {
    match source {
        Source::Url => "url",
        Source::File => "file",
        Source::Pasted => "pasted",
        Source::Catalog => "catalog",
    }
}

fn source_of(label: &str) -> Source {
    match label {
        "file" => Source::File,
        "pasted" => Source::Pasted,
        "catalog" => Source::Catalog,
        _ => Source::Url,
    }
}

/// Names and digest as two columns; no names for a public card.
pub(super) fn asked_columns(asked_as: &AskedAs) -> (String, u32) {
    match asked_as {
        AskedAs::Public => (String::new(), 0),
        AskedAs::Credentials { names, digest } => (names.join("\n"), *digest),
    }
}

fn asked_of(names: &str, digest: u32) -> AskedAs {
    if names.is_empty() {
        return AskedAs::Public;
    }
    AskedAs::Credentials { names: names.lines().map(str::to_owned).collect(), digest }
}

/// An agent without its latest version and muted members, which stand elsewhere.
pub(super) const AGENT: &str = "SELECT id, card_url, source, address, asked_names, asked_digest, title, last_checked,
    (SELECT count(*) FROM versions WHERE versions.agent = agents.id) AS version_count,
    (SELECT count(*) FROM retrievals WHERE retrievals.agent = agents.id) AS retrieval_count,
    (SELECT count(*) FROM conversations WHERE conversations.agent = agents.id) AS conversation_count,
    latest, watch_minutes
    FROM agents";

/// An agent, and the id of its latest version.
pub(super) fn agent(row: &Row<'_>) -> rusqlite::Result<(AgentRecord, Option<VersionId>)> {
    let watch: Option<u32> = row.get("watch_minutes")?;
    let record = AgentRecord {
        id: AgentId(row.get("id")?),
        card_url: row.get("card_url")?,
        source: source_of(row.get_ref("source")?.as_str()?),
        address: row.get("address")?,
        asked_as: asked_of(row.get_ref("asked_names")?.as_str()?, row.get("asked_digest")?),
        title: row.get("title")?,
        last_checked: from_ms(row.get("last_checked")?),
        versions: row.get("version_count")?,
        retrievals: row.get("retrieval_count")?,
        conversations: row.get("conversation_count")?,
        latest: None,
        watch: watch.map(WatchInterval::of_minutes),
        muted: Vec::new(),
    };
    Ok((record, row.get::<_, Option<i64>>("latest")?.map(VersionId)))
}

/// A version, with the oldest other one that means the same.
pub(super) const VERSION: &str = "SELECT id, agent, number, sha256, bytes_len, title, agent_version, shape, first_seen,
    last_seen, came_after, level, level_against,
    (SELECT other.id FROM versions AS other
     WHERE other.agent = versions.agent AND other.meaning = versions.meaning AND other.number < versions.number
     ORDER BY other.number LIMIT 1) AS same_meaning_as
    FROM versions";

pub(super) fn version(row: &Row<'_>) -> rusqlite::Result<VersionRecord> {
    Ok(VersionRecord {
        id: VersionId(row.get("id")?),
        agent: AgentId(row.get("agent")?),
        number: row.get("number")?,
        title: row.get("title")?,
        first_seen: from_ms(row.get("first_seen")?),
        last_seen: from_ms(row.get("last_seen")?),
        sha256: row.get("sha256")?,
        bytes_len: row.get::<_, i64>("bytes_len")?.unsigned_abs(),
        agent_version: row.get("agent_version")?,
        shape: row.get("shape")?,
        same_meaning_as: row.get::<_, Option<i64>>("same_meaning_as")?.map(VersionId),
        came_after: row.get::<_, Option<i64>>("came_after")?.map(VersionId),
        level: row.get("level")?,
        level_against: row.get::<_, Option<i64>>("level_against")?.map(VersionId),
    })
}

pub(super) const RETRIEVAL: &str =
    "SELECT id, agent, version, at, requested_url, final_url, status, content_type, etag,
    last_modified, cache_control, age, expires, date, vary, pragma, legacy_path, outcome, verdict, attempts,
    not_modified
    FROM retrievals";

pub(super) fn retrieval(row: &Row<'_>) -> rusqlite::Result<RetrievalRecord> {
    let attempts: String = row.get("attempts")?;
    Ok(RetrievalRecord {
        id: RetrievalId(row.get("id")?),
        agent: AgentId(row.get("agent")?),
        version: row.get::<_, Option<i64>>("version")?.map(VersionId),
        at: from_ms(row.get("at")?),
        requested_url: row.get("requested_url")?,
        final_url: row.get("final_url")?,
        status: row.get("status")?,
        content_type: row.get("content_type")?,
        caching: CachingHeaders {
            etag: row.get("etag")?,
            last_modified: row.get("last_modified")?,
            cache_control: row.get("cache_control")?,
            age: row.get("age")?,
            expires: row.get("expires")?,
            date: row.get("date")?,
            vary: row.get("vary")?,
            pragma: row.get("pragma")?,
        },
        legacy_path: row.get("legacy_path")?,
        outcome: row.get("outcome")?,
        verdict: row.get("verdict")?,
        attempts: json(&attempts)?,
        not_modified: row.get("not_modified")?,
    })
}

/// A column of JSON that this program, or a newer one, has written.
pub(super) fn json<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_milliseconds_and_never_overflow() {
        for ms in [0, 1, -1, 1_796_000_000_123, -62_135_596_800_000] {
            assert_eq!(to_ms(from_ms(ms)), ms);
        }
        for ms in [i64::MIN, i64::MAX] {
            from_ms(ms);
        }
    }
}
