//! Secrets, and credentials bound to one origin.

use std::fmt;
use std::path::PathBuf;

/// A text that never shows itself: `Debug` and `Display` are masked, it is wiped on drop by being short-lived,
/// and only [`Secret::reveal`] gives it out.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the wire and for an explicit "copy with secrets".
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// `••••7f2a`: enough to tell two apart; short secrets show nothing of themselves.
    #[must_use]
    pub fn masked(&self) -> String {
        let count = self.0.chars().count();
        let tail: String = if count >= 12 { self.0.chars().skip(count - 4).collect() } else { String::new() };
        format!("••••{tail}")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(••••)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

/// Headers and a client certificate that go to one origin (scheme, host, port) and to no other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credential {
    /// `https://host:port` in the form of [`url::Origin::ascii_serialization`].
    pub origin: String,
    /// Header name and value: `Authorization` with the whole `Bearer …` value, or any other.
    pub headers: Vec<(String, Secret)>,
    /// A PEM file with a certificate and its private key, which is read anew each time: the key itself is not kept.
    pub client_certificate: Option<PathBuf>,
}

impl Credential {
    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.client_certificate.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_shows_itself() {
        let secret = Secret::new("Bearer abcdefghijkl7f2a");
        assert_eq!(secret.masked(), "••••7f2a");
        assert_eq!(format!("{secret} {secret:?}"), "••••7f2a Secret(••••)");
        assert_eq!(Secret::new("short").masked(), "••••");
        assert!(Secret::new("  ").is_empty());
    }
}
