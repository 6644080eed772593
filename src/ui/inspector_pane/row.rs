//! The frame of every row: a name column, a value column, and the selection behind both.

use egui::{FontId, Label, Rect, Response, RichText, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2};

use super::outline::worst;
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::facts::{Note, Tone};
use crate::card::lint::Severity;
use crate::card::visible_text::punycode_beside;
use crate::ui::theme::{self, GRID, LINE, NAME_WIDTH, SMALL_LINE, palette};
use crate::ui::widgets::foreign_text::{shown_in_body, shown_text};
use crate::ui::widgets::text;

/// Lines of small text beside body text, whose feet then stand level.
pub const SMALL_BESIDE: f32 = 18.0;

/// Below this width of a row the value stands under its name.
const STACKED_BELOW: f32 = 360.0;

/// Room within a row above and below its text.
const ABOVE: f32 = 2.0;
const BELOW: f32 = 3.0;

/// A row while it is drawn.
pub struct RowUi {
    pub is_selected: bool,
    /// A text in it was clicked, which hides the click from the row itself.
    clicked: bool,
    /// What a click selects instead of what the row stands for.
    pub selects: Option<JsonPointer>,
}

/// Draws a row whose click selects `pointer`; true if it was clicked.
pub fn row_ui(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    index: usize,
    pointer: Option<&JsonPointer>,
    draw: impl FnOnce(&mut Ui, &mut RowUi, &mut Scene<'_>),
) -> bool {
    let background = ui.painter().add(Shape::Noop);
    let mut row = RowUi { is_selected: scene.selected_row == Some(index), clicked: false, selects: None };
    let builder = UiBuilder::new().sense(Sense::click()).id_salt(("row", index));
    let response = ui
        .scope_builder(builder, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.spacing_mut().interact_size.y = LINE;
            ui.add_space(ABOVE);
            draw(ui, &mut row, scene);
            if row.is_selected {
                findings_ui(ui, &mut row, scene, index);
            }
            ui.add_space(BELOW);
        })
        .response;
    if row.is_selected {
        let around = response.rect.expand2(vec2(2.5 * GRID, 0.0));
        ui.painter().set(background, Shape::rect_filled(around, 6.0, palette(ui).selection));
    }
    if response.has_focus() {
        let around = response.rect.expand2(vec2(2.5 * GRID, 0.0));
        ui.painter().rect_stroke(around, 6.0, Stroke::new(1.0, palette(ui).accent), StrokeKind::Inside);
    }
    let clicked = response.clicked() || row.clicked;
    if let Some(pointer) = row.selects.as_ref().or(pointer).filter(|_| clicked) {
        scene.select(pointer);
    }
    clicked
}

impl RowUi {
    /// A row that stands for no member and cannot be selected.
    pub fn plain() -> Self {
        Self { is_selected: false, clicked: false, selects: None }
    }

    /// Counts a click on something in the row as one on the row.
    pub fn pass_click(&mut self, response: &Response) {
        self.clicked |= response.clicked();
    }

    /// Draws `name` and `value` side by side, or one under the other where there is no room.
    pub fn columns(
        &mut self,
        ui: &mut Ui,
        indent: f32,
        name: impl FnOnce(&mut Ui, &mut Self),
        value: impl FnOnce(&mut Ui, &mut Self),
    ) {
        let all = ui.available_rect_before_wrap();
        let is_stacked = all.width() < STACKED_BELOW;
        let name_width = if is_stacked { all.width() } else { NAME_WIDTH };
        let name_rect =
            Rect::from_min_size(all.min + vec2(indent, 0.0), vec2(name_width - indent - GRID, f32::INFINITY));
        let used = ui.scope_builder(UiBuilder::new().max_rect(name_rect), |ui| name(ui, self)).response.rect;
        let origin = if is_stacked {
            pos2(all.left() + indent + 3.0 * GRID, used.bottom() + 1.0)
        } else {
            pos2(all.left() + NAME_WIDTH, all.top())
        };
        let value_rect = Rect::from_min_max(origin, pos2(all.right(), f32::INFINITY));
        ui.scope_builder(UiBuilder::new().max_rect(value_rect), |ui| {
            ui.set_width(ui.available_width());
            value(ui, self);
        });
    }

    /// A text that wraps, can be selected, and passes its click on to the row.
    pub fn label(&mut self, ui: &mut Ui, text: impl Into<egui::WidgetText>) -> Response {
        let response = ui.add(Label::new(text).wrap());
        self.clicked |= response.clicked();
        response
    }

    /// A text from the card in the body face.
    pub fn foreign(&mut self, ui: &mut Ui, foreign: &str) -> Response {
        let shown = shown_text(ui, &FontId::proportional(14.0), foreign).into_owned();
        let color = palette(ui).text;
        self.label(ui, RichText::new(shown).line_height(Some(LINE)).color(color))
    }

    /// A text from the card, muted.
    pub fn foreign_muted(&mut self, ui: &mut Ui, foreign: &str) -> Response {
        let shown = shown_text(ui, &FontId::proportional(14.0), foreign).into_owned();
        let color = palette(ui).muted;
        self.label(ui, RichText::new(shown).line_height(Some(LINE)).color(color))
    }

    /// A text from the card in the monospace face.
    pub fn mono(&mut self, ui: &mut Ui, foreign: &str) -> Response {
        let shown = shown_text(ui, &theme::mono(), foreign).into_owned();
        let shown = text::mono(ui, shown).line_height(Some(LINE));
        self.label(ui, shown)
    }

    /// A web address: in the monospace face, with the real host beside one in another script.
    pub fn address(&mut self, ui: &mut Ui, url: &str) -> Response {
        let response = self.mono(ui, url);
        if let Some(host) = punycode_beside(url) {
            self.note(ui, &Note::new(Tone::Caution, format!("The host is really {host}.")));
        }
        response
    }

    /// Our own words, small and muted.
    pub fn aside(&mut self, ui: &mut Ui, words: impl Into<String>) -> Response {
        let words = text::note(ui, words);
        self.label(ui, words)
    }

    /// Our own words in the place of a value, on the line of its name.
    pub fn aside_line(&mut self, ui: &mut Ui, words: &str) -> Response {
        let words = text::note(ui, words).line_height(Some(LINE));
        self.label(ui, words)
    }

    /// A remark in its tone.
    pub fn note(&mut self, ui: &mut Ui, note: &Note) -> Response {
        let shown = shown_text(ui, &theme::small(), &note.text).into_owned();
        let color =
            if note.tone == Tone::Plain { palette(ui).muted } else { theme::tone_color(palette(ui), note.tone) };
        self.label(ui, RichText::new(shown).font(theme::small()).line_height(Some(SMALL_LINE)).color(color))
    }

    pub fn notes(&mut self, ui: &mut Ui, notes: &[Note]) {
        for note in notes {
            self.note(ui, note);
        }
    }

    /// What a field means and where that is written; only in the selected row.
    pub fn help(&mut self, ui: &mut Ui, help: &str, spec: &str) {
        if self.is_selected && !(help.is_empty() && spec.is_empty()) {
            let words = if spec.is_empty() { help.to_owned() } else { format!("{help} {spec}") };
            self.aside(ui, words.trim());
        }
    }

    /// The name of a member, with its help on hovering.
    pub fn name(&mut self, ui: &mut Ui, name: &str, help: &str, spec: &str) {
        let font = FontId::proportional(14.0);
        let shown = shown_text(ui, &font, name).into_owned();
        let color = palette(ui).muted;
        let room = ui.available_width();
        let fits = |words: &str| {
            ui.fonts_mut(|fonts| fonts.layout_no_wrap(words.to_owned(), font.clone(), color).size().x) <= room
        };
        let lines = lines_of_words(&shown, fits);
        let response = self.label(ui, RichText::new(lines).line_height(Some(LINE)).color(color));
        let response = response.accessible_name(shown);
        if !help.is_empty() {
            let words = if spec.is_empty() { help.to_owned() } else { format!("{help}\n{spec}") };
            response.on_hover_text(shown_in_body(ui, &words));
        }
    }
}

/// A member's name in lines that fit, cut between the words that it is put together from.
fn lines_of_words(name: &str, fits: impl Fn(&str) -> bool) -> String {
    let mut lines = String::with_capacity(name.len() + 2);
    let mut line = 0;
    let mut end = 0;
    for next in word_starts(name).chain([name.len()]) {
        if end > line && !fits(&name[line..next]) {
            lines.push_str(&name[line..end]);
            lines.push('\n');
            line = end;
        }
        end = next;
    }
    lines.push_str(&name[line..]);
    lines
}

/// Where `state|Transition|History` and `x-|api-|key` may be cut.
fn word_starts(name: &str) -> impl Iterator<Item = usize> {
    let pairs = name.char_indices().zip(name.char_indices().skip(1));
    let is_start = |before: char, after: char| {
        before.is_lowercase() && after.is_uppercase() || matches!(before, '-' | '_' | '.' | '/' | ':')
    };
    pairs.filter(move |((_, before), (_, after))| is_start(*before, *after)).map(|(_, (at, _))| at)
}

/// The findings of a selected row, in words.
fn findings_ui(ui: &mut Ui, row: &mut RowUi, scene: &Scene<'_>, index: usize) {
    let Some(findings) = scene.outline.findings.get(&index) else { return };
    let inspection = scene.inspection;
    let sentences: Vec<_> = findings.iter().filter_map(|&at| inspection.findings.get(at)).collect();
    for finding in sentences {
        let tone = severity_tone(finding.severity);
        let words = format!("{}: {} {}", finding.severity.label(), finding.message, finding.spec);
        row.note(ui, &Note::new(tone, words.trim_end()));
    }
}

/// A word at a row that has findings, so that they are seen before it is selected.
pub fn finding_mark_ui(ui: &mut Ui, row: &mut RowUi, scene: &Scene<'_>, index: usize) {
    let Some(findings) = scene.outline.findings.get(&index).filter(|_| !row.is_selected) else { return };
    if let Some(finding) = worst(scene.inspection, findings).filter(|finding| finding.severity >= Severity::Warning) {
        let note = Note::new(severity_tone(finding.severity), finding.severity.label());
        let message = shown_text(ui, &theme::small(), &finding.message).into_owned();
        row.note(ui, &note).on_hover_text(message);
    }
}

/// How a severity strikes the eye.
pub fn severity_tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Caution,
        Severity::Info | Severity::Hint => Tone::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_between_its_words() {
        let lines = |name: &str, room: usize| lines_of_words(name, |words| words.len() <= room);
        assert_eq!(lines("stateTransitionHistory", 22), "stateTransitionHistory");
        assert_eq!(lines("stateTransitionHistory", 21), "stateTransition\nHistory");
        assert_eq!(lines("supportsAuthenticatedExtendedCard", 14), "supports\nAuthenticated\nExtendedCard");
        assert_eq!(lines("x-api-key", 6), "x-api-\nkey");
        assert_eq!(lines("name", 1), "name");
        assert_eq!(lines("", 1), "");
    }
}
