//! Markdown from agents on screen: its tables with columns by their content, everything else by the widget.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, FontId, Label, Layout, ScrollArea, Stroke, TextStyle, Ui, vec2};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use super::markdown::{Alignment, Cell, Piece, Run, Table, column_widths, pieces};
use crate::ui::theme::{self, GRID, LINE, palette};

/// Between columns.
const GAP: f32 = 20.0;
/// Words longer than this may be broken.
const LONG_WORD: f32 = 160.0;

/// Draws `source`, in which what cannot be drawn is marked already.
pub(super) fn markdown_ui(ui: &mut Ui, source: &str, cache: &mut CommonMarkCache) {
    for (index, piece) in pieces(source).iter().enumerate() {
        ui.push_id(("markdown", index), |ui| match piece {
            Piece::Markdown(words) => {
                calm_markdown(ui.style_mut());
                CommonMarkViewer::new().show(ui, cache, words);
            }
            Piece::Table(table) => table_ui(ui, table),
        });
    }
}

/// Sizes and gaps of Markdown as of the text around it; the widget takes them from the style.
fn calm_markdown(style: &mut egui::Style) {
    style.text_styles.insert(TextStyle::Heading, FontId::new(17.0, theme::strong_family()));
    // The least width and height of a table's cells: its grid takes them from here.
    style.spacing.interact_size = vec2(40.0, LINE);
    style.visuals.faint_bg_color = style.visuals.panel_fill;
    style.visuals.widgets.noninteractive.bg_stroke = Stroke::NONE;
}

fn table_ui(ui: &mut Ui, table: &Table) {
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or_default();
    if columns == 0 {
        return;
    }
    let mut natural = vec![0.0_f32; columns];
    let mut least = vec![0.0_f32; columns];
    for (row, cells) in table.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let wide = width(ui, cell, row == 0);
            natural[column] = natural[column].max(wide);
            least[column] = least[column].max(longest_word(ui, cell, row == 0)).min(natural[column]);
        }
    }
    let gaps = GAP * (columns - 1) as f32;
    let widths = column_widths(&natural, &least, ui.available_width() - gaps);
    ui.add_space(GRID);
    // That there is more to the side is seen before the pointer is over it.
    ui.spacing_mut().scroll.dormant_handle_opacity = 0.3;
    ScrollArea::horizontal().show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, GRID / 2.0);
        for (row, cells) in table.rows.iter().enumerate() {
            row_ui(ui, table, cells, &widths, row == 0);
            if row == 0 {
                let (line, _) =
                    ui.allocate_exact_size(vec2(widths.iter().sum::<f32>() + gaps, GRID / 2.0), egui::Sense::hover());
                ui.painter().hline(line.x_range(), line.center().y, Stroke::new(1.0, palette(ui).line));
            }
        }
        // Where it has to be scrolled, the bar is below the last row.
        ui.add_space(GRID);
    });
}

fn row_ui(ui: &mut Ui, table: &Table, cells: &[Cell], widths: &[f32], is_head: bool) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.spacing_mut().interact_size.y = LINE;
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let align = match table.alignments.get(column) {
                Some(Alignment::Right) => Align::Max,
                Some(Alignment::Center) => Align::Center,
                _ => Align::Min,
            };
            ui.allocate_ui_with_layout(vec2(width, LINE), Layout::top_down(align), |ui| {
                ui.set_min_width(width);
                ui.set_max_width(width);
                cell_ui(ui, cell, is_head);
            });
        }
    });
}

fn cell_ui(ui: &mut Ui, cell: &Cell, is_head: bool) {
    if cell.iter().all(|run| run.look.link.is_none()) {
        ui.add(Label::new(job(ui, cell, is_head)).wrap());
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        for run in cell {
            let words = job(ui, std::slice::from_ref(run), is_head);
            match &run.look.link {
                Some(url) => _ = ui.hyperlink_to(words, url),
                None => _ = ui.label(words),
            }
        }
    });
}

fn job(ui: &Ui, runs: &[Run], is_head: bool) -> LayoutJob {
    let palette = palette(ui);
    let mut job = LayoutJob::default();
    for Run { text, look } in runs {
        let body = TextStyle::Body.resolve(ui.style());
        let font_id = match (look.code, look.strong || is_head) {
            (true, _) => theme::mono(),
            (false, true) => FontId::new(body.size, theme::strong_family()),
            (false, false) => body,
        };
        let color = if look.link.is_some() { palette.accent } else { palette.text };
        let format = TextFormat {
            font_id,
            color,
            italics: look.emphasized,
            line_height: Some(LINE),
            strikethrough: if look.struck { Stroke::new(1.0, color) } else { Stroke::NONE },
            ..TextFormat::default()
        };
        job.append(text, 0.0, format);
    }
    job
}

fn width(ui: &Ui, runs: &[Run], is_head: bool) -> f32 {
    let mut job = job(ui, runs, is_head);
    job.wrap.max_width = f32::INFINITY;
    // Rounded up, so that it fits into what it is given.
    ui.fonts_mut(|fonts| fonts.layout_job(job)).size().x.ceil() + 1.0
}

fn longest_word(ui: &Ui, cell: &Cell, is_head: bool) -> f32 {
    let words = cell.iter().flat_map(|run| run.text.split_whitespace().map(|word| (word, &run.look)));
    let width = |(word, look): (&str, &super::markdown::Look)| {
        width(ui, &[Run { text: word.to_owned(), look: look.clone() }], is_head)
    };
    words.map(width).fold(0.0, f32::max).min(LONG_WORD)
}
