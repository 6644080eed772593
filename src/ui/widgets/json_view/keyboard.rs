//! The keyboard in a JSON text, and what goes to the clipboard.

use egui::{Event, EventFilter, Key, Response, Ui};

use super::text_area::Measures;
use super::{JsonSource, JsonView, JsonViewOutput};
use crate::card::JsonPointer;
use crate::card::json::NodeId;
use crate::ui::theme::MONO_ROW;

impl JsonView {
    pub(super) fn keyboard_input(
        &mut self,
        ui: &Ui,
        response: &Response,
        measures: &Measures,
        source: &JsonSource<'_>,
        output: &mut JsonViewOutput,
    ) {
        if !response.has_focus() {
            return;
        }
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let page = (measures.area.height() - MONO_ROW).max(MONO_ROW);
        let events = ui.input(|input| input.events.clone());
        for event in &events {
            match event {
                Event::Copy => self.copy(ui, source, output),
                Event::Key { key, pressed: true, modifiers, .. } => {
                    let length = self.text(source).text().len();
                    let layout = self.layout(source);
                    match key {
                        Key::PageUp => layout.scroll.by(-page),
                        Key::PageDown => layout.scroll.by(page),
                        Key::Home => layout.scroll.go_to_start(),
                        Key::End => layout.scroll.go_to_end(),
                        Key::ArrowUp => self.step(measures, source, false, output),
                        Key::ArrowDown => self.step(measures, source, true, output),
                        Key::ArrowLeft => self.fold_or_leave(measures, source, output),
                        Key::ArrowRight => self.unfold(source),
                        Key::A if modifiers.command => layout.marked = Some((0, length)),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Picks the value on the next or previous line that begins one.
    fn step(&mut self, measures: &Measures, source: &JsonSource<'_>, down: bool, output: &mut JsonViewOutput) {
        let (text, selected) = (self.text(source), self.selection.node);
        let layout = self.layout(source);
        layout.fit(text, measures.columns);
        let lines = &layout.lines;
        let at = source.tree.zip(selected).and_then(|(tree, node)| layout.bytes_of(text, tree, node));
        let from = match at {
            Some(bytes) => lines.line_at(text, bytes.start),
            None => lines.line_at(text, layout.first_byte_in_sight(text)),
        };
        // A closing bracket, or a line that goes on, begins no value.
        let begins_value = |line: usize| {
            let row = lines.get(text, line)?.row as usize;
            let node = text.rows()[row].line().map(|_| text.rows()[row].node)?;
            text.rows_of(node).is_some_and(|(first, _)| first == row).then_some((line, node))
        };
        let next =
            if down { (from + 1..lines.len()).find_map(begins_value) } else { (0..from).rev().find_map(begins_value) };
        if let Some((line, node)) = next {
            layout.scroll.keep_in_sight(line, measures.area.height());
            self.pick(source, node, output);
        }
    }

    fn fold_or_leave(&mut self, measures: &Measures, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        let Some((tree, node)) = source.tree.zip(self.selection.node) else { return };
        let text = self.text(source);
        let layout = self.layout(source);
        let can_fold = text.rows_of(node).is_some_and(|(first, last)| last > first);
        if tree.node(node).kind().is_container() && can_fold && !layout.folding.folded.contains(&node) {
            layout.set_folded(node, true);
        } else if let Some(parent) = tree.node(node).parent().filter(|parent| parent.id().0 != 0) {
            layout.fit(text, measures.columns);
            if let Some(bytes) = layout.bytes_of(text, tree, parent.id()) {
                let line = layout.lines.line_at(text, bytes.start);
                layout.scroll.keep_in_sight(line, measures.area.height());
            }
            self.pick(source, parent.id(), output);
        }
    }

    fn unfold(&mut self, source: &JsonSource<'_>) {
        if let Some(node) = self.selection.node {
            self.layout(source).set_folded(node, false);
        }
    }

    /// Copies the marked characters, else the selected value.
    fn copy(&mut self, ui: &Ui, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        if self.layout(source).marked.is_some_and(|(from, to)| from != to) {
            self.copy_marked(ui, source, output);
        } else {
            self.copy_value(ui, source, output);
        }
    }

    pub(super) fn copy_marked(&mut self, ui: &Ui, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        let text = self.text(source);
        if let Some((from, to)) = self.layout(source).marked
            && let Some(marked) = text.text().get(from.min(to)..from.max(to))
        {
            ui.copy_text(marked.to_owned());
            output.copied = Some("Marked text");
        }
    }

    pub(super) fn copy_value(&mut self, ui: &Ui, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        if let Some(raw) = self.selection.node.and_then(|node| source.raw(node)) {
            ui.copy_text(raw.to_owned());
            output.copied = Some("Value");
        }
    }

    pub(super) fn copy_pointer(&mut self, ui: &Ui, source: &JsonSource<'_>, output: &mut JsonViewOutput) {
        if let Some(pointer) = self.selected_pointer(source) {
            ui.copy_text(pointer.as_str().to_owned());
            output.copied = Some("Pointer");
        }
    }

    /// The pointer of the value that is shown as selected, which exists.
    pub(super) fn selected_pointer(&self, source: &JsonSource<'_>) -> Option<JsonPointer> {
        let node: NodeId = self.selection.node?;
        Some(source.tree?.node(node).pointer())
    }
}
