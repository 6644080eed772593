//! What the demo agent serves: its card with caching headers, both bindings, a guide and an icon.

use std::fmt::Write as _;
use std::sync::Arc;

use a2a_server::jsonrpc::jsonrpc_router;
use a2a_server::rest::rest_router;
use a2a_server::{DefaultRequestHandler, WELL_KNOWN_AGENT_CARD_PATH};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest as _, Sha256};

use super::executor::QuoteExecutor;
use super::task_store::RecentTasks;
use super::{DemoAgent, card};

/// Where JSON-RPC is spoken.
pub(super) const JSONRPC_PATH: &str = "/a2a";
/// Where HTTP+JSON is spoken, in revision 1 only.
pub(super) const REST_PATH: &str = "/rest";
pub(super) const GUIDE_PATH: &str = "/guide";
pub(super) const ICON_PATH: &str = "/icon.png";

/// Five minutes, which §8.6.1 leaves to the agent; the `ETag` makes asking earlier cheap.
const CARD_CACHE_CONTROL: &str = "public, max-age=300";
/// A message is kept as long as its task, so its size is bounded well below the SDK's own 10 MB.
const MOST_REQUEST_BYTES: usize = 1 << 20;
const ICON: &[u8] = include_bytes!("../../assets/icon.png");

/// Every route of the agent.
pub(super) fn router(agent: DemoAgent) -> Router {
    let executor = QuoteExecutor::new(Arc::clone(&agent.revision), agent.stop.clone());
    let handler = DefaultRequestHandler::new(executor, RecentTasks::default())
        .with_capabilities(card::capabilities())
        .with_default_input_modes(card::INPUT_MODES.map(str::to_owned));
    let handler = Arc::new(handler);
    let rest = rest_router(Arc::clone(&handler)).layer(from_fn_with_state(agent.clone(), only_while_declared));
    let bindings =
        Router::new().nest(JSONRPC_PATH, jsonrpc_router(handler)).nest(REST_PATH, rest).layer(from_fn(bound_request));
    Router::new()
        .route(WELL_KNOWN_AGENT_CARD_PATH, get(serve_card))
        .route("/", get(serve_guide))
        .route(GUIDE_PATH, get(serve_guide))
        .route(ICON_PATH, get(serve_icon))
        .with_state(agent)
        .merge(bindings)
}

async fn serve_card(State(agent): State<DemoAgent>, headers: HeaderMap) -> Response {
    let body = match super::card_json(&agent.origin(), agent.revision()) {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(%error, "the demo agent's card could not be written");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let etag = entity_tag(&body);
    let not_modified = headers.get_all(header::IF_NONE_MATCH).iter().any(|value| names_tag(value, &etag));
    let validators = [(header::ETAG, etag), (header::CACHE_CONTROL, CARD_CACHE_CONTROL.to_owned())];
    if not_modified {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    (validators, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A strong tag over the exact bytes: another revision, or another port, is another card.
fn entity_tag(body: &[u8]) -> String {
    let short = Sha256::digest(body).iter().take(8).fold(0_u64, |tag, byte| tag << 8 | u64::from(*byte));
    format!("\"{short:016x}\"")
}

/// Whether an `If-None-Match` value names `etag`, weakly compared as RFC 9110 §13.1.2 asks.
fn names_tag(value: &HeaderValue, etag: &str) -> bool {
    let tags = value.to_str().unwrap_or_default().split(',');
    tags.map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

async fn serve_guide(State(agent): State<DemoAgent>) -> impl IntoResponse {
    let card = card::card(&agent.origin(), agent.revision());
    let mut text =
        format!("{} {}\n\n{}\n\nIts card: {}\n", card.name, card.version, card.description, agent.card_url());
    for skill in &card.skills {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{}\n  {}", skill.name, skill.description);
        for example in skill.examples.iter().flatten() {
            let _ = writeln!(text, "  Say: {example}");
        }
    }
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text)
}

async fn serve_icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/png")], ICON)
}

/// Revision 2 no longer declares HTTP+JSON, and then it is really gone.
async fn only_while_declared(State(agent): State<DemoAgent>, request: Request, next: Next) -> Response {
    if agent.revision() == 1 {
        next.run(request).await
    } else {
        (StatusCode::GONE, "Revision 2 of this agent speaks JSON-RPC only.\n").into_response()
    }
}

async fn bound_request(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match to_bytes(body, MOST_REQUEST_BYTES).await {
        Ok(bytes) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(_) => (StatusCode::PAYLOAD_TOO_LARGE, "The demo agent takes requests of up to 1 MiB.\n").into_response(),
    }
}
