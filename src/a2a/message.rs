//! Message and Part (§4.1.4, §4.1.6): what is said, in pieces of text, bytes, links and data.

use bytes::Bytes;
use bytestring::ByteString;

/// JSON text exactly as it stood on the wire: numbers keep their digits, members their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawJson(pub ByteString);

impl RawJson {
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(ByteString::from(text))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who speaks (§4.1.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    User,
    Agent,
    Unspecified,
    /// A spelling that no version knows, kept as written.
    Other(String),
}

impl Role {
    /// Reads `ROLE_USER`, `user` and the like.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.to_ascii_lowercase().trim_start_matches("role_") {
            "user" => Self::User,
            "agent" => Self::Agent,
            "" | "unspecified" => Self::Unspecified,
            _ => Self::Other(text.to_owned()),
        }
    }
}

/// One communication turn between client and agent (§4.1.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Required by the specification, absent in some answers.
    pub message_id: Option<String>,
    pub context_id: Option<String>,
    pub task_id: Option<String>,
    pub role: Role,
    pub parts: Vec<Part>,
    pub metadata: Option<RawJson>,
    pub extensions: Vec<String>,
    pub reference_task_ids: Vec<String>,
}

impl Message {
    /// All text parts, joined with line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        joined_text(&self.parts)
    }
}

/// One piece of content (§4.1.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub content: PartContent,
    pub metadata: Option<RawJson>,
    pub filename: Option<String>,
    /// As declared by the sender; absent for most text parts.
    pub media_type: Option<String>,
}

impl Part {
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: PartContent::Text(text.into()), metadata: None, filename: None, media_type: None }
    }

    #[must_use]
    pub fn data(json: RawJson) -> Self {
        Self { content: PartContent::Data(json), metadata: None, filename: None, media_type: None }
    }

    #[must_use]
    pub fn file(bytes: Bytes, filename: String, media_type: Option<String>) -> Self {
        Self { content: PartContent::Raw(bytes), metadata: None, filename: Some(filename), media_type }
    }
}

/// The content of a [`Part`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartContent {
    Text(String),
    /// Inline bytes, decoded from base64. An empty file is a file.
    Raw(Bytes),
    /// Inline bytes whose base64 could not be decoded: the text as it came.
    Undecodable(ByteString),
    /// A link to bytes elsewhere; never fetched unasked.
    Url(String),
    Data(RawJson),
    /// A part of no known kind, as it came (`{}` included).
    Unknown(RawJson),
}

/// The text parts among `parts`, joined with line breaks.
#[must_use]
pub fn joined_text(parts: &[Part]) -> String {
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match &part.content {
            PartContent::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    texts.join("\n")
}
