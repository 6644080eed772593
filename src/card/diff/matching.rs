//! Which entry of the older list is which entry of the newer one.
//!
//! Entries are paired by identity, in passes from the most to the least telling key; of several with the same key
//! the first is paired with the first. Everything here treats both sides alike, so that a comparison the other way
//! round gives the same pairs.

use std::collections::HashMap;
use std::hash::Hash;

/// Pairs of indices, and what is left on either side, all in the order of the lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Matches {
    /// In the order of the older list.
    pub pairs: Vec<(usize, usize)>,
    pub only_older: Vec<usize>,
    pub only_newer: Vec<usize>,
}

impl Matches {
    /// Nothing paired yet.
    pub(super) fn none(older: usize, newer: usize) -> Self {
        Self { pairs: Vec::new(), only_older: (0..older).collect(), only_newer: (0..newer).collect() }
    }

    /// Pairs what is left by equal keys; an entry without a key stays. Linear.
    pub(super) fn pass<K: Hash + Eq>(
        &mut self,
        older_key: impl Fn(usize) -> Option<K>,
        newer_key: impl Fn(usize) -> Option<K>,
    ) {
        if self.only_older.is_empty() || self.only_newer.is_empty() {
            return;
        }
        let mut waiting: HashMap<K, Vec<usize>> = HashMap::with_capacity(self.only_newer.len());
        // Backwards, so that the first is the last and can be popped.
        for &index in self.only_newer.iter().rev() {
            if let Some(key) = newer_key(index) {
                waiting.entry(key).or_default().push(index);
            }
        }
        let mut paired = Vec::new();
        for &index in &self.only_older {
            let Some(partner) = older_key(index).and_then(|key| waiting.get_mut(&key)?.pop()) else { continue };
            paired.push((index, partner));
        }
        self.accept(&paired);
    }

    /// Pairs what is left by likeness: the most alike first, none below the floor that `candidates` observed.
    pub(super) fn likeliest(&mut self, mut candidates: Vec<Candidate>) {
        candidates.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then_with(|| a.tie().cmp(&b.tie())));
        let (mut older, mut newer) = (std::collections::HashSet::new(), std::collections::HashSet::new());
        let mut paired = Vec::new();
        for candidate in candidates {
            if !older.contains(&candidate.older) && !newer.contains(&candidate.newer) {
                older.insert(candidate.older);
                newer.insert(candidate.newer);
                paired.push((candidate.older, candidate.newer));
            }
        }
        self.accept(&paired);
    }

    fn accept(&mut self, paired: &[(usize, usize)]) {
        if paired.is_empty() {
            return;
        }
        self.pairs.extend_from_slice(paired);
        self.pairs.sort_unstable();
        let older: std::collections::HashSet<usize> = paired.iter().map(|pair| pair.0).collect();
        let newer: std::collections::HashSet<usize> = paired.iter().map(|pair| pair.1).collect();
        self.only_older.retain(|index| !older.contains(index));
        self.only_newer.retain(|index| !newer.contains(index));
    }
}

/// Two entries that may be one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub older: usize,
    pub newer: usize,
    /// From 0 to 1.
    pub likeness: f64,
}

impl Candidate {
    /// Two candidates that share an entry never tie here, and swapping the sides changes nothing.
    fn tie(&self) -> usize {
        self.older + self.newer
    }
}

/// What of a set went and what came, each in its own order; entries count once.
pub(super) fn set_changes<'a>(older: &'a [String], newer: &'a [String]) -> (Vec<&'a str>, Vec<&'a str>) {
    let missing = |from: &'a [String], other: &'a [String]| -> Vec<&'a str> {
        let mut known: std::collections::HashSet<&str> = other.iter().map(String::as_str).collect();
        from.iter().map(String::as_str).filter(|word| known.insert(word)).collect()
    };
    (missing(older, newer), missing(newer, older))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_keys_is_paired_with_the_first() {
        let (older, newer) = (["a", "b", "a", "c"], ["a", "d", "a", "a"]);
        let mut matches = Matches::none(4, 4);
        matches.pass(|at| Some(older[at]), |at| Some(newer[at]));
        assert_eq!(matches.pairs, [(0, 0), (2, 2)]);
        assert_eq!((matches.only_older, matches.only_newer), (vec![1, 3], vec![1, 3]));
    }

    #[test]
    fn the_most_alike_come_first_from_either_side() {
        let candidate = |older, newer, likeness| Candidate { older, newer, likeness };
        let candidates = vec![candidate(0, 0, 0.8), candidate(0, 1, 0.9), candidate(1, 1, 0.8), candidate(1, 0, 0.8)];
        let mut forwards = Matches::none(2, 2);
        forwards.likeliest(candidates.clone());
        assert_eq!(forwards.pairs, [(0, 1), (1, 0)]);
        let mut backwards = Matches::none(2, 2);
        backwards.likeliest(candidates.into_iter().map(|c| candidate(c.newer, c.older, c.likeness)).collect());
        assert_eq!(backwards.pairs, [(0, 1), (1, 0)]);
    }

    #[test]
    fn sets_have_no_order_and_no_repetitions() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(set_changes(&words("a b b c"), &words("c a d d")), (vec!["b"], vec!["d"]));
    }
}
