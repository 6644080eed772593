//! Two documents compared: what their difference means and how their texts differ, computed once and shared.

use std::ops::Range;
use std::sync::Arc;

use super::Age;
use crate::card::diff::text::{Line, LineKind, Stretch, TextDiff};
use crate::card::diff::{CardDiff, Change, means_the_same};
use crate::card::facts::Inspection;
use crate::card::json::{JsonTree, Node};
use crate::card::{JsonPointer, JsonText};

/// How many unchanged lines are shown around each change.
const CONTEXT: usize = 3;

/// How far two documents agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// The same bytes.
    Bytes,
    /// Other bytes that say the same: order of members, white space, absent against empty.
    Meaning,
    Different,
}

/// The comparison of two documents, in both ways of reading it.
#[derive(Debug)]
pub struct Compared {
    pub older: Arc<Inspection>,
    pub newer: Arc<Inspection>,
    pub sameness: Sameness,
    pub diff: CardDiff,
    pub text: TextDiff,
    /// Which lines of `text` are shown, and which folded until they are asked for.
    pub stretches: Vec<Stretch>,
    /// Runs of changed lines.
    pub hunks: Vec<Range<usize>>,
    /// Indices into the moves of `text`, in the order of the newer text.
    moves_by_newer: Vec<usize>,
}

impl Compared {
    /// Compares by meaning and as text. Takes as long as the documents are large: not for the UI thread.
    #[must_use]
    pub fn of(older: Arc<Inspection>, newer: Arc<Inspection>) -> Self {
        let sameness = if older.document.bytes() == newer.document.bytes() {
            Sameness::Bytes
        } else if means_the_same(&older, &newer) {
            Sameness::Meaning
        } else {
            Sameness::Different
        };
        let diff = CardDiff::of(&older, &newer);
        let text = TextDiff::of(&older, &newer);
        let (stretches, hunks) = (text.stretches(CONTEXT), text.hunks());
        let mut moves_by_newer: Vec<usize> = (0..text.moves.len()).collect();
        moves_by_newer.sort_by_key(|&at| text.moves[at].newer.start);
        Self { older, newer, sameness, diff, text, stretches, hunks, moves_by_newer }
    }

    #[must_use]
    pub fn side(&self, age: Age) -> &Arc<Inspection> {
        match age {
            Age::Older => &self.older,
            Age::Newer => &self.newer,
        }
    }

    /// The text of a side as [`Self::text`] compares it.
    #[must_use]
    pub fn text_of(&self, age: Age) -> &JsonText {
        let (older, newer) = TextDiff::texts(&self.older, &self.newer);
        match age {
            Age::Older => older,
            Age::Newer => newer,
        }
    }

    /// The tree of a side, where its text is JSON.
    #[must_use]
    pub fn tree_of(&self, age: Age) -> Option<&JsonTree> {
        self.side(age).document.tree()
    }

    /// The member that `change` concerns on a side.
    #[must_use]
    pub fn pointer_of<'a>(&self, change: &'a Change, age: Age) -> Option<&'a JsonPointer> {
        match age {
            Age::Older => change.older_pointer.as_ref(),
            Age::Newer => change.newer_pointer.as_ref(),
        }
    }

    /// The rows of a side that show `pointer`, or the nearest member around it that is there.
    #[must_use]
    pub fn rows_of(&self, age: Age, pointer: &JsonPointer) -> Option<Range<u32>> {
        let node = nearest(self.tree_of(age)?, pointer)?;
        let (first, last) = self.text_of(age).rows_of(node.id())?;
        Some(u32::try_from(first).ok()?..u32::try_from(last + 1).ok()?)
    }

    /// The line of the comparison that shows a row of a side.
    #[must_use]
    pub fn line_of(&self, age: Age, row: u32) -> Option<usize> {
        self.text.lines.iter().position(|line| age.row_of(line) == Some(row))
    }

    /// The change that says most exactly what happened to the member at `pointer` of a side.
    #[must_use]
    pub fn change_at(&self, age: Age, pointer: &JsonPointer) -> Option<usize> {
        let concerns = |at: &JsonPointer| !at.is_root() && (at.contains(pointer) || pointer.contains(at));
        let changes = self.diff.changes.iter().enumerate();
        let fitting = changes.filter_map(|(index, change)| {
            let at = self.pointer_of(change, age).filter(|at| concerns(at))?;
            // What stands around the place counts by how near it is; what lies within it, less.
            Some((index, at.contains(pointer), at.as_str().len()))
        });
        fitting.max_by_key(|(index, around, length)| (*around, *length, std::cmp::Reverse(*index))).map(|found| found.0)
    }

    /// If a row of a side belongs to a block that stands in another place on the other side: how far into the block
    /// the row is, and the row there that is the same.
    #[must_use]
    pub fn moved_to(&self, age: Age, row: u32) -> Option<(u32, u32)> {
        let moves = &self.text.moves;
        let (here, there) = match age {
            Age::Older => {
                let at = moves.partition_point(|moved| moved.older.start <= row).checked_sub(1)?;
                (&moves[at].older, &moves[at].newer)
            }
            Age::Newer => {
                let at = self.moves_by_newer.partition_point(|&at| moves[at].newer.start <= row).checked_sub(1)?;
                let moved = &moves[self.moves_by_newer[at]];
                (&moved.newer, &moved.older)
            }
        };
        here.contains(&row).then(|| (row - here.start, there.start + (row - here.start)))
    }
}

impl Age {
    /// The row of this side on a line.
    #[must_use]
    pub fn row_of(self, line: &Line) -> Option<u32> {
        match self {
            Self::Older => line.older,
            Self::Newer => line.newer,
        }
    }

    /// Whether a line of this kind is a change on this side.
    #[must_use]
    pub fn is_changed(self, kind: LineKind) -> bool {
        match self {
            Self::Older => matches!(kind, LineKind::Changed | LineKind::Removed),
            Self::Newer => matches!(kind, LineKind::Changed | LineKind::Added),
        }
    }
}

fn nearest<'a>(tree: &'a JsonTree, pointer: &JsonPointer) -> Option<Node<'a>> {
    let mut around = Some(pointer.clone());
    while let Some(pointer) = around {
        if let Some(node) = tree.resolve(&pointer) {
            return Some(node);
        }
        around = pointer.parent();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Document;
    use crate::card::facts::Origin;

    fn compared(older: &str, newer: &str) -> Compared {
        let inspection =
            |text: &str| Arc::new(Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default()));
        Compared::of(inspection(older), inspection(newer))
    }

    #[test]
    fn sameness_is_told_in_three_words() {
        let card = r#"{"name": "A", "skills": [], "supportedInterfaces": []}"#;
        assert_eq!(compared(card, card).sameness, Sameness::Bytes);
        let other = compared(card, r#"{"supportedInterfaces": [], "name": "A"}"#);
        assert_eq!((other.sameness, other.diff.changes.len()), (Sameness::Meaning, 0));
        assert_eq!(compared(card, r#"{"name": "B", "supportedInterfaces": []}"#).sameness, Sameness::Different);
    }

    #[test]
    fn a_moved_block_knows_where_it_went() {
        let skill =
            |id: &str| format!(r#"{{"id": "{id}", "name": "Skill {id}", "description": "Does {id}", "tags": []}}"#);
        let card = |ids: [&str; 3]| {
            let skills = ids.map(skill).join(",");
            format!(r#"{{"name": "A", "supportedInterfaces": [], "skills": [{skills}]}}"#)
        };
        let compared = compared(&card(["a", "b", "c"]), &card(["b", "c", "a"]));
        let moved = &compared.text.moves[0];
        let (row, there) = (moved.older.start + 1, moved.newer.start + 1);
        assert_eq!(compared.moved_to(Age::Older, row), Some((1, there)));
        assert_eq!(compared.moved_to(Age::Newer, there), Some((1, row)));
        assert_eq!(compared.moved_to(Age::Newer, 0), None);
    }

    #[test]
    fn a_pointer_leads_to_its_rows_and_from_a_row_to_its_change() {
        let older = r#"{"name": "A", "supportedInterfaces": [], "skills": [{"id": "x", "name": "X"}]}"#;
        let newer = r#"{"name": "B", "supportedInterfaces": [], "skills": [{"id": "x", "name": "Y"}]}"#;
        let compared = compared(older, newer);
        let at = |text: &str| JsonPointer::from_text(text);
        assert_eq!(compared.rows_of(Age::Newer, &at("/skills/0/name")), Some(6..7));
        assert_eq!(compared.rows_of(Age::Newer, &at("/skills/0/gone/deeper")), Some(4..8), "the skill around it");
        let found = compared.change_at(Age::Newer, &at("/skills/0/name")).unwrap();
        assert_eq!(compared.diff.changes[found].newer_pointer, Some(at("/skills/0/name")));
        assert_eq!(compared.change_at(Age::Newer, &at("/supportedInterfaces")), None);
        assert_eq!(compared.line_of(Age::Newer, 1), Some(1));
    }
}
