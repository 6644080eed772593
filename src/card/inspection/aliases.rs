//! The other spellings under which members of a card are found: snake_case and the names of earlier releases.

use std::borrow::Cow;

/// Names that once stood for a member, or stand for it in widespread foreign output, besides its snake_case form.
/// Only names whose meaning is beyond doubt where the member is looked for are listed.
const HISTORIC: &[(&str, &[&str])] = &[
    // AgentInterface: 0.3 called the binding `transport`; a few cards call it `type`.
    ("protocolBinding", &["transport", "type"]),
    ("transport", &["protocolBinding", "protocol_binding", "type"]),
    ("protocolVersion", &["a2aVersion", "a2a_version"]),
    // AgentProvider.
    ("organization", &["name"]),
    // AgentCapabilities: drafts of 1.0 and hand-written cards.
    ("extendedAgentCard", &["authenticatedExtendedCard", "authenticated_extended_card", "supportsExtendedAgentCard"]),
    ("supportsAuthenticatedExtendedCard", &["supportsExtendedAgentCard", "supports_extended_agent_card"]),
    // Skills written with the words of the card.
    ("inputModes", &["defaultInputModes"]),
    ("outputModes", &["defaultOutputModes"]),
    // Security schemes: OpenAPI's words and A2A 1.0's; the short wrappers are the Go SDK's.
    ("location", &["in"]),
    ("in", &["location"]),
    ("apiKeySecurityScheme", &["apiKey", "api_key"]),
    ("httpAuthSecurityScheme", &["http", "httpSecurityScheme", "http_security_scheme"]),
    ("oauth2SecurityScheme", &["oauth2", "oAuth2SecurityScheme", "oauth2_security_scheme"]),
    ("openIdConnectSecurityScheme", &["openIdConnect"]),
    ("mtlsSecurityScheme", &["mutualTls", "mutualTLS", "mtls", "mutualTlsSecurityScheme"]),
];

/// The historic names of the member `canonical`.
pub(super) fn historic(canonical: &str) -> &'static [&'static str] {
    HISTORIC.iter().find(|(name, _)| *name == canonical).map_or(&[], |(_, aliases)| aliases)
}

/// Whether `written` is the camelCase name `canonical` in snake_case: the name in a2a.proto, which ProtoJSON readers
/// accept as well (§5.5).
pub(super) fn is_snake_case_of(written: &str, canonical: &str) -> bool {
    let mut rest = written.chars();
    let mut differs = false;
    for c in canonical.chars() {
        if c.is_ascii_uppercase() {
            if rest.next() != Some('_') {
                return false;
            }
            differs = true;
        }
        if rest.next() != Some(c.to_ascii_lowercase()) {
            return false;
        }
    }
    differs && rest.next().is_none()
}

/// A snake_case name in camelCase; borrowed if it has nothing to change.
pub(super) fn camel_case_of<'a>(name: &Cow<'a, str>) -> Cow<'a, str> {
    if !name.contains('_') {
        return name.clone();
    }
    let mut camel = String::with_capacity(name.len());
    let mut after_underscore = false;
    for c in name.chars() {
        match c {
            '_' => after_underscore = true,
            c if after_underscore => {
                camel.push(c.to_ascii_uppercase());
                after_underscore = false;
            }
            c => camel.push(c),
        }
    }
    Cow::Owned(camel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snake_case_is_recognised_without_being_confused_with_the_name_itself() {
        for (written, canonical) in [
            ("supported_interfaces", "supportedInterfaces"),
            ("oauth2_metadata_url", "oauth2MetadataUrl"),
            ("open_id_connect_url", "openIdConnectUrl"),
        ] {
            assert!(is_snake_case_of(written, canonical), "{written}");
        }
        for (written, canonical) in
            [("url", "url"), ("supportedinterfaces", "supportedInterfaces"), ("icon_url_", "iconUrl")]
        {
            assert!(!is_snake_case_of(written, canonical), "{written}");
        }
    }
}
