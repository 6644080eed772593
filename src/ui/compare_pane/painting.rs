//! Paints the rows in sight, and only those: numbers, signs, texts, and what lies behind them.

use std::ops::Range;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::CCursor;
use egui::{
    Align2, Color32, CursorIcon, Id, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::screen_rows::{Arrangement, Piece, ScreenRow};
use super::text_view::TextView;
use crate::card::diff::text::LineKind;
use crate::card::{JsonText, Row};
use crate::state::{Age, Compared};
use crate::ui::theme::{self, GRID, MONO_ROW, Palette, palette};
use crate::ui::widgets::json_view::lines::{Folding, Line};
use crate::ui::widgets::json_view::scroll::BAR_WIDTH;
use crate::ui::widgets::json_view::shown_line::{LineBuilder, ShownLine};

/// Room between the numbers and the text for the sign of a change.
const SIGN_WIDTH: f32 = 18.0;
const AGES: [Age; 2] = [Age::Older, Age::Newer];

/// Where things are in this frame.
pub struct Geometry {
    pub area: Rect,
    /// One for each text, or one for both.
    columns: Vec<TextColumn>,
    char_width: f32,
}

/// One column of text with its numbers.
pub struct TextColumn {
    pub rect: Rect,
    /// `None` where both texts stand in one column.
    pub age: Option<Age>,
    /// Right edges of the numbers of the older and the newer text.
    numbers: [Option<f32>; 2],
    text_left: f32,
    /// How many characters fit.
    fits: usize,
}

/// A row in sight.
pub struct PlacedRow {
    pub row: ScreenRow,
    pub rect: Rect,
    pub texts: Vec<PlacedText>,
}

/// A piece of text in sight.
pub struct PlacedText {
    pub age: Age,
    pub piece: Piece,
    pub shown: ShownLine,
    pub rect: Rect,
    pub at: Pos2,
    within: Vec<Range<usize>>,
}

impl Geometry {
    pub fn new(ui: &Ui, area: Rect, arrangement: Arrangement, compared: &Compared) -> Self {
        let font = theme::mono();
        let char_width = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
        let digits = AGES.map(|age| digits(compared.text_of(age))).into_iter().max().unwrap_or(3);
        let number_width = 2.0 * GRID + digits as f32 * char_width;
        let inner = Rect::from_min_max(area.min, pos2(area.right() - BAR_WIDTH - GRID, area.bottom()));
        let column = |rect: Rect, age: Option<Age>| {
            let first = rect.left() + GRID + number_width;
            let numbers = match age {
                Some(Age::Older) => [Some(first), None],
                Some(Age::Newer) => [None, Some(first)],
                None => [Some(first), Some(first + number_width)],
            };
            let text_left = numbers[1].or(numbers[0]).unwrap_or(first) + SIGN_WIDTH;
            let fits = ((rect.right() - text_left - GRID) / char_width).floor().max(8.0) as usize;
            TextColumn { rect, age, numbers, text_left, fits }
        };
        let columns = match arrangement {
            Arrangement::Inline => vec![column(inner, None)],
            Arrangement::SideBySide => {
                let middle = inner.center().x;
                let left = Rect::from_min_max(inner.min, pos2(middle, inner.bottom()));
                let right = Rect::from_min_max(pos2(middle, inner.top()), inner.max);
                vec![column(left, Some(Age::Older)), column(right, Some(Age::Newer))]
            }
        };
        Self { area, columns, char_width }
    }

    /// How many characters fit into the narrower column.
    pub fn columns(&self) -> usize {
        self.columns.iter().map(|column| column.fits).min().unwrap_or(0)
    }

    /// The column at a place.
    pub fn column_at(&self, x: f32) -> Option<&TextColumn> {
        self.columns.iter().find(|column| x < column.rect.right()).or(self.columns.last())
    }
}

fn digits(text: &JsonText) -> usize {
    let last = text.rows().iter().rev().find_map(Row::line);
    last.map_or(1, |line| line.ilog10() as usize + 1).max(3)
}

impl TextView {
    pub(super) fn lay_out(
        &self,
        ui: &Ui,
        geometry: &Geometry,
        compared: &Compared,
        visible: Range<usize>,
        first_y: f32,
    ) -> Vec<PlacedRow> {
        let folding = Folding::default();
        let builders = AGES.map(|age| LineBuilder {
            ui,
            text: compared.text_of(age),
            tree: compared.tree_of(age),
            folding: &folding,
            columns: usize::MAX,
            font: theme::mono(),
        });
        let area = geometry.area;
        let rows = self.rows.rows[visible].iter().enumerate();
        rows.map(|(index, row)| {
            let top = area.top() + first_y + index as f32 * MONO_ROW;
            let rect = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), MONO_ROW));
            let mut texts = Vec::new();
            for column in &geometry.columns {
                // In one column a line that both share stands once.
                let age = column.age.unwrap_or(if row.newer.is_some() { Age::Newer } else { Age::Older });
                let Some(piece) = row.piece(age) else { continue };
                let within = self.within_of(compared, row.line, age, piece.row);
                let line = Line { row: piece.row, start: piece.start, end: piece.end, goes_on: 0 };
                let shown = builders[usize::from(age == Age::Newer)].build_with(&line, true, &within);
                let x = column.text_left + f32::from(piece.indent) * geometry.char_width;
                let at = pos2(x, top + ((MONO_ROW - shown.galley.size().y) / 2.0).round());
                let rect = Rect::from_min_max(pos2(column.rect.left(), top), pos2(column.rect.right(), top + MONO_ROW));
                texts.push(PlacedText { age, piece, shown, rect, at, within });
            }
            PlacedRow { row: *row, rect, texts }
        })
        .collect()
    }

    pub(super) fn paint(&self, ui: &Ui, geometry: &Geometry, placed: &[PlacedRow], compared: &Compared) {
        let palette = palette(ui);
        let painter = ui.painter_at(geometry.area);
        for row in placed {
            if row.row.folded > 0 {
                fold_row(&painter, geometry, row, palette);
                continue;
            }
            for text in &row.texts {
                let column = geometry.columns.iter().find(|column| column.age.is_none_or(|age| age == text.age));
                if let Some(column) = column {
                    let clipped = painter.with_clip_rect(column.rect.intersect(geometry.area));
                    self.text_row(&clipped, column, row, text, compared, palette);
                }
            }
        }
        if let [left, _] = &geometry.columns[..] {
            painter.vline(left.rect.right(), geometry.area.y_range(), Stroke::new(1.0, palette.line));
        }
    }

    fn text_row(
        &self,
        painter: &Painter,
        column: &TextColumn,
        row: &PlacedRow,
        text: &PlacedText,
        compared: &Compared,
        palette: &Palette,
    ) {
        let kind = compared.text.lines[row.row.line as usize].kind;
        let moved = (kind != LineKind::Same).then(|| compared.moved_to(text.age, text.piece.row)).flatten();
        let is_selected = AGES.into_iter().zip(&self.selected_rows).any(|(age, rows)| {
            // A line that both share and that stands once is selected by either.
            let stands_for = age == text.age || column.age.is_none() && kind == LineKind::Same;
            let piece = row.row.piece(age).filter(|_| stands_for);
            piece.zip(rows.as_ref()).is_some_and(|(piece, rows)| rows.contains(&piece.row))
        });
        let (back, behind_parts) = match (text.age, moved) {
            _ if !text.age.is_changed(kind) => {
                (if is_selected { palette.selection } else { Color32::TRANSPARENT }, Color32::TRANSPARENT)
            }
            (_, Some(_)) => (palette.moved, Color32::TRANSPARENT),
            (Age::Older, None) => (palette.removed, palette.removed_within),
            (Age::Newer, None) => (palette.added, palette.added_within),
        };
        let fill = text.rect.with_min_x(column.rect.left() + 1.0);
        painter.rect_filled(fill, 0.0, back);
        let is_current = self.current_hunk.and_then(|at| self.rows.hunks.get(at)).is_some_and(|hunk| {
            text.age.is_changed(kind)
                && self.rows.rows.get(hunk.start as usize).is_some_and(|first| first.line <= row.row.line)
                && self.rows.rows.get(hunk.end as usize - 1).is_some_and(|last| row.row.line <= last.line)
        });
        if is_selected || is_current {
            painter.rect_filled(fill.with_max_x(fill.left() + 3.0), 0.0, palette.accent);
        }
        if moved.is_none() {
            for part in &text.within {
                behind(painter, text, part, behind_parts, Color32::TRANSPARENT);
            }
        }
        let bytes = text.piece.start as usize..text.piece.end as usize;
        let current = self.search.current_hit().filter(|hit| hit.age() == text.age).map(|hit| hit.start as usize);
        for hit in self.search.hits_in(text.age, bytes) {
            let stroke = if current == Some(hit.start) { palette.accent } else { Color32::TRANSPARENT };
            behind(painter, text, &hit, palette.hit, stroke);
        }
        if self
            .marked
            .is_some_and(|(age, from, to)| age == text.age && (from.min(to)..=from.max(to)).contains(&text.piece.row))
        {
            painter.rect_filled(fill.with_min_x(column.text_left - 2.0), 0.0, palette.accent.gamma_multiply(0.3));
        }
        gutter(painter, column, row, text, kind, compared, palette);
        painter.galley(text.at, Arc::clone(&text.shown.galley), palette.text);
        if let Some((0, there)) = moved.filter(|_| text.piece.is_first) {
            moved_note(painter, text, compared, there, palette);
        }
    }

    /// What can be clicked besides the text, and what a screen reader finds.
    pub(super) fn targets_ui(
        &mut self,
        ui: &Ui,
        id: Id,
        geometry: &Geometry,
        placed: &[PlacedRow],
        compared: &Compared,
    ) {
        let mut unfolds = None;
        for row in placed {
            let area = row.rect.intersect(geometry.area);
            let row_id =
                id.with((row.row.line, row.row.older.map(|piece| piece.start), row.row.newer.map(|piece| piece.start)));
            if row.row.folded > 0 {
                let response = ui.interact(area, row_id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, fold_words(row.row.folded)));
                if response.clicked() {
                    unfolds = Some(row.row.line as usize);
                }
            }
            let kind = compared.text.lines[row.row.line as usize].kind;
            for text in &row.texts {
                let label = ui.interact(
                    text.rect.intersect(geometry.area),
                    row_id.with(text.age == Age::Newer),
                    Sense::hover(),
                );
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken(text, kind, compared)));
            }
        }
        if let Some(line) = unfolds {
            self.unfold(line, compared);
            ui.ctx().request_repaint();
        }
    }
}

/// The text of a row and what became of it, for whoever does not see the colours.
fn spoken(text: &PlacedText, kind: LineKind, compared: &Compared) -> String {
    let words = text.shown.galley.text();
    let is_moved = kind != LineKind::Same && compared.moved_to(text.age, text.piece.row).is_some();
    match text.age {
        age if !age.is_changed(kind) => words.to_owned(),
        Age::Older if is_moved => format!("moved away: {words}"),
        Age::Newer if is_moved => format!("moved here: {words}"),
        Age::Older => format!("older: {words}"),
        Age::Newer => format!("newer: {words}"),
    }
}

/// Paints what lies behind some bytes of a text.
fn behind(painter: &Painter, text: &PlacedText, bytes: &Range<usize>, fill: Color32, stroke: Color32) {
    if let Some(chars) = text.shown.chars_of(bytes) {
        let x = |index: usize| text.at.x + text.shown.galley.pos_from_cursor(CCursor::new(index)).min.x;
        let rect = Rect::from_min_max(pos2(x(chars.start), text.rect.top()), pos2(x(chars.end), text.rect.bottom()));
        painter.rect(rect, 2.0, fill, Stroke::new(1.0, stroke), StrokeKind::Inside);
    }
}

/// The line's numbers, and a sign where it changed: colour alone says nothing to many.
fn gutter(
    painter: &Painter,
    column: &TextColumn,
    row: &PlacedRow,
    text: &PlacedText,
    kind: LineKind,
    compared: &Compared,
    palette: &Palette,
) {
    if !text.piece.is_first {
        return;
    }
    let is_changed = text.age.is_changed(kind);
    let color = if is_changed { palette.muted } else { palette.faint };
    for (side, age) in AGES.into_iter().enumerate() {
        let Some((right, piece)) = column.numbers[side].zip(row.row.piece(age)) else { continue };
        let number = compared.text_of(age).rows()[piece.row as usize].line();
        if let Some(number) = number.filter(|_| column.age.is_none() || age == text.age) {
            painter.text(pos2(right, text.rect.center().y), Align2::RIGHT_CENTER, number, theme::mono(), color);
        }
    }
    if is_changed {
        let (sign, color) = match text.age {
            Age::Older => ("-", palette.bad),
            Age::Newer => ("+", palette.good),
        };
        let at = pos2(column.text_left - SIGN_WIDTH / 2.0, text.rect.center().y);
        painter.text(at, Align2::CENTER_CENTER, sign, theme::mono(), color);
    }
}

/// Where a moved block stands on the other side, at the far end of its first line.
fn moved_note(painter: &Painter, text: &PlacedText, compared: &Compared, there: u32, palette: &Palette) {
    let Some(number) = compared.text_of(text.age.other()).rows()[there as usize].line() else { return };
    let words = match text.age {
        Age::Older => format!("moved to {number}"),
        Age::Newer => format!("moved from {number}"),
    };
    let galley = painter.layout_no_wrap(words, theme::small(), palette.muted);
    let at = pos2(text.rect.right() - galley.size().x - 2.0 * GRID, text.rect.center().y - galley.size().y / 2.0);
    let back = Rect::from_min_size(at, galley.size()).expand2(vec2(GRID, 0.0));
    painter.rect_filled(back, 0.0, palette.moved);
    painter.galley(at, galley, palette.muted);
}

fn fold_words(lines: u32) -> String {
    if lines == 1 { "1 unchanged line".to_owned() } else { format!("{lines} unchanged lines") }
}

fn fold_row(painter: &Painter, geometry: &Geometry, row: &PlacedRow, palette: &Palette) {
    for column in &geometry.columns {
        let rect = Rect::from_min_max(
            pos2(column.rect.left() + GRID, row.rect.top()),
            pos2(column.rect.right() - GRID, row.rect.bottom()),
        );
        for y in [rect.top() + 0.5, rect.bottom() - 0.5] {
            let stroke = Stroke::new(1.0, palette.line);
            painter.extend(egui::Shape::dashed_line(&[pos2(rect.left(), y), pos2(rect.right(), y)], stroke, 3.0, 3.0));
        }
        let at = pos2(column.text_left, rect.center().y);
        painter.text(at, Align2::LEFT_CENTER, fold_words(row.row.folded), theme::small(), palette.muted);
    }
}
