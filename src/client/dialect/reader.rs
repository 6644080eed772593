//! The one lenient reader of answers: whatever was meant is recognised by its members, every deviation is said.

use super::Form;
use super::parts::metadata;
use crate::a2a::{Artifact, Message, Part, Role, SendMessageResponse, Task, TaskState, TaskStatus};
use crate::card::json::{Kind, Node};

/// Reads answers and collects what had to be read generously, each deviation once.
pub(in crate::client) struct Reader {
    pub(super) form: Form,
    deviations: Vec<String>,
}

/// What an object turned out to be.
enum Found<'a> {
    Task(Node<'a>),
    Message(Node<'a>),
    StatusUpdate(Node<'a>),
    ArtifactUpdate(Node<'a>),
}

/// Wrappers of 1.0 and of the proto of 0.3, with the names that proto-name printers emit.
const WRAPPERS: [(&str, &str); 5] = [
    ("task", "task"),
    ("message", "message"),
    ("msg", "message"),
    ("statusUpdate", "status-update"),
    ("artifactUpdate", "artifact-update"),
];

impl Reader {
    pub(in crate::client) fn new(form: Form) -> Self {
        Self { form, deviations: Vec::new() }
    }

    pub(in crate::client) fn into_deviations(self) -> Vec<String> {
        self.deviations
    }

    pub(in crate::client) fn note(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.deviations.contains(&sentence) {
            self.deviations.push(sentence);
        }
    }

    fn release(&self) -> &'static str {
        if self.form == Form::V1_0 { "1.0" } else { "0.3 in this binding" }
    }

    /// The result of SendMessage (§3.1.1).
    ///
    /// # Errors
    /// What came instead of a Task or a Message, as it goes on after "answered with".
    pub(in crate::client) fn send_result(&mut self, node: Node<'_>) -> Result<SendMessageResponse, String> {
        if let Some(text) = node.as_str() {
            self.note("The result is a bare string; it is shown as a message of the agent.");
            let parts = vec![Part::text(text)];
            return Ok(SendMessageResponse::Message(Message { parts, ..empty_message() }));
        }
        let both = member(node, "task").is_some() && Self::wrapped_message(node).is_some();
        let found = self.find(node, self.form != Form::V0_3Rpc)?;
        Ok(match found {
            Found::Message(node) => SendMessageResponse::Message(self.message(node)),
            Found::Task(task) => {
                if let Some(message) = Self::wrapped_message(node).filter(|_| both) {
                    let text = self.message(message).text();
                    self.note(format!(
                        "The result holds a Task and a Message at once; the task is followed, the message says: {text}"
                    ));
                }
                SendMessageResponse::Task(self.task(task))
            }
            Found::StatusUpdate(node) | Found::ArtifactUpdate(node) => {
                SendMessageResponse::Task(self.task_of_update(node))
            }
        })
    }

    /// The result of GetTask or CancelTask (§3.1.3, §3.1.5).
    ///
    /// # Errors
    /// What came instead of a Task, as it goes on after "answered with".
    pub(in crate::client) fn task_result(&mut self, node: Node<'_>) -> Result<Task, String> {
        match self.find(node, false)? {
            Found::Task(node) => Ok(self.task(node)),
            Found::StatusUpdate(node) | Found::ArtifactUpdate(node) => Ok(self.task_of_update(node)),
            Found::Message(node) => {
                let text = self.message(node).text();
                Err(format!("a Message where a Task was asked for: {text}"))
            }
        }
    }

    fn wrapped_message(node: Node<'_>) -> Option<Node<'_>> {
        // The status of a bare task may have a `message` beside it.
        let wrapper = node.get("status").is_none();
        member(node, "message").or_else(|| member(node, "msg")).filter(|_| wrapper)
    }

    /// Recognises what `node` is or wraps, by its members.
    fn find<'a>(&mut self, node: Node<'a>, wrapped: bool) -> Result<Found<'a>, String> {
        match node.kind() {
            Kind::Object if node.child_count() == 0 => return Err("an empty object".to_owned()),
            Kind::Object => {}
            kind => return Err(format!("{} instead of an object", kind.with_article())),
        }
        if let Some(kind) = bare_kind(node) {
            if wrapped {
                let how = if node.get("kind").is_some() { " but marked by kind, as in 0.3 over JSON-RPC" } else { "" };
                self.note(format!("The result is not wrapped in task or message{how}."));
            } else if self.form == Form::V0_3Rpc && node.get("kind").is_none() {
                self.note("The result has no kind, which 0.3 demands.");
            } else if self.form == Form::V1_0 && node.get("kind").is_some() {
                self.note("The result is marked by kind, as in 0.3.");
            }
            return Ok(found(kind, node));
        }
        for (name, kind) in WRAPPERS {
            if let Some(inner) = member(node, name).filter(|inner| inner.kind() == Kind::Object) {
                if !wrapped {
                    self.note(format!("The result is wrapped in {name}, where a bare one is specified."));
                }
                if name == "msg" {
                    self.note("The message is called msg, its name in the proto file instead of in JSON.");
                }
                return Ok(found(kind, inner));
            }
        }
        if text_of(node, "id").is_some() {
            self.note("The result names a task's id and nothing else of it.");
            return Ok(Found::Task(node));
        }
        Err("an object that is neither a Task nor a Message".to_owned())
    }

    fn task(&mut self, node: Node<'_>) -> Task {
        let id = self.id(node, "id").or_else(|| self.id(node, "taskId")).unwrap_or_else(|| {
            self.note("The task has no id, so it cannot be followed.");
            String::new()
        });
        Task {
            id,
            context_id: self.id(node, "contextId"),
            status: self.status(node),
            artifacts: self.artifacts(node),
            history: self.list(node, "history").into_iter().map(|message| self.message(message)).collect(),
            metadata: metadata(node),
        }
    }

    /// An update where a task was expected: a task as far as it is known.
    fn task_of_update(&mut self, node: Node<'_>) -> Task {
        self.note("The result is an update of a task instead of the task.");
        let mut task = self.task(node);
        if let Some(id) = self.id(node, "taskId") {
            task.id = id;
        }
        if let Some(artifact) = member(node, "artifact") {
            task.artifacts.push(self.artifact(artifact, 0));
        }
        task
    }

    fn status(&mut self, task: Node<'_>) -> TaskStatus {
        let Some(status) = member(task, "status") else {
            if member(task, "artifact").is_none() {
                self.note("The task has no status.");
            }
            return TaskStatus { state: TaskState::Unspecified, message: None, timestamp: None };
        };
        if status.kind() != Kind::Object {
            self.note("The status is a bare word instead of an object.");
            let message = member(task, "message").map(|message| self.message(message));
            return TaskStatus { state: self.state(status), message, timestamp: text_of(task, "timestamp") };
        }
        if member(status, "message").is_none() && member(status, "update").is_some() {
            self.note("The status message is called update, its name in the proto file instead of in JSON.");
        }
        let message = member(status, "message")
            .or_else(|| member(status, "update"))
            .filter(|message| message.kind() != Kind::Object || message.child_count() > 0)
            .map(|message| self.message(message));
        let state = member(status, "state").map_or(TaskState::Unspecified, |state| self.state(state));
        TaskStatus { state, message, timestamp: text_of(status, "timestamp") }
    }

    fn state(&mut self, node: Node<'_>) -> TaskState {
        if let Some(number) = node.as_i64() {
            self.note("The state is a number; it was read by the numbers of the proto file.");
            return state_by_number(number);
        }
        let Some(text) = node.as_str() else { return TaskState::Unknown(node.raw().to_owned()) };
        let state = TaskState::parse(&text);
        let usual = match self.form {
            Form::V1_0 | Form::V0_3Http => text.starts_with("TASK_STATE_"),
            Form::V0_3Rpc => text == state.label(),
        };
        if matches!(state, TaskState::Unknown(_)) {
            self.note(format!("The state '{text}' is not one that the specification knows."));
        } else if !usual {
            self.note(format!("The state is spelled '{text}', which is not the spelling of {}.", self.release()));
        } else if text == "TASK_STATE_CANCELLED" && self.form == Form::V1_0 {
            self.note("The state is spelled TASK_STATE_CANCELLED, as in the proto of 0.3.");
        }
        state
    }

    fn artifacts(&mut self, task: Node<'_>) -> Vec<Artifact> {
        let list = self.list(task, "artifacts");
        list.into_iter().enumerate().map(|(index, node)| self.artifact(node, index)).collect()
    }

    fn artifact(&mut self, node: Node<'_>, index: usize) -> Artifact {
        let artifact_id = self.id(node, "artifactId").or_else(|| self.id(node, "id")).unwrap_or_else(|| {
            self.note("An artifact has no id; it is told apart by its place.");
            format!("#{index}")
        });
        Artifact {
            artifact_id,
            name: text_of(node, "name"),
            description: text_of(node, "description"),
            parts: self.parts(node),
            metadata: metadata(node),
            extensions: texts(node, "extensions"),
        }
    }

    pub(super) fn message(&mut self, node: Node<'_>) -> Message {
        if let Some(text) = node.as_str() {
            self.note("A message is a bare string instead of an object.");
            return Message { parts: vec![Part::text(text)], ..empty_message() };
        }
        if text_of(node, "messageId").is_none() {
            self.note("A message has no messageId.");
        }
        if self.form == Form::V0_3Rpc && node.get("kind").is_none() {
            self.note("A message has no kind, which 0.3 demands.");
        }
        Message {
            message_id: self.id(node, "messageId"),
            context_id: self.id(node, "contextId"),
            task_id: self.id(node, "taskId"),
            role: self.role(node),
            parts: self.parts(node),
            metadata: metadata(node),
            extensions: texts(node, "extensions"),
            reference_task_ids: texts(node, "referenceTaskIds"),
        }
    }

    fn role(&mut self, message: Node<'_>) -> Role {
        let Some(role) = member(message, "role") else { return Role::Unspecified };
        if let Some(number) = role.as_i64() {
            self.note("The role is a number; it was read by the numbers of the proto file.");
            return match number {
                1 => Role::User,
                2 => Role::Agent,
                _ => Role::Other(role.raw().to_owned()),
            };
        }
        let Some(text) = role.as_str() else { return Role::Other(role.raw().to_owned()) };
        let usual = match self.form {
            Form::V1_0 | Form::V0_3Http => text.starts_with("ROLE_"),
            Form::V0_3Rpc => matches!(&*text, "user" | "agent"),
        };
        if !usual {
            self.note(format!("The role is spelled '{text}', which is not the spelling of {}.", self.release()));
        }
        Role::parse(&text)
    }

    /// An id, also where it is a number.
    fn id(&mut self, node: Node<'_>, name: &str) -> Option<String> {
        let id = member(node, name)?;
        if id.kind() == Kind::Number {
            self.note(format!("{name} is a number instead of a string."));
            return Some(id.raw().to_owned());
        }
        id.as_str().map(std::borrow::Cow::into_owned).filter(|text| !text.is_empty())
    }

    fn list<'a>(&mut self, node: Node<'a>, name: &str) -> Vec<Node<'a>> {
        match member(node, name) {
            None => Vec::new(),
            Some(list) if list.kind() == Kind::Array => list.items().filter(|item| !item.is_null()).collect(),
            Some(single) => {
                self.note(format!("{name} is {} instead of a list.", single.kind().with_article()));
                vec![single]
            }
        }
    }
}

fn found<'a>(kind: &str, node: Node<'a>) -> Found<'a> {
    match kind {
        "task" => Found::Task(node),
        "message" => Found::Message(node),
        "status-update" => Found::StatusUpdate(node),
        _ => Found::ArtifactUpdate(node),
    }
}

/// What a bare object is, by its `kind` or by the members that only this kind has.
fn bare_kind(node: Node<'_>) -> Option<&'static str> {
    let marked = text_of(node, "kind").or_else(|| text_of(node, "type"));
    let known = ["task", "message", "status-update", "artifact-update"];
    if let Some(kind) = known.into_iter().find(|kind| marked.as_deref() == Some(kind)) {
        return Some(kind);
    }
    let has = |name: &str| member(node, name).is_some();
    if has("status") {
        return Some(if has("taskId") && !has("id") { "status-update" } else { "task" });
    }
    if has("artifact") && has("taskId") {
        return Some("artifact-update");
    }
    if has("task") || has("msg") || has("statusUpdate") || has("artifactUpdate") {
        return None;
    }
    if has("parts") || has("role") || member(node, "content").is_some_and(|content| content.kind() == Kind::Array) {
        return Some("message");
    }
    (has("id") && (has("artifacts") || has("history") || has("contextId"))).then_some("task")
}

/// A member by its JSON name or its name in the proto file, unless it is absent or null.
pub(super) fn member<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    node.get_set(name).or_else(|| {
        let has_capital = name.bytes().any(|byte| byte.is_ascii_uppercase());
        has_capital.then(|| node.get_set(&snake_case(name))).flatten()
    })
}

fn snake_case(name: &str) -> String {
    name.chars().fold(String::with_capacity(name.len() + 4), |mut snake, c| {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        snake
    })
}

/// The text of a string member, by either of its names.
pub(super) fn text_of(node: Node<'_>, name: &str) -> Option<String> {
    member(node, name).and_then(|node| node.as_str()).map(std::borrow::Cow::into_owned)
}

fn texts(node: Node<'_>, name: &str) -> Vec<String> {
    let items = member(node, name).into_iter().flat_map(|list| list.items().collect::<Vec<_>>());
    items.filter_map(|item| item.as_str().map(std::borrow::Cow::into_owned)).collect()
}

fn state_by_number(number: i64) -> TaskState {
    match number {
        0 => TaskState::Unspecified,
        1 => TaskState::Submitted,
        2 => TaskState::Working,
        3 => TaskState::Completed,
        4 => TaskState::Failed,
        5 => TaskState::Canceled,
        6 => TaskState::InputRequired,
        7 => TaskState::Rejected,
        8 => TaskState::AuthRequired,
        _ => TaskState::Unknown(number.to_string()),
    }
}

fn empty_message() -> Message {
    Message {
        message_id: None,
        context_id: None,
        task_id: None,
        role: Role::Agent,
        parts: Vec::new(),
        metadata: None,
        extensions: Vec::new(),
        reference_task_ids: Vec::new(),
    }
}
