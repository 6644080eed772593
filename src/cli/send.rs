//! `cardscope send`: sends a message and follows what comes of it.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::arguments::SendArguments;
use super::kept::Kept;
use super::kept_conversation::KeptConversation;
use super::send_events::{End, Report};
use super::send_request::{self, Selected};
use super::{inspect_text, output};
use crate::a2a::SendMessageRequest;
use crate::worker::tasks::Peer;

pub(super) async fn run(arguments: SendArguments, data_folder: Option<&Path>) -> ExitCode {
    let timeout = Duration::from_secs(arguments.timeout);
    let mut report = Report::new(arguments.json);
    let mut keeping = Keeping { kept: Kept::open(data_folder, &arguments.ask), conversation: None };
    // Given up by being dropped: sockets close, and the task goes on at the agent.
    match tokio::time::timeout(timeout, try_run(&arguments, &mut keeping, &mut report)).await {
        Ok(Ok(())) => {}
        Ok(Err(problem)) => report.end = Some(End::Error(problem)),
        Err(_) => report.given_up(),
    }
    keeping.save(&report, arguments.context.as_deref());
    ExitCode::from(report.finish())
}

/// The history, and the conversation in it once something is sent.
struct Keeping {
    kept: Kept,
    conversation: Option<KeptConversation>,
}

impl Keeping {
    /// Before anything goes out: whatever becomes of the command, it is known what was sent.
    fn begin(&mut self, report: &Report, context_id: Option<&str>) {
        self.conversation = self.kept.conversation(context_id);
        self.save(report, context_id);
    }

    fn save(&mut self, report: &Report, context_id: Option<&str>) {
        if let (Some(conversation), Some(turn)) = (&mut self.conversation, report.turn_record()) {
            let context_id = report.context_id().or(context_id).map(str::to_owned);
            self.kept.save_turn(conversation, turn, context_id);
        }
    }
}

/// # Errors
/// Why nothing could be sent.
async fn try_run(arguments: &SendArguments, keeping: &mut Keeping, report: &mut Report) -> Result<(), String> {
    let access = Access::new(&arguments.address, &arguments.ask).await?;
    let inspected = keeping.kept.obtain(&access, &arguments.address).await?;
    let Some(card) = inspected.card() else {
        let text = inspect_text::without_card(&inspected.retrieval, &access);
        return Err(text.trim_start_matches("cardscope: ").to_owned());
    };
    let selected = send_request::select(card, arguments.interface)?;
    let request = send_request::request(arguments, selected.endpoint.tenant.clone()).await?;
    report.selected(&selected);
    report.begins(&selected, &request, card.document.sha256());
    keeping.begin(report, arguments.context.as_deref());
    say_what_is_withheld(&access, &selected);
    send(&access, &selected, &request, Duration::from_secs(arguments.timeout), report).await;
    Ok(())
}

async fn send(
    access: &Access,
    selected: &Selected<'_>,
    request: &SendMessageRequest,
    timeout: Duration,
    report: &mut Report,
) {
    let cancel = CancellationToken::new();
    let peer = Peer {
        client: &access.client,
        endpoint: &selected.endpoint,
        credentials: &access.credentials,
        cancel: &cancel,
    };
    let mut on_event = |event| {
        report.take(event);
        if report.unread {
            cancel.cancel();
        }
    };
    peer.send_and_follow(request, timeout, &mut on_event).await;
}

/// Credentials stay with the origin of the address: where the interface lies elsewhere, that is said.
fn say_what_is_withheld(access: &Access, selected: &Selected<'_>) {
    let origin = url::Url::parse(&selected.endpoint.url).map(|url| url.origin().ascii_serialization());
    for credential in &access.credentials {
        if origin.as_ref().ok() != Some(&credential.origin) {
            output::note(&format!(
                "The credentials given are for {}; they are not sent to the interface, which lies elsewhere.",
                credential.origin
            ));
        }
    }
}
