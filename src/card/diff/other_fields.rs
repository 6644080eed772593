//! Members that the specification does not know, wherever they stand.

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::same_json::same_text;
use super::wording::{quoted, text_of};
use crate::card::facts::{Field, FieldValue};

const OTHER_FIELD_ADDED: Rule = Rule::new(
    "other-field-added",
    Level::Docs,
    Group::OtherFields,
    "A2A does not know the member, so clients that follow it do not read it.",
);
const OTHER_FIELD_REMOVED: Rule = Rule::new(
    "other-field-removed",
    Level::Docs,
    Group::OtherFields,
    "Clients that follow A2A did not read it; others may have.",
);
const OTHER_FIELD_CHANGED: Rule = Rule::new(
    "other-field-changed",
    Level::Docs,
    Group::OtherFields,
    "A2A does not know the member, so clients that follow it do not read it.",
);
const PAYMENT_CHANGED: Rule = Rule::new(
    "payment-terms-changed",
    Level::Risky,
    Group::OtherFields,
    "What is asked for a call matters to whoever pays, although A2A does not define the member.",
);

const UNREAD_MEMBER_CHANGED: Rule = Rule::new(
    "unread-member-changed",
    Level::Risky,
    Group::OtherFields,
    "A2A knows the member, but another one is read in its place, or it has a shape that A2A does not give it. Clients of another release, or less strict ones, may go by it.",
);

pub(super) const RULES: &[&Rule] =
    &[&OTHER_FIELD_ADDED, &OTHER_FIELD_REMOVED, &OTHER_FIELD_CHANGED, &PAYMENT_CHANGED, &UNREAD_MEMBER_CHANGED];

/// What the left-over members belong to.
pub(super) struct Owner<'a> {
    pub group: Group,
    /// As a sentence calls it: "the card", "the skill \"x\"".
    pub words: &'a str,
    /// The members that A2A gives it: one of them among the left-overs is not unknown, only unread.
    pub known: &'a [&'a str],
}

/// Compares left-over members by name.
pub(super) fn compare(report: &mut Report, owner: &Owner<'_>, older: &[Field], newer: &[Field]) {
    let mut matches = Matches::none(older.len(), newer.len());
    matches.pass(|at| Some(older[at].name.as_str()), |at| Some(newer[at].name.as_str()));
    for &(a, b) in &matches.pairs {
        if !same_field(&older[a], &newer[b]) {
            add(report, owner, Some(&older[a]), Some(&newer[b]));
        }
    }
    for &at in &matches.only_older {
        add(report, owner, Some(&older[at]), None);
    }
    for &at in &matches.only_newer {
        add(report, owner, None, Some(&newer[at]));
    }
}

fn add(report: &mut Report, owner: &Owner<'_>, before: Option<&Field>, after: Option<&Field>) {
    // Absent against null or empty is no change.
    let (before, after) = (before.filter(|field| !is_empty(field)), after.filter(|field| !is_empty(field)));
    let Some(field) = after.or(before) else { return };
    let name = if field.name.is_empty() { "an unnamed value".to_owned() } else { quoted(&field.name) };
    let about_payment = [before, after].into_iter().flatten().any(is_about_payment);
    let is_known = owner.known.contains(&field.name.as_str());
    let whose = owner.words;
    let (rule, message) = match (before, after) {
        _ if about_payment => (
            &PAYMENT_CHANGED,
            format!(
                "What {whose} says about payment in {name} changed; whoever calls the agent may be charged otherwise."
            ),
        ),
        (None, _) => (&OTHER_FIELD_ADDED, format!("The member {name} of {whose} is new; {}.", unread(is_known))),
        (_, None) => (&OTHER_FIELD_REMOVED, format!("The member {name} of {whose} is gone; {}.", unread(is_known))),
        _ if is_known => (
            &UNREAD_MEMBER_CHANGED,
            format!(
                "The member {name} of {whose} changed; it is not what a strict client reads, but clients of another release may."
            ),
        ),
        _ => (&OTHER_FIELD_CHANGED, format!("The member {name} of {whose} changed; {}.", unread(is_known))),
    };
    let pointer = |field: Option<&Field>| field.and_then(|field| field.pointer.clone());
    let sides = Sides { older_pointer: pointer(before), newer_pointer: pointer(after), ..Sides::default() }
        .values(before.and_then(whole_text), after.and_then(whole_text));
    report.add(&Rule { group: owner.group, ..*rule }, sides, message);
}

fn unread(is_known: bool) -> &'static str {
    if is_known {
        "strict clients do not read it here or in this shape"
    } else {
        "A2A does not know it, so only clients that know it beyond A2A can notice"
    }
}

fn is_about_payment(field: &Field) -> bool {
    field.notes.iter().any(|note| note.text.starts_with("About payment"))
}

/// The text of a field; a group's children, one after the other.
fn whole_text(field: &Field) -> Option<String> {
    if field.children.is_empty() {
        return text_of(field);
    }
    let children = field.children.iter().filter_map(|child| Some(format!("{}: {}", child.name, whole_text(child)?)));
    Some(children.collect::<Vec<_>>().join(", "))
}

fn is_empty(field: &Field) -> bool {
    match &field.value {
        FieldValue::Absent | FieldValue::Null => true,
        FieldValue::Group => field.children.is_empty(),
        FieldValue::Json(json) => matches!(json.as_str(), "[]" | "{}"),
        FieldValue::Words(words) => words.is_empty(),
        FieldValue::Text(text) | FieldValue::Address(text) | FieldValue::Literal(text) => text.is_empty(),
    }
}

/// Whether two fields say the same, JSON compared as JSON.
pub(super) fn same_field(older: &Field, newer: &Field) -> bool {
    let children = || {
        older.children.len() == newer.children.len()
            && older.children.iter().zip(&newer.children).all(|(a, b)| a.name == b.name && same_field(a, b))
    };
    match (&older.value, &newer.value) {
        (FieldValue::Json(a), FieldValue::Json(b)) => same_text(a, b),
        (FieldValue::Group, FieldValue::Group) => children(),
        (a, b) => a == b,
    }
}
