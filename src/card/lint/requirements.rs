//! Rules on security requirements: that they name declared schemes and scopes, in the card's notation.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::json::{Kind, Node};
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::report::{Report, listed, quoted};
use super::schema::field;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "security-requirement-undeclared",
        Error,
        "§4.5.1",
        "A client cannot meet a requirement whose scheme the card does not describe.",
        security_requirement_undeclared,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-requirement-flat",
        Error,
        "§4.4.1",
        "1.0 puts the names into schemes; a client that looks there finds nothing and believes nothing is required.",
        security_requirement_flat,
    ),
    Rule::new(
        "security-requirement-scope-list",
        Info,
        "§4.4.1",
        "Scopes as a plain list are one SDK's notation; others expect them in an object with a list.",
        security_requirement_scope_list,
    ),
    Rule::new(
        "security-older-name",
        Warning,
        "§4.4.1",
        "1.0 reads securityRequirements; a client that reads only that believes nothing is required.",
        security_older_name,
    ),
    Rule::new(
        "security-newer-name",
        Warning,
        "",
        "Clients of before 1.0 read security; they believe nothing is required.",
        security_newer_name,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "security-scope-unknown",
        Warning,
        "§4.5.7",
        "The scheme does not offer the scope, so that no token will have it.",
        security_scope_unknown,
    )
    .older("0.3 §5.5.3"),
    Rule::new(
        "security-requirements-missing",
        Warning,
        "§7.3",
        "Schemes are declared but none is required, so that a client does not know whether to log in.",
        security_requirements_missing,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "security-scheme-unused",
        Warning,
        "§7.3",
        "No requirement names the scheme; clients will not use it.",
        security_scheme_unused,
    )
    .older("0.3 §5.5"),
    Rule::new("security-none", Info, "§7.3", "Everyone who reaches the agent can use it.", security_none)
        .older("0.3 §4.3"),
    Rule::new(
        "security-anonymous",
        Info,
        "§4.4.1",
        "An empty alternative can be met by everyone, so that the others are optional.",
        security_anonymous,
    )
    .older("0.3 §5.5"),
];

/// How the names of an alternative are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    /// `{"schemes": {"name": {"list": []}}}`.
    Wrapped,
    /// `{"name": []}`.
    Flat,
}

/// One sufficient set of schemes.
struct Alternative<'a> {
    node: Node<'a>,
    /// Stands in a member called `securityRequirements`.
    newer: bool,
    writing: Writing,
    /// The schemes, with what stands for their scopes.
    schemes: Vec<(Cow<'a, str>, Node<'a>)>,
}

/// Every alternative of the card and of its skills.
fn alternatives<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = Alternative<'a>> + use<'c, 'a> {
    const NAMES: [(&str, bool); 2] = [("securityRequirements", true), ("security", false)];
    let of_card = NAMES.into_iter().map(|(name, newer)| (card.field(name), newer));
    let of_skills = card.skills.iter().flat_map(|skill| NAMES.map(|(name, newer)| (field(*skill, name), newer)));
    of_card.chain(of_skills).flat_map(|(list, newer)| {
        let items = list.into_iter().flat_map(|list| list.items());
        items.filter(|item| item.kind() == Kind::Object).map(move |item| alternative(item, newer))
    })
}

fn alternative(node: Node<'_>, newer: bool) -> Alternative<'_> {
    let inner = node.get("schemes").filter(|inner| inner.kind() == Kind::Object);
    let writing = if inner.is_some() { Writing::Wrapped } else { Writing::Flat };
    Alternative { node, newer, writing, schemes: inner.unwrap_or(node).members().collect() }
}

/// The scopes in either notation.
fn scopes(value: Node<'_>) -> impl Iterator<Item = (Node<'_>, Cow<'_, str>)> {
    let list = if value.kind() == Kind::Object { value.get("list") } else { Some(value) };
    list.into_iter().flat_map(|list| list.items()).filter_map(|item| Some((item, item.as_str()?)))
}

fn security_requirement_undeclared(card: &Card<'_>, report: &mut Report<'_>) {
    for alternative in alternatives(card) {
        for (name, value) in &alternative.schemes {
            if card.scheme_names.contains(name) {
                continue;
            }
            report.at(*value, || {
                let names: Vec<_> = card.schemes.iter().map(|(name, _)| name).collect();
                let declared = if names.is_empty() {
                    "securitySchemes declares none".to_owned()
                } else {
                    format!("securitySchemes declares {}", listed(&names))
                };
                format!("The scheme {} is required but not declared; {declared}.", quoted(name))
            });
        }
    }
}

fn security_requirement_flat(card: &Card<'_>, report: &mut Report<'_>) {
    for alternative in alternatives(card) {
        if alternative.newer && alternative.writing == Writing::Flat && !alternative.schemes.is_empty() {
            report.at(alternative.node, || {
                let name = alternative.schemes.first().map(|(name, _)| quoted(name)).unwrap_or_default();
                format!(
                    "The requirement is in the notation of 0.3; write {{\"schemes\": {{{name}: {{\"list\": []}}}}}}."
                )
            });
        }
    }
}

fn security_requirement_scope_list(card: &Card<'_>, report: &mut Report<'_>) {
    let wrapped = alternatives(card).filter(|alternative| alternative.newer && alternative.writing == Writing::Wrapped);
    for (name, value) in wrapped.flat_map(|alternative| alternative.schemes) {
        if value.kind() == Kind::Array {
            report.at(value, || {
                format!("The scopes of {} are a plain list; most SDKs write {{\"list\": […]}}.", quoted(&name))
            });
        }
    }
}

fn security_older_name(card: &Card<'_>, report: &mut Report<'_>) {
    if !card.newer {
        return;
    }
    let of_card = (card.field("security"), card.field("securityRequirements"));
    let of_skills = card.skills.iter().map(|skill| (field(*skill, "security"), field(*skill, "securityRequirements")));
    for (security, requirements) in std::iter::once(of_card).chain(of_skills) {
        let security = security.filter(|list| list.child_count() > 0);
        if let Some(node) = security.filter(|_| requirements.is_none()) {
            report.at(node, || {
                "\"security\" is the name of before 1.0; for 1.0 write \"securityRequirements\" with \"schemes\"."
                    .to_owned()
            });
        }
    }
}

fn security_newer_name(card: &Card<'_>, report: &mut Report<'_>) {
    if card.newer {
        return;
    }
    let requirements = card.field("securityRequirements").filter(|_| card.field("security").is_none());
    if let Some(node) = requirements {
        report.at(node, || {
            "\"securityRequirements\" is the name of 1.0; this card's clients read \"security\".".to_owned()
        });
    }
}

/// The scopes that an OAuth 2.0 scheme offers in any flow and notation; `None` if it lists none.
fn offered(scheme: Node<'_>) -> Option<HashSet<Cow<'_, str>>> {
    let bodies = [Some(scheme), field(scheme, "oauth2SecurityScheme")];
    let flows = bodies.into_iter().flatten().filter_map(|body| field(body, "flows"));
    let maps = flows.flat_map(|flows| flows.children()).filter_map(|flow| field(flow, "scopes"));
    let names: HashSet<_> = maps.flat_map(|map| map.members()).map(|(name, _)| name).collect();
    (!names.is_empty()).then_some(names)
}

fn security_scope_unknown(card: &Card<'_>, report: &mut Report<'_>) {
    let offered: HashMap<_, _> =
        card.schemes.iter().filter_map(|(name, scheme)| Some((name, offered(*scheme)?))).collect();
    for (name, value) in alternatives(card).flat_map(|alternative| alternative.schemes) {
        let Some(names) = offered.get(&name) else { continue };
        for (node, scope) in scopes(value).filter(|(_, scope)| !names.contains(scope)) {
            report.at(node, || {
                format!("The scope {} is required, but {} does not offer it.", quoted(&scope), quoted(&name))
            });
        }
    }
}

/// Whether anything is said about what is required, be it that nothing is.
fn says_requirements(card: &Card<'_>) -> bool {
    alternatives(card).next().is_some()
}

fn security_requirements_missing(card: &Card<'_>, report: &mut Report<'_>) {
    let explicit = card.field("securityRequirements").or_else(|| card.field("security")).is_some();
    if let Some((_, first)) = card.schemes.first()
        && !explicit
        && !says_requirements(card)
    {
        let schemes = first.parent().unwrap_or(card.root);
        report.at(schemes, || {
            let member = if card.newer { "securityRequirements" } else { "security" };
            format!(
                "Security schemes are declared but none is required; say in \"{member}\" which a client has to use."
            )
        });
    }
}

fn security_scheme_unused(card: &Card<'_>, report: &mut Report<'_>) {
    if !says_requirements(card) {
        return;
    }
    let used: HashSet<_> =
        alternatives(card).flat_map(|alternative| alternative.schemes).map(|(name, _)| name).collect();
    for (name, scheme) in card.schemes.iter().filter(|(name, _)| !used.contains(name)) {
        report.at(*scheme, || format!("The scheme {} is never required; require it or leave it out.", quoted(name)));
    }
}

fn security_none(card: &Card<'_>, report: &mut Report<'_>) {
    if card.schemes.is_empty() && card.field("authentication").is_none() && !says_requirements(card) {
        report.at(card.root, || {
            "The card declares no authentication; everyone who reaches the agent can use it.".to_owned()
        });
    }
}

fn security_anonymous(card: &Card<'_>, report: &mut Report<'_>) {
    for alternative in alternatives(card).filter(|alternative| alternative.schemes.is_empty()) {
        report.at(alternative.node, || {
            "An empty alternative allows use without any credentials; remove it if that is not meant.".to_owned()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, OLDER_CARD, edited, fires, older, only, silent};

    const BEARER: &str = r#"{"b": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}}"#;
    const OAUTH: &str = r#"{"o": {"oauth2SecurityScheme": {"flows": {"clientCredentials": {
        "tokenUrl": "https://a.example/token", "scopes": {"read": "Read"}}}}}}"#;

    fn newer(schemes: &str, requirements: &str) -> String {
        edited("securitySchemes", &format!("{schemes}, \"securityRequirements\": {requirements}"))
    }

    fn flat(requirements: &str) -> String {
        older(
            "securitySchemes",
            &format!("{{\"b\": {{\"type\": \"http\", \"scheme\": \"bearer\"}}}}, \"security\": {requirements}"),
        )
    }

    #[test]
    fn requirements_name_declared_schemes() {
        let at = "/securityRequirements/0/schemes/c";
        fires("security-requirement-undeclared", &newer(BEARER, r#"[{"schemes": {"c": {"list": []}}}]"#), at);
        fires("security-requirement-undeclared", &newer("{}", r#"[{"schemes": {"c": {}}}]"#), at);
        fires("security-requirement-undeclared", &flat(r#"[{"c": []}]"#), "/security/0/c");
        let skill = CARD.replace("\"tags\":", "\"securityRequirements\": [{\"schemes\": {\"c\": {}}}], \"tags\":");
        fires("security-requirement-undeclared", &skill, "/skills/0/securityRequirements/0/schemes/c");
        let scope = newer(OAUTH, r#"[{"schemes": {"o": {"list": ["read", "write"]}}}]"#);
        fires("security-scope-unknown", &scope, "/securityRequirements/0/schemes/o/list/1");
        let well = [
            newer(BEARER, r#"[{"schemes": {"b": {"list": []}}}]"#),
            newer(BEARER, r#"[{"schemes": {"b": {}}}]"#),
            newer(OAUTH, r#"[{"schemes": {"o": {"list": ["read"]}}}]"#),
            flat(r#"[{"b": []}]"#),
        ];
        for text in &well {
            for rule in [
                "security-requirement-undeclared",
                "security-scope-unknown",
                "security-requirement-flat",
                "security-requirement-scope-list",
                "security-older-name",
                "security-newer-name",
                "security-requirements-missing",
                "security-scheme-unused",
                "security-none",
                "security-anonymous",
            ] {
                silent(rule, text);
            }
        }
    }

    #[test]
    fn notations_fit_the_release() {
        only("security-requirement-flat", "security-requirement-undeclared", &newer(BEARER, r#"[{"b": []}]"#));
        let list = newer(BEARER, r#"[{"schemes": {"b": ["x"]}}]"#);
        fires("security-requirement-scope-list", &list, "/securityRequirements/0/schemes/b");
        let old_name = edited("securitySchemes", &format!("{BEARER}, \"security\": [{{\"b\": []}}]"));
        fires("security-older-name", &old_name, "/security");
        silent("security-scheme-unused", &old_name);
        let new_name = older("securityRequirements", r#"[{"schemes": {}}]"#);
        fires("security-newer-name", &new_name, "/securityRequirements");
    }

    #[test]
    fn what_is_required_is_said() {
        fires("security-requirements-missing", &edited("securitySchemes", BEARER), "/securitySchemes");
        silent("security-requirements-missing", &newer(BEARER, "[]"));
        let two = BEARER.replacen('{', "{\"x\": {\"mtlsSecurityScheme\": {}}, ", 1);
        let requirement = r#"[{"schemes": {"b": {}}}]"#;
        fires("security-scheme-unused", &newer(&two, requirement), "/securitySchemes/x");
        fires("security-none", CARD, "");
        fires("security-none", OLDER_CARD, "");
        fires("security-anonymous", &newer(BEARER, r#"[{}, {"schemes": {"b": {}}}]"#), "/securityRequirements/0");
        fires("security-anonymous", &flat("[{}]"), "/security/0");
    }
}
