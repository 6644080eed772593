//! How the agent is protected: which schemes suffice, and each scheme with its details.

use egui::{RichText, Ui};

use super::row::{RowUi, finding_mark_ui, row_ui};
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::facts::{Alternative, Note, Requirements, SchemeKind, Tone};
use crate::ui::theme::{self, palette};

/// The whole requirement, and the ways to meet it.
pub fn requirements_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let access = &inspection.access;
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            0.0,
            |ui, row| {
                row.name(
                    ui,
                    "required",
                    "Any one of the alternatives suffices; all schemes within it are needed.",
                    "§4.5",
                );
            },
            |ui, row| {
                row.foreign(ui, &access.summary);
                if access.requirements.alternatives.len() > 1 {
                    for alternative in &access.requirements.alternatives {
                        alternative_ui(ui, row, alternative);
                    }
                }
                row.notes(ui, &access.requirements.notes);
                finding_mark_ui(ui, row, scene, index);
            },
        );
    });
}

fn alternative_ui(ui: &mut Ui, row: &mut RowUi, alternative: &Alternative) {
    let words = format!("· {}", alternative_words(alternative));
    row.foreign_muted(ui, &words);
    for scheme in alternative.schemes.iter().filter(|scheme| !scheme.declared) {
        row.note(ui, &Note::new(Tone::Caution, format!("{} is not among securitySchemes.", scheme.name)));
    }
}

/// "all of a, b (scopes x, y)", or that nothing is needed.
fn alternative_words(alternative: &Alternative) -> String {
    let schemes: Vec<String> = alternative
        .schemes
        .iter()
        .map(|scheme| match scheme.scopes.as_slice() {
            [] => scheme.name.clone(),
            scopes => format!("{} (scopes {})", scheme.name, scopes.join(", ")),
        })
        .collect();
    match schemes.as_slice() {
        [] => "no credentials".to_owned(),
        [one] => one.clone(),
        all => format!("all of {}", all.join(" and ")),
    }
}

/// A requirement in one sentence: "any one of: a; all of b and c".
pub fn requirements_words(requirements: &Requirements) -> String {
    let alternatives: Vec<String> = requirements.alternatives.iter().map(alternative_words).collect();
    match alternatives.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        several => format!("any one of: {}", several.join("; ")),
    }
}

/// One scheme.
pub fn scheme_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(scheme) = inspection.access.schemes.get(at) else { return };
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            0.0,
            |ui, row| row.name(ui, &scheme.name, "The name that requirements call the scheme by.", "§4.5.1"),
            |ui, row| {
                row.foreign(ui, &scheme.summary);
                if scheme.faulty {
                    let color = theme::tone_color(palette(ui), Tone::Caution);
                    row.label(ui, RichText::new("cannot work as declared").font(theme::small()).color(color));
                }
                if scheme.kind == SchemeKind::MutualTls {
                    row.aside(
                        ui,
                        "Credential, above, takes the file of a client certificate for the interface's origin.",
                    );
                }
                if !scheme.required_somewhere {
                    row.aside(ui, "declared, but no requirement names it");
                }
                row.notes(ui, &scheme.notes);
                finding_mark_ui(ui, row, scene, index);
            },
        );
    });
}
