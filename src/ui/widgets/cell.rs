//! One cell of aligned rows: text at the near edge of a column of fixed width.

use egui::{Align, Label, Layout, RichText, Ui, Vec2, vec2};

/// Height of a row of text.
pub const ROW_HEIGHT: f32 = 21.0;

/// Draws `words`, cut at the column's `width`.
pub fn cell_ui(ui: &mut Ui, width: f32, words: impl Into<RichText>) {
    tall_cell_ui(ui, vec2(width, ROW_HEIGHT), words);
}

/// The same in a row as high as the fields in it.
pub fn tall_cell_ui(ui: &mut Ui, size: Vec2, words: impl Into<RichText>) {
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.add(Label::new(words.into()).truncate());
    });
}
