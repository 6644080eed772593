//! Answers of every shape: what is read, what is said.

use cardscope::a2a::{Dialect, Message, SendMessageResponse, TaskState};

use super::{Caller, ECHO_TASK, answer_rpc, rpc};
use crate::support::FakeAgent;

/// A result in short: `task t1 completed`, `message Hello`, with the parts' texts.
fn summary(response: &SendMessageResponse) -> String {
    match response {
        SendMessageResponse::Task(task) => {
            let words = task.status.message.as_ref().map(Message::text).unwrap_or_default();
            format!("task {} {} {words}", task.id, task.status.state.label()).trim_end().to_owned()
        }
        SendMessageResponse::Message(message) => format!("message {}", message.text()),
    }
}

const TASK: &str = r#"{"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}"#;
const MESSAGE: &str = r#"{"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "Hello"}]}"#;

/// Dialect spoken, answer (`ID` is the request's id), what is read of it, words of the deviations (empty: none).
type Case = (Dialect, String, &'static str, &'static str);

fn ok(result: &str) -> String {
    format!(r#"{{"jsonrpc": "2.0", "id": "ID", "result": {result}}}"#)
}

fn check(cases: Vec<Case>) {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    for (dialect, answer, read, deviations) in cases {
        answer_rpc(&agent, 200, &answer);
        let answered = caller.send(&rpc(&agent, dialect)).unwrap_or_else(|error| panic!("{answer}: {error}"));
        assert_eq!(summary(&answered.value), read, "{answer}");
        let said = answered.deviations.join(" ");
        for words in deviations.split('|') {
            assert!(said.contains(words), "{answer}: {said:?}");
        }
        assert_eq!(deviations.is_empty(), said.is_empty(), "{answer}: {said:?}");
        let mut once = answered.deviations.clone();
        once.dedup();
        assert_eq!(once, answered.deviations);
    }
}

#[test]
fn tasks_and_messages_are_recognised_wrapped_or_bare() {
    check(vec![
        (Dialect::V1_0, ok(&format!(r#"{{"task": {TASK}}}"#)), "task t1 completed", ""),
        (Dialect::V1_0, ok(&format!(r#"{{"message": {MESSAGE}}}"#)), "message Hello", ""),
        (Dialect::V1_0, ok(TASK), "task t1 completed", "not wrapped"),
        (Dialect::V1_0, ok(MESSAGE), "message Hello", "not wrapped"),
        (
            Dialect::V1_0,
            ok(r#"{"kind": "task", "id": "t1", "contextId": "c", "status": {"state": "working"}}"#),
            "task t1 working",
            "marked by kind|spelled 'working'",
        ),
        (
            Dialect::V0_3,
            ok(r#"{"kind": "task", "id": "t1", "contextId": "c", "status": {"state": "input-required"}}"#),
            "task t1 input-required",
            "",
        ),
        (
            Dialect::V0_3,
            ok(r#"{"kind": "message", "messageId": "m", "role": "agent", "parts": [{"kind": "text", "text": "Hi"}]}"#),
            "message Hi",
            "",
        ),
        (Dialect::V0_3, ok(r#"{"role": "agent", "parts": [{"text": "Hi"}]}"#), "message Hi", "no kind|no messageId"),
        (Dialect::V0_3, ok(&format!(r#"{{"task": {TASK}}}"#)), "task t1 completed", "wrapped in task|spelled"),
        (Dialect::V0_3, ok(&format!(r#"{{"msg": {MESSAGE}}}"#)), "message Hello", "called msg"),
    ]);
}

#[test]
fn odd_tasks_are_read_and_said() {
    check(vec![
        (
            Dialect::V1_0,
            ok(
                r#"{"task": {"id": "t1", "status": {"state": "TASK_STATE_SUBMITTED", "message": null}, "artifacts": null}}"#,
            ),
            "task t1 submitted",
            "",
        ),
        (Dialect::V1_0, ok(r#"{"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": []}}"#), "message ", ""),
        (
            Dialect::V1_0,
            ok(
                r#"{"task": {"id": "t1", "status": {"state": "TASK_STATE_WORKING", "update": {"messageId": "m", "role": "ROLE_AGENT", "content": [{"text": "Half"}]}}}}"#,
            ),
            "task t1 working Half",
            "called update",
        ),
        (Dialect::V1_0, ok(r#"{"task": {"id": "t1", "status": "COMPLETED"}}"#), "task t1 completed", "bare word"),
        (Dialect::V1_0, ok(r#"{"task": {"id": "t1", "status": {"state": 2}}}"#), "task t1 working", "is a number"),
        (
            Dialect::V1_0,
            ok(r#"{"task": {"id": 7, "status": {"state": "TASK_STATE_WORKING"}}}"#),
            "task 7 working",
            "number",
        ),
        (
            Dialect::V1_0,
            ok(r#"{"task": {"id": "t1", "status": {"state": "BREWING"}}}"#),
            "task t1 BREWING",
            "'BREWING' is not one",
        ),
        (
            Dialect::V1_0,
            ok(r#"{"statusUpdate": {"taskId": "t1", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}}"#),
            "task t1 working",
            "update of a task",
        ),
        (
            Dialect::V0_3,
            ok(
                r#"{"kind": "status-update", "taskId": "t1", "contextId": "c", "status": {"state": "working"}, "final": false}"#,
            ),
            "task t1 working",
            "update of a task",
        ),
        (Dialect::V1_0, ok(r#"{"id": "t1"}"#), "task t1 unspecified", "nothing else|no status"),
        (
            Dialect::V1_0,
            ok(&format!(r#"{{"task": {TASK}, "message": {MESSAGE}}}"#)),
            "task t1 completed",
            "Task and a Message at once; the task is followed, the message says: Hello",
        ),
        (Dialect::V1_0, ok(r#""forty-two""#), "message forty-two", "bare string"),
        (
            Dialect::V1_0,
            ok(
                r#"{"task": {"id": "t1", "context_id": "c", "status": {"state": "TASK_STATE_WORKING", "message": {"message_id": "m", "role": "ROLE_AGENT", "parts": [{"text": "snake"}]}}}}"#,
            ),
            "task t1 working snake",
            "",
        ),
    ]);
}

#[test]
fn odd_envelopes_are_read_and_said() {
    check(vec![
        (
            Dialect::V1_0,
            format!(r#"{{"jsonrpc": "2.0", "id": "999", "result": {{"task": {TASK}}}}}"#),
            "task t1 completed",
            "id \"999\"",
        ),
        (
            Dialect::V1_0,
            format!(r#"{{"jsonrpc": "2.0", "id": 7, "result": {{"task": {TASK}}}}}"#),
            "task t1 completed",
            "id 7",
        ),
        (Dialect::V1_0, format!(r#"{{"result": {{"task": {TASK}}}}}"#), "task t1 completed", "no request id"),
        (Dialect::V1_0, format!(r#"{{"task": {TASK}}}"#), "task t1 completed", "no JSON-RPC envelope"),
        (Dialect::V1_0, format!("[{}]", ok(&format!(r#"{{"task": {TASK}}}"#))), "task t1 completed", "batch of one"),
    ]);
}

#[test]
fn a_task_wrapped_by_mistake_is_read_by_get_task() {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    answer_rpc(&agent, 200, &format!(r#"{{"jsonrpc": "2.0", "id": "ID", "result": {{"task": {ECHO_TASK}}}}}"#));
    let answered = caller.get(&rpc(&agent, Dialect::V1_0), "t1").unwrap();
    assert_eq!(answered.value.status.state, TaskState::Working);
    assert!(answered.deviations[0].contains("wrapped in task"), "{:?}", answered.deviations);
    answer_rpc(&agent, 200, &format!(r#"{{"jsonrpc": "2.0", "id": "ID", "result": {ECHO_TASK}}}"#));
    assert!(caller.get(&rpc(&agent, Dialect::V1_0), "t1").unwrap().deviations.is_empty());
    answer_rpc(
        &agent,
        200,
        r#"{"jsonrpc": "2.0", "id": "ID", "result": {"message": {"role": "ROLE_AGENT", "parts": [{"text": "no"}]}}}"#,
    );
    let error = caller.get(&rpc(&agent, Dialect::V1_0), "t1").unwrap_err();
    assert!(error.to_string().contains("a Message where a Task was asked for: no"), "{error}");
}
