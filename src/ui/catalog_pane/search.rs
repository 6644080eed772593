//! The search line of a catalog: in what is here while typing, by the registry itself on Enter where it can.

use egui::{Id, TextEdit, Ui, vec2};

use crate::state::Action;
use crate::state::catalogs::{Catalog, CatalogAction, CatalogId};
use crate::ui::theme::GRID;
use crate::ui::widgets::buttons::{entered, quiet_button};
use crate::ui::widgets::text;

/// Draft and focus.
#[derive(Debug, Default)]
pub(super) struct SearchLine {
    draft: String,
    /// The catalog that the draft is about.
    of: Option<CatalogId>,
    focus: bool,
}

impl SearchLine {
    pub(super) fn take_focus(&mut self) {
        self.focus = true;
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, catalog: &Catalog, actions: &mut Vec<Action>) {
        if self.of != Some(catalog.id) {
            self.of = Some(catalog.id);
            self.draft.clone_from(&catalog.search);
        }
        let on_server = catalog.searches_on_server();
        ui.horizontal_wrapped(|ui| {
            let width = (ui.available_width() * 0.4).clamp(160.0, 360.0);
            let field = TextEdit::singleline(&mut self.draft)
                .id(Id::unique("search catalog"))
                .hint_text("Search catalog")
                .margin(vec2(10.0, 5.0))
                .align(egui::Align2::LEFT_CENTER)
                .desired_width(width);
            let response = ui.add(field).accessible_name("Search catalog");
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
            let words = self.draft.trim().to_owned();
            let differs = words != catalog.search;
            if on_server {
                let asks = ui.add_enabled(differs, egui::Button::new("Ask the registry")).clicked();
                if differs && (asks || entered(ui, &response)) {
                    actions.push(Action::Catalog(CatalogAction::Search { catalog: catalog.id, words: words.clone() }));
                }
            }
            if !words.is_empty() && quiet_button(ui, "Clear").accessible_name("Clear catalog search").clicked() {
                self.draft.clear();
                if !catalog.search.is_empty() {
                    let words = String::new();
                    actions.push(Action::Catalog(CatalogAction::Search { catalog: catalog.id, words }));
                }
            }
            ui.add_space(GRID);
            ui.label(text::faint(ui, says(catalog, on_server, differs && !words.is_empty())));
        });
    }

    /// What rows have to contain, in lower case; what the registry looked for already is not looked for again.
    pub(super) fn wanted(&self, catalog: &Catalog) -> String {
        let words = self.draft.trim();
        if self.of != Some(catalog.id) || words == catalog.search { String::new() } else { words.to_lowercase() }
    }

    /// Whether rows that are here may be hidden.
    pub(super) fn filters(&self, catalog: &Catalog) -> bool {
        !self.wanted(catalog).is_empty()
    }
}

/// Who searches, and in what.
fn says(catalog: &Catalog, on_server: bool, filters: bool) -> String {
    let loaded = catalog.rows.len();
    let found = (!catalog.search.is_empty()).then(|| format!("The registry found these for '{}'.", catalog.search));
    match (on_server, filters, found) {
        (_, false, Some(found)) => found,
        (true, true, _) => format!("Searched in the {loaded} loaded. Enter asks the registry."),
        (true, false, None) => "Searches what is loaded. Enter asks the registry.".to_owned(),
        (false, true, _) if catalog.next.is_some() => {
            format!("Searched in the {loaded} loaded. This catalog does not search itself.")
        }
        (false, ..) => "Searches what is loaded.".to_owned(),
    }
}
