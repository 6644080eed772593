//! The corpus of real-shaped cards: what each is taken for, one line a card, and that nothing of any is lost.

mod deviations;
mod judgements;
mod said;

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
    notes: Vec<String>,
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

    fn add(&mut self, pointer: &JsonPointer, texts: Vec<String>, notes: &[Note]) {
        let notes = notes.iter().map(|note| note.text.clone()).collect();
        self.0.push(Shown { pointer: pointer.clone(), texts, notes });
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
        if let Some((pointer, requirements)) = requirements.and_then(|stated| Some((stated.pointer.as_ref()?, stated)))
        {
            self.add(pointer, Vec::new(), &requirements.notes);
        }
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
            // Containers are shown as written; notes quote what they are about.
            let whole = |text: &String| text.starts_with(['{', '[']) && text.contains(raw);
            shown.texts.iter().any(|text| text == value || text == raw || whole(text))
                || shown.notes.iter().any(|note| note.contains(raw))
        })
    }

    /// The values of a card that no group shows.
    fn lost(card: &Inspection) -> Vec<String> {
        let gathered = Self::of(card);
        let leaves = card.document.tree().unwrap().nodes().filter(|node| !node.kind().is_container());
        leaves.filter(|node| !gathered.shows(*node)).map(|node| format!("{node:?}")).collect()
    }
}

#[test]
fn every_value_of_every_card_is_shown_in_some_group() {
    for (name, card) in corpus() {
        let lost = Gathered::lost(&card);
        assert!(lost.is_empty(), "{name} loses {lost:#?}");
    }
}

/// Cards in which every group has something, of the newest and of the older releases.
const DENSE: [&str; 2] = [
    r#"{"name": "A", "description": "D", "version": "1", "provider": {"organization": "O", "url": "https://o.example"},
        "documentationUrl": "https://d.example", "iconUrl": "https://i.example", "supportedInterfaces": [
        {"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": "t"}],
        "capabilities": {"streaming": true, "pushNotifications": false, "extendedAgentCard": true, "extensions": [
        {"uri": "urn:x", "description": "E", "required": true, "params": {"p": 1}}]}, "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["image/png"], "securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "Bearer"}},
        "o": {"oauth2SecurityScheme": {"flows": {"clientCredentials": {"tokenUrl": "https://t.example", "scopes": {"r": "Read"}}}}}},
        "securityRequirements": [{"schemes": {"b": {"list": ["s"]}}}], "skills": [{"id": "s", "name": "S", "description": "SD",
        "tags": ["g"], "examples": ["e"], "inputModes": ["a/b"], "outputModes": ["c/d"],
        "securityRequirements": [{"schemes": {"o": {"list": ["r"]}}}]}],
        "signatures": [{"protected": "eyJhbGciOiJFUzI1NiJ9", "signature": "c2ln", "header": {"h": 1}}]}"#,
    r#"{"name": "A", "description": "D", "version": "1", "protocolVersion": "0.3.0", "url": "https://a.example",
        "preferredTransport": "JSONRPC", "additionalInterfaces": [{"url": "https://b.example", "transport": "GRPC"}],
        "supportsAuthenticatedExtendedCard": true, "authentication": {"schemes": ["Bearer"], "credentials": "c"},
        "capabilities": {"stateTransitionHistory": true}, "extensions": {"x": {"uri": "urn:y"}}, "securitySchemes":
        {"k": {"type": "apiKey", "in": "header", "name": "X"}}, "security": [{"k": ["s"]}], "skills": ["a"],
        "signature": {"type": "Proof", "proofValue": "z"}}"#,
];

/// One value of each kind.
const ODD: [&str; 9] = [
    "null",
    "17.0",
    "false",
    "\"odd\"",
    "[]",
    "{}",
    "[\"odd\", null]",
    "[{\"odd\": 17.0}]",
    "{\"odd\": {\"odd\": [1]}}",
];

/// Whatever stands where something else belongs, it is shown.
#[test]
fn no_value_is_lost_when_any_member_is_something_else() {
    for dense in DENSE {
        let document = Document::new(dense.to_owned());
        for node in document.tree().unwrap().nodes().skip(1) {
            for odd in ODD {
                let text = format!("{}{odd}{}", &dense[..node.span().start], &dense[node.span().end..]);
                let lost = Gathered::lost(&said::pasted(&text));
                assert!(lost.is_empty(), "{odd} in place of {node:?} loses {lost:#?}");
            }
        }
    }
}
