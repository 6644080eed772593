//! Search in both texts at once: a hit on a line that both share counts once.

use std::ops::Range;
use std::time::Duration;

use crate::card::JsonText;
use crate::card::diff::text::LineKind;
use crate::state::{Age, Compared};
use crate::ui::widgets::json_view::search::Search;

/// Where something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The line of the comparison.
    pub line: u32,
    /// 0 for the older text, 1 for the newer.
    side: u8,
    /// First byte in that side's text.
    pub start: u32,
}

impl Hit {
    #[must_use]
    pub fn age(&self) -> Age {
        if self.side == 0 { Age::Older } else { Age::Newer }
    }
}

/// A query and where it was found in both texts.
#[derive(Debug, Default)]
pub struct BothSearch {
    older: Search,
    newer: Search,
    /// In the order of the lines; known when both texts were searched.
    hits: Vec<Hit>,
    current: Option<usize>,
    is_finished: bool,
}

impl BothSearch {
    /// Begins anew; nothing is searched yet.
    pub fn begin(&mut self, query: &str) {
        *self = Self { is_finished: query.is_empty(), ..Self::default() };
        self.older.begin(query);
        self.newer.begin(query);
    }

    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.hits.len()
    }

    /// The hit that next and previous stand on, from 0.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        self.current
    }

    #[must_use]
    pub fn current_hit(&self) -> Option<Hit> {
        self.current.and_then(|at| self.hits.get(at)).copied()
    }

    /// Goes on searching for at most `budget`; true if the hits are known just now.
    pub fn advance(&mut self, compared: &Compared, budget: Duration) -> bool {
        if self.is_finished {
            return false;
        }
        self.older.advance(compared.text_of(Age::Older).text(), budget / 2);
        self.newer.advance(compared.text_of(Age::Newer).text(), budget / 2);
        self.is_finished = self.older.is_finished() && self.newer.is_finished();
        if self.is_finished {
            self.collect(compared);
        }
        self.is_finished
    }

    /// Moves to the next or the previous hit, round and round; the first time from `line` on.
    pub fn go(&mut self, forward: bool, line: u32) -> Option<Hit> {
        let count = self.hits.len();
        if count == 0 {
            return None;
        }
        let after = || self.hits.partition_point(|hit| hit.line < line);
        self.current = Some(match (self.current, forward) {
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
            (None, true) => after() % count,
            (None, false) => (after() + count - 1) % count,
        });
        self.current_hit()
    }

    /// The hits that touch `range` of a side's text.
    pub fn hits_in(&self, age: Age, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        self.side(age).hits_in(range)
    }

    fn side(&self, age: Age) -> &Search {
        match age {
            Age::Older => &self.older,
            Age::Newer => &self.newer,
        }
    }

    fn collect(&mut self, compared: &Compared) {
        let mut hits = Vec::with_capacity(self.older.count() + self.newer.count());
        for (line, of) in compared.text.lines.iter().enumerate() {
            for (side, age) in [(0, Age::Older), (1, Age::Newer)] {
                // What both sides share is found in the newer text.
                let row = age.row_of(of).filter(|_| side == 1 || of.kind != LineKind::Same);
                let Some(bytes) = row.map(|row| row_bytes(compared.text_of(age), row)) else { continue };
                let starts = self.side(age).hits_in(bytes.clone()).filter(|hit| bytes.contains(&hit.start));
                hits.extend(starts.map(|hit| Hit { line: line as u32, side, start: hit.start as u32 }));
            }
        }
        self.hits = hits;
    }
}

fn row_bytes(text: &JsonText, row: u32) -> Range<usize> {
    let row = text.rows()[row as usize];
    row.start as usize..row.end as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::Document;
    use crate::card::facts::{Inspection, Origin};

    #[test]
    fn a_shared_line_counts_once_and_going_round_visits_both_sides() {
        let inspection =
            |text: &str| Arc::new(Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default()));
        let compared = Compared::of(
            inspection(r#"{"a": "quote", "b": "Quote old"}"#),
            inspection(r#"{"a": "quote", "b": "quote new"}"#),
        );
        let mut search = BothSearch::default();
        search.begin("QUOTE");
        while !search.advance(&compared, Duration::ZERO) {}
        assert_eq!(search.count(), 3);
        let places: Vec<_> = (0..4).map(|_| search.go(true, 2).map(|hit| (hit.line, hit.age())).unwrap()).collect();
        assert_eq!(places, [(2, Age::Older), (2, Age::Newer), (1, Age::Newer), (2, Age::Older)]);
        search.begin("nowhere");
        while !search.advance(&compared, Duration::ZERO) {}
        assert_eq!(search.go(true, 0), None);
    }
}
