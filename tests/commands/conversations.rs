//! What `cardscope send` says is kept, listed and printed.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use super::{agent, agent_with_task, document, run, status, text};
use crate::support::{FakeAgent, Reply, rpc};

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    run(&[arguments, &["--data-dir", folder.to_str().unwrap()]].concat())
}

fn conversations(folder: &Path, agent: &FakeAgent) -> Vec<Value> {
    let printed = document(&run_in(folder, &["history", "conversations", &agent.url(""), "--json"]));
    printed["conversations"].as_array().unwrap().clone()
}

#[test]
fn what_send_says_is_kept_with_version_and_interface() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent_with_task(&["WORKING", "INPUT_REQUIRED", "COMPLETED"]);
    let output = run_in(folder.path(), &["send", &agent.url(""), "how many jars?"]);
    assert_eq!(status(&output), 3, "{}", text(&output.stderr));
    let kept = conversations(folder.path(), &agent);
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (&kept[0]["title"], &kept[0]["outcome"], &kept[0]["turns"], &kept[0]["version"]),
        (&json!("how many jars?"), &json!("input-required"), &json!(1), &json!(1))
    );
    let number = kept[0]["number"].to_string();
    let one = document(&run_in(folder.path(), &["history", "conversation", &number, "--json"]));
    assert_eq!(one["contextId"], "c1");
    assert_eq!(
        (&one["turns"][0]["taskId"], &one["turns"][0]["interface"]["url"]),
        (&json!("t1"), &json!(agent.url("/rpc")))
    );
    assert_eq!(one["turns"][0]["cardSha256"], one["cards"][0]["sha256"]);
    assert_eq!((&one["cards"][0]["version"], &one["cards"][0]["agentVersion"]), (&json!(1), &json!("3.1.0")));
    assert!(one["cards"][0]["obtainedAt"].is_string(), "{one}");

    // The same context is the same conversation.
    let task = rpc::task_with_artifact("t1", "COMPLETED", "17 jars");
    agent.handle("/rpc", move |request, _| rpc::result(request, &json!({"task": task})));
    run_in(folder.path(), &["send", &agent.url(""), "those on the shelf", "--context", "c1", "--task", "t1"]);
    let kept = conversations(folder.path(), &agent);
    assert_eq!((kept.len(), &kept[0]["turns"], &kept[0]["outcome"]), (1, &json!(2), &json!("completed")));
    let listed = text(&run_in(folder.path(), &["history", "conversations", &agent.url("")]).stdout);
    assert!(
        listed.starts_with("Jar counter  http://") && listed.contains("2 turns, completed, @1  how many jars?"),
        "{listed}"
    );
    let printed = text(&run_in(folder.path(), &["history", "conversation", &number]).stdout);
    for words in [
        "### Conversation with `Jar counter`",
        "how many jars?",
        "those on the shelf",
        "17 jars",
        "Version of the card: 1",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
}

#[test]
fn what_fails_or_takes_too_long_is_kept_as_that_and_without_history_nothing_is() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent_with_task(&["WORKING"]);
    let output = run_in(folder.path(), &["send", &agent.url(""), "slow", "--timeout", "1"]);
    assert_eq!(status(&output), 2);
    agent.on("/rpc", Reply::status(503));
    run_in(folder.path(), &["send", &agent.url(""), "refused"]);
    run_in(folder.path(), &["send", &agent.url(""), "unseen", "--no-history"]);
    let kept = conversations(folder.path(), &agent);
    let mut shown: Vec<_> =
        kept.iter().map(|one| (one["title"].as_str().unwrap(), one["outcome"].as_str().unwrap())).collect();
    shown.sort_unstable();
    assert_eq!(shown, [("refused", "error"), ("slow", "not finished in time")]);
    let number = kept[0]["number"].to_string();
    let deleted = text(&run_in(folder.path(), &["history", "delete", "--conversation", &number]).stdout);
    assert_eq!(deleted, "Deleted: 0 whole agents, 0 versions, 1 conversation.\n");
    assert_eq!(conversations(folder.path(), &agent).len(), 1);
}

#[test]
fn what_is_not_there_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let agent = agent();
    run_in(folder.path(), &["inspect", &agent.url("")]);
    let listed = text(&run_in(folder.path(), &["history", "conversations", &agent.url("")]).stdout);
    assert_eq!(listed, "No conversation is kept with it yet.\n");
    assert!(conversations(folder.path(), &agent).is_empty());
    let output = run_in(folder.path(), &["history", "conversation", "12"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("There is no conversation 12."), "{}", text(&output.stderr));
    assert_eq!(status(&run_in(folder.path(), &["history", "delete", "--conversation", "12"])), 2);
}
