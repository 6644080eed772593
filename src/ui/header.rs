//! The top bar: the address, other ways in, credential, zoom, theme and help.

use bytes::Bytes;
use egui::{Align, Button, Event, Id, Layout, Popup, Response, RichText, TextEdit, Ui, vec2};

use super::dialogs::Dialog;
use super::theme::{GRID, palette};
use super::widgets::buttons::{entered, primary_button};
use crate::state::{Action, EntryId, Settings, State, ThemeChoice};

/// Zoom steps of the menu and the keys, in per cent.
const ZOOM_STEPS: [u32; 9] = [70, 80, 90, 100, 110, 125, 150, 175, 200];
/// Below this width the credential is named without its value.
const NARROW: f32 = 1000.0;
/// Below this width, measured past the signs at the end, the other ways in move into a menu.
const TOO_NARROW_FOR_BUTTONS: f32 = 600.0;

/// Draft and focus of the address field.
#[derive(Debug, Default)]
pub struct Header {
    address: String,
    /// The entry whose address the field follows.
    shown: Option<EntryId>,
    take_focus: bool,
}

impl Header {
    /// Puts the caret into the address at the next frame.
    pub fn focus_address(&mut self) {
        self.take_focus = true;
    }

    /// What the field holds.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
        self.follow(state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let narrow = ui.available_width() < NARROW;
            if ui.button("?").on_hover_text("Help and keys (F1)").accessible_name("Help").clicked() {
                *dialog = Some(Dialog::Help);
            }
            theme_menu_ui(ui, state, actions, dialog);
            zoom_menu_ui(ui, state, actions);
            if ui.available_width() < TOO_NARROW_FOR_BUTTONS {
                let button = ui.button("…").accessible_name("More");
                Popup::menu(&button).show(|ui| self.other_ways_ui(ui, state, narrow, actions, dialog));
            } else {
                self.other_ways_ui(ui, state, narrow, actions, dialog);
            }
            self.fetch_button_ui(ui, state, actions);
            self.address_ui(ui, actions);
        });
    }

    fn other_ways_ui(
        &self,
        ui: &mut Ui,
        state: &State,
        narrow: bool,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        if ui.button("Paste card").on_hover_text("Open a card from its JSON").clicked() {
            *dialog = Some(Dialog::paste());
        }
        if ui.button("Open file…").on_hover_text("Open a card from a file").clicked() {
            actions.push(Action::PickCardFile);
        }
        if ui.button(credential_label(state, narrow)).accessible_name("Credential").clicked() {
            *dialog = Some(Dialog::credential(state, &self.address));
        }
    }

    /// After another entry was opened, the field shows its address, unless something longer is being pasted.
    fn follow(&mut self, state: &State) {
        if self.shown == state.discovery.current {
            return;
        }
        self.shown = state.discovery.current;
        let Some(entry) = state.discovery.current_entry() else { return };
        if !entry.has_address() {
            // It came from no address, and its name is none.
            self.address.clear();
        } else if !entry.address.contains('\n') && entry.address.len() < 2000 {
            self.address.clone_from(&entry.address);
        }
    }

    fn fetch_button_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        if state.discovery.pending.is_some() {
            if ui.button("Cancel").clicked() {
                actions.push(Action::CancelFetch);
            }
        } else if primary_button(ui, "Fetch", !self.address.trim().is_empty()).clicked() {
            actions.push(Action::FetchCard { address: self.address.clone() });
        }
    }

    fn address_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let id = Id::unique("agent address");
        if ui.memory(|memory| memory.has_focus(id)) {
            open_pasted_json(ui, actions);
        }
        let field = TextEdit::singleline(&mut self.address)
            .id(id)
            .hint_text("Host, URL, card file, or a card's JSON")
            .margin(vec2(3.0 * GRID, 6.0))
            .align(egui::Align2::LEFT_CENTER)
            .desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Agent address");
        if std::mem::take(&mut self.take_focus) {
            response.request_focus();
            select_all(ui, &response, &self.address);
        }
        if entered(ui, &response) && !self.address.trim().is_empty() {
            actions.push(Action::FetchCard { address: self.address.clone() });
        }
    }
}

/// A pasted object is a card, not an address: it is opened as it is, its line breaks kept.
fn open_pasted_json(ui: &Ui, actions: &mut Vec<Action>) {
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Paste(text) if text.trim_start().starts_with('{') => {
                actions.push(Action::OpenBytes { name: "Pasted card".to_owned(), bytes: Bytes::from(text.to_owned()) });
                false
            }
            _ => true,
        });
    });
}

fn select_all(ui: &Ui, response: &Response, text: &str) {
    let mut state = TextEdit::load_state(ui.ctx(), response.id).unwrap_or_default();
    let end = egui::text::CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(egui::text::CCursorRange::two(egui::text::CCursor::new(0), end)));
    TextEdit::store_state(ui.ctx(), response.id, state);
}

/// `Bearer ••••7f2a` for the current origin's credential, else the word alone.
fn credential_label(state: &State, narrow: bool) -> String {
    let Some(credential) = super::credential_editor::current(state) else { return "Credential".to_owned() };
    let masked = match credential.headers.first() {
        Some((name, secret)) if name.eq_ignore_ascii_case("authorization") => {
            let kind = if secret.reveal().starts_with("Bearer ") { "Bearer" } else { "Authorization" };
            format!("{kind} {}", secret.masked())
        }
        Some((name, secret)) => format!("{name} {}", secret.masked()),
        None if credential.client_certificate.is_some() => "Client certificate".to_owned(),
        None => "Credential".to_owned(),
    };
    if narrow { "Credential set".to_owned() } else { masked }
}

fn theme_menu_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
    let button = ui.add(Button::new("◐")).on_hover_text("Theme and settings").accessible_name("Theme");
    Popup::menu(&button).show(|ui| {
        for (choice, label) in
            [(ThemeChoice::System, "As the system"), (ThemeChoice::Dark, "Dark"), (ThemeChoice::Light, "Light")]
        {
            if ui.add(Button::selectable(state.settings.theme == choice, label)).clicked() {
                actions.push(Action::ChangeSettings(Settings { theme: choice, ..state.settings.clone() }));
            }
        }
        ui.separator();
        if ui.add(Button::new("Settings…").frame_when_inactive(false)).clicked() {
            *dialog = Some(Dialog::settings(state));
        }
    });
}

fn zoom_menu_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let percent = zoom_percent(state.settings.zoom);
    let text = RichText::new(format!("{percent} %")).color(palette(ui).muted);
    let button = ui.add(Button::new(text).frame_when_inactive(false));
    let button = button.on_hover_text("Size of everything (Ctrl +, Ctrl -, Ctrl 0)").accessible_name("Zoom");
    Popup::menu(&button).show(|ui| {
        for step in ZOOM_STEPS {
            if ui.add(Button::selectable(step == percent, format!("{step} %"))).clicked() {
                actions.push(zoom_to(state, step));
            }
        }
    });
}

fn zoom_percent(zoom: f32) -> u32 {
    (zoom * 100.0).round() as u32
}

fn zoom_to(state: &State, percent: u32) -> Action {
    Action::ChangeSettings(Settings { zoom: percent as f32 / 100.0, ..state.settings.clone() })
}

/// The next step up or down, or back to 100 % for `0`.
pub(super) fn zoom_by(state: &State, direction: i8) -> Action {
    let now = zoom_percent(state.settings.zoom);
    let step = match direction {
        0 => Some(100),
        1.. => ZOOM_STEPS.into_iter().find(|step| *step > now),
        _ => ZOOM_STEPS.into_iter().rev().find(|step| *step < now),
    };
    zoom_to(state, step.unwrap_or(now))
}

/// The theme after the present one.
pub(super) fn next_theme(state: &State) -> Action {
    let theme = match state.settings.theme {
        ThemeChoice::System => ThemeChoice::Dark,
        ThemeChoice::Dark => ThemeChoice::Light,
        ThemeChoice::Light => ThemeChoice::System,
    };
    Action::ChangeSettings(Settings { theme, ..state.settings.clone() })
}
