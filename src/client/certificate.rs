//! Certificates of servers: their fingerprints, those that the user trusts, and why one was refused. Plain data.

use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

/// The most names of a certificate that a sentence tells.
const MOST_NAMES: usize = 3;

/// The SHA-256 of a certificate's DER, shown as pairs of hexadecimal digits between colons.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// A text that is no fingerprint; it holds what was found instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 fingerprint has 64 hexadecimal digits, with or without colons; this has {0}")]
pub struct FingerprintError(String);

impl Fingerprint {
    #[must_use]
    pub fn of(der: &[u8]) -> Self {
        Self(Sha256::digest(der).into())
    }

    /// The first and the last bytes, for a list.
    #[must_use]
    pub fn short(&self) -> String {
        let whole = self.to_string();
        format!("{}…{}", &whole[..11], &whole[whole.len() - 5..])
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let colon = if index > 0 { ":" } else { "" };
            write!(f, "{colon}{byte:02X}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    /// Colons, spaces and case do not matter, nor what tools write before the digits (`sha256 Fingerprint=`).
    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let text = text.rsplit('=').next().unwrap_or(text).trim();
        let labelled = text.get(..7).is_some_and(|head| head.eq_ignore_ascii_case("sha256:"));
        let text = if labelled { &text[7..] } else { text };
        let is_digit = |character: &char| character.is_ascii_hexdigit();
        let other = text.chars().find(|c| !is_digit(c) && !c.is_whitespace() && !matches!(c, ':' | '-'));
        let digits: Vec<u8> = text.chars().filter_map(|character| Some(character.to_digit(16)? as u8)).collect();
        let mut bytes = [0; 32];
        if other.is_some() || digits.len() != 2 * bytes.len() {
            let other = other.map(|character| format!(" and '{character}'")).unwrap_or_default();
            return Err(FingerprintError(format!("{}{other}", digits.len())));
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(Self(bytes))
    }
}

impl serde::Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Fingerprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The one certificate that is trusted at an origin although no authority vouches for it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TrustedCertificate {
    /// `https://host:port` in the form of [`url::Origin::ascii_serialization`].
    pub origin: String,
    pub sha256: Fingerprint,
    pub since: SystemTime,
}

/// A certificate that a server showed and that was not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedCertificate {
    /// Where it was shown.
    pub origin: String,
    pub sha256: Fingerprint,
    pub problem: CertificateProblem,
    /// "'common name' (organisation)", as the certificate has it; absent where it cannot be read.
    pub subject: Option<String>,
    pub issuer: Option<String>,
    /// The hosts that it is for.
    pub names: Vec<String>,
    /// From and until.
    pub validity: Option<(SystemTime, SystemTime)>,
    /// The certificate that the user trusts at this origin, which this one is not.
    pub trusted: Option<Fingerprint>,
}

/// Why a certificate is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateProblem {
    SelfSigned,
    UnknownIssuer {
        issuer: Option<String>,
    },
    Expired,
    NotValidYet,
    OtherName,
    /// It may sign certificates (CA:TRUE), and a server's must not.
    IsAuthority,
    Revoked,
    /// In the words of who judged it.
    Other(String),
}

impl RefusedCertificate {
    /// Whether the user may trust it all the same. What its own issuer took back is refused for good.
    #[must_use]
    pub fn can_be_trusted(&self) -> bool {
        self.problem != CertificateProblem::Revoked
    }

    /// Why it was refused, as a part of a sentence.
    #[must_use]
    pub fn reason(&self) -> String {
        let reason = self.problem_words();
        match &self.trusted {
            Some(trusted) => format!(
                "the certificate is not the one that you trust at this address: it has the SHA-256 fingerprint {}, \
                 and you trust {trusted}; and {reason}",
                self.sha256
            ),
            None => reason,
        }
    }

    /// The same in few words, for where the whole fingerprints stand elsewhere.
    #[must_use]
    pub fn reason_in_short(&self) -> String {
        match &self.trusted {
            Some(trusted) => format!(
                "the certificate ({}) is not the one that you trust at this address ({})",
                self.sha256.short(),
                trusted.short()
            ),
            None => self.problem_words(),
        }
    }

    /// The same without the certificate that was trusted before.
    #[must_use]
    pub fn problem_words(&self) -> String {
        match &self.problem {
            CertificateProblem::SelfSigned => {
                let name = self.subject.as_ref().map(|name| format!(" as {name}")).unwrap_or_default();
                format!("the certificate is self-signed{name}, so that nobody vouches for it")
            }
            CertificateProblem::UnknownIssuer { issuer } => {
                let issuer = issuer.as_deref().unwrap_or("an authority");
                format!("the certificate was issued by {issuer}, which this computer does not trust")
            }
            CertificateProblem::Expired => {
                let on = self.validity.and_then(|(_, until)| date(until)).map(|date| format!(" on {date}"));
                format!("the certificate expired{}", on.unwrap_or_default())
            }
            CertificateProblem::NotValidYet => {
                let from = self.validity.and_then(|(from, _)| date(from)).map(|date| format!(", but from {date}"));
                let from = from.unwrap_or_default();
                format!("the certificate is not valid yet{from}; is the clock of this computer right?")
            }
            CertificateProblem::OtherName => match self.names_words() {
                Some(names) => format!("the certificate is for another host name: {names}"),
                None => "the certificate is for another host name".to_owned(),
            },
            CertificateProblem::IsAuthority => {
                "the certificate is an authority's (CA:TRUE), as many self-signed ones are, and a server needs one \
                 with CA:FALSE"
                    .to_owned()
            }
            CertificateProblem::Revoked => "the certificate was revoked by its issuer".to_owned(),
            CertificateProblem::Other(words) => format!("the certificate was refused ({words})"),
        }
    }

    /// "a.example, b.example and 4 more".
    fn names_words(&self) -> Option<String> {
        let told = self.names.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
        match self.names.len() {
            0 => None,
            count if count > MOST_NAMES => Some(format!("{told} and {} more", count - MOST_NAMES)),
            _ => Some(told),
        }
    }

    /// What is known of it, as names and values for rows.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let days = |(from, until)| Some(format!("{} to {}", date(from)?, date(until)?));
        let rows = [
            ("subject", self.subject.clone()),
            ("for", self.names_words()),
            ("issuer", self.issuer.clone()),
            ("valid", self.validity.and_then(days)),
            ("SHA-256", Some(self.sha256.to_string())),
            ("trusted so far", self.trusted.map(|trusted| trusted.to_string())),
        ];
        rows.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

fn date(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(time.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_people_and_tools_write_it() {
        let fingerprint = Fingerprint::of(b"jar");
        let written = fingerprint.to_string();
        assert_eq!(written.len(), 95);
        let bare = written.replace(':', "").to_lowercase();
        for text in [
            written.clone(),
            bare.clone(),
            format!(" sha256 Fingerprint={written}\n"),
            format!("SHA256:{bare}"),
            written.replace(':', " "),
        ] {
            assert_eq!(text.parse(), Ok(fingerprint), "{text}");
        }
        for text in ["", "AB:CD", &written[3..], "0x00", &format!("{bare}0"), "sha256"] {
            assert!(text.parse::<Fingerprint>().is_err(), "{text}");
        }
        let error = "AB:CG".parse::<Fingerprint>().unwrap_err().to_string();
        assert!(error.contains("this has 3 and 'G'"), "{error}");
        assert!(written.starts_with(&fingerprint.short()[..11]));
    }
}
