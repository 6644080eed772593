//! A2A 0.3 on the wire: `kind` members over JSON-RPC, ProtoJSON of its own proto over HTTP+JSON.

use super::writer::ObjectWriter;
use super::{Operation, base64_text, message_id, raw, v1_0, written};
use crate::a2a::{Message, Part, PartContent, Role, SendMessageConfiguration, SendMessageRequest};

/// The parameters of a JSON-RPC request (0.3 §7).
pub(super) fn params(operation: &Operation<'_>) -> String {
    match operation {
        Operation::SendMessage(request) => send_message(request, &rpc_message(&request.message)),
        Operation::GetTask { task_id, history_length } => {
            let length = history_length.map(|length| length.to_string());
            ObjectWriter::new().text("id", task_id).raw_if_set("historyLength", length.as_deref()).finish()
        }
        Operation::CancelTask { task_id } => ObjectWriter::new().text("id", task_id).finish(),
        Operation::GetExtendedAgentCard => ObjectWriter::new().finish(),
    }
}

/// The body of a request in HTTP+JSON; there, the messages are those of the proto of 0.3.
pub(super) fn http_body(operation: &Operation<'_>) -> String {
    match operation {
        Operation::SendMessage(request) => send_message(request, &http_message(&request.message)),
        Operation::GetTask { .. } | Operation::GetExtendedAgentCard => String::new(),
        Operation::CancelTask { task_id } => ObjectWriter::new().text("name", &format!("tasks/{task_id}")).finish(),
    }
}

fn send_message(request: &SendMessageRequest, message: &str) -> String {
    ObjectWriter::new()
        .raw("message", message)
        .raw("configuration", &configuration(&request.configuration))
        .raw_if_set("metadata", raw(request.metadata.as_ref()))
        .finish()
}

fn configuration(configuration: &SendMessageConfiguration) -> String {
    let length = configuration.history_length.map(|length| length.to_string());
    ObjectWriter::new()
        .texts_if_any("acceptedOutputModes", &configuration.accepted_output_modes)
        .raw_if_set("historyLength", length.as_deref())
        // The default changed sides between the releases, so it is never left out.
        .raw("blocking", if configuration.return_immediately { "false" } else { "true" })
        .finish()
}

fn rpc_message(message: &Message) -> String {
    let role = match &message.role {
        Role::User => "user",
        Role::Agent | Role::Unspecified => "agent",
        Role::Other(text) => text,
    };
    ObjectWriter::new()
        .text("kind", "message")
        .text("messageId", &message_id(message))
        .text_if_set("contextId", message.context_id.as_deref())
        .text_if_set("taskId", message.task_id.as_deref())
        .text("role", role)
        .list("parts", written(&message.parts, rpc_part))
        .raw_if_set("metadata", raw(message.metadata.as_ref()))
        .texts_if_any("extensions", &message.extensions)
        .texts_if_any("referenceTaskIds", &message.reference_task_ids)
        .finish()
}

fn rpc_part(part: &Part) -> String {
    let object = ObjectWriter::new();
    let object = match &part.content {
        PartContent::Text(text) => object.text("kind", "text").text("text", text),
        PartContent::Raw(bytes) => file(object, part, "bytes", &base64_text::encode(bytes)),
        PartContent::Undecodable(text) => file(object, part, "bytes", text),
        PartContent::Url(url) => file(object, part, "uri", url),
        PartContent::Data(json) => object.text("kind", "data").raw("data", json.as_str()),
        PartContent::Unknown(json) => return json.as_str().to_owned(),
    };
    object.raw_if_set("metadata", raw(part.metadata.as_ref())).finish()
}

fn file(object: ObjectWriter, part: &Part, member: &str, content: &str) -> ObjectWriter {
    let file = ObjectWriter::new()
        .text_if_set("name", part.filename.as_deref())
        .text_if_set("mimeType", part.media_type.as_deref())
        .text(member, content)
        .finish();
    object.text("kind", "file").raw("file", &file)
}

fn http_message(message: &Message) -> String {
    ObjectWriter::new()
        .text("messageId", &message_id(message))
        .text_if_set("contextId", message.context_id.as_deref())
        .text_if_set("taskId", message.task_id.as_deref())
        .text("role", v1_0::role(&message.role))
        .list("content", written(&message.parts, http_part))
        .raw_if_set("metadata", raw(message.metadata.as_ref()))
        .texts_if_any("extensions", &message.extensions)
        .finish()
}

fn http_part(part: &Part) -> String {
    let object = ObjectWriter::new();
    let http_file = |member: &str, content: &str| {
        ObjectWriter::new()
            .text(member, content)
            .text_if_set("mimeType", part.media_type.as_deref())
            .text_if_set("name", part.filename.as_deref())
            .finish()
    };
    let object = match &part.content {
        PartContent::Text(text) => object.text("text", text),
        PartContent::Raw(bytes) => object.raw("file", &http_file("fileWithBytes", &base64_text::encode(bytes))),
        PartContent::Undecodable(text) => object.raw("file", &http_file("fileWithBytes", text)),
        PartContent::Url(url) => object.raw("file", &http_file("fileWithUri", url)),
        PartContent::Data(json) => object.raw("data", &ObjectWriter::new().raw("data", json.as_str()).finish()),
        PartContent::Unknown(json) => return json.as_str().to_owned(),
    };
    object.raw_if_set("metadata", raw(part.metadata.as_ref())).finish()
}
