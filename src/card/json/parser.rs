//! The JSON reader behind [`JsonTree`]: no recursion, no conversion, the first fault with its place.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use bytestring::ByteString;

use super::escapes::unescape;
use super::fault::{JsonFault, JsonFaultKind, fault_at};
use super::{Entry, JsonTree, Kind, MAX_DEPTH, NodeId};

/// The longest text that is read.
const MAX_BYTES: usize = 512 << 20;

/// How strictly a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// RFC 8259.
    Strict,
    /// Comments (`//`, `/* */`, `#`) and trailing commas are skipped.
    Tolerant,
}

pub(super) fn parse(text: ByteString, grammar: Grammar) -> Result<JsonTree, JsonFault> {
    let mut parser = Parser {
        bytes: text.as_bytes(),
        at: 0,
        tolerant: grammar == Grammar::Tolerant,
        entries: Vec::with_capacity(text.len() / 24 + 1),
        open: Vec::new(),
        duplicates: Vec::new(),
    };
    match parser.document() {
        Ok(()) => {
            let Parser { mut entries, mut duplicates, .. } = parser;
            // Kept for as long as the document is, and grown by doubling.
            entries.shrink_to_fit();
            duplicates.sort_unstable();
            Ok(JsonTree { text, entries: Arc::new(entries), duplicates: duplicates.into() })
        }
        Err(kind) => {
            let offset = parser.at.min(text.len());
            Err(fault_at(&text, kind, offset))
        }
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    tolerant: bool,
    entries: Vec<Entry>,
    open: Vec<u32>,
    duplicates: Vec<NodeId>,
}

/// What the grammar allows at the current place.
enum Expect {
    Value,
    FirstMember,
    Member,
    FirstItem,
    CommaOrEnd,
    End,
}

type Step<T> = Result<T, JsonFaultKind>;

impl Parser<'_> {
    fn document(&mut self) -> Step<()> {
        // A list of that length has fewer items than its count has bits for.
        if self.bytes.len() > MAX_BYTES {
            return Err(JsonFaultKind::TooLong);
        }
        let mut key = (0, 0);
        let mut expect = Expect::Value;
        loop {
            self.skip_space()?;
            expect = match expect {
                Expect::Value => self.value(std::mem::take(&mut key))?,
                Expect::FirstMember if self.peek() == Some(b'}') => self.close(),
                Expect::FirstItem if self.peek() == Some(b']') => self.close(),
                Expect::FirstItem => Expect::Value,
                Expect::FirstMember | Expect::Member => {
                    key = self.key()?;
                    Expect::Value
                }
                Expect::CommaOrEnd => self.comma_or_end()?,
                Expect::End if self.at == self.bytes.len() => return Ok(()),
                Expect::End => return Err(JsonFaultKind::TrailingText),
            };
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) -> Step<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/' | b'#') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Step<()> {
        let rest = &self.bytes[self.at..];
        let length = if rest.starts_with(b"//") || rest.starts_with(b"#") {
            memchr::memchr(b'\n', rest).unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            memchr::memmem::find(rest, b"*/").map_or(rest.len(), |at| at + 2)
        } else {
            return Err(self.unexpected("a value"));
        };
        if !self.tolerant {
            return Err(JsonFaultKind::Comment);
        }
        self.at += length;
        Ok(())
    }

    fn unexpected(&self, expected: &'static str) -> JsonFaultKind {
        let Some(&byte) = self.bytes.get(self.at) else {
            return if self.entries.is_empty() { JsonFaultKind::Empty } else { JsonFaultKind::EndsEarly };
        };
        let rest = String::from_utf8_lossy(&self.bytes[self.at..self.bytes.len().min(self.at + 64)]).into_owned();
        let found = if byte.is_ascii_alphabetic() {
            let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(20).collect();
            format!("\"{word}\"")
        } else {
            rest.chars().next().map_or_else(String::new, |c| format!("'{}'", c.escape_debug()))
        };
        JsonFaultKind::Unexpected { expected, found }
    }

    fn value(&mut self, key: (u32, u32)) -> Step<Expect> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => return self.open(Kind::Object, key),
            Some(b'[') => return self.open(Kind::Array, key),
            Some(b'"') => {
                self.string()?;
                Kind::String
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Kind::Number
            }
            Some(b't') => self.word(b"true", Kind::True)?,
            Some(b'f') => self.word(b"false", Kind::False)?,
            Some(b'n') => self.word(b"null", Kind::Null)?,
            _ => return Err(self.unexpected("a value")),
        };
        let id = self.push(kind, start, key);
        self.finish(id);
        Ok(self.after_value())
    }

    fn word(&mut self, word: &'static [u8], kind: Kind) -> Step<Kind> {
        let rest = &self.bytes[self.at..];
        let ends = rest.get(word.len()).is_none_or(|b| !b.is_ascii_alphanumeric());
        if rest.starts_with(word) && ends {
            self.at += word.len();
            return Ok(kind);
        }
        // Cut in the middle of a word is an early end, not a strange word.
        if word.starts_with(rest) {
            self.at = self.bytes.len();
            return Err(JsonFaultKind::EndsEarly);
        }
        Err(self.unexpected("a value"))
    }

    fn open(&mut self, kind: Kind, key: (u32, u32)) -> Step<Expect> {
        if self.open.len() >= MAX_DEPTH {
            return Err(JsonFaultKind::TooDeep);
        }
        let id = self.push(kind, self.at, key);
        self.open.push(id);
        self.at += 1;
        Ok(if kind == Kind::Object { Expect::FirstMember } else { Expect::FirstItem })
    }

    fn push(&mut self, kind: Kind, start: usize, (key_start, key_end): (u32, u32)) -> u32 {
        let id = as_u32(self.entries.len());
        let parent = self.open.last().copied().unwrap_or(0);
        if id != parent {
            self.entries[parent as usize].children += 1;
        }
        self.entries.push(Entry {
            start: as_u32(start),
            end: 0,
            key_start,
            key_end,
            parent,
            after: 0,
            children: (kind as u32) << Entry::KIND_SHIFT,
        });
        id
    }

    /// Records that the value `id` ends where the parser stands.
    fn finish(&mut self, id: u32) {
        let after = as_u32(self.entries.len());
        let entry = &mut self.entries[id as usize];
        entry.end = as_u32(self.at);
        entry.after = after;
    }

    fn after_value(&self) -> Expect {
        if self.open.is_empty() { Expect::End } else { Expect::CommaOrEnd }
    }

    fn close(&mut self) -> Expect {
        self.at += 1;
        if let Some(id) = self.open.pop() {
            self.finish(id);
            if self.entries[id as usize].kind() == Kind::Object {
                self.note_duplicates(id);
            }
        }
        self.after_value()
    }

    fn comma_or_end(&mut self) -> Step<Expect> {
        let in_object = self.open.last().is_some_and(|&id| self.entries[id as usize].kind() == Kind::Object);
        let end = if in_object { b'}' } else { b']' };
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.skip_space()?;
                if self.peek() == Some(end) {
                    if self.tolerant {
                        return Ok(self.close());
                    }
                    self.at = comma;
                    return Err(JsonFaultKind::TrailingComma);
                }
                Ok(if in_object { Expect::Member } else { Expect::Value })
            }
            Some(byte) if byte == end => Ok(self.close()),
            _ => Err(self.unexpected(if in_object { "',' or '}'" } else { "',' or ']'" })),
        }
    }

    fn key(&mut self) -> Step<(u32, u32)> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member name in double quotes"));
        }
        let start = self.at;
        self.string()?;
        let key = (as_u32(start), as_u32(self.at));
        self.skip_space()?;
        if self.peek() != Some(b':') {
            return Err(self.unexpected("':'"));
        }
        self.at += 1;
        Ok(key)
    }

    fn string(&mut self) -> Step<()> {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) => return Err(JsonFaultKind::ControlCharacter),
                Some(_) => self.at += 1,
                None => return Err(JsonFaultKind::EndsEarly),
            }
        }
    }

    fn escape(&mut self) -> Step<()> {
        let length = match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = &self.bytes[self.at + 2..self.bytes.len().min(self.at + 6)];
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(JsonFaultKind::BadEscape);
                }
                2 + digits.len().max(1)
            }
            Some(_) => return Err(JsonFaultKind::BadEscape),
            None => 1,
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Step<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        if is_number(&self.bytes[start..self.at]) {
            return Ok(());
        }
        if self.at == self.bytes.len() && !self.open.is_empty() {
            return Err(JsonFaultKind::EndsEarly);
        }
        self.at = start;
        Err(JsonFaultKind::BadNumber)
    }

    fn note_duplicates(&mut self, id: u32) {
        let count = self.entries[id as usize].child_count() as usize;
        if count < 2 {
            return;
        }
        let end = self.entries[id as usize].after;
        let mut seen = HashSet::with_capacity(count);
        let mut child = id + 1;
        while child < end {
            let entry = &self.entries[child as usize];
            let raw = &self.bytes[entry.key_start as usize..entry.key_end as usize];
            // Names are compared as they read, so an escaped spelling of the same name counts.
            let name = if raw.contains(&b'\\') {
                Cow::Owned(unescape(&String::from_utf8_lossy(raw)).into_owned().into_bytes())
            } else {
                Cow::Borrowed(&raw[1..raw.len() - 1])
            };
            if !seen.insert(name) {
                self.duplicates.push(NodeId(child));
            }
            child = entry.after;
        }
    }
}

fn as_u32(offset: usize) -> u32 {
    // Longer texts are refused before the first entry is made.
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || (whole > 1 && text[0] == b'0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> JsonFault {
        parse(text.into(), Grammar::Strict).map(|_| ()).unwrap_err()
    }

    #[test]
    fn every_fault_says_what_and_where() {
        for (text, says) in [
            ("", "the text is empty at line 1, column 1"),
            ("{\"a\": [1, 2", "the text ends in the middle at line 1, column 12"),
            ("{\"a\": tru", "the text ends in the middle at line 1, column 10"),
            ("{\"a\":\n  <html>", "a value expected, but '<' found at line 2, column 3"),
            ("{\"a\": True}", "a value expected, but \"True\" found at line 1, column 7"),
            ("{a: 1}", "a member name in double quotes expected, but \"a\" found at line 1, column 2"),
            ("[1,]", "a comma before the closing bracket at line 1, column 3"),
            ("[1 // one\n]", "a comment, which JSON does not have, at line 1, column 4"),
            ("[01]", "a number that JSON does not allow at line 1, column 2"),
            ("[NaN]", "a value expected, but \"NaN\" found at line 1, column 2"),
            ("[\"a\\x\"]", "an escape that JSON does not have at line 1, column 4"),
            ("[\"a\nb\"]", "a control character within a string at line 1, column 4"),
            ("{} x", "text after the end of the JSON value at line 1, column 4"),
        ] {
            assert_eq!(fault(text).to_string(), says, "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_without_recursion() {
        assert_eq!(fault(&"[".repeat(100_000)).kind, JsonFaultKind::TooDeep);
        let deepest = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert!(parse(deepest.into(), Grammar::Strict).is_ok());
    }

    #[test]
    fn comments_and_trailing_commas_are_skipped_on_request() {
        let text = "{ // name\n \"a\": 1, # more\n /* b */ \"b\": [1, 2,],\n}";
        let tree = parse(text.into(), Grammar::Tolerant).unwrap();
        assert_eq!(tree.root().get("b").unwrap().child_count(), 2);
    }

    #[test]
    fn every_cut_of_a_text_is_a_fault_and_never_a_panic() {
        let text = r#"{"k": [true, false, null, -1.5e+3, "s\u00e9\ud83d\ude00ü"], "o": {"p": {}}}"#;
        assert!(parse(text.into(), Grammar::Strict).is_ok());
        for (cut, _) in text.char_indices() {
            assert!(parse(text[..cut].into(), Grammar::Strict).is_err(), "{cut}");
            let _ = parse(text[cut..].into(), Grammar::Tolerant);
        }
    }
}
