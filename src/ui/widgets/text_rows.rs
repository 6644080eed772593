//! Foreign text of any size as numbered monospace rows; only the visible ones are laid out.

use egui::{Label, ScrollArea, Ui};

use super::text;
use crate::card::JsonText;
use crate::card::visible_text::visible_text;
use crate::ui::theme::{self, MONO_ROW, palette};

/// Draws `rows` in an area of at most `height`.
pub fn text_rows_ui(ui: &mut Ui, id: &str, rows: &JsonText, height: f32) {
    let digits = rows.rows().len().to_string().len();
    let frame = egui::Frame::new().fill(palette(ui).panel).inner_margin(8).corner_radius(5);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::both().id_salt(id).max_height(height).auto_shrink([false, true]);
        area.show_rows(ui, MONO_ROW, rows.rows().len(), |ui, range| {
            for (number, row) in rows.rows().iter().enumerate().take(range.end).skip(range.start) {
                ui.horizontal(|ui| {
                    ui.set_min_height(MONO_ROW);
                    let count = egui::RichText::new(format!("{:>digits$}", number + 1)).font(theme::mono());
                    ui.add(Label::new(count.color(palette(ui).faint)).selectable(false).extend());
                    ui.add(Label::new(text::mono(ui, visible_text(rows.row_text(row)))).extend());
                });
            }
        });
    });
}
