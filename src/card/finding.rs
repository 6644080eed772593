//! A finding: one judgement about a card, with its rule and its place.

use super::pointer::JsonPointer;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know; nothing has to change.
    Hint,
    Info,
    /// Some clients will be misled.
    Warning,
    /// A client that follows the specification fails or is misled.
    Error,
}

impl Severity {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One judgement about a card.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The rule's stable name, lower-case words joined by hyphens ("interface-url-relative").
    pub rule: &'static str,
    pub severity: Severity,
    /// The member concerned; for something absent, the object that should have it.
    pub pointer: JsonPointer,
    /// One sentence that names the value and says what to do.
    pub message: String,
    /// The section of the specification ("§4.4.6"); empty where the specification is silent.
    pub spec: &'static str,
}
