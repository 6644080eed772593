//! Inspect: what a card says and means, beside its JSON.

mod access_ui;
mod capabilities_ui;
mod field_ui;
mod fields_column;
mod findings_ui;
mod group;
mod heading_ui;
mod interfaces_ui;
mod outline;
mod retrieval_ui;
mod row;
mod scene;
mod signatures_ui;
mod skills_ui;

use std::sync::Arc;

use egui::{Align, CentralPanel, Frame, Layout, Margin, Panel, Rect, Ui, UiBuilder, pos2, vec2};

use self::fields_column::FieldsColumn;
use super::theme::{GRID, MARGIN, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::json_view::{JsonSource, JsonView};
use crate::card::facts::Inspection;
use crate::state::{Action, AgentEntry, Settings, State};

/// Narrower panes show the fields or the JSON, not both.
const BOTH_FROM: f32 = 860.0;
/// Neither column gets narrower than this.
const LEAST_COLUMN: f32 = 340.0;
/// Room for "Show JSON" over the fields.
const SWITCH_WIDTH: f32 = 96.0;
/// From this width on it stands beside the first heading.
const SWITCH_BESIDE: f32 = 480.0;

/// The Inspect view.
#[derive(Debug, Default)]
pub struct InspectorPane {
    fields: FieldsColumn,
    json: JsonView,
    /// In a narrow pane: the JSON instead of the fields.
    shows_json: bool,
    /// The width of both columns, and which part of it the JSON had.
    json_share: Option<(f32, f32)>,
}

impl InspectorPane {
    /// Draws the current entry's document; nothing if there is none.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Some(entry) = state.discovery.current_entry() else { return };
        let Some(inspection) = &entry.inspection else { return };
        let width = ui.available_width();
        if width < BOTH_FROM {
            self.narrow_ui(ui, state, entry, inspection, actions);
        } else if state.settings.json_open {
            let panel = self.json_panel(width);
            let shown = panel.show(ui, |ui| self.json_ui(ui, state, inspection, actions, "Hide JSON"));
            let share = match self.json_share {
                Some((before, share)) if (width - before).abs() > 0.5 => share,
                _ => shown.response.rect.width() / width,
            };
            self.json_share = Some((width, share));
            CentralPanel::default()
                .frame(Frame::NONE)
                .show(ui, |ui| self.fields.ui(ui, state, entry, inspection, actions));
        } else {
            let corner = corner(ui);
            leave_room_ui(ui);
            self.fields.ui(ui, state, entry, inspection, actions);
            self.switch_ui(ui, corner, state, actions);
        }
    }

    /// Puts the keyboard into `Search JSON`, opening the JSON if it is closed.
    pub fn focus_search(&mut self, state: &State, actions: &mut Vec<Action>) {
        self.shows_json = true;
        self.json.focus_search();
        if !state.settings.json_open {
            actions.push(set_json_open(state, true));
        }
    }

    /// A window that grows or shrinks leaves the JSON its share of it, not its width.
    fn json_panel(&self, width: f32) -> Panel {
        let panel = Panel::right("inspector json").resizable(true).frame(json_frame());
        match self.json_share {
            Some((before, share)) if (width - before).abs() > 0.5 => {
                panel.exact_size((width * share).clamp(LEAST_COLUMN, width - LEAST_COLUMN))
            }
            _ => panel.default_size(width / 2.0).size_range(LEAST_COLUMN..=width - LEAST_COLUMN),
        }
    }

    fn narrow_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        inspection: &Arc<Inspection>,
        actions: &mut Vec<Action>,
    ) {
        if self.shows_json {
            json_frame().show(ui, |ui| self.json_ui(ui, state, inspection, actions, "Show fields"));
        } else {
            let corner = corner(ui);
            leave_room_ui(ui);
            self.fields.ui(ui, state, entry, inspection, actions);
            self.switch_ui(ui, corner, state, actions);
        }
    }

    fn json_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        inspection: &Inspection,
        actions: &mut Vec<Action>,
        switch: &str,
    ) {
        let source = JsonSource::of(inspection);
        let mut leaves = false;
        let output = self.json.ui_with(ui, &source, state.selection.as_ref(), |ui| {
            leaves = quiet_button(ui, switch).clicked();
        });
        if let Some(pointer) = output.selected {
            actions.push(Action::Select { pointer: Some(pointer) });
        }
        if let Some(what) = output.copied {
            actions.push(Action::Copied { what: what.to_owned() });
        }
        if leaves {
            self.leave_json(ui, state, actions);
        }
    }

    fn leave_json(&mut self, ui: &Ui, state: &State, actions: &mut Vec<Action>) {
        if self.shows_json && ui.available_width() < BOTH_FROM {
            self.shows_json = false;
        } else {
            actions.push(set_json_open(state, false));
        }
    }

    /// The way to the JSON where it is not on screen, at the upper right, over the fields.
    fn switch_ui(&mut self, ui: &mut Ui, corner: Rect, state: &State, actions: &mut Vec<Action>) {
        let is_narrow = ui.max_rect().width() < BOTH_FROM;
        ui.painter().rect_filled(corner, 0.0, palette(ui).background);
        let layout = Layout::right_to_left(Align::Center);
        let mut child = ui.new_child(UiBuilder::new().max_rect(corner).layout(layout));
        if quiet_button(&mut child, "Show JSON").clicked() {
            if is_narrow {
                self.shows_json = true;
            } else {
                actions.push(set_json_open(state, true));
            }
        }
    }
}

/// Keeps the first heading clear of the switch where both would not fit side by side.
fn leave_room_ui(ui: &mut Ui) {
    if ui.available_width() < SWITCH_BESIDE {
        ui.add_space(4.0 * GRID);
    }
}

/// Where the switch to the JSON stands.
fn corner(ui: &Ui) -> Rect {
    let room = ui.available_rect_before_wrap();
    Rect::from_min_size(pos2(room.right() - MARGIN - SWITCH_WIDTH, room.top()), vec2(SWITCH_WIDTH, 28.0))
}

fn json_frame() -> Frame {
    Frame::new().inner_margin(Margin { left: 0, right: 0, top: (3.0 * GRID) as i8, bottom: 0 })
}

fn set_json_open(state: &State, json_open: bool) -> Action {
    Action::ChangeSettings(Settings { json_open, ..state.settings.clone() })
}
