//! Paints the lines in sight, and only those.

use std::ops::Range;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::CCursor;
use egui::{Align2, Color32, CursorIcon, Id, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::lines::Line;
use super::scroll::BAR_WIDTH;
use super::shown_line::{LineBuilder, ShownLine, foldable};
use super::{JsonSource, JsonView, JsonViewOutput};
use crate::card::json::NodeId;
use crate::card::json_text::{JsonText, Row};
use crate::ui::theme::{self, GRID, MONO_ROW, Palette, palette};

/// Room for the folding marker between number and text.
const MARKER_WIDTH: f32 = 16.0;
/// Height of the line that names the selected value.
const STATUS_HEIGHT: f32 = 7.0 * GRID;

/// Where things are in this frame.
pub(super) struct Measures {
    pub area: Rect,
    /// Right edge of the line numbers.
    pub numbers_right: f32,
    pub text_left: f32,
    pub columns: usize,
}

/// A line in sight, laid out.
pub(super) struct PaintedLine {
    pub line: Line,
    pub shown: ShownLine,
    pub rect: Rect,
    pub text_pos: Pos2,
    pub fold: Option<Fold>,
}

/// What the marker in front of a line closes or opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// A container, and whether it is folded.
    Container(NodeId, bool),
    /// A long line that is shown whole.
    OpenedLine,
}

impl JsonView {
    pub(super) fn text_ui(&mut self, ui: &mut Ui, id: Id, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        let text = self.text(source);
        let mut area = ui.available_rect_before_wrap();
        let has_status = self.selection.node.is_some() && !self.without_toolbar;
        if has_status {
            area.max.y = (area.max.y - STATUS_HEIGHT).max(area.min.y);
        }
        ui.advance_cursor_after_rect(area);
        let response = ui.interact(area, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::Text);
        response.widget_info(|| WidgetInfo::labeled(Role::Document, true, "JSON"));
        let measures = measure(ui, area, text);

        self.keyboard_input(ui, &response, &measures, source, output);
        self.scroll_to_what_is_asked_for(&measures, source);
        let layout = self.layout(source);
        layout.fit(text, measures.columns);
        if ui.rect_contains_pointer(area) {
            layout.scroll.by(-ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta.y)));
        }
        let count = layout.lines.len();
        layout.scroll.clamp(count, area.height());

        let painted = self.lay_out(ui, &measures, source);
        self.pointer_input(ui, &response, &measures, &painted, source, output);
        self.paint(ui, &measures, &painted, source);
        self.targets_ui(ui, id, &measures, &painted, source);
        self.layout(source).scroll.bar_ui(ui, id.with("bar"), area, count);
        response.context_menu(|ui| self.menu_ui(ui, source, output));
        if has_status {
            self.status_ui(ui, source, output);
        }
    }

    fn scroll_to_what_is_asked_for(&mut self, measures: &Measures, source: &JsonSource<'_>) {
        let text = self.text(source);
        let node = if std::mem::take(&mut self.selection.reveal) { self.selection.node } else { None };
        let layout = self.layout(source);
        let selected = source.tree.zip(node).and_then(|(tree, node)| layout.bytes_of(text, tree, node));
        if let Some(byte) = layout.to_reveal.take().or(selected.map(|bytes| bytes.start)) {
            layout.uncover(text, byte, measures.columns);
            let line = layout.lines.line_at(text, byte);
            layout.scroll.reveal(line, measures.area.height());
        }
    }

    fn lay_out(&self, ui: &Ui, measures: &Measures, source: &JsonSource<'_>) -> Vec<PaintedLine> {
        let layout = if self.shows_received(source) { &self.received } else { &self.pretty };
        let text = self.text(source);
        let builder = LineBuilder {
            ui,
            text,
            tree: source.tree,
            folding: &layout.folding,
            columns: measures.columns,
            font: theme::mono(),
        };
        let (visible, first_y) = layout.scroll.visible(layout.lines.len(), measures.area.height());
        let paint = |(index, line): (usize, Line)| {
            let shown = builder.build(&line, layout.wraps(line.row));
            let top = measures.area.top() + first_y + index as f32 * MONO_ROW;
            let rect = Rect::from_min_size(pos2(measures.area.left(), top), vec2(measures.area.width(), MONO_ROW));
            let text_pos = pos2(measures.text_left, top + ((MONO_ROW - shown.galley.size().y) / 2.0).round());
            let fold = match foldable(text, source.tree, &line) {
                Some(node) => Some(Fold::Container(node, layout.folding.folded.contains(&node))),
                None => layout.is_opened(text, &line).then_some(Fold::OpenedLine),
            };
            PaintedLine { line, shown, rect, text_pos, fold }
        };
        visible.filter_map(|index| layout.lines.get(text, index)).enumerate().map(paint).collect()
    }

    fn paint(&self, ui: &Ui, measures: &Measures, painted: &[PaintedLine], source: &JsonSource<'_>) {
        let layout = if self.shows_received(source) { &self.received } else { &self.pretty };
        let text = self.text(source);
        let palette = palette(ui);
        let painter = ui.painter_at(measures.area);
        let selected = self.selection.node.zip(source.tree).and_then(|(node, tree)| layout.bytes_of(text, tree, node));
        let marked = layout.marked.map(|(from, to)| from.min(to)..from.max(to)).filter(|range| !range.is_empty());
        let current = self.search.current_range();
        let is_hovered = ui.rect_contains_pointer(measures.area);
        for line in painted {
            let bytes = line.line.start as usize..line.line.end.max(line.line.goes_on) as usize;
            let is_selected = selected.as_ref().is_some_and(|selected| touches(selected, &bytes));
            if is_selected {
                painter.rect_filled(line.rect, 0.0, palette.selection);
            }
            for hit in self.search.hits_in(line.shown.plain_bytes(&bytes)) {
                let stroke = if current.as_ref() == Some(&hit) { palette.accent } else { Color32::TRANSPARENT };
                mark(&painter, line, &hit, palette.hit, stroke);
            }
            if let Some(left_out) = line.shown.left_out()
                && let Some(hit) = self.search.hits_in(left_out).next()
            {
                mark(&painter, line, &hit, palette.hit, Color32::TRANSPARENT);
            }
            if let Some(marked) = marked.as_ref().filter(|marked| touches(marked, &bytes)) {
                mark(&painter, line, marked, marked_color(palette), Color32::TRANSPARENT);
            }
            self.number_and_marker(&painter, measures, line, text, palette, (is_selected, is_hovered));
            painter.galley(line.text_pos, Arc::clone(&line.shown.galley), palette.text);
        }
    }

    #[expect(clippy::unused_self, reason = "reads as one of the painting steps")]
    fn number_and_marker(
        &self,
        painter: &egui::Painter,
        measures: &Measures,
        line: &PaintedLine,
        text: &JsonText,
        palette: &Palette,
        (is_selected, is_hovered): (bool, bool),
    ) {
        let color = if is_selected { palette.muted } else { palette.faint };
        let row = text.rows()[line.line.row as usize];
        if let Some(number) = row.line().filter(|_| row.start == line.line.start) {
            let at = pos2(measures.numbers_right, line.rect.center().y);
            painter.text(at, Align2::RIGHT_CENTER, number, theme::mono(), color);
        }
        let folded = matches!(line.fold, Some(Fold::Container(_, true)));
        if folded || (line.fold.is_some() && is_hovered) {
            let center = pos2(measures.text_left - MARKER_WIDTH / 2.0, line.rect.center().y);
            painter.add(triangle(center, folded, color));
        }
    }

    /// What can be clicked in a line: its folding marker, and what stands for a part left out.
    fn targets_ui(&mut self, ui: &Ui, id: Id, measures: &Measures, painted: &[PaintedLine], source: &JsonSource<'_>) {
        let text = self.text(source);
        for line in painted {
            let area = line.rect.intersect(measures.area);
            let number = text.rows()[line.line.row as usize].line().unwrap_or_default();
            let line_id = id.with(line.line.start);
            let label = ui.interact(area, line_id, Sense::hover());
            label.widget_info(|| WidgetInfo::labeled(Role::Label, true, line.shown.galley.text()));
            if let Some(fold) = line.fold {
                let left = measures.text_left - MARKER_WIDTH;
                let marker = Rect::from_min_max(pos2(left, area.top()), pos2(measures.text_left, area.bottom()));
                let word = if matches!(fold, Fold::Container(_, true)) { "Unfold" } else { "Fold" };
                if target_ui(ui, marker, line_id.with("fold"), || format!("{word} line {number}")).clicked() {
                    let layout = self.layout(source);
                    match fold {
                        Fold::Container(node, folded) => layout.set_folded(node, !folded),
                        Fold::OpenedLine => layout.close(line.line.row),
                    }
                }
            }
            if let Some(chip) = line.shown.chip.as_ref() {
                let rect = chars_rect(line, chip).intersect(measures.area);
                let target = target_ui(ui, rect, line_id.with("chip"), || format!("Show all of line {number}"));
                if target.clicked() {
                    let layout = self.layout(source);
                    match line.fold {
                        Some(Fold::Container(node, true)) => layout.set_folded(node, false),
                        _ => layout.open(text.row_at(line.shown.left_out().map_or(0, |bytes| bytes.start)) as u32),
                    }
                }
            }
        }
    }
}

fn target_ui(ui: &Ui, rect: Rect, id: Id, name: impl Fn() -> String) -> Response {
    let response = ui.interact(rect, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name()));
    response
}

fn measure(ui: &Ui, area: Rect, text: &JsonText) -> Measures {
    let font = theme::mono();
    let char_width = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    let digits = text.rows().iter().rev().find_map(Row::line).map_or(1, |line| line.ilog10() + 1).max(3);
    let numbers_right = area.left() + 4.0 * GRID + digits as f32 * char_width;
    let text_left = numbers_right + MARKER_WIDTH;
    let columns = ((area.right() - BAR_WIDTH - text_left) / char_width).floor().max(8.0) as usize;
    Measures { area, numbers_right, text_left, columns }
}

fn touches(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn chars_rect(line: &PaintedLine, chars: &Range<usize>) -> Rect {
    let x = |index: usize| line.text_pos.x + line.shown.galley.pos_from_cursor(CCursor::new(index)).min.x;
    Rect::from_min_max(pos2(x(chars.start), line.rect.top()), pos2(x(chars.end), line.rect.bottom()))
}

fn mark(painter: &egui::Painter, line: &PaintedLine, bytes: &Range<usize>, fill: Color32, stroke: Color32) {
    if let Some(chars) = line.shown.chars_of(bytes) {
        let rect = chars_rect(line, &chars);
        painter.rect(rect, 2.0, fill, Stroke::new(1.0, stroke), egui::StrokeKind::Inside);
    }
}

/// Text marked with the mouse has to be told from the selected value's lines.
fn marked_color(palette: &Palette) -> Color32 {
    palette.accent.gamma_multiply(0.35)
}

fn triangle(center: Pos2, folded: bool, color: Color32) -> Shape {
    let points = if folded {
        vec![center + vec2(-2.0, -4.0), center + vec2(3.0, 0.0), center + vec2(-2.0, 4.0)]
    } else {
        vec![center + vec2(-4.0, -2.0), center + vec2(4.0, -2.0), center + vec2(0.0, 3.0)]
    };
    Shape::convex_polygon(points, color, Stroke::NONE)
}
