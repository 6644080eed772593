//! `cardscope history list`: every agent with its versions, and how grave the changes between them are.

use std::time::SystemTime;

use serde_json::{Value, json};

use super::history::{counted, heading};
use super::output;
use crate::card::visible_text::visible_text;
use crate::history::{AgentRecord, AskedAs, History, Page, VersionRecord, previous_version};
use crate::worker::judging::judge_open;

/// So many levels that are still open, as after an import, are judged by one command.
const MOST_JUDGED: usize = 1000;

/// # Errors
/// The history cannot be read; one sentence.
pub(super) fn list(history: &mut History, search: &str, as_json: bool) -> Result<String, String> {
    let page = history.agents(search, Page::ALL).map_err(|error| error.to_string())?;
    if page.agents.is_empty() && !as_json {
        return Ok(if search.is_empty() { "Nothing is kept yet." } else { "Nothing that is kept matches." }.to_owned());
    }
    let (mut lines, mut values) = (Vec::new(), Vec::new());
    let (mut left, mut open) = (MOST_JUDGED, 0);
    for agent in page.agents {
        let versions = judged(history, &agent, &mut left)?;
        open += versions.iter().filter(|version| is_open(&versions, version)).count();
        if as_json {
            values.push(agent_value(&agent, &versions));
        } else {
            lines.push(heading(&agent));
            lines.extend((0..versions.len()).map(|at| line(&versions, at)));
        }
    }
    if open > 0 {
        let open = counted(u32::try_from(open).unwrap_or(u32::MAX), "level");
        output::note(&format!("cardscope: {open} not judged yet; list again for more of them."));
    }
    Ok(if as_json { format!("{:#}", json!({ "agents": values })) } else { lines.join("\n") })
}

/// The versions of an agent, their levels judged as far as there is patience for it.
fn judged(history: &mut History, agent: &AgentRecord, left: &mut usize) -> Result<Vec<VersionRecord>, String> {
    let mut versions = history.versions(agent.id, Page::ALL).map_err(|error| error.to_string())?;
    let before = versions.iter().filter(|version| is_open(&versions, version)).count();
    if before > 0 {
        // Levels that cannot be kept are there to be printed all the same.
        if let Err(error) = judge_open(history, &mut versions, *left) {
            output::note(&format!("cardscope: {error} Levels were not kept."));
        }
        *left = left.saturating_sub(before);
    }
    Ok(versions)
}

fn is_open(versions: &[VersionRecord], version: &VersionRecord) -> bool {
    previous_version(versions, version).is_some_and(|previous| version.level_against(previous).is_none())
}

fn line(versions: &[VersionRecord], at: usize) -> String {
    let version = &versions[at];
    let own = version.agent_version.as_deref().map(|own| format!("version {own}, ")).unwrap_or_default();
    // As the window folds them: the newest of a run stands for the others.
    let run = versions[..at].iter().rev().take_while(|newer| newer.meaning() == version.meaning()).last();
    let said = match run {
        Some(newest) => format!(", same meaning as @{}", newest.number),
        None => previous_version(versions, version)
            .and_then(|previous| Some((previous, version.level_against(previous)?)))
            .map(|(previous, level)| level_words(versions, at, previous, level))
            .unwrap_or_default(),
    };
    visible_text(&format!(
        "  @{}  {own}{} card, {} bytes, seen {} to {}{said}",
        version.number,
        version.shape,
        version.bytes_len,
        day(version.first_seen),
        day(version.last_seen)
    ))
    .into_owned()
}

/// The level, and against what where that is not the next line.
fn level_words(versions: &[VersionRecord], at: usize, previous: &VersionRecord, level: &str) -> String {
    let level = if level == "none" { "no change" } else { level };
    let mut below = versions[at + 1..].iter().skip_while(|other| other.meaning() == versions[at].meaning());
    if below.next().is_some_and(|next| next.id == previous.id) {
        return format!(", {level}");
    }
    format!(", {level} against @{}", previous.number)
}

fn agent_value(agent: &AgentRecord, versions: &[VersionRecord]) -> Value {
    let asked_with = match &agent.asked_as {
        AskedAs::Public => &[][..],
        AskedAs::Credentials { names, .. } => &names[..],
    };
    json!({
        "title": agent.title,
        "cardUrl": agent.card_url,
        "source": agent.source,
        "address": agent.address,
        "askedWith": asked_with,
        "lastChecked": time_text(agent.last_checked),
        "watchMinutes": agent.watch.map(crate::history::WatchInterval::minutes),
        "muted": agent.muted.iter().map(crate::card::JsonPointer::as_str).collect::<Vec<_>>(),
        "versions": versions.iter().map(|version| version_value(agent, versions, version)).collect::<Vec<_>>(),
    })
}

fn version_value(agent: &AgentRecord, versions: &[VersionRecord], version: &VersionRecord) -> Value {
    let number = |id| versions.iter().find(|other| other.id == id).map(|other| other.number);
    let previous = previous_version(versions, version);
    json!({
        "number": version.number,
        "isLatest": agent.latest.as_ref().is_some_and(|latest| latest.id == version.id),
        "title": version.title,
        "version": version.agent_version,
        "shape": version.shape,
        "bytes": version.bytes_len,
        "sha256": version.sha256,
        "firstSeen": time_text(version.first_seen),
        "lastSeen": time_text(version.last_seen),
        "sameMeaningAs": version.same_meaning_as.and_then(number),
        "previous": previous.map(|previous| previous.number),
        "level": previous.and_then(|previous| version.level_against(previous)),
    })
}

fn day(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time).map(|time| time.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
}

fn time_text(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time).map(|time| time.to_string()).unwrap_or_default()
}
