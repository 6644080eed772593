//! Failures of a call in words for a terminal.

use crate::card::visible_text::visible_text;
use crate::client::{CallError, CallErrorKind};

/// The same for a message that was to be sent: whether it arrived may be open.
pub(super) fn send_problem(error: &CallError) -> String {
    let problem = call_problem(error);
    let certificate = error.exchange.as_ref().and_then(|exchange| exchange.refused_certificate());
    if let Some(certificate) = certificate {
        // It may be the certificate of another origin than the card's, which no option is about.
        return format!("{}\n\n{}", sentence(&problem), super::inspect_text::refused(certificate, None));
    }
    match error.kind {
        CallErrorKind::Transport { may_have_been_received: true, .. } => {
            format!("{} The message may have been received; it was not sent again.", sentence(&problem))
        }
        _ => problem,
    }
}

/// The text with a full stop.
pub(super) fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// One line or a few: what happened, with number, name and the server's own words.
pub(super) fn call_problem(error: &CallError) -> String {
    let text = words(error);
    match error.retry_after {
        Some(wait) => format!("{} The server asks to wait {} s.", sentence(&text), wait.as_secs()),
        None => text,
    }
}

fn words(error: &CallError) -> String {
    match &error.kind {
        CallErrorKind::Agent(agent) => {
            let code = agent.code.map(|code| code.to_string());
            let head: Vec<&str> =
                [code.as_deref(), agent.name(), agent.reason.as_deref()].into_iter().flatten().collect();
            let mut text =
                format!("The agent answered with error {}: {}", head.join(" "), visible_text(&agent.message));
            if let Some(data) = &agent.data {
                text = format!("{text}\n{}", visible_text(data.as_str()));
            }
            text
        }
        CallErrorKind::HttpStatus { www_authenticate, .. } => {
            let asks =
                www_authenticate.as_ref().map(|challenge| format!(", which asks for: {}", visible_text(challenge)));
            let words = error.servers_words().map(|words| format!("\n{}", visible_text(&words)));
            format!("{error}{}{}", asks.unwrap_or_default(), words.unwrap_or_default())
        }
        _ => error.to_string(),
    }
}
