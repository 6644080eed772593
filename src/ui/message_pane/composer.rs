//! The composer: text, files and data, and what goes along with them.

use std::borrow::Cow;

use egui::text::LayoutJob;
use egui::{Align, Id, Layout, TextEdit, Ui};

use super::Context;
use super::interface_picker::{chosen_row, interface_picker_ui, target, target_ui};
use super::options::Options;
use crate::a2a::RawJson;
use crate::card::address::mask_secrets;
use crate::card::facts::Tone;
use crate::card::{Document, Kind};
use crate::state::earlier::PastTurn;
use crate::state::{Action, Conversation, ConversationAction, Draft, DraftPart, Turn};
use crate::ui::dialogs::Dialog;
use crate::ui::quantities::size;
use crate::ui::shortcuts::{Command, keys_text};
use crate::ui::theme::{GRID, LINE, palette};
use crate::ui::widgets::buttons::{entered, link_button, primary_button_with, quiet_button};
use crate::ui::widgets::heading::heading_ui;
use crate::ui::widgets::text;

/// The most examples shown before the rest is asked for.
const FIRST_EXAMPLES: usize = 6;

/// Below these widths "Cancel task" stands on a line of its own.
const ROOM_BESIDE_STOP: f32 = 380.0;
const ROOM_BESIDE_SEND: f32 = 520.0;
/// Below this width Send does not show its keys.
const ROOM_FOR_KEYS: f32 = 390.0;

/// What is being written to one agent.
#[derive(Default)]
pub(super) struct Composer {
    text: String,
    /// The text of a data part, while there is one.
    data: Option<String>,
    /// What keeps the data part from being JSON.
    data_problem: Option<String>,
    /// A path being typed, while a file is being attached: not every system has a file dialog.
    path: Option<String>,
    /// How many files there were when the path was asked for.
    seen_attachments: usize,
    options: Options,
    /// How many turns there were when the draft was last emptied.
    seen_turns: usize,
    /// How long the newest turn was, and whether it is kept in sight while it grows.
    seen_length: (u64, usize, usize, bool),
    keeps_newest: bool,
    all_examples: bool,
}

impl Composer {
    /// Empties the draft once it has become a turn; what the user was asked about first stays until then. True where
    /// the newest turn has grown and has to be brought into sight, which goes on until the reader `scrolls`.
    pub(super) fn follow(&mut self, conversation: &Conversation, scrolls: bool) -> bool {
        if conversation.turns.len() > self.seen_turns {
            self.text.clear();
            self.set_data(None);
            self.keeps_newest = true;
        } else if scrolls {
            self.keeps_newest = false;
        }
        self.seen_turns = conversation.turns.len();
        let length = conversation.turns.last().map(length).unwrap_or_default();
        let has_grown = std::mem::replace(&mut self.seen_length, length) != length;
        has_grown && self.keeps_newest
    }

    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        context: Context<'_>,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        interface_picker_ui(ui, context, actions);
        heading_ui(ui, "Message", "");
        self.text_ui(ui);
        self.data_ui(ui);
        self.path_ui(ui, context, actions);
        attachments_ui(ui, context, actions);
        ui.add_space(GRID);
        target_ui(ui, context);
        self.buttons_ui(ui, context, actions);
        continuing_ui(ui, context);
        ui.scope(|ui| self.examples_ui(ui, context));
        self.options.ui(ui, context, dialog);
    }

    fn text_ui(&mut self, ui: &mut Ui) {
        let mut lines = |ui: &Ui, text: &dyn egui::TextBuffer, width: f32| {
            let font = egui::TextStyle::Body.resolve(ui.style());
            let mut job = LayoutJob::simple(text.as_str().to_owned(), font, palette(ui).text, width);
            for section in &mut job.sections {
                section.format.line_height = Some(LINE);
            }
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let field = TextEdit::multiline(&mut self.text)
            .id(Id::unique("message text"))
            .desired_rows(6)
            .desired_width(f32::INFINITY)
            .margin(egui::vec2(12.0, 8.0))
            .hint_text("What should the agent do?")
            .layouter(&mut lines);
        ui.add(field).accessible_name("Message text");
    }

    fn data_ui(&mut self, ui: &mut Ui) {
        let Some(data) = &mut self.data else { return };
        ui.add_space(GRID);
        let mut removed = false;
        ui.horizontal(|ui| {
            ui.label(text::note(ui, "Data part"));
            if let Some(problem) = &self.data_problem {
                ui.label(text::toned_note(ui, problem, Tone::Bad));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                removed = quiet_button(ui, "Remove").accessible_name("Remove data part").clicked();
            });
        });
        let field = TextEdit::multiline(data)
            .font(egui::TextStyle::Monospace)
            .desired_rows(3)
            .desired_width(f32::INFINITY)
            .margin(egui::vec2(12.0, 8.0))
            .hint_text("{ }");
        if ui.add(field).accessible_name("Data part JSON").changed() {
            self.data_problem = json_problem(data);
        }
        if removed {
            self.set_data(None);
        }
    }

    fn path_ui(&mut self, ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
        if context.state.attachments.len() > self.seen_attachments {
            self.path = None;
        }
        self.seen_attachments = context.state.attachments.len();
        let Some(path) = &mut self.path else { return };
        ui.add_space(GRID);
        let mut closed = false;
        ui.horizontal(|ui| {
            let width = ui.available_width() - 110.0;
            let field = TextEdit::singleline(path).hint_text("or the file's path").desired_width(width);
            let response = ui.add(field).accessible_name("Path of the file");
            let attach = entered(ui, &response) | quiet_button(ui, "Attach").clicked();
            if attach && !path.trim().is_empty() {
                actions.push(Action::AttachFile { path: path.trim().into() });
            }
            closed = quiet_button(ui, "Close").accessible_name("Close the path").clicked();
        });
        if closed {
            self.path = None;
        }
    }

    fn set_data(&mut self, data: Option<String>) {
        self.data_problem = data.as_deref().and_then(json_problem);
        self.data = data;
    }

    fn buttons_ui(&mut self, ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
        let conversation = &context.entry.conversation;
        let running = conversation.running_turn().is_some();
        let room = if running { ROOM_BESIDE_STOP } else { ROOM_BESIDE_SEND };
        let narrow = ui.available_width() < room;
        let shows_keys = ui.available_width() >= ROOM_FOR_KEYS;
        ui.add_space(GRID);
        ui.horizontal(|ui| {
            if ui.button("Attach file…").clicked() {
                actions.push(Action::PickAttachment);
                self.path = Some(String::new());
                self.seen_attachments = context.state.attachments.len();
            }
            if ui.add_enabled(self.data.is_none(), egui::Button::new("Data part")).clicked() {
                self.set_data(Some(String::new()));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if running {
                    if ui.button("Stop").on_hover_text("Stops waiting; the agent is told nothing.").clicked() {
                        actions.push(Action::Conversation(ConversationAction::Stop));
                    }
                } else {
                    let keys = if shows_keys { keys_text(ui.ctx(), Command::Send) } else { String::new() };
                    if primary_button_with(ui, "Send", &keys, self.can_send(context)).clicked() {
                        self.send(context, actions);
                    }
                }
                if !narrow {
                    cancel_task_ui(ui, conversation, actions);
                }
            });
        });
        if narrow {
            cancel_task_ui(ui, conversation, actions);
        }
    }

    fn can_send(&self, context: Context<'_>) -> bool {
        let something = !self.text.trim().is_empty() || self.data.is_some() || !context.state.attachments.is_empty();
        let sound = self.data_problem.is_none() && !self.options.has_problem();
        something
            && sound
            && context.entry.conversation.running_turn().is_none()
            && chosen_row(context).is_some_and(|(_, interface)| interface.usable())
    }

    pub(super) fn send(&self, context: Context<'_>, actions: &mut Vec<Action>) {
        if !self.can_send(context) {
            return;
        }
        let mut parts = Vec::new();
        if !self.text.trim().is_empty() {
            parts.push(DraftPart::Text(self.text.clone()));
        }
        parts.extend(self.data.as_ref().map(|data| DraftPart::Data(RawJson::new(data.trim()))));
        parts.extend(context.state.attachments.iter().map(|file| DraftPart::File {
            name: file.name.clone(),
            media_type: mime_guess::from_path(&file.name).first_raw().map(str::to_owned),
            bytes: file.bytes.clone(),
        }));
        let draft = Draft { parts, ..self.options.draft(context) };
        actions.push(Action::Conversation(ConversationAction::Send(draft)));
    }

    fn examples_ui(&mut self, ui: &mut Ui, context: Context<'_>) {
        let skills = &context.inspection.skills.rows;
        let count: usize = skills.iter().map(|skill| skill.examples.len()).sum();
        if count == 0 {
            return;
        }
        heading_ui(ui, "Try", "the skills' own examples");
        ui.spacing_mut().interact_size.y = 20.0;
        ui.spacing_mut().item_spacing.y = 2.0 * GRID;
        let shown = if self.all_examples { count } else { FIRST_EXAMPLES };
        let examples = skills.iter().flat_map(|skill| &skill.examples).take(shown);
        for example in examples {
            // Some cards give whole data parts as examples.
            let is_data = example.trim_start().starts_with(['{', '[']);
            let label = if is_data {
                Cow::Owned(format!("{example} (as a data part)"))
            } else {
                Cow::Borrowed(example.as_str())
            };
            if link_button(ui, &label).clicked() {
                if is_data {
                    self.set_data(Some(example.clone()));
                } else {
                    self.text.clone_from(example);
                }
            }
        }
        if count > shown && quiet_button(ui, &format!("{} more", count - shown)).clicked() {
            self.all_examples = true;
        }
    }
}

/// What makes a turn longer on screen: its job, the steps and artifacts of its task, and its end.
fn length(turn: &Turn) -> (u64, usize, usize, bool) {
    let artifacts = turn.task.as_ref().map_or(0, |task| task.artifacts.len());
    (turn.job.0, turn.timeline.len(), artifacts, turn.is_running())
}

fn cancel_task_ui(ui: &mut Ui, conversation: &Conversation, actions: &mut Vec<Action>) {
    let can_cancel = conversation.turns.last().is_some_and(Turn::can_cancel_task);
    let hover = "Asks the agent to cancel the task.";
    if can_cancel && ui.button("Cancel task").on_hover_text(hover).clicked() {
        actions.push(Action::Conversation(ConversationAction::CancelTask));
    }
}

/// What keeps `text` from being JSON, with its place.
fn json_problem(text: &str) -> Option<String> {
    let document = Document::new(text.trim().to_owned());
    match document.fault() {
        Some(fault) => Some(fault.to_string()),
        None => document.tree().is_none().then(|| "This is no JSON.".to_owned()),
    }
}

/// The same for a JSON object.
pub(super) fn object_problem(text: &str) -> Option<String> {
    json_problem(text).or_else(|| {
        let document = Document::new(text.trim().to_owned());
        let is_object = document.tree().is_some_and(|tree| tree.root().kind() == Kind::Object);
        (!is_object).then(|| "It has to be an object.".to_owned())
    })
}

fn attachments_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    for (index, file) in context.state.attachments.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.label(text::plain(ui, &file.name));
            ui.label(text::note(ui, size(file.bytes.len())));
            let remove = format!("Remove {}", file.name);
            if quiet_button(ui, "Remove").accessible_name(remove).clicked() {
                actions.push(Action::RemoveAttachment { index });
            }
        });
    }
}

/// What the next message continues.
fn continuing_ui(ui: &mut Ui, context: Context<'_>) {
    let conversation = &context.entry.conversation;
    elsewhere_ui(ui, context);
    let Some((task, state)) = &conversation.open_task else { return };
    ui.add_space(GRID);
    let frame = egui::Frame::new().fill(palette(ui).selection).inner_margin(8).corner_radius(5);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let words = format!("The next message continues task {} ({}).", task, state.label());
        ui.label(text::plain(ui, words));
    });
}

/// Where the conversation went before, if that is not where the next message goes.
fn elsewhere_ui(ui: &mut Ui, context: Context<'_>) {
    let conversation = &context.entry.conversation;
    let last = conversation.earlier.as_ref().filter(|_| conversation.turns.is_empty());
    let Some(last) = last.and_then(|past| past.turns.last()).map(PastTurn::interface) else { return };
    let chosen = chosen_row(context).map(|(_, interface)| interface.binding.name());
    let target = target(context).map(|target| mask_secrets(&target));
    if chosen != Some(&last.protocol_binding) || target.as_ref() != Some(&last.url) {
        ui.add_space(GRID);
        let words = format!("The turns before went by {} to {}.", last.protocol_binding, last.url);
        ui.label(text::toned_note(ui, &words, Tone::Caution));
    }
}
