//! Preferences that are kept between runs.

use std::time::Duration;

use crate::card::catalog::CatalogKind;

pub use crate::client::network_settings::{NetworkSettings, ProxyChoice};

/// Preferences; secrets are never among them.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Settings {
    pub theme: ThemeChoice,
    /// 1.0 is the system's own size.
    pub zoom: f32,
    pub traffic_open: bool,
    pub json_open: bool,
    /// How long a task is followed before the user is asked.
    pub poll_budget_secs: u64,
    pub network: NetworkSettings,
    /// Catalogs that were opened, latest last; addresses only.
    pub catalogs: Vec<RememberedCatalog>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            zoom: 1.0,
            traffic_open: true,
            json_open: true,
            poll_budget_secs: 300,
            network: NetworkSettings::default(),
            catalogs: Vec::new(),
        }
    }
}

impl Settings {
    #[must_use]
    pub fn poll_budget(&self) -> Duration {
        Duration::from_secs(self.poll_budget_secs)
    }
}

/// A catalog to list again in the next run.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RememberedCatalog {
    pub address: String,
    /// What the user said it is.
    pub kind: Option<CatalogKind>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}
