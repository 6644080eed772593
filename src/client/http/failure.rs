//! Why no complete answer came, in plain words made from the chain of causes.

use std::error::Error;
use std::io;

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
    let step = if error.is_connect() || error.is_builder() { Step::Connecting } else { Step::Exchanging };
    let cause = chain.cause(error);
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
}

impl Chain {
    fn of(error: &reqwest::Error) -> Self {
        let mut chain = Self { texts: Vec::new(), io_kinds: Vec::new() };
        let mut next: Option<&(dyn Error + 'static)> = error.source();
        while let Some(cause) = next {
            if let Some(io) = cause.downcast_ref::<io::Error>() {
                chain.io_kinds.push(io.kind());
                // An I/O error made of another error hides it from `source`.
                if let Some(inner) = io.get_ref() {
                    chain.texts.push(inner.to_string());
                }
            }
            chain.texts.push(cause.to_string());
            next = cause.source();
        }
        chain
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

    fn cause(&self, error: &reqwest::Error) -> String {
        if self.has("dns error") || self.has("failed to lookup address") {
            return format!("the name lookup failed ({})", self.innermost());
        }
        if let Some(tls) = self.tls_cause() {
            return tls;
        }
        if self.has("tunnel") || self.has("proxy") || self.has("socks") {
            return format!("the proxy refused to pass the request on ({})", self.innermost());
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
        let certificate = self.texts.iter().find(|text| text.contains("invalid peer certificate"));
        if let Some(text) = certificate {
            let reason = text.rsplit("certificate: ").next().unwrap_or(text);
            return Some(if reason.contains("UnknownIssuer") {
                "the certificate was issued by an authority that this computer does not trust; if it is yours, add \
                 its CA file in the network settings"
                    .to_owned()
            } else if reason.contains("xpired") {
                "the certificate has expired".to_owned()
            } else if reason.contains("not valid for name") || reason.contains("NotValidForName") {
                "the certificate is for another host name".to_owned()
            } else {
                format!("the certificate was refused ({reason})")
            });
        }
        if self.has("corrupt message") || self.has("invalidcontenttype") {
            return Some("the other side does not speak TLS; try http:// instead of https://".to_owned());
        }
        (self.has("tls") || self.has("handshake")).then(|| format!("the TLS handshake failed ({})", self.innermost()))
    }
}
