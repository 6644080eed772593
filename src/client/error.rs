//! Why a call to an agent gave no result. Plain data; the words for people are made in `ui::problem` and `cli`.

use std::sync::Arc;
use std::time::Duration;

use super::exchange::Exchange;
use crate::a2a::AgentError;
use crate::card::BodyKind;

/// A call that gave no result, with the exchange that shows why.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{kind}")]
pub struct CallError {
    pub kind: CallErrorKind,
    /// The last exchange of the call; `None` if nothing was sent.
    pub exchange: Option<Arc<Exchange>>,
    /// `Retry-After`, as a duration from now.
    pub retry_after: Option<Duration>,
}

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallErrorKind {
    /// The agent reported an error in its binding's form.
    #[error("the agent answered with an error: {}", .0.message)]
    Agent(AgentError),
    /// An HTTP status with no error that the binding knows.
    #[error("HTTP {status} from {url}")]
    HttpStatus { status: u16, body: BodyKind, www_authenticate: Option<String>, url: String },
    /// A status of success, but a body that is no answer.
    #[error("{sentence}")]
    Malformed { sentence: String },
    /// A redirect that must not be followed unasked: a POST by 301, 302 or 303, or to another origin.
    #[error("{url} redirected the request by {status} to {location}")]
    Redirected { status: u16, location: String, url: String },
    /// No complete answer; the sentence names the step (name lookup, connection, TLS, proxy, time-out) and the cause.
    #[error("{sentence}")]
    Transport {
        sentence: String,
        /// The request may have reached the agent: never repeated by itself.
        may_have_been_received: bool,
    },
    #[error("cancelled")]
    Cancelled,
    /// This build speaks no dialect for the endpoint, or the request cannot be built.
    #[error("{sentence}")]
    Unsupported { sentence: String },
}

/// So much of what a server says beside a status is repeated, in characters.
const MOST_WORDS: usize = 600;

impl CallError {
    /// What the server said beside an HTTP status, in its own words; `None` for other failures and for none.
    #[must_use]
    pub fn servers_words(&self) -> Option<String> {
        let CallErrorKind::HttpStatus { body, .. } = &self.kind else { return None };
        match body {
            BodyKind::Empty => None,
            BodyKind::WebPage { title: Some(title) } => Some(format!("It sent a web page with the title \"{title}\".")),
            BodyKind::WebPage { title: None } => Some("It sent a web page.".to_owned()),
            _ => {
                let body = String::from_utf8_lossy(&self.exchange.as_ref()?.response()?.body);
                let words = body.trim();
                let shown: String = words.chars().take(MOST_WORDS).collect();
                Some(if shown.len() < words.len() { format!("{shown}…") } else { shown })
            }
        }
    }

    /// Failures that a poll may outlive: 429, 5xx, time-outs and broken connections (field report T8).
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match &self.kind {
            CallErrorKind::HttpStatus { status, .. } => matches!(status, 408 | 429 | 500 | 502..=504),
            CallErrorKind::Transport { .. } => true,
            // Some servers put a JSON-RPC error into a 429 or 503.
            CallErrorKind::Agent(_) => self
                .exchange
                .as_ref()
                .and_then(|exchange| exchange.status())
                .is_some_and(|status| matches!(status, 429 | 502..=504)),
            _ => false,
        }
    }
}
