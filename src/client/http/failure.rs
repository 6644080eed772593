//! Why no complete answer came, in plain words made from the chain of causes.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::{AlertDescription, CertificateError};
use url::Url;

use super::certificates::CertificateRefused;
use crate::client::exchange::TlsRefusal;

/// The step at which an exchange failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::client) enum Step {
    /// Name lookup, TCP, proxy or TLS: nothing of the request was sent.
    Connecting,
    /// The request may have been received.
    Exchanging,
}

/// What went wrong: where, and a sentence that names URL, proxy, step and cause.
#[derive(Clone, Debug)]
pub(in crate::client) struct Failure {
    pub step: Step,
    pub sentence: String,
    /// What the two sides did not accept of each other, where that is why.
    pub tls: Option<TlsRefusal>,
    /// Somebody took the connection, and then closed it or said what is not HTTP.
    pub is_no_http: bool,
}

impl Failure {
    pub(super) fn new(step: Step, sentence: impl Into<String>) -> Self {
        Self { step, sentence: sentence.into(), tls: None, is_no_http: false }
    }
}

/// What was asked and how, as far as it explains why it failed.
pub(super) struct Circumstances<'a> {
    pub url: &'a Url,
    /// The same, secrets masked.
    pub shown_url: &'a str,
    pub proxy: Option<&'a str>,
    /// Whether there was a client certificate to show, and whether the server asked for one, which is known once
    /// the handshake is over.
    pub has_certificate: bool,
    pub asked_for_certificate: &'a AtomicBool,
}

/// Explains `error`, met under these circumstances.
pub(super) fn explain(error: &reqwest::Error, met: &Circumstances<'_>) -> Failure {
    let chain = Chain::of(error);
    let step = if error.is_connect() { Step::Connecting } else { Step::Exchanging };
    let said = |cause: &str| sentence(met.shown_url, met.proxy, cause);
    if let Some((refusal, step, cause)) = chain.client_certificate(met, step) {
        return Failure { tls: Some(refusal), ..Failure::new(step, said(&cause)) };
    }
    let refused = chain.refused_certificate().and_then(|refused| refused.shown_by(met.url));
    let cause = chain.cause(error, met.proxy.is_some());
    Failure {
        tls: refused.map(|refused| TlsRefusal::Certificate(Arc::new(refused))),
        is_no_http: step == Step::Exchanging && chain.is_no_http(),
        ..Failure::new(step, said(&cause))
    }
}

/// "⟨url⟩ gave no answer: ⟨cause⟩ (through the proxy …)."
pub(super) fn sentence(url: &str, proxy: Option<&str>, cause: &str) -> String {
    match proxy {
        Some(proxy) => format!("{url} gave no answer: {cause} (asked through the proxy {proxy})."),
        None => format!("{url} gave no answer: {cause}."),
    }
}

struct Chain {
    texts: Vec<String>,
    io_kinds: Vec<io::ErrorKind>,
    tls: Option<rustls::Error>,
}

impl Chain {
    fn of(error: &reqwest::Error) -> Self {
        let mut chain = Self { texts: Vec::new(), io_kinds: Vec::new(), tls: None };
        let mut next: Option<&(dyn Error + 'static)> = error.source();
        while let Some(cause) = next {
            chain.look_inside(cause);
            chain.texts.push(cause.to_string());
            next = cause.source();
        }
        chain
    }

    /// An I/O error made of another error hides it from `source`, at times more than once.
    fn look_inside(&mut self, cause: &(dyn Error + 'static)) {
        if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
            self.tls.get_or_insert_with(|| tls.clone());
        }
        let Some(io) = cause.downcast_ref::<io::Error>() else { return };
        self.io_kinds.push(io.kind());
        if let Some(inner) = io.get_ref() {
            self.texts.push(inner.to_string());
            self.look_inside(inner);
        }
    }

    fn has(&self, words: &str) -> bool {
        self.texts.iter().any(|text| text.to_ascii_lowercase().contains(words))
    }

    fn has_io(&self, kind: io::ErrorKind) -> bool {
        self.io_kinds.contains(&kind)
    }

    /// The innermost text: the technical cause, kept beside the plain words.
    fn innermost(&self) -> &str {
        self.texts.last().map_or("no cause was given", String::as_str)
    }

    fn cause(&self, error: &reqwest::Error, proxied: bool) -> String {
        if self.has("dns error") || self.has("failed to lookup address") {
            return format!("the name lookup failed ({})", self.innermost());
        }
        if let Some(tls) = self.tls_cause() {
            return tls;
        }
        if proxied && self.has_io(io::ErrorKind::ConnectionRefused) {
            return "the connection to the proxy was refused".to_owned();
        }
        if proxied && (self.has("tunnel") || self.has("proxy") || self.has("socks")) {
            return format!("the proxy did not pass the request on ({})", self.innermost());
        }
        if error.is_connect() {
            return self.connect_cause(error);
        }
        if error.is_timeout() || self.has_io(io::ErrorKind::TimedOut) {
            return "no answer came in time".to_owned();
        }
        if self.is_reset() {
            return "the connection was reset before the answer was complete".to_owned();
        }
        if self.is_closed() {
            return "the connection was closed before the answer was complete".to_owned();
        }
        if self.is_garbled() {
            return format!("what came is not HTTP as it should be ({})", self.innermost());
        }
        format!("the exchange broke off ({})", self.innermost())
    }

    fn is_reset(&self) -> bool {
        self.has_io(io::ErrorKind::ConnectionReset) || self.has("connection reset")
    }

    fn is_closed(&self) -> bool {
        self.has("connection closed before message completed") || self.has_io(io::ErrorKind::UnexpectedEof)
    }

    fn is_garbled(&self) -> bool {
        self.has("invalid http") || self.has("parse") || self.has("header")
    }

    fn is_no_http(&self) -> bool {
        self.is_reset() || self.is_closed() || self.is_garbled()
    }

    fn connect_cause(&self, error: &reqwest::Error) -> String {
        if error.is_timeout() || self.has_io(io::ErrorKind::TimedOut) {
            "no connection within 10 seconds".to_owned()
        } else if self.has_io(io::ErrorKind::ConnectionRefused) {
            "the connection was refused, so nothing listens at that host and port".to_owned()
        } else if self.has_io(io::ErrorKind::ConnectionReset) {
            "the connection was reset while it was being made".to_owned()
        } else if self.has("unreachable") || self.has("no route") {
            "the host cannot be reached from this network".to_owned()
        } else {
            format!("no connection could be made ({})", self.innermost())
        }
    }

    fn tls_cause(&self) -> Option<String> {
        if let Some(refused) = self.refused_certificate() {
            return Some(refused.to_string());
        }
        Some(match self.tls.as_ref()? {
            rustls::Error::InvalidCertificate(problem) => format!("the certificate was refused ({problem})"),
            rustls::Error::InvalidMessage(_) => {
                "the other side does not speak TLS; try http:// instead of https://".to_owned()
            }
            other => format!("the TLS handshake failed ({other})"),
        })
    }

    fn refused_certificate(&self) -> Option<&CertificateRefused> {
        match self.tls.as_ref()? {
            rustls::Error::InvalidCertificate(CertificateError::Other(other)) => other.0.downcast_ref(),
            _ => None,
        }
    }

    /// Whether it is about the client certificate: by the server's alert, or because the server went away after it had
    /// asked for one. With an alert, the request was not received, although it may have been on its way.
    fn client_certificate(&self, met: &Circumstances<'_>, step: Step) -> Option<(TlsRefusal, Step, String)> {
        let asked = met.asked_for_certificate.load(Ordering::Relaxed);
        let alert = match self.tls {
            Some(rustls::Error::AlertReceived(alert)) => Some(alert),
            // Over HTTP/2 only the words are left, or not even they.
            _ => ABOUT_CERTIFICATES.into_iter().find(|alert| {
                let words = format!("fatal alert: {alert:?}").to_ascii_lowercase();
                self.has(&words)
            }),
        };
        let is_about_it = match alert {
            Some(AlertDescription::CertificateRequired) => true,
            Some(alert) => asked && ABOUT_CERTIFICATES.contains(&alert),
            None => asked && self.tls.is_none() && self.is_broken_off(),
        };
        if !is_about_it {
            return None;
        }
        let (refusal, cause) = match (met.has_certificate, alert) {
            (true, Some(alert)) => (
                TlsRefusal::ClientCertificateRefused,
                format!("the server did not accept the client certificate ({alert:?})"),
            ),
            (true, None) => (
                TlsRefusal::ClientCertificateRefused,
                "the server closed the connection after it had been shown the client certificate".to_owned(),
            ),
            (false, Some(_)) => (
                TlsRefusal::ClientCertificateWanted,
                "the server demands a client certificate, and none is set for its origin".to_owned(),
            ),
            (false, None) => (
                TlsRefusal::ClientCertificateWanted,
                "the server asked for a client certificate, got none and closed the connection".to_owned(),
            ),
        };
        Some((refusal, if alert.is_some() { Step::Connecting } else { step }, cause))
    }

    fn is_broken_off(&self) -> bool {
        let kinds = [io::ErrorKind::ConnectionReset, io::ErrorKind::BrokenPipe, io::ErrorKind::UnexpectedEof];
        kinds.into_iter().any(|kind| self.has_io(kind))
            || ["closed", "broken pipe", "connection reset", "operation was canceled"]
                .into_iter()
                .any(|words| self.has(words))
    }
}

/// Alerts by which servers answer a client certificate that is missing or not to their liking.
const ABOUT_CERTIFICATES: [AlertDescription; 10] = [
    AlertDescription::CertificateRequired,
    AlertDescription::HandshakeFailure,
    AlertDescription::NoCertificate,
    AlertDescription::BadCertificate,
    AlertDescription::UnsupportedCertificate,
    AlertDescription::CertificateRevoked,
    AlertDescription::CertificateExpired,
    AlertDescription::CertificateUnknown,
    AlertDescription::UnknownCA,
    AlertDescription::AccessDenied,
];
