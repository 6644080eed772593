//! How requests leave this machine. Plain data, kept between runs.

use std::path::PathBuf;

/// How requests leave this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct NetworkSettings {
    pub proxy: ProxyChoice,
    /// A PEM file with certificate authorities to trust beside the system's.
    pub ca_file: Option<PathBuf>,
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
