//! One line of JSON as it is painted, and the way between its characters and the bytes of the text.

use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Galley, Ui};

use super::lines::{Folding, Line};
use crate::card::json::{JsonTree, Kind, NodeId};
use crate::card::json_text::JsonText;
use crate::card::tokens::{TokenKind, row_tokens, string_state};
use crate::card::visible_text::mark;
use crate::ui::quantities;
use crate::ui::theme::{Palette, palette};
use crate::ui::widgets::foreign_text::{Piece as TextPiece, for_each_piece};

/// Room kept at the edge for what stands for the cut part: an ellipsis, or words as well.
const ELLIPSIS_COLUMNS: usize = 5;
const WORDS_COLUMNS: usize = 24;
/// From this many bytes on the words say how much is left out.
const WORDS_FROM: usize = 1024;

/// A line laid out.
#[derive(Debug)]
pub struct ShownLine {
    pub galley: Arc<Galley>,
    pieces: Vec<Piece>,
    /// The characters that stand for what is left out; a click opens it.
    pub chip: Option<Range<usize>>,
}

/// A line being put together.
#[derive(Default)]
struct Draft<'a> {
    job: LayoutJob,
    /// Bytes written in the colour of text, because something lies behind them.
    strong: &'a [Range<usize>],
    pieces: Vec<Piece>,
    chip: Option<Range<usize>>,
    chars: usize,
}

/// A stretch of shown characters and the bytes it stands for.
#[derive(Debug)]
struct Piece {
    chars: Range<usize>,
    bytes: Range<usize>,
    /// Where it begins in the shown text if it is shown as it is; `None` if something stands for it.
    shown_at: Option<usize>,
}

impl ShownLine {
    /// The byte before which a cursor at the shown character `index` stands.
    pub fn byte_at(&self, index: usize) -> usize {
        let Some(piece) = self.pieces.iter().find(|piece| index < piece.chars.end).or(self.pieces.last()) else {
            return 0;
        };
        let within = index.saturating_sub(piece.chars.start);
        match piece.shown_at {
            Some(at) => {
                let shown = &self.galley.text()[at..at + piece.bytes.len()];
                piece.bytes.start + shown.char_indices().nth(within).map_or(shown.len(), |(byte, _)| byte)
            }
            // A mark is one thing: before it or behind it.
            None if 2 * within >= piece.chars.len().max(1) => piece.bytes.end,
            None => piece.bytes.start,
        }
    }

    /// The bytes of the line that nothing stands for.
    pub fn plain_bytes(&self, line: &Range<usize>) -> Range<usize> {
        line.start..self.left_out().map_or(line.end, |left_out| left_out.start)
    }

    /// The bytes that the chip stands for.
    pub fn left_out(&self) -> Option<Range<usize>> {
        let chip = self.chip.as_ref()?;
        self.pieces.iter().find(|piece| piece.chars == *chip).map(|piece| piece.bytes.clone())
    }

    /// The shown characters that stand for `bytes`; `None` if none does.
    pub fn chars_of(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let mut found: Option<Range<usize>> = None;
        for piece in self.pieces.iter().filter(|piece| piece.bytes.start < bytes.end && bytes.start < piece.bytes.end) {
            let chars = match piece.shown_at {
                Some(at) => {
                    let shown = &self.galley.text()[at..at + piece.bytes.len()];
                    let char_of = |byte: usize| {
                        let within = byte.clamp(piece.bytes.start, piece.bytes.end) - piece.bytes.start;
                        piece.chars.start + shown.char_indices().take_while(|&(at, _)| at < within).count()
                    };
                    char_of(bytes.start)..char_of(bytes.end)
                }
                None => piece.chars.clone(),
            };
            found = Some(found.map_or(chars.clone(), |before| before.start..chars.end));
        }
        found.filter(|chars| !chars.is_empty())
    }
}

/// Builds the shown lines of one layout.
pub struct LineBuilder<'a> {
    pub ui: &'a Ui,
    pub text: &'a JsonText,
    pub tree: Option<&'a JsonTree>,
    pub folding: &'a Folding,
    /// How many characters fit.
    pub columns: usize,
    pub font: FontId,
}

impl LineBuilder<'_> {
    pub fn build(&self, line: &Line, is_wrapped: bool) -> ShownLine {
        self.build_with(line, is_wrapped, &[])
    }

    /// The same with some bytes in the colour of text.
    pub fn build_with(&self, line: &Line, is_wrapped: bool, strong: &[Range<usize>]) -> ShownLine {
        let palette = palette(self.ui);
        let all = line.start as usize..line.end as usize;
        let mut shown = Draft { strong, ..Draft::default() };
        shown.job.wrap.max_width = f32::INFINITY;
        shown.job.break_on_newline = false;
        if line.goes_on > 0 {
            self.source(&mut shown, all.clone(), palette);
            let rest = all.end..line.goes_on as usize;
            self.chip(&mut shown, &self.elision(&rest), rest.clone(), palette);
        } else if let Some(node) = self.folded_at(line) {
            self.source(&mut shown, all.clone(), palette);
            self.folded_rest(&mut shown, node, all.end, palette);
        } else if let Some(cut) = (!is_wrapped).then(|| self.cut(&all)).flatten() {
            let tail = all.end - closing_length(&self.text.text()[cut..all.end]);
            self.source(&mut shown, all.start..cut, palette);
            self.chip(&mut shown, &self.elision(&(cut..tail)), cut..tail, palette);
            self.push(&mut shown, tail..all.end, palette.muted);
        } else {
            self.source(&mut shown, all, palette);
        }
        let galley = self.ui.fonts_mut(|fonts| fonts.layout_job(shown.job));
        ShownLine { galley, pieces: shown.pieces, chip: shown.chip }
    }

    /// The container that is folded on this line.
    pub fn folded_at(&self, line: &Line) -> Option<NodeId> {
        foldable(self.text, self.tree, line).filter(|node| self.folding.folded.contains(node))
    }

    /// Where a line that does not fit is cut.
    fn cut(&self, all: &Range<usize>) -> Option<usize> {
        let text = &self.text.text()[all.clone()];
        if text.len() <= self.columns / 2 {
            return None;
        }
        let reserved = if text.len() > WORDS_FROM + self.columns { WORDS_COLUMNS } else { ELLIPSIS_COLUMNS };
        let most = self.columns.saturating_sub(reserved).max(8);
        let mut used = 0;
        let mut cut = None;
        for (at, c) in text.char_indices() {
            if used >= most && cut.is_none() {
                cut = Some(all.start + at);
            }
            used += columns_of(c);
            if used > self.columns {
                return cut;
            }
        }
        None
    }

    /// The words for what is left out.
    fn elision(&self, bytes: &Range<usize>) -> String {
        if bytes.len() < WORDS_FROM {
            return "…".to_owned();
        }
        let size = quantities::size(bytes.len());
        let sample = &self.text.text().as_bytes()[bytes.start..bytes.start + 256];
        if sample.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')) {
            format!("… base64, {size}")
        } else {
            format!("… {size}")
        }
    }

    fn source(&self, shown: &mut Draft<'_>, bytes: Range<usize>, palette: &Palette) {
        let text = &self.text.text()[bytes.clone()];
        if self.tree.is_none() {
            self.push(shown, bytes, palette.text);
            return;
        }
        let row = self.text.rows()[self.text.row_at(bytes.start)];
        let before = &self.text.text().as_bytes()[row.start as usize..bytes.start];
        let (in_string, _) = string_state(before, row.in_string());
        for (range, kind) in row_tokens(text, in_string) {
            let token = bytes.start + range.start..bytes.start + range.end;
            self.token(shown, token, color_of(kind, palette), palette.text);
        }
    }

    fn token(&self, shown: &mut Draft<'_>, token: Range<usize>, color: Color32, strong_color: Color32) {
        let mut at = token.start;
        let strong = shown.strong;
        for part in strong.iter().filter(|part| part.start < token.end && token.start < part.end) {
            let part = part.start.max(at)..part.end.min(token.end);
            self.push(shown, at..part.start, color);
            self.push(shown, part.clone(), strong_color);
            at = part.end;
        }
        self.push(shown, at..token.end, color);
    }

    fn push(&self, shown: &mut Draft<'_>, bytes: Range<usize>, color: Color32) {
        let format = self.format(color);
        let mut at = bytes.start;
        for_each_piece(self.ui, &self.font, &self.text.text()[bytes], |piece| {
            let (length, count, shown_at) = match piece {
                TextPiece::Readable(text) => {
                    let shown_at = shown.job.text.len();
                    // A tab would jump by what egui thinks a tab is.
                    shown.job.append(text, 0.0, format.clone());
                    (text.len(), text.chars().count(), Some(shown_at))
                }
                TextPiece::Marked(c) => {
                    let mark = mark(c);
                    shown.job.append(&mark, 0.0, TextFormat { color: palette(self.ui).caution, ..format.clone() });
                    (c.len_utf8(), mark.chars().count(), None)
                }
            };
            shown.pieces.push(Piece { chars: shown.chars..shown.chars + count, bytes: at..at + length, shown_at });
            shown.chars += count;
            at += length;
        });
    }

    fn chip(&self, shown: &mut Draft<'_>, words: &str, bytes: Range<usize>, palette: &Palette) {
        let background = if words == "…" { Color32::TRANSPARENT } else { palette.raised };
        let format = TextFormat { background, ..self.format(palette.muted) };
        shown.job.append(words, 0.0, format);
        let count = words.chars().count();
        let chars = shown.chars..shown.chars + count;
        shown.pieces.push(Piece { chars: chars.clone(), bytes, shown_at: None });
        shown.chip = Some(chars);
        shown.chars += count;
    }

    /// What a folded container leaves behind its first row: how much it holds, and its closing bracket.
    fn folded_rest(&self, shown: &mut Draft<'_>, node: NodeId, from: usize, palette: &Palette) {
        let Some((tree, (_, last))) = self.tree.zip(self.text.rows_of(node)) else { return };
        let node = tree.node(node);
        let one = if node.kind() == Kind::Object { "member" } else { "item" };
        let words = format!(" … {} ", quantities::count(node.child_count(), one));
        let row = &self.text.rows()[last];
        let text = self.text.row_text(row);
        let close = row.start as usize + (text.len() - text.trim_start().len());
        self.chip(shown, &words, from..close, palette);
        self.push(shown, close..row.end as usize, palette.muted);
    }

    fn format(&self, color: Color32) -> TextFormat {
        TextFormat { font_id: self.font.clone(), color, ..TextFormat::default() }
    }
}

/// The container that begins with `line` and ends on another row with nothing but a comma behind it.
pub fn foldable(text: &JsonText, tree: Option<&JsonTree>, line: &Line) -> Option<NodeId> {
    let row = text.rows().get(line.row as usize)?;
    let node = tree?.node(row.node);
    let (first, last) = text.rows_of(node.id())?;
    if !node.kind().is_container() || first != line.row as usize || last <= first || row.start != line.start {
        return None;
    }
    let close = if node.kind() == Kind::Object { '}' } else { ']' };
    let ending = text.row_text(text.rows().get(last)?).trim().trim_end_matches(',').trim_end();
    (ending.len() == 1 && ending.starts_with(close)).then(|| node.id())
}

fn color_of(kind: TokenKind, palette: &Palette) -> Color32 {
    match kind {
        TokenKind::Key => palette.json_key,
        TokenKind::String => palette.json_string,
        TokenKind::Number => palette.json_number,
        TokenKind::Literal => palette.json_literal,
        TokenKind::Punctuation | TokenKind::Space => palette.muted,
        TokenKind::Other => palette.text,
    }
}

/// How many columns a character takes, about: marks and wide characters take more than one.
fn columns_of(c: char) -> usize {
    match c {
        '\t' => 4,
        '\0'..='\u{1F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => 8,
        '\u{1100}'.. => 2,
        _ => 1,
    }
}

/// How many bytes at the end of a line close what was opened: `"`, `",`, `"],`.
fn closing_length(text: &str) -> usize {
    let trimmed = text.trim_end_matches([',', ']', '}']);
    let quote = usize::from(trimmed.ends_with('"'));
    (text.len() - trimmed.len() + quote).min(4)
}
