//! What `cardscope diff` prints for people.

use std::fmt::Write as _;

use super::output::Style;
use crate::card::Inspection;
use crate::card::diff::markdown::verdict;
use crate::card::diff::{CardDiff, Change, Level, means_the_same};
use crate::card::visible_text::visible_text;

/// Longer values are cut, in characters: `--json` has all of them.
const MAX_VALUE: usize = 200;

/// The comparison, the gravest changes first.
pub(super) fn text(diff: &CardDiff, older: &Inspection, newer: &Inspection, style: Style) -> String {
    let mut sections = vec![format!("{}\n{}", heading(older, newer, style), verdict_on(diff, older, newer))];
    for level in [Level::Breaking, Level::Risky, Level::Compatible, Level::Docs, Level::Notice] {
        let changes: Vec<&Change> = diff.changes.iter().filter(|change| change.level == level).collect();
        if !changes.is_empty() {
            let lines: Vec<String> = changes.into_iter().map(|change| change_text(change, style)).collect();
            sections.push(format!("{}\n{}", title(level, style), lines.join("\n")));
        }
    }
    sections.join("\n\n")
}

fn heading(older: &Inspection, newer: &Inspection, style: Style) -> String {
    let card = |card: &Inspection| {
        let version = card.agent_version.as_deref().map(|version| format!(" {}", line(version))).unwrap_or_default();
        format!("{}{version} (A2A {})", style.bold(&line(&card.title)), card.shape.label())
    };
    format!("{} → {}", card(older), card(newer))
}

fn verdict_on(diff: &CardDiff, older: &Inspection, newer: &Inspection) -> String {
    if older.document.bytes() == newer.document.bytes() {
        return "The same bytes.".to_owned();
    }
    if means_the_same(older, newer) {
        return "The same meaning, written otherwise.".to_owned();
    }
    verdict(diff)
}

fn title(level: Level, style: Style) -> String {
    match level {
        Level::Breaking => style.bad("Breaking"),
        Level::Risky => style.caution("Risky"),
        Level::Compatible => style.bold("Compatible"),
        Level::Docs => style.muted("Docs"),
        Level::Notice => style.muted("Notices"),
    }
}

fn change_text(change: &Change, style: Style) -> String {
    let mark = if change.trust { " (check whether you trust it)" } else { "" };
    let places = [("-", &change.older_pointer, &change.older), ("+", &change.newer_pointer, &change.newer)];
    let mut text = format!("  {}: {}{mark}", style.bold(change.rule), line(&change.message));
    for (sign, pointer, value) in places {
        let Some(pointer) = pointer else { continue };
        let place = if pointer.is_root() { "the document" } else { pointer.as_str() };
        let value = value.as_deref().map_or_else(|| "nothing".to_owned(), |value| line(&cut(value)));
        // Writing to a String cannot fail.
        write!(text, "\n    {sign} {}  {value}", style.muted(&line(place))).ok();
    }
    text
}

fn cut(text: &str) -> String {
    let end = text.char_indices().nth(MAX_VALUE).map_or(text.len(), |(end, _)| end);
    format!("{}{}", &text[..end], if end < text.len() { "…" } else { "" })
}

/// Nothing of a card may steer the terminal, and a line is one line.
fn line(text: &str) -> String {
    visible_text(text).replace(['\n', '\r', '\t'], " ")
}
