//! Cards and JSON-RPC answers for scripted agents.

use serde_json::{Value, json};

use super::{Received, Reply};

/// A sound 1.0 card with JSON-RPC interfaces at these addresses.
pub fn card_with_interfaces(urls: &[&str]) -> String {
    let interfaces: Vec<Value> =
        urls.iter().map(|url| json!({"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"})).collect();
    json!({
        "name": "Jar counter",
        "description": "Counts jars on shelves.",
        "version": "3.1.0",
        "supportedInterfaces": interfaces,
        "capabilities": {"streaming": false, "pushNotifications": false},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "count", "name": "Count jars", "description": "Counts.", "tags": ["jars"]}],
    })
    .to_string()
}

/// An answer of success to `request`, under its id.
pub fn result(request: &Received, result: &Value) -> Reply {
    Reply::json(json!({"jsonrpc": "2.0", "id": request.json()["id"], "result": result}).to_string())
}

pub fn error(request: &Received, code: i64, message: &str) -> Reply {
    let error = json!({"code": code, "message": message});
    Reply::json(json!({"jsonrpc": "2.0", "id": request.json()["id"], "error": error}).to_string())
}

pub fn method(request: &Received) -> String {
    request.json()["method"].as_str().unwrap_or_default().to_owned()
}

/// A task in the shape of 1.0.
pub fn task(id: &str, state: &str) -> Value {
    json!({"id": id, "contextId": "c1", "status": {"state": format!("TASK_STATE_{state}")}})
}

/// The same with one text artifact.
pub fn task_with_artifact(id: &str, state: &str, text: &str) -> Value {
    let mut task = task(id, state);
    task["artifacts"] = json!([{"artifactId": "a1", "name": "Count", "parts": [{"text": text}]}]);
    task
}
