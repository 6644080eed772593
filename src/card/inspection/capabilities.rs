//! The group "Capabilities": which protocol features work, and what happens when one is used all the same?

use std::borrow::Cow;

use super::extensions;
use super::members::{Expected, Members};
use super::values::{MAX_ROWS, MAX_WORDS, left_out, strings, value_of};
use crate::card::facts::{Capabilities, Capability, Field, FieldValue, Note, Shape, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// What is known of a capability before any card is seen.
struct Feature {
    name: &'static str,
    spec: &'static str,
    help: &'static str,
    /// The operations it allows, in 1.0 and before.
    operations: (&'static str, &'static str),
    /// The error that §3.3.4 demands where it is not declared.
    error: &'static str,
}

const STREAMING: Feature = Feature {
    name: "streaming",
    spec: "§4.4.3",
    help: "Whether the agent can send updates of a task as they happen, over one open connection.",
    operations: ("SendStreamingMessage, SubscribeToTask", "message/stream, tasks/resubscribe"),
    error: "-32004",
};

const PUSH_NOTIFICATIONS: Feature = Feature {
    name: "pushNotifications",
    spec: "§4.4.3",
    help: "Whether the agent can call back an address of the client's when a task changes, so that nobody has to stay connected.",
    operations: ("operations on push notification configurations", "tasks/pushNotificationConfig/set and its kin"),
    error: "-32003",
};

const EXTENDED_AGENT_CARD: Feature = Feature {
    name: "extendedAgentCard",
    spec: "§4.4.3",
    help: "Whether the agent has a fuller card for clients that have proven who they are.",
    operations: ("GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard"),
    error: "-32004",
};

/// Where 0.3 and drafts of 1.0 declared the extended card: at the top of the card.
const EXTENDED_CARD_AT_THE_TOP: [&str; 2] = ["supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"];

/// Reads `capabilities`, what earlier releases declared elsewhere, and extensions wherever they stand.
pub(super) fn read(members: &mut Members<'_>, shape: Shape) -> Capabilities {
    let mut group = Capabilities::default();
    let declared = members.take("capabilities");
    let mut inside = None;
    match declared {
        None => group.notes.push(Note::new(Tone::Plain, "capabilities is absent; nothing is declared.")),
        Some(member) => {
            group.notes.extend(member.notes);
            match member.node.kind() {
                Kind::Object => inside = Some(Members::of(member.node, member.pointer)),
                _ => group.misshapen(member.node, &member.pointer),
            }
        }
    }
    let mut nothing = None;
    let inside = inside.as_mut().unwrap_or_else(|| nothing.insert(Members::empty()));
    group.rows = vec![
        row(&STREAMING, inside, shape),
        row(&PUSH_NOTIFICATIONS, inside, shape),
        row(&EXTENDED_AGENT_CARD, inside, shape),
    ];
    group.extended_card_at_the_top(members, shape);
    group.rows.extend(state_transition_history(inside, shape));
    group.extensions = extensions::read(inside, members);
    group.other_fields.extend(std::mem::replace(inside, Members::empty()).rest());
    group
}

fn row(feature: &Feature, members: &mut Members<'_>, shape: Shape) -> Capability {
    let mut row = Capability {
        name: feature.name,
        pointer: None,
        declared: None,
        meaning: String::new(),
        notes: Vec::new(),
        help: feature.help,
        spec: feature.spec,
    };
    if let Some(member) = members.take_if(feature.name, Expected::Bool) {
        row.declared = member.node.as_bool();
        row.pointer = Some(member.pointer);
        row.notes = member.notes;
    } else if let Some(node) = members.peek(feature.name) {
        row.pointer = Some(members.pointer().child(feature.name));
        row.notes.push(Note::new(
            Tone::Caution,
            format!("{} is neither true nor false, so it counts as not declared.", excerpt(node)),
        ));
    }
    row.meaning = meaning(feature, row.declared, shape);
    row
}

fn excerpt(node: Node<'_>) -> String {
    let raw = node.raw();
    match raw.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &raw[..end]),
        None => raw.to_owned(),
    }
}

/// What a declaration allows, or which error its absence demands (§3.3.4).
fn meaning(feature: &Feature, declared: Option<bool>, shape: Shape) -> String {
    let is_old = matches!(shape, Shape::V0_3 | Shape::V0_2);
    let operations = if is_old { feature.operations.1 } else { feature.operations.0 };
    match declared {
        Some(true) if feature.name == EXTENDED_AGENT_CARD.name => {
            format!("{operations}; answered with -32007 if none is set up")
        }
        Some(true) => operations.to_owned(),
        Some(false) => format!("use is answered with {}", feature.error),
        None => format!("absent counts as false; use is answered with {}", feature.error),
    }
}

/// A flag of 0.3 for an agent that keeps every state of a task.
fn state_transition_history(members: &mut Members<'_>, shape: Shape) -> Option<Capability> {
    let member = members.take_if("stateTransitionHistory", Expected::Bool)?;
    let mut notes = member.notes;
    if matches!(shape, Shape::V1_0 | Shape::Hybrid) {
        notes.push(Note::new(Tone::Plain, "Removed in 1.0; clients of 1.0 ignore it."));
    }
    let declared = member.node.as_bool();
    let meaning = if declared == Some(true) { "the states a task went through are kept" } else { "" };
    Some(Capability {
        name: "stateTransitionHistory",
        pointer: Some(member.pointer),
        declared,
        meaning: meaning.to_owned(),
        notes,
        help: "Whether the agent keeps the history of a task's states. No operation was ever defined to ask for it.",
        spec: "0.3 §5.5.2",
    })
}

impl Capabilities {
    /// Honours the flag for the extended card under the names and in the place of earlier releases.
    fn extended_card_at_the_top(&mut self, members: &mut Members<'_>, shape: Shape) {
        for name in EXTENDED_CARD_AT_THE_TOP {
            let Some(member) = members.take_if(name, Expected::Bool) else { continue };
            let value = member.node.as_bool();
            let Some(row) = self.rows.iter_mut().find(|row| row.name == EXTENDED_AGENT_CARD.name) else { continue };
            if row.declared.is_some() {
                let tone = if row.declared == value { Tone::Plain } else { Tone::Caution };
                let remark = if row.declared == value { "says the same" } else { "says otherwise" };
                row.notes.push(Note::new(tone, format!("{name}, at the top of the card, {remark}.")));
                self.other_fields.push(Field {
                    name: name.to_owned(),
                    pointer: Some(member.pointer),
                    value: value_of(member.node),
                    aside: "what older clients read".to_owned(),
                    notes: member.notes,
                    ..Field::default()
                });
                continue;
            }
            row.declared = value;
            row.pointer = Some(member.pointer);
            row.meaning = meaning(&EXTENDED_AGENT_CARD, value, shape);
            row.notes.extend(member.notes);
            row.notes.push(if name == EXTENDED_CARD_AT_THE_TOP[0] && shape != Shape::V1_0 {
                Note::new(Tone::Plain, format!("Read from {name}, its name in 0.3."))
            } else {
                Note::new(
                    Tone::Caution,
                    format!("Read from {name}; clients of 1.0 look for capabilities.extendedAgentCard."),
                )
            });
        }
    }

    /// `capabilities` that is no object declares nothing, but is shown.
    fn misshapen(&mut self, node: Node<'_>, pointer: &JsonPointer) {
        let mut field = Field { name: "capabilities".to_owned(), pointer: Some(pointer.clone()), ..Field::default() };
        let remark = if node.kind() == Kind::Array {
            let count = node.child_count();
            field.aside = format!("list of {count}");
            if node.children().all(|item| item.kind() == Kind::String) {
                field.value = FieldValue::Words(strings(node));
                field.notes.extend(left_out(count, MAX_WORDS, "words"));
            } else {
                field.value = FieldValue::Group;
                let items = node.items().enumerate().take(MAX_ROWS);
                field.children = items.map(|(at, item)| listed_item(item, pointer, at)).collect();
                field.notes.extend(left_out(count, MAX_ROWS, "items"));
            }
            format!("capabilities is a list of {count}, where A2A defines an object: no protocol feature is declared.")
        } else {
            field.value = value_of(node);
            let found = node.kind().with_article();
            format!("capabilities is {found}, where A2A defines an object: no protocol feature is declared.")
        };
        self.notes.push(Note::new(Tone::Caution, remark));
        self.other_fields.push(field);
    }
}

/// An item of a list where a set of flags should be, called by what it calls itself.
fn listed_item(item: Node<'_>, list: &JsonPointer, at: usize) -> Field {
    let name = ["name", "id", "type"].into_iter().find_map(|name| item.get_str(name));
    Field {
        name: name.map_or_else(|| at.to_string(), Cow::into_owned),
        pointer: Some(list.child(at)),
        value: value_of(item),
        ..Field::default()
    }
}
