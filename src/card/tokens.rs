//! Semantic tokens of one row of JSON text: what each stretch is, without colours.

use std::ops::Range;

/// What a stretch of JSON text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A member's name with its quotes.
    Key,
    /// A string value with its quotes, or the part of one that is on the row.
    String,
    Number,
    /// `true`, `false`, `null`.
    Literal,
    /// Brackets, colons and commas.
    Punctuation,
    Space,
    /// Whatever is not JSON.
    Other,
}

/// The tokens of `text`, in order and without gaps, for any text at all.
///
/// `continues_string` says that the text begins inside a string, as a row does that continues a long line.
pub fn row_tokens(text: &str, continues_string: bool) -> impl Iterator<Item = (Range<usize>, TokenKind)> + '_ {
    let mut at = 0;
    let mut inside = continues_string;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let start = at;
        let (end, kind) = next_token(text, start, std::mem::take(&mut inside));
        at = end;
        Some((start..end, kind))
    })
}

/// Whether a row that begins with `text` ends inside a string, and whether its last byte begins an escape.
#[must_use]
pub fn string_state(text: &[u8], mut in_string: bool) -> (bool, bool) {
    let mut at = 0;
    while at < text.len() {
        if in_string {
            match memchr::memchr2(b'"', b'\\', &text[at..]) {
                Some(found) if text[at + found] == b'"' => {
                    in_string = false;
                    at += found + 1;
                }
                Some(found) if at + found + 1 == text.len() => return (true, true),
                Some(found) => at += found + 2,
                None => break,
            }
        } else {
            match memchr::memchr(b'"', &text[at..]) {
                Some(found) => {
                    in_string = true;
                    at += found + 1;
                }
                None => break,
            }
        }
    }
    (in_string, false)
}

fn next_token(text: &str, start: usize, inside_string: bool) -> (usize, TokenKind) {
    let bytes = text.as_bytes();
    let run = |wanted: fn(u8) -> bool| {
        bytes[start..].iter().position(|&byte| !wanted(byte)).map_or(bytes.len(), |length| start + length)
    };
    if inside_string {
        return string_token(bytes, start);
    }
    match bytes[start] {
        b' ' | b'\t' | b'\r' | b'\n' => (run(|byte| byte.is_ascii_whitespace()), TokenKind::Space),
        b'"' => string_token(bytes, start + 1),
        b'{' | b'}' | b'[' | b']' | b':' | b',' => (start + 1, TokenKind::Punctuation),
        b'-' | b'0'..=b'9' => (run(is_number_byte), TokenKind::Number),
        _ => {
            // Everything up to the next byte that could begin something else; all of those are ASCII, so this
            // ends between characters.
            let end = run(|byte| {
                !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'{' | b'}' | b'[' | b']' | b':' | b',')
            });
            let literal = matches!(&bytes[start..end], b"true" | b"false" | b"null");
            (end, if literal { TokenKind::Literal } else { TokenKind::Other })
        }
    }
}

fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

/// A string whose characters begin at `from`; a colon behind it makes it a name.
fn string_token(bytes: &[u8], from: usize) -> (usize, TokenKind) {
    let mut at = from;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        if bytes[at + found] == b'"' {
            let end = at + found + 1;
            let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
            return (end, if next == Some(&b':') { TokenKind::Key } else { TokenKind::String });
        }
        at += found + 2;
    }
    (bytes.len(), TokenKind::String)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::{Key, Literal, Number, Other, Punctuation, String as Text};

    fn kinds(text: &str, continues: bool) -> Vec<(&str, TokenKind)> {
        row_tokens(text, continues)
            .filter(|(_, kind)| *kind != TokenKind::Space)
            .map(|(range, kind)| (&text[range], kind))
            .collect()
    }

    #[test]
    fn each_stretch_is_what_it_is() {
        assert_eq!(
            kinds(r#"  "a\"b" : [-1.0e+5, true, null, "x:"],"#, false),
            [
                (r#""a\"b""#, Key),
                (":", Punctuation),
                ("[", Punctuation),
                ("-1.0e+5", Number),
                (",", Punctuation),
                ("true", Literal),
                (",", Punctuation),
                ("null", Literal),
                (",", Punctuation),
                ("\"x:\"", Text),
                ("]", Punctuation),
                (",", Punctuation),
            ]
        );
        assert_eq!(kinds("truely # note", false), [("truely", Other), ("#", Other), ("note", Other)]);
        assert_eq!(kinds(r#""never ends\"#, false), [(r#""never ends\"#, Text)]);
    }

    #[test]
    fn a_row_that_continues_a_string_goes_on_as_one() {
        assert_eq!(kinds(r#"tail {1}", 2"#, true), [(r#"tail {1}""#, Text), (",", Punctuation), ("2", Number)]);
        assert_eq!(kinds(r#"name": 1"#, true), [(r#"name""#, Key), (":", Punctuation), ("1", Number)]);
        assert_eq!(kinds("\\\" still", true), [("\\\" still", Text)]);
    }

    #[test]
    fn the_state_at_the_end_of_a_row_is_known() {
        let cases = [
            ("", false, (false, false)),
            ("{\"a", false, (true, false)),
            ("{\"a\": 1", false, (false, false)),
            ("x\\\"y", true, (true, false)),
            ("x\\", true, (true, true)),
            ("x\\\\", true, (true, false)),
            ("x\\", false, (false, false)),
        ];
        for (text, before, expected) in cases {
            assert_eq!(string_state(text.as_bytes(), before), expected, "{text}");
        }
    }

    #[test]
    fn any_text_is_covered_without_gaps() {
        // A small generator instead of a list: garbage has no typical example.
        let alphabet: Vec<char> = "\"\\{}[]:, \t\r0-9eE+.truefalsnü料🛟\u{202e}\0<>#/".chars().collect();
        let mut seed = 7_u64;
        for _ in 0..4000 {
            let mut text = String::new();
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as usize
            };
            for _ in 0..next() % 24 {
                text.push(alphabet[next() % alphabet.len()]);
            }
            for continues in [false, true] {
                let mut end = 0;
                for (range, _) in row_tokens(&text, continues) {
                    assert_eq!(range.start, end, "{text:?}");
                    assert!(range.end > range.start && text.is_char_boundary(range.end), "{text:?}");
                    end = range.end;
                }
                assert_eq!(end, text.len(), "{text:?}");
            }
        }
    }
}
