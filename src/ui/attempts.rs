//! The attempts of a discovery, one row each: what was asked and what came.

use egui::{Align, Layout, Ui};

use super::quantities::{duration, elapsed};
use super::theme::{GRID, LINE, MARGIN, NAME_WIDTH, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::cell::cell_ui;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::facts::Tone;
use crate::client::{Attempt, AttemptKind, AttemptOutcome};
use crate::state::{Action, PendingFetch};

/// Narrower rows give the status less room than a field's name has.
const NARROW: f32 = 420.0;
const NARROW_STATUS: f32 = 96.0;

/// All attempts with their evidence; `shown` is the one whose body is on screen.
pub fn attempts_ui(ui: &mut Ui, attempts: &[Attempt], shown: Option<usize>, actions: &mut Vec<Action>) {
    for (index, attempt) in attempts.iter().enumerate() {
        let can_show = attempt.document.is_some() && shown != Some(index);
        attempt_ui(ui, attempt, can_show.then_some(index), actions);
    }
}

/// The attempts of asking again in vain; the card on screen is of none of them.
pub fn failed_attempts_ui(ui: &mut Ui, attempts: &[Attempt], actions: &mut Vec<Action>) {
    for attempt in attempts {
        attempt_ui(ui, attempt, None, actions);
    }
}

/// `to_show` is the attempt's number where its body can be shown.
fn attempt_ui(ui: &mut Ui, attempt: &Attempt, to_show: Option<usize>, actions: &mut Vec<Action>) {
    ui.add_space(GRID);
    ui.horizontal_top(|ui| {
        status_ui(ui, attempt);
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.label(text::note(ui, duration(attempt.duration)));
            if let Some(exchange) = attempt.exchanges.last()
                && quiet_button(ui, "In Traffic").clicked()
            {
                actions.push(Action::ShowExchange(exchange.clone()));
            }
            if let Some(attempt) = to_show
                && quiet_button(ui, "Show body").clicked()
            {
                actions.push(Action::ShowAttempt { attempt });
            }
            ui.with_layout(Layout::top_down(Align::Min), |ui| words_ui(ui, attempt));
        });
    });
}

fn status_ui(ui: &mut Ui, attempt: &Attempt) {
    let word = attempt.status.map_or_else(|| outcome_word(&attempt.outcome).to_owned(), |status| status.to_string());
    let width = if ui.available_width() < NARROW { NARROW_STATUS } else { NAME_WIDTH };
    cell_ui(ui, width - ui.spacing().item_spacing.x, text::toned(ui, word, outcome_tone(&attempt.outcome)));
}

fn words_ui(ui: &mut Ui, attempt: &Attempt) {
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.spacing_mut().interact_size.y = 20.0;
    ui.horizontal_wrapped(|ui| {
        ui.label(text::mono(ui, &attempt.url).line_height(Some(LINE)));
        ui.label(text::faint(ui, kind_words(attempt.kind)).line_height(Some(LINE)));
    });
    let note = attempt.note_without_url();
    // Most notes say where redirects led.
    if let Some(url) = attempt.final_url.as_ref().filter(|url| **url != attempt.url && !note.contains(*url)) {
        ui.label(text::note(ui, format!("answered by {url}")));
    }
    if !note.is_empty() {
        ui.label(text::muted(ui, note));
    }
}

/// The fetch under way, in one compact line and one more for each attempt so far.
pub fn pending_ui(ui: &mut Ui, pending: &PendingFetch) {
    let frame = egui::Frame::new().fill(palette(ui).panel).inner_margin(egui::Margin::symmetric(MARGIN as i8, 8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal_wrapped(|ui| {
            let address: String = shown_in_body(ui, pending.address.trim()).chars().take(160).collect();
            ui.label(text::plain(ui, format!("Fetching {address}")));
            ui.label(text::muted(ui, elapsed(pending.since)));
        });
        for attempt in &pending.attempts {
            ui.horizontal_wrapped(|ui| {
                status_ui(ui, attempt);
                ui.label(text::mono(ui, &attempt.url));
                ui.label(text::note(ui, attempt.note_without_url()));
            });
        }
    });
}

/// Why the URL was asked.
fn kind_words(kind: AttemptKind) -> &'static str {
    match kind {
        AttemptKind::AsTyped => "as typed",
        AttemptKind::PathCard => "under the typed path",
        AttemptKind::PathLegacy => "under the typed path, legacy name",
        AttemptKind::OriginCard => "at the origin",
        AttemptKind::OriginLegacy => "at the origin, legacy name",
        AttemptKind::File => "file",
        AttemptKind::Pasted => "pasted",
        AttemptKind::Listed => "inside a catalog",
        AttemptKind::Synthetic => "synthetic",
        AttemptKind::Extended => "by GetExtendedAgentCard",
    }
}

fn outcome_word(outcome: &AttemptOutcome) -> &'static str {
    match outcome {
        AttemptOutcome::Card => "card",
        AttemptOutcome::NotACard => "not a card",
        AttemptOutcome::NeedsCredentials => "refused",
        AttemptOutcome::TooManyRequests => "too many requests",
        AttemptOutcome::ServerError => "server error",
        AttemptOutcome::Unreachable => "no answer",
        AttemptOutcome::NotJson(_) => "no JSON",
        AttemptOutcome::NotFound => "not found",
        AttemptOutcome::Cancelled => "cancelled",
    }
}

fn outcome_tone(outcome: &AttemptOutcome) -> Tone {
    match outcome {
        AttemptOutcome::Card => Tone::Good,
        AttemptOutcome::NotACard | AttemptOutcome::Cancelled | AttemptOutcome::NotFound => Tone::Caution,
        AttemptOutcome::NeedsCredentials
        | AttemptOutcome::TooManyRequests
        | AttemptOutcome::ServerError
        | AttemptOutcome::Unreachable
        | AttemptOutcome::NotJson(_) => Tone::Bad,
    }
}
