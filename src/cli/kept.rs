//! The history that commands share with the window: what they obtain is recorded, and kept versions can be named.

use std::path::Path;

use super::access::Access;
use super::arguments::AskArguments;
use super::inspected::Inspected;
use super::output;
use crate::card::address::{Address, Target, mask_secrets};
use crate::history::{AgentId, AgentRecord, AskedAs, History, HistoryError, NewRetrieval, VersionId, Which};
use crate::worker::judging::inspection_of;
use crate::worker::recording::{CLIENT_CERTIFICATE, new_retrieval, restored};

/// The history, or why there is none.
pub(super) struct Kept {
    pub(super) history: Result<History, String>,
    /// To be said once something is not saved for that reason.
    complaint: Option<String>,
    /// The agent and the version that were obtained last.
    pub(super) obtained: Option<(AgentId, Option<VersionId>)>,
}

impl Kept {
    /// Opens the history in `folder`. A command that cannot have it goes on without.
    pub(super) fn open(folder: Option<&Path>, ask: &AskArguments) -> Self {
        if ask.no_history {
            let reason = "With --no-history, kept versions are left alone.".to_owned();
            return Self { history: Err(reason), complaint: None, obtained: None };
        }
        let history = Self::required(folder);
        let complaint =
            history.as_ref().err().map(|reason| format!("cardscope: {reason} The command goes on without saving."));
        Self { history, complaint, obtained: None }
    }

    /// Opens the history for a command that is about nothing else.
    ///
    /// # Errors
    /// Why it cannot be used; one sentence.
    pub(super) fn required(folder: Option<&Path>) -> Result<History, String> {
        let folder = folder.ok_or("This system names no folder for data; --data-dir names one.")?;
        let opened = History::open(folder).map_err(|error| error.to_string())?;
        if let Some(message) = opened.set_aside {
            output::note(&format!("cardscope: {message}"));
        }
        Ok(opened.history)
    }

    /// Obtains what is behind `address`: a kept version if it names one, else by asking, which is recorded.
    ///
    /// # Errors
    /// A version is named that is not kept; one sentence.
    pub(super) async fn obtain(&mut self, access: &Access, address: &str) -> Result<Inspected, String> {
        if let Some((agent, which)) = named_version(address) {
            let mut inspected = self.version(access, agent, which)?;
            address.trim().clone_into(&mut inspected.retrieval.address);
            return Ok(inspected);
        }
        let inspected = Inspected::obtain(access, address).await;
        self.record(&inspected);
        Ok(inspected)
    }

    fn record(&mut self, inspected: &Inspected) {
        let new = new_retrieval(&inspected.retrieval, inspected.inspection.as_ref(), None);
        if let Some(complaint) = self.complaint.take() {
            output::note(&complaint);
        }
        let Ok(history) = &mut self.history else { return };
        let obtained = &mut self.obtained;
        match history.record(&new) {
            Ok(recorded) => *obtained = recorded.map(|recorded| (recorded.agent, recorded.version)),
            Err(error) => output::note(&format!("cardscope: {error} What was obtained is not saved.")),
        }
    }

    fn version(&mut self, access: &Access, address: &str, which: Which) -> Result<Inspected, String> {
        let history = self.history.as_ref().map_err(Clone::clone)?;
        let unread = |error: HistoryError| error.to_string();
        let agent = agent_at(history, access, address)?;
        let version = history.version(agent.id, which).map_err(unread)?;
        let kept = version.map(|version| history.document(version.id)).transpose().map_err(unread)?.flatten();
        let Some(kept) = kept else {
            let versions = match agent.versions {
                1 => "One version is".to_owned(),
                count => format!("{count} versions are"),
            };
            let wanted = match which {
                Which::Latest => "no latest".to_owned(),
                Which::Previous => "none before the latest".to_owned(),
                Which::Number(number) => format!("none with the number {number}"),
            };
            return Err(format!("{versions} kept of {}, and {wanted}.", agent.card_url));
        };
        self.obtained = Some((agent.id, Some(kept.version.id)));
        Ok(Inspected { retrieval: restored(&agent, &kept), inspection: Some(inspection_of(&kept)) })
    }
}

/// The address of the agent, without the version that it may name.
pub(super) fn agent_of(address: &str) -> &str {
    named_version(address).map_or(address, |(agent, _)| agent)
}

/// Splits `ADDRESS@latest`, `ADDRESS@previous` and `ADDRESS@N`.
pub(super) fn named_version(address: &str) -> Option<(&str, Which)> {
    let (agent, version) = address.rsplit_once('@')?;
    let which = match version {
        "latest" => Which::Latest,
        "previous" => Which::Previous,
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => Which::Number(number.parse().ok()?),
        _ => return None,
    };
    // In `https://name@1/` and for a file of that name, the sign means something else.
    let is_agent = !agent.is_empty() && !agent.ends_with(['/', ':']) && !Path::new(address).exists();
    (is_agent && !ends_in_password(agent)).then_some((agent, which))
}

/// Whether what stands before an `@` is a name and its password: what follows a colon in a host is a port.
fn ends_in_password(agent: &str) -> bool {
    let host = agent.split_once("://").map_or(agent, |(_, rest)| rest);
    let is_port = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !host.contains(['/', '\\', ']']) && host.rsplit_once(':').is_some_and(|(_, port)| !is_port(port))
}

/// An address as it may be printed, a kept version included.
pub(super) fn shown(address: &str) -> String {
    match named_version(address) {
        Some((agent, _)) => format!("{}{}", mask_secrets(agent), &address[agent.len()..]),
        None => mask_secrets(address),
    }
}

/// The agent that is meant by `address`, for whoever asks now.
fn agent_at(history: &History, access: &Access, address: &str) -> Result<AgentRecord, String> {
    let agents = agents_of(history, address)?;
    let shown = mask_secrets(address);
    let headers = access.credentials.iter().flat_map(|credential| &credential.headers);
    let headers = headers.map(|(name, secret)| (name.clone(), secret.reveal().to_owned()));
    let certificate = access.client_certificate.map(|sha256| (CLIENT_CERTIFICATE.to_owned(), sha256.to_string()));
    let asked = NewRetrieval {
        address: address.to_owned(),
        credentials: headers.chain(certificate).collect(),
        ..NewRetrieval::default()
    };
    let asked_as = history.asked_as(&asked).map_err(|error| error.to_string())?;
    let own: Vec<&AgentRecord> = agents.iter().filter(|agent| agent.asked_as == asked_as).collect();
    match own[..] {
        [] => Err(format!("{} Give the same credentials again.", others(&shown, &agents))),
        [agent] => Ok(agent.clone()),
        [agent, ..] => {
            output::note(&format!(
                "cardscope: {} cards are kept of {shown}; the one last fetched is meant, {}.",
                own.len(),
                agent.card_url
            ));
            Ok(agent.clone())
        }
    }
}

/// The agents that are kept of `address`, whoever asked.
///
/// # Errors
/// There is none; one sentence.
pub(super) fn agents_of(history: &History, address: &str) -> Result<Vec<AgentRecord>, String> {
    let mut agents: Vec<AgentRecord> = Vec::new();
    for spelling in spellings(address) {
        for agent in history.agents_at(&spelling).map_err(|error| error.to_string())? {
            if agents.iter().all(|known| known.id != agent.id) {
                agents.push(agent);
            }
        }
    }
    if agents.is_empty() {
        let shown = mask_secrets(address);
        return Err(format!("Nothing is kept of {shown}. `cardscope inspect {shown}` fetches its card and keeps it."));
    }
    Ok(agents)
}

/// That cards are kept, but for other askers.
fn others(shown: &str, agents: &[AgentRecord]) -> String {
    let names: Vec<&str> = agents
        .iter()
        .flat_map(|agent| match &agent.asked_as {
            AskedAs::Public => &[][..],
            AskedAs::Credentials { names, .. } => &names[..],
        })
        .map(String::as_str)
        .collect();
    match names[..] {
        [] => format!("The card kept of {shown} was got without credentials."),
        _ => format!("What is kept of {shown} was got with other credentials ({}).", names.join(", ")),
    }
}

/// An address as it may stand in the history: as typed, as a whole path, or as the URLs that it stands for.
fn spellings(address: &str) -> Vec<String> {
    let mut spellings = vec![address.trim().to_owned()];
    match Address::parse_with(address, Path::exists).map(|address| address.target) {
        Ok(Target::Web(candidates)) => {
            spellings.extend(candidates.iter().map(|candidate| candidate.url.to_string()));
        }
        Ok(Target::File(path)) => spellings.extend(std::path::absolute(path).map(|path| path.display().to_string())),
        Ok(Target::Pasted(_)) | Err(_) => {}
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_versions_are_told_from_addresses() {
        for (address, agent, which) in [
            ("agent.example@latest", "agent.example", Which::Latest),
            ("https://agent.example/a@previous", "https://agent.example/a", Which::Previous),
            ("https://agent.example@12", "https://agent.example", Which::Number(12)),
            ("http://localhost:8080@1", "http://localhost:8080", Which::Number(1)),
            ("[::1]:8080@1", "[::1]:8080", Which::Number(1)),
            (r"C:\cards\a.json@1", r"C:\cards\a.json", Which::Number(1)),
        ] {
            assert_eq!(named_version(address), Some((agent, which)), "{address}");
            assert_eq!(shown(address), address);
        }
        for address in [
            "agent.example",
            "https://me@agent.example/",
            "card@home.json",
            "https://agent.example/@1",
            "@latest",
            "agent.example@",
            "agent.example@99999999999",
            "https://me:secret@latest",
        ] {
            assert_eq!(named_version(address), None, "{address}");
        }
    }
}
