//! The comparison of two texts row by row: what is the same, what changed, what only moved, and where.

mod moves;
mod within;

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::card::facts::Inspection;
use crate::card::json_text::JsonText;

pub use moves::Move;
pub use within::{Within, changes_within};

/// After so long the comparison settles for less; a card of any usual size needs a hundredth of it.
const TIME_LIMIT: Duration = Duration::from_millis(400);

/// A line of the comparison: a row of either text, or one of each that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index into [`JsonText::rows`] of the older text.
    pub older: Option<u32>,
    /// The same of the newer text.
    pub newer: Option<u32>,
    pub kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Both rows are the same.
    Same,
    /// Both rows belong together and differ; see [`changes_within`].
    Changed,
    /// Only the older text has it.
    Removed,
    /// Only the newer text has it.
    Added,
}

/// What of the lines is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// Indices into [`TextDiff::lines`] to be shown.
    Shown(Range<usize>),
    /// Unchanged lines that may be folded into one.
    Folded(Range<usize>),
}

/// Two texts, row by row.
#[derive(Debug, Default)]
pub struct TextDiff {
    pub lines: Vec<Line>,
    /// Runs of rows that are in both texts, in another place.
    pub moves: Vec<Move>,
    /// Whether the time limit was reached: correct all the same, but more is marked as changed than need be.
    pub is_coarse: bool,
}

impl TextDiff {
    /// Compares the texts laid out for reading, or as received where a side is no JSON. Cost grows with their length;
    /// run it off the UI thread.
    #[must_use]
    pub fn of(older: &Inspection, newer: &Inspection) -> Self {
        let (older, newer) = Self::texts(older, newer);
        Self::between(older, newer)
    }

    /// The two texts that [`Self::of`] compares.
    #[must_use]
    pub fn texts<'a>(older: &'a Inspection, newer: &'a Inspection) -> (&'a JsonText, &'a JsonText) {
        match (&older.pretty, &newer.pretty) {
            (Some(before), Some(after)) => (before, after),
            _ => (&older.received, &newer.received),
        }
    }

    /// Compares any two texts by their rows.
    #[must_use]
    pub fn between(older: &JsonText, newer: &JsonText) -> Self {
        let started = Instant::now();
        // Equal rows get equal numbers, so that each is looked at once.
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let old = number_rows(older, &mut numbers);
        let new = number_rows(newer, &mut numbers);
        let operations = capture_diff_slices_deadline(Algorithm::Patience, &old, &new, Some(started + TIME_LIMIT));
        let mut diff = Self { is_coarse: started.elapsed() >= TIME_LIMIT, ..Self::default() };
        for operation in operations {
            diff.append(operation, older, newer);
        }
        diff.moves = moves::find(&diff.lines, older, newer);
        diff
    }

    fn append(&mut self, operation: DiffOp, older: &JsonText, newer: &JsonText) {
        match operation {
            DiffOp::Equal { old_index, new_index, len } => {
                self.lines
                    .extend((0..len).map(|step| line(Some(old_index + step), Some(new_index + step), LineKind::Same)));
            }
            DiffOp::Delete { old_index, old_len, .. } => self.removed(old_index..old_index + old_len),
            DiffOp::Insert { new_index, new_len, .. } => self.added(new_index..new_index + new_len),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                self.replaced(old_index..old_index + old_len, new_index..new_index + new_len, older, newer);
            }
        }
    }

    fn removed(&mut self, rows: Range<usize>) {
        self.lines.extend(rows.map(|row| line(Some(row), None, LineKind::Removed)));
    }

    fn added(&mut self, rows: Range<usize>) {
        self.lines.extend(rows.map(|row| line(None, Some(row), LineKind::Added)));
    }

    /// Rows that begin with the same member name belong together, in order; so do all of two runs of equal length.
    fn replaced(&mut self, old: Range<usize>, new: Range<usize>, older: &JsonText, newer: &JsonText) {
        if old.len() == new.len() {
            self.lines.extend(old.zip(new).map(|(a, b)| line(Some(a), Some(b), LineKind::Changed)));
            return;
        }
        let mut waiting: HashMap<&str, Vec<usize>> = HashMap::new();
        for row in new.clone().rev() {
            waiting.entry(member_name(newer, row)).or_default().push(row);
        }
        let mut next = new.start;
        let mut unpaired = old.start;
        for row in old.clone() {
            let Some(rows) = waiting.get_mut(member_name(older, row)).filter(|_| !member_name(older, row).is_empty())
            else {
                continue;
            };
            while rows.last().is_some_and(|&partner| partner < next) {
                rows.pop();
            }
            let Some(partner) = rows.pop() else { continue };
            self.removed(unpaired..row);
            self.added(next..partner);
            self.lines.push(line(Some(row), Some(partner), LineKind::Changed));
            (unpaired, next) = (row + 1, partner + 1);
        }
        self.removed(unpaired..old.end);
        self.added(next..new.end);
    }

    /// The lines to show, with `context` unchanged ones around each change; longer runs of them are folded.
    #[must_use]
    pub fn stretches(&self, context: usize) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut start = 0;
        while start < self.lines.len() {
            let is_same = self.lines[start].kind == LineKind::Same;
            let run = self.lines[start..].iter().take_while(|line| (line.kind == LineKind::Same) == is_same).count();
            let end = start + run;
            let before = if start == 0 { 0 } else { context };
            let after = if end == self.lines.len() { 0 } else { context };
            // A fold that hides one line saves nothing.
            if is_same && run > before + after + 1 {
                show(&mut stretches, start..start + before);
                stretches.push(Stretch::Folded(start + before..end - after));
                show(&mut stretches, end - after..end);
            } else {
                show(&mut stretches, start..end);
            }
            start = end;
        }
        stretches
    }

    /// Runs of lines that are not the same, for a ruler and for going from change to change.
    #[must_use]
    pub fn hunks(&self) -> Vec<Range<usize>> {
        let mut hunks: Vec<Range<usize>> = Vec::new();
        for (at, _) in self.lines.iter().enumerate().filter(|(_, line)| line.kind != LineKind::Same) {
            match hunks.last_mut() {
                Some(hunk) if hunk.end == at => hunk.end = at + 1,
                _ => hunks.push(at..at + 1),
            }
        }
        hunks
    }
}

fn line(older: Option<usize>, newer: Option<usize>, kind: LineKind) -> Line {
    // Texts of 4 GiB and more never become a tree, and rows are fewer than bytes.
    let short = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
    Line { older: older.map(short), newer: newer.map(short), kind }
}

fn show(stretches: &mut Vec<Stretch>, range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    match stretches.last_mut() {
        Some(Stretch::Shown(shown)) if shown.end == range.start => shown.end = range.end,
        _ => stretches.push(Stretch::Shown(range)),
    }
}

fn number_rows<'a>(text: &'a JsonText, numbers: &mut HashMap<&'a str, u32>) -> Vec<u32> {
    let number = |row| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(text.row_text(row)).or_insert(next)
    };
    text.rows().iter().map(number).collect()
}

/// `"name"` at the beginning of a row that holds a member; empty for every other row.
fn member_name(text: &JsonText, row: usize) -> &str {
    let row = text.row_text(&text.rows()[row]).trim_start();
    let end = if row.starts_with('"') { row.find("\": ") } else { None };
    end.map_or("", |end| &row[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::json::JsonTree;

    fn pretty(text: &str) -> JsonText {
        JsonText::pretty(&JsonTree::parse(text).unwrap())
    }

    /// One letter a line: `=`, `~`, `-`, `+`.
    fn kinds(diff: &TextDiff) -> String {
        let letter = |line: &Line| match line.kind {
            LineKind::Same => '=',
            LineKind::Changed => '~',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        };
        diff.lines.iter().map(letter).collect()
    }

    #[test]
    fn members_of_the_same_name_belong_together() {
        let older = pretty(r#"{"name": "a", "gone": 1, "version": "1", "same": true}"#);
        let newer = pretty(r#"{"name": "b", "version": "2", "same": true}"#);
        let diff = TextDiff::between(&older, &newer);
        assert_eq!(kinds(&diff), "=~-~==");
        assert_eq!(diff.hunks(), vec![1..4]);
        assert!(!diff.is_coarse);
    }

    #[test]
    fn every_row_of_both_texts_is_in_exactly_one_line() {
        let older = pretty(r#"{"a": [1, {"b": 2}], "c": {"d": "e"}, "f": 1, "g": 2}"#);
        let newer = pretty(r#"{"c": {"d": "x", "y": 0}, "a": [{"b": 2}], "g": 2, "h": {}}"#);
        let diff = TextDiff::between(&older, &newer);
        let rows = |of: fn(&Line) -> Option<u32>| diff.lines.iter().filter_map(of).collect::<Vec<_>>();
        let all = |text: &JsonText| (0..u32::try_from(text.rows().len()).unwrap()).collect::<Vec<_>>();
        assert_eq!(rows(|line| line.older), all(&older));
        assert_eq!(rows(|line| line.newer), all(&newer));
    }

    #[test]
    fn long_unchanged_runs_are_folded_around_a_context() {
        let card = |value: &str| {
            let members: Vec<String> =
                (0..40).map(|at| format!("\"m{at}\": {}", if at == 20 { value } else { "0" })).collect();
            pretty(&format!("{{{}}}", members.join(",")))
        };
        let diff = TextDiff::between(&card("1"), &card("2"));
        assert_eq!(diff.stretches(3), [Stretch::Folded(0..18), Stretch::Shown(18..25), Stretch::Folded(25..42)]);
        assert_eq!(diff.stretches(100), [Stretch::Shown(0..42)]);
        let same = TextDiff::between(&card("1"), &card("1"));
        assert_eq!((same.stretches(3), same.hunks().len()), (vec![Stretch::Folded(0..42)], 0));
    }
}
