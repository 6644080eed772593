//! Every command of the window with its keys: one table for the keyboard, the palette and the help sheet.

use egui::{Context, Event, ImeEvent, InputState, Key, KeyboardShortcut, Modifiers, Ui};

/// Something the user can do from the keyboard or the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    FocusAddress,
    FetchAgain,
    FetchAnew,
    CancelFetch,
    OpenFile,
    OpenCatalog,
    SearchCatalog,
    PasteCard,
    Connect,
    EditCredential,
    StartDemo,
    StopDemo,
    ShowInspect,
    ShowCompare,
    ShowMessage,
    ComparePrevious,
    SwapSides,
    NextChange,
    PreviousChange,
    SearchAgents,
    SearchJson,
    ToggleJson,
    Send,
    StopFollowing,
    NewConversation,
    ShowConversations,
    AttachFile,
    ToggleTraffic,
    SaveTraffic,
    NextTheme,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    Settings,
    Palette,
    Help,
}

/// One row of the table.
pub struct Entry {
    pub command: Command,
    pub name: &'static str,
    /// Any of these; the first is the one shown.
    pub keys: &'static [KeyboardShortcut],
}

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn with_command(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn with_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn shift_alone(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

/// All commands, in the order of the help sheet.
pub const COMMANDS: &[Entry] = &[
    Entry { command: Command::FocusAddress, name: "Go to the address", keys: &[with_command(Key::L)] },
    Entry { command: Command::FetchAgain, name: "Fetch the card again", keys: &[with_command(Key::R), plain(Key::F5)] },
    Entry {
        command: Command::FetchAnew,
        name: "Fetch the card anew, past every cache",
        keys: &[with_shift(Key::R), KeyboardShortcut::new(Modifiers::SHIFT, Key::F5)],
    },
    Entry { command: Command::CancelFetch, name: "Cancel the fetch", keys: &[with_command(Key::G)] },
    Entry { command: Command::OpenFile, name: "Open a file", keys: &[with_command(Key::O)] },
    Entry { command: Command::OpenCatalog, name: "Open a catalog", keys: &[with_command(Key::B)] },
    Entry { command: Command::SearchCatalog, name: "Search the catalog", keys: &[with_shift(Key::B)] },
    Entry { command: Command::PasteCard, name: "Paste a card", keys: &[with_command(Key::P)] },
    Entry { command: Command::Connect, name: "Connect without a card", keys: &[with_shift(Key::N)] },
    Entry { command: Command::EditCredential, name: "Set a credential", keys: &[with_shift(Key::K)] },
    Entry { command: Command::StartDemo, name: "Start the demo agent", keys: &[with_command(Key::D)] },
    Entry { command: Command::StopDemo, name: "Stop the demo agent", keys: &[with_shift(Key::D)] },
    Entry { command: Command::ShowInspect, name: "Show Inspect", keys: &[with_command(Key::Num1)] },
    Entry { command: Command::ShowCompare, name: "Show Compare", keys: &[with_command(Key::Num2)] },
    Entry { command: Command::ShowMessage, name: "Show Message", keys: &[with_command(Key::Num3)] },
    Entry { command: Command::ComparePrevious, name: "Compare with previous", keys: &[with_shift(Key::P)] },
    Entry { command: Command::SwapSides, name: "Swap older and newer", keys: &[with_shift(Key::W)] },
    Entry { command: Command::NextChange, name: "Next change", keys: &[plain(Key::F7)] },
    Entry { command: Command::PreviousChange, name: "Previous change", keys: &[shift_alone(Key::F7)] },
    Entry { command: Command::SearchAgents, name: "Search agents", keys: &[with_shift(Key::F)] },
    Entry { command: Command::SearchJson, name: "Search JSON", keys: &[with_command(Key::F)] },
    Entry { command: Command::ToggleJson, name: "Show or hide the JSON", keys: &[with_command(Key::J)] },
    Entry { command: Command::Send, name: "Send the message", keys: &[with_command(Key::Enter)] },
    Entry { command: Command::StopFollowing, name: "Stop waiting", keys: &[with_command(Key::Period)] },
    Entry { command: Command::NewConversation, name: "New conversation", keys: &[with_command(Key::N)] },
    Entry { command: Command::ShowConversations, name: "Earlier conversations", keys: &[with_shift(Key::H)] },
    Entry { command: Command::AttachFile, name: "Attach a file", keys: &[with_shift(Key::O)] },
    Entry { command: Command::ToggleTraffic, name: "Show or hide Traffic", keys: &[with_command(Key::T)] },
    Entry { command: Command::SaveTraffic, name: "Save all traffic", keys: &[with_shift(Key::S)] },
    Entry { command: Command::NextTheme, name: "Next theme", keys: &[with_shift(Key::L)] },
    Entry { command: Command::ZoomIn, name: "Zoom in", keys: &[with_command(Key::Plus), with_command(Key::Equals)] },
    Entry { command: Command::ZoomOut, name: "Zoom out", keys: &[with_command(Key::Minus)] },
    Entry { command: Command::ZoomReset, name: "Zoom to 100 %", keys: &[with_command(Key::Num0)] },
    Entry { command: Command::Settings, name: "Settings", keys: &[with_command(Key::Comma)] },
    Entry { command: Command::Palette, name: "All commands", keys: &[with_command(Key::K)] },
    Entry { command: Command::Help, name: "Help", keys: &[plain(Key::F1)] },
];

/// The keys of `command` as words ("Ctrl+L").
#[must_use]
pub fn keys_text(ctx: &Context, command: Command) -> String {
    COMMANDS
        .iter()
        .find(|entry| entry.command == command)
        .and_then(|entry| entry.keys.first())
        .map(|keys| ctx.format_shortcut(keys))
        .unwrap_or_default()
}

/// Watches the keyboard; knows when an input method is composing, so that no key of it is taken for a command.
#[derive(Debug, Default)]
pub struct Keyboard {
    composing: bool,
}

impl Keyboard {
    /// The commands whose keys were pressed in this frame; their key events are consumed.
    pub fn commands(&mut self, ui: &Ui) -> Vec<Command> {
        let typing = ui.ctx().egui_wants_keyboard_input();
        ui.input_mut(|input| {
            if self.is_composition_frame(input) {
                return Vec::new();
            }
            let mut pressed: Vec<Command> =
                longest_first().filter(|(_, keys)| input.consume_shortcut(keys)).map(|(command, _)| command).collect();
            if !typing && typed_question_mark(input) {
                pressed.push(Command::Help);
            }
            pressed
        })
    }

    /// Also true in the frame that ends a composition: the Enter that confirmed it arrives in the same one.
    fn is_composition_frame(&mut self, input: &InputState) -> bool {
        let mut touched = self.composing;
        for event in &input.events {
            match event {
                Event::Ime(ImeEvent::Preedit { text, .. }) => {
                    self.composing = !text.is_empty();
                    touched |= self.composing;
                }
                Event::Ime(ImeEvent::Commit(_)) => {
                    self.composing = false;
                    touched = true;
                }
                _ => {}
            }
        }
        touched
    }
}

/// egui lets Ctrl+K match while Shift is held as well, so the longer ones are asked first.
fn longest_first() -> impl Iterator<Item = (Command, &'static KeyboardShortcut)> {
    let all = || COMMANDS.iter().flat_map(|entry| entry.keys.iter().map(move |keys| (entry.command, keys)));
    all().filter(|(_, keys)| keys.modifiers.shift).chain(all().filter(|(_, keys)| !keys.modifiers.shift))
}

fn typed_question_mark(input: &mut InputState) -> bool {
    let before = input.events.len();
    input.events.retain(|event| !matches!(event, Event::Text(text) if text == "?"));
    input.events.len() < before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_keys() {
        let all: Vec<_> = longest_first().collect();
        for (index, (command, keys)) in all.iter().enumerate() {
            for (other, other_keys) in &all[index + 1..] {
                assert!(keys != other_keys, "{command:?} and {other:?} both use {keys:?}");
            }
        }
    }

    #[test]
    fn no_command_takes_a_key_that_edits_text() {
        let editing = [Key::A, Key::C, Key::V, Key::X, Key::Z, Key::Y];
        for (command, keys) in longest_first() {
            assert!(!editing.contains(&keys.logical_key), "{command:?}");
            let is_function_key = matches!(keys.logical_key, Key::F1 | Key::F5 | Key::F7);
            let types_a_character = !keys.modifiers.command && !is_function_key;
            assert!(!types_a_character, "{command:?}");
        }
    }

    #[test]
    fn every_command_has_keys_and_a_name_of_its_own() {
        for (index, entry) in COMMANDS.iter().enumerate() {
            assert!(!entry.keys.is_empty(), "{}", entry.name);
            assert!(COMMANDS[index + 1..].iter().all(|other| other.name != entry.name), "{}", entry.name);
        }
    }
}
