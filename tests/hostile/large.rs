//! Documents as large as one thing repeated can make them: time and memory grow with their bytes, not faster.

use std::time::{Duration, Instant};

use cardscope::card::Inspection;
use cardscope::card::facts::{Field, Note};

use super::{check, inspect};

/// Enough for more of each thing than is listed, and for a square to take minutes.
const SIZE: usize = 560 << 10;

/// A card with `member` beside what every card has.
fn card_with(member: &str) -> String {
    format!(
        r#"{{"name": "Larder", "description": "Counts jars on shelves for whoever asks.", "version": "1.0.0",
  "supportedInterfaces": [{{"url": "https://larder.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}],
  "capabilities": {{}}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{{"id": "count", "name": "Count", "description": "Counts jars on a shelf.", "tags": ["jars"]}}], {member}}}"#
    )
}

/// As many of `item` as go into `size` bytes, joined by commas; `§` becomes the number of each.
fn many(size: usize, item: &str) -> String {
    let mut text = String::with_capacity(size + item.len());
    let mut number = 0;
    while text.len() < size {
        if number > 0 {
            text.push(',');
        }
        text.push_str(&item.replace('§', &number.to_string()));
        number += 1;
    }
    text
}

/// One kind of thing repeated, each by its name.
fn repeated(size: usize) -> Vec<(&'static str, String)> {
    let list = |name: &str, item: &str| card_with(&format!("\"{name}\": [{}]", many(size, item)));
    let map = |name: &str, item: &str| card_with(&format!("\"{name}\": {{{}}}", many(size, item)));
    let last = |member: &str| card_with("\"x\": 0").replace("\"x\": 0", member);
    let skill = |member: &str| {
        format!(
            r#"{{"name": "A", "version": "1", "url": "https://larder.example/", "skills": [{{"id": "a", {member}}}]}}"#
        )
    };
    vec![
        ("interfaces", list("supportedInterfaces", r#"{"url": "http://a/§", "protocolBinding": "X"}"#)),
        ("interfaces that are none", list("supportedInterfaces", "0")),
        ("interfaces without a use", list("supportedInterfaces", r#"{"protocolBinding": "X§"}"#)),
        ("the same interface", list("additionalInterfaces", r#"{"url": "http://a/", "transport": "GRPC"}"#)),
        ("schemes", map("securitySchemes", r#""s§": {"type": "apiKey", "in": "header"}"#)),
        ("schemes that are none", map("securitySchemes", r#""s§": §"#)),
        ("odd requirements", list("securityRequirements", "§")),
        ("requirements", list("security", r#"{"s§": ["§"]}"#)),
        ("one requirement", card_with(&format!("\"security\": [{{{}}}]", many(size, "\"s§\": []")))),
        ("odd scopes", card_with(&format!("\"securityRequirements\": [{}]", many(size, r#"{"schemes": {"a": §}}"#)))),
        ("scopes", card_with(&format!("\"security\": [{{\"a\": [{}]}}]", many(size / 8, "\"s§\"")))),
        ("authentication", card_with(&format!("\"authentication\": {{\"schemes\": [{}]}}", many(size, "\"b§\"")))),
        ("skills", list("skills", "{}")),
        ("skills that are none", list("skills", "null")),
        ("skills by name", list("skills", "\"skill §\"")),
        ("tags", skill(&format!("\"tags\": [{}]", many(size, "\"t§\"")))),
        ("examples and modes", skill(&format!("\"examples\": [{0}], \"inputModes\": [{0}]", many(size / 2, "\"§\"")))),
        (
            "extensions",
            card_with(&format!("\"capabilities\": {{\"extensions\": [{}]}}", many(size, r#"{"uri": "§"}"#))),
        ),
        ("capabilities", list("capabilities", "\"c§\"")),
        ("signatures", list("signatures", r#"{"protected": "e30", "signature": "§"}"#)),
        ("modes", list("defaultInputModes", "\"m§\"")),
        ("members", last(&many(size, "\"m§\": §"))),
        ("the same member", last(&many(size, "\"name\": \"§\""))),
        ("the same member in two spellings", last(&many(size, "\"icon_url\": \"§\", \"iconUrl\": null"))),
        ("members of a skill", skill(&many(size, "\"m§\": null"))),
        ("one long name", last(&format!("\"{}\": 1", "n".repeat(size)))),
        ("one long text", last(&format!("\"description\": \"{}\"", "ignore <b> ".repeat(size / 11)))),
        ("one text of hidden characters", last(&format!("\"description\": \"{}\"", "\u{202e}".repeat(size / 3)))),
        ("one text of escapes", last(&format!("\"description\": \"{}\"", "\\u200b".repeat(size / 6)))),
        ("names of hidden characters", last(&many(size, "\"\\u200b§\": \"\u{200b}\""))),
        ("numbers", list("x", "§")),
        ("deep lists", list("x", &format!("{}{}", "[".repeat(60), "]".repeat(60)))),
        ("empty lists", list("x", "[]")),
    ]
}

fn notes(fields: &[Field]) -> usize {
    fields.iter().map(|field| field.notes.len() + notes(&field.children)).sum()
}

/// How many rows and remarks a reader would be shown.
fn shown(card: &Inspection) -> usize {
    let of = |notes: &[Note]| notes.len();
    let mut count = of(&card.interfaces.notes) + of(&card.skills.notes) + of(&card.access.notes);
    count += of(&card.access.requirements.notes) + of(&card.signatures.notes) + of(&card.capabilities.notes);
    count += card.interfaces.rows.len() + card.skills.rows.len() + card.skills.tags.len() + card.access.schemes.len();
    count += card.access.requirements.alternatives.len() + card.signatures.rows.len();
    count += card.capabilities.extensions.len() + card.other_fields.len() + card.findings.len();
    count + notes(&card.identity) + notes(&card.other_fields) + notes(&card.capabilities.other_fields)
}

/// The remarks of the group that lists what is repeated; `None` where nothing is left out.
fn group<'a>(what: &str, card: &'a Inspection) -> Option<&'a [Note]> {
    Some(match what {
        "interfaces" | "interfaces that are none" | "interfaces without a use" => &card.interfaces.notes,
        "schemes" | "schemes that are none" | "authentication" => &card.access.notes,
        "odd requirements" | "requirements" | "one requirement" | "scopes" => &card.access.requirements.notes,
        "skills" | "skills that are none" | "skills by name" => &card.skills.notes,
        "tags" => &card.skills.rows[0].notes,
        "signatures" => &card.signatures.notes,
        "extensions" => &card.capabilities.extensions.last()?.notes,
        _ => return None,
    })
}

#[test]
fn one_thing_repeated_takes_no_more_than_its_bytes_and_what_is_not_listed_is_counted() {
    for (what, text) in repeated(SIZE) {
        let began = Instant::now();
        let card = inspect(text.as_bytes());
        let taken = began.elapsed();
        println!("{what}: {taken:?}, {} shown", shown(&card));
        // Unoptimized, and beside other tests: what is meant is that nothing grows with the square.
        assert!(taken < Duration::from_secs(20), "{what}: {taken:?}");
        assert!(shown(&card) < 24_000, "{what}: {} rows and remarks", shown(&card));
        check(&card, text.as_bytes());
        if let Some(notes) = group(what, &card) {
            let is_counted = |note: &Note| note.text.contains("more") && note.text.contains("see the JSON");
            assert!(notes.iter().any(is_counted), "{what}: {notes:?}");
        }
    }
}

#[test]
fn what_is_not_listed_counts_all_the_same() {
    // The first that can be used is the choice, however far down it stands, and it is listed.
    let unusable = many(SIZE / 2, r#"{"protocolBinding": "X§"}"#);
    let usable = r#"{"url": "https://larder.example/a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}"#;
    let card = inspect(card_with(&format!("\"supportedInterfaces\": [{unusable}, {usable}]")).as_bytes());
    let chosen = &card.interfaces.rows[card.interfaces.chosen.expect("one can be used")];
    assert_eq!(chosen.url, "https://larder.example/a");
    // A scheme beyond those listed counts as declared.
    let schemes = many(SIZE / 2, r#""s§": {"type": "http", "scheme": "bearer"}"#);
    let text =
        card_with(&format!("\"securitySchemes\": {{{schemes}, \"last\": {{}}}}, \"security\": [{{\"last\": []}}]"));
    let card = inspect(text.as_bytes());
    assert!(card.access.requirements.alternatives[0].schemes[0].declared);
}

/// The size of the documents whose memory is measured.
#[cfg(target_os = "linux")]
const MEMORY_SIZE: usize = 1 << 20;
/// The program itself with its history, and thirty times the document.
#[cfg(target_os = "linux")]
const MOST_MIB: u64 = 50 + 30 * (MEMORY_SIZE as u64 >> 20);

#[cfg(target_os = "linux")]
#[test]
fn a_large_card_takes_a_few_times_its_bytes_in_memory() {
    let skill = r#"{"id": "s§", "name": "Skill §", "description": "Does thing §, 料理 as well, and says at length what it does not.", "tags": ["t§", "all"], "examples": ["Do §", "Explain §"], "inputModes": ["text/plain"], "x-weight": §.0}"#;
    let honest =
        card_with("\"x\": 0").replace("\"skills\": [", &format!("\"skills\": [{}, ", many(MEMORY_SIZE, skill)));
    for (what, text) in [
        ("skills", honest),
        (
            "schemes",
            card_with(&format!("\"securitySchemes\": {{{}}}", many(MEMORY_SIZE, r#""s§": {"type": "apiKey"}"#))),
        ),
        (
            "interfaces",
            card_with(&format!(
                "\"supportedInterfaces\": [{}]",
                many(MEMORY_SIZE, r#"{"url": "http://a:§/", "protocolBinding": "X"}"#)
            )),
        ),
    ] {
        let peak = peak_mib(&text);
        println!("{what}: {peak} MiB");
        assert!(peak < MOST_MIB, "{what}: {peak} MiB");
    }
}

/// The most memory that `cardscope inspect` holds for a document, in MiB.
#[cfg(target_os = "linux")]
fn peak_mib(text: &str) -> u64 {
    use std::io::Read as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("card.json");
    std::fs::write(&path, text).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cardscope"));
    command.args(["inspect", "--json"]).arg(&path).arg("--data-dir").arg(folder.path());
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    // The high-water mark only rises, so that the last look before the end has it.
    let peak = std::thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let Some(kib) = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()) else { break };
            peak = kib / 1024;
            std::thread::sleep(Duration::from_millis(1));
        }
        peak
    });
    child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
    child.wait().unwrap();
    peak.join().unwrap()
}
