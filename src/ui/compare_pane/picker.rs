//! The list from which a side is picked: documents in groups, a filter where they are many, and the ways to others.

use std::path::PathBuf;

use egui::{Align, Button, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::side_words::{full, places, since, what};
use crate::state::comparison::{Choice, ChoiceGroup};
use crate::state::{Action, Age, ComparisonAction, SideRef, State};
use crate::ui::dialogs::Dialog;
use crate::ui::theme::{self, GRID};
use crate::ui::widgets::buttons::entered;
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::text;

const ROW: f32 = 28.0;
/// From so many documents on they can be filtered.
const FILTER_FROM: usize = 10;
const MOST_HEIGHT: f32 = 320.0;

/// What was typed into the picker.
#[derive(Debug, Default)]
pub struct Picker {
    filter: String,
    path: String,
}

enum Row<'a> {
    Heading(&'static str),
    Choice(&'a Choice),
}

impl Picker {
    /// Draws the list for one side; picking closes it.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        age: Age,
        chosen: Option<SideRef>,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        let groups = state.side_choices();
        let count: usize = groups.iter().map(|group| group.choices.len()).sum();
        if count >= FILTER_FROM {
            let field =
                TextEdit::singleline(&mut self.filter).hint_text("Filter versions").desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Filter versions");
        }
        let rows = rows(&groups, &self.filter);
        let places = places(groups.iter().flat_map(|group| &group.choices));
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().max_height(MOST_HEIGHT).show_rows(ui, ROW, rows.len(), |ui, range| {
            for row in &rows[range] {
                match row {
                    Row::Heading(heading) => heading_ui(ui, heading),
                    Row::Choice(choice) => {
                        let place = places.get(&*choice.place).map_or("", String::as_str);
                        if choice_ui(ui, choice, place, chosen == Some(choice.side)) {
                            actions.push(Action::Comparison(ComparisonAction::Choose { age, side: choice.side }));
                            ui.close();
                        }
                    }
                }
            }
        });
        if rows.is_empty() {
            ui.label(text::faint(ui, "No version fits."));
        }
        ui.separator();
        self.other_ways_ui(ui, age, actions, dialog);
    }

    fn other_ways_ui(&mut self, ui: &mut Ui, age: Age, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
        ui.spacing_mut().item_spacing.y = GRID;
        ui.horizontal(|ui| {
            if ui.button("Open file…").accessible_name("Open file to compare…").clicked() {
                actions.push(Action::Comparison(ComparisonAction::PickFile { age }));
                ui.close();
            }
            if ui.button("Paste card…").accessible_name("Paste card to compare…").clicked() {
                *dialog = Some(Dialog::paste_side(age));
                ui.close();
            }
        });
        let field = TextEdit::singleline(&mut self.path)
            .hint_text(RichText::new("or the path of a card's file"))
            .margin(vec2(2.0 * GRID, 4.0))
            .desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Path of a card's file");
        if entered(ui, &response) && !self.path.trim().is_empty() {
            let path = PathBuf::from(std::mem::take(&mut self.path).trim());
            actions.push(Action::Comparison(ComparisonAction::OpenFile { age, path }));
            ui.close();
        }
    }
}

fn heading_ui(ui: &mut Ui, heading: &str) {
    let size = vec2(ui.available_width(), ROW);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.add_space(1.5 * GRID);
        ui.label(text::note(ui, heading));
    });
}

/// Draws a document to be picked: agent, version and place, when at the far end; true if it was picked.
fn choice_ui(ui: &mut Ui, choice: &Choice, place: &str, is_chosen: bool) -> bool {
    let since = RichText::new(since(choice)).font(theme::small());
    let button = Button::selectable(is_chosen, shown_in_body(ui, &what(choice, place))).truncate().shortcut_text(since);
    let response = ui.add_sized([ui.available_width(), ROW], button).accessible_name(full(choice));
    let response =
        if choice.place.is_empty() { response } else { response.on_hover_text(shown_in_body(ui, &choice.place)) };
    response.clicked()
}

/// The rows that fit `filter`, under the headings that still have any.
fn rows<'a>(groups: &'a [ChoiceGroup], filter: &str) -> Vec<Row<'a>> {
    let words: Vec<String> = filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let fits = |choice: &&Choice| {
        words.is_empty() || {
            let all = full(choice).to_lowercase();
            words.iter().all(|word| all.contains(word))
        }
    };
    let mut rows = Vec::new();
    for group in groups {
        let fitting: Vec<_> = group.choices.iter().filter(fits).map(Row::Choice).collect();
        if !fitting.is_empty() {
            rows.push(Row::Heading(group.heading));
            rows.extend(fitting);
        }
    }
    rows
}
