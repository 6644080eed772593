//! The way back from jobs to the window: outcomes in order, and a nudge to draw.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use crate::state::Outcome;

/// Sends outcomes to whoever holds the receiver. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    sender: Sender<Outcome>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Outbox {
    /// `wake` is called after each outcome, from any thread.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> (Self, Receiver<Outcome>) {
        let (sender, receiver) = std::sync::mpsc::channel();
        (Self { sender, wake: Arc::new(wake) }, receiver)
    }

    /// An outcome that nobody waits for any more is dropped: the window is closing.
    pub fn send(&self, outcome: Outcome) {
        if self.sender.send(outcome).is_ok() {
            (self.wake)();
        }
    }
}
