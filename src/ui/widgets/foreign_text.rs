//! Text from strangers made ready to be painted: hidden characters as marks, and what no face can draw as its
//! code point.

use std::borrow::Cow;

use egui::{FontId, TextStyle, Ui};

use crate::card::visible_text::{Segment, has_hidden, mark, segments};

/// `text` as it may be painted in `font`; borrowed if nothing has to change. What is copied stays the text itself.
pub fn shown_text<'a>(ui: &Ui, font: &FontId, text: &'a str) -> Cow<'a, str> {
    if text.is_ascii() && !has_hidden(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut changed = false;
    for_each_piece(ui, font, text, |piece| match piece {
        Piece::Readable(readable) => shown.push_str(readable),
        Piece::Marked(character) => {
            changed = true;
            shown.push_str(&mark(character));
        }
    });
    if changed { Cow::Owned(shown) } else { Cow::Borrowed(text) }
}

/// The same in the face of running text, which buttons, hints and lists have as well, whatever their size.
pub fn shown_in_body<'a>(ui: &Ui, text: &'a str) -> Cow<'a, str> {
    shown_text(ui, &TextStyle::Body.resolve(ui.style()), text)
}

/// A stretch that the face can draw, or one character that stands as a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Readable(&'a str),
    Marked(char),
}

/// Cuts `text` into pieces, in order and without gaps.
pub fn for_each_piece<'a>(ui: &Ui, font: &FontId, text: &'a str, mut each: impl FnMut(Piece<'a>)) {
    for segment in segments(text) {
        match segment {
            Segment::Plain(plain) if plain.is_ascii() => each(Piece::Readable(plain)),
            Segment::Plain(plain) => split_at_missing(ui, font, plain, &mut each),
            Segment::Hidden(hidden) => each(Piece::Marked(hidden)),
        }
    }
}

fn split_at_missing<'a>(ui: &Ui, font: &FontId, plain: &'a str, each: &mut impl FnMut(Piece<'a>)) {
    let missing: Vec<(usize, char)> = ui.fonts_mut(|fonts| {
        plain.char_indices().filter(|&(_, c)| !c.is_ascii() && !draws_nothing(c) && !fonts.has_glyph(font, c)).collect()
    });
    let mut start = 0;
    for (at, character) in missing {
        if at > start {
            each(Piece::Readable(&plain[start..at]));
        }
        each(Piece::Marked(character));
        start = at + character.len_utf8();
    }
    if start < plain.len() {
        each(Piece::Readable(&plain[start..]));
    }
}

/// Characters that belong to the one before them and need no glyph of their own.
fn draws_nothing(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}' | '\u{AD}')
}
