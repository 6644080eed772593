//! A chip: one or two words with a thin outline, a verdict or a property of what stands beside it.

use egui::{Frame, Label, Margin, Response, RichText, Stroke, Ui};

use crate::card::facts::Tone;
use crate::ui::theme::{self, palette};

/// Draws `text` in the colour of `tone`.
pub fn chip_ui(ui: &mut Ui, text: &str, tone: Tone) -> Response {
    let palette = palette(ui);
    let color = if tone == Tone::Plain { palette.muted } else { theme::tone_color(palette, tone) };
    Frame::new()
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(9)
        .inner_margin(Margin::symmetric(8, 2))
        .show(ui, |ui| ui.add(Label::new(RichText::new(text).font(theme::small()).color(color)).extend()))
        .inner
}
