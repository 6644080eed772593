//! Rows of the lists at the side: a section's heading, and two lines on a row that is hovered, focused or selected.

use egui::{Align, FontSelection, Layout, Rect, Response, Sense, TextWrapMode, Ui, WidgetText, pos2, vec2};

use super::text;
use crate::ui::theme::{GRID, palette};

/// Left edge of texts, past the mark of a row.
pub const TEXT_LEFT: f32 = 34.0;
pub const EDGE: f32 = 14.0;
const ROW_HEIGHT: f32 = 54.0;
/// Where the two lines of a row have their middles, below its top.
const LINES: [f32; 2] = [17.0, 38.0];

/// A section's title with its count at the far end.
pub fn section_ui(ui: &mut Ui, title: &str, count: &str) {
    ui.add_space(4.0 * GRID);
    ui.horizontal(|ui| {
        ui.add_space(EDGE + 2.0);
        ui.label(text::note(ui, title));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(EDGE + 2.0);
            ui.label(text::note(ui, count));
        });
    });
    ui.add_space(GRID);
}

/// What a row shows.
pub struct RowWords {
    pub name: WidgetText,
    /// At the far end of the first line.
    pub aside: WidgetText,
    pub below: WidgetText,
}

/// Draws a row over the whole width.
pub fn row_ui(ui: &mut Ui, current: bool, words: RowWords) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    if ui.is_rect_visible(rect) {
        if current {
            ui.painter().rect_filled(rect, 0.0, palette(ui).selection);
        } else if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 0.0, palette(ui).raised);
        }
        let end = line_ui(ui, rect, LINES[0], words.aside, Align::Max, rect.width() * 0.3);
        line_ui(ui, rect, LINES[0], words.name, Align::Min, rect.width() - TEXT_LEFT - end - 2.0 * EDGE);
        line_ui(ui, rect, LINES[1], words.below, Align::Min, rect.width() - TEXT_LEFT - EDGE);
    }
    response
}

/// Paints one line, cut at `width`, with its middle `middle` below the row's top; returns its width.
fn line_ui(ui: &Ui, rect: Rect, middle: f32, words: WidgetText, align: Align, width: f32) -> f32 {
    let galley = words.into_galley(ui, Some(TextWrapMode::Truncate), width.max(10.0), FontSelection::Default);
    let size = galley.size();
    let x = if align == Align::Max { rect.right() - EDGE - 2.0 - size.x } else { rect.left() + TEXT_LEFT };
    ui.painter().galley(pos2(x, rect.top() + middle - size.y / 2.0), galley, palette(ui).text);
    size.x
}
