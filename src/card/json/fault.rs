//! Why a text is not JSON, and where.

use super::MAX_DEPTH;

/// Why a text is not JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at line {line}, column {column}")]
pub struct JsonFault {
    pub kind: JsonFaultKind,
    /// In bytes from the start of the text.
    pub offset: usize,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// Why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonFaultKind {
    #[error("the text is empty")]
    Empty,
    #[error("the text ends in the middle")]
    EndsEarly,
    #[error("{expected} expected, but {found} found")]
    Unexpected { expected: &'static str, found: String },
    #[error("a comment, which JSON does not have,")]
    Comment,
    #[error("a comma before the closing bracket")]
    TrailingComma,
    #[error("a number that JSON does not allow")]
    BadNumber,
    #[error("an escape that JSON does not have")]
    BadEscape,
    #[error("a control character within a string")]
    ControlCharacter,
    #[error("text after the end of the JSON value")]
    TrailingText,
    #[error("nesting of more than {MAX_DEPTH} levels")]
    TooDeep,
    #[error("more than 512 MiB of text")]
    TooLong,
}

pub(super) fn fault_at(text: &str, kind: JsonFaultKind, offset: usize) -> JsonFault {
    let before = &text.as_bytes()[..offset];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    JsonFault { kind, offset, line, column }
}
