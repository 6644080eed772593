//! The Message view: the composer beside the conversation, or above it where the window is narrow.

mod composer;
mod conversation;
mod earlier_list;
mod interface_picker;
mod markdown;
mod markdown_ui;
mod opened;
mod options;
mod parts;
mod past_turn;
mod turn;

use std::collections::HashMap;

use egui::{Margin, Panel, ScrollArea, Ui};

use composer::Composer;
use parts::PartViews;

use super::dialogs::Dialog;
use super::theme::MARGIN;
use super::widgets::text;
use crate::card::facts::Inspection;
use crate::state::{Action, AgentEntry, EntryId, ShownConversation, State};

/// Below this width the two columns become one.
const TWO_COLUMNS_FROM: f32 = 900.0;
const COMPOSER_WIDTH: f32 = 440.0;

/// Drafts by agent, and what was laid out of the answers.
#[derive(Default)]
pub struct MessagePane {
    composers: HashMap<EntryId, Composer>,
    parts: PartViews,
    /// The earlier conversation that parts were laid out of.
    read: i64,
}

/// What the parts of this view draw from.
#[derive(Clone, Copy)]
struct Context<'a> {
    state: &'a State,
    entry: &'a AgentEntry,
    inspection: &'a Inspection,
}

impl MessagePane {
    /// Sends what the current agent's composer holds, if it can be sent.
    pub fn send(&mut self, state: &State, actions: &mut Vec<Action>) {
        if let Some(context) = context(state) {
            self.composers.entry(context.entry.id).or_default().send(context, actions);
        }
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
        let Some(context) = context(state) else {
            egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| {
                ui.label(text::muted(ui, "There is no card here, so nobody can be talked to."));
            });
            return;
        };
        // What was laid out of one earlier conversation is of no use to another.
        let shown = shown_id(context);
        if shown > 0 && std::mem::replace(&mut self.read, shown) != shown {
            self.parts = PartViews::default();
        }
        let composer = self.composers.entry(context.entry.id).or_default();
        let scrolls = ui.input(|input| input.smooth_scroll_delta.y != 0.0 || input.pointer.any_down());
        let keeps_newest = composer.follow(&context.entry.conversation, scrolls);
        if ui.available_width() >= TWO_COLUMNS_FROM {
            let width = ui.available_width();
            Panel::left("composer")
                .resizable(true)
                .default_size(COMPOSER_WIDTH.min(width * 0.45))
                .size_range(320.0..=width - 360.0)
                .frame(egui::Frame::new())
                .show(ui, |ui| {
                    ScrollArea::vertical().id_salt("composer").auto_shrink(false).show(ui, |ui| {
                        padded(ui, 8, 16, |ui| composer.ui(ui, context, actions, dialog));
                    });
                });
            padded(ui, 8, 6, |ui| head_ui(ui, context, actions));
            let area = ScrollArea::vertical().id_salt(("conversation", context.entry.id.0, shown_id(context)));
            let area = area.auto_shrink(false).animated(false);
            area.show(ui, |ui| {
                padded(ui, 0, 16, |ui| body_ui(ui, context, &mut self.parts, keeps_newest, actions, dialog));
            });
        } else {
            ScrollArea::vertical().id_salt("message").auto_shrink(false).animated(false).show(ui, |ui| {
                padded(ui, 8, 16, |ui| {
                    composer.ui(ui, context, actions, dialog);
                    ui.separator();
                    head_ui(ui, context, actions);
                    body_ui(ui, context, &mut self.parts, keeps_newest, actions, dialog);
                });
            });
        }
    }
}

fn context(state: &State) -> Option<Context<'_>> {
    let entry = state.discovery.current_entry()?;
    let inspection = entry.inspection.as_deref()?;
    Some(Context { state, entry, inspection })
}

/// What stands above the conversation, the list, or the one that is opened.
fn head_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    match &context.entry.earlier.shown {
        ShownConversation::Current => conversation::head_ui(ui, context, actions),
        ShownConversation::List => earlier_list::head_ui(ui, context, actions),
        ShownConversation::Opened(past) => opened::head_ui(ui, context, past, actions),
    }
}

fn body_ui(
    ui: &mut Ui,
    context: Context<'_>,
    parts: &mut PartViews,
    keeps_newest: bool,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    match &context.entry.earlier.shown {
        ShownConversation::Current => conversation::turns_ui(ui, context, parts, keeps_newest, actions, dialog),
        ShownConversation::List => earlier_list::list_ui(ui, context, actions),
        ShownConversation::Opened(past) => opened::turns_ui(ui, context, past, parts, actions, dialog),
    }
}

/// Each has a scroll position of its own.
fn shown_id(context: Context<'_>) -> i64 {
    match &context.entry.earlier.shown {
        ShownConversation::Current => 0,
        ShownConversation::List => -1,
        ShownConversation::Opened(past) => past.record.id.0,
    }
}

fn padded(ui: &mut Ui, top: i8, bottom: i8, content: impl FnOnce(&mut Ui)) {
    let frame = egui::Frame::new().inner_margin(Margin { left: MARGIN as i8, right: MARGIN as i8, top, bottom });
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
}
