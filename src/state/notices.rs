//! What the user has to know or to decide.

use super::action::Action;
use super::{Effect, EntryId, State};
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
    /// The entry whose card did not come: once it does, there is nothing left to tell.
    pub(super) until_card_of: Option<EntryId>,
}

impl Notice {
    #[must_use]
    pub fn new(tone: Tone, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            tone,
            title: title.into(),
            detail: detail.into(),
            hint: String::new(),
            choices: Vec::new(),
            until_card_of: None,
        }
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// Something only the user can decide; the last choice is the one that Escape takes.
#[derive(Clone, Debug)]
pub struct Question {
    pub title: String,
    pub detail: String,
    /// Names and values to decide by, each in a row.
    pub facts: Vec<(&'static str, String)>,
    pub choices: Vec<Choice>,
    /// Index of the choice that stands out.
    pub main: usize,
}

/// The most notices kept at a time.
const MAX_NOTICES: usize = 6;

impl State {
    /// Shows a notice, newest last; one of the same title takes the place of the older.
    pub(super) fn notify(&mut self, notice: Notice) {
        self.notices.retain(|other| other.title != notice.title);
        self.notices.push(notice);
        if self.notices.len() > MAX_NOTICES {
            self.notices.remove(0);
        }
    }

    /// Withdraws what was only true until the card of `entry` came, or until the entry was closed.
    pub(super) fn withdraw_notices_of(&mut self, entry: EntryId) {
        self.notices.retain(|notice| notice.until_card_of != Some(entry));
    }

    pub(super) fn dismiss_notice(&mut self, index: usize) {
        if index < self.notices.len() {
            self.notices.remove(index);
        }
    }

    /// Carries out what the user chose; anything out of range leaves things as they are.
    pub(super) fn answer_question(&mut self, choice: usize) -> Vec<Effect> {
        let Some(mut question) = self.question.take() else { return Vec::new() };
        if choice >= question.choices.len() {
            return Vec::new();
        }
        let actions = question.choices.swap_remove(choice).actions;
        actions.into_iter().flat_map(|action| self.apply(action)).collect()
    }
}

/// A button and what it does; no actions means "leave it".
#[derive(Clone, Debug)]
pub struct Choice {
    pub label: String,
    pub actions: Vec<Action>,
}
