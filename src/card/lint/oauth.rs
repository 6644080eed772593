//! Rules on OAuth 2.0: the flows of a scheme, what each needs, and the addresses that logins go to.

use super::super::json::{Kind, Node};
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::report::{Report, listed, quoted};
use super::schema::field;
use super::schemes::{Notation, SchemeForm, has_text, notations, of_form};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "oauth-flows-missing",
        Error,
        "§4.5.4",
        "Without a flow there is no way to get a token.",
        oauth_flows_missing,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "oauth-flows-several",
        Warning,
        "§4.5.7",
        "1.0 allows one flow for each scheme; clients keep the last or refuse the card.",
        oauth_flows_several,
    ),
    Rule::new(
        "oauth-flow-incomplete",
        Error,
        "§4.5.7",
        "Each flow needs the addresses that it goes to.",
        oauth_flow_incomplete,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "oauth-scopes-missing",
        Warning,
        "§4.5.7",
        "The scopes are required, even if none exist; strict clients refuse the flow.",
        oauth_scopes_missing,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "oauth-flow-deprecated",
        Warning,
        "§4.5.7",
        "The implicit and password flows give tokens and passwords away too easily; 1.0 deprecates both.",
        oauth_flow_deprecated,
    ),
    Rule::new(
        "oauth-pkce-undeclared",
        Info,
        "§4.5.8",
        "PKCE protects the authorization code; it should be used by every client.",
        oauth_pkce_undeclared,
    ),
    Rule::new(
        "auth-url-not-https",
        Warning,
        "§4.5.4",
        "Logins go to this address; without TLS anyone on the way can read them.",
        auth_url_not_https,
    )
    .older("0.3 §5.5.3"),
];

fn oauth_flows_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for Notation { body, .. } in of_form(card, SchemeForm::OAuth2) {
        let flows = field(body, "flows");
        if flows.is_none_or(|flows| flows.kind() == Kind::Object && flows.child_count() == 0) {
            report.at(flows.unwrap_or(body), || {
                "The OAuth 2.0 scheme declares no flow; add one, such as \"clientCredentials\".".to_owned()
            });
        }
    }
}

/// What each flow needs (§4.5.8 to §4.5.10; OpenAPI for the deprecated ones).
const FLOWS: [(&str, &[&str]); 5] = [
    ("authorizationCode", &["authorizationUrl", "tokenUrl"]),
    ("clientCredentials", &["tokenUrl"]),
    ("deviceCode", &["deviceAuthorizationUrl", "tokenUrl"]),
    ("implicit", &["authorizationUrl"]),
    ("password", &["tokenUrl"]),
];

/// Every known flow of every OAuth 2.0 scheme: its name, what it needs, the flow, whether the scheme is wrapped.
fn flows<'c, 'a>(
    card: &'c Card<'a>,
) -> impl Iterator<Item = (&'static str, &'static [&'static str], Node<'a>, bool)> + use<'c, 'a> {
    of_form(card, SchemeForm::OAuth2)
        .filter_map(|notation| Some((field(notation.body, "flows")?, notation.wrapped)))
        .flat_map(|(flows, wrapped)| {
            FLOWS.iter().filter_map(move |(name, needs)| {
                let flow = field(flows, name).filter(|flow| flow.kind() == Kind::Object)?;
                Some((*name, *needs, flow, wrapped))
            })
        })
}

fn oauth_flows_several(card: &Card<'_>, report: &mut Report<'_>) {
    for Notation { body, .. } in of_form(card, SchemeForm::OAuth2).filter(|notation| notation.wrapped) {
        let Some(flows) = field(body, "flows") else { continue };
        let names: Vec<_> = FLOWS.iter().map(|(name, _)| *name).filter(|name| field(flows, name).is_some()).collect();
        if names.len() > 1 {
            report.at(flows, || {
                format!("The scheme has {} flows ({}); declare one scheme for each.", names.len(), listed(&names))
            });
        }
    }
}

fn oauth_flow_incomplete(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, needs, flow, _) in flows(card) {
        let missing: Vec<_> = needs.iter().filter(|need| !has_text(flow, need)).collect();
        if !missing.is_empty() {
            report.at(flow, || format!("The flow \"{name}\" has no {}; add what it needs.", listed(&missing)));
        }
    }
}

fn oauth_scopes_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, _, flow, _) in flows(card) {
        if field(flow, "scopes").is_none() {
            report.at(flow, || format!("The flow \"{name}\" has no \"scopes\"; list them, or write an empty object."));
        }
    }
}

fn oauth_flow_deprecated(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, _, flow, _) in flows(card) {
        if matches!(name, "implicit" | "password") {
            report.at(flow, || {
                format!("The flow \"{name}\" is deprecated; use \"authorizationCode\" with PKCE, or \"deviceCode\".")
            });
        }
    }
}

fn oauth_pkce_undeclared(card: &Card<'_>, report: &mut Report<'_>) {
    for (_, _, flow, _) in flows(card).filter(|(name, _, _, wrapped)| *name == "authorizationCode" && *wrapped) {
        if field(flow, "pkceRequired").and_then(|node| node.as_bool()) != Some(true) {
            report.at(flow, || {
                "The authorization code flow does not require PKCE; set \"pkceRequired\" to true.".to_owned()
            });
        }
    }
}

fn auth_url_not_https(card: &Card<'_>, report: &mut Report<'_>) {
    const OF_FLOWS: [&str; 4] = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"];
    const OF_SCHEMES: [&str; 2] = ["openIdConnectUrl", "oauth2MetadataUrl"];
    let of_flows = flows(card).flat_map(|(_, _, flow, _)| OF_FLOWS.iter().filter_map(move |name| field(flow, name)));
    let of_schemes =
        notations(card).flat_map(|notation| OF_SCHEMES.iter().filter_map(move |name| field(notation.body, name)));
    for node in of_flows.chain(of_schemes) {
        let Some(text) = node.as_str().filter(|text| !text.trim().is_empty()) else { continue };
        let is_safe = url::Url::parse(text.trim()).is_ok_and(|url| {
            url.scheme() == "https" || (url.scheme() == "http" && super::interface_urls::is_local(&url))
        });
        if !is_safe {
            report.at(node, || format!("{} is not an https address; logins need TLS.", quoted(&text)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{edited, fires, older, silent};

    fn newer(scheme: &str) -> String {
        edited("securitySchemes", &format!("{{\"s\": {scheme}}}"))
    }

    fn flat(scheme: &str) -> String {
        older("securitySchemes", &format!("{{\"s\": {scheme}}}"))
    }

    fn flow(flow: &str) -> String {
        newer(&format!("{{\"oauth2SecurityScheme\": {{\"flows\": {flow}}}}}"))
    }

    const AT: &str = "/securitySchemes/s";

    #[test]
    fn flows_have_what_they_need() {
        let at = |rest: &str| format!("{AT}/oauth2SecurityScheme{rest}");
        fires("oauth-flows-missing", &newer("{\"oauth2SecurityScheme\": {}}"), &at(""));
        fires("oauth-flows-missing", &flow("{}"), &at("/flows"));
        let client = "\"clientCredentials\": {\"tokenUrl\": \"https://a.example/token\", \"scopes\": {}}";
        let code = "\"authorizationCode\": {\"authorizationUrl\": \"https://a.example/login\", \
                    \"tokenUrl\": \"https://a.example/token\", \"scopes\": {\"read\": \"\"}, \"pkceRequired\": true}";
        fires("oauth-flows-several", &flow(&format!("{{{client}, {code}}}")), &at("/flows"));
        silent("oauth-flows-several", &flat(&format!("{{\"type\": \"oauth2\", \"flows\": {{{client}, {code}}}}}")));
        let device = "{\"deviceCode\": {\"tokenUrl\": \"https://a.example/token\", \"scopes\": {}}}";
        fires("oauth-flow-incomplete", &flow(device), &at("/flows/deviceCode"));
        fires(
            "oauth-scopes-missing",
            &flow("{\"clientCredentials\": {\"tokenUrl\": \"https://a.example\"}}"),
            &at("/flows/clientCredentials"),
        );
        let password = "{\"password\": {\"tokenUrl\": \"https://a.example/token\", \"scopes\": {}}}";
        fires("oauth-flow-deprecated", &flow(password), &at("/flows/password"));
        let without_pkce = format!("{{{}}}", code.replace(", \"pkceRequired\": true", ""));
        fires("oauth-pkce-undeclared", &flow(&without_pkce), &at("/flows/authorizationCode"));
        let plain = format!("{{{}}}", client.replace("https", "http"));
        fires("auth-url-not-https", &flow(&plain), &at("/flows/clientCredentials/tokenUrl"));
        for members in [client, code] {
            for rule in [
                "oauth-flows-missing",
                "oauth-flows-several",
                "oauth-flow-incomplete",
                "oauth-scopes-missing",
                "oauth-flow-deprecated",
                "oauth-pkce-undeclared",
                "auth-url-not-https",
            ] {
                silent(rule, &flow(&format!("{{{members}}}")));
            }
        }
    }
}
