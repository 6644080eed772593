//! Documents that need no network: files, the only card of a folder, pasted text.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::AsyncReadExt as _;
use tokio_util::sync::CancellationToken;

use super::attempt::judge;
use crate::card::document::Document;
use crate::client::http::MAX_CARD_BYTES;
use crate::client::retrieval::{Attempt, AttemptKind, AttemptOutcome};

/// The attempt for text that was pasted.
pub(super) fn pasted(text: &str) -> Attempt {
    from_bytes("Pasted text".to_owned(), AttemptKind::Pasted, Bytes::from(text.to_owned()), Duration::ZERO)
}

/// The attempt for bytes that are here already.
pub(super) fn from_bytes(name: String, kind: AttemptKind, bytes: Bytes, duration: Duration) -> Attempt {
    let document = Arc::new(Document::new(bytes));
    let (outcome, what) = judge(&document);
    let note = format!("{name} holds {what}.");
    let document = Some(document);
    Attempt {
        url: name,
        kind,
        outcome,
        status: None,
        note,
        duration,
        final_url: None,
        exchanges: Vec::new(),
        document,
        earlier: None,
        kept: None,
    }
}

/// The attempt for a path; a folder stands for the only JSON file in it.
pub(in crate::client) async fn read_path(
    path: &Path,
    assumptions: &mut Vec<String>,
    cancel: &CancellationToken,
) -> Attempt {
    let started = Instant::now();
    let path = with_home(path);
    let name = path.display().to_string();
    tokio::select! {
        biased;
        () = cancel.cancelled() => nothing(name, AttemptOutcome::Cancelled, "Cancelled.".to_owned(), started),
        result = read(&path, assumptions) => match result {
            Ok((path, bytes, whole)) => {
                let mut attempt = from_bytes(path, AttemptKind::File, bytes, started.elapsed());
                if !whole {
                    attempt.note = format!("{} Only the first {} MiB were read.", attempt.note, MAX_CARD_BYTES >> 20);
                }
                attempt
            }
            Err(problem) => nothing(name, AttemptOutcome::NotFound, problem, started),
        },
    }
}

fn nothing(url: String, outcome: AttemptOutcome, note: String, started: Instant) -> Attempt {
    Attempt {
        url,
        kind: AttemptKind::File,
        outcome,
        status: None,
        note,
        duration: started.elapsed(),
        final_url: None,
        exchanges: Vec::new(),
        document: None,
        earlier: None,
        kept: None,
    }
}

/// The bytes, the path they were read from, and whether they are all.
async fn read(path: &Path, assumptions: &mut Vec<String>) -> Result<(String, Bytes, bool), String> {
    let problem = |path: &Path, error: &std::io::Error| format!("{} cannot be opened: {error}.", path.display());
    let metadata = tokio::fs::metadata(path).await.map_err(|error| problem(path, &error))?;
    let path = if metadata.is_dir() { only_card(path, assumptions).await? } else { path.to_owned() };
    let file = tokio::fs::File::open(&path).await.map_err(|error| problem(&path, &error))?;
    let limit = MAX_CARD_BYTES as u64;
    let length = file.metadata().await.map_or(0, |metadata| metadata.len().min(limit));
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes).await.map_err(|error| problem(&path, &error))?;
    let whole = bytes.len() <= MAX_CARD_BYTES;
    bytes.truncate(MAX_CARD_BYTES);
    Ok((path.display().to_string(), Bytes::from(bytes), whole))
}

async fn only_card(folder: &Path, assumptions: &mut Vec<String>) -> Result<PathBuf, String> {
    let shown = folder.display();
    let unreadable = |error: std::io::Error| format!("The folder {shown} cannot be read: {error}.");
    let mut entries = tokio::fs::read_dir(folder).await.map_err(unreadable)?;
    let mut found = Vec::new();
    while let Some(entry) = entries.next_entry().await.map_err(unreadable)? {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) && path.is_file() {
            found.push(path);
        }
    }
    match (found.pop(), found.len()) {
        (Some(path), 0) => {
            assumptions.push(format!("{shown} is a folder; the only JSON file in it was opened."));
            Ok(path)
        }
        (None, _) => Err(format!("{shown} is a folder without a JSON file. Open a card's file instead.")),
        (Some(_), others) => {
            Err(format!("{shown} is a folder with {} JSON files. Open one of them instead.", others + 1))
        }
    }
}

fn with_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), directories::BaseDirs::new()) {
        (Ok(rest), Some(folders)) => folders.home_dir().join(rest),
        _ => path.to_owned(),
    }
}
