//! The interfaces as a table: binding, version, address, and what can be done with each.

use egui::{Color32, FontId, Rect, RichText, Ui, UiBuilder, pos2};

use super::field_ui::deeds_of_text_ui;
use super::row::{RowUi, finding_mark_ui, row_ui};
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::facts::{Interface, InterfaceTable, Note, Readers, Tone};
use crate::ui::theme::{self, GRID, LINE};
use crate::ui::widgets::foreign_text::shown_text;

/// The verdict is given at least this much.
const VERDICT_WIDTH: f32 = 192.0;

/// The table's columns, as distances from the row's edge.
struct Columns {
    version: f32,
    address: f32,
    verdict: f32,
    /// The verdict stands under the address where there is no room beside it.
    is_stacked: bool,
}

impl Columns {
    fn of(ui: &Ui, table: &InterfaceTable) -> Self {
        let width = ui.available_width();
        let width_of = |text: &str, font: FontId| {
            let shown = shown_text(ui, &font, text).into_owned();
            ui.fonts_mut(|fonts| fonts.layout_no_wrap(shown, font, Color32::PLACEHOLDER).size().x)
        };
        // Few tables have more rows than can be seen; the widest of the first says enough.
        let first = || table.rows.iter().take(40);
        let body = FontId::proportional(14.0);
        let widest = first().map(|row| width_of(binding_text(row), body.clone())).fold(40.0, f32::max).min(130.0);
        let version = widest + 3.0 * GRID;
        let address = version + 15.0 * GRID;
        let room = width - address;
        let addresses = first().map(|row| width_of(&row.url, theme::mono())).fold(80.0, f32::max) + 3.0 * GRID;
        let is_stacked = room < 320.0 || (room < 480.0 && room < addresses + VERDICT_WIDTH);
        let verdict =
            if is_stacked { address } else { address + addresses.clamp(room * 0.3, (room - VERDICT_WIDTH).max(0.0)) };
        Self { version, address, verdict, is_stacked }
    }
}

/// The words over the columns.
pub fn interfaces_head_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    let columns = Columns::of(ui, &scene.inspection.interfaces);
    let mut row = RowUi::plain();
    let all = ui.available_rect_before_wrap();
    for (left, words) in [(0.0, "binding"), (columns.version, "version"), (columns.address, "address")] {
        cell_ui(ui, all, left, all.width(), |ui| row.aside(ui, words));
    }
    ui.add_space(GRID);
}

/// One interface.
pub fn interface_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let table = &inspection.interfaces;
    let Some(interface) = table.rows.get(at) else { return };
    let columns = Columns::of(ui, table);
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        let all = ui.available_rect_before_wrap();
        cell_ui(ui, all, 0.0, columns.version - GRID, |ui| {
            let name = row.foreign(ui, binding_text(interface));
            if interface.binding_text.is_none() {
                name.on_hover_text("assumed, not declared");
                row.aside(ui, "assumed");
            }
        });
        cell_ui(ui, all, columns.version, columns.address - columns.version - GRID, |ui| {
            match &interface.version_text {
                Some(version) => row.foreign(ui, version),
                None => row.aside(ui, interface.dialect.map_or("none", |dialect| dialect.label())),
            };
        });
        let address_end = if columns.is_stacked { all.width() } else { columns.verdict - GRID };
        let used = cell_ui(ui, all, columns.address, address_end - columns.address, |ui| {
            address_ui(ui, row, interface);
            if row.is_selected {
                deeds_of_text_ui(ui, scene, &interface.url);
            }
        });
        let top = if columns.is_stacked { used.bottom() + 1.0 } else { all.top() };
        let below = Rect::from_min_max(pos2(all.left(), top), all.max);
        cell_ui(ui, below, columns.verdict, all.width() - columns.verdict, |ui| {
            verdict_ui(ui, row, scene, interface, at);
            // A flag says already what the finding would.
            if interface.flag.is_none() {
                finding_mark_ui(ui, row, scene, index);
            }
        });
    });
}

fn cell_ui<R>(ui: &mut Ui, all: Rect, left: f32, width: f32, draw: impl FnOnce(&mut Ui) -> R) -> Rect {
    let min = pos2(all.left() + left, all.top());
    let max = pos2((min.x + width.max(4.0 * GRID)).min(all.right().max(min.x + 4.0 * GRID)), f32::INFINITY);
    ui.scope_builder(UiBuilder::new().max_rect(Rect::from_min_max(min, max)), |ui| {
        draw(ui);
    })
    .response
    .rect
}

fn binding_text(interface: &Interface) -> &str {
    interface.binding_text.as_deref().unwrap_or(interface.binding.name())
}

fn address_ui(ui: &mut Ui, row: &mut RowUi, interface: &Interface) {
    if interface.url.is_empty() {
        row.aside(ui, "no address");
    } else {
        row.address(ui, &interface.url);
    }
    if let Some(tenant) = &interface.tenant {
        row.aside(ui, format!("tenant \"{tenant}\""));
    }
    row.notes(ui, &interface.notes);
}

/// Whether and why it would be used, and who reads it.
fn verdict_ui(ui: &mut Ui, row: &mut RowUi, scene: &Scene<'_>, interface: &Interface, at: usize) {
    let table = &scene.inspection.interfaces;
    if table.chosen == Some(at) {
        let words = match (table.rows.len(), at) {
            (1, _) => "chosen: the only one",
            (_, 0) => "chosen: first one supported",
            _ => "chosen: first supported of the list",
        };
        row.label(
            ui,
            RichText::new(words).line_height(Some(LINE)).color(theme::tone_color(theme::palette(ui), Tone::Good)),
        );
        if row.is_selected {
            row.aside(ui, &table.chosen_reason);
        }
    }
    if let Some(reason) = &interface.unusable {
        row.note(ui, &Note::new(Tone::Plain, reason));
    }
    if let Some(flag) = &interface.flag {
        row.note(ui, &Note::new(Tone::Caution, &flag.text));
        if let Some(suggestion) = flag.suggestion.as_ref().filter(|_| interface.usable()) {
            row.aside(ui, format!("Possible instead: {suggestion}"));
        }
    }
    let is_plain = interface.usable() && interface.flag.is_none();
    if is_plain && table.chosen != Some(at) {
        row.aside(ui, "usable");
    }
    match interface.readers {
        Readers::All => {}
        Readers::NewClients => drop(row.aside(ui, "read by clients of 1.0")),
        Readers::OldClients => drop(row.aside(ui, "read by older clients")),
    }
}
