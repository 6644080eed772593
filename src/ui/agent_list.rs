//! The list of agents: those open in this session, then those that history knows, each with its versions below it.

use std::collections::HashSet;

use egui::accesskit::Role;
use egui::{Align, FontSelection, Popup, Rect, Response, RichText, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText};
use egui::{pos2, vec2};

use super::quantities;
use super::theme::{self, GRID, palette};
use super::version_rows::versions_ui;
use super::widgets::buttons::quiet_button;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::facts::{Shape, Tone};
use crate::card::lint::Severity;
use crate::client::{Attempt, AttemptOutcome};
use crate::history::records::{AgentId, AgentRecord, VersionId, WatchInterval};
use crate::state::kept::is_private;
use crate::state::watching::can_be_watched;
use crate::state::{Action, AgentEntry, Deletion, Export, HistoryAction, State};

/// Left edge of texts, past the status dot.
pub(super) const TEXT_LEFT: f32 = 34.0;
pub(super) const EDGE: f32 = 14.0;
const ROW_HEIGHT: f32 = 54.0;
/// Room for the number of versions and its arrow.
const COUNT_WIDTH: f32 = 44.0;
/// Intervals that a watch can have, in minutes.
const INTERVALS: [(u32, &str); 5] =
    [(5, "Every 5 minutes"), (15, "Every 15 minutes"), (60, "Every hour"), (360, "Every 6 hours"), (1440, "Every day")];

/// Which runs of versions of the same meaning are unfolded.
#[derive(Debug, Default)]
pub struct AgentList {
    pub(super) unfolded: HashSet<VersionId>,
}

/// One agent as it is listed.
struct Row<'a> {
    title: String,
    below: String,
    hover: String,
    tone: Tone,
    is_current: bool,
    entry: Option<&'a AgentEntry>,
    record: Option<&'a AgentRecord>,
}

impl AgentList {
    /// Draws every agent that fits `search` (in lower case); true if there was any.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, search: &str, actions: &mut Vec<Action>) -> bool {
        let mut shown = 0;
        for entry in state.discovery.entries.iter().filter(|entry| fits(state, entry, search)) {
            self.row_ui(ui, state, &Row::of_entry(state, entry), actions);
            shown += 1;
        }
        for record in state.kept.agents.iter().filter(|record| !is_open(state, record.id)) {
            self.row_ui(ui, state, &Row::of_record(record), actions);
            shown += 1;
        }
        shown > 0
    }

    /// Whatever two rows may be about, what is in one is never taken for a part of the other.
    fn row_ui(&mut self, ui: &mut Ui, state: &State, row: &Row<'_>, actions: &mut Vec<Action>) {
        let place = (row.entry.map(|entry| entry.id), row.record.map(|record| record.id.0));
        ui.push_id(place, |ui| self.row_content_ui(ui, state, row, actions));
    }

    fn row_content_ui(&mut self, ui: &mut Ui, state: &State, row: &Row<'_>, actions: &mut Vec<Action>) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
        let agent = row.record.map(|record| record.id);
        let is_unfolded = agent.is_some_and(|agent| state.kept.is_unfolded(agent));
        if ui.is_rect_visible(rect) {
            paint_background(ui, rect, &response, row.is_current);
            row.paint(ui, rect);
        }
        response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, row.is_current, &row.title));
        if response.clicked() {
            actions.push(row.select());
        }
        response.context_menu(|ui| row.menu_ui(ui, actions));
        response.on_hover_text(shown_in_body(ui, &row.hover));
        if let Some(record) = row.record {
            count_ui(ui, rect, row, record, is_unfolded, actions);
        }
        if is_unfolded && let Some(record) = row.record {
            versions_ui(ui, state, record, &mut self.unfolded, actions);
            foot_ui(ui, record, actions);
        }
    }
}

/// How many agents fit `search`: those of history, and what is open without being in it.
pub fn count(state: &State, search: &str) -> usize {
    let unkept = state.discovery.entries.iter().filter(|entry| entry.history.agent.is_none());
    let unkept = unkept.filter(|entry| fits(state, entry, search)).count();
    unkept + state.kept.total as usize
}

fn is_open(state: &State, agent: AgentId) -> bool {
    state.discovery.entries.iter().any(|entry| entry.history.agent == Some(agent))
}

/// Whether anything shown of the entry contains `wanted`, or history found it by that.
fn fits(state: &State, entry: &AgentEntry, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let in_card = |entry: &AgentEntry| {
        entry.inspection.as_ref().is_some_and(|inspection| {
            has(&inspection.title)
                || inspection.skills.rows.iter().any(|skill| has(&skill.name) || has(&skill.id))
                || inspection.skills.tags.iter().any(|tag| has(tag))
        })
    };
    let found = || entry.history.agent.is_some_and(|agent| state.kept.agent(agent).is_some());
    wanted.is_empty() || has(&entry.address) || has(&entry.retrieval.verdict) || in_card(entry) || found()
}

impl<'a> Row<'a> {
    fn of_entry(state: &'a State, entry: &'a AgentEntry) -> Self {
        let record = entry.history.agent.and_then(|agent| state.kept.agent(agent));
        let (tone, word) = standing(entry);
        let host = host_line(entry);
        let private = record.is_some_and(is_private) || sent_credentials(entry);
        let mut words: Vec<&str> = Vec::new();
        if tone != Tone::Good {
            words.push(word);
        }
        if private {
            words.push("with credentials");
        }
        words.push(&host);
        let watched = record.and_then(|record| record.watch).map(interval_words);
        words.extend(watched.as_deref());
        Self {
            title: title(entry),
            below: words.join(" · "),
            hover: format!("{word}. {}", entry.retrieval.verdict),
            tone,
            is_current: state.discovery.current == Some(entry.id),
            entry: Some(entry),
            record,
        }
    }

    fn of_record(record: &'a AgentRecord) -> Self {
        let host = host_of(&record.card_url);
        let private = if is_private(record) { "with credentials · " } else { "" };
        let checked = quantities::day(record.last_checked);
        let watched = record.watch.map(|watch| format!(" · {}", interval_words(watch))).unwrap_or_default();
        Self {
            title: record.title.clone(),
            below: format!("{private}{host}{watched}"),
            hover: format!("Kept. Last asked {checked}. {}", record.card_url),
            tone: Tone::Plain,
            is_current: false,
            entry: None,
            record: Some(record),
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect) {
        let palette = palette(ui);
        let dot = if self.tone == Tone::Plain { palette.faint } else { theme::tone_color(palette, self.tone) };
        let place = pos2(rect.left() + 19.0, rect.top() + 17.0);
        if self.entry.is_some() {
            ui.painter().circle_filled(place, 3.5, dot);
        } else {
            // Kept, but not asked in this session.
            ui.painter().circle_stroke(place, 3.0, egui::Stroke::new(1.0, dot));
        }
        let mut room = rect.width() - TEXT_LEFT - 2.0 * EDGE;
        if self.record.is_some() {
            room -= COUNT_WIDTH - EDGE;
        } else if let Some(version) = self.entry.and_then(|entry| entry.inspection.as_ref()?.agent_version.as_deref()) {
            let version = text::note(ui, version);
            room -= paint_text(ui, rect, 17.0, version.into(), Align::Max, rect.width() * 0.3);
        }
        let name = RichText::new(shown_in_body(ui, &self.title)).color(palette.text);
        paint_text(ui, rect, 17.0, name.into(), Align::Min, room);
        // On the selection, faint text takes the muted strength.
        let below = text::note(ui, &self.below);
        paint_text(ui, rect, 38.0, below.into(), Align::Min, rect.width() - TEXT_LEFT - EDGE);
    }

    fn select(&self) -> Action {
        match (self.entry, self.record) {
            (None, Some(record)) => Action::History(HistoryAction::ShowAgent { agent: record.id }),
            (Some(entry), _) => Action::SelectAgent { entry: entry.id },
            (None, None) => Action::Select { pointer: None },
        }
    }

    fn address(&self) -> &str {
        let record = || self.record.map(|record| &*record.address).unwrap_or_default();
        self.entry.map_or_else(record, |entry| &entry.address)
    }

    fn menu_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        if ui.button("Fetch again").clicked() {
            if let Some(entry) = self.entry {
                actions.push(Action::SelectAgent { entry: entry.id });
                actions.push(Action::RefreshCard);
            } else {
                actions.push(Action::FetchCard { address: self.address().to_owned() });
            }
        }
        if ui.button("Copy address").clicked() {
            ui.ctx().copy_text(self.address().to_owned());
            actions.push(Action::Copied { what: "The address".to_owned() });
        }
        if let Some(entry) = self.entry {
            let label = if self.record.is_some() { "Close" } else { "Remove from the list" };
            if ui.button(label).clicked() {
                actions.push(Action::CloseAgent { entry: entry.id });
            }
        }
        if let Some(record) = self.record
            && ui.button("Delete from the history…").clicked()
        {
            actions.push(Action::History(HistoryAction::AskToDelete(Deletion::Agent(record.id))));
        }
    }
}

/// The number of versions, which unfolds them.
fn count_ui(
    ui: &Ui,
    row_rect: Rect,
    row: &Row<'_>,
    record: &AgentRecord,
    is_unfolded: bool,
    actions: &mut Vec<Action>,
) {
    let corner = pos2(row_rect.right() - COUNT_WIDTH - 4.0, row_rect.top() + 4.0);
    let rect = Rect::from_min_size(corner, vec2(COUNT_WIDTH, 26.0));
    let response = ui.interact(rect, ui.scope_id().with("versions"), Sense::click());
    let palette = palette(ui);
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 5.0, palette.raised);
    }
    let arrow = if is_unfolded { "▾" } else { "▸" };
    let words = text::note(ui, format!("{} {arrow}", record.versions));
    paint_text(ui, row_rect, 17.0, words.into(), Align::Max, COUNT_WIDTH);
    let name = format!("Versions of {}", row.title);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_unfolded, &name));
    if response.clicked() {
        let agent = record.id;
        let action = if is_unfolded { HistoryAction::Fold { agent } } else { HistoryAction::Unfold { agent } };
        actions.push(Action::History(action));
    }
    response.on_hover_text(if is_unfolded { "Fold the versions" } else { "Show the versions" });
}

/// What can be done with the agent, below its versions.
fn foot_ui(ui: &mut Ui, record: &AgentRecord, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(TEXT_LEFT - 5.0);
        if can_be_watched(record) {
            let label = if record.watch.is_some() { "Watched ▾" } else { "Watch ▾" };
            let button = quiet_button(ui, label).accessible_name(format!("Watch {}", shown_in_body(ui, &record.title)));
            let button = button.on_hover_text("Ask again by itself while the window is open, and say what changed");
            Popup::menu(&button).show(|ui| watch_menu_ui(ui, record, actions));
        }
        if quiet_button(ui, "Export…")
            .on_hover_text("Write the agent with all its versions and conversations into a file")
            .clicked()
        {
            actions.push(Action::History(HistoryAction::Export(Export::Agent(record.id))));
        }
        if quiet_button(ui, "Delete…")
            .on_hover_text("Delete the agent with all its versions and conversations")
            .clicked()
        {
            actions.push(Action::History(HistoryAction::AskToDelete(Deletion::Agent(record.id))));
        }
    });
    ui.add_space(GRID);
}

fn watch_menu_ui(ui: &mut Ui, record: &AgentRecord, actions: &mut Vec<Action>) {
    let choices = INTERVALS.map(|(minutes, words)| (Some(WatchInterval::of_minutes(minutes)), words));
    for (interval, words) in [(None, "Do not watch")].into_iter().chain(choices) {
        if ui.add(egui::Button::selectable(record.watch == interval, words)).clicked() {
            actions.push(Action::History(HistoryAction::Watch { agent: record.id, interval }));
        }
    }
}

fn interval_words(interval: WatchInterval) -> String {
    match interval.minutes() {
        minutes if minutes >= 60 && minutes % 60 == 0 => format!("watched every {} h", minutes / 60),
        minutes => format!("watched every {minutes} min"),
    }
}

pub(super) fn paint_background(ui: &Ui, rect: Rect, response: &Response, is_current: bool) {
    let palette = palette(ui);
    if is_current {
        ui.painter().rect_filled(rect, 0.0, palette.selection);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 0.0, palette.raised);
    }
}

/// Paints one line, cut at `width`, with its middle `middle` below the row's top; returns its width.
pub(super) fn paint_text(ui: &Ui, rect: Rect, middle: f32, words: WidgetText, align: Align, width: f32) -> f32 {
    let galley = words.into_galley(ui, Some(TextWrapMode::Truncate), width.max(10.0), FontSelection::Default);
    let size = galley.size();
    let x = if align == Align::Max { rect.right() - EDGE - 2.0 - size.x } else { rect.left() + TEXT_LEFT };
    ui.painter().galley(pos2(x, rect.top() + middle - size.y / 2.0), galley, palette(ui).text);
    size.x
}

fn title(entry: &AgentEntry) -> String {
    let name = entry.inspection.as_ref().filter(|_| entry.retrieval.found_card).map(|found| found.title.clone());
    name.unwrap_or_else(|| shortened(&entry.address))
}

/// An address without its scheme; pasted text is cut.
fn shortened(address: &str) -> String {
    let address = address.trim();
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    address.chars().take(60).collect()
}

/// Where the card came from: host and port, or the file's name.
fn host_line(entry: &AgentEntry) -> String {
    let asked = entry.shown_attempt.and_then(|index| entry.retrieval.attempts.get(index));
    let Some(attempt) = asked else { return shortened(&entry.address) };
    host_of(attempt.final_url.as_deref().unwrap_or(&attempt.url))
}

fn host_of(place: &str) -> String {
    match url::Url::parse(place).ok().filter(|url| url.host_str().is_some()) {
        Some(url) => {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            format!("{}{port}", url.host_str().unwrap_or_default())
        }
        None if place.starts_with("pasted:") => "pasted".to_owned(),
        None => place.rsplit(['/', '\\']).next().unwrap_or(place).to_owned(),
    }
}

fn sent_credentials(entry: &AgentEntry) -> bool {
    let attempt = entry.shown_attempt.and_then(|index| entry.retrieval.attempts.get(index));
    attempt.is_some_and(Attempt::is_with_credentials)
}

/// How the entry stands, as a tone and in words.
fn standing(entry: &AgentEntry) -> (Tone, &'static str) {
    if entry.retrieval.found_card {
        return match &entry.inspection {
            Some(card) if card.shape == Shape::NotACard => (Tone::Caution, "not a card"),
            Some(card) if card.count(Severity::Error) > 0 => (Tone::Caution, "card with errors"),
            _ => (Tone::Good, "card"),
        };
    }
    match entry.retrieval.headline().map(|attempt| &attempt.outcome) {
        Some(AttemptOutcome::NotACard) => (Tone::Caution, "not a card"),
        Some(AttemptOutcome::NeedsCredentials) => (Tone::Bad, "needs credentials"),
        Some(AttemptOutcome::TooManyRequests) => (Tone::Bad, "too many requests"),
        Some(AttemptOutcome::ServerError) => (Tone::Bad, "server error"),
        Some(AttemptOutcome::NotJson(_)) => (Tone::Bad, "no JSON"),
        Some(AttemptOutcome::Unreachable) => (Tone::Bad, "unreachable"),
        Some(AttemptOutcome::Cancelled) => (Tone::Caution, "cancelled"),
        _ => (Tone::Bad, "no card"),
    }
}
