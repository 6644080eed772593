//! The Compare view in the whole window, headless, through its accessible names.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use cardscope::app::App;
use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection};
use cardscope::client::{Attempt, AttemptKind, AttemptOutcome, Retrieval};
use cardscope::demo;
use cardscope::state::comparison::{Compared, ExportFormat, SideSource, SideStanding};
use cardscope::state::{Action, Age, ComparisonAction, Effect, Outcome, Settings, SideRef, View};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::support::Model;
use crate::support::window::{Hands, Recording};

/// A window over a real model; the effects of comparing are carried out at once, the others kept.
struct Window(Recording);

impl Window {
    fn open(size: [f32; 2]) -> Self {
        let mut window = Self(Recording::open(size, Settings::default()));
        window.settle();
        window
    }

    /// A window that showed `older` and shows `newer` at the same address, in the Compare view.
    fn comparing(older: &str, newer: &str) -> Self {
        let mut window = Self::open([1440.0, 900.0]);
        window.show(older);
        window.show(newer);
        window.click("Compare");
        window
    }

    /// Lets `card` be what the address serves now.
    fn show(&mut self, card: &str) {
        self.apply(Action::FetchCard { address: "https://jars.example".to_owned() });
        let job = self.state().discovery.pending.as_ref().unwrap().job;
        let retrieval = retrieval(card);
        let document = retrieval.attempts[0].document.clone().unwrap();
        let inspection = Some(Arc::new(Inspection::of(document, Origin::default())));
        self.0.outcomes.send(Outcome::CardFetched { job, retrieval: Arc::new(retrieval), inspection }).unwrap();
        self.settle();
    }

    fn is_idle(&mut self) -> bool {
        self.0.harness.step();
        let delay = self.0.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        delay == Duration::MAX
    }
}

impl Hands for Window {
    fn harness(&self) -> &Harness<'static, App> {
        &self.0.harness
    }

    fn harness_mut(&mut self) -> &mut Harness<'static, App> {
        &mut self.0.harness
    }

    /// Runs until nothing is left to be read or compared.
    fn settle(&mut self) {
        loop {
            self.0.harness.run();
            let effects: Vec<Effect> = self.0.effects.borrow_mut().drain(..).collect();
            let (mine, others): (Vec<_>, Vec<_>) = effects
                .into_iter()
                .partition(|effect| matches!(effect, Effect::Compare { .. } | Effect::LoadSide { .. }));
            self.0.effects.borrow_mut().extend(others);
            if mine.is_empty() {
                return;
            }
            for effect in mine {
                self.0.outcomes.send(carried_out(effect)).unwrap();
            }
        }
    }
}

fn inspected(document: Arc<Document>) -> Arc<Inspection> {
    Arc::new(Inspection::of(document, Origin::default()))
}

fn carried_out(effect: Effect) -> Outcome {
    match effect {
        Effect::Compare { job, older, newer } => {
            Outcome::Compared { job, compared: Arc::new(Compared::of(older, newer)) }
        }
        Effect::LoadSide { job, source } => {
            let result = match source {
                SideSource::Kept(_) => panic!("nothing is kept here"),
                SideSource::Demo { origin, revision } => {
                    Ok(inspected(Arc::new(Document::new(demo::card_json(&origin, revision).unwrap()))))
                }
                SideSource::Bytes { bytes, .. } => Ok(inspected(Arc::new(Document::new(bytes)))),
                SideSource::File(path) => Err(format!("There is no file {}.", path.display())),
                SideSource::Document { document, .. } => Ok(inspected(document)),
            };
            Outcome::SideLoaded { job, result }
        }
        other => panic!("{other:?}"),
    }
}

fn retrieval(body: &str) -> Retrieval {
    let url = "https://jars.example/.well-known/agent-card.json".to_owned();
    let attempt = Attempt {
        url,
        kind: AttemptKind::OriginCard,
        outcome: AttemptOutcome::Card,
        status: Some(200),
        note: "A card.".to_owned(),
        duration: Duration::from_millis(41),
        final_url: None,
        exchanges: Vec::new(),
        earlier: None,
        kept: None,
        document: Some(Arc::new(Document::new(body.to_owned()))),
    };
    Retrieval {
        address: "https://jars.example".to_owned(),
        assumptions: Vec::new(),
        attempts: vec![attempt],
        chosen: Some(0),
        alternative: None,
        verdict: "A card was found.".to_owned(),
        fetched_at: SystemTime::now(),
        found_card: true,
    }
}

fn demo_card(revision: u8) -> String {
    String::from_utf8(demo::card_json("http://127.0.0.1:4000", revision).unwrap()).unwrap()
}

/// A card of `skills` skills whose names are made by `name`.
fn large_card(skills: usize, name: impl Fn(usize) -> String) -> String {
    let mut text = String::from("{\"name\": \"Large\", \"supportedInterfaces\": [], \"skills\": [");
    for index in 0..skills {
        let comma = if index == 0 { "" } else { "," };
        let name = name(index);
        write!(
            text,
            "{comma}{{\"id\":\"skill-{index}\",\"name\":\"{name}\",\"description\":\"Does thing {index}, and says at length what \
             it does and does not.\",\"tags\":[\"t{}\",\"every\"],\"examples\":[\"Do {index}\"]}}",
            index % 7
        )
        .unwrap();
    }
    text + "]}"
}

#[test]
fn a_changed_card_is_compared_with_the_one_before() {
    let window = Window::comparing(&demo_card(1), &demo_card(2));
    assert_eq!(window.state().view, View::Compare);
    for name in ["Older version", "Newer version", "Swap", "Interfaces", "Skills and formats", "Search both"] {
        assert!(window.has(name), "{name}");
    }
    assert!(window.shows("breaking: ") && window.shows("compatible: "));
    assert!(window.shows("unchanged lines"), "what did not change is folded");
}

#[test]
fn without_a_second_card_the_view_says_what_to_do() {
    let mut window = Window::open([1440.0, 900.0]);
    window.show(&demo_card(1));
    window.click("Compare");
    assert!(window.has("Compare two cards") && window.has("Choose the older file…"));
    window.click("See the demo agent's two revisions");
    assert!(window.shows("breaking: "));
}

#[test]
fn swapping_mirrors_the_comparison() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    assert!(window.shows("newer:           \"id\": \"forecast-delivery\"") || window.shows("\"forecast-delivery\""));
    let before = window.state().comparison.ready().unwrap().newer.agent_version.clone();
    window.click("Swap");
    assert_eq!(window.state().comparison.ready().unwrap().older.agent_version, before);
}

#[test]
fn a_side_is_picked_from_the_list() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    window.click("Older version");
    let choice = "Demo agent · revision 2";
    assert!(window.has(choice));
    window.click(choice);
    assert!(!window.has(choice), "picking closes the list");
    assert!(window.shows("interface") || window.has("The same bytes"), "the demo's revision 2 at another origin");
    window.click("Older version");
    window.0.harness.get_by_label("Path of a card's file").focus();
    window.0.harness.run();
    window.0.harness.get_by_label("Path of a card's file").type_text("/nowhere/card.json");
    window.settle();
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.shows("There is no file /nowhere/card.json."));
    assert!(window.has("Try again"));
}

#[test]
fn a_change_is_shown_in_both_texts_and_selected_in_inspect() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    let compared = Arc::clone(window.state().comparison.ready().unwrap());
    let at = compared.diff.changes.iter().position(|change| change.rule == "skill-description-changed").unwrap();
    let change = &compared.diff.changes[at];
    // It may stand below what is in sight.
    window.0.harness.get_by_label(&format!("docs: {}", change.message)).click_accesskit();
    window.settle();
    assert_eq!(window.state().comparison.selected, Some(at));
    assert_eq!(window.state().selection, change.newer_pointer);
    assert!(window.shows("older: ") && window.shows("newer: "), "both texts are scrolled to it");
    assert!(window.has("skill-description-changed"), "the rule is named");
    assert!(window.copied_by("Copy change").contains(&change.message));
    window.settle();
    let (button, list) = (
        window.0.harness.get_by_label("Show in Inspect").rect(),
        window.0.harness.get_by_label("Copy as Markdown").rect(),
    );
    assert!(button.max.y <= list.min.y, "what is selected is scrolled into sight: {button:?} {list:?}");
    window.click("Show in Inspect");
    assert_eq!(window.state().view, View::Inspect);
}

#[test]
fn levels_and_groups_filter_the_changes() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    assert!(window.shows("docs: "));
    let docs = window
        .state()
        .comparison
        .ready()
        .unwrap()
        .diff
        .changes
        .iter()
        .filter(|change| change.level.label() == "docs")
        .count();
    window.click(&format!("{docs} docs"));
    assert!(!window.shows("docs: "));
    window.click("Only what breaks");
    assert!(window.shows("breaking: ") && !window.shows("compatible: "));
    window.click("Show all levels");
    assert!(window.shows("docs: "));
    window.click("Group of changes");
    window.click("Only Interfaces");
    assert!(!window.shows("docs: ") && window.shows("breaking: "));
}

#[test]
fn both_arrangements_show_the_texts() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    let newer = "newer:   \"version\": \"2.2.0\",";
    window.click("Inline");
    assert!(window.has(newer) && window.has("older:   \"version\": \"2.1.0\","));
    let (older, newer_at) = (
        window.0.harness.get_by_label("older:   \"version\": \"2.1.0\",").rect(),
        window.0.harness.get_by_label(newer).rect(),
    );
    assert!(older.max.y <= newer_at.min.y + 1.0, "what went stands above what came");
    window.click("Side by side");
    let (older, newer_at) = (
        window.0.harness.get_by_label("older:   \"version\": \"2.1.0\",").rect(),
        window.0.harness.get_by_label(newer).rect(),
    );
    assert!(older.max.x <= newer_at.min.x + 1.0 && (older.min.y - newer_at.min.y).abs() < 1.0, "level, side by side");
}

#[test]
fn folds_open_and_changes_are_reached_by_keys() {
    let renamed = |at: usize| if at % 10 == 7 { format!("New {at}") } else { format!("Skill {at}") };
    let mut window = Window::comparing(&large_card(100, |at| format!("Skill {at}")), &large_card(100, renamed));
    assert!(window.shows("10 changes"));
    assert!(window.shows("\"name\": \"New 7\"") && !window.shows("\"name\": \"New 97\""));
    window.press(Modifiers::SHIFT, Key::F7);
    assert!(window.shows("\"name\": \"New 97\"") && window.shows("change 10 of 10"));
    window.press(Modifiers::NONE, Key::F7);
    assert!(window.shows("\"name\": \"New 7\"") && window.shows("change 1 of 10"));
    let folds = |window: &Window| window.0.harness.query_all_by_label_contains("unchanged lines").count();
    let before = folds(&window);
    window.0.harness.get_all_by_label_contains("unchanged lines").next().unwrap().click();
    window.settle();
    assert!(folds(&window) < before);
}

#[test]
fn search_finds_in_both_texts_and_unfolds() {
    let mut window =
        Window::comparing(&large_card(60, |at| format!("Skill {at}")), &large_card(60, |_| "Same".to_owned()));
    window.press(Modifiers::COMMAND, Key::F);
    assert_eq!(window.state().view, View::Compare, "not the search of Inspect");
    window.0.harness.get_by_label("Search both").type_text("skill 44");
    window.settle();
    assert!(window.shows("1 of 1") && window.shows("older:       \"name\": \"Skill 44\""));
}

#[test]
fn the_same_card_and_the_same_meaning_are_said() {
    let card = r#"{"name": "A", "version": "1", "supportedInterfaces": [], "skills": []}"#;
    let window = Window::comparing(card, r#"{"version": "1", "name": "A", "supportedInterfaces": []}"#);
    assert!(window.has("The same meaning, written otherwise"));
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    window.click("Older version");
    window.0.harness.get_all_by_label_contains("shown now").next().unwrap().click();
    window.settle();
    assert!(window.has("The same bytes"));
}

#[test]
fn two_releases_are_a_migration() {
    let older = r#"{"name": "A", "version": "1", "protocolVersion": "0.3.0", "url": "https://a.example/rpc", "preferredTransport": "JSONRPC",
        "capabilities": {}, "defaultInputModes": [], "defaultOutputModes": [], "skills": []}"#;
    let newer = r#"{"name": "A", "version": "1", "supportedInterfaces": [{"url": "https://a.example/rpc", "protocolBinding": "JSONRPC",
        "protocolVersion": "1.0"}], "capabilities": {}, "defaultInputModes": [], "defaultOutputModes": [], "skills": []}"#;
    let window = Window::comparing(older, newer);
    assert!(window.has("Migration: A2A 0.3 to 1.0"));
    assert!(window.shows("notice: "));
}

#[test]
fn what_is_no_json_is_compared_as_text() {
    let window = Window::comparing("<html>\n<p>old</p>", "<html>\n<p>new</p>");
    assert!(window.shows("older: <p>old</p>") && window.shows("newer: <p>new</p>"));
}

#[test]
fn the_comparison_is_taken_away_in_three_forms() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    let copied = window.copied_by("Copy as Markdown");
    assert!(copied.starts_with("### Quote Comparison Agent") && copied.contains("| Where |"), "{copied}");
    window.settle();
    for (label, format) in
        [("Markdown…", ExportFormat::Markdown), ("JSON…", ExportFormat::Json), ("JSON Patch…", ExportFormat::JsonPatch)]
    {
        window.click("Export comparison");
        window.click(label);
        let effects = window.0.effects.borrow();
        assert!(
            matches!(effects.last(), Some(Effect::ExportComparison { format: asked, .. }) if *asked == format),
            "{label}"
        );
    }
}

#[test]
fn an_idle_comparison_asks_for_no_frame() {
    // A card that was fetched anew is announced for some seconds; this one was not.
    let mut window = Window::open([1440.0, 900.0]);
    window.show(&demo_card(1));
    window.click("Compare");
    window.click("See the demo agent's two revisions");
    assert!(window.shows("breaking: "));
    assert!(window.is_idle(), "{:?}", window.0.harness.ctx.repaint_causes());
    window.press(Modifiers::NONE, Key::F7);
    assert!(window.is_idle(), "{:?}", window.0.harness.ctx.repaint_causes());
}

#[test]
fn the_worker_reads_and_compares_files_and_the_demo_agents_revisions() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [1, 2].map(|revision| folder.path().join(format!("revision-{revision}.json")));
    for (path, revision) in paths.iter().zip([1, 2]) {
        std::fs::write(path, demo_card(revision)).unwrap();
    }
    let mut model = Model::new();
    model.open(&paths[1].display().to_string());
    model.apply(Action::ShowView(View::Compare));
    let older = |path: &std::path::Path| {
        Action::Comparison(ComparisonAction::OpenFile { age: Age::Older, path: path.to_owned() })
    };
    model.apply(older(&paths[0]));
    model.until("the files are compared", |state| state.comparison.ready().is_some());
    let level = model.state.comparison.ready().unwrap().diff.level_label();
    assert_eq!(level, "breaking");
    let (older_demo, newer_demo) = (SideRef::Demo { revision: 1 }, SideRef::Demo { revision: 2 });
    model.apply(Action::Compare { older: older_demo, newer: newer_demo });
    model.until("the revisions are compared", |state| state.comparison.ready().is_some());
    assert_eq!(model.state.comparison.ready().unwrap().older.agent_version.as_deref(), Some("2.1.0"));
    model.apply(older(&folder.path().join("gone.json")));
    model.until("what cannot be read says why", |state| !state.comparison.is_waiting());
    assert!(matches!(model.state.side_standing(Age::Older), SideStanding::Failed(why) if why.contains("gone.json")));
}

#[test]
fn the_columns_keep_their_width() {
    let mut window = Window::comparing(&demo_card(1), &demo_card(2));
    let width = |window: &Window| window.0.harness.get_by_label("Text of both versions").rect().width();
    let before = width(&window);
    for change in [None, Some(0), Some(3)] {
        window.apply(Action::Comparison(ComparisonAction::SelectChange { change }));
        window.0.harness.run_steps(5);
        assert!((width(&window) - before).abs() < 0.1, "{before} became {}", width(&window));
    }
}

#[test]
fn a_comparison_of_ten_thousand_skills_scrolls_without_a_stall() {
    let (older, newer) = (large_card(10_000, |at| format!("Skill {at}")), large_card(10_000, |at| format!("New {at}")));
    let mut window = Window::comparing(&older, &newer);
    let middle = window.0.harness.get_by_label("Text of both versions").rect().center();
    window.0.harness.hover_at(middle);
    window.0.harness.run_steps(2);
    let started = Instant::now();
    for _ in 0..20 {
        window.0.harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Page,
            delta: egui::vec2(0.0, -3.0),
            source: egui::MouseWheelSource::Wheel,
            phase: egui::TouchPhase::Move,
            modifiers: Modifiers::NONE,
        });
        window.0.harness.run_steps(2);
    }
    // Forty frames of an unoptimized build with an accessibility tree.
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
    assert!(!window.has("newer:       \"name\": \"New 0\","), "it did scroll");
}

#[test]
fn nothing_is_cut_off_in_a_small_or_zoomed_window() {
    for (size, zoom) in [([1280.0, 800.0], 1.0), ([720.0, 480.0], 1.0), ([1280.0, 800.0], 1.5), ([1280.0, 800.0], 2.0)]
    {
        let mut window = Window::comparing(&demo_card(1), &demo_card(2));
        window.0.harness.set_size(size.into());
        let settings = Settings { zoom, ..window.state().settings.clone() };
        window.apply(Action::ChangeSettings(settings));
        let screen = window.0.harness.ctx.content_rect();
        for name in ["Older version", "Newer version", "Swap", "Only what breaks"] {
            let rect = window.0.harness.get_by_label(name).rect();
            assert!(screen.expand(1.0).contains_rect(rect), "{name} at {rect:?} in {screen:?}");
        }
        if window.has("Show text") {
            // In a very low window it is scrolled to.
            window.0.harness.get_by_label("Show text").click_accesskit();
            window.settle();
            assert!(window.has("Search both") && window.has("Show changes"), "{size:?} {zoom}");
        }
    }
}
