//! The JSON document that `cardscope diff --json` prints.

use serde::Serialize;

use super::inspected::Inspected;
use super::kept::shown;
use crate::card::Inspection;
use crate::card::diff::{CardDiff, Change};

#[derive(Serialize)]
struct Output<'a> {
    older: SideOutput<'a>,
    newer: SideOutput<'a>,
    level: &'static str,
    changes: &'a [Change],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SideOutput<'a> {
    address: String,
    /// Where it came from in the end; `null` for a file or pasted text.
    final_url: Option<&'a str>,
    title: &'a str,
    version: Option<&'a str>,
    shape: &'static str,
    sha256: &'a str,
}

/// Everything that changed, as JSON.
pub(super) fn document(
    diff: &CardDiff,
    (before, older): (&Inspected, &Inspection),
    (after, newer): (&Inspected, &Inspection),
) -> serde_json::Result<String> {
    let output = Output {
        older: side(before, older),
        newer: side(after, newer),
        level: diff.level_label(),
        changes: &diff.changes,
    };
    serde_json::to_string_pretty(&output)
}

fn side<'a>(inspected: &'a Inspected, card: &'a Inspection) -> SideOutput<'a> {
    SideOutput {
        address: shown(&inspected.retrieval.address),
        final_url: card.origin.final_url.as_deref(),
        title: &card.title,
        version: card.agent_version.as_deref(),
        shape: card.shape.label(),
        sha256: card.document.sha256(),
    }
}
