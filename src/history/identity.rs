//! Who an agent is in the history, and texts without the secrets that were used to reach it.

use std::path::Path;

use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::Result;
use super::records::{AskedAs, NewRetrieval, Source};
use crate::card::address::{mask_secrets, secrets_in};

/// The name that stands for secrets in the address itself.
const IN_ADDRESS: &str = "address";
/// Shorter values are too common to be searched for in other texts.
const TELLING_LENGTH: usize = 6;

/// Takes secrets out of everything that is written down for one retrieval.
pub(super) struct Scrubber {
    secrets: Vec<String>,
}

impl Scrubber {
    pub(super) fn of(new: &NewRetrieval) -> Self {
        let mut secrets: Vec<String> = new.credentials.iter().map(|(_, value)| value.trim().to_owned()).collect();
        // A server may repeat the token without the scheme before it.
        secrets
            .extend(new.credentials.iter().filter_map(|(_, value)| Some(value.trim().split_once(' ')?.1.to_owned())));
        if new.source.is_web() {
            secrets.extend(secrets_in(&new.address));
        }
        secrets.retain(|secret| secret.len() >= TELLING_LENGTH);
        // The longest first, so that none leaves a part of itself behind.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { secrets }
    }

    /// A sentence or a header.
    pub(super) fn text(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "••••"))
    }

    pub(super) fn optional(&self, text: Option<&str>) -> Option<String> {
        text.map(|text| self.text(text))
    }

    /// An address; a path is no address with a query.
    pub(super) fn address(&self, address: &str, source: Source) -> String {
        match source {
            Source::Url | Source::Catalog => self.text(&mask_secrets(address)),
            Source::File | Source::Pasted => self.text(address),
        }
    }
}

/// On whose behalf `new` was made, by what was really sent.
pub(super) fn asked_as(connection: &Connection, new: &NewRetrieval) -> Result<AskedAs> {
    let mut sent: Vec<(String, String)> =
        new.credentials.iter().map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
    if new.source.is_web() {
        sent.extend(secrets_in(&new.address).into_iter().map(|secret| (IN_ADDRESS.to_owned(), secret)));
    }
    if sent.is_empty() {
        return Ok(AskedAs::Public);
    }
    sent.sort();
    let salt: Vec<u8> = connection.query_row("SELECT salt FROM salt", [], |row| row.get(0))?;
    let mut hasher = Sha256::new();
    hasher.update(&salt);
    for text in sent.iter().flat_map(|(name, value)| [name, value]) {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    // Cut to 32 bits: enough to tell a handful of identities apart, too little to find a secret by.
    let digest = hasher.finalize();
    let digest = u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]);
    let mut names: Vec<String> = sent.into_iter().map(|(name, _)| name).collect();
    names.dedup();
    Ok(AskedAs::Credentials { names, digest })
}

/// The address that a card is known by: its URL without secrets (for an entry of a catalog,
/// that of the catalog with the entry), its absolute path, or its digest where it has neither.
pub(super) fn card_url(scrubber: &Scrubber, new: &NewRetrieval) -> Option<String> {
    match new.source {
        source @ (Source::Url | Source::Catalog) => new.card_url.as_deref().map(|url| scrubber.address(url, source)),
        Source::File => new.card_url.as_deref().map(absolute),
        Source::Pasted => new.document.as_ref().map(|new| format!("pasted:{}", new.document.sha256())),
    }
}

pub(super) fn absolute(path: &str) -> String {
    std::path::absolute(Path::new(path)).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}
