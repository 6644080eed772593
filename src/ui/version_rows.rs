//! The versions of one agent, newest first: when each appeared, and how grave its changes are.

use std::collections::HashSet;

use egui::accesskit::Role;
use egui::{Align, Button, CursorIcon, Layout, Rect, RichText, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::agent_list::{EDGE, TEXT_LEFT, paint_background, paint_text};
use super::quantities;
use super::theme::{self, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::facts::Tone;
use crate::history::records::{AgentRecord, VersionId, VersionRecord};
use crate::state::kept::level_words;
use crate::state::{Action, Deletion, Export, HistoryAction, State};

const ROW_HEIGHT: f32 = 26.0;
/// Room for the level at the end of a row.
const LEVEL_WIDTH: f32 = 84.0;
/// With the line below that says what did not change.
const TALL_ROW_HEIGHT: f32 = 42.0;

/// Draws the rows; runs of the same meaning are one row until they are unfolded.
pub fn versions_ui(
    ui: &mut Ui,
    state: &State,
    agent: &AgentRecord,
    unfolded: &mut HashSet<VersionId>,
    actions: &mut Vec<Action>,
) {
    let versions = state.kept.versions.get(&agent.id).map(Vec::as_slice).unwrap_or_default();
    let mut rest = versions;
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|version| version.meaning() == first.meaning()).count();
        let (run, after) = rest.split_at(length);
        VersionRow { state, agent, version: first, before: state.kept.previous(first) }.ui(ui, actions);
        let others = &run[1..];
        if !others.is_empty() {
            let is_unfolded = unfolded.contains(&first.id);
            fold_ui(ui, first.id, others.len(), is_unfolded, unfolded);
            for version in others.iter().filter(|_| is_unfolded) {
                VersionRow { state, agent, version, before: None }.spelling_ui(ui, actions);
            }
        }
        rest = after;
    }
}

fn fold_ui(ui: &mut Ui, first: VersionId, count: usize, is_unfolded: bool, unfolded: &mut HashSet<VersionId>) {
    ui.horizontal(|ui| {
        ui.add_space(TEXT_LEFT - 5.0);
        let arrow = if is_unfolded { "▾" } else { "▸" };
        let label = format!("{arrow} {count} more, same meaning");
        let hint = "Other spellings: the order of members, white space, what is absent or empty, or muted members";
        if quiet_button(ui, &label).on_hover_text(hint).clicked() && !unfolded.remove(&first) {
            unfolded.insert(first);
        }
    });
}

/// One version as it is listed.
struct VersionRow<'a> {
    state: &'a State,
    agent: &'a AgentRecord,
    version: &'a VersionRecord,
    /// The one of another meaning that was served before it, not always the one below.
    before: Option<&'a VersionRecord>,
}

impl VersionRow<'_> {
    fn ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let silent = self.is_silent_change();
        let height = if silent { TALL_ROW_HEIGHT } else { ROW_HEIGHT };
        let (word, tone) = self.level();
        self.row_ui(ui, height, &word, tone, actions, |ui, rect| {
            if silent {
                let words = text::toned_note(ui, "content changed, version did not", Tone::Caution);
                paint_text(ui, rect, 31.0, words.into(), Align::Min, rect.width() - TEXT_LEFT - EDGE);
            }
        });
    }

    /// Another spelling of the version above it.
    fn spelling_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        self.row_ui(ui, ROW_HEIGHT, "same meaning", Tone::Plain, actions, |_, _| {});
    }

    fn row_ui(
        &self,
        ui: &mut Ui,
        height: f32,
        word: &str,
        tone: Tone,
        actions: &mut Vec<Action>,
        more: impl FnOnce(&Ui, Rect),
    ) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
        let is_shown = self.is_shown();
        let date = quantities::day(self.version.first_seen);
        let version = shown_in_body(ui, self.version.agent_version.as_deref().unwrap_or_default()).into_owned();
        if ui.is_rect_visible(rect) {
            paint_background(ui, rect, &response, is_shown);
            let palette = palette(ui);
            let color = if tone == Tone::Plain { palette.muted } else { theme::tone_color(palette, tone) };
            let level = if self.before.is_some() { "" } else { word };
            let level = RichText::new(level).font(theme::small()).color(color);
            paint_text(ui, rect, 13.0, level.into(), Align::Max, LEVEL_WIDTH);
            let strength = if self.is_latest() { palette.text } else { palette.muted };
            let words = RichText::new(format!("{date}  {version}")).font(theme::small()).color(strength);
            paint_text(ui, rect, 13.0, words.into(), Align::Min, rect.width() - TEXT_LEFT - LEVEL_WIDTH - 2.0 * EDGE);
            more(ui, rect);
            if is_shown {
                let mark = Rect::from_min_max(pos2(rect.left(), rect.top()), pos2(rect.left() + 3.0, rect.bottom()));
                ui.painter().rect_filled(mark, 0.0, palette.accent);
            }
        }
        let name = format!("Version {} of {}", self.version.number, shown_in_body(ui, &self.agent.title));
        response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_shown, &name));
        if response.clicked() {
            let (agent, version) = (self.agent.id, self.version.id);
            actions.push(Action::History(HistoryAction::ShowVersion { agent, version }));
        }
        response.context_menu(|ui| self.menu_ui(ui, actions));
        response.on_hover_text(self.hover());
        if self.before.is_some() {
            self.level_ui(ui, rect, word, tone, actions);
        }
    }

    /// The level of the changes, which leads to them.
    fn level_ui(&self, ui: &mut Ui, row: Rect, word: &str, tone: Tone, actions: &mut Vec<Action>) {
        let word = if word.is_empty() { "compare" } else { word };
        let palette = palette(ui);
        let color = if tone == Tone::Plain { palette.muted } else { theme::tone_color(palette, tone) };
        let words = RichText::new(word).font(theme::small()).color(color);
        let place = Rect::from_min_max(
            pos2(row.right() - LEVEL_WIDTH - EDGE, row.top()),
            row.right_top() + vec2(-EDGE + 3.0, ROW_HEIGHT),
        );
        let mut child = ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::right_to_left(Align::Center)));
        child.spacing_mut().button_padding = vec2(5.0, 1.0);
        let name = format!("Compare version {} with previous", self.version.number);
        let button = child.add(Button::new(words).frame_when_inactive(false).small()).accessible_name(name);
        let button = button.on_hover_cursor(CursorIcon::PointingHand);
        if button.on_hover_text(format!("Compare with previous. {}", self.hover())).clicked() {
            actions.push(self.compare());
        }
    }

    fn compare(&self) -> Action {
        let (agent, version) = (self.agent.id, self.version.id);
        Action::History(HistoryAction::CompareWithPrevious { agent, version })
    }

    fn menu_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        if ui.button("Show").clicked() {
            let (agent, version) = (self.agent.id, self.version.id);
            actions.push(Action::History(HistoryAction::ShowVersion { agent, version }));
        }
        if ui.add_enabled(self.before.is_some(), Button::new("Compare with previous")).clicked() {
            actions.push(self.compare());
        }
        if ui.button("Export…").clicked() {
            actions.push(Action::History(HistoryAction::Export(Export::Version(self.version.id))));
        }
        if ui.button("Delete this version…").clicked() {
            actions.push(Action::History(HistoryAction::AskToDelete(Deletion::Version(self.version.id))));
        }
    }

    fn is_latest(&self) -> bool {
        self.agent.latest.as_ref().is_some_and(|latest| latest.id == self.version.id)
    }

    fn is_shown(&self) -> bool {
        let entry = self.state.discovery.current_entry();
        entry.filter(|entry| entry.history.agent == Some(self.agent.id)).is_some_and(|entry| {
            let shown = entry.history.shown.as_ref().map(|shown| shown.id);
            shown.or(entry.history.version) == Some(self.version.id)
        })
    }

    /// Another meaning under the same declared version.
    fn is_silent_change(&self) -> bool {
        let declared = |version: &VersionRecord| version.agent_version.clone();
        self.before.is_some_and(|before| declared(before).is_some() && declared(before) == declared(self.version))
    }

    fn level(&self) -> (String, Tone) {
        match self.before.map(|before| self.version.level_against(before)) {
            None if self.is_latest() => ("current".to_owned(), Tone::Good),
            None => ("first".to_owned(), Tone::Plain),
            Some(Some("none")) => ("no change".to_owned(), Tone::Plain),
            Some(Some(level)) => (level.to_owned(), level_words(level).0),
            Some(None) => (String::new(), Tone::Plain),
        }
    }

    fn hover(&self) -> String {
        let version = self.version;
        let mut words = format!(
            "Version {}. First seen {}, last seen {}.",
            version.number,
            quantities::day(version.first_seen),
            quantities::day(version.last_seen)
        );
        if self.is_latest() {
            words.push_str(" What the agent served last.");
        }
        if let Some(before) = self.before {
            words = match self.version.level_against(before) {
                Some(level) => format!("{words} Against version {}: {}", before.number, level_words(level).1),
                None => format!("{words} Version {} was served before it.", before.number),
            };
        }
        words
    }
}
