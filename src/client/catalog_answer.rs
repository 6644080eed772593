//! What came when a page of a catalog was asked for. Plain data.

use std::sync::Arc;

use super::exchange::Exchange;
use crate::card::Document;
use crate::card::catalog::{CatalogPage, CatalogQuery};

/// One page of a catalog, or why there is none.
#[derive(Clone, Debug)]
pub struct CatalogAnswer {
    pub query: CatalogQuery,
    /// What answered, for the eye: a URL with its secrets masked, or a file's path.
    pub place: String,
    /// What addresses in documents of this page are read against: a URL without its query; `None` if it is not known.
    pub base: Option<String>,
    /// What was read into the address, one sentence each.
    pub assumptions: Vec<String>,
    /// What came, whatever it is.
    pub document: Option<Arc<Document>>,
    /// What brought the document; `None` for a file, and for one that was here already.
    pub exchange: Option<Arc<Exchange>>,
    pub result: Result<Arc<CatalogPage>, CatalogFailure>,
}

/// Why there is no page.
#[derive(Clone, Debug)]
pub struct CatalogFailure {
    pub kind: CatalogFailureKind,
    /// One sentence for people, with the evidence.
    pub sentence: String,
    /// The last exchange, if anything was asked.
    pub exchange: Option<Arc<Exchange>>,
}

/// What there is to do about a failure depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogFailureKind {
    /// The address cannot be asked.
    Address,
    /// 401 or 403.
    NeedsCredentials,
    /// Another status than success.
    Refused,
    /// The registry answers searches only.
    SearchOnly,
    /// Something came that is no catalog.
    NotACatalog,
    /// No complete answer.
    NoAnswer,
    Cancelled,
}
