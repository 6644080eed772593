//! What a JSON view shows: a document with its two layouts, borrowed from an inspection or made from bytes.

use bytes::Bytes;

use crate::card::facts::Inspection;
use crate::card::json::JsonTree;
use crate::card::json_text::JsonText;
use crate::card::{Document, NodeId};

/// A document laid out for a view. Making one reads the whole text: do it once, not each frame.
#[derive(Debug)]
pub struct JsonContent {
    document: Document,
    pretty: Option<JsonText>,
    received: JsonText,
}

impl JsonContent {
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        let document = Document::new(bytes);
        let pretty = document.tree().map(JsonText::pretty);
        let received = JsonText::received(document.text(), document.tree());
        Self { document, pretty, received }
    }

    /// Whether the bytes are JSON.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.document.tree().is_some()
    }

    /// How many lines the pretty layout has.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.pretty.as_ref().unwrap_or(&self.received).rows().len()
    }

    #[must_use]
    pub fn source(&self) -> JsonSource<'_> {
        JsonSource { tree: self.document.tree(), pretty: self.pretty.as_ref(), received: &self.received }
    }
}

/// The text to show, its tree, and its layouts.
#[derive(Clone, Copy, Debug)]
pub struct JsonSource<'a> {
    pub tree: Option<&'a JsonTree>,
    /// `None` if the text is not JSON.
    pub pretty: Option<&'a JsonText>,
    pub received: &'a JsonText,
}

impl<'a> JsonSource<'a> {
    #[must_use]
    pub fn of(inspection: &'a Inspection) -> Self {
        Self { tree: inspection.document.tree(), pretty: inspection.pretty.as_ref(), received: &inspection.received }
    }

    /// The value exactly as written.
    pub(super) fn raw(&self, node: NodeId) -> Option<&'a str> {
        self.tree.map(|tree| tree.node(node).raw())
    }
}
