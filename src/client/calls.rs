//! Calls to an agent: one operation in the dialect and binding of the endpoint.

use tokio_util::sync::CancellationToken;

use super::credentials::Credential;
use super::endpoint::{Answered, Endpoint};
use super::error::{CallError, CallErrorKind};
use super::http::Http;
use crate::a2a::{SendMessageRequest, SendMessageResponse, Task};

/// An operation on a task.
pub(super) enum Operation<'a> {
    GetTask { task_id: &'a str, history_length: Option<u32> },
    CancelTask { task_id: &'a str },
}

fn unsupported() -> CallError {
    let kind = CallErrorKind::Unsupported { sentence: "This build cannot call agents yet.".to_owned() };
    CallError { kind, exchange: None, retry_after: None }
}

pub(super) async fn send_message(
    _http: &Http,
    _endpoint: &Endpoint,
    _request: &SendMessageRequest,
    _credentials: &[Credential],
    _cancel: &CancellationToken,
) -> Result<Answered<SendMessageResponse>, CallError> {
    Err(unsupported())
}

pub(super) async fn task(
    _http: &Http,
    _endpoint: &Endpoint,
    _operation: &Operation<'_>,
    _credentials: &[Credential],
    _cancel: &CancellationToken,
) -> Result<Answered<Task>, CallError> {
    Err(unsupported())
}
