//! The mouse in a JSON text: a click picks a value, dragging marks characters, the right button opens a menu.

use egui::{PointerButton, Pos2, Response, Ui};

use super::text_area::{Measures, PaintedLine};
use super::{JsonSource, JsonView, JsonViewOutput};
use crate::card::tokens::{row_tokens, string_state};
use crate::ui::theme::{self, GRID, MONO_ROW, palette};

impl JsonView {
    pub(super) fn pointer_input(
        &mut self,
        ui: &Ui,
        response: &Response,
        measures: &Measures,
        painted: &[PaintedLine],
        source: &JsonSource<'_>,
        output: &mut JsonViewOutput,
    ) {
        let Some(pointer) = response.interact_pointer_pos() else { return };
        let shift = ui.input(|input| input.modifiers.shift);
        let byte = byte_at(painted, pointer);
        if response.drag_started_by(PointerButton::Primary) {
            let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            let from = byte_at(painted, origin);
            let layout = self.layout(source);
            layout.marked = match layout.marked {
                Some((anchor, _)) if shift => Some((anchor, byte)),
                _ => Some((from, byte)),
            };
            response.request_focus();
        } else if response.dragged_by(PointerButton::Primary) {
            let layout = self.layout(source);
            layout.marked = layout.marked.map(|(anchor, _)| (anchor, byte));
            let beyond = beyond_edge(measures, pointer);
            if beyond != 0.0 {
                layout.scroll.by(beyond.clamp(-3.0 * MONO_ROW, 3.0 * MONO_ROW));
                ui.ctx().request_repaint();
            }
        }
        if response.double_clicked() {
            self.mark_token(source, byte);
        } else if response.clicked() && shift {
            let layout = self.layout(source);
            layout.marked = layout.marked.map(|(anchor, _)| (anchor, byte));
        } else if response.clicked() || response.secondary_clicked() {
            response.request_focus();
            let keeps_mark = response.secondary_clicked();
            let text = self.text(source);
            let layout = self.layout(source);
            if !keeps_mark {
                layout.marked = None;
            }
            if let Some(tree) = source.tree {
                let node = layout.node_at(text, tree, byte);
                self.pick(source, node, output);
            }
        }
    }

    fn mark_token(&mut self, source: &JsonSource<'_>, byte: usize) {
        let text = self.text(source);
        let row = text.rows()[text.row_at(byte)];
        let (start, row_text) = (row.start as usize, text.row_text(&row));
        let (in_string, _) = string_state(&[], row.in_string());
        let token =
            row_tokens(row_text, in_string).find(|(range, _)| (range.start..range.end).contains(&(byte - start)));
        if let Some((range, _)) = token {
            // A word is wanted without its quotes.
            let quoted = &row_text[range.clone()];
            let from = range.start + usize::from(quoted.starts_with('"'));
            let to = range.end - usize::from(quoted.len() > 1 && quoted.ends_with('"'));
            self.layout(source).marked = Some((start + from, start + to.max(from)));
        }
    }

    pub(super) fn menu_ui(&mut self, ui: &mut Ui, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        if self.layout(source).marked.is_some_and(|(from, to)| from != to) && ui.button("Copy marked text").clicked() {
            self.copy_marked(ui, source, output);
            ui.close();
        }
        if self.selection.node.is_some() {
            if ui.button("Copy value").clicked() {
                self.copy_value(ui, source, output);
                ui.close();
            }
            if ui.button("Copy pointer").clicked() {
                self.copy_pointer(ui, source, output);
                ui.close();
            }
        }
        if source.tree.is_some() {
            if ui.button("Fold all").clicked() {
                self.fold_all(source);
                ui.close();
            }
            if ui.button("Unfold all").clicked() {
                self.layout(source).unfold_all();
                ui.close();
            }
        }
    }

    /// Folds every member of the document itself.
    fn fold_all(&mut self, source: &JsonSource<'_>) {
        let Some(tree) = source.tree else { return };
        let nodes: Vec<_> =
            tree.root().children().filter(|node| node.kind().is_container()).map(|node| node.id()).collect();
        for node in nodes {
            self.layout(source).set_folded(node, true);
        }
    }

    /// The line below the text: which value is selected, and what can be taken from it.
    pub(super) fn status_ui(&mut self, ui: &mut Ui, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        let palette = palette(ui);
        ui.horizontal(|ui| {
            ui.add_space(4.0 * GRID);
            let small = |text: &str| egui::RichText::new(text).font(theme::small()).color(palette.muted);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(GRID);
                let button = |text| egui::Button::new(small(text)).frame_when_inactive(false);
                if ui.add(button("Copy value")).clicked() {
                    self.copy_value(ui, source, output);
                }
                if ui.add(button("Copy pointer")).clicked() {
                    self.copy_pointer(ui, source, output);
                }
                let pointer = self.selected_pointer(source).unwrap_or_default();
                let shown =
                    crate::ui::widgets::foreign_text::shown_text(ui, &theme::mono(), pointer.as_str()).into_owned();
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(small(&shown).monospace()).truncate());
                });
            });
        });
    }
}

fn beyond_edge(measures: &Measures, pointer: Pos2) -> f32 {
    if pointer.y < measures.area.top() {
        pointer.y - measures.area.top()
    } else if pointer.y > measures.area.bottom() {
        pointer.y - measures.area.bottom()
    } else {
        0.0
    }
}

/// The byte at `pointer`; above and below the lines in sight the nearest one.
fn byte_at(painted: &[PaintedLine], pointer: Pos2) -> usize {
    let line = painted.iter().find(|line| pointer.y < line.rect.bottom()).or(painted.last());
    line.map_or(0, |line| {
        let cursor = line
            .shown
            .galley
            .cursor_from_pos(egui::vec2(pointer.x - line.text_pos.x, line.shown.galley.size().y / 2.0));
        line.shown.byte_at(cursor.index.0)
    })
}
