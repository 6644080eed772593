//! Calls to an agent: one operation in the dialect and binding of the endpoint, asked once.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::Method;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::credentials::Credential;
use super::dialect::{Form, Operation, Reader};
use super::endpoint::{Answered, Endpoint};
use super::error::{CallError, CallErrorKind};
use super::exchange::RecordedResponse;
use super::http::{Http, Limits, Request, Step, TripEnd, mask_url};
use super::{http_json, jsonrpc};
use crate::a2a::{Dialect, ProtocolBinding};
use crate::card::address::mask_secrets;
use crate::card::json::{Kind, Node};
use crate::card::{BodyKind, Document};

/// How a result is read from the JSON that holds it.
type Read<T> = fn(&mut Reader, Node<'_>) -> Result<T, String>;

/// One call: the operation and where it goes.
pub(super) struct Call<'a> {
    endpoint: &'a Endpoint,
    operation: Operation<'a>,
    /// The JSON-RPC id; unique over runs.
    pub id: String,
    url: Url,
}

/// Calls `operation` and reads its result by `read`.
pub(super) async fn call<T>(
    http: &Http,
    endpoint: &Endpoint,
    operation: Operation<'_>,
    read: Read<T>,
    credentials: &[Credential],
    cancel: &CancellationToken,
) -> Result<Answered<T>, CallError> {
    let not_sent = |sentence: String| CallError {
        kind: CallErrorKind::Unsupported { sentence },
        exchange: None,
        retry_after: None,
    };
    let (call, request) = Call::new(endpoint, operation).map_err(not_sent)?;
    let trip = http.send(&request, credentials, cancel).await;
    let exchange = trip.last().cloned();
    let failed = |kind| CallError { kind, exchange: exchange.clone(), retry_after: None };
    match trip.end {
        TripEnd::Answered => {}
        TripEnd::Cancelled => return Err(failed(CallErrorKind::Cancelled)),
        TripEnd::Failed(failure) => {
            let may_have_been_received = failure.step == Step::Exchanging;
            return Err(failed(CallErrorKind::Transport { sentence: failure.sentence, may_have_been_received }));
        }
        TripEnd::Redirected { status, location } => {
            return Err(failed(CallErrorKind::Redirected { status, location, url: mask_url(&trip.url) }));
        }
    }
    let Some(exchange) = exchange.clone() else { return Err(failed(CallErrorKind::Cancelled)) };
    let Some(response) = exchange.response() else { return Err(failed(CallErrorKind::Cancelled)) };
    call.answer(response, read)
        .map(|(value, deviations)| Answered { value, deviations, exchange: Arc::clone(&exchange) })
        .map_err(|kind| CallError { retry_after: response.retry_after(), ..failed(kind) })
}

impl<'a> Call<'a> {
    fn new(endpoint: &'a Endpoint, operation: Operation<'a>) -> Result<(Self, Request), String> {
        let base = web_url(&endpoint.url)?;
        let tenant = match operation {
            Operation::SendMessage(request) => request.tenant.as_deref().or(endpoint.tenant.as_deref()),
            _ => endpoint.tenant.as_deref(),
        };
        let id = uuid::Uuid::new_v4().to_string();
        let (method, url, body) = match &endpoint.binding {
            ProtocolBinding::JsonRpc => {
                let params = operation.params(endpoint.dialect, tenant)?;
                let body = jsonrpc::envelope(&id, operation.method(endpoint.dialect), &params);
                (Method::POST, base, Some(body))
            }
            ProtocolBinding::HttpJson => {
                let (method, url) = http_json::route(&base, endpoint.dialect, &operation, tenant)?;
                (method, url, operation.http_body(endpoint.dialect, tenant)?)
            }
            other => return Err(format!("This build does not speak {}, so nothing was sent.", other.name())),
        };
        let call = Self { endpoint, operation, id, url };
        let request = Request {
            purpose: call.operation.name(),
            method,
            url: call.url.clone(),
            headers: call.headers(body.is_some()),
            body: body.map(Bytes::from).unwrap_or_default(),
            limits: call.limits(),
        };
        Ok((call, request))
    }

    fn headers(&self, has_body: bool) -> Vec<(&'static str, String)> {
        let accept = match self.content_type() {
            "application/a2a+json" => "application/a2a+json, application/json",
            other => other,
        };
        let mut headers = vec![("Accept", accept.to_owned())];
        if has_body {
            headers.push(("Content-Type", self.content_type().to_owned()));
        }
        let extensions = match self.endpoint.dialect {
            Dialect::V1_0 => {
                headers.push(("A2A-Version", "1.0".to_owned()));
                "A2A-Extensions"
            }
            Dialect::V0_3 => "X-A2A-Extensions",
        };
        if !self.endpoint.extensions.is_empty() {
            headers.push((extensions, self.endpoint.extensions.join(",")));
        }
        headers
    }

    /// What requests are labelled.
    pub(super) fn content_type(&self) -> &'static str {
        match (&self.endpoint.binding, self.endpoint.dialect) {
            (ProtocolBinding::HttpJson, Dialect::V1_0) => "application/a2a+json",
            _ => "application/json",
        }
    }

    fn limits(&self) -> Limits {
        match self.operation {
            // The answer comes when the work is done, however long that takes.
            Operation::SendMessage(request) if !request.configuration.return_immediately => Limits::WAITING_CALL,
            Operation::SendMessage(_) => Limits::SEND,
            _ => Limits::CALL,
        }
    }

    fn form(&self) -> Form {
        match (&self.endpoint.binding, self.endpoint.dialect) {
            (_, Dialect::V1_0) => Form::V1_0,
            (ProtocolBinding::HttpJson, Dialect::V0_3) => Form::V0_3Http,
            (_, Dialect::V0_3) => Form::V0_3Rpc,
        }
    }

    fn answer<T>(&self, response: &RecordedResponse, read: Read<T>) -> Result<(T, Vec<String>), CallErrorKind> {
        if let Some(why) = &response.incomplete {
            let sentence = format!("{} answered {}, but not completely: {why}.", self.shown_url(), response.status);
            return Err(CallErrorKind::Transport { sentence, may_have_been_received: true });
        }
        let document = Document::new(response.body.clone());
        let mut reader = Reader::new(self.form());
        if document.has_bom() {
            reader.note("The answer begins with a byte order mark.");
        }
        let value = match self.endpoint.binding {
            ProtocolBinding::HttpJson => http_json::result(self, response, &document, &mut reader, read),
            _ => jsonrpc::result(self, response, &document, &mut reader, read),
        }?;
        Ok((value, reader.into_deviations()))
    }

    /// The URL asked, for people.
    pub(super) fn shown_url(&self) -> String {
        mask_url(&self.url)
    }

    /// An answer that is none in the binding's form: by its HTTP status, or by its body.
    pub(super) fn no_answer(&self, response: &RecordedResponse, document: &Document) -> CallErrorKind {
        if !(200..300).contains(&response.status) {
            return CallErrorKind::HttpStatus {
                status: response.status,
                body: document.kind(),
                www_authenticate: response.header("www-authenticate").map(str::to_owned),
                url: self.shown_url(),
            };
        }
        self.malformed(&body_words(document))
    }

    /// A success that holds no result; `what` goes on after "answered with".
    pub(super) fn malformed(&self, what: &str) -> CallErrorKind {
        let name = self.operation.method(self.endpoint.dialect);
        CallErrorKind::Malformed { sentence: format!("{} answered {name} with {what}.", self.shown_url()) }
    }
}

/// The URL of an interface, if it can be asked at all.
fn web_url(text: &str) -> Result<Url, String> {
    let shown = mask_secrets(text);
    let mut url =
        Url::parse(text).map_err(|error| format!("'{shown}' is not a web address ({error}), so nothing was sent."))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("'{shown}' is not an http or https address, so nothing was sent."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!(
            "'{shown}' carries a user name or password, which is not sent. Set a credential for its host instead."
        ));
    }
    url.set_fragment(None);
    Ok(url)
}

fn body_words(document: &Document) -> String {
    match document.kind() {
        BodyKind::Empty => "an empty body".to_owned(),
        BodyKind::WebPage { title: Some(title) } => format!("a web page ('{title}')"),
        BodyKind::WebPage { title: None } => "a web page".to_owned(),
        BodyKind::OtherJson(kind) => format!("{} instead of an object", kind.with_article()),
        BodyKind::Object => "JSON that is no answer".to_owned(),
        BodyKind::AlmostJson | BodyKind::NotJson => match document.fault() {
            Some(fault) => format!("something that is not JSON: {fault}"),
            None => "something that is not JSON".to_owned(),
        },
    }
}

/// The reason in an error's data: of the typed details the ErrorInfo first, else any object's `reason`.
pub(super) fn error_reason(data: Node<'_>) -> Option<String> {
    let details: Vec<Node<'_>> = if data.kind() == Kind::Array { data.items().collect() } else { vec![data] };
    let is_error_info =
        |detail: &&Node<'_>| detail.get_str("@type").is_some_and(|kind| kind.ends_with("google.rpc.ErrorInfo"));
    details
        .iter()
        .find(is_error_info)
        .and_then(|detail| detail.get_str("reason"))
        .or_else(|| details.iter().find_map(|detail| detail.get_str("reason")))
        .map(Cow::into_owned)
}
