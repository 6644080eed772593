//! A comparison as Markdown, fit for a pull request: a heading, a verdict, and a table a level.

use std::fmt::Write as _;

use super::{CardDiff, Change, Group, Level};
use crate::card::facts::Inspection;
use crate::card::visible_text::visible_text;

/// Longer values are cut, in characters: a table is for reading, the JSON has all of it.
const MAX_VALUE: usize = 120;

/// The changes as Markdown. Nothing that a card says is taken for markup.
#[must_use]
pub fn markdown(diff: &CardDiff, older: &Inspection, newer: &Inspection) -> String {
    let mut text = format!("### {}: {}\n\n{}\n", escaped(&newer.title), versions(older, newer), verdict(diff));
    for level in [Level::Breaking, Level::Risky, Level::Compatible, Level::Docs, Level::Notice] {
        let changes: Vec<&Change> = diff.changes.iter().filter(|change| change.level == level).collect();
        if !changes.is_empty() {
            text.push_str(&section(level, &changes));
        }
    }
    text
}

fn versions(older: &Inspection, newer: &Inspection) -> String {
    let version = |card: &Inspection| {
        let version = card.agent_version.as_deref().map_or_else(|| "no version".to_owned(), escaped);
        format!("{version} (A2A {})", card.shape.label())
    };
    format!("{} → {}", version(older), version(newer))
}

/// What the comparison comes to, in one sentence.
#[must_use]
pub fn verdict(diff: &CardDiff) -> String {
    let count = |level: Level| diff.changes.iter().filter(|change| change.level == level).count();
    let counted = [Level::Breaking, Level::Risky, Level::Compatible, Level::Docs].into_iter().filter_map(|level| {
        let count = count(level);
        (count > 0).then(|| format!("{count} {}", level.label()))
    });
    let counted = counted.collect::<Vec<_>>().join(", ");
    match diff.level() {
        None => "Nothing changed for anybody.".to_owned(),
        Some(Level::Breaking) => format!("This breaks clients: {counted}."),
        Some(Level::Risky) => format!("This may break clients or deserves a second look: {counted}."),
        Some(Level::Compatible) => format!("Clients go on as before: {counted}."),
        Some(Level::Docs | Level::Notice) => format!("Only what people and agents read changed: {counted}."),
    }
}

fn section(level: Level, changes: &[&Change]) -> String {
    let title = match level {
        Level::Breaking => "Breaking",
        Level::Risky => "Risky",
        Level::Compatible => "Compatible",
        Level::Docs => "Docs",
        Level::Notice => "Notices",
    };
    let mut text = format!("\n#### {title}\n\n| Where | What | Before | After |\n|---|---|---|---|\n");
    for change in changes {
        let pointer = change.newer_pointer.as_ref().or(change.older_pointer.as_ref());
        let pointer = pointer.filter(|pointer| !pointer.is_root());
        let place = pointer.map_or_else(|| Group::label(change.group).to_owned(), |pointer| code(pointer.as_str()));
        let mark = if change.trust { " **(check whether you trust it)**" } else { "" };
        let (before, after) = (value(change.older.as_deref()), value(change.newer.as_deref()));
        let what = format!("{}{mark} `{}`", escaped(&change.message), change.rule);
        // Writing to a String cannot fail.
        writeln!(text, "| {place} | {what} | {before} | {after} |").ok();
    }
    text
}

fn value(text: Option<&str>) -> String {
    let Some(text) = text else { return "–".to_owned() };
    let end = text.char_indices().nth(MAX_VALUE).map_or(text.len(), |(end, _)| end);
    code(&format!("{}{}", &text[..end], if end < text.len() { "…" } else { "" }))
}

/// One line without hidden characters.
fn one_line(text: &str) -> String {
    visible_text(text).replace(['\n', '\r', '\t'], " ")
}

/// Inline code for a cell: no cell ends within it, and a backtick does not end it.
fn code(text: &str) -> String {
    let text = one_line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text in which nothing is markup, a link, a mention or a reference to an issue.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in one_line(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            // GitHub would notify whoever has that name, or link an issue; a full reference stops both.
            '@' => out.push_str("&#64;"),
            '#' => out.push_str("&#35;"),
            // Addresses are not made clickable.
            ':' => out.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_card_is_markup() {
        assert_eq!(escaped("a|b <img> @me #1\nhttp://x"), "a\\|b &lt;img> &#64;me &#35;1 http&#58;//x");
        assert_eq!(code("a|b`c``"), "``` a\\|b`c`` ```");
    }
}
