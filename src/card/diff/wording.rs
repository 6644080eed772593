//! Values of two cards in the sentences of a comparison: quoted, cut where long, hidden characters visible.

use crate::card::facts::{Field, FieldValue};
use crate::card::visible_text::visible_text;

/// Longer values are cut in a sentence, in characters; the change itself keeps all of them.
const MAX_QUOTED: usize = 80;
/// Enumerations in a sentence name this many and count the rest.
const MAX_LISTED: usize = 6;

/// A value in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    let end = text.char_indices().nth(MAX_QUOTED).map_or(text.len(), |(end, _)| end);
    let more = if end < text.len() { "…" } else { "" };
    // One sentence is one line.
    let cut = text[..end].replace(['\n', '\r', '\t'], " ");
    format!("\"{}{more}\"", visible_text(&cut))
}

/// The text with its first letter as at the beginning of a sentence.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// "a", "a and b", "a, b and 12 more".
pub(super) fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let shown: Vec<String> =
        words.iter().take(MAX_LISTED).map(|word| visible_text(word.as_ref()).into_owned()).collect();
    match (shown.as_slice(), words.len().saturating_sub(MAX_LISTED)) {
        ([], _) => String::new(),
        ([only], 0) => only.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (all, more) => format!("{} and {more} more", all.join(", ")),
    }
}

/// The value of a field as text; `None` if it is absent, null or empty.
pub(super) fn text_of(field: &Field) -> Option<String> {
    let text = match &field.value {
        FieldValue::Absent | FieldValue::Null | FieldValue::Group => return None,
        FieldValue::Text(text) | FieldValue::Address(text) | FieldValue::Literal(text) | FieldValue::Json(text) => {
            text.clone()
        }
        FieldValue::Words(words) => words.join(", "),
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_one_line_cut_and_without_hidden_characters() {
        assert_eq!(quoted("a\nb\u{202e}"), "\"a b⟨U+202E⟩\"");
        assert_eq!(quoted(&"é".repeat(200)).chars().count(), MAX_QUOTED + 3);
    }

    #[test]
    fn long_enumerations_are_counted() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["1", "2", "3", "4", "5", "6", "7", "8"]), "1, 2, 3, 4, 5, 6 and 2 more");
    }
}
