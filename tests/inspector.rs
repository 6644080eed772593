//! The inspector pane, headless.

use std::cell::RefCell;
use std::rc::Rc;

use cardscope::card::JsonPointer;
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
    let content = JsonContent::new(text.as_bytes());
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
        self.harness.query_by_label(text).is_some()
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
