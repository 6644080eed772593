//! What several tests need: a scripted server and builders.

mod fake_agent;
mod model;
pub mod rpc;
pub mod tls_front;
pub mod window;

pub use fake_agent::{FakeAgent, Received, Reply, Step};
pub use model::Model;
pub use tls_front::{Clients, TlsFront};
