//! Rules on how the document came: the path, the content type, and the bytes it is made of.

use super::super::facts::Shape;
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::report::{Report, quoted};

/// Beyond this a card is a burden for every client that polls it.
const LARGE_BYTES: usize = 1 << 20;
/// A model that is given the card reads about one token for four bytes.
const BYTES_PER_TOKEN: usize = 4;
const MANY_TOKENS: usize = 2000;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "json-invalid",
        Error,
        "RFC 8259",
        "Most clients read strict JSON: a comment or a trailing comma makes them refuse the whole card.",
        json_invalid,
    ),
    Rule::new(
        "not-utf8",
        Error,
        "RFC 8259 §8.1",
        "JSON between systems is UTF-8; readers refuse other bytes or replace them silently.",
        not_utf8,
    ),
    Rule::new(
        "byte-order-mark",
        Info,
        "RFC 8259 §8.1",
        "A byte order mark must not be added to JSON; some readers refuse it.",
        byte_order_mark,
    ),
    Rule::new(
        "duplicate-member",
        Warning,
        "RFC 8259 §4",
        "Readers differ on a member that is there twice: some take the last, some the first, some refuse the card.",
        duplicate_member,
    ),
    Rule::new(
        "card-large",
        Warning,
        "",
        "Clients limit the size of a card and fetch it often; more than 1 MiB is refused by some.",
        card_large,
    ),
    Rule::new(
        "card-many-tokens",
        Info,
        "",
        "Cards are given to language models to choose an agent by; a long one costs every such choice.",
        card_many_tokens,
    ),
    Rule::new(
        "legacy-path",
        Warning,
        "§8.2",
        "Since 0.3 the well-known path is agent-card.json; clients of today do not look at agent.json.",
        legacy_path,
    )
    .older("0.3 §5.3"),
    Rule::new(
        "content-type-not-json",
        Warning,
        "§8.2",
        "Clients and proxies that go by the content type do not read the card as JSON.",
        content_type_not_json,
    ),
    Rule::new(
        "redirect-cross-origin",
        Warning,
        "",
        "The card came from another origin than the one asked: who controls that one controls the card.",
        redirect_cross_origin,
    ),
    Rule::new(
        "fetched-in-plain-text",
        Warning,
        "§7.1",
        "Over plain http anyone on the way can change the card, its addresses and its login included.",
        fetched_in_plain_text,
    )
    .older("0.3 §4.1"),
];

fn json_invalid(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(fault) = card.inspection.document.fault() {
        report.at(card.root, || {
            format!(
                "The document is not JSON as it stands ({fault}); remove what JSON does not have, such as comments."
            )
        });
    }
}

fn not_utf8(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(offset) = card.inspection.document.not_utf8_at() {
        report.at(card.root, || format!("The byte at {offset} is not UTF-8; save and serve the card as UTF-8."));
    }
}

fn byte_order_mark(card: &Card<'_>, report: &mut Report<'_>) {
    if card.inspection.document.has_bom() {
        report.at(card.root, || "The document begins with a byte order mark; save it without one.".to_owned());
    }
}

fn duplicate_member(card: &Card<'_>, report: &mut Report<'_>) {
    for node in card.root.tree().duplicates() {
        report.at(node, || {
            let name = quoted(&node.key().unwrap_or_default());
            format!("The member {name} is there more than once in this object; keep the one that is meant.")
        });
    }
}

fn card_large(card: &Card<'_>, report: &mut Report<'_>) {
    let bytes = card.inspection.document.bytes().len();
    if bytes > LARGE_BYTES {
        report.at(card.root, || {
            let mebibytes = bytes as f64 / f64::from(1 << 20);
            format!(
                "The card is {mebibytes:.1} MiB large; move what clients do not need to choose the agent elsewhere."
            )
        });
    }
}

fn card_many_tokens(card: &Card<'_>, report: &mut Report<'_>) {
    let bytes = card.inspection.document.bytes().len();
    let tokens = bytes / BYTES_PER_TOKEN;
    if tokens >= MANY_TOKENS && bytes <= LARGE_BYTES {
        report.at(card.root, || {
            format!("The card is about {tokens} tokens long for a language model; shorter texts make choosing cheaper.")
        });
    }
}

fn legacy_path(card: &Card<'_>, report: &mut Report<'_>) {
    // Before 0.3 agent.json was the right place.
    let newer_than_0_2 = card.inspection.shape != Shape::V0_2;
    if card.inspection.origin.legacy_path && newer_than_0_2 && card.source().is_some() {
        report.at(card.root, || {
            "The card is served only at /.well-known/agent.json; serve it at /.well-known/agent-card.json as well."
                .to_owned()
        });
    }
}

fn content_type_not_json(card: &Card<'_>, report: &mut Report<'_>) {
    if card.source().is_none() {
        return;
    }
    let content_type = card.inspection.origin.content_type.as_deref();
    let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media_type.is_empty() {
        report.at(card.root, || "The answer has no Content-Type; send application/json.".to_owned());
    } else if media_type != "application/json" && media_type != "text/json" && !media_type.ends_with("+json") {
        report.at(card.root, || {
            format!("The card came as {}; send it with the Content-Type application/json.", quoted(&media_type))
        });
    }
}

fn redirect_cross_origin(card: &Card<'_>, report: &mut Report<'_>) {
    let requested = card.inspection.origin.requested_url.as_deref().and_then(|url| url::Url::parse(url).ok());
    let (Some(requested), Some(source)) = (requested, card.source()) else { return };
    let upgraded = requested.scheme() == "http" && source.scheme() == "https" && requested.host() == source.host();
    if requested.host().is_some() && requested.origin() != source.origin() && !upgraded {
        report.at(card.root, || {
            format!(
                "The request to {} was answered by {}; check that both belong to the same operator.",
                requested.origin().ascii_serialization(),
                source.origin().ascii_serialization()
            )
        });
    }
}

fn fetched_in_plain_text(card: &Card<'_>, report: &mut Report<'_>) {
    let Some(source) = card.source() else { return };
    if source.scheme() == "http" && !super::interface_urls::is_local(&source) {
        report.at(card.root, || {
            format!(
                "The card came over plain http from {}; serve it over https.",
                source.host_str().unwrap_or_default()
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::facts::Origin;
    use super::super::testing::{CARD, card_from, fires_on, silent_on};

    fn origin() -> Origin {
        Origin {
            requested_url: Some("https://a.example/.well-known/agent-card.json".to_owned()),
            final_url: Some("https://a.example/.well-known/agent-card.json".to_owned()),
            content_type: Some("application/json; charset=utf-8".to_owned()),
            ..Origin::default()
        }
    }

    const RULES: [&str; 4] = ["legacy-path", "content-type-not-json", "redirect-cross-origin", "fetched-in-plain-text"];

    #[test]
    fn http_facts_are_judged_only_where_there_was_http() {
        let well = card_from(CARD, origin());
        let file = card_from(CARD, Origin { requested_url: Some("/tmp/card.json".to_owned()), ..Origin::default() });
        let pasted = card_from(CARD, Origin::default());
        for rule in RULES {
            silent_on(rule, &well);
            silent_on(rule, &file);
            silent_on(rule, &pasted);
        }
    }

    #[test]
    fn each_http_fact_is_judged() {
        let http = |url: &str| Some(url.to_owned());
        for (rule, origin) in [
            ("legacy-path", Origin { legacy_path: true, ..origin() }),
            ("content-type-not-json", Origin { content_type: Some("text/html".to_owned()), ..origin() }),
            ("content-type-not-json", Origin { content_type: None, ..origin() }),
            ("redirect-cross-origin", Origin { final_url: http("https://b.example/card"), ..origin() }),
            ("fetched-in-plain-text", Origin { final_url: http("http://a.example/card"), ..origin() }),
        ] {
            fires_on(rule, &card_from(CARD, origin));
        }
        let upgraded = Origin { requested_url: http("http://a.example/card"), ..origin() };
        silent_on("redirect-cross-origin", &card_from(CARD, upgraded));
        let local = Origin { final_url: http("http://127.0.0.1:8080/card"), requested_url: None, ..origin() };
        silent_on("fetched-in-plain-text", &card_from(CARD, local));
    }

    #[test]
    fn bytes_are_judged_wherever_they_come_from() {
        let of = |text: &str| card_from(text, Origin::default());
        fires_on("json-invalid", &of(&CARD.replacen('{', "{ // mine\n", 1)));
        fires_on("byte-order-mark", &of(&format!("\u{feff}{CARD}")));
        fires_on("duplicate-member", &of(&CARD.replacen('{', "{\"name\": \"Older\",", 1)));
        let long = |bytes: usize| of(&CARD.replacen("Compares", &format!("{} Compares", "word ".repeat(bytes / 5)), 1));
        fires_on("card-large", &long(1_100_000));
        silent_on("card-many-tokens", &long(1_100_000));
        fires_on("card-many-tokens", &long(9000));
        for rule in
            ["json-invalid", "not-utf8", "byte-order-mark", "duplicate-member", "card-large", "card-many-tokens"]
        {
            silent_on(rule, &of(CARD));
        }
    }
}
