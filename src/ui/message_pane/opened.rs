//! An earlier conversation, opened to be read: which card and interface it used, and the ways on from it.

use egui::{Align, Label, Layout, Ui};

use super::Context;
use super::conversation::line_ui;
use super::parts::PartViews;
use super::past_turn::{past_turn_ui, way_ui};
use crate::state::earlier::PastConversation;
use crate::state::{Action, Deletion, EarlierAction, HistoryAction};
use crate::ui::dialogs::Dialog;
use crate::ui::quantities::moment_exact;
use crate::ui::theme::GRID;
use crate::ui::widgets::buttons::flush_button;
use crate::ui::widgets::text;

/// The way back, in the same place wherever it is needed.
pub(super) fn back_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    if flush_button(ui, "Back to the current conversation").clicked() {
        actions.push(Action::Earlier(EarlierAction::ShowCurrent));
    }
}

/// The title, what the conversation used, and what can be done with it.
pub(super) fn head_ui(ui: &mut Ui, context: Context<'_>, past: &PastConversation, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0 * GRID;
        back_ui(ui, actions);
        if flush_button(ui, "All conversations").clicked() {
            actions.push(Action::Earlier(EarlierAction::ShowList));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if flush_button(ui, "Delete…").on_hover_text("Delete this conversation").clicked() {
                let what = Deletion::Conversation(past.record.id);
                actions.push(Action::History(HistoryAction::AskToDelete(what)));
            }
        });
    });
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if past.can_be_continued() {
                let hint = "Makes it the current conversation. Nothing is sent before you send it.";
                if ui.button("Continue").on_hover_text(hint).clicked() {
                    actions.push(Action::Earlier(EarlierAction::Continue { although_unsaved: false }));
                }
                ui.add_space(GRID);
            }
            copy_ui(ui, context, actions);
            ui.add_space(GRID);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(text::strong(ui, title(&past.record.title))).truncate());
            });
        });
    });
    started_ui(ui, past, actions);
}

/// When it was begun, by which version and which interface.
pub(super) fn started_ui(ui: &mut Ui, past: &PastConversation, actions: &mut Vec<Action>) {
    if let Some(first) = past.turns.first() {
        way_ui(ui, &format!("Started {} with", moment_exact(past.record.started_at)), past, first, actions);
    }
}

/// Puts what is on screen into the clipboard.
pub(super) fn copy_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    if flush_button(ui, "Copy as Markdown").on_hover_text("Fit for an issue; keys in addresses are masked").clicked()
        && let Some(markdown) = context.state.shown_conversation_markdown()
    {
        ui.ctx().copy_text(markdown);
        actions.push(Action::Copied { what: "The conversation as Markdown".to_owned() });
    }
}

pub(super) fn turns_ui(
    ui: &mut Ui,
    context: Context<'_>,
    past: &PastConversation,
    parts: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    for index in 0..past.turns.len() {
        past_turn_ui(ui, &context.inspection.title, past, index, parts, actions, dialog);
    }
    ui.add_space(4.0 * GRID);
    line_ui(ui);
    ui.add_space(GRID);
    let words = if past.can_be_continued() {
        "An earlier conversation, to be read. Messages go to the current one."
    } else {
        "An earlier conversation, to be read. The agent gave it no context, so it cannot be continued."
    };
    ui.label(text::faint(ui, words));
}

/// A title that can be read, also where nothing was written.
pub(super) fn title(title: &str) -> String {
    if title.is_empty() { "Without words".to_owned() } else { title.to_owned() }
}
