//! The model: what is known and what is under way; no egui, no tokio, no I/O.
//!
//! [`State::apply`] takes what the user asked for, [`State::absorb`] what came back; both answer with the
//! [`Effect`]s that the worker has to carry out. Panes read the fields and change nothing.

pub mod action;
mod browsing;
pub mod catalogs;
pub mod comparison;
pub mod conversation;
pub mod conversation_markdown;
mod conversing;
mod credentials;
mod deleting;
mod demo;
pub mod discovery;
pub mod earlier;
mod earlier_conversing;
pub mod effect;
mod extended_card;
mod fetching;
mod files;
mod following;
pub mod kept;
mod merging;
pub mod notices;
mod objections;
pub mod outcome;
mod sending;
pub mod settings;
#[cfg(test)]
mod testing;
pub mod timeline;
pub mod traffic;
mod transcripts;
pub mod trusting;
pub mod watching;

pub use action::{
    Action, ComparisonAction, ConversationAction, Deletion, Draft, DraftPart, EarlierAction, Export, HistoryAction,
};
pub use catalogs::{Catalog, CatalogAction, CatalogId, CatalogView, Catalogs};
pub use comparison::{Age, Compared, Comparison, SideRef};
pub use conversation::{Conversation, Ending, Progress, TimelineEvent, Turn};
pub use demo::Demo;
pub use discovery::{AgentEntry, Discovery, EntryId, PendingFetch};
pub use earlier::{ConversationList, EarlierConversations, PastConversation, ShownConversation};
pub use effect::{Effect, FilePurpose, HistoryEffect, Recording};
pub use kept::{HistoryPlace, InHistory, Kept};
pub use notices::{Choice, Notice, Question};
pub use outcome::{ChangeKind, HistoryOutcome, Outcome, VersionChange};
pub use sending::message_request;
pub use settings::{RememberedCatalog, RememberedPair, RememberedSide, Settings, ThemeChoice};
pub use traffic::{Traffic, TrafficRow};
pub use transcripts::{event_record, interface_record, millis};
pub use watching::Watching;

use std::path::PathBuf;

use bytes::Bytes;

use crate::card::JsonPointer;
use crate::card::facts::Tone;
use crate::client::Credential;

/// Identifies one asynchronous request; an outcome whose id is no longer current is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// Which view of the current agent is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum View {
    #[default]
    Inspect,
    Compare,
    Message,
}

/// Everything the window shows.
#[derive(Debug, Default)]
pub struct State {
    pub discovery: Discovery,
    pub catalogs: Catalogs,
    pub kept: Kept,
    pub watching: Watching,
    pub view: View,
    /// The selected member of the current card, the same in fields and JSON.
    pub selection: Option<JsonPointer>,
    pub comparison: Comparison,
    pub traffic: Traffic,
    pub notices: Vec<Notice>,
    /// Something only the user can decide; shown as a dialog until answered.
    pub question: Option<Question>,
    pub settings: Settings,
    pub demo: Demo,
    /// Set before or after a card is fetched, each for one origin; never saved.
    pub credentials: Vec<Credential>,
    /// The file that the dialog gave last for a client certificate, for whoever is setting one.
    pub picked_client_certificate: Option<PathBuf>,
    /// Files of the message being written, in order; the composer sends them as parts and `Send` empties the list.
    pub attachments: Vec<Attachment>,
    last_id: u64,
}

impl State {
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let mut state = Self { settings, ..Self::default() };
        let remembered = state.settings.catalogs.clone();
        state.catalogs = Catalogs::remembered(&remembered, || state.next_id());
        state
    }

    /// Carries out what the user asked for; the effects are for the worker, in order.
    #[must_use]
    pub fn apply(&mut self, action: Action) -> Vec<Effect> {
        let mut effects = self.carry_out(action);
        effects.extend(self.settle_comparison());
        effects
    }

    fn carry_out(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::FetchCard { address } => self.fetch_card(&address, false),
            Action::RefreshCard => self.refresh_card(false),
            Action::RefetchCard => self.refresh_card(true),
            Action::CancelFetch => self.cancel_fetch(),
            Action::OpenFile { path } => self.open_file(path),
            Action::OpenBytes { name, bytes } => self.open_bytes(name, bytes),
            Action::GetExtendedCard => self.get_extended_card(),
            Action::ConnectWithoutCard(connection) => self.connect_without_card(connection),
            Action::SelectAgent { entry } => self.select_agent(entry),
            Action::CloseAgent { entry } => self.close_agent(entry),
            Action::ShowAlternative => self.show_alternative(),
            Action::ShowAttempt { attempt } => self.show_attempt(attempt),
            Action::CompareWithPrevious { entry } => self.compare_with_previous(entry),
            Action::Comparison(action) => self.apply_comparison(action),
            Action::Conversation(action) => self.apply_conversation(action),
            Action::Earlier(action) => self.apply_earlier(action),
            Action::Catalog(action) => self.apply_catalog(action),
            Action::History(action) => self.apply_history(action),
            Action::AnswerQuestion { choice } => self.answer_question(choice),
            Action::StartDemo | Action::StopDemo | Action::SwitchDemoRevision => self.apply_demo(&action),
            Action::PickCardFile => vec![Effect::PickFile { purpose: FilePurpose::OpenCard }],
            Action::PickAttachment => vec![Effect::PickFile { purpose: FilePurpose::Attach }],
            Action::PickCaFile => vec![Effect::PickFile { purpose: FilePurpose::CaFile }],
            Action::PickClientCertificate => {
                // The same file may be picked again.
                self.picked_client_certificate = None;
                vec![Effect::PickFile { purpose: FilePurpose::ClientCertificate }]
            }
            Action::SetCredential(credential) => self.set_credential(credential),
            Action::TrustCertificate(certificate) => self.trust(&certificate),
            Action::StopTrusting { origin } => self.stop_trusting(&origin),
            Action::AttachFile { path } => vec![Effect::ReadAttachment { path }],
            Action::SaveFile { suggested_name, bytes } => vec![Effect::SaveFile { suggested_name, bytes }],
            Action::SaveTraffic => {
                vec![Effect::SaveTraffic {
                    exchanges: self.traffic.rows.iter().map(|row| row.exchange.clone()).collect(),
                }]
            }
            Action::OpenLink { url } => self.open_link(url),
            Action::ChangeSettings(settings) => self.change_settings(settings),
            here_only => {
                self.apply_here(here_only);
                Vec::new()
            }
        }
    }

    /// The actions that the worker has no part in.
    fn apply_here(&mut self, action: Action) {
        match action {
            Action::Select { pointer } => self.selection = pointer,
            Action::ShowView(view) => self.view = view,
            Action::Compare { older, newer } => self.compare(older, newer),
            Action::AskToTrust { certificate, then } => self.ask_to_trust(&certificate, then.map(|then| *then)),
            Action::RemoveCredential { origin } => self.remove_credential(&origin),
            Action::DismissNotice { index } => self.dismiss_notice(index),
            Action::RemoveAttachment { index } => self.remove_attachment(index),
            Action::ClearTraffic => self.traffic.clear(),
            // Which one is the panel's own business.
            Action::ShowExchange(_) => self.settings.traffic_open = true,
            Action::Copied { what } => self.notify(Notice::new(Tone::Plain, "Copied", what)),
            _ => {}
        }
    }

    /// Takes in what the worker sent. An outcome whose job is no longer current changes nothing.
    #[must_use]
    pub fn absorb(&mut self, outcome: Outcome) -> Vec<Effect> {
        let mut effects = self.take_in(outcome);
        effects.extend(self.settle_comparison());
        effects
    }

    fn take_in(&mut self, outcome: Outcome) -> Vec<Effect> {
        match outcome {
            Outcome::AttemptMade { job, attempt } => self.attempt_made(job, attempt),
            Outcome::CardFetched { job, retrieval, inspection } => {
                return self.card_fetched(job, retrieval, inspection);
            }
            Outcome::History(outcome) => return self.absorb_history(outcome),
            Outcome::ExtendedCardRefused { job, error } => self.extended_card_refused(job, &error),
            Outcome::DocumentInspected { job, inspection } => self.document_inspected(job, inspection),
            Outcome::CatalogAnswered { job, answer } => self.catalog_answered(job, *answer),
            Outcome::SideLoaded { job, result } => self.side_loaded(job, result),
            Outcome::Compared { job, compared } => self.compared(job, compared),
            Outcome::Exchanged(exchange) => self.traffic.push(exchange),
            Outcome::MessageAnswered { job, result } => {
                self.message_answered(job, result);
                return self.keep_progress_of(job);
            }
            Outcome::TaskUpdated { job, answer } => {
                self.task_updated(job, answer);
                return self.keep_conversation_of(job);
            }
            Outcome::Tick { now } => return self.tick(now),
            Outcome::PollFailed { job, error, retry_in } => self.poll_failed(job, &error, retry_in),
            Outcome::FollowingEnded { job, why } => {
                self.following_ended(job, why);
                return self.keep_conversation_of(job);
            }
            Outcome::TaskCancelAnswered { job, result } => {
                let turn = self.turn_that_cancels(job);
                let mut effects = self.task_cancel_answered(job, result);
                effects.extend(turn.into_iter().flat_map(|turn| self.keep_conversation_of(turn)));
                return effects;
            }
            Outcome::DemoStarted { address, revision } => return self.demo_started(&address, revision),
            Outcome::DemoStopped { problem } => self.demo_stopped(problem),
            Outcome::FilePicked { purpose, path, at_once } => return self.file_picked(purpose, path, at_once),
            Outcome::AttachmentRead { name, result } => self.attachment_read(name, result),
            Outcome::ClientCertificateRefused { problem } => self.notify(
                Notice::new(Tone::Bad, "The client certificate cannot be used", problem)
                    .with_hint("Nothing is sent to its origin until another one is set, or none."),
            ),
            Outcome::NetworkSettingsRefused { problem } => self.notify(
                Notice::new(Tone::Bad, "The network settings cannot be used", problem)
                    .with_hint("Nothing is asked or sent until they are changed."),
            ),
            Outcome::FileSaved { result } => self.file_saved(result),
            Outcome::JobFailed { job, problem } => {
                self.job_failed(job, problem);
                return job.map_or_else(Vec::new, |job| self.keep_conversation_of(job));
            }
        }
        Vec::new()
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn next_job(&mut self) -> JobId {
        JobId(self.next_id())
    }

    /// A job that broke is over, whatever it was.
    fn job_failed(&mut self, job: Option<JobId>, problem: String) {
        if let Some(job) = job {
            self.fetch_broke(job);
            self.catalog_broke(job);
            self.turn_broke(job, &problem);
            self.comparison_broke(job, &problem);
        }
        self.notify(
            Notice::new(Tone::Bad, "Something in Cardscope broke", problem)
                .with_hint("This is a fault of Cardscope itself, not of the agent. The other work goes on."),
        );
    }
}

/// A file that waits to be sent; an empty file is a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    pub bytes: Bytes,
}
