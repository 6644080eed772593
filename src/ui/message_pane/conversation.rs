//! The conversation: its context, every turn, and what the next message continues.

use egui::{Align, Layout, Stroke, Ui};

use super::Context;
use super::earlier_list::list_of;
use super::opened::{copy_ui, started_ui};
use super::parts::PartViews;
use super::past_turn::past_turn_ui;
use super::turn::turn_ui;
use crate::state::{Action, Conversation, ConversationAction, EarlierAction};
use crate::ui::dialogs::Dialog;
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::text;

/// Room kept for the buttons beside the context.
const BUTTONS_WIDTH: f32 = 310.0;

/// The conversation's context, and the way to another one.
pub(super) fn head_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    let conversation = &context.entry.conversation;
    ui.horizontal_top(|ui| {
        let room = egui::vec2((ui.available_width() - BUTTONS_WIDTH).max(80.0), 28.0);
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center).with_main_wrap(true), |ui| {
            match &conversation.context_id {
                Some(id) => id_ui(ui, "context", id, actions),
                None => {
                    ui.label(text::note(ui, "No context yet: the agent hands one out with its first answer."));
                }
            }
        });
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            if ui.add_enabled(conversation.has_begun(), egui::Button::new("New conversation")).clicked() {
                actions.push(Action::Conversation(ConversationAction::NewConversation));
            }
            conversations_ui(ui, context, actions);
        });
    });
}

/// The way to the conversations that are kept with this agent.
fn conversations_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    let total = list_of(context).map_or(0, |list| list.page.total);
    let mut button = egui::Button::new("Conversations");
    if total > 0 {
        let count = egui::RichText::new(total.to_string()).font(theme::small()).color(palette(ui).muted);
        button = button.right_text(count);
    }
    let response = ui.add(button).accessible_name("Conversations");
    if response.on_hover_text("Those that are kept with this agent").clicked() {
        actions.push(Action::Earlier(EarlierAction::ShowList));
    }
}

/// Draws the turns, oldest first; with `keeps_newest` the newest stays in sight from its beginning.
pub(super) fn turns_ui(
    ui: &mut Ui,
    context: Context<'_>,
    parts: &mut PartViews,
    keeps_newest: bool,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    let conversation = &context.entry.conversation;
    if conversation.turns.is_empty() && conversation.earlier.is_none() {
        ui.add_space(4.0 * GRID);
        ui.label(text::muted(ui, "What you send and what comes back is shown here."));
        return;
    }
    if let Some(past) = &conversation.earlier {
        started_ui(ui, past, actions);
        for index in 0..past.turns.len() {
            past_turn_ui(ui, &context.inspection.title, past, index, parts, actions, dialog);
        }
    }
    for (index, turn) in conversation.turns.iter().enumerate() {
        let is_newest = index + 1 == conversation.turns.len();
        if keeps_newest && is_newest {
            ui.scroll_to_cursor(Some(Align::TOP));
        }
        turn_ui(ui, context, turn, is_newest, parts, actions, dialog);
    }
    ui.add_space(4.0 * GRID);
    line_ui(ui);
    ui.add_space(GRID);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            copy_ui(ui, context, actions);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.label(text::faint(ui, next_words(conversation)));
            });
        });
    });
}

/// What the next message will carry (field report M11).
fn next_words(conversation: &Conversation) -> &'static str {
    if conversation.running_turn().is_some() {
        return "The last message is still being worked on.";
    }
    match (&conversation.open_task, &conversation.context_id) {
        (Some(_), _) => "The next message continues this context and the task that waits for you.",
        (None, Some(_)) => "The next message continues this context as a new task.",
        (None, None) => "The next message starts a new context.",
    }
}

/// A separator as thin as the window's own.
pub(super) fn line_ui(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), 1.0), egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, palette(ui).line));
}

/// A name and an id, cut short; the whole is shown on hover and copied on a click.
pub(super) fn id_ui(ui: &mut Ui, name: &str, id: &str, actions: &mut Vec<Action>) {
    const SHOWN: usize = 8;
    ui.label(text::note(ui, name));
    let whole = shown_in_body(ui, id);
    let short: String = id.chars().take(SHOWN).collect();
    let short = if id.chars().count() > SHOWN { format!("{short}…") } else { short };
    let usual = std::mem::replace(&mut ui.spacing_mut().button_padding, egui::vec2(2.0, 1.0));
    let response = ui.add(egui::Button::new(text::mono(ui, short)).frame_when_inactive(false).small());
    ui.spacing_mut().button_padding = usual;
    let response = response.accessible_name(format!("Copy {name} id {whole}"));
    if response.on_hover_text(format!("{whole}\nClick to copy.")).clicked() {
        ui.ctx().copy_text(id.to_owned());
        actions.push(Action::Copied { what: format!("The {name}'s id") });
    }
}
