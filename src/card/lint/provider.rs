//! Rules on the provider and on the card's links.

use super::Rule;
use super::Severity::{Error, Hint, Warning};
use super::card::Card;
use super::report::{Report, listed, quoted};
use super::schema::field;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "provider-incomplete",
        Error,
        "§4.4.2",
        "A provider has an organization and a url; strict clients refuse the card without them.",
        provider_incomplete,
    )
    .older("0.3 §5.5.1"),
    Rule::new(
        "link-invalid",
        Warning,
        "§4.4.1",
        "People follow these links to learn who offers the agent and how it is used.",
        link_invalid,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "optional-links-missing",
        Hint,
        "§4.4.1",
        "A provider, documentation and an icon help people to recognise and trust an agent.",
        optional_links_missing,
    )
    .older("0.3 §5.5"),
];

fn provider_incomplete(card: &Card<'_>, report: &mut Report<'_>) {
    for place in card.differences.missing.iter().filter(|place| place.owner.name == "AgentProvider") {
        let name = place.member.name;
        report.at(place.node, || {
            if name == "organization" && field(place.node, "name").is_some() {
                "The provider has \"name\" where the specification has \"organization\"; rename it.".to_owned()
            } else {
                format!("The provider has no \"{name}\", which is required; add it.")
            }
        });
    }
    let Some(provider) = card.field("provider") else { return };
    for name in ["organization", "url"] {
        let blank = field(provider, name).filter(|node| node.as_str().is_some_and(|text| text.trim().is_empty()));
        if let Some(node) = blank {
            report.at(node, || format!("The provider's \"{name}\" is blank; fill it in."));
        }
    }
}

fn link_invalid(card: &Card<'_>, report: &mut Report<'_>) {
    let provider_url = card.field("provider").and_then(|provider| field(provider, "url"));
    let links = [
        ("url", provider_url),
        ("documentationUrl", card.field("documentationUrl")),
        ("iconUrl", card.field("iconUrl")),
    ];
    for (name, node) in links {
        let Some(node) = node else { continue };
        let Some(text) = node.as_str().filter(|text| !text.trim().is_empty()) else { continue };
        let has_placeholder = text.contains(['{', '}', '<', '>']) && !text.starts_with("data:");
        let is_link = url::Url::parse(text.trim()).is_ok_and(|url| match url.scheme() {
            "http" | "https" => url.has_host(),
            "data" => name == "iconUrl",
            "mailto" => name == "url",
            _ => false,
        });
        if !is_link || has_placeholder {
            report.at(node, || {
                format!("\"{name}\" is {}, which is no web address; write it with https://.", quoted(&text))
            });
        }
    }
}

fn optional_links_missing(card: &Card<'_>, report: &mut Report<'_>) {
    let missing: Vec<_> =
        ["provider", "documentationUrl", "iconUrl"].into_iter().filter(|name| card.field(name).is_none()).collect();
    if !missing.is_empty() {
        report.at(card.root, || format!("The card has no {}; consider adding what there is.", listed(&missing)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, OLDER_CARD, edited, fires, older, silent};

    #[test]
    fn a_provider_is_complete() {
        let provider = |value: &str| edited("provider", value);
        fires("provider-incomplete", &provider("{\"organization\": \"Z\"}"), "/provider");
        let finding =
            fires("provider-incomplete", &provider("{\"name\": \"Z\", \"url\": \"https://z.example\"}"), "/provider");
        assert!(finding.message.contains("rename"));
        fires("provider-incomplete", &older("provider", "{\"url\": \"https://z.example\"}"), "/provider");
        fires(
            "provider-incomplete",
            &provider("{\"organization\": \"\", \"url\": \"https://z.example\"}"),
            "/provider/organization",
        );
        silent("provider-incomplete", &provider("{\"organization\": \"Z\", \"url\": \"https://z.example\"}"));
        silent("provider-incomplete", CARD);
        silent("provider-incomplete", OLDER_CARD);
    }

    #[test]
    fn links_lead_somewhere() {
        fires("link-invalid", &edited("documentationUrl", "\"docs/index.html\""), "/documentationUrl");
        fires("link-invalid", &edited("iconUrl", "\"{BASE_URL}/icon.png\""), "/iconUrl");
        fires("link-invalid", &edited("iconUrl", "\"https://{host}/icon.png\""), "/iconUrl");
        for text in [
            edited("iconUrl", "\"data:image/svg+xml,<svg/>\""),
            edited("documentationUrl", "\"http://docs.a.example/\""),
            edited("provider", "{\"organization\": \"Z\", \"url\": \"https://z.example\"}"),
        ] {
            silent("link-invalid", &text);
        }
        let all = "{\"organization\": \"Z\", \"url\": \"https://z.example\"}, \"documentationUrl\": \
                   \"https://z.example/docs\", \"iconUrl\": \"https://z.example/i.png\"";
        fires("optional-links-missing", CARD, "");
        silent("optional-links-missing", &edited("provider", all));
    }
}
