//! What the tests of the model start from: cards with made-up interfaces, answers and failures.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::{Action, ConversationAction, Draft, DraftPart, Effect, JobId, Outcome, State};
use crate::a2a::{
    AgentError, Artifact, Dialect, Message, Part, ProtocolBinding, Role, SendMessageResponse, Task, TaskState,
    TaskStatus,
};
use crate::card::facts::{
    Access, AddressFlag, Capabilities, Inspection, Interface, InterfaceTable, Origin, Readers, Shape, Signatures,
    Skills,
};
use crate::card::{Document, JsonPointer, JsonText};
use crate::client::exchange::{ExchangeEnd, RecordedRequest};
use crate::client::{Answered, Attempt, AttemptKind, AttemptOutcome, CallError, CallErrorKind, Exchange, Retrieval};

pub(super) fn interface(url: &str, binding: ProtocolBinding, dialect: Option<Dialect>) -> Interface {
    let unusable = dialect.is_none().then(|| format!("{} is not spoken by this build.", binding.name()));
    Interface {
        pointer: JsonPointer::from_text("/supportedInterfaces/0"),
        url_pointer: None,
        url: url.to_owned(),
        binding,
        binding_text: None,
        version_text: dialect.map(|dialect| dialect.label().to_owned()),
        dialect,
        tenant: None,
        readers: Readers::All,
        unusable,
        flag: None,
        notes: Vec::new(),
        other_fields: Vec::new(),
    }
}

pub(super) fn json_rpc(url: &str) -> Interface {
    interface(url, ProtocolBinding::JsonRpc, Some(Dialect::V1_0))
}

pub(super) fn flagged(url: &str, flag: AddressFlag) -> Interface {
    Interface { flag: Some(flag), ..json_rpc(url) }
}

pub(super) fn inspection(document: &Arc<Document>, rows: Vec<Interface>) -> Arc<Inspection> {
    let chosen = rows.iter().position(Interface::usable);
    Arc::new(Inspection {
        received: JsonText::received(document.text(), document.tree()),
        document: Arc::clone(document),
        origin: Origin::default(),
        shape: Shape::V1_0,
        shape_reason: String::new(),
        title: "Jar counter".to_owned(),
        agent_version: None,
        identity: Vec::new(),
        interfaces: InterfaceTable {
            rows,
            chosen,
            chosen_reason: "The first one that can be used.".to_owned(),
            notes: Vec::new(),
        },
        capabilities: Capabilities::default(),
        skills: Skills::default(),
        access: Access::default(),
        signatures: Signatures::default(),
        other_fields: Vec::new(),
        findings: Vec::new(),
        pretty: None,
    })
}

/// A retrieval whose single attempt brought `body`; an empty body is a failure.
pub(super) fn retrieval(address: &str, kind: AttemptKind, body: &str) -> Arc<Retrieval> {
    let document = (!body.is_empty()).then(|| Arc::new(Document::new(body.to_owned())));
    let found_card = document.is_some();
    Arc::new(Retrieval {
        address: address.to_owned(),
        assumptions: Vec::new(),
        chosen: document.is_some().then_some(0),
        alternative: None,
        verdict: if found_card { "A card." } else { "Nothing answers there." }.to_owned(),
        fetched_at: SystemTime::now(),
        found_card,
        attempts: vec![Attempt {
            url: address.to_owned(),
            kind,
            outcome: if found_card { AttemptOutcome::Card } else { AttemptOutcome::Unreachable },
            status: None,
            note: "connection refused".to_owned(),
            duration: Duration::from_millis(3),
            final_url: None,
            exchanges: Vec::new(),
            document,
            earlier: None,
            kept: None,
        }],
    })
}

pub(super) const CARD_URL: &str = "https://pub.example/.well-known/agent-card.json";

/// A model with one card on screen that offers `rows`.
pub(super) fn state_with(rows: Vec<Interface>) -> State {
    let mut state = State::default();
    open(&mut state, CARD_URL, "{}", rows);
    state
}

/// Fetches `address` and lets `body` be what came.
pub(super) fn open(state: &mut State, address: &str, body: &str, rows: Vec<Interface>) {
    let job = fetch_job(&state.apply(Action::FetchCard { address: address.to_owned() }));
    let retrieval = retrieval(address, AttemptKind::AsTyped, body);
    let document = retrieval.attempts[0].document.clone();
    let inspection = document.map(|document| inspection(&document, rows));
    let _ = state.absorb(Outcome::CardFetched { job, retrieval, inspection });
}

pub(super) fn fetch_job(effects: &[Effect]) -> JobId {
    match effects.last() {
        Some(
            Effect::FetchCard { job, .. }
            | Effect::ReadFile { job, .. }
            | Effect::ReadBytes { job, .. }
            | Effect::ReadEntry { job, .. },
        ) => *job,
        other => panic!("no fetch: {other:?}"),
    }
}

pub(super) fn draft(text: &str) -> Draft {
    Draft { parts: vec![DraftPart::Text(text.to_owned())], ..Draft::default() }
}

pub(super) fn converse(state: &mut State, action: ConversationAction) -> Vec<Effect> {
    state.apply(Action::Conversation(action))
}

/// Sends and gives the job and the effect.
pub(super) fn send(state: &mut State, text: &str) -> (JobId, Effect) {
    let mut effects = converse(state, ConversationAction::Send(draft(text)));
    match effects.pop() {
        Some(effect @ Effect::SendMessage { job, .. }) => (job, effect),
        other => panic!("nothing was sent: {other:?}; {:?} {:?}", state.notices, state.question),
    }
}

pub(super) fn message(text: &str) -> Message {
    Message {
        message_id: Some("m".to_owned()),
        context_id: Some("c1".to_owned()),
        task_id: None,
        role: Role::Agent,
        parts: vec![Part::text(text)],
        metadata: None,
        extensions: Vec::new(),
        reference_task_ids: Vec::new(),
    }
}

pub(super) fn task(id: &str, state: TaskState, artifacts: &[(&str, &str)]) -> Task {
    Task {
        id: id.to_owned(),
        context_id: Some("c1".to_owned()),
        status: TaskStatus { state, message: None, timestamp: None },
        artifacts: artifacts
            .iter()
            .map(|(id, text)| Artifact {
                artifact_id: (*id).to_owned(),
                name: None,
                description: None,
                parts: vec![Part::text(*text)],
                metadata: None,
                extensions: Vec::new(),
            })
            .collect(),
        history: Vec::new(),
        metadata: None,
    }
}

pub(super) fn answered<T>(value: T) -> Answered<T> {
    Answered { value, deviations: Vec::new(), exchange: exchange() }
}

pub(super) fn answer_with_task(job: JobId, task: Task) -> Outcome {
    Outcome::MessageAnswered { job, result: Ok(answered(SendMessageResponse::Task(task))) }
}

pub(super) fn update(job: JobId, task: Task) -> Outcome {
    Outcome::TaskUpdated { job, answer: answered(task) }
}

pub(super) fn agent_error(code: i64) -> CallError {
    CallError {
        kind: CallErrorKind::Agent(AgentError {
            code: Some(code),
            reason: None,
            message: "not here".to_owned(),
            data: None,
        }),
        exchange: None,
        retry_after: None,
    }
}

fn exchange() -> Arc<Exchange> {
    Arc::new(Exchange {
        purpose: "GetTask".to_owned(),
        started_at: SystemTime::now(),
        duration: Duration::from_millis(1),
        request: RecordedRequest {
            method: "POST".to_owned(),
            url: "https://pub.example/rpc".to_owned(),
            headers: Vec::new(),
            body: Bytes::from_static(b""),
            proxy: None,
            client_certificate: None,
        },
        end: ExchangeEnd::Cancelled,
    })
}
