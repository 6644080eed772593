//! Preferences that are kept between runs.

use std::path::PathBuf;
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
    /// What was compared with what, latest last.
    pub comparisons: Vec<RememberedPair>,
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
            comparisons: Vec::new(),
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

/// The two sides that were chosen for comparing under an agent.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RememberedPair {
    /// The agent's card, its secrets masked.
    pub card: String,
    /// The agent's number in the history, which tells askers apart.
    pub agent: Option<i64>,
    pub older: RememberedSide,
    pub newer: RememberedSide,
}

impl RememberedPair {
    /// Whether it was chosen for the agent; its number is not known before its card was recorded.
    #[must_use]
    pub fn is_of(&self, card: &str, agent: Option<i64>) -> bool {
        self.card == card && (agent.is_none() || self.agent.is_none() || self.agent == agent)
    }
}

/// A side that can be had again in the next run.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum RememberedSide {
    /// What the agent's entry shows.
    Shown,
    /// A version in the history, if it still has these bytes.
    Kept {
        version: i64,
        sha256: String,
    },
    File {
        path: PathBuf,
    },
    /// The demo agent's card.
    Demo {
        revision: u8,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}
