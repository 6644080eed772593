//! The group "Identity": who is offering the service?

use super::known_field::{Known, ValueKind};
use super::members::Members;
use crate::card::document::Document;
use crate::card::facts::{Field, FieldValue, Note, Origin, Shape, Tone};
use crate::card::json::Kind;
use crate::card::visible_text::visible_text;

const NAME: Known = Known::new(
    "name",
    ValueKind::Text,
    "§4.4.1",
    "What people call the agent. It is chosen by whoever wrote the card and proves nothing about who that is.",
)
.absent("not declared, though every release requires it");

const DESCRIPTION: Known = Known::new(
    "description",
    ValueKind::Text,
    "§4.4.1",
    "What the agent does, for people and for other agents that look for help.",
)
.absent("not declared, though every release requires it");

const VERSION: Known = Known::new(
    "version",
    ValueKind::Text,
    "§4.4.1",
    "The release of the agent itself. Its owner decides when it changes; it says nothing about the protocol.",
)
.aside("the agent's own release, not the protocol's")
.absent("not declared, though every release requires it");

const PROVIDER: Known = Known::new(
    "provider",
    ValueKind::Any,
    "§4.4.2",
    "The organization behind the agent, in its own words. Only a checked signature or the host's certificate backs it.",
)
.absent("not declared");

const ORGANIZATION: Known =
    Known::new("organization", ValueKind::Text, "§4.4.2", "The name of the organization that offers the agent.")
        .absent("not declared");

const PROVIDER_URL: Known =
    Known::new("url", ValueKind::Address, "§4.4.2", "The organization's website. Cardscope never opens it by itself.")
        .absent("not declared");

const DOCUMENTATION_URL: Known = Known::new(
    "documentationUrl",
    ValueKind::Address,
    "§4.4.1",
    "Where people can read more about the agent. Cardscope never opens it by itself.",
);

const ICON_URL: Known = Known::new(
    "iconUrl",
    ValueKind::Address,
    "§4.4.1",
    "A picture for the agent. Cardscope does not load it, because that would tell its host who is reading.",
);

const PROTOCOL_VERSION: Known = Known::new(
    "protocolVersion",
    ValueKind::Text,
    "0.3 §5.5",
    "The release of A2A that the card and its url follow, in the way of 0.3. Since 1.0 each interface states its own.",
)
.aside("the protocol's release, not the agent's");

/// The fields that say who the agent is.
pub(super) fn fields(members: &mut Members<'_>, shape: Shape) -> Vec<Field> {
    let mut fields: Vec<Field> = [&NAME, &DESCRIPTION].into_iter().filter_map(|known| known.take(members)).collect();
    fields.extend(provider(members));
    fields.extend([&VERSION, &DOCUMENTATION_URL, &ICON_URL].into_iter().filter_map(|known| known.take(members)));
    fields.extend(protocol_version(members, shape));
    fields
}

fn provider(members: &mut Members<'_>) -> Option<Field> {
    let Some(member) = members.take("provider") else { return PROVIDER.take(members) };
    let node = member.node;
    let pointer = member.pointer.clone();
    let mut field = PROVIDER.field(member);
    match node.kind() {
        Kind::Object => {
            let mut inside = Members::of(node, pointer);
            field
                .children
                .extend([&ORGANIZATION, &PROVIDER_URL].into_iter().filter_map(|known| known.take(&mut inside)));
            field.children.extend(inside.rest());
            field.value = FieldValue::Group;
        }
        Kind::Null => {}
        kind => field.notes.push(Note::new(
            Tone::Caution,
            format!("Expected an object with organization and url, found {}.", kind.with_article()),
        )),
    }
    Some(field)
}

fn protocol_version(members: &mut Members<'_>, shape: Shape) -> Option<Field> {
    let mut field = PROTOCOL_VERSION.take(members)?;
    let remark = match shape {
        Shape::V1_0 => "In a card of 1.0 clients read the version of each interface, not this one.",
        Shape::Hybrid => "Old clients read it; clients of 1.0 read the version of each interface.",
        Shape::V0_3 | Shape::V0_2 | Shape::NotACard => return Some(field),
    };
    field.notes.push(Note::new(Tone::Plain, remark));
    Some(field)
}

/// The agent's own version as text, if it declares one.
pub(super) fn agent_version(fields: &[Field]) -> Option<String> {
    let version = fields.iter().find(|field| field.name == "version")?;
    match &version.value {
        FieldValue::Text(text) | FieldValue::Literal(text) if !text.is_empty() => Some(text.clone()),
        _ => None,
    }
}

/// What the document is called: the card's name, else where it came from.
pub(super) fn title(document: &Document, origin: &Origin) -> String {
    let name = document.object().and_then(|root| root.get_str("name"));
    if let Some(name) = name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        return visible_text(name).into_owned();
    }
    let address = origin.final_url.as_ref().or(origin.requested_url.as_ref());
    address.map_or_else(|| "Unnamed card".to_owned(), |address| visible_text(address).into_owned())
}
