//! The corpus of real-shaped cards: what each is taken for, one line a card, and that nothing of any is lost.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardscope::card::facts::{Field, FieldValue, Note, Origin, Requirements};
use cardscope::card::{Document, Inspection, JsonPointer, Node};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards")
}

/// Every card of the corpus with the name of its file, in order.
fn corpus() -> Vec<(String, Inspection)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let inspect = |path: PathBuf| {
        let document = Arc::new(Document::new(std::fs::read(&path).unwrap()));
        (path.file_stem().unwrap().to_string_lossy().into_owned(), Inspection::of(document, Origin::default()))
    };
    paths.into_iter().map(inspect).collect()
}

fn line(name: &str, card: &Inspection) -> String {
    let chosen = card.interfaces.chosen.map_or("none".to_owned(), |chosen| {
        let row = &card.interfaces.rows[chosen];
        format!("{chosen} {} {}", row.binding.name(), row.dialect.unwrap().label())
    });
    let flags: Vec<String> = card
        .interfaces
        .rows
        .iter()
        .filter_map(|row| row.flag.as_ref())
        .map(|flag| format!("{:?}", flag.kind))
        .collect();
    let mut line = format!("{name}: {}, chosen {chosen} of {}", card.shape.label(), card.interfaces.rows.len());
    for (count, what) in [
        (card.skills.rows.len(), "skills"),
        (card.access.schemes.len(), "schemes"),
        (card.access.requirements.alternatives.len(), "alternatives"),
        (card.capabilities.extensions.len(), "extensions"),
        (card.signatures.rows.len(), "signatures"),
        (card.other_fields.len(), "other"),
    ] {
        if count > 0 {
            write!(line, ", {what} {count}").unwrap();
        }
    }
    if !flags.is_empty() {
        write!(line, ", flags {}", flags.join(" ")).unwrap();
    }
    line
}

#[test]
fn each_card_of_the_corpus_is_taken_for_what_it_is() {
    let lines: Vec<String> = corpus().iter().map(|(name, card)| line(name, card)).collect();
    let expected = std::fs::read_to_string(folder().join("expected.txt")).unwrap_or_default();
    let expected: Vec<&str> = expected.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let actual = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cards-actual.txt");
    std::fs::write(&actual, lines.join("\n") + "\n").unwrap();
    for (expected, line) in expected.iter().zip(&lines) {
        assert_eq!(line, expected, "all of it is in {}", actual.display());
    }
    assert_eq!(lines.len(), expected.len(), "all of it is in {}", actual.display());
}

#[test]
fn file_names_say_the_shape() {
    for (name, card) in corpus() {
        let (kind, _) = name.rsplit_once('-').unwrap();
        let expected = match kind {
            // Card-like, without an address: read as the oldest cards.
            "degenerate-card" => "0.2",
            // An address and well-formed skills: a client can call these, so they open as cards.
            "not-a-card" if ["not-a-card-1c99db", "not-a-card-e5f272"].contains(&name.as_str()) => "0.2",
            "not-a-card" => "notACard",
            kind => kind,
        };
        assert_eq!(card.shape.label(), expected, "{name}: {}", card.shape_reason);
    }
}

/// A fact's place in the document, and every text it shows.
struct Shown {
    pointer: JsonPointer,
    texts: Vec<String>,
}

/// Gathers what the groups of an inspection show.
#[derive(Default)]
struct Gathered(Vec<Shown>);

impl Gathered {
    fn of(card: &Inspection) -> Self {
        let mut all = Self::default();
        all.fields(&card.identity);
        all.fields(&card.other_fields);
        for row in &card.interfaces.rows {
            let mut texts = vec![row.url.clone()];
            texts.extend([&row.binding_text, &row.version_text, &row.tenant].into_iter().flatten().cloned());
            // What old entries say of themselves stands at the top of the card.
            all.add(&JsonPointer::root(), texts.clone(), &[]);
            all.add(&row.pointer, texts, &row.notes);
            all.fields(&row.other_fields);
        }
        for row in &card.capabilities.rows {
            let texts = row.declared.iter().map(ToString::to_string).collect();
            all.add(&row.pointer.clone().unwrap_or_default(), texts, &row.notes);
        }
        all.fields(&card.capabilities.other_fields);
        for extension in &card.capabilities.extensions {
            let mut texts = vec![extension.uri.clone(), extension.required.to_string()];
            texts.extend([&extension.description, &extension.params].into_iter().flatten().cloned());
            all.add(&extension.pointer, texts, &extension.notes);
            all.fields(&extension.other_fields);
        }
        all.fields(&card.skills.default_modes);
        for skill in &card.skills.rows {
            let mut texts = vec![skill.id.clone(), skill.name.clone(), skill.description.clone()];
            texts.extend(
                [&skill.tags, &skill.examples, &skill.input_modes.types, &skill.output_modes.types]
                    .into_iter()
                    .flatten()
                    .cloned(),
            );
            all.add(&skill.pointer, texts, &skill.notes);
            all.fields(&skill.other_fields);
            all.requirements(skill.requirements.as_ref());
        }
        for scheme in &card.access.schemes {
            all.add(&scheme.pointer, vec![scheme.name.clone()], &scheme.notes);
            all.fields(&scheme.details);
        }
        all.requirements(Some(&card.access.requirements));
        for signature in &card.signatures.rows {
            all.add(&signature.pointer, Vec::new(), &signature.notes);
            all.fields(&signature.fields);
        }
        all
    }

    fn add(&mut self, pointer: &JsonPointer, mut texts: Vec<String>, notes: &[Note]) {
        texts.extend(notes.iter().map(|note| note.text.clone()));
        self.0.push(Shown { pointer: pointer.clone(), texts });
    }

    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            let texts = match &field.value {
                FieldValue::Null => vec!["null".to_owned()],
                FieldValue::Text(text)
                | FieldValue::Address(text)
                | FieldValue::Literal(text)
                | FieldValue::Json(text) => vec![text.clone()],
                FieldValue::Words(words) => words.clone(),
                FieldValue::Absent | FieldValue::Group => Vec::new(),
            };
            if let Some(pointer) = &field.pointer {
                self.add(pointer, texts, &field.notes);
            }
            self.fields(&field.children);
        }
    }

    fn requirements(&mut self, requirements: Option<&Requirements>) {
        for alternative in requirements.iter().flat_map(|requirements| &requirements.alternatives) {
            let texts =
                alternative.schemes.iter().flat_map(|scheme| scheme.scopes.iter().chain([&scheme.name])).cloned();
            self.add(&alternative.pointer, texts.collect(), &[]);
        }
    }

    fn shows(&self, leaf: Node<'_>) -> bool {
        let pointer = leaf.pointer();
        let raw = leaf.raw();
        let text = leaf.as_str();
        let value = text.as_deref().unwrap_or(raw);
        self.0.iter().filter(|shown| shown.pointer.contains(&pointer)).any(|shown| {
            shown.texts.iter().any(|shown| shown == value || shown.starts_with(['{', '[']) && shown.contains(raw))
        })
    }
}

#[test]
fn every_value_of_every_card_is_shown_in_some_group() {
    for (name, card) in corpus() {
        let gathered = Gathered::of(&card);
        let tree = card.document.tree().unwrap();
        let lost: Vec<String> = tree
            .nodes()
            .filter(|node| !node.kind().is_container() && !gathered.shows(*node))
            .map(|node| format!("{node:?}"))
            .collect();
        assert!(lost.is_empty(), "{name} loses {lost:#?}");
    }
}
