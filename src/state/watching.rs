//! Agents that are asked again by themselves: politely, a few at a time, and no longer than they allow it.

use std::sync::Arc;
use std::time::SystemTime;

use super::action::HistoryAction;
use super::credentials::origin_of;
use super::effect::{HistoryEffect, Recording};
use super::kept::{compare_choice, is_private, level_words};
use super::outcome::VersionChange;
use super::{Action, Effect, JobId, Notice, State};
use crate::card::facts::{Inspection, Tone};
use crate::client::{Known, Retrieval};
use crate::history::records::{AgentRecord, Source};

/// As many watched agents are asked at the same time.
const AT_ONCE: usize = 2;
/// Answers by which a server says that it does not want to be asked: the watch ends.
const ENDS_WATCH: [u16; 3] = [401, 403, 410];

/// The agents that are watched, and those that are being asked.
#[derive(Debug, Default)]
pub struct Watching {
    pub agents: Vec<AgentRecord>,
    asked: Vec<(JobId, AgentRecord)>,
}

/// Whether an agent can be watched: it has an address, and nothing of that address is a secret that was not kept.
#[must_use]
pub fn can_be_watched(agent: &AgentRecord) -> bool {
    agent.source == Source::Url && !agent.card_url.contains('•')
}

impl State {
    /// What is watched has changed; the clock runs only where there is something to watch.
    pub(super) fn watch_listed(&mut self, agents: Vec<AgentRecord>) -> Vec<Effect> {
        let (ran, runs) = (!self.watching.agents.is_empty(), !agents.is_empty());
        self.watching.agents = agents;
        if ran == runs { Vec::new() } else { vec![Effect::RunClock { runs }] }
    }

    /// Asks the agents that are due.
    pub(super) fn tick(&mut self, now: SystemTime) -> Vec<Effect> {
        let is_due = |agent: &&AgentRecord| {
            let since = now.duration_since(agent.last_checked).unwrap_or_default();
            agent.watch.is_some_and(|interval| since >= interval.duration())
        };
        let is_asked = |agent: &AgentRecord| self.watching.asked.iter().any(|(_, asked)| asked.id == agent.id);
        let room = AT_ONCE.saturating_sub(self.watching.asked.len());
        let due = self.watching.agents.iter().filter(is_due).filter(|agent| !is_asked(agent) && self.may_ask(agent));
        let due: Vec<AgentRecord> = due.take(room).cloned().collect();
        due.into_iter().map(|agent| self.ask_watched(agent)).collect()
    }

    /// A card that was got with credentials is asked for only while credentials for it are set.
    fn may_ask(&self, agent: &AgentRecord) -> bool {
        !is_private(agent) || !self.credentials_for(&agent.card_url).is_empty()
    }

    fn ask_watched(&mut self, agent: AgentRecord) -> Effect {
        let job = self.next_job();
        let address = agent.card_url.clone();
        let private = is_private(&agent);
        // The public card is asked for as anybody would, whatever credentials are set.
        let credentials = if private { self.credentials_for(&address) } else { Vec::new() };
        let known = if private { self.known_of(&agent.address, false) } else { Known::default() };
        self.watching.asked.push((job, agent));
        Effect::FetchCard { job, address, credentials, known }
    }

    /// Takes a retrieval that a watch asked for; `None` if it is not one.
    pub(super) fn watched_fetched(
        &mut self,
        job: JobId,
        retrieval: &Retrieval,
        inspection: Option<Arc<Inspection>>,
    ) -> Option<Vec<Effect>> {
        let at = self.watching.asked.iter().position(|(asked, _)| *asked == job)?;
        let (_, agent) = self.watching.asked.swap_remove(at);
        // It is still the agent that was opened by what was typed.
        let retrieval = Arc::new(Retrieval { address: agent.address.clone(), ..retrieval.clone() });
        let refusal = retrieval.attempts.iter().filter_map(|attempt| attempt.status).find(|s| ENDS_WATCH.contains(s));
        let recording =
            Recording { entry: None, retrieval, inspection, known_url: Some(agent.card_url.clone()), seen: None };
        let mut effects = vec![Effect::History(HistoryEffect::Record(Box::new(recording)))];
        if let Some(status) = refusal {
            effects.push(Effect::History(HistoryEffect::Watch { agent: agent.id, interval: None }));
            let origin = origin_of(&agent.card_url).unwrap_or_default();
            let notice = Notice::new(
                Tone::Caution,
                format!("{} is no longer watched", agent.title),
                format!("{origin} answered {status}."),
            );
            self.notify(notice.with_hint("Whoever answers so does not want to be asked again and again."));
        }
        Some(effects)
    }

    /// A watched agent serves another card: said where the user sees it, with the way to look at it.
    pub(super) fn watched_changed(&mut self, agent: &AgentRecord, change: &VersionChange) {
        let (tone, words) = level_words(&change.level);
        let mut notice = Notice::new(tone, format!("{} changed", agent.title), words);
        notice.choices.push(super::Choice {
            label: "Show".to_owned(),
            actions: vec![
                Action::History(HistoryAction::Unfold { agent: agent.id }),
                Action::History(HistoryAction::ShowLatest { agent: agent.id }),
            ],
        });
        notice.choices.push(compare_choice(agent.id, change));
        // Even where nothing grave changed: a watch is there to be told.
        self.notify(notice);
    }
}
