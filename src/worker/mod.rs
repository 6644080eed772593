//! Carries effects out on tokio; the only place that spawns.

mod outbox;

pub use outbox::Outbox;
