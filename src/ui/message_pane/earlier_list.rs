//! The conversations that are kept with an agent, the one changed last first.

use egui::accesskit::Role;
use egui::{Align, FontSelection, Rect, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText, pos2, vec2};

use super::Context;
use super::opened::{back_ui, title};
use super::past_turn::outcome_words;
use crate::card::facts::Tone;
use crate::history::transcript::ConversationRecord;
use crate::state::earlier::PAGE;
use crate::state::{Action, ConversationList, Deletion, EarlierAction, HistoryAction, HistoryPlace};
use crate::ui::quantities::{count, moment};
use crate::ui::theme::{GRID, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::text;

const ROW_HEIGHT: f32 = 48.0;
/// Where the two lines of a row have their middles, below its top.
const LINES: [f32; 2] = [15.0, 34.0];
/// How far the ground of a row reaches beyond its texts.
const BLEED: f32 = 10.0;
/// Room for the words at the end of a line.
const END_WIDTH: f32 = 130.0;

/// The conversations with the agent on screen, as far as they were listed.
pub(super) fn list_of(context: Context<'_>) -> Option<&ConversationList> {
    context.state.kept.conversations.get(&context.entry.history.agent?)
}

pub(super) fn head_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| back_ui(ui, actions));
    ui.horizontal(|ui| {
        ui.label(text::strong(ui, "Conversations"));
        if let Some(total) = list_of(context).map(|list| list.page.total).filter(|total| *total > 0) {
            ui.label(text::note(ui, total.to_string()));
        }
    });
}

pub(super) fn list_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    let Some(list) = list_of(context).filter(|list| !list.page.conversations.is_empty()) else {
        return empty_ui(ui, context);
    };
    if context.state.kept.place == HistoryPlace::InMemory {
        ui.label(text::faint(ui, "Kept for this session only."));
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for record in &list.page.conversations {
            row_ui(ui, context, record, actions);
        }
    });
    let rest = list.page.total.saturating_sub(u32::try_from(list.page.conversations.len()).unwrap_or(u32::MAX));
    if rest > 0 {
        ui.add_space(GRID);
        let label = format!("Show {} more of {}", rest.min(PAGE), list.page.total);
        if quiet_button(ui, &label).accessible_name("Show more conversations").clicked() {
            actions.push(Action::Earlier(EarlierAction::ShowMore));
        }
    }
}

fn empty_ui(ui: &mut Ui, context: Context<'_>) {
    ui.add_space(4.0 * GRID);
    ui.label(text::muted(ui, "No conversation with this agent is kept yet."));
    let words = match context.state.kept.place {
        HistoryPlace::InMemory => "Send a message: what is said is listed here for this session.",
        HistoryPlace::Opening | HistoryPlace::OnDisk => {
            "Send a message: when it is answered, the conversation is kept here with the version of the card and the \
             interface that it used."
        }
    };
    ui.label(text::faint(ui, words));
}

fn row_ui(ui: &mut Ui, context: Context<'_>, record: &ConversationRecord, actions: &mut Vec<Action>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let is_current = context.entry.conversation.saved.id == Some(record.id);
    let title = title(&record.title);
    if ui.is_rect_visible(rect) {
        let palette = palette(ui);
        let ground = rect.expand2(vec2(BLEED, 0.0));
        if is_current {
            ui.painter().rect_filled(ground, 5.0, palette.selection);
        } else if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(ground, 5.0, palette.raised);
        }
        let (outcome, tone) = if is_current && context.entry.conversation.running_turn().is_some() {
            ("in progress".to_owned(), Tone::Plain)
        } else {
            outcome_words(&record.outcome)
        };
        let outcome = if is_current { format!("current · {outcome}") } else { outcome };
        // What went well needs no colour.
        let tone = if tone == Tone::Good { Tone::Plain } else { tone };
        let outcome = if tone == Tone::Plain { text::note(ui, outcome) } else { text::toned_note(ui, outcome, tone) };
        let width = rect.width() - END_WIDTH;
        line_ui(ui, rect, 0, Align::Min, text::plain(ui, &title).into(), width);
        line_ui(ui, rect, 0, Align::Max, text::note(ui, moment(record.changed_at)).into(), END_WIDTH);
        line_ui(ui, rect, 1, Align::Min, text::note(ui, below(context, record)).into(), width);
        line_ui(ui, rect, 1, Align::Max, outcome.into(), END_WIDTH);
    }
    let name = format!("Conversation {title}");
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_current, &name));
    if response.clicked() {
        actions.push(Action::Earlier(EarlierAction::Open { conversation: record.id }));
    }
    response.context_menu(|ui| {
        if ui.button("Open").clicked() {
            actions.push(Action::Earlier(EarlierAction::Open { conversation: record.id }));
        }
        if ui.button("Delete this conversation…").clicked() {
            let what = Deletion::Conversation(record.id);
            actions.push(Action::History(HistoryAction::AskToDelete(what)));
        }
    });
}

/// "3 turns · version 2".
fn below(context: Context<'_>, record: &ConversationRecord) -> String {
    let turns = count(record.turns as usize, "turn");
    match record.version.map(|version| context.state.kept.version(version)) {
        Some(Some(version)) => format!("{turns} · version {}", version.number),
        Some(None) => turns,
        None => format!("{turns} · version no longer kept"),
    }
}

fn line_ui(ui: &Ui, rect: Rect, line: usize, align: Align, words: WidgetText, width: f32) {
    let galley = words.into_galley(ui, Some(TextWrapMode::Truncate), width.max(10.0), FontSelection::Default);
    let x = if align == Align::Max { rect.right() - galley.size().x } else { rect.left() };
    let y = rect.top() + LINES[line] - galley.size().y / 2.0;
    ui.painter().galley(pos2(x, y), galley, palette(ui).text);
}
