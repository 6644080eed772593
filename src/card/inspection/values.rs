//! Values as fields show them, and words joined in a sentence.

use std::borrow::Cow;

use crate::card::facts::{FieldValue, Note, Tone};
use crate::card::json::{Kind, Node};

/// More rows than this in one group are counted, not listed: nobody reads them one by one, and a hostile card has
/// millions. It is the largest card that is still compared skill by skill.
pub(in crate::card) const MAX_ROWS: usize = 10_000;
/// The same for the words of one list, such as tags.
pub(in crate::card) const MAX_WORDS: usize = 200;

/// A value as a field shows it: strings unescaped, everything else as written.
pub(super) fn value_of(node: Node<'_>) -> FieldValue {
    match node.kind() {
        Kind::String => text_value(node.as_str().unwrap_or_default().into_owned()),
        Kind::Number | Kind::True | Kind::False => FieldValue::Literal(node.raw().to_owned()),
        Kind::Null => FieldValue::Null,
        Kind::Array if is_words(node) => FieldValue::Words(strings(node)),
        Kind::Array | Kind::Object => FieldValue::Json(node.raw().to_owned()),
    }
}

fn text_value(text: String) -> FieldValue {
    if text.starts_with("https://") || text.starts_with("http://") {
        FieldValue::Address(text)
    } else {
        FieldValue::Text(text)
    }
}

/// A short list of short strings.
fn is_words(node: Node<'_>) -> bool {
    (1..=64).contains(&node.child_count())
        && node.children().all(|item| item.kind() == Kind::String && item.raw().len() <= 80)
}

/// The strings of a list, unescaped, [`MAX_WORDS`] at most.
pub(super) fn strings(node: Node<'_>) -> Vec<String> {
    node.items().filter_map(|item| item.as_str()).take(MAX_WORDS).map(Cow::into_owned).collect()
}

/// Says how many of `count` are left out where only `most` are listed.
pub(super) fn left_out(count: usize, most: usize, what: &str) -> Option<Note> {
    let more = count.checked_sub(most).filter(|more| *more > 0)?;
    Some(Note::new(Tone::Caution, format!("And {more} more {what}, which are not listed here; see the JSON.")))
}

/// Enumerations in a sentence name this many and count the rest.
const MAX_LISTED: usize = 6;

/// "a", "a and b", "a, b and c", "a, b, c, d, e, f and 12 more".
pub(super) fn listed<T: AsRef<str>>(words: &[T], last_joint: &str) -> String {
    let joined = |words: &[T]| words.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] if first.len() < MAX_LISTED => {
            format!("{} {last_joint} {}", joined(first), last.as_ref())
        }
        many => format!("{} {last_joint} {} more", joined(&many[..MAX_LISTED]), many.len() - MAX_LISTED),
    }
}
