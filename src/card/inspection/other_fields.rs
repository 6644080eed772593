//! The group "Other fields": whatever no other group accounts for, as written and in order.

use super::extensions::is_about_payment;
use super::members::Members;
use crate::card::facts::{Field, Note, Tone};

/// The members of the card that are left over.
pub(super) fn read(members: Members<'_>) -> Vec<Field> {
    let mut fields = members.rest();
    for field in &mut fields {
        if is_about_payment(&field.name) {
            field
                .notes
                .push(Note::new(Tone::Plain, "About payment: the agent may ask for money. Cardscope never pays."));
        }
        match field.name.as_str() {
            "$schema" => field.notes.push(Note::new(Tone::Plain, "A schema for editors; Cardscope does not fetch it.")),
            "" => field.notes.push(Note::new(Tone::Plain, "A member whose name is empty.")),
            _ => {}
        }
    }
    fields
}
