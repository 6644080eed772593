//! Search in a text of any size, a slice of time at a time, so that no frame waits for it.

use std::ops::Range;
use std::time::{Duration, Instant};

/// What one look at the clock may cost: this many bytes are searched between two.
const STEP_BYTES: usize = 256 * 1024;

/// A query and where it was found so far. ASCII letters match in either case.
#[derive(Debug, Default)]
pub struct Search {
    query: String,
    /// First bytes of the hits, in order.
    hits: Vec<u32>,
    /// Everything before this byte has been searched.
    done_to: usize,
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
        self.current.and_then(|index| self.hits.get(index)).map(|&start| self.range(start))
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
            (None, true) => self.hits.partition_point(|&hit| (hit as usize) < from) % count,
            (None, false) => (self.hits.partition_point(|&hit| (hit as usize) < from) + count - 1) % count,
        });
        self.current_range()
    }

    /// The hits that touch `range`.
    pub fn hits_in(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self.hits.partition_point(|&hit| hit as usize + self.query.len() <= range.start);
        self.hits[first..].iter().take_while(move |&&hit| (hit as usize) < range.end).map(|&hit| self.range(hit))
    }

    fn range(&self, start: u32) -> Range<usize> {
        start as usize..start as usize + self.query.len()
    }

    fn step(&mut self, text: &str) {
        let haystack = text.as_bytes();
        let needle = self.query.as_bytes();
        let end = haystack.len().min(self.done_to + STEP_BYTES);
        // The last hit may reach over the end of the step.
        let window = &haystack[..haystack.len().min(end + needle.len() - 1)];
        let first = needle[0];
        let mut at = self.done_to;
        while let Some(found) = window
            .get(at..end)
            .and_then(|rest| memchr::memchr2(first.to_ascii_lowercase(), first.to_ascii_uppercase(), rest))
        {
            let start = at + found;
            at = start + 1;
            if window.get(start..start + needle.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(needle)) {
                self.hits.push(u32::try_from(start).unwrap_or(u32::MAX));
                at = start + needle.len();
            }
        }
        self.done_to = at.max(end);
        self.finished = self.done_to >= haystack.len();
    }
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
}
