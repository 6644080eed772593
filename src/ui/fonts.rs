//! Which faces text is drawn with.

use std::sync::Arc;

use egui::{FontDefinitions, FontFamily};

/// The name of the heavier family.
pub const STRONG: &str = "strong";

/// Binds the families once, before the first frame.
pub fn install(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::default();
    let monospace = fonts.families.get(&FontFamily::Monospace).and_then(|faces| faces.first()).cloned();
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    // The bundled text face lacks signs that the bundled monospace face has: arrows, brackets, the half circle.
    text.extend(monospace);
    let strong = text.clone();
    fonts.families.insert(FontFamily::Name(Arc::from(STRONG)), strong);
    ctx.set_fonts(fonts);
}
