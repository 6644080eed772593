//! Rules on the form of signatures; whether one is valid is not judged here.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::super::json::{JsonTree, Kind, Node};
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::report::{Report, quoted};
use super::schema::{field, text_field};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "signature-member-missing",
        Error,
        "§8.4.2",
        "A signature is checked with its protected header and its value; without one of them it cannot be.",
        signature_member_missing,
    )
    .older("0.3 §5.5.6"),
    Rule::new(
        "signature-foreign-format",
        Warning,
        "§8.4.2",
        "A2A signs with JWS; clients cannot check other formats, and some refuse the card.",
        signature_foreign_format,
    )
    .older("0.3 §5.5.6"),
    Rule::new(
        "signature-protected-malformed",
        Error,
        "§8.4.2",
        "The protected header is a JSON object in base64url; anything else makes the signature unreadable.",
        signature_protected_malformed,
    )
    .older("0.3 §5.5.6"),
    Rule::new(
        "signature-value-malformed",
        Error,
        "§8.4.2",
        "The value is base64url without padding; anything else cannot be checked.",
        signature_value_malformed,
    )
    .older("0.3 §5.5.6"),
    Rule::new(
        "signature-header-incomplete",
        Error,
        "§8.4.2",
        "The protected header must name the algorithm and the key.",
        signature_header_incomplete,
    )
    .older("0.3 §5.5.6"),
    Rule::new("signature-type", Info, "§8.4.2", "The header's typ should be JOSE.", signature_type),
    Rule::new(
        "signature-algorithm-unsafe",
        Error,
        "§8.4.2",
        "Without an algorithm, or with a shared secret, anyone can make such a signature.",
        signature_algorithm_unsafe,
    )
    .older("0.3 §5.5.6"),
    Rule::new(
        "signature-key-address",
        Warning,
        "§8.4.3",
        "Keys should be fetched over https; keys from elsewhere say only that somebody signed.",
        signature_key_address,
    ),
];

/// The signatures that are objects.
fn signatures<'a>(card: &Card<'a>) -> impl Iterator<Item = Node<'a>> + use<'a> {
    let items = card.field("signatures").into_iter().flat_map(|list| list.items());
    items.filter(|item| item.kind() == Kind::Object)
}

/// Whether the object is a signature in another format: it has members, but none of a JWS.
fn is_foreign(signature: Node<'_>) -> bool {
    field(signature, "protected").is_none()
        && ["type", "jws", "proofValue", "proof", "algorithm", "keyId", "did", "verificationMethod", "proofPurpose"]
            .iter()
            .any(|name| field(signature, name).is_some())
}

/// The JSON of a protected header.
fn decode(protected: &str) -> Option<JsonTree> {
    let bytes = URL_SAFE_NO_PAD.decode(protected).ok()?;
    let tree = JsonTree::parse(String::from_utf8(bytes).ok()?).ok()?;
    (tree.root().kind() == Kind::Object).then_some(tree)
}

/// Every signature's protected header that can be read, with the member that has it.
fn headers<'a>(card: &Card<'a>) -> impl Iterator<Item = (Node<'a>, JsonTree)> + use<'a> {
    signatures(card).filter_map(|signature| {
        let node = field(signature, "protected")?;
        Some((node, decode(&node.as_str()?)?))
    })
}

fn signature_member_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for signature in signatures(card).filter(|signature| !is_foreign(*signature)) {
        for name in ["protected", "signature"] {
            if field(signature, name).is_none() {
                report.at(signature, || {
                    format!("The signature has no \"{name}\", which is required; sign the card again.")
                });
            }
        }
    }
}

fn signature_foreign_format(card: &Card<'_>, report: &mut Report<'_>) {
    for signature in signatures(card).filter(|signature| is_foreign(*signature)) {
        report.at(signature, || {
            let kind = ["type", "algorithm"].iter().find_map(|name| text_field(signature, name));
            let kind = kind.map(|kind| format!(" ({})", quoted(&kind))).unwrap_or_default();
            format!("The signature is in another format than JWS{kind}; clients of A2A cannot check it.")
        });
    }
}

fn signature_protected_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    for node in signatures(card).filter_map(|signature| field(signature, "protected")) {
        if node.as_str().is_some_and(|text| decode(&text).is_none()) {
            report.at(node, || "\"protected\" is not a JSON object in base64url; sign the card again.".to_owned());
        }
    }
}

fn signature_value_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    for signature in signatures(card).filter(|signature| !is_foreign(*signature)) {
        let Some(node) = field(signature, "signature") else { continue };
        let Some(value) = node.as_str() else { continue };
        if value.is_empty() || URL_SAFE_NO_PAD.decode(&*value).is_err() {
            report
                .at(node, || "The signature's value is not base64url without padding; sign the card again.".to_owned());
        }
    }
}

fn signature_header_incomplete(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, header) in headers(card) {
        for name in ["alg", "kid"] {
            // 0.3 left the key's name to JWS, where it is optional.
            if name == "kid" && !card.newer {
                continue;
            }
            if header.root().get_str(name).is_none_or(|text| text.trim().is_empty()) {
                report.at(node, || format!("The protected header has no \"{name}\"; sign the card again with it."));
            }
        }
    }
}

fn signature_type(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, header) in headers(card) {
        let typ = header.root().get_str("typ");
        if typ.as_deref() != Some("JOSE") {
            report.at(node, || match &typ {
                Some(typ) => format!("The protected header's typ is {}; it should be \"JOSE\".", quoted(typ)),
                None => "The protected header has no typ; it should be \"JOSE\".".to_owned(),
            });
        }
    }
}

fn signature_algorithm_unsafe(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, header) in headers(card) {
        let Some(alg) = header.root().get_str("alg") else { continue };
        let upper = alg.to_ascii_uppercase();
        if upper == "NONE" || upper.starts_with("HS") {
            report.at(node, || {
                format!(
                    "The algorithm {} proves nothing to a client; sign with a private key, such as ES256.",
                    quoted(&alg)
                )
            });
        }
    }
}

fn signature_key_address(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, header) in headers(card) {
        let Some(jku) = header.root().get_str("jku") else { continue };
        let url = url::Url::parse(&jku).ok();
        if url.as_ref().is_none_or(|url| url.scheme() != "https") {
            report.at(node, || format!("The keys are at {}, which is not https; serve them over https.", quoted(&jku)));
        } else if let (Some(url), Some(source)) = (url, card.source())
            && url.origin() != source.origin()
        {
            report.at(node, || {
                format!(
                    "The keys are at {}, not where the card came from; trust them only if you know that address.",
                    quoted(&jku)
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::facts::Origin;
    use super::super::testing::{CARD, card_from, edited, fires, fires_on, older, silent, silent_on};
    use super::*;

    fn signature(members: &str) -> String {
        edited("signatures", &format!("[{{{members}}}]"))
    }

    fn header(json: &str) -> String {
        signature(&format!("\"protected\": \"{}\", \"signature\": \"QUJD\"", URL_SAFE_NO_PAD.encode(json)))
    }

    const WELL: &str = r#"{"alg": "ES256", "kid": "k1", "typ": "JOSE", "jku": "https://a.example/jwks.json"}"#;

    #[test]
    fn signatures_are_well_formed() {
        let at = "/signatures/0";
        let protected = "/signatures/0/protected";
        fires("signature-member-missing", &signature("\"signature\": \"QUJD\""), at);
        fires("signature-member-missing", &signature("\"protected\": \"e30\""), at);
        let foreign = signature("\"type\": \"Ed25519Signature2020\", \"proofValue\": \"z6\"");
        fires("signature-foreign-format", &foreign, at);
        silent("signature-member-missing", &foreign);
        for text in ["not base64!", "QUJD", "W10", "e30="] {
            let text = signature(&format!("\"protected\": \"{text}\", \"signature\": \"QUJD\""));
            fires("signature-protected-malformed", &text, protected);
        }
        fires(
            "signature-value-malformed",
            &signature("\"protected\": \"e30\", \"signature\": \"a+b/\""),
            "/signatures/0/signature",
        );
        fires("signature-header-incomplete", &header(r#"{"alg": "ES256", "typ": "JOSE"}"#), protected);
        fires("signature-header-incomplete", &header(r#"{"kid": "k1", "typ": "JOSE"}"#), protected);
        let without_key = format!(
            "[{{\"protected\": \"{}\", \"signature\": \"QUJD\"}}]",
            URL_SAFE_NO_PAD.encode(r#"{"alg": "ES256"}"#)
        );
        silent("signature-header-incomplete", &older("signatures", &without_key));
        fires("signature-type", &header(r#"{"alg": "ES256", "kid": "k1", "typ": "JWT"}"#), protected);
        for alg in ["none", "HS256"] {
            fires("signature-algorithm-unsafe", &header(&WELL.replace("ES256", alg)), protected);
        }
        fires("signature-key-address", &header(&WELL.replace("https", "http")), protected);
        for rule in [
            "signature-member-missing",
            "signature-foreign-format",
            "signature-protected-malformed",
            "signature-value-malformed",
            "signature-header-incomplete",
            "signature-type",
            "signature-algorithm-unsafe",
            "signature-key-address",
        ] {
            silent(rule, &header(WELL));
            silent(rule, CARD);
        }
    }

    #[test]
    fn keys_from_elsewhere_are_told() {
        let from = |url: &str| Origin { final_url: Some(url.to_owned()), ..Origin::default() };
        fires_on("signature-key-address", &card_from(&header(WELL), from("https://b.example/card")));
        silent_on("signature-key-address", &card_from(&header(WELL), from("https://a.example/card")));
    }
}
