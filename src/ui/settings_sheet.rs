//! The preferences: theme, zoom, how long a task is followed, and how requests leave this machine.

use std::path::PathBuf;

use egui::{Align, Button, DragValue, Label, Layout, ScrollArea, Slider, TextEdit, Ui};

use super::quantities::day;
use super::theme::{CHOOSE_WIDTH, GRID, LINE, NAME_WIDTH};
use super::widgets::buttons::{primary_button, quiet_button};
use super::widgets::cell::cell_ui;
use super::widgets::heading::heading_ui;
use super::widgets::text;
use crate::client::{ProxyChoice, TrustedCertificate};
use crate::state::{Action, Settings, State, ThemeChoice};

/// Where more are trusted, they are scrolled.
const MOST_TRUSTED_HEIGHT: f32 = 160.0;

/// Settings being edited; they hold when "Apply" is pressed.
#[derive(Debug)]
pub struct SettingsSheet {
    draft: Settings,
    proxy: String,
    ca_file: String,
    /// The file that was set when the sheet opened or was picked since.
    seen_ca_file: Option<PathBuf>,
}

impl SettingsSheet {
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let proxy = match &settings.network.proxy {
            ProxyChoice::Manual(url) => url.clone(),
            _ => String::new(),
        };
        let seen_ca_file = settings.network.ca_file.clone();
        let ca_file = seen_ca_file.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        Self { draft: settings.clone(), proxy, ca_file, seen_ca_file }
    }

    /// Draws the sheet; true when it was closed.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
        self.follow_picked_file(state);
        ui.label(text::strong(ui, "Settings"));
        self.look_ui(ui);
        self.following_ui(ui);
        self.network_ui(ui, actions);
        trusted_ui(ui, state, actions);
        ui.add_space(4.0 * GRID);
        ui.horizontal(|ui| {
            let apply = primary_button(ui, "Apply", true).clicked();
            if apply {
                actions.push(Action::ChangeSettings(self.settings()));
            }
            apply | ui.button("Close").clicked()
        })
        .inner
    }

    /// A file picked by dialog lands in the model's settings; it belongs into the field.
    fn follow_picked_file(&mut self, state: &State) {
        if state.settings.network.ca_file != self.seen_ca_file {
            self.seen_ca_file.clone_from(&state.settings.network.ca_file);
            self.ca_file = self.seen_ca_file.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        }
    }

    fn settings(&self) -> Settings {
        let mut settings = self.draft.clone();
        if let ProxyChoice::Manual(url) = &mut settings.network.proxy {
            self.proxy.trim().clone_into(url);
        }
        let ca_file = self.ca_file.trim();
        settings.network.ca_file = (!ca_file.is_empty()).then(|| PathBuf::from(ca_file));
        settings
    }

    fn look_ui(&mut self, ui: &mut Ui) {
        heading_ui(ui, "Look", "");
        row_ui(ui, "theme", |ui| {
            for (choice, label) in
                [(ThemeChoice::System, "As the system"), (ThemeChoice::Dark, "Dark"), (ThemeChoice::Light, "Light")]
            {
                if ui.add(Button::selectable(self.draft.theme == choice, label)).clicked() {
                    self.draft.theme = choice;
                }
            }
        });
        row_ui(ui, "zoom", |ui| {
            let mut percent = self.draft.zoom * 100.0;
            let slider = Slider::new(&mut percent, 50.0..=250.0).step_by(5.0).suffix(" %");
            if ui.add(slider).accessible_name("Zoom of everything").changed() {
                self.draft.zoom = percent / 100.0;
            }
        });
    }

    fn following_ui(&mut self, ui: &mut Ui) {
        heading_ui(ui, "Following a task", "");
        row_ui(ui, "at most", |ui| {
            let value = DragValue::new(&mut self.draft.poll_budget_secs).range(10..=86_400).suffix(" s");
            ui.add(value).accessible_name("Follow a task at most");
            ui.label(text::faint(ui, "then Cardscope stops and offers to poll again"));
        });
    }

    fn network_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        heading_ui(ui, "Network", "loopback is never asked through a proxy");
        row_ui(ui, "proxy", |ui| {
            let proxy = &mut self.draft.network.proxy;
            let choices = [
                (ProxyChoice::System, "As the system"),
                (ProxyChoice::None, "None"),
                (ProxyChoice::Manual(String::new()), "This one"),
            ];
            for (choice, label) in choices {
                let selected = std::mem::discriminant(proxy) == std::mem::discriminant(&choice);
                if ui.add(Button::selectable(selected, label)).clicked() {
                    *proxy = choice;
                }
            }
        });
        if matches!(self.draft.network.proxy, ProxyChoice::Manual(_)) {
            row_ui(ui, "", |ui| {
                let field = TextEdit::singleline(&mut self.proxy)
                    .hint_text("http://host:port or socks5://host:port")
                    .desired_width(f32::INFINITY);
                ui.add(field).accessible_name("Proxy address");
            });
        }
        row_ui(ui, "extra CA file", |ui| {
            let width = ui.available_width() - CHOOSE_WIDTH;
            let field = TextEdit::singleline(&mut self.ca_file).hint_text("Path of a PEM file").desired_width(width);
            ui.add(field).accessible_name("Extra CA file");
            if ui.button("Choose…").clicked() {
                actions.push(Action::PickCaFile);
            }
        });
    }
}

/// What is trusted of single hosts; removing it holds at once.
fn trusted_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let network = &state.settings.network;
    let in_this_run = network.trusted_in_this_run.iter().map(|trusted| (trusted, "trusted in this run".to_owned()));
    let kept = network.trusted.iter().rev().map(|trusted| (trusted, format!("trusted {}", day(trusted.since))));
    let rows: Vec<(&TrustedCertificate, String)> = in_this_run.chain(kept).collect();
    if rows.is_empty() {
        return;
    }
    heading_ui(ui, "Trusted certificates", "each at its own address only");
    let list = ScrollArea::vertical().id_salt("trusted certificates").max_height(MOST_TRUSTED_HEIGHT);
    list.show(ui, |ui| {
        for (trusted, when) in rows {
            ui.horizontal_top(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                    let remove = quiet_button(ui, "Remove");
                    if remove.accessible_name(format!("Remove {}", trusted.origin)).clicked() {
                        actions.push(Action::StopTrusting { origin: trusted.origin.clone() });
                    }
                    ui.with_layout(Layout::top_down(Align::Min), |ui| {
                        ui.spacing_mut().item_spacing.y = 1.0;
                        ui.add(Label::new(text::mono(ui, &trusted.origin).line_height(Some(LINE))).wrap());
                        let words = format!("SHA-256 {} · {when}", trusted.sha256.short());
                        ui.label(text::note(ui, words)).on_hover_text(trusted.sha256.to_string());
                    });
                });
            });
        }
    });
}

fn row_ui(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        cell_ui(ui, NAME_WIDTH, text::muted(ui, name));
        content(ui);
    });
}
