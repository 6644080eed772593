//! The form to open a catalog: where it is, and which kind of registry is asked.

use egui::{Align, Id, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::card::catalog::CatalogKind;
use crate::state::Action;
use crate::state::catalogs::CatalogAction;
use crate::ui::theme::{self, GRID, MARGIN, palette};
use crate::ui::widgets::buttons::{entered, primary_button};
use crate::ui::widgets::text;

/// Width of the column of choices.
const CHOICE_WIDTH: f32 = 160.0;

/// What is being typed and chosen.
#[derive(Debug, Default)]
pub(super) struct Form {
    address: String,
    kind: Option<CatalogKind>,
    /// The address that the form was opened with.
    adopted: Option<String>,
}

impl Form {
    pub(super) fn ui(&mut self, ui: &mut Ui, begins_with: &str, actions: &mut Vec<Action>) {
        let is_new = self.adopted.as_deref() != Some(begins_with);
        if is_new {
            self.adopted = Some(begins_with.to_owned());
            begins_with.clone_into(&mut self.address);
        }
        let room = ui.available_rect_before_wrap();
        let width = (room.width() - 2.0 * MARGIN).min(620.0);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.add_space((room.height() * 0.1).min(80.0));
            ui.horizontal(|ui| {
                ui.add_space(((room.width() - width) / 2.0).max(MARGIN));
                ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
                    self.content_ui(ui, is_new, actions);
                });
            });
        });
    }

    fn content_ui(&mut self, ui: &mut Ui, is_new: bool, actions: &mut Vec<Action>) {
        ui.label(RichText::new("Open a catalog").font(theme::title_strong()).color(palette(ui).text));
        ui.add_space(2.0 * GRID);
        ui.label(
            "A catalog lists agents. Type the address of a registry, of an AI Catalog, or of any JSON list of cards; a \
             file will do too. Only what you choose here is asked.",
        );
        ui.add_space(3.0 * GRID);
        let field = TextEdit::singleline(&mut self.address)
            .id(Id::unique("catalog address"))
            .hint_text("Host, URL or file")
            .margin(vec2(3.0 * GRID, 6.0))
            .align(egui::Align2::LEFT_CENTER)
            .desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Catalog address");
        if is_new {
            response.request_focus();
        }
        ui.add_space(3.0 * GRID);
        let choices = std::iter::once(None).chain(CatalogKind::CHOICES.map(Some));
        for choice in choices {
            let label = choice.map_or("Automatic", CatalogKind::label);
            ui.horizontal(|ui| {
                let row = vec2(CHOICE_WIDTH, ui.spacing().interact_size.y);
                ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_width(CHOICE_WIDTH);
                    ui.radio_value(&mut self.kind, choice, label);
                });
                ui.label(text::faint(ui, explains(choice)));
            });
        }
        ui.add_space(3.0 * GRID);
        let is_ready = !self.address.trim().is_empty();
        let opens = primary_button(ui, "Open catalog", is_ready).clicked() || entered(ui, &response);
        if opens && is_ready {
            let address = self.address.trim().to_owned();
            actions.push(Action::Catalog(CatalogAction::Open { address, kind: self.kind }));
            self.adopted = None;
            // What takes this place is another pane: no button of it shall have the focus of this one.
            if let Some(focused) = ui.memory(egui::Memory::focused) {
                ui.memory_mut(|memory| memory.surrender_focus(focused));
            }
        }
    }
}

/// What is asked for a choice.
fn explains(choice: Option<CatalogKind>) -> &'static str {
    match choice {
        None => "asks what you type; of a bare host, /.well-known/ai-catalog.json",
        Some(CatalogKind::AiCatalog) => "a document; of a bare host, /.well-known/ai-catalog.json",
        Some(CatalogKind::Ard) => "lists by /agents, searches by /search",
        Some(CatalogKind::Agntcy) => "lists by /v1/agents",
        Some(CatalogKind::Apicurio) => "lists by /.well-known/agents, with older versions",
        Some(CatalogKind::A2aRegistry) => "lists by /api/agents",
        Some(CatalogKind::ApicurioVersions | CatalogKind::JsonList) => "exactly the address, whatever holds the list",
    }
}
