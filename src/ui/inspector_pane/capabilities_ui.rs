//! What the agent can do beyond the core: declared features, and extensions with what they require.

use egui::{RichText, Ui};

use super::field_ui::{beside, body, deeds_of_text_ui, json_ui};
use super::row::{finding_mark_ui, row_ui};
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::facts::Tone;
use crate::state::Action;
use crate::ui::theme::{self, palette};
use crate::ui::widgets::buttons::quiet_button;

/// One protocol feature: yes, no, or not declared, and what that means.
pub fn capability_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(capability) = inspection.capabilities.rows.get(at) else { return };
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            0.0,
            |ui, row| row.name(ui, capability.name, capability.help, capability.spec),
            |ui, row| {
                let word = match capability.declared {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "no, not declared",
                };
                let mut job = egui::text::LayoutJob::default();
                job.append(word, 0.0, body(ui));
                job.append(&format!("  {}", capability.meaning), 0.0, beside(ui));
                row.label(ui, job);
                row.notes(ui, &capability.notes);
                if capability.name == "extendedAgentCard" && capability.declared == Some(true) {
                    let hint =
                        "Asks the agent by GetExtendedAgentCard, with the credential of its origin if one is set";
                    if quiet_button(ui, "Get extended card").on_hover_text(hint).clicked() {
                        scene.actions.push(Action::GetExtendedCard);
                    }
                }
                finding_mark_ui(ui, row, scene, index);
                row.help(ui, capability.help, capability.spec);
            },
        );
    });
}

/// A declared extension; that it is required comes first.
pub fn extension_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(extension) = inspection.capabilities.extensions.get(at) else { return };
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            0.0,
            |ui, row| {
                let help = "A feature outside the core protocol, named by a URI.";
                row.name(ui, if at == 0 { "extensions" } else { "" }, help, "§4.6");
            },
            |ui, row| {
                if extension.required {
                    let color = theme::tone_color(palette(ui), Tone::Caution);
                    let words = "required: a client that does not support it must not call the agent";
                    row.label(ui, RichText::new(words).color(color));
                }
                row.mono(ui, &extension.uri);
                if let Some(description) = &extension.description {
                    row.foreign_muted(ui, description);
                }
                if let Some(params) = &extension.params {
                    let stands = extension.pointer.child("params");
                    row.aside(ui, "params");
                    json_ui(ui, row, scene, params, Some(&stands));
                }
                row.notes(ui, &extension.notes);
                finding_mark_ui(ui, row, scene, index);
                if row.is_selected {
                    deeds_of_text_ui(ui, scene, &extension.uri);
                }
            },
        );
    });
}
