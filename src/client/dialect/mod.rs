//! What goes on the wire in each release of the protocol, and how answers of every release are read.

mod base64_text;
mod parts;
mod reader;
mod v0_3;
mod v1_0;
mod writer;

use crate::a2a::{Dialect, Message, Part, PartContent, RawJson, SendMessageRequest};
use crate::card::JsonTree;

pub(super) use reader::Reader;

/// An operation of the protocol (§3.1), as far as Cardscope calls it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation<'a> {
    SendMessage(&'a SendMessageRequest),
    GetTask { task_id: &'a str, history_length: Option<u32> },
    CancelTask { task_id: &'a str },
    GetExtendedAgentCard,
}

impl Operation<'_> {
    /// The name that 1.0 gives it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SendMessage(_) => "SendMessage",
            Self::GetTask { .. } => "GetTask",
            Self::CancelTask { .. } => "CancelTask",
            Self::GetExtendedAgentCard => "GetExtendedAgentCard",
        }
    }

    /// The JSON-RPC method.
    pub fn method(&self, dialect: Dialect) -> &'static str {
        match (dialect, self) {
            (Dialect::V1_0, _) => self.name(),
            (Dialect::V0_3, Self::SendMessage(_)) => "message/send",
            (Dialect::V0_3, Self::GetTask { .. }) => "tasks/get",
            (Dialect::V0_3, Self::CancelTask { .. }) => "tasks/cancel",
            (Dialect::V0_3, Self::GetExtendedAgentCard) => "agent/getAuthenticatedExtendedCard",
        }
    }

    /// The JSON-RPC parameters.
    ///
    /// # Errors
    /// Metadata or data that is not JSON, in a sentence.
    pub fn params(&self, dialect: Dialect, tenant: Option<&str>) -> Result<String, String> {
        self.check()?;
        Ok(match dialect {
            Dialect::V1_0 => v1_0::params(self, tenant),
            Dialect::V0_3 => v0_3::params(self),
        })
    }

    /// The body of a request in HTTP+JSON; `None` for an operation without one.
    ///
    /// # Errors
    /// Metadata or data that is not JSON, in a sentence.
    pub fn http_body(&self, dialect: Dialect, tenant: Option<&str>) -> Result<Option<String>, String> {
        self.check()?;
        Ok(match (self, dialect) {
            (Self::GetTask { .. } | Self::GetExtendedAgentCard, _) => None,
            (_, Dialect::V1_0) => Some(v1_0::http_body(self, tenant)),
            (_, Dialect::V0_3) => Some(v0_3::http_body(self)),
        })
    }

    /// Pieces of JSON that the user wrote would break the whole request if they were none.
    fn check(&self) -> Result<(), String> {
        let Self::SendMessage(request) = self else { return Ok(()) };
        check_json("The request's metadata", request.metadata.as_ref())?;
        check_json("The message's metadata", request.message.metadata.as_ref())?;
        request.message.parts.iter().enumerate().try_for_each(|(index, part)| {
            check_json(&format!("The metadata of part {}", index + 1), part.metadata.as_ref())?;
            match &part.content {
                PartContent::Data(json) | PartContent::Unknown(json) => {
                    check_json(&format!("Part {}", index + 1), Some(json))
                }
                _ => Ok(()),
            }
        })
    }
}

fn check_json(what: &str, json: Option<&RawJson>) -> Result<(), String> {
    match json.map(|json| JsonTree::parse(json.0.clone())) {
        Some(Err(fault)) => Err(format!("{what} is not JSON: {fault}. Nothing was sent.")),
        _ => Ok(()),
    }
}

/// The form in which an answer is expected; every other one is read as well and said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 1.0 in every binding: ProtoJSON.
    V1_0,
    /// 0.3 over JSON-RPC: `kind` members and lower-case words.
    V0_3Rpc,
    /// 0.3 over HTTP+JSON: ProtoJSON of the proto of 0.3.
    V0_3Http,
}

/// The message's own id, or a new one.
fn message_id(message: &Message) -> String {
    message.message_id.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string())
}

fn raw(json: Option<&RawJson>) -> Option<&str> {
    json.map(RawJson::as_str)
}

/// The parts as JSON, each written by `write`.
fn written<'a>(parts: &'a [Part], write: impl Fn(&Part) -> String + 'a) -> impl Iterator<Item = String> + 'a {
    parts.iter().map(write)
}
