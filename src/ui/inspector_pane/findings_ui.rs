//! Findings: what in the card would mislead a client, each with its place.

use egui::{Button, RichText, Ui};

use super::row::{row_ui, severity_tone};
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::lint::Severity;
use crate::ui::quantities::count;
use crate::ui::theme::{self, LINE, palette};
use crate::ui::widgets::foreign_text::shown_text;
use crate::ui::widgets::text;

/// With more findings than this there is a filter.
pub const FILTER_FROM: usize = 3;

/// One switch for each severity that occurs.
pub fn finding_filter_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    ui.horizontal_wrapped(|ui| {
        let shown = &mut scene.view.severity;
        switch_ui(ui, shown, None, "all");
        for severity in [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint] {
            let number = scene.inspection.count(severity);
            if number > 0 {
                let words = match severity {
                    Severity::Info => format!("{number} info"),
                    _ => count(number, severity.label()),
                };
                switch_ui(ui, shown, Some(severity), &words);
            }
        }
    });
}

fn switch_ui(ui: &mut Ui, shown: &mut Option<Severity>, this: Option<Severity>, label: &str) {
    let is_on = *shown == this;
    let color = if is_on { palette(ui).text } else { palette(ui).muted };
    let label = RichText::new(label).font(theme::small()).color(color);
    if ui.add(Button::selectable(is_on, label).corner_radius(9)).clicked() {
        *shown = this;
    }
}

/// One finding; a click leads to the member it is about.
pub fn finding_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(finding) = inspection.findings.get(at) else { return };
    row_ui(ui, scene, index, pointer, |ui, row, _| {
        row.columns(
            ui,
            0.0,
            |ui, row| {
                let word = finding.severity.label();
                let shown = match severity_tone(finding.severity) {
                    crate::card::facts::Tone::Plain => text::muted(ui, word),
                    tone => text::toned(ui, word, tone),
                };
                row.label(ui, shown.line_height(Some(LINE))).on_hover_text(finding.rule);
            },
            |ui, row| {
                row.foreign(ui, &finding.message);
                let place = if finding.pointer.is_root() { "the whole document" } else { finding.pointer.as_str() };
                let shown = shown_text(ui, &theme::small(), place).into_owned();
                row.aside(ui, format!("{shown}  {}", finding.spec));
            },
        );
    });
}
