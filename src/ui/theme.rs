//! Every colour, face and measure of the window, for both themes; the only file that names a colour.

use std::sync::Arc;

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, ThemePreference, vec2};

use super::fonts;
use crate::card::facts::Tone;
use crate::state::{Settings, ThemeChoice};

/// The 4 px grid.
pub const GRID: f32 = 4.0;
/// Outer margin of a pane.
pub const MARGIN: f32 = 20.0;
/// Width of the column of field names.
pub const NAME_WIDTH: f32 = 150.0;
/// Width of `Choose…` behind a field, with the space between.
pub const CHOOSE_WIDTH: f32 = 98.0;
/// Default width of the discovery pane and height of the header and of Traffic.
pub const SIDE_WIDTH: f32 = 272.0;
pub const TOP_HEIGHT: f32 = 48.0;
pub const TRAFFIC_HEIGHT: f32 = 150.0;
/// Lines of body text and of small text.
pub const LINE: f32 = 20.0;
pub const SMALL_LINE: f32 = 17.0;
/// Height of a row of monospace text.
pub const MONO_ROW: f32 = 19.0;

/// One theme's colours. Text colours are for the backgrounds named beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The work area.
    pub background: Color32,
    /// Side, top and bottom.
    pub panel: Color32,
    /// Buttons and fields.
    pub raised: Color32,
    /// The only separators.
    pub line: Color32,
    /// Values.
    pub text: Color32,
    /// Names and notes; also faint text on the selection.
    pub muted: Color32,
    /// Help.
    pub faint: Color32,
    /// The one main action and what is selected.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    pub selection: Color32,
    pub good: Color32,
    pub caution: Color32,
    pub bad: Color32,
    pub json_key: Color32,
    pub json_string: Color32,
    pub json_number: Color32,
    pub json_literal: Color32,
    /// Behind a search hit in JSON.
    pub hit: Color32,
    /// Behind lines of a comparison, and behind what changed within one.
    pub added: Color32,
    pub removed: Color32,
    pub added_within: Color32,
    pub removed_within: Color32,
    /// Behind lines that stand in another place on the other side.
    pub moved: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The dark theme.
pub const DARK: Palette = Palette {
    background: rgb(0x15_171b),
    panel: rgb(0x1a_1d22),
    raised: rgb(0x20_242b),
    line: rgb(0x2b_3038),
    text: rgb(0xe4_e7eb),
    muted: rgb(0x98_a2ae),
    faint: rgb(0x87_91a0),
    accent: rgb(0x6f_a8ff),
    on_accent: rgb(0x0d_1420),
    selection: rgb(0x22_344f),
    good: rgb(0x6c_c08f),
    caution: rgb(0xe0_b25c),
    bad: rgb(0xf0_7a73),
    json_key: rgb(0x8d_b4ff),
    json_string: rgb(0xa9_cc8f),
    json_number: rgb(0xe2_b277),
    json_literal: rgb(0xc6_a0f0),
    hit: rgb(0x4a_3d16),
    added: rgb(0x1d_3527),
    removed: rgb(0x3b_2426),
    added_within: rgb(0x2c_5a3d),
    removed_within: rgb(0x6b_3335),
    moved: rgb(0x2e_2a3f),
};

/// The light theme.
pub const LIGHT: Palette = Palette {
    background: rgb(0xfb_fcfd),
    panel: rgb(0xf3_f5f8),
    raised: rgb(0xff_ffff),
    line: rgb(0xdf_e3e9),
    text: rgb(0x1c_222a),
    muted: rgb(0x5b_6672),
    faint: rgb(0x62_6d79),
    accent: rgb(0x1f_5fc4),
    on_accent: rgb(0xff_ffff),
    selection: rgb(0xdf_eafb),
    good: rgb(0x1a_7041),
    caution: rgb(0x8c_5f00),
    bad: rgb(0xb3_312b),
    json_key: rgb(0x1f_5fc4),
    json_string: rgb(0x3f_6f1f),
    json_number: rgb(0x9a_5a00),
    json_literal: rgb(0x7a_3fb0),
    hit: rgb(0xff_ecb0),
    added: rgb(0xe3_f4e9),
    removed: rgb(0xfb_e7e6),
    added_within: rgb(0xbf_e5cc),
    removed_within: rgb(0xf3_c4c1),
    moved: rgb(0xee_e9f9),
};

/// The colours of the theme in use.
#[must_use]
pub fn palette(ui: &egui::Ui) -> &'static Palette {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Small text: notes, help, panel labels.
#[must_use]
pub fn small() -> FontId {
    FontId::new(12.5, FontFamily::Proportional)
}

/// The one large text: the agent's name.
#[must_use]
pub fn title() -> FontId {
    FontId::new(20.0, FontFamily::Proportional)
}

/// The same in the heavier face.
#[must_use]
pub fn title_strong() -> FontId {
    FontId::new(20.0, strong_family())
}

/// JSON, URLs and ids.
#[must_use]
pub fn mono() -> FontId {
    FontId::new(13.0, FontFamily::Monospace)
}

/// The heavier face for headings and the main action; the same as the text's where the system has none.
#[must_use]
pub fn strong_family() -> FontFamily {
    FontFamily::Name(Arc::from(fonts::STRONG))
}

/// The colour of a verdict.
#[must_use]
pub fn tone_color(palette: &Palette, tone: Tone) -> Color32 {
    match tone {
        Tone::Plain => palette.text,
        Tone::Good => palette.good,
        Tone::Caution => palette.caution,
        Tone::Bad => palette.bad,
    }
}

/// Makes egui follow the preferences; setting what is already set costs nothing.
pub fn follow(ctx: &egui::Context, settings: &Settings) {
    let preference = match settings.theme {
        ThemeChoice::System => ThemePreference::System,
        ThemeChoice::Dark => ThemePreference::Dark,
        ThemeChoice::Light => ThemePreference::Light,
    };
    if ctx.options(|options| options.theme_preference) != preference {
        ctx.set_theme(preference);
        ctx.request_repaint();
    }
    if (ctx.zoom_factor() - settings.zoom).abs() > 0.001 {
        ctx.set_zoom_factor(settings.zoom);
    }
}

/// Sets both themes' styles and the faces once, at start.
pub fn install(ctx: &egui::Context) {
    fonts::install(ctx);
    // Zooming is a preference of ours, kept between runs.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    for (theme, palette) in [(Theme::Dark, &DARK), (Theme::Light, &LIGHT)] {
        ctx.style_mut_of(theme, |style| set_style(style, palette));
    }
}

fn set_style(style: &mut egui::Style, palette: &Palette) {
    style.text_styles = [
        (TextStyle::Body, FontId::new(14.0, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(14.0, FontFamily::Proportional)),
        (TextStyle::Heading, title_strong()),
        (TextStyle::Monospace, mono()),
        (TextStyle::Small, small()),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(2.0 * GRID, GRID);
    spacing.button_padding = vec2(3.0 * GRID, 6.0);
    spacing.interact_size.y = 7.0 * GRID;
    spacing.scroll.active_handle_opacity = 0.3;
    spacing.scroll.interact_handle_opacity = 0.5;
    spacing.menu_margin = Margin::same(6);

    let visuals = &mut style.visuals;
    visuals.panel_fill = palette.background;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.extreme_bg_color = palette.raised;
    visuals.text_edit_bg_color = Some(palette.raised);
    visuals.faint_bg_color = palette.panel;
    visuals.code_bg_color = palette.panel;
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.caution;
    visuals.error_fg_color = palette.bad;
    visuals.selection.bg_fill = palette.selection;
    visuals.selection.stroke = Stroke::new(1.0, palette.accent);
    visuals.weak_text_color = Some(palette.muted);
    // A blinking caret would repaint the whole window twice a second.
    visuals.text_cursor.blink = false;
    let radius = CornerRadius::same(5);
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = radius;
        widget.expansion = 0.0;
        widget.bg_stroke = Stroke::new(1.0, palette.line);
        widget.fg_stroke = Stroke::new(1.0, palette.text);
        widget.bg_fill = palette.raised;
        widget.weak_bg_fill = palette.raised;
    }
    visuals.widgets.noninteractive.bg_fill = palette.panel;
    visuals.widgets.hovered.bg_stroke = Stroke::new(1.0, palette.faint);
    visuals.widgets.active.bg_stroke = Stroke::new(1.0, palette.accent);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG 2.2 §1.4.3: the ratio of two colours' relative luminances.
    fn contrast(one: Color32, other: Color32) -> f32 {
        let luminance = |color: Color32| {
            let [red, green, blue, _] = egui::Rgba::from(color).to_array();
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (lighter, darker) = (luminance(one).max(luminance(other)), luminance(one).min(luminance(other)));
        (lighter + 0.05) / (darker + 0.05)
    }

    #[test]
    fn every_text_can_be_read_on_every_background() {
        for (name, palette) in [("dark", &DARK), ("light", &LIGHT)] {
            let Palette { background, panel, raised, selection, hit, accent, .. } = *palette;
            let verdicts = [palette.good, palette.caution, palette.bad, palette.accent];
            let json = [palette.json_key, palette.json_string, palette.json_number, palette.json_literal];
            let texts = [palette.text, palette.muted];
            let mut pairs = vec![(palette.on_accent, accent)];
            for back in [background, panel, raised] {
                pairs.extend(texts.iter().chain(&verdicts).chain(&json).map(|text| (*text, back)));
                pairs.push((palette.faint, back));
            }
            pairs.extend(texts.iter().chain(&verdicts).chain(&json).map(|text| (*text, selection)));
            pairs.extend(json.iter().chain([&palette.text]).map(|text| (*text, hit)));
            for back in [palette.added, palette.removed, palette.moved] {
                pairs.extend(texts.iter().chain(&json).map(|text| (*text, back)));
            }
            // What changed within a line is written in the colour of text, whatever it is.
            pairs.extend([palette.added_within, palette.removed_within].map(|back| (palette.text, back)));
            for (text, back) in pairs {
                let ratio = contrast(text, back);
                assert!(ratio >= 4.5, "{name}: {text:?} on {back:?} has {ratio:.2}");
            }
        }
    }

    #[test]
    fn the_measure_is_the_one_of_the_guideline() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
    }
}
