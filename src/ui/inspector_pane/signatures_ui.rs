//! The card's signatures, listed with what their headers say.

use egui::Ui;

use super::row::{finding_mark_ui, row_ui};
use super::scene::Scene;
use crate::card::JsonPointer;

/// One signature; its decoded header follows as fields.
pub fn signature_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(signature) = inspection.signatures.rows.get(at) else { return };
    row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            0.0,
            |ui, row| row.name(ui, &format!("signature {}", at + 1), "A detached JWS over the card.", "§8.4.2"),
            |ui, row| {
                row.foreign(ui, &signature.summary);
                row.notes(ui, &signature.notes);
                finding_mark_ui(ui, row, scene, index);
            },
        );
    });
}
