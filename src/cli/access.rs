//! How a command reaches servers: its client, and credentials bound to the origin of the address.

use std::sync::Arc;
use std::time::SystemTime;

use tokio_util::sync::CancellationToken;

use super::arguments::AskArguments;
use super::kept::agent_of;
use crate::card::address::{Address, Target};
use crate::client::{Client, Credential, Fingerprint, NetworkSettings, Retrieval, Secret, TrustedCertificate};

/// A client and what goes along with its requests.
pub(super) struct Access {
    pub client: Client,
    pub credentials: Vec<Credential>,
    /// Of the client certificate among them.
    pub client_certificate: Option<Fingerprint>,
    /// What `--trust-certificate` is about.
    pub origin: Option<String>,
}

impl Access {
    /// # Errors
    /// One sentence for the user.
    pub(super) async fn new(address: &str, ask: &AskArguments) -> Result<Self, String> {
        let address = agent_of(address);
        let credentials = credentials(address, ask)?;
        let client_certificate = match &ask.client_certificate {
            Some(path) => Some(Client::read_client_certificate(path).await.map_err(|error| error.to_string())?),
            None => None,
        };
        let trusted_in_this_run = trusted(address, ask)?.into_iter().collect();
        let settings = NetworkSettings { trusted_in_this_run, ..NetworkSettings::default() };
        let client = Client::new(&settings, Arc::new(|_| {})).map_err(|error| error.to_string())?;
        Ok(Self { client, credentials, client_certificate, origin: origin(address) })
    }

    /// A client for two addresses. Credentials go to the one origin that the addresses have between them.
    ///
    /// # Errors
    /// One sentence for the user; also where it is open which of two origins is meant.
    pub(super) async fn for_both(older: &str, newer: &str, ask: &AskArguments) -> Result<Self, String> {
        let (older, newer) = (agent_of(older), agent_of(newer));
        let asked = match (origin(older), origin(newer)) {
            (Some(before), Some(after)) if before != after && ask.is_for_one_origin() => {
                return Err("A header, token or certificate is for one origin only, and the two cards are on \
                            different ones. Save the card that needs none to a file and name the file instead."
                    .to_owned());
            }
            (None, Some(_)) => newer,
            _ => older,
        };
        Self::new(asked, ask).await
    }

    pub(super) async fn discover(&self, address: &str) -> Retrieval {
        let on_attempt = |_: &_| {};
        self.client.discover(address, &self.credentials, &on_attempt, &CancellationToken::new()).await
    }
}

/// The headers, token and client certificate of the command line, bound to the origin of `address`.
///
/// # Errors
/// One sentence for the user, without any secret in it.
pub fn credentials(address: &str, ask: &AskArguments) -> Result<Vec<Credential>, String> {
    let mut headers = ask.headers.iter().map(|line| header(line)).collect::<Result<Vec<_>, _>>()?;
    headers.extend(ask.bearer_env.as_deref().map(bearer).transpose()?);
    let client_certificate = ask.client_certificate.clone();
    if headers.is_empty() && client_certificate.is_none() {
        return Ok(Vec::new());
    }
    let origin = origin(address).ok_or(
        "A header, token or client certificate goes to the origin of ADDRESS only, and a file or pasted card has \
         none. Give the card's URL instead.",
    )?;
    if client_certificate.is_some() && !origin.starts_with("https:") {
        return Err(format!("--client-certificate: a certificate is shown over https only, and {origin} is not."));
    }
    Ok(vec![Credential { origin, headers, client_certificate }])
}

/// The certificate of the command line that is trusted at the origin of `address`.
///
/// # Errors
/// One sentence for the user.
pub fn trusted(address: &str, ask: &AskArguments) -> Result<Option<TrustedCertificate>, String> {
    let Some(sha256) = ask.trust_certificate else { return Ok(None) };
    let origin = origin(address).filter(|origin| origin.starts_with("https:")).ok_or(
        "--trust-certificate: a certificate is trusted at the origin of ADDRESS only, which has to be an https one.",
    )?;
    Ok(Some(TrustedCertificate { origin, sha256, since: SystemTime::now() }))
}

/// The origin that credentials of the command line belong to: the one that is asked first.
fn origin(address: &str) -> Option<String> {
    match Address::parse_with(address, std::path::Path::exists).ok()?.target {
        Target::Web(candidates) => candidates.first().map(|first| first.url.origin().ascii_serialization()),
        Target::File(_) | Target::Pasted(_) => None,
    }
}

fn header(line: &str) -> Result<(String, Secret), String> {
    let (name, value) = line.split_once(':').ok_or("--header takes 'NAME: VALUE'; there is no colon in it.")?;
    let name = name.trim();
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(is_token) {
        return Err(format!("--header: '{name}' is not the name of a header."));
    }
    secret(value.trim()).map(|value| (name.to_owned(), value)).map_err(|problem| format!("--header {name}: {problem}"))
}

fn bearer(variable: &str) -> Result<(String, Secret), String> {
    let value = std::env::var(variable)
        .map_err(|_| format!("--bearer-env: there is no environment variable {variable} with readable text."))?;
    let token = value.trim();
    if token.is_empty() {
        return Err(format!("--bearer-env: the environment variable {variable} is empty."));
    }
    let secret = secret(&format!("Bearer {token}")).map_err(|problem| format!("--bearer-env {variable}: {problem}"))?;
    Ok(("Authorization".to_owned(), secret))
}

fn secret(value: &str) -> Result<Secret, &'static str> {
    if value.chars().any(char::is_control) {
        return Err("the value has a control character in it, which no header can carry.");
    }
    Ok(Secret::new(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(headers: &[&str]) -> AskArguments {
        AskArguments { headers: headers.iter().map(|&line| line.to_owned()).collect(), ..AskArguments::default() }
    }

    #[test]
    fn headers_belong_to_the_origin_of_the_address() {
        let credentials = credentials("https://agent.example:8443/a/b", &ask(&["X-API-Key: k:1"])).unwrap();
        assert_eq!(credentials[0].origin, "https://agent.example:8443");
        assert_eq!(credentials[0].headers, [("X-API-Key".to_owned(), Secret::new("k:1"))]);
    }

    #[test]
    fn what_cannot_be_sent_is_said_without_the_secret() {
        for line in ["no colon s3cret", ": s3cret", "X Key: s3cret", "X-Key: s3c\nret"] {
            let problem = credentials("agent.example", &ask(&[line])).unwrap_err();
            assert!(!problem.contains("s3c"), "{problem}");
        }
        assert!(credentials("./card.json", &ask(&["X-API-Key: 1"])).unwrap_err().contains("has none"));
    }
}
