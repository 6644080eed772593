//! The rows of a catalog: only those on screen are painted, however many there are.

use egui::accesskit::Role;
use egui::{
    Align, FontSelection, Layout, Rect, RichText, ScrollArea, Sense, TextWrapMode, Ui, UiBuilder, WidgetInfo,
    WidgetText, pos2, vec2,
};

use crate::card::catalog::{CatalogEntry, EntryKind};
use crate::card::facts::Tone;
use crate::state::Action;
use crate::state::catalogs::{Catalog, CatalogAction, CatalogId};
use crate::ui::theme::{self, GRID, MARGIN, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::text;

const ROW_HEIGHT: f32 = 52.0;
/// Widths of the columns at the far end.
const VERSION: f32 = 92.0;
const KIND: f32 = 124.0;
const SOURCE: f32 = 180.0;
const BUTTONS: f32 = 128.0;
/// The least that is left for names.
const LEAST_NAME: f32 = 220.0;

/// The rows that fit the search, found again only when catalog or search change.
#[derive(Debug, Default)]
pub(super) struct Fitting {
    of: Option<(CatalogId, u64, String)>,
    rows: Vec<usize>,
}

impl Fitting {
    pub(super) fn update(&mut self, catalog: &Catalog, wanted: String) {
        let key = (catalog.id, catalog.edition, wanted);
        if self.of.as_ref() == Some(&key) {
            return;
        }
        let fits =
            |row: &usize| key.2.is_empty() || catalog.entry(*row).is_some_and(|(entry, _)| entry.is_about(&key.2));
        self.rows = (0..catalog.rows.len()).filter(fits).collect();
        self.of = Some(key);
    }

    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }
}

/// Draws the fitting rows; gives the one whose own text is asked for.
pub(super) fn rows_ui(
    ui: &mut Ui,
    catalog: &Catalog,
    fitting: &Fitting,
    selected: Option<usize>,
    actions: &mut Vec<Action>,
) -> Option<usize> {
    if fitting.rows.is_empty() {
        if let Some(words) = nothing_words(catalog) {
            ui.add_space(2.0 * GRID);
            ui.horizontal(|ui| {
                ui.add_space(MARGIN);
                ui.label(text::muted(ui, words));
            });
        }
        return None;
    }
    let mut asked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt(("catalog rows", catalog.id.0)).auto_shrink(false);
    area.show_rows(ui, ROW_HEIGHT, fitting.rows.len(), |ui, range| {
        for &row in fitting.rows.get(range).unwrap_or_default() {
            if let Some((entry, _)) = catalog.entry(row)
                && row_ui(ui, catalog, entry, row, selected == Some(row), actions)
            {
                asked = Some(row);
            }
        }
    });
    asked
}

/// What stands where no row does.
fn nothing_words(catalog: &Catalog) -> Option<&'static str> {
    if catalog.pending.is_some() || catalog.problem.is_some() {
        return None;
    }
    Some(if catalog.pages.is_empty() {
        "Nothing was asked yet."
    } else if catalog.rows.is_empty() && !catalog.search.is_empty() {
        "The registry found nothing for these words."
    } else if catalog.rows.is_empty() {
        "This catalog lists nothing."
    } else {
        "Nothing that is loaded fits the search."
    })
}

/// Draws one row; true if its own text is asked for.
fn row_ui(
    ui: &mut Ui,
    catalog: &Catalog,
    entry: &CatalogEntry,
    row: usize,
    selected: bool,
    actions: &mut Vec<Action>,
) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let title = shown_in_body(ui, &entry.title).into_owned();
    let below = entry.problem.clone().unwrap_or_else(|| entry.description.clone());
    let below = shown_in_body(ui, &below).into_owned();
    let opens = entry.opens();
    if ui.is_rect_visible(rect) {
        if selected {
            ui.painter().rect_filled(rect, 0.0, palette(ui).selection);
        } else if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 0.0, palette(ui).panel);
        }
        paint_ui(ui, rect, entry, &title, &below);
    }
    response.widget_info(|| {
        let name = if entry.problem.is_some() { format!("{title}: {below}") } else { title.clone() };
        WidgetInfo::selected(Role::ListBoxOption, true, selected, name)
    });
    let mut shows_text = false;
    let id = catalog.id;
    if response.clicked() {
        if opens {
            actions.push(Action::Catalog(CatalogAction::OpenEntry { catalog: id, row }));
        } else {
            shows_text = true;
        }
    }
    response.context_menu(|ui| {
        if opens && ui.button("Open").clicked() {
            actions.push(Action::Catalog(CatalogAction::OpenEntry { catalog: id, row }));
        }
        if entry.data.is_some() && ui.button("Open the copy in the catalog").clicked() {
            actions.push(Action::Catalog(CatalogAction::OpenCopy { catalog: id, row }));
        }
        if let Some(url) = &entry.url
            && ui.button("Copy address").clicked()
        {
            ui.ctx().copy_text(url.clone());
            actions.push(Action::Copied { what: "The address".to_owned() });
        }
    });
    let hint = match (&entry.problem, &entry.url) {
        (Some(problem), _) => problem.clone(),
        (None, Some(url)) if opens => format!("Open {url}"),
        (None, None) if opens => "Open what the catalog holds".to_owned(),
        _ => "Cardscope does not read this kind; its entry can be looked at".to_owned(),
    };
    response.on_hover_text(shown_in_body(ui, &hint));
    shows_text | buttons_ui(ui, rect, catalog, entry, row, &title, actions)
}

/// What can be done beside opening; over the row, so that their clicks are theirs.
fn buttons_ui(
    ui: &mut Ui,
    row_rect: Rect,
    catalog: &Catalog,
    entry: &CatalogEntry,
    row: usize,
    title: &str,
    actions: &mut Vec<Action>,
) -> bool {
    let rect = Rect::from_min_max(
        pos2(row_rect.right() - BUTTONS - 10.0, row_rect.top()),
        row_rect.right_bottom() - vec2(12.0, 0.0),
    );
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center)).id_salt(row);
    ui.scope_builder(builder, |ui| {
        let asked = quiet_button(ui, "JSON").accessible_name(format!("JSON of {title}")).clicked();
        if entry.versions_url.is_some()
            && quiet_button(ui, "Versions").accessible_name(format!("Versions of {title}")).clicked()
        {
            actions.push(Action::Catalog(CatalogAction::OpenVersions { catalog: catalog.id, row }));
        }
        asked
    })
    .inner
}

fn paint_ui(ui: &Ui, rect: Rect, entry: &CatalogEntry, title: &str, below: &str) {
    let palette = palette(ui);
    let room = rect.width() - MARGIN - BUTTONS - 12.0;
    // The columns at the end go one by one where the pane is narrow.
    let mut columns: Vec<(f32, RichText)> = vec![
        (VERSION, text::note(ui, entry.version.as_deref().unwrap_or_default())),
        (KIND, kind_words(ui, entry)),
        (SOURCE, text::note(ui, &entry.source)),
    ];
    while room - columns.iter().map(|(width, _)| width).sum::<f32>() < LEAST_NAME && !columns.is_empty() {
        columns.pop();
    }
    let name_width = room - columns.iter().map(|(width, _)| width).sum::<f32>();
    let left = rect.left() + MARGIN;
    let line = |words: WidgetText, x: f32, middle: f32, width: f32| {
        let galley =
            words.into_galley(ui, Some(TextWrapMode::Truncate), (width - 14.0).max(8.0), FontSelection::Default);
        let y = rect.top() + middle - galley.size().y / 2.0;
        ui.painter().galley(pos2(x, y), galley, palette.text);
    };
    let one_line = below.is_empty();
    let first = if one_line { ROW_HEIGHT / 2.0 } else { 17.0 };
    line(RichText::new(title).color(palette.text).into(), left, first, name_width);
    if !one_line {
        let below =
            if entry.problem.is_some() { text::toned_note(ui, below, Tone::Caution) } else { text::note(ui, below) };
        // The columns stand on the first line only.
        line(below.into(), left, 37.0, room);
    }
    let mut x = left + name_width;
    for (width, words) in columns {
        line(words.into(), x, first, width);
        x += width;
    }
    let bottom = rect.bottom() - 0.5;
    ui.painter().hline(left..=rect.right() - 12.0, bottom, egui::Stroke::new(1.0, palette.line.gamma_multiply(0.6)));
}

fn kind_words(ui: &Ui, entry: &CatalogEntry) -> RichText {
    let words = shown_in_body(ui, entry.kind_words()).into_owned();
    match (&entry.problem, entry.kind) {
        (Some(_), _) => text::toned_note(ui, "bad entry", Tone::Caution),
        (None, EntryKind::Catalog | EntryKind::Registry) => {
            RichText::new(words).font(theme::small()).color(palette(ui).accent)
        }
        _ => text::note(ui, words),
    }
}
