//! One member that the specification knows, as a field: its value, what it means, where it is defined.

use super::members::{Expected, Member, Members};
use super::values::value_of;
use crate::card::facts::{Field, FieldValue, Note, Tone};
use crate::card::json::Kind;

/// What is known of a member before any card is seen.
pub(super) struct Known {
    pub name: &'static str,
    pub help: &'static str,
    pub spec: &'static str,
    /// Muted words behind the value.
    pub aside: &'static str,
    /// What its absence means; a member whose absence means nothing is then not listed.
    pub absent: &'static str,
    pub kind: ValueKind,
}

/// How the value of a known member is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    Address,
    Words,
    Flag,
    /// Whatever it is.
    Any,
}

impl Known {
    pub const fn new(name: &'static str, kind: ValueKind, spec: &'static str, help: &'static str) -> Self {
        Self { name, help, spec, aside: "", absent: "", kind }
    }

    pub const fn aside(self, aside: &'static str) -> Self {
        Self { aside, ..self }
    }

    pub const fn absent(self, absent: &'static str) -> Self {
        Self { absent, ..self }
    }

    /// Takes the member from `members`. Absent ones are listed only where their absence means something.
    pub fn take(&self, members: &mut Members<'_>) -> Option<Field> {
        match members.take(self.name) {
            Some(member) => Some(self.field(member)),
            None if self.absent.is_empty() => None,
            None => Some(Field { aside: self.absent.to_owned(), ..self.bare() }),
        }
    }

    /// The field of a member already taken.
    pub fn field(&self, member: Member<'_>) -> Field {
        let kind = member.node.kind();
        let mut field = Field { pointer: Some(member.pointer), notes: member.notes, ..self.bare() };
        if kind == Kind::Null {
            field.value = FieldValue::Null;
            self.absent.clone_into(&mut field.aside);
            field.notes.push(Note::new(Tone::Plain, "null counts as absent."));
            return field;
        }
        field.value = match value_of(member.node) {
            FieldValue::Text(text) if self.kind == ValueKind::Address => FieldValue::Address(text),
            FieldValue::Address(text) if self.kind == ValueKind::Text => FieldValue::Text(text),
            FieldValue::Json(json) if self.kind == ValueKind::Words && json == "[]" => FieldValue::Words(Vec::new()),
            value => value,
        };
        if let Some(expected) = self.expected().filter(|expected| !expected.fits(kind)) {
            field.notes.push(expected.misfit(kind));
        }
        let is_empty = field.value == FieldValue::Text(String::new());
        field.aside.push_str(if is_empty { "empty" } else { self.aside });
        field
    }

    fn expected(&self) -> Option<Expected> {
        match self.kind {
            ValueKind::Text | ValueKind::Address => Some(Expected::Text),
            ValueKind::Words => Some(Expected::List),
            ValueKind::Flag => Some(Expected::Bool),
            ValueKind::Any => None,
        }
    }

    fn bare(&self) -> Field {
        Field { name: self.name.to_owned(), help: self.help, spec: self.spec, ..Field::default() }
    }
}
