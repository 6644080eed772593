//! The heading of a section: a title, what it answers, and a count at the far end.

use egui::{Align, Layout, Ui};

use super::text;
use crate::ui::theme::GRID;

const HEIGHT: f32 = 22.0;

/// Draws `title` with `aside` muted behind it; room above sets the section apart from what precedes it.
pub fn heading_ui(ui: &mut Ui, title: &str, aside: &str) {
    heading_with_ui(ui, title, aside, |_| {});
}

/// The same with something at the far end, drawn from the outer edge inwards.
pub fn heading_with_ui(ui: &mut Ui, title: &str, aside: &str, far_end: impl FnOnce(&mut Ui)) {
    ui.add_space(3.0 * GRID);
    let room = egui::vec2(ui.available_width(), HEIGHT);
    ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().interact_size.y = HEIGHT;
        ui.label(text::strong(ui, title));
        if !aside.is_empty() {
            ui.label(text::faint(ui, aside));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), far_end);
    });
}
