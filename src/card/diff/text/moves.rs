//! Runs of rows that were removed in one place and added in another: found by rows that either text has once.

use std::collections::HashMap;
use std::ops::Range;

use super::{Line, LineKind};
use crate::card::json_text::JsonText;

/// Shorter runs are more likely a coincidence than a move.
const MIN_ROWS: usize = 3;

/// The same rows in another place; a comma at the end and the indentation do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Rows of the older text.
    pub older: Range<u32>,
    /// Rows of the newer text, as many.
    pub newer: Range<u32>,
}

/// The moved runs, in the order of the older text.
pub(super) fn find(lines: &[Line], older: &JsonText, newer: &JsonText) -> Vec<Move> {
    let gone: Vec<u32> =
        lines.iter().filter(|line| line.kind != LineKind::Same).filter_map(|line| line.older).collect();
    let come: Vec<u32> =
        lines.iter().filter(|line| line.kind != LineKind::Same).filter_map(|line| line.newer).collect();
    let (old, new) = (Rows { text: older, rows: &gone }, Rows { text: newer, rows: &come });
    // A row that either side has once is an anchor; a run grows from it both ways.
    let (anchors, partners) = (old.once(), new.once());
    let mut taken_new = vec![false; come.len()];
    let mut moves: Vec<Move> = Vec::new();
    let mut done = 0;
    for at in 0..gone.len() {
        if at < done || !anchors.contains_key(old.content(at)) {
            continue;
        }
        let Some(&partner) = partners.get(old.content(at)) else { continue };
        let free = |index: usize, taken: &[bool]| !taken[index];
        let mut back = 0;
        while at - back > done
            && partner > back
            && old.follows(at - back)
            && new.follows(partner - back)
            && free(partner - back - 1, &taken_new)
            && old.content(at - back - 1) == new.content(partner - back - 1)
        {
            back += 1;
        }
        let mut ahead = 1;
        while at + ahead < gone.len()
            && partner + ahead < come.len()
            && old.follows(at + ahead)
            && new.follows(partner + ahead)
            && free(partner + ahead, &taken_new)
            && old.content(at + ahead) == new.content(partner + ahead)
        {
            ahead += 1;
        }
        if back + ahead < MIN_ROWS || !free(partner, &taken_new) {
            continue;
        }
        taken_new[partner - back..partner + ahead].fill(true);
        done = at + ahead;
        moves.push(Move { older: old.range(at - back, at + ahead), newer: new.range(partner - back, partner + ahead) });
    }
    moves
}

struct Rows<'a> {
    text: &'a JsonText,
    /// Indices of rows, ascending.
    rows: &'a [u32],
}

impl<'a> Rows<'a> {
    fn content(&self, at: usize) -> &'a str {
        let row = &self.text.rows()[self.rows[at] as usize];
        self.text.row_text(row).trim().trim_end_matches(',')
    }

    /// Whether the row stands directly behind the one before it.
    fn follows(&self, at: usize) -> bool {
        at > 0 && self.rows[at] == self.rows[at - 1] + 1
    }

    fn range(&self, start: usize, end: usize) -> Range<u32> {
        self.rows[start]..self.rows[end - 1] + 1
    }

    /// The rows whose content stands here once.
    fn once(&self) -> HashMap<&'a str, usize> {
        let mut places: HashMap<&str, (usize, usize)> = HashMap::with_capacity(self.rows.len());
        for at in 0..self.rows.len() {
            places.entry(self.content(at)).and_modify(|place| place.1 += 1).or_insert((at, 1));
        }
        places.into_iter().filter(|(_, (_, count))| *count == 1).map(|(content, (at, _))| (content, at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::TextDiff;
    use super::*;
    use crate::card::json::JsonTree;

    fn pretty(text: &str) -> JsonText {
        JsonText::pretty(&JsonTree::parse(text).unwrap())
    }

    #[test]
    fn a_skill_that_changed_places_is_a_move() {
        let skill = |id: &str| format!(r#"{{"id": "{id}", "name": "Skill {id}", "description": "Does {id}"}}"#);
        let (a, b, c) = (skill("a"), skill("b"), skill("c"));
        let older = pretty(&format!(r#"{{"skills": [{a}, {b}, {c}]}}"#));
        let newer = pretty(&format!(r#"{{"skills": [{b}, {c}, {a}]}}"#));
        let diff = TextDiff::between(&older, &newer);
        assert_eq!(diff.moves.len(), 1, "{:?}", diff.moves);
        let moved = &diff.moves[0];
        let text = |text: &JsonText, range: &Range<u32>| {
            text.rows()[range.start as usize..range.end as usize]
                .iter()
                .map(|row| text.row_text(row).trim().trim_end_matches(','))
                .collect::<String>()
        };
        assert_eq!(text(&older, &moved.older), text(&newer, &moved.newer));
        assert!(text(&older, &moved.older).contains("Does a"));
    }

    #[test]
    fn what_only_came_or_went_is_no_move() {
        let diff =
            TextDiff::between(&pretty(r#"{"a": {"b": 1, "c": 2, "d": 3}}"#), &pretty(r#"{"e": {"f": 1, "g": 2}}"#));
        assert!(diff.moves.is_empty());
    }
}
