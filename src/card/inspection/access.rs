//! The group "Access": how is the agent protected, and what does a client need?

use std::borrow::Cow;

use super::members::{Expected, Members};
use super::requirements::Declared;
use super::values::{MAX_ROWS, left_out};
use super::{authentication, requirements, schemes};
use crate::card::facts::{Access, Note, Requirements, SchemeKind, Shape, Skills, Tone};

/// Reads the schemes, the requirements, and the `authentication` of before 0.2; also which schemes are declared.
pub(super) fn read<'a>(members: &mut Members<'a>, shape: Shape) -> (Access, Declared<'a>) {
    let mut access = Access::default();
    let mut declared = Declared::default();
    if let Some(map) = members.take_if("securitySchemes", Expected::Object) {
        access.notes.extend(map.notes);
        let rows = map.node.members().take(MAX_ROWS);
        access.schemes = rows.map(|(name, node)| schemes::read(&name, node, map.pointer.child(&name), shape)).collect();
        access.notes.extend(left_out(map.node.child_count(), MAX_ROWS, "schemes"));
        declared = Declared::in_map(map.node);
    } else if let Some(node) = members.peek("securitySchemes") {
        let found = node.kind().with_article();
        access.notes.push(Note::new(
            Tone::Caution,
            format!("securitySchemes is {found}, where A2A defines an object; it is shown under Other fields."),
        ));
    }
    let stated = requirements::read(members, shape, &declared);
    let legacy = authentication::read(members);
    let is_silent = stated.is_none() && legacy.is_none();
    if let Some(legacy) = legacy {
        access
            .notes
            .push(Note::new(Tone::Caution, "authentication is a member of before 0.2; newer clients do not read it."));
        access.notes.extend(legacy.notes);
        declared.extend(legacy.schemes.iter().map(|scheme| Cow::Owned(scheme.name.clone())));
        access.schemes.extend(legacy.schemes);
        access.requirements = legacy.requirements;
    }
    if let Some(stated) = stated {
        access.requirements = stated;
    }
    access.summary = summary(&access, is_silent);
    (access, declared)
}

fn summary(access: &Access, is_silent: bool) -> String {
    let counts = |kind: SchemeKind| access.schemes.iter().filter(|scheme| scheme.kind == kind).count();
    let all_open = !access.schemes.is_empty() && counts(SchemeKind::None) == access.schemes.len();
    match (is_silent, access.schemes.as_slice()) {
        (true, []) => "Nothing is declared: the card does not ask for credentials.".to_owned(),
        (true, _) if all_open => "No authentication.".to_owned(),
        (true, _) => "Schemes are declared, but none is required.".to_owned(),
        (false, _) if access.requirements.alternatives.is_empty() && access.requirements.pointer.is_none() => {
            "What is required cannot be told from what is declared.".to_owned()
        }
        (false, _) => requirements::summary(&access.requirements),
    }
}

/// Marks the schemes that the card or one of its skills requires, once the skills are known.
pub(super) fn mark_required(access: &mut Access, skills: &Skills) {
    let of_skills = skills.rows.iter().filter_map(|skill| skill.requirements.as_ref());
    let mut required = std::collections::HashSet::new();
    for requirements in std::iter::once(&access.requirements).chain(of_skills) {
        required.extend(names(requirements));
    }
    for scheme in &mut access.schemes {
        scheme.required_somewhere |= required.contains(scheme.name.as_str());
        if !scheme.required_somewhere && scheme.kind != SchemeKind::None {
            scheme.notes.push(Note::new(Tone::Plain, "Declared, but required nowhere."));
        }
    }
}

/// The schemes that any client is told to prove itself by.
fn names(requirements: &Requirements) -> impl Iterator<Item = &str> {
    let alternatives =
        requirements.alternatives.iter().chain(requirements.beside.iter().flat_map(|older| &older.alternatives));
    alternatives.flat_map(|alternative| &alternative.schemes).map(|scheme| scheme.name.as_str())
}
