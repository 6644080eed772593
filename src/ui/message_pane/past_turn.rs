//! A turn of an earlier conversation, painted as it was when it was new, to be read.

use egui::{Link, Ui};

use super::conversation::{id_ui, line_ui};
use super::parts::{PartViews, ShownPart, artifact_ui};
use super::turn::{heading_ui, parts_ui, sent_heading_ui, state_tone, timeline_ui};
use crate::a2a::TaskState;
use crate::card::facts::Tone;
use crate::history::transcript::InterfaceRecord;
use crate::state::earlier::{PastConversation, PastTurn};
use crate::state::{Action, HistoryAction, View};
use crate::ui::dialogs::Dialog;
use crate::ui::quantities::{count, duration, moment_exact};
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::text;

/// Draws the turn at `index`, with the card and the interface where they are not those of the turn before.
pub(super) fn past_turn_ui(
    ui: &mut Ui,
    title: &str,
    past: &PastConversation,
    index: usize,
    parts: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    let Some(turn) = past.turns.get(index) else { return };
    ui.push_id(("past", past.record.id.0, index), |ui| {
        let before = index.checked_sub(1).and_then(|before| past.turns.get(before));
        if before.is_some_and(|before| !before.goes_like(turn)) {
            ui.add_space(4.0 * GRID);
            way_ui(ui, "From here on with", past, turn, actions);
        }
        let InterfaceRecord { protocol_binding, protocol_version, reason, .. } = turn.interface();
        let way = format!("{protocol_binding} {protocol_version}");
        sent_heading_ui(ui, &moment_exact(turn.sent_at), &way, reason);
        parts_ui(ui, "sent", turn.sent.iter().map(ShownPart::from), parts, actions, dialog);
        ui.add_space(2.0 * GRID);
        line_ui(ui);
        ui.add_space(2.0 * GRID);
        heading_ui(ui, title, turn.record.task_id.as_deref(), standing(turn), None, actions);
        timeline_ui(ui, &turn.timeline);
        parts_ui(ui, "reply", turn.reply.iter().map(ShownPart::from), parts, actions, dialog);
        for artifact in &turn.artifacts {
            artifact_ui(ui, &artifact.into(), false, parts, actions, dialog);
        }
        if let Some(problem) = &turn.record.problem {
            ui.label(text::toned(ui, sentence(problem), Tone::Bad));
        }
        for deviation in &turn.record.deviations {
            ui.label(text::faint(ui, format!("Read generously: {deviation}")));
        }
    });
}

/// Which version of the card and which interface a turn went by, after `lead`.
pub(super) fn way_ui(ui: &mut Ui, lead: &str, past: &PastConversation, turn: &PastTurn, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 2.0);
        ui.spacing_mut().interact_size.y = theme::SMALL_LINE;
        ui.label(text::note(ui, lead));
        let card = past.card_of(turn);
        if let Some(version) = card.and_then(|card| card.version.as_ref()) {
            let name = format!("version {}", version.number);
            if small_link(ui, &name).on_hover_text("Show this version of the card").clicked() {
                let (agent, version) = (version.agent, version.id);
                actions.push(Action::History(HistoryAction::ShowVersion { agent, version }));
                actions.push(Action::ShowView(View::Inspect));
            }
            let obtained = card.and_then(|card| card.obtained_at).unwrap_or(version.first_seen);
            ui.label(text::note(ui, format!("obtained {}", moment_exact(obtained))));
        } else {
            ui.label(text::note(ui, "a version that is no longer kept,"));
            id_ui(ui, "sha256", &turn.record.card_sha256, actions);
        }
        let InterfaceRecord { url, protocol_binding, protocol_version, tenant, .. } = turn.interface();
        ui.label(text::note(ui, format!("· {protocol_binding} {protocol_version} at")));
        ui.label(text::mono(ui, url).color(palette(ui).muted));
        if let Some(tenant) = tenant {
            ui.label(text::note(ui, format!("tenant {tenant}")));
        }
    });
}

/// An error's own words, begun as a sentence.
fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn small_link(ui: &mut Ui, label: &str) -> egui::Response {
    ui.add(Link::new(text::small(label).color(palette(ui).accent)))
}

/// How the turn ended, with time and polls as far as they were kept.
fn standing(turn: &PastTurn) -> (String, Tone) {
    let time = |word: &str| turn.ended_after().map_or_else(String::new, |after| format!(" {word} {}", duration(after)));
    let polls = match turn.record.polls {
        0 => String::new(),
        polls => format!(" · {}", count(polls as usize, "poll")),
    };
    let (words, tone) = outcome_words(&turn.record.outcome);
    let word = if matches!(tone, Tone::Good) || TaskState::parse(&turn.record.outcome).ends_following() {
        "in"
    } else {
        "after"
    };
    (format!("{words}{}{polls}", time(word)), tone)
}

/// The word for an outcome as history keeps it, and how it strikes the eye.
pub(super) fn outcome_words(outcome: &str) -> (String, Tone) {
    let (words, tone) = match outcome {
        "message" => ("answered", Tone::Good),
        "error" => ("failed", Tone::Bad),
        "following failed" => ("lost", Tone::Bad),
        "not finished in time" => ("not finished", Tone::Caution),
        "stopped" => ("stopped", Tone::Caution),
        "sending" => ("no answer kept", Tone::Caution),
        state => return (state.to_owned(), state_tone(&TaskState::parse(state))),
    };
    (words.to_owned(), tone)
}
