//! The file that histories are exchanged by: one JSON document, documented in the README.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::records::{AskedAs, AttemptRecord, CachingHeaders, Source};
use super::rows::{from_ms, to_ms};
use super::transcript::Transcript;

/// What stands in `format`.
pub const FORMAT: &str = "cardscope-history";
/// The form that is written, and the newest that is read.
pub(super) const FORMAT_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangeFile {
    pub format: String,
    pub format_version: u32,
    #[serde(default)]
    pub exported_at: String,
    pub agents: Vec<ExchangedAgent>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangedAgent {
    pub card_url: String,
    #[serde(default)]
    pub source: Source,
    #[serde(default)]
    pub address: String,
    /// Absent for a card that was got without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_as: Option<ExchangedAsker>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub muted: Vec<String>,
    /// Oldest first.
    pub versions: Vec<ExchangedVersion>,
    /// [`ExchangedConversation`]s, oldest first; each read for itself, so that an odd one does not spoil the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conversations: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ExchangedAsker {
    pub names: Vec<String>,
    /// Tells askers of one file apart; says nothing about their secrets.
    pub digest: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangedVersion {
    pub sha256: String,
    pub first_seen: String,
    pub last_seen: String,
    /// The document, if it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The document, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// Newest first.
    #[serde(default)]
    pub retrievals: Vec<ExchangedRetrieval>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ExchangedRetrieval {
    pub at: String,
    pub requested_url: String,
    pub final_url: String,
    pub status: Option<u16>,
    pub content_type: Option<String>,
    #[serde(rename = "headers")]
    pub caching: CachingHeaders,
    pub legacy_path: bool,
    pub outcome: String,
    pub verdict: String,
    pub attempts: Vec<AttemptRecord>,
    pub not_modified: bool,
}

/// A conversation; which version each turn was sent by is said by `cardSha256` in it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangedConversation {
    pub started_at: String,
    pub changed_at: String,
    pub transcript: Transcript,
}

impl ExchangedVersion {
    /// The document's bytes.
    ///
    /// # Errors
    /// There are none, or they are no base64; one sentence.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, String> {
        match (&self.text, &self.base64) {
            (Some(text), _) => Ok(text.clone().into_bytes()),
            (None, Some(text)) => STANDARD.decode(text).map_err(|error| format!("its base64 cannot be read: {error}")),
            (None, None) => Err("it has neither `text` nor `base64`".to_owned()),
        }
    }

    /// `text` or `base64` for `bytes`.
    pub(super) fn content(bytes: &[u8]) -> (Option<String>, Option<String>) {
        match std::str::from_utf8(bytes) {
            Ok(text) => (Some(text.to_owned()), None),
            Err(_) => (None, Some(STANDARD.encode(bytes))),
        }
    }
}

impl ExchangedAgent {
    pub(super) fn asked_as(&self) -> AskedAs {
        match &self.asked_as {
            Some(asker) if !asker.names.is_empty() => {
                AskedAs::Credentials { names: asker.names.clone(), digest: asker.digest }
            }
            _ => AskedAs::Public,
        }
    }
}

/// A time as it is written: RFC 3339, in UTC, to the millisecond.
pub(super) fn time_text(time: std::time::SystemTime) -> String {
    jiff::Timestamp::from_millisecond(to_ms(time)).unwrap_or_default().to_string()
}

/// The milliseconds since 1970 of a time as written.
///
/// # Errors
/// It is no such time; one sentence.
pub(super) fn time_ms(text: &str) -> Result<i64, String> {
    let time: jiff::Timestamp = text.parse().map_err(|_| format!("'{text}' is no time"))?;
    // Through the same rounding as every other time.
    Ok(to_ms(from_ms(time.as_millisecond())))
}
