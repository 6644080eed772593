//! How alike two skills are by their words, and which of many are worth a look: cost grows with their number.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::matching::{Candidate, Matches};
use crate::card::facts::Skill;

/// From this share of common words on, two skills with different ids count as one that was renamed.
pub(super) const FLOOR: f64 = 0.8;
/// Up to this many pairs are all looked at; beyond, only those that share a band.
const MAX_ALL_PAIRS: usize = 4096;
/// Bands of two hashes: two skills at the floor share one of them with a probability above 0.999.
const BANDS: u64 = 12;
/// Of one band only so many are looked at on each side; more are a template that tells nothing apart.
const MAX_IN_BAND: usize = 8;

/// The pairs among what is left that are alike enough.
pub(super) fn candidates(older: &[Skill], newer: &[Skill], matches: &Matches) -> Vec<Candidate> {
    let words = |skills: &[Skill], left: &[usize]| -> Vec<(usize, Vec<u64>)> {
        left.iter().map(|&at| (at, words(&skills[at]))).filter(|(_, words)| !words.is_empty()).collect()
    };
    let older = words(older, &matches.only_older);
    let newer = words(newer, &matches.only_newer);
    let pairs: Box<dyn Iterator<Item = (usize, usize)>> = if older.len() * newer.len() <= MAX_ALL_PAIRS {
        let count = newer.len();
        Box::new((0..older.len()).flat_map(move |a| (0..count).map(move |b| (a, b))))
    } else {
        Box::new(banded(&older, &newer).into_iter())
    };
    pairs
        .map(|(a, b)| Candidate { older: older[a].0, newer: newer[b].0, likeness: likeness(&older[a].1, &newer[b].1) })
        .filter(|candidate| candidate.likeness >= FLOOR)
        .collect()
}

/// The words of a skill, hashed, sorted, each once. Its id is left out: that is what changed.
fn words(skill: &Skill) -> Vec<u64> {
    let texts = [&skill.name, &skill.description].into_iter().chain(&skill.tags).chain(&skill.examples);
    let mut words: Vec<u64> = texts
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(|word| hash(0, word.to_lowercase()))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn hash(seed: u64, value: impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, value).hash(&mut hasher);
    hasher.finish()
}

/// Twice the common words by all words (Dice), from 0 to 1.
fn likeness(older: &[u64], newer: &[u64]) -> f64 {
    let mut common = 0_usize;
    let mut rest = newer;
    for word in older {
        let at = rest.partition_point(|other| other < word);
        rest = &rest[at..];
        common += usize::from(rest.first() == Some(word));
    }
    2.0 * common as f64 / (older.len() + newer.len()) as f64
}

/// Pairs that share a band of their smallest hashes (MinHash).
fn banded(older: &[(usize, Vec<u64>)], newer: &[(usize, Vec<u64>)]) -> HashSet<(usize, usize)> {
    let mut pairs = HashSet::new();
    for band in 0..BANDS {
        let key = |words: &[u64]| {
            let smallest = |seed: u64| words.iter().map(|word| mixed(word ^ seed)).min().unwrap_or_default();
            (smallest(mixed(2 * band + 1)), smallest(mixed(2 * band + 2)))
        };
        let mut buckets: HashMap<(u64, u64), (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (at, (_, words)) in older.iter().enumerate() {
            buckets.entry(key(words)).or_default().0.push(at);
        }
        for (at, (_, words)) in newer.iter().enumerate() {
            buckets.entry(key(words)).or_default().1.push(at);
        }
        for (olders, newers) in buckets.into_values() {
            for &a in olders.iter().take(MAX_IN_BAND) {
                pairs.extend(newers.iter().take(MAX_IN_BAND).map(|&b| (a, b)));
            }
        }
    }
    pairs
}

/// Spreads the bits of a number (the finalizer of SplitMix64).
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(text: &str) -> Vec<u64> {
        let mut words: Vec<u64> = text.split(' ').map(|word| hash(0, word)).collect();
        words.sort_unstable();
        words
    }

    #[test]
    fn likeness_is_the_share_of_common_words_either_way() {
        let (a, b) = (hashed("one two three four"), hashed("one two three five"));
        assert!((likeness(&a, &b) - 0.75).abs() < 1e-9 && (likeness(&b, &a) - 0.75).abs() < 1e-9);
        assert!((likeness(&a, &a) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_alike_shares_a_band_among_thousands() {
        let texts = |last: &str| -> Vec<(usize, Vec<u64>)> {
            let text = |at: usize| {
                let own: Vec<String> = (0..9).map(|word| format!("w{at}x{word}")).collect();
                format!("{} {last}{at}", own.join(" "))
            };
            (0..2000).map(|at| (at, hashed(&text(at)))).collect()
        };
        let pairs = banded(&texts("old"), &texts("new"));
        assert_eq!((0..2000).filter(|&at| pairs.contains(&(at, at))).count(), 2000);
    }
}
