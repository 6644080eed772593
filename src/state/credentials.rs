//! Credentials that the user set, each bound to one origin.

use super::{AgentEntry, Effect, State};
use crate::client::{Attempt, Credential, KeptCopy, Known, Secret};

/// The origin (scheme, host, port) of an http or https URL, in the form that [`Credential::origin`] has.
pub(super) fn origin_of(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}

impl State {
    /// What goes along with a request to `url`: only what was set for exactly its origin.
    pub(super) fn credentials_for(&self, url: &str) -> Vec<Credential> {
        let origin = origin_of(url);
        self.credentials.iter().filter(|credential| Some(&credential.origin) == origin.as_ref()).cloned().collect()
    }

    /// What an address that was fetched before has to be asked by. A copy that was obtained with other credentials
    /// than would go along now is another identity's.
    pub(super) fn known_of(&self, address: &str, anew: bool) -> Known {
        let is_at = |entry: &&AgentEntry| entry.address == address && entry.has_address();
        let attempts = self.discovery.entries.iter().filter(is_at).flat_map(|entry| &entry.retrieval.attempts);
        let copies = attempts.filter_map(|attempt| {
            let copy = attempt.kept.as_ref()?;
            self.would_ask_alike(attempt, copy).then(|| copy.clone())
        });
        Known { copies: copies.collect(), anew }
    }

    fn would_ask_alike(&self, attempt: &Attempt, copy: &KeptCopy) -> bool {
        let credentials = self.credentials_for(&copy.final_url);
        let now = credentials.iter().flat_map(|credential| &credential.headers).map(|(name, value)| (&**name, value));
        let certificate = credentials.iter().find_map(|credential| credential.client_certificate.as_ref());
        let shown = attempt.client_certificate_sent().map(|sent| &sent.path);
        shown == certificate && comparable(now) == comparable(attempt.credentials_sent())
    }

    pub(super) fn set_credential(&mut self, credential: Credential) -> Vec<Effect> {
        self.remove_credential(&credential.origin);
        if credential.is_empty() {
            return Vec::new();
        }
        // Whether the file can be used is better known now than at the next request.
        let check = credential.client_certificate.clone().map(|path| Effect::CheckClientCertificate { path });
        self.credentials.push(credential);
        check.into_iter().collect()
    }

    /// Also forgets what the user agreed to send to: that was said about other credentials.
    pub(super) fn remove_credential(&mut self, origin: &str) {
        self.credentials.retain(|credential| credential.origin != origin);
        for entry in &mut self.discovery.entries {
            entry.conversation.confirmed.clear();
        }
    }
}

/// Header lines whatever their order, the case of their names, and the space around them.
pub(super) fn comparable<'a>(headers: impl Iterator<Item = (&'a str, &'a Secret)>) -> Vec<(String, &'a str)> {
    let mut headers: Vec<_> =
        headers.map(|(name, value)| (name.trim().to_ascii_lowercase(), value.reveal().trim())).collect();
    headers.sort_unstable();
    headers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Secret;

    #[test]
    fn a_credential_belongs_to_one_origin() {
        let mut state = State::default();
        let credential = |origin: &str, value: &str| Credential {
            origin: origin.to_owned(),
            headers: vec![("Authorization".to_owned(), Secret::new(value))],
            client_certificate: None,
        };
        for (origin, value) in [("a", "Bearer 1"), ("a", "Bearer 2"), ("b", "Bearer 3")] {
            assert!(state.set_credential(credential(&format!("https://{origin}.example"), value)).is_empty());
        }
        assert_eq!(state.credentials_for("https://a.example/rpc"), [credential("https://a.example", "Bearer 2")]);
        for url in ["http://a.example/rpc", "https://a.example:8443/", "https://evil.a.example/", "/rpc"] {
            assert!(state.credentials_for(url).is_empty(), "{url}");
        }
        let certificate = Credential {
            origin: "https://a.example".to_owned(),
            client_certificate: Some("clerk.pem".into()),
            ..Credential::default()
        };
        let effects = state.set_credential(certificate.clone());
        assert!(matches!(&effects[..], [Effect::CheckClientCertificate { path }] if path.ends_with("clerk.pem")));
        assert_eq!(state.credentials_for("https://a.example/rpc"), [certificate]);
        let none = Credential { origin: "https://a.example".to_owned(), ..Credential::default() };
        assert!(state.set_credential(none).is_empty());
        assert!(state.credentials_for("https://a.example/rpc").is_empty());
    }
}
