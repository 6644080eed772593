//! How fresh a copy of a card is, in words, and by which rule.

use std::time::{Duration, SystemTime};

use http::header::{self, HeaderMap, HeaderName};

use super::{KeptCopy, directive};

/// How long a card is taken for fresh whose server says nothing about it; §8.6.2 leaves that to the client.
const OUR_LIFETIME: Duration = Duration::from_mins(10);

/// How fresh a copy is, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    pub standing: Standing,
    /// How long it stays fresh; zero if it is not.
    pub left: Duration,
    /// "fresh 4 min", "stale", "check before use".
    pub short: String,
    /// Why: "max-age 300, fetched 2 min ago".
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Fresh,
    Stale,
    /// The server does not let it be used without asking, or not any more.
    MustRevalidate,
}

/// What decides how long a copy is fresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    NoStore,
    NoCache,
    VariesByAnything,
    MaxAge,
    Expires,
    /// A tenth of the time since the last change, as RFC 9111 §4.2.2 suggests.
    LastModified,
    /// No lifetime was given; whether any caching header was.
    Ours {
        any_header: bool,
    },
}

impl KeptCopy {
    /// How fresh the copy is at `now`.
    #[must_use]
    pub fn freshness(&self, now: SystemTime) -> Freshness {
        let left = match self.rule {
            Rule::Ours { .. } => OUR_LIFETIME.saturating_sub(self.policy.age(now)),
            _ => self.policy.time_to_live(now),
        };
        let must_check = matches!(self.rule, Rule::NoStore | Rule::NoCache | Rule::VariesByAnything);
        let (standing, short) = if must_check {
            (Standing::MustRevalidate, "check before use".to_owned())
        } else if !left.is_zero() {
            let words = if left.as_secs() < 60 { "under 1 min".to_owned() } else { rough(left) };
            (Standing::Fresh, format!("fresh {words}"))
        } else if self.directive("must-revalidate").is_some() {
            (Standing::MustRevalidate, "stale".to_owned())
        } else {
            (Standing::Stale, "stale".to_owned())
        };
        let left = if standing == Standing::Fresh { left } else { Duration::ZERO };
        Freshness { standing, left, short, reason: format!("{}, {}", self.rule_words(), self.age_words(now)) }
    }

    fn rule_words(&self) -> String {
        // What was left of the lifetime on arrival, and what had gone by already.
        let lifetime = || rough(self.policy.time_to_live(self.checked_at) + self.age_on_arrival());
        match self.rule {
            Rule::NoStore => "no-store: the server wants no copy to be used".to_owned(),
            Rule::NoCache => "no-cache: to be checked before every use".to_owned(),
            Rule::VariesByAnything => "Vary: *, so no copy stands for another answer".to_owned(),
            Rule::MaxAge => format!("max-age {}", self.directive("max-age").unwrap_or_default()),
            Rule::Expires if self.policy.time_to_live(self.checked_at).is_zero() => "Expires has passed".to_owned(),
            Rule::Expires => format!("Expires gave it {}", lifetime()),
            Rule::LastModified => format!("no max-age; unchanged for long, so we keep it {}", lifetime()),
            Rule::Ours { any_header: true } => format!("no max-age; we keep it {}", rough(OUR_LIFETIME)),
            Rule::Ours { any_header: false } => format!("no caching headers; we keep it {}", rough(OUR_LIFETIME)),
        }
    }

    fn age_words(&self, now: SystemTime) -> String {
        let word = if self.checked_at > self.fetched_at { "checked" } else { "fetched" };
        let since = now.duration_since(self.checked_at).unwrap_or_default();
        let ago = if since.as_secs() < 1 { "just now".to_owned() } else { format!("{} ago", rough(since)) };
        let age = self.age_on_arrival();
        let older = if age.is_zero() { String::new() } else { format!(", then {} old", rough(age)) };
        format!("{word} {ago}{older}")
    }

    fn age_on_arrival(&self) -> Duration {
        self.policy.age(self.checked_at)
    }

    fn directive(&self, name: &str) -> Option<String> {
        directive(&self.headers, name)
    }
}

impl Rule {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let has = |name: &str| directive(headers, name).is_some();
        let says = |name: HeaderName, word: &str| {
            headers.get(name).and_then(|value| value.to_str().ok()).is_some_and(|value| value.trim() == word)
        };
        let pragma = !headers.contains_key(header::CACHE_CONTROL) && says(header::PRAGMA, "no-cache");
        if has("no-store") {
            Self::NoStore
        } else if has("no-cache") || pragma {
            Self::NoCache
        } else if says(header::VARY, "*") {
            Self::VariesByAnything
        } else if has("max-age") {
            Self::MaxAge
        } else if headers.contains_key(header::EXPIRES) {
            Self::Expires
        } else if headers.contains_key(header::LAST_MODIFIED) && !has("immutable") {
            Self::LastModified
        } else {
            let any_header = headers.contains_key(header::CACHE_CONTROL) || headers.contains_key(header::ETAG);
            Self::Ours { any_header }
        }
    }
}

/// A duration to be read at a glance: "40 s", "4 min", "3 h", "12 days".
fn rough(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ 0..60 => format!("{} s", seconds.max(1)),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{at, copy};
    use super::*;

    /// Headers, seconds gone by, and what is said.
    type Case<'a> = (&'a [(&'a str, &'a str)], u64, Standing, &'a str, &'a str);

    #[test]
    fn freshness_is_said_with_its_reason() {
        use Standing::{Fresh, MustRevalidate, Stale};
        let long_ago = "Mon, 11 Jan 2027 08:00:00 GMT";

        let cases: [Case<'_>; 17] = [
            (&[("Cache-Control", "max-age=300")], 120, Fresh, "fresh 3 min", "max-age 300, fetched 2 min ago"),
            (&[("Cache-Control", "Public, Max-Age=\"300\"")], 0, Fresh, "fresh 5 min", "max-age 300, fetched just now"),
            (&[("Cache-Control", "max-age=300")], 300, Stale, "stale", "max-age 300, fetched 5 min ago"),
            (
                &[("cache-control", "private, max-age=300"), ("AGE", "280")],
                10,
                Fresh,
                "fresh under 1 min",
                "max-age 300, fetched 10 s ago, then 4 min old",
            ),
            (
                &[("Cache-Control", "max-age=300, must-revalidate")],
                301,
                MustRevalidate,
                "stale",
                "max-age 300, fetched 5 min ago",
            ),
            (
                &[("Cache-Control", "no-cache")],
                5,
                MustRevalidate,
                "check before use",
                "no-cache: to be checked before every use, fetched 5 s ago",
            ),
            (
                &[("Pragma", "no-cache")],
                5,
                MustRevalidate,
                "check before use",
                "no-cache: to be checked before every use, fetched 5 s ago",
            ),
            (
                &[("Cache-Control", "no-store")],
                5,
                MustRevalidate,
                "check before use",
                "no-store: the server wants no copy to be used, fetched 5 s ago",
            ),
            (
                &[("Vary", "*"), ("Cache-Control", "max-age=9")],
                5,
                MustRevalidate,
                "check before use",
                "Vary: *, so no copy stands for another answer, fetched 5 s ago",
            ),
            (&[], 0, Fresh, "fresh 10 min", "no caching headers; we keep it 10 min, fetched just now"),
            (&[], 700, Stale, "stale", "no caching headers; we keep it 10 min, fetched 11 min ago"),
            (&[("ETag", "\"1\"")], 60, Fresh, "fresh 9 min", "no max-age; we keep it 10 min, fetched 1 min ago"),
            (&[("Expires", "0")], 1, Stale, "stale", "Expires has passed, fetched 1 s ago"),
            (
                &[("Expires", "Fri, 15 Jan 2027 09:00:00 GMT"), ("Date", "Fri, 15 Jan 2027 08:00:00 GMT")],
                60,
                Fresh,
                "fresh 59 min",
                "Expires gave it 1 h, fetched 1 min ago",
            ),
            (
                &[("Last-Modified", long_ago), ("Date", "Fri, 15 Jan 2027 08:00:00 GMT")],
                3600,
                Fresh,
                "fresh 8 h",
                "no max-age; unchanged for long, so we keep it 9 h, fetched 1 h ago",
            ),
            (&[("Cache-Control", "max-age=soon")], 0, Stale, "stale", "max-age soon, fetched just now"),
            (
                &[("Cache-Control", "max-age=99999999999999999999"), ("Age", "99999999999999999999")],
                9,
                Stale,
                "stale",
                "max-age 99999999999999999999, fetched 9 s ago",
            ),
        ];
        for (headers, after, standing, short, reason) in cases {
            let freshness = copy(headers).freshness(at(after));
            assert_eq!((freshness.standing, &*freshness.short, &*freshness.reason), (standing, short, reason));
            assert_eq!(freshness.left.is_zero(), standing != Fresh);
        }
    }
}
