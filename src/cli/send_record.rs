//! What the history keeps of a send: the turn as it stands, also where it is never answered.

use std::time::{Duration, SystemTime};

use super::send_events::{End, Report};
use super::send_request::Selected;
use crate::a2a::SendMessageRequest;
use crate::history::transcript::{ArtifactRecord, PartRecord, TurnRecord};
use crate::state::timeline::TimelineEvent;
use crate::state::{event_record, interface_record, millis};
use crate::worker::tasks::TaskEvent;

impl Report {
    /// From now on the message is on its way.
    pub(super) fn begins(&mut self, selected: &Selected, request: &SendMessageRequest, card_sha256: &str) {
        let turn = TurnRecord {
            sent_at_ms: millis(SystemTime::now()),
            card_sha256: card_sha256.to_owned(),
            interface: interface_record(&selected.endpoint, &selected.reason),
            sent: request.message.parts.iter().map(PartRecord::from).collect(),
            ..TurnRecord::default()
        };
        self.sent = Some((turn, self.began.elapsed()));
    }

    pub(super) fn context_id(&self) -> Option<&str> {
        self.context_id.as_deref()
    }

    /// What the history keeps of the turn as it stands; `None` if nothing was sent.
    pub(super) fn turn_record(&self) -> Option<TurnRecord> {
        let (sent, sent_after) = self.sent.clone()?;
        let after = |since_began: Duration| since_began.saturating_sub(sent_after);
        let (outcome, problem) = self.kept_outcome();
        let timeline = self
            .timeline
            .iter()
            .map(|event| event_record(&TimelineEvent { after: after(event.after), kind: event.kind.clone() }));
        let ended_after = self.end.as_ref().map(|_| after(self.began.elapsed()));
        Some(TurnRecord {
            task_id: self.task.as_ref().map(|task| task.id.clone()),
            timeline: timeline.collect(),
            artifacts: self.task.iter().flat_map(|task| &task.artifacts).map(ArtifactRecord::from).collect(),
            reply: match &self.end {
                Some(End::Message(message)) => message.parts.iter().map(PartRecord::from).collect(),
                _ => Vec::new(),
            },
            outcome,
            problem,
            ended_after_ms: ended_after.map(|after| u64::try_from(after.as_millis()).unwrap_or(u64::MAX)),
            polls: self.polls,
            deviations: self.deviations.clone(),
            ..sent
        })
    }

    /// The word that the history keeps for how it stands or ended, and a sentence if it failed.
    fn kept_outcome(&self) -> (String, Option<String>) {
        match (&self.end, &self.task) {
            (Some(End::Error(_)), Some(_)) if self.has_given_up => ("not finished in time".to_owned(), None),
            (Some(End::Error(problem)), Some(_)) => {
                ("following failed".to_owned(), Some(self.kept_problem.as_ref().unwrap_or(problem).clone()))
            }
            (Some(End::Error(problem)), None) => {
                ("error".to_owned(), Some(self.kept_problem.as_ref().unwrap_or(problem).clone()))
            }
            (Some(end), _) => (end.outcome().to_owned(), None),
            (None, Some(task)) => (task.status.state.label().to_owned(), None),
            (None, None) => ("sending".to_owned(), None),
        }
    }

    /// Takes what the record needs besides what is printed.
    pub(super) fn note_for_record(&mut self, event: &TaskEvent) {
        let deviations = match event {
            TaskEvent::Answered(Ok(answer)) => &answer.deviations,
            TaskEvent::Updated(answer) => {
                self.polls += 1;
                &answer.deviations
            }
            TaskEvent::PollFailed { .. } => {
                self.polls += 1;
                return;
            }
            TaskEvent::Answered(Err(_)) | TaskEvent::Ended(_) => return,
        };
        let new: Vec<_> = deviations.iter().filter(|deviation| !self.deviations.contains(deviation)).cloned().collect();
        self.deviations.extend(new);
    }
}
