//! Catalogs: documents that list agents, in the shapes that registries answer with.
//!
//! Everything is read from positions in the received text, entry by entry: one that makes no sense becomes a row
//! that says so, and the others stay.

mod agents;
mod entry;
mod location;
mod query;
mod shape;
mod standing;

use std::ops::Range;

use url::Url;

use super::document::Document;
use super::json::Node;
use super::pointer::JsonPointer;

pub use query::{CatalogQuery, CatalogRequest, searches_on_server};
pub use shape::recognise;
pub use standing::{catalog_of, entry_address, entry_words};

/// Which kind of registry or list answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum CatalogKind {
    /// A document of the AI Catalog specification, at `/.well-known/ai-catalog.json` or anywhere.
    AiCatalog,
    /// A registry of Agentic Resource Discovery: `GET /agents`, `POST /search`.
    Ard,
    /// An AGNTCY directory: `GET /v1/agents`.
    Agntcy,
    /// Apicurio Registry: `GET /.well-known/agents`.
    Apicurio,
    /// The versions of one card in an Apicurio Registry.
    ApicurioVersions,
    /// a2aregistry.org and its like: `GET /api/agents`.
    A2aRegistry,
    /// Any JSON list of cards or of entries.
    JsonList,
}

impl CatalogKind {
    /// Those that a user can choose.
    pub const CHOICES: [Self; 6] =
        [Self::AiCatalog, Self::Ard, Self::Agntcy, Self::Apicurio, Self::A2aRegistry, Self::JsonList];

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::AiCatalog => "AI Catalog",
            Self::Ard => "ARD registry",
            Self::Agntcy => "AGNTCY directory",
            Self::Apicurio => "Apicurio Registry",
            Self::ApicurioVersions => "Versions in Apicurio",
            Self::A2aRegistry => "a2aregistry.org",
            Self::JsonList => "JSON list",
        }
    }
}

/// What was read from one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogPage {
    pub kind: CatalogKind,
    /// What the catalog calls itself.
    pub title: Option<String>,
    /// In the order of the document.
    pub entries: Vec<CatalogEntry>,
    pub next: Option<NextPage>,
    /// How many there are on all pages, as the registry says.
    pub total: Option<u64>,
    /// What was assumed or stands out, one sentence each.
    pub notes: Vec<String>,
}

/// How the following page is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NextPage {
    Token(String),
    Offset(u64),
}

/// One row of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    pub title: String,
    /// What the catalog knows it by, if it says so.
    pub identifier: Option<String>,
    /// At most [`MAX_DESCRIPTION`] characters.
    pub description: String,
    pub version: Option<String>,
    pub tags: Vec<String>,
    pub kind: EntryKind,
    /// The media type as written; empty if there is none.
    pub media_type: String,
    /// Where the document lies: an absolute http, https or file URL.
    pub url: Option<String>,
    /// The document itself, as a range of [`Document::text`].
    pub data: Option<Range<usize>>,
    /// Where its older versions are listed.
    pub versions_url: Option<String>,
    /// Who lists or publishes it, for the eye.
    pub source: String,
    /// What else it says: name and value.
    pub extra: Vec<(&'static str, String)>,
    /// What was assumed or stands out, one sentence each.
    pub notes: Vec<String>,
    /// Why it cannot be opened.
    pub problem: Option<String>,
    pub pointer: JsonPointer,
    /// The entry as written, as a range of [`Document::text`].
    pub span: Range<usize>,
}

/// The most characters of a description that are kept for the list.
pub const MAX_DESCRIPTION: usize = 600;

/// What an entry leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Card,
    /// Another catalog.
    Catalog,
    /// A registry that answers searches (ARD).
    Registry,
    /// Something else: an MCP server, a skill, a model.
    Other,
    /// It does not say.
    Untyped,
}

impl CatalogEntry {
    /// An entry of which nothing is known but where it stands.
    fn at(node: Node<'_>, pointer: JsonPointer) -> Self {
        Self {
            title: String::new(),
            identifier: None,
            description: String::new(),
            version: None,
            tags: Vec::new(),
            kind: EntryKind::Untyped,
            media_type: String::new(),
            url: None,
            data: None,
            versions_url: None,
            source: String::new(),
            extra: Vec::new(),
            notes: Vec::new(),
            problem: None,
            pointer,
            span: node.span(),
        }
    }

    /// Whether a click on it leads to a document that this program reads.
    #[must_use]
    pub fn opens(&self) -> bool {
        let readable = self.kind != EntryKind::Other || self.media_type.to_ascii_lowercase().contains("json");
        self.problem.is_none() && readable && (self.url.is_some() || self.data.is_some())
    }

    /// What it is, in a word or two: "card", "catalog", "mcp-server-card".
    #[must_use]
    pub fn kind_words(&self) -> &str {
        match self.kind {
            EntryKind::Card => "card",
            EntryKind::Catalog => "catalog",
            EntryKind::Registry => "registry",
            EntryKind::Untyped => "no type",
            EntryKind::Other => {
                let subtype = self.media_type.rsplit('/').next().unwrap_or_default();
                subtype.split(['+', ';']).next().unwrap_or_default()
            }
        }
    }

    /// Whether anything that the row shows contains `wanted` (in lower case).
    #[must_use]
    pub fn is_about(&self, wanted: &str) -> bool {
        let has = |text: &str| text.to_lowercase().contains(wanted);
        has(&self.title)
            || has(&self.description)
            || self.tags.iter().any(|tag| has(tag))
            || has(&self.source)
            || has(self.kind_words())
            || self.version.as_deref().is_some_and(has)
            || self.url.as_deref().is_some_and(has)
    }
}

/// Where a page came from and how it was asked for: what reading it depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The URL that answered; addresses in the page are read against it.
    pub base: Option<&'a Url>,
    /// What the user said it is.
    pub kind: Option<CatalogKind>,
    /// How many entries were skipped.
    pub offset: u64,
}

impl CatalogPage {
    /// Reads `document` as a page of a catalog.
    ///
    /// # Errors
    /// It is none; the sentence says what it is instead.
    pub fn read(document: &Document, asked: Asked<'_>) -> Result<Self, String> {
        let Some(tree) = document.tree() else {
            return Err(match document.fault() {
                Some(fault) if document.text().trim_start().starts_with(['{', '[']) => {
                    format!("JSON that cannot be read: {fault}")
                }
                _ => "something that is not JSON".to_owned(),
            });
        };
        let root = tree.root();
        let Some(found) = shape::find(root, asked.kind) else {
            return Err(shape::not_a_catalog(root, asked.kind));
        };
        let mut page = Self {
            kind: found.kind,
            title: shape::title(root).or_else(|| agents::versions_title(found.kind, asked.base)),
            entries: Vec::new(),
            next: None,
            total: None,
            notes: Vec::new(),
        };
        if document.fault().is_some() {
            page.notes.push("It is not quite JSON: comments or trailing commas were skipped.".to_owned());
        }
        if let Some(chosen) = asked.kind.filter(|&chosen| chosen != found.kind) {
            page.notes.push(format!(
                "It was asked for as {}, but has the shape of {}, and was read as that.",
                chosen.label(),
                found.kind.label()
            ));
        }
        for (name, list) in found.lists(root) {
            let pointer = name.map_or_else(JsonPointer::root, |name| JsonPointer::root().child(name));
            for (index, item) in list.items().enumerate() {
                let reading = entry::Reading { kind: found.kind, base: asked.base, list: name.unwrap_or_default() };
                page.entries.push(reading.entry(item, pointer.child(index), index));
            }
        }
        page.find_next(root, asked.offset);
        Ok(page)
    }

    fn find_next(&mut self, root: Node<'_>, offset: u64) {
        let number = |name: &str| root.get(name).and_then(|node| node.as_i64()).and_then(|n| u64::try_from(n).ok());
        let token = |name: &str| entry::text(root, &[name]).map(NextPage::Token);
        let count = self.entries.len() as u64;
        let after = |offset: u64, total: Option<u64>| {
            let reached = offset + count;
            (count > 0 && total.is_some_and(|total| reached < total)).then_some(NextPage::Offset(reached))
        };
        match self.kind {
            CatalogKind::AiCatalog => {}
            CatalogKind::Ard => {
                self.total = number("total");
                self.next = token("pageToken");
            }
            CatalogKind::Agntcy => {
                self.total = number("totalCount");
                self.next = token("nextPageToken");
            }
            CatalogKind::Apicurio | CatalogKind::ApicurioVersions => {
                self.total = number("count");
                self.next = after(offset, self.total);
            }
            CatalogKind::A2aRegistry => {
                self.total = number("total");
                self.next = after(number("offset").unwrap_or(offset), self.total);
            }
            CatalogKind::JsonList => {
                self.total = number("total").or_else(|| number("count"));
                if ["nextPageToken", "pageToken", "next"].iter().any(|name| root.get_set(name).is_some()) {
                    self.notes.push(
                        "It speaks of a next page, in a way that is not known here: this may not be all.".to_owned(),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
