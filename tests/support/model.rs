//! The model and the worker as the window joins them, without the window.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use cardscope::state::{
    Action, Conversation, ConversationAction, Draft, DraftPart, Effect, HistoryPlace, Outcome, Settings, State, Turn,
};
use cardscope::worker::{Outbox, Worker};

/// State and Worker joined by their queue.
pub struct Model {
    pub state: State,
    pub worker: Option<Worker>,
    outcomes: Receiver<Outcome>,
    _runtime: tokio::runtime::Runtime,
}

impl Model {
    pub fn new() -> Self {
        Self::with_budget(60)
    }

    /// Keeps what it sees in `folder`, and knows what was kept there before.
    pub fn keeping(folder: &std::path::Path) -> Self {
        Self::keeping_with(folder, Settings { poll_budget_secs: 60, ..Settings::default() })
    }

    /// The same with the preferences of the last run.
    pub fn keeping_with(folder: &std::path::Path, settings: Settings) -> Self {
        let mut model = Self::with_settings(settings);
        model.worker = model.worker.map(|worker| worker.with_history(Some(folder.to_owned())));
        model.until("the history is open", |state| state.kept.place != HistoryPlace::Opening);
        model
    }

    /// Tasks are followed for `seconds`.
    pub fn with_budget(seconds: u64) -> Self {
        Self::with_settings(Settings { poll_budget_secs: seconds, ..Settings::default() })
    }

    /// What the preferences of the last run make of it.
    pub fn with_settings(settings: Settings) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (outbox, outcomes) = Outbox::new(|| {});
        let worker = Some(Worker::new(runtime.handle().clone(), outbox, settings.network.clone()));
        Self { state: State::new(settings), worker, outcomes, _runtime: runtime }
    }

    /// A model with the card of `address` on screen.
    pub fn showing(address: &str) -> Self {
        let mut model = Self::new();
        model.open(address);
        model
    }

    pub fn open(&mut self, address: &str) {
        self.apply(Action::FetchCard { address: address.to_owned() });
        self.until("the card is there", |state| state.discovery.pending.is_none());
        let entry = self.state.discovery.current_entry().unwrap();
        assert!(entry.retrieval.found_card, "{}", entry.retrieval.verdict);
    }

    pub fn apply(&mut self, action: Action) {
        let effects = self.state.apply(action);
        self.run(effects);
    }

    pub fn converse(&mut self, action: ConversationAction) {
        self.apply(Action::Conversation(action));
    }

    /// Sends text; whether it goes out at once is the model's decision.
    pub fn send(&mut self, text: &str) {
        let parts = vec![DraftPart::Text(text.to_owned())];
        self.converse(ConversationAction::Send(Draft { parts, ..Draft::default() }));
    }

    /// Sends text and waits for the end of the turn.
    pub fn send_to_the_end(&mut self, text: &str) -> &Turn {
        self.send(text);
        assert!(self.state.question.is_none(), "{:?}", self.state.question);
        self.until("the turn is over", |state| conversation(state).running_turn().is_none());
        self.turn()
    }

    /// Takes in one outcome as if it had come from the worker.
    pub fn absorb(&mut self, outcome: Outcome) {
        let effects = self.state.absorb(outcome);
        self.run(effects);
    }

    /// Takes in outcomes until `condition` holds; panics after ten seconds.
    pub fn until(&mut self, what: &str, condition: impl Fn(&State) -> bool) {
        let end = Instant::now() + Duration::from_secs(10);
        while !condition(&self.state) {
            let left = end.saturating_duration_since(Instant::now());
            let outcome = self.outcomes.recv_timeout(left);
            let effects = self.state.absorb(outcome.unwrap_or_else(|_| panic!("waited in vain until {what}")));
            self.run(effects);
        }
    }

    pub fn conversation(&self) -> &Conversation {
        conversation(&self.state)
    }

    /// The newest turn.
    pub fn turn(&self) -> &Turn {
        self.conversation().turns.last().unwrap()
    }

    fn run(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Some(worker) = &mut self.worker {
                worker.run(effect);
            }
        }
    }
}

fn conversation(state: &State) -> &Conversation {
    &state.discovery.current_entry().unwrap().conversation
}
