//! Search in a text of any size, a slice of time at a time, so that no frame waits for it.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::card::json::escaped_char;

/// What one look at the clock may cost: this many bytes are searched between two.
const STEP_BYTES: usize = 256 * 1024;

/// A query and where it was found so far. ASCII letters match in either case, and what a JSON escape stands for matches
/// as well as its spelling: a name is found as the fields show it.
#[derive(Debug, Default)]
pub struct Search {
    query: String,
    /// First and last bytes of the hits, the latter excluded, in order.
    hits: Vec<(u32, u32)>,
    /// Everything before this byte has been searched.
    done_to: usize,
    /// The byte behind the last backslash that begins an escape; no escape begins there.
    escaped_at: usize,
    finished: bool,
    current: Option<usize>,
}

impl Search {
    /// Begins anew with `query`; nothing is searched yet.
    pub fn begin(&mut self, query: &str) {
        *self = Self { query: query.to_owned(), finished: query.is_empty(), ..Self::default() };
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    pub fn count(&self) -> usize {
        self.hits.len()
    }

    /// The hit that next and previous stand on, from 0.
    pub fn current(&self) -> Option<usize> {
        self.current
    }

    pub fn current_range(&self) -> Option<Range<usize>> {
        self.current.and_then(|index| self.hits.get(index)).copied().map(range)
    }

    /// Goes on searching for at most `budget`; true if it found the first hit just now.
    pub fn advance(&mut self, text: &str, budget: Duration) -> bool {
        let had_none = self.hits.is_empty();
        let started = Instant::now();
        while !self.finished {
            self.step(text);
            if started.elapsed() >= budget {
                break;
            }
        }
        had_none && !self.hits.is_empty()
    }

    /// Moves to the next or the previous hit, round and round; the first time to the one at or after `from`.
    pub fn go(&mut self, forward: bool, from: usize) -> Option<Range<usize>> {
        let count = self.hits.len();
        if count == 0 {
            return None;
        }
        self.current = Some(match (self.current, forward) {
            (Some(index), true) => (index + 1) % count,
            (Some(index), false) => (index + count - 1) % count,
            (None, true) => self.hits.partition_point(|&(start, _)| (start as usize) < from) % count,
            (None, false) => (self.hits.partition_point(|&(start, _)| (start as usize) < from) + count - 1) % count,
        });
        self.current_range()
    }

    /// The hits that touch `range`.
    pub fn hits_in(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self.hits.partition_point(|&(_, end)| end as usize <= range.start);
        self.hits[first..].iter().copied().map(self::range).take_while(move |hit| hit.start < range.end)
    }

    fn step(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let first = self.query.as_bytes()[0];
        let end = bytes.len().min(self.done_to + STEP_BYTES);
        let mut at = self.done_to;
        while let Some(found) = bytes
            .get(at..end)
            .and_then(|rest| memchr::memchr3(first.to_ascii_lowercase(), first.to_ascii_uppercase(), b'\\', rest))
        {
            let start = at + found;
            at = start + 1;
            let is_escaped = start > 0 && start == self.escaped_at;
            if bytes[start] == b'\\' && !is_escaped {
                self.escaped_at = start + 1;
            }
            // The last hit may reach over the end of the step.
            if let Some(length) = self.length_at(text, start, is_escaped) {
                let ends = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
                self.hits.push((ends(start), ends(start + length)));
                at = start + length;
            }
        }
        self.done_to = at.max(end);
        self.finished = self.done_to >= bytes.len();
    }

    /// How many bytes of the text at `start` are the query, as spelled or as escapes say it.
    fn length_at(&self, text: &str, start: usize, is_escaped: bool) -> Option<usize> {
        let bytes = text.as_bytes();
        let query = self.query.as_bytes();
        if bytes.get(start..start + query.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(query)) {
            return Some(query.len());
        }
        if is_escaped {
            return None;
        }
        let mut at = start;
        for wanted in self.query.chars() {
            let rest = text.get(at..)?;
            let (found, length) = match rest.chars().next()? {
                '\\' => escaped_char(rest),
                found => (found, found.len_utf8()),
            };
            if !found.eq_ignore_ascii_case(&wanted) {
                return None;
            }
            at += length;
        }
        Some(at - start)
    }
}

fn range((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str, query: &str) -> Search {
        let mut search = Search::default();
        search.begin(query);
        while !search.is_finished() {
            search.advance(text, Duration::ZERO);
        }
        search
    }

    #[test]
    fn next_and_previous_go_round() {
        let text = "Quote quote QUOTE quo";
        let mut search = search(text, "quote");
        assert_eq!(search.count(), 3);
        assert_eq!(search.go(true, 1), Some(6..11));
        assert_eq!(search.go(true, 0), Some(12..17));
        assert_eq!(search.go(true, 0), Some(0..5));
        assert_eq!(search.go(false, 0), Some(12..17));
        assert_eq!(search.hits_in(4..7).collect::<Vec<_>>(), [0..5, 6..11]);
    }

    #[test]
    fn hits_across_steps_are_found_once() {
        let mut text = "a".repeat(STEP_BYTES - 3);
        text.push_str("néedle");
        text.push_str(&"a".repeat(STEP_BYTES));
        assert_eq!(search(&text, "NéEDLE").count(), 1);
        assert_eq!(search(&text, "needle").count(), 0);
        assert_eq!(search("aaaa", "aa").count(), 2);
        assert_eq!(search("", "x").count(), 0);
        assert!(search("x", "").go(true, 0).is_none());
    }

    #[test]
    fn what_escapes_stand_for_is_found_and_so_is_their_spelling() {
        let text =
            r#"{"name": "Skill \u6BD4\u8f03 ok", "url": "http:\/\/a.example", "e": "\ud83d\ude00", "n": "\\u6bd4"}"#;
        for (query, wanted) in [
            ("比較", r"\u6BD4\u8f03"),
            ("SKILL 比", r"Skill \u6BD4"),
            ("http://a", r"http:\/\/a"),
            ("😀", r"\ud83d\ude00"),
            (r"\u8F03", r"\u8f03"),
            ("u8f", "u8f"),
        ] {
            let mut found = search(text, query);
            assert_eq!(found.go(true, 0).map(|range| &text[range]), Some(wanted), "{query}");
            assert_eq!(found.count(), 1, "{query}");
        }
        assert_eq!(search(&"\\\\".repeat(3), "\\\\").count(), 3);
        assert_eq!(search("\\é", "é").count(), 1);
        // A long run of them costs no more than other text, and none is taken for the start of another's escape.
        assert_eq!(search(&format!("{}u6bd4", "\\".repeat(2_000_001)), "比").count(), 1);
        assert_eq!(search(&format!("{}u6bd4", "\\".repeat(2_000_000)), "比").count(), 0);
    }
}
