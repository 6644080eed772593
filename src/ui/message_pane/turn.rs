//! One turn: what was sent, what happened to it step by step, and what came of it.

use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, Ui};

use super::Context;
use super::conversation::{id_ui, line_ui};
use super::parts::{PartViews, ShownPart, artifact_ui, part_ui};
use crate::a2a::{Message, Role, Task, TaskState};
use crate::card::facts::Tone;
use crate::client::{CallError, Exchange};
use crate::state::conversation::{TimelineEvent, TimelineKind};
use crate::state::{Action, ConversationAction, Ending, Progress, Turn};
use crate::ui::dialogs::Dialog;
use crate::ui::problem::Problem;
use crate::ui::quantities::{clock, count, duration, elapsed, since};
use crate::ui::theme::GRID;
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::cell::cell_ui;
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::text;

const TIME_WIDTH: f32 = 78.0;
const STATE_WIDTH: f32 = 116.0;
/// Room for a task's id.
const TASK_WIDTH: f32 = 120.0;

/// Draws the turn; only the newest offers to go on with its task.
pub(super) fn turn_ui(
    ui: &mut Ui,
    context: Context<'_>,
    turn: &Turn,
    is_newest: bool,
    parts: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    ui.push_id(turn.job.0, |ui| {
        let way = format!("{} {}", turn.endpoint.binding.name(), turn.endpoint.dialect.label());
        sent_heading_ui(ui, &clock(turn.sent_at), &way, &turn.interface_reason);
        parts_ui(ui, "sent", turn.request.message.parts.iter().map(ShownPart::from), parts, actions, dialog);
        ui.add_space(2.0 * GRID);
        line_ui(ui);
        ui.add_space(2.0 * GRID);
        let task = turn.task.as_ref().map(|task| &*task.id);
        heading_ui(ui, &context.inspection.title, task, standing(turn), turn.last_exchange.as_ref(), actions);
        timeline_ui(ui, &turn.timeline);
        if let Some(reply) = &turn.reply {
            message_ui(ui, reply, parts, actions, dialog);
        }
        if let Some(task) = &turn.task {
            for artifact in &task.artifacts {
                let repeated = turn.repeated_artifacts.contains(&artifact.artifact_id);
                artifact_ui(ui, &artifact.into(), repeated, parts, actions, dialog);
            }
            history_ui(ui, task, parts, actions, dialog);
        }
        ending_ui(ui, turn, is_newest, actions);
        for deviation in &turn.deviations {
            ui.label(text::faint(ui, format!("Read generously: {deviation}")));
        }
    });
}

/// The user's line: when it was sent and by which interface.
pub(super) fn sent_heading_ui(ui: &mut Ui, at: &str, way: &str, reason: &str) {
    ui.add_space(4.0 * GRID);
    ui.horizontal(|ui| {
        ui.label(text::note(ui, "You"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(text::note(ui, at));
            ui.label(text::note(ui, way)).on_hover_text(shown_in_body(ui, reason));
        });
    });
}

/// Parts of a message, `what` telling them from others of the turn.
pub(super) fn parts_ui<'a>(
    ui: &mut Ui,
    what: &str,
    shown: impl Iterator<Item = ShownPart<'a>>,
    parts: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    for (index, part) in shown.enumerate() {
        ui.push_id((what, index), |ui| part_ui(ui, part, parts, actions, dialog));
    }
}

/// The agent's line: its name, the task, and how it stands.
pub(super) fn heading_ui(
    ui: &mut Ui,
    title: &str,
    task: Option<&str>,
    (words, tone): (String, Tone),
    exchange: Option<&Arc<Exchange>>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        // The far end first: the name gives way where there is no room for both.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(text::toned_note(ui, words, tone));
            if let Some(exchange) = exchange
                && quiet_button(ui, "In Traffic").clicked()
            {
                actions.push(Action::ShowExchange(exchange.clone()));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let task_width = if task.is_some() { TASK_WIDTH } else { 0.0 };
                let room = (ui.available_width() - task_width).max(0.0);
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(Label::new(text::note(ui, title)).truncate());
                });
                if let Some(task) = task {
                    id_ui(ui, "task", task, actions);
                }
            });
        });
    });
}

/// How the turn stands or ended, with time and polls.
fn standing(turn: &Turn) -> (String, Tone) {
    let after = turn.ended_after.map(duration).unwrap_or_default();
    let polls = if turn.polls == 0 { String::new() } else { format!(" · {}", count(turn.polls as usize, "poll")) };
    match &turn.progress {
        Progress::Sending => (format!("sending · {}", elapsed(turn.sent_at)), Tone::Plain),
        Progress::Following => {
            let state = turn.state().map_or("waiting", TaskState::label);
            (format!("{state} · {}{polls}", elapsed(turn.sent_at)), Tone::Plain)
        }
        Progress::Over(Ending::Replied) => (format!("answered in {after}"), Tone::Good),
        Progress::Over(Ending::Task(state)) => (format!("{} in {after}{polls}", state.label()), state_tone(state)),
        Progress::Over(Ending::Failed(_)) => (format!("failed after {after}"), Tone::Bad),
        Progress::Over(Ending::FollowingFailed(_)) => (format!("lost after {after}{polls}"), Tone::Bad),
        Progress::Over(Ending::BudgetSpent) => (format!("not finished after {after}{polls}"), Tone::Caution),
        Progress::Over(Ending::Stopped) => (format!("stopped after {after}{polls}"), Tone::Caution),
    }
}

pub(super) fn state_tone(state: &TaskState) -> Tone {
    match state {
        TaskState::Completed => Tone::Good,
        TaskState::Failed | TaskState::Rejected => Tone::Bad,
        TaskState::InputRequired | TaskState::AuthRequired | TaskState::Canceled | TaskState::Unknown(_) => {
            Tone::Caution
        }
        TaskState::Unspecified | TaskState::Submitted | TaskState::Working => Tone::Plain,
    }
}

pub(super) fn timeline_ui(ui: &mut Ui, timeline: &[TimelineEvent]) {
    for event in timeline {
        ui.horizontal_top(|ui| {
            cell_ui(ui, TIME_WIDTH, text::note(ui, since(event.after)));
            match &event.kind {
                TimelineKind::State { state, message } => {
                    cell_ui(ui, STATE_WIDTH, text::toned(ui, state.label(), state_tone(state)));
                    let words = message.as_ref().map(Message::text).unwrap_or_default();
                    words_ui(ui, text::muted(ui, &words));
                }
                TimelineKind::Note(note) => {
                    words_ui(ui, text::note(ui, note));
                }
            }
        });
    }
}

/// Words behind the columns, their first line level with them.
fn words_ui(ui: &mut Ui, words: RichText) {
    ui.vertical(|ui| ui.add(Label::new(words).wrap()));
}

fn message_ui(
    ui: &mut Ui,
    message: &Message,
    parts: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    if message.parts.is_empty() {
        ui.label(text::muted(ui, "The message has no parts."));
    }
    parts_ui(ui, "reply", message.parts.iter().map(ShownPart::from), parts, actions, dialog);
}

fn history_ui(ui: &mut Ui, task: &Task, parts: &mut PartViews, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
    if task.history.is_empty() {
        return;
    }
    let title = text::note(ui, format!("History: {}", count(task.history.len(), "message")));
    egui::CollapsingHeader::new(title).id_salt("history").show(ui, |ui| {
        for (index, message) in task.history.iter().enumerate() {
            ui.push_id(index, |ui| {
                let who = match &message.role {
                    Role::User => "You",
                    Role::Agent => "Agent",
                    Role::Unspecified => "Nobody named",
                    Role::Other(role) => role,
                };
                ui.label(text::note(ui, who));
                message_ui(ui, message, parts, actions, dialog);
            });
        }
    });
}

/// What went wrong, and what can be done about a turn that is over.
fn ending_ui(ui: &mut Ui, turn: &Turn, is_newest: bool, actions: &mut Vec<Action>) {
    if let Progress::Over(Ending::Failed(error) | Ending::FollowingFailed(error)) = &turn.progress {
        problem_ui(ui, error, actions);
    }
    if let Some(error) = &turn.cancel_problem {
        ui.label(text::note(ui, "The task was not cancelled:"));
        problem_ui(ui, error, actions);
    }
    if turn.cancel_job.is_some() {
        ui.label(text::note(ui, "Asking the agent to cancel the task…"));
    }
    if is_newest {
        next_step_ui(ui, turn, actions);
    }
}

/// What the turn waits for, and what can be done about it.
fn next_step_ui(ui: &mut Ui, turn: &Turn, actions: &mut Vec<Action>) {
    let hint = match &turn.progress {
        Progress::Over(Ending::Task(TaskState::InputRequired)) => {
            "The agent waits for you: the next message goes to this task."
        }
        Progress::Over(Ending::Task(TaskState::AuthRequired)) => {
            "The agent waits for an authorization. Give it where the agent says, then send a message or poll again."
        }
        Progress::Over(Ending::BudgetSpent) => "Cardscope stopped asking; the agent may still be working.",
        Progress::Over(Ending::Stopped) => "You stopped waiting; the agent was told nothing and may still be working.",
        _ => "",
    };
    if !hint.is_empty() {
        ui.label(text::faint(ui, hint));
    }
    if let Some(dialect) = turn.other_dialect()
        && ui.button(format!("Send as {}", dialect.label())).clicked()
    {
        actions.push(Action::Conversation(ConversationAction::ResendInOtherDialect { turn: turn.job }));
    }
    if let Some(location) = turn.redirected_to()
        && ui.button(format!("Send to {} instead", shown_in_body(ui, location))).clicked()
    {
        actions.push(Action::Conversation(ConversationAction::ResendWhereRedirected { turn: turn.job }));
    }
    if turn.can_follow_again() && ui.button("Poll again").clicked() {
        actions.push(Action::Conversation(ConversationAction::FollowAgain { turn: turn.job }));
    }
}

fn problem_ui(ui: &mut Ui, error: &CallError, actions: &mut Vec<Action>) {
    let problem = Problem::of(error);
    ui.add_space(GRID);
    ui.horizontal_top(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            if quiet_button(ui, "Copy").accessible_name("Copy the problem").clicked() {
                ui.ctx().copy_text(problem.text());
                actions.push(Action::Copied { what: "The problem".to_owned() });
            }
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.label(text::toned(ui, &problem.title, Tone::Bad));
                if !problem.detail.is_empty() {
                    ui.label(text::plain(ui, &problem.detail));
                }
                if !problem.hint.is_empty() {
                    ui.label(text::faint(ui, &problem.hint));
                }
            });
        });
    });
}
