//! A failed call in words for people: what happened, the details, and what to do next.

use crate::a2a::AgentError;
use crate::client::{CallError, CallErrorKind};

/// A failure ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One line.
    pub title: String,
    /// The other side's own words or the evidence; may be empty.
    pub detail: String,
    /// What to do next; may be empty.
    pub hint: String,
}

impl Problem {
    fn new(title: impl Into<String>, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { title: title.into(), detail: detail.into(), hint: hint.into() }
    }

    /// What went wrong with a call, and what the user can do about it.
    #[must_use]
    pub fn of(error: &CallError) -> Self {
        let mut problem = match &error.kind {
            CallErrorKind::Agent(agent) => agent_problem(agent, error),
            CallErrorKind::HttpStatus { status, www_authenticate, url, .. } => {
                let wanted = www_authenticate.as_ref().map(|wanted| format!("The server asks for: {wanted}"));
                let detail: Vec<String> = wanted.into_iter().chain(error.servers_words()).collect();
                Self::new(format!("HTTP {status} from {url}"), detail.join("\n"), status_hint(*status))
            }
            CallErrorKind::Malformed { sentence } => Self::new(
                "The answer could not be read",
                sentence,
                "The body as received is in Traffic. The message may have been acted on.",
            ),
            CallErrorKind::Redirected { status, location, url } => Self::new(
                format!("{url} redirected the message by {status}"),
                format!("It points to {location}"),
                "A message is never sent to another address unasked. If that address is right, the card should name it, and you can use it for this conversation.",
            ),
            CallErrorKind::Transport { sentence, may_have_been_received } => {
                Self::new("No complete answer", sentence, transport_hint(*may_have_been_received))
            }
            CallErrorKind::Cancelled => Self::new("Cancelled", "", ""),
            CallErrorKind::Unsupported { sentence } => {
                Self::new("This message cannot be sent", sentence, "Choose another interface, if the card has one.")
            }
        };
        if let Some(wait) = error.retry_after {
            problem.hint = format!("The server asks to wait {} s. {}", wait.as_secs(), problem.hint);
        }
        problem
    }

    /// All of it as text to be copied.
    #[must_use]
    pub fn text(&self) -> String {
        [&self.title, &self.detail, &self.hint]
            .into_iter()
            .filter(|line| !line.is_empty())
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// Number, the specification's name and the server's own words: codes are reused for other things, so that none
/// of the three stands alone.
fn agent_problem(agent: &AgentError, error: &CallError) -> Problem {
    let title = match (agent.code, agent.name()) {
        (Some(code), Some(name)) => format!("{code} {name}"),
        (Some(code), None) => format!("Error {code}, which the specification does not name"),
        (None, _) => "The agent answered with an error".to_owned(),
    };
    let mut lines = Vec::new();
    if !agent.message.is_empty() {
        lines.push(agent.message.clone());
    }
    if let Some(reason) = &agent.reason {
        lines.push(format!("Reason: {reason}"));
    }
    if let Some(data) = &agent.data {
        lines.push(format!("Data: {}", data.as_str()));
    }
    let status = error.exchange.as_ref().and_then(|exchange| exchange.status());
    if let Some(status) = status.filter(|status| !(200..300).contains(status)) {
        lines.push(format!("It came with HTTP {status}."));
    }
    Problem::new(title, lines.join("\n"), agent_hint(agent.code))
}

fn agent_hint(code: Option<i64>) -> &'static str {
    match code {
        Some(-32601) => "The agent does not know this method. It may speak another version than its card declares.",
        Some(-32602) => "The agent did not accept the parameters. Look at the request in Traffic.",
        Some(-32700 | -32600) => "The agent could not read the request. It may speak another version.",
        Some(-32603) => "Something failed inside the agent. The same message may work later.",
        Some(-32001) => "The agent no longer has this task, or never had it. A new conversation starts afresh.",
        Some(-32002) => "The task is in a state that cannot be cancelled.",
        Some(-32004) => "The agent does not offer this operation.",
        Some(-32005) => "The agent does not take one of the media types. Look at its skills' modes.",
        Some(-32006) => "What the agent answered breaks the protocol, by its own account.",
        Some(-32008) => "The agent demands an extension. Activate it in the options and send again.",
        Some(-32009) => "The agent does not speak this version of the protocol. It is not changed unasked.",
        _ => "",
    }
}

fn status_hint(status: u16) -> &'static str {
    match status {
        401 => "Set a credential for this origin, then send again.",
        403 => "The credential was understood but does not suffice, or the agent refuses this caller.",
        404 | 405 => {
            "Nothing takes messages at this address. Some servers want it with, others without a slash at the end."
        }
        406 | 415 => "The server does not accept this content type.",
        408 | 504 => "The agent took too long. It may have received the message.",
        413 => "The message is too large for this server.",
        429 => "Too many requests for now.",
        500..=599 => "The server is failing. Its answer is in Traffic.",
        _ => "The answer is in Traffic.",
    }
}

fn transport_hint(may_have_been_received: bool) -> &'static str {
    if may_have_been_received {
        "The agent may have received the message, so it is not sent again by itself."
    } else {
        "The agent did not receive the message."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::BodyKind;

    fn problem(kind: CallErrorKind) -> Problem {
        Problem::of(&CallError { kind, exchange: None, retry_after: None })
    }

    fn agent(code: Option<i64>, message: &str) -> CallErrorKind {
        CallErrorKind::Agent(AgentError { code, reason: None, message: message.to_owned(), data: None })
    }

    #[test]
    fn an_agent_error_shows_number_name_and_the_servers_words() {
        let shown = problem(agent(Some(-32001), "task timed out"));
        assert_eq!(shown.title, "-32001 TaskNotFoundError");
        assert_eq!(shown.detail, "task timed out");
        assert!(problem(agent(Some(-31000), "odd")).title.contains("-31000"));
        assert_eq!(problem(agent(None, "odd")).detail, "odd");
    }

    #[test]
    fn a_lost_answer_says_whether_the_message_may_have_arrived() {
        let lost = |received| {
            problem(CallErrorKind::Transport { sentence: "reset".to_owned(), may_have_been_received: received }).hint
        };
        assert!(lost(true).contains("may have received"));
        assert!(lost(false).contains("did not receive"));
    }

    #[test]
    fn every_status_has_something_to_do_next() {
        for status in [300, 400, 401, 403, 404, 405, 408, 413, 415, 429, 500, 503, 599] {
            let url = "https://a.example/rpc".to_owned();
            let kind = CallErrorKind::HttpStatus { status, body: BodyKind::Empty, www_authenticate: None, url };
            let shown = problem(kind);
            assert!(shown.title.contains(&status.to_string()));
            assert!(!shown.hint.is_empty(), "{status}");
        }
    }
}
