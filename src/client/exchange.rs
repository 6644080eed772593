//! An exchange: one request and its answer as they were on the wire, secrets set apart.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::certificate::{Fingerprint, RefusedCertificate};
use super::credentials::Secret;

/// A recorded request and what came of it. Immutable and shared once it has ended.
#[derive(Debug)]
pub struct Exchange {
    /// What it was for, in the protocol's words: "agent card", "SendMessage", "GetTask".
    pub purpose: String,
    pub started_at: SystemTime,
    /// From the first byte sent to the last byte read, or to the failure.
    pub duration: Duration,
    pub request: RecordedRequest,
    pub end: ExchangeEnd,
}

/// A request as sent.
#[derive(Debug)]
pub struct RecordedRequest {
    pub method: String,
    /// The URL asked, its secret query values masked.
    pub url: String,
    pub headers: Vec<RecordedHeader>,
    pub body: Bytes,
    /// The proxy that was used, if any.
    pub proxy: Option<String>,
    /// The client certificate, where the server asked for one and it was shown.
    pub client_certificate: Option<SentCertificate>,
}

/// A client certificate as shown to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentCertificate {
    /// The file it was read from.
    pub path: PathBuf,
    pub sha256: Fingerprint,
}

/// A header line. Values that carry credentials are secrets and show masked.
#[derive(Debug, Clone)]
pub struct RecordedHeader {
    pub name: String,
    pub value: HeaderText,
}

#[derive(Debug, Clone)]
pub enum HeaderText {
    Plain(String),
    /// Shown as `••••` and its last four characters; the whole only where the user asks.
    Secret(Secret),
}

/// How far a body is read for the words of a server that was to be asked over TLS.
const MOST_OF_A_COMPLAINT: usize = 4096;

/// How an exchange ended.
#[derive(Debug)]
pub enum ExchangeEnd {
    Answered(RecordedResponse),
    /// No complete answer; the sentence says at which step and why.
    Failed {
        message: String,
        /// What the two sides did not accept of each other, where that is why.
        tls: Option<TlsRefusal>,
        /// Somebody took the connection, and then closed it or said what is not HTTP.
        is_no_http: bool,
    },
    /// The user cancelled.
    Cancelled,
}

/// What one side of a TLS connection did not accept of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TlsRefusal {
    /// The server's certificate is not trusted.
    Certificate(Arc<RefusedCertificate>),
    /// The server demands a client certificate, and none was given.
    ClientCertificateWanted,
    /// The server did not accept the client certificate.
    ClientCertificateRefused,
}

/// An answer as received.
#[derive(Debug)]
pub struct RecordedResponse {
    pub status: u16,
    /// "HTTP/1.1".
    pub version: String,
    /// As sent by the server, `Set-Cookie` masked.
    pub headers: Vec<RecordedHeader>,
    /// After content decoding.
    pub body: Bytes,
    /// Bytes on the wire before decoding.
    pub wire_bytes: usize,
    /// Why the body is not whole ("stopped at 16 MiB", "the connection broke off"); `None` if it is.
    pub incomplete: Option<String>,
}

impl Exchange {
    #[must_use]
    pub fn response(&self) -> Option<&RecordedResponse> {
        match &self.end {
            ExchangeEnd::Answered(response) => Some(response),
            _ => None,
        }
    }

    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.response().map(|response| response.status)
    }

    #[must_use]
    pub fn tls_refusal(&self) -> Option<&TlsRefusal> {
        match &self.end {
            ExchangeEnd::Failed { tls, .. } => tls.as_ref(),
            _ => None,
        }
    }

    /// Whether it was asked without TLS, and what came is what servers that expect TLS do about that.
    #[must_use]
    pub fn may_expect_tls(&self) -> bool {
        let says_so = |response: &RecordedResponse| {
            let head = response.body[..response.body.len().min(MOST_OF_A_COMPLAINT)].to_ascii_lowercase();
            let has = |word: &[u8]| memchr::memmem::find(&head, word).is_some();
            response.status == 400 && (has(b"https") || has(b"ssl"))
        };
        self.request.url.starts_with("http://")
            && match &self.end {
                ExchangeEnd::Answered(response) => says_so(response),
                ExchangeEnd::Failed { is_no_http, .. } => *is_no_http,
                ExchangeEnd::Cancelled => false,
            }
    }

    /// The server's certificate, if that is why no answer came.
    #[must_use]
    pub fn refused_certificate(&self) -> Option<&Arc<RefusedCertificate>> {
        match self.tls_refusal()? {
            TlsRefusal::Certificate(certificate) => Some(certificate),
            TlsRefusal::ClientCertificateWanted | TlsRefusal::ClientCertificateRefused => None,
        }
    }
}

impl RecordedResponse {
    /// How long the server asks to wait, from now: `Retry-After` in seconds or as a date.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let text = self.header("retry-after")?.trim();
        if let Ok(seconds) = text.parse::<u64>() {
            return Some(Duration::from_secs(seconds));
        }
        let when = jiff::fmt::rfc2822::parse(text).ok()?;
        let left = when.timestamp().duration_since(jiff::Timestamp::now());
        Duration::try_from(left).ok()
    }

    /// The first header called `name`, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).and_then(|header| {
            match &header.value {
                HeaderText::Plain(text) => Some(text.as_str()),
                HeaderText::Secret(_) => None,
            }
        })
    }
}
