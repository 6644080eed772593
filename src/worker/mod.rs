//! Carries effects out on tokio; the only place that spawns.
//!
//! Each job has a cancellation token; [`Effect::Abort`] and dropping the [`Worker`] cancel it, and what does not end
//! by itself within 300 ms is dropped with its socket.

mod cards;
mod catalogs;
mod comparing;
mod demo_agent;
mod dialogs;
mod history_thread;
pub mod judging;
mod outbox;
pub mod poll_schedule;
pub mod recording;
pub mod tasks;

use std::collections::HashMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinError};
use tokio_util::sync::CancellationToken;

use crate::a2a::SendMessageRequest;
use crate::card::catalog::CatalogQuery;
use crate::client::{
    CallError, CallErrorKind, Client, Credential, Endpoint, KeptCopy, Known, NetworkSettings, Retrieval,
};
use crate::history::VersionId;
use crate::state::comparison::SideSource;
use crate::state::{Effect, JobId, Outcome};

use history_thread::{HistoryThread, Order};
pub use outbox::Outbox;
use tasks::{Peer, TaskEvent};

/// How often it is looked whether a watched agent is due.
const TICK: Duration = Duration::from_secs(30);

/// A copy that history was asked for.
type CopyComing = oneshot::Receiver<Option<Arc<KeptCopy>>>;

/// How long a cancelled job may take to end by itself.
const ABORT_AFTER: Duration = Duration::from_millis(250);

/// Owns the client, the demo agent and every job under way.
pub struct Worker {
    handle: Handle,
    outbox: Outbox,
    client: Result<Client, String>,
    jobs: HashMap<JobId, Job>,
    /// Revisions for the running demo agent to serve; closing it stops the agent.
    demo: Option<UnboundedSender<u8>>,
    history: Option<HistoryThread>,
    /// Stops the clock that runs for what is watched.
    clock: Option<CancellationToken>,
    /// Cancelled when the worker goes: every job's token is its child.
    all: CancellationToken,
}

struct Job {
    cancel: CancellationToken,
    task: AbortHandle,
}

impl Worker {
    /// A worker that spawns on `handle`'s runtime and answers through `outbox`.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a worker keeps what it is made from")]
    pub fn new(handle: Handle, outbox: Outbox, settings: NetworkSettings) -> Self {
        let mut worker = Self {
            handle,
            outbox,
            client: Err(String::new()),
            jobs: HashMap::new(),
            demo: None,
            history: None,
            clock: None,
            all: CancellationToken::new(),
        };
        worker.use_settings(&settings);
        worker
    }

    /// Keeps what is seen, in `folder` or for this session only. The history opens on a thread of its own.
    #[must_use]
    pub fn with_history(mut self, folder: Option<PathBuf>) -> Self {
        self.history = Some(HistoryThread::start(folder, self.outbox.clone()));
        self
    }

    /// Starts what `effect` asks for and returns at once.
    pub fn run(&mut self, effect: Effect) {
        match effect {
            Effect::FetchCard { job, address, credentials, known } => self.fetch(job, address, credentials, known),
            Effect::ReadFile { job, path } => {
                let history = self.history.as_ref().and_then(HistoryThread::sender);
                self.start(job, |outbox, cancel| cards::read_file(job, path, history, outbox, cancel));
            }
            Effect::GetExtendedCard { job, name, endpoint, credentials } => {
                self.extended_card(job, name, endpoint, credentials);
            }
            Effect::WriteCard { job, connection } => {
                self.start(job, |outbox, _| cards::write_card(job, connection, outbox));
            }
            Effect::ReadBytes { job, name, bytes } => {
                self.start(job, |outbox, _| cards::read_bytes(job, name, bytes, outbox));
            }
            Effect::ReadEntry { job, address, bytes, exchange } => {
                self.start(job, |outbox, _| cards::read_entry(job, address, bytes, exchange, outbox));
            }
            Effect::AskCatalog { job, query, credentials } => self.ask_catalog(job, query, credentials),
            Effect::ReadCatalog { job, query, bytes, base } => {
                self.start(job, |outbox, _| catalogs::read(job, query, bytes, base, outbox));
            }
            Effect::InspectAttempt { job, retrieval, attempt } => {
                self.start(job, |outbox, _| cards::inspect_attempt(job, retrieval, attempt, outbox));
            }
            Effect::LoadSide { job, source: SideSource::Kept(version) } => self.load_kept_side(job, version),
            Effect::LoadSide { job, source } => {
                self.start(job, |outbox, cancel| comparing::load(job, source, outbox, cancel));
            }
            Effect::Compare { job, older, newer } => {
                self.start(job, |outbox, _| comparing::compare(job, older, newer, outbox));
            }
            Effect::ExportComparison { compared, format } => {
                self.spawn(None, comparing::export(compared, format, self.outbox.clone()));
            }
            Effect::SendMessage { job, endpoint, request, credentials, budget } => {
                self.send(job, endpoint, request, credentials, budget);
            }
            Effect::FollowTask { job, endpoint, task_id, credentials, budget } => {
                self.follow(job, endpoint, task_id, credentials, budget);
            }
            Effect::CancelTask { job, endpoint, task_id, credentials } => {
                self.cancel_task(job, endpoint, task_id, credentials);
            }
            Effect::Abort { job } => self.abort(job),
            Effect::StartDemo { revision } => self.start_demo(revision),
            Effect::StopDemo => self.demo = None,
            Effect::SetDemoRevision { revision } => {
                // A demo agent that has just stopped has said so itself.
                if let Some(demo) = &self.demo {
                    demo.send(revision).ok();
                }
            }
            Effect::PickFile { purpose } => {
                self.spawn(None, dialogs::pick(purpose, self.outbox.clone()));
            }
            Effect::CheckClientCertificate { path } => {
                self.spawn(None, dialogs::check_client_certificate(path, self.outbox.clone()));
            }
            Effect::ReadAttachment { path } => {
                self.spawn(None, dialogs::read_attachment(path, self.outbox.clone()));
            }
            Effect::SaveFile { suggested_name, bytes } => {
                self.spawn(None, dialogs::save(&suggested_name, bytes, self.outbox.clone()));
            }
            Effect::SaveTraffic { exchanges } => {
                self.spawn(None, dialogs::save_traffic(&exchanges, self.outbox.clone()));
            }
            Effect::History(effect) => self.order(Order::Carry(effect)),
            Effect::RunClock { runs } => self.run_clock(runs),
            Effect::OpenLink { url } => self.open_link(url),
            Effect::UseNetworkSettings(settings) => self.use_settings(&settings),
        }
    }

    /// Jobs under way go on with the client that they began with.
    fn use_settings(&mut self, settings: &NetworkSettings) {
        let outbox = self.outbox.clone();
        let record = Arc::new(move |exchange| outbox.send(Outcome::Exchanged(exchange)));
        self.client = Client::new(settings, record).map_err(|error| error.to_string());
        if let Err(problem) = &self.client {
            self.outbox.send(Outcome::NetworkSettingsRefused { problem: problem.clone() });
        }
    }

    fn fetch(&mut self, job: JobId, address: String, credentials: Vec<Credential>, known: Known) {
        match self.client.clone() {
            Ok(client) => {
                let asked_before = self.ask_history(&address, &credentials, &known);
                let wanted = cards::Wanted { address, credentials, known, asked_before };
                self.start(job, |outbox, cancel| cards::fetch(client, job, wanted, outbox, cancel));
            }
            Err(problem) => {
                let retrieval = Arc::new(never_asked(address, &problem));
                self.outbox.send(Outcome::CardFetched { job, retrieval, inspection: None });
            }
        }
    }

    fn ask_catalog(&mut self, job: JobId, query: CatalogQuery, credentials: Vec<Credential>) {
        match self.client.clone() {
            Ok(client) => {
                self.start(job, |outbox, cancel| catalogs::ask(client, job, query, credentials, outbox, cancel));
            }
            Err(problem) => {
                let answer = Box::new(catalogs::never_asked(query, &problem));
                self.outbox.send(Outcome::CatalogAnswered { job, answer });
            }
        }
    }

    fn load_kept_side(&self, job: JobId, version: VersionId) {
        if self.history.is_some() {
            self.order(Order::LoadSide { job, version });
        } else {
            let result = Err("No history is kept in this session.".to_owned());
            self.outbox.send(Outcome::SideLoaded { job, result });
        }
    }

    fn order(&self, order: Order) {
        if let Some(history) = &self.history {
            history.order(order);
        }
    }

    /// What history knows of an address that was not opened yet in this run; only for who asks without credentials.
    fn ask_history(&self, address: &str, credentials: &[Credential], known: &Known) -> Option<CopyComing> {
        if self.history.is_none() || !credentials.is_empty() || !known.copies.is_empty() || known.anew {
            return None;
        }
        let (answer, coming) = oneshot::channel();
        self.order(Order::KnownCopy { address: address.to_owned(), answer });
        Some(coming)
    }

    fn extended_card(&mut self, job: JobId, name: String, endpoint: Endpoint, credentials: Vec<Credential>) {
        match self.client.clone() {
            Ok(client) => self.start(job, |outbox, cancel| {
                cards::extended_card(client, job, name, endpoint, credentials, outbox, cancel)
            }),
            Err(problem) => self.outbox.send(Outcome::ExtendedCardRefused { job, error: not_sent(&problem) }),
        }
    }

    fn send(
        &mut self,
        job: JobId,
        endpoint: Endpoint,
        request: Box<SendMessageRequest>,
        credentials: Vec<Credential>,
        budget: Duration,
    ) {
        let client = match self.client.clone() {
            Ok(client) => client,
            Err(problem) => {
                let result = Err(not_sent(&problem));
                return self.outbox.send(Outcome::MessageAnswered { job, result });
            }
        };
        self.start(job, |outbox, cancel| async move {
            let peer = Peer { client: &client, endpoint: &endpoint, credentials: &credentials, cancel: &cancel };
            peer.send_and_follow(&request, budget, &mut |event| outbox.send(outcome(job, event))).await;
        });
    }

    fn follow(
        &mut self,
        job: JobId,
        endpoint: Endpoint,
        task_id: String,
        credentials: Vec<Credential>,
        budget: Duration,
    ) {
        let client = match self.client.clone() {
            Ok(client) => client,
            Err(problem) => {
                let why = crate::state::outcome::FollowingEnd::Failed(not_sent(&problem));
                return self.outbox.send(Outcome::FollowingEnded { job, why });
            }
        };
        self.start(job, |outbox, cancel| async move {
            let peer = Peer { client: &client, endpoint: &endpoint, credentials: &credentials, cancel: &cancel };
            peer.follow(&task_id, budget, &mut |event| outbox.send(outcome(job, event))).await;
        });
    }

    fn cancel_task(&mut self, job: JobId, endpoint: Endpoint, task_id: String, credentials: Vec<Credential>) {
        let client = match self.client.clone() {
            Ok(client) => client,
            Err(problem) => {
                let result = Err(not_sent(&problem));
                return self.outbox.send(Outcome::TaskCancelAnswered { job, result });
            }
        };
        self.start(job, |outbox, cancel| async move {
            let peer = Peer { client: &client, endpoint: &endpoint, credentials: &credentials, cancel: &cancel };
            let result = peer.cancel_task(&task_id).await;
            outbox.send(Outcome::TaskCancelAnswered { job, result });
        });
    }

    fn start_demo(&mut self, revision: u8) {
        let (sender, revisions) = tokio::sync::mpsc::unbounded_channel();
        self.demo = Some(sender);
        self.spawn(None, demo_agent::serve(revision, revisions, self.outbox.clone()));
    }

    fn run_clock(&mut self, runs: bool) {
        if let Some(running) = self.clock.take() {
            running.cancel();
        }
        if !runs {
            return;
        }
        let (stop, outbox) = (self.all.child_token(), self.outbox.clone());
        self.clock = Some(stop.clone());
        self.spawn(None, async move {
            let ticking = async {
                loop {
                    outbox.send(Outcome::Tick { now: SystemTime::now() });
                    tokio::time::sleep(TICK).await;
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = ticking => {}
            }
        });
    }

    fn open_link(&mut self, url: String) {
        self.spawn(None, async move {
            // A browser that does not open is seen by the user; there is nothing to add.
            tokio::task::spawn_blocking(move || webbrowser::open(&url).ok()).await.ok();
        });
    }

    fn start<F>(&mut self, job: JobId, work: impl FnOnce(Outbox, CancellationToken) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let cancel = self.all.child_token();
        let work = work(self.outbox.clone(), cancel.clone());
        let task = self.spawn(Some(job), work);
        self.jobs.retain(|_, job| !job.task.is_finished());
        self.jobs.insert(job, Job { cancel, task });
    }

    /// Runs `work`; a panic in it is told and hurts nothing else.
    fn spawn(&self, job: Option<JobId>, work: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let task = self.handle.spawn(work);
        let abort = task.abort_handle();
        let outbox = self.outbox.clone();
        self.handle.spawn(async move {
            if let Err(error) = task.await
                && error.is_panic()
            {
                outbox.send(Outcome::JobFailed { job, problem: panic_words(error) });
            }
        });
        abort
    }

    fn abort(&mut self, job: JobId) {
        if let Some(job) = self.jobs.remove(&job) {
            job.cancel.cancel();
            abort_soon(&self.handle, vec![job.task]);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.all.cancel();
        abort_soon(&self.handle, self.jobs.drain().map(|(_, job)| job.task).collect());
    }
}

/// Drops what did not heed its token.
fn abort_soon(handle: &Handle, tasks: Vec<AbortHandle>) {
    handle.spawn(async move {
        tokio::time::sleep(ABORT_AFTER).await;
        for task in tasks {
            task.abort();
        }
    });
}

fn outcome(job: JobId, event: TaskEvent) -> Outcome {
    match event {
        TaskEvent::Answered(result) => Outcome::MessageAnswered { job, result },
        TaskEvent::Updated(answer) => Outcome::TaskUpdated { job, answer },
        TaskEvent::PollFailed { error, retry_in } => Outcome::PollFailed { job, error, retry_in },
        TaskEvent::Ended(why) => Outcome::FollowingEnded { job, why },
    }
}

/// What a fetch comes to when the network settings are no good.
fn never_asked(address: String, problem: &str) -> Retrieval {
    Retrieval {
        address,
        assumptions: Vec::new(),
        attempts: Vec::new(),
        chosen: None,
        alternative: None,
        verdict: format!("Nothing was asked. {problem}"),
        fetched_at: SystemTime::now(),
        found_card: false,
    }
}

fn not_sent(problem: &str) -> CallError {
    let sentence = format!("Nothing was sent. {problem}");
    CallError { kind: CallErrorKind::Unsupported { sentence }, exchange: None, retry_after: None }
}

fn panic_words(error: JoinError) -> String {
    let payload = error.into_panic();
    let words = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "It gave no reason.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
    }

    #[test]
    fn a_job_that_panics_is_told_and_the_others_go_on() {
        let runtime = runtime();
        let (outbox, outcomes) = Outbox::new(|| {});
        let mut worker = Worker::new(runtime.handle().clone(), outbox, NetworkSettings::default());
        worker.start(JobId(7), |_, _| async { panic!("a fault in a rule") });
        let outcome = outcomes.recv_timeout(Duration::from_secs(5)).unwrap();
        assert!(
            matches!(&outcome, Outcome::JobFailed { job: Some(JobId(7)), problem } if problem == "a fault in a rule"),
            "{outcome:?}"
        );
        worker.start(JobId(8), |outbox, _| async move { outbox.send(Outcome::DemoStopped { problem: None }) });
        assert!(matches!(outcomes.recv_timeout(Duration::from_secs(5)), Ok(Outcome::DemoStopped { .. })));
    }

    #[test]
    fn a_job_that_does_not_heed_its_token_is_dropped() {
        let runtime = runtime();
        let (outbox, _outcomes) = Outbox::new(|| {});
        let mut worker = Worker::new(runtime.handle().clone(), outbox, NetworkSettings::default());
        let (held, released) = std::sync::mpsc::channel::<()>();
        worker.start(JobId(1), |_, _| async move {
            std::future::pending::<()>().await;
            drop(held);
        });
        worker.run(Effect::Abort { job: JobId(1) });
        let end = released.recv_timeout(Duration::from_millis(300));
        assert_eq!(end, Err(std::sync::mpsc::RecvTimeoutError::Disconnected), "what it held is let go");
    }
}
