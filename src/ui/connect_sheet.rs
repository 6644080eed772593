//! The sheet for calling an agent that publishes no card: where it is, and what it speaks.

use egui::{Button, TextEdit, Ui};

use super::theme::{GRID, NAME_WIDTH};
use super::widgets::buttons::primary_button;
use super::widgets::cell::cell_ui;
use super::widgets::text;
use crate::card::facts::Tone;
use crate::card::synthetic::{Connection, Release};
use crate::state::Action;

/// What was typed so far.
#[derive(Debug)]
pub struct ConnectSheet {
    draft: Connection,
}

impl ConnectSheet {
    /// Begins with the address that was typed for a card, if it can be called.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let url = address.trim().to_owned();
        let mut draft = Connection { url, protocol_binding: "JSONRPC", release: Release::V1_0 };
        if draft.objection().is_some() {
            draft.url.clear();
        }
        Self { draft }
    }

    /// Draws the sheet; true when it is done with.
    pub fn ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        ui.label(text::strong(ui, "Connect without a card"));
        ui.label(text::faint(
            ui,
            "Cardscope writes the card that is missing from what you know, and marks it as synthetic. Nothing is asked \
             until you send a message.",
        ));
        ui.add_space(2.0 * GRID);
        self.fields_ui(ui);
        ui.add_space(3.0 * GRID);
        let objection = self.draft.objection();
        if let Some(objection) = objection.filter(|_| !self.draft.url.trim().is_empty()) {
            ui.label(text::toned(ui, objection, Tone::Caution));
        }
        ui.horizontal(|ui| {
            let connect = primary_button(ui, "Connect", objection.is_none()).clicked();
            if connect {
                actions.push(Action::ConnectWithoutCard(self.draft.clone()));
            }
            connect | ui.button("Close").clicked()
        })
        .inner
    }

    fn fields_ui(&mut self, ui: &mut Ui) {
        row_ui(ui, "address", |ui| {
            let field = TextEdit::singleline(&mut self.draft.url)
                .hint_text("https://agent.example/a2a, where it takes calls")
                .desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Address of the agent");
        });
        row_ui(ui, "binding", |ui| {
            for binding in ["JSONRPC", "HTTP+JSON"] {
                if ui.add(Button::selectable(self.draft.protocol_binding == binding, binding)).clicked() {
                    self.draft.protocol_binding = binding;
                }
            }
        });
        row_ui(ui, "version", |ui| {
            for release in [Release::V1_0, Release::V0_3] {
                if ui.add(Button::selectable(self.draft.release == release, release.label())).clicked() {
                    self.draft.release = release;
                }
            }
        });
    }
}

fn row_ui(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        cell_ui(ui, NAME_WIDTH, text::muted(ui, name));
        content(ui);
    });
}
