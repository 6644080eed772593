//! Calls to an agent against a scripted server: the exact bytes sent, every shape of answer, every kind of failure.

mod answers;
mod credentials;
mod failures;
mod parts;
mod requests;

use std::sync::{Arc, Mutex};

use cardscope::a2a::{
    Dialect, Message, Part, ProtocolBinding, Role, SendMessageConfiguration, SendMessageRequest, SendMessageResponse,
    Task,
};
use cardscope::client::{Answered, CallError, Client, Credential, Endpoint, Exchange, NetworkSettings};
use tokio_util::sync::CancellationToken;

use crate::support::{FakeAgent, Reply};

const ECHO_TASK: &str = r#"{"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}"#;

struct Caller {
    client: Client,
    exchanges: Arc<Mutex<Vec<Arc<Exchange>>>>,
    runtime: tokio::runtime::Runtime,
}

impl Caller {
    fn new() -> Self {
        let exchanges: Arc<Mutex<Vec<Arc<Exchange>>>> = Arc::default();
        let record = Arc::clone(&exchanges);
        let record = Arc::new(move |exchange| record.lock().unwrap().push(exchange));
        let client = Client::new(&NetworkSettings::default(), record).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Self { client, exchanges, runtime }
    }

    fn send_with(
        &self,
        endpoint: &Endpoint,
        request: &SendMessageRequest,
        credentials: &[Credential],
    ) -> Result<Answered<SendMessageResponse>, CallError> {
        let cancel = CancellationToken::new();
        self.runtime.block_on(self.client.send_message(endpoint, request, credentials, &cancel))
    }

    fn send(&self, endpoint: &Endpoint) -> Result<Answered<SendMessageResponse>, CallError> {
        self.send_with(endpoint, &jars(), &[])
    }

    fn get(&self, endpoint: &Endpoint, task_id: &str) -> Result<Answered<Task>, CallError> {
        let cancel = CancellationToken::new();
        self.runtime.block_on(self.client.get_task(endpoint, task_id, Some(2), &[], &cancel))
    }

    fn cancel(&self, endpoint: &Endpoint, task_id: &str) -> Result<Answered<Task>, CallError> {
        self.runtime.block_on(self.client.cancel_task(endpoint, task_id, &[], &CancellationToken::new()))
    }
}

fn endpoint(url: String, binding: ProtocolBinding, dialect: Dialect) -> Endpoint {
    Endpoint { url, binding, dialect, tenant: None, extensions: Vec::new() }
}

fn rpc(agent: &FakeAgent, dialect: Dialect) -> Endpoint {
    endpoint(agent.url("/rpc"), ProtocolBinding::JsonRpc, dialect)
}

fn rest(agent: &FakeAgent, dialect: Dialect) -> Endpoint {
    endpoint(agent.url("/a2a"), ProtocolBinding::HttpJson, dialect)
}

fn message(parts: Vec<Part>) -> Message {
    Message {
        message_id: Some("m-1".to_owned()),
        context_id: None,
        task_id: None,
        role: Role::User,
        parts,
        metadata: None,
        extensions: Vec::new(),
        reference_task_ids: Vec::new(),
    }
}

fn jars() -> SendMessageRequest {
    SendMessageRequest {
        tenant: None,
        message: message(vec![Part::text("how many jars?")]),
        configuration: SendMessageConfiguration { return_immediately: true, ..SendMessageConfiguration::default() },
        metadata: None,
    }
}

/// `ID` in an answer becomes the request's id.
fn answer_rpc(agent: &FakeAgent, status: u16, answer: &str) {
    let answer = answer.to_owned();
    agent.handle("/rpc", move |request, _| {
        let id = request.json()["id"].as_str().unwrap_or_default().to_owned();
        Reply::error(status, answer.replace("ID", &id))
    });
}
