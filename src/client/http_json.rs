//! The HTTP+JSON binding (§11): paths below the interface's URL, errors in their four shapes.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use url::Url;

use super::calls::{Call, error_reason};
use super::dialect::{Operation, Reader};
use super::error::CallErrorKind;
use super::exchange::RecordedResponse;
use crate::a2a::{AgentError, Dialect, RawJson};
use crate::card::Document;
use crate::card::json::{Kind, Node};

/// Everything but the unreserved characters of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Method and URL of an operation below `base`: one slash between, the base's query kept, `/v1` of 0.3 once.
///
/// # Errors
/// An id or a tenant that a URL cannot carry, in a sentence.
pub(super) fn route(
    base: &Url,
    dialect: Dialect,
    operation: &Operation<'_>,
    tenant: Option<&str>,
) -> Result<(Method, Url), String> {
    let mut path = base.path().trim_end_matches('/').to_owned();
    match dialect {
        Dialect::V0_3 if !path.ends_with("/v1") => path.push_str("/v1"),
        Dialect::V0_3 => {}
        Dialect::V1_0 => {
            if let Some(tenant) = tenant.filter(|tenant| !tenant.is_empty()) {
                path = format!("{path}/{}", segment(tenant, "tenant")?);
            }
        }
    }
    let mut query = base.query().map(str::to_owned);
    let (method, end) = match operation {
        Operation::SendMessage(_) => (Method::POST, "/message:send".to_owned()),
        Operation::GetTask { task_id, history_length } => {
            if let Some(length) = history_length {
                let before = query.map(|query| format!("{query}&")).unwrap_or_default();
                query = Some(format!("{before}historyLength={length}"));
            }
            (Method::GET, format!("/tasks/{}", segment(task_id, "task id")?))
        }
        Operation::CancelTask { task_id } => (Method::POST, format!("/tasks/{}:cancel", segment(task_id, "task id")?)),
        Operation::GetExtendedAgentCard => match dialect {
            Dialect::V1_0 => (Method::GET, "/extendedAgentCard".to_owned()),
            Dialect::V0_3 => (Method::GET, "/card".to_owned()),
        },
    };
    let mut url = base.clone();
    url.set_path(&format!("{path}{end}"));
    url.set_query(query.as_deref());
    url.set_fragment(None);
    Ok((method, url))
}

/// One path segment, percent-encoded.
fn segment(text: &str, what: &str) -> Result<String, String> {
    if matches!(text, "" | "." | "..") {
        return Err(format!("The {what} '{text}' cannot be part of a URL, so nothing was sent."));
    }
    Ok(utf8_percent_encode(text, SEGMENT).to_string())
}

/// The result in an answer, read by `read`.
pub(super) fn result<T>(
    call: &Call<'_>,
    response: &RecordedResponse,
    document: &Document,
    reader: &mut Reader,
    read: fn(&mut Reader, Node<'_>) -> Result<T, String>,
) -> Result<T, CallErrorKind> {
    if response.status == 415 {
        let sentence = format!(
            "{} answered 415: it refuses the content type {}. The message was not sent again.",
            call.shown_url(),
            call.content_type()
        );
        return Err(CallErrorKind::Unsupported { sentence });
    }
    let root = document.tree().filter(|_| document.fault().is_none()).map(|tree| tree.root());
    if response.status >= 300 {
        let error = root.and_then(|root| agent_error(root, response));
        return Err(error.map_or_else(|| call.no_answer(response, document), CallErrorKind::Agent));
    }
    let Some(root) = root else { return Err(call.no_answer(response, document)) };
    if root.get_set("error").is_some_and(|error| error.kind() == Kind::Object)
        && let Some(error) = agent_error(root, response)
    {
        return Err(CallErrorKind::Agent(error));
    }
    let node = match root.get_set("result") {
        Some(result) if root.get("jsonrpc").is_some() => {
            reader.note("The answer is in a JSON-RPC envelope, which HTTP+JSON does not have.");
            result
        }
        _ => root,
    };
    read(reader, node).map_err(|what| call.malformed(&what))
}

/// google.rpc.Status, problem details, or a plain object with a message.
fn agent_error(root: Node<'_>, response: &RecordedResponse) -> Option<AgentError> {
    if root.kind() != Kind::Object {
        return None;
    }
    // What is missing are credentials: the challenge says more than the body.
    if matches!(response.status, 401 | 407) && response.header("www-authenticate").is_some() {
        return None;
    }
    let status = Some(i64::from(response.status));
    if let Some(error) = root.get_set("error").filter(|error| error.kind() == Kind::Object) {
        let details = error.get_set("details").or_else(|| error.get_set("data"));
        return Some(AgentError {
            code: error.get("code").and_then(|code| code.as_i64()).or(status),
            reason: details.and_then(error_reason).or_else(|| text(error, "status")),
            message: text(error, "message").unwrap_or_else(|| error.raw().to_owned()),
            data: details.map(|details| RawJson::new(details.raw())),
        });
    }
    let title = text(root, "title");
    let detail = text(root, "detail");
    if title.is_some() || detail.is_some() {
        let words: Vec<String> = [title, detail].into_iter().flatten().collect();
        return Some(AgentError {
            code: status,
            reason: text(root, "type").filter(|kind| kind != "about:blank"),
            message: words.join(": "),
            data: Some(RawJson::new(root.raw())),
        });
    }
    let class = text(root, "error");
    let message = text(root, "message").or_else(|| class.clone())?;
    let reason = class.filter(|class| *class != message);
    Some(AgentError {
        code: root.get("code").and_then(|code| code.as_i64()).or(status),
        reason,
        message,
        data: Some(RawJson::new(root.raw())),
    })
}

fn text(node: Node<'_>, name: &str) -> Option<String> {
    node.get_str(name).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get_task(base: &str, dialect: Dialect, tenant: Option<&str>) -> String {
        let operation = Operation::GetTask { task_id: "t/1 β", history_length: Some(3) };
        route(&Url::parse(base).unwrap(), dialect, &operation, tenant).unwrap().1.to_string()
    }

    #[test]
    fn ids_tenants_and_queries_survive_in_urls() {
        assert_eq!(
            get_task("https://h/a?k=1", Dialect::V1_0, Some("north/42 β")),
            "https://h/a/north%2F42%20%CE%B2/tasks/t%2F1%20%CE%B2?k=1&historyLength=3"
        );
        assert_eq!(
            get_task("https://h/v1/", Dialect::V0_3, Some("x")),
            "https://h/v1/tasks/t%2F1%20%CE%B2?historyLength=3"
        );
        assert_eq!(get_task("https://h", Dialect::V1_0, Some("")), "https://h/tasks/t%2F1%20%CE%B2?historyLength=3");
        let extended = |base: &str, dialect, tenant| {
            let (method, url) =
                route(&Url::parse(base).unwrap(), dialect, &Operation::GetExtendedAgentCard, tenant).unwrap();
            (method, url.to_string())
        };
        assert_eq!(
            extended("https://h/a", Dialect::V1_0, Some("x")),
            (Method::GET, "https://h/a/x/extendedAgentCard".into())
        );
        assert_eq!(extended("https://h", Dialect::V0_3, None), (Method::GET, "https://h/v1/card".into()));
        let up = Operation::CancelTask { task_id: ".." };
        assert!(route(&Url::parse("https://h/a").unwrap(), Dialect::V1_0, &up, None).is_err());
    }
}
