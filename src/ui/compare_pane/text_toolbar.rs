//! The line above the texts: search in both, from change to change, folds, and how the texts stand.

use std::time::Duration;

use egui::{Align, Button, Key, Layout, RichText, TextEdit, Ui, vec2};

use super::screen_rows::Arrangement;
use super::text_view::TextView;
use crate::state::Compared;
use crate::ui::quantities;
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::buttons::quiet_button;

/// How long a frame may search.
const SEARCH_BUDGET: Duration = Duration::from_millis(3);
/// Below this width what can be done by keys or in the menu is left out.
const NARROW: f32 = 520.0;

impl TextView {
    pub(super) fn toolbar_ui(&mut self, ui: &mut Ui, compared: &Compared, end: impl FnOnce(&mut Ui)) {
        let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
        let is_narrow = size.x < NARROW;
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = GRID;
            ui.add_space(2.0 * GRID);
            end(ui);
            self.arrangement_ui(ui, is_narrow);
            if !compared.hunks.is_empty() {
                let label = if self.shows_all { "Fold" } else { "Unfold" };
                let hover = if self.shows_all { "Fold what did not change" } else { "Show what did not change" };
                if quiet_button(ui, label).on_hover_text(hover).accessible_name(hover).clicked() {
                    self.shows_all = !self.shows_all;
                    self.unfolded.clear();
                    self.forget_layout();
                }
                self.steps_ui(ui, is_narrow);
            }
            if !self.query.is_empty() {
                self.hits_ui(ui);
            }
            self.search_field_ui(ui);
        });
        ui.add_space(GRID);
    }

    fn arrangement_ui(&mut self, ui: &mut Ui, is_narrow: bool) {
        let other = match self.arrangement {
            Arrangement::SideBySide => Arrangement::Inline,
            Arrangement::Inline => Arrangement::SideBySide,
        };
        let words = |arrangement| match arrangement {
            Arrangement::SideBySide => "Side by side",
            Arrangement::Inline => "Inline",
        };
        if is_narrow {
            if quiet_button(ui, words(other)).clicked() {
                self.chosen_arrangement = Some(other);
            }
            return;
        }
        for arrangement in [Arrangement::Inline, Arrangement::SideBySide] {
            let palette = palette(ui);
            let is_on = self.arrangement == arrangement;
            let text = RichText::new(words(arrangement)).font(theme::small());
            let text = text.color(if is_on { palette.text } else { palette.muted });
            let stroke = egui::Stroke::new(1.0, if is_on { palette.faint } else { palette.line });
            let button = Button::new(text).fill(palette.background).stroke(stroke).corner_radius(9).selected(is_on);
            if ui.add(button.min_size(vec2(0.0, 24.0))).clicked() {
                self.chosen_arrangement = Some(arrangement);
            }
        }
    }

    fn steps_ui(&mut self, ui: &mut Ui, is_narrow: bool) {
        let next = small_button(ui, "▼").on_hover_text("Next change (F7)").accessible_name("Next change");
        let previous =
            small_button(ui, "▲").on_hover_text("Previous change (Shift+F7)").accessible_name("Previous change");
        if next.clicked() {
            self.go_to_change(true);
        }
        if previous.clicked() {
            self.go_to_change(false);
        }
        let count = self.rows.hunks.len();
        let words = match self.current_hunk {
            Some(at) if is_narrow => format!("{} of {count}", at + 1),
            Some(at) => format!("change {} of {count}", at + 1),
            None if is_narrow => count.to_string(),
            None => quantities::count(count, "change"),
        };
        ui.label(RichText::new(words).font(theme::small()).color(palette(ui).muted));
    }

    fn hits_ui(&mut self, ui: &mut Ui) {
        let has_hits = self.search.count() > 0;
        ui.add_enabled_ui(has_hits, |ui| {
            let next = small_button(ui, "▸").on_hover_text("Next hit (Enter, F3)").accessible_name("Next hit");
            let previous = small_button(ui, "⏴")
                .on_hover_text("Previous hit (Shift+Enter, Shift+F3)")
                .accessible_name("Previous hit");
            if next.clicked() {
                self.go_to_hit(true);
            }
            if previous.clicked() {
                self.go_to_hit(false);
            }
        });
        let words = match (self.search.current(), self.search.count()) {
            (_, 0) if self.search.is_finished() => "not found".to_owned(),
            (Some(current), count) => format!("{} of {count}", current + 1),
            (None, count) => count.to_string(),
        };
        ui.label(RichText::new(words).font(theme::small()).color(palette(ui).muted));
    }

    fn search_field_ui(&mut self, ui: &mut Ui) {
        let field = TextEdit::singleline(&mut self.query)
            .hint_text("Search both")
            .desired_width((ui.available_width() - 4.0 * GRID).max(40.0))
            .margin(vec2(2.0 * GRID, 2.0))
            .min_size(vec2(0.0, ui.spacing().interact_size.y))
            .align(egui::Align2::LEFT_CENTER)
            .font(theme::small());
        let response = ui.add(field).accessible_name("Search both");
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        if response.changed() {
            self.search.begin(&self.query);
        }
        let (enter, shift) = ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
        if response.lost_focus() && enter {
            self.go_to_hit(!shift);
            response.request_focus();
        }
    }

    /// Goes on searching, and keeps F3 working wherever the keyboard is.
    pub(super) fn advance_search(&mut self, ui: &Ui, compared: &Compared) {
        if !self.search.is_finished() {
            if self.search.advance(compared, SEARCH_BUDGET) {
                self.go_to_hit(true);
            }
            ui.ctx().request_repaint();
        }
        let (f3, shift) = ui.input(|input| (input.key_pressed(Key::F3), input.modifiers.shift));
        if f3 && !self.query.is_empty() {
            self.go_to_hit(!shift);
        }
    }

    fn go_to_hit(&mut self, forward: bool) {
        let from = self.first_line_in_sight();
        if let Some(hit) = self.search.go(forward, from) {
            self.to_reveal = Some((hit.line as usize, hit.age()));
        }
    }
}

fn small_button(ui: &mut Ui, text: &str) -> egui::Response {
    ui.add(Button::new(RichText::new(text).font(theme::small())).frame_when_inactive(false))
}
