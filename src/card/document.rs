//! A document: the exact bytes that came, the text they make, and its JSON if it is any.

use bytes::Bytes;
use bytestring::ByteString;
use sha2::Digest as _;

use super::json::{JsonFault, JsonTree, Kind, Node};

/// One received document. Immutable and shared: every fact about a card is derived from it.
#[derive(Debug)]
pub struct Document {
    bytes: Bytes,
    text: ByteString,
    sha256: String,
    tree: Option<JsonTree>,
    fault: Option<JsonFault>,
    has_bom: bool,
    not_utf8_at: Option<usize>,
}

/// What a body is, judged by its content and never by its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// A JSON object, a card or not.
    Object,
    /// JSON, but a list or a scalar.
    OtherJson(Kind),
    /// JSON but for comments or trailing commas; read all the same, and said.
    AlmostJson,
    /// HTML, with its title if it has one.
    WebPage {
        title: Option<String>,
    },
    Empty,
    /// Neither JSON nor a page.
    NotJson,
}

impl Document {
    /// Reads `bytes`. Never fails: what is no JSON is still a document.
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        let bytes: Bytes = bytes.into();
        let has_bom = bytes.starts_with(b"\xef\xbb\xbf");
        let body = bytes.slice(if has_bom { 3.. } else { 0.. });
        let not_utf8_at = std::str::from_utf8(&body).err().map(|error| error.valid_up_to());
        // The text is the bytes: one allocation serves both, which counts where a card has megabytes.
        let text = ByteString::try_from(body.clone())
            .unwrap_or_else(|_| ByteString::from(String::from_utf8_lossy(&body).into_owned()));
        let (tree, fault) = match JsonTree::parse(text.clone()) {
            Ok(tree) => (Some(tree), None),
            Err(fault) => (JsonTree::parse_tolerant(text.clone()).ok(), Some(fault)),
        };
        let sha256 = hexadecimal(&sha2::Sha256::digest(&bytes));
        Self { bytes, text, sha256, tree, fault, has_bom, not_utf8_at }
    }

    /// Exactly what came.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes as text: without a byte order mark, and with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn text(&self) -> &ByteString {
        &self.text
    }

    /// SHA-256 of the bytes, in lower-case hexadecimal: the identity of a version.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The JSON of the document; read tolerantly where [`Self::fault`] is set as well.
    #[must_use]
    pub fn tree(&self) -> Option<&JsonTree> {
        self.tree.as_ref()
    }

    /// The root if it is a JSON object.
    #[must_use]
    pub fn object(&self) -> Option<Node<'_>> {
        self.tree.as_ref().map(JsonTree::root).filter(|root| root.kind() == Kind::Object)
    }

    /// Where and why the text is not JSON.
    #[must_use]
    pub fn fault(&self) -> Option<&JsonFault> {
        self.fault.as_ref()
    }

    #[must_use]
    pub fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// The first byte (after a byte order mark) that is not UTF-8.
    #[must_use]
    pub fn not_utf8_at(&self) -> Option<usize> {
        self.not_utf8_at
    }

    #[must_use]
    pub fn kind(&self) -> BodyKind {
        match (&self.tree, &self.fault) {
            (Some(tree), None) if tree.root().kind() == Kind::Object => BodyKind::Object,
            (Some(tree), None) => BodyKind::OtherJson(tree.root().kind()),
            (Some(_), Some(_)) => BodyKind::AlmostJson,
            (None, _) if self.text.trim().is_empty() => BodyKind::Empty,
            (None, _) if looks_like_a_page(&self.text) => BodyKind::WebPage { title: page_title(&self.text) },
            (None, _) => BodyKind::NotJson,
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        use std::fmt::Write as _;
        // Writing to a String cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

fn looks_like_a_page(text: &str) -> bool {
    let head: String = text.trim_start().chars().take(512).collect::<String>().to_ascii_lowercase();
    head.starts_with('<')
        && ["<!doctype html", "<html", "<head", "<body", "<title", "<script"].iter().any(|tag| head.contains(tag))
}

/// The text of `<title>`, with white space folded and at most 80 characters long.
fn page_title(text: &str) -> Option<String> {
    let mut end = text.len().min(65_536);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let lower = head.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let start = open + lower[open..].find('>')? + 1;
    let end = start + lower[start..].find("</title").unwrap_or(lower.len() - start);
    let title = head[start..end].split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then(|| title.chars().take(80).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(bytes: &'static [u8]) -> BodyKind {
        Document::new(bytes).kind()
    }

    #[test]
    fn the_body_decides_what_it_is() {
        assert_eq!(kind(b"{}"), BodyKind::Object);
        assert_eq!(kind(b"\xef\xbb\xbf {\"a\": 1}"), BodyKind::Object);
        assert_eq!(kind(b"[]"), BodyKind::OtherJson(Kind::Array));
        assert_eq!(kind(b"null"), BodyKind::OtherJson(Kind::Null));
        assert_eq!(kind(b"{ # note\n}"), BodyKind::AlmostJson);
        assert_eq!(kind(b""), BodyKind::Empty);
        assert_eq!(kind(b" \r\n"), BodyKind::Empty);
        assert_eq!(kind(b"../src/card.json"), BodyKind::NotJson);
        assert_eq!(kind(b"{\"a\": "), BodyKind::NotJson);
        assert_eq!(
            kind(b"<!DOCTYPE html><Title lang=en> Sign\n in </TITLE>"),
            BodyKind::WebPage { title: Some("Sign in".to_owned()) }
        );
        assert_eq!(kind(b"<html><body>\xc3"), BodyKind::WebPage { title: None });
    }

    #[test]
    fn bytes_are_kept_whatever_they_are() {
        for bytes in [&b"\xff\xfe{\0}\0"[..], b"{\"a\":\"\xe9\"}", b"", b"\xef\xbb\xbf"] {
            let document = Document::new(bytes);
            assert_eq!(&document.bytes()[..], bytes);
        }
        let latin1 = Document::new(&b"{\"a\":\"caf\xe9\"}"[..]);
        assert_eq!(latin1.not_utf8_at(), Some(9));
        assert_eq!(latin1.object().unwrap().get_str("a").unwrap(), "caf\u{fffd}");
    }

    #[test]
    fn the_digest_is_of_the_bytes() {
        assert_eq!(
            Document::new(&b""[..]).sha256(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
