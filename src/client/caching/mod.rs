//! Whether a copy of a card may still be used, and how its server is asked about it (RFC 9111). Plain data.

mod freshness;

use std::sync::Arc;
use std::time::SystemTime;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Response};
use http_cache_semantics::{BeforeRequest, CacheOptions, CachePolicy};

use self::freshness::Rule;
pub use self::freshness::{Freshness, Standing};
use super::exchange::{Exchange, HeaderText, RecordedResponse};
use crate::card::Document;

/// Larger numbers of seconds count as this many (RFC 9111 §1.2.2).
const MOST_SECONDS: u64 = 1 << 31;
/// The headers that a copy is judged by later on.
const JUDGED_BY: [&str; 9] =
    ["age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", "pragma", "vary"];
/// Stands for a secret in a recorded URL: two such URLs may differ where it stands.
const MASK: char = '•';

/// What is known already of the addresses that a discovery may ask.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Only what was obtained with the credentials that go along now.
    pub copies: Vec<Arc<KeptCopy>>,
    /// Everything is fetched anew, past every cache on the way.
    pub anew: bool,
}

/// A whole answer that is kept, and what its server said about keeping it.
#[derive(Clone, Debug)]
pub struct KeptCopy {
    /// As asked, in the form of [`super::Attempt::url`].
    pub url: String,
    /// The URL that answered.
    pub final_url: String,
    /// When the bytes came.
    pub fetched_at: SystemTime,
    /// When the server last said that they are still good; at first when they came.
    pub checked_at: SystemTime,
    pub document: Arc<Document>,
    headers: HeaderMap,
    policy: CachePolicy,
    rule: Rule,
}

impl KeptCopy {
    /// The copy that a whole answer to a request for `url` leaves; `None` for any other answer.
    #[must_use]
    pub fn of_exchange(url: &str, final_url: &str, exchange: &Exchange, document: Arc<Document>) -> Option<Self> {
        let response =
            exchange.response().filter(|response| response.status == 200 && response.incomplete.is_none())?;
        let came_at = exchange.started_at.checked_add(exchange.duration).unwrap_or(exchange.started_at);
        Some(Self::new(url, final_url, (came_at, came_at), document, judged_headers(response)))
    }

    /// A copy from a record: when its bytes came and when they were last checked, and the headers that were kept.
    #[must_use]
    pub fn of_record<'a>(
        url: &str,
        final_url: &str,
        times: (SystemTime, SystemTime),
        document: Arc<Document>,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        Self::new(url, final_url, times, document, header_map(headers))
    }

    fn new(
        url: &str,
        final_url: &str,
        (fetched_at, checked_at): (SystemTime, SystemTime),
        document: Arc<Document>,
        headers: HeaderMap,
    ) -> Self {
        let options = CacheOptions { shared: false, ..CacheOptions::default() };
        let policy = CachePolicy::new_options(&request(), &response(&headers), checked_at, options);
        let rule = Rule::of(&headers);
        Self {
            url: url.to_owned(),
            final_url: final_url.to_owned(),
            fetched_at,
            checked_at,
            document,
            headers,
            policy,
            rule,
        }
    }

    /// The headers that ask for the card only if it changed; none where the server gave nothing to ask by.
    #[must_use]
    pub fn conditions(&self) -> Vec<(&'static str, String)> {
        if self.url.contains(MASK) || self.final_url.contains(MASK) {
            return Vec::new();
        }
        // A request that forbids answering from the copy: what is wanted is how to ask.
        let mut asked = request();
        asked.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        let BeforeRequest::Stale { request, .. } = self.policy.before_request(&asked, self.checked_at) else {
            return Vec::new();
        };
        let value = |name| request.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let etag = value(header::IF_NONE_MATCH).filter(|etag| is_one_tag(etag));
        let date = value(header::IF_MODIFIED_SINCE);
        let conditions = [("If-None-Match", etag), ("If-Modified-Since", date)];
        conditions.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned()))).collect()
    }

    /// Whether a 304 from `final_url` is about this copy: nothing in it may name another one. An answer without an
    /// ETag is about the only one that was asked for.
    #[must_use]
    pub fn is_confirmed_by(&self, final_url: &str, answer: &RecordedResponse) -> bool {
        let agrees = |name: &str, ours: Option<&str>| match (ours, answer.header(name)) {
            (Some(ours), Some(theirs)) => Some(without_weakness(ours) == without_weakness(theirs)),
            _ => None,
        };
        let tag = agrees("etag", self.header("etag"));
        let date = agrees("last-modified", self.header("last-modified"));
        answer.status == 304 && final_url == self.final_url && tag.or(date).unwrap_or(true)
    }

    /// The copy after a 304: the answer's headers take the place of the earlier ones (RFC 9111 §3.2).
    #[must_use]
    pub fn confirmed(&self, exchange: &Exchange) -> Self {
        let mut headers = self.headers.clone();
        // How long it had been under way then says nothing about now.
        headers.remove(header::AGE);
        if let Some(response) = exchange.response() {
            for (name, value) in &judged_headers(response) {
                if name != header::CONTENT_TYPE {
                    headers.insert(name.clone(), value.clone());
                }
            }
        }
        let checked_at = exchange.started_at.checked_add(exchange.duration).unwrap_or(exchange.started_at);
        let document = Arc::clone(&self.document);
        Self::new(&self.url, &self.final_url, (self.fetched_at, checked_at), document, headers)
    }

    /// A header that the copy is judged by.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Every header that the copy is judged by, for a record.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
    }
}

/// The request that every copy answers: what distinguishes requests (credentials, the URL) is compared elsewhere.
fn request() -> Request<()> {
    let mut request = Request::new(());
    *request.method_mut() = Method::GET;
    request
}

fn response(headers: &HeaderMap) -> Response<()> {
    let mut response = Response::new(());
    *response.headers_mut() = headers.clone();
    response
}

fn judged_headers(response: &RecordedResponse) -> HeaderMap {
    header_map(response.headers.iter().filter_map(|header| match &header.value {
        HeaderText::Plain(value) => Some((header.name.as_str(), value.as_str())),
        HeaderText::Secret(_) => None,
    }))
}

/// The headers that count, as the rules expect them: directives in lower case, no absurd age.
fn header_map<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = name.to_ascii_lowercase();
        if !JUDGED_BY.contains(&name.as_str()) {
            continue;
        }
        let value = match name.as_str() {
            "cache-control" | "pragma" => value.to_ascii_lowercase(),
            "age" => value.trim().parse().unwrap_or(0_u64).min(MOST_SECONDS).to_string(),
            _ => value.trim().to_owned(),
        };
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            map.append(name, value);
        }
    }
    map
}

/// The value of a `Cache-Control` directive; empty for one without a value.
fn directive(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let mut directives = lines.flat_map(|line| line.split(','));
    directives.find_map(|directive| {
        let (found, value) = directive.split_once('=').unwrap_or((directive, ""));
        (found.trim() == name).then(|| value.trim().trim_matches('"').to_owned())
    })
}

/// Whether a condition names one tag; servers that compare the header as one string know no lists.
fn is_one_tag(tag: &str) -> bool {
    let opaque = without_weakness(tag);
    let inner = opaque.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    // A tag without quotes is against the rules, but what its server compares with.
    inner.map_or(!opaque.contains([',', '"', ' ']), |inner| !inner.contains('"')) && !opaque.is_empty()
}

fn without_weakness(tag: &str) -> &str {
    let tag = tag.trim();
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;

    use super::*;
    use crate::client::RecordedHeader;

    pub(super) fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds)
    }

    pub(super) fn copy(headers: &[(&str, &str)]) -> KeptCopy {
        let url = "https://a.example/.well-known/agent-card.json";
        KeptCopy::of_record(url, url, (at(0), at(0)), Arc::new(Document::new(&b"{}"[..])), headers.iter().copied())
    }

    fn answer(status: u16, headers: &[(&str, &str)]) -> RecordedResponse {
        let headers = headers.iter().map(|(name, value)| RecordedHeader {
            name: (*name).to_owned(),
            value: HeaderText::Plain((*value).to_owned()),
        });
        RecordedResponse {
            status,
            version: "HTTP/1.1".to_owned(),
            headers: headers.collect(),
            body: Bytes::from_static(b""),
            wire_bytes: 0,
            incomplete: None,
        }
    }

    #[test]
    fn the_server_is_asked_by_exactly_what_it_gave() {
        let date = "Fri, 15 Jan 2027 08:00:00 GMT";
        for (headers, conditions) in [
            (&[("ETag", "\"k1\"")][..], &[("If-None-Match", "\"k1\"")][..]),
            (
                &[("ETag", "W/\"k1\""), ("Last-Modified", date)],
                &[("If-None-Match", "W/\"k1\""), ("If-Modified-Since", date)],
            ),
            (&[("Last-Modified", date)], &[("If-Modified-Since", date)]),
            // Fresh or not: whoever asks wants to know.
            (&[("ETag", "k1"), ("Cache-Control", "max-age=86400")], &[("If-None-Match", "k1")]),
            (&[("ETag", "\"a\", \"b\"")], &[]),
            (&[("ETag", "\"a,b\"")], &[("If-None-Match", "\"a,b\"")]),
            (&[("ETag", "\"k1\""), ("Cache-Control", "no-store")], &[]),
            (&[], &[]),
        ] {
            let expected: Vec<_> = conditions.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            assert_eq!(copy(headers).conditions(), expected, "{headers:?}");
        }
        let document = Arc::new(Document::new(&b"{}"[..]));
        let masked = "https://a.example/card?token=••••";
        let masked = KeptCopy::of_record(masked, masked, (at(0), at(0)), document, [("ETag", "\"k1\"")]);
        assert!(masked.conditions().is_empty(), "another token may mean another card");
    }

    #[test]
    fn a_304_confirms_only_the_copy_that_it_can_mean() {
        let ours = copy(&[("ETag", "\"k1\""), ("Last-Modified", "Fri, 15 Jan 2027 08:00:00 GMT")]);
        let url = ours.final_url.clone();
        for (headers, confirms) in [
            (&[("ETag", "\"k1\"")][..], true),
            (&[("ETag", "W/\"k1\"")], true),
            (&[], true),
            (&[("ETag", "\"k2\"")], false),
            (&[("Last-Modified", "Fri, 15 Jan 2027 09:00:00 GMT")], false),
        ] {
            assert_eq!(ours.is_confirmed_by(&url, &answer(304, headers)), confirms, "{headers:?}");
        }
        assert!(!ours.is_confirmed_by("https://b.example/card", &answer(304, &[])));
        assert!(!ours.is_confirmed_by(&url, &answer(200, &[("ETag", "\"k1\"")])));
    }
}
