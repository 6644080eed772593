//! From the composer's draft to a request: which interface, what speaks against it, what goes into the message.

use std::time::SystemTime;

use super::action::{ConversationAction, Draft, DraftPart};
use super::conversation::{Conversation, Progress, Turn};
use super::credentials::origin_of;
use super::{Action, AgentEntry, Choice, Effect, JobId, Notice, Question, State};
use crate::a2a::{Dialect, Message, Part, Role, SendMessageConfiguration, SendMessageRequest};
use crate::card::facts::{AddressFlagKind, Interface, InterfaceTable, Tone};
use crate::client::{Credential, Endpoint};

/// What one send goes by, decided before anything is sent.
struct Plan {
    row: usize,
    endpoint: Endpoint,
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

    fn begin_turn(&mut self, plan: Plan, request: SendMessageRequest) -> Vec<Effect> {
        let job = self.next_job();
        let credentials = self.credentials_for(&plan.endpoint.url);
        let budget = self.settings.poll_budget();
        let Some(entry) = self.discovery.current_entry_mut() else { return Vec::new() };
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
        vec![Effect::SendMessage { job, endpoint: plan.endpoint, request: Box::new(request), credentials, budget }]
    }

    /// What the user has to agree to before this is sent; `None` if nothing speaks against it.
    fn objections(&self, entry: &AgentEntry, plan: &Plan, draft: &Draft) -> Option<Question> {
        let conversation = &entry.conversation;
        if conversation.confirmed.contains(&plan.row) {
            return None;
        }
        let interface = entry.inspection.as_ref()?.interfaces.rows.get(plan.row)?;
        let url = &plan.endpoint.url;
        // Plain http matters only where a secret would travel over it; that is asked for below.
        let flag = interface
            .flag
            .as_ref()
            .filter(|flag| flag.kind != AddressFlagKind::PlainText && !conversation.use_suggestion.contains(&plan.row));
        let own = self.credentials_for(url);
        let foreign = if own.is_empty() { self.card_credentials(entry, url) } else { None };
        let in_clear = !own.is_empty() && url.starts_with("http://") && !is_loopback(url);

        let mut reasons = Vec::new();
        let mut choices = Vec::new();
        let send = Action::Conversation(ConversationAction::Send(draft.clone()));
        let confirm = Action::Conversation(ConversationAction::ConfirmInterface { row: plan.row });
        if let Some(flag) = flag {
            reasons.push(flag.text.clone());
            if let Some(suggestion) = &flag.suggestion {
                let row = plan.row;
                choices.push(Choice {
                    label: format!("Use {suggestion}"),
                    actions: vec![Action::Conversation(ConversationAction::UseSuggestedAddress { row }), send.clone()],
                });
            }
        }
        if let Some((credential, origin)) = &foreign {
            reasons.push(format!(
                "A credential is set for {}, where the card came from. This interface is at {origin}, another \
                 origin: the credential does not go there unless you say so.",
                credential.origin
            ));
            let shared = Credential { origin: origin.clone(), headers: credential.headers.clone() };
            choices.push(Choice {
                label: format!("Send the credential to {origin} as well"),
                actions: vec![Action::SetCredential(shared), confirm.clone(), send.clone()],
            });
        }
        if in_clear {
            reasons.push("The credential would travel over plain http, readable on the way.".to_owned());
        }
        if reasons.is_empty() {
            return None;
        }
        if origin_of(url).is_some() {
            let label = if foreign.is_some() { "Send without the credential" } else { "Send anyway" };
            choices.push(Choice { label: label.to_owned(), actions: vec![confirm, send] });
        }
        choices.push(Choice { label: "Cancel".to_owned(), actions: Vec::new() });
        let title = if url.is_empty() { "Send without an address?".to_owned() } else { format!("Send to {url}?") };
        Some(Question { title, detail: reasons.join("\n\n"), choices })
    }

    /// The credential of the card's own origin, if the interface lies at another one.
    fn card_credentials(&self, entry: &AgentEntry, url: &str) -> Option<(&Credential, String)> {
        let card_origin = origin_of(entry.card_url()?)?;
        let origin = origin_of(url)?;
        let credential = self.credentials.iter().find(|credential| credential.origin == card_origin)?;
        (origin != card_origin).then_some((credential, origin))
    }
}

/// Chooses the interface and makes the endpoint, or says why there is none.
fn plan(entry: &AgentEntry, draft: &Draft) -> Result<Plan, Notice> {
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

fn is_loopback(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| crate::card::address::is_loopback(&url))
}

impl Conversation {
    /// The address that a send to the row goes to: the declared one byte for byte, or the suggestion that the user took.
    #[must_use]
    pub fn url_of<'a>(&self, row: usize, interface: &'a Interface) -> &'a str {
        let suggestion = interface.flag.as_ref().and_then(|flag| flag.suggestion.as_deref());
        suggestion.filter(|_| self.use_suggestion.contains(&row)).unwrap_or(&interface.url)
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
        agent_error, answer_with_task, converse, draft, flagged, interface, json_rpc, message, send, state_with, task,
    };
    use super::*;
    use crate::a2a::{PartContent, ProtocolBinding, SendMessageResponse, TaskState};
    use crate::card::facts::AddressFlag;
    use crate::client::Secret;
    use crate::state::Outcome;
    use crate::state::testing::answered;

    fn wildcard(suggestion: Option<&str>) -> AddressFlag {
        AddressFlag {
            kind: AddressFlagKind::Wildcard,
            text: "0.0.0.0 is where the server listens.".to_owned(),
            suggestion: suggestion.map(str::to_owned),
        }
    }

    fn labels(state: &State) -> Vec<&str> {
        state.question.iter().flat_map(|question| &question.choices).map(|choice| &*choice.label).collect()
    }

    fn url_of(effects: &[Effect]) -> &str {
        match effects {
            [.., Effect::SendMessage { endpoint, .. }] => &endpoint.url,
            other => panic!("nothing was sent: {other:?}"),
        }
    }

    fn credential(origin: &str) -> Credential {
        Credential {
            origin: origin.to_owned(),
            headers: vec![("Authorization".to_owned(), Secret::new("Bearer 1234567890"))],
        }
    }

    #[test]
    fn the_draft_becomes_a_request_as_it_stands() {
        let tenant = Some("north/42 β".to_owned());
        let mut state = state_with(vec![Interface { tenant: tenant.clone(), ..json_rpc("https://pub.example/rpc/") }]);
        let mut draft = draft("how many jars?");
        draft.parts.push(DraftPart::File { name: "empty.txt".to_owned(), media_type: None, bytes: [].into() });
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
    fn a_flagged_address_is_asked_about_and_remembered() {
        let suggestion = "https://pub.example:8000/";
        let rows = vec![flagged("http://0.0.0.0:8000/", wildcard(Some(suggestion)))];
        let mut state = state_with(rows.clone());
        assert!(converse(&mut state, ConversationAction::Send(draft("hello"))).is_empty());
        assert_eq!(labels(&state), ["Use https://pub.example:8000/", "Send anyway", "Cancel"]);
        assert!(state.apply(Action::AnswerQuestion { choice: 2 }).is_empty());
        assert!(state.question.is_none());

        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        assert_eq!(url_of(&state.apply(Action::AnswerQuestion { choice: 0 })), suggestion);
        let _ = converse(&mut state, ConversationAction::Stop);
        let (_, effect) = send(&mut state, "not asked again");
        assert_eq!(url_of(&[effect]), suggestion);
        let entry = state.discovery.current_entry().unwrap();
        assert_eq!(entry.inspection.as_ref().unwrap().interfaces.rows, rows, "the card itself never changes");

        let _ = converse(&mut state, ConversationAction::NewConversation);
        let _ = converse(&mut state, ConversationAction::Send(draft("asked again")));
        assert_eq!(url_of(&state.apply(Action::AnswerQuestion { choice: 1 })), "http://0.0.0.0:8000/");
    }

    #[test]
    fn what_is_no_address_cannot_be_sent_to() {
        let flag = AddressFlag { kind: AddressFlagKind::Relative, ..wildcard(Some("https://pub.example/rpc")) };
        let mut state = state_with(vec![flagged("/rpc", flag)]);
        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        assert_eq!(labels(&state), ["Use https://pub.example/rpc", "Cancel"]);
    }

    #[test]
    fn a_credential_goes_to_another_origin_only_when_the_user_says_so() {
        let mut state = state_with(vec![json_rpc("https://evil.example/rpc")]);
        let _ = state.apply(Action::SetCredential(credential("https://pub.example")));
        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        assert_eq!(
            labels(&state),
            ["Send the credential to https://evil.example as well", "Send without the credential", "Cancel"]
        );
        let effects = state.apply(Action::AnswerQuestion { choice: 1 });
        assert!(matches!(&effects[..], [Effect::SendMessage { credentials, .. }] if credentials.is_empty()));

        let mut state = state_with(vec![json_rpc("https://evil.example/rpc")]);
        let _ = state.apply(Action::SetCredential(credential("https://pub.example")));
        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        let effects = state.apply(Action::AnswerQuestion { choice: 0 });
        let [Effect::SendMessage { credentials, .. }] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!(credentials[..], [credential("https://evil.example")]);
    }

    #[test]
    fn a_credential_over_plain_http_is_asked_about_but_not_on_loopback() {
        for (url, asks) in [("http://pub.example/rpc", true), ("http://127.0.0.1:7/rpc", false)] {
            let mut state = state_with(vec![json_rpc(url)]);
            let _ = state.apply(Action::SetCredential(credential(&origin_of(url).unwrap())));
            let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
            assert_eq!(state.question.is_some(), asks, "{url}");
        }
        let flag = AddressFlag { kind: AddressFlagKind::PlainText, ..wildcard(None) };
        let mut state = state_with(vec![flagged("http://pub.example/rpc", flag)]);
        send(&mut state, "without a credential there is nothing to protect");
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
    fn a_refused_version_is_no_reason_to_go_down() {
        let mut state = state_with(vec![json_rpc("https://pub.example/rpc")]);
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(Outcome::MessageAnswered { job, result: Err(agent_error(-32009)) });
        assert_eq!(state.discovery.current_entry().unwrap().conversation.turns[0].other_dialect(), None);
        assert!(converse(&mut state, ConversationAction::ResendInOtherDialect { turn: job }).is_empty());
    }
}
