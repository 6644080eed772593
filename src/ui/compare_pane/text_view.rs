//! Both texts, level line by line: what is on screen, where it is scrolled to, and what is marked in it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{CursorIcon, Id, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use super::painting::Geometry;
use super::ruler::Ruler;
use super::screen_rows::{Arrangement, ScreenRows};
use super::search::BothSearch;
use crate::card::diff::text::Within;
use crate::card::diff::text::changes_within;
use crate::state::{Action, Age, Compared, State};
use crate::ui::theme::{self, GRID, SMALL_LINE, palette};
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::json_view::scroll::Scroll;

/// From this width on both texts stand side by side unless the reader chose.
const SIDE_BY_SIDE_FROM: f32 = 700.0;
/// How many lines' inner changes are remembered.
const MAX_WITHIN: usize = 2048;

/// The texts as the reader left them.
#[derive(Debug)]
pub struct TextView {
    shown: Option<Arc<Compared>>,
    pub(super) arrangement: Arrangement,
    pub(super) chosen_arrangement: Option<Arrangement>,
    /// For how many columns the rows are; 0 before the first time and after a fold.
    columns: usize,
    pub(super) rows: ScreenRows,
    /// First lines of stretches that the reader opened.
    pub(super) unfolded: BTreeSet<usize>,
    pub(super) shows_all: bool,
    pub(super) scroll: Scroll,
    ruler: Ruler,
    within: HashMap<u32, Within>,
    pub(super) query: String,
    pub(super) search: BothSearch,
    pub(super) takes_focus: bool,
    /// The run of changes that next and previous stand on.
    pub(super) current_hunk: Option<usize>,
    /// A line and side to bring into sight.
    pub(super) to_reveal: Option<(usize, Age)>,
    /// The selected change, and its rows on both sides.
    selected: Option<usize>,
    pub(super) selected_rows: [Option<Range<u32>>; 2],
    /// Rows of a side marked with the mouse: where it began and where it stands.
    pub(super) marked: Option<(Age, u32, u32)>,
}

impl Default for TextView {
    fn default() -> Self {
        Self {
            shown: None,
            arrangement: Arrangement::SideBySide,
            chosen_arrangement: None,
            columns: 0,
            rows: ScreenRows::default(),
            unfolded: BTreeSet::new(),
            shows_all: false,
            scroll: Scroll::default(),
            ruler: Ruler::default(),
            within: HashMap::new(),
            query: String::new(),
            search: BothSearch::default(),
            takes_focus: false,
            current_hunk: None,
            to_reveal: None,
            selected: None,
            selected_rows: [None, None],
            marked: None,
        }
    }
}

impl TextView {
    /// Puts the keyboard into the search field in the next frame.
    pub fn focus_search(&mut self) {
        self.takes_focus = true;
    }

    /// Draws the view into all the room that `ui` has.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        compared: &Arc<Compared>,
        actions: &mut Vec<Action>,
        toolbar_end: impl FnOnce(&mut Ui),
    ) {
        self.adopt(compared);
        self.follow_selection(compared, state.comparison.selected);
        self.toolbar_ui(ui, compared, toolbar_end);
        self.advance_search(ui, compared);
        let width = ui.available_width();
        let by_width = if width >= SIDE_BY_SIDE_FROM { Arrangement::SideBySide } else { Arrangement::Inline };
        let arrangement = self.chosen_arrangement.unwrap_or(by_width);
        if arrangement == Arrangement::SideBySide {
            heads_ui(ui, compared);
        }
        let area = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(area);
        self.area_ui(ui, area, arrangement, compared, actions);
    }

    fn area_ui(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        arrangement: Arrangement,
        compared: &Arc<Compared>,
        actions: &mut Vec<Action>,
    ) {
        let id = Id::unique((ui.scope_id(), "compared texts"));
        let response = ui.interact(area, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::Text);
        response.widget_info(|| WidgetInfo::labeled(Role::Document, true, "Text of both versions"));
        let geometry = Geometry::new(ui, area, arrangement, compared);
        self.fit(compared, arrangement, geometry.columns());
        self.keyboard_input(ui, &response, compared, area.height(), actions);
        self.reveal_what_is_asked_for(compared, area.height());
        if ui.rect_contains_pointer(area) {
            let delta = ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta.y));
            if delta != 0.0 {
                self.scroll.by(-delta);
                self.current_hunk = None;
            }
        }
        let count = self.rows.rows.len();
        self.scroll.clamp(count, area.height());
        let (visible, first_y) = self.scroll.visible(count, area.height());
        self.know_within(compared, visible.clone());
        let placed = self.lay_out(ui, &geometry, compared, visible, first_y);
        self.pointer_input(ui, &response, &geometry, &placed, compared, actions);
        self.paint(ui, &geometry, &placed, compared);
        self.targets_ui(ui, id, &geometry, &placed, compared);
        self.ruler.fit(compared, &self.rows, area.height());
        self.ruler.paint(ui.painter(), area, palette(ui));
        self.scroll.bar_ui(ui, id.with("bar"), area, count);
        response.context_menu(|ui| self.menu_ui(ui, compared, actions));
    }

    fn adopt(&mut self, compared: &Arc<Compared>) {
        if self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, compared)) {
            return;
        }
        let (query, takes_focus) = (std::mem::take(&mut self.query), self.takes_focus);
        let chosen_arrangement = self.chosen_arrangement;
        *self = Self { shown: Some(Arc::clone(compared)), query, takes_focus, chosen_arrangement, ..Self::default() };
        self.search.begin(&self.query);
    }

    fn follow_selection(&mut self, compared: &Compared, selected: Option<usize>) {
        if self.selected == selected {
            return;
        }
        self.selected = selected;
        self.selected_rows = [None, None];
        let Some(change) = selected.and_then(|index| compared.diff.changes.get(index)) else { return };
        for (side, age) in [Age::Older, Age::Newer].into_iter().enumerate() {
            // The whole document is no place to look at.
            let pointer = compared.pointer_of(change, age).filter(|pointer| !pointer.is_root());
            self.selected_rows[side] = pointer.and_then(|pointer| compared.rows_of(age, pointer));
        }
        let [older, newer] = &self.selected_rows;
        let first = match (older, newer) {
            (_, Some(rows)) => Some((Age::Newer, rows.start)),
            (Some(rows), None) => Some((Age::Older, rows.start)),
            (None, None) => None,
        };
        if let Some((age, row)) = first {
            self.to_reveal = compared.line_of(age, row).map(|line| (line, age));
        }
    }

    /// The rows have to be laid out again.
    pub(super) fn forget_layout(&mut self) {
        self.columns = 0;
    }

    /// Lays the rows out for another width or after a fold; the first line in sight stays where it is.
    fn fit(&mut self, compared: &Compared, arrangement: Arrangement, columns: usize) {
        if self.columns == columns && self.arrangement == arrangement {
            return;
        }
        let first = self.first_line_in_sight();
        self.rows = ScreenRows::new(compared, arrangement, columns, &self.unfolded, self.shows_all);
        self.columns = columns;
        self.arrangement = arrangement;
        self.ruler.reset();
        self.marked = None;
        if first > 0 {
            let row =
                self.rows.row_of(first as usize, Age::Newer).or_else(|| self.rows.row_of(first as usize, Age::Older));
            self.scroll.put_first(row.unwrap_or(0));
        }
    }

    /// The line of the comparison at the upper edge.
    #[must_use]
    pub(super) fn first_line_in_sight(&self) -> u32 {
        let (visible, _) = self.scroll.visible(self.rows.rows.len(), 1.0);
        self.rows.rows.get(visible.start).map_or(0, |row| row.line)
    }

    fn reveal_what_is_asked_for(&mut self, compared: &Compared, height: f32) {
        let Some((line, age)) = self.to_reveal.take() else { return };
        let Some(mut row) = self.rows.row_of(line, age) else { return };
        if self.rows.rows[row].folded > 0 {
            self.unfold(self.rows.rows[row].line as usize, compared);
            row = self.rows.row_of(line, age).unwrap_or(row);
        }
        self.scroll.reveal(row, height);
    }

    /// Shows a folded stretch whole.
    pub(super) fn unfold(&mut self, first: usize, compared: &Compared) {
        self.unfolded.insert(first);
        let (arrangement, columns) = (self.arrangement, self.columns);
        self.rows = ScreenRows::new(compared, arrangement, columns, &self.unfolded, self.shows_all);
        self.ruler.reset();
    }

    /// Goes to the next or the previous run of changed lines, round and round.
    pub fn go_to_change(&mut self, forward: bool) {
        let count = self.rows.hunks.len();
        if count == 0 {
            return;
        }
        let (visible, _) = self.scroll.visible(self.rows.rows.len(), 1.0);
        let at = match (self.current_hunk, forward) {
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
            (None, true) => self.rows.hunks.partition_point(|hunk| (hunk.start as usize) < visible.start) % count,
            (None, false) => {
                (self.rows.hunks.partition_point(|hunk| (hunk.start as usize) < visible.start) + count - 1) % count
            }
        };
        self.current_hunk = Some(at);
        let row = self.rows.rows[self.rows.hunks[at].start as usize];
        let age = if row.newer.is_some() { Age::Newer } else { Age::Older };
        self.to_reveal = Some((row.line as usize, age));
    }

    /// Finds out once what changed within the lines in sight.
    fn know_within(&mut self, compared: &Compared, visible: Range<usize>) {
        if self.within.len() > MAX_WITHIN {
            self.within.clear();
        }
        for row in &self.rows.rows[visible] {
            let line = compared.text.lines[row.line as usize];
            let (Some(older), Some(newer)) = (line.older, line.newer) else { continue };
            if row.folded > 0 || !Age::Older.is_changed(line.kind) || self.within.contains_key(&row.line) {
                continue;
            }
            let row_text = |age: Age, at: u32| {
                let text = compared.text_of(age);
                text.row_text(&text.rows()[at as usize])
            };
            self.within.insert(row.line, changes_within(row_text(Age::Older, older), row_text(Age::Newer, newer)));
        }
    }

    /// The bytes of a side's text that changed within a line.
    pub(super) fn within_of(&self, compared: &Compared, line: u32, age: Age, row: u32) -> Vec<Range<usize>> {
        let Some(within) = self.within.get(&line) else { return Vec::new() };
        let start = compared.text_of(age).rows()[row as usize].start as usize;
        let ranges = match age {
            Age::Older => &within.older,
            Age::Newer => &within.newer,
        };
        ranges.iter().map(|range| start + range.start..start + range.end).collect()
    }
}

/// Which text is which, above the two.
fn heads_ui(ui: &mut Ui, compared: &Compared) {
    let row = ui.available_rect_before_wrap();
    let rect = Rect::from_min_size(row.min, vec2(row.width(), SMALL_LINE + GRID));
    ui.advance_cursor_after_rect(rect);
    for (age, word, left) in [(Age::Older, "older", rect.left()), (Age::Newer, "newer", rect.center().x)] {
        let version = compared.side(age).agent_version.as_deref().unwrap_or_default();
        let words = format!("{word}  {}", shown_in_body(ui, version));
        let at = pos2(left + 4.0 * GRID, rect.top());
        let galley = ui.painter().layout_no_wrap(words, theme::small(), palette(ui).muted);
        ui.painter().galley(at, galley, palette(ui).muted);
    }
}
