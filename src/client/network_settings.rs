//! How requests leave this machine. Plain data, kept between runs.

use std::path::PathBuf;

use super::certificate::{Fingerprint, TrustedCertificate};

/// How requests leave this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct NetworkSettings {
    pub proxy: ProxyChoice,
    /// A PEM file with certificate authorities to trust beside the system's.
    pub ca_file: Option<PathBuf>,
    /// Certificates that the user trusts, each at one origin; at most one an origin.
    pub trusted: Vec<TrustedCertificate>,
    /// The same for this run only.
    #[serde(skip)]
    pub trusted_in_this_run: Vec<TrustedCertificate>,
}

impl NetworkSettings {
    /// The fingerprints of what is trusted at `origin`, the latest first.
    pub fn trusted_at(&self, origin: &str) -> impl Iterator<Item = Fingerprint> {
        let all = self.trusted_in_this_run.iter().chain(&self.trusted);
        all.filter(move |trusted| trusted.origin == origin).map(|trusted| trusted.sha256)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ProxyChoice {
    /// The environment's or the system's; never for loopback.
    #[default]
    System,
    None,
    /// `http://host:port` or `socks5://host:port`; never for loopback.
    Manual(String),
}
