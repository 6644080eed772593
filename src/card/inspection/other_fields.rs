//! The group "Other fields": whatever no other group accounts for, as written and in order.

use super::extensions::is_about_payment;
use super::members::Members;
use crate::card::facts::{Field, Note, Tone};

/// More members than this are gathered in one last field: nobody reads them one by one.
const MAX_FIELDS: usize = 2000;

/// The members of the card that are left over.
pub(super) fn read(members: Members<'_>) -> Vec<Field> {
    let pointer = members.pointer().clone();
    let mut fields = members.rest();
    if fields.len() > MAX_FIELDS {
        let more = fields.len() - MAX_FIELDS;
        fields.truncate(MAX_FIELDS);
        fields.push(Field {
            name: format!("and {more} more"),
            pointer: Some(pointer),
            aside: "see the JSON".to_owned(),
            ..Field::default()
        });
    }
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
