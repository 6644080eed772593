//! The card that an agent shows to those it knows: asked for on a click, and held against the public one.

use super::action::Draft;
use super::notices::Choice;
use super::{Action, Effect, EntryId, JobId, Notice, SideRef, State};
use crate::card::facts::Tone;
use crate::client::{Attempt, CallError, CallErrorKind, Retrieval};

impl State {
    /// Asks by the interface that Message would use, and no other.
    pub(super) fn get_extended_card(&mut self) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        let draft = Draft::default();
        let plan = match super::sending::plan(entry, &draft) {
            Ok(plan) => plan,
            Err(notice) => {
                self.notify(notice);
                return Vec::new();
            }
        };
        if let Some(question) = self.objections(entry, &plan, &draft) {
            let hint = "Settle it under Message, where interfaces are chosen, then ask again.";
            self.notify(Notice::new(Tone::Caution, question.title, question.detail).with_hint(hint));
            return Vec::new();
        }
        let title = entry.inspection.as_ref().map_or(&entry.address, |inspection| &inspection.title);
        let (public, name) = (entry.id, format!("{title}, extended card"));
        let endpoint = plan.endpoint;
        let credentials = self.credentials_for(&endpoint.url);
        let (job, mut effects) = self.begin_fetch(&name);
        self.discovery.extending = Some((job, public));
        effects.push(Effect::GetExtendedCard { job, name, endpoint, credentials });
        effects
    }

    /// Says what it was given for, and offers the comparison (field report X4).
    pub(super) fn extended_card_came(&mut self, job: JobId, entry: EntryId, retrieval: &Retrieval) {
        let Some((_, public)) = self.discovery.extending.take_if(|(asked, _)| *asked == job) else { return };
        let with_credentials = retrieval.attempts.iter().any(Attempt::is_with_credentials);
        let mut notice = if with_credentials {
            Notice::new(Tone::Plain, "This is the extended card", "It was given for the credentials that were sent.")
        } else {
            let detail = "None were sent, and it came all the same: whoever asks can read it, which §13.3 forbids.";
            Notice::new(Tone::Caution, "The extended card was returned without credentials", detail)
        };
        if self.discovery.entry(public).is_some() && public != entry {
            let compare = Action::Compare { older: SideRef::Entry(public), newer: SideRef::Entry(entry) };
            notice.choices = vec![Choice { label: "Compare with the public card".to_owned(), actions: vec![compare] }];
        }
        self.notify(notice);
    }

    pub(super) fn extended_card_refused(&mut self, job: JobId, error: &CallError) {
        if self.discovery.pending.take_if(|pending| pending.job == job).is_none() {
            return;
        }
        self.discovery.extending.take_if(|(asked, _)| *asked == job);
        let refused = matches!(&error.kind, CallErrorKind::HttpStatus { status: 401 | 403, .. });
        let hint =
            if refused { "Set a credential for its origin, then ask again." } else { "Traffic has the exchange." };
        self.notify(Notice::new(Tone::Bad, "There is no extended card", format!("{error}.")).with_hint(hint));
        self.offer_to_trust(error.exchange.as_ref(), Some(Action::GetExtendedCard));
    }
}
