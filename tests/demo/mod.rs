//! The demo agent as a peer: its card and every behaviour, on the wire, over both bindings.

mod peer;

use std::sync::Arc;
use std::time::{Duration, Instant};

use cardscope::card::Document;
use cardscope::card::facts::{Inspection, Origin, Shape};
use cardscope::card::lint::{self, Severity};
use cardscope::demo::DemoAgent;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use peer::{Binding, Peer, answer_to, ask, message, said, state_of};

const BOTH: [Binding; 2] = [Binding::JsonRpc, Binding::HttpJson];

#[tokio::test]
async fn the_card_comes_with_validators_and_is_not_sent_twice() {
    let peer = Peer::start(1).await;
    let path = "/.well-known/agent-card.json";
    let answer = peer.get(path, "").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
    let card = answer.json();
    assert_eq!(card["name"], "Quote Comparison Agent");
    let interfaces = card["supportedInterfaces"].as_array().unwrap();
    assert_eq!(interfaces.len(), 2);
    for interface in interfaces {
        assert!(interface["url"].as_str().unwrap().starts_with(&peer.base));
        assert_eq!(interface["protocolVersion"], "1.0");
    }

    let etag = answer.header("etag").unwrap().to_owned();
    for tag in [etag.clone(), format!("\"other\", W/{etag}"), "*".to_owned()] {
        let again = peer.get(path, &format!("If-None-Match: {tag}\r\n")).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{tag}");
        assert_eq!(again.header("etag"), Some(etag.as_str()));
    }

    peer.agent.set_revision(2);
    let newer = peer.get(path, &format!("If-None-Match: {etag}\r\n")).await;
    assert_eq!(newer.status, 200, "another revision is another document");
    assert_eq!((card["version"].as_str(), newer.json()["version"].as_str()), (Some("2.1.0"), Some("2.2.0")));
}

#[tokio::test]
async fn the_second_revision_speaks_json_rpc_only_and_adds_a_skill() {
    let peer = Peer::start(2).await;
    let card = peer.get("/.well-known/agent-card.json", "").await.json();
    let bindings: Vec<&Value> =
        card["supportedInterfaces"].as_array().unwrap().iter().map(|interface| &interface["protocolBinding"]).collect();
    assert_eq!(bindings, ["JSONRPC"]);
    let last = card["skills"].as_array().unwrap().last().unwrap();
    let answer = peer.send(Binding::JsonRpc, message(last["examples"][0].as_str().unwrap()), false).await;
    assert!(answer["message"].is_object(), "{answer}");

    let request = json!({"message": message("hello")}).to_string();
    assert_eq!(ask(&peer.base, "POST", "/rest/message:send", "", &request).await.status, 410);
}

#[tokio::test]
async fn no_rule_warns_of_the_card() {
    for revision in 1..=2 {
        let peer = Peer::start(revision).await;
        let answer = peer.get("/.well-known/agent-card.json", "").await;
        let origin = Origin {
            requested_url: Some(peer.agent.card_url()),
            final_url: Some(peer.agent.card_url()),
            content_type: answer.header("content-type").map(str::to_owned),
            cache_control: answer.header("cache-control").map(str::to_owned),
            etag: answer.header("etag").map(str::to_owned),
            ..Origin::default()
        };
        let inspection = Inspection::of(Arc::new(Document::new(answer.body.into_bytes())), origin);
        assert_eq!(inspection.shape, Shape::V1_0);
        let mut findings = lint::findings(&inspection);
        findings.retain(|finding| matches!(finding.severity, Severity::Error | Severity::Warning));
        assert_eq!(findings, [], "revision {revision}");
    }
}

#[tokio::test]
async fn what_the_card_links_to_is_there() {
    let peer = Peer::start(1).await;
    let card = peer.get("/.well-known/agent-card.json", "").await.json();
    for url in [&card["provider"]["url"], &card["documentationUrl"]] {
        let path = url.as_str().unwrap().strip_prefix(&peer.base).unwrap();
        let answer = peer.get(path, "").await;
        assert_eq!(answer.status, 200);
        assert!(answer.body.contains("Compare the sample quotes"), "the guide names the examples");
    }
    assert!(card["iconUrl"].as_str().unwrap().ends_with("/icon.png"));
}

#[tokio::test]
async fn a_question_and_an_unknown_text_are_answered_with_a_message() {
    let peer = Peer::start(1).await;
    for binding in BOTH {
        for (text, word) in [("What does DAP mean?", "duties"), ("Good morning", "Try one of these")] {
            for at_once in [true, false] {
                let answer = peer.send(binding, message(text), at_once).await;
                let reply = &answer["message"];
                assert_eq!(reply["role"], "ROLE_AGENT", "{answer}");
                assert!(reply["parts"][0]["text"].as_str().unwrap().contains(word), "{answer}");
                assert!(reply["contextId"].is_string());
            }
        }
    }
}

#[tokio::test]
async fn a_comparison_works_for_some_seconds_and_ends_in_a_table_and_figures() {
    let peer = Peer::start(1).await;
    let text = "Compare these quotes: Acme 1200 EUR, Borealis 1140.50 EUR, Cygnus 1275 EUR";
    for binding in BOTH {
        let started = Instant::now();
        let answer = peer.send(binding, message(text), true).await;
        assert!(started.elapsed() < Duration::from_secs(1), "returnImmediately did not");
        let id = answer["task"]["id"].as_str().unwrap_or_else(|| panic!("no task in {answer}")).to_owned();
        let task = peer.settled(binding, &id).await;
        assert!(started.elapsed() > Duration::from_secs(2));
        check_comparison(&task);
    }
    let answer = peer.send(Binding::JsonRpc, message(text), false).await;
    check_comparison(&answer["task"]);
}

fn check_comparison(task: &Value) {
    assert_eq!(state_of(task), "TASK_STATE_COMPLETED");
    assert_eq!(said(task), "Borealis is cheapest at 1,140.50 EUR, 59.50 EUR below the next offer.");
    let table = &task["artifacts"][0]["parts"][0];
    assert_eq!(table["mediaType"], "text/markdown");
    assert!(table["text"].as_str().unwrap().contains("| 3 | Cygnus | 1,275.00 EUR | +11.8 % |"), "{table}");
    let figures = &task["artifacts"][1]["parts"][0]["data"];
    assert_eq!(figures["cheapest"], "Borealis");
    assert_eq!(figures["total"].as_f64(), Some(3615.5), "{figures}");
    assert_eq!(figures["count"].as_f64(), Some(3.0), "{figures}");
    assert_eq!(task["history"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_order_asks_for_the_date_and_goes_on_in_the_same_task() {
    let peer = Peer::start(1).await;
    for binding in BOTH {
        let text = "Prepare an order with the cheapest supplier";
        let asked = peer.send(binding, message(text), false).await["task"].clone();
        assert_eq!(state_of(&asked), "TASK_STATE_INPUT_REQUIRED");
        let again = peer.send(binding, answer_to(&asked, "hm"), false).await["task"].clone();
        assert_eq!(state_of(&again), "TASK_STATE_INPUT_REQUIRED");
        let done = peer.send(binding, answer_to(&asked, "12 December"), false).await["task"].clone();
        assert_eq!(state_of(&done), "TASK_STATE_COMPLETED");
        assert_eq!(done["id"], asked["id"]);
        assert!(said(&done).contains("12 December"));
        let file = &done["artifacts"][0]["parts"][0];
        assert_eq!((file["filename"].as_str(), file["raw"].is_string()), (Some("order-draft.txt"), true));
        let history: Vec<&Value> = done["history"].as_array().unwrap().iter().map(|m| &m["parts"][0]["text"]).collect();
        assert_eq!(history, [text, "hm", "12 December"]);
    }
}

#[tokio::test]
async fn contract_prices_need_authorization() {
    let peer = Peer::start(1).await;
    for binding in BOTH {
        let asked = peer.send(binding, message("Compare our contract prices"), false).await["task"].clone();
        assert_eq!(state_of(&asked), "TASK_STATE_AUTH_REQUIRED");
        let going = peer.send(binding, answer_to(&asked, "authorized"), true).await["task"].clone();
        let done = peer.settled(binding, going["id"].as_str().unwrap()).await;
        assert_eq!(state_of(&done), "TASK_STATE_COMPLETED");
        assert_eq!(done["artifacts"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn failures_and_rejections_end_the_task_with_a_reason() {
    let peer = Peer::start(1).await;
    for binding in BOTH {
        let failed = peer.send(binding, message("Compare the broken price list"), false).await["task"].clone();
        assert_eq!(state_of(&failed), "TASK_STATE_FAILED");
        assert!(said(&failed).contains("line 14"));
        let rejected = peer.send(binding, message("Buy the cheapest one for me"), false).await["task"].clone();
        assert_eq!(state_of(&rejected), "TASK_STATE_REJECTED");
        assert!(said(&rejected).contains("does not buy"));
    }
}

#[tokio::test]
async fn a_long_task_is_canceled_for_good() {
    let peer = Peer::start(1).await;
    for binding in BOTH {
        let started = peer.send(binding, message("Watch the prices for a minute"), true).await["task"].clone();
        let id = started["id"].as_str().unwrap();
        assert_eq!(state_of(&peer.cancel(binding, id).await), "TASK_STATE_CANCELED");
        assert_eq!(state_of(&peer.task(binding, id).await), "TASK_STATE_CANCELED");
        // Nothing runs on behind it: the same task takes no further message.
        let refused = peer.call("SendMessage", json!({"message": answer_to(&started, "go on")})).await;
        assert_eq!(refused["error"]["code"], -32004, "{refused}");
    }
}

#[tokio::test]
async fn a_stream_begins_with_the_task_and_ends_with_its_end() {
    let peer = Peer::start(1).await;
    let params = json!({"message": message("Compare the sample quotes")});
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "SendStreamingMessage", "params": params});
    let answer = ask(&peer.base, "POST", "/a2a", "A2A-Version: 1.0\r\n", &request.to_string()).await;
    assert!(answer.header("content-type").unwrap().starts_with("text/event-stream"));
    let events: Vec<Value> = answer
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str::<Value>(data).unwrap()["result"].clone())
        .collect();
    let kind = |event: &Value| event.as_object().unwrap().keys().next().unwrap().clone();
    let kinds: Vec<String> = events.iter().map(kind).collect();
    assert_eq!(kinds[0], "task");
    assert_eq!(kinds.iter().filter(|kind| *kind == "artifactUpdate").count(), 2);
    assert!(kinds.iter().filter(|kind| *kind == "statusUpdate").count() >= 4, "{kinds:?}");
    assert_eq!(events.last().unwrap()["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED");
}

#[tokio::test]
async fn an_old_client_and_a_wrong_file_are_told_so() {
    let peer = Peer::start(1).await;
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}}).to_string();
    let answer = ask(&peer.base, "POST", "/a2a", "", &request).await.json();
    assert_eq!(answer["error"]["code"], -32009, "{answer}");

    let picture = json!({"raw": "AAAA", "mediaType": "image/png", "filename": "quote.png"});
    let mut message = message("Compare this");
    message["parts"].as_array_mut().unwrap().push(picture);
    let answer = peer.call("SendMessage", json!({"message": message})).await;
    assert_eq!(answer["error"]["code"], -32005, "{answer}");
}

#[tokio::test]
async fn an_oversized_request_is_refused() {
    let peer = Peer::start(1).await;
    let request = json!({"message": message(&"x".repeat(1 << 20))}).to_string();
    assert_eq!(ask(&peer.base, "POST", "/rest/message:send", "", &request).await.status, 413);
}

#[tokio::test]
async fn stopping_ends_running_tasks_and_frees_the_port() {
    let (agent, serving) = DemoAgent::bind(0, 1).await.unwrap();
    let serving = tokio::spawn(serving);
    let address = agent.card_url()["http://".len()..].split('/').next().unwrap().to_owned();
    let port = address.rsplit(':').next().unwrap().parse().unwrap();
    assert!(DemoAgent::bind(port, 1).await.is_err(), "the port is taken");

    let body = json!({"message": message("Watch the prices for a minute")}).to_string();
    let head = "POST /rest/message:stream HTTP/1.0\r\nContent-Type: application/json\r\n";
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
    let mut received = String::new();
    while !received.contains("Watched for 0 of 60 s") {
        let mut chunk = [0; 4096];
        let length = stream.read(&mut chunk).await.unwrap();
        assert!(length > 0, "the stream ended early: {received}");
        received.push_str(&String::from_utf8_lossy(&chunk[..length]));
    }

    let stopped = Instant::now();
    agent.stop();
    serving.await.unwrap();
    stream.read_to_end(&mut Vec::new()).await.unwrap();
    assert!(stopped.elapsed() < Duration::from_secs(2));
    assert!(DemoAgent::bind(port, 1).await.is_ok(), "the port is free again");
}
