//! JSON laid out in rows for the eye, with the way from a row to its value and back.

use std::collections::BTreeSet;
use std::ops::Range;

use bytestring::ByteString;

use super::json::{JsonTree, Kind, Node, NodeId};
use super::tokens::string_state;

/// Rows longer than this many bytes go on in the next row.
const MAX_ROW_BYTES: usize = 4096;
/// Lists of scalars up to this many bytes stay on one row.
const MAX_INLINE_BYTES: usize = 88;

/// One row of a [`JsonText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the row's text stands, in bytes, line break excluded.
    pub start: u32,
    pub end: u32,
    /// The line's number, or one of the two below.
    line: u32,
    /// The value that the row begins with: the member or item, or the container that a bracket closes.
    pub node: NodeId,
}

impl Row {
    const CONTINUES: u32 = 0;
    const CONTINUES_IN_STRING: u32 = u32::MAX;

    /// The line's number, from 1; `None` for a row that continues a long line.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        (!matches!(self.line, Self::CONTINUES | Self::CONTINUES_IN_STRING)).then_some(self.line)
    }

    /// Whether the row begins inside a string, as only one that continues a line does.
    #[must_use]
    pub fn in_string(&self) -> bool {
        self.line == Self::CONTINUES_IN_STRING
    }
}

/// A JSON text in rows.
#[derive(Debug)]
pub struct JsonText {
    text: ByteString,
    rows: Vec<Row>,
    /// The values that the rows show; `None` where the text is not JSON.
    tree: Option<JsonTree>,
    is_pretty: bool,
}

impl JsonText {
    /// The text with one member or item a row, two spaces a level; every scalar exactly as written.
    #[must_use]
    pub fn pretty(tree: &JsonTree) -> Self {
        let mut writer = PrettyWriter {
            out: String::with_capacity(tree.text().len() * 5 / 4),
            rows: Vec::with_capacity(tree.len() / 2),
            row_start: 0,
            row_node: NodeId(0),
            line: 0,
        };
        writer.value(tree.root(), 0);
        writer.end_row();
        let PrettyWriter { mut out, mut rows, .. } = writer;
        // Kept for as long as the card is.
        out.shrink_to_fit();
        rows.shrink_to_fit();
        Self { text: out.into(), rows, tree: Some(tree.clone()), is_pretty: true }
    }

    /// The text as it was received, cut only where a line is too long for a row.
    #[must_use]
    pub fn received(text: &ByteString, tree: Option<&JsonTree>) -> Self {
        let mut rows = Vec::with_capacity(text.len() / 32 + 1);
        let mut line_start = 0;
        let mut line = 0;
        loop {
            let line_end = memchr::memchr(b'\n', &text.as_bytes()[line_start..]).map(|at| line_start + at);
            let end = line_end.unwrap_or(text.len());
            line += 1;
            let visible = line_start..trim_carriage_return(text, line_start..end);
            push_rows(&mut rows, text, visible, line, NodeId(0));
            match line_end {
                Some(end) => line_start = end + 1,
                None => break,
            }
        }
        rows.shrink_to_fit();
        if let Some(tree) = tree {
            for row in &mut rows {
                row.node = first_node(tree, text, row);
            }
        }
        Self { text: text.clone(), rows, tree: tree.cloned(), is_pretty: false }
    }

    #[must_use]
    pub fn text(&self) -> &ByteString {
        &self.text
    }

    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    #[must_use]
    pub fn row_text(&self, row: &Row) -> &str {
        &self.text[row.start as usize..row.end as usize]
    }

    /// The rows that show `node`, first and last, its name included.
    #[must_use]
    pub fn rows_of(&self, node: NodeId) -> Option<(usize, usize)> {
        // Looked for instead of kept: of millions of values hardly any is ever asked about.
        let tree = self.tree.as_ref().filter(|tree| (node.0 as usize) < tree.len())?;
        let node = tree.node(node);
        if self.is_pretty {
            return Some(self.pretty_rows_of(node));
        }
        let start = node.key_span().unwrap_or(node.span()).start;
        Some((self.row_at(start), self.row_at(node.span().end.saturating_sub(1))))
    }

    /// In the pretty layout values stand in the order of their ids, and a closing bracket before whatever comes next.
    fn pretty_rows_of(&self, node: Node<'_>) -> (usize, usize) {
        let place = |row: &Row| {
            if self.closes(row) { node.tree().node(row.node).subtree().end } else { row.node.0 }
        };
        let id = node.id();
        let begins = self.rows.partition_point(|row| place(row) < id.0);
        let follows = begins + self.rows[begins..].partition_point(|row| place(row) <= id.0);
        // Before it may stand what closes the values it follows.
        let Some(first) = (begins..follows).find(|&row| self.rows[row].node == id) else {
            // It stands on the row of its list.
            let list = node.parent().map_or(0, |list| self.pretty_rows_of(list).0);
            return (list, list);
        };
        if node.child_count() == 0 || is_inline(&node) {
            return (first, follows - 1);
        }
        let after = node.subtree().end;
        let closing = follows + self.rows[follows..].partition_point(|row| place(row) < after);
        let last = (closing..self.rows.len()).find(|&row| self.rows[row].node == id);
        (first, last.unwrap_or(first))
    }

    /// Whether the row begins with a bracket that closes its value.
    fn closes(&self, row: &Row) -> bool {
        row.line().is_some() && self.row_text(row).trim_start_matches(' ').starts_with(['}', ']'])
    }

    /// The row on which the byte `offset` of the text stands.
    #[must_use]
    pub fn row_at(&self, offset: usize) -> usize {
        self.rows.partition_point(|row| row.start as usize <= offset).saturating_sub(1)
    }

    /// The rows left visible when the containers `folded` are closed: each shows its first row only.
    #[must_use]
    pub fn visible_rows(&self, folded: &BTreeSet<NodeId>) -> Vec<u32> {
        let mut hidden: Vec<(usize, usize)> = folded
            .iter()
            .filter_map(|&node| self.rows_of(node))
            .filter(|(first, last)| last > first)
            .map(|(first, last)| (first + 1, last))
            .collect();
        hidden.sort_unstable();
        let mut visible = Vec::with_capacity(self.rows.len());
        let mut next = 0;
        for (first, last) in hidden {
            visible.extend(as_u32(next)..as_u32(first.max(next)));
            next = next.max(last + 1);
        }
        visible.extend(as_u32(next)..as_u32(self.rows.len().max(next)));
        visible
    }
}

fn as_u32(value: usize) -> u32 {
    // Texts of 512 MiB and more never become a tree, and rows are shorter than texts.
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn trim_carriage_return(text: &str, line: Range<usize>) -> usize {
    if text[line.clone()].ends_with('\r') { line.end - 1 } else { line.end }
}

/// Adds `line` as one row, or as several where it is too long.
fn push_rows(rows: &mut Vec<Row>, text: &str, range: Range<usize>, line: u32, node: NodeId) {
    let mut start = range.start;
    let mut line = line;
    while range.end - start > MAX_ROW_BYTES {
        let mut end = start + MAX_ROW_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (ends_in_string, in_escape) = string_state(&text.as_bytes()[start..end], line == Row::CONTINUES_IN_STRING);
        // An escape stays on one row, so that each row can be read by itself.
        end -= usize::from(in_escape);
        rows.push(Row { start: as_u32(start), end: as_u32(end), line, node });
        line = if ends_in_string { Row::CONTINUES_IN_STRING } else { Row::CONTINUES };
        start = end;
    }
    rows.push(Row { start: as_u32(start), end: as_u32(range.end), line, node });
}

/// The value that a received row begins with.
fn first_node(tree: &JsonTree, text: &str, row: &Row) -> NodeId {
    let start = row.start as usize;
    let row_text = &text[start..row.end as usize];
    let skipped = row_text.len() - row_text.trim_start_matches([' ', '\t', ',']).len();
    tree.node_at(start + skipped).map_or(NodeId(0), |node| node.id())
}

struct PrettyWriter {
    out: String,
    rows: Vec<Row>,
    row_start: usize,
    row_node: NodeId,
    line: u32,
}

impl PrettyWriter {
    fn end_row(&mut self) {
        self.line += 1;
        push_rows(&mut self.rows, &self.out, self.row_start..self.out.len(), self.line, self.row_node);
        self.out.push('\n');
        self.row_start = self.out.len();
    }

    fn begin_row(&mut self, depth: usize, node: NodeId) {
        self.row_node = node;
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    // Recursion is bounded by the parser's nesting limit.
    fn value(&mut self, node: Node<'_>, depth: usize) {
        if let Some(key) = node.key_span() {
            self.out.push_str(&node.tree().text()[key]);
            self.out.push_str(": ");
        }
        let (open, close) = match node.kind() {
            Kind::Object => ('{', '}'),
            Kind::Array => ('[', ']'),
            _ => {
                self.out.push_str(node.raw());
                return;
            }
        };
        self.out.push(open);
        if node.child_count() > 0 {
            if is_inline(&node) {
                self.inline_items(node);
            } else {
                self.children(node, depth);
            }
        }
        self.out.push(close);
    }

    fn inline_items(&mut self, node: Node<'_>) {
        for (index, child) in node.children().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(child.raw());
        }
    }

    fn children(&mut self, node: Node<'_>, depth: usize) {
        self.end_row();
        let count = node.child_count();
        for (index, child) in node.children().enumerate() {
            self.begin_row(depth + 1, child.id());
            self.value(child, depth + 1);
            if index + 1 < count {
                self.out.push(',');
            }
            self.end_row();
        }
        self.begin_row(depth, node.id());
    }
}

/// Short lists of scalars read better on one row.
fn is_inline(node: &Node<'_>) -> bool {
    node.kind() == Kind::Array
        && node.span().len() <= MAX_INLINE_BYTES
        && node.children().all(|child| !child.kind().is_container())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::pointer::JsonPointer;

    fn tree(text: &str) -> JsonTree {
        JsonTree::parse(text).unwrap()
    }

    #[test]
    fn pretty_keeps_every_scalar_as_written() {
        let tree = tree(r#"{"n":1.0,"modes":["a","b"],"o":{"x":[{"y":12345678901234567890}]},"e":[],"f":{}}"#);
        let pretty = JsonText::pretty(&tree);
        let expected = "{\n  \"n\": 1.0,\n  \"modes\": [\"a\", \"b\"],\n  \"o\": {\n    \"x\": [\n      {\n        \
                        \"y\": 12345678901234567890\n      }\n    ]\n  },\n  \"e\": [],\n  \"f\": {}\n}\n";
        assert_eq!(&**pretty.text(), expected);
    }

    #[test]
    fn rows_and_values_find_each_other_in_both_layouts() {
        let tree = tree("{\"a\": {\r\n  \"b\": [1, {\"c\": \"d\"}]},\n \"e\": null}");
        let node = |pointer: &str| tree.resolve(&JsonPointer::from_text(pointer)).unwrap().id();
        let pretty = JsonText::pretty(&tree);
        let shown = |text: &JsonText, pointer: &str| {
            let (first, last) = text.rows_of(node(pointer)).unwrap();
            text.rows()[first..=last].iter().map(|row| text.row_text(row).trim()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(shown(&pretty, "/a/b"), "\"b\": [|1,|{|\"c\": \"d\"|}|]");
        assert_eq!(shown(&pretty, "/e"), "\"e\": null");
        let received = JsonText::received(tree.text(), Some(&tree));
        assert_eq!(shown(&received, "/a/b"), "\"b\": [1, {\"c\": \"d\"}]},");
        assert_eq!(shown(&received, ""), "{\"a\": {|\"b\": [1, {\"c\": \"d\"}]},|\"e\": null}");
        assert_eq!(received.rows()[1].node, node("/a/b"));
        assert_eq!(received.rows()[2].node, node("/e"));
    }

    #[test]
    fn long_lines_continue_in_further_rows() {
        let text = format!("[\"{}\", 2]", "ü".repeat(5000));
        let tree = tree(&text);
        for layout in [JsonText::pretty(&tree), JsonText::received(tree.text(), Some(&tree))] {
            let joined: String = layout.rows().iter().map(|row| layout.row_text(row)).collect();
            assert!(joined.contains(&"ü".repeat(5000)));
            let numbered: Vec<_> = layout.rows().iter().filter_map(Row::line).collect();
            assert!(numbered.windows(2).all(|pair| pair[1] == pair[0] + 1));
            let (first, last) = layout.rows_of(NodeId(1)).unwrap();
            assert!(layout.row_text(&layout.rows()[first]).contains('"') && last > first);
            let (two, _) = layout.rows_of(NodeId(2)).unwrap();
            assert!(layout.row_text(&layout.rows()[two]).contains('2'));
        }
    }

    #[test]
    fn a_continuing_row_knows_that_it_is_inside_a_string() {
        // Backslashes everywhere, so that a cut would fall between one and what it escapes.
        let text = format!("{{\"料\": \"{}\", \"n\": [{}1]}}", "\\\\料\\\"".repeat(3000), "1,".repeat(4000));
        let tree = tree(&text);
        for layout in [JsonText::pretty(&tree), JsonText::received(tree.text(), Some(&tree))] {
            let long = tree.node(NodeId(1));
            let (first, last) = layout.rows_of(long.id()).unwrap();
            assert!(last - first > 4);
            for row in &layout.rows()[first + 1..=last] {
                assert!(row.in_string() && row.end - row.start <= 4096);
                let backslashes = layout.row_text(row).bytes().rev().take_while(|&byte| byte == b'\\').count();
                assert!(backslashes % 2 == 0, "{backslashes}");
            }
            assert!(layout.row_text(&layout.rows()[last]).contains('"'));
            let after = layout.rows_of(NodeId(2)).unwrap().1;
            assert!(!layout.rows()[after].in_string());
        }
    }

    #[test]
    fn folding_leaves_the_first_row_of_a_container() {
        let tree = tree(r#"{"a": {"b": {"c": 1}}, "d": {"e": 2}}"#);
        let pretty = JsonText::pretty(&tree);
        let node = |pointer: &str| tree.resolve(&JsonPointer::from_text(pointer)).unwrap().id();
        let visible = |folded: &[NodeId]| {
            let folded = folded.iter().copied().collect();
            pretty.visible_rows(&folded).iter().map(|&row| row + 1).collect::<Vec<_>>()
        };
        assert_eq!(visible(&[]), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(visible(&[node("/a")]), [1, 2, 7, 8, 9, 10]);
        assert_eq!(visible(&[node("/a"), node("/a/b"), node("/d")]), [1, 2, 7, 10]);
        assert_eq!(visible(&[NodeId(0)]), [1]);
    }
}
