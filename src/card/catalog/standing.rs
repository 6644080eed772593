//! What a card that stands inside a catalog is known by: the catalog's URL, and the entry as its fragment.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// What would mean something else in a fragment, or in an address as commands take it.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b';')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'@')
    .add(b'\\')
    .add(b'`')
    .add(b'|');
/// Between an entry and one of the catalog that stands in it.
const INSIDE: char = ';';

/// The address of the entry `name` of the catalog at `catalog`, which may itself be an entry of another one.
#[must_use]
pub fn entry_address(catalog: &str, name: &str) -> String {
    let sign = if catalog.contains('#') { INSIDE } else { '#' };
    format!("{catalog}{sign}{}", utf8_percent_encode(name, ESCAPED))
}

/// The catalog that lies at a place of its own, of an address that [`entry_address`] gave.
#[must_use]
pub fn catalog_of(address: &str) -> &str {
    address.split_once('#').map_or(address, |(catalog, _)| catalog)
}

/// An address that [`entry_address`] gave, in words: `entry urn:plums of https://larder.example/catalog.json`.
#[must_use]
pub fn entry_words(address: &str) -> String {
    let Some((catalog, entries)) = address.split_once('#') else { return address.to_owned() };
    let mut words = String::new();
    for entry in entries.split(INSIDE).rev() {
        // A pointer stands for an entry that has no name of its own.
        let at = if entry.starts_with('/') { "at " } else { "" };
        write!(words, "entry {at}{} of ", percent_decode_str(entry).decode_utf8_lossy()).ok();
    }
    words + catalog
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::address::{mask_secrets, secrets_in};

    #[test]
    fn an_entry_is_told_from_every_other_and_said_in_words() {
        let catalog = "https://larder.example/catalog.json?set=a";
        let plums = entry_address(catalog, "urn:plums:1");
        assert_eq!(plums, "https://larder.example/catalog.json?set=a#urn:plums:1");
        assert_eq!(entry_words(&plums), "entry urn:plums:1 of https://larder.example/catalog.json?set=a");
        let inner = entry_address(&entry_address(catalog, "/entries/5"), "plums; and #1");
        assert_eq!(entry_words(&inner), format!("entry plums; and #1 of entry at /entries/5 of {catalog}"));
        assert_eq!(catalog_of(&inner), catalog);
        let all = ["a;b", "a", "b", "a%3Bb", "a@1", "a#b"].map(|name| entry_address(catalog, name));
        assert!(all.iter().enumerate().all(|(at, one)| !all[..at].contains(one)), "{all:?}");
        assert_ne!(entry_address(&all[1], "b"), all[0]);
    }

    #[test]
    fn only_secrets_of_the_catalogs_own_address_are_masked() {
        let address = entry_address("https://larder.example/c.json?api_key=abc", "urn:x?token=plum");
        assert_eq!(secrets_in(&address), ["abc"]);
        assert!(mask_secrets(&address).ends_with("?api_key=••••#urn:x%3Ftoken%3Dplum"), "{}", mask_secrets(&address));
    }
}
