//! A conversation as Markdown, fit for an issue: which card and interface, what was sent, and what came of it.

use std::fmt::Write as _;
use std::time::SystemTime;

use super::transcripts::transcript;
use super::{AgentEntry, State};
use crate::card::visible_text::visible_text;
use crate::history::records::VersionRecord;
use crate::history::transcript::{
    ArtifactRecord, CardUse, EventRecord, InterfaceRecord, NOTE, PartRecord, Transcript, TurnRecord,
};

/// An agent as it is named in the heading.
#[derive(Clone, Copy, Debug)]
pub struct Talked<'a> {
    pub title: &'a str,
    pub card_url: &'a str,
}

impl State {
    /// What is on screen of the current entry: the opened conversation, or else the current one, secrets masked.
    #[must_use]
    pub fn shown_conversation_markdown(&self) -> Option<String> {
        let entry = self.discovery.current_entry()?;
        let with = Talked {
            title: entry.inspection.as_ref().map_or("the agent", |inspection| &*inspection.title),
            card_url: entry.card_url().unwrap_or(&entry.address),
        };
        if let Some(opened) = entry.earlier.opened() {
            return Some(markdown(with, &opened.transcript(), &opened.cards));
        }
        let said = transcript(&entry.conversation);
        let cards = self.cards_of(entry, &said);
        (!said.turns.is_empty()).then(|| markdown(with, &said, &cards))
    }

    fn cards_of(&self, entry: &AgentEntry, said: &Transcript) -> Vec<CardUse> {
        let mut cards: Vec<CardUse> = entry.conversation.earlier.iter().flat_map(|past| past.cards.clone()).collect();
        let versions = entry.history.agent.and_then(|agent| self.kept.versions.get(&agent));
        for turn in &said.turns {
            if cards.iter().all(|card| card.sha256 != turn.card_sha256) {
                let is_it = |version: &&VersionRecord| version.sha256 == turn.card_sha256;
                let version = versions.into_iter().flatten().find(is_it).cloned();
                let shown = entry.inspection.as_ref().filter(|_| !entry.shows_older_version());
                let is_shown = shown.is_some_and(|shown| shown.document.sha256() == turn.card_sha256);
                let obtained_at = is_shown.then_some(entry.retrieval.fetched_at);
                cards.push(CardUse { sha256: turn.card_sha256.clone(), version, obtained_at });
            }
        }
        cards
    }
}

/// The conversation as Markdown. Nothing that was said is taken for markup: it stands in code blocks.
#[must_use]
pub fn markdown(with: Talked<'_>, said: &Transcript, cards: &[CardUse]) -> String {
    let said = said.masked();
    let mut text = format!("### Conversation with {}\n\n- Card: {}\n", code(with.title), code(&masked(with.card_url)));
    if let Some(context) = &said.context_id {
        line(&mut text, format_args!("- Context: {}", code(context)));
    }
    let mut last: Option<&TurnRecord> = None;
    for turn in &said.turns {
        way_into(&mut text, last, turn, cards);
        turn_into(&mut text, turn);
        last = Some(turn);
    }
    text
}

fn masked(address: &str) -> String {
    crate::card::address::mask_secrets(address)
}

/// The card and the interface, where they are not those of the turn before.
fn way_into(text: &mut String, last: Option<&TurnRecord>, turn: &TurnRecord, cards: &[CardUse]) {
    let mut lines = Vec::new();
    if last.is_none_or(|last| last.card_sha256 != turn.card_sha256) {
        let card = cards.iter().find(|card| card.sha256 == turn.card_sha256);
        lines.push(format!("- {}, sha256 {}", card_words(card), code(&turn.card_sha256)));
    }
    if last.is_none_or(|last| last.interface != turn.interface) {
        let InterfaceRecord { url, protocol_binding, protocol_version, tenant, .. } = &turn.interface;
        let tenant = tenant.as_ref().map(|tenant| format!(", tenant {}", code(tenant))).unwrap_or_default();
        let binding = code(&format!("{protocol_binding} {protocol_version}"));
        lines.push(format!("- Interface: {binding} at {}{tenant}", code(url)));
    }
    for words in lines {
        line(text, format_args!("{words}"));
    }
}

fn card_words(card: Option<&CardUse>) -> String {
    let Some(version) = card.and_then(|card| card.version.as_ref()) else {
        return "Version of the card: no longer kept".to_owned();
    };
    let obtained = card.and_then(|card| card.obtained_at).unwrap_or(version.first_seen);
    let own = version.agent_version.as_ref().map(|own| format!(" ({})", code(own))).unwrap_or_default();
    format!("Version of the card: {}{own}, obtained {}", version.number, time(obtained))
}

fn turn_into(text: &mut String, turn: &TurnRecord) {
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    line(text, format_args!("**You**, {}\n", time_of_ms(turn.sent_at_ms)));
    turn.sent.iter().for_each(|part| part_into(text, part));
    let task = turn.task_id.as_ref().map(|id| format!(", task {}", code(id))).unwrap_or_default();
    let after = turn.ended_after_ms.map(|ms| format!(" after {}", seconds(ms))).unwrap_or_default();
    line(text, format_args!("**Agent**: {}{after}{task}\n", code(&turn.outcome)));
    let has_news = turn.timeline.len() > 1 || turn.timeline.iter().any(|event| !event.text.is_empty());
    for event in turn.timeline.iter().filter(|_| has_news) {
        event_into(text, event);
    }
    if has_news {
        text.push('\n');
    }
    turn.reply.iter().for_each(|part| part_into(text, part));
    turn.artifacts.iter().for_each(|artifact| artifact_into(text, artifact));
    if let Some(problem) = &turn.problem {
        line(text, format_args!("Problem: {}\n", code(problem)));
    }
    for deviation in &turn.deviations {
        line(text, format_args!("Read generously: {}\n", code(deviation)));
    }
}

fn event_into(text: &mut String, event: &EventRecord) {
    let words = if event.text.is_empty() { String::new() } else { format!(" {}", code(&event.text)) };
    let state = if event.state == NOTE { "note" } else { &event.state };
    line(text, format_args!("- +{} {}{words}", seconds(event.after_ms), code(state)));
}

fn artifact_into(text: &mut String, artifact: &ArtifactRecord) {
    let name = artifact.name.as_ref().filter(|name| !name.is_empty()).unwrap_or(&artifact.artifact_id);
    line(text, format_args!("Artifact {}\n", code(name)));
    artifact.parts.iter().for_each(|part| part_into(text, part));
}

fn part_into(text: &mut String, part: &PartRecord) {
    let described = |name: &Option<String>, media_type: &Option<String>| {
        let name = name.as_deref().filter(|name| !name.is_empty()).map(code);
        let kind = media_type.as_deref().map(|kind| format!(" ({})", code(kind)));
        format!("{}{}", name.unwrap_or_default(), kind.unwrap_or_default()).trim().to_owned()
    };
    match part {
        PartRecord::Text { text: words, media_type, .. } => {
            let language =
                if media_type.as_deref().is_some_and(|kind| kind.contains("json")) { "json" } else { "text" };
            fenced_into(text, language, words);
        }
        PartRecord::Data { json, .. } => fenced_into(text, "json", json),
        PartRecord::Link { name, media_type, url } => {
            line(text, format_args!("Link {} {}\n", described(name, media_type), code(url)));
        }
        PartRecord::File { name, media_type, bytes_len, .. } => {
            line(text, format_args!("File {}, {bytes_len} bytes\n", described(name, media_type)));
        }
    }
}

/// A block that nothing in `content` can end.
fn fenced_into(text: &mut String, language: &str, content: &str) {
    let fence = "`".repeat(longest_run(content).max(2) + 1);
    let content: Vec<_> = content.lines().map(visible_text).collect();
    line(text, format_args!("{fence}{language}\n{}\n{fence}\n", content.join("\n")));
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// One line as inline code.
fn code(text: &str) -> String {
    let text = visible_text(text).replace(['\n', '\r', '\t'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    writeln!(text, "{words}").ok();
}

fn seconds(ms: u64) -> String {
    format!("{:.2} s", std::time::Duration::from_millis(ms).as_secs_f64())
}

/// `2026-12-01 14:02:11 UTC`.
fn time(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time).map_or_else(|_| "at an unknown time".to_owned(), timestamp)
}

fn time_of_ms(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(|_| "at an unknown time".to_owned(), timestamp)
}

fn timestamp(time: jiff::Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_said_is_markup_and_no_secret_is_copied() {
        let text = |text: &str| PartRecord::Text { text: text.to_owned(), name: None, media_type: None };
        let turn = TurnRecord {
            interface: InterfaceRecord {
                url: "https://a.example/rpc?api_key=opensesame".to_owned(),
                ..Default::default()
            },
            sent: vec![text("look:\n```\n@all #1\n```")],
            artifacts: vec![ArtifactRecord {
                name: Some("a`b".to_owned()),
                parts: vec![text("four")],
                ..Default::default()
            }],
            outcome: "completed".to_owned(),
            ..TurnRecord::default()
        };
        let said = Transcript { context_id: Some("c1".to_owned()), turns: vec![turn] };
        let with = Talked { title: "<b>Jars</b>", card_url: "https://u:opensesame@a.example/card.json" };
        let written = markdown(with, &said, &[]);
        for words in [
            "`<b>Jars</b>`",
            "````text\nlook:\n```\n@all #1\n```\n````",
            "Artifact ``a`b``",
            "- Context: `c1`",
            "no longer kept",
        ] {
            assert!(written.contains(words), "{words}: {written}");
        }
        assert!(!written.contains("opensesame"), "{written}");
    }
}
