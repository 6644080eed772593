//! Reading a body: never more than its limits allow, decoded here so that nothing is hidden.

use std::time::Duration;

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::{Instant, timeout_at};

/// The most bytes of a card that are read, as sent and as decoded.
pub const MAX_CARD_BYTES: usize = 16 << 20;
/// The most bytes of any other answer.
pub(in crate::client) const MAX_ANSWER_BYTES: usize = 64 << 20;

/// What an exchange may cost.
#[derive(Clone, Copy, Debug)]
pub(in crate::client) struct Limits {
    pub body_bytes: usize,
    /// The longest silence, before the answer and within its body; `None` waits until cancelled.
    pub idle: Option<Duration>,
    /// The longest time for a whole body, so that a dripping one ends.
    pub body_total: Option<Duration>,
}

impl Limits {
    pub(in crate::client) const CARD: Self = Self {
        body_bytes: MAX_CARD_BYTES,
        idle: Some(Duration::from_secs(15)),
        body_total: Some(Duration::from_secs(30)),
    };
    pub(in crate::client) const CALL: Self = Self {
        body_bytes: MAX_ANSWER_BYTES,
        idle: Some(Duration::from_mins(1)),
        body_total: Some(Duration::from_mins(5)),
    };
    /// A message whose answer is wanted at once, which many agents give when the work is done all the same.
    pub(in crate::client) const SEND: Self = Self { idle: Some(Duration::from_mins(5)), ..Self::CALL };
    /// A call that the agent answers when the work is done.
    pub(in crate::client) const WAITING_CALL: Self =
        Self { body_bytes: MAX_ANSWER_BYTES, idle: None, body_total: None };
}

/// A body as read.
pub(super) struct Body {
    pub bytes: Vec<u8>,
    pub wire_bytes: usize,
    /// Why it is not whole.
    pub incomplete: Option<String>,
}

/// Reads the body of `response` and decodes it by its `Content-Encoding`.
pub(super) async fn read(mut response: reqwest::Response, limits: Limits) -> Body {
    let encodings = encodings(&response);
    let expected = response.content_length();
    let (wire, mut incomplete) = read_wire(&mut response, limits, expected).await;
    let wire_bytes = wire.len();
    let mut bytes = wire;
    // The last encoding was applied last.
    for encoding in encodings.iter().rev().filter(|_| wire_bytes > 0) {
        let (decoded, problem) = decode(encoding, bytes, limits.body_bytes).await;
        bytes = decoded;
        if let Some(problem) = problem {
            incomplete.get_or_insert(problem);
            break;
        }
    }
    Body { bytes, wire_bytes, incomplete }
}

fn encodings(response: &reqwest::Response) -> Vec<String> {
    let headers = response.headers().get_all(reqwest::header::CONTENT_ENCODING);
    headers
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|encoding| encoding.trim().to_ascii_lowercase())
        .filter(|encoding| !encoding.is_empty() && encoding != "identity")
        .collect()
}

async fn read_wire(
    response: &mut reqwest::Response,
    limits: Limits,
    expected: Option<u64>,
) -> (Vec<u8>, Option<String>) {
    let mut wire = Vec::new();
    let started = Instant::now();
    let end = limits.body_total.map(|total| started + total);
    loop {
        let idle_end = limits.idle.map(|idle| Instant::now() + idle);
        let chunk = match [end, idle_end].into_iter().flatten().min() {
            Some(deadline) => timeout_at(deadline, response.chunk()).await,
            None => Ok(response.chunk().await),
        };
        match chunk {
            Ok(Ok(Some(chunk))) => {
                let room = limits.body_bytes - wire.len();
                wire.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    return (wire, Some(stopped_at(limits.body_bytes)));
                }
            }
            Ok(Ok(None)) => return (wire, None),
            Ok(Err(error)) => {
                let of = expected.map(|expected| format!(" of {expected}")).unwrap_or_default();
                let what = if error.is_timeout() { "the answer timed out" } else { "the connection broke off" };
                let sentence = format!("{what} after {}{of} bytes of the body", wire.len());
                return (wire, Some(sentence));
            }
            Err(_) if end.is_some_and(|end| Instant::now() >= end) => {
                let seconds = started.elapsed().as_secs();
                let sentence = format!("the body was still not complete after {seconds} seconds; reading stopped");
                return (wire, Some(sentence));
            }
            Err(_) => {
                let seconds = limits.idle.unwrap_or_default().as_secs();
                let sentence = format!("nothing more of the body came for {seconds} seconds; reading stopped");
                return (wire, Some(sentence));
            }
        }
    }
}

fn stopped_at(limit: usize) -> String {
    format!("reading stopped at {} MiB", limit >> 20)
}

/// Undoes one content encoding; what could be decoded is kept where the end is missing.
async fn decode(encoding: &str, wire: Vec<u8>, limit: usize) -> (Vec<u8>, Option<String>) {
    let source = &wire[..];
    let (decoded, problem) = match encoding {
        "gzip" | "x-gzip" => {
            let mut decoder = GzipDecoder::new(source);
            decoder.multiple_members(true);
            drain(decoder, encoding, limit).await
        }
        "deflate" => drain(ZlibDecoder::new(source), encoding, limit).await,
        "br" => drain(BrotliDecoder::new(source), encoding, limit).await,
        "zstd" => drain(ZstdDecoder::new(source), encoding, limit).await,
        other => {
            let problem = format!("it is encoded as '{other}', which cannot be read");
            return (wire, Some(problem));
        }
    };
    // Nothing decodable at all: what came is the better evidence.
    if decoded.is_empty() && problem.is_some() { (wire, problem) } else { (decoded, problem) }
}

async fn drain(decoder: impl AsyncRead + Unpin, encoding: &str, limit: usize) -> (Vec<u8>, Option<String>) {
    let mut decoded = Vec::new();
    let mut bounded = decoder.take(limit as u64 + 1);
    match bounded.read_to_end(&mut decoded).await {
        Ok(_) if decoded.len() > limit => {
            decoded.truncate(limit);
            (decoded, Some(stopped_at(limit)))
        }
        Ok(_) => (decoded, None),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            (decoded, Some(format!("the compressed body ({encoding}) ends in the middle")))
        }
        Err(error) => {
            let problem = format!("the body is labelled '{encoding}' but cannot be decoded ({error})");
            (decoded, Some(problem))
        }
    }
}
