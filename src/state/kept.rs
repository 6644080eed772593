//! What history keeps, as far as the window knows it: the agents it lists and the versions of those unfolded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::action::HistoryAction;
use super::comparison::SideRef;
use super::discovery::{AgentEntry, EntryId};
use super::earlier::ConversationList;
use super::effect::HistoryEffect;
use super::outcome::{ChangeKind, HistoryOutcome, RestoredVersion, VersionChange};
use super::{Action, Choice, Effect, FilePurpose, JobId, Notice, State, View};
use crate::card::facts::{Inspection, Tone};
use crate::client::Retrieval;
use crate::history::records::{
    AgentId, AgentRecord, AskedAs, Imported, Recorded, VersionId, VersionRecord, previous_version,
};

/// As many faults of an import are told one by one.
const MOST_PROBLEMS: usize = 5;

/// The window's view of the history.
#[derive(Debug, Default)]
pub struct Kept {
    pub place: HistoryPlace,
    /// Those that fit `search`, the one checked last first; at most as many as are listed at a time.
    pub agents: Vec<AgentRecord>,
    /// How many fit `search` in all.
    pub total: u32,
    pub search: String,
    /// As far as they were listed: the latest first, then the one seen last.
    pub versions: BTreeMap<AgentId, Vec<VersionRecord>>,
    /// As far as they were listed, the one changed last first.
    pub conversations: BTreeMap<AgentId, ConversationList>,
    /// Agents whose versions are shown below them.
    pub unfolded: BTreeSet<AgentId>,
    /// The version that is being read for showing, and the pair to compare when it is there.
    loading: Option<(JobId, Option<(SideRef, SideRef)>)>,
}

/// Whether what is recorded outlives the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryPlace {
    /// Not known yet.
    #[default]
    Opening,
    OnDisk,
    /// As asked for, or because the disk could not be written.
    InMemory,
}

/// What history knows of an entry.
#[derive(Debug, Default)]
pub struct InHistory {
    pub agent: Option<AgentId>,
    /// The version that the entry's retrieval brought or confirmed.
    pub version: Option<VersionId>,
    /// The older version on screen instead of it; [`AgentEntry::inspection`] is then of that one.
    pub shown: Option<VersionRecord>,
    /// Read from history, and not asked for in this run.
    pub is_restored: bool,
    /// What is on screen again when the older version is left.
    current: Option<(Arc<Inspection>, Option<usize>)>,
}

impl Kept {
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<&AgentRecord> {
        self.agents.iter().find(|agent| agent.id == id)
    }

    #[must_use]
    pub fn is_unfolded(&self, agent: AgentId) -> bool {
        self.unfolded.contains(&agent)
    }

    /// A version of those that are known here.
    #[must_use]
    pub fn version(&self, id: VersionId) -> Option<&VersionRecord> {
        let latest = self.agents.iter().filter_map(|agent| agent.latest.as_ref());
        self.versions.values().flatten().chain(latest).find(|version| version.id == id)
    }

    /// The version before the one that `entry` shows.
    #[must_use]
    pub fn previous_of_entry(&self, entry: &AgentEntry) -> Option<&VersionRecord> {
        let history = &entry.history;
        let shown = history.shown.as_ref().map(|shown| shown.id).or(history.version)?;
        self.previous(self.version(shown)?)
    }

    /// The version of another meaning that the agent served before `version`.
    #[must_use]
    pub fn previous(&self, version: &VersionRecord) -> Option<&VersionRecord> {
        previous_version(self.versions.get(&version.agent)?, version)
    }
}

impl AgentEntry {
    /// Whether the document on screen is an older version, not what the agent served last.
    #[must_use]
    pub fn shows_older_version(&self) -> bool {
        self.history.shown.is_some()
    }

    /// Puts an older version on screen; what was there before is kept for the way back.
    fn show_kept(&mut self, version: VersionRecord, inspection: Arc<Inspection>) {
        if self.history.current.is_none() {
            self.history.current = self.inspection.take().map(|current| (current, self.shown_attempt));
        }
        self.history.shown = Some(version);
        self.inspection = Some(inspection);
        self.conversation.forget_rows();
    }

    /// Puts on screen what a watch found meanwhile.
    fn show_latest(&mut self, version: VersionId, retrieval: Arc<Retrieval>, inspection: Arc<Inspection>) {
        self.show_current();
        self.shown_attempt = retrieval.chosen;
        self.retrieval = retrieval;
        self.failed_again = None;
        self.inspection = Some(inspection);
        self.history.version = Some(version);
        self.history.is_restored = true;
        self.conversation.forget_rows();
    }

    /// Returns to what the agent served last.
    pub(super) fn show_current(&mut self) {
        self.history.shown = None;
        if let Some((inspection, attempt)) = self.history.current.take() {
            self.inspection = Some(inspection);
            self.shown_attempt = attempt;
            self.conversation.forget_rows();
        }
    }
}

impl State {
    pub(super) fn apply_history(&mut self, action: HistoryAction) -> Vec<Effect> {
        let effect = match action {
            HistoryAction::Search { text } => {
                self.kept.search.clone_from(&text);
                HistoryEffect::List { search: text }
            }
            HistoryAction::Unfold { agent } => {
                self.kept.unfolded.insert(agent);
                HistoryEffect::ListVersions { agent }
            }
            HistoryAction::Fold { agent } => {
                self.kept.unfolded.remove(&agent);
                return Vec::new();
            }
            HistoryAction::ShowAgent { agent } => return self.show_kept_agent(agent),
            HistoryAction::ShowVersion { agent, version } => return self.show_kept_version(agent, version),
            HistoryAction::CompareWithPrevious { agent, version } => return self.compare_previous(agent, version),
            HistoryAction::Compare { agent, older, newer } => return self.compare_kept(agent, older, newer),
            HistoryAction::ShowCurrent => {
                self.selection = None;
                if let Some(entry) = self.discovery.current_entry_mut() {
                    entry.show_current();
                }
                return Vec::new();
            }
            HistoryAction::AskToDelete(what) => {
                self.question = Some(self.deletion_question(what));
                return Vec::new();
            }
            HistoryAction::Delete(what) => return self.delete(what),
            HistoryAction::Watch { agent, interval } => HistoryEffect::Watch { agent, interval },
            HistoryAction::ShowLatest { agent } => return self.show_latest_of(agent),
            HistoryAction::Export(what) => HistoryEffect::Export(what),
            HistoryAction::PickImport => return vec![Effect::PickFile { purpose: FilePurpose::Import }],
            HistoryAction::Mute { agent, pointer, muted } => HistoryEffect::Mute { agent, pointer, muted },
        };
        vec![Effect::History(effect)]
    }

    pub(super) fn absorb_history(&mut self, outcome: HistoryOutcome) -> Vec<Effect> {
        match outcome {
            HistoryOutcome::Opened { on_disk } => {
                self.kept.place = if on_disk { HistoryPlace::OnDisk } else { HistoryPlace::InMemory };
            }
            HistoryOutcome::Listed { search, page } => {
                if search == self.kept.search {
                    self.kept.agents = page.agents;
                    self.kept.total = page.total;
                }
            }
            HistoryOutcome::VersionsListed { agent, versions } => {
                self.kept.versions.insert(agent, versions);
            }
            HistoryOutcome::Recorded { entry, recorded, change } => {
                return entry.map_or_else(Vec::new, |entry| self.recorded(entry, &recorded, change.as_ref()));
            }
            HistoryOutcome::WatchListed { agents } => return self.watch_listed(agents),
            HistoryOutcome::WatchedChanged { agent, change } => self.watched_changed(&agent, &change),
            HistoryOutcome::ConversationSaved { entry, first, id } => return self.conversation_saved(entry, first, id),
            HistoryOutcome::ConversationsListed { agent, page } => self.conversations_listed(agent, page),
            HistoryOutcome::ConversationOpened { job, kept } => {
                return self.conversation_opened(job, kept.map(|kept| *kept));
            }
            HistoryOutcome::Exported { name, bytes } => {
                return vec![Effect::SaveFile { suggested_name: name, bytes }];
            }
            HistoryOutcome::Imported { job, imported } => return self.imported(job, &imported),
            HistoryOutcome::Restored { job, restored } => return self.restored(job, *restored),
            HistoryOutcome::Failed { title, detail, hint } => {
                self.notify(Notice::new(Tone::Caution, title, detail).with_hint(hint));
            }
        }
        Vec::new()
    }

    fn show_kept_agent(&mut self, agent: AgentId) -> Vec<Effect> {
        if let Some(entry) = self.discovery.entries.iter().find(|entry| entry.history.agent == Some(agent)) {
            return self.select_agent(entry.id);
        }
        let latest = self.kept.agent(agent).and_then(|record| record.latest.as_ref()).map(|version| version.id);
        latest.map_or_else(Vec::new, |version| self.read_version(version))
    }

    fn show_kept_version(&mut self, agent: AgentId, version: VersionId) -> Vec<Effect> {
        let entry = self.discovery.entries.iter_mut().find(|entry| entry.history.agent == Some(agent));
        if let Some(entry) = entry.filter(|entry| entry.history.version == Some(version)) {
            entry.show_current();
            let id = entry.id;
            self.selection = None;
            return self.select_agent(id);
        }
        self.read_version(version)
    }

    /// Opens the comparison of a version with the one before it, under its agent.
    fn compare_previous(&mut self, agent: AgentId, version: VersionId) -> Vec<Effect> {
        let previous = self.kept.version(version).and_then(|version| self.kept.previous(version));
        let Some(previous) = previous.map(|previous| previous.id) else {
            self.notify(Notice::new(Tone::Plain, "There is no earlier version", "nothing older is kept of this agent"));
            return Vec::new();
        };
        self.compare_kept(agent, previous, version)
    }

    /// Opens the comparison of two versions under their agent.
    fn compare_kept(&mut self, agent: AgentId, older: VersionId, newer: VersionId) -> Vec<Effect> {
        let entry = self.discovery.entries.iter().find(|entry| entry.history.agent == Some(agent));
        let on_screen = entry.filter(|entry| entry.history.version == Some(newer) && !entry.shows_older_version());
        let newer_side = on_screen.map_or(SideRef::Kept(newer), |entry| SideRef::Entry(entry.id));
        let pair = (SideRef::Kept(older), newer_side);
        if let Some(entry) = entry.map(|entry| entry.id) {
            let effects = self.select_agent(entry);
            self.compare(pair.0, pair.1);
            return effects;
        }
        let latest = self.kept.agent(agent).and_then(|record| record.latest.as_ref()).map_or(newer, |found| found.id);
        let effects = self.read_version(latest);
        if let Some((_, then)) = &mut self.kept.loading {
            *then = Some(pair);
        }
        effects
    }

    fn read_version(&mut self, version: VersionId) -> Vec<Effect> {
        let job = self.next_job();
        self.kept.loading = Some((job, None));
        vec![Effect::History(HistoryEffect::Restore { job, version })]
    }

    fn restored(&mut self, job: JobId, restored: RestoredVersion) -> Vec<Effect> {
        let Some((_, then)) = self.kept.loading.take_if(|(loading, _)| *loading == job) else { return Vec::new() };
        let agent = restored.agent.id;
        self.put_on_screen(restored);
        if let Some((older, newer)) = then {
            self.compare(older, newer);
        }
        vec![self.list_conversations(agent)]
    }

    fn put_on_screen(&mut self, restored: RestoredVersion) {
        let RestoredVersion { agent, version, retrieval, inspection } = restored;
        self.selection = None;
        if self.view == View::Message {
            self.view = View::Inspect;
        }
        let is_latest = agent.latest.as_ref().is_some_and(|latest| latest.id == version.id);
        let entry = self.discovery.entries.iter_mut().find(|entry| entry.history.agent == Some(agent.id));
        if let Some(entry) = entry {
            self.discovery.current = Some(entry.id);
            if is_latest {
                entry.show_latest(version.id, retrieval, inspection);
            } else {
                entry.show_kept(version, inspection);
            }
            return;
        }
        let id = self.add_entry(retrieval, Some(inspection));
        if let Some(entry) = self.discovery.entry_mut(id) {
            entry.history = InHistory {
                agent: Some(agent.id),
                version: Some(version.id),
                shown: (!is_latest).then_some(version),
                is_restored: true,
                current: None,
            };
        }
    }

    fn show_latest_of(&mut self, agent: AgentId) -> Vec<Effect> {
        let of = |agents: &[AgentRecord]| agents.iter().find(|found| found.id == agent)?.latest.clone();
        let latest = of(&self.watching.agents).or_else(|| of(&self.kept.agents));
        latest.map_or_else(Vec::new, |version| self.read_version(version.id))
    }

    /// Says what an import brought; the reading of a file or folder that led to it is over.
    fn imported(&mut self, job: Option<JobId>, imported: &Imported) -> Vec<Effect> {
        self.discovery.pending.take_if(|pending| Some(pending.job) == job);
        let Imported { new_agents, new_versions, known_versions, problems, .. } = imported;
        let mut words =
            format!("New agents: {new_agents}, new versions: {new_versions}, known already: {known_versions}.");
        words.push_str(&imported_conversations(imported));
        let tone = if problems.is_empty() { Tone::Good } else { Tone::Caution };
        let mut lines = vec![words];
        lines.extend(problems.iter().take(MOST_PROBLEMS).cloned());
        let mut notice = Notice::new(tone, "Imported", lines.join("\n"));
        if problems.len() > MOST_PROBLEMS {
            notice.hint = format!("{} more were left out.", problems.len() - MOST_PROBLEMS);
        }
        self.notify(notice);
        let unfolded = self.kept.versions.keys();
        let versions = unfolded.map(|&agent| Effect::History(HistoryEffect::ListVersions { agent }));
        versions.chain(self.kept.conversations.keys().map(|&agent| self.list_conversations(agent))).collect()
    }

    fn recorded(&mut self, id: EntryId, recorded: &Recorded, change: Option<&VersionChange>) -> Vec<Effect> {
        let Some(entry) = self.discovery.entry_mut(id) else { return Vec::new() };
        let was_unknown = entry.history.agent.replace(recorded.agent).is_none();
        if recorded.version.is_some() {
            entry.history.version = recorded.version;
        }
        let (id, mut effects) = self.merge_with_older(id);
        if let Some(change) = change {
            self.notify(change_notice(recorded.agent, change));
        }
        effects.push(self.list_conversations(recorded.agent));
        if was_unknown {
            // What was said before it was known with whom.
            effects.extend(self.save(id));
        }
        effects
    }
}

/// What an import brought of conversations; nothing where there were none.
fn imported_conversations(imported: &Imported) -> String {
    let Imported { new_conversations: new, continued_conversations: continued, known_conversations: known, .. } =
        imported;
    if new + continued + known == 0 {
        return String::new();
    }
    let went_on = if *continued > 0 { format!(", continued: {continued}") } else { String::new() };
    format!(" New conversations: {new}{went_on}, known already: {known}.")
}

pub(super) fn compare_choice(agent: AgentId, change: &VersionChange) -> Choice {
    let compare = HistoryAction::Compare { agent, older: change.older, newer: change.newer };
    Choice { label: "Compare with previous".to_owned(), actions: vec![Action::History(compare)] }
}

/// Another version than before: how grave its changes are, and the way to see them.
fn change_notice(agent: AgentId, change: &VersionChange) -> Notice {
    // A change that says nothing new goes by itself.
    let plain = |words| Notice::new(Tone::Plain, "The card changed", words);
    let (tone, words) = match change.kind {
        ChangeKind::Spelling => return plain("it says the same in another spelling"),
        ChangeKind::MutedMembers => return plain("only in members that are muted"),
        ChangeKind::Meaning => level_words(&change.level),
    };
    let mut notice = Notice::new(tone, "The card changed", words);
    if change.version_stayed {
        notice = notice.with_hint("Its content changed, its version did not.");
    }
    notice.choices.push(compare_choice(agent, change));
    notice
}

/// How a level of change strikes the eye, and a sentence for it.
#[must_use]
pub fn level_words(level: &str) -> (Tone, &'static str) {
    match level {
        "breaking" => (Tone::Bad, "Some of the changes break clients."),
        "risky" => (Tone::Caution, "Some of the changes are risky."),
        "compatible" => (Tone::Good, "Its clients go on working."),
        "docs" => (Tone::Plain, "Only texts changed."),
        _ => (Tone::Plain, "Nothing that clients or readers rely on changed."),
    }
}

/// Whether an agent's card was got with credentials.
#[must_use]
pub fn is_private(agent: &AgentRecord) -> bool {
    agent.asked_as != AskedAs::Public
}
