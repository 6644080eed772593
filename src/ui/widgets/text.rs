//! The three text strengths and the monospace face, as text ready to be shown: whoever wrote it, what cannot be seen
//! or drawn stands as a mark.

use std::borrow::Cow;

use egui::{FontFamily, FontId, RichText, TextStyle, Ui};

use super::foreign_text::shown_text;
use crate::card::facts::Tone;
use crate::ui::theme::{self, LINE, SMALL_LINE, palette};

/// A text to be read.
pub fn plain(ui: &Ui, text: impl Into<String>) -> RichText {
    let shown = marked(ui, &TextStyle::Body.resolve(ui.style()), text.into());
    RichText::new(shown).line_height(Some(LINE)).color(palette(ui).text)
}

/// Names and notes.
pub fn muted(ui: &Ui, text: impl Into<String>) -> RichText {
    plain(ui, text).color(palette(ui).muted)
}

/// Names and notes in small.
pub fn note(ui: &Ui, text: impl Into<String>) -> RichText {
    in_small(ui, text).color(palette(ui).muted)
}

/// Help.
pub fn faint(ui: &Ui, text: impl Into<String>) -> RichText {
    in_small(ui, text).color(palette(ui).faint)
}

/// A value in the heavier face.
pub fn strong(ui: &Ui, text: impl Into<String>) -> RichText {
    in_face(ui, FontId::new(14.0, theme::strong_family()), text)
}

/// URLs, ids and raw values.
pub fn mono(ui: &Ui, text: impl Into<String>) -> RichText {
    in_face(ui, FontId::new(12.5, FontFamily::Monospace), text)
}

/// The name of what the pane is about.
pub fn title(ui: &Ui, text: impl Into<String>) -> RichText {
    in_face(ui, theme::title_strong(), text)
}

/// A verdict; the words say it as well.
pub fn toned(ui: &Ui, text: impl Into<String>, tone: Tone) -> RichText {
    plain(ui, text).color(theme::tone_color(palette(ui), tone))
}

/// A verdict in small.
pub fn toned_note(ui: &Ui, text: impl Into<String>, tone: Tone) -> RichText {
    in_small(ui, text).color(theme::tone_color(palette(ui), tone))
}

/// Small text of our own in the colour of what it stands in, as the hint of a small field.
pub fn small(text: impl Into<String>) -> RichText {
    RichText::new(text).font(theme::small()).line_height(Some(SMALL_LINE))
}

fn in_small(ui: &Ui, text: impl Into<String>) -> RichText {
    small(marked(ui, &theme::small(), text.into()))
}

fn in_face(ui: &Ui, font: FontId, text: impl Into<String>) -> RichText {
    RichText::new(marked(ui, &font, text.into())).font(font).color(palette(ui).text)
}

fn marked(ui: &Ui, font: &FontId, text: String) -> String {
    match shown_text(ui, font, &text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(shown) => shown,
    }
}
