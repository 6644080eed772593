//! A comparison the other way round tells of the same pairs of members, each by the rule that mirrors it.
//!
//! What was removed was added, what was offered is withdrawn; a rule that has no counterpart mirrors itself. The level
//! is that of the mirroring rule: an addition that breaks nobody is the mirror of a removal that breaks clients. A rule
//! that mirrors itself keeps its level, unless it is weighed by circumstances that are not the same both ways. What
//! `version` says of a change has a direction by nature and no mirror.

use cardscope::card::JsonPointer;
use cardscope::card::diff::{CardDiff, Change};

const MIRRORS: [(&str, &str); 29] = [
    ("no-longer-a-card", "now-a-card"),
    ("provider-removed", "provider-added"),
    ("interface-removed", "interface-added"),
    ("binding-removed", "binding-added"),
    ("interface-version-undeclared", "interface-version-declared"),
    ("interface-tenant-removed", "interface-tenant-changed"),
    ("capability-withdrawn", "capability-offered"),
    ("extension-removed", "extension-added"),
    ("extension-removed", "required-extension-added"),
    ("extension-now-optional", "extension-now-required"),
    ("skill-removed", "skill-added"),
    ("input-mode-removed", "input-mode-added"),
    ("output-mode-removed", "output-mode-added"),
    ("modes-unstated", "modes-stated"),
    ("scheme-removed", "scheme-added"),
    ("oauth-flow-removed", "oauth-flow-added"),
    ("pkce-no-longer-required", "pkce-now-required"),
    ("offered-scope-removed", "offered-scope-added"),
    ("access-no-longer-required", "access-now-required"),
    ("alternative-removed", "alternative-added"),
    ("alternative-scheme-removed", "alternative-scheme-added"),
    ("required-scope-removed", "required-scope-added"),
    ("requirement-out-of-sight", "requirement-in-sight"),
    ("signature-removed", "signature-added"),
    ("other-field-removed", "other-field-added"),
    // By themselves: the tenant where both name one, and the payment terms, which need not say which side is which.
    ("interface-tenant-changed", "interface-tenant-changed"),
    ("payment-terms-changed", "payment-terms-changed"),
    ("alternative-schemes-exchanged", "alternative-schemes-exchanged"),
    ("skill-renamed", "skill-renamed"),
];
/// What `version` says of a change.
const DIRECTED: [&str; 2] = ["version-went-back", "breaking-without-major"];
/// Weighed by what may be so on one side alone: whether another alternative lets the same clients in, or whether there
/// was an id to go by.
const WEIGHED: [&str; 2] = ["alternative-schemes-exchanged", "skill-renamed"];

fn is_mirror(one: &str, other: &str) -> bool {
    let listed = |rule: &str| MIRRORS.iter().any(|(a, b)| *a == rule || *b == rule);
    MIRRORS.iter().any(|(a, b)| (*a, *b) == (one, other) || (*a, *b) == (other, one)) || (one == other && !listed(one))
}

type Place<'a> = (Option<&'a JsonPointer>, Option<&'a JsonPointer>, Option<&'a str>, Option<&'a str>);

fn place(change: &Change) -> Place<'_> {
    let pointers = (change.older_pointer.as_ref(), change.newer_pointer.as_ref());
    (pointers.0, pointers.1, change.older.as_deref(), change.newer.as_deref())
}

pub fn assert_mirrored(what: &str, forwards: &CardDiff, backwards: &CardDiff) {
    let undirected = |diff: &'_ CardDiff| -> Vec<Change> {
        diff.changes.iter().filter(|change| !DIRECTED.contains(&change.rule)).cloned().collect()
    };
    let (one, mut other) = (undirected(forwards), undirected(backwards));
    for change in &one {
        let (older, newer, before, after) = place(change);
        let mirrors = |candidate: &Change| {
            place(candidate) == (newer, older, after, before)
                && is_mirror(change.rule, candidate.rule)
                && (change.rule != candidate.rule || change.level == candidate.level || WEIGHED.contains(&change.rule))
        };
        let Some(at) = other.iter().position(mirrors) else {
            panic!("{what}: nothing mirrors {change:#?} among {other:#?}")
        };
        other.swap_remove(at);
    }
    assert!(other.is_empty(), "{what}: only the other way round: {other:#?}");
}
