//! Which faces text is drawn with: the system's interface face where there is one, the bundled faces behind it.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};
use fontique::{Collection, CollectionOptions, FamilyInfo, FontStyle, FontWeight, FontWidth, GenericFamily};

/// The name of the heavier family.
pub const STRONG: &str = "strong";
const HEAVIER: f32 = 600.0;

/// Binds the families to the bundled faces, before the first frame.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(bundled());
}

/// Puts the system's interface face before the bundled ones; leaves them alone where it cannot be found.
pub fn use_system_face(ctx: &egui::Context) {
    let Some(family) = interface_family() else { return };
    let mut fonts = bundled();
    for (family_name, weight) in [
        (FontFamily::Proportional, FontWeight::NORMAL),
        (FontFamily::Name(Arc::from(STRONG)), FontWeight::new(HEAVIER)),
    ] {
        let Some(data) = face(&family, weight) else { return };
        let name = format!("interface face {}", weight.value());
        fonts.font_data.insert(name.clone(), Arc::new(data));
        fonts.families.entry(family_name).or_default().insert(0, name);
    }
    ctx.set_fonts(fonts);
}

fn bundled() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let monospace = fonts.families.get(&FontFamily::Monospace).and_then(|faces| faces.first()).cloned();
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    // The bundled text face lacks signs that the bundled monospace face has: arrows, brackets, the half circle.
    text.extend(monospace);
    let strong = text.clone();
    fonts.families.insert(FontFamily::Name(Arc::from(STRONG)), strong);
    fonts
}

fn interface_family() -> Option<FamilyInfo> {
    let mut system = Collection::new(CollectionOptions { shared: false, system_fonts: true });
    let ids: Vec<_> = [GenericFamily::SystemUi, GenericFamily::UiSansSerif, GenericFamily::SansSerif]
        .into_iter()
        .flat_map(|kind| system.generic_families(kind).collect::<Vec<_>>())
        .collect();
    ids.into_iter().find_map(|id| system.family(id))
}

fn face(family: &FamilyInfo, weight: FontWeight) -> Option<FontData> {
    let font = family.match_font(FontWidth::NORMAL, FontStyle::Normal, weight, false)?;
    let (bytes, _) = font.load(None)?.into_raw_parts();
    let mut data = FontData::from_blob(bytes, font.index());
    let synthesis = font.synthesis(FontWidth::NORMAL, FontStyle::Normal, weight);
    for (tag, value) in synthesis.variation_settings() {
        data.tweak.coords.push(*tag, *value);
    }
    Some(data)
}
