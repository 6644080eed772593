//! Whether an advertised address can work from here at all (field by field, nothing is resolved or contacted).

use url::{Host, Url};

use super::host_class::{HostClass, class};
use crate::a2a::ProtocolBinding;
use crate::card::facts::{AddressFlag, AddressFlagKind, Origin};

/// Hosts that show pages about software, not agents.
const PAGE_HOSTS: [&str; 6] =
    ["github.com", "www.github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gist.github.com"];
/// Endings of files that no agent answers at.
const STATIC_ENDINGS: [&str; 11] =
    [".html", ".htm", ".json", ".md", ".txt", ".pdf", ".png", ".svg", ".yaml", ".yml", ".xml"];
/// Domains reserved for documentation.
const EXAMPLE_DOMAINS: [&str; 3] = ["example.com", "example.org", "example.net"];

/// Why `address` will hardly work from here; `None` if nothing speaks against it.
///
/// It is judged against where the card came from: `localhost` in a card from `localhost` is clean.
pub(super) fn flag(address: &str, binding: &ProtocolBinding, origin: &Origin) -> Option<AddressFlag> {
    let text = address.trim();
    if text.is_empty() {
        return Some(flagged(AddressFlagKind::NotAUrl, "No address is given.", None));
    }
    let card = card_url(origin);
    if let Some(flag) = placeholder(text) {
        return Some(flag);
    }
    let url = match parsed(text, binding) {
        Ok(url) => url,
        Err(Unparsed::NoScheme) => return Some(without_scheme(text)),
        Err(Unparsed::Relative) => return Some(relative(text, card.as_ref())),
        Err(Unparsed::Invalid(error)) => {
            return Some(flagged(AddressFlagKind::NotAUrl, format!("This is no web address: {error}."), None));
        }
    };
    let is_grpc = *binding == ProtocolBinding::Grpc && matches!(url.scheme(), "grpc" | "grpcs");
    if !matches!(url.scheme(), "http" | "https") && !is_grpc {
        let text = format!("{}: is no web address; it can be copied, but not called.", url.scheme());
        return Some(flagged(AddressFlagKind::NotHttp, text, None));
    }
    unreachable_host(&url, card.as_ref())
        .or_else(|| documentation_host(&url, card.as_ref()))
        .or_else(|| web_page(&url, card.as_ref()))
        .or_else(|| plain_text(&url, card.as_ref()))
}

/// Remarks on an address that is not flagged: what looks odd or risky about it.
pub(super) fn oddities(address: &str, origin: &Origin) -> Vec<&'static str> {
    let mut remarks = Vec::new();
    let Ok(url) = Url::parse(address.trim()) else { return remarks };
    let segments: Vec<&str> = url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()).collect();
    if segments.iter().any(|segment| looks_random(segment)) {
        remarks.push("The path holds a long random part: the address itself may be a secret.");
    }
    if segments.iter().enumerate().any(|(at, segment)| segments[..at].contains(segment)) {
        remarks.push("The path repeats a part of itself, as when a gateway adds its prefix twice.");
    }
    if segments.last().is_some_and(|last| last.eq_ignore_ascii_case("mcp")) {
        remarks.push("The path ends in mcp: an MCP server may be there, which does not speak A2A.");
    }
    if address != address.trim() {
        remarks.push("There is white space around the address.");
    }
    if card_url(origin).is_none() && url.host().is_some_and(|host| class(&host) == HostClass::Loopback) {
        remarks.push("It names this machine; the document came without an address to compare it with.");
    }
    remarks
}

/// The URL that the card came from, if it came from one.
fn card_url(origin: &Origin) -> Option<Url> {
    let address = origin.final_url.as_ref().or(origin.requested_url.as_ref())?;
    Url::parse(address).ok().filter(Url::has_host)
}

fn flagged(kind: AddressFlagKind, text: impl Into<String>, suggestion: Option<String>) -> AddressFlag {
    AddressFlag { kind, text: text.into(), suggestion }
}

fn placeholder(text: &str) -> Option<AddressFlag> {
    let lower = text.to_ascii_lowercase();
    let braces = [('{', '}'), ('<', '>')].into_iter().find_map(|(open, close)| {
        let start = text.find(open)?;
        let end = start + text[start..].find(close)?;
        Some(&text[start..=end])
    });
    let word = ["your-domain", "yourdomain", "your-agent", "your_", "your-server", "my-domain.", "changeme"]
        .into_iter()
        .find(|word| lower.contains(word));
    let what = braces.or(word)?;
    Some(flagged(AddressFlagKind::Placeholder, format!("A placeholder: {what} was never filled in."), None))
}

enum Unparsed {
    NoScheme,
    Relative,
    Invalid(url::ParseError),
}

/// gRPC endpoints are also written `host:port`, which is no URL (§5.8 leaves it open); they are read as if TLS were meant.
fn parsed(text: &str, binding: &ProtocolBinding) -> Result<Url, Unparsed> {
    let has_scheme = text.contains("://");
    let begins_like_a_path = text.starts_with(['/', '.', '?', '#']);
    if !has_scheme && !begins_like_a_path && is_host_and_port(text) {
        return match binding {
            ProtocolBinding::Grpc => Url::parse(&format!("https://{text}")).map_err(Unparsed::Invalid),
            _ => Err(Unparsed::NoScheme),
        };
    }
    match Url::parse(text) {
        Ok(url) => Ok(url),
        Err(url::ParseError::RelativeUrlWithoutBase) if begins_like_a_path => Err(Unparsed::Relative),
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            let host = text.split('/').next().unwrap_or_default();
            if host.contains('.') || host.eq_ignore_ascii_case("localhost") || !text.contains('/') {
                Err(Unparsed::NoScheme)
            } else {
                Err(Unparsed::Relative)
            }
        }
        Err(error) => Err(Unparsed::Invalid(error)),
    }
}

/// `name:443`, `name:443/path`: what a URL parser takes for a scheme.
fn is_host_and_port(text: &str) -> bool {
    let authority = text.split(['/', '?']).next().unwrap_or_default();
    authority
        .rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()))
}

fn without_scheme(text: &str) -> AddressFlag {
    let host = text.split(['/', ':']).next().unwrap_or_default();
    let looks_like_a_host = host.contains('.') || is_host_and_port(text) || host.eq_ignore_ascii_case("localhost");
    if !looks_like_a_host {
        return flagged(AddressFlagKind::NotAUrl, format!("\"{text}\" is no web address."), None);
    }
    let https = Url::parse(&format!("https://{text}")).ok();
    let is_near = https.as_ref().and_then(Url::host).is_some_and(|host| class(&host) != HostClass::Public);
    let suggestion = https.map(|url| if is_near { format!("http://{text}") } else { url.to_string() });
    flagged(AddressFlagKind::NotAUrl, "http:// or https:// is missing in front.", suggestion)
}

fn relative(text: &str, card: Option<&Url>) -> AddressFlag {
    let resolved = card.and_then(|card| card.join(text).ok()).map(String::from);
    let sentence = match &resolved {
        Some(_) => "A relative address, where the specification requires a complete one.",
        None => "A relative address, and the document came without one to resolve it against.",
    };
    flagged(AddressFlagKind::Relative, sentence, resolved)
}

/// Compares how far the address and the card can be reached.
fn unreachable_host(url: &Url, card: Option<&Url>) -> Option<AddressFlag> {
    let host = url.host()?;
    let own = card.and_then(Url::host);
    if own.as_ref() == Some(&host) {
        return None;
    }
    let (kind, sentence) = match (class(&host), own.as_ref().map(class)) {
        (HostClass::Wildcard, _) => {
            (AddressFlagKind::Wildcard, format!("{host} is where the server listens, not an address to call."))
        }
        (HostClass::ContainerName, own) if own != Some(HostClass::ContainerName) => {
            (AddressFlagKind::ContainerName, format!("{host} is a name that only its own network knows."))
        }
        (HostClass::Loopback, Some(HostClass::Public | HostClass::Private | HostClass::ContainerName)) => (
            AddressFlagKind::PrivateAddress,
            format!("{host} is the agent's own machine, not this one; the card came from {}.", shown(own)),
        ),
        (HostClass::Private, Some(HostClass::Public)) => (
            AddressFlagKind::PrivateAddress,
            format!("{host} is inside a private network; the card came from {}.", shown(own)),
        ),
        _ => return None,
    };
    Some(flagged(kind, sentence, card.and_then(|card| at_the_cards_host(url, card))))
}

fn shown(host: Option<Host<&str>>) -> String {
    host.map(|host| host.to_string()).unwrap_or_default()
}

/// The same path on the host and port that the card came from.
fn at_the_cards_host(url: &Url, card: &Url) -> Option<String> {
    let mut suggested = card.clone();
    suggested.set_path(url.path());
    suggested.set_query(url.query());
    suggested.set_fragment(None);
    suggested.set_username("").ok()?;
    suggested.set_password(None).ok()?;
    matches!(suggested.scheme(), "http" | "https").then(|| suggested.to_string())
}

/// example.com and its like: reserved, so nobody answers there.
fn documentation_host(url: &Url, card: Option<&Url>) -> Option<AddressFlag> {
    let host = url.host_str()?;
    let is_reserved = EXAMPLE_DOMAINS
        .iter()
        .any(|domain| host == *domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')));
    let is_own = card.and_then(Url::host_str) == Some(host);
    (is_reserved && !is_own).then(|| {
        flagged(AddressFlagKind::Placeholder, format!("{host} is reserved for examples: nobody answers there."), None)
    })
}

fn web_page(url: &Url, card: Option<&Url>) -> Option<AddressFlag> {
    let is_card = card.is_some_and(|card| {
        let without_fragment = |url: &Url| {
            let mut url = url.clone();
            url.set_fragment(None);
            url
        };
        without_fragment(card) == without_fragment(url)
    });
    let path = url.path().to_ascii_lowercase();
    let file = path.rsplit('/').next().unwrap_or_default();
    let sentence = if is_card || path.contains("/.well-known/agent") {
        "This is where a card is served, not where the agent answers.".to_owned()
    } else if PAGE_HOSTS.contains(&url.host_str().unwrap_or_default()) {
        format!("{} shows pages about software; no agent answers there.", url.host_str().unwrap_or_default())
    } else if STATIC_ENDINGS.iter().any(|ending| file.ends_with(ending)) {
        format!("{file} looks like a file to read, not an agent to call.")
    } else {
        return None;
    };
    Some(flagged(AddressFlagKind::WebPage, sentence, None))
}

fn plain_text(url: &Url, card: Option<&Url>) -> Option<AddressFlag> {
    let card = card.filter(|card| card.scheme() == "https" && url.scheme() == "http")?;
    let suggestion = (card.host() == url.host()).then(|| {
        let mut secure = url.clone();
        secure.set_scheme("https").ok()?;
        Some(secure.to_string())
    });
    Some(flagged(
        AddressFlagKind::PlainText,
        "Plain http, though the card came over TLS: what is sent can be read on the way.",
        suggestion.flatten(),
    ))
}

/// 32 hexadecimal digits and more, or a long mix of letters and digits.
fn looks_random(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    let is_hex = bytes.len() >= 32 && bytes.iter().all(u8::is_ascii_hexdigit);
    let is_token = bytes.len() >= 40
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        && bytes.iter().filter(|b| b.is_ascii_digit()).count() >= 4
        && bytes.iter().any(u8::is_ascii_uppercase)
        && bytes.iter().any(u8::is_ascii_lowercase);
    is_hex || is_token
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(address: &str, card: Option<&str>) -> Option<(AddressFlagKind, Option<String>)> {
        let origin = Origin { final_url: card.map(str::to_owned), ..Origin::default() };
        flag(address, &ProtocolBinding::JsonRpc, &origin).map(|flag| (flag.kind, flag.suggestion))
    }

    #[test]
    fn addresses_are_judged_against_where_the_card_came_from() {
        use AddressFlagKind as Is;
        let loopback = Some("http://127.0.0.1:4100/.well-known/agent-card.json");
        let lan = Some("http://10.1.2.3:8001/.well-known/agent-card.json");
        let public = Some("https://pub.example/.well-known/agent-card.json");
        for (address, card, kind, suggestion) in [
            ("http://0.0.0.0:8000/", loopback, Some(Is::Wildcard), Some("http://127.0.0.1:4100/")),
            ("http://[::]:8080/x?k=1", loopback, Some(Is::Wildcard), Some("http://127.0.0.1:4100/x?k=1")),
            ("http://0.0.0.0:8000/", lan, Some(Is::Wildcard), Some("http://10.1.2.3:8001/")),
            ("http://0.0.0.0:8000/", None, Some(Is::Wildcard), None),
            ("http://svc-clerk:8000/", loopback, Some(Is::ContainerName), Some("http://127.0.0.1:4100/")),
            ("http://clerk.shop.svc.cluster.local/a", public, Some(Is::ContainerName), Some("https://pub.example/a")),
            ("http://clerk:1/", Some("http://registry:2/card.json"), None, None),
            ("/rpc", loopback, Some(Is::Relative), Some("http://127.0.0.1:4100/rpc")),
            ("api/a2a", None, Some(Is::Relative), None),
            ("http://127.0.0.1:4100/rpc", loopback, None, None),
            ("http://localhost:9000/rpc", loopback, None, None),
            ("http://localhost:9000/rpc", None, None, None),
            ("http://localhost:9000/rpc", public, Some(Is::PrivateAddress), Some("https://pub.example/rpc")),
            ("http://127.0.0.1:9000/rpc", lan, Some(Is::PrivateAddress), Some("http://10.1.2.3:8001/rpc")),
            ("http://10.1.2.3:8001/rpc", lan, None, None),
            ("http://192.168.1.5/rpc", public, Some(Is::PrivateAddress), Some("https://pub.example/rpc")),
            ("{BASE_URL}/mcp", public, Some(Is::Placeholder), None),
            ("${BASE}/a2a", public, Some(Is::Placeholder), None),
            ("https://<host>/a2a", public, Some(Is::Placeholder), None),
            ("https://api.example.com/a2a", public, Some(Is::Placeholder), None),
            ("https://api.example.com/a2a", Some("https://api.example.com/card.json"), None, None),
            ("https://github.com/zz/tool", public, Some(Is::WebPage), None),
            ("https://pub.example/about.html", public, Some(Is::WebPage), None),
            ("https://pub.example/.well-known/agent-card.json", public, Some(Is::WebPage), None),
            ("mailto:bot@a.example", public, Some(Is::NotHttp), None),
            ("file://~/x", None, Some(Is::NotHttp), None),
            ("http://pub.example/rpc", public, Some(Is::PlainText), Some("https://pub.example/rpc")),
            ("http://other.example/rpc", public, Some(Is::PlainText), None),
            ("http://other.example/rpc", None, None, None),
            ("", public, Some(Is::NotAUrl), None),
            ("ember0", public, Some(Is::NotAUrl), None),
            ("a.example/rpc", public, Some(Is::NotAUrl), Some("https://a.example/rpc")),
            ("localhost:8000/rpc", public, Some(Is::NotAUrl), Some("http://localhost:8000/rpc")),
            ("http://[::1", public, Some(Is::NotAUrl), None),
            ("https://pub.example", public, None, None),
            ("https://elsewhere.example/a2a", public, None, None),
        ] {
            let found = judged(address, card);
            let expected = kind.map(|kind| (kind, suggestion.map(str::to_owned)));
            assert_eq!(found, expected, "{address} in a card from {card:?}");
        }
    }

    #[test]
    fn every_spelling_of_a_grpc_address_is_read() {
        let origin = Origin { final_url: Some("https://pub.example/card".to_owned()), ..Origin::default() };
        let kind = |address: &str| flag(address, &ProtocolBinding::Grpc, &origin).map(|flag| flag.kind);
        for address in ["a.example:443", "https://a.example", "grpc://a.example:50051", "grpcs://a.example"] {
            assert_eq!(kind(address), None, "{address}");
        }
        assert_eq!(kind("quotes-grpc:443"), Some(AddressFlagKind::ContainerName));
    }

    #[test]
    fn odd_addresses_are_remarked_on() {
        let origin = Origin::default();
        assert!(oddities("https://a.example/mcp/9f86d081884c7d659a2feaa0c55ad015", &origin)[0].contains("secret"));
        assert!(oddities("https://gw.example/a2a/tick/a2a/tock/", &origin)[0].contains("repeats"));
        assert!(oddities("https://a.example/mcp", &origin)[0].contains("MCP"));
        assert!(oddities("http://localhost:1/", &origin)[0].contains("this machine"));
        assert!(oddities("https://a.example/agents/order-desk/v1", &origin).is_empty());
    }
}
