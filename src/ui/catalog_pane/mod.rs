//! The centre where a catalog is open: what it lists, row by row, and the form to open another one.

mod entry_panel;
mod form;
mod rows;
mod search;

use egui::{Align, CentralPanel, Frame, Layout, Margin, Panel, RichText, Ui};

use self::entry_panel::EntryPanel;
use self::form::Form;
use self::rows::{Fitting, rows_ui};
use self::search::SearchLine;
use super::dialogs::Dialog;
use super::quantities::elapsed;
use super::theme::{self, GRID, MARGIN, palette};
use super::widgets::buttons::{primary_button, quiet_button};
use super::widgets::chip::chip_ui;
use super::widgets::text;
use crate::card::address::mask_secrets;
use crate::card::facts::Tone;
use crate::client::{CatalogFailure, CatalogFailureKind};
use crate::state::catalogs::{Catalog, CatalogAction, CatalogView};
use crate::state::trusting::{TRUST_LABEL, ask_to_trust};
use crate::state::{Action, State};
use crate::ui::widgets::foreign_text::shown_in_body;

/// How many remarks on a page stand above its rows.
const MOST_NOTES: usize = 4;

/// Drafts, filter and selection.
#[derive(Default)]
pub struct CatalogPane {
    form: Form,
    search: SearchLine,
    fitting: Fitting,
    entry: Option<EntryPanel>,
}

impl CatalogPane {
    /// Draws the form or the open catalog; false if there is neither.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) -> bool {
        if let CatalogView::Form { address } = &state.catalogs.shown {
            self.form.ui(ui, address, actions);
            return true;
        }
        let Some(catalog) = state.catalogs.current() else { return false };
        self.catalog_ui(ui, state, catalog, actions, dialog);
        true
    }

    /// Puts the caret into `Search catalog`.
    pub fn focus_search(&mut self) {
        self.search.take_focus();
    }

    fn catalog_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        catalog: &Catalog,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        let frame = Frame::new().inner_margin(Margin { left: MARGIN as i8, right: 12, top: 14, bottom: 8 });
        Panel::top("catalog title").frame(frame).show(ui, |ui| {
            title_ui(ui, catalog, actions);
            if !catalog.pages.is_empty() || catalog.searches_on_server() {
                ui.add_space(2.0 * GRID);
                self.search.ui(ui, catalog, actions);
            }
        });
        self.fitting.update(catalog, self.search.wanted(catalog));
        Panel::bottom("catalog pages")
            .exact_size(38.0)
            .frame(Frame::new().inner_margin(Margin::symmetric(MARGIN as i8, 0)))
            .show(ui, |ui| pages_ui(ui, catalog, self.search.filters(catalog), self.fitting.count(), actions));
        self.entry.take_if(|entry| !entry.is_of(catalog));
        let width = ui.available_width();
        if let Some(entry) = &mut self.entry {
            let panel = Panel::right("catalog entry")
                .resizable(true)
                .default_size((width * 0.4).max(320.0))
                .size_range(260.0..=(width - 240.0).max(260.0))
                .frame(Frame::new().inner_margin(Margin { left: 14, right: 10, top: 4, bottom: 4 }));
            let closed = panel.show(ui, |ui| entry.ui(ui, catalog, actions)).inner;
            if closed {
                self.entry = None;
            }
        }
        CentralPanel::no_frame().frame(Frame::NONE).show(ui, |ui| {
            if let Some(problem) = &catalog.problem {
                problem_ui(ui, state, catalog, problem, actions, dialog);
            }
            let selected = self.entry.as_ref().map(|entry| entry.row);
            if let Some(row) = rows_ui(ui, catalog, &self.fitting, selected, actions) {
                self.entry = if selected == Some(row) { None } else { EntryPanel::new(catalog, row) };
            }
        });
    }
}

fn title_ui(ui: &mut Ui, catalog: &Catalog, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let name = shown_in_body(ui, &catalog.name()).into_owned();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let id = catalog.id;
            if quiet_button(ui, "Close").accessible_name("Close catalog").clicked() {
                actions.push(Action::Catalog(CatalogAction::Close { catalog: id }));
            }
            if catalog.has_address() && catalog.pending.is_none() {
                let button = quiet_button(ui, "Ask again").accessible_name("Ask the catalog again");
                if button.clicked() {
                    actions.push(Action::Catalog(CatalogAction::Refresh { catalog: id }));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = RichText::new(name).font(theme::title_strong()).color(palette(ui).text);
                ui.add(egui::Label::new(title).truncate());
                if let Some(kind) = catalog.kind.or(catalog.choice) {
                    chip_ui(ui, kind.label(), Tone::Plain);
                }
            });
        });
    });
    ui.spacing_mut().item_spacing.y = 1.0;
    let Some(page) = catalog.pages.first() else {
        ui.label(text::note(ui, mask_secrets(&catalog.address)));
        return;
    };
    let place = if page.place.is_empty() { mask_secrets(&catalog.address) } else { page.place.clone() };
    ui.add(egui::Label::new(text::note(ui, &place)).truncate());
    for note in page.assumptions.iter().chain(&page.page.notes).take(MOST_NOTES) {
        ui.label(text::faint(ui, note));
    }
}

/// How much is here, and the way to more.
fn pages_ui(ui: &mut Ui, catalog: &Catalog, filtered: bool, fitting: usize, actions: &mut Vec<Action>) {
    let id = catalog.id;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().interact_size.y = 24.0;
        if let Some(pending) = &catalog.pending {
            let what = if pending.replaces { "Asking" } else { "Asking for the next page" };
            ui.label(text::muted(ui, format!("{what}… {}", elapsed(pending.since))));
            if quiet_button(ui, "Cancel").accessible_name("Cancel asking the catalog").clicked() {
                actions.push(Action::Catalog(CatalogAction::Cancel { catalog: id }));
            }
            return;
        }
        if catalog.pages.is_empty() {
            return;
        }
        let loaded = catalog.rows.len();
        let words = match catalog.total {
            Some(total) if total != loaded as u64 => format!("{loaded} of {total} loaded"),
            _ if catalog.next.is_some() => format!("{loaded} loaded, there are more"),
            _ => super::quantities::count(loaded, "entry").replace("entrys", "entries"),
        };
        let words = if filtered { format!("{words}, {fitting} shown") } else { words };
        ui.label(text::note(ui, words));
        if catalog.next.is_some() && ui.button("More…").on_hover_text("Ask for the next page").clicked() {
            actions.push(Action::Catalog(CatalogAction::More { catalog: id }));
        }
        if let Some(stopped) = &catalog.stopped {
            ui.label(text::toned_note(ui, stopped, Tone::Caution));
        }
    });
}

/// Why a page did not come, and what can be done about it.
fn problem_ui(
    ui: &mut Ui,
    state: &State,
    catalog: &Catalog,
    problem: &CatalogFailure,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    let frame = Frame::new().inner_margin(Margin::symmetric(MARGIN as i8, 10));
    frame.show(ui, |ui| {
        ui.label(text::toned(ui, &problem.sentence, Tone::Bad));
        ui.label(text::muted(ui, advice(problem.kind)));
        ui.add_space(GRID);
        ui.horizontal_wrapped(|ui| {
            if problem.kind == CatalogFailureKind::NeedsCredentials
                && primary_button(ui, "Set a credential…", true).clicked()
            {
                *dialog = Some(Dialog::credential(state, &catalog.address));
            }
            let certificate = problem.exchange.as_ref().and_then(|exchange| exchange.refused_certificate());
            if let Some(certificate) = certificate.filter(|certificate| certificate.can_be_trusted())
                && ui.button(TRUST_LABEL).clicked()
            {
                let again = Action::Catalog(CatalogAction::Refresh { catalog: catalog.id });
                actions.push(ask_to_trust(certificate, Some(again)));
            }
            if catalog.has_address() {
                if ui.button("Try again").clicked() {
                    actions.push(Action::Catalog(CatalogAction::Refresh { catalog: catalog.id }));
                }
                if ui.button("Open as catalog…").on_hover_text("Say which kind of registry it is").clicked() {
                    let address = catalog.address.clone();
                    actions.push(Action::Catalog(CatalogAction::ShowForm { address }));
                }
            }
            if problem.kind == CatalogFailureKind::NotACatalog && ui.button("Fetch as an agent").clicked() {
                actions.push(Action::FetchCard { address: catalog.address.clone() });
            }
            if let Some(exchange) = &problem.exchange
                && quiet_button(ui, "In Traffic").clicked()
            {
                actions.push(Action::ShowExchange(exchange.clone()));
            }
        });
    });
}

fn advice(kind: CatalogFailureKind) -> &'static str {
    match kind {
        CatalogFailureKind::Address => "Check the address.",
        CatalogFailureKind::NeedsCredentials => "Set a credential for this origin, then ask again.",
        CatalogFailureKind::Refused => {
            "If this is a registry, say of which kind: each answers at a path of its own. The answer is in Traffic."
        }
        CatalogFailureKind::SearchOnly => "Type what you look for above and press Enter.",
        CatalogFailureKind::NotACatalog => "What came is in Traffic. If it is one agent, fetch it as an agent.",
        CatalogFailureKind::NoAnswer => "Check host, port, proxy and certificate settings.",
        CatalogFailureKind::Cancelled => "Nothing more was asked.",
    }
}
