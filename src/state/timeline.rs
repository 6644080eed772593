//! How snapshots of a task become a timeline and marks on its artifacts; pure.

use std::time::Duration;

use super::conversation::{TimelineKind, Turn};

pub use super::conversation::TimelineEvent;
use crate::a2a::{Message, Task, TaskStatus};

/// Adds a status to the timeline if it is news: another state, or other words in the same one.
pub fn absorb_status(timeline: &mut Vec<TimelineEvent>, after: Duration, status: &TaskStatus) {
    let last = timeline.iter().rev().find_map(|event| match &event.kind {
        TimelineKind::State { state, message } => Some((state, message)),
        TimelineKind::Note(_) => None,
    });
    let is_news = last.is_none_or(|(state, message)| {
        *state != status.state || status.message.as_ref().is_some_and(|new| !says_the_same(message.as_ref(), new))
    });
    if is_news {
        let kind = TimelineKind::State { state: status.state.clone(), message: status.message.clone() };
        timeline.push(TimelineEvent { after, kind });
    }
}

/// Adds a note, unless the last event already is the same one.
pub(super) fn absorb_note(timeline: &mut Vec<TimelineEvent>, after: Duration, note: String) {
    let kind = TimelineKind::Note(note);
    if timeline.last().is_none_or(|event| event.kind != kind) {
        timeline.push(TimelineEvent { after, kind });
    }
}

/// Some agents make up a new message id for every poll: what counts is what is said.
fn says_the_same(older: Option<&Message>, newer: &Message) -> bool {
    older.is_some_and(|older| older.role == newer.role && older.parts == newer.parts)
}

/// Ids of the artifacts that an earlier task of the same context already had, content and all (field report M12).
pub(super) fn repeated_artifacts(earlier: &[Turn], task: &Task) -> Vec<String> {
    let older_tasks: Vec<&Task> = earlier
        .iter()
        .filter_map(|turn| turn.task.as_ref())
        .filter(|older| older.id != task.id && older.context_id == task.context_id)
        .collect();
    task.artifacts
        .iter()
        .filter(|artifact| {
            older_tasks
                .iter()
                .flat_map(|older| &older.artifacts)
                .any(|older| older.artifact_id == artifact.artifact_id && older.parts == artifact.parts)
        })
        .map(|artifact| artifact.artifact_id.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::a2a::{Part, Role, TaskState};

    fn status(state: TaskState, words: Option<&str>, id: &str) -> TaskStatus {
        let message = words.map(|words| Message {
            message_id: Some(id.to_owned()),
            context_id: None,
            task_id: None,
            role: Role::Agent,
            parts: vec![Part::text(words)],
            metadata: None,
            extensions: Vec::new(),
            reference_task_ids: Vec::new(),
        });
        TaskStatus { state, message, timestamp: Some(id.to_owned()) }
    }

    #[test]
    fn polls_without_news_add_nothing() {
        let mut timeline = Vec::new();
        let after = Duration::from_secs(1);
        for (state, words, id, events) in [
            (TaskState::Submitted, None, "a", 1),
            (TaskState::Working, None, "b", 2),
            (TaskState::Working, None, "c", 2),
            (TaskState::Working, Some("counting"), "d", 3),
            (TaskState::Working, Some("counting"), "e", 3),
            // The words left out are not words taken back.
            (TaskState::Working, None, "f", 3),
            (TaskState::Working, Some("counted"), "g", 4),
            (TaskState::InputRequired, Some("counted"), "h", 5),
            (TaskState::InputRequired, Some("counted"), "i", 5),
            (TaskState::Working, Some("counted"), "j", 6),
        ] {
            absorb_status(&mut timeline, after, &status(state, words, id));
            assert_eq!(timeline.len(), events, "{id}");
        }
    }

    #[test]
    fn a_note_between_two_equal_polls_is_no_new_state() {
        let mut timeline = Vec::new();
        let after = Duration::ZERO;
        absorb_status(&mut timeline, after, &status(TaskState::Working, None, "a"));
        absorb_note(&mut timeline, after, "HTTP 503".to_owned());
        absorb_note(&mut timeline, after, "HTTP 503".to_owned());
        absorb_status(&mut timeline, after, &status(TaskState::Working, None, "b"));
        assert_eq!(timeline.len(), 2);
    }
}
