//! One entry of a catalog in full: what it says beside its name, what stands out, and its own text.

use bytestring::ByteString;
use egui::{Align, Label, Layout, Sense, Ui, UiBuilder, vec2};

use crate::state::Action;
use crate::state::catalogs::{Catalog, CatalogAction, CatalogId};
use crate::ui::theme::{GRID, SMALL_LINE, palette};
use crate::ui::widgets::body_view::BodyView;
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::text;

const NAME: f32 = 104.0;

/// The entry that is looked at.
pub(super) struct EntryPanel {
    pub row: usize,
    catalog: CatalogId,
    edition: u64,
    raw: ByteString,
    body: BodyView,
}

impl EntryPanel {
    pub(super) fn new(catalog: &Catalog, row: usize) -> Option<Self> {
        let (entry, page) = catalog.entry(row)?;
        let raw = ByteString::from(page.document.text().get(entry.span.clone())?);
        let body = BodyView::new(raw.as_bytes().clone());
        Some(Self { row, catalog: catalog.id, edition: catalog.edition, raw, body })
    }

    /// Whether the rows are still those that the entry was taken from; further pages move none of them.
    pub(super) fn is_of(&self, catalog: &Catalog) -> bool {
        self.catalog == catalog.id
            && (self.edition == catalog.edition
                || catalog
                    .entry(self.row)
                    .is_some_and(|(entry, page)| page.document.text().get(entry.span.clone()) == Some(&*self.raw)))
    }

    /// Draws the panel; true if it was closed.
    pub(super) fn ui(&mut self, ui: &mut Ui, catalog: &Catalog, actions: &mut Vec<Action>) -> bool {
        let Some((entry, _)) = catalog.entry(self.row) else { return true };
        let mut closed = false;
        ui.set_min_height(ui.available_height());
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                closed = quiet_button(ui, "Close").accessible_name("Close entry").clicked();
                if quiet_button(ui, "Copy JSON").accessible_name("Copy entry JSON").clicked() {
                    ui.ctx().copy_text(self.raw.to_string());
                    actions.push(Action::Copied { what: "The entry".to_owned() });
                }
                if entry.data.is_some()
                    && quiet_button(ui, "Open copy").on_hover_text("Open what the catalog itself holds").clicked()
                {
                    actions.push(Action::Catalog(CatalogAction::OpenCopy { catalog: catalog.id, row: self.row }));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(text::strong(ui, &entry.title)).truncate());
                });
            });
        });
        ui.spacing_mut().item_spacing.y = GRID / 2.0;
        if let Some(problem) = &entry.problem {
            ui.label(text::toned_note(ui, problem, crate::card::facts::Tone::Caution));
        }
        for note in &entry.notes {
            ui.label(text::faint(ui, note));
        }
        line_ui(ui, "type", &entry.media_type);
        line_ui(ui, "url", entry.url.as_deref().unwrap_or_default());
        for (name, value) in &entry.extra {
            line_ui(ui, name, value);
        }
        line_ui(ui, "tags", &entry.tags.join(", "));
        ui.add_space(GRID);
        ui.label(text::note(ui, format!("As written at {}", entry.pointer.as_str())));
        let edge = ui.available_rect_before_wrap();
        ui.painter().hline(edge.x_range(), edge.top(), egui::Stroke::new(1.0, palette(ui).line));
        let height = ui.available_height() - GRID;
        self.body.ui(ui, height.max(80.0), actions);
        closed
    }
}

fn line_ui(ui: &mut Ui, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    ui.horizontal_top(|ui| {
        let (place, _) = ui.allocate_exact_size(vec2(NAME, SMALL_LINE), Sense::hover());
        let builder = UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Min));
        ui.scope_builder(builder, |ui| ui.add(Label::new(text::note(ui, name)).truncate()));
        ui.add(Label::new(text::note(ui, value).color(palette(ui).text)).wrap());
    });
}
