//! The help sheet: what the window is for and every key.

use egui::{Grid, ScrollArea, Ui};

use super::shortcuts::COMMANDS;
use super::theme::GRID;
use super::widgets::heading::heading_ui;
use super::widgets::text;

const INTRODUCTION: &str = "Type the address of an agent, a card's URL or a file, and press Enter. Inspect explains the \
                            card beside its JSON; Compare says what changed between two cards, and for whom; Message \
                            talks to the agent; Traffic shows every request as it was sent.";

/// Draws the sheet; true when it was closed.
pub(super) fn help_ui(ui: &mut Ui) -> bool {
    ui.label(text::strong(ui, "Cardscope"));
    ui.label(text::faint(ui, format!("Version {}", env!("CARGO_PKG_VERSION"))));
    ui.add_space(GRID);
    ui.label(text::plain(ui, INTRODUCTION));
    heading_ui(ui, "Keys", "");
    ScrollArea::vertical().max_height(400.0).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        Grid::new("keys").num_columns(4).spacing([20.0, 5.0]).show(ui, |ui| {
            let half = COMMANDS.len().div_ceil(2);
            for row in 0..half {
                for entry in [COMMANDS.get(row), COMMANDS.get(half + row)].into_iter().flatten() {
                    let keys: Vec<String> = entry.keys.iter().map(|keys| ui.ctx().format_shortcut(keys)).collect();
                    ui.label(text::muted(ui, keys.join(" or ")));
                    ui.label(entry.name);
                }
                ui.end_row();
            }
        });
    });
    ui.add_space(3.0 * GRID);
    ui.button("Close").clicked()
}
