//! The three text strengths and the monospace face, as text ready to be shown.

use egui::{FontFamily, FontId, RichText, Ui};

use crate::card::facts::Tone;
use crate::ui::theme::{self, palette};

/// Names and notes.
pub fn muted(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).color(palette(ui).muted)
}

/// Names and notes in small.
pub fn note(ui: &Ui, text: impl Into<String>) -> RichText {
    muted(ui, text).font(theme::small())
}

/// Help.
pub fn faint(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).font(theme::small()).color(palette(ui).faint)
}

/// A value in the heavier face.
pub fn strong(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).font(FontId::new(14.0, theme::strong_family())).color(palette(ui).text)
}

/// URLs, ids and raw values.
pub fn mono(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).font(FontId::new(12.5, FontFamily::Monospace)).color(palette(ui).text)
}

/// A verdict; the words say it as well.
pub fn toned(ui: &Ui, text: impl Into<String>, tone: Tone) -> RichText {
    RichText::new(text).color(theme::tone_color(palette(ui), tone))
}
