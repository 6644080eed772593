//! The side: what was opened in this run, newest first, and the demo agent.

use egui::{
    Align, FontSelection, Id, Layout, Rect, Response, ScrollArea, Sense, TextEdit, TextWrapMode, Ui, UiBuilder,
};
use egui::{WidgetInfo, WidgetText, accesskit::Role, pos2, vec2};

use super::theme::{self, GRID, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::text;
use crate::card::facts::{Shape, Tone};
use crate::card::lint::Severity;
use crate::card::visible_text::visible_text;
use crate::client::AttemptOutcome;
use crate::state::{Action, AgentEntry, Demo, State};

/// Left edge of texts, past the status dot.
const TEXT_LEFT: f32 = 34.0;
const ROW_HEIGHT: f32 = 54.0;
const EDGE: f32 = 14.0;

/// Search text and focus.
#[derive(Debug, Default)]
pub struct DiscoveryPane {
    search: String,
    take_focus: bool,
}

impl DiscoveryPane {
    pub fn focus_search(&mut self) {
        self.take_focus = true;
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(3.0 * GRID);
        self.search_ui(ui);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            self.entries_ui(ui, state, actions);
            super::catalog_section::catalog_section_ui(ui, state, actions);
            demo_ui(ui, state, actions);
            ui.add_space(4.0 * GRID);
        });
    }

    fn search_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.add_space(3.0 * GRID);
            let field = TextEdit::singleline(&mut self.search)
                .id(Id::unique("search agents"))
                .hint_text("Search agents")
                .margin(vec2(10.0, 5.0))
                .align(egui::Align2::LEFT_CENTER)
                .desired_width(ui.available_width() - 3.0 * GRID);
            let response = ui.add(field).accessible_name("Search agents");
            if std::mem::take(&mut self.take_focus) {
                response.request_focus();
            }
        });
    }

    fn entries_ui(&self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let entries = &state.discovery.entries;
        section_ui(ui, "Agents", &entries.len().to_string());
        if entries.is_empty() {
            line_ui(ui, "What you open is listed here.");
        }
        let wanted = self.search.trim().to_lowercase();
        let mut shown = 0;
        for entry in entries.iter().filter(|entry| wanted.is_empty() || is_about(entry, &wanted)) {
            shown += 1;
            entry_ui(ui, entry, state.discovery.current == Some(entry.id), actions);
        }
        if shown == 0 && !entries.is_empty() {
            line_ui(ui, "No agent fits the search.");
        }
    }
}

/// Whether anything shown of the entry contains `wanted` (in lower case).
fn is_about(entry: &AgentEntry, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let in_card = |entry: &AgentEntry| {
        entry.inspection.as_ref().is_some_and(|inspection| {
            has(&inspection.title)
                || inspection.skills.rows.iter().any(|skill| has(&skill.name) || has(&skill.id))
                || inspection.skills.tags.iter().any(|tag| has(tag))
        })
    };
    has(&entry.address) || has(&entry.retrieval.verdict) || in_card(entry)
}

fn section_ui(ui: &mut Ui, title: &str, count: &str) {
    ui.add_space(4.0 * GRID);
    ui.horizontal(|ui| {
        ui.add_space(EDGE + 2.0);
        ui.label(text::note(ui, title));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(EDGE + 2.0);
            ui.label(text::note(ui, count));
        });
    });
    ui.add_space(GRID);
}

fn line_ui(ui: &mut Ui, words: &str) {
    ui.horizontal(|ui| {
        ui.add_space(EDGE + 2.0);
        ui.label(text::faint(ui, words));
    });
}

fn entry_ui(ui: &mut Ui, entry: &AgentEntry, current: bool, actions: &mut Vec<Action>) {
    let (tone, word) = standing(entry);
    let title = title(entry);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let version = entry.inspection.as_ref().and_then(|inspection| inspection.agent_version.clone());
    if ui.is_rect_visible(rect) {
        paint_row(ui, rect, &response, current);
        let palette = palette(ui);
        ui.painter().circle_filled(pos2(rect.left() + 19.0, rect.top() + 17.0), 3.5, theme::tone_color(palette, tone));
        let version = visible_text(version.as_deref().unwrap_or_default()).into_owned();
        let end = paint_text(ui, rect, 17.0, text::note(ui, version).into(), Align::Max, rect.width() * 0.3);
        let name = egui::RichText::new(&title).color(palette.text);
        paint_text(ui, rect, 17.0, name.into(), Align::Min, rect.width() - TEXT_LEFT - end - 2.0 * EDGE);
        let below = if tone == Tone::Good { host_line(entry) } else { format!("{word} · {}", host_line(entry)) };
        // On the selection, faint text takes the muted strength.
        paint_text(ui, rect, 38.0, text::note(ui, below).into(), Align::Min, rect.width() - TEXT_LEFT - EDGE);
    }
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, current, &title));
    if response.clicked() {
        actions.push(Action::SelectAgent { entry: entry.id });
    }
    response.context_menu(|ui| {
        if ui.button("Fetch again").clicked() {
            actions.push(Action::SelectAgent { entry: entry.id });
            actions.push(Action::RefreshCard);
        }
        if ui.button("Copy address").clicked() {
            ui.ctx().copy_text(entry.address.clone());
            actions.push(Action::Copied { what: "The address".to_owned() });
        }
        if ui.button("Remove from the list").clicked() {
            actions.push(Action::CloseAgent { entry: entry.id });
        }
    });
    response.on_hover_text(format!("{word}. {}", entry.retrieval.verdict));
}

fn paint_row(ui: &Ui, rect: Rect, response: &Response, current: bool) {
    let palette = palette(ui);
    if current {
        ui.painter().rect_filled(rect, 0.0, palette.selection);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 0.0, palette.raised);
    }
}

/// Paints one line, cut at `width`, with its middle `middle` below the row's top; returns its width.
fn paint_text(ui: &Ui, rect: Rect, middle: f32, words: WidgetText, align: Align, width: f32) -> f32 {
    let galley = words.into_galley(ui, Some(TextWrapMode::Truncate), width.max(10.0), FontSelection::Default);
    let size = galley.size();
    let x = if align == Align::Max { rect.right() - EDGE - 2.0 - size.x } else { rect.left() + TEXT_LEFT };
    ui.painter().galley(pos2(x, rect.top() + middle - size.y / 2.0), galley, palette(ui).text);
    size.x
}

fn title(entry: &AgentEntry) -> String {
    let name = entry.inspection.as_ref().filter(|_| entry.retrieval.found_card).map(|found| found.title.clone());
    name.unwrap_or_else(|| visible_text(&shortened(&entry.address)).into_owned())
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
    let place = attempt.final_url.as_deref().unwrap_or(&attempt.url);
    match url::Url::parse(place).ok().filter(|url| url.host_str().is_some()) {
        Some(url) => {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            format!("{}{port}", url.host_str().unwrap_or_default())
        }
        None => place.rsplit(['/', '\\']).next().unwrap_or(place).to_owned(),
    }
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
    let best = entry.retrieval.attempts.iter().map(|attempt| &attempt.outcome).min_by_key(|outcome| outcome.rank());
    match best {
        Some(AttemptOutcome::NotACard) => (Tone::Caution, "not a card"),
        Some(AttemptOutcome::NeedsCredentials) => (Tone::Bad, "needs credentials"),
        Some(AttemptOutcome::ServerError) => (Tone::Bad, "server error"),
        Some(AttemptOutcome::NotJson(_)) => (Tone::Bad, "no JSON"),
        Some(AttemptOutcome::Unreachable) => (Tone::Bad, "unreachable"),
        Some(AttemptOutcome::Cancelled) => (Tone::Caution, "cancelled"),
        _ => (Tone::Bad, "no card"),
    }
}

fn demo_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    section_ui(ui, "Demo agent", "");
    let row = ui.available_rect_before_wrap();
    let inner = Rect::from_min_max(pos2(row.left() + EDGE + 2.0, row.top()), pos2(row.right() - EDGE, row.bottom()));
    ui.scope_builder(UiBuilder::new().max_rect(inner), |ui| {
        ui.spacing_mut().item_spacing.y = GRID / 2.0;
        match &state.demo {
            Demo::Stopped => {
                if ui.button("Start demo agent").clicked() {
                    actions.push(Action::StartDemo);
                }
                ui.add_space(GRID);
                ui.label(text::faint(ui, "A complete agent inside this program, for trying things out."));
            }
            Demo::Starting => {
                ui.label(text::muted(ui, "Starting…"));
            }
            Demo::Running { address, revision } => running_demo_ui(ui, address, *revision, actions),
        }
    });
}

fn running_demo_ui(ui: &mut Ui, address: &str, revision: u8, actions: &mut Vec<Action>) {
    ui.spacing_mut().interact_size.y = 20.0;
    ui.horizontal(|ui| {
        let (dot, _) = ui.allocate_exact_size(vec2(10.0, 14.0), Sense::hover());
        ui.painter().circle_filled(dot.center() - vec2(2.0, 0.0), 3.5, palette(ui).good);
        ui.label("Running");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if quiet_button(ui, "Stop").accessible_name("Stop demo agent").clicked() {
                actions.push(Action::StopDemo);
            }
        });
    });
    ui.horizontal(|ui| {
        ui.add_space(18.0);
        ui.label(text::note(ui, format!("{} · revision {revision} of 2", host_of(address))));
    });
    ui.horizontal(|ui| {
        ui.add_space(13.0);
        if quiet_button(ui, "Open its card").clicked() {
            actions.push(Action::FetchCard { address: address.to_owned() });
        }
        let other = if revision == 1 { 2 } else { 1 };
        if quiet_button(ui, &format!("Serve revision {other}")).clicked() {
            actions.push(Action::SwitchDemoRevision);
        }
    });
}

fn host_of(address: &str) -> String {
    let rest = shortened(address);
    rest.split('/').next().unwrap_or_default().to_owned()
}
