//! What a comparison costs grows with the cards and not with their square, also where every id changed.
//!
//! Times at opt-level 0 say nothing absolute, so the cost of a tenfold card is measured against that of the card
//! itself. `benches/comparison.rs` has the figures.

use std::fmt::Write as _;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use cardscope::card::Inspection;
use cardscope::card::diff::CardDiff;
use cardscope::card::diff::json_patch::JsonPatch;
use cardscope::card::diff::text::TextDiff;

use super::inspected;

/// Two cards of so many skills.
type Pair<'a> = &'a dyn Fn(usize) -> (Inspection, Inspection);

/// A card of `count` skills, each with an id and words from `id` and `words`.
fn card(count: usize, id: impl Fn(usize) -> String, words: impl Fn(usize) -> String) -> Inspection {
    let mut text = String::from(
        r#"{"name":"Many","version":"1.0.0","capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"supportedInterfaces":[{"url":"https://a.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"skills":["#,
    );
    for at in 0..count {
        let (comma, id, words) = (if at == 0 { "" } else { "," }, id(at), words(at));
        write!(text, r#"{comma}{{"id":"{id}","name":"{words}","description":"Does {words} at length and well.","tags":["t{}"]}}"#, at % 7)
            .unwrap();
    }
    text.push_str("]}");
    inspected(text)
}

fn shortest(mut run: impl FnMut()) -> Duration {
    let times = (0..2).map(|_| {
        let started = spent();
        run();
        spent().saturating_sub(started)
    });
    times.min().unwrap()
}

/// What this thread has cost so far: its time on a processor, where the system tells it, as other programs do not
/// disturb that.
fn spent() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    // The kernel brings its account up to date where a thread gives way.
    std::thread::yield_now();
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedule.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

/// `compare` on cards of 100 and 1,000 skills; the tenfold card may cost 10 times as much, with room for noise.
fn assert_linear(
    what: &str,
    pair: impl Fn(usize) -> (Inspection, Inspection),
    compare: impl Fn(&Inspection, &Inspection),
) {
    let (small, large) = (pair(100), pair(1000));
    let measure = || {
        let short = shortest(|| compare(&small.0, &small.1));
        let long = shortest(|| compare(&large.0, &large.1));
        (short, long)
    };
    // A busy machine may disturb one measurement, not several.
    let mut measured = Vec::new();
    for _ in 0..5 {
        let (short, long) = measure();
        if long < 30 * short {
            return;
        }
        measured.push((short, long));
    }
    panic!("{what}: {measured:?}");
}

#[test]
fn cost_grows_with_the_number_of_skills() {
    let same_words = |at: usize| format!("thing {at} of {}", at * 7919 % 1009);
    let every_id_changed = |count: usize| {
        (card(count, |at| format!("old-{at}"), same_words), card(count, |at| format!("new-{at}"), same_words))
    };
    let everything_changed = |count: usize| {
        let others = |at: usize| format!("matter {} or {at}", at * 104_729 % 2003);
        (card(count, |at| format!("old-{at}"), same_words), card(count, |at| format!("new-{at}"), others))
    };
    let other_order = |count: usize| {
        let placed = move |at: usize| at * 7919 % count;
        (
            card(count, |at| format!("s-{at}"), same_words),
            card(count, move |at| format!("s-{}", placed(at)), move |at| same_words(placed(at))),
        )
    };
    // Skills that differ in nothing but their ids and one word, as if from a template.
    let template = |count: usize| {
        (
            card(count, |at| format!("old-{at}"), |_| "the same".to_owned()),
            card(count, |at| format!("new-{at}"), |at| format!("the same x{at}")),
        )
    };
    let pairs: [(&str, Pair<'_>); 4] = [
        ("every id changed", &every_id_changed),
        ("everything changed", &everything_changed),
        ("another order", &other_order),
        ("a template", &template),
    ];
    for (what, pair) in pairs {
        assert_linear(&format!("meaning, {what}"), pair, |a, b| drop(CardDiff::of(a, b)));
        assert_linear(&format!("patch, {what}"), pair, |a, b| drop(JsonPatch::between(&a.document, &b.document)));
        assert_linear(&format!("text, {what}"), pair, |a, b| drop(TextDiff::of(a, b)));
    }
}
