//! The ruler along the scroll bar: where in the whole comparison something changed.

use std::ops::Range;

use egui::{Color32, Painter, Rect, pos2};

use super::screen_rows::ScreenRows;
use crate::card::diff::text::LineKind;
use crate::state::Compared;
use crate::ui::theme::Palette;
use crate::ui::widgets::json_view::scroll::BAR_WIDTH;

/// Marks are no lower than this, so that a single line is seen.
const LEAST_MARK: f32 = 3.0;

/// The marks for one layout and one height.
#[derive(Debug, Default)]
pub struct Ruler {
    marks: Vec<Mark>,
    height: f32,
}

#[derive(Debug)]
struct Mark {
    /// Pixels from the upper end.
    y: Range<f32>,
    removes: bool,
    adds: bool,
}

impl Ruler {
    /// Forgets the marks: the rows are others now.
    pub fn reset(&mut self) {
        self.height = 0.0;
    }

    /// Makes the marks anew if the height is another; marks that fall together become one.
    pub fn fit(&mut self, compared: &Compared, rows: &ScreenRows, height: f32) {
        if (self.height - height).abs() < 0.5 {
            return;
        }
        self.height = height;
        self.marks.clear();
        let scale = height / rows.rows.len().max(1) as f32;
        for hunk in &rows.hunks {
            let top = hunk.start as f32 * scale;
            let y = top..(hunk.end as f32 * scale).max(top + LEAST_MARK);
            let mut kinds = rows.rows[hunk.start as usize..hunk.end as usize]
                .iter()
                .map(|row| compared.text.lines[row.line as usize].kind);
            let (mut removes, mut adds) = (false, false);
            while let Some(kind) = kinds.next().filter(|_| !(removes && adds)) {
                removes |= matches!(kind, LineKind::Removed | LineKind::Changed);
                adds |= matches!(kind, LineKind::Added | LineKind::Changed);
            }
            match self.marks.last_mut() {
                Some(last) if y.start < last.y.end + 1.0 => {
                    last.y.end = last.y.end.max(y.end);
                    last.removes |= removes;
                    last.adds |= adds;
                }
                _ => self.marks.push(Mark { y, removes, adds }),
            }
        }
    }

    /// Paints the marks into the strip of the scroll bar at the right of `area`.
    pub fn paint(&self, painter: &Painter, area: Rect, palette: &Palette) {
        let right = area.right() - 1.0;
        for mark in &self.marks {
            let rect = |left: f32, width: f32| {
                Rect::from_min_max(pos2(left, area.top() + mark.y.start), pos2(left + width, area.top() + mark.y.end))
            };
            let half = (BAR_WIDTH - 2.0) / 2.0;
            let fill = |on: bool, left: f32, color: Color32| {
                if on {
                    painter.rect_filled(rect(left, half), 1.0, color.gamma_multiply(0.75));
                }
            };
            fill(mark.removes, right - 2.0 * half, palette.bad);
            fill(mark.adds, right - half, palette.good);
        }
    }
}
