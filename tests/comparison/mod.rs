//! What changed between two cards: a table of pairs with their expected changes, and every pair of the corpus.

mod corpus;
mod edits;
mod growth;
mod mirror;
mod mutations;
mod pairs;

use std::sync::Arc;

use cardscope::card::diff::json_patch::JsonPatch;
use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection};
use serde_json::Value;

fn inspected(text: impl Into<Vec<u8>>) -> Inspection {
    Inspection::of(Arc::new(Document::new(text.into())), Origin::default())
}

/// Applies the patch from one document to the other with a library that knows nothing of this program. Numbers are
/// compared digit for digit.
fn assert_patch_yields_the_newer(what: &str, older: (&Document, &Value), newer: (&Document, &Value)) {
    let text = JsonPatch::between(older.0, newer.0).unwrap_or_else(|| panic!("{what}: no patch")).to_json();
    let patch: json_patch::Patch =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: {error}: {text}"));
    let mut patched = older.1.clone();
    json_patch::patch(&mut patched, &patch).unwrap_or_else(|error| panic!("{what}: {error}: {text}"));
    assert_eq!(&patched, newer.1, "{what}: {text}");
}
