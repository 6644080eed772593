//! Rules on security schemes: that each is one of the five kinds, in the card's notation, and complete.

use super::super::json::{Kind, Node};
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::report::{Report, listed, quoted};
use super::schema::{field, text_field};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "security-schemes-malformed",
        Error,
        "§4.5.1",
        "Schemes are an object of named objects; typed clients refuse the card for anything else.",
        security_schemes_malformed,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-scheme-kind",
        Error,
        "§4.5.1",
        "A scheme is exactly one of the five kinds; with none or two a client does not know how to log in.",
        security_scheme_kind,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-scheme-type-unknown",
        Error,
        "§4.5.1",
        "Clients know five types of scheme; some refuse the whole card for another one.",
        security_scheme_type_unknown,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-scheme-none",
        Warning,
        "§4.5.1",
        "That nothing is needed is said by declaring nothing; \"none\" is a type that clients do not know.",
        security_scheme_none,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-scheme-older-notation",
        Warning,
        "§4.5.1",
        "1.0 wraps each kind in a member of its own; clients that read only that find no kind at all.",
        security_scheme_older_notation,
    ),
    Rule::new(
        "security-scheme-newer-notation",
        Warning,
        "",
        "Clients of before 1.0 look for the member type and find none.",
        security_scheme_newer_notation,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-scheme-notations-differ",
        Warning,
        "§4.5.1",
        "The scheme is declared in both notations, and old and new clients will log in differently.",
        security_scheme_notations_differ,
    ),
    Rule::new(
        "api-key-incomplete",
        Error,
        "§4.5.2",
        "A client has to know under which name and in which place the key is sent.",
        api_key_incomplete,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "http-scheme-missing",
        Error,
        "§4.5.3",
        "Without the scheme's name a client cannot write the Authorization header.",
        http_scheme_missing,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "bearer-format-missing",
        Info,
        "§4.5.3",
        "The format, such as JWT, tells people what kind of token is wanted.",
        bearer_format_missing,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "oidc-url-missing",
        Error,
        "§4.5.5",
        "Everything about an OpenID Connect login is found at its discovery URL.",
        oidc_url_missing,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "authentication-older",
        Info,
        "",
        "Releases before 0.2 described the login there; clients of today read securitySchemes.",
        authentication_older,
    ),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemeForm {
    ApiKey,
    Http,
    OAuth2,
    OpenIdConnect,
    MutualTls,
}

/// Wrapper of 1.0, type of before.
const FORMS: [(SchemeForm, &str, &str); 5] = [
    (SchemeForm::ApiKey, "apiKeySecurityScheme", "apiKey"),
    (SchemeForm::Http, "httpAuthSecurityScheme", "http"),
    (SchemeForm::OAuth2, "oauth2SecurityScheme", "oauth2"),
    (SchemeForm::OpenIdConnect, "openIdConnectSecurityScheme", "openIdConnect"),
    (SchemeForm::MutualTls, "mtlsSecurityScheme", "mutualTLS"),
];

/// One notation of a scheme: the object in which its members stand.
pub(super) struct Notation<'a> {
    pub(super) form: SchemeForm,
    pub(super) body: Node<'a>,
    /// Wrapped as in 1.0, not flat.
    pub(super) wrapped: bool,
}

/// The schemes that are objects, by name.
fn schemes<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = (&'c str, Node<'a>)> {
    card.schemes.iter().map(|(name, node)| (&**name, *node)).filter(|(_, node)| node.kind() == Kind::Object)
}

fn wrapped(scheme: Node<'_>) -> Vec<Notation<'_>> {
    let body = |wrapper| field(scheme, wrapper).filter(|body| body.kind() == Kind::Object);
    FORMS
        .iter()
        .filter_map(|&(form, wrapper, _)| Some(Notation { form, body: body(wrapper)?, wrapped: true }))
        .collect()
}

fn flat(scheme: Node<'_>) -> Option<Notation<'_>> {
    let kind = text_field(scheme, "type")?;
    let (form, ..) = FORMS.iter().find(|(_, _, known)| kind == *known)?;
    Some(Notation { form: *form, body: scheme, wrapped: false })
}

/// What each scheme says: wrapped, or flat where that is all there is. Where both are there, they have to agree.
pub(super) fn notations<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = Notation<'a>> + use<'c, 'a> {
    schemes(card).flat_map(|(_, scheme)| {
        let mut notations = wrapped(scheme);
        if notations.is_empty() {
            notations.extend(flat(scheme));
        }
        notations
    })
}

pub(super) fn of_form<'c, 'a>(
    card: &'c Card<'a>,
    form: SchemeForm,
) -> impl Iterator<Item = Notation<'a>> + use<'c, 'a> {
    notations(card).filter(move |notation| notation.form == form)
}

/// Whether the string member is there with something in it.
pub(super) fn has_text(object: Node<'_>, name: &str) -> bool {
    text_field(object, name).is_some_and(|text| !text.trim().is_empty())
}

fn security_schemes_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    let mistyped = card.differences.mistyped.iter();
    for place in mistyped.filter(|place| place.owner.name == "AgentCard" && place.member.name == "securitySchemes") {
        report.at(place.node, || {
            format!(
                "\"securitySchemes\" must be an object of named schemes, but {} stands here.",
                place.node.kind().with_article()
            )
        });
    }
}

fn security_scheme_kind(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, scheme) in schemes(card) {
        let wrappers = wrapped(scheme).len();
        if wrappers > 1 {
            report.at(scheme, || {
                format!("The scheme {} is of {wrappers} kinds at once; declare one scheme for each.", quoted(name))
            });
        } else if wrappers == 0 && field(scheme, "type").is_none() {
            let how = if card.newer {
                listed(&FORMS.map(|(_, wrapper, _)| wrapper))
            } else {
                format!("the member \"type\" with {}", listed(&FORMS.map(|(_, _, kind)| kind)))
            };
            report.at(scheme, || format!("The scheme {} says no kind; use one of {how}.", quoted(name)));
        }
    }
}

fn is_none(kind: &str) -> bool {
    matches!(kind.trim().to_ascii_lowercase().as_str(), "none" | "noauth" | "anonymous")
}

fn security_scheme_type_unknown(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, scheme) in schemes(card).filter(|(_, scheme)| wrapped(*scheme).is_empty()) {
        if let Some(kind) = text_field(scheme, "type")
            && flat(scheme).is_none()
            && !is_none(&kind)
        {
            report.at(field(scheme, "type").unwrap_or(scheme), || {
                let kinds = listed(&FORMS.map(|(_, _, kind)| kind));
                format!("The scheme {} has the unknown type {}; use one of {kinds}.", quoted(name), quoted(&kind))
            });
        }
    }
}

fn security_scheme_none(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, scheme) in schemes(card).filter(|(_, scheme)| wrapped(*scheme).is_empty()) {
        if text_field(scheme, "type").is_some_and(|kind| is_none(&kind)) {
            report.at(scheme, || {
                format!("The scheme {} stands for no authentication; leave it out instead.", quoted(name))
            });
        }
    }
}

fn security_scheme_older_notation(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, scheme) in schemes(card).filter(|_| card.newer) {
        if let Some(notation) = flat(scheme).filter(|_| wrapped(scheme).is_empty()) {
            let wrapper = FORMS.iter().find(|(form, ..)| *form == notation.form).map_or("", |(_, wrapper, _)| wrapper);
            report.at(scheme, || {
                format!("The scheme {} is in the notation of 0.3; put its members into \"{wrapper}\".", quoted(name))
            });
        }
    }
}

fn security_scheme_newer_notation(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, scheme) in schemes(card).filter(|_| !card.newer) {
        if field(scheme, "type").is_none() && !wrapped(scheme).is_empty() {
            report.at(scheme, || {
                format!("The scheme {} is in the notation of 1.0; this card's clients need \"type\".", quoted(name))
            });
        }
    }
}

fn security_scheme_notations_differ(card: &Card<'_>, report: &mut Report<'_>) {
    for (name, scheme) in schemes(card) {
        let (Some(flat), [wrapped]) = (flat(scheme), &wrapped(scheme)[..]) else { continue };
        let differs = |older: &str, newer: &str| {
            let (older, newer) = (text_field(flat.body, older), text_field(wrapped.body, newer));
            !older.unwrap_or_default().eq_ignore_ascii_case(&newer.unwrap_or_default())
        };
        let pairs =
            [("in", "location"), ("name", "name"), ("scheme", "scheme"), ("openIdConnectUrl", "openIdConnectUrl")];
        if flat.form != wrapped.form || pairs.iter().any(|(older, newer)| differs(older, newer)) {
            report.at(scheme, || {
                format!(
                    "The scheme {} is declared twice, and the notations say different things; make them agree.",
                    quoted(name)
                )
            });
        }
    }
}

fn api_key_incomplete(card: &Card<'_>, report: &mut Report<'_>) {
    for Notation { body, wrapped, .. } in of_form(card, SchemeForm::ApiKey) {
        let place = if wrapped { "location" } else { "in" };
        let location = text_field(body, place);
        if !has_text(body, "name") {
            report.at(body, || "The API key scheme has no \"name\"; say which header, parameter or cookie.".to_owned());
        }
        match location.as_deref() {
            Some("header" | "query" | "cookie") => {}
            Some(other) => report.at(field(body, place).unwrap_or(body), || {
                format!("An API key is sent in \"header\", \"query\" or \"cookie\", not in {}.", quoted(other))
            }),
            None => report.at(body, || {
                format!("The API key scheme has no \"{place}\"; say \"header\", \"query\" or \"cookie\".")
            }),
        }
    }
}

fn http_scheme_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for Notation { body, .. } in of_form(card, SchemeForm::Http) {
        if !has_text(body, "scheme") {
            report.at(body, || "The HTTP scheme has no \"scheme\"; name it, such as \"Bearer\".".to_owned());
        }
    }
}

fn bearer_format_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for Notation { body, .. } in of_form(card, SchemeForm::Http) {
        let is_bearer = text_field(body, "scheme").is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"));
        if is_bearer && !has_text(body, "bearerFormat") {
            report.at(body, || {
                "The bearer token's format is not said; add \"bearerFormat\", such as \"JWT\".".to_owned()
            });
        }
    }
}

fn oidc_url_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for Notation { body, .. } in of_form(card, SchemeForm::OpenIdConnect) {
        if !has_text(body, "openIdConnectUrl") {
            report.at(body, || {
                "The OpenID Connect scheme has no \"openIdConnectUrl\"; add its discovery URL.".to_owned()
            });
        }
    }
}

fn authentication_older(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(node) = card.field("authentication") {
        report.at(node, || {
            "\"authentication\" is of before 0.2; declare securitySchemes and what is required of them.".to_owned()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, OLDER_CARD, edited, fires, older, only, silent};

    fn newer(scheme: &str) -> String {
        edited("securitySchemes", &format!("{{\"s\": {scheme}}}"))
    }

    fn flat(scheme: &str) -> String {
        older("securitySchemes", &format!("{{\"s\": {scheme}}}"))
    }

    const AT: &str = "/securitySchemes/s";

    #[test]
    fn a_scheme_is_one_of_five_kinds() {
        fires("security-schemes-malformed", &edited("securitySchemes", "[]"), "/securitySchemes");
        fires("security-schemes-malformed", &newer("\"bearer\""), AT);
        fires("security-scheme-kind", &newer("{}"), AT);
        fires(
            "security-scheme-kind",
            &newer("{\"mtlsSecurityScheme\": {}, \"httpAuthSecurityScheme\": {\"scheme\": \"Basic\"}}"),
            AT,
        );
        fires("security-scheme-kind", &flat("{\"in\": \"header\", \"name\": \"X\"}"), AT);
        fires("security-scheme-type-unknown", &flat("{\"type\": \"x402\"}"), &format!("{AT}/type"));
        fires("security-scheme-none", &flat("{\"type\": \"none\"}"), AT);
        silent("security-scheme-type-unknown", &flat("{\"type\": \"none\"}"));
        let bearer = "{\"type\": \"http\", \"scheme\": \"bearer\", \"bearerFormat\": \"JWT\"}";
        only("security-scheme-older-notation", "security-scheme-kind", &newer(bearer));
        silent("security-scheme-older-notation", &flat(bearer));
        let wrapped = "{\"httpAuthSecurityScheme\": {\"scheme\": \"Bearer\", \"bearerFormat\": \"JWT\"}}";
        only("security-scheme-newer-notation", "security-scheme-kind", &flat(wrapped));
        for text in [&newer(wrapped), &flat(bearer), CARD, OLDER_CARD] {
            for rule in [
                "security-schemes-malformed",
                "security-scheme-kind",
                "security-scheme-type-unknown",
                "security-scheme-none",
                "security-scheme-older-notation",
                "security-scheme-newer-notation",
            ] {
                silent(rule, text);
            }
        }
    }

    #[test]
    fn two_notations_agree() {
        let both = |scheme: &str| {
            newer(&format!(
                "{{\"httpAuthSecurityScheme\": {{\"scheme\": \"Bearer\"}}, \"type\": \"http\", \"scheme\": \"{scheme}\"}}"
            ))
        };
        silent("security-scheme-notations-differ", &both("bearer"));
        silent("security-scheme-kind", &both("bearer"));
        fires("security-scheme-notations-differ", &both("Basic"), AT);
        // The third notation, with short nested names.
        let third = "{\"type\": \"apiKey\", \"in\": \"header\", \"name\": \"X-K\", \
                     \"apiKey\": {\"location\": \"header\", \"name\": \"X-K\"}}";
        for rule in ["security-scheme-kind", "api-key-incomplete", "unknown-nested-members"] {
            silent(rule, &newer(third));
        }
    }

    #[test]
    fn schemes_are_complete() {
        let key = |members: &str| newer(&format!("{{\"apiKeySecurityScheme\": {{{members}}}}}"));
        let body = format!("{AT}/apiKeySecurityScheme");
        fires("api-key-incomplete", &key("\"location\": \"header\""), &body);
        fires("api-key-incomplete", &key("\"name\": \"X-Key\""), &body);
        fires("api-key-incomplete", &key("\"name\": \"X-Key\", \"in\": \"header\""), &body);
        fires("api-key-incomplete", &key("\"name\": \"X-Key\", \"location\": \"body\""), &format!("{body}/location"));
        fires("api-key-incomplete", &flat("{\"type\": \"apiKey\", \"name\": \"X-Key\"}"), AT);
        silent("api-key-incomplete", &key("\"name\": \"X-Key\", \"location\": \"cookie\""));
        silent("api-key-incomplete", &flat("{\"type\": \"apiKey\", \"name\": \"X-Key\", \"in\": \"query\"}"));

        let http = |members: &str| newer(&format!("{{\"httpAuthSecurityScheme\": {{{members}}}}}"));
        let body = format!("{AT}/httpAuthSecurityScheme");
        fires("http-scheme-missing", &http(""), &body);
        fires("bearer-format-missing", &http("\"scheme\": \"Bearer\""), &body);
        silent("bearer-format-missing", &http("\"scheme\": \"Basic\""));
        silent("bearer-format-missing", &http("\"scheme\": \"Bearer\", \"bearerFormat\": \"JWT\""));
        silent("http-scheme-missing", &http("\"scheme\": \"Basic\""));

        let oidc = |members: &str| newer(&format!("{{\"openIdConnectSecurityScheme\": {{{members}}}}}"));
        fires("oidc-url-missing", &oidc(""), &format!("{AT}/openIdConnectSecurityScheme"));
        let url = |url: &str| oidc(&format!("\"openIdConnectUrl\": \"{url}\""));
        silent("oidc-url-missing", &url("https://a.example/.well-known/openid-configuration"));
        silent("auth-url-not-https", &url("https://a.example/.well-known/openid-configuration"));
        silent("auth-url-not-https", &url("http://localhost:8080/.well-known/openid-configuration"));
        fires(
            "auth-url-not-https",
            &url("http://a.example/x"),
            &format!("{AT}/openIdConnectSecurityScheme/openIdConnectUrl"),
        );

        fires("authentication-older", &older("authentication", "{\"schemes\": [\"Bearer\"]}"), "/authentication");
        silent("authentication-older", OLDER_CARD);
    }
}
