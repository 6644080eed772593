//! What several tests need: a scripted server and builders.

mod fake_agent;

pub use fake_agent::{FakeAgent, Received, Reply, Step};
