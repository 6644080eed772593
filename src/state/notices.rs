//! What the user has to know or to decide.

use super::action::Action;
use crate::card::facts::Tone;

/// A message that stays until dismissed or replaced.
#[derive(Clone, Debug)]
pub struct Notice {
    pub tone: Tone,
    pub title: String,
    pub detail: String,
    /// What to do next; may be empty.
    pub hint: String,
    /// Offered as buttons.
    pub choices: Vec<Choice>,
}

/// Something only the user can decide; the last choice is the one that Escape takes.
#[derive(Clone, Debug)]
pub struct Question {
    pub title: String,
    pub detail: String,
    pub choices: Vec<Choice>,
}

/// A button and what it does; no actions means "leave it".
#[derive(Clone, Debug)]
pub struct Choice {
    pub label: String,
    pub actions: Vec<Action>,
}
