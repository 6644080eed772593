//! The palette: every command, found by a few letters and run with Enter.

use egui::{Button, Key, Modifiers, ScrollArea, TextEdit, Ui};

use super::dialogs::DialogEnd;
use super::shortcuts::{COMMANDS, Command, Entry};
use super::widgets::text;

/// Search text and the row that Enter would run.
#[derive(Debug, Default)]
pub struct CommandPalette {
    search: String,
    marked: usize,
}

impl CommandPalette {
    pub(super) fn ui(&mut self, ui: &mut Ui) -> DialogEnd {
        let (down, up) = ui.input_mut(|input| {
            let mut pressed = |key| usize::from(input.consume_key(Modifiers::NONE, key));
            (pressed(Key::ArrowDown), pressed(Key::ArrowUp))
        });
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        let field = TextEdit::singleline(&mut self.search).hint_text("Type a command").desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Command");
        if response.changed() {
            self.marked = 0;
        }
        response.request_focus();
        let fitting: Vec<&Entry> = COMMANDS.iter().filter(|entry| fits(entry.name, &self.search)).collect();
        let last = fitting.len().saturating_sub(1);
        self.marked = (self.marked + down).saturating_sub(up).min(last);
        if enter && let Some(entry) = fitting.get(self.marked) {
            return DialogEnd::Run(entry.command);
        }
        self.rows_ui(ui, &fitting, down + up > 0)
    }

    fn rows_ui(&self, ui: &mut Ui, fitting: &[&Entry], scroll: bool) -> DialogEnd {
        let mut chosen: Option<Command> = None;
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (index, entry) in fitting.iter().enumerate() {
                let keys = entry.keys.first().map(|keys| ui.ctx().format_shortcut(keys)).unwrap_or_default();
                let marked = index == self.marked;
                let button = Button::selectable(marked, entry.name).shortcut_text(keys);
                let response = ui.add_sized([ui.available_width(), 28.0], button).accessible_name(entry.name);
                if marked && scroll {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(entry.command);
                }
            }
            if fitting.is_empty() {
                ui.label(text::muted(ui, "No command is called so."));
            }
        });
        chosen.map_or(DialogEnd::Open, DialogEnd::Run)
    }
}

/// Whether every word of `search` stands in `name`, in any case.
fn fits(name: &str, search: &str) -> bool {
    let name = name.to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn words_fit_in_any_order_and_case() {
        assert!(fits("Show or hide Traffic", "TRAF show"));
        assert!(fits("Show or hide Traffic", ""));
        assert!(!fits("Show or hide Traffic", "send"));
    }
}
