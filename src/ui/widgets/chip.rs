//! A chip: one or two words with a thin outline, a verdict or a property of what stands beside it.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{
    Color32, FontSelection, Galley, Response, RichText, Sense, Stroke, StrokeKind, TextWrapMode, Ui, WidgetInfo,
    WidgetText, vec2,
};

use super::foreign_text::shown_in_body;
use crate::card::facts::Tone;
use crate::ui::theme::{self, palette};

const HEIGHT: f32 = 21.0;
const SIDE: f32 = 9.0;

/// Draws `words` in the colour of `tone`.
pub fn chip_ui(ui: &mut Ui, words: &str, tone: Tone) -> Response {
    let palette = palette(ui);
    let color = if tone == Tone::Plain { palette.muted } else { theme::tone_color(palette, tone) };
    let galley = galley(ui, words, color);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 2.0 * SIDE, HEIGHT), Sense::hover());
    ui.painter().rect_stroke(rect, HEIGHT / 2.0, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let corner = rect.center() - galley.size() / 2.0;
    ui.painter().galley(corner, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    response
}

/// How wide the chip of `words` is.
pub fn chip_width(ui: &Ui, words: &str) -> f32 {
    galley(ui, words, palette(ui).muted).size().x + 2.0 * SIDE
}

fn galley(ui: &Ui, words: &str, color: Color32) -> Arc<Galley> {
    let text: WidgetText = RichText::new(shown_in_body(ui, words)).font(theme::small()).color(color).into();
    text.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, FontSelection::Default)
}
