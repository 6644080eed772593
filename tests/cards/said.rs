//! Everything that an inspection says about a card in words, for tests that look for a sentence.

use std::sync::Arc;

use cardscope::card::facts::{Field, Note, Origin, Requirements};
use cardscope::card::{Document, Inspection};

/// Inspects `text` as if it were pasted.
pub fn pasted(text: &str) -> Inspection {
    from(text, None)
}

/// Inspects `text` as if it came from `url`.
pub fn from(text: &str, url: Option<&str>) -> Inspection {
    let origin = Origin { final_url: url.map(str::to_owned), ..Origin::default() };
    Inspection::of(Arc::new(Document::new(text.to_owned())), origin)
}

/// All sentences about the card, one a line.
pub fn said(card: &Inspection) -> String {
    let mut said = vec![card.shape_reason.clone(), card.interfaces.chosen_reason.clone(), card.access.summary.clone()];
    fields(&mut said, &card.identity);
    fields(&mut said, &card.other_fields);
    notes(&mut said, &card.interfaces.notes);
    for row in &card.interfaces.rows {
        notes(&mut said, &row.notes);
        said.extend(row.unusable.clone());
        said.extend(row.flag.as_ref().map(|flag| flag.text.clone()));
        fields(&mut said, &row.other_fields);
    }
    notes(&mut said, &card.capabilities.notes);
    for row in &card.capabilities.rows {
        said.push(format!("{} {:?}: {}", row.name, row.declared, row.meaning));
        notes(&mut said, &row.notes);
    }
    for extension in &card.capabilities.extensions {
        notes(&mut said, &extension.notes);
        fields(&mut said, &extension.other_fields);
    }
    fields(&mut said, &card.capabilities.other_fields);
    notes(&mut said, &card.skills.notes);
    fields(&mut said, &card.skills.default_modes);
    for skill in &card.skills.rows {
        notes(&mut said, &skill.notes);
        fields(&mut said, &skill.other_fields);
        requirements(&mut said, skill.requirements.as_ref());
    }
    notes(&mut said, &card.access.notes);
    for scheme in &card.access.schemes {
        said.push(scheme.summary.clone());
        notes(&mut said, &scheme.notes);
        fields(&mut said, &scheme.details);
    }
    requirements(&mut said, Some(&card.access.requirements));
    notes(&mut said, &card.signatures.notes);
    for signature in &card.signatures.rows {
        said.push(signature.summary.clone());
        notes(&mut said, &signature.notes);
    }
    said.join("\n")
}

fn notes(said: &mut Vec<String>, notes: &[Note]) {
    said.extend(notes.iter().map(|note| note.text.clone()));
}

fn fields(said: &mut Vec<String>, list: &[Field]) {
    for field in list {
        said.push(format!("{}: {}", field.name, field.aside));
        notes(said, &field.notes);
        fields(said, &field.children);
    }
}

fn requirements(said: &mut Vec<String>, requirements: Option<&Requirements>) {
    notes(said, requirements.map_or(&[], |requirements| &requirements.notes));
}
