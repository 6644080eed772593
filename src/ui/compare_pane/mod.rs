//! Compare: what changed between two cards, by meaning and in their texts.

mod change_ui;
mod changes_column;
mod filter;
mod painting;
mod picker;
mod ruler;
mod screen_rows;
mod search;
mod side_words;
mod sides_ui;
mod standing_ui;
mod text_input;
mod text_toolbar;
mod text_view;

use std::sync::Arc;

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

use self::changes_column::ChangesColumn;
use self::picker::Picker;
use self::sides_ui::sides_ui;
use self::standing_ui::standing_ui;
use self::text_view::TextView;
use super::dialogs::Dialog;
use super::theme::{GRID, MARGIN};
use super::widgets::buttons::quiet_button;
use crate::state::{Action, AgentEntry, Compared, State};

/// Narrower panes show the meaning or the text, not both.
const BOTH_FROM: f32 = 760.0;
/// Neither column gets narrower than this.
const LEAST_COLUMN: f32 = 320.0;
/// How wide the column of changes begins, of the pane's width and at most.
const CHANGES_SHARE: f32 = 0.36;
const CHANGES_MOST: f32 = 440.0;

/// The Compare view.
#[derive(Debug, Default)]
pub struct ComparePane {
    picker: Picker,
    changes: ChangesColumn,
    text: TextView,
    /// In a narrow pane: the texts instead of the meaning.
    shows_text: bool,
}

impl ComparePane {
    /// Puts the keyboard into the search field in the next frame.
    pub fn focus_search(&mut self) {
        self.shows_text = true;
        self.text.focus_search();
    }

    /// Goes to the next or the previous run of changed lines.
    pub fn go_to_change(&mut self, forward: bool) {
        self.text.go_to_change(forward);
    }

    /// Draws the comparison of the current entry's pair.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        let Some(compared) = state.comparison.ready().map(Arc::clone) else {
            let frame = Frame::new().inner_margin(Margin::symmetric(MARGIN as i8, 14));
            frame.show(ui, |ui| {
                ui.set_max_width(560.0);
                sides_ui(ui, state, entry, &mut self.picker, actions, dialog);
                standing_ui(ui, state, actions);
            });
            return;
        };
        let width = ui.available_width();
        if width < BOTH_FROM {
            return self.narrow_ui(ui, state, entry, &compared, actions, dialog);
        }
        let panel = Panel::left("compare changes")
            .resizable(true)
            .default_size((width * CHANGES_SHARE).clamp(LEAST_COLUMN, CHANGES_MOST))
            .size_range(LEAST_COLUMN..=width - LEAST_COLUMN)
            .frame(Frame::NONE);
        panel.show(ui, |ui| self.changes_ui(ui, state, entry, &compared, actions, dialog, false));
        CentralPanel::default().frame(text_frame()).show(ui, |ui| self.text.ui(ui, state, &compared, actions, |_| {}));
    }

    /// One of the two, with the way to the other.
    fn narrow_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        compared: &Arc<Compared>,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        if self.shows_text {
            let mut leaves = false;
            text_frame().show(ui, |ui| {
                self.text.ui(ui, state, compared, actions, |ui| leaves = quiet_button(ui, "Show changes").clicked());
            });
            self.shows_text = !leaves;
        } else {
            self.changes_ui(ui, state, entry, compared, actions, dialog, true);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of the frame is handed through")]
    fn changes_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        compared: &Arc<Compared>,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
        is_alone: bool,
    ) {
        let frame = Frame::new().inner_margin(Margin { left: MARGIN as i8, right: MARGIN as i8, top: 14, bottom: 0 });
        frame.show(ui, |ui| sides_ui(ui, state, entry, &mut self.picker, actions, dialog));
        let mut shows_text = false;
        self.changes.ui(ui, state, compared, actions, |ui| {
            shows_text = is_alone && quiet_button(ui, "Show text").clicked();
        });
        self.shows_text |= shows_text;
    }
}

fn text_frame() -> Frame {
    Frame::new().inner_margin(Margin { top: (3.0 * GRID) as i8, ..Margin::ZERO })
}
