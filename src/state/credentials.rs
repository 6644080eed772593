//! Credentials that the user set, each bound to one origin.

use super::{AgentEntry, State};
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
        let is_at =
            |entry: &&AgentEntry| entry.address == address && !self.discovery.without_address.contains(&entry.id);
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
        comparable(now) == comparable(attempt.credentials_sent())
    }

    pub(super) fn set_credential(&mut self, credential: Credential) {
        self.remove_credential(&credential.origin);
        if !credential.headers.is_empty() {
            self.credentials.push(credential);
        }
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
        };
        state.set_credential(credential("https://a.example", "Bearer 1"));
        state.set_credential(credential("https://a.example", "Bearer 2"));
        state.set_credential(credential("https://b.example", "Bearer 3"));
        assert_eq!(state.credentials_for("https://a.example/rpc"), [credential("https://a.example", "Bearer 2")]);
        for url in ["http://a.example/rpc", "https://a.example:8443/", "https://evil.a.example/", "/rpc"] {
            assert!(state.credentials_for(url).is_empty(), "{url}");
        }
        state.set_credential(Credential { origin: "https://a.example".to_owned(), headers: Vec::new() });
        assert!(state.credentials_for("https://a.example/rpc").is_empty());
    }
}
