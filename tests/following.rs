//! Tasks followed to their end through the worker.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cardscope::a2a::TaskState;
use cardscope::card::facts::AddressFlagKind;
use cardscope::card::synthetic::{Connection, Release};
use cardscope::client::{AttemptKind, CallErrorKind, Credential, Secret};
use cardscope::state::conversation::TimelineKind;
use cardscope::state::{Action, ConversationAction, Demo, Ending, Progress, State};
use serde_json::{Value, json};

use crate::support::{FakeAgent, Model, Received, Reply, Step, rpc};

/// How soon everything that was given up has to be over.
const AT_ONCE: Duration = Duration::from_millis(300);

/// An agent with a card whose JSON-RPC interface is scripted: one answer for the send, then one for each poll.
fn agent(answers: impl Fn(&Received, usize) -> Reply + Send + Sync + 'static) -> (FakeAgent, Model) {
    let agent = FakeAgent::start();
    agent.on("/.well-known/agent-card.json", Reply::json(rpc::card_with_interfaces(&[&agent.url("/rpc")])));
    agent.handle("/rpc", answers);
    let model = Model::showing(&agent.url(""));
    (agent, model)
}

/// The send is answered with a working task, the polls with these in turn.
fn polled(polls: Vec<Value>) -> impl Fn(&Received, usize) -> Reply + Send + Sync {
    move |request, turn| match turn {
        0 => rpc::result(request, &json!({"task": rpc::task("t1", "WORKING")})),
        _ => rpc::result(request, &polls[(turn - 1).min(polls.len() - 1)]),
    }
}

fn methods(agent: &FakeAgent) -> Vec<String> {
    agent.requests().iter().filter(|request| request.path() == "/rpc").map(rpc::method).collect()
}

fn params(agent: &FakeAgent) -> Value {
    agent.last("/rpc").json()["params"].clone()
}

fn ending(model: &Model) -> &Ending {
    match &model.turn().progress {
        Progress::Over(ending) => ending,
        other => panic!("still {other:?}"),
    }
}

#[test]
fn a_task_is_polled_until_it_ends_or_waits() {
    for (last, state) in [
        ("COMPLETED", TaskState::Completed),
        ("REJECTED", TaskState::Rejected),
        ("FAILED", TaskState::Failed),
        ("CANCELED", TaskState::Canceled),
        ("INPUT_REQUIRED", TaskState::InputRequired),
        ("AUTH_REQUIRED", TaskState::AuthRequired),
    ] {
        let polls =
            vec![rpc::task("t1", "WORKING"), rpc::task("t1", "WORKING"), rpc::task_with_artifact("t1", last, "4")];
        let (agent, mut model) = agent(polled(polls));
        let turn = model.send_to_the_end("how many jars?");
        assert_eq!(turn.state(), Some(&state));
        assert_eq!(turn.polls, 3);
        assert_eq!(turn.task.as_ref().unwrap().artifacts.len(), 1);
        // Three polls, two states: what did not change is not told again.
        assert_eq!(turn.timeline.len(), 2, "{:?}", turn.timeline);
        assert!(matches!(ending(&model), Ending::Task(_)));
        assert_eq!(methods(&agent), ["SendMessage", "GetTask", "GetTask", "GetTask"]);
        assert_eq!(model.state.traffic.rows.len(), 5, "the card and four calls");
    }
}

#[test]
fn a_task_that_waits_is_continued_and_one_that_ended_is_not() {
    for (state, task_id) in
        [("INPUT_REQUIRED", json!("t1")), ("AUTH_REQUIRED", json!("t1")), ("COMPLETED", Value::Null)]
    {
        let (agent, mut model) = agent(polled(vec![rpc::task("t1", state)]));
        model.send_to_the_end("how many jars?");
        model.send_to_the_end("on the upper shelf");
        let sent = agent
            .requests()
            .into_iter()
            .rfind(|request| request.path() == "/rpc" && rpc::method(request) == "SendMessage");
        let message = sent.unwrap().json()["params"]["message"].clone();
        assert_eq!((&message["contextId"], &message["taskId"]), (&json!("c1"), &task_id), "{state}");
    }
}

#[test]
fn a_message_ends_the_turn_without_a_poll() {
    let reply = json!({"message": {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": "4 jars"}]}});
    let (agent, mut model) = agent(move |request, _| rpc::result(request, &reply));
    let turn = model.send_to_the_end("how many jars?");
    assert_eq!(turn.reply.as_ref().unwrap().text(), "4 jars");
    assert!(turn.task.is_none());
    assert_eq!(methods(&agent), ["SendMessage"]);
}

#[test]
fn an_agent_that_publishes_no_card_is_called_all_the_same() {
    for release in [Release::V1_0, Release::V0_3] {
        let agent = FakeAgent::start();
        agent.handle("/hidden/rpc", |request, _| {
            let text = "4 jars";
            rpc::result(
                request,
                &match rpc::method(request).as_str() {
                    "message/send" => json!({"kind": "message", "messageId": "m1", "role": "agent",
                        "parts": [{"kind": "text", "text": text}]}),
                    _ => json!({"message": {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": text}]}}),
                },
            )
        });
        let mut model = Model::new();
        let url = agent.url("/hidden/rpc");
        model.apply(Action::ConnectWithoutCard(Connection { url, protocol_binding: "JSONRPC", release }));
        model.until("the card is written", |state| state.discovery.pending.is_none());
        let entry = model.state.discovery.current_entry().unwrap();
        assert_eq!(entry.retrieval.attempts[0].kind, AttemptKind::Synthetic);
        assert!(entry.retrieval.assumptions[0].starts_with("No card was asked for."), "{:?}", entry.retrieval);
        assert!(agent.requests().is_empty(), "nothing is asked before something is sent");
        let turn = model.send_to_the_end("how many jars?");
        assert_eq!(turn.reply.as_ref().unwrap().text(), "4 jars");
    }
}

#[test]
fn an_unknown_state_goes_on_until_the_budget_is_spent() {
    let (agent, _) = agent(polled(vec![rpc::task("t1", "BREWING")]));
    let mut model = Model::with_budget(1);
    model.open(&agent.url(""));
    let began = Instant::now();
    let turn = model.send_to_the_end("tea, please");
    assert_eq!(turn.state().unwrap().label(), "TASK_STATE_BREWING");
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert!(matches!(ending(&model), Ending::BudgetSpent));
    let polls = model.turn().polls;
    let job = model.turn().job;
    model.converse(ConversationAction::FollowAgain { turn: job });
    model.until("it is asked again", |state| {
        state.discovery.current_entry().unwrap().conversation.turns[0].polls > polls
    });
}

#[test]
fn transient_failures_are_outlived() {
    let (agent, mut model) = agent(|request, turn| match turn {
        0 => rpc::result(request, &json!({"task": rpc::task("t1", "WORKING")})),
        1 | 2 => Reply::status(503),
        3 => Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"jsonrpc\""),
        _ => rpc::result(request, &rpc::task("t1", "COMPLETED")),
    });
    let turn = model.send_to_the_end("how many jars?");
    assert_eq!(turn.state(), Some(&TaskState::Completed));
    let is_note = |kind: &TimelineKind| matches!(kind, TimelineKind::Note(text) if text.contains("asking again"));
    assert!(turn.timeline.iter().any(|event| is_note(&event.kind)), "{:?}", turn.timeline);
    assert_eq!(methods(&agent).len(), 5);
}

#[test]
fn retry_after_is_heeded() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&times);
    let (_agent, mut model) = agent(move |request, turn| {
        seen.lock().unwrap().push(Instant::now());
        match turn {
            0 => rpc::result(request, &json!({"task": rpc::task("t1", "WORKING")})),
            1 => Reply::new(503, "text/plain", &["Retry-After: 1"], "busy"),
            _ => rpc::result(request, &rpc::task("t1", "COMPLETED")),
        }
    });
    model.send_to_the_end("how many jars?");
    let times = times.lock().unwrap();
    assert!(times[2] - times[1] >= Duration::from_millis(990), "{:?}", times[2] - times[1]);
}

#[test]
fn a_forgotten_task_leaves_its_last_snapshot() {
    let (_agent, mut model) = agent(|request, turn| match turn {
        0 => rpc::result(request, &json!({"task": rpc::task_with_artifact("t1", "WORKING", "half")})),
        _ => rpc::error(request, -32001, "no such task"),
    });
    let turn = model.send_to_the_end("how many jars?");
    assert_eq!(turn.task.as_ref().unwrap().artifacts.len(), 1);
    let Ending::FollowingFailed(error) = ending(&model) else { panic!("{:?}", model.turn().progress) };
    assert!(matches!(&error.kind, CallErrorKind::Agent(agent) if agent.code == Some(-32001)));
}

#[test]
fn stop_ends_every_request_at_once() {
    // While the message is on its way, while a poll is, and while the next poll is waited for.
    for hang_at in [0, 1, usize::MAX] {
        let (agent, mut model) = agent(move |request, turn| match turn {
            turn if turn == hang_at => Reply::default().then(Step::Hang),
            0 => rpc::result(request, &json!({"task": rpc::task("t1", "WORKING")})),
            _ => rpc::result(request, &rpc::task("t1", "WORKING")),
        });
        model.send("how many jars?");
        agent.wait_until("it is asked", |agent| agent.hits("/rpc") > hang_at.min(2));
        let stopped = Instant::now();
        model.converse(ConversationAction::Stop);
        assert!(matches!(ending(&model), Ending::Stopped));
        agent.wait_until("the socket is closed", |agent| agent.open_connections() == 0);
        assert!(stopped.elapsed() < AT_ONCE, "{:?}", stopped.elapsed());
        let hits = agent.hits("/rpc");
        std::thread::sleep(Duration::from_millis(250));
        assert_eq!(agent.hits("/rpc"), hits, "nothing is asked any more");
    }
}

#[test]
fn closing_the_window_ends_every_request() {
    let (agent, mut model) = agent(|_, _| Reply::default().then(Step::Hang));
    model.send("how many jars?");
    agent.wait_until("it is asked", |agent| agent.hits("/rpc") == 1);
    let closed = Instant::now();
    model.worker = None;
    agent.wait_until("the socket is closed", |agent| agent.open_connections() == 0);
    assert!(closed.elapsed() < AT_ONCE, "{:?}", closed.elapsed());
}

#[test]
fn a_fetch_is_cancelled_at_once() {
    let agent = FakeAgent::start();
    agent.otherwise(Reply::default().then(Step::Hang));
    let mut model = Model::new();
    model.apply(Action::FetchCard { address: agent.url("") });
    agent.wait_until("it is asked", |agent| !agent.requests().is_empty());
    let cancelled = Instant::now();
    model.apply(Action::CancelFetch);
    agent.wait_until("the socket is closed", |agent| agent.open_connections() == 0);
    assert!(cancelled.elapsed() < AT_ONCE, "{:?}", cancelled.elapsed());
}

#[test]
fn settings_that_cannot_be_used_are_said_and_nothing_is_asked() {
    let (agent, mut model) = agent(polled(vec![rpc::task("t1", "COMPLETED")]));
    let sound = model.state.settings.clone();
    let mut broken = sound.clone();
    broken.network.ca_file = Some("/nowhere/ca.pem".into());
    model.apply(Action::ChangeSettings(broken));
    model.until("it is said", |state| !state.notices.is_empty());
    assert!(model.state.notices[0].detail.contains("/nowhere/ca.pem"), "{:?}", model.state.notices);
    model.send_to_the_end("how many jars?");
    assert!(matches!(ending(&model), Ending::Failed(error) if error.to_string().starts_with("Nothing was sent.")));
    assert_eq!(agent.hits("/rpc"), 0);
    model.apply(Action::ChangeSettings(sound));
    assert_eq!(model.send_to_the_end("how many jars?").state(), Some(&TaskState::Completed));
}

#[test]
fn the_demo_agent_starts_shows_its_card_turns_it_over_and_stops() {
    let mut model = Model::new();
    model.apply(Action::StartDemo);
    let shows = |revision: u8| {
        move |state: &State| {
            state.discovery.pending.is_none()
                && matches!(state.demo, Demo::Running { revision: served, .. } if served == revision)
        }
    };
    model.until("its card is there", shows(1));
    let digest = |model: &Model| {
        let entry = model.state.discovery.current_entry().unwrap();
        entry.inspection.as_ref().unwrap().document.sha256().to_owned()
    };
    let first = digest(&model);
    model.send_to_the_end("What does DAP mean?");
    model.apply(Action::SwitchDemoRevision);
    model.until("its other card is there", shows(2));
    assert_ne!(digest(&model), first);
    assert_eq!(model.state.discovery.entries.len(), 1, "it is the same agent");
    assert_eq!(model.conversation().turns.len(), 1, "and the conversation goes on");
    model.apply(Action::StopDemo);
    model.until("it has stopped", |state| state.demo == Demo::Stopped);
}

#[test]
fn late_answers_stay_with_their_turn() {
    let (agent, mut model) = agent(|request, _| match rpc::method(request).as_str() {
        "CancelTask" => rpc::result(request, &rpc::task("t1", "CANCELED")).after(Duration::from_millis(600)),
        "GetTask" if request.json()["params"]["id"] == "t1" => {
            rpc::result(request, &rpc::task("t1", "COMPLETED")).after(Duration::from_millis(400))
        }
        "SendMessage" if String::from_utf8_lossy(&request.body).contains("first") => {
            rpc::result(request, &json!({"task": rpc::task("t1", "WORKING")}))
        }
        "SendMessage" => rpc::result(request, &json!({"task": rpc::task("t2", "WORKING")})),
        _ => rpc::result(request, &rpc::task("t2", "WORKING")),
    });
    model.send("first");
    model.until("there is a task", |state| {
        state.discovery.current_entry().unwrap().conversation.turns[0].task.is_some()
    });
    agent.wait_until("the task is asked for", |agent| agent.hits("/rpc") == 2);
    model.converse(ConversationAction::CancelTask);
    model.converse(ConversationAction::Stop);
    model.send("second");
    model.until("the late answer is there", |state| {
        state.discovery.current_entry().unwrap().conversation.turns[0].cancel_job.is_none()
    });
    let turns = &model.conversation().turns;
    assert_eq!(turns[0].state(), Some(&TaskState::Canceled));
    assert_eq!(turns[1].state(), Some(&TaskState::Working));
    assert!(model.conversation().running_turn().is_some_and(|turn| turn.task.as_ref().unwrap().id == "t2"));
}

#[test]
fn a_send_is_never_repeated() {
    for reply in [Reply::status(503), Reply::default(), Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")] {
        let (agent, mut model) = agent(move |_, _| reply.clone());
        model.send_to_the_end("how many jars?");
        assert!(matches!(ending(&model), Ending::Failed(_)));
        assert_eq!(agent.hits("/rpc"), 1);
    }
}

#[test]
fn a_connection_lost_after_sending_leaves_open_whether_it_was_received() {
    let (_agent, mut model) = agent(|_, _| Reply::default());
    model.send_to_the_end("how many jars?");
    let Ending::Failed(error) = ending(&model) else { panic!("{:?}", model.turn().progress) };
    assert!(matches!(&error.kind, CallErrorKind::Transport { may_have_been_received: true, .. }), "{error:?}");
}

#[test]
fn declared_is_not_spoken() {
    let reply =
        json!({"kind": "message", "messageId": "m1", "role": "agent", "parts": [{"kind": "text", "text": "4 jars"}]});
    let (agent, mut model) = agent(move |request, _| match rpc::method(request).as_str() {
        "message/send" => rpc::result(request, &reply),
        _ => rpc::error(request, -32601, "Method not found"),
    });
    model.send_to_the_end("how many jars?");
    assert_eq!(methods(&agent), ["SendMessage"], "nothing is sent again without the click");
    let job = model.turn().job;
    model.converse(ConversationAction::ResendInOtherDialect { turn: job });
    model.until("it is answered", |state| {
        state.discovery.current_entry().unwrap().conversation.running_turn().is_none()
    });
    assert_eq!(model.turn().reply.as_ref().unwrap().text(), "4 jars");
    assert_eq!(params(&agent)["message"]["parts"][0]["text"], "how many jars?");
    assert_eq!(model.conversation().answered_as.len(), 1);
    model.send_to_the_end("and lids?");
    assert_eq!(methods(&agent), ["SendMessage", "message/send", "message/send"]);
}

#[test]
fn addresses_that_cannot_work_from_here_are_asked_about_first() {
    let agent = FakeAgent::start();
    let reachable = agent.url("/rpc");
    let urls = ["http://0.0.0.0:8000/", "http://[::]:8080/x", "http://svc-clerk:8000/", "/rpc", &reachable];
    let card = rpc::card_with_interfaces(&urls);
    agent.on("/.well-known/agent-card.json", Reply::json(&card));
    agent.handle("/rpc", polled(vec![rpc::task("t1", "COMPLETED")]));
    let mut model = Model::showing(&agent.url(""));
    let inspection = Arc::clone(model.state.discovery.current_entry().unwrap().inspection.as_ref().unwrap());
    let flags: Vec<_> = inspection.interfaces.rows.iter().map(|row| row.flag.as_ref().map(|flag| flag.kind)).collect();
    assert_eq!(
        flags,
        [
            Some(AddressFlagKind::Wildcard),
            Some(AddressFlagKind::Wildcard),
            Some(AddressFlagKind::ContainerName),
            Some(AddressFlagKind::Relative),
            None
        ]
    );
    let texts: std::collections::BTreeSet<_> =
        inspection.interfaces.rows.iter().filter_map(|row| row.flag.as_ref()).map(|flag| &flag.text).collect();
    assert_eq!(texts.len(), 4, "each says what is wrong with its own address");

    for (row, url) in urls.iter().enumerate().take(4) {
        model.converse(ConversationAction::ChooseInterface { row: Some(row) });
        model.send("how many jars?");
        let question = model.state.question.as_ref().unwrap();
        assert!(question.choices[0].label.starts_with("Use "), "{question:?}");
        model.apply(Action::AnswerQuestion { choice: question.choices.len() - 1 });
        assert!(model.conversation().turns.is_empty(), "nothing was sent to {url}");
    }
    // The relative address resolved against the card's own, taken by a click.
    model.send("how many jars?");
    model.apply(Action::AnswerQuestion { choice: 0 });
    model.until("the turn is over", |state| {
        state.discovery.current_entry().unwrap().conversation.running_turn().is_none()
    });
    assert_eq!(model.turn().endpoint.url, reachable);
    assert_eq!(&inspection.document.bytes()[..], card.as_bytes(), "the card stays as it was received");
    model.converse(ConversationAction::ChooseInterface { row: Some(4) });
    model.send_to_the_end("how many jars?");
}

#[test]
fn a_credential_stays_with_its_origin_until_the_user_says_otherwise() {
    let other = FakeAgent::start();
    other.handle("/rpc", polled(vec![rpc::task("t1", "COMPLETED")]));
    let agent = FakeAgent::start();
    agent.on("/.well-known/agent-card.json", Reply::json(rpc::card_with_interfaces(&[&other.url("/rpc")])));
    let mut model = Model::new();
    let headers = vec![
        ("Authorization".to_owned(), Secret::new("Bearer pantry-token")),
        ("X-API-Key".to_owned(), Secret::new("shelf-key")),
    ];
    model.apply(Action::SetCredential(Credential { origin: agent.url(""), headers, client_certificate: None }));
    model.open(&agent.url(""));
    assert_eq!(agent.last("/.well-known/agent-card.json").header("x-api-key"), Some("shelf-key"));
    model.send("how many jars?");
    let question = model.state.question.as_ref().expect("it is asked before the first send");
    assert!(question.detail.contains("another origin"), "{}", question.detail);
    assert!(other.requests().is_empty());
    let without = question.choices.iter().position(|choice| choice.label == "Send without the credential");
    model.apply(Action::AnswerQuestion { choice: without.unwrap() });
    model.until("the turn is over", |state| {
        state.discovery.current_entry().unwrap().conversation.running_turn().is_none()
    });
    for request in other.requests() {
        let raw = String::from_utf8_lossy(&request.raw).into_owned();
        assert!(!raw.contains("pantry-token") && !raw.contains("shelf-key"), "{raw}");
    }
}

#[test]
fn a_redirected_message_can_be_sent_on_by_a_click() {
    let (agent, mut model) = agent(|_, _| Reply::redirect(302, "/moved"));
    agent.handle("/moved", polled(vec![rpc::task("t1", "COMPLETED")]));
    model.send_to_the_end("how many jars?");
    assert_eq!(model.turn().redirected_to(), Some(&*agent.url("/moved")));
    let job = model.turn().job;
    model.converse(ConversationAction::ResendWhereRedirected { turn: job });
    model.until("it is answered", |state| {
        state.discovery.current_entry().unwrap().conversation.running_turn().is_none()
    });
    assert!(matches!(ending(&model), Ending::Task(_)), "{:?}", model.turn().progress);
}

#[test]
fn what_a_server_says_beside_its_status_is_repeated() {
    let (_agent, mut model) = agent(|_, _| Reply::new(500, "text/plain", &[], "Traceback: boom"));
    model.send_to_the_end("how many jars?");
    let Ending::Failed(error) = ending(&model) else { panic!("{:?}", model.turn().progress) };
    assert_eq!(error.servers_words().as_deref(), Some("Traceback: boom"));
}
