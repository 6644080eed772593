//! The bottom panel: every exchange as a row, and the selected one in full.

mod details;

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Align, FontSelection, Label, Layout, Panel, Rect, RichText, ScrollArea, Sense, TextEdit, TextWrapMode, Ui};
use egui::{UiBuilder, WidgetInfo, pos2, vec2};

use details::Details;

use super::quantities::{clock_exact, duration, size};
use super::theme::{self, GRID, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::text;
use crate::card::facts::Tone;
use crate::client::{Exchange, ExchangeEnd};
use crate::state::{Action, Settings, State, TrafficRow};
use crate::ui::widgets::foreign_text::shown_in_body;

const ROW_HEIGHT: f32 = 23.0;
const EDGE: f32 = 14.0;
/// Widths of the columns around the URL, which takes what is left.
const TIME: f32 = 100.0;
const METHOD: f32 = 60.0;
const PURPOSE: f32 = 190.0;
const STATUS: f32 = 84.0;
const DURATION: f32 = 76.0;
const SIZE: f32 = 76.0;
/// Width of the names in the details.
const NAME: f32 = 124.0;
/// Below this width the selected exchange takes the place of the list.
const TOO_NARROW_FOR_BOTH: f32 = 820.0;

/// Filter text and the selected exchange.
#[derive(Default)]
pub struct TrafficPane {
    filter: String,
    selected: Option<Details>,
}

impl TrafficPane {
    /// The strip that remains when the panel is closed.
    pub fn closed_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.horizontal_centered(|ui| {
            ui.add_space(EDGE - 8.0);
            toggle_ui(ui, state, actions);
            if let Some(last) = state.traffic.rows.back() {
                let status = last.exchange.status().map_or_else(|| "no answer".to_owned(), |status| status.to_string());
                ui.label(text::note(
                    ui,
                    format!("{} {} {status}", clock_exact(last.exchange.started_at), shown_in_body(ui, &last.purpose)),
                ));
            }
        });
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        // A panel keeps its size only if its content takes all of it.
        ui.set_min_height(ui.available_height());
        ui.spacing_mut().item_spacing.y = 0.0;
        self.bar_ui(ui, state, actions);
        let width = ui.available_width();
        if self.selected.is_some() && width < TOO_NARROW_FOR_BOTH {
            egui::Frame::new().inner_margin(egui::Margin::symmetric(EDGE as i8, 0)).show(ui, |ui| {
                self.details_ui(ui, actions);
            });
            return;
        }
        if self.selected.is_some() {
            Panel::right("exchange")
                .resizable(true)
                .default_size(width * 0.5)
                .size_range(240.0..=width - 300.0)
                .frame(egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 8, top: 0, bottom: 4 }))
                .show(ui, |ui| self.details_ui(ui, actions));
        }
        self.rows_ui(ui, state);
    }

    fn bar_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 34.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_height(34.0);
            ui.spacing_mut().interact_size.y = 22.0;
            ui.add_space(EDGE - 5.0);
            toggle_ui(ui, state, actions);
            let field = TextEdit::singleline(&mut self.filter)
                .font(theme::small())
                .margin(vec2(8.0, 2.0))
                .align(egui::Align2::LEFT_CENTER)
                .min_size(vec2(0.0, 22.0))
                .hint_text(text::small("Filter"))
                .desired_width(160.0);
            ui.add(field).accessible_name("Filter traffic");
            if state.traffic.forgotten > 0 {
                ui.label(text::faint(ui, format!("{} older ones were let go", state.traffic.forgotten)));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(EDGE - 5.0);
                let any = !state.traffic.rows.is_empty();
                ui.add_enabled_ui(any, |ui| {
                    if quiet_button(ui, "Save all…").clicked() {
                        actions.push(Action::SaveTraffic);
                    }
                    if quiet_button(ui, "Clear").accessible_name("Clear traffic").clicked() {
                        self.selected = None;
                        actions.push(Action::ClearTraffic);
                    }
                });
                let exchange = self.selected.as_ref().map(|details| &details.exchange);
                ui.add_enabled_ui(exchange.is_some(), |ui| {
                    let button = quiet_button(ui, "Copy as cURL").on_disabled_hover_text("Select a request first.");
                    if let Some(exchange) = exchange.filter(|_| button.clicked()) {
                        details::copy_as_curl(ui, exchange, false, actions);
                    }
                });
            });
        });
    }

    fn details_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let Some(details) = &mut self.selected else { return };
        if details.ui(ui, actions) {
            self.selected = None;
        }
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &State) {
        let wanted = self.filter.trim().to_lowercase();
        let rows: Vec<&TrafficRow> =
            state.traffic.rows.iter().filter(|row| wanted.is_empty() || is_about(row, &wanted)).collect();
        if rows.is_empty() {
            ui.horizontal(|ui| {
                ui.add_space(EDGE);
                let words = if wanted.is_empty() { "Nothing was sent yet." } else { "No request fits the filter." };
                ui.label(text::faint(ui, words));
            });
            return;
        }
        let area = ScrollArea::vertical().id_salt("traffic rows").auto_shrink(false).stick_to_bottom(true);
        area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
            for row in rows.get(range).unwrap_or_default() {
                self.row_ui(ui, row);
            }
        });
    }

    fn row_ui(&mut self, ui: &mut Ui, row: &TrafficRow) {
        let exchange = &row.exchange;
        let selected = self.selected.as_ref().is_some_and(|details| Arc::ptr_eq(&details.exchange, exchange));
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
        let palette = palette(ui);
        if selected {
            ui.painter().rect_filled(rect, 0.0, palette.selection);
        } else if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 0.0, palette.raised);
        }
        paint_cells(ui, rect, row);
        let name = format!("{} {} {}", exchange.request.method, exchange.request.url, row.purpose);
        response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, selected, &name));
        if response.clicked() {
            self.selected = (!selected).then(|| Details::new(Arc::clone(exchange)));
        }
    }

    /// Whether an exchange is shown in full, which wants more room.
    #[must_use]
    pub fn shows_details(&self) -> bool {
        self.selected.is_some()
    }

    /// Opens the details of an exchange that was asked for elsewhere.
    pub fn select(&mut self, exchange: &Arc<Exchange>) {
        self.selected = Some(Details::new(Arc::clone(exchange)));
    }
}

fn toggle_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let open = state.settings.traffic_open;
    let sign = if open { "▾" } else { "▸" };
    let response = quiet_button(ui, &format!("{sign} Traffic"));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, "Traffic"));
    if response.clicked() {
        actions.push(toggle(state));
    }
}

/// Opens or closes the panel.
pub(super) fn toggle(state: &State) -> Action {
    Action::ChangeSettings(Settings { traffic_open: !state.settings.traffic_open, ..state.settings.clone() })
}

fn is_about(row: &TrafficRow, wanted: &str) -> bool {
    let exchange = &row.exchange;
    let status = exchange.status().map(|status| status.to_string()).unwrap_or_default();
    [&row.purpose, &exchange.request.url, &exchange.request.method, &status]
        .iter()
        .any(|text| text.to_lowercase().contains(wanted))
}

fn paint_cells(ui: &Ui, rect: Rect, row: &TrafficRow) {
    let exchange = &row.exchange;
    let palette = palette(ui);
    // The columns at the end go one by one where the panel is narrow; the details have them all.
    let room = rect.width() - 2.0 * EDGE - TIME - METHOD;
    let wide = room > PURPOSE + STATUS + DURATION + SIZE + 140.0;
    let purpose = if wide { PURPOSE } else { PURPOSE * 0.6 };
    let ends = if wide { purpose + STATUS + DURATION + SIZE } else { purpose + STATUS };
    let url_width = (room - ends).max(0.0);
    let mut x = rect.left() + EDGE;
    let mut cell = |words: RichText, width: f32| {
        let words: egui::WidgetText = words.into();
        let galley =
            words.into_galley(ui, Some(TextWrapMode::Truncate), (width - 12.0).max(8.0), FontSelection::Default);
        ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, palette.text);
        x += width;
    };
    cell(text::note(ui, clock_exact(exchange.started_at)), TIME);
    cell(text::note(ui, &exchange.request.method), METHOD);
    cell(RichText::new(shown_in_body(ui, &exchange.request.url)).font(theme::small()).color(palette.text), url_width);
    cell(text::note(ui, &row.purpose), purpose);
    let (word, tone) = status_words(exchange);
    cell(text::toned_note(ui, word, tone), STATUS);
    if wide {
        cell(text::note(ui, duration(exchange.duration)), DURATION);
        let bytes = exchange.response().map(|response| size(response.wire_bytes)).unwrap_or_default();
        cell(text::note(ui, bytes), SIZE);
    }
}

/// The status or what came instead of one, and how it strikes the eye.
fn status_words(exchange: &Exchange) -> (String, Tone) {
    match &exchange.end {
        ExchangeEnd::Answered(response) => {
            let tone = match response.status {
                200..300 | 304 => Tone::Good,
                300..400 => Tone::Caution,
                _ => Tone::Bad,
            };
            (response.status.to_string(), tone)
        }
        ExchangeEnd::Failed { .. } => ("no answer".to_owned(), Tone::Bad),
        ExchangeEnd::Cancelled => ("cancelled".to_owned(), Tone::Caution),
    }
}

/// A line of the details: a muted name and a value that can be selected.
fn line_ui(ui: &mut Ui, name: &str, value: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * GRID;
        let (place, _) = ui.allocate_exact_size(vec2(NAME, theme::SMALL_LINE), Sense::hover());
        let builder = UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Min));
        // A child of its own: a scope would move the value up to the end of a short name.
        let mut cell = ui.new_child(builder);
        let name = text::note(&cell, name);
        cell.add(Label::new(name).truncate());
        ui.add(Label::new(text::mono(ui, value)).wrap());
    });
}
