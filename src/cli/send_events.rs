//! What `cardscope send` prints while a task runs: one JSON object a line, or text for people.

use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use super::output::{self, Written};
use super::problem::{call_problem, send_problem, sentence};
use super::send_request::Selected;
use crate::a2a::{Artifact, Message, Part, PartContent, SendMessageResponse, Task, TaskState, TaskStatus};
use crate::card::visible_text::visible_text;
use crate::client::{CallError, CallErrorKind};
use crate::history::transcript::TurnRecord;
use crate::state::outcome::FollowingEnd;
use crate::state::timeline;
use crate::worker::tasks::TaskEvent;

/// How a send ended.
#[derive(Debug)]
pub(super) enum End {
    Message(Message),
    Task(TaskState),
    Error(String),
}

impl End {
    pub(super) fn outcome(&self) -> &str {
        match self {
            Self::Message(_) => "message",
            Self::Task(state) => state.label(),
            Self::Error(_) => "error",
        }
    }

    pub(super) fn exit_status(&self) -> u8 {
        match self {
            Self::Message(_) | Self::Task(TaskState::Completed) => 0,
            Self::Task(state) if state.is_interrupted() => 3,
            Self::Task(_) => 1,
            Self::Error(_) => 2,
        }
    }
}

/// Takes events, prints what is new in them and remembers how it ended.
pub(super) struct Report {
    json: bool,
    pub(super) began: Instant,
    pub(super) timeline: Vec<timeline::TimelineEvent>,
    printed_artifacts: Vec<Artifact>,
    pub(super) task: Option<Task>,
    pub(super) context_id: Option<String>,
    /// The version that the chosen interface declares.
    declared: Option<&'static str>,
    /// `None` until something ended it.
    pub end: Option<End>,
    /// Standard output is closed or full: nobody gets the rest.
    pub unread: bool,
    /// What was sent and where, once it is going out, and how long after the beginning that was.
    pub(super) sent: Option<(TurnRecord, Duration)>,
    pub(super) deviations: Vec<String>,
    pub(super) polls: u32,
    pub(super) has_given_up: bool,
    /// What the history keeps of a failure: our own sentence, without what a server wrote beside it.
    pub(super) kept_problem: Option<String>,
}

impl Report {
    pub(super) fn new(json: bool) -> Self {
        Self {
            json,
            began: Instant::now(),
            timeline: Vec::new(),
            printed_artifacts: Vec::new(),
            task: None,
            context_id: None,
            declared: None,
            end: None,
            unread: false,
            sent: None,
            deviations: Vec::new(),
            polls: 0,
            has_given_up: false,
            kept_problem: None,
        }
    }

    pub(super) fn selected(&mut self, selected: &Selected) {
        let endpoint = &selected.endpoint;
        self.declared = Some(endpoint.dialect.label());
        if self.json {
            self.line(&json!({
                "event": "selected",
                "interface": selected.number,
                "url": endpoint.url,
                "protocolBinding": endpoint.binding.name(),
                "protocolVersion": endpoint.dialect.label(),
                "tenant": endpoint.tenant,
                "extensions": endpoint.extensions,
                "reason": selected.reason,
            }));
        } else {
            let (binding, version) = (endpoint.binding.name(), endpoint.dialect.label());
            output::note(&format!("{binding} {version} at {}: {}", visible_text(&endpoint.url), selected.reason));
            if !endpoint.extensions.is_empty() {
                let activated = visible_text(&endpoint.extensions.join(", ")).into_owned();
                output::note(&format!("Activated, because the card requires it: {activated}"));
            }
        }
        if let Some(flag) = &selected.interface.flag {
            output::note(&visible_text(&flag.text));
        }
    }

    pub(super) fn take(&mut self, event: TaskEvent) {
        self.note_for_record(&event);
        match event {
            TaskEvent::Answered(Ok(answer)) => match answer.value {
                SendMessageResponse::Message(message) => self.message(message, &answer.deviations),
                SendMessageResponse::Task(task) => self.snapshot(task, &answer.deviations),
            },
            TaskEvent::Updated(answer) => self.snapshot(answer.value, &answer.deviations),
            TaskEvent::PollFailed { error, retry_in } => {
                let wait = retry_in.as_secs_f32();
                output::note(&format!("{} Asking again in {wait:.1} s.", sentence(&call_problem(&error))));
            }
            TaskEvent::Answered(Err(error)) => {
                self.kept_problem = Some(error.to_string());
                self.end = Some(End::Error(self.send_failure(&error)));
            }
            TaskEvent::Ended(FollowingEnd::Failed(error)) => {
                self.kept_problem = Some(error.to_string());
                self.end = Some(End::Error(call_problem(&error)));
            }
            TaskEvent::Ended(FollowingEnd::BudgetSpent | FollowingEnd::Stopped) => self.given_up(),
        }
    }

    fn send_failure(&self, error: &CallError) -> String {
        let problem = send_problem(error);
        match (&error.kind, self.declared) {
            (CallErrorKind::Agent(agent), Some(declared)) if agent.code == Some(-32601) => format!(
                "{} The card declares {declared} for this interface, but the method is unknown there: the agent may \
                 speak another version. Nothing was sent again.",
                sentence(&problem)
            ),
            _ => problem,
        }
    }

    /// Nothing more is waited for, unless the end is known already; the words say how far it came.
    pub(super) fn given_up(&mut self) {
        let seconds = self.began.elapsed().as_secs();
        self.has_given_up |= self.end.is_none();
        self.end.get_or_insert_with(|| {
            End::Error(match (&self.task, self.declared) {
                (Some(task), _) => format!("After {seconds} s the task was still {}.", task.status.state.label()),
                (None, Some(_)) => {
                    format!("There was no answer within {seconds} s. The message may have been received.")
                }
                (None, None) => format!("After {seconds} s the card was still not there. Nothing was sent."),
            })
        });
    }

    fn message(&mut self, message: Message, deviations: &[String]) {
        if message.context_id.is_some() {
            self.context_id.clone_from(&message.context_id);
        }
        if self.json {
            self.line(&json!({
                "event": "message",
                "messageId": message.message_id,
                "contextId": message.context_id,
                "text": message.text(),
                "parts": parts(&message.parts),
                "deviations": deviations,
            }));
        } else {
            self.print_parts(&message.parts);
        }
        self.end = Some(End::Message(message));
    }

    fn snapshot(&mut self, task: Task, deviations: &[String]) {
        // What was produced comes before the word that it is all.
        for artifact in &task.artifacts {
            if !self.printed_artifacts.contains(artifact) {
                self.artifact(artifact);
                self.printed_artifacts.retain(|printed| printed.artifact_id != artifact.artifact_id);
                self.printed_artifacts.push(artifact.clone());
            }
        }
        let events_before = self.timeline.len();
        timeline::absorb_status(&mut self.timeline, self.began.elapsed(), &task.status);
        if self.timeline.len() > events_before {
            self.state(&task, deviations);
        }
        let state = &task.status.state;
        self.end = state.ends_following().then(|| End::Task(state.clone()));
        if task.context_id.is_some() {
            self.context_id.clone_from(&task.context_id);
        }
        self.task = Some(task);
    }

    fn state(&mut self, task: &Task, deviations: &[String]) {
        let words = status_text(&task.status);
        if self.json {
            self.line(&json!({
                "event": "state",
                "state": task.status.state.label(),
                "taskId": task.id,
                "contextId": task.context_id,
                "text": words,
                "deviations": deviations,
            }));
            return;
        }
        let state = &task.status.state;
        let label = visible_text(state.label());
        // Progress goes to standard error; the words that end the turn are its answer, unless artifacts are.
        if state.ends_following() && (*state != TaskState::Completed || task.artifacts.is_empty()) {
            output::note(&label);
            if !words.is_empty() {
                self.unread |= output::line(&multi_line(&words)) != Written::Whole;
            }
        } else {
            output::note(format!("{label:<15} {}", visible_text(&words)).trim_end());
        }
    }

    fn artifact(&mut self, artifact: &Artifact) {
        if self.json {
            self.line(&json!({
                "event": "artifact",
                "artifactId": artifact.artifact_id,
                "name": artifact.name,
                "description": artifact.description,
                "text": crate::a2a::joined_text(&artifact.parts),
                "parts": parts(&artifact.parts),
            }));
        } else {
            let name = artifact.name.as_deref().unwrap_or(&artifact.artifact_id);
            output::note(&format!("artifact        {}", visible_text(name)));
            self.print_parts(&artifact.parts);
        }
    }

    /// Prints the end and gives the exit status.
    pub(super) fn finish(&mut self) -> u8 {
        if self.end.is_none() {
            self.end = Some(End::Error("The send ended without an answer.".to_owned()));
        }
        let Some(end) = self.end.take() else { return 2 };
        if self.unread {
            return end.exit_status();
        }
        let text = self.closing_words(&end);
        if self.json {
            let task_id = self.task.as_ref().map(|task| task.id.clone());
            let context_id = self.context_id.clone();
            self.line(&json!({
                "event": "end",
                "outcome": end.outcome(),
                "text": text,
                "taskId": task_id,
                "contextId": context_id,
            }));
        }
        match &end {
            End::Error(problem) => output::note(&format!("cardscope: {problem}")),
            End::Task(state) if state.is_interrupted() && !self.json => output::note(&self.how_to_go_on(state)),
            _ => {}
        }
        end.exit_status()
    }

    /// The answer in one text: what was produced, or else what was said last.
    fn closing_words(&self, end: &End) -> String {
        match end {
            End::Message(message) => message.text(),
            End::Error(problem) => problem.clone(),
            End::Task(state) => {
                let Some(task) = &self.task else { return String::new() };
                let produced: Vec<String> =
                    task.artifacts.iter().map(|artifact| crate::a2a::joined_text(&artifact.parts)).collect();
                let produced = produced.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("\n");
                let said = status_text(&task.status);
                if produced.is_empty() || (*state != TaskState::Completed && !said.is_empty()) {
                    said
                } else {
                    produced
                }
            }
        }
    }

    fn how_to_go_on(&self, state: &TaskState) -> String {
        let what = if *state == TaskState::AuthRequired { "authorization" } else { "input" };
        let mut text = format!("The task waits for {what}. Go on with:");
        if let Some(task) = &self.task {
            text = format!("{text} --task {}", visible_text(&task.id));
        }
        if let Some(context) = &self.context_id {
            text = format!("{text} --context {}", visible_text(context));
        }
        text
    }

    fn print_parts(&mut self, parts: &[Part]) {
        for part in parts {
            let text = match &part.content {
                PartContent::Text(text) => multi_line(text),
                PartContent::Data(json) | PartContent::Unknown(json) => multi_line(json.as_str()),
                PartContent::Raw(bytes) => file_line(part, &format!("{} bytes", bytes.len())),
                PartContent::Undecodable(_) => file_line(part, "its base64 cannot be decoded"),
                PartContent::Url(url) => file_line(part, &visible_text(url)),
            };
            self.unread |= output::line(&text) != Written::Whole;
        }
    }

    fn line(&mut self, value: &Value) {
        self.unread |= output::line(&value.to_string()) != Written::Whole;
    }
}

fn status_text(status: &TaskStatus) -> String {
    status.message.as_ref().map(Message::text).unwrap_or_default()
}

/// The parts in the shape of A2A 1.0, whatever dialect they came in.
fn parts(parts: &[Part]) -> Vec<Value> {
    parts.iter().map(part).collect()
}

fn part(part: &Part) -> Value {
    let mut value = match &part.content {
        PartContent::Text(text) => json!({ "text": text }),
        PartContent::Raw(bytes) => json!({ "raw": base64::engine::general_purpose::STANDARD.encode(bytes) }),
        PartContent::Undecodable(text) => json!({ "raw": &**text }),
        PartContent::Url(url) => json!({ "url": url }),
        PartContent::Data(data) => json!({ "data": verbatim(data.as_str()) }),
        PartContent::Unknown(json) => verbatim(json.as_str()),
    };
    if let Value::Object(members) = &mut value {
        if let Some(filename) = &part.filename {
            members.insert("filename".to_owned(), json!(filename));
        }
        if let Some(media_type) = &part.media_type {
            members.insert("mediaType".to_owned(), json!(media_type));
        }
    }
    value
}

/// JSON as it came: numbers keep their digits (serde_json's arbitrary precision), members their order.
fn verbatim(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}

fn file_line(part: &Part, what: &str) -> String {
    let name = part.filename.as_deref().unwrap_or("file");
    let media_type = part.media_type.as_deref().unwrap_or("no media type");
    format!("[{}: {what}, {}]", visible_text(name), visible_text(media_type))
}

/// Line breaks stay; whatever else could steer the terminal is made visible.
fn multi_line(text: &str) -> String {
    text.lines().map(|line| visible_text(line).into_owned()).collect::<Vec<_>>().join("\n")
}
