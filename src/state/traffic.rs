//! Every exchange of this run, oldest first, within a bound.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::client::Exchange;

/// The most exchanges kept.
const MAX_EXCHANGES: usize = 2000;
/// The most body bytes kept, in requests and answers together.
const MAX_BODY_BYTES: usize = 64 << 20;

/// What the Traffic panel lists.
#[derive(Debug, Default)]
pub struct Traffic {
    pub exchanges: VecDeque<Arc<Exchange>>,
    /// How many older ones were let go.
    pub forgotten: usize,
    body_bytes: usize,
}

impl Traffic {
    /// Adds an exchange and lets the oldest go where there are too many or too large ones.
    pub fn push(&mut self, exchange: Arc<Exchange>) {
        self.body_bytes += body_bytes(&exchange);
        self.exchanges.push_back(exchange);
        while self.exchanges.len() > MAX_EXCHANGES || (self.body_bytes > MAX_BODY_BYTES && self.exchanges.len() > 1) {
            if let Some(oldest) = self.exchanges.pop_front() {
                self.body_bytes -= body_bytes(&oldest);
                self.forgotten += 1;
            }
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

fn body_bytes(exchange: &Exchange) -> usize {
    exchange.request.body.len() + exchange.response().map_or(0, |response| response.body.len())
}
