//! The history's own thread: the only one that touches it. Orders go in, outcomes come out.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

use bytes::Bytes;
use tokio::sync::oneshot;

use super::Outbox;
use super::judging::{change, inspection_of, judge_open};
use super::recording::{known_copy, new_retrieval, restored};
use crate::card::JsonPointer;
use crate::client::KeptCopy;
use crate::history::{
    AgentId, AgentRecord, AskedAs, ConversationId, History, HistoryError, Imported, NewConversation, Opened, Page,
    VersionId,
};
use crate::state::outcome::RestoredVersion;
use crate::state::{ChangeKind, Deletion, EntryId, Export, HistoryEffect, HistoryOutcome, JobId, Outcome, Recording};

/// As many agents are listed at a time; a search finds the others.
const LISTED: u32 = 200;
/// As many versions of one agent are listed.
const LISTED_VERSIONS: u32 = 500;
/// Levels that are open, as after an import, are judged so many at a time.
const JUDGED_AT_ONCE: usize = 25;

/// No exported file is larger.
const MOST_EXPORT_BYTES: u64 = 1 << 30;

type Result<T> = std::result::Result<T, HistoryError>;

/// What the thread is asked for.
pub(super) enum Order {
    Carry(HistoryEffect),
    /// Takes in a file or folder that was opened and is one for the history.
    Import {
        job: JobId,
        path: PathBuf,
    },
    /// Reads a version for comparing; ends in [`Outcome::SideLoaded`].
    LoadSide {
        job: JobId,
        version: VersionId,
    },
    /// The copy of the public agent at an address, to ask its server by.
    KnownCopy {
        address: String,
        answer: oneshot::Sender<Option<Arc<KeptCopy>>>,
    },
}

/// The way to the thread; dropping it lets the thread finish what it was asked for.
pub(super) struct HistoryThread {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl HistoryThread {
    /// Opens the history in `folder`, or one in memory, on a thread of its own.
    pub(super) fn start(folder: Option<PathBuf>, outbox: Outbox) -> Self {
        let (orders, received) = channel();
        let thread = std::thread::Builder::new().name("history".to_owned()).spawn(move || {
            if let Some(mut keeper) = Keeper::open(folder.as_deref(), outbox) {
                keeper.serve(&received);
            }
        });
        Self { orders: Some(orders), thread: thread.ok() }
    }

    /// For a job that may have something for the history.
    pub(super) fn sender(&self) -> Option<Sender<Order>> {
        self.orders.clone()
    }

    pub(super) fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // A thread that could not start has said so, and answers nothing.
            orders.send(order).ok();
        }
    }
}

impl Drop for HistoryThread {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

/// Owns the history.
struct Keeper {
    history: History,
    outbox: Outbox,
    /// Told that nothing is saved: once is enough.
    has_complained: bool,
    search: String,
    /// Conversations of this run by the first turn of theirs that was saved.
    saved: HashMap<JobId, ConversationId>,
    /// The version of each agent that was shown or told of last, or with which its watch began.
    seen: HashMap<AgentId, VersionId>,
    /// Agents of whose versions some are still to be judged, when nothing else is to do.
    unjudged: BTreeSet<AgentId>,
}

impl Keeper {
    fn open(folder: Option<&Path>, outbox: Outbox) -> Option<Self> {
        let opened = match folder {
            Some(folder) => History::open(folder),
            None => History::in_memory().map(|history| Opened { history, set_aside: None }),
        };
        let (opened, on_disk) = match opened {
            Ok(opened) => (opened, folder.is_some()),
            Err(error) => {
                failed(&outbox, "The history cannot be used", &error, "This session goes on, but it is not saved.");
                let history = History::in_memory().ok()?;
                (Opened { history, set_aside: None }, false)
            }
        };
        outbox.send(Outcome::History(HistoryOutcome::Opened { on_disk }));
        let mut keeper = Self {
            history: opened.history,
            outbox,
            has_complained: false,
            search: String::new(),
            saved: HashMap::new(),
            seen: HashMap::new(),
            unjudged: BTreeSet::new(),
        };
        if let Some(set_aside) = opened.set_aside {
            keeper.say("A damaged history was set aside", set_aside, "A new one was begun.");
        }
        let listed = keeper.list().and_then(|()| keeper.list_watched());
        keeper.complain(listed);
        Some(keeper)
    }

    fn serve(&mut self, orders: &Receiver<Order>) {
        while let Some(order) = self.next_order(orders) {
            match order {
                Order::Carry(effect) => {
                    let result = self.carry(effect);
                    self.complain(result);
                }
                Order::Import { job, path } => {
                    let result = self.import(&path, Some(job));
                    self.complain(result);
                }
                Order::LoadSide { job, version } => {
                    let kept = self.history.document(version).and_then(|kept| kept.ok_or(HistoryError::Gone));
                    let result = kept.map(|kept| Arc::new(inspection_of(&kept))).map_err(|error| error.to_string());
                    self.outbox.send(Outcome::SideLoaded { job, result });
                }
                Order::KnownCopy { address, answer } => {
                    let copy = self.copy_at(&address).ok().flatten();
                    // Whoever asked may have been cancelled.
                    answer.send(copy).ok();
                }
            }
        }
    }

    /// Waits for the next order, judging meanwhile what is open.
    fn next_order(&mut self, orders: &Receiver<Order>) -> Option<Order> {
        while let Some(agent) = self.unjudged.first().copied() {
            match orders.try_recv() {
                Ok(order) => return Some(order),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {
                    self.unjudged.remove(&agent);
                    let listed = self.list_versions(agent);
                    self.complain(listed);
                }
            }
        }
        orders.recv().ok()
    }

    fn carry(&mut self, effect: HistoryEffect) -> Result<()> {
        match effect {
            HistoryEffect::List { search } => {
                self.search = search;
                self.list()
            }
            HistoryEffect::ListVersions { agent } => self.list_versions(agent),
            HistoryEffect::Record(recording) => self.record(&recording),
            HistoryEffect::Restore { job, version } => self.restore(job, version),
            HistoryEffect::Delete(what) => self.delete(what),
            HistoryEffect::Watch { agent, interval } => {
                self.history.set_watch(agent, interval)?;
                self.list_watched()?;
                self.list()
            }
            HistoryEffect::Mute { agent, pointer, muted } => self.mute(agent, &pointer, muted),
            HistoryEffect::SaveConversation { entry, first, id, new } => self.save_conversation(entry, first, id, &new),
            HistoryEffect::ListConversations { agent, limit } => {
                let page = self.history.conversation_page(agent, Page { offset: 0, limit })?;
                self.send(HistoryOutcome::ConversationsListed { agent, page });
                Ok(())
            }
            HistoryEffect::OpenConversation { job, conversation } => {
                let kept = self.history.conversation(conversation).and_then(|kept| kept.ok_or(HistoryError::Gone));
                let (kept, done) = match kept {
                    Ok(kept) => (Some(Box::new(kept)), Ok(())),
                    Err(error) => (None, Err(error)),
                };
                self.send(HistoryOutcome::ConversationOpened { job, kept });
                done
            }
            HistoryEffect::Export(what) => self.export(what),
            HistoryEffect::Import { path } => self.import(&path, None),
        }
    }

    fn save_conversation(
        &mut self,
        entry: EntryId,
        first: JobId,
        id: Option<ConversationId>,
        new: &NewConversation,
    ) -> Result<()> {
        // Whoever asks may not know yet under which id the turns before were saved.
        let known = id.or_else(|| self.saved.get(&first).copied());
        let saved = self.history.save_conversation(known, new);
        // Also where it failed: the next turn is saved again.
        let id = saved.as_ref().ok().copied();
        self.saved.extend(id.map(|id| (first, id)));
        self.send(HistoryOutcome::ConversationSaved { entry, first, id });
        saved.map(|_| ())
    }

    fn list(&mut self) -> Result<()> {
        let page = self.history.agents(&self.search, Page { offset: 0, limit: LISTED })?;
        self.send(HistoryOutcome::Listed { search: self.search.clone(), page });
        Ok(())
    }

    fn list_watched(&mut self) -> Result<()> {
        let agents = self.history.watched()?;
        for agent in &agents {
            // What another program kept since is still to be told.
            if !self.seen.contains_key(&agent.id) {
                self.seen.extend(self.history.watch_seen(agent.id)?.map(|seen| (agent.id, seen)));
            }
        }
        self.send(HistoryOutcome::WatchListed { agents });
        Ok(())
    }

    /// The agent, if it is watched: it was asked just now, which its next turn counts from.
    fn tell_watched(&mut self, agent: AgentId) -> Result<Option<AgentRecord>> {
        let record = self.history.agent(agent)?.filter(|record| record.watch.is_some());
        if record.is_some() {
            self.list_watched()?;
        }
        Ok(record)
    }

    fn list_versions(&mut self, agent: AgentId) -> Result<()> {
        let page = Page { offset: 0, limit: LISTED_VERSIONS };
        let mut versions = self.history.versions(agent, page)?;
        let judged = judge_open(&mut self.history, &mut versions, JUDGED_AT_ONCE);
        self.send(HistoryOutcome::VersionsListed { agent, versions });
        if judged? > 0 {
            self.unjudged.insert(agent);
        }
        Ok(())
    }

    fn record(&mut self, recording: &Recording) -> Result<()> {
        let Recording { entry, retrieval, inspection, known_url, seen } = recording;
        let new = new_retrieval(retrieval, inspection.as_deref(), known_url.as_deref());
        let Some(recorded) = self.history.record(&new)? else { return Ok(()) };
        let agent = recorded.agent;
        let change = change(&self.history, &recorded, seen.or_else(|| self.seen.get(&agent).copied()))?;
        if let Some(version) = recorded.version {
            self.saw(agent, version)?;
        }
        let is_watched = self.tell_watched(agent)?;
        let to_tell = change.clone().filter(|change| entry.is_none() && change.kind == ChangeKind::Meaning);
        if let (Some(agent), Some(change)) = (is_watched, to_tell) {
            self.send(HistoryOutcome::WatchedChanged { agent: Box::new(agent), change });
        }
        self.send(HistoryOutcome::Recorded { entry: *entry, recorded, change });
        self.list()?;
        self.list_versions(agent)
    }

    /// What was shown or told is no change the next time, in the next session neither.
    fn saw(&mut self, agent: AgentId, version: VersionId) -> Result<()> {
        if self.seen.insert(agent, version) == Some(version) {
            Ok(())
        } else {
            self.history.set_watch_seen(agent, version)
        }
    }

    fn restore(&mut self, job: JobId, version: VersionId) -> Result<()> {
        let kept = self.history.document(version)?.ok_or(HistoryError::Gone)?;
        let agent = self.history.agent(kept.version.agent)?.ok_or(HistoryError::Gone)?;
        let retrieval = Arc::new(restored(&agent, &kept));
        let inspection = Arc::new(inspection_of(&kept));
        let id = agent.id;
        if agent.latest.as_ref().is_some_and(|latest| latest.id == version) {
            self.saw(id, version)?;
        }
        let restored = Box::new(RestoredVersion { agent, version: kept.version, retrieval, inspection });
        self.send(HistoryOutcome::Restored { job, restored });
        self.list_versions(id)
    }

    fn delete(&mut self, what: Deletion) -> Result<()> {
        let agent = match what {
            Deletion::Version(version) => self.history.version_of_id(version)?.map(|version| version.agent),
            Deletion::Conversation(_) | Deletion::Agent(_) | Deletion::Everything => None,
        };
        let deleted = match what {
            Deletion::Conversation(conversation) => self.history.delete_conversation(conversation),
            Deletion::Version(version) => self.history.delete_version(version),
            Deletion::Agent(agent) => self.history.delete_agent(agent),
            Deletion::Everything => self.history.delete_everything(),
        };
        let history = &self.history;
        self.saved.retain(|_, id| !matches!(history.transcript(*id), Ok(None)));
        // Whatever came of it, the list shows what is there now.
        self.list()?;
        if let Some(agent) = agent {
            self.list_versions(agent)?;
        }
        deleted
    }

    fn mute(&mut self, agent: AgentId, pointer: &JsonPointer, muted: bool) -> Result<()> {
        let record = self.history.agent(agent)?.ok_or(HistoryError::Gone)?;
        let mut pointers = record.muted;
        pointers.retain(|other| other != pointer);
        if muted {
            pointers.push(pointer.clone());
        }
        self.history.set_muted(agent, &pointers)?;
        self.list()?;
        self.list_versions(agent)
    }

    fn export(&mut self, what: Export) -> Result<()> {
        let (name, agents, versions) = match what {
            Export::Version(version) => ("cardscope-version.json", Vec::new(), vec![version]),
            Export::Agent(agent) => ("cardscope-agent.json", vec![agent], Vec::new()),
            Export::Everything => {
                let page = self.history.agents("", Page::ALL)?;
                ("cardscope-history.json", page.agents.iter().map(|agent| agent.id).collect(), Vec::new())
            }
        };
        let text = self.history.export(&agents, &versions)?;
        self.send(HistoryOutcome::Exported { name: name.to_owned(), bytes: Bytes::from(text) });
        Ok(())
    }

    fn import(&mut self, path: &Path, job: Option<JobId>) -> Result<()> {
        let imported = if path.is_dir() {
            self.history.import_folder(path)
        } else {
            read_export(path).and_then(|bytes| self.history.import(&bytes))
        };
        match imported {
            Ok(imported) => {
                self.send(HistoryOutcome::Imported { job, imported });
                self.list()
            }
            Err(error) => {
                // Nobody waits any longer.
                let imported = Imported { problems: vec![error.to_string()], ..Imported::default() };
                self.send(HistoryOutcome::Imported { job, imported });
                if matches!(error, HistoryError::NotImported(_)) { Ok(()) } else { Err(error) }
            }
        }
    }

    fn copy_at(&self, address: &str) -> Result<Option<Arc<KeptCopy>>> {
        let agents = self.history.agents_at(address)?;
        let Some(agent) = agents.iter().find(|agent| agent.asked_as == AskedAs::Public) else { return Ok(None) };
        let Some(latest) = &agent.latest else { return Ok(None) };
        Ok(self.history.document(latest.id)?.and_then(|kept| known_copy(agent, &kept)))
    }

    fn send(&self, outcome: HistoryOutcome) {
        self.outbox.send(Outcome::History(outcome));
    }

    fn say(&self, title: &str, detail: String, hint: &str) {
        let (title, hint) = (title.to_owned(), hint.to_owned());
        self.send(HistoryOutcome::Failed { title, detail, hint });
    }

    /// Tells of a failure, and begins a new history where the old one turned out to be damaged.
    fn complain(&mut self, result: Result<()>) {
        let Err(error) = result else { return };
        match error {
            HistoryError::Damaged { .. } => self.begin_anew(&error),
            HistoryError::Gone | HistoryError::NotOverwritten | HistoryError::NotImported(_) => {
                failed(&self.outbox, "The history", &error, "");
            }
            _ if self.has_complained => {}
            _ => {
                self.has_complained = true;
                let hint = "The session goes on. What is new is not saved until that is mended.";
                failed(&self.outbox, "Nothing was saved in the history", &error, hint);
            }
        }
    }

    fn begin_anew(&mut self, error: &HistoryError) {
        let Ok(spare) = History::in_memory() else { return };
        let damaged = std::mem::replace(&mut self.history, spare);
        match damaged.set_aside() {
            Ok(opened) => {
                self.history = opened.history;
                let detail = opened.set_aside.unwrap_or_else(|| error.to_string());
                self.say("A damaged history was set aside", detail, "A new one was begun.");
            }
            Err(error) => {
                self.send(HistoryOutcome::Opened { on_disk: false });
                failed(&self.outbox, "The history cannot be used", &error, "The session goes on without saving.");
            }
        }
        self.list().ok();
    }
}

fn read_export(path: &Path) -> Result<Vec<u8>> {
    let problem = |cause: String| HistoryError::NotImported(format!("{} cannot be read: {cause}.", path.display()));
    let length = std::fs::metadata(path).map_err(|error| problem(error.to_string()))?.len();
    if length > MOST_EXPORT_BYTES {
        return Err(problem(format!("it has {length} bytes; up to 1 GiB is read")));
    }
    std::fs::read(path).map_err(|error| problem(error.to_string()))
}

fn failed(outbox: &Outbox, title: &str, error: &HistoryError, hint: &str) {
    let (title, detail, hint) = (title.to_owned(), error.to_string(), hint.to_owned());
    outbox.send(Outcome::History(HistoryOutcome::Failed { title, detail, hint }));
}
