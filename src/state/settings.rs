//! Preferences that are kept between runs.

use std::time::Duration;

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
        }
    }
}

impl Settings {
    #[must_use]
    pub fn poll_budget(&self) -> Duration {
        Duration::from_secs(self.poll_budget_secs)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}
