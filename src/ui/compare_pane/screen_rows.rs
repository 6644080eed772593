//! Which rows a comparison has on screen: lines wrapped to the width, unchanged stretches folded, both sides level.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::card::JsonText;
use crate::card::diff::text::{Line, LineKind, Stretch};
use crate::state::{Age, Compared};
use crate::ui::widgets::json_view::lines::sensible_end;

/// How far back from the edge a line is broken at a space instead.
const BACK_TO_SPACE: usize = 24;

/// Both texts beside each other, or one text with the lines of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    SideBySide,
    Inline,
}

/// One row on screen.
#[derive(Clone, Copy, Debug)]
pub struct ScreenRow {
    /// The line of the comparison; of a fold its first.
    pub line: u32,
    /// How many lines are folded into this row; 0 for a row of text.
    pub folded: u32,
    pub older: Option<Piece>,
    pub newer: Option<Piece>,
}

impl ScreenRow {
    #[must_use]
    pub fn piece(&self, age: Age) -> Option<Piece> {
        match age {
            Age::Older => self.older,
            Age::Newer => self.newer,
        }
    }
}

/// The part of a text's row that stands on one row of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index of the text's row.
    pub row: u32,
    /// Bytes of the text.
    pub start: u32,
    pub end: u32,
    /// Columns before it, where it continues a row.
    pub indent: u16,
    pub is_first: bool,
}

/// The rows for one width.
#[derive(Debug, Default)]
pub struct ScreenRows {
    pub rows: Vec<ScreenRow>,
    /// The rows of each run of changes.
    pub hunks: Vec<Range<u32>>,
}

impl ScreenRows {
    /// Lays the lines out for `columns` characters; `unfolded` has the first lines of stretches to be shown whole.
    #[must_use]
    pub fn new(
        compared: &Compared,
        arrangement: Arrangement,
        columns: usize,
        unfolded: &BTreeSet<usize>,
        shows_all: bool,
    ) -> Self {
        let mut builder = Builder {
            compared,
            texts: [compared.text_of(Age::Older), compared.text_of(Age::Newer)],
            columns: columns.max(16),
            rows: Self::default(),
            pieces: [Vec::new(), Vec::new()],
        };
        for stretch in &compared.stretches {
            match stretch {
                Stretch::Folded(lines) if !shows_all && !unfolded.contains(&lines.start) => builder.fold(lines),
                Stretch::Shown(lines) | Stretch::Folded(lines) => builder.show(lines.clone(), arrangement),
            }
        }
        builder.rows
    }

    /// The first row that shows a line of the comparison on a side, or the fold that hides it.
    #[must_use]
    pub fn row_of(&self, line: usize, age: Age) -> Option<usize> {
        self.rows.iter().position(|row| {
            let lines = row.line as usize..row.line as usize + row.folded.max(1) as usize;
            lines.contains(&line) && (row.folded > 0 || row.piece(age).is_some())
        })
    }
}

struct Builder<'a> {
    compared: &'a Compared,
    texts: [&'a JsonText; 2],
    columns: usize,
    rows: ScreenRows,
    /// Room for the pieces of one line.
    pieces: [Vec<Piece>; 2],
}

impl Builder<'_> {
    fn fold(&mut self, lines: &Range<usize>) {
        let row = ScreenRow { line: lines.start as u32, folded: lines.len() as u32, older: None, newer: None };
        self.rows.rows.push(row);
    }

    fn show(&mut self, lines: Range<usize>, arrangement: Arrangement) {
        let mut at = lines.start;
        while at < lines.end {
            let is_same = |line: &Line| line.kind == LineKind::Same;
            let shown = &self.compared.text.lines[at..lines.end];
            let same = shown.iter().take_while(|line| is_same(line)).count();
            for line in at..at + same {
                self.line(line, &[Age::Older, Age::Newer]);
            }
            let changed = shown[same..].iter().take_while(|line| !is_same(line)).count();
            at += same;
            let first = self.rows.rows.len() as u32;
            match arrangement {
                Arrangement::SideBySide => {
                    (at..at + changed).for_each(|line| self.line(line, &[Age::Older, Age::Newer]));
                }
                Arrangement::Inline => {
                    for age in [Age::Older, Age::Newer] {
                        (at..at + changed).for_each(|line| self.line(line, &[age]));
                    }
                }
            }
            if changed > 0 {
                self.rows.hunks.push(first..self.rows.rows.len() as u32);
            }
            at += changed;
        }
    }

    /// Adds the rows of a line, as many as its longer side needs.
    fn line(&mut self, line: usize, ages: &[Age]) {
        let mut most = 0;
        for (side, age) in [Age::Older, Age::Newer].into_iter().enumerate() {
            let row = age.row_of(&self.compared.text.lines[line]).filter(|_| ages.contains(&age));
            self.pieces[side].clear();
            if let Some(row) = row {
                wrap(self.texts[side], row, self.columns, &mut self.pieces[side]);
            }
            most = most.max(self.pieces[side].len());
        }
        let [older, newer] = &self.pieces;
        self.rows.rows.extend((0..most).map(|at| ScreenRow {
            line: line as u32,
            folded: 0,
            older: older.get(at).copied(),
            newer: newer.get(at).copied(),
        }));
    }
}

/// Cuts a text's row into pieces that fit, at spaces where there are any; what continues is indented.
fn wrap(text: &JsonText, index: u32, columns: usize, pieces: &mut Vec<Piece>) {
    let row = text.rows()[index as usize];
    let bytes = text.text().as_bytes();
    let leading = text.row_text(&row).bytes().take_while(|&byte| byte == b' ').count();
    let indent = (leading + 2).min(columns / 2);
    let mut start = row.start;
    loop {
        let is_first = start == row.start;
        let room = if is_first { columns } else { columns - indent };
        let mut end = row.end.min(start + room as u32);
        if end < row.end {
            end = sensible_end(bytes, start, end, row.end);
            // Not within the indentation of the first piece, which would make no progress.
            let least = start as usize + if is_first { leading + 1 } else { 1 };
            let from = (end as usize).saturating_sub(BACK_TO_SPACE).max(least);
            let space = bytes.get(from..end as usize).and_then(|near| near.iter().rposition(|&byte| byte == b' '));
            end = space.map_or(end, |at| (from + at + 1) as u32);
        }
        pieces.push(Piece { row: index, start, end, indent: if is_first { 0 } else { indent as u16 }, is_first });
        start = end;
        if start >= row.end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::Document;
    use crate::card::facts::{Inspection, Origin};

    fn compared(older: &str, newer: &str) -> Compared {
        let inspection =
            |text: &str| Arc::new(Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default()));
        Compared::of(inspection(older), inspection(newer))
    }

    fn shown(compared: &Compared, rows: &ScreenRows, age: Age) -> Vec<String> {
        let text = compared.text_of(age).text();
        let piece = |row: &ScreenRow| match row.piece(age) {
            Some(piece) => text[piece.start as usize..piece.end as usize].trim().to_owned(),
            None if row.folded > 0 => format!("{} folded", row.folded),
            None => String::new(),
        };
        rows.rows.iter().map(piece).collect()
    }

    fn cards() -> (String, String) {
        let members = |value: &str| {
            let list: Vec<String> =
                (0..20).map(|at| format!("\"m{at}\": {}", if at == 10 { value } else { "0" })).collect();
            format!("{{{}}}", list.join(","))
        };
        (members("1, \"gone\": 2"), members("\"one two three four five six\""))
    }

    #[test]
    fn both_sides_stay_level_and_folds_open() {
        let (older, newer) = cards();
        let compared = compared(&older, &newer);
        let rows = ScreenRows::new(&compared, Arrangement::SideBySide, 24, &BTreeSet::new(), false);
        let old = shown(&compared, &rows, Age::Older);
        assert_eq!(
            old,
            [
                "8 folded",
                "\"m7\": 0,",
                "\"m8\": 0,",
                "\"m9\": 0,",
                "\"m10\": 1,",
                "",
                "\"gone\": 2,",
                "\"m11\": 0,",
                "\"m12\": 0,",
                "\"m13\": 0,",
                "7 folded"
            ]
        );
        let new = shown(&compared, &rows, Age::Newer);
        assert_eq!(new[4..7], ["\"m10\": \"one two three", "four five six\",", ""]);
        assert_eq!((rows.hunks.len(), rows.hunks[0].clone()), (1, 4..7));
        assert_eq!((rows.row_of(2, Age::Newer), rows.row_of(11, Age::Newer)), (Some(0), Some(4)));
        let opened = ScreenRows::new(&compared, Arrangement::SideBySide, 24, &BTreeSet::from([0]), false);
        assert_eq!(opened.rows.len(), rows.rows.len() + 7);
        let all = ScreenRows::new(&compared, Arrangement::SideBySide, 24, &BTreeSet::new(), true);
        assert_eq!(all.rows.len(), 24);
    }

    #[test]
    fn inline_shows_what_went_before_what_came() {
        let (older, newer) = cards();
        let compared = compared(&older, &newer);
        let rows = ScreenRows::new(&compared, Arrangement::Inline, 80, &BTreeSet::new(), false);
        let sides: Vec<_> = rows.rows[4..7].iter().map(|row| (row.older.is_some(), row.newer.is_some())).collect();
        assert_eq!(sides, [(true, false), (true, false), (false, true)]);
        let same = rows.rows[3];
        assert!(same.older.is_some() && same.newer.is_some());
    }

    #[test]
    fn wrapping_loses_no_byte_at_any_width() {
        let value = format!("{}\\\\\\\"料理 {}", "x".repeat(90), "word ".repeat(40));
        let (older, newer) = (format!("{{\"a\": \"{value}\"}}"), format!("{{\"a\": \"{value} more\"}}"));
        let compared = compared(&older, &newer);
        for columns in [0, 16, 17, 40, 41, 1000] {
            let rows = ScreenRows::new(&compared, Arrangement::SideBySide, columns, &BTreeSet::new(), true);
            let text = compared.text_of(Age::Newer);
            let joined: String = rows
                .rows
                .iter()
                .filter_map(|row| row.newer)
                .map(|piece| &text.text()[piece.start as usize..piece.end as usize])
                .collect();
            let whole: String = text.rows().iter().map(|row| text.row_text(row)).collect();
            assert_eq!(joined, whole, "{columns}");
        }
    }
}
