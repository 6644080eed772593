//! Documents by an enemy, or by bad luck: nothing breaks, nothing takes long, nothing takes a gigabyte.

mod large;
mod mutations;

use std::ops::Range;
use std::sync::Arc;

use cardscope::card::facts::Origin;
use cardscope::card::tokens::row_tokens;
use cardscope::card::{Document, Inspection, JsonPointer, JsonText, JsonTree, NodeId};

/// Where the judged documents claim to come from, so that every rule has something to say.
fn origin() -> Origin {
    let url = "https://larder.example/.well-known/agent-card.json".to_owned();
    Origin { requested_url: Some(url.clone()), final_url: Some(url), ..Origin::default() }
}

/// Judges `bytes` as the program does.
fn inspect(bytes: &[u8]) -> Inspection {
    Inspection::of(Arc::new(Document::new(bytes.to_owned())), origin())
}

/// Everything that has to hold of any document at all.
fn check(card: &Inspection, bytes: &[u8]) {
    let document = &card.document;
    assert_eq!(&document.bytes()[..], bytes, "what came is kept byte for byte");
    assert_eq!(card.pretty.is_some(), document.tree().is_some());
    check_rows(&card.received, document.tree());
    // Line ends are not part of any row; nothing else of the text is missing.
    let shown: String = card.received.rows().iter().map(|row| card.received.row_text(row)).collect();
    assert_eq!(shown.replace(['\r', '\n'], ""), document.text().replace(['\r', '\n'], ""));
    if let Some(pretty) = &card.pretty {
        check_rows(pretty, document.tree());
    }
    for finding in &card.findings {
        assert!(!finding.message.is_empty());
        if let Some(tree) = document.tree() {
            assert!(is_there(tree, &finding.pointer), "{} at {}", finding.rule, finding.pointer);
        }
    }
    let places = card.findings.iter().map(|finding| finding.severity);
    assert!(places.clone().zip(places.skip(1)).all(|(one, next)| one >= next), "the most severe come first");
}

fn is_there(tree: &JsonTree, pointer: &JsonPointer) -> bool {
    tree.resolve(pointer).is_some()
}

/// The rows lie within the text, one behind the other, and each can be coloured by itself.
fn check_rows(text: &JsonText, tree: Option<&JsonTree>) {
    let mut end = 0;
    for row in text.rows() {
        assert!(row.start >= end && row.end >= row.start);
        end = row.end;
        let shown = text.row_text(row);
        let mut at = 0;
        for (Range { start, end }, _) in row_tokens(shown, row.in_string()) {
            assert_eq!(start, at, "the stretches of a row leave no gap");
            at = end;
        }
        assert_eq!(at, shown.len());
    }
    let values = tree.into_iter().flat_map(JsonTree::nodes);
    for node in values.step_by(1 + tree.map_or(0, JsonTree::len) / 5000) {
        let (first, last) = text.rows_of(node.id()).expect("every value has its rows");
        assert!(first <= last && last < text.rows().len());
        let shown: String = text.rows()[first..=last].iter().map(|row| text.row_text(row)).collect();
        assert!(node.kind().is_container() || shown.contains(node.raw()), "{node:?} in {shown}");
    }
    assert!(tree.is_none() || text.rows_of(NodeId(0)).is_some());
}
