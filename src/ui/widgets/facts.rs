//! Names and values in two aligned columns; the values can be selected, and long ones wrap.

use egui::{Align, Label, Layout, Ui, vec2};

use super::cell::{ROW_HEIGHT, cell_ui};
use super::text;
use crate::ui::theme::{GRID, LINE, NAME_WIDTH};

/// Draws one row a fact.
pub fn facts_ui(ui: &mut Ui, facts: &[(&'static str, String)]) {
    for (name, value) in facts {
        ui.horizontal_top(|ui| {
            cell_ui(ui, NAME_WIDTH - 2.0 * GRID, text::muted(ui, *name));
            let room = vec2(ui.available_width(), ROW_HEIGHT);
            ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
                ui.add_space(1.0);
                let value = text::mono(ui, value).line_height(Some(LINE));
                ui.add(Label::new(value).wrap());
            });
        });
    }
    if !facts.is_empty() {
        ui.add_space(2.0 * GRID);
    }
}
