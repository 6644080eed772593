//! An endpoint: one interface as Cardscope will speak to it. Plain data.

use std::sync::Arc;

use super::exchange::Exchange;
use crate::a2a::{Dialect, ProtocolBinding};

/// Where and how to call an agent; made from the chosen interface of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Used byte for byte by JSON-RPC; joined with paths by HTTP+JSON.
    pub url: String,
    pub binding: ProtocolBinding,
    pub dialect: Dialect,
    /// Exactly as declared.
    pub tenant: Option<String>,
    /// Extension URIs to activate by `A2A-Extensions` (0.3: `X-A2A-Extensions`).
    pub extensions: Vec<String>,
}

/// What an agent answered, with what had to be read generously.
#[derive(Clone, Debug)]
pub struct Answered<T> {
    pub value: T,
    /// Deviations from the specification, one sentence each ("the result is not wrapped in task or message").
    pub deviations: Vec<String>,
    pub exchange: Arc<Exchange>,
}
