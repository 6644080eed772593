//! The two sides: which version each is, by buttons that open the picker, and their exchange.

use egui::{Align, Button, Layout, Popup, PopupCloseBehavior, Ui, vec2};

use super::picker::Picker;
use super::side_words::{full, short};
use crate::card::facts::Tone;
use crate::state::comparison::SideStanding;
use crate::state::{Action, Age, AgentEntry, ComparisonAction, State};
use crate::ui::dialogs::Dialog;
use crate::ui::theme::GRID;
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::text;

/// Height of the row of buttons.
const HEIGHT: f32 = 30.0;
/// Room for "to" and "Swap" with what stands between.
const BESIDE_PICKERS: f32 = 108.0;

const PICKER_WIDTH: f32 = 520.0;

/// Draws the pickers in one row.
pub fn sides_ui(
    ui: &mut Ui,
    state: &State,
    entry: &AgentEntry,
    picker: &mut Picker,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    let width = ((ui.available_width() - BESIDE_PICKERS) / 2.0).clamp(80.0, 260.0);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), HEIGHT), Layout::left_to_right(Align::Center), |ui| {
        side_ui(ui, state, entry, Age::Older, width, picker, actions, dialog);
        ui.label(text::muted(ui, "to"));
        side_ui(ui, state, entry, Age::Newer, width, picker, actions, dialog);
        let pair = state.comparison.pair(entry.id);
        let can_swap = pair.older.is_some() || pair.newer.is_some();
        if ui.add_enabled(can_swap, Button::new("Swap")).on_hover_text("Compare the other way round").clicked() {
            actions.push(Action::Comparison(ComparisonAction::Swap));
        }
    });
    for (age, word) in [(Age::Older, "older"), (Age::Newer, "newer")] {
        if let SideStanding::Failed(problem) = state.side_standing(age) {
            ui.add_space(GRID);
            let words = format!("The {word} side: {problem}");
            ui.label(text::toned_note(ui, words, Tone::Bad));
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "all of the frame is handed through")]
fn side_ui(
    ui: &mut Ui,
    state: &State,
    entry: &AgentEntry,
    age: Age,
    width: f32,
    picker: &mut Picker,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    let chosen = state.comparison.pair(entry.id).side(age);
    let choice = chosen.and_then(|side| state.side_choice(side));
    let other = state.comparison.pair(entry.id).side(age.other()).and_then(|side| state.side_choice(side));
    let (name, title) = match age {
        Age::Older => ("Older version", "older"),
        Age::Newer => ("Newer version", "newer"),
    };
    let label = match (&choice, chosen) {
        (Some(choice), _) => {
            let own = entry.inspection.as_ref().map(|inspection| &*inspection.title);
            short(choice, other.as_ref(), own, width)
        }
        (None, Some(_)) if matches!(state.side_standing(age), SideStanding::Reading) => "Reading…".to_owned(),
        (None, Some(_)) => "no longer there".to_owned(),
        (None, None) => format!("Choose the {title}"),
    };
    let response = ui.scope(|ui| {
        ui.set_max_width(width);
        ui.spacing_mut().button_padding.x = 2.0 * GRID;
        ui.spacing_mut().item_spacing.x = GRID;
        ui.add(Button::new(shown_in_body(ui, &label)).truncate().right_text("⏷").min_size(vec2(0.0, HEIGHT)))
    });
    let response = response.inner.accessible_name(name);
    let hover = choice.as_ref().map_or_else(|| name.to_owned(), |choice| format!("{name}: {}", full(choice)));
    let response = response.on_hover_text(shown_in_body(ui, &hover));
    Popup::menu(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .width(PICKER_WIDTH)
        .show(|ui| picker.ui(ui, state, age, chosen, actions, dialog));
}
