//! What goes along with a message: how it is answered, accepted modes, history, metadata, extensions.

use egui::{Align, Button, DragValue, Layout, Popup, RichText, TextEdit, Ui, vec2};

use super::Context;
use super::composer::object_problem;
use crate::a2a::RawJson;
use crate::card::facts::Tone;
use crate::state::Draft;
use crate::ui::dialogs::Dialog;
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::cell::tall_cell_ui;
use crate::ui::widgets::chip::chip_ui;
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::heading::heading_ui;
use crate::ui::widgets::text;

const NAME_WIDTH: f32 = 130.0;
/// Height of a row and of every field in it.
const ROW: f32 = 26.0;

/// The options of one agent's composer, kept from message to message.
#[derive(Default)]
pub(super) struct Options {
    wait: bool,
    /// Media types, separated by commas or spaces; empty leaves the choice to the agent.
    accepted_modes: String,
    history_length: Option<u32>,
    metadata: String,
    metadata_problem: Option<String>,
    /// Optional extensions that the user switched on, and required ones switched off.
    activated: Vec<String>,
    deactivated: Vec<String>,
}

impl Options {
    /// Whether the message cannot be sent with what is typed here.
    pub(super) fn has_problem(&self) -> bool {
        self.metadata_problem.is_some()
    }

    /// A draft without parts that carries the options.
    pub(super) fn draft(&self, context: Context<'_>) -> Draft {
        let metadata = self.metadata.trim();
        Draft {
            parts: Vec::new(),
            accepted_output_modes: self
                .accepted_modes
                .split([',', ' ', ';'])
                .filter(|mode| !mode.is_empty())
                .map(str::to_owned)
                .collect(),
            wait: self.wait,
            history_length: self.history_length,
            metadata: (!metadata.is_empty()).then(|| RawJson::new(metadata)),
            extensions: self.extensions(context),
        }
    }

    /// Required ones unless switched off, and what was switched on.
    fn extensions(&self, context: Context<'_>) -> Vec<String> {
        let declared = &context.inspection.capabilities.extensions;
        declared
            .iter()
            // One without a URI cannot be named to the agent.
            .filter(|extension| !extension.uri.is_empty() && self.is_active(&extension.uri, extension.required))
            .map(|extension| extension.uri.clone())
            .collect()
    }

    fn is_active(&self, uri: &str, required: bool) -> bool {
        let named = |list: &[String]| list.iter().any(|one| one == uri);
        if required { !named(&self.deactivated) } else { named(&self.activated) }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, context: Context<'_>, dialog: &mut Option<Dialog>) {
        heading_ui(ui, "Options", "");
        row_ui(ui, "answer", |ui| self.answer_ui(ui));
        row_ui(ui, "accepted modes", |ui| self.modes_ui(ui, context));
        row_ui(ui, "history length", |ui| self.history_ui(ui));
        row_ui(ui, "metadata", |ui| self.metadata_ui(ui));
        self.extensions_ui(ui, context);
        row_ui(ui, "credential", |ui| {
            let set = crate::ui::credential_editor::current(context.state).is_some();
            let words = if set { "set for this origin" } else { "none" };
            if value_button(ui, words).accessible_name("Credential of the message").clicked() {
                *dialog = Some(Dialog::credential(
                    context.state,
                    &super::interface_picker::target(context).unwrap_or_default(),
                ));
            }
        });
    }

    fn answer_ui(&mut self, ui: &mut Ui) {
        const AT_ONCE: &str = "return at once and poll";
        const WAIT: &str = "wait for the end";
        let label = if self.wait { WAIT } else { AT_ONCE };
        let response = value_button(ui, &format!("{label} ▾")).accessible_name("Answer");
        Popup::menu(&response).show(|ui| {
            for (wait, words) in [(false, AT_ONCE), (true, WAIT)] {
                if ui.add(Button::selectable(self.wait == wait, words)).clicked() {
                    self.wait = wait;
                }
            }
        });
    }

    fn modes_ui(&mut self, ui: &mut Ui, context: Context<'_>) {
        ui.vertical(|ui| {
            let field = plain_field(&mut self.accepted_modes, "the agent's choice").desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Accepted modes");
            ui.horizontal_wrapped(|ui| {
                for mode in offered_modes(context) {
                    if !self.accepted_modes.contains(mode) && quiet_button(ui, &format!("+ {mode}")).clicked() {
                        let comma = if self.accepted_modes.trim().is_empty() { "" } else { ", " };
                        self.accepted_modes.push_str(comma);
                        self.accepted_modes.push_str(mode);
                    }
                }
            });
        });
    }

    fn history_ui(&mut self, ui: &mut Ui) {
        if let Some(length) = &mut self.history_length {
            ui.add(DragValue::new(length).range(0..=1000).suffix(" messages")).accessible_name("History length");
            if quiet_button(ui, "Leave to the agent").clicked() {
                self.history_length = None;
            }
        } else if value_button(ui, "the agent's choice").accessible_name("History length").clicked() {
            self.history_length = Some(10);
        }
    }

    fn metadata_ui(&mut self, ui: &mut Ui) {
        ui.vertical(|ui| {
            let field = plain_field(&mut self.metadata, "none, or a JSON object")
                .font(egui::TextStyle::Monospace)
                .desired_width(f32::INFINITY);
            if ui.add(field).accessible_name("Metadata JSON").changed() {
                let typed = self.metadata.trim();
                self.metadata_problem = if typed.is_empty() { None } else { object_problem(typed) };
            }
            if let Some(problem) = &self.metadata_problem {
                ui.label(text::toned_note(ui, problem, Tone::Bad));
            }
        });
    }

    fn extensions_ui(&mut self, ui: &mut Ui, context: Context<'_>) {
        for (index, extension) in context.inspection.capabilities.extensions.iter().enumerate() {
            row_ui(ui, if index == 0 { "extensions" } else { "" }, |ui| {
                let mut active = self.is_active(&extension.uri, extension.required);
                let words = RichText::new(shown_in_body(ui, &extension.uri)).font(theme::small());
                ui.horizontal_wrapped(|ui| {
                    if ui.checkbox(&mut active, words).changed() {
                        let list = if extension.required { &mut self.deactivated } else { &mut self.activated };
                        list.retain(|uri| *uri != extension.uri);
                        if active != extension.required {
                            list.push(extension.uri.clone());
                        }
                    }
                    if extension.required {
                        chip_ui(ui, "required", Tone::Caution);
                    }
                });
            });
        }
    }
}

/// The first few output modes of the card's skills, each once.
fn offered_modes(context: Context<'_>) -> Vec<&str> {
    let mut modes: Vec<&str> = Vec::new();
    for mode in context.inspection.skills.rows.iter().flat_map(|skill| &skill.output_modes.types) {
        if !modes.contains(&mode.as_str()) && modes.len() < 4 {
            modes.push(mode);
        }
    }
    modes
}

fn row_ui(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = ROW;
        ui.horizontal_top(|ui| {
            tall_cell_ui(ui, vec2(NAME_WIDTH, ROW), text::muted(ui, name));
            content(ui);
        });
    });
    ui.add_space(GRID / 2.0);
}

/// A value that opens a choice or an editor.
fn value_button(ui: &mut Ui, words: &str) -> egui::Response {
    let button = Button::new(RichText::new(words).color(palette(ui).text)).frame_when_inactive(false);
    let usual = std::mem::replace(&mut ui.spacing_mut().button_padding, vec2(6.0, 1.0));
    // A button aligns its text as the row does, and rows with fields are aligned at their top.
    let level = Layout::left_to_right(Align::Center);
    let room = vec2(ui.available_width(), ROW);
    let button = button.small().min_size(vec2(0.0, ROW));
    let response = ui.allocate_ui_with_layout(room, level, |ui| ui.add(button)).inner;
    ui.spacing_mut().button_padding = usual;
    response
}

fn plain_field<'a>(value: &'a mut String, hint: &'static str) -> TextEdit<'a> {
    TextEdit::singleline(value)
        .hint_text(hint)
        .margin(vec2(6.0, 2.0))
        .min_size(vec2(0.0, ROW))
        .align(egui::Align2::LEFT_CENTER)
}
