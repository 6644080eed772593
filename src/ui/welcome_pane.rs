//! The centre before anything was opened: the ways in.

use egui::{Align, Layout, Ui};

use super::dialogs::Dialog;
use super::theme::{self, GRID, MARGIN, palette};
use super::widgets::buttons::primary_button;
use super::widgets::text;
use crate::state::{Action, Demo, State};

/// Says what to do first, with buttons that do it.
pub fn welcome_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
    let room = ui.available_rect_before_wrap();
    let width = (room.width() - 2.0 * MARGIN).min(560.0);
    ui.add_space((room.height() * 0.22).min(180.0));
    ui.horizontal(|ui| {
        ui.add_space(((room.width() - width) / 2.0).max(MARGIN));
        ui.allocate_ui_with_layout(egui::vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
            ui.label(egui::RichText::new("Open an Agent Card").font(theme::title_strong()).color(palette(ui).text));
            ui.add_space(2.0 * GRID);
            ui.label(text::plain(
                ui,
                "Type the address of an agent above and press Enter: a host, a path under one, or the complete URL of \
                 a card. A file can be dropped on the window, and a card's JSON can be pasted.",
            ));
            ui.add_space(4.0 * GRID);
            ui.horizontal_wrapped(|ui| {
                let can_start = state.demo == Demo::Stopped;
                if primary_button(ui, "Try the demo agent", can_start).clicked() {
                    actions.push(Action::StartDemo);
                }
                if ui.button("Choose a file…").clicked() {
                    actions.push(Action::PickCardFile);
                }
                if ui.button("Paste JSON…").clicked() {
                    *dialog = Some(Dialog::paste());
                }
            });
            ui.add_space(2.0 * GRID);
            ui.label(text::faint(ui, "The demo agent runs inside this program and needs no network."));
        });
    });
}
