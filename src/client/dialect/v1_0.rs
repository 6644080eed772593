//! A2A 1.0 on the wire: ProtoJSON of a2a.proto.

use super::writer::ObjectWriter;
use super::{Operation, base64_text, message_id, raw, written};
use crate::a2a::{Message, Part, PartContent, Role, SendMessageConfiguration, SendMessageRequest};

/// The parameters of a JSON-RPC request (§9.4).
pub(super) fn params(operation: &Operation<'_>, tenant: Option<&str>) -> String {
    match operation {
        Operation::SendMessage(request) => send_message(request, tenant),
        Operation::GetTask { task_id, history_length } => {
            let length = history_length.map(|length| length.to_string());
            task(task_id, tenant).raw_if_set("historyLength", length.as_deref()).finish()
        }
        Operation::CancelTask { task_id } => task(task_id, tenant).finish(),
        Operation::GetExtendedAgentCard => ObjectWriter::new().text_if_set("tenant", tenant).finish(),
    }
}

/// The body of a request in HTTP+JSON (§11.4).
pub(super) fn http_body(operation: &Operation<'_>, tenant: Option<&str>) -> String {
    params(operation, tenant)
}

fn task(id: &str, tenant: Option<&str>) -> ObjectWriter {
    ObjectWriter::new().text_if_set("tenant", tenant).text("id", id)
}

fn send_message(request: &SendMessageRequest, tenant: Option<&str>) -> String {
    ObjectWriter::new()
        .text_if_set("tenant", tenant)
        .raw("message", &message(&request.message))
        .raw("configuration", &configuration(&request.configuration))
        .raw_if_set("metadata", raw(request.metadata.as_ref()))
        .finish()
}

fn configuration(configuration: &SendMessageConfiguration) -> String {
    let length = configuration.history_length.map(|length| length.to_string());
    ObjectWriter::new()
        .texts_if_any("acceptedOutputModes", &configuration.accepted_output_modes)
        .raw_if_set("historyLength", length.as_deref())
        .raw("returnImmediately", if configuration.return_immediately { "true" } else { "false" })
        .finish()
}

fn message(message: &Message) -> String {
    ObjectWriter::new()
        .text("messageId", &message_id(message))
        .text_if_set("contextId", message.context_id.as_deref())
        .text_if_set("taskId", message.task_id.as_deref())
        .text("role", role(&message.role))
        .list("parts", written(&message.parts, part))
        .raw_if_set("metadata", raw(message.metadata.as_ref()))
        .texts_if_any("extensions", &message.extensions)
        .texts_if_any("referenceTaskIds", &message.reference_task_ids)
        .finish()
}

/// The role in the spelling of ProtoJSON.
pub(super) fn role(role: &Role) -> &str {
    match role {
        Role::User => "ROLE_USER",
        Role::Agent => "ROLE_AGENT",
        Role::Unspecified => "ROLE_UNSPECIFIED",
        Role::Other(text) => text,
    }
}

fn part(part: &Part) -> String {
    let object = ObjectWriter::new();
    let object = match &part.content {
        PartContent::Text(text) => object.text("text", text),
        PartContent::Raw(bytes) => object.text("raw", &base64_text::encode(bytes)),
        PartContent::Undecodable(text) => object.text("raw", text),
        PartContent::Url(url) => object.text("url", url),
        PartContent::Data(json) => object.raw("data", json.as_str()),
        PartContent::Unknown(json) => return json.as_str().to_owned(),
    };
    object
        .raw_if_set("metadata", raw(part.metadata.as_ref()))
        .text_if_set("filename", part.filename.as_deref())
        .text_if_set("mediaType", part.media_type.as_deref())
        .finish()
}
