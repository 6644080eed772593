//! What opens above the panes: question, settings, credential, pasted card, palette, help, and a link's target.

use egui::{Context, Id, Modal, ModalResponse, Ui};

use super::command_palette::CommandPalette;
use super::connect_sheet::ConnectSheet;
use super::credential_editor::CredentialEditor;
use super::help_sheet;
use super::settings_sheet::SettingsSheet;
use super::shortcuts::Command;
use super::theme::{GRID, palette};
use super::widgets::buttons::primary_button;
use super::widgets::facts::facts_ui;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::visible_text::punycode_beside;
use crate::state::{Action, Age, ComparisonAction, State};

/// The one dialog that is open, with its drafts.
#[derive(Debug)]
pub enum Dialog {
    Settings(SettingsSheet),
    Credential(CredentialEditor),
    /// A card's JSON, being pasted, and the side of a comparison that it becomes, if it does.
    Paste(String, Option<Age>),
    /// An agent without a card.
    Connect(ConnectSheet),
    Palette(CommandPalette),
    Help,
    /// The target of a link that was clicked in foreign text; opened only after it was shown.
    Link(String),
}

/// What a dialog came to in this frame.
pub enum DialogEnd {
    Open,
    Closed,
    /// Closed by choosing a command.
    Run(Command),
}

impl Dialog {
    #[must_use]
    pub fn paste() -> Self {
        Self::Paste(String::new(), None)
    }

    /// The same for a side of the comparison.
    #[must_use]
    pub fn paste_side(age: Age) -> Self {
        Self::Paste(String::new(), Some(age))
    }

    #[must_use]
    pub fn connect(address: &str) -> Self {
        Self::Connect(ConnectSheet::new(address))
    }

    #[must_use]
    pub fn settings(state: &State) -> Self {
        Self::Settings(SettingsSheet::new(&state.settings))
    }

    #[must_use]
    pub fn credential(state: &State, address: &str) -> Self {
        Self::Credential(CredentialEditor::new(state, address))
    }

    /// Draws the dialog over everything.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) -> DialogEnd {
        // Each has a name of its own: egui keeps sizes by it.
        let (name, width) = match self {
            Self::Settings(_) => ("settings", 560.0),
            Self::Credential(_) => ("credential", 560.0),
            Self::Paste(..) => ("paste", 600.0),
            Self::Connect(_) => ("connect", 560.0),
            Self::Palette(_) => ("palette", 600.0),
            Self::Help => ("help", 660.0),
            Self::Link(_) => ("link", 600.0),
        };
        let shown = show_modal(ctx, name, width, |ui| match self {
            Self::Settings(sheet) => closed_if(sheet.ui(ui, state, actions)),
            Self::Credential(editor) => closed_if(editor.ui(ui, state, actions)),
            Self::Paste(draft, side) => closed_if(paste_ui(ui, draft, *side, actions)),
            Self::Connect(sheet) => closed_if(sheet.ui(ui, actions)),
            Self::Palette(palette) => palette.ui(ui),
            Self::Help => closed_if(help_sheet::help_ui(ui)),
            Self::Link(url) => closed_if(link_ui(ui, url, actions)),
        });
        if shown.should_close() { DialogEnd::Closed } else { shown.inner }
    }
}

fn closed_if(closed: bool) -> DialogEnd {
    if closed { DialogEnd::Closed } else { DialogEnd::Open }
}

/// A dialog no wider than the window.
fn show_modal<T>(ctx: &Context, id: &str, width: f32, content: impl FnOnce(&mut Ui) -> T) -> ModalResponse<T> {
    let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(5.0 * GRID);
    Modal::new(Id::unique(id)).frame(frame).show(ctx, |ui| {
        let room = ui.ctx().content_rect().width() - 80.0;
        ui.set_width(width.min(room.max(200.0)));
        content(ui)
    })
}

/// Asks what only the user can decide; Escape takes the last choice.
pub fn question_ui(ctx: &Context, state: &State, actions: &mut Vec<Action>) {
    let Some(question) = &state.question else { return };
    let (name, width) = if question.facts.is_empty() { ("question", 520.0) } else { ("question with facts", 640.0) };
    let shown = show_modal(ctx, name, width, |ui| {
        ui.label(text::strong(ui, &question.title));
        ui.add_space(GRID);
        facts_ui(ui, &question.facts);
        for paragraph in question.detail.split("\n\n") {
            ui.label(text::plain(ui, paragraph));
            ui.add_space(GRID);
        }
        ui.add_space(2.0 * GRID);
        let mut chosen = None;
        ui.horizontal_wrapped(|ui| {
            for (index, choice) in question.choices.iter().enumerate() {
                let response = if index == question.main {
                    primary_button(ui, &choice.label, true)
                } else {
                    ui.button(shown_in_body(ui, &choice.label))
                };
                if response.clicked() {
                    chosen = Some(index);
                }
            }
        });
        chosen
    });
    let escaped = shown.should_close().then(|| question.choices.len().saturating_sub(1));
    if let Some(choice) = shown.inner.or(escaped) {
        actions.push(Action::AnswerQuestion { choice });
    }
}

fn paste_ui(ui: &mut Ui, draft: &mut String, side: Option<Age>, actions: &mut Vec<Action>) -> bool {
    ui.label(text::strong(ui, "Paste a card"));
    ui.label(text::faint(
        ui,
        "Its JSON is kept exactly as pasted. No address is known then, so nothing can be fetched.",
    ));
    ui.add_space(GRID);
    let field = egui::TextEdit::multiline(draft)
        .font(egui::TextStyle::Monospace)
        .desired_rows(14)
        .desired_width(f32::INFINITY)
        .hint_text("{ \"name\": …");
    let response = egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| ui.add(field)).inner;
    let response = response.accessible_name("Card JSON");
    if draft.is_empty() {
        response.request_focus();
    }
    ui.add_space(2.0 * GRID);
    let mut closed = false;
    ui.horizontal(|ui| {
        let label = if side.is_some() { "Compare with it" } else { "Open card" };
        if primary_button(ui, label, !draft.trim().is_empty()).clicked() {
            let (name, bytes) = ("Pasted card".to_owned(), std::mem::take(draft).into_bytes().into());
            actions.push(match side {
                Some(age) => Action::Comparison(ComparisonAction::OpenBytes { age, name, bytes }),
                None => Action::OpenBytes { name, bytes },
            });
            closed = true;
        }
        closed |= ui.button("Close").clicked();
    });
    closed
}

fn link_ui(ui: &mut Ui, url: &str, actions: &mut Vec<Action>) -> bool {
    ui.label(text::strong(ui, "Open this link?"));
    ui.label(text::faint(ui, "It comes from the agent and opens in your browser. Cardscope itself fetches nothing."));
    ui.add_space(2.0 * GRID);
    ui.label(text::mono(ui, url));
    if let Some(host) = punycode_beside(url) {
        ui.label(text::toned(ui, format!("The host's real name is {host}."), crate::card::facts::Tone::Caution));
    }
    let opens = ["http://", "https://", "mailto:"].iter().any(|scheme| url.to_ascii_lowercase().starts_with(scheme));
    if !opens {
        ui.label(egui::RichText::new("Only http, https and mailto links can be opened.").color(palette(ui).bad));
    }
    ui.add_space(3.0 * GRID);
    let mut closed = false;
    ui.horizontal(|ui| {
        if primary_button(ui, "Open link", opens).clicked() {
            actions.push(Action::OpenLink { url: url.to_owned() });
            closed = true;
        }
        if ui.button("Copy link").clicked() {
            ui.ctx().copy_text(url.to_owned());
            actions.push(Action::Copied { what: "The link".to_owned() });
            closed = true;
        }
        closed |= ui.button("Close").clicked();
    });
    closed
}
