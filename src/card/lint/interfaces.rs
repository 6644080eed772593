//! Rules on the list of interfaces: what an entry has to say, and how the entries stand to each other.

use std::collections::HashSet;

use super::super::facts::{Interface, Shape};
use super::super::json::Kind;
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::differences::Place;
use super::report::{Report, quoted, quoted_url};
use super::schema::{AGENT_INTERFACE, field};
use crate::a2a::{ProtocolBinding, ProtocolVersion};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "interfaces-empty",
        Error,
        "§5.7",
        "Without an interface there is no way to call the agent.",
        interfaces_empty,
    ),
    Rule::new(
        "interface-member-missing",
        Error,
        "§4.4.6",
        "A client needs the address and the binding of an interface to call it.",
        interface_member_missing,
    )
    .older("0.3 §5.5.5"),
    Rule::new(
        "interface-version-missing",
        Warning,
        "§4.4.6",
        "Without a version clients assume 0.3 and speak to the interface accordingly.",
        interface_version_missing,
    ),
    Rule::new(
        "interface-transport-alias",
        Warning,
        "§4.4.6",
        "1.0 calls the member protocolBinding; clients that read only that do not find the binding.",
        interface_transport_alias,
    ),
    Rule::new(
        "protocol-version-missing",
        Warning,
        "",
        "Clients have to guess which release the agent speaks; SDKs assume 0.3.",
        protocol_version_missing,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "preferred-transport-missing",
        Warning,
        "",
        "0.3 requires it; some clients find no interface without it, others assume JSONRPC.",
        preferred_transport_missing,
    )
    .older("0.3 §5.6.1"),
    Rule::new(
        "binding-misspelled",
        Warning,
        "§5.8",
        "Bindings are compared as written; a client that looks for the exact name does not find it.",
        binding_misspelled,
    )
    .older("0.3 §5.5.5"),
    Rule::new(
        "binding-unknown",
        Warning,
        "§5.8",
        "Only JSONRPC, GRPC and HTTP+JSON are known to every client; other bindings are named by a URI.",
        binding_unknown,
    )
    .older("0.3 §5.5.5"),
    Rule::new(
        "interface-duplicate",
        Warning,
        "§8.3.1",
        "An entry that is there twice gives no further choice; probably one of them was meant otherwise.",
        interface_duplicate,
    )
    .older("0.3 §5.6.2"),
    Rule::new(
        "interface-none-usable",
        Warning,
        "§8.3.2",
        "Cardscope speaks none of the declared bindings and versions, so that it cannot send a message.",
        interface_none_usable,
    ),
    Rule::new(
        "interface-tenant",
        Info,
        "§8.3.2",
        "Every request to this interface has to carry the tenant exactly as declared.",
        interface_tenant,
    ),
    Rule::new(
        "interface-order-older-first",
        Warning,
        "§8.3.1",
        "The first entry is preferred: clients of both releases will use the older one.",
        interface_order_older_first,
    ),
    Rule::new(
        "hybrid-halves-differ",
        Info,
        "",
        "Old clients and new clients are sent to different addresses, which may be meant.",
        hybrid_halves_differ,
    ),
    Rule::new(
        "additional-interfaces-incomplete",
        Info,
        "",
        "0.3 asks that the list has the main address as well, so that clients find every transport in one place.",
        additional_interfaces_incomplete,
    )
    .older("0.3 §5.6.4"),
];

fn interfaces_empty(card: &Card<'_>, report: &mut Report<'_>) {
    let list = card.field("supportedInterfaces");
    if let Some(list) = list.filter(|list| list.kind() == Kind::Array && list.child_count() == 0) {
        report.at(list, || {
            "\"supportedInterfaces\" is empty; declare at least one interface with its url, protocolBinding and \
             protocolVersion."
                .to_owned()
        });
    }
}

/// What entries of interfaces lack, entries of either era.
fn missing<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = &'c Place<'a>> {
    card.differences.missing.iter().filter(|place| place.owner.name == AGENT_INTERFACE.name)
}

fn interface_member_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for place in missing(card) {
        let name = place.member.name;
        let alias = match name {
            "protocolBinding" => field(place.node, "transport"),
            "transport" => field(place.node, "protocolBinding"),
            _ => None,
        };
        if name != "protocolVersion" && alias.is_none() {
            report.at(place.node, || format!("The interface has no \"{name}\", which is required; add it."));
        }
    }
}

fn interface_version_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for place in missing(card).filter(|place| place.member.name == "protocolVersion") {
        report.at(place.node, || {
            "The interface has no \"protocolVersion\"; say which release it speaks, such as \"1.0\".".to_owned()
        });
    }
}

fn interface_transport_alias(card: &Card<'_>, report: &mut Report<'_>) {
    for entry in card.entries.iter().filter(|entry| entry.newer) {
        if let (None, Some(transport)) = (field(entry.node, "protocolBinding"), field(entry.node, "transport")) {
            report.at(transport, || {
                "The binding is declared as \"transport\", as in 0.3; in supportedInterfaces write \"protocolBinding\"."
                    .to_owned()
            });
        }
    }
}

fn protocol_version_missing(card: &Card<'_>, report: &mut Report<'_>) {
    if !card.newer && card.field("protocolVersion").is_none() {
        report.at(card.root, || {
            "The card names no protocol version; clients treat it as 0.3 or earlier, so say \"protocolVersion\"."
                .to_owned()
        });
    }
}

fn preferred_transport_missing(card: &Card<'_>, report: &mut Report<'_>) {
    if card.inspection.shape == Shape::V0_3 && card.field("preferredTransport").is_none() {
        report.at(card.root, || {
            "The card has no \"preferredTransport\"; say which transport its url speaks, such as \"JSONRPC\"."
                .to_owned()
        });
    }
}

fn binding_misspelled(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, text) in card.entries.iter().filter_map(|entry| entry.binding.as_ref()) {
        let binding = ProtocolBinding::parse(text);
        if !matches!(binding, ProtocolBinding::Other(_)) && binding.name() != text {
            report.at(*node, || format!("The binding {} should be written \"{}\".", quoted(text), binding.name()));
        }
    }
}

fn binding_unknown(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, text) in card.entries.iter().filter_map(|entry| entry.binding.as_ref()) {
        let is_custom = matches!(ProtocolBinding::parse(text), ProtocolBinding::Other(_));
        if is_custom && url::Url::parse(text).is_err() {
            let hint = if text.to_ascii_lowercase().contains("mcp") { " (it is not callable over A2A)" } else { "" };
            report.at(*node, || {
                format!(
                    "{} is no binding of A2A{hint}; use JSONRPC, GRPC or HTTP+JSON, or name a custom one by a URI.",
                    quoted(text)
                )
            });
        }
    }
}

fn interface_duplicate(card: &Card<'_>, report: &mut Report<'_>) {
    let mut seen = HashSet::new();
    // The main url of before 1.0 is expected to be in additionalInterfaces again.
    for entry in card.entries.iter().filter(|entry| entry.node.id() != card.root.id()) {
        let texts = [&entry.url, &entry.binding, &entry.version, &entry.tenant];
        let key = (entry.newer, texts.map(|member| member.as_ref().map(|(_, text)| &**text)));
        if entry.url.is_some() && !seen.insert(key) {
            report.at(entry.node, || {
                let url = entry.url.as_ref().map(|(_, url)| quoted_url(url)).unwrap_or_default();
                format!("The interface {url} is declared before with the same binding and version; remove one of them.")
            });
        }
    }
}

fn interface_none_usable(card: &Card<'_>, report: &mut Report<'_>) {
    let interfaces = &card.inspection.interfaces;
    if !interfaces.rows.is_empty() && !interfaces.rows.iter().any(Interface::usable) {
        let list = card.field("supportedInterfaces").unwrap_or(card.root);
        report.at(list, || {
            "Cardscope can use none of the declared interfaces; offer JSONRPC in version 1.0 or 0.3 as well.".to_owned()
        });
    }
}

fn interface_tenant(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, text) in card.entries.iter().filter_map(|entry| entry.tenant.as_ref()) {
        if !text.is_empty() {
            report.at(*node, || {
                format!("Every request to this interface must carry the tenant {} exactly as it is here.", quoted(text))
            });
        }
    }
}

fn interface_order_older_first(card: &Card<'_>, report: &mut Report<'_>) {
    let mut majors = card.entries.iter().filter(|entry| entry.newer).map(|entry| {
        let version = entry.version.as_ref().and_then(|(_, text)| ProtocolVersion::parse(text));
        (entry, version.map(|version| version.major))
    });
    if let Some((first, Some(0))) = majors.next()
        && majors.any(|(_, major)| major.is_some_and(|major| major >= 1))
    {
        report.at(first.node, || {
            "The first interface, which clients prefer, is of before 1.0 although one of 1.0 follows; put that first."
                .to_owned()
        });
    }
}

fn hybrid_halves_differ(card: &Card<'_>, report: &mut Report<'_>) {
    let main = card.entries.iter().find(|entry| !entry.newer && entry.node.id() == card.root.id());
    let Some((node, url)) = main.filter(|_| card.newer).and_then(|entry| entry.url.as_ref()) else { return };
    let mut newer = card.entries.iter().filter(|entry| entry.newer).filter_map(|entry| entry.url.as_ref());
    if newer.all(|(_, other)| other != url) {
        report.at(*node, || {
            format!(
                "Old clients use {}, which is not among supportedInterfaces; check that this is meant.",
                quoted_url(url)
            )
        });
    }
}

fn additional_interfaces_incomplete(card: &Card<'_>, report: &mut Report<'_>) {
    let main = card.entries.iter().find(|entry| !entry.newer && entry.node.id() == card.root.id());
    let Some((_, url)) = main.and_then(|entry| entry.url.as_ref()) else { return };
    let Some(list) = card.field("additionalInterfaces") else { return };
    let mut additional =
        card.entries.iter().filter(|entry| !entry.newer && entry.node.id() != card.root.id()).peekable();
    if additional.peek().is_some() && additional.all(|entry| entry.url.as_ref().is_none_or(|(_, other)| other != url)) {
        report.at(list, || {
            format!("The list does not have the main url {}; add it with its transport.", quoted_url(url))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, OLDER_CARD, edited, fires, older, older_without, silent};

    fn interfaces(list: &str) -> String {
        edited("supportedInterfaces", list)
    }

    const JSONRPC: &str = r#"{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}"#;

    #[test]
    fn entries_say_what_they_have_to() {
        fires(
            "interface-member-missing",
            &interfaces(r#"[{"protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]"#),
            "/supportedInterfaces/0",
        );
        let alias = r#"[{"url": "https://a.example", "transport": "JSONRPC", "protocolVersion": "1.0"}]"#;
        silent("interface-member-missing", &interfaces(alias));
        fires("interface-transport-alias", &interfaces(alias), "/supportedInterfaces/0/transport");
        fires(
            "interface-member-missing",
            &older("additionalInterfaces", r#"[{"url": "https://a.example/a2a"}]"#),
            "/additionalInterfaces/0",
        );
        let versionless = r#"[{"url": "https://a.example", "protocolBinding": "JSONRPC"}]"#;
        fires("interface-version-missing", &interfaces(versionless), "/supportedInterfaces/0");
        silent("interface-member-missing", &interfaces(versionless));
        for rule in ["interface-member-missing", "interface-version-missing", "interface-transport-alias"] {
            silent(rule, CARD);
            silent(rule, OLDER_CARD);
        }
        let empty = edited("supportedInterfaces", "[], \"url\": \"https://a.example\"");
        fires("interfaces-empty", &empty, "/supportedInterfaces");
        silent("interfaces-empty", CARD);
    }

    #[test]
    fn older_cards_say_what_they_speak() {
        fires("protocol-version-missing", &older_without("protocolVersion"), "");
        fires("preferred-transport-missing", &older_without("preferredTransport"), "");
        for rule in ["protocol-version-missing", "preferred-transport-missing"] {
            silent(rule, OLDER_CARD);
            silent(rule, CARD);
        }
    }

    #[test]
    fn bindings_are_spelled_as_the_specification_does() {
        let binding = |name: &str| CARD.replace("JSONRPC", name);
        let at = "/supportedInterfaces/0/protocolBinding";
        for name in ["json-rpc", "http+json", "REST", "grpc"] {
            fires("binding-misspelled", &binding(name), at);
            silent("binding-unknown", &binding(name));
        }
        for name in ["SOAP", "MCP-STREAMABLE-HTTP", "stdio"] {
            fires("binding-unknown", &binding(name), at);
            silent("binding-misspelled", &binding(name));
        }
        for name in ["JSONRPC", "GRPC", "HTTP+JSON", "https://a.example/my-binding/v1", "urn:a:b"] {
            silent("binding-unknown", &binding(name));
            silent("binding-misspelled", &binding(name));
        }
        fires("binding-unknown", &older("preferredTransport", "\"stdio\""), "/preferredTransport");
    }

    #[test]
    fn entries_stand_well_to_each_other() {
        let twice = interfaces(&format!("[{JSONRPC}, {JSONRPC}]"));
        fires("interface-duplicate", &twice, "/supportedInterfaces/1");
        let older_entry = JSONRPC.replace("1.0", "0.3");
        silent("interface-duplicate", &interfaces(&format!("[{JSONRPC}, {older_entry}]")));
        let main = older("additionalInterfaces", r#"[{"url": "https://a.example/a2a", "transport": "JSONRPC"}]"#);
        silent("interface-duplicate", &main);
        silent("additional-interfaces-incomplete", &main);
        let other = older("additionalInterfaces", r#"[{"url": "https://a.example/rest", "transport": "HTTP+JSON"}]"#);
        fires("additional-interfaces-incomplete", &other, "/additionalInterfaces");

        fires(
            "interface-order-older-first",
            &interfaces(&format!("[{older_entry}, {JSONRPC}]")),
            "/supportedInterfaces/0",
        );
        silent("interface-order-older-first", &interfaces(&format!("[{JSONRPC}, {older_entry}]")));
        let tenant = |name: &str| CARD.replace("\"url\":", &format!("\"tenant\": \"{name}\", \"url\":"));
        fires("interface-tenant", &tenant("acme"), "/supportedInterfaces/0/tenant");
        silent("interface-tenant", &tenant(""));

        let hybrid = |url: &str| edited("version", &format!("\"1.0.0\", \"url\": \"{url}\""));
        fires("hybrid-halves-differ", &hybrid("https://a.example/old"), "/url");
        silent("hybrid-halves-differ", &hybrid("https://a.example/a2a"));
    }

    #[test]
    fn a_card_that_cannot_be_used_from_here_says_so() {
        fires("interface-none-usable", &CARD.replace("JSONRPC", "GRPC"), "/supportedInterfaces");
        silent("interface-none-usable", CARD);
    }
}
