//! The three text strengths and the monospace face, as text ready to be shown.

use egui::{FontFamily, FontId, RichText, Ui};

use crate::card::facts::Tone;
use crate::ui::theme::{self, LINE, SMALL_LINE, palette};

/// A text to be read.
pub fn plain(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).line_height(Some(LINE)).color(palette(ui).text)
}

/// Names and notes.
pub fn muted(ui: &Ui, text: impl Into<String>) -> RichText {
    plain(ui, text).color(palette(ui).muted)
}

/// Names and notes in small.
pub fn note(ui: &Ui, text: impl Into<String>) -> RichText {
    small(text).color(palette(ui).muted)
}

/// Help.
pub fn faint(ui: &Ui, text: impl Into<String>) -> RichText {
    small(text).color(palette(ui).faint)
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
    plain(ui, text).color(theme::tone_color(palette(ui), tone))
}

/// A verdict in small.
pub fn toned_note(ui: &Ui, text: impl Into<String>, tone: Tone) -> RichText {
    small(text).color(theme::tone_color(palette(ui), tone))
}

/// Small text in the colour of what it stands in, as the hint of a small field.
pub fn small(text: impl Into<String>) -> RichText {
    RichText::new(text).font(theme::small()).line_height(Some(SMALL_LINE))
}
