//! A body or a part of any size as JSON with its colours, or as plain rows where it is none.

use bytes::Bytes;
use egui::{Ui, vec2};

use super::json_view::{JsonContent, JsonView};
use crate::state::Action;
use crate::ui::theme::MONO_ROW;

/// The bytes laid out once, and what the view remembers of them.
pub struct BodyView {
    content: JsonContent,
    view: JsonView,
}

impl BodyView {
    /// Reads and lays out `bytes`; do it once, not each frame.
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self { content: JsonContent::new(bytes), view: JsonView::without_toolbar() }
    }

    /// Draws the body as high as it is, up to `most_height`.
    pub fn ui(&mut self, ui: &mut Ui, most_height: f32, actions: &mut Vec<Action>) {
        let height = (self.content.line_count() as f32 * MONO_ROW + 12.0).min(most_height);
        ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
            ui.set_min_height(height);
            ui.set_max_height(height);
            self.view.standalone_ui(ui, &self.content, actions);
        });
    }
}
