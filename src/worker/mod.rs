//! Carries effects out on tokio; the only place that spawns.
