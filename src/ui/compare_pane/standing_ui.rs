//! The Compare view while there is nothing to show: what is missing, what is under way, and what to do next.

use egui::Ui;

use crate::state::comparison::{ComparisonResult, SideStanding};
use crate::state::{Action, Age, ComparisonAction, SideRef, State};
use crate::ui::theme::GRID;
use crate::ui::widgets::buttons::primary_button;
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::text;

/// Says how the comparison stands, with buttons that lead on.
pub fn standing_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.add_space(6.0 * GRID);
    let sides = [Age::Older, Age::Newer].map(|age| state.side_standing(age));
    let is_failed = sides.iter().any(|side| matches!(side, SideStanding::Failed(_)));
    match &state.comparison.result {
        _ if state.comparison.is_waiting() => waiting_ui(ui, actions),
        ComparisonResult::Cancelled => again_ui(ui, "The comparison was cancelled.", "Compare again", actions),
        ComparisonResult::Failed(problem) => {
            let words = format!("The comparison broke: {}", shown_in_body(ui, problem));
            again_ui(ui, &words, "Compare again", actions);
        }
        _ if is_failed => {
            again_ui(ui, "A side could not be read. Choose another one above, or try again.", "Try again", actions);
        }
        _ => missing_ui(ui, actions),
    }
}

fn waiting_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(text::plain(ui, "Comparing…"));
        if ui.button("Cancel").accessible_name("Cancel comparison").clicked() {
            actions.push(Action::Comparison(ComparisonAction::Cancel));
        }
    });
}

fn again_ui(ui: &mut Ui, words: &str, label: &str, actions: &mut Vec<Action>) {
    ui.label(text::plain(ui, words));
    ui.add_space(2.0 * GRID);
    if ui.button(label).clicked() {
        actions.push(Action::Comparison(ComparisonAction::Again));
    }
}

fn missing_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.label(text::strong(ui, "Compare two cards"));
    ui.add_space(GRID);
    ui.label(text::muted(
        ui,
        "Choose the older and the newer side above: another agent of the list, what an address showed before, a file, or \
         a pasted card. Once this card changes and is fetched again, it is compared with the one before by itself.",
    ));
    ui.add_space(3.0 * GRID);
    ui.horizontal_wrapped(|ui| {
        if primary_button(ui, "Choose a file…", true).accessible_name("Choose the older file…").clicked() {
            actions.push(Action::Comparison(ComparisonAction::PickFile { age: Age::Older }));
        }
        if ui.button("See the demo agent's two revisions").clicked() {
            let (older, newer) = (SideRef::Demo { revision: 1 }, SideRef::Demo { revision: 2 });
            actions.push(Action::Compare { older, newer });
        }
    });
}
