//! Mouse and keyboard in the texts: a click picks the change, dragging marks rows, the right button copies.

use egui::{Event, EventFilter, Key, PointerButton, Pos2, Response, Ui};

use super::painting::{Geometry, PlacedRow};
use super::text_view::TextView;
use crate::state::{Action, Age, Compared, ComparisonAction};
use crate::ui::theme::MONO_ROW;

impl TextView {
    pub(super) fn keyboard_input(
        &mut self,
        ui: &Ui,
        response: &Response,
        compared: &Compared,
        height: f32,
        actions: &mut Vec<Action>,
    ) {
        if !response.has_focus() {
            return;
        }
        let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let page = (height - MONO_ROW).max(MONO_ROW);
        let events = ui.input(|input| input.events.clone());
        for event in &events {
            match event {
                Event::Copy => self.copy_marked(ui, compared, actions),
                Event::Key { key, pressed: true, .. } => match key {
                    Key::PageUp => self.scroll.by(-page),
                    Key::PageDown => self.scroll.by(page),
                    Key::ArrowUp => self.scroll.by(-MONO_ROW),
                    Key::ArrowDown => self.scroll.by(MONO_ROW),
                    Key::Home => self.scroll.go_to_start(),
                    Key::End => self.scroll.go_to_end(),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    pub(super) fn pointer_input(
        &mut self,
        ui: &Ui,
        response: &Response,
        geometry: &Geometry,
        placed: &[PlacedRow],
        compared: &Compared,
        actions: &mut Vec<Action>,
    ) {
        let Some(pointer) = response.interact_pointer_pos() else { return };
        if response.drag_started_by(PointerButton::Primary) {
            let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            self.marked = row_at(geometry, placed, origin, None).map(|(age, row)| (age, row, row));
            response.request_focus();
        }
        if response.dragged_by(PointerButton::Primary)
            && let Some((age, from, _)) = self.marked
        {
            if let Some((_, row)) = row_at(geometry, placed, pointer, Some(age)) {
                self.marked = Some((age, from, row));
            }
            let (top, bottom) = (geometry.area.top(), geometry.area.bottom());
            let beyond = (pointer.y - bottom).max(0.0) + (pointer.y - top).min(0.0);
            if beyond != 0.0 {
                self.scroll.by(beyond.clamp(-3.0 * MONO_ROW, 3.0 * MONO_ROW));
                ui.ctx().request_repaint();
            }
        }
        if response.clicked() || response.secondary_clicked() {
            response.request_focus();
            let Some((age, row)) = row_at(geometry, placed, pointer, None) else { return };
            let is_within =
                self.marked.is_some_and(|(of, from, to)| of == age && (from.min(to)..=from.max(to)).contains(&row));
            if response.clicked() {
                self.marked = None;
                pick(compared, age, row, actions);
            } else if !is_within {
                self.marked = Some((age, row, row));
            }
        }
    }

    pub(super) fn menu_ui(&mut self, ui: &mut Ui, compared: &Compared, actions: &mut Vec<Action>) {
        let count = self.marked.map_or(0, |(_, from, to)| from.abs_diff(to) + 1);
        let label = if count > 1 { format!("Copy {count} lines") } else { "Copy line".to_owned() };
        if ui.add_enabled(count > 0, egui::Button::new(label)).clicked() {
            self.copy_marked(ui, compared, actions);
            ui.close();
        }
        for (age, label) in [(Age::Older, "Copy the older document"), (Age::Newer, "Copy the newer document")] {
            if ui.button(label).clicked() {
                ui.copy_text(compared.side(age).document.text().to_string());
                actions.push(Action::Copied { what: "The document".to_owned() });
                ui.close();
            }
        }
    }

    fn copy_marked(&self, ui: &Ui, compared: &Compared, actions: &mut Vec<Action>) {
        let Some((age, from, to)) = self.marked else { return };
        let text = compared.text_of(age);
        let rows = &text.rows()[from.min(to) as usize..=from.max(to) as usize];
        let mut copied = String::new();
        for row in rows {
            if row.line().is_some() && !copied.is_empty() {
                copied.push('\n');
            }
            copied.push_str(text.row_text(row));
        }
        ui.copy_text(copied);
        actions.push(Action::Copied { what: "Marked lines".to_owned() });
    }
}

/// Selects the change that a row of a side belongs to, or none.
fn pick(compared: &Compared, age: Age, row: u32, actions: &mut Vec<Action>) {
    let Some(tree) = compared.tree_of(age) else { return };
    let node = compared.text_of(age).rows()[row as usize].node;
    let change = compared.change_at(age, &tree.node(node).pointer());
    actions.push(Action::Comparison(ComparisonAction::SelectChange { change }));
}

/// The text's row at a place; of a given side the nearest one.
fn row_at(geometry: &Geometry, placed: &[PlacedRow], at: Pos2, wanted: Option<Age>) -> Option<(Age, u32)> {
    let column = geometry.column_at(at.x)?;
    let age = wanted.or(column.age);
    let index = placed.iter().position(|row| at.y < row.rect.bottom()).unwrap_or(placed.len().checked_sub(1)?);
    let text_of = |row: &PlacedRow| {
        row.texts.iter().find(|text| age.is_none_or(|age| text.age == age)).map(|text| (text.age, text.piece.row))
    };
    if wanted.is_none() {
        return text_of(placed.get(index)?);
    }
    placed[index..].iter().find_map(text_of).or_else(|| placed[..index].iter().rev().find_map(text_of))
}
