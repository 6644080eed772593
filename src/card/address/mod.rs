//! What the user typed, as candidates to ask in order.

mod masking;
mod nearness;

use std::borrow::Cow;
use std::net::Ipv6Addr;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use url::Url;

use nearness::nearness;

pub use masking::{folded_name, mask_secrets, names_a_secret, secrets_in};
pub use nearness::is_loopback;

/// The well-known path of a card (§8.2), below a base.
const CARD_PATH: [&str; 2] = [".well-known", "agent-card.json"];
/// The same before 0.3.
const LEGACY_PATH: [&str; 2] = [".well-known", "agent.json"];

/// An address as understood, with what had to be assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub target: Target,
    /// What was read into the text, one sentence each.
    pub assumptions: Vec<String>,
}

/// Where to look for the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// URLs to ask in this order.
    Web(Vec<Candidate>),
    /// A file or folder; a leading `~` is not yet replaced.
    File(PathBuf),
    /// The document itself, as pasted.
    Pasted(String),
}

/// One URL where the card may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub url: Url,
    pub place: Place,
}

/// Which place a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The typed URL itself.
    AsTyped,
    /// `agent-card.json` below the typed path.
    PathCard,
    /// `agent.json` below the typed path.
    PathLegacy,
    /// `agent-card.json` at the origin.
    OriginCard,
    /// `agent.json` at the origin.
    OriginLegacy,
}

/// Why a text is no address; the sentence is for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("Type a host, a card's URL, a file, or paste a card.")]
    Empty,
    #[error("'{scheme}' addresses cannot be opened; a card is fetched over http or https.")]
    Scheme { scheme: String },
    #[error("'{text}' is not an address: {reason}.")]
    NotAUrl { text: String, reason: String },
    #[error("The address carries a user name or password. Leave it out and set a credential for the host instead.")]
    UserInfo,
}

impl Address {
    /// Reads a text without looking at the file system: only what is written like a path is a file.
    ///
    /// # Errors
    /// The text is empty or names nothing that a card could be obtained from.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        Self::parse_with(text, |_| false)
    }

    /// Reads a text; `exists` tells whether a relative path names a file or folder here.
    ///
    /// # Errors
    /// The text is empty or names nothing that a card could be obtained from.
    pub fn parse_with(text: &str, exists: impl Fn(&Path) -> bool) -> Result<Self, AddressError> {
        let trimmed = trim(text);
        if trimmed.is_empty() {
            return Err(AddressError::Empty);
        }
        if is_pasted_json(trimmed) {
            return Ok(Self { target: Target::Pasted(text.to_owned()), assumptions: Vec::new() });
        }
        if let Some(path) = written_as_path(trimmed) {
            return Ok(Self { target: Target::File(path), assumptions: Vec::new() });
        }
        if !trimmed.contains("://") && exists(Path::new(trimmed)) {
            let assumption =
                format!("'{trimmed}' exists on this computer and was opened from there; add http:// to ask a host.");
            return Ok(Self { target: Target::File(PathBuf::from(trimmed)), assumptions: vec![assumption] });
        }
        let mut assumptions = Vec::new();
        let url = web_url(trimmed, &mut assumptions)?;
        if url.fragment() == Some("") {
            assumptions.push("The address ends in '#', so exactly this document was asked for.".to_owned());
        }
        Ok(Self { target: Target::Web(candidates(&url)), assumptions })
    }
}

impl Candidate {
    fn new(mut url: Url, place: Place) -> Self {
        url.set_fragment(None);
        Self { url, place }
    }
}

/// Space, quotation marks and angle brackets that come along when an address is copied.
fn trim(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim();
    for (open, close) in [('"', '"'), ('\'', '\''), ('<', '>'), ('`', '`')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            // A page is pasted now and then; it stays what it is.
            return if inner.contains(['<', '\n']) { text } else { inner.trim() };
        }
    }
    text
}

/// `{…` and `[…`, but not `[::1]:9191`.
fn is_pasted_json(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('[') else { return text.starts_with('{') };
    let literal = rest.split_once(']').map(|(literal, _)| literal);
    !literal.is_some_and(|literal| {
        literal.matches(':').count() >= 2 && literal.chars().all(|c| c.is_ascii_hexdigit() || ":.%".contains(c))
    })
}

/// What is written like a path of this or another system.
fn written_as_path(text: &str) -> Option<PathBuf> {
    if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        let url = Url::parse(text).ok();
        // `file://~/x` names no host of that name.
        return url
            .and_then(|url| url.to_file_path().ok())
            .or_else(|| Some(PathBuf::from(text[5..].trim_start_matches("//"))));
    }
    let bytes = text.as_bytes();
    let drive =
        bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/');
    let path = drive
        || ["/", "./", "../", ".\\", "..\\", "~/", "~\\", "\\\\"].iter().any(|start| text.starts_with(start))
        || matches!(text, "." | ".." | "~");
    path.then(|| PathBuf::from(text))
}

/// The text as a URL, with a scheme added where it has none.
fn web_url(text: &str, assumptions: &mut Vec<String>) -> Result<Url, AddressError> {
    let not_a_url = |reason: &str| AddressError::NotAUrl { text: shortened(text), reason: reason.to_owned() };
    let lower = text.to_ascii_lowercase();
    let url = if lower.starts_with("http:") || lower.starts_with("https:") {
        Url::parse(text).map_err(|error| not_a_url(&error.to_string()))?
    } else if let Some((scheme, _)) = text.split_once("://") {
        if scheme.is_empty() || scheme.contains(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))) {
            return Err(not_a_url("it has no scheme such as https in front of '://'"));
        }
        return Err(AddressError::Scheme { scheme: scheme.to_owned() });
    } else {
        if text.contains(char::is_whitespace) {
            return Err(not_a_url("it contains white space"));
        }
        without_scheme(text, assumptions).map_err(|reason| not_a_url(&reason))?
    };
    if url.host_str().is_none_or(str::is_empty) {
        return Err(not_a_url("it names no host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::UserInfo);
    }
    Ok(url)
}

fn without_scheme(text: &str, assumptions: &mut Vec<String>) -> Result<Url, String> {
    let text = &*behind_scheme(text);
    if let Some((scheme, rest)) = text.split_once(':')
        && !rest.starts_with(|c: char| c.is_ascii_digit())
        && !text.starts_with('[')
        && !text[..scheme.len()].contains('.')
        && !rest.is_empty()
    {
        return Err(format!("'{scheme}:' is not a scheme that a card is fetched by"));
    }
    let url = Url::parse(&format!("http://{text}")).map_err(|error| error.to_string())?;
    let (near, why) = nearness(&url);
    let (scheme, reason) = match (near, url.port()) {
        (true, Some(443 | 8443)) => ("https", "its port is one of TLS"),
        (true, _) => ("http", why),
        (false, _) => ("https", "it is a public name"),
    };
    assumptions.push(format!("No scheme was given: {scheme}:// was added, because {reason}."));
    // Read anew, because the default port of the one scheme matters in the other.
    Url::parse(&format!("{scheme}://{text}")).map_err(|error| error.to_string())
}

/// What stands behind `://` once a scheme is added.
fn behind_scheme(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('/');
    // A bare IPv6 address has no brackets yet.
    text.parse::<Ipv6Addr>().map_or(Cow::Borrowed(text), |address| Cow::Owned(format!("[{address}]")))
}

/// The same address over TLS, where `http` was read into a text without a scheme.
#[must_use]
pub fn with_tls(text: &str) -> Option<String> {
    let text = trim(text);
    let mut assumptions = Vec::new();
    let url = web_url(text, &mut assumptions).ok()?;
    // A scheme was added exactly if that is said.
    let is_guess = !assumptions.is_empty() && url.scheme() == "http";
    is_guess.then(|| format!("https://{}", behind_scheme(text)))
}

/// The candidates for a URL, nearest to the typed path first.
fn candidates(url: &Url) -> Vec<Candidate> {
    let segments: Vec<&str> = url
        .path_segments()
        .map(|segments| segments.filter(|segment| !segment.is_empty()).collect())
        .unwrap_or_default();
    if names_a_document(&segments) || url.fragment() == Some("") {
        return vec![Candidate::new(url.clone(), Place::AsTyped)];
    }
    let mut list = Vec::new();
    let mut add = |base: &[&str], end: [&str; 2], place| {
        let mut candidate = url.clone();
        candidate.set_path(&[base, &end[..]].concat().join("/"));
        // A query belongs to the path that it was typed with.
        if base.len() != segments.len() {
            candidate.set_query(None);
        }
        list.push(Candidate::new(candidate, place));
    };
    if !segments.is_empty() {
        add(&segments, CARD_PATH, Place::PathCard);
        add(&segments, LEGACY_PATH, Place::PathLegacy);
    }
    add(&[], CARD_PATH, Place::OriginCard);
    add(&[], LEGACY_PATH, Place::OriginLegacy);
    list.push(Candidate::new(url.clone(), Place::AsTyped));
    list
}

/// `url` as an address that means this document and no other place: with an empty fragment where it needs one. A bare
/// host is no document, and is looked into as when it is typed.
#[must_use]
pub fn exactly(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url) else { return url.to_owned() };
    let segments: Vec<&str> =
        parsed.path_segments().map(|segments| segments.filter(|s| !s.is_empty()).collect()).unwrap_or_default();
    let is_web = matches!(parsed.scheme(), "http" | "https");
    if !is_web || names_a_document(&segments) || (segments.is_empty() && parsed.query().is_none()) {
        return url.to_owned();
    }
    parsed.set_fragment(Some(""));
    parsed.into()
}

/// Whether a path is a document's own: its last segment ends in `.json`, or `.well-known` is one of its segments.
fn names_a_document(segments: &[&str]) -> bool {
    let decoded = |segment: &&str| percent_decode_str(segment).decode_utf8_lossy().to_ascii_lowercase();
    segments.last().map(decoded).is_some_and(|last| last.rsplit('.').next() == Some("json") && last.contains('.'))
        || segments.iter().map(decoded).any(|segment| segment == ".well-known")
}

/// The beginning of a text that is no address, in a sentence.
fn shortened(text: &str) -> String {
    let text = mask_secrets(text);
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(text: &str) -> Vec<String> {
        match Address::parse(text).unwrap().target {
            Target::Web(candidates) => candidates.into_iter().map(|candidate| candidate.url.to_string()).collect(),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn a_guessed_http_has_a_counterpart_over_tls() {
        for (text, other) in [
            ("127.0.0.1:9443", Some("https://127.0.0.1:9443")),
            (" localhost:80/rpc?x=1 ", Some("https://localhost:80/rpc?x=1")),
            ("//::1", Some("https://[::1]")),
            ("http://127.0.0.1:9443", None),
            ("127.0.0.1:8443", None),
            ("agent.example", None),
            ("", None),
            ("ftp://a", None),
        ] {
            assert_eq!(with_tls(text).as_deref(), other, "{text}");
        }
    }

    #[test]
    fn a_scheme_is_added_and_said() {
        for (text, first) in [
            ("localhost:9191", "http://localhost:9191/"),
            ("LOCALHOST", "http://localhost/"),
            ("[::1]:9191", "http://[::1]:9191/"),
            ("::1", "http://[::1]/"),
            ("127.0.0.1:80", "http://127.0.0.1/"),
            ("127.0.0.1:443", "https://127.0.0.1/"),
            ("larder.example.net:80", "https://larder.example.net:80/"),
            ("10.1.2.3:8001", "http://10.1.2.3:8001/"),
            ("192.168.0.7", "http://192.168.0.7/"),
            ("172.32.0.1", "https://172.32.0.1/"),
            ("svc-clerk:8000", "http://svc-clerk:8000/"),
            ("larder.local", "http://larder.local/"),
            ("clerk.agents.svc.cluster.local", "http://clerk.agents.svc.cluster.local/"),
            ("larder.example.net", "https://larder.example.net/"),
            ("larder.example.net:8080", "https://larder.example.net:8080/"),
        ] {
            let address = Address::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let Target::Web(candidates) = &address.target else { panic!("{text}") };
            assert_eq!(candidates.last().unwrap().url.as_str(), first, "{text}");
            let scheme = first.split(':').next().unwrap();
            assert!(address.assumptions[0].contains(&format!("{scheme}://")), "{text}: {:?}", address.assumptions);
        }
        assert!(Address::parse("https://larder.example.net").unwrap().assumptions.is_empty());
    }

    #[test]
    fn a_path_gives_both_bases_and_the_address_as_typed() {
        assert_eq!(
            urls("https://farm.example/v3/serve/kiosk-7?k=1#top"),
            [
                "https://farm.example/v3/serve/kiosk-7/.well-known/agent-card.json?k=1",
                "https://farm.example/v3/serve/kiosk-7/.well-known/agent.json?k=1",
                "https://farm.example/.well-known/agent-card.json",
                "https://farm.example/.well-known/agent.json",
                "https://farm.example/v3/serve/kiosk-7?k=1",
            ]
        );
        assert_eq!(
            urls("https://farm.example"),
            [
                "https://farm.example/.well-known/agent-card.json",
                "https://farm.example/.well-known/agent.json",
                "https://farm.example/",
            ]
        );
    }

    #[test]
    fn a_document_is_fetched_as_typed() {
        for text in [
            "https://larder.example.net/cards/v2/clerk.json?pick=blue",
            "https://x.example/not-well-known/agent-card.json",
            "https://x.example/.well-known/agent-card.json",
            "https://x.example/.well-known/agent-card",
            "https://x.example/a/.well-known/b/c",
            "https://x.example/.well%2Dknown/c",
            "https://x.example//.well-known/agent-card.json",
        ] {
            assert_eq!(urls(text), [text]);
        }
        assert_eq!(urls("https://x.example/a.well-known/b").len(), 5);
        assert_eq!(urls("https://x.example/not-well-known/b").len(), 5);
    }

    #[test]
    fn no_request_doubles_a_segment_or_a_slash() {
        for text in [
            "http://h.example/",
            "http://h.example//",
            "http://h.example/rpc/",
            "http://h.example/rpc//",
            "http://h.example//rpc",
            "http://h.example/rpc#/x",
            "http://h.example/.well-known/",
            "http://h.example/.well-known/agent-card.json/",
            "http://h.example/#/.well-known/agent-card.json",
        ] {
            for url in urls(text) {
                assert!(url.matches(".well-known").count() <= 1, "{text} → {url}");
                assert!(!url.contains('#'), "{text} → {url}");
            }
            let base = urls(text);
            assert!(base[..base.len() - 1].iter().all(|url| !url[8..].contains("//")), "{text} → {base:?}");
        }
    }

    #[test]
    fn files_and_pasted_cards_are_told_from_hosts() {
        for text in ["/srv/card.json", "./card.json", "~/card.json", "C:\\cards\\a.json", "file:///srv/card.json", ".."]
        {
            assert!(matches!(Address::parse(text).unwrap().target, Target::File(_)), "{text}");
        }
        assert_eq!(
            Address::parse("file:///srv/a%20b.json").unwrap().target,
            Target::File(PathBuf::from("/srv/a b.json"))
        );
        for text in ["{\"name\": 1}", " [1]", "\u{feff}{}", "[", "[{\"a\":\"b:c:d\"}]"] {
            assert_eq!(Address::parse(text).unwrap().target, Target::Pasted(text.to_owned()), "{text}");
        }
        let here = Address::parse_with("cards/a.json", |path| path == Path::new("cards/a.json")).unwrap();
        assert_eq!(here.target, Target::File(PathBuf::from("cards/a.json")));
        assert_eq!(here.assumptions.len(), 1);
        assert_eq!(urls("\"https://a.example/c.json\""), ["https://a.example/c.json"]);
        assert_eq!(urls("<https://a.example/c.json>"), ["https://a.example/c.json"]);
    }

    #[test]
    fn nonsense_is_refused_with_a_sentence() {
        for (text, words) in [
            ("", "Type a host"),
            (" \n", "Type a host"),
            ("ftp://a.example/c.json", "'ftp' addresses"),
            ("grpc://a.example:50051", "'grpc' addresses"),
            ("mailto:clerk@a.example", "mailto:"),
            ("hello world", "white space"),
            ("https://", "not an address"),
            ("http://a.example:99999/", "port"),
            ("a.example:99999", "port"),
            ("https://user:secret@a.example/", "credential"),
            ("user@a.example", "credential"),
            ("://x", "no scheme"),
            ("https://exa mple/", "not an address"),
            ("https://user:secret@exa mple/", "not an address"),
            ("user:secret@exa mple", "white space"),
            ("https://a.example:x/?token=secret", "not an address"),
        ] {
            let error = Address::parse(text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn an_empty_fragment_means_this_document_alone() {
        for (url, address) in [
            ("https://d.example/v1/agents/b/export?format=a2a", "https://d.example/v1/agents/b/export?format=a2a#"),
            ("https://d.example/card#old", "https://d.example/card#"),
            ("https://d.example/a/card.json", "https://d.example/a/card.json"),
            ("https://d.example/", "https://d.example/"),
            ("file:///tmp/card", "file:///tmp/card"),
        ] {
            assert_eq!(exactly(url), address);
        }
        assert_eq!(urls("https://d.example/card#"), ["https://d.example/card"]);
        assert!(urls("https://d.example/card#old").len() > 1);
        assert!(Address::parse("https://d.example/card#").unwrap().assumptions[0].contains("exactly this document"));
    }
}
