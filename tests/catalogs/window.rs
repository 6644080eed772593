//! Catalogs in the window, headless, through accessible names, with a real worker behind it.

use std::time::{Duration, Instant};

use cardscope::state::Settings;
use egui_kittest::kittest::Queryable as _;

use super::card;
use crate::support::window::{Hands as _, Working};
use crate::support::{FakeAgent, Reply};

type Window = Working;

impl Window {
    /// Opens the catalog at `address` by the form.
    fn open_catalog(&mut self, address: &str, kind: &str) {
        self.click("Open catalog…");
        self.write("Catalog address", address);
        self.click(kind);
        self.click("Open catalog");
        self.catalogs_answer();
    }

    fn catalogs_answer(&mut self) {
        self.until("the catalog answered", |state| state.catalogs.opened.iter().all(|c| c.pending.is_none()));
    }
}

fn entry(name: &str, rest: &str) -> String {
    format!(
        r#"{{"identifier": "urn:{name}", "displayName": "{name}", "type": "application/a2a-agent-card+json", {rest}}}"#
    )
}

#[test]
fn a_catalog_is_opened_searched_and_leads_to_a_card() {
    let agent = FakeAgent::start();
    agent.on("/cards/plums.json", Reply::json(card("Plum Counter")));
    let entries = [
        entry("Plums", r#""url": "cards/plums.json", "description": "Counts plums.""#),
        entry("Jars", r#""url": "https://jars.example/card.json""#),
        entry("Nothing", r#""description": "has no content""#),
    ];
    agent.on("/list.json", Reply::json(format!(r#"{{"specVersion": "1.0", "entries": [{}]}}"#, entries.join(","))));
    let mut window = Window::open(Settings::default());
    assert!(window.has("Catalogs"));
    window.open_catalog(&agent.url("/list.json"), "Automatic");
    assert!(window.has("Plums") && window.has("Jars") && window.shows("3 entries"));
    assert!(window.shows("neither url nor data"), "the bad entry is a row that says what is wrong");

    window.write("Search catalog", "plum");
    assert!(window.has("Plums") && !window.has("Jars"));
    assert!(window.shows("3 entries, 1 shown"));
    window.click("Plums");
    window.until("the card is there", |state| state.discovery.current_entry().is_some());
    assert!(window.shows("Plum Counter"));
    let name = format!("Catalog 127.0.0.1:{}", agent.port());
    window.click(&name);
    assert!(window.has("Plums"), "the catalog is a click away, as it was left");
    assert!(window.state().discovery.current.is_none());
}

#[test]
fn the_text_of_a_bad_entry_can_be_read() {
    let agent = FakeAgent::start();
    agent.on(
        "/list.json",
        Reply::json(format!(r#"{{"specVersion": "1.0", "entries": [{}, 17]}}"#, entry("Odd", r#""url": 3"#))),
    );
    let mut window = Window::open(Settings::default());
    window.open_catalog(&agent.url("/list.json"), "AI Catalog");
    let row = window.harness.get_by_label_contains("Odd: ");
    row.click();
    window.harness.run();
    assert!(window.shows("As written at /entries/0"));
    window.click("Close entry");
    assert!(!window.shows("As written at"));
    window.click("JSON of Entry 2 has no name");
    assert!(window.shows("As written at /entries/1"));
}

#[test]
fn a_verdict_offers_to_open_a_catalog_that_was_met() {
    let agent = FakeAgent::start();
    agent.on("/agents.json", Reply::json(format!("[{}]", card("Listed"))));
    let mut window = Window::open(Settings::default());
    window.write("Agent address", &agent.url("/agents.json"));
    window.click("Fetch");
    window.until("the fetch is over", |state| state.discovery.pending.is_none());
    assert!(window.shows("This is a catalog"));
    window.click("Open as catalog");
    window.catalogs_answer();
    assert!(window.has("Listed"));
    window.click("Listed");
    window.until("the card is there", |state| state.discovery.current_entry().is_some_and(|e| e.retrieval.found_card));
}

#[test]
fn pages_and_searches_say_who_is_asked() {
    let agent = FakeAgent::start();
    agent.handle("/agents", |request, _| {
        let name = if request.target.contains("pageToken=t2") { "Second" } else { "First" };
        let next = if name == "First" { "t2" } else { "" };
        let entry = entry(name, r#""url": "https://a.example/c.json""#);
        Reply::json(format!(r#"{{"items": [{entry}], "total": 2, "pageToken": "{next}"}}"#))
    });
    agent.on("/search", Reply::json(r#"{"results": [], "referrals": []}"#));
    let mut window = Window::open(Settings::default());
    window.open_catalog(&agent.url(""), "ARD registry");
    assert!(window.shows("1 of 2 loaded"));
    window.click("More…");
    window.catalogs_answer();
    assert!(window.has("First") && window.has("Second") && !window.has("More…"));
    window.write("Search catalog", "plum");
    assert!(window.shows("Enter asks the registry"));
    window.click("Ask the registry");
    window.catalogs_answer();
    assert!(window.shows("found nothing for these words"));
    assert!(!window.shows("shown"), "the registry searched: nothing that it gave is hidden");
    assert_eq!(agent.hits("/search"), 1);
    window.click("Clear catalog search");
    window.catalogs_answer();
    assert!(window.has("First"));
}

#[test]
fn of_ten_thousand_rows_only_those_on_screen_cost_anything() {
    let agent = FakeAgent::start();
    let list = |count: usize| {
        let cards: Vec<String> = (0..count).map(|index| card(&format!("Agent {index}"))).collect();
        Reply::json(format!("[{}]", cards.join(",")))
    };
    agent.on("/few.json", list(30));
    agent.on("/many.json", list(10_000));
    let mut window = Window::open(Settings::default());
    let mut frame = |address: &str| {
        window.open_catalog(&agent.url(address), "JSON list");
        let once = |window: &mut Window| {
            let started = Instant::now();
            window.harness.step();
            started.elapsed()
        };
        (0..8).map(|_| once(&mut window)).min().unwrap()
    };
    let (few, many) = (frame("/few.json"), frame("/many.json"));
    assert!(many < 3 * few + Duration::from_millis(5), "{few:?} a frame with 30 rows, {many:?} with 10,000");
    assert!(window.shows("10000 entries"));
    let rows = window.harness.query_all_by_label_contains("JSON of Agent").count();
    assert!((5..60).contains(&rows), "{rows}");
    window.write("Search catalog", "agent 9999");
    assert!(window.has("Agent 9999"));
}

#[test]
fn the_keyboard_reaches_the_catalog() {
    use egui::{Key, Modifiers};
    let agent = FakeAgent::start();
    agent.on("/list.json", Reply::json(format!("[{}]", card("Listed"))));
    let mut window = Window::open(Settings::default());
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::B);
    window.harness.run();
    window.harness.get_by_label("Catalog address").type_text(&agent.url("/list.json"));
    window.harness.run();
    window.harness.key_press(Key::Enter);
    window.harness.run();
    window.catalogs_answer();
    assert!(window.has("Listed"));
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.harness.run();
    assert!(window.harness.get_by_label("Search catalog").is_focused());
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::R);
    window.harness.run();
    window.catalogs_answer();
    assert_eq!(agent.hits("/list.json"), 2, "asked again");
}
