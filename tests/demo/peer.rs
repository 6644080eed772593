//! The demo agent as a peer that is asked over raw HTTP, so that the wire itself is seen.

use std::time::{Duration, Instant};

use cardscope::demo::DemoAgent;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What came back, headers in lower case.
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// One request as HTTP/1.0, so that an answer simply ends where the connection does.
pub async fn ask(base: &str, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).await.unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: demo\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         {headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    stream.read_to_end(&mut received).await.unwrap();
    let text = String::from_utf8(received).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

/// The binding a behaviour is tried over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Binding {
    JsonRpc,
    HttpJson,
}

/// A running demo agent.
pub struct Peer {
    pub agent: DemoAgent,
    pub base: String,
}

impl Peer {
    pub async fn start(revision: u8) -> Self {
        let (agent, serving) = DemoAgent::bind(0, revision).await.unwrap();
        tokio::spawn(serving);
        let base = agent.card_url().strip_suffix("/.well-known/agent-card.json").unwrap().to_owned();
        Self { agent, base }
    }

    pub async fn get(&self, path: &str, headers: &str) -> Answer {
        ask(&self.base, "GET", path, headers, "").await
    }

    /// The `result` (or whole error answer) of a JSON-RPC call.
    pub async fn call(&self, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = ask(&self.base, "POST", "/a2a", "A2A-Version: 1.0\r\n", &request.to_string()).await;
        assert_eq!(answer.status, 200);
        let answer = answer.json();
        assert_eq!(answer["id"], 1);
        answer.get("result").cloned().unwrap_or(answer)
    }

    pub async fn send(&self, binding: Binding, message: Value, at_once: bool) -> Value {
        let request = json!({"message": message, "configuration": {"returnImmediately": at_once}});
        match binding {
            Binding::JsonRpc => self.call("SendMessage", request).await,
            Binding::HttpJson => {
                let answer = ask(&self.base, "POST", "/rest/message:send", "", &request.to_string()).await;
                assert_eq!(answer.status, 200, "{}", answer.body);
                answer.json()
            }
        }
    }

    pub async fn task(&self, binding: Binding, id: &str) -> Value {
        match binding {
            Binding::JsonRpc => self.call("GetTask", json!({"id": id})).await,
            Binding::HttpJson => self.get(&format!("/rest/tasks/{id}"), "").await.json(),
        }
    }

    pub async fn cancel(&self, binding: Binding, id: &str) -> Value {
        match binding {
            Binding::JsonRpc => self.call("CancelTask", json!({"id": id})).await,
            Binding::HttpJson => ask(&self.base, "POST", &format!("/rest/tasks/{id}:cancel"), "", "").await.json(),
        }
    }

    /// Asks for the task until its state is none of submitted and working.
    pub async fn settled(&self, binding: Binding, id: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let task = self.task(binding, id).await;
            let state = state_of(&task).to_owned();
            if state != "TASK_STATE_SUBMITTED" && state != "TASK_STATE_WORKING" {
                return task;
            }
            assert!(Instant::now() < until, "still {state}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.agent.stop();
    }
}

pub fn message(text: &str) -> Value {
    json!({"messageId": uuid::Uuid::new_v4().to_string(), "role": "ROLE_USER", "parts": [{"text": text}]})
}

pub fn answer_to(task: &Value, text: &str) -> Value {
    let mut message = message(text);
    message["taskId"] = task["id"].clone();
    message["contextId"] = task["contextId"].clone();
    message
}

pub fn state_of(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap_or_else(|| panic!("no state in {task}"))
}

pub fn said(task: &Value) -> &str {
    task["status"]["message"]["parts"][0]["text"].as_str().unwrap_or_else(|| panic!("nothing said in {task}"))
}
