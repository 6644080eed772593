//! How a history of 100,000 versions of 10,000 agents opens, lists, searches, and takes one more retrieval.
//!
//! `cargo bench --bench history`. The history is built once, in bulk; `CARDSCOPE_BENCH_HISTORY=DIR` keeps it there for
//! another run.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use cardscope::card::Document;
use cardscope::history::{AgentId, History, NewDocument, NewRetrieval, Page, RetrievalsOf, Which};
use criterion::Criterion;

const AGENTS: usize = 10_000;
const VERSIONS_EACH: usize = 10;
const PAGE: Page = Page { offset: 0, limit: 50 };

/// A card of about 3 kB with ten skills, as the middle of those in the wild.
fn card(agent: usize, version: usize) -> String {
    let mut text = format!(
        r#"{{"name":"Agent {agent} of the {} office","version":"{version}","description":"Does what office {agent} asks for.","supportedInterfaces":[{{"url":"https://a{agent}.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}}],"skills":["#,
        ["weather", "travel", "billing", "legal", "garden"][agent % 5]
    );
    for skill in 0..10 {
        let comma = if skill == 0 { "" } else { "," };
        // Writing to a String cannot fail.
        write!(
            text,
            r#"{comma}{{"id":"skill-{skill}-{agent}","name":"Skill {skill} of {agent}","description":"Takes an order for item {skill}, checks it, and answers with an offer in version {version}. Says what is missing.","tags":["t{}","orders","offers-{}"],"examples":["Order item {skill}"]}}"#,
            agent % 97,
            skill
        )
        .ok();
    }
    text.push_str("]}");
    text
}

fn retrieval(agent: usize, version: usize) -> NewRetrieval {
    let url = format!("https://a{agent}.example/.well-known/agent-card.json");
    // One day apart, each agent at its own minute.
    let at = Duration::from_secs(1_700_000_000 + 86_400 * version as u64 + 7 * agent as u64);
    NewRetrieval {
        address: format!("a{agent}.example"),
        card_url: Some(url.clone()),
        at: Some(SystemTime::UNIX_EPOCH + at),
        requested_url: url.clone(),
        final_url: url,
        status: Some(200),
        content_type: Some("application/json".to_owned()),
        outcome: "card".to_owned(),
        verdict: "A card was found.".to_owned(),
        document: Some(NewDocument {
            document: Arc::new(Document::new(card(agent, version).into_bytes())),
            title: format!(
                "Agent {agent} of the {} office",
                ["weather", "travel", "billing", "legal", "garden"][agent % 5]
            ),
            agent_version: Some(version.to_string()),
            shape: "1.0".to_owned(),
        }),
        ..NewRetrieval::default()
    }
}

fn build(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut history = History::open(folder)?.history;
    if history.agents("", PAGE)?.total > 0 {
        return Ok(());
    }
    let started = Instant::now();
    let mut all = (0..AGENTS).flat_map(|agent| (1..=VERSIONS_EACH).map(move |version| retrieval(agent, version)));
    history.record_all(&mut all)?;
    let bytes = std::fs::metadata(folder.join("history.sqlite3"))?.len();
    println!("built {} versions in {:.1?}: {} MB", AGENTS * VERSIONS_EACH, started.elapsed(), bytes / 1_000_000);
    Ok(())
}

fn measure(criterion: &mut Criterion, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    criterion.bench_function("open", |bencher| bencher.iter(|| black_box(History::open(folder).is_ok())));
    let mut history = History::open(folder)?.history;
    assert_eq!(history.agents("", PAGE)?.total as usize, AGENTS);
    criterion.bench_function("list, first page", |bencher| {
        bencher.iter(|| black_box(history.agents("", PAGE).is_ok()));
    });
    let last = Page { offset: AGENTS as u32 - 50, limit: 50 };
    criterion.bench_function("list, last page", |bencher| {
        bencher.iter(|| black_box(history.agents("", last).is_ok()));
    });
    for search in ["weather", "offers-9 office", "agent 7777", "nothing like it"] {
        criterion.bench_function(&format!("search '{search}'"), |bencher| {
            bencher.iter(|| black_box(history.agents(search, PAGE).is_ok()));
        });
    }
    criterion.bench_function("versions, latest with document and retrievals of an agent", |bencher| {
        bencher.iter(|| {
            let agent = AgentId(5_000);
            let versions = history.versions(agent, PAGE);
            let latest = history.version(agent, Which::Latest).ok().flatten().map(|version| version.id);
            let kept = latest.and_then(|latest| history.document(latest).ok());
            black_box((versions.is_ok(), kept.is_some(), history.retrievals(RetrievalsOf::Agent(agent), PAGE).is_ok()))
        });
    });
    let mut next = VERSIONS_EACH;
    criterion.bench_function("one more retrieval, a new version", |bencher| {
        bencher.iter_batched(
            || {
                next += 1;
                retrieval(next * 31 % AGENTS, next)
            },
            |new| black_box(history.record(&new).is_ok()),
            criterion::BatchSize::PerIteration,
        );
    });
    criterion.bench_function("one more retrieval, nothing new", |bencher| {
        bencher.iter_batched(
            || retrieval(1234, VERSIONS_EACH),
            |new| black_box(history.record(&new).is_ok()),
            criterion::BatchSize::PerIteration,
        );
    });
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kept = std::env::var_os("CARDSCOPE_BENCH_HISTORY").map(PathBuf::from);
    let temporary = tempfile::tempdir()?;
    let folder = kept.unwrap_or_else(|| temporary.path().to_owned());
    build(&folder)?;
    let mut criterion = Criterion::default().configure_from_args().sample_size(30);
    measure(&mut criterion, &folder)?;
    criterion.final_summary();
    Ok(())
}
