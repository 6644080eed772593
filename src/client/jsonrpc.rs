//! The JSON-RPC binding (§9): one POST to the interface's URL, the answer read whatever its HTTP status is.

use super::calls::{Call, error_reason};
use super::dialect::Reader;
use super::error::CallErrorKind;
use super::exchange::RecordedResponse;
use crate::a2a::{AgentError, RawJson};
use crate::card::Document;
use crate::card::json::{Kind, Node};

/// The envelope around `params`.
pub(super) fn envelope(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{params}}}"#)
}

/// The result in an answer, read by `read`.
pub(super) fn result<T>(
    call: &Call<'_>,
    response: &RecordedResponse,
    document: &Document,
    reader: &mut Reader,
    read: fn(&mut Reader, Node<'_>) -> Result<T, String>,
) -> Result<T, CallErrorKind> {
    let Some(tree) = document.tree().filter(|_| document.fault().is_none()) else {
        return Err(call.no_answer(response, document));
    };
    let mut root = tree.root();
    if root.kind() == Kind::Array && root.child_count() == 1 {
        reader.note("The answer is a batch of one, although one request was sent.");
        root = root.items().next().unwrap_or(root);
    }
    if let Some(error) = root.get_set("error") {
        return Err(CallErrorKind::Agent(agent_error(error)));
    }
    let result = match root.get("result") {
        Some(result) => {
            check_id(&call.id, root.get("id"), reader);
            result
        }
        // Some servers answer with the object alone.
        None if response.status < 300 => {
            reader.note("The answer has no JSON-RPC envelope.");
            root
        }
        None => return Err(call.no_answer(response, document)),
    };
    if response.status >= 300 {
        reader.note(format!("The result came with HTTP status {}.", response.status));
    }
    read(reader, result).map_err(|what| call.malformed(&what))
}

fn check_id(sent: &str, received: Option<Node<'_>>, reader: &mut Reader) {
    let Some(received) = received.filter(|id| !id.is_null()) else {
        reader.note("The answer carries no request id.");
        return;
    };
    let text = received.as_str().map_or_else(|| received.raw().to_owned(), std::borrow::Cow::into_owned);
    if text != sent {
        reader.note(format!("The answer carries the id {}, which is not that of the request.", received.raw()));
    } else if received.kind() == Kind::Number {
        reader.note("The answer repeats the request's id as a number instead of a string.");
    }
}

fn agent_error(error: Node<'_>) -> AgentError {
    let message = error.get_str("message").or_else(|| error.as_str());
    let data = error.get_set("data");
    AgentError {
        code: error.get("code").and_then(|code| code.as_i64()),
        reason: data.and_then(error_reason),
        message: message.map_or_else(|| error.raw().to_owned(), std::borrow::Cow::into_owned),
        data: data.map(|data| RawJson::new(data.raw())),
    }
}
