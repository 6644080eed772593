//! How long a frame of the Compare view takes on two cards of 10,000 skills of which every one changed.
//!
//! `cargo bench --bench compare_view`. Frames are timed one by one: their slowest percent is what a reader feels.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use cardscope::card::Document;
use cardscope::card::facts::{Inspection, Origin};
use cardscope::client::Retrieval;
use cardscope::state::comparison::Compared;
use cardscope::state::{
    Action, AgentEntry, Conversation, EarlierConversations, Effect, EntryId, InHistory, Outcome, Settings, SideRef,
    State,
};
use cardscope::ui::compare_pane::ComparePane;
use cardscope::ui::theme;
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, RawInput, Rect, TouchPhase, pos2, vec2};

const SKILLS: usize = 10_000;

fn large_card(word: &str) -> String {
    let mut text = String::from(r#"{"name":"Large","version":"1","supportedInterfaces":[],"skills":["#);
    for index in 0..SKILLS {
        let comma = if index == 0 { "" } else { "," };
        // Writing to a String cannot fail.
        write!(
            text,
            r#"{comma}{{"id":"skill-{index}","name":"{word} {index}","description":"Does thing {index}, 料理 as well, and says at length what it does not.","tags":["t{}","all"],"examples":["Do {index}"]}}"#,
            index % 7
        )
        .ok();
    }
    text + "]}"
}

fn entry(id: u64, text: &str) -> AgentEntry {
    let retrieval = Retrieval {
        address: format!("large {id}"),
        assumptions: Vec::new(),
        attempts: Vec::new(),
        chosen: None,
        alternative: None,
        verdict: "A card was found.".to_owned(),
        fetched_at: SystemTime::UNIX_EPOCH,
        found_card: true,
    };
    AgentEntry {
        id: EntryId(id),
        address: retrieval.address.clone(),
        opened_at: SystemTime::UNIX_EPOCH,
        retrieval: Arc::new(retrieval),
        inspection: Some(Arc::new(Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default()))),
        failed_again: None,
        shown_attempt: None,
        conversation: Conversation::default(),
        earlier: EarlierConversations::default(),
        history: InHistory::default(),
    }
}

/// A model in which the two cards are compared.
fn comparing() -> State {
    let mut state = State::new(Settings::default());
    state.discovery.entries = vec![entry(1, &large_card("Skill")), entry(2, &large_card("New"))];
    state.discovery.current = Some(EntryId(2));
    let sides = [1, 2].map(|id| SideRef::Entry(EntryId(id)));
    for effect in state.apply(Action::Compare { older: sides[0], newer: sides[1] }) {
        if let Effect::Compare { job, older, newer } = effect {
            let started = Instant::now();
            let compared = Arc::new(Compared::of(older, newer));
            println!("{:<44} {:>9.3?}", "compared by meaning and as text", started.elapsed());
            drop(state.absorb(Outcome::Compared { job, compared }));
        }
    }
    state
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

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len()).unwrap_or(1);
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!("{name:<44} frames {:>5}  mean {mean:>9.3?}  p99 {:>9.3?}  max {:>9.3?}", times.len(), at(99), at(100));
}

fn main() {
    let state = comparing();
    let ctx = egui::Context::default();
    theme::install(&ctx);
    let mut pane = ComparePane::default();
    let (mut actions, mut dialog, mut time) = (Vec::new(), None, 0.0);
    let mut frame = |events: Vec<Event>| {
        time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1600.0, 1000.0))),
            time: Some(time),
            events,
            ..RawInput::default()
        };
        let started = Instant::now();
        let mut output = ctx.run_ui(input, |ui| {
            if let Some(entry) = state.discovery.current_entry() {
                pane.ui(ui, &state, entry, &mut actions, &mut dialog);
            }
        });
        // There is no graphics card to take them.
        output.textures_delta.clear();
        black_box(ctx.tessellate(output.shapes, output.pixels_per_point));
        started.elapsed()
    };
    report("first shown", vec![frame(vec![Event::PointerMoved(pos2(1000.0, 600.0))])]);
    report("at rest", (0..500).map(|_| frame(Vec::new())).collect());
    report("texts scrolled by wheel", (0..1000).map(|_| frame(vec![wheel(-1.0)])).collect());
    report("texts scrolled by screens", (0..500).map(|_| frame(vec![wheel(-400.0)])).collect());
    frame(vec![Event::PointerMoved(pos2(200.0, 600.0))]);
    report("changes scrolled by wheel", (0..1000).map(|_| frame(vec![wheel(-1.0)])).collect());
    report("changes scrolled by screens", (0..300).map(|_| frame(vec![wheel(-400.0)])).collect());
}
