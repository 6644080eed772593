//! The group "Skills and formats": what work does the agent do, and in which formats?

use std::collections::HashSet;

use super::known_field::{Known, ValueKind};
use super::members::{Expected, Members};
use super::requirements::{self, Declared};
use super::values::{MAX_ROWS, left_out, listed, value_of};
use crate::card::facts::{Field, FieldValue, Modes, Note, Shape, Skill, Skills, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

const INPUT_MODES: Known = Known::new(
    "defaultInputModes",
    ValueKind::Words,
    "§4.4.1",
    "The media types the agent accepts, unless a skill states its own.",
)
.absent("not declared");

const OUTPUT_MODES: Known = Known::new(
    "defaultOutputModes",
    ValueKind::Words,
    "§4.4.1",
    "The media types the agent answers in, unless a skill states its own.",
)
.absent("not declared");

/// Reads the default modes and every skill.
pub(super) fn read(members: &mut Members<'_>, shape: Shape, declared_schemes: &Declared<'_>) -> Skills {
    let default_modes: Vec<Field> = [&INPUT_MODES, &OUTPUT_MODES]
        .into_iter()
        .filter_map(|known| known.take(members))
        .map(with_mode_hints)
        .collect();
    let mut skills = Skills { default_modes, ..Skills::default() };
    let Some(list) = members.take_if("skills", Expected::List) else {
        skills.notes.push(absent_note(members));
        return skills;
    };
    let reader = Reader {
        input: Modes { types: types(skills.default_modes.first()), inherited: true },
        output: Modes { types: types(skills.default_modes.get(1)), inherited: true },
        shape,
        declared_schemes,
    };
    skills.notes.extend(list.notes);
    let items = list.node.items().enumerate().take(MAX_ROWS);
    skills.rows.reserve_exact(list.node.child_count().min(MAX_ROWS));
    skills.rows.extend(items.map(|(at, item)| reader.skill(item, list.pointer.child(at))));
    skills.notes.extend(left_out(list.node.child_count(), MAX_ROWS, "skills"));
    if skills.rows.is_empty() {
        skills.notes.push(Note::new(Tone::Plain, "The list of skills is empty."));
    }
    if skills.rows.iter().all(|skill| skill.notes.iter().any(|note| note.text == PLAIN_STRING))
        && !skills.rows.is_empty()
    {
        skills.notes.push(Note::new(Tone::Caution, "The skills are plain strings, where A2A defines objects."));
    }
    skills.tags = distinct_tags(&skills.rows);
    skills
}

const PLAIN_STRING: &str = "A plain string, read as id and name.";

fn absent_note(members: &Members<'_>) -> Note {
    match members.peek("skills") {
        Some(node) => Note::new(
            Tone::Caution,
            format!("skills is {}, not a list; it is shown under Other fields.", node.kind().with_article()),
        ),
        None => Note::new(Tone::Caution, "No skills are declared, so the card does not say what the agent can do."),
    }
}

/// The modes that a field declares; one string counts as a list of one.
fn types(field: Option<&Field>) -> Vec<String> {
    match field.map(|field| &field.value) {
        Some(FieldValue::Words(words)) => words.clone(),
        Some(FieldValue::Text(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

/// Says which modes are bare names and what is probably meant.
fn with_mode_hints(mut field: Field) -> Field {
    field.notes.extend(mode_hints(&types(Some(&field))));
    field
}

fn mode_hints(modes: &[String]) -> Option<Note> {
    let bare: Vec<String> = modes
        .iter()
        .filter(|mode| !mode.contains('/'))
        .map(|mode| match meant(mode) {
            Some(media_type) => format!("\"{mode}\" (probably {media_type})"),
            None => format!("\"{mode}\""),
        })
        .collect();
    let verb = if bare.len() == 1 { "is no media type" } else { "are no media types" };
    (!bare.is_empty()).then(|| Note::new(Tone::Caution, format!("{} {verb}.", listed(&bare, "and"))))
}

fn meant(mode: &str) -> Option<&'static str> {
    Some(match mode.to_ascii_lowercase().as_str() {
        "text" | "plain" | "string" => "text/plain",
        "json" | "data" => "application/json",
        "markdown" | "md" => "text/markdown",
        "html" => "text/html",
        "image" => "image/*",
        "audio" | "voice" => "audio/*",
        "video" => "video/*",
        "file" => "application/octet-stream",
        _ => return None,
    })
}

fn distinct_tags(rows: &[Skill]) -> Vec<String> {
    let mut seen = HashSet::new();
    let tags = rows.iter().flat_map(|skill| &skill.tags).filter(|tag| seen.insert(tag.as_str()));
    tags.take(MAX_ROWS).cloned().collect()
}

/// What every skill inherits from its card.
struct Reader<'a> {
    input: Modes,
    output: Modes,
    shape: Shape,
    declared_schemes: &'a Declared<'a>,
}

impl Reader<'_> {
    /// Reads one skill (§4.4.5), whatever it is.
    fn skill(&self, node: Node<'_>, pointer: JsonPointer) -> Skill {
        let mut skill = Skill {
            pointer: pointer.clone(),
            id: String::new(),
            name: String::new(),
            description: String::new(),
            tags: Vec::new(),
            examples: Vec::new(),
            input_modes: self.input.clone(),
            output_modes: self.output.clone(),
            requirements: None,
            notes: Vec::new(),
            other_fields: Vec::new(),
        };
        if let Some(text) = node.as_str() {
            skill.notes.push(Note::new(Tone::Caution, PLAIN_STRING));
            skill.id = text.clone().into_owned();
            skill.name = text.into_owned();
        } else if node.kind() == Kind::Object {
            self.fill(&mut skill, Members::of(node, pointer));
        } else {
            let found = node.kind().with_article();
            skill.notes.push(Note::new(Tone::Caution, format!("A skill is an object; this is {found}.")));
            skill.other_fields.push(Field { pointer: Some(pointer), value: value_of(node), ..Field::default() });
        }
        skill
    }

    fn fill(&self, skill: &mut Skill, mut members: Members<'_>) {
        let notes = &mut skill.notes;
        let id = members.take_scalar("id", notes);
        let name = members.take_text("name", notes);
        let tags = members.take_words("tags", notes);
        for (is_there, member) in [(id.is_some(), "id"), (name.is_some(), "name"), (tags.is_some(), "tags")] {
            // A null or misshapen member is told among the left-overs.
            if !is_there && members.peek(member).is_none() && !members.has(member) {
                let tone = if member == "tags" { Tone::Plain } else { Tone::Caution };
                notes.push(Note::new(tone, format!("{member} is missing.")));
            }
        }
        skill.id = id.unwrap_or_default();
        skill.name = name.unwrap_or_default();
        skill.tags = tags.unwrap_or_default();
        skill.description = members.take_text("description", notes).unwrap_or_default();
        skill.examples = members.take_words("examples", notes).unwrap_or_default();
        override_modes(&mut skill.input_modes, "inputModes", &mut members, notes);
        override_modes(&mut skill.output_modes, "outputModes", &mut members, notes);
        skill.requirements = requirements::read(&mut members, self.shape, self.declared_schemes);
        skill.other_fields = members.rest();
        for field in &mut skill.other_fields {
            if matches!(field.value, FieldValue::Address(_)) {
                field.notes.push(Note::new(Tone::Plain, "Outside A2A; Cardscope does not call it."));
            }
        }
    }
}

/// Puts a skill's own modes in place of the card's. An empty list is as good as none (§5.7).
fn override_modes(modes: &mut Modes, name: &str, members: &mut Members<'_>, notes: &mut Vec<Note>) {
    let Some(own) = members.take_words(name, notes) else { return };
    if own.is_empty() {
        notes.push(Note::new(Tone::Plain, format!("{name} is empty, so the card's defaults apply.")));
        return;
    }
    notes.extend(mode_hints(&own));
    *modes = Modes { types: own, inherited: false };
}
