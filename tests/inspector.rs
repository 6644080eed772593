//! The inspector pane, headless.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use cardscope::card::facts::{Inspection, Origin};
use cardscope::card::{Document, JsonPointer};
use cardscope::client::Retrieval;
use cardscope::state::{Action, AgentEntry, Conversation, EarlierConversations, EntryId, InHistory, Settings, State};
use cardscope::ui::inspector_pane::InspectorPane;
use cardscope::ui::theme;
use cardscope::ui::widgets::json_view::{JsonContent, JsonView};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

const CARD: &str = r#"{
  "name": "Quote Comparison Agent",
  "capabilities": {"streaming": true, "extendedAgentCard": false},
  "defaultInputModes": ["text/plain"],
  "skills": [
    {"id": "compare-quotes", "name": "Quote comparison", "tags": ["procurement", "quotes"]},
    {"id": "explain", "name": "Explanation of quotes", "tags": []}
  ]
}"#;

/// A JSON view alone in a window, and what was selected in it.
struct JsonWindow {
    harness: Harness<'static>,
    selection: Rc<RefCell<Option<JsonPointer>>>,
}

fn json_window(text: &str) -> JsonWindow {
    let content = JsonContent::new(text.to_owned());
    let selection = Rc::new(RefCell::new(None));
    let shared = Rc::clone(&selection);
    let mut view = JsonView::default();
    let mut is_installed = false;
    let harness = Harness::builder().with_size((700.0, 500.0)).allow_missing_glyphs().build_ui(move |ui| {
        if !is_installed {
            theme::install(ui.ctx());
            is_installed = true;
        }
        let before = shared.borrow().clone();
        let output = view.ui(ui, &content.source(), before.as_ref());
        if output.selected.is_some() {
            *shared.borrow_mut() = output.selected;
        }
    });
    let mut window = JsonWindow { harness, selection };
    window.harness.run();
    window
}

impl JsonWindow {
    fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.harness.run();
    }

    fn click_line(&mut self, text: &str) {
        let at = self.harness.get_by_label(text).rect();
        let at = egui::pos2(at.left() + 80.0, at.center().y);
        self.harness.hover_at(at);
        self.harness.drag_at(at);
        self.harness.drop_at(at);
        self.harness.run();
    }

    fn shows(&self, text: &str) -> bool {
        self.harness.query_all_by_label(text).next().is_some()
    }

    fn selected(&self) -> Option<String> {
        self.selection.borrow().as_ref().map(ToString::to_string)
    }

    fn search(&mut self, query: &str) {
        self.harness.get_by_label("Search JSON").click();
        self.harness.run();
        self.harness.get_by_label("Search JSON").type_text(query);
        self.harness.run();
    }
}

#[test]
fn a_click_on_a_line_selects_its_value() {
    let mut window = json_window(CARD);
    window.click_line("    \"streaming\": true,");
    assert_eq!(window.selected().as_deref(), Some("/capabilities/streaming"));
    window.click_line("      \"id\": \"explain\",");
    assert_eq!(window.selected().as_deref(), Some("/skills/1/id"));
    assert!(window.shows("/skills/1/id"), "the line below names the value");
}

#[test]
fn containers_fold_to_one_line_and_open_again() {
    let mut window = json_window(CARD);
    assert!(window.shows("    \"streaming\": true,"));
    window.click("Fold line 3");
    assert!(!window.shows("    \"streaming\": true,"));
    assert!(window.shows("  \"capabilities\": { … 2 members },"));
    window.click("Show all of line 3");
    assert!(window.shows("    \"streaming\": true,"));
}

#[test]
fn search_counts_and_goes_round() {
    let mut window = json_window(CARD);
    window.search("QUOTES");
    assert!(window.shows("1 of 3"));
    window.click("Next hit");
    window.harness.key_press(egui::Key::F3);
    window.harness.run();
    assert!(window.shows("3 of 3"));
    window.harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::F3);
    window.harness.run();
    assert!(window.shows("2 of 3"));
}

#[test]
fn the_keyboard_stays_in_the_search_from_the_first_character_to_the_last() {
    let mut window = json_window(CARD);
    window.harness.get_by_label("Search JSON").click();
    window.harness.run();
    for letter in ["q", "u", "o"] {
        window.harness.event(egui::Event::Text(letter.to_owned()));
        window.harness.run();
    }
    assert_eq!(window.harness.get_by_label("Search JSON").value().as_deref(), Some("quo"));
    assert!(window.shows("1 of 5"));
    window.harness.key_press(egui::Key::Enter);
    window.harness.run();
    assert!(window.shows("2 of 5") && window.harness.get_by_label("Search JSON").is_focused());
    for _ in 0..3 {
        window.harness.key_press(egui::Key::Backspace);
        window.harness.run();
    }
    window.harness.event(egui::Event::Text("x".to_owned()));
    window.harness.run();
    assert_eq!(window.harness.get_by_label("Search JSON").value().as_deref(), Some("x"));
}

#[test]
fn the_keyboard_walks_from_value_to_value() {
    let mut window = json_window(CARD);
    window.click_line("  \"name\": \"Quote Comparison Agent\",");
    for key in [egui::Key::ArrowDown, egui::Key::ArrowDown, egui::Key::ArrowDown, egui::Key::ArrowDown] {
        window.harness.key_press(key);
        window.harness.run();
    }
    assert_eq!(window.selected().as_deref(), Some("/defaultInputModes"));
    window.harness.key_press(egui::Key::ArrowUp);
    window.harness.run();
    window.harness.key_press(egui::Key::ArrowLeft);
    window.harness.run();
    assert_eq!(window.selected().as_deref(), Some("/capabilities"), "to what is around it");
    window.harness.key_press(egui::Key::ArrowLeft);
    window.harness.run();
    assert!(window.shows("  \"capabilities\": { … 2 members },"), "and folds that");
}

#[test]
fn what_is_marked_is_copied_byte_for_byte() {
    let mut window = json_window("{\"name\": \"Larder\u{202e}krelc\", \"n\": 1.0}");
    let line = "  \"name\": \"Larder⟨U+202E⟩krelc\",";
    let rect = window.harness.get_by_label(line).rect();
    let start = egui::pos2(rect.left() + 1.0, rect.center().y);
    let end = egui::pos2(rect.right() - 12.0, rect.center().y);
    window.harness.hover_at(start);
    window.harness.drag_at(start);
    window.harness.run();
    window.harness.hover_at(end);
    window.harness.run();
    window.harness.drop_at(end);
    window.harness.run();
    window.harness.event(egui::Event::Copy);
    window.harness.step();
    let copied = window.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(copied.as_deref(), Some("  \"name\": \"Larder\u{202e}krelc\","));
}

#[test]
fn a_long_string_is_folded_and_named() {
    let text = format!("{{\"raw\": \"{}\", \"after\": 1}}", "QUJD".repeat(2 << 20));
    let mut window = json_window(&text);
    assert!(window.harness.query_by_label_contains("… base64, 8.0 MB").is_some());
    assert!(window.shows("  \"after\": 1"));
    window.click("Show all of line 2");
    assert!(!window.shows("  \"after\": 1"), "the whole string now stands between");
    window.click("Fold line 2");
    assert!(window.shows("  \"after\": 1"));
    window.click("as received");
    assert!(window.harness.query_by_label_contains("… base64, 8.0 MB").is_some());
    assert!(window.shows("\", \"after\": 1}"));
}

#[test]
fn text_that_is_no_json_is_shown_as_it_came() {
    let window = json_window("<!doctype html>\n<p>\"hello</p>");
    assert!(window.shows("<!doctype html>") && window.shows("<p>\"hello</p>"));
    assert!(!window.shows("pretty"));
}

/// A card with `skills` skills of some size.
fn large_card(skills: usize) -> String {
    let mut text = String::from("{\"name\": \"Large\", \"supportedInterfaces\": [], \"skills\": [");
    for index in 0..skills {
        let comma = if index == 0 { "" } else { "," };
        write!(
            text,
            "{comma}{{\"id\":\"skill-{index}\",\"name\":\"Skill {index}\",\"description\":\"Does thing {index}, and says at length \
             what it does and does not.\",\"tags\":[\"t{}\",\"every\"],\"examples\":[\"Do {index}\"]}}",
            index % 7
        )
        .unwrap();
    }
    text.push_str("], \"last\": true}");
    text
}

#[test]
fn ten_megabytes_scroll_without_a_stall() {
    let text = large_card(62_000);
    assert!(text.len() > 10_000_000);
    let mut window = json_window(&text);
    let bottom = window.harness.get_by_label("JSON").rect().center();
    window.harness.hover_at(bottom);
    let started = Instant::now();
    for _ in 0..20 {
        window.harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Page,
            delta: egui::vec2(0.0, -3.0),
            source: egui::MouseWheelSource::Wheel,
            phase: egui::TouchPhase::Move,
            modifiers: egui::Modifiers::NONE,
        });
        window.harness.run_steps(2);
    }
    // Forty frames of an unoptimized build with an accessibility tree; laying the whole text out takes seconds each.
    assert!(started.elapsed().as_secs_f32() < 4.0, "{:?}", started.elapsed());
    window.harness.get_by_label("Search JSON").click();
    window.harness.run();
    window.harness.get_by_label("Search JSON").type_text("\"last\"");
    for _ in 0..200 {
        window.harness.step();
        if window.shows("  \"last\": true") {
            break;
        }
    }
    assert!(window.shows("  \"last\": true"), "the only hit is far down and brought into sight");
}

/// The inspector pane alone in a window, over a model that takes its actions.
struct PaneWindow {
    harness: Harness<'static>,
    state: Rc<RefCell<State>>,
}

fn entry(text: &str) -> AgentEntry {
    let document = Arc::new(Document::new(text.to_owned()));
    let retrieval = Retrieval {
        address: "quotes.example".to_owned(),
        assumptions: vec!["https:// was added.".to_owned()],
        attempts: Vec::new(),
        chosen: None,
        alternative: None,
        verdict: "A card was found.".to_owned(),
        fetched_at: SystemTime::UNIX_EPOCH,
        found_card: true,
    };
    AgentEntry {
        id: EntryId(1),
        address: "quotes.example".to_owned(),
        opened_at: SystemTime::UNIX_EPOCH,
        retrieval: Arc::new(retrieval),
        inspection: Some(Arc::new(Inspection::of(document, Origin::default()))),
        failed_again: None,
        shown_attempt: None,
        conversation: Conversation::default(),
        earlier: EarlierConversations::default(),
        history: InHistory::default(),
    }
}

fn pane_window(text: &str, size: (f32, f32)) -> PaneWindow {
    let mut state = State::new(Settings::default());
    state.discovery.entries.push(entry(text));
    state.discovery.current = Some(EntryId(1));
    let state = Rc::new(RefCell::new(state));
    let model = Rc::clone(&state);
    let mut pane = InspectorPane::default();
    let mut is_installed = false;
    let harness = Harness::builder().with_size(size).allow_missing_glyphs().build_ui(move |ui| {
        if !is_installed {
            theme::install(ui.ctx());
            is_installed = true;
        }
        let mut pushed = Vec::new();
        pane.ui(ui, &model.borrow(), &mut pushed);
        for action in pushed {
            drop(model.borrow_mut().apply(action));
        }
    });
    let mut window = PaneWindow { harness, state };
    window.harness.run();
    window
}

impl PaneWindow {
    fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.harness.run();
    }

    fn shows(&self, text: &str) -> bool {
        self.harness.query_all_by_label(text).next().is_some()
    }

    fn select(&mut self, pointer: &str) {
        let pointer = Some(JsonPointer::from_text(pointer));
        drop(self.state.borrow_mut().apply(Action::Select { pointer }));
        self.harness.run();
    }

    fn selected(&self) -> Option<String> {
        self.state.borrow().selection.as_ref().map(ToString::to_string)
    }
}

const WIDE: (f32, f32) = (1300.0, 700.0);

#[test]
fn every_group_is_there_by_name() {
    let groups = [
        "Identity",
        "Interfaces",
        "Capabilities",
        "Skills and formats",
        "Access",
        "Signatures",
        "Other fields",
        "Findings",
        "Retrieval",
    ];
    for text in [CARD, &large_card(400), "{}", "[1, 2]", "not json", "{\"protocolVersion\": \"0.3.0\", \"url\": \"x\"}"]
    {
        let window = pane_window(text, WIDE);
        for group in groups {
            assert!(window.shows(group), "{group} in {text:.40}");
        }
    }
}

#[test]
fn a_field_and_its_json_are_selected_together() {
    let mut window = pane_window(CARD, WIDE);
    window.click("streaming");
    assert_eq!(window.selected().as_deref(), Some("/capabilities/streaming"));
    assert!(window.shows("/capabilities/streaming"), "the JSON side names it");
    window.click("pushNotifications");
    assert_eq!(window.selected().as_deref(), Some("/capabilities/pushNotifications"));
    assert!(window.shows("/capabilities"), "an absent member leads to where it would stand");
    window.harness.get_by_label("      \"id\": \"explain\",");
}

#[test]
fn a_selection_made_elsewhere_opens_what_hides_it() {
    let mut window = pane_window(&large_card(400), WIDE);
    window.click("Skills and formats");
    assert!(!window.shows("skill-3"));
    window.select("/skills/300/examples/0");
    assert!(window.shows("skill-300"), "group and skill are opened and in sight");
    assert!(window.shows("Do 300"));
    assert!(window.harness.query_by_label_contains("[\"Do 300\"]").is_some(), "and so is the JSON");
}

#[test]
fn skills_are_filtered_by_text_and_tag() {
    let mut window = pane_window(&large_card(30), WIDE);
    window.harness.get_by_label("Filter skills").click();
    window.harness.run();
    window.harness.get_by_label("Filter skills").type_text("THING 2");
    window.harness.run();
    assert!(window.shows("11 of 30"), "2 and 20 to 29");
    assert!(window.shows("skill-29") && !window.shows("skill-3"));
}

#[test]
fn a_skill_opens_to_all_it_says() {
    let mut window = pane_window(CARD, WIDE);
    window.click("Open skill compare-quotes");
    assert!(window.shows("procurement"));
    window.click("Close skill compare-quotes");
    window.click("compare-quotes");
    assert_eq!(window.selected().as_deref(), Some("/skills/0"));
}

#[test]
fn hidden_characters_are_visible_and_digits_are_kept() {
    let card = "{\"name\": \"Larder\u{202e}krelc\", \"supportedInterfaces\": [{\"url\": \"https://a\u{200b}.example\", \
                \"protocolBinding\": \"JSONRPC\", \"protocolVersion\": \"1.0\"}], \"x-rev\": 1.0, \"x-id\": 8747832031878802303}";
    let mut window = pane_window(card, WIDE);
    assert!(window.shows("Larder⟨U+202E⟩krelc"));
    assert!(window.shows("https://a⟨U+200B⟩.example"));
    window.click("Other fields");
    assert!(window.shows("1.0") && window.shows("8747832031878802303"));
}

#[test]
fn the_json_column_closes_and_folds_away_where_it_is_narrow() {
    let mut window = pane_window(CARD, WIDE);
    window.click("Hide JSON");
    assert!(!window.shows("Search JSON"));
    window.click("Show JSON");
    assert!(window.shows("Search JSON"));
    let mut narrow = pane_window(CARD, (700.0, 600.0));
    assert!(narrow.shows("Identity") && !narrow.shows("Search JSON"));
    narrow.click("Show JSON");
    assert!(narrow.shows("Search JSON") && !narrow.shows("Identity"));
    narrow.click("Show fields");
    assert!(narrow.shows("Identity"));
}

#[test]
fn the_json_keeps_its_share_of_a_window_that_grows() {
    let mut window = pane_window(&large_card(3), WIDE);
    let share = |window: &PaneWindow| {
        let json = window.harness.get_by_label("Search JSON").rect().left();
        json / window.harness.ctx.content_rect().width()
    };
    let before = share(&window);
    for size in [(1900.0, 900.0), (1000.0, 700.0), (1300.0, 700.0)] {
        window.harness.set_size(size.into());
        window.harness.run();
        assert!((share(&window) - before).abs() < 0.03, "{size:?}: {} instead of {before}", share(&window));
    }
}

#[test]
fn a_link_is_opened_only_on_request() {
    let card = "{\"name\": \"A\", \"documentationUrl\": \"https://docs.example/\", \"supportedInterfaces\": []}";
    let mut window = pane_window(card, WIDE);
    window.click("https://docs.example/");
    let opens = |window: &PaneWindow| {
        let commands = &window.harness.output().platform_output.commands;
        let asked = |command: &egui::OutputCommand| matches!(command, egui::OutputCommand::OpenUrl(open) if open.url == "https://docs.example/");
        commands.iter().any(asked)
    };
    assert!(!opens(&window), "a click on the address only selects it");
    window.harness.get_by_label("Open link").click();
    for _ in 0..4 {
        window.harness.step();
        if opens(&window) {
            return;
        }
    }
    panic!("the window is asked to show the target and to open it");
}

#[test]
fn an_idle_pane_asks_for_no_frame() {
    let mut window = pane_window(&large_card(400), WIDE);
    window.harness.run();
    window.harness.step();
    let delay = window.harness.output().viewport_output.values().map(|output| output.repaint_delay).min();
    assert!(delay.is_some_and(|delay| delay.as_secs() > 60), "{delay:?}");
}
