//! Every ordered pair of the corpus: no panic, nothing lost in a patch, and the same pairs the other way round.

use std::path::Path;

use cardscope::card::Inspection;
use cardscope::card::diff::{CardDiff, means_the_same};
use serde_json::Value;

use super::mirror::assert_mirrored;
use super::{assert_patch_yields_the_newer, inspected};

/// A card of the corpus, read once.
struct Card {
    name: String,
    inspection: Inspection,
    /// What another library reads.
    value: Value,
}

fn corpus() -> Vec<Card> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let value = serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        Card { name, inspection: inspected(bytes), value }
    };
    let cards: Vec<Card> = paths.iter().map(read).collect();
    assert!(cards.len() > 100);
    cards
}

/// Calls `check` for every pair of different cards once, on as many threads as there are processors.
fn for_every_pair(cards: &[Card], check: impl Fn(&Card, &Card) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let check = &check;
            scope.spawn(move || {
                for (at, one) in cards.iter().enumerate().skip(thread).step_by(threads) {
                    for other in &cards[at + 1..] {
                        check(one, other);
                    }
                }
            });
        }
    });
}

#[test]
fn every_pair_of_the_corpus_tells_of_the_same_members_either_way() {
    for_every_pair(&corpus(), |one, other| {
        let what = format!("{} and {}", one.name, other.name);
        let forwards = CardDiff::of(&one.inspection, &other.inspection);
        let backwards = CardDiff::of(&other.inspection, &one.inspection);
        assert_mirrored(&what, &forwards, &backwards);
        let same = means_the_same(&one.inspection, &other.inspection);
        assert_eq!(forwards.changes.is_empty(), same, "{what}");
    });
}

#[test]
fn the_patch_between_every_pair_of_the_corpus_yields_the_newer() {
    for_every_pair(&corpus(), |one, other| {
        let what = format!("{} and {}", one.name, other.name);
        let (before, after) = ((&*one.inspection.document, &one.value), (&*other.inspection.document, &other.value));
        assert_patch_yields_the_newer(&what, before, after);
        assert_patch_yields_the_newer(&what, after, before);
    });
}

/// The same value with its members the other way round and without white space.
fn turned(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().rev().map(|(name, value)| (name.clone(), turned(value))).collect(),
        Value::Array(items) => items.iter().map(turned).collect(),
        value => value.clone(),
    }
}

#[test]
fn a_card_does_not_differ_from_itself_however_it_is_written() {
    for card in corpus() {
        assert_eq!(CardDiff::of(&card.inspection, &card.inspection).changes, [], "{}", card.name);
        let rewritten = inspected(turned(&card.value).to_string());
        assert!(means_the_same(&card.inspection, &rewritten), "{}", card.name);
        assert_eq!(CardDiff::of(&card.inspection, &rewritten).changes, [], "{}", card.name);
        let document = (&*card.inspection.document, &card.value);
        assert_patch_yields_the_newer(&card.name, document, document);
    }
}

/// The places of all scalars in a value.
fn scalars(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                scalars(value, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                scalars(value, &format!("{pointer}/{at}"), found);
            }
        }
        _ => found.push(pointer.to_owned()),
    }
}

#[test]
fn no_change_of_a_single_value_goes_unsaid() {
    for card in corpus() {
        let mut places = Vec::new();
        scalars(&card.value, "", &mut places);
        // Every seventh, so that the test stays short; the sevenths differ from card to card.
        for place in places.iter().skip(card.name.len() % 7).step_by(7) {
            let mut changed = card.value.clone();
            let value = changed.pointer_mut(place).unwrap();
            *value = match &*value {
                Value::String(text) => Value::String(format!("{text} (changed)")),
                Value::Bool(yes) => Value::Bool(!yes),
                Value::Null => Value::Bool(true),
                other => Value::String(other.to_string()),
            };
            let changed = inspected(changed.to_string());
            let same = means_the_same(&card.inspection, &changed);
            let changes = CardDiff::of(&card.inspection, &changed).changes;
            assert!(same || !changes.is_empty(), "{} {place}", card.name);
        }
    }
}
