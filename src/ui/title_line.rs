//! The centre's heading: the agent's name, version and standing, and the tabs of its views.

use std::time::{Duration, SystemTime};

use egui::{Align, Layout, Panel, Ui};

use super::quantities::{count, day};
use super::theme::MARGIN;
use super::widgets::buttons::{quiet_button, tab_ui};
use super::widgets::chip::chip_ui;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::facts::{Inspection, Shape, Tone};
use crate::card::lint::Severity;
use crate::client::{AttemptKind, Standing};
use crate::state::{Action, AgentEntry, HistoryAction, State, View};

/// Draws name, chips and tabs over the whole width.
pub fn title_line_ui(ui: &mut Ui, state: &State, entry: &AgentEntry, actions: &mut Vec<Action>) {
    let frame = egui::Frame::new().inner_margin(egui::Margin { left: MARGIN as i8, right: 12, top: 14, bottom: 0 });
    Panel::top("title").frame(frame).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| match entry.inspection.as_deref().filter(|_| entry.retrieval.found_card) {
            Some(inspection) => {
                card_title_ui(ui, entry, inspection);
                freshness_ui(ui, entry, actions);
                alternative_ui(ui, entry, actions);
            }
            None => failure_title_ui(ui, entry),
        });
        ui.allocate_ui_with_layout(
            egui::vec2(ui.available_width(), 34.0),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_height(34.0);
                ui.spacing_mut().item_spacing.x = 22.0;
                ui.spacing_mut().button_padding.x = 0.0;
                for (view, label) in
                    [(View::Inspect, "Inspect"), (View::Compare, "Compare"), (View::Message, "Message")]
                {
                    if tab_ui(ui, label, state.view == view).clicked() {
                        actions.push(Action::ShowView(view));
                    }
                }
            },
        );
    });
}

fn card_title_ui(ui: &mut Ui, entry: &AgentEntry, inspection: &Inspection) {
    ui.label(text::title(ui, &inspection.title));
    if let Some(version) = &inspection.agent_version {
        ui.label(text::muted(ui, version));
    }
    let (shape, tone) = shape_words(inspection.shape);
    chip_ui(ui, shape, tone).on_hover_text(shown_in_body(ui, &inspection.shape_reason));
    if !inspection.signatures.rows.is_empty() {
        chip_ui(ui, "signature not checked", Tone::Plain)
            .on_hover_text("Cardscope lists signatures, but does not check them yet.");
    }
    let attempt = entry.shown_attempt.and_then(|index| entry.retrieval.attempts.get(index));
    if attempt.is_some_and(|attempt| attempt.kind.is_legacy_path()) {
        chip_ui(ui, "legacy path", Tone::Caution)
            .on_hover_text("The card was found at agent.json, its place before A2A 0.3.");
    }
    if attempt.is_some_and(|attempt| attempt.kind == AttemptKind::Synthetic) {
        chip_ui(ui, "synthetic", Tone::Caution)
            .on_hover_text("Cardscope wrote this card from what you entered; the agent published none.");
    }
    if attempt.is_some_and(|attempt| attempt.kind == AttemptKind::Extended) {
        chip_ui(ui, "extended card", Tone::Plain).on_hover_text("The agent's answer to GetExtendedAgentCard.");
    }
    let errors = inspection.count(Severity::Error);
    if errors > 0 {
        chip_ui(ui, &count(errors, "error"), Tone::Bad);
    }
    let warnings = inspection.count(Severity::Warning);
    if warnings > 0 {
        chip_ui(ui, &count(warnings, "warning"), Tone::Caution);
    }
}

/// How fresh the card is and why, and the way to ask again.
fn freshness_ui(ui: &mut Ui, entry: &AgentEntry, actions: &mut Vec<Action>) {
    if let Some(version) = &entry.history.shown {
        let hint = format!(
            "Version {}, first seen {}. Not what the agent serves now.",
            version.number,
            day(version.first_seen)
        );
        chip_ui(ui, &format!("kept {}, not current", day(version.first_seen)), Tone::Caution).on_hover_text(hint);
        if quiet_button(ui, "Show the current one").clicked() {
            actions.push(Action::History(HistoryAction::ShowCurrent));
        }
        return;
    }
    if entry.history.is_restored {
        let at = day(entry.retrieval.fetched_at);
        chip_ui(ui, &format!("kept {at}"), Tone::Plain).on_hover_text("Not asked for again in this session.");
    }
    if let Some(copy) = entry.kept_copy() {
        let freshness = copy.freshness(SystemTime::now());
        chip_ui(ui, &freshness.short, Tone::Plain).on_hover_text(shown_in_body(ui, &freshness.reason));
        if freshness.standing == Standing::Fresh {
            // What is left is said in minutes.
            ui.ctx().request_repaint_after(freshness.left.clamp(Duration::from_secs(1), Duration::from_mins(1)));
        }
    }
    let hint = "Ask whether the card changed (F5). With Shift held, fetch it anew, past every cache (Shift+F5).";
    if quiet_button(ui, "Refresh").on_hover_text(hint).clicked() {
        let anew = ui.input(|input| input.modifiers.shift);
        actions.push(if anew { Action::RefetchCard } else { Action::RefreshCard });
    }
}

/// Two different cards were found: the other one is a click away (field report D2).
fn alternative_ui(ui: &mut Ui, entry: &AgentEntry, actions: &mut Vec<Action>) {
    let retrieval = &entry.retrieval;
    let Some(alternative) = retrieval.alternative else { return };
    let other = if entry.shown_attempt == Some(alternative) { retrieval.chosen } else { Some(alternative) };
    let Some(attempt) = other.and_then(|index| retrieval.attempts.get(index)) else { return };
    let place = match attempt.kind {
        AttemptKind::OriginCard | AttemptKind::OriginLegacy => "at the origin",
        AttemptKind::PathCard | AttemptKind::PathLegacy => "under the typed path",
        AttemptKind::AsTyped
        | AttemptKind::File
        | AttemptKind::Pasted
        | AttemptKind::Listed
        | AttemptKind::Synthetic
        | AttemptKind::Extended => "at the typed address",
    };
    let button = quiet_button(ui, &format!("Show the other card {place}"));
    if button.on_hover_text(shown_in_body(ui, &attempt.url)).clicked() {
        actions.push(Action::ShowAlternative);
    }
}

fn failure_title_ui(ui: &mut Ui, entry: &AgentEntry) {
    let address: String = entry.address.trim().chars().take(120).collect();
    ui.label(text::title(ui, address));
    chip_ui(ui, "no card", Tone::Bad);
}

/// The release of the specification that the card is shaped by.
fn shape_words(shape: Shape) -> (&'static str, Tone) {
    match shape {
        Shape::V1_0 => ("A2A 1.0", Tone::Plain),
        Shape::V0_3 => ("A2A 0.3", Tone::Plain),
        Shape::V0_2 => ("A2A 0.2", Tone::Plain),
        Shape::Hybrid => ("A2A 1.0 and 0.3", Tone::Plain),
        Shape::NotACard => ("not a card", Tone::Bad),
    }
}
