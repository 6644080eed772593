//! The side's list of opened catalogs.

use egui::accesskit::Role;
use egui::{RichText, Ui, WidgetInfo};

use super::theme::{GRID, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::side_list::{EDGE, RowWords, row_ui, section_ui};
use super::widgets::text;
use crate::card::address::mask_secrets;
use crate::state::catalogs::{Catalog, CatalogAction};
use crate::state::{Action, State};

/// Draws heading, catalogs and the way to open another one.
pub fn catalog_section_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let opened = &state.catalogs.opened;
    let count = if opened.is_empty() { String::new() } else { opened.len().to_string() };
    section_ui(ui, "Catalogs", &count);
    let current = state.shown_catalog().map(|catalog| catalog.id);
    if opened.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(EDGE + 2.0);
            ui.label(text::faint(ui, "Registries and lists of agents."));
        });
    }
    for catalog in opened {
        catalog_ui(ui, catalog, current == Some(catalog.id), actions);
    }
    ui.horizontal(|ui| {
        ui.add_space(EDGE - 3.0);
        if quiet_button(ui, "Open catalog…").on_hover_text("A list of agents: a registry, an AI Catalog").clicked() {
            actions.push(Action::Catalog(CatalogAction::ShowForm { address: String::new() }));
        }
    });
    ui.add_space(GRID);
}

fn catalog_ui(ui: &mut Ui, catalog: &Catalog, current: bool, actions: &mut Vec<Action>) {
    let id = catalog.id;
    let name = shown_in_body(ui, &catalog.name()).into_owned();
    let count = catalog.total.unwrap_or(catalog.rows.len() as u64);
    let count = if catalog.pages.is_empty() { String::new() } else { count.to_string() };
    let words = RowWords {
        name: RichText::new(&name).color(palette(ui).text).into(),
        aside: text::note(ui, count).into(),
        below: text::note(ui, below(catalog)).into(),
    };
    let response = row_ui(ui, current, words);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, current, format!("Catalog {name}")));
    if response.clicked() {
        actions.push(Action::Catalog(CatalogAction::Select { catalog: id }));
    }
    response.context_menu(|ui| {
        if catalog.has_address() {
            if ui.button("Ask again").clicked() {
                actions.push(Action::Catalog(CatalogAction::Select { catalog: id }));
                actions.push(Action::Catalog(CatalogAction::Refresh { catalog: id }));
            }
            if ui.button("Copy address").clicked() {
                ui.ctx().copy_text(catalog.address.clone());
                actions.push(Action::Copied { what: "The address".to_owned() });
            }
        }
        if ui.button("Remove from the list").clicked() {
            actions.push(Action::Catalog(CatalogAction::Close { catalog: id }));
        }
    });
    response.on_hover_text(shown_in_body(ui, &mask_secrets(&catalog.address)));
}

/// How it stands, or what it is.
fn below(catalog: &Catalog) -> String {
    let kind = catalog.kind.or(catalog.choice);
    if catalog.pending.is_some() {
        "asking…".to_owned()
    } else if catalog.problem.is_some() {
        "not obtained".to_owned()
    } else if catalog.pages.is_empty() {
        "not asked in this run".to_owned()
    } else {
        kind.map_or("", |kind| kind.label()).to_owned()
    }
}
