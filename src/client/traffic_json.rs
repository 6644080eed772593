//! Exchanges as one JSON document for keeping or sending on; secrets are masked.

use base64::Engine as _;
use serde_json::{Value, json};

use super::exchange::{Exchange, ExchangeEnd, HeaderText, RecordedHeader};

/// The exchanges as a JSON list, in the order given; bodies that are not UTF-8 are in base64.
#[must_use]
pub fn exchanges_to_json<'a>(exchanges: impl Iterator<Item = &'a Exchange>) -> String {
    let list: Vec<Value> = exchanges.map(exchange_to_json).collect();
    // A list of values made here can always be written.
    serde_json::to_string_pretty(&list).unwrap_or_default()
}

fn exchange_to_json(exchange: &Exchange) -> Value {
    let request = &exchange.request;
    let started_at = jiff::Timestamp::try_from(exchange.started_at).map(|time| time.to_string()).ok();
    json!({
        "purpose": exchange.purpose,
        "startedAt": started_at,
        "durationMs": exchange.duration.as_secs_f64() * 1000.0,
        "request": {
            "method": request.method,
            "url": request.url,
            "headers": headers(&request.headers),
            "proxy": request.proxy,
            "clientCertificate": request.client_certificate.as_ref().map(|sent| sent.sha256.to_string()),
            "body": body(&request.body),
        },
        "end": end(&exchange.end),
    })
}

fn end(end: &ExchangeEnd) -> Value {
    match end {
        ExchangeEnd::Answered(response) => json!({
            "outcome": "answered",
            "status": response.status,
            "httpVersion": response.version,
            "headers": headers(&response.headers),
            "wireBytes": response.wire_bytes,
            "incomplete": response.incomplete,
            "body": body(&response.body),
        }),
        ExchangeEnd::Failed { message, .. } => json!({ "outcome": "failed", "message": message }),
        ExchangeEnd::Cancelled => json!({ "outcome": "cancelled" }),
    }
}

fn headers(headers: &[RecordedHeader]) -> Vec<Value> {
    headers
        .iter()
        .map(|header| {
            let value = match &header.value {
                HeaderText::Plain(text) => text.clone(),
                HeaderText::Secret(secret) => secret.masked(),
            };
            json!({ "name": header.name, "value": value })
        })
        .collect()
}

fn body(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!({ "text": text }),
        Err(_) => json!({ "base64": base64::engine::general_purpose::STANDARD.encode(bytes) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_is_json_without_secrets() {
        let exchange = super::super::curl::tests::exchange();
        let text = exchanges_to_json([&exchange].into_iter());
        assert!(!text.contains("abcdefghijkl"), "{text}");
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list[0]["request"]["headers"][2]["value"], "••••7f2a");
        assert_eq!(list[0]["request"]["body"]["text"], "@it's {\"id\":8747832031878802303}");
        assert_eq!(list[0]["end"]["body"]["base64"], "/wA=");
        assert_eq!(list[0]["startedAt"], "2026-09-21T14:13:20.25Z");
    }
}
