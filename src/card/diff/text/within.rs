//! What changed within a line, word by word.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Beyond so many pairs of words only what surrounds the change is told apart.
const MAX_WORK: usize = 1 << 20;

/// The parts of two lines that differ, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Within {
    pub older: Vec<Range<usize>>,
    pub newer: Vec<Range<usize>>,
}

/// Compares two lines that belong together. Fast enough for the rows of a screen in every frame, yet better kept.
#[must_use]
pub fn changes_within(older: &str, newer: &str) -> Within {
    let (old, new) = (words(older), words(newer));
    let mut within = Within::default();
    if old.len() * new.len() > MAX_WORK {
        let (old, new) = between_the_common_ends(older, newer);
        push(&mut within.older, old);
        push(&mut within.newer, new);
        return within;
    }
    let span = |words: &[&str], text: &str, from: usize, len: usize| -> Range<usize> {
        let start = words.get(from).map_or(text.len(), |word| offset(text, word));
        let end = words.get(from + len).map_or(text.len(), |word| offset(text, word));
        start..end
    };
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { .. } = operation {
            continue;
        }
        let (from_old, from_new) = (operation.old_range(), operation.new_range());
        push(&mut within.older, span(&old, older, from_old.start, from_old.len()));
        push(&mut within.newer, span(&new, newer, from_new.start, from_new.len()));
    }
    within
}

/// Runs of letters and digits, and every other character by itself.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() {
            if start < at {
                words.push(&text[start..at]);
            }
            start = at + c.len_utf8();
            words.push(&text[at..start]);
        }
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Where a part of `text` begins in it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn push(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

fn between_the_common_ends(older: &str, newer: &str) -> (Range<usize>, Range<usize>) {
    let pairs = older.chars().zip(newer.chars());
    let start: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let pairs = older[start..].chars().rev().zip(newer[start..].chars().rev());
    let end: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    (start..older.len() - end, start..newer.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, ranges: &[Range<usize>]) -> Vec<String> {
        ranges.iter().map(|range| text[range.clone()].to_owned()).collect()
    }

    #[test]
    fn only_the_words_that_differ_are_marked() {
        let (older, newer) = (r#""description": "1547 tiers of 料理","#, r#""description": "1549 tiers of good 料理""#);
        let within = changes_within(older, newer);
        assert_eq!(marked(older, &within.older), ["1547", ","]);
        assert_eq!(marked(newer, &within.newer), ["1549", "good "]);
        assert_eq!(changes_within(older, older), Within::default());
    }

    #[test]
    fn long_lines_are_told_apart_by_their_ends() {
        let (older, newer) = (
            format!("a{}x{}z", "é ".repeat(900), " b".repeat(900)),
            format!("a{}yy{}z", "é ".repeat(900), " b".repeat(900)),
        );
        let within = changes_within(&older, &newer);
        assert_eq!(marked(&older, &within.older), ["x"]);
        assert_eq!(marked(&newer, &within.newer), ["yy"]);
    }
}
