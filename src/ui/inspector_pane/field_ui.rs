//! A member of the card: its name, its value as written, and what it means.

use std::borrow::Cow;

use egui::{FontId, OpenUrl, RichText, TextFormat, Ui};

use super::outline::FieldPlace;
use super::row::{RowUi, SMALL_BESIDE, finding_mark_ui, row_ui};
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::facts::Tone;
use crate::card::facts::{Field, FieldValue};
use crate::state::{Action, HistoryAction};
use crate::ui::quantities;
use crate::ui::theme::{self, GRID, LINE, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::chip::chip_ui;
use crate::ui::widgets::foreign_text::{shown_in_body, shown_text};
use crate::ui::widgets::json_view::JsonView;

/// JSON up to this many bytes is shown in the row itself.
const SHORT_JSON_BYTES: usize = 160;
/// More text than this is cut until its row is selected.
const LONG_TEXT_CHARS: usize = 600;
/// How high JSON opened within a row may grow.
const OPENED_HEIGHT: f32 = 260.0;

/// Draws the field at `place`.
pub fn field_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, place: &FieldPlace, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(field) = place.of(inspection) else { return };
    let indent = (place.path.len() - 1) as f32 * 3.0 * GRID + place.list.indent();
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            indent,
            |ui, row| row.name(ui, &field.name, field.help, field.spec),
            |ui, row| {
                value_ui(ui, row, scene, field, pointer, place.is_compact(field));
                row.notes(ui, &field.notes);
                finding_mark_ui(ui, row, scene, index);
                row.help(ui, field.help, field.spec);
                if row.is_selected {
                    deeds_ui(ui, scene, field);
                }
            },
        );
    });
}

fn value_ui(
    ui: &mut Ui,
    row: &mut RowUi,
    scene: &mut Scene<'_>,
    field: &Field,
    pointer: Option<&JsonPointer>,
    is_compact: bool,
) {
    match &field.value {
        FieldValue::Absent => {
            let words = if field.aside.is_empty() { "not declared" } else { &field.aside };
            row.aside_line(ui, words);
            return;
        }
        FieldValue::Null => {
            literal_ui(ui, row, "null");
        }
        FieldValue::Text(text) => text_ui(ui, row, text, &field.aside),
        FieldValue::Address(text) => {
            row.address(ui, text);
        }
        FieldValue::Words(words) => words_ui(ui, row, words),
        FieldValue::Literal(text) => literal_ui(ui, row, text),
        FieldValue::Json(json) => json_ui(ui, row, scene, json, pointer),
        FieldValue::Group if field.children.is_empty() => drop(row.aside_line(ui, "empty")),
        FieldValue::Group if is_compact => compact_ui(ui, row, &field.children),
        FieldValue::Group => {}
    }
    let is_beside = matches!(&field.value, FieldValue::Text(_));
    if !field.aside.is_empty() && !is_beside {
        row.aside(ui, &field.aside);
    }
}

/// A few plain members, one under the other without their names; each can be selected by itself.
fn compact_ui(ui: &mut Ui, row: &mut RowUi, members: &[Field]) {
    for member in members {
        let drawn = match &member.value {
            FieldValue::Text(text) => row.foreign(ui, text),
            FieldValue::Address(text) => row.address(ui, text),
            FieldValue::Literal(text) => row.mono(ui, text),
            _ if row.is_selected => row.aside(ui, format!("{}: {}", member.name, member.aside)),
            _ => continue,
        };
        if drawn.clicked() {
            row.selects.clone_from(&member.pointer);
        }
        let hint = format!("{}\n{} {}", member.name, member.help, member.spec);
        drawn.on_hover_text(shown_in_body(ui, &hint));
        row.notes(ui, &member.notes);
    }
}

/// A text with the muted words behind it on the same line.
fn text_ui(ui: &mut Ui, row: &mut RowUi, whole: &str, aside: &str) {
    let cut = whole.char_indices().nth(LONG_TEXT_CHARS).map(|(at, _)| at).filter(|_| !row.is_selected);
    let text = cut.map_or(whole, |cut| &whole[..cut]);
    let font = FontId::proportional(14.0);
    let mut job = egui::text::LayoutJob::default();
    let shown = shown_text(ui, &font, text);
    if text.is_empty() {
        job.append("empty", 0.0, beside(ui));
    }
    job.append(&shown, 0.0, body(ui));
    if cut.is_some() {
        job.append(" … select to read all", 0.0, beside(ui));
    }
    if !aside.is_empty() {
        job.append(&format!("  {aside}"), 0.0, beside(ui));
    }
    row.label(ui, job);
}

/// A value in a line of body text.
pub fn body(ui: &Ui) -> TextFormat {
    TextFormat {
        color: palette(ui).text,
        font_id: FontId::proportional(14.0),
        line_height: Some(LINE),
        ..TextFormat::default()
    }
}

/// Muted words in the same line.
pub fn beside(ui: &Ui) -> TextFormat {
    TextFormat {
        color: palette(ui).muted,
        font_id: theme::small(),
        line_height: Some(SMALL_BESIDE),
        ..TextFormat::default()
    }
}

fn literal_ui(ui: &mut Ui, row: &mut RowUi, literal: &str) {
    let color = palette(ui).text;
    row.label(ui, RichText::new(literal).font(theme::mono()).line_height(Some(LINE)).color(color));
}

/// Short words in a row.
pub fn words_ui(ui: &mut Ui, row: &mut RowUi, words: &[String]) {
    if words.is_empty() {
        row.aside_line(ui, "an empty list");
        return;
    }
    let joined = words.join(", ");
    row.foreign(ui, &joined);
}

/// Short words, each in an outline.
pub fn chips_ui(ui: &mut Ui, words: &[String]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(GRID, GRID);
        for word in words {
            let shown = shown_text(ui, &theme::small(), word).into_owned();
            chip_ui(ui, &shown, Tone::Plain);
        }
    });
}

/// Without the indentation that the value has from where it stands; a line break is never part of a JSON string.
fn dedented(json: &str) -> Cow<'_, str> {
    let Some(last) = json.lines().last().filter(|_| json.contains('\n')) else { return Cow::Borrowed(json) };
    let depth = last.len() - last.trim_start().len();
    let less = |line: &str| {
        let own = line.len() - line.trim_start().len();
        line.get(depth.min(own)..).unwrap_or(line).to_owned()
    };
    Cow::Owned(json.lines().map(less).collect::<Vec<_>>().join("\n"))
}

/// JSON as written: short in the row, long opened on request.
pub fn json_ui(ui: &mut Ui, row: &mut RowUi, scene: &mut Scene<'_>, json: &str, pointer: Option<&JsonPointer>) {
    if json.len() <= SHORT_JSON_BYTES {
        row.mono(ui, &dedented(json));
        return;
    }
    let Some(pointer) = pointer else { return };
    let is_open = scene.opened_json.is_open(pointer);
    ui.horizontal(|ui| {
        row.aside(ui, format!("JSON, {}", quantities::size(json.len())));
        if quiet_button(ui, if is_open { "Hide" } else { "Show" }).clicked() {
            if is_open {
                scene.opened_json.close(pointer);
            } else {
                scene.opened_json.open(pointer, json);
            }
        }
    });
    if let Some((content, view)) = scene.opened_json.get(pointer) {
        let lines = content.line_count() as f32 + 1.0;
        let height = (lines * theme::MONO_ROW).min(OPENED_HEIGHT);
        let size = egui::vec2(ui.available_width(), height);
        ui.allocate_ui(size, |ui| {
            ui.push_id(pointer.as_str(), |ui| {
                ui.set_min_size(size);
                ui.set_max_size(size);
                JsonView::standalone_ui(view, ui, content, scene.actions);
            });
        });
    }
}

/// What can be done with the value of the selected row.
fn deeds_ui(ui: &mut Ui, scene: &mut Scene<'_>, field: &Field) {
    use FieldValue::{Address, Json, Literal, Text};
    let (Text(value) | Address(value) | Literal(value) | Json(value)) = &field.value else { return };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        text_deeds_ui(ui, scene, value);
        if let Some(pointer) = &field.pointer {
            mute_ui(ui, scene, pointer);
        }
    });
}

/// Lets changes of a member count or not count: numbers in a description change all the time (field report C17).
fn mute_ui(ui: &mut Ui, scene: &mut Scene<'_>, pointer: &JsonPointer) {
    let Some(agent) = scene.entry.history.agent else { return };
    let muted = scene.muted.contains(pointer);
    let (label, hint) = if muted {
        ("Count its changes again", "Versions that differ in this member are different versions again")
    } else {
        ("Mute its changes", "Versions that differ only in this member then count as the same meaning")
    };
    if quiet_button(ui, label).on_hover_text(hint).clicked() {
        let (pointer, muted) = (pointer.clone(), !muted);
        scene.actions.push(Action::History(HistoryAction::Mute { agent, pointer, muted }));
    }
}

/// Copying a value as it is, and opening it if it is a link.
pub fn deeds_of_text_ui(ui: &mut Ui, scene: &mut Scene<'_>, value: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        text_deeds_ui(ui, scene, value);
    });
}

fn text_deeds_ui(ui: &mut Ui, scene: &mut Scene<'_>, value: &str) {
    if quiet_button(ui, "Copy").clicked() {
        ui.copy_text(value.to_owned());
        scene.copied("Value");
    }
    if value.starts_with("https://") || value.starts_with("http://") {
        let target = shown_text(ui, &theme::mono(), value).into_owned();
        if quiet_button(ui, "Open link").on_hover_text(target).clicked() {
            // The window shows the target once more and asks before anything opens.
            ui.ctx().open_url(OpenUrl::new_tab(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::dedented;

    #[test]
    fn json_of_several_lines_stands_at_the_edge_of_its_row() {
        assert_eq!(
            dedented("{\n    \"a\": 1,\n\n    \"b\": [\n      2\n    ]\n  }"),
            "{\n  \"a\": 1,\n\n  \"b\": [\n    2\n  ]\n}"
        );
        assert_eq!(dedented("{\"a\": \"  b\"}"), "{\"a\": \"  b\"}");
        assert_eq!(dedented("[\n1]"), "[\n1]");
    }
}
