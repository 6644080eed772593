//! The column of changes by meaning: groups and their changes, of which only those near the view are drawn.

use std::cmp::Reverse;
use std::sync::Arc;

use egui::{Frame, Margin, Panel, Popup, Rect, ScrollArea, Ui, UiBuilder, pos2};

use super::change_ui::{ChangeUi, change_ui};
use super::filter::{Counts, Filter};
use crate::card::diff::Group;
use crate::card::diff::markdown::verdict;
use crate::card::facts::Shape;
use crate::card::facts::Tone;
use crate::state::comparison::{ExportFormat, Sameness};
use crate::state::{Action, Compared, ComparisonAction, State};
use crate::ui::theme::{GRID, MARGIN};
use crate::ui::widgets::chip::chip_ui;
use crate::ui::widgets::text;

/// How far above and below the view rows are drawn.
const MORE_DRAWN: f32 = 200.0;
/// Up to this many rows all are drawn, seen or not: a screen reader then has them all.
const ALL_DRAWN: usize = 80;
/// Height of a row that was never drawn.
const USUAL_HEIGHT: f32 = 62.0;
/// A scroll goes on for some frames, because rows on the way get their true heights only then.
const SCROLL_FRAMES: u8 = 3;
/// Below this height filters and rows scroll together.
const LEAST_HEIGHT: f32 = 260.0;

/// The column as the reader left it.
#[derive(Debug, Default)]
pub struct ChangesColumn {
    shown: Option<Arc<Compared>>,
    filter: Filter,
    /// The filter that the rows were made for.
    applied: Filter,
    counts: Counts,
    rows: Vec<Row>,
    heights: Vec<f32>,
    /// The selection seen last.
    selected: Option<usize>,
    scroll_to: Option<(usize, u8)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Heading(Group),
    /// Index into the changes.
    Change(usize),
}

impl ChangesColumn {
    /// Draws the column into all the room that `ui` has, with `end` at the far end of the filters.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        compared: &Arc<Compared>,
        actions: &mut Vec<Action>,
        end: impl FnOnce(&mut Ui),
    ) {
        self.adopt(compared);
        self.follow_selection(state.comparison.selected);
        // Where there is little height, everything scrolls; elsewhere the filters and what can be taken away stay.
        let is_low = ui.available_height() < LEAST_HEIGHT;
        let selected = state.comparison.selected;
        let area = ScrollArea::vertical().id_salt("changes").auto_shrink(false).animated(false);
        if is_low {
            area.show_viewport(ui, |ui, viewport| {
                let top = placed(ui, 0.0, |ui| self.head_ui(ui, compared, end));
                let bottom = self.rows_ui(ui, viewport, top, compared, selected, actions);
                let bottom = placed(ui, bottom, |ui| export_ui(ui, compared, actions));
                expand_to(ui, bottom);
            });
        } else {
            frame(8, 0).show(ui, |ui| self.head_ui(ui, compared, end));
            Panel::bottom("compare export")
                .show_separator_line(false)
                .frame(frame(8, 12))
                .show(ui, |ui| export_ui(ui, compared, actions));
            area.show_viewport(ui, |ui, viewport| {
                let bottom = self.rows_ui(ui, viewport, 0.0, compared, selected, actions);
                expand_to(ui, bottom);
            });
        }
    }

    fn adopt(&mut self, compared: &Arc<Compared>) {
        if self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, compared)) {
            return;
        }
        let filter = std::mem::take(&mut self.filter);
        let counts = Counts::of(&compared.diff);
        *self = Self { shown: Some(Arc::clone(compared)), filter, counts, ..Self::default() };
        self.rebuild(compared);
    }

    /// Groups in the order of the inspector, in each the gravest first.
    fn rebuild(&mut self, compared: &Compared) {
        let changes = &compared.diff.changes;
        let mut shown: Vec<usize> = (0..changes.len()).filter(|&at| self.filter.shows(&changes[at])).collect();
        shown.sort_by_key(|&at| (changes[at].group, Reverse(changes[at].level), at));
        self.rows.clear();
        let mut group = None;
        for at in shown {
            if group != Some(changes[at].group) {
                group = Some(changes[at].group);
                self.rows.push(Row::Heading(changes[at].group));
            }
            self.rows.push(Row::Change(at));
        }
        self.heights = vec![USUAL_HEIGHT; self.rows.len()];
        self.applied = self.filter.clone();
    }

    fn follow_selection(&mut self, selected: Option<usize>) {
        if self.selected == selected {
            return;
        }
        self.selected = selected;
        let row = selected.and_then(|change| self.rows.iter().position(|row| *row == Row::Change(change)));
        self.scroll_to = row.map(|row| (row, SCROLL_FRAMES));
    }

    fn head_ui(&mut self, ui: &mut Ui, compared: &Compared, end: impl FnOnce(&mut Ui)) {
        match compared.sameness {
            Sameness::Bytes => {
                ui.label(text::strong(ui, "The same bytes"));
                ui.label(text::muted(
                    ui,
                    "Both sides are the same document, byte for byte. There is nothing to compare.",
                ));
            }
            Sameness::Meaning => {
                ui.label(text::strong(ui, "The same meaning, written otherwise"));
                ui.label(text::muted(
                    ui,
                    "Only the order of members, white space or empty members differ. Nobody who reads the card notices.",
                ));
            }
            Sameness::Different if compared.diff.changes.is_empty() => {
                ui.label(text::strong(ui, verdict(&compared.diff)));
                ui.label(text::muted(ui, "What differs in the texts means nothing to a client."));
            }
            Sameness::Different => {}
        }
        migration_ui(ui, compared);
        self.filter.ui(ui, &self.counts, end);
        if self.filter != self.applied {
            self.rebuild(compared);
        }
    }

    /// Draws the rows from `top` on; where they end.
    fn rows_ui(
        &mut self,
        ui: &mut Ui,
        viewport: Rect,
        top: f32,
        compared: &Compared,
        selected: Option<usize>,
        actions: &mut Vec<Action>,
    ) -> f32 {
        let all = ui.max_rect();
        let (left, right) = (all.left() + MARGIN, all.right() - MARGIN);
        let scrolls_to = self.scroll_to.map(|(row, _)| row);
        let draws_all = self.rows.len() <= ALL_DRAWN;
        let (from, to) = (viewport.min.y - MORE_DRAWN, viewport.max.y + MORE_DRAWN);
        let mut y = top;
        for (index, row) in self.rows.iter().enumerate() {
            let is_near = y + self.heights[index] > from && y < to;
            if draws_all || is_near || scrolls_to == Some(index) {
                let max_rect = Rect::from_min_max(pos2(left, all.top() + y), pos2(right, f32::INFINITY));
                let builder = UiBuilder::new().id_salt(index).max_rect(max_rect);
                let draw = |ui: &mut Ui| match row {
                    Row::Heading(group) => heading_ui(ui, *group),
                    Row::Change(at) => {
                        let change = &compared.diff.changes[*at];
                        change_ui(
                            ui,
                            &ChangeUi { compared, change, index: *at, is_selected: selected == Some(*at) },
                            actions,
                        );
                    }
                };
                let drawn = ui.scope_builder(builder, draw).response.rect;
                self.heights[index] = drawn.height();
                if scrolls_to == Some(index) {
                    ui.scroll_to_rect(drawn, None);
                }
            }
            y += self.heights[index];
        }
        if self.rows.is_empty() && !self.filter.shows_all() && !compared.diff.changes.is_empty() {
            y = placed(ui, y + 3.0 * GRID, |ui| {
                ui.label(text::muted(ui, "No change passes the filters."));
                if ui.button("Show all changes").clicked() {
                    self.filter = Filter::default();
                    self.rebuild(compared);
                    ui.ctx().request_repaint();
                }
            });
        }
        self.scroll_to = self.scroll_to.and_then(|(row, frames)| Some((row, frames.checked_sub(1)?)));
        if self.scroll_to.is_some() {
            ui.ctx().request_repaint();
        }
        y
    }
}

fn frame(top: i8, bottom: i8) -> Frame {
    Frame::new().inner_margin(Margin { left: MARGIN as i8, right: MARGIN as i8, top, bottom })
}

/// Draws something at `top` of the scrolled content, within the margins; where it ends.
fn placed(ui: &mut Ui, top: f32, draw: impl FnOnce(&mut Ui)) -> f32 {
    let all = ui.max_rect();
    let rect = Rect::from_min_max(
        pos2(all.left() + MARGIN, all.top() + top + 2.0 * GRID),
        pos2(all.right() - MARGIN, f32::INFINITY),
    );
    let drawn = ui.scope_builder(UiBuilder::new().max_rect(rect), draw).response.rect;
    drawn.bottom() - all.top()
}

/// Makes the scrolled content reach `bottom`.
fn expand_to(ui: &mut Ui, bottom: f32) {
    let all = ui.max_rect();
    ui.expand_to_include_rect(Rect::from_min_max(all.min, pos2(all.right(), all.top() + bottom + MARGIN)));
}

fn heading_ui(ui: &mut Ui, group: Group) {
    ui.add_space(3.0 * GRID);
    ui.label(text::strong(ui, group.label()));
    ui.add_space(GRID / 2.0);
}

/// Two releases of the specification were brought to the same terms.
fn migration_ui(ui: &mut Ui, compared: &Compared) {
    let (older, newer) = (compared.older.shape, compared.newer.shape);
    if older == newer || older == Shape::NotACard || newer == Shape::NotACard {
        return;
    }
    let words = |shape: Shape| if shape == Shape::Hybrid { "1.0 and 0.3" } else { shape.label() };
    let chip = chip_ui(ui, &format!("Migration: A2A {} to {}", words(older), words(newer)), Tone::Plain);
    chip.on_hover_text(
        "Both cards were brought to the same terms before they were compared. What has no counterpart in the other \
         release is listed as a notice.",
    );
    ui.add_space(GRID);
}

/// What can be taken away from a comparison.
fn export_ui(ui: &mut Ui, compared: &Compared, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        if ui.button("Copy as Markdown").on_hover_text("Fit for a pull request").clicked() {
            ui.copy_text(compared.markdown());
            actions.push(Action::Copied { what: "The comparison as Markdown".to_owned() });
        }
        let button = ui.button("Export…").accessible_name("Export comparison");
        Popup::menu(&button).show(|ui| {
            let ways = [
                (ExportFormat::Markdown, "Markdown…", true),
                (ExportFormat::Json, "JSON…", true),
                (ExportFormat::JsonPatch, "JSON Patch…", compared.has_patch()),
            ];
            for (format, label, enabled) in ways {
                let response = ui.add_enabled(enabled, egui::Button::new(label));
                let response =
                    response.on_disabled_hover_text("A patch is between two JSON documents; one of these is not JSON.");
                if response.clicked() {
                    actions.push(Action::Comparison(ComparisonAction::Export { format }));
                }
            }
        });
    });
}
