//! What `cardscope send` sends, and where.

use bytes::Bytes;

use super::arguments::SendArguments;
use crate::a2a::{RawJson, SendMessageRequest};
use crate::card::Inspection;
use crate::card::facts::{AddressFlagKind, Interface};
use crate::client::Endpoint;
use crate::state::{Draft, DraftPart, message_request};

/// An interface as chosen, and why.
#[derive(Debug)]
pub(super) struct Selected<'a> {
    pub number: usize,
    pub interface: &'a Interface,
    pub endpoint: Endpoint,
    pub reason: String,
}

/// # Errors
/// No interface can be used, or the chosen one needs the user's word first; a few sentences.
pub(super) fn select(card: &Inspection, wanted: Option<usize>) -> Result<Selected<'_>, String> {
    let table = &card.interfaces;
    let Some(number) = wanted.or(table.chosen) else {
        return Err(format!("There is no interface to send to. {}", table.chosen_reason));
    };
    let Some(interface) = table.rows.get(number) else {
        return Err(format!("There is no interface {number}; the card has {}, counted from 0.", table.rows.len()));
    };
    let dialect = match (&interface.unusable, interface.dialect) {
        (None, Some(dialect)) => dialect,
        (Some(reason), _) => return Err(format!("Interface {number} cannot be used: {reason}")),
        (None, None) => return Err(format!("Interface {number} cannot be used: its version is not spoken.")),
    };
    if let Some(objection) = objection(interface, number, wanted.is_some()) {
        return Err(objection);
    }
    let reason = if wanted.is_some() { "Chosen by --interface.".to_owned() } else { table.chosen_reason.clone() };
    let endpoint = Endpoint {
        url: interface.url.clone(),
        binding: interface.binding.clone(),
        dialect,
        tenant: interface.tenant.clone(),
        extensions: card.capabilities.required_extensions().map(str::to_owned).collect(),
    };
    Ok(Selected { number, interface, endpoint, reason })
}

/// A command cannot ask before it sends to an address that looks wrong: naming the interface is the agreement.
fn objection(interface: &Interface, number: usize, agreed: bool) -> Option<String> {
    let flag = interface.flag.as_ref()?;
    let sendable = url::Url::parse(&interface.url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    let harmless = flag.kind == AddressFlagKind::PlainText;
    if sendable && (agreed || harmless) {
        return None;
    }
    let mut text = format!("Nothing was sent to interface {number}: {}", flag.text);
    if let Some(suggestion) = &flag.suggestion {
        text = format!("{text} Perhaps {suggestion} is meant.");
    }
    if sendable {
        text = format!("{text} --interface {number} sends to {} all the same.", interface.url);
    }
    Some(text)
}

/// # Errors
/// A file cannot be read, the data is no JSON, or there is nothing to say; one sentence.
pub(super) async fn request(arguments: &SendArguments, tenant: Option<String>) -> Result<SendMessageRequest, String> {
    let mut parts = Vec::new();
    if !arguments.text.is_empty() {
        parts.push(DraftPart::Text(arguments.text.clone()));
    }
    for path in &arguments.files {
        let bytes = tokio::fs::read(path).await.map_err(|error| format!("--file {}: {error}.", path.display()))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let media_type = mime_guess::from_path(path).first_raw().map(str::to_owned);
        parts.push(DraftPart::File { name, media_type, bytes: Bytes::from(bytes) });
    }
    for json in &arguments.data {
        if let Err(error) = serde_json::from_str::<&serde_json::value::RawValue>(json) {
            return Err(format!("--data is not JSON: {error}."));
        }
        parts.push(DraftPart::Data(RawJson::new(json.trim())));
    }
    if parts.is_empty() {
        return Err("There is nothing to send: TEXT is empty, and no file or data was given.".to_owned());
    }
    let draft = Draft { parts, wait: arguments.wait, ..Draft::default() };
    Ok(message_request(draft, tenant, arguments.context.clone(), arguments.task.clone()))
}
