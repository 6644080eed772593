//! Reading parts in every spelling that the releases and the field have produced.

use bytes::Bytes;

use super::reader::{Reader, member, text_of};
use super::{Form, base64_text};
use crate::a2a::{Part, PartContent, RawJson};
use crate::card::json::{Kind, Node};

/// Media types start with these where the bytes are text anyway, so that text which looks like base64 stays.
const TEXTUAL: [&str; 4] = ["text/", "application/json", "application/xml", "application/yaml"];

impl Reader {
    /// The parts of a message or artifact: under `parts`, or under `content` as in the proto of 0.3.
    pub(super) fn parts(&mut self, owner: Node<'_>) -> Vec<Part> {
        let Some(list) = member(owner, "parts").or_else(|| member(owner, "content")) else { return Vec::new() };
        match list.kind() {
            Kind::Array => list.items().map(|node| self.part(node)).collect(),
            Kind::Null => Vec::new(),
            _ => {
                self.note("The parts are not a list.");
                vec![self.part(list)]
            }
        }
    }

    fn part(&mut self, node: Node<'_>) -> Part {
        if let Some(text) = node.as_str() {
            self.note("A part is a bare string instead of an object.");
            return Part::text(text);
        }
        if node.kind() != Kind::Object {
            self.note("A part is neither an object nor a string; it is shown as it came.");
            return bare(PartContent::Unknown(RawJson::new(node.raw())));
        }
        self.note_markers(node);
        let file = member(node, "file").filter(|file| file.kind() == Kind::Object);
        let content = match member(node, "file") {
            Some(file) => self.file(file, node),
            None => self.flat_content(node),
        };
        let of_file = |name: &str| file.and_then(|file| text_of(file, name));
        Part {
            content,
            metadata: metadata(node),
            filename: text_of(node, "filename")
                .or_else(|| of_file("name"))
                .or_else(|| of_file("filename"))
                .or_else(|| text_of(node, "name")),
            media_type: media_type(node).or_else(|| file.and_then(media_type)),
        }
    }

    fn note_markers(&mut self, node: Node<'_>) {
        match self.form {
            Form::V0_3Rpc if node.get("kind").is_none() && node.get("type").is_some() => {
                self.note("Parts are marked by type, as before 0.2, instead of kind.");
            }
            Form::V0_3Rpc if node.get("kind").is_none() => self.note("Parts have no kind, which 0.3 demands."),
            Form::V1_0 | Form::V0_3Http if node.get("kind").is_some() || node.get("type").is_some() => {
                self.note("Parts carry a kind or type, as in 0.3 over JSON-RPC.");
            }
            _ => {}
        }
        let contents = ["text", "raw", "url", "data", "file"];
        if contents.iter().filter(|name| member(node, name).is_some()).count() > 1 {
            self.note("A part holds more than one kind of content; the first known one was read.");
        }
    }

    /// Content that stands in the part itself.
    fn flat_content(&mut self, node: Node<'_>) -> PartContent {
        let is_text = text_of(node, "kind").or_else(|| text_of(node, "type")).is_some_and(|kind| kind == "text");
        if let Some(text) = text_of(node, "text") {
            return PartContent::Text(text);
        }
        if let Some(text) = text_of(node, "content").filter(|_| is_text) {
            self.note("A text part keeps its text in content instead of text.");
            return PartContent::Text(text);
        }
        for name in ["raw", "bytes", "fileWithBytes"] {
            if let Some(text) = text_of(node, name) {
                return self.bytes(&text, name, media_type(node).as_deref());
            }
        }
        for name in ["url", "uri", "fileWithUri"] {
            if let Some(url) = text_of(node, name) {
                return PartContent::Url(url);
            }
        }
        if let Some(data) = node.get("data") {
            return PartContent::Data(RawJson::new(self.unwrapped_data(data).raw()));
        }
        self.note("A part has no content of a known kind; it is shown as it came.");
        PartContent::Unknown(RawJson::new(node.raw()))
    }

    /// A file in an object of its own: `bytes` or `uri` of 0.3, `fileWithBytes` or `fileWithUri` of its proto.
    fn file(&mut self, file: Node<'_>, part: Node<'_>) -> PartContent {
        if let Some(url) = file.as_str() {
            self.note("A file is a bare string instead of an object.");
            return PartContent::Url(url.into_owned());
        }
        let media_type = media_type(file).or_else(|| media_type(part));
        for name in ["bytes", "fileWithBytes", "raw"] {
            if let Some(text) = text_of(file, name) {
                return self.bytes(&text, name, media_type.as_deref());
            }
        }
        for name in ["uri", "fileWithUri", "url"] {
            if let Some(url) = text_of(file, name) {
                return PartContent::Url(url);
            }
        }
        self.note("A file has neither bytes nor an address; it is shown as it came.");
        PartContent::Unknown(RawJson::new(part.raw()))
    }

    /// 0.3 over HTTP+JSON wraps data once more, in its message DataPart.
    fn unwrapped_data<'a>(&self, data: Node<'a>) -> Node<'a> {
        match data.get("data") {
            Some(inner) if self.form == Form::V0_3Http && data.child_count() == 1 => inner,
            _ => data,
        }
    }

    fn bytes(&mut self, text: &str, name: &str, media_type: Option<&str>) -> PartContent {
        let Some(decoded) = base64_text::decode(text) else {
            self.note("A file's bytes are not base64; its text was kept as it came.");
            return PartContent::Undecodable(text.into());
        };
        if !decoded.is_canonical {
            self.note("A file's bytes are in base64 without padding, in the URL alphabet, or with line breaks.");
        }
        let twice = (name == "fileWithBytes").then(|| twice_encoded(&decoded.bytes, media_type)).flatten();
        if let Some(bytes) = twice {
            self.note("A file's bytes are encoded in base64 twice, as Python's SDK for 0.3 does; both were undone.");
            return PartContent::Raw(Bytes::from(bytes));
        }
        PartContent::Raw(Bytes::from(decoded.bytes))
    }
}

/// The bytes behind a second base64, only where the media type says that they cannot be text.
fn twice_encoded(bytes: &[u8], media_type: Option<&str>) -> Option<Vec<u8>> {
    let media_type = media_type?.to_ascii_lowercase();
    if bytes.is_empty() || TEXTUAL.iter().any(|textual| media_type.starts_with(textual)) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    base64_text::decode(text).filter(|decoded| decoded.is_canonical).map(|decoded| decoded.bytes)
}

fn media_type(node: Node<'_>) -> Option<String> {
    text_of(node, "mediaType").or_else(|| text_of(node, "mimeType"))
}

/// The metadata of any object, as written; null counts as absent.
pub(super) fn metadata(node: Node<'_>) -> Option<RawJson> {
    member(node, "metadata").map(|metadata| RawJson::new(metadata.raw()))
}

fn bare(content: PartContent) -> Part {
    Part { content, metadata: None, filename: None, media_type: None }
}
