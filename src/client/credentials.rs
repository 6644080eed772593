//! Secrets, and credentials bound to one origin.

use std::fmt;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

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

    /// `••••7f2a`: enough to tell two apart; short secrets show nothing of themselves. What counts is the secret
    /// itself, without the words before it (`Bearer`, `sid=`), and for `Basic` the password.
    #[must_use]
    pub fn masked(&self) -> String {
        let value = self.0.trim();
        let is_long = secret_length(value) >= 12;
        let tail = value.char_indices().rev().nth(3).filter(|_| is_long).map_or("", |(start, _)| &value[start..]);
        format!("••••{tail}")
    }
}

/// The characters of what is secret in a header's value: its last word, a password where one can be read.
fn secret_length(value: &str) -> usize {
    let password = value.split_once(char::is_whitespace).and_then(|(scheme, rest)| {
        let decoded = scheme
            .eq_ignore_ascii_case("basic")
            .then(|| STANDARD_NO_PAD.decode(rest.trim().trim_end_matches('=')))?
            .ok()?;
        let colon = decoded.iter().position(|byte| *byte == b':')?;
        Some(decoded.len() - colon - 1)
    });
    let is_separator = |c: char| c.is_whitespace() || matches!(c, '=' | ':' | ',' | ';' | '"');
    // Base64 may end in signs of equality.
    let word = value.trim_end_matches('=').rsplit(is_separator).next().unwrap_or_default();
    password.unwrap_or_else(|| word.chars().count())
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

    #[test]
    fn short_secrets_show_nothing_whatever_stands_before_them() {
        let basic = |text: &str| format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(text));
        for (value, tail) in [
            ("Bearer sesame".to_owned(), ""),
            ("Bearer sesame==".to_owned(), ""),
            ("authentication-key sesame".to_owned(), ""),
            ("session=sesame".to_owned(), ""),
            ("sid=abcdefghijkl7f2a; other=sesame".to_owned(), ""),
            ("Token token=\"sesamesesame\"".to_owned(), ""),
            (basic("a-rather-long-user:sesame"), ""),
            (basic("a-rather-long-user:sesame").trim_end_matches('=').to_owned(), ""),
            (basic("user:"), ""),
            ("Basic !!".to_owned(), ""),
            ("сезамсезам".to_owned(), ""),
            (basic("user:open sesame now"), "b3c="),
            ("Bearer abcdefghijkl7f2a  ".to_owned(), "7f2a"),
            ("session=abcdefghijkl7f2a".to_owned(), "7f2a"),
            ("сезамсезамсезам".to_owned(), "езам"),
        ] {
            assert_eq!(Secret::new(&*value).masked(), format!("••••{tail}"), "{value}");
        }
    }
}
