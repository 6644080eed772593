//! Certificates that the user trusts although no authority vouches for them: asked first, each at one origin.

use std::sync::Arc;
use std::time::SystemTime;

use super::notices::Choice;
use super::{Action, Effect, Notice, Question, State};
use crate::card::facts::Tone;
use crate::client::{Exchange, RefusedCertificate, Retrieval, TrustedCertificate};

/// The most certificates that are remembered between runs.
const MAX_TRUSTED: usize = 200;

/// The button that leads to the question.
pub const TRUST_LABEL: &str = "Trust this certificate…";

/// Asks whether the certificate is to be trusted, and then does what is to follow.
#[must_use]
pub fn ask_to_trust(certificate: &Arc<RefusedCertificate>, then: Option<Action>) -> Action {
    Action::AskToTrust { certificate: Arc::clone(certificate), then: then.map(Box::new) }
}

/// The certificate that kept a card away, if the user may trust it.
#[must_use]
pub fn refused_certificate(retrieval: &Retrieval) -> Option<&Arc<RefusedCertificate>> {
    let mut exchanges = retrieval.attempts.iter().filter_map(|attempt| attempt.exchanges.last());
    exchanges.find_map(|exchange| exchange.refused_certificate()).filter(|certificate| certificate.can_be_trusted())
}

impl State {
    pub(super) fn ask_to_trust(&mut self, certificate: &Arc<RefusedCertificate>, then: Option<Action>) {
        if !certificate.can_be_trusted() {
            return;
        }
        let mut detail = format!("It was refused: {}.", certificate.problem_words());
        if certificate.trusted.is_some() {
            detail.push_str(
                "\n\nIt is not the certificate that you trusted here. Whoever runs the server may have renewed it, \
                 or somebody else may be answering in their place.",
            );
        }
        detail.push_str(
            "\n\nCompare the SHA-256 fingerprint with what you were told by whoever runs the server. Trusted, this one \
             certificate is accepted at this one address until you remove it in the settings; nothing else changes.",
        );
        let mut actions = vec![Action::TrustCertificate(Arc::clone(certificate))];
        actions.extend(then);
        self.question = Some(Question {
            title: format!("Trust the certificate of {}?", certificate.origin),
            detail,
            facts: certificate.facts(),
            choices: vec![
                Choice { label: "Trust this certificate".to_owned(), actions },
                Choice { label: "Do not trust".to_owned(), actions: Vec::new() },
            ],
            main: 1,
        });
    }

    /// In the place of what was trusted at the origin before.
    pub(super) fn trust(&mut self, certificate: &RefusedCertificate) -> Vec<Effect> {
        let RefusedCertificate { origin, sha256, .. } = certificate.clone();
        self.forget_trusted(&origin);
        let trusted = &mut self.settings.network.trusted;
        trusted.push(TrustedCertificate { origin, sha256, since: SystemTime::now() });
        if trusted.len() > MAX_TRUSTED {
            trusted.remove(0);
        }
        vec![Effect::UseNetworkSettings(self.settings.network.clone())]
    }

    pub(super) fn stop_trusting(&mut self, origin: &str) -> Vec<Effect> {
        self.forget_trusted(origin);
        vec![Effect::UseNetworkSettings(self.settings.network.clone())]
    }

    fn forget_trusted(&mut self, origin: &str) {
        let network = &mut self.settings.network;
        network.trusted.retain(|trusted| trusted.origin != origin);
        network.trusted_in_this_run.retain(|trusted| trusted.origin != origin);
    }

    /// Offers to trust the certificate for which a message or question did not reach the agent.
    pub(super) fn offer_to_trust(&mut self, exchange: Option<&Arc<Exchange>>, then: Option<Action>) {
        let certificate = exchange.and_then(|exchange| exchange.refused_certificate());
        let Some(certificate) = certificate.filter(|certificate| certificate.can_be_trusted()) else { return };
        let title = format!("The certificate of {} is not trusted", certificate.origin);
        let mut notice = Notice::new(Tone::Bad, title, "Nothing was sent to it.");
        notice.choices = vec![Choice { label: TRUST_LABEL.to_owned(), actions: vec![ask_to_trust(certificate, then)] }];
        self.notify(notice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{CertificateProblem, Fingerprint};
    use crate::state::Settings;

    fn certificate(origin: &str, der: &[u8], problem: CertificateProblem) -> Arc<RefusedCertificate> {
        Arc::new(RefusedCertificate {
            origin: origin.to_owned(),
            sha256: Fingerprint::of(der),
            problem,
            subject: Some("'Larder'".to_owned()),
            issuer: Some("'Larder'".to_owned()),
            names: vec!["localhost".to_owned()],
            validity: None,
            trusted: None,
        })
    }

    fn ask(state: &mut State, certificate: &Arc<RefusedCertificate>) {
        assert!(state.apply(ask_to_trust(certificate, Some(Action::StartDemo))).is_empty());
    }

    #[test]
    fn nothing_is_trusted_without_the_choice_and_only_at_its_origin() {
        let mut state = State::default();
        let shown = certificate("https://a.example:8443", b"one", CertificateProblem::SelfSigned);
        ask(&mut state, &shown);
        let question = state.question.as_ref().unwrap();
        let values: Vec<&str> = question.facts.iter().map(|(_, value)| &**value).collect();
        assert!(values.contains(&shown.sha256.to_string().as_str()), "the whole fingerprint: {values:?}");
        assert_eq!(question.choices[question.main].label, "Do not trust");
        let last = question.choices.len() - 1;
        assert!(state.apply(Action::AnswerQuestion { choice: last }).is_empty());
        assert!(state.settings.network.trusted.is_empty());

        ask(&mut state, &shown);
        let effects = state.apply(Action::AnswerQuestion { choice: 0 });
        assert!(matches!(&effects[..], [Effect::UseNetworkSettings(_), Effect::StartDemo { .. }]), "{effects:?}");
        let trusted = |state: &State, origin: &str| state.settings.network.trusted_at(origin).collect::<Vec<_>>();
        assert_eq!(trusted(&state, "https://a.example:8443"), [shown.sha256]);
        assert!(trusted(&state, "https://a.example").is_empty());

        // The newer takes the place of the older.
        let newer = certificate("https://a.example:8443", b"two", CertificateProblem::Expired);
        ask(&mut state, &newer);
        let _ = state.apply(Action::AnswerQuestion { choice: 0 });
        assert_eq!(trusted(&state, "https://a.example:8443"), [newer.sha256]);
        let effects = state.apply(Action::StopTrusting { origin: "https://a.example:8443".to_owned() });
        assert!(matches!(&effects[..], [Effect::UseNetworkSettings(network)] if network.trusted.is_empty()));
    }

    #[test]
    fn a_revoked_certificate_is_not_offered() {
        let mut state = State::default();
        ask(&mut state, &certificate("https://a.example", b"one", CertificateProblem::Revoked));
        assert!(state.question.is_none());
    }

    #[test]
    fn settings_that_were_open_do_not_forget_what_is_trusted() {
        let mut state = State::default();
        let draft = state.settings.clone();
        let shown = certificate("https://a.example", b"one", CertificateProblem::SelfSigned);
        let _ = state.apply(Action::TrustCertificate(shown));
        let _ = state.apply(Action::ChangeSettings(Settings { zoom: 1.5, ..draft }));
        assert_eq!(state.settings.network.trusted.len(), 1);
        let kept = serde_json::to_string(&state.settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&kept).unwrap(), state.settings);
        // A file of before there was anything to trust.
        let older: Settings = serde_json::from_str(r#"{"network": {"proxy": "System", "ca_file": null}}"#).unwrap();
        assert!(older.network.trusted.is_empty());
    }
}
