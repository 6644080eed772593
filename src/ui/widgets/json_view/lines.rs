//! Which lines of a JSON text are on screen: containers folded, long strings elided, long lines cut or wrapped.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::card::json::{JsonTree, Kind, NodeId};
use crate::card::json_text::JsonText;

/// Strings longer than this many bytes are elided until the reader asks for them.
const LONG_STRING_BYTES: usize = 4096;
/// How much of an elided string is shown.
const HEAD_BYTES: usize = 48;

/// One line on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The row of the text in which it begins.
    pub row: u32,
    /// Its bytes; a cut line may be shorter on screen.
    pub start: u32,
    pub end: u32,
    /// Where the text goes on if a long string is elided at the end; 0 if none is.
    pub goes_on: u32,
}

/// What the reader folded and opened in one layout of one text.
#[derive(Debug, Default)]
pub struct Folding {
    /// Closed containers.
    pub folded: BTreeSet<NodeId>,
    /// First rows of lines shown whole, wrapped; without an entry a line of the pretty layout is cut at the edge.
    pub opened: BTreeSet<u32>,
}

/// The lines of one layout.
#[derive(Debug, Default)]
pub struct Lines {
    shown: Shown,
    /// Where strings that are too long stand in this text, by their first byte; quotes included.
    long_strings: BTreeMap<u32, u32>,
}

#[derive(Debug)]
enum Shown {
    /// Every line of the text from end to end, by its first row: how a large text is mostly read, in little memory.
    Whole(Vec<u32>),
    Pieces(Vec<Line>),
}

impl Default for Shown {
    fn default() -> Self {
        Self::Whole(Vec::new())
    }
}

impl Lines {
    /// Finds the long strings of a text; the lines themselves come with [`Self::rebuild`].
    pub fn new(text: &JsonText, tree: Option<&JsonTree>, is_pretty: bool) -> Self {
        let long_strings = tree
            .into_iter()
            .flat_map(JsonTree::nodes)
            .filter(|node| node.kind() == Kind::String && node.span().len() > LONG_STRING_BYTES)
            .filter_map(|node| {
                let span = if is_pretty { pretty_span(text, node.id(), node.span().len())? } else { node.span() };
                Some((u32::try_from(span.start).ok()?, u32::try_from(span.end).ok()?))
            })
            .collect();
        Self { shown: Shown::default(), long_strings }
    }

    pub fn len(&self) -> usize {
        match &self.shown {
            Shown::Whole(rows) => rows.len(),
            Shown::Pieces(lines) => lines.len(),
        }
    }

    pub fn get(&self, text: &JsonText, index: usize) -> Option<Line> {
        match &self.shown {
            Shown::Whole(rows) => rows.get(index).map(|&row| whole_line(text, row)),
            Shown::Pieces(lines) => lines.get(index).copied(),
        }
    }

    /// Where the long string stands that begins in `range`, if there is one.
    pub fn long_string_in(&self, range: Range<u32>) -> Option<Range<u32>> {
        self.long_strings.range(range).next().map(|(&start, &end)| start..end)
    }

    /// The line on which the byte `offset` is shown or would be if its line were not cut.
    pub fn line_at(&self, text: &JsonText, offset: usize) -> usize {
        let following = match &self.shown {
            Shown::Whole(rows) => rows.partition_point(|&row| text.rows()[row as usize].start as usize <= offset),
            Shown::Pieces(lines) => lines.partition_point(|line| line.start as usize <= offset),
        };
        following.saturating_sub(1)
    }

    /// Lays the rows out again: after folding, opening, or (where lines are wrapped) a change of width.
    pub fn rebuild(&mut self, text: &JsonText, folding: &Folding, wrap_all: bool, columns: usize) {
        let rows = text.rows();
        if !wrap_all && folding.folded.is_empty() && folding.opened.is_empty() {
            let first_rows = (0..rows.len() as u32).filter(|&row| rows[row as usize].line().is_some());
            self.shown = Shown::Whole(first_rows.collect());
            return;
        }
        let mut lines = Vec::with_capacity(rows.len());
        let visible = text.visible_rows(&folding.folded);
        let mut index = 0;
        while index < visible.len() {
            let first = visible[index];
            let row = rows[first as usize];
            let mut end = row.end;
            index += 1;
            // The rows that continue the line belong to it.
            while index < visible.len() && visible[index] == visible[index - 1] + 1 {
                let next = rows[visible[index] as usize];
                if next.line().is_some() {
                    break;
                }
                end = next.end;
                index += 1;
            }
            let length = (end - row.start) as usize;
            if length > columns && (wrap_all || folding.opened.contains(&first)) {
                self.wrap(&mut lines, text, row.start..end, folding, columns.max(16));
            } else {
                lines.push(Line { row: first, start: row.start, end, goes_on: 0 });
            }
        }
        self.shown = Shown::Pieces(lines);
    }

    fn wrap(&self, lines: &mut Vec<Line>, text: &JsonText, line: Range<u32>, folding: &Folding, columns: usize) {
        let bytes = text.text().as_bytes();
        let mut start = line.start;
        while start < line.end {
            let mut end = line.end.min(start + columns as u32);
            let mut goes_on = 0;
            if let Some((string, after)) = self.elided(text, start..end, folding) {
                let room = (start + columns as u32).saturating_sub(string);
                if string > start && room < 2 * HEAD_BYTES as u32 {
                    // Too near the edge: the string begins the next line.
                    end = string;
                } else {
                    end = line.end.min(string + HEAD_BYTES as u32);
                    goes_on = after;
                }
            }
            end = sensible_end(bytes, start, end, line.end);
            let row = text.row_at(start as usize) as u32;
            lines.push(Line { row, start, end, goes_on });
            start = end.max(goes_on);
        }
    }

    /// The first long string that begins in `range` and was not opened: its start, and its closing quote.
    fn elided(&self, text: &JsonText, range: Range<u32>, folding: &Folding) -> Option<(u32, u32)> {
        self.long_strings
            .range(range)
            .find(|&(&start, _)| !folding.opened.contains(&(text.row_at(start as usize) as u32)))
            .map(|(&start, &end)| (start, end - 1))
    }
}

/// The line that begins with `row`, with the rows that continue it.
fn whole_line(text: &JsonText, row: u32) -> Line {
    let rows = &text.rows()[row as usize..];
    let continued = rows.iter().skip(1).take_while(|row| row.line().is_none()).count();
    Line { row, start: rows[0].start, end: rows[continued].end, goes_on: 0 }
}

/// Where a scalar stands in the pretty layout, where the tree's own positions do not hold.
fn pretty_span(text: &JsonText, node: NodeId, length: usize) -> Option<Range<usize>> {
    let (_, last) = text.rows_of(node)?;
    let row = text.rows().get(last)?;
    let comma = usize::from(text.row_text(row).ends_with(','));
    let end = row.end as usize - comma;
    Some(end.checked_sub(length)?..end)
}

/// Moves the end of a piece back so that neither a character nor an escape is divided.
pub fn sensible_end(bytes: &[u8], start: u32, end: u32, line_end: u32) -> u32 {
    if end >= line_end {
        return end;
    }
    let mut end = end as usize;
    let least = start as usize + 1;
    while end > least && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    let backslashes = bytes[least..end].iter().rev().take_while(|&&byte| byte == b'\\').count();
    if backslashes % 2 == 1 && end - 1 > least {
        end -= 1;
    }
    end as u32
}

#[cfg(test)]
mod tests {
    use bytestring::ByteString;

    use super::*;

    fn shown(lines: &Lines, text: &JsonText) -> Vec<String> {
        let lines = (0..lines.len()).map(|index| lines.get(text, index).unwrap());
        lines.map(|line| text.text()[line.start as usize..line.end as usize].to_owned()).collect()
    }

    #[test]
    fn a_minified_text_is_wrapped_without_losing_a_byte() {
        let source: ByteString = ByteString::from(format!("[{}\"\\\\料\\\"\"]", "\"料\\\\\",".repeat(300)));
        let tree = JsonTree::parse(source.clone()).unwrap();
        let text = JsonText::received(&source, Some(&tree));
        let mut lines = Lines::new(&text, Some(&tree), false);
        for columns in [0, 17, 18, 19, 40, 5000] {
            lines.rebuild(&text, &Folding::default(), true, columns);
            assert_eq!(shown(&lines, &text).concat(), *source, "{columns}");
        }
    }

    #[test]
    fn a_long_string_is_elided_until_it_is_opened() {
        let source: ByteString = ByteString::from(format!("{{\"a\":\"{}\",\"b\":1}}", "x".repeat(9000)));
        let tree = JsonTree::parse(source.clone()).unwrap();
        let text = JsonText::received(&source, Some(&tree));
        let mut lines = Lines::new(&text, Some(&tree), false);
        let mut folding = Folding::default();
        lines.rebuild(&text, &folding, true, 120);
        let first = format!("{{\"a\":\"{}", "x".repeat(47));
        assert_eq!(shown(&lines, &text), [first.as_str(), "\",\"b\":1}"]);
        assert_eq!(lines.line_at(&text, 20), 0);
        folding.opened.insert(0);
        lines.rebuild(&text, &folding, true, 120);
        assert_eq!(shown(&lines, &text).concat(), *source);

        let pretty = JsonText::pretty(&tree);
        let mut lines = Lines::new(&pretty, Some(&tree), true);
        lines.rebuild(&pretty, &Folding::default(), false, 100);
        assert_eq!(lines.len(), 4);
        assert_eq!(lines.long_string_in(0..9000).map(|range| range.len()), Some(9002));
    }

    #[test]
    fn folding_leaves_one_line() {
        let source: ByteString = ByteString::from(r#"{"a": {"b": [{"c": 1}]}, "d": 2}"#);
        let tree = JsonTree::parse(source).unwrap();
        let text = JsonText::pretty(&tree);
        let mut lines = Lines::new(&text, Some(&tree), true);
        let folding = Folding { folded: [NodeId(1)].into(), ..Folding::default() };
        lines.rebuild(&text, &folding, false, 100);
        assert_eq!(shown(&lines, &text), ["{", "  \"a\": {", "  \"d\": 2", "}"]);
    }
}
