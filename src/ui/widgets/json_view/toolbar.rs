//! The line above a JSON text: search with its count, and the switch between the two layouts.

use std::time::Duration;

use egui::{Align, Button, Key, Layout as Direction, RichText, Stroke, TextEdit, Ui, vec2};

use super::{JsonSource, JsonView};
use crate::ui::theme::{self, GRID, MARGIN, palette};
use crate::ui::widgets::text;

/// How long a frame may search.
const SEARCH_BUDGET: Duration = Duration::from_millis(3);

impl JsonView {
    pub(super) fn toolbar_ui(&mut self, ui: &mut Ui, source: &JsonSource<'_>, end: impl FnOnce(&mut Ui)) {
        let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Direction::right_to_left(Align::Center), |ui| {
            // A quiet button has its margin within.
            ui.add_space(MARGIN - GRID);
            end(ui);
            if source.pretty.is_some() {
                self.switch_ui(ui, "as received", true);
                self.switch_ui(ui, "pretty", false);
            }
            if !self.query.is_empty() {
                self.steps_ui(ui, source);
            }
            self.search_field_ui(ui, source);
        });
        ui.add_space(GRID);
    }

    fn switch_ui(&mut self, ui: &mut Ui, label: &str, as_received: bool) {
        let palette = palette(ui);
        let on = self.as_received == as_received;
        let text = RichText::new(label).font(theme::small()).color(if on { palette.text } else { palette.muted });
        let stroke = Stroke::new(1.0, if on { palette.faint } else { palette.line });
        let button = Button::new(text).fill(palette.background).stroke(stroke).corner_radius(9);
        let button = ui.add(button.min_size(vec2(0.0, 24.0)).selected(on));
        if button.clicked() && !on {
            self.as_received = as_received;
            self.selection.reveal = self.selection.node.is_some();
            self.search.begin(&self.query);
        }
    }

    fn steps_ui(&mut self, ui: &mut Ui, source: &JsonSource<'_>) {
        let usual = std::mem::replace(&mut ui.spacing_mut().button_padding.x, 6.0);
        let next = ui
            .add_enabled(self.search.count() > 0, small_button("▸"))
            .on_hover_text("Next hit (Enter, F3)")
            .accessible_name("Next hit");
        let previous = ui
            .add_enabled(self.search.count() > 0, small_button("⏴"))
            .on_hover_text("Previous hit (Shift+Enter, Shift+F3)")
            .accessible_name("Previous hit");
        if next.clicked() {
            self.go_to_hit(source, true);
        }
        if previous.clicked() {
            self.go_to_hit(source, false);
        }
        let more = if self.search.is_finished() { "" } else { "+" };
        let words = match (self.search.current(), self.search.count()) {
            (_, 0) if self.search.is_finished() => "not found".to_owned(),
            (Some(current), count) => format!("{} of {count}{more}", current + 1),
            (None, count) => format!("{count}{more}"),
        };
        ui.label(RichText::new(words).font(theme::small()).color(palette(ui).muted));
        ui.spacing_mut().button_padding.x = usual;
    }

    fn search_field_ui(&mut self, ui: &mut Ui, source: &JsonSource<'_>) {
        let field = TextEdit::singleline(&mut self.query)
            // What stands beside it comes and goes with the first character; the keyboard has to stay here.
            .id_salt("search json")
            .hint_text(text::small("Search JSON"))
            .desired_width(ui.available_width() - MARGIN)
            .margin(vec2(2.0 * GRID, 2.0))
            .min_size(vec2(0.0, ui.spacing().interact_size.y))
            .align(egui::Align2::LEFT_CENTER)
            .font(theme::small());
        let response = ui.add(field).accessible_name("Search JSON");
        if std::mem::take(&mut self.focus_search) {
            response.request_focus();
        }
        if response.changed() {
            self.search.begin(&self.query);
        }
        let (enter, shift) = ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
        if response.lost_focus() && enter {
            self.go_to_hit(source, !shift);
            response.request_focus();
        }
    }

    /// Goes on searching, and keeps F3 working wherever the keyboard is.
    pub(super) fn advance_search(&mut self, ui: &Ui, source: &JsonSource<'_>) {
        let text = self.text(source).text();
        if !self.search.is_finished() {
            if self.search.advance(text, SEARCH_BUDGET) {
                self.go_to_hit(source, true);
            }
            ui.ctx().request_repaint();
        }
        let (f3, shift) = ui.input(|input| (input.key_pressed(Key::F3), input.modifiers.shift));
        if f3 && !self.query.is_empty() {
            self.go_to_hit(source, !shift);
        }
    }

    fn go_to_hit(&mut self, source: &JsonSource<'_>, forward: bool) {
        let text = self.text(source);
        let from = self.layout(source).first_byte_in_sight(text);
        if let Some(hit) = self.search.go(forward, from) {
            self.layout(source).to_reveal = Some(hit.start);
        }
    }
}

fn small_button(text: &str) -> Button<'_> {
    Button::new(RichText::new(text).font(theme::small())).frame_when_inactive(false)
}
