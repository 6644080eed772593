//! What a comparison costs: two cards of 1,000 skills with 100 changes, and how the cost grows with the number of
//! skills, also where every id changed.
//!
//! `cargo bench --bench comparison`. The aims: meaning under 20 ms, text under 50 ms, and ten times as many skills cost
//! ten times as much.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use cardscope::card::diff::CardDiff;
use cardscope::card::diff::json_patch::JsonPatch;
use cardscope::card::diff::text::TextDiff;
use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection};
use criterion::{BenchmarkId, Criterion};

/// One skill: its place in the older card decides its words, so that it is known again wherever it stands.
#[derive(Clone)]
struct Skill {
    id: String,
    name: String,
    description: String,
    tags: String,
    modes: &'static str,
}

fn skill(at: usize) -> Skill {
    let (one, other) = (at * 7919 % 1009, at * 104_729 % 2003);
    Skill {
        id: format!("skill-{at}"),
        name: format!("Skill {at} of kind {one}"),
        description: format!("Does thing {at} for case {other}, 料理 as well, and says at length what it does not."),
        tags: format!(r#""t{}","all""#, at % 7),
        modes: r#""text/plain","application/json""#,
    }
}

fn card(skills: &[Skill]) -> Inspection {
    let mut text = String::from(
        r#"{"name":"Large","version":"1.0.0","supportedInterfaces":[{"url":"https://a.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":["#,
    );
    for (at, Skill { id, name, description, tags, modes }) in skills.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        // Writing to a String cannot fail.
        write!(
            text,
            r#"{comma}{{"id":"{id}","name":"{name}","description":"{description}","tags":[{tags}],"examples":["Do {id}"],"inputModes":[{modes}],"x-weight":1.0}}"#
        )
        .ok();
    }
    text.push_str("]}");
    Inspection::of(Arc::new(Document::new(text.into_bytes())), Origin::default())
}

fn skills(count: usize) -> Vec<Skill> {
    (0..count).map(skill).collect()
}

/// A tenth of the skills changed: described otherwise, renamed, tagged otherwise, with other formats, gone, new, moved.
fn revised(skills: &[Skill]) -> Vec<Skill> {
    let mut revised = Vec::with_capacity(skills.len());
    for (at, skill) in skills.iter().enumerate() {
        let mut skill = skill.clone();
        match at % 100 {
            3 | 13 | 23 | 33 => skill.description.push_str(" And more."),
            43 | 53 => skill.id = format!("renamed-{at}"),
            63 => skill.tags.push_str(",\"new\""),
            73 => skill.modes = r#""text/plain""#,
            83 => continue,
            93 => revised.push(self::skill(1_000_000 + at)),
            _ => {}
        }
        revised.push(skill);
    }
    revised
}

fn renamed(skills: &[Skill]) -> Vec<Skill> {
    let renamed = |(at, skill): (usize, &Skill)| Skill { id: format!("other-{at}"), ..skill.clone() };
    skills.iter().enumerate().map(renamed).collect()
}

/// Every id and name changed and each description a little, so that only the likeness of words tells which is which.
fn reworded(skills: &[Skill]) -> Vec<Skill> {
    let reworded = |(at, skill): (usize, &Skill)| Skill {
        id: format!("other-{at}"),
        name: format!("{} anew", skill.name),
        ..skill.clone()
    };
    skills.iter().enumerate().map(reworded).collect()
}

fn replaced(skills: &[Skill]) -> Vec<Skill> {
    (0..skills.len()).map(|at| skill(1_000_000 + at)).collect()
}

/// Every skill in another place.
fn shuffled(skills: &[Skill]) -> Vec<Skill> {
    (0..skills.len()).map(|at| skills[at * 7919 % skills.len()].clone()).collect()
}

type Revision = fn(&[Skill]) -> Vec<Skill>;

const REVISIONS: [(&str, Revision); 5] = [
    ("a tenth changed", revised),
    ("every id changed", renamed),
    ("every id and name changed", reworded),
    ("every skill replaced", replaced),
    ("every skill moved", shuffled),
];

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for (what, revision) in REVISIONS {
        let mut group = criterion.benchmark_group(what);
        for count in [10, 100, 1_000, 10_000] {
            let older = skills(count);
            let (older, newer) = (card(&older), card(&revision(&older)));
            let changes = CardDiff::of(&older, &newer).changes.len();
            let is_coarse = TextDiff::of(&older, &newer).is_coarse;
            println!("{what}, {count} skills: {changes} changes{}", if is_coarse { ", text coarse" } else { "" });
            group.bench_function(BenchmarkId::new("meaning", count), |bencher| {
                bencher.iter(|| black_box(CardDiff::of(&older, &newer)));
            });
            group.bench_function(BenchmarkId::new("text", count), |bencher| {
                bencher.iter(|| black_box(TextDiff::of(&older, &newer)));
            });
            group.bench_function(BenchmarkId::new("patch", count), |bencher| {
                bencher.iter(|| black_box(JsonPatch::between(&older.document, &newer.document)));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
