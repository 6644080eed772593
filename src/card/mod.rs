//! Pure analysis of card documents: bytes in, facts out; no I/O.

pub mod address;
pub mod catalog;
pub mod diff;
pub mod document;
pub mod facts;
pub mod finding;
pub mod inspection;
pub mod json;
pub mod json_text;
pub mod lint;
pub mod meaning;
pub mod pointer;
pub mod synthetic;
pub mod tokens;
pub mod visible_text;

pub use document::{BodyKind, Document};
pub use facts::Inspection;
pub use json::{JsonTree, Kind, Node, NodeId};
pub use json_text::{JsonText, Row};
pub use meaning::meaning_digest;
pub use pointer::JsonPointer;
