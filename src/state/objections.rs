//! What speaks against sending to an interface, asked before anything is sent (field reports D10 to D12, H3).

use super::action::{ConversationAction, Draft};
use super::credentials::origin_of;
use super::sending::Plan;
use super::{Action, AgentEntry, Choice, Question, State};
use crate::card::facts::AddressFlagKind;
use crate::client::Credential;

impl State {
    /// What the user has to agree to before this is sent; `None` if nothing speaks against it.
    pub(super) fn objections(&self, entry: &AgentEntry, plan: &Plan, draft: &Draft) -> Option<Question> {
        let conversation = &entry.conversation;
        if conversation.confirmed.contains(&plan.row) {
            return None;
        }
        let interface = entry.inspection.as_ref()?.interfaces.rows.get(plan.row)?;
        let url = &plan.endpoint.url;
        // Plain http matters only where a secret would travel over it; that is asked for below.
        let flag = interface
            .flag
            .as_ref()
            .filter(|flag| flag.kind != AddressFlagKind::PlainText && !conversation.addresses.contains_key(&plan.row));
        let own = self.credentials_for(url);
        let foreign = if own.is_empty() { self.card_credentials(entry, url) } else { None };
        let in_clear = !own.is_empty() && is_in_clear(url);

        let mut reasons = Vec::new();
        let mut choices = Vec::new();
        let send = Action::Conversation(ConversationAction::Send(draft.clone()));
        let confirm = Action::Conversation(ConversationAction::ConfirmInterface { row: plan.row });
        if let Some(flag) = flag {
            reasons.push(flag.text.clone());
            if let Some(suggestion) = &flag.suggestion {
                let row = plan.row;
                choices.push(Choice {
                    label: format!("Use {suggestion}"),
                    actions: vec![Action::Conversation(ConversationAction::UseSuggestedAddress { row }), send.clone()],
                });
            }
        }
        if let Some((credential, origin)) = &foreign {
            reasons.push(format!(
                "A credential is set for {}, where the card came from. This interface is at {origin}, another \
                 origin: the credential does not go there unless you say so.",
                credential.origin
            ));
            // A client certificate is for its own origin alone.
            let (origin, headers) = (origin.clone(), credential.headers.clone());
            let shared = Credential { origin, headers, client_certificate: None };
            choices.push(Choice {
                label: format!("Send the credential to {} as well", shared.origin),
                actions: vec![Action::SetCredential(shared), confirm.clone(), send.clone()],
            });
        }
        if in_clear {
            reasons.push("The credential would travel over plain http, readable on the way.".to_owned());
        }
        if reasons.is_empty() {
            return None;
        }
        if origin_of(url).is_some() {
            let label = if foreign.is_some() { "Send without the credential" } else { "Send anyway" };
            choices.push(Choice { label: label.to_owned(), actions: vec![confirm, send] });
        }
        choices.push(Choice { label: "Cancel".to_owned(), actions: Vec::new() });
        let title = if url.is_empty() { "Send without an address?".to_owned() } else { format!("Send to {url}?") };
        Some(Question { title, detail: reasons.join("\n\n"), facts: Vec::new(), choices, main: 0 })
    }

    /// The credential of the card's own origin, if the interface lies at another one.
    fn card_credentials(&self, entry: &AgentEntry, url: &str) -> Option<(&Credential, String)> {
        let card_origin = origin_of(entry.card_url()?)?;
        let origin = origin_of(url)?;
        let is_of_card = |credential: &&Credential| credential.origin == card_origin && !credential.headers.is_empty();
        let credential = self.credentials.iter().find(is_of_card)?;
        (origin != card_origin).then_some((credential, origin))
    }
}

/// Whether what goes to `url` can be read on the way.
pub(super) fn is_in_clear(url: &str) -> bool {
    let is_loopback = |url: &str| url::Url::parse(url).is_ok_and(|url| crate::card::address::is_loopback(&url));
    url.starts_with("http://") && !is_loopback(url)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{converse, draft, flagged, json_rpc, send, state_with};
    use super::*;
    use crate::card::facts::AddressFlag;
    use crate::client::Secret;
    use crate::state::Effect;

    fn wildcard(suggestion: Option<&str>) -> AddressFlag {
        AddressFlag {
            kind: AddressFlagKind::Wildcard,
            text: "0.0.0.0 is where the server listens.".to_owned(),
            suggestion: suggestion.map(str::to_owned),
        }
    }

    fn labels(state: &State) -> Vec<&str> {
        state.question.iter().flat_map(|question| &question.choices).map(|choice| &*choice.label).collect()
    }

    fn url_of(effects: &[Effect]) -> &str {
        match effects {
            [.., Effect::SendMessage { endpoint, .. }] => &endpoint.url,
            other => panic!("nothing was sent: {other:?}"),
        }
    }

    fn credential(origin: &str) -> Credential {
        Credential {
            origin: origin.to_owned(),
            headers: vec![("Authorization".to_owned(), Secret::new("Bearer 1234567890"))],
            client_certificate: None,
        }
    }

    #[test]
    fn a_flagged_address_is_asked_about_and_remembered() {
        let suggestion = "https://pub.example:8000/";
        let rows = vec![flagged("http://0.0.0.0:8000/", wildcard(Some(suggestion)))];
        let mut state = state_with(rows.clone());
        assert!(converse(&mut state, ConversationAction::Send(draft("hello"))).is_empty());
        assert_eq!(labels(&state), ["Use https://pub.example:8000/", "Send anyway", "Cancel"]);
        assert!(state.apply(Action::AnswerQuestion { choice: 2 }).is_empty());
        assert!(state.question.is_none());

        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        assert_eq!(url_of(&state.apply(Action::AnswerQuestion { choice: 0 })), suggestion);
        let _ = converse(&mut state, ConversationAction::Stop);
        let (_, effect) = send(&mut state, "not asked again");
        assert_eq!(url_of(&[effect]), suggestion);
        let entry = state.discovery.current_entry().unwrap();
        assert_eq!(entry.inspection.as_ref().unwrap().interfaces.rows, rows, "the card itself never changes");

        let _ = converse(&mut state, ConversationAction::NewConversation);
        let _ = converse(&mut state, ConversationAction::Send(draft("asked again")));
        assert_eq!(url_of(&state.apply(Action::AnswerQuestion { choice: 1 })), "http://0.0.0.0:8000/");
    }

    #[test]
    fn what_is_no_address_cannot_be_sent_to() {
        let flag = AddressFlag { kind: AddressFlagKind::Relative, ..wildcard(Some("https://pub.example/rpc")) };
        let mut state = state_with(vec![flagged("/rpc", flag)]);
        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        assert_eq!(labels(&state), ["Use https://pub.example/rpc", "Cancel"]);
    }

    #[test]
    fn a_credential_goes_to_another_origin_only_when_the_user_says_so() {
        let mut state = state_with(vec![json_rpc("https://evil.example/rpc")]);
        let _ = state.apply(Action::SetCredential(credential("https://pub.example")));
        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        assert_eq!(
            labels(&state),
            ["Send the credential to https://evil.example as well", "Send without the credential", "Cancel"]
        );
        let effects = state.apply(Action::AnswerQuestion { choice: 1 });
        assert!(matches!(&effects[..], [Effect::SendMessage { credentials, .. }] if credentials.is_empty()));

        let mut state = state_with(vec![json_rpc("https://evil.example/rpc")]);
        let _ = state.apply(Action::SetCredential(credential("https://pub.example")));
        let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
        let effects = state.apply(Action::AnswerQuestion { choice: 0 });
        let [Effect::SendMessage { credentials, .. }] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!(credentials[..], [credential("https://evil.example")]);
    }

    #[test]
    fn a_credential_over_plain_http_is_asked_about_but_not_on_loopback() {
        for (url, asks) in [("http://pub.example/rpc", true), ("http://127.0.0.1:7/rpc", false)] {
            let mut state = state_with(vec![json_rpc(url)]);
            let _ = state.apply(Action::SetCredential(credential(&origin_of(url).unwrap())));
            let _ = converse(&mut state, ConversationAction::Send(draft("hello")));
            assert_eq!(state.question.is_some(), asks, "{url}");
        }
        let flag = AddressFlag { kind: AddressFlagKind::PlainText, ..wildcard(None) };
        let mut state = state_with(vec![flagged("http://pub.example/rpc", flag)]);
        send(&mut state, "without a credential there is nothing to protect");
    }
}
