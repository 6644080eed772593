//! How grave the changes between kept versions are, and what a retrieval changed for whoever looked before.

use std::sync::Arc;

use crate::card::diff::CardDiff;
use crate::card::{Inspection, meaning_digest};
use crate::history::{
    History, HistoryError, KeptVersion, Recorded, RetrievalRecord, VersionId, VersionRecord, previous_version,
};
use crate::state::{ChangeKind, VersionChange};

type Result<T> = std::result::Result<T, HistoryError>;

/// A kept document, judged as it was when it came.
#[must_use]
pub fn inspection_of(kept: &KeptVersion) -> Inspection {
    let origin = kept.retrieval.as_ref().map(RetrievalRecord::origin).unwrap_or_default();
    Inspection::of(Arc::clone(&kept.document), origin)
}

/// Judges versions of one agent, all that are listed, against those before them where that was not done; at most
/// `most` of them. What was judged stands in `versions` and is kept. Returns how many are left open.
///
/// # Errors
/// The history cannot be read or written; what could be judged stands in `versions` all the same.
pub fn judge_open(history: &mut History, versions: &mut [VersionRecord], most: usize) -> Result<usize> {
    let open: Vec<(usize, VersionId)> = (0..versions.len())
        .filter_map(|at| {
            let previous = previous_version(versions, &versions[at])?;
            versions[at].level_against(previous).is_none().then_some((at, previous.id))
        })
        .collect();
    let (mut kept, mut judged) = (Ok(()), 0);
    for &(at, against) in open.iter().take(most) {
        let newer = versions[at].id;
        let level = match level(history, against, newer) {
            Ok(Some(level)) => level,
            Ok(None) => continue,
            Err(error) => {
                // One that cannot be read does not keep the others from being judged.
                kept = Err(error);
                continue;
            }
        };
        judged += 1;
        let saved = history.set_level(newer, against, level);
        kept = kept.and(saved.or_else(|error| if error == HistoryError::Gone { Ok(()) } else { Err(error) }));
        versions[at].level = Some(level.to_owned());
        versions[at].level_against = Some(against);
    }
    // Where nothing could be judged, there is no use in going on.
    kept.map(|()| if judged == 0 { 0 } else { open.len().saturating_sub(most) })
}

/// The word for the changes between two versions; `None` if one of them is gone.
fn level(history: &History, older: VersionId, newer: VersionId) -> Result<Option<&'static str>> {
    let (Some(older), Some(newer)) = (history.document(older)?, history.document(newer)?) else { return Ok(None) };
    Ok(Some(CardDiff::of(&inspection_of(&older), &inspection_of(&newer)).level_label()))
}

/// What changed for someone who saw `seen` of the agent last. Whether what came is new to the history does not count:
/// an older card may have come back, and another program may have kept the new one first.
///
/// # Errors
/// The history cannot be read.
pub(super) fn change(history: &History, recorded: &Recorded, seen: Option<VersionId>) -> Result<Option<VersionChange>> {
    let Some(newer) = recorded.version else { return Ok(None) };
    let seen = seen.map(|seen| history.version_of_id(seen)).transpose()?.flatten();
    let seen = seen.filter(|seen| seen.agent == recorded.agent).map(|seen| seen.id);
    let Some(older) = seen.or(recorded.previous).filter(|older| *older != newer) else { return Ok(None) };
    let (Some(older), Some(newer)) = (history.document(older)?, history.document(newer)?) else { return Ok(None) };
    let kind = if older.version.meaning() != newer.version.meaning() {
        ChangeKind::Meaning
    } else if meaning_digest(&older.document, &[]) == meaning_digest(&newer.document, &[]) {
        ChangeKind::Spelling
    } else {
        ChangeKind::MutedMembers
    };
    let declared = &newer.version.agent_version;
    Ok(Some(VersionChange {
        older: older.version.id,
        newer: newer.version.id,
        kind,
        level: CardDiff::of(&inspection_of(&older), &inspection_of(&newer)).level_label().to_owned(),
        version_stayed: declared.is_some() && *declared == older.version.agent_version,
    }))
}
