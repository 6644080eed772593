//! What the escapes in a JSON string stand for.

use std::borrow::Cow;

/// The text of a JSON string given with its quotes. A lone surrogate reads as U+FFFD.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    let inner = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')).unwrap_or(raw);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (c, length) = escaped(&rest[at..]);
        text.push(c);
        rest = rest.get(at + length..).unwrap_or("");
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character that the escape at the start of `text` stands for, and the escape's length in bytes.
pub(super) fn escaped(text: &str) -> (char, usize) {
    let unit = |at: usize| text.get(at..at + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match text.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'u') => {
            let high = unit(2).unwrap_or(0xfffd);
            if (0xd800..0xdc00).contains(&high)
                && text.get(6..8) == Some("\\u")
                && let Some(low @ 0xdc00..0xe000) = unit(8)
            {
                let joined = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return (char::from_u32(joined).unwrap_or('\u{fffd}'), 12);
            }
            (char::from_u32(high).unwrap_or('\u{fffd}'), 6)
        }
        Some(&byte) => (char::from(byte), 2),
        None => ('\u{fffd}', 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_read_as_their_characters() {
        for (raw, text) in [
            (r#""\u00e9\n\"""#, "é\n\""),
            (r#""\ud83d\ude00""#, "😀"),
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\ud83dx""#, "\u{fffd}x"),
            (r#""ü\\""#, "ü\\"),
        ] {
            assert_eq!(unescape(raw), text, "{raw}");
        }
    }
}
