//! Rules on `capabilities`: its flags, the extended card, and extensions.

use std::collections::HashSet;

use super::Rule;
use super::Severity::{Error, Hint, Info, Warning};
use super::card::{Card, TextAt};
use super::report::{Report, quoted};
use super::schema::{field, text_field};

/// More parameters than this belong behind a URL.
const LARGE_PARAMS_BYTES: usize = 8 * 1024;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "capabilities-not-object",
        Error,
        "§4.4.3",
        "Capabilities are flags in an object; official SDKs refuse a card that has a list there.",
        capabilities_not_object,
    )
    .older("0.3 §5.5.2"),
    Rule::new(
        "capability-not-boolean",
        Error,
        "§4.4.3",
        "A flag is true or false; typed clients refuse the card for anything else.",
        capability_not_boolean,
    )
    .older("0.3 §5.5.2"),
    Rule::new(
        "streaming-undeclared",
        Hint,
        "§3.3.4",
        "Not declared counts as no: clients will poll, or wait for the whole answer.",
        streaming_undeclared,
    )
    .older("0.3 §5.5.2"),
    Rule::new(
        "streaming-without-push",
        Hint,
        "§3.5.1",
        "A client that loses the stream of a long task can only poll.",
        streaming_without_push,
    )
    .older("0.3 §5.5.2"),
    Rule::new(
        "push-declared",
        Hint,
        "§3.5.3",
        "Push notifications reach only clients that can be called at an address of their own.",
        push_declared,
    )
    .older("0.3 §5.5.2"),
    Rule::new(
        "extended-card-without-scheme",
        Error,
        "§13.3",
        "The extended card must be authenticated for, by one of the schemes that the public card declares.",
        extended_card_without_scheme,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "extensions-malformed",
        Error,
        "§4.6.1",
        "Extensions are a list of objects; anything else is unreadable for clients that need to know them.",
        extensions_malformed,
    )
    .older("0.3 §5.5.2.1"),
    Rule::new(
        "extensions-misplaced",
        Warning,
        "§4.6.1",
        "Clients look for extensions in capabilities only, required ones included.",
        extensions_misplaced,
    )
    .older("0.3 §5.5.2.1"),
    Rule::new(
        "extension-uri-missing",
        Error,
        "§4.4.4",
        "An extension is known by its URI alone.",
        extension_uri_missing,
    )
    .older("0.3 §5.5.2.1"),
    Rule::new(
        "extension-uri-invalid",
        Warning,
        "§4.4.4",
        "What is no URI may be used by somebody else for something else.",
        extension_uri_invalid,
    )
    .older("0.3 §5.5.2.1"),
    Rule::new(
        "extension-uri-duplicate",
        Warning,
        "§4.6.1",
        "Clients tell extensions apart by their URI and will read only one of the two.",
        extension_uri_duplicate,
    ),
    Rule::new(
        "extension-required",
        Warning,
        "§4.6.1",
        "The agent refuses every client that does not support the extension.",
        extension_required,
    )
    .older("0.3 §5.5.2.1"),
    Rule::new(
        "extension-uri-unversioned",
        Info,
        "§4.6.3",
        "With a version in the URI a change that breaks gets a new one, and clients can tell.",
        extension_uri_unversioned,
    ),
    Rule::new(
        "extension-params-large",
        Info,
        "§4.6.1",
        "Every client downloads the parameters with the card, also those that do not know the extension.",
        extension_params_large,
    ),
    Rule::new(
        "state-transition-history-removed",
        Info,
        "§4.4.3",
        "1.0 removed the flag; clients ignore it.",
        state_transition_history_removed,
    ),
];

fn capabilities_not_object(card: &Card<'_>, report: &mut Report<'_>) {
    let mistyped = card.differences.mistyped.iter();
    for place in mistyped.filter(|place| place.owner.name == "AgentCard" && place.member.name == "capabilities") {
        report.at(place.node, || {
            format!(
                "\"capabilities\" must be an object of flags, but {} stands there; what the agent can do belongs in \
                 skills.",
                place.node.kind().with_article()
            )
        });
    }
}

fn capability_not_boolean(card: &Card<'_>, report: &mut Report<'_>) {
    let mistyped = card.differences.mistyped.iter();
    for place in mistyped.filter(|place| place.owner.name == "AgentCapabilities" && place.member.name != "extensions") {
        report.at(place.node, || {
            format!(
                "\"{}\" must be true or false, but {} stands there.",
                place.member.name,
                place.node.kind().with_article()
            )
        });
    }
}

fn flag(card: &Card<'_>, name: &str) -> Option<bool> {
    field(card.capabilities()?, name)?.as_bool()
}

fn streaming_undeclared(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(capabilities) = card.capabilities()
        && field(capabilities, "streaming").is_none()
    {
        report.at(capabilities, || "\"streaming\" is not declared, which counts as no; say which it is.".to_owned());
    }
}

fn streaming_without_push(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(capabilities) = card.capabilities()
        && flag(card, "streaming") == Some(true)
        && flag(card, "pushNotifications") != Some(true)
    {
        report.at(capabilities, || {
            "The agent streams but sends no push notifications; consider them for tasks that take long.".to_owned()
        });
    }
}

fn push_declared(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(capabilities) = card.capabilities()
        && let Some(node) = field(capabilities, "pushNotifications").filter(|node| node.as_bool() == Some(true))
    {
        report.at(node, || {
            "The agent sends push notifications; a client needs an address that the agent can reach to use them."
                .to_owned()
        });
    }
}

fn extended_card_without_scheme(card: &Card<'_>, report: &mut Report<'_>) {
    if !card.schemes.is_empty() || card.field("authentication").is_some() {
        return;
    }
    let declared = card
        .capabilities()
        .and_then(|capabilities| field(capabilities, "extendedAgentCard"))
        .or_else(|| card.field("supportsAuthenticatedExtendedCard"))
        .or_else(|| card.field("supportsExtendedAgentCard"));
    if let Some(node) = declared.filter(|node| node.as_bool() == Some(true)) {
        report.at(node, || {
            "An extended card is offered but no security scheme is declared to authenticate with; declare one in \
             securitySchemes."
                .to_owned()
        });
    }
}

fn extensions_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    let mistyped = card.differences.mistyped.iter();
    for place in mistyped.filter(|place| place.owner.name == "AgentCapabilities" && place.member.name == "extensions") {
        report.at(place.node, || {
            format!(
                "\"extensions\" must be a list of objects with a uri, but {} stands there.",
                place.node.kind().with_article()
            )
        });
    }
}

fn extensions_misplaced(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(node) = card.field("extensions") {
        report.at(node, || "\"extensions\" stands at the top of the card; move it into capabilities.".to_owned());
    }
}

fn extension_uri_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for extension in card.extensions() {
        let uri = field(extension, "uri");
        if uri.is_none_or(|uri| uri.as_str().is_some_and(|text| text.trim().is_empty())) {
            report.at(uri.unwrap_or(extension), || "The extension has no \"uri\"; name it by one.".to_owned());
        }
    }
}

/// The extensions' URIs, blank ones left out.
fn uris<'a>(card: &Card<'a>) -> impl Iterator<Item = TextAt<'a>> {
    card.extensions().filter_map(|extension| {
        let node = field(extension, "uri")?;
        Some((node, node.as_str().filter(|text| !text.trim().is_empty())?))
    })
}

fn extension_uri_invalid(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, uri) in uris(card).filter(|(_, uri)| url::Url::parse(uri).is_err()) {
        report.at(node, || format!("The extension is named {}, which is no URI; use one that is yours.", quoted(&uri)));
    }
}

fn extension_uri_duplicate(card: &Card<'_>, report: &mut Report<'_>) {
    let mut seen = HashSet::new();
    for (node, uri) in uris(card) {
        let shown = quoted(&uri);
        if !seen.insert(uri) {
            report.at(node, || format!("The extension {shown} is declared twice; keep one of the two."));
        }
    }
}

fn extension_required(card: &Card<'_>, report: &mut Report<'_>) {
    for extension in card.extensions() {
        if let Some(node) = field(extension, "required").filter(|node| node.as_bool() == Some(true)) {
            report.at(node, || {
                let uri = quoted(&text_field(extension, "uri").unwrap_or_default());
                format!("The extension {uri} is required; use a client that supports it.")
            });
        }
    }
}

fn extension_uri_unversioned(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, uri) in uris(card) {
        let has_version = uri.split(['/', ':', '-', '_', '@', '#', '?', '=']).any(|part| {
            let number = part.trim_start_matches(['v', 'V']);
            number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        });
        if !has_version && url::Url::parse(&uri).is_ok() {
            report.at(node, || format!("The extension's URI {} has no version; add one, such as /v1.", quoted(&uri)));
        }
    }
}

fn extension_params_large(card: &Card<'_>, report: &mut Report<'_>) {
    for params in card.extensions().filter_map(|extension| field(extension, "params")) {
        let bytes = params.span().len();
        if bytes > LARGE_PARAMS_BYTES {
            report.at(params, || {
                format!("The extension's parameters take {} KiB; refer to them by a URL instead.", bytes / 1024)
            });
        }
    }
}

fn state_transition_history_removed(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(capabilities) = card.capabilities().filter(|_| card.newer)
        && let Some(node) = field(capabilities, "stateTransitionHistory")
    {
        report.at(node, || "\"stateTransitionHistory\" was removed in 1.0; leave it out.".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, OLDER_CARD, edited, fires, older, silent};

    fn capabilities(value: &str) -> String {
        edited("capabilities", value)
    }

    fn extensions(list: &str) -> String {
        capabilities(&format!("{{\"streaming\": false, \"extensions\": {list}}}"))
    }

    #[test]
    fn flags_are_flags() {
        fires("capabilities-not-object", &capabilities("[\"search\"]"), "/capabilities");
        fires("capability-not-boolean", &capabilities("{\"streaming\": \"yes\"}"), "/capabilities/streaming");
        fires("streaming-undeclared", &capabilities("{}"), "/capabilities");
        fires("streaming-without-push", CARD, "/capabilities");
        let push = capabilities("{\"streaming\": true, \"pushNotifications\": true}");
        fires("push-declared", &push, "/capabilities/pushNotifications");
        silent("streaming-without-push", &push);
        for rule in ["capabilities-not-object", "capability-not-boolean", "streaming-undeclared", "push-declared"] {
            silent(rule, CARD);
        }
        let history = "{\"stateTransitionHistory\": true}";
        fires("state-transition-history-removed", &capabilities(history), "/capabilities/stateTransitionHistory");
        silent("state-transition-history-removed", &older("capabilities", history));
    }

    #[test]
    fn an_extended_card_needs_a_scheme() {
        let at = "/capabilities/extendedAgentCard";
        fires("extended-card-without-scheme", &capabilities("{\"extendedAgentCard\": true}"), at);
        silent("extended-card-without-scheme", &capabilities("{\"extendedAgentCard\": false}"));
        let with_scheme = "{\"extendedAgentCard\": true}, \"securitySchemes\": {\"b\": {\"mtlsSecurityScheme\": {}}}";
        silent("extended-card-without-scheme", &capabilities(with_scheme));
        let flag = "supportsAuthenticatedExtendedCard";
        fires("extended-card-without-scheme", &older(flag, "true"), &format!("/{flag}"));
        silent("extended-card-without-scheme", OLDER_CARD);
    }

    #[test]
    fn extensions_are_named_by_versioned_uris() {
        let at = |member: &str| format!("/capabilities/extensions/0{member}");
        fires("extensions-malformed", &extensions("{}"), "/capabilities/extensions");
        fires("extensions-malformed", &extensions("[\"https://a.example/x/v1\"]"), &at(""));
        fires("extensions-misplaced", &edited("extensions", "[]"), "/extensions");
        fires("extension-uri-missing", &extensions("[{\"required\": false}]"), &at(""));
        fires("extension-uri-missing", &extensions("[{\"uri\": \" \"}]"), &at("/uri"));
        fires("extension-uri-invalid", &extensions("[{\"uri\": \"a.example/ext/v1\"}]"), &at("/uri"));
        fires("extension-uri-unversioned", &extensions("[{\"uri\": \"https://a.example/ext\"}]"), &at("/uri"));
        let twice = "[{\"uri\": \"https://a.example/x/v1\"}, {\"uri\": \"https://a.example/x/v1\"}]";
        fires("extension-uri-duplicate", &extensions(twice), "/capabilities/extensions/1/uri");
        let required = "[{\"uri\": \"https://a.example/x/v1\", \"required\": true}]";
        fires("extension-required", &extensions(required), &at("/required"));
        let large =
            format!("[{{\"uri\": \"https://a.example/x/v1\", \"params\": {{\"a\": \"{}\"}}}}]", "b".repeat(9000));
        fires("extension-params-large", &extensions(&large), &at("/params"));
        let well = "[{\"uri\": \"https://a.example/x/v1\", \"required\": false, \"params\": {\"a\": 1}}, \
                    {\"uri\": \"urn:example:x:2.1\"}]";
        for rule in [
            "extensions-malformed",
            "extensions-misplaced",
            "extension-uri-missing",
            "extension-uri-invalid",
            "extension-uri-unversioned",
            "extension-uri-duplicate",
            "extension-required",
            "extension-params-large",
        ] {
            silent(rule, &extensions(well));
        }
    }
}
