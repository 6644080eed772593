//! Rules on the addresses of interfaces: whether they are any, and whether they can work from elsewhere.

use super::super::facts::AddressFlagKind;
use super::Rule;
use super::Severity::{Error, Warning};
use super::card::{Card, Entry, TextAt};
use super::report::{Report, quoted, quoted_url};
use crate::a2a::ProtocolBinding;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "interface-url-invalid",
        Error,
        "§4.4.6",
        "An interface that cannot be reached at a URL cannot be called.",
        |card, report| report_faults(card, report, Fault::Invalid),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-relative",
        Error,
        "§4.4.6",
        "The URL has to be absolute: a client may have the card from a registry, and nothing to resolve it against.",
        |card, report| report_faults(card, report, Fault::Relative),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-placeholder",
        Error,
        "§4.4.6",
        "A placeholder that was not filled in is no address.",
        |card, report| report_faults(card, report, Fault::Placeholder),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-not-http",
        Error,
        "§4.4.6",
        "JSON-RPC and HTTP+JSON are spoken over http or https only.",
        |card, report| report_faults(card, report, Fault::NotHttp),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-credentials",
        Error,
        "§14.3",
        "Everyone who can read the card can use the name and password in its address.",
        interface_url_credentials,
    )
    .older("0.3 §5.4"),
    Rule::new(
        "interface-url-plain-text",
        Warning,
        "§7.1",
        "Over plain http messages and credentials can be read and changed on the way.",
        interface_url_plain_text,
    )
    .older("0.3 §4.1"),
    Rule::new(
        "interface-url-wildcard",
        Warning,
        "§4.4.6",
        "The address says where the server listens, on every network; it is not where a client reaches it.",
        |card, report| report_flags(card, report, AddressFlagKind::Wildcard),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-internal-name",
        Warning,
        "§4.4.6",
        "Only the agent's own network knows the name; clients elsewhere cannot resolve it.",
        |card, report| report_flags(card, report, AddressFlagKind::ContainerName),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-private",
        Warning,
        "§4.4.6",
        "A loopback or private address leads every client to its own machine or network.",
        |card, report| report_flags(card, report, AddressFlagKind::PrivateAddress),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-url-web-page",
        Warning,
        "§4.4.6",
        "A page, a repository or a file answers a message with HTML or an error, not with A2A.",
        |card, report| report_flags(card, report, AddressFlagKind::WebPage),
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "interface-origin-differs",
        Warning,
        "",
        "The card sends messages and credentials to another site than the one that it came from.",
        interface_origin_differs,
    ),
];

/// What is wrong with an address as such.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    Invalid,
    Relative,
    Placeholder,
    NotHttp,
}

/// The interface's binding; without one, JSON-RPC, as clients assume.
fn binding(entry: &Entry<'_>) -> ProtocolBinding {
    entry.binding.as_ref().map_or(ProtocolBinding::JsonRpc, |(_, text)| ProtocolBinding::parse(text))
}

fn fault(text: &str, binding: &ProtocolBinding) -> Option<Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Fault::Invalid);
    }
    let lower = text.to_ascii_lowercase();
    if text.contains(['{', '}', '<', '>'])
        || lower.contains("%7b")
        || text.contains("$(")
        || text.contains("__") && is_shouted(text)
    {
        return Some(Fault::Placeholder);
    }
    let is_grpc = *binding == ProtocolBinding::Grpc;
    if is_host_and_port(text) {
        return (!is_grpc).then_some(Fault::Relative);
    }
    match url::Url::parse(text) {
        Ok(url) => {
            let needs_http = matches!(binding, ProtocolBinding::JsonRpc | ProtocolBinding::HttpJson);
            (needs_http && !matches!(url.scheme(), "http" | "https")).then_some(Fault::NotHttp)
        }
        Err(url::ParseError::RelativeUrlWithoutBase) => Some(Fault::Relative),
        Err(_) => Some(Fault::Invalid),
    }
}

/// `__HOST__`: a template variable of a deployment.
fn is_shouted(text: &str) -> bool {
    text.split("__").nth(1).is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// `host:port` without a scheme, which is how gRPC targets are written.
fn is_host_and_port(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty()
            && !host.contains(['/', '?', '#', '@'])
            && (!host.contains(':') || host.starts_with('['))
            && !port.is_empty()
            && port.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The addresses that are there, with their entries.
fn addresses<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = (&'c Entry<'a>, &'c TextAt<'a>)> {
    card.entries.iter().filter_map(|entry| Some((entry, entry.url.as_ref()?)))
}

fn report_faults(card: &Card<'_>, report: &mut Report<'_>, wanted: Fault) {
    for (entry, (node, text)) in addresses(card) {
        let binding = binding(entry);
        if fault(text, &binding) != Some(wanted) {
            continue;
        }
        report.at(*node, || match wanted {
            Fault::Invalid if text.trim().is_empty() => {
                "The interface's url is blank; say where the agent is called.".to_owned()
            }
            Fault::Invalid => {
                format!("{} is not a URL; write the absolute address of the interface.", quoted_url(text))
            }
            Fault::Relative => {
                format!(
                    "{} is not an absolute URL; write it with its scheme and host, such as https://….",
                    quoted_url(text)
                )
            }
            Fault::Placeholder => {
                format!("{} has a placeholder that was not filled in; write the real address.", quoted_url(text))
            }
            Fault::NotHttp => format!(
                "{} cannot be called with {}, which needs an http or https address.",
                quoted_url(text),
                binding.name()
            ),
        });
    }
}

fn interface_url_credentials(card: &Card<'_>, report: &mut Report<'_>) {
    for (_, (node, text)) in addresses(card) {
        let has_credentials = url::Url::parse(text.trim())
            .is_ok_and(|url| url.has_host() && (!url.username().is_empty() || url.password().is_some()));
        if has_credentials {
            // The value is left out of the sentence: sentences are shown and exported.
            report.at(*node, || {
                "The interface's url contains a user name or password; remove it and declare a security scheme."
                    .to_owned()
            });
        }
    }
}

fn interface_url_plain_text(card: &Card<'_>, report: &mut Report<'_>) {
    for (_, (node, text)) in addresses(card) {
        let is_plain = url::Url::parse(text.trim()).is_ok_and(|url| url.scheme() == "http" && !is_local(&url));
        if is_plain && fault(text, &ProtocolBinding::JsonRpc).is_none() {
            report.at(*node, || format!("{} is plain http; use https in production.", quoted_url(text)));
        }
    }
}

fn report_flags(card: &Card<'_>, report: &mut Report<'_>, kind: AddressFlagKind) {
    for row in &card.inspection.interfaces.rows {
        if row.flag.as_ref().is_none_or(|flag| flag.kind != kind) {
            continue;
        }
        let url = quoted_url(&row.url);
        report.at_pointer(row.url_pointer.as_ref().unwrap_or(&row.pointer), || match kind {
            AddressFlagKind::Wildcard => {
                format!("{url} is an address to listen on; write the host name by which clients reach the agent.")
            }
            AddressFlagKind::ContainerName => {
                format!("{url} has a host that only its own network knows; write a name that clients can resolve.")
            }
            AddressFlagKind::PrivateAddress => {
                format!("{url} is reachable on the agent's own machine or network only; write its public address.")
            }
            _ => format!("{url} looks like a web page or a file; write the address that takes A2A messages."),
        });
    }
}

fn interface_origin_differs(card: &Card<'_>, report: &mut Report<'_>) {
    let Some(source) = card.source().filter(|source| !is_local(source)) else { return };
    let Some(home) = source.domain().map(site) else { return };
    for (_, (node, text)) in addresses(card) {
        let Ok(url) = url::Url::parse(text.trim()) else { continue };
        if is_local(&url)
            || !matches!(url.scheme(), "http" | "https")
            || fault(text, &ProtocolBinding::JsonRpc).is_some()
        {
            continue;
        }
        if url.domain().map(site) != Some(home) {
            report.at(*node, || {
                format!(
                    "The interface is at {}, but the card came from {}; check that both belong to the same operator.",
                    quoted(url.host_str().unwrap_or_default()),
                    quoted(source.host_str().unwrap_or_default())
                )
            });
        }
    }
}

/// The last two labels of a domain: near enough to "the same operator" for a remark.
fn site(domain: &str) -> &str {
    domain.rmatch_indices('.').nth(1).map_or(domain, |(at, _)| &domain[at + 1..])
}

/// Whether the host is this machine, a private network, or a name that only such a network knows.
pub(super) fn is_local(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.contains('.')
                || [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test"]
                    .iter()
                    .any(|end| name.ends_with(end))
        }
        Some(url::Host::Ipv4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified(),
        Some(url::Host::Ipv6(ip)) => {
            ip.is_loopback() || ip.is_unspecified() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::facts::Origin;
    use super::super::testing::{CARD, card_from, fires, fires_on, older, silent, silent_on};

    const AT: &str = "/supportedInterfaces/0/url";

    fn with(url: &str, binding: &str) -> String {
        CARD.replace("https://a.example/a2a", url).replace("JSONRPC", binding)
    }

    #[test]
    fn addresses_that_are_none() {
        for (rule, url, binding) in [
            ("interface-url-invalid", "", "JSONRPC"),
            ("interface-url-invalid", "https://", "JSONRPC"),
            ("interface-url-invalid", "https://a.example:port/", "HTTP+JSON"),
            ("interface-url-relative", "/a2a", "JSONRPC"),
            ("interface-url-relative", "a.example/a2a", "HTTP+JSON"),
            ("interface-url-relative", "localhost:8080", "JSONRPC"),
            ("interface-url-relative", "/a2a", "GRPC"),
            ("interface-url-placeholder", "{BASE_URL}/a2a", "JSONRPC"),
            ("interface-url-placeholder", "https://${HOST}/a2a", "JSONRPC"),
            ("interface-url-placeholder", "https://<host>/a2a", "JSONRPC"),
            ("interface-url-placeholder", "https://__HOST__/a2a", "GRPC"),
            ("interface-url-not-http", "mailto:agent@a.example", "JSONRPC"),
            ("interface-url-not-http", "grpc://a.example:50051", "HTTP+JSON"),
            ("interface-url-credentials", "https://user:secret@a.example/a2a", "JSONRPC"),
            ("interface-url-plain-text", "http://a.example/a2a", "JSONRPC"),
            ("interface-url-plain-text", "http://user:secret@a.example/a2a", "JSONRPC"),
        ] {
            let finding = fires(rule, &with(url, binding), AT);
            assert!(!finding.message.contains("secret"), "{}", finding.message);
        }
        fires("interface-url-relative", &older("url", "\"/a2a\""), "/url");
    }

    #[test]
    fn addresses_as_they_are_written_everywhere() {
        for (url, binding) in [
            ("https://a.example/a2a", "JSONRPC"),
            ("https://a.example/my__dunder/a2a", "JSONRPC"),
            ("http://127.0.0.1:41241/a2a/jsonrpc/", "JSONRPC"),
            ("http://localhost:9999/", "HTTP+JSON"),
            ("127.0.0.1:50051", "GRPC"),
            ("agent.example:443", "GRPC"),
            ("[::1]:50051", "GRPC"),
            ("https://grpc.a.example/a2a", "GRPC"),
            ("wss://a.example/a2a/websocket", "https://example.com/bindings/websocket/v1"),
        ] {
            for rule in [
                "interface-url-invalid",
                "interface-url-relative",
                "interface-url-placeholder",
                "interface-url-not-http",
                "interface-url-credentials",
                "interface-url-plain-text",
            ] {
                silent(rule, &with(url, binding));
            }
        }
    }

    #[test]
    fn addresses_that_work_only_at_home() {
        let from = |url: &str| Origin { final_url: Some(url.to_owned()), ..Origin::default() };
        let public = || from("https://a.example/.well-known/agent-card.json");
        for (rule, url) in [
            ("interface-url-wildcard", "http://0.0.0.0:8000/"),
            ("interface-url-internal-name", "http://billing-agent:8044"),
            ("interface-url-private", "http://192.168.1.7/a2a"),
            ("interface-url-web-page", "https://github.com/zz/tool"),
            ("interface-origin-differs", "https://b.example/a2a"),
        ] {
            fires_on(rule, &card_from(&with(url, "JSONRPC"), public()));
            silent_on(rule, &card_from(CARD, public()));
        }
        silent_on("interface-origin-differs", &card_from(&with("https://api.a.example/", "JSONRPC"), public()));
        silent_on("interface-origin-differs", &card_from(CARD, from("http://localhost:1/card")));
        silent_on("interface-origin-differs", &card_from(CARD, Origin::default()));
    }
}
