//! Which changes are shown: by level, by group.

use egui::accesskit::Role;
use egui::{Align, Button, Layout, Popup, RichText, Stroke, Ui, WidgetInfo, vec2};

use crate::card::diff::{CardDiff, Change, Group, Level};
use crate::card::facts::Tone;
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::text;

/// The gravest first.
pub const LEVELS: [Level; 5] = [Level::Breaking, Level::Risky, Level::Compatible, Level::Docs, Level::Notice];

/// What there is to filter by in a comparison.
#[derive(Debug, Default)]
pub struct Counts {
    levels: Vec<(Level, usize)>,
    /// In the order of the inspector.
    groups: Vec<Group>,
}

impl Counts {
    #[must_use]
    pub fn of(diff: &CardDiff) -> Self {
        let count = |level| diff.changes.iter().filter(|change| change.level == level).count();
        let mut groups: Vec<Group> = diff.changes.iter().map(|change| change.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let levels = LEVELS.into_iter().map(|level| (level, count(level))).filter(|(_, count)| *count > 0).collect();
        Self { levels, groups }
    }
}

/// What the reader wants to see of the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    hidden: Vec<Level>,
    /// The only group; all if `None`.
    group: Option<Group>,
}

impl Filter {
    #[must_use]
    pub fn shows(&self, change: &Change) -> bool {
        !self.hidden.contains(&change.level) && self.group.is_none_or(|group| group == change.group)
    }

    #[must_use]
    pub fn shows_all(&self) -> bool {
        self.hidden.is_empty() && self.group.is_none()
    }

    fn toggle(&mut self, level: Level) {
        match self.hidden.iter().position(|hidden| *hidden == level) {
            Some(at) => drop(self.hidden.remove(at)),
            None => self.hidden.push(level),
        }
    }

    fn shows_only(&self, level: Level) -> bool {
        LEVELS.iter().all(|other| self.hidden.contains(other) == (*other != level))
    }

    /// Draws the levels with their counts, each a switch, then the group and the short way, with `end` at the far end.
    pub fn ui(&mut self, ui: &mut Ui, counts: &Counts, end: impl FnOnce(&mut Ui)) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, GRID);
            for &(level, count) in &counts.levels {
                self.level_ui(ui, level, count);
            }
        });
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing = vec2(2.0, 0.0);
            if !counts.levels.is_empty() {
                ui.label(text::note(ui, "Show"));
                self.group_ui(ui, counts);
                let only_breaks = self.shows_only(Level::Breaking);
                let label = if only_breaks { "Show all levels" } else { "Only what breaks" };
                if quiet_button(ui, label).clicked() {
                    let hides = |level: &Level| !only_breaks && *level != Level::Breaking;
                    self.hidden = LEVELS.into_iter().filter(hides).collect();
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), end);
        });
    }

    fn level_ui(&mut self, ui: &mut Ui, level: Level, count: usize) {
        let palette = palette(ui);
        let is_shown = !self.hidden.contains(&level);
        let words = counted(level, count);
        let color = if is_shown { level_color(ui, level) } else { palette.muted };
        let label = RichText::new(&words).font(theme::small()).color(color);
        let label = if is_shown { label } else { label.strikethrough() };
        let button =
            Button::new(label).fill(palette.background).stroke(Stroke::new(1.0, palette.line)).corner_radius(11);
        let button = button.min_size(vec2(0.0, 22.0)).small();
        let usual = std::mem::replace(&mut ui.spacing_mut().button_padding, vec2(9.0, 2.0));
        let response = ui.add(button);
        ui.spacing_mut().button_padding = usual;
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_shown, &words));
        let hover = if is_shown { format!("{} Click to hide.", meaning(level)) } else { "Click to show.".to_owned() };
        if response.on_hover_text(hover).clicked() {
            self.toggle(level);
        }
    }

    fn group_ui(&mut self, ui: &mut Ui, counts: &Counts) {
        let label = self.group.map_or("All groups", Group::label);
        let button = quiet_button(ui, &format!("{label} ⏷")).accessible_name("Group of changes");
        Popup::menu(&button).show(|ui| {
            if ui.add(Button::selectable(self.group.is_none(), "All groups")).clicked() {
                self.group = None;
            }
            for &group in &counts.groups {
                let button = ui.add(Button::selectable(self.group == Some(group), group.label()));
                if button.accessible_name(format!("Only {}", group.label())).clicked() {
                    self.group = Some(group);
                }
            }
        });
    }
}

fn counted(level: Level, count: usize) -> String {
    match (level, count) {
        (Level::Notice, 1) => "1 notice".to_owned(),
        (Level::Notice, _) => format!("{count} notices"),
        (_, _) => format!("{count} {}", level.label()),
    }
}

/// What a level says about a change.
#[must_use]
pub fn meaning(level: Level) -> &'static str {
    match level {
        Level::Breaking => "A client that followed the older card fails with the newer.",
        Level::Risky => "What worked may stop working, or deserves a second look.",
        Level::Compatible => "What worked goes on working.",
        Level::Docs => "Only what people and other agents read.",
        Level::Notice => "A remark on the comparison, not a change to anybody.",
    }
}

#[must_use]
pub fn level_color(ui: &Ui, level: Level) -> egui::Color32 {
    let palette = palette(ui);
    match level {
        Level::Breaking => theme::tone_color(palette, Tone::Bad),
        Level::Risky => theme::tone_color(palette, Tone::Caution),
        Level::Compatible => theme::tone_color(palette, Tone::Good),
        Level::Docs | Level::Notice => palette.muted,
    }
}
