//! What becomes of a turn: answers, snapshots, failures, stopping and canceling.

use std::time::Duration;

use super::conversation::{Conversation, Ending, Progress, Turn};
use super::outcome::FollowingEnd;
use super::{Effect, JobId, State, timeline};
use crate::a2a::{Message, SendMessageResponse, Task};
use crate::client::{Answered, CallError, CallErrorKind};

impl State {
    /// The conversation in which `job` is a turn that still runs, and the turn's index.
    fn running(&mut self, job: JobId) -> Option<(&mut Conversation, usize)> {
        self.discovery.entries.iter_mut().find_map(|entry| {
            let at = entry.conversation.turns.iter().position(|turn| turn.job == job && turn.is_running())?;
            Some((&mut entry.conversation, at))
        })
    }

    pub(super) fn message_answered(&mut self, job: JobId, result: Result<Answered<SendMessageResponse>, CallError>) {
        let Some((conversation, at)) = self.running(job) else { return };
        match result {
            Ok(Answered { value: SendMessageResponse::Message(message), deviations, exchange }) => {
                let turn = &mut conversation.turns[at];
                turn.note_deviations(deviations);
                turn.last_exchange = Some(exchange);
                conversation.absorb_reply(at, message);
            }
            Ok(Answered { value: SendMessageResponse::Task(task), deviations, exchange }) => {
                conversation.absorb_task(at, Answered { value: task, deviations, exchange });
                conversation.remember_dialect(at);
            }
            Err(error) => {
                let turn = &mut conversation.turns[at];
                let exchange = error.exchange.clone();
                turn.last_exchange.clone_from(&exchange);
                turn.end(Ending::Failed(error));
                // Sending again is up to the user.
                self.offer_to_trust(exchange.as_ref(), None);
            }
        }
    }

    pub(super) fn task_updated(&mut self, job: JobId, answer: Answered<Task>) {
        if let Some((conversation, at)) = self.running(job) {
            conversation.turns[at].polls += 1;
            conversation.absorb_task(at, answer);
        }
    }

    pub(super) fn poll_failed(&mut self, job: JobId, error: &CallError, retry_in: Duration) {
        let Some((conversation, at)) = self.running(job) else { return };
        let turn = &mut conversation.turns[at];
        turn.polls += 1;
        let after = turn.elapsed();
        let problem = error.to_string();
        let note = format!("{}; asking again in {}.", problem.trim_end_matches('.'), in_words(retry_in));
        timeline::absorb_note(&mut turn.timeline, after, note);
    }

    pub(super) fn following_ended(&mut self, job: JobId, why: FollowingEnd) {
        let Some((conversation, at)) = self.running(job) else { return };
        let turn = &mut conversation.turns[at];
        turn.end(match why {
            FollowingEnd::BudgetSpent => Ending::BudgetSpent,
            FollowingEnd::Stopped => Ending::Stopped,
            FollowingEnd::Failed(error) => Ending::FollowingFailed(error),
        });
    }

    /// The turn whose task `job` asks to cancel.
    pub(super) fn turn_that_cancels(&self, job: JobId) -> Option<JobId> {
        let turns = self.discovery.entries.iter().flat_map(|entry| &entry.conversation.turns);
        turns.filter(|turn| turn.cancel_job == Some(job)).map(|turn| turn.job).next()
    }

    /// An answer to `CancelTask`, however late, concerns only the turn that asked for it.
    pub(super) fn task_cancel_answered(
        &mut self,
        job: JobId,
        result: Result<Answered<Task>, CallError>,
    ) -> Vec<Effect> {
        let found = self.discovery.entries.iter_mut().find_map(|entry| {
            let at = entry.conversation.turns.iter().position(|turn| turn.cancel_job == Some(job))?;
            Some((&mut entry.conversation, at))
        });
        let Some((conversation, at)) = found else { return Vec::new() };
        let turn = &mut conversation.turns[at];
        turn.cancel_job = None;
        match result {
            Err(error) => turn.cancel_problem = Some(error),
            // The task has ended by itself in the meantime: that was the last word.
            Ok(_) if turn.state().is_some_and(crate::a2a::TaskState::is_terminal) => {}
            Ok(answer) => {
                let follower = turn.is_running().then_some(turn.job);
                conversation.absorb_task(at, answer);
                if let Some(job) = follower.filter(|_| !conversation.turns[at].is_running()) {
                    return vec![Effect::Abort { job }];
                }
            }
        }
        Vec::new()
    }

    pub(super) fn turn_broke(&mut self, job: JobId, problem: &str) {
        let error = CallError {
            kind: CallErrorKind::Transport { sentence: problem.to_owned(), may_have_been_received: true },
            exchange: None,
            retry_after: None,
        };
        if let Some((conversation, at)) = self.running(job) {
            let turn = &mut conversation.turns[at];
            let ending = if turn.task.is_some() { Ending::FollowingFailed(error) } else { Ending::Failed(error) };
            turn.end(ending);
        } else {
            let _ = self.task_cancel_answered(job, Err(error));
        }
    }
}

impl Conversation {
    /// A Message ends the turn; there is no task to go on with.
    fn absorb_reply(&mut self, at: usize, message: Message) {
        if message.context_id.is_some() {
            self.context_id.clone_from(&message.context_id);
        }
        self.open_task = None;
        let turn = &mut self.turns[at];
        turn.reply = Some(message);
        turn.end(Ending::Replied);
        self.remember_dialect(at);
    }

    /// Takes in a snapshot of the turn's task, from whichever operation it came.
    fn absorb_task(&mut self, at: usize, answer: Answered<Task>) {
        let Answered { value: task, deviations, exchange } = answer;
        let is_newest = at + 1 == self.turns.len();
        let (earlier, rest) = self.turns.split_at_mut(at);
        let Some(turn) = rest.first_mut() else { return };
        let after = turn.elapsed();
        turn.note_deviations(deviations);
        turn.last_exchange = Some(exchange);
        timeline::absorb_status(&mut turn.timeline, after, &task.status);
        turn.repeated_artifacts = timeline::repeated_artifacts(earlier, &task);
        let (id, context_id, state) = (task.id.clone(), task.context_id.clone(), task.status.state.clone());
        turn.task = Some(task);
        if state.ends_following() {
            turn.end(Ending::Task(state.clone()));
        } else if turn.is_running() {
            turn.progress = Progress::Following;
        }
        // A late answer about an older task must not turn the conversation back.
        let was_open = self.open_task.as_ref().is_some_and(|(open, _)| *open == id);
        if is_newest || was_open {
            // After the end the context is kept and the task dropped; a task that waits keeps both.
            self.open_task = state.is_interrupted().then_some((id, state));
        }
        if is_newest && context_id.is_some() {
            self.context_id = context_id;
        }
    }

    /// The user sent the turn in another dialect than the card declares, and it was understood.
    fn remember_dialect(&mut self, at: usize) {
        let turn = &self.turns[at];
        let (row, dialect) = (turn.interface, turn.endpoint.dialect);
        let resent = self.turns[..at].iter().any(|earlier| {
            earlier.interface == row && earlier.endpoint.dialect != dialect && earlier.other_dialect() == Some(dialect)
        });
        if resent {
            self.answered_as.retain(|(other, _)| *other != row);
            self.answered_as.push((row, dialect));
        }
    }
}

impl Turn {
    fn note_deviations(&mut self, deviations: Vec<String>) {
        for deviation in deviations {
            if !self.deviations.contains(&deviation) {
                self.deviations.push(deviation);
            }
        }
    }
}

/// "300 ms", "2 s".
fn in_words(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f32()).replace(".0 s", " s")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        agent_error, answer_with_task, answered, converse, draft, json_rpc, message, send, state_with, task, update,
    };
    use super::*;
    use crate::a2a::TaskState;
    use crate::state::ConversationAction;
    use crate::state::Outcome;

    fn state() -> State {
        state_with(vec![json_rpc("https://pub.example/rpc")])
    }

    fn conversation(state: &State) -> &Conversation {
        &state.discovery.current_entry().unwrap().conversation
    }

    fn ids(effect: &Effect) -> (Option<&str>, Option<&str>) {
        let Effect::SendMessage { request, .. } = effect else { panic!("{effect:?}") };
        (request.message.context_id.as_deref(), request.message.task_id.as_deref())
    }

    #[test]
    fn the_next_message_carries_what_the_last_state_left_open() {
        for (end, next) in [
            (TaskState::Completed, (Some("c1"), None)),
            (TaskState::Failed, (Some("c1"), None)),
            (TaskState::Canceled, (Some("c1"), None)),
            (TaskState::Rejected, (Some("c1"), None)),
            (TaskState::InputRequired, (Some("c1"), Some("t1"))),
            (TaskState::AuthRequired, (Some("c1"), Some("t1"))),
        ] {
            let mut state = state();
            let (job, first) = send(&mut state, "hello");
            assert_eq!(ids(&first), (None, None));
            let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
            assert!(matches!(conversation(&state).turns[0].progress, Progress::Following));
            let _ = state.absorb(update(job, task("t1", end.clone(), &[])));
            assert!(!conversation(&state).turns[0].is_running(), "{end:?}");
            let (_, next_effect) = send(&mut state, "and?");
            assert_eq!(ids(&next_effect), next, "{end:?}");
        }
    }

    #[test]
    fn a_message_ends_the_turn() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let reply = SendMessageResponse::Message(message("4 jars"));
        let _ = state.absorb(Outcome::MessageAnswered { job, result: Ok(answered(reply)) });
        let turn = &conversation(&state).turns[0];
        assert!(matches!(turn.progress, Progress::Over(Ending::Replied)));
        assert!(turn.task.is_none() && turn.ended_after.is_some());
        assert_eq!(conversation(&state).context_id.as_deref(), Some("c1"));
    }

    #[test]
    fn a_failed_send_leaves_the_waiting_task_open() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::InputRequired, &[])));
        let (job, _) = send(&mut state, "jars");
        assert!(state.absorb(Outcome::MessageAnswered { job, result: Err(agent_error(-32603)) }).is_empty());
        let (_, again) = send(&mut state, "jars");
        assert_eq!(ids(&again), (Some("c1"), Some("t1")));
    }

    #[test]
    fn only_one_message_at_a_time() {
        let mut state = state();
        send(&mut state, "hello");
        assert!(converse(&mut state, ConversationAction::Send(draft("hello?"))).is_empty());
        assert_eq!(state.notices.len(), 1);
    }

    #[test]
    fn what_comes_after_stop_changes_nothing() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
        let effects = converse(&mut state, ConversationAction::Stop);
        assert!(matches!(effects[..], [Effect::Abort { job: aborted }] if aborted == job));
        let _ = state.absorb(update(job, task("t1", TaskState::Completed, &[])));
        let _ = state.absorb(Outcome::FollowingEnded { job, why: FollowingEnd::BudgetSpent });
        let turn = &conversation(&state).turns[0];
        assert!(matches!(turn.progress, Progress::Over(Ending::Stopped)));
        assert_eq!(turn.state(), Some(&TaskState::Working));
        assert!(turn.can_follow_again() && turn.can_cancel_task());
    }

    #[test]
    fn a_late_answer_to_cancel_stays_with_its_turn() {
        let mut state = state();
        let (first, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(first, task("t1", TaskState::Working, &[])));
        let effects = converse(&mut state, ConversationAction::CancelTask);
        let [Effect::CancelTask { job: cancel, ref task_id, .. }] = effects[..] else { panic!("{effects:?}") };
        assert_eq!(task_id, "t1");
        assert!(converse(&mut state, ConversationAction::CancelTask).is_empty(), "one at a time");
        let _ = converse(&mut state, ConversationAction::Stop);
        let (second, _) = send(&mut state, "another");
        let _ = state.absorb(answer_with_task(second, task("t2", TaskState::Working, &[])));
        let late =
            Outcome::TaskCancelAnswered { job: cancel, result: Ok(answered(task("t1", TaskState::Canceled, &[]))) };
        assert!(state.absorb(late).is_empty());
        let turns = &conversation(&state).turns;
        assert!(matches!(turns[0].progress, Progress::Over(Ending::Task(TaskState::Canceled))));
        assert_eq!(turns[1].state(), Some(&TaskState::Working));
        assert!(conversation(&state).running_turn().is_some());
    }

    #[test]
    fn a_canceled_task_is_no_longer_polled_and_a_refusal_is_kept() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
        let cancel_job = |state: &mut State| match converse(state, ConversationAction::CancelTask)[..] {
            [Effect::CancelTask { job, .. }] => job,
            ref other => panic!("{other:?}"),
        };
        let refused = cancel_job(&mut state);
        let _ = state.absorb(Outcome::TaskCancelAnswered { job: refused, result: Err(agent_error(-32002)) });
        assert!(conversation(&state).turns[0].cancel_problem.is_some());
        assert!(conversation(&state).turns[0].is_running(), "following goes on");
        let cancel = cancel_job(&mut state);
        let answer = answered(task("t1", TaskState::Canceled, &[]));
        let effects = state.absorb(Outcome::TaskCancelAnswered { job: cancel, result: Ok(answer) });
        assert!(matches!(effects[..], [Effect::Abort { job: aborted }] if aborted == job));
        assert!(conversation(&state).turns[0].cancel_problem.is_none());
    }

    #[test]
    fn the_last_snapshot_stays_when_the_agent_forgets_the_task() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[("a1", "half")])));
        let why = FollowingEnd::Failed(agent_error(-32001));
        let _ = state.absorb(Outcome::FollowingEnded { job, why });
        let turn = &conversation(&state).turns[0];
        assert!(matches!(turn.progress, Progress::Over(Ending::FollowingFailed(_))));
        assert_eq!(turn.task.as_ref().unwrap().artifacts.len(), 1);
        let effects = converse(&mut state, ConversationAction::FollowAgain { turn: job });
        assert!(matches!(&effects[..], [Effect::FollowTask { task_id, .. }] if task_id == "t1"));
    }

    #[test]
    fn transient_failures_are_notes() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Working, &[])));
        let retry_in = Duration::from_secs(2);
        let _ = state.absorb(Outcome::PollFailed { job, error: agent_error(-32603), retry_in });
        let turn = &conversation(&state).turns[0];
        assert!(turn.is_running());
        assert_eq!((turn.timeline.len(), turn.polls), (2, 1));
    }

    #[test]
    fn artifacts_of_an_earlier_task_are_marked() {
        let mut state = state();
        let (job, _) = send(&mut state, "one");
        let _ = state.absorb(answer_with_task(job, task("t1", TaskState::Completed, &[("a1", "4 jars")])));
        let (job, _) = send(&mut state, "two");
        let artifacts = [("a1", "4 jars"), ("a2", "lids")];
        let _ = state.absorb(answer_with_task(job, task("t2", TaskState::Completed, &artifacts)));
        assert_eq!(conversation(&state).turns[1].repeated_artifacts, ["a1"]);
        // The same name for something else is this task's own.
        let (job, _) = send(&mut state, "three");
        let _ = state.absorb(answer_with_task(job, task("t3", TaskState::Completed, &[("a1", "5 jars")])));
        assert!(conversation(&state).turns[2].repeated_artifacts.is_empty());
    }

    #[test]
    fn a_job_that_broke_ends_its_turn() {
        let mut state = state();
        let (job, _) = send(&mut state, "hello");
        let _ = state.absorb(Outcome::JobFailed { job: Some(job), problem: "a fault".to_owned() });
        assert!(matches!(conversation(&state).turns[0].progress, Progress::Over(Ending::Failed(_))));
        assert_eq!(state.notices.len(), 1);
    }
}
