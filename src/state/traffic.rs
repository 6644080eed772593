//! Every exchange of this run, oldest first, within a bound.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::a2a::TaskState;
use crate::card::{JsonTree, Node};
use crate::client::Exchange;

/// The most exchanges kept.
const MAX_EXCHANGES: usize = 2000;
/// The most body bytes kept, in requests and answers together.
const MAX_BODY_BYTES: usize = 64 << 20;

/// Larger answers are not read for the state of a task.
const MAX_READ_BYTES: usize = 256 << 10;

/// One exchange and what its row says.
#[derive(Clone, Debug)]
pub struct TrafficRow {
    pub exchange: Arc<Exchange>,
    /// What it was for, and the state of the task if the answer has one: "GetTask · working".
    pub purpose: String,
}

impl TrafficRow {
    fn new(exchange: Arc<Exchange>) -> Self {
        let purpose = match task_state(&exchange) {
            Some(state) => format!("{} · {}", exchange.purpose, state.label()),
            None => exchange.purpose.clone(),
        };
        Self { exchange, purpose }
    }
}

/// What the Traffic panel lists.
#[derive(Debug, Default)]
pub struct Traffic {
    pub rows: VecDeque<TrafficRow>,
    /// How many older ones were let go.
    pub forgotten: usize,
    body_bytes: usize,
}

impl Traffic {
    /// Adds an exchange and lets the oldest go where there are too many or too large ones.
    pub fn push(&mut self, exchange: Arc<Exchange>) {
        self.body_bytes += body_bytes(&exchange);
        self.rows.push_back(TrafficRow::new(exchange));
        while self.rows.len() > MAX_EXCHANGES || (self.body_bytes > MAX_BODY_BYTES && self.rows.len() > 1) {
            if let Some(oldest) = self.rows.pop_front() {
                self.body_bytes -= body_bytes(&oldest.exchange);
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

/// The state of the task in the answer, wrapped as each release of the protocol wraps it.
fn task_state(exchange: &Exchange) -> Option<TaskState> {
    if !matches!(exchange.purpose.as_str(), "SendMessage" | "GetTask" | "CancelTask") {
        return None;
    }
    let body = &exchange.response().filter(|response| response.body.len() <= MAX_READ_BYTES)?.body;
    let tree = JsonTree::parse(std::str::from_utf8(body).ok()?).ok()?;
    let root = tree.root();
    let result = root.get("result").unwrap_or(root);
    let task = result.get("task").unwrap_or(result);
    let state = task.get("status").and_then(|status: Node<'_>| status.get_str("state"))?;
    Some(TaskState::parse(&state))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::client::{ExchangeEnd, RecordedRequest, RecordedResponse};
    use std::time::{Duration, SystemTime};

    fn exchange(purpose: &str, body: &str) -> Arc<Exchange> {
        let request = RecordedRequest {
            method: "POST".to_owned(),
            url: "https://pub.example/rpc".to_owned(),
            headers: Vec::new(),
            body: Bytes::from_static(b"{}"),
            proxy: None,
            client_certificate: None,
        };
        let response = RecordedResponse {
            status: 200,
            version: "HTTP/1.1".to_owned(),
            headers: Vec::new(),
            body: Bytes::from(body.to_owned()),
            wire_bytes: body.len(),
            incomplete: None,
        };
        Arc::new(Exchange {
            purpose: purpose.to_owned(),
            started_at: SystemTime::UNIX_EPOCH,
            duration: Duration::ZERO,
            request,
            end: ExchangeEnd::Answered(response),
        })
    }

    #[test]
    fn a_row_says_the_state_of_the_task_in_its_answer() {
        let cases = [
            ("GetTask", r#"{"result":{"id":"1","status":{"state":"TASK_STATE_WORKING"}}}"#, "GetTask · working"),
            ("GetTask", r#"{"id":"1","status":{"state":"input-required"}}"#, "GetTask · input-required"),
            (
                "SendMessage",
                r#"{"result":{"task":{"status":{"state":"TASK_STATE_SUBMITTED"}}}}"#,
                "SendMessage · submitted",
            ),
            ("SendMessage", r#"{"result":{"message":{"parts":[]}}}"#, "SendMessage"),
            ("GetTask", r#"{"error":{"code":-32001}}"#, "GetTask"),
            ("GetTask", "<html>", "GetTask"),
            ("agent card", r#"{"status":{"state":"working"}}"#, "agent card"),
        ];
        for (purpose, body, row) in cases {
            let mut traffic = Traffic::default();
            traffic.push(exchange(purpose, body));
            assert_eq!(traffic.rows[0].purpose, row, "{body}");
        }
    }
}
