//! From the composer's draft to a request: which interface, what speaks against it, what goes into the message.

use std::time::SystemTime;

use super::action::{Draft, DraftPart};
use super::conversation::{Conversation, Progress, Turn};
use super::earlier::ShownConversation;
use super::{AgentEntry, Effect, JobId, Notice, State, objections};
use crate::a2a::{Dialect, Message, Part, Role, SendMessageConfiguration, SendMessageRequest};
use crate::card::facts::{Interface, InterfaceTable, Tone};
use crate::client::Endpoint;

/// What one send goes by, decided before anything is sent.
pub(super) struct Plan {
    pub row: usize,
    pub endpoint: Endpoint,
    reason: String,
    card_sha256: String,
}

impl State {
    pub(super) fn send(&mut self, draft: Draft) -> Vec<Effect> {
        if draft.parts.is_empty() {
            return Vec::new();
        }
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        if entry.conversation.running_turn().is_some() {
            self.notify(
                Notice::new(Tone::Plain, "The last message is still being worked on", "Nothing was sent.")
                    .with_hint("Wait for its end, or press Stop first."),
            );
            return Vec::new();
        }
        let plan = match plan(entry, &draft) {
            Ok(plan) => plan,
            Err(notice) => {
                self.notify(notice);
                return Vec::new();
            }
        };
        if let Some(question) = self.objections(entry, &plan, &draft) {
            self.question = Some(question);
            return Vec::new();
        }
        let conversation = &entry.conversation;
        let task_id = conversation.open_task.as_ref().map(|(id, _)| id.clone());
        let request = message_request(draft, plan.endpoint.tenant.clone(), conversation.context_id.clone(), task_id);
        self.attachments.clear();
        self.begin_turn(plan, request)
    }

    pub(super) fn resend_in_other_dialect(&mut self, job: JobId) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        if entry.conversation.running_turn().is_some() {
            return Vec::new();
        }
        let Some(turn) = entry.conversation.turns.iter().find(|turn| turn.job == job) else { return Vec::new() };
        let Some(dialect) = turn.other_dialect() else { return Vec::new() };
        let mut request = turn.request.clone();
        request.message.message_id = Some(new_message_id());
        let declared = turn.endpoint.dialect.label();
        let plan = Plan {
            row: turn.interface,
            endpoint: Endpoint { dialect, ..turn.endpoint.clone() },
            reason: format!("Declared {declared}; sent as {} because you asked for it.", dialect.label()),
            card_sha256: turn.card_sha256.clone(),
        };
        self.begin_turn(plan, request)
    }

    pub(super) fn resend_where_redirected(&mut self, job: JobId) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        if entry.conversation.running_turn().is_some() {
            return Vec::new();
        }
        let Some(turn) = entry.conversation.turns.iter().find(|turn| turn.job == job) else { return Vec::new() };
        let Some(url) = turn.redirected_to().map(str::to_owned) else { return Vec::new() };
        let mut request = turn.request.clone();
        request.message.message_id = Some(new_message_id());
        let plan = Plan {
            row: turn.interface,
            endpoint: Endpoint { url: url.clone(), ..turn.endpoint.clone() },
            reason: format!("The agent redirected here from {}, and you agreed.", turn.endpoint.url),
            card_sha256: turn.card_sha256.clone(),
        };
        entry.conversation.addresses.insert(plan.row, url.clone());
        if !self.credentials_for(&url).is_empty() && objections::is_in_clear(&url) {
            // Asked about before the next message, as before every one that would carry a credential so.
            let detail = format!("Messages go to {url} from now on. Your credential would travel in clear there.");
            self.notify(
                Notice::new(Tone::Caution, "Nothing was sent yet", detail).with_hint("Send the message to go on."),
            );
            return Vec::new();
        }
        self.begin_turn(plan, request)
    }

    fn begin_turn(&mut self, plan: Plan, request: SendMessageRequest) -> Vec<Effect> {
        let job = self.next_job();
        let credentials = self.credentials_for(&plan.endpoint.url);
        let budget = self.settings.poll_budget();
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
        // Whatever is being read, the message goes to the current one.
        entry.earlier.shown = ShownConversation::Current;
        entry.conversation.turns.push(Turn {
            job,
            interface: plan.row,
            sent_at: SystemTime::now(),
            endpoint: plan.endpoint.clone(),
            request: request.clone(),
            interface_reason: plan.reason,
            card_sha256: plan.card_sha256,
            progress: Progress::Sending,
            timeline: Vec::new(),
            task: None,
            reply: None,
            deviations: Vec::new(),
            polls: 0,
            ended_after: None,
            repeated_artifacts: Vec::new(),
            last_exchange: None,
            cancel_job: None,
            cancel_problem: None,
        });
        // Whatever becomes of the program, it is known what was sent.
        let mut effects = self.keep_progress_of(job);
        let request = Box::new(request);
        effects.push(Effect::SendMessage { job, endpoint: plan.endpoint, request, credentials, budget });
        effects
    }
}

/// Chooses the interface and makes the endpoint, or says why there is none.
pub(super) fn plan(entry: &AgentEntry, draft: &Draft) -> Result<Plan, Notice> {
    let cannot = |detail: String| Notice::new(Tone::Caution, "This card offers nothing to send to", detail);
    let Some(inspection) = &entry.inspection else {
        return Err(cannot("No card was obtained at this address.".to_owned()));
    };
    let table = &inspection.interfaces;
    let conversation = &entry.conversation;
    let row = conversation.interface.or(table.chosen).ok_or_else(|| cannot(offered_and_spoken(table)))?;
    let interface = table.rows.get(row).ok_or_else(|| cannot("The chosen interface is gone.".to_owned()))?;
    let declared = match (&interface.unusable, interface.dialect) {
        (None, Some(dialect)) => dialect,
        (reason, _) => return Err(cannot(reason.clone().unwrap_or_else(|| offered_and_spoken(table)))),
    };
    let dialect = conversation.dialect_of(row, declared);
    let mut reason = if conversation.interface.is_some() {
        "You chose this interface.".to_owned()
    } else {
        table.chosen_reason.clone()
    };
    if dialect != declared {
        reason = format!("{reason} Declared {}, answered as {}.", declared.label(), dialect.label());
    }
    let endpoint = Endpoint {
        url: conversation.url_of(row, interface).to_owned(),
        binding: interface.binding.clone(),
        dialect,
        tenant: interface.tenant.clone(),
        extensions: draft.extensions.clone(),
    };
    Ok(Plan { row, endpoint, reason, card_sha256: inspection.document.sha256().to_owned() })
}

/// "It offers GRPC; this build speaks JSON-RPC and HTTP+JSON."
fn offered_and_spoken(table: &InterfaceTable) -> String {
    let mut offered: Vec<String> = Vec::new();
    for interface in &table.rows {
        let version = interface.version_text.as_deref().unwrap_or_default();
        let words = format!("{} {version}", interface.binding.name()).trim().to_owned();
        if !offered.contains(&words) {
            offered.push(words);
        }
    }
    if offered.is_empty() {
        return "It declares no interface.".to_owned();
    }
    format!("It offers {}; this build speaks JSON-RPC and HTTP+JSON in the versions 1.0 and 0.3.", offered.join(", "))
}

/// The request that a draft becomes, under a new message id. The tenant is the interface's, exactly as declared.
#[must_use]
pub fn message_request(
    draft: Draft,
    tenant: Option<String>,
    context_id: Option<String>,
    task_id: Option<String>,
) -> SendMessageRequest {
    SendMessageRequest {
        tenant,
        message: Message {
            message_id: Some(new_message_id()),
            context_id,
            task_id,
            role: Role::User,
            parts: draft.parts.into_iter().map(part).collect(),
            metadata: None,
            extensions: Vec::new(),
            reference_task_ids: Vec::new(),
        },
        configuration: SendMessageConfiguration {
            accepted_output_modes: draft.accepted_output_modes,
            history_length: draft.history_length,
            return_immediately: !draft.wait,
        },
        metadata: draft.metadata,
    }
}

fn part(part: DraftPart) -> Part {
    match part {
        DraftPart::Text(text) => Part::text(text),
        DraftPart::File { name, media_type, bytes } => Part::file(bytes, name, media_type),
        DraftPart::Data(json) => Part::data(json),
    }
}

fn new_message_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

impl Conversation {
    /// The address that a send to the row goes to: the declared one byte for byte, or what the user chose instead.
    #[must_use]
    pub fn url_of<'a>(&'a self, row: usize, interface: &'a Interface) -> &'a str {
        self.addresses.get(&row).unwrap_or(&interface.url)
    }

    /// The dialect that is spoken to the row: the declared one, or what it was found to answer to.
    #[must_use]
    pub fn dialect_of(&self, row: usize, declared: Dialect) -> Dialect {
        self.answered_as.iter().find(|(other, _)| *other == row).map_or(declared, |(_, dialect)| *dialect)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        agent_error, answer_with_task, converse, draft, interface, json_rpc, message, send, state_with, task,
    };
    use bytes::Bytes;

    use super::*;
    use crate::a2a::{PartContent, ProtocolBinding, SendMessageResponse, TaskState};
    use crate::client::{CallError, CallErrorKind};
    use crate::state::testing::answered;
    use crate::state::{ConversationAction, Outcome};

    #[test]
    fn the_draft_becomes_a_request_as_it_stands() {
        let tenant = Some("north/42 β".to_owned());
        let mut state = state_with(vec![Interface { tenant: tenant.clone(), ..json_rpc("https://pub.example/rpc/") }]);
        let mut draft = draft("how many jars?");
        draft.parts.push(DraftPart::File { name: "empty.txt".to_owned(), media_type: None, bytes: Bytes::new() });
        draft.wait = true;
        draft.extensions = vec!["https://ext.example/v1".to_owned()];
        let effects = converse(&mut state, ConversationAction::Send(draft));
        let [Effect::SendMessage { endpoint, request, .. }] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!(endpoint.url, "https://pub.example/rpc/");
        assert_eq!((&endpoint.tenant, &request.tenant), (&tenant, &tenant));
        assert_eq!(endpoint.extensions, ["https://ext.example/v1"]);
        assert!(!request.configuration.return_immediately);
        assert!(request.message.message_id.as_ref().is_some_and(|id| id.len() == 36));
        assert!(matches!(&request.message.parts[1].content, PartContent::Raw(bytes) if bytes.is_empty()));
        assert_eq!(state.discovery.current_entry().unwrap().conversation.turns.len(), 1);
    }

    #[test]
    fn the_first_usable_interface_is_taken_unless_the_user_chooses() {
        let rows = vec![
            interface("https://pub.example/slim", ProtocolBinding::Other("SLIMRPC".to_owned()), None),
            interface("https://pub.example/rpc", ProtocolBinding::JsonRpc, Some(Dialect::V0_3)),
            interface("https://pub.example/rest", ProtocolBinding::HttpJson, Some(Dialect::V1_0)),
        ];
        let mut state = state_with(rows);
        let (job, effect) = send(&mut state, "hello");
        assert!(matches!(effect, Effect::SendMessage { endpoint, .. } if endpoint.dialect == Dialect::V0_3));
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Completed, &[])));
        let _ = converse(&mut state, ConversationAction::ChooseInterface { row: Some(2) });
        let (_, effect) = send(&mut state, "hello");
        assert!(matches!(effect, Effect::SendMessage { endpoint, .. } if endpoint.dialect == Dialect::V1_0));
    }

    #[test]
    fn nothing_usable_is_said_with_what_is_offered() {
        let mut state = state_with(vec![interface("https://pub.example", ProtocolBinding::Grpc, None)]);
        assert!(converse(&mut state, ConversationAction::Send(draft("hello"))).is_empty());
        let detail = &state.notices[0].detail;
        assert!(detail.contains("offers GRPC; this build speaks JSON-RPC and HTTP+JSON"), "{detail}");
    }

    #[test]
    fn an_unknown_method_offers_the_other_dialect_and_nothing_is_resent_unasked() {
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let (job, first) = send(&mut state, "hello");
        assert!(state.absorb(Outcome::MessageAnswered { job, result: Err(agent_error(-32601)) }).is_empty());
        let turn = |state: &State, at: usize| {
            let turn = &state.discovery.current_entry().unwrap().conversation.turns[at];
            (turn.other_dialect(), turn.interface_reason.clone())
        };
        assert_eq!(turn(&state, 0).0, Some(Dialect::V0_3));
        let effects = converse(&mut state, ConversationAction::ResendInOtherDialect { turn: job });
        let [Effect::SendMessage { job, endpoint, request, .. }] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!(endpoint.dialect, Dialect::V0_3);
        let Effect::SendMessage { request: first, .. } = first else { panic!() };
        assert_eq!(request.message.parts, first.message.parts);
        let reply = SendMessageResponse::Message(message("4 jars"));
        let _ = state.absorb(Outcome::MessageAnswered { job: *job, result: Ok(answered(reply)) });
        let (_, effect) = send(&mut state, "and now?");
        assert!(matches!(effect, Effect::SendMessage { endpoint, .. } if endpoint.dialect == Dialect::V0_3));
        assert!(turn(&state, 2).1.contains("Declared 1.0, answered as 0.3."));
    }

    #[test]
    fn a_redirected_message_goes_on_only_on_a_click_and_the_next_ones_as_well() {
        let redirected = |location: &str| {
            let (url, location) = ("https://pub.example/rpc".to_owned(), location.to_owned());
            let kind = CallErrorKind::Redirected { status: 302, location, url };
            Err(CallError { kind, exchange: None, retry_after: None })
        };
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let (job, _) = send(&mut state, "hello");
        let result = redirected("https://pub.example/rpc?key=••••");
        assert!(state.absorb(Outcome::MessageAnswered { job, result }).is_empty());
        let resend = |state: &mut State, turn| converse(state, ConversationAction::ResendWhereRedirected { turn });
        assert!(resend(&mut state, job).is_empty(), "what is masked is no address");

        let (job, _) = send(&mut state, "hello");
        let result = redirected("https://new.example/rpc");
        assert!(state.absorb(Outcome::MessageAnswered { job, result }).is_empty());
        let effects = resend(&mut state, job);
        let [Effect::SendMessage { job, endpoint, request, credentials, .. }] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert_eq!((&*endpoint.url, credentials.len()), ("https://new.example/rpc", 0));
        assert_eq!(request.message.text(), "hello");
        let reply = SendMessageResponse::Message(message("4 jars"));
        let _ = state.absorb(Outcome::MessageAnswered { job: *job, result: Ok(answered(reply)) });
        let (_, effect) = send(&mut state, "and now?");
        assert!(matches!(effect, Effect::SendMessage { endpoint, .. } if endpoint.url == "https://new.example/rpc"));
    }

    #[test]
    fn a_redirect_carries_no_credential_into_the_clear_unasked() {
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let headers = vec![("Authorization".to_owned(), crate::client::Secret::new("Bearer 1234567890"))];
        let origin = "http://pub.example".to_owned();
        let credential = crate::client::Credential { origin, headers, client_certificate: None };
        let _ = state.apply(crate::state::Action::SetCredential(credential));
        let (job, _) = send(&mut state, "hello");
        let (url, location) = ("https://pub.example/rpc".to_owned(), "http://pub.example/rpc".to_owned());
        let kind = CallErrorKind::Redirected { status: 307, location, url };
        let result = Err(CallError { kind, exchange: None, retry_after: None });
        let _ = state.absorb(Outcome::MessageAnswered { job, result });
        assert!(converse(&mut state, ConversationAction::ResendWhereRedirected { turn: job }).is_empty());
        assert!(converse(&mut state, ConversationAction::Send(draft("hello"))).is_empty());
        assert!(state.question.is_some(), "the next message asks");
    }

    #[test]
    fn a_refused_version_is_no_reason_to_go_down() {
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(Outcome::MessageAnswered { job, result: Err(agent_error(-32009)) });
        assert_eq!(state.discovery.current_entry().unwrap().conversation.turns[0].other_dialect(), None);
        assert!(converse(&mut state, ConversationAction::ResendInOtherDialect { turn: job }).is_empty());
    }
}
