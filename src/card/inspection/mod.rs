//! From a document to everything the inspector shows, computed once.

mod access;
mod address_flag;
mod aliases;
mod authentication;
mod capabilities;
mod extensions;
mod foreign;
mod host_class;
mod identity;
mod interfaces;
mod known_field;
mod members;
mod oauth;
mod other_fields;
mod requirements;
mod schemes;
pub mod shape;
mod signatures;
mod skills;
mod values;

use std::sync::Arc;

use self::members::Members;
use self::values::value_of;
pub(in crate::card) use self::values::{MAX_ROWS, MAX_WORDS};
use super::document::Document;
use super::facts::{Access, Capabilities, Field, Inspection, InterfaceTable, Origin, Shape, Signatures, Skills};
use super::json_text::JsonText;
use super::lint;
use super::pointer::JsonPointer;

impl Inspection {
    /// Derives every fact from `document`, which came from `origin`. Never fails: what is no card is still shown.
    ///
    /// Takes about as long as parsing did; run it off the UI thread.
    #[must_use]
    pub fn of(document: Arc<Document>, origin: Origin) -> Self {
        let (shape, shape_reason) = shape::judge(&document);
        let facts = Facts::of(&document, shape, &origin);
        let mut inspection = Self {
            title: identity::title(&document, &origin),
            agent_version: identity::agent_version(&facts.identity),
            identity: facts.identity,
            interfaces: facts.interfaces,
            capabilities: facts.capabilities,
            skills: facts.skills,
            access: facts.access,
            signatures: facts.signatures,
            other_fields: facts.other_fields,
            findings: Vec::new(),
            pretty: document.tree().map(JsonText::pretty),
            received: JsonText::received(document.text(), document.tree()),
            document,
            origin,
            shape,
            shape_reason,
        };
        inspection.findings = lint::findings(&inspection);
        inspection
    }
}

/// The groups of the inspector, before anything is judged.
#[derive(Default)]
struct Facts {
    identity: Vec<Field>,
    interfaces: InterfaceTable,
    capabilities: Capabilities,
    skills: Skills,
    access: Access,
    signatures: Signatures,
    other_fields: Vec<Field>,
}

impl Facts {
    fn of(document: &Document, shape: Shape, origin: &Origin) -> Self {
        let Some(root) = document.object() else { return Self::of_other_json(document) };
        let mut members = Members::of(root, JsonPointer::root());
        if shape == Shape::NotACard {
            let identity = identity::fields(&mut members, shape).into_iter().filter(|field| field.pointer.is_some());
            let identity = identity.collect();
            return Self { identity, other_fields: other_fields::read(members), ..Self::of_no_card() };
        }
        // The interfaces look at the card's protocolVersion, which the identity then takes.
        let interfaces = interfaces::table(&mut members, shape, origin);
        let identity = identity::fields(&mut members, shape);
        let capabilities = capabilities::read(&mut members, shape);
        let (mut access, declared) = access::read(&mut members, shape);
        let skills = skills::read(&mut members, shape, &declared);
        access::mark_required(&mut access, &skills);
        let signatures = signatures::read(&mut members, shape);
        let other_fields = other_fields::read(members);
        Self { identity, interfaces, capabilities, skills, access, signatures, other_fields }
    }

    /// JSON that is no object has no members, but is not lost either.
    fn of_other_json(document: &Document) -> Self {
        let other_fields = document.tree().map(|tree| Field {
            name: "document".to_owned(),
            pointer: Some(JsonPointer::root()),
            value: value_of(tree.root()),
            ..Field::default()
        });
        Self { other_fields: other_fields.into_iter().collect(), ..Self::of_no_card() }
    }

    /// What the groups say of a document that is no card.
    fn of_no_card() -> Self {
        let nothing_to_call = "This is no Agent Card, so it names nothing that can be called.".to_owned();
        let nothing_asked = "This is no Agent Card, so it asks for nothing.".to_owned();
        Self {
            interfaces: InterfaceTable { chosen_reason: nothing_to_call, ..InterfaceTable::default() },
            access: Access { summary: nothing_asked, ..Access::default() },
            ..Self::default()
        }
    }
}
