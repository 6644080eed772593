//! What the rules find on cards as they are: those of the specification, of official SDKs, and from the field.
//!
//! `tests/cards/findings.txt` has one line a card, so that a change of judgement is a change of a line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use cardscope::card::facts::Origin;
use cardscope::card::lint::{Finding, Rule, Severity, findings, rules};
use cardscope::card::{Document, Inspection};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards")
}

fn judged(text: impl Into<Bytes>) -> Vec<Finding> {
    findings(&Inspection::of(Arc::new(Document::new(text)), Origin::default()))
}

/// The cards of a folder of the corpus with their findings, by name.
fn cards(folder_name: &str) -> Vec<(String, Vec<Finding>)> {
    let folder = folder().join(folder_name);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let judge = |path: PathBuf| {
        let name = Path::new(folder_name).join(path.file_stem().unwrap()).display().to_string();
        (name, judged(std::fs::read(&path).unwrap()))
    };
    paths.into_iter().map(judge).collect()
}

/// Rule names by severity and in the order of the tables, each once with its number of places.
fn line(name: &str, findings: &[Finding]) -> String {
    let mut line = format!("{name}:");
    for severity in [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint] {
        let count = |rule: &Rule| {
            findings.iter().filter(|finding| finding.rule == rule.name && finding.severity == severity).count()
        };
        let rules: Vec<_> = rules().map(|rule| (rule.name, count(rule))).filter(|(_, count)| *count > 0).collect();
        if !rules.is_empty() {
            write!(line, " {}", severity.label().to_uppercase()).unwrap();
        }
        for (rule, count) in rules {
            write!(line, " {rule}").unwrap();
            if count > 1 {
                write!(line, "*{count}").unwrap();
            }
        }
    }
    line
}

#[test]
fn each_card_of_the_corpus_is_judged_as_before() {
    let cards = ["spec", "sdk", ""].map(cards).concat();
    let lines: Vec<String> = cards.iter().map(|(name, findings)| line(name, findings)).collect();
    let expected = std::fs::read_to_string(folder().join("findings.txt")).unwrap_or_default();
    let expected: Vec<&str> = expected.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let actual = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/findings-actual.txt");
    std::fs::write(&actual, lines.join("\n") + "\n").unwrap();
    for (expected, line) in expected.iter().zip(&lines) {
        assert_eq!(line, expected, "all of it is in {}", actual.display());
    }
    assert_eq!(lines.len(), expected.len(), "all of it is in {}", actual.display());
}

#[test]
fn no_error_on_what_the_specification_shows_or_an_sdk_writes() {
    let samples = cards("spec").into_iter().filter(|(name, _)| name.contains("sample"));
    for (name, findings) in samples.chain(cards("sdk")) {
        let errors: Vec<_> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

/// Fragments lack what a whole card has, and are found lacking in that alone.
#[test]
fn fragments_of_the_specification_lack_only_the_rest_of_a_card() {
    let rest = ["not-a-card", "required-member-missing", "json-invalid", "extended-card-without-scheme"];
    for (name, findings) in cards("spec").into_iter().filter(|(name, _)| name.contains("fragment")) {
        let mut errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        assert!(errors.all(|error| rest.contains(&error.rule)), "{name}: {findings:#?}");
    }
}

#[test]
fn every_finding_can_be_found() {
    for (name, found) in ["spec", "sdk", ""].map(cards).concat() {
        let path = folder().join(format!("{name}.json"));
        let document = Document::new(std::fs::read(path).unwrap());
        for finding in found {
            let there = document.tree().is_none_or(|tree| tree.resolve(&finding.pointer).is_some());
            assert!(there, "{name}: {} points to nothing: {}", finding.rule, finding.pointer);
            assert!(!finding.message.contains('\n') && finding.message.ends_with('.'), "{name}: {}", finding.message);
        }
    }
}

#[test]
fn large_cards_are_judged_in_time_and_in_bounds() {
    let skill = r#"{"id": "same id", "name": "", "description": "x", "tags": [], "inputModes": ["x"], "price": 1,
                    "security": [{"a": []}]}"#;
    let head = r#""name": "Large", "description": "<b>x</b>", "version": "x", "url": "/x", "capabilities": {}"#;
    let many = format!("{{{head}, \"skills\": [{}]}}", vec![skill; 3000].join(","));
    let long = format!("{{{head}, \"skills\": [], \"x\": \"{}\"}}", "words and <b> more ".repeat(100_000));
    let flat = format!("{{{head}, \"skills\": [], \"x\": [{}1]}}", "1,".repeat(200_000));
    for text in [many, long, flat] {
        let inspection = Inspection::of(Arc::new(Document::new(text.into_bytes())), Origin::default());
        let start = Instant::now();
        let count = findings(&inspection).len();
        let taken = start.elapsed();
        assert!(count < 1000, "{count} findings");
        // Unoptimized, and beside other tests: what is meant is that nothing grows with the square.
        assert!(taken < Duration::from_secs(20), "{taken:?}");
        println!("{count} findings in {taken:?}");
    }
}
