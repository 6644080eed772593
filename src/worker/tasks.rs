//! Sending a message, following its task by polling, canceling it; plain async functions for window and commands.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::poll_schedule::PollSchedule;
use crate::a2a::{SendMessageRequest, SendMessageResponse, Task};
use crate::client::{Answered, CallError, CallErrorKind, Client, Credential, Endpoint, RecordedResponse};
use crate::state::outcome::FollowingEnd;

/// What happens while a message is sent and its task is followed, in order.
#[derive(Debug)]
pub enum TaskEvent {
    /// Always the first after a send; the last if it is a failure, a Message, or a task that has ended or waits.
    Answered(Result<Answered<SendMessageResponse>, CallError>),
    /// A snapshot; the last if the task has ended or waits.
    Updated(Answered<Task>),
    PollFailed {
        error: CallError,
        retry_in: Duration,
    },
    /// Following is over although the task is not.
    Ended(FollowingEnd),
}

/// An agent as one turn talks to it.
#[derive(Debug)]
pub struct Peer<'a> {
    pub client: &'a Client,
    pub endpoint: &'a Endpoint,
    pub credentials: &'a [Credential],
    /// Ends whatever is under way.
    pub cancel: &'a CancellationToken,
}

impl Peer<'_> {
    /// Sends once, whatever happens, and follows the task that may come of it.
    pub async fn send_and_follow(
        &self,
        request: &SendMessageRequest,
        budget: Duration,
        on_event: &mut (dyn FnMut(TaskEvent) + Send),
    ) {
        let result = self.client.send_message(self.endpoint, request, self.credentials, self.cancel).await;
        let unfinished = match &result {
            Ok(Answered { value: SendMessageResponse::Task(task), .. }) if !task.status.state.ends_following() => {
                Some(task.id.clone())
            }
            _ => None,
        };
        on_event(TaskEvent::Answered(result));
        if let Some(task_id) = unfinished {
            let wait_first = true;
            self.poll(&task_id, request.configuration.history_length, budget, wait_first, on_event).await;
        }
    }

    /// Follows a task that was sent earlier, beginning with a question at once.
    pub async fn follow(&self, task_id: &str, budget: Duration, on_event: &mut (dyn FnMut(TaskEvent) + Send)) {
        self.poll(task_id, None, budget, false, on_event).await;
    }

    /// Asks the agent to cancel the task.
    ///
    /// # Errors
    /// No task came back.
    pub async fn cancel_task(&self, task_id: &str) -> Result<Answered<Task>, CallError> {
        self.client.cancel_task(self.endpoint, task_id, self.credentials, self.cancel).await
    }

    async fn poll(
        &self,
        task_id: &str,
        history_length: Option<u32>,
        budget: Duration,
        wait_first: bool,
        on_event: &mut (dyn FnMut(TaskEvent) + Send),
    ) {
        if task_id.is_empty() {
            return on_event(TaskEvent::Ended(FollowingEnd::Failed(no_id())));
        }
        let began = Instant::now();
        let mut schedule = PollSchedule::new(budget);
        let mut wait = if wait_first { schedule.next_wait(Duration::ZERO, None) } else { Some(Duration::ZERO) };
        loop {
            let Some(this_wait) = wait else { return on_event(TaskEvent::Ended(FollowingEnd::BudgetSpent)) };
            if self.cancel.run_until_cancelled(tokio::time::sleep(this_wait)).await.is_none() {
                return on_event(TaskEvent::Ended(FollowingEnd::Stopped));
            }
            match self.ask(task_id, history_length, began + budget).await {
                Ok(answer) => {
                    let ended = answer.value.status.state.ends_following();
                    // Also on an answer of success: a wish for slower polling.
                    let asked = answer.exchange.response().and_then(RecordedResponse::retry_after);
                    wait = schedule.next_wait(began.elapsed(), asked);
                    on_event(TaskEvent::Updated(answer));
                    if ended {
                        return;
                    }
                }
                Err(why) => match self.after_failure(why, &mut schedule, began) {
                    Ok((error, retry_in)) => {
                        wait = Some(retry_in);
                        on_event(TaskEvent::PollFailed { error, retry_in });
                    }
                    Err(end) => return on_event(TaskEvent::Ended(end)),
                },
            }
        }
    }

    /// One `GetTask`, given up at the `deadline`. The inner `None` stands for a deadline that passed.
    async fn ask(
        &self,
        task_id: &str,
        history_length: Option<u32>,
        deadline: Instant,
    ) -> Result<Answered<Task>, Option<CallError>> {
        let cancel = self.cancel.child_token();
        let call = self.client.get_task(self.endpoint, task_id, history_length, self.credentials, &cancel);
        tokio::pin!(call);
        // The question that falls on the end of the budget has a moment for its answer.
        let deadline = deadline + Duration::from_millis(500);
        tokio::select! {
            result = &mut call => result.map_err(Some),
            () = tokio::time::sleep_until(deadline) => {
                cancel.cancel();
                // Lets the exchange be recorded as cancelled.
                call.await.map_err(|_| None)
            }
        }
    }

    /// The pause before the question is put again, or why it is not.
    fn after_failure(
        &self,
        error: Option<CallError>,
        schedule: &mut PollSchedule,
        began: Instant,
    ) -> Result<(CallError, Duration), FollowingEnd> {
        let Some(error) = error else { return Err(FollowingEnd::BudgetSpent) };
        if self.cancel.is_cancelled() || error.kind == CallErrorKind::Cancelled {
            return Err(FollowingEnd::Stopped);
        }
        if !error.is_transient() {
            return Err(FollowingEnd::Failed(error));
        }
        match schedule.next_wait(began.elapsed(), error.retry_after) {
            Some(wait) => Ok((error, wait)),
            // The server wants a longer pause than there is time: its own words say more than that the time is over.
            None if error.retry_after.is_some() => Err(FollowingEnd::Failed(error)),
            None => Err(FollowingEnd::BudgetSpent),
        }
    }
}

/// The agent gave its task no id: there is nothing to ask for.
fn no_id() -> CallError {
    let sentence = "The task has no id, so it cannot be followed.".to_owned();
    CallError { kind: CallErrorKind::Malformed { sentence }, exchange: None, retry_after: None }
}
