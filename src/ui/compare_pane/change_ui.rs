//! One change: its level, its sentence, the values before and after, and when it is selected where it stands.

use egui::accesskit::Role;
use egui::{Label, Rect, Response, RichText, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::filter::{level_color, meaning};
use crate::card::diff::{Change, Group};
use crate::card::facts::Tone;
use crate::state::{Action, Age, Compared, ComparisonAction, View};
use crate::ui::theme::{self, GRID, LINE, SMALL_LINE, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::chip::chip_ui;
use crate::ui::widgets::foreign_text::shown_text;
use crate::ui::widgets::text;

/// Width of the column of levels.
const LEVEL_WIDTH: f32 = 84.0;
/// Room within a row above and below its text.
const ABOVE: f32 = 5.0;
/// Longer values are cut on screen, in characters; copying takes all of it.
const SHORT_VALUE: usize = 60;
const LONG_VALUE: usize = 1200;

/// A change and what surrounds it.
pub struct ChangeUi<'a> {
    pub compared: &'a Compared,
    pub change: &'a Change,
    pub index: usize,
    pub is_selected: bool,
}

/// Draws the change; a click selects it.
pub fn change_ui(ui: &mut Ui, row: &ChangeUi<'_>, actions: &mut Vec<Action>) {
    let background = ui.painter().add(Shape::Noop);
    let builder = UiBuilder::new().sense(Sense::click()).id_salt(("change", row.index));
    let mut clicked = false;
    let response = ui
        .scope_builder(builder, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add_space(ABOVE);
            clicked = row.columns_ui(ui, actions);
            ui.add_space(ABOVE);
        })
        .response;
    let around = response.rect.expand2(vec2(2.5 * GRID, 0.0));
    if row.is_selected {
        ui.painter().set(background, Shape::rect_filled(around, 6.0, palette(ui).selection));
    }
    if response.has_focus() {
        ui.painter().rect_stroke(around, 6.0, Stroke::new(1.0, palette(ui).accent), StrokeKind::Inside);
    }
    let change = row.change;
    response.widget_info(|| {
        let name = format!("{}: {}", change.level.label(), change.message);
        WidgetInfo::selected(Role::ListBoxOption, true, row.is_selected, name)
    });
    if response.clicked() || clicked {
        let change = (!row.is_selected || clicked).then_some(row.index);
        actions.push(Action::Comparison(ComparisonAction::SelectChange { change }));
    }
    response.context_menu(|ui| {
        if ui.button("Copy change").clicked() {
            row.copy(ui, actions);
        }
    });
}

impl ChangeUi<'_> {
    /// The level beside the rest; true if a text was clicked.
    fn columns_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        let all = ui.available_rect_before_wrap();
        let level = self.change.level;
        let level_rect = Rect::from_min_size(all.min, vec2(LEVEL_WIDTH - GRID, LINE));
        let color = level_color(ui, level);
        let mut clicked = false;
        ui.scope_builder(UiBuilder::new().max_rect(level_rect), |ui| {
            let word = RichText::new(level.label()).font(theme::small()).line_height(Some(LINE)).color(color);
            clicked |= ui.add(Label::new(word)).on_hover_text(meaning(level)).clicked();
        });
        let rest = Rect::from_min_max(pos2(all.left() + LEVEL_WIDTH, all.top()), pos2(all.right(), f32::INFINITY));
        ui.scope_builder(UiBuilder::new().max_rect(rest), |ui| {
            ui.set_width(ui.available_width());
            clicked |= self.sentence_ui(ui).clicked();
            if self.is_selected {
                self.details_ui(ui, actions);
            } else {
                clicked |= self.short_values_ui(ui);
            }
        });
        clicked
    }

    fn sentence_ui(&self, ui: &mut Ui) -> Response {
        let words = shown_text(ui, &egui::FontId::proportional(14.0), &self.change.message).into_owned();
        let response = ui.add(Label::new(text::plain(ui, words)).wrap());
        if self.change.trust {
            ui.add_space(2.0);
            let (chip, why) = trust_words(self.change.group);
            chip_ui(ui, chip, Tone::Caution).on_hover_text(why);
            ui.add_space(2.0);
        }
        response
    }

    /// Both values on one line, cut.
    fn short_values_ui(&self, ui: &mut Ui) -> bool {
        let (older, newer) = (self.change.older.as_deref(), self.change.newer.as_deref());
        let words = match (older, newer) {
            (Some(older), Some(newer)) => format!("{} → {}", cut(older, SHORT_VALUE), cut(newer, SHORT_VALUE)),
            (Some(older), None) => format!("was {}", cut(older, 2 * SHORT_VALUE)),
            (None, Some(newer)) => format!("now {}", cut(newer, 2 * SHORT_VALUE)),
            (None, None) => return false,
        };
        let words = shown_text(ui, &theme::small(), &one_line(&words)).into_owned();
        ui.add(Label::new(text::note(ui, words)).truncate()).clicked()
    }

    fn details_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let change = self.change;
        for (word, value, age) in
            [("older", change.older.as_deref(), Age::Older), ("newer", change.newer.as_deref(), Age::Newer)]
        {
            let pointer = self.compared.pointer_of(change, age).filter(|pointer| !pointer.is_root());
            if value.is_none() && pointer.is_none() {
                continue;
            }
            ui.add_space(GRID);
            ui.horizontal(|ui| {
                ui.spacing_mut().interact_size.y = SMALL_LINE;
                ui.label(text::note(ui, word));
                if let Some(pointer) = pointer {
                    let shown = shown_text(ui, &theme::mono(), pointer.as_str()).into_owned();
                    ui.add(Label::new(text::note(ui, shown).monospace()).truncate());
                }
            });
            if let Some(value) = value {
                let shown = shown_text(ui, &theme::mono(), &cut(value, LONG_VALUE)).into_owned();
                ui.add(Label::new(text::mono(ui, shown).line_height(Some(SMALL_LINE))).wrap());
            }
        }
        ui.add_space(GRID);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().interact_size.y = LINE;
            ui.spacing_mut().item_spacing.x = GRID;
            let rule = text::note(ui, change.rule).monospace();
            ui.label(rule).on_hover_text("The rule's name, the same in every export");
            if quiet_button(ui, "Show in Inspect").clicked() {
                actions.push(Action::ShowView(View::Inspect));
            }
            if quiet_button(ui, "Copy change").clicked() {
                self.copy(ui, actions);
            }
        });
    }

    fn copy(&self, ui: &Ui, actions: &mut Vec<Action>) {
        ui.copy_text(as_text(self.change));
        actions.push(Action::Copied { what: "The change".to_owned() });
    }
}

/// A change as text for a message or an issue.
fn as_text(change: &Change) -> String {
    let mut lines = vec![format!("{}: {} ({})", change.level.label(), change.message, change.rule)];
    let sides = [("older", &change.older_pointer, &change.older), ("newer", &change.newer_pointer, &change.newer)];
    for (word, pointer, value) in sides {
        if pointer.is_some() || value.is_some() {
            let place = pointer.as_ref().map(|pointer| format!(" {pointer}")).unwrap_or_default();
            let value = value.as_ref().map(|value| format!(": {value}")).unwrap_or_default();
            lines.push(format!("{word}{place}{value}"));
        }
    }
    lines.join("\n")
}

/// Why a change deserves a look, in two words and in a sentence.
fn trust_words(group: Group) -> (&'static str, &'static str) {
    match group {
        Group::Interfaces | Group::Access => {
            ("secrets go there", "Messages, credentials or people are sent to another place than before.")
        }
        Group::Signatures => ("who vouches changed", "Another key, or none, says that the card is genuine."),
        _ => ("others obey this text", "Other agents read this text and act on it; instructions may hide in it."),
    }
}

fn cut(value: &str, most: usize) -> String {
    match value.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
