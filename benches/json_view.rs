//! How fast 10 MB of JSON are read, judged, first shown, scrolled through and searched, without a window.
//!
//! `cargo bench --bench json_view`. Criterion measures what is done once; frames are timed one by one, because
//! their slowest percent is what a reader feels.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use cardscope::card::facts::{Inspection, Origin};
use cardscope::card::{Document, JsonText};
use cardscope::client::Retrieval;
use cardscope::state::{AgentEntry, Conversation, EarlierConversations, EntryId, InHistory, Settings, State};
use cardscope::ui::inspector_pane::InspectorPane;
use cardscope::ui::theme;
use cardscope::ui::widgets::json_view::{JsonContent, JsonView};
use criterion::{BatchSize, Criterion};
use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, RawInput, Rect, TouchPhase, Ui, Vec2, pos2, vec2};

/// A card of `bytes` bytes: many skills, as the largest cards in the wild have.
fn large_card(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1024);
    text.push_str(r#"{"name":"Large","version":"1","supportedInterfaces":[{"url":"https://a.example/a2a","#);
    text.push_str(
        r#""protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":true},"skills":["#,
    );
    let mut index = 0;
    while text.len() < bytes {
        let comma = if index == 0 { "" } else { "," };
        // Writing to a String cannot fail.
        write!(
            text,
            r#"{comma}{{"id":"skill-{index}","name":"Skill {index}","description":"Does thing {index}, 料理 as well, and says at length what it does not.","tags":["t{}","all"],"examples":["Do {index}","Explain {index}"],"inputModes":["text/plain","application/json"],"x-weight":{index}.0}}"#,
            index % 7
        )
        .ok();
        index += 1;
    }
    text.push_str(r#"],"last":"needle in the haystack"}"#);
    text
}

/// One window's worth of egui, driven frame by frame.
struct Window {
    ctx: egui::Context,
    view: JsonView,
    time: f64,
}

impl Window {
    fn new() -> Self {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let mut window = Self { ctx, view: JsonView::default(), time: 0.0 };
        // The fonts are loaded once for the whole program, before any card is shown.
        let words = JsonContent::new(&br#"{"words": "the quick brown fox"}"#[..]);
        for _ in 0..3 {
            window.frame(&words, Vec::new());
        }
        window.view = JsonView::default();
        window
    }

    /// Runs and tessellates one frame of the view; how long that took.
    fn frame(&mut self, content: &JsonContent, events: Vec<Event>) -> Duration {
        self.time += 1.0 / 60.0;
        let mut view = std::mem::take(&mut self.view);
        let taken = self.timed(self.time, vec2(960.0, 1080.0), events, |ui| {
            view.ui(ui, &content.source(), None);
        });
        self.view = view;
        taken
    }

    fn timed(&self, time: f64, size: Vec2, events: Vec<Event>, mut draw: impl FnMut(&mut Ui)) -> Duration {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), size)),
            time: Some(time),
            events,
            ..RawInput::default()
        };
        let started = Instant::now();
        let mut output = self.ctx.run_ui(input, &mut draw);
        // There is no graphics card to take them.
        output.textures_delta.clear();
        black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        started.elapsed()
    }
}

fn wheel(lines: f32) -> Event {
    Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        source: MouseWheelSource::Wheel,
        phase: TouchPhase::Move,
        modifiers: Modifiers::NONE,
    }
}

/// The whole Inspect view on a card of this size: fields and JSON.
fn inspecting(document: &Arc<Document>) {
    let retrieval = Retrieval {
        address: "large".to_owned(),
        assumptions: Vec::new(),
        attempts: Vec::new(),
        chosen: None,
        alternative: None,
        verdict: "A card was found.".to_owned(),
        fetched_at: SystemTime::UNIX_EPOCH,
        found_card: true,
    };
    let entry = AgentEntry {
        id: EntryId(1),
        address: "large".to_owned(),
        opened_at: SystemTime::UNIX_EPOCH,
        retrieval: Arc::new(retrieval),
        inspection: Some(Arc::new(Inspection::of(Arc::clone(document), Origin::default()))),
        failed_again: None,
        shown_attempt: None,
        conversation: Conversation::default(),
        earlier: EarlierConversations::default(),
        history: InHistory::default(),
    };
    let mut state = State::new(Settings::default());
    state.discovery.entries.push(entry);
    state.discovery.current = Some(EntryId(1));
    let window = Window::new();
    let mut pane = InspectorPane::default();
    let mut actions = Vec::new();
    let mut time = 100.0;
    let mut frame = |events: Vec<Event>| {
        time += 1.0 / 60.0;
        window.timed(time, vec2(1600.0, 900.0), events, |ui| pane.ui(ui, &state, &mut actions))
    };
    report("Inspect of 10 MB first shown", vec![frame(vec![Event::PointerMoved(pos2(300.0, 400.0))])]);
    let fields = (0..1000).map(|_| frame(vec![wheel(-1.0)])).collect();
    report("Inspect of 10 MB, fields scrolled", fields);
    frame(vec![Event::PointerMoved(pos2(1200.0, 400.0))]);
    let json = (0..1000).map(|_| frame(vec![wheel(-1.0)])).collect();
    report("Inspect of 10 MB, JSON scrolled", json);
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len()).unwrap_or(1);
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!("{name:<44} frames {:>5}  mean {mean:>9.3?}  p99 {:>9.3?}  max {:>9.3?}", times.len(), at(99), at(100));
}

fn scrolling(content: &JsonContent) {
    let mut window = Window::new();
    let hover = Event::PointerMoved(pos2(500.0, 500.0));
    report("10 MB first shown", vec![window.frame(content, vec![hover])]);
    let slow = (0..2000).map(|_| window.frame(content, vec![wheel(-1.0)])).collect();
    report("10 MB scrolled by wheel", slow);
    let fast = (0..500).map(|_| window.frame(content, vec![wheel(-400.0)])).collect();
    report("10 MB scrolled by screens", fast);
}

fn searching(content: &JsonContent) {
    let mut window = Window::new();
    window.view = JsonView::default();
    window.frame(content, Vec::new());
    window.view.focus_search();
    window.frame(content, Vec::new());
    window.frame(content, Vec::new());
    let mut times = vec![window.frame(content, vec![Event::Text("needle".to_owned())])];
    for _ in 0..400 {
        times.push(window.frame(content, Vec::new()));
    }
    report("10 MB searched for a word at its end", times);
    let key = |key| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    let times = (0..200).map(|_| window.frame(content, vec![key(Key::F3)])).collect();
    report("10 MB next hit", times);
}

fn main() {
    let text = Bytes::from(large_card(10_000_000));
    let content = JsonContent::new(text.clone());
    println!("{} bytes, {} lines", text.len(), content.line_count());
    scrolling(&content);
    searching(&content);
    let document = Arc::new(Document::new(text.clone()));
    inspecting(&document);

    let mut criterion =
        Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3)).configure_from_args();
    criterion.bench_function("10 MB read and laid out", |bencher| {
        bencher.iter(|| {
            let document = Document::new(text.clone());
            black_box(document.tree().map(JsonText::pretty));
        });
    });
    criterion.bench_function("10 MB inspected", |bencher| {
        bencher.iter(|| black_box(Inspection::of(Arc::clone(&document), Origin::default())));
    });
    criterion.bench_function("10 MB first shown", |bencher| {
        bencher.iter_batched(Window::new, |mut window| window.frame(&content, Vec::new()), BatchSize::PerIteration);
    });
    criterion.final_summary();
}
