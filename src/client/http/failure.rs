//! Why no complete answer came, in plain words made from the chain of causes.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use super::certificates::UntrustedIssuer;

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
}

/// Explains `error`, met while asking `url` (secrets masked) through `proxy`.
pub(super) fn explain(error: &reqwest::Error, url: &str, proxy: Option<&str>) -> Failure {
    let chain = Chain::of(error);
    let step = if error.is_connect() { Step::Connecting } else { Step::Exchanging };
    let cause = chain.cause(error, proxy.is_some());
    Failure { step, sentence: sentence(url, proxy, &cause) }
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
        if self.has_io(io::ErrorKind::ConnectionReset) || self.has("connection reset") {
            return "the connection was reset before the answer was complete".to_owned();
        }
        if self.has("connection closed before message completed") || self.has_io(io::ErrorKind::UnexpectedEof) {
            return "the connection was closed before the answer was complete".to_owned();
        }
        if self.has("invalid http") || self.has("parse") || self.has("header") {
            return format!("what came is not HTTP as it should be ({})", self.innermost());
        }
        format!("the exchange broke off ({})", self.innermost())
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
        Some(match self.tls.as_ref()? {
            rustls::Error::InvalidCertificate(problem) => certificate_cause(problem),
            rustls::Error::Other(other) if other.0.is::<UntrustedIssuer>() => {
                format!("{}; if that is as it should be, add its CA file in the network settings", other.0)
            }
            rustls::Error::InvalidMessage(_) => {
                "the other side does not speak TLS; try http:// instead of https://".to_owned()
            }
            other => format!("the TLS handshake failed ({other})"),
        })
    }
}

fn certificate_cause(problem: &CertificateError) -> String {
    match problem {
        CertificateError::UnknownIssuer => {
            "the certificate was issued by an authority that this computer does not trust; if that is as it should \
             be, add its CA file in the network settings"
                .to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "the certificate has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the certificate is not valid yet; is the clock of this computer right?".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the certificate is for another host name".to_owned()
        }
        CertificateError::Other(other) if other.0.to_string().contains("CaUsedAsEndEntity") => {
            "the certificate is an authority's (CA:TRUE), as many self-signed ones are, and a server needs one with \
             CA:FALSE"
                .to_owned()
        }
        other => format!("the certificate was refused ({other})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_refused_certificate_is_explained_in_words() {
        let own = rustls::OtherError(Arc::new(io::Error::other("CaUsedAsEndEntity")));
        let cause = certificate_cause(&CertificateError::Other(own));
        assert!(cause.contains("self-signed") && !cause.contains("EndEntity"), "{cause}");
    }
}
