//! One of the two layouts of a text: its lines, what is folded in it, and where it is scrolled to.

use std::ops::Range;

use super::lines::{Folding, Line, Lines};
use super::scroll::Scroll;
use crate::card::json::{JsonTree, NodeId};
use crate::card::json_text::JsonText;

/// A layout as the reader left it.
#[derive(Debug, Default)]
pub struct Layout {
    pub lines: Lines,
    pub folding: Folding,
    pub scroll: Scroll,
    /// Characters marked with the mouse, as bytes of the text: where it began and where it stands.
    pub marked: Option<(usize, usize)>,
    /// A byte that has to be brought into sight.
    pub to_reveal: Option<usize>,
    is_pretty: bool,
    /// For how many columns the lines were laid out; `None` before the first time and after folding.
    columns: Option<usize>,
}

impl Layout {
    pub fn new(text: &JsonText, tree: Option<&JsonTree>, is_pretty: bool) -> Self {
        Self { lines: Lines::new(text, tree, is_pretty), is_pretty, ..Self::default() }
    }

    /// Whether lines that do not fit are wrapped rather than cut.
    pub fn wraps(&self, row: u32) -> bool {
        !self.is_pretty || self.folding.opened.contains(&row)
    }

    /// Whether `line` is the first of one that the reader opened.
    pub fn is_opened(&self, text: &JsonText, line: &Line) -> bool {
        let starts = text.rows().get(line.row as usize).is_some_and(|row| row.start == line.start);
        starts && self.folding.opened.contains(&line.row)
    }

    /// Makes the lines fit `columns`, if anything changed.
    pub fn fit(&mut self, text: &JsonText, columns: usize) {
        let depends_on_width = !self.is_pretty || !self.folding.opened.is_empty();
        let is_current = self.columns.is_some_and(|before| before == columns || !depends_on_width);
        if !is_current {
            self.lines.rebuild(text, &self.folding, !self.is_pretty, columns);
        }
        self.columns = Some(columns);
    }

    pub fn set_folded(&mut self, node: NodeId, folded: bool) {
        if folded {
            self.folding.folded.insert(node);
        } else {
            self.folding.folded.remove(&node);
        }
        self.columns = None;
    }

    pub fn unfold_all(&mut self) {
        self.folding.folded.clear();
        self.columns = None;
    }

    /// Shows the line that begins with `row` whole.
    pub fn open(&mut self, row: u32) {
        self.folding.opened.insert(row);
        self.columns = None;
    }

    /// Cuts it again.
    pub fn close(&mut self, row: u32) {
        self.folding.opened.remove(&row);
        self.columns = None;
    }

    /// Unfolds whatever hides the byte `offset`, and opens a line or string of which it is the hidden part.
    pub fn uncover(&mut self, text: &JsonText, offset: usize, columns: usize) {
        let row = text.row_at(offset);
        let hides = |node: &NodeId| text.rows_of(*node).is_some_and(|(first, last)| row > first && row <= last);
        let before = self.folding.folded.len();
        self.folding.folded.retain(|node| !hides(node));
        if self.folding.folded.len() != before {
            self.columns = None;
        }
        self.fit(text, columns);
        let Some(line) = self.lines.get(text, self.lines.line_at(text, offset)) else { return };
        let is_cut = !self.wraps(line.row) && offset >= line.start as usize + columns.saturating_sub(24);
        if is_cut || offset >= line.end as usize {
            self.open(self.long_string_row(text, &line, offset).unwrap_or(line.row));
            self.fit(text, columns);
        }
    }

    fn long_string_row(&self, text: &JsonText, line: &Line, offset: usize) -> Option<u32> {
        let string = self.lines.long_string_in(line.start..line.end)?;
        (!self.is_pretty && (offset as u64) < u64::from(string.end)).then(|| text.row_at(string.start as usize) as u32)
    }

    pub fn first_byte_in_sight(&self, text: &JsonText) -> usize {
        let (visible, _) = self.scroll.visible(self.lines.len(), 1.0);
        self.lines.get(text, visible.start).map_or(0, |line| line.start as usize)
    }

    /// The bytes that show `node` in this layout, its name included.
    pub fn bytes_of(&self, text: &JsonText, tree: &JsonTree, node: NodeId) -> Option<Range<usize>> {
        if !self.is_pretty {
            let node = tree.node(node);
            return Some(node.key_span().unwrap_or(node.span()).start..node.span().end);
        }
        let (first, last) = text.rows_of(node)?;
        let (first, last) = (text.rows().get(first)?, text.rows().get(last)?);
        Some(first.start as usize..last.end as usize)
    }

    /// The value that stands at the byte `offset` of this layout.
    pub fn node_at(&self, text: &JsonText, tree: &JsonTree, offset: usize) -> NodeId {
        let row = text.rows()[text.row_at(offset)];
        if self.is_pretty {
            return inline_item(text, tree, row.node, offset).unwrap_or(row.node);
        }
        // Left of the first value and right of the last there is none; then what the row begins with.
        tree.node_at(offset).map_or(row.node, |node| if node.id().0 == 0 { row.node } else { node.id() })
    }
}

/// The item of a short list that stands on one row of the pretty layout.
fn inline_item(text: &JsonText, tree: &JsonTree, list: NodeId, offset: usize) -> Option<NodeId> {
    let node = tree.node(list);
    let (first, last) = text.rows_of(list)?;
    if node.child_count() == 0 || first != last {
        return None;
    }
    let row = text.rows().get(first)?;
    let mut at = row.start as usize
        + text.row_text(row).find(": [").map_or_else(|| text.row_text(row).find('['), |at| Some(at + 2))?
        + 1;
    for item in node.children() {
        let end = at + item.raw().len();
        if (at..end).contains(&offset) {
            return Some(item.id());
        }
        at = end + 2;
    }
    None
}
