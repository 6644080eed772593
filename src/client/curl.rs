//! An exchange's request as a cURL command that can be pasted into a shell.

use super::exchange::{Exchange, HeaderText};

/// What cURL sets by itself or decodes with `--compressed`.
const LEFT_OUT: [&str; 3] = ["accept-encoding", "content-length", "host"];

/// The command that repeats the request of `exchange`. Headers that are secrets show masked unless
/// `reveal_secrets`; query values that are secrets stay masked, since they are not kept.
#[must_use]
pub fn command(exchange: &Exchange, reveal_secrets: bool) -> String {
    let request = &exchange.request;
    let mut lines = vec![format!("curl --compressed -X {} {}", request.method, quoted(&request.url))];
    for header in &request.headers {
        if LEFT_OUT.contains(&header.name.to_ascii_lowercase().as_str()) {
            continue;
        }
        let value = match &header.value {
            HeaderText::Plain(text) => text.clone(),
            HeaderText::Secret(secret) if reveal_secrets => secret.reveal().to_owned(),
            HeaderText::Secret(secret) => secret.masked(),
        };
        lines.push(format!("-H {}", quoted(&format!("{}: {value}", header.name))));
    }
    if let Some(certificate) = &request.client_certificate {
        lines.push(format!("--cert {}", quoted(&certificate.path.display().to_string())));
    }
    if let Some(proxy) = &request.proxy {
        lines.push(format!("-x {}", quoted(proxy)));
    }
    if !request.body.is_empty() {
        // Not --data, which would read a file where the body begins with an @.
        lines.push(format!("--data-raw {}", quoted(&String::from_utf8_lossy(&request.body))));
    }
    lines.join(" \\\n  ")
}

/// A word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::{Duration, SystemTime};

    use bytes::Bytes;

    use super::*;
    use crate::client::credentials::Secret;
    use crate::client::exchange::{ExchangeEnd, RecordedHeader, RecordedRequest, RecordedResponse};

    pub fn exchange() -> Exchange {
        let plain = |name: &str, value: &str| RecordedHeader {
            name: name.to_owned(),
            value: HeaderText::Plain(value.to_owned()),
        };
        let secret = |name: &str, value: &str| RecordedHeader {
            name: name.to_owned(),
            value: HeaderText::Secret(Secret::new(value)),
        };
        Exchange {
            purpose: "SendMessage".to_owned(),
            started_at: SystemTime::UNIX_EPOCH + Duration::from_millis(1_790_000_000_250),
            duration: Duration::from_millis(34),
            request: RecordedRequest {
                method: "POST".to_owned(),
                url: "https://a.example/rpc?key=••••".to_owned(),
                headers: vec![
                    plain("Accept-Encoding", "gzip"),
                    plain("Content-Type", "application/json"),
                    secret("Authorization", "Bearer abcdefghijkl7f2a"),
                ],
                body: Bytes::from_static(&b"@it's {\"id\":8747832031878802303}"[..]),
                proxy: None,
                client_certificate: None,
            },
            end: ExchangeEnd::Answered(RecordedResponse {
                status: 200,
                version: "HTTP/1.1".to_owned(),
                headers: vec![secret("set-cookie", "session=abcdefghijkl")],
                body: Bytes::from_static(b"\xff\x00"),
                wire_bytes: 2,
                incomplete: None,
            }),
        }
    }

    #[test]
    fn a_command_is_whole_and_hides_secrets_unless_asked() {
        let masked = command(&exchange(), false);
        assert_eq!(
            masked,
            "curl --compressed -X POST 'https://a.example/rpc?key=••••' \\\n  -H 'Content-Type: application/json' \\\n  \
             -H 'Authorization: ••••7f2a' \\\n  --data-raw '@it'\\''s {\"id\":8747832031878802303}'"
        );
        assert!(command(&exchange(), true).contains("-H 'Authorization: Bearer abcdefghijkl7f2a'"));
    }
}
