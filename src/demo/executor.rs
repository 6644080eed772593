//! Plays a message's steps out as the SDK's stream of events, and stops when the task is canceled.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use a2a_sdk::{
    A2AError, Message, Part, Role, StreamResponse, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent,
};
use a2a_server::{AgentExecutor, ExecutorContext};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use tokio_util::sync::CancellationToken;

use super::script::{self, Request, Step, StepEvent};

type EventStream = BoxStream<'static, Result<StreamResponse, A2AError>>;

/// The agent's work behind the SDK's request handler.
pub(super) struct QuoteExecutor {
    revision: Arc<AtomicU8>,
    stop: CancellationToken,
    running: Arc<Running>,
}

/// The tokens that end running tasks, by task id.
#[derive(Default)]
struct Running(Mutex<HashMap<String, CancellationToken>>);

/// Takes a task off the list when its stream is over or dropped.
struct RunningTask {
    running: Arc<Running>,
    task_id: String,
}

impl QuoteExecutor {
    /// Everything ends when `stop` is cancelled; `revision` decides which results there are.
    pub(super) fn new(revision: Arc<AtomicU8>, stop: CancellationToken) -> Self {
        Self { revision, stop, running: Arc::default() }
    }

    fn steps(&self, message: &Message, task: Option<&Task>) -> Vec<Step> {
        let request = Request::of(message);
        let with_csv = self.revision.load(Ordering::Relaxed) > 1;
        match task.filter(|task| matches!(task.status.state, TaskState::InputRequired | TaskState::AuthRequired)) {
            Some(task) => {
                let first = task.history.as_ref().and_then(|history| history.first()).map(Request::of);
                script::resume(&task.status.state, &first.unwrap_or_default(), &request, with_csv)
            }
            None => script::begin(&request, with_csv),
        }
    }
}

impl AgentExecutor for QuoteExecutor {
    fn execute(&self, ctx: ExecutorContext) -> EventStream {
        let Some(message) = ctx.message else {
            return stream::iter([Err(A2AError::invalid_params("a message is needed"))]).boxed();
        };
        let steps = self.steps(&message, ctx.stored_task.as_ref());
        let (task_id, context_id) = (ctx.task_id, ctx.context_id);
        let is_task = !matches!(steps.first(), Some(Step { event: StepEvent::Reply(_), .. }));
        let opening = is_task.then(|| Ok(opening(ctx.stored_task, &task_id, &context_id, message)));

        let token = self.stop.child_token();
        let guard = Running::insert(&self.running, &task_id, token.clone());
        let events = stream::iter(steps).then(move |step| {
            let event = to_event(step.event, &guard.task_id, &context_id);
            async move {
                tokio::time::sleep(step.after).await;
                Ok(event)
            }
        });
        stream::iter(opening).chain(events).take_until(token.cancelled_owned()).boxed()
    }

    fn cancel(&self, ctx: ExecutorContext) -> EventStream {
        self.running.cancel(&ctx.task_id);
        let text = "Canceled as you asked. Nothing was ordered or kept.".to_owned();
        let event = to_event(StepEvent::State(TaskState::Canceled, text), &ctx.task_id, &ctx.context_id);
        stream::iter([Ok(event)]).boxed()
    }
}

/// The task as it stands before the first step; a stream of events has to begin with it (§3.1.2).
fn opening(stored: Option<Task>, task_id: &str, context_id: &str, message: Message) -> StreamResponse {
    let state = if stored.as_ref().is_some_and(|task| task.status.state != TaskState::Submitted) {
        TaskState::Working
    } else {
        TaskState::Submitted
    };
    let status = TaskStatus { state, message: None, timestamp: None };
    let (artifacts, mut history) =
        stored.map_or((None, Vec::new()), |task| (task.artifacts, task.history.unwrap_or_default()));
    // The SDK has added the message already or not, depending on how it was sent.
    if history.last().is_none_or(|last| last.message_id != message.message_id) {
        history.push(message);
    }
    StreamResponse::Task(Task {
        id: task_id.to_owned(),
        context_id: context_id.to_owned(),
        status,
        artifacts,
        history: Some(history),
        metadata: None,
    })
}

fn to_event(event: StepEvent, task_id: &str, context_id: &str) -> StreamResponse {
    let (task_id, context_id) = (task_id.to_owned(), context_id.to_owned());
    let say = |text, task_id| Message {
        context_id: Some(context_id.clone()),
        task_id,
        ..Message::new(Role::Agent, vec![Part::text(text)])
    };
    match event {
        StepEvent::Reply(text) => StreamResponse::Message(say(text, None)),
        StepEvent::State(state, text) => {
            let message = Some(say(text, Some(task_id.clone())));
            let status = TaskStatus { state, message, timestamp: None };
            StreamResponse::StatusUpdate(TaskStatusUpdateEvent { task_id, context_id, status, metadata: None })
        }
        StepEvent::Artifact(artifact) => StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id,
            context_id,
            artifact: *artifact,
            append: Some(false),
            last_chunk: Some(true),
            metadata: None,
        }),
    }
}

impl Running {
    fn insert(running: &Arc<Self>, task_id: &str, token: CancellationToken) -> RunningTask {
        running.lock().insert(task_id.to_owned(), token);
        RunningTask { running: Arc::clone(running), task_id: task_id.to_owned() }
    }

    fn cancel(&self, task_id: &str) {
        if let Some(token) = self.lock().remove(task_id) {
            token.cancel();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningTask {
    fn drop(&mut self) {
        self.running.lock().remove(&self.task_id);
    }
}
