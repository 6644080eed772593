//! The whole window, headless, through its accessible names.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use cardscope::a2a::{Message, Part, Role, SendMessageResponse, Task, TaskState, TaskStatus};
use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection};
use cardscope::client::{
    Answered, Attempt, AttemptKind, AttemptOutcome, Exchange, ExchangeEnd, HeaderText, RecordedHeader, RecordedRequest,
    RecordedResponse, Retrieval, Secret,
};
use cardscope::state::{Action, Effect, JobId, Outcome, Settings, View};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::support::window::{Hands as _, Recording};

const CARD: &str = r#"{
  "name": "Jar Counter",
  "description": "Counts jars.",
  "version": "2.1.0",
  "supportedInterfaces": [
    {"url": "https://jars.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
  ],
  "capabilities": {"streaming": true},
  "defaultInputModes": ["text/plain"],
  "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "count", "name": "Count", "description": "Counts.", "tags": ["jars"],
    "examples": ["How many jars?", "{\"shelf\": 3}"]}]
}"#;

type Window = Recording;

fn open() -> Window {
    open_with(Settings::default())
}

fn open_with(settings: Settings) -> Window {
    Window::open([1440.0, 900.0], settings)
}

impl Window {
    /// A window that shows [`CARD`].
    fn with_card() -> Self {
        let mut window = open();
        let job = window.fetch("https://jars.example");
        window.answer(job, retrieval(Some(CARD), AttemptOutcome::Card, 200));
        window
    }

    fn fetch(&mut self, address: &str) -> JobId {
        self.apply(Action::FetchCard { address: address.to_owned() });
        self.state().discovery.pending.as_ref().expect("a fetch is pending").job
    }

    fn answer(&mut self, job: JobId, retrieval: Retrieval) {
        let inspection = retrieval.chosen.and_then(|index| {
            let document = retrieval.attempts[index].document.clone()?;
            Some(Arc::new(Inspection::of(document, Origin::default())))
        });
        self.absorb(Outcome::CardFetched { job, retrieval: Arc::new(retrieval), inspection });
    }

    fn sent_messages(&self) -> usize {
        self.effects.borrow().iter().filter(|effect| matches!(effect, Effect::SendMessage { .. })).count()
    }
}

fn retrieval(body: Option<&str>, outcome: AttemptOutcome, status: u16) -> Retrieval {
    let found_card = outcome == AttemptOutcome::Card;
    let attempt = Attempt {
        url: "https://jars.example/.well-known/agent-card.json".to_owned(),
        kind: AttemptKind::OriginCard,
        outcome,
        status: Some(status),
        note: "One clear sentence.".to_owned(),
        duration: Duration::from_millis(41),
        final_url: None,
        exchanges: Vec::new(),
        document: body.map(|body| Arc::new(Document::new(body.to_owned()))),
        earlier: None,
        kept: None,
    };
    Retrieval {
        address: "https://jars.example".to_owned(),
        assumptions: Vec::new(),
        attempts: vec![attempt],
        chosen: body.map(|_| 0),
        alternative: None,
        verdict: "Needs credentials: the server answered 401.".to_owned(),
        fetched_at: SystemTime::now(),
        found_card,
    }
}

#[test]
fn the_names_of_the_first_screen_are_there() {
    let window = open();
    for name in [
        "Agent address",
        "Fetch",
        "Open file…",
        "Paste card",
        "Start demo agent",
        "Search agents",
        "Traffic",
        "Copy as cURL",
        "Theme",
        "Zoom",
    ] {
        assert!(window.has(name), "{name}");
    }
}

#[test]
fn a_card_brings_its_views_and_the_composer() {
    let mut window = Window::with_card();
    for name in ["Inspect", "Message", "Jar Counter"] {
        assert!(window.has(name) || window.shows(name), "{name}");
    }
    window.click("Message");
    assert_eq!(window.state().view, View::Message);
    for name in ["Interface", "Message text", "Send", "Attach file…", "New conversation"] {
        assert!(window.has(name), "{name}");
    }
}

#[test]
fn the_address_is_reached_and_fetched_by_keyboard() {
    let mut window = open();
    window.press(Modifiers::COMMAND, Key::L);
    assert!(window.harness.get_by_label("Agent address").is_focused());
    window.write("Agent address", "jars.example");
    window.press(Modifiers::NONE, Key::Enter);
    let effects = window.effects.borrow();
    assert!(matches!(&effects[..], [Effect::FetchCard { address, .. }] if address == "jars.example"), "{effects:?}");
}

#[test]
fn a_pasted_card_leaves_no_address_to_fetch() {
    let mut window = Window::with_card();
    assert_eq!(window.harness.get_by_label("Agent address").value().as_deref(), Some("https://jars.example"));
    window.apply(Action::OpenBytes { name: "Pasted card".to_owned(), bytes: Bytes::from(CARD) });
    let job = window.state().discovery.pending.as_ref().expect("it is being read").job;
    let mut pasted = retrieval(Some(CARD), AttemptOutcome::Card, 200);
    "Pasted card".clone_into(&mut pasted.address);
    pasted.attempts[0].kind = AttemptKind::Pasted;
    window.answer(job, pasted);
    assert_eq!(window.state().discovery.entries.len(), 2);
    assert_eq!(window.harness.get_by_label("Agent address").value().as_deref(), Some(""));
}

#[test]
fn where_no_card_is_published_one_connects_without() {
    let mut window = open();
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::N);
    window.click("Connect");
    assert!(window.effects.borrow().is_empty(), "without an address there is nothing to call");
    window.write("Address of the agent", "https://jars.example/rpc");
    window.click("HTTP+JSON");
    window.click("0.3");
    window.click("Connect");
    let effects = window.effects.borrow();
    let [Effect::WriteCard { connection, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(connection.url, "https://jars.example/rpc");
    assert_eq!((connection.protocol_binding, connection.release.label()), ("HTTP+JSON", "0.3"));
}

#[test]
fn while_a_fetch_is_pending_it_can_be_cancelled_and_the_address_stays() {
    let mut window = open();
    window.write("Agent address", "jars.example");
    window.click("Fetch");
    assert!(!window.has("Fetch"));
    window.click("Cancel");
    assert!(window.state().discovery.pending.is_none());
    assert_eq!(window.harness.get_by_label("Agent address").value().as_deref(), Some("jars.example"));
}

#[test]
fn ctrl_enter_sends_once_and_the_draft_is_emptied() {
    let mut window = Window::with_card();
    window.click("Message");
    window.write("Message text", "How many jars?");
    window.press(Modifiers::COMMAND, Key::Enter);
    assert_eq!(window.sent_messages(), 1);
    assert_eq!(window.harness.get_by_label("Message text").value().as_deref().unwrap_or_default(), "");
    assert!(window.has("Stop"));
    window.click("Stop");
    assert!(window.has("Send"));
}

#[test]
fn an_enter_that_ends_a_composition_sends_nothing() {
    let mut window = Window::with_card();
    window.click("Message");
    window.write("Message text", "How many ");
    let preedit = |text: &str| egui::ImeEvent::Preedit { text: text.to_owned(), active_range_chars: None };
    window.harness.event(egui::Event::Ime(preedit("jaar")));
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    window.harness.run();
    assert_eq!(window.sent_messages(), 0);
    // The commit and the Enter that confirmed it come in one frame.
    let events = &mut window.harness.input_mut().events;
    events.push(egui::Event::Ime(egui::ImeEvent::Commit("jars".to_owned())));
    events.push(enter(true));
    window.harness.run();
    assert_eq!(window.sent_messages(), 0);
    window.press(Modifiers::COMMAND, Key::Enter);
    assert_eq!(window.sent_messages(), 1);
}

/// Writes a message and lets the agent answer with `task` in `state`.
fn exchange_about(window: &mut Window, task: &str, state: TaskState) {
    window.write("Message text", "about the jars");
    window.click("Send");
    let job = match window.effects.borrow().last() {
        Some(Effect::SendMessage { job, .. }) => *job,
        other => panic!("nothing was sent: {other:?}"),
    };
    let value = SendMessageResponse::Task(Task {
        id: task.to_owned(),
        context_id: Some("c-1".to_owned()),
        status: TaskStatus { state, message: None::<Message>, timestamp: None },
        artifacts: Vec::new(),
        history: Vec::new(),
        metadata: None,
    });
    let answered = Answered { value, deviations: Vec::new(), exchange: Arc::new(exchange()) };
    window.absorb(Outcome::MessageAnswered { job, result: Ok(answered) });
}

#[test]
fn only_the_newest_turn_offers_to_go_on_with_its_task() {
    let mut window = Window::with_card();
    window.click("Message");
    exchange_about(&mut window, "t-1", TaskState::InputRequired);
    assert!(window.has("Poll again") && window.shows("The agent waits for you"));
    exchange_about(&mut window, "t-1", TaskState::Completed);
    assert!(!window.has("Poll again"), "the first turn's task has ended");
    assert!(!window.shows("The agent waits for you"));
}

#[test]
fn a_long_conversation_keeps_its_newest_turn_and_the_way_out_in_sight() {
    let mut window = Window::with_card();
    window.click("Message");
    for turn in 0..8 {
        exchange_about(&mut window, &format!("t-{turn}"), TaskState::Completed);
    }
    let screen = window.harness.ctx.content_rect();
    for name in ["New conversation", "The next message continues this context as a new task."] {
        let rect = window.harness.get_by_label(name).rect();
        assert!(screen.contains_rect(rect) && rect.top() > 100.0, "{name} at {rect:?}");
    }
    window.click("New conversation");
    assert!(window.state().discovery.current_entry().unwrap().conversation.turns.is_empty());
}

fn enter(pressed: bool) -> egui::Event {
    egui::Event::Key { key: Key::Enter, physical_key: None, pressed, repeat: false, modifiers: Modifiers::COMMAND }
}

#[test]
fn an_example_fills_the_text_and_one_of_json_becomes_a_data_part() {
    let mut window = Window::with_card();
    window.click("Message");
    window.click("How many jars?");
    assert_eq!(window.harness.get_by_label("Message text").value().as_deref(), Some("How many jars?"));
    window.click("{\"shelf\": 3} (as a data part)");
    assert_eq!(window.harness.get_by_label("Data part JSON").value().as_deref(), Some("{\"shelf\": 3}"));
}

#[test]
fn what_no_face_can_draw_is_said_and_never_a_silent_box() {
    let odd = "\u{f0000}";
    let texts = ["Jar Counter", "Counts jars.", "2.1.0", "\"jars\"", "\"Count\"", "How many jars?", "shelf"];
    let card = texts.iter().fold(CARD.to_owned(), |card, text| match text.strip_suffix('"') {
        Some(open) => card.replace(text, &format!("{open}{odd}\"")),
        None => card.replace(text, &format!("{text}{odd}")),
    });
    let card = card.replace("\"url\":", &format!("\"tenant\": \"larder{odd}\", \"url\":"));
    let mut window = open();
    let job = window.fetch("https://jars.example");
    // The harness fails at any text that is laid out with a sign that no face has.
    window.answer(job, retrieval(Some(&card), AttemptOutcome::Card, 200));
    for words in ["Jar Counter⟨U+F0000⟩", "2.1.0⟨U+F0000⟩"] {
        assert!(window.has(words), "{words}");
    }
    window.click("Message");
    for words in ["How many jars?⟨U+F0000⟩", "{\"shelf⟨U+F0000⟩\": 3} (as a data part)", "tenant larder⟨U+F0000⟩"]
    {
        assert!(window.has(words), "{words}");
    }
    exchange_about(&mut window, &format!("t{odd}"), TaskState::Unknown(format!("odd{odd}")));
    window.click("Compare");
    let job = window.fetch(&format!("https://gone.example/{odd}"));
    window.answer(job, retrieval(None, AttemptOutcome::Unreachable, 502));
}

#[test]
fn an_image_in_markdown_is_named_and_not_fetched_and_a_table_is_whole() {
    let mut window = Window::with_card();
    window.click("Message");
    window.write("Message text", "Count!");
    window.click("Send");
    let job = match window.effects.borrow_mut().pop() {
        Some(Effect::SendMessage { job, .. }) => job,
        other => panic!("nothing was sent: {other:?}"),
    };
    let words = "![a shelf](http://evil.example/i.png)\n\n| Jar | On the shelf |\n|---|---:|\n| plum | 3 |";
    let part = Part { media_type: Some("text/markdown".to_owned()), ..Part::text(words) };
    let reply = Message {
        message_id: Some("m".to_owned()),
        context_id: None,
        task_id: None,
        role: Role::Agent,
        parts: vec![part],
        metadata: None,
        extensions: Vec::new(),
        reference_task_ids: Vec::new(),
    };
    let value = SendMessageResponse::Message(reply);
    let answered = Answered { value, deviations: Vec::new(), exchange: Arc::new(exchange()) };
    window.absorb(Outcome::MessageAnswered { job, result: Ok(answered) });
    assert!(window.shows("[image \"a shelf\", not loaded: http://evil.example/i.png]"));
    assert!(!window.shows("image loaders"));
    let (jar, shelf) = (window.harness.get_by_label("Jar").rect(), window.harness.get_by_label("On the shelf").rect());
    assert!(shelf.left() - jar.right() < 40.0, "columns are as wide as what is in them: {jar:?} {shelf:?}");
    assert!(window.has("plum") && window.has("3"));
}

#[test]
fn the_theme_is_switched_and_kept_in_the_settings() {
    let mut window = open();
    window.click("Theme");
    window.click("Light");
    assert_eq!(window.state().settings.theme, cardscope::state::ThemeChoice::Light);
    assert_eq!(window.harness.ctx.theme(), egui::Theme::Light);
}

#[test]
fn zoom_follows_the_keys() {
    let mut window = open();
    window.press(Modifiers::COMMAND, Key::Plus);
    assert!((window.state().settings.zoom - 1.1).abs() < 0.001);
    window.press(Modifiers::COMMAND, Key::Num0);
    assert!((window.state().settings.zoom - 1.0).abs() < 0.001);
}

#[test]
fn a_failed_discovery_says_what_came_and_what_to_do() {
    let mut window = open();
    let job = window.fetch("https://jars.example");
    window.answer(job, retrieval(Some("{\"error\": \"who are you\"}"), AttemptOutcome::NeedsCredentials, 401));
    assert!(window.shows("Needs credentials: the server answered 401."));
    assert!(window.has("Set a credential…"));
    assert!(window.has("Copy body"));
    window.click("Set a credential…");
    assert_eq!(window.harness.get_by_label("Origin").value().as_deref(), Some("https://jars.example"));
}

#[test]
fn redirects_that_lead_nowhere_are_no_matter_of_the_network_settings() {
    let mut window = open();
    let job = window.fetch("https://jars.example");
    window.answer(job, retrieval(None, AttemptOutcome::ServerError, 302));
    assert!(window.shows("redirects lead nowhere") && !window.has("Network settings…"));
    assert!(window.has("Connect without a card…"));
}

#[test]
fn a_question_is_asked_before_a_flagged_address_is_used_and_escape_leaves_it() {
    let mut window = open();
    let job = window.fetch("https://jars.example");
    let card = CARD.replace("https://jars.example/rpc", "http://0.0.0.0:8000/");
    window.answer(job, retrieval(Some(&card), AttemptOutcome::Card, 200));
    window.click("Message");
    window.write("Message text", "How many jars?");
    window.click("Send");
    let question = window.state().question.clone().expect("a question");
    assert!(window.shows(&question.title) && window.has(&question.choices[0].label), "{question:?}");
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.state().question.is_none());
    assert_eq!(window.sent_messages(), 0);
    // What was written is still there.
    assert_eq!(window.harness.get_by_label("Message text").value().as_deref(), Some("How many jars?"));
}

#[test]
fn the_attempts_of_a_pending_fetch_are_listed_while_it_runs() {
    let mut window = open();
    let job = window.fetch("https://jars.example");
    let attempt = retrieval(None, AttemptOutcome::NotFound, 404).attempts.remove(0);
    window.absorb(Outcome::AttemptMade { job, attempt });
    assert!(window.shows("Fetching https://jars.example"));
    assert!(window.shows("404"));
    let delay = window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert!(delay > Duration::from_millis(500), "elapsed seconds need one frame a second, not {delay:?}");
}

#[test]
fn an_exchange_opens_from_its_row_and_its_secrets_stay_masked() {
    let mut window = open();
    window.absorb(Outcome::Exchanged(Arc::new(exchange())));
    assert!(window.harness.get_by_label("Copy as cURL").accesskit_node().is_disabled());
    window.click("POST https://jars.example/rpc SendMessage");
    for words in ["Authorization", "••••7f2a", "Request", "Response"] {
        assert!(window.shows(words), "{words}");
    }
    assert!(!window.shows("tok-abcdefgh7f2a"));
    let copied = window.copied_by("Copy as cURL");
    assert!(copied.starts_with("curl ") && !copied.contains("tok-abcdefgh7f2a"), "{copied}");
    window.harness.run();
    assert!(window.copied_by("Copy as cURL with secrets").contains("tok-abcdefgh7f2a"));
    // A label and the run of text in it have the same value.
    let left = |value: &str| window.harness.query_all_by_value(value).next().map_or(0.0, |node| node.rect().left());
    assert!((left("••••7f2a") - left("application/json")).abs() < 1.0, "values stand in one column");
}

fn exchange() -> Exchange {
    let plain =
        |name: &str, value: &str| RecordedHeader { name: name.to_owned(), value: HeaderText::Plain(value.to_owned()) };
    Exchange {
        purpose: "SendMessage".to_owned(),
        started_at: SystemTime::now(),
        duration: Duration::from_millis(34),
        request: RecordedRequest {
            method: "POST".to_owned(),
            url: "https://jars.example/rpc".to_owned(),
            headers: vec![RecordedHeader {
                name: "Authorization".to_owned(),
                value: HeaderText::Secret(Secret::new("Bearer tok-abcdefgh7f2a")),
            }],
            body: Bytes::from_static(b"{\"jsonrpc\": \"2.0\"}"),
            proxy: None,
            client_certificate: None,
        },
        end: ExchangeEnd::Answered(RecordedResponse {
            status: 200,
            version: "HTTP/1.1".to_owned(),
            headers: vec![plain("Content-Type", "application/json")],
            body: Bytes::from_static(b"{}"),
            wire_bytes: 2,
            incomplete: None,
        }),
    }
}

#[test]
fn the_palette_finds_and_runs_a_command() {
    let mut window = open();
    window.press(Modifiers::COMMAND, Key::K);
    window.write("Command", "hide traffic");
    window.press(Modifiers::NONE, Key::Enter);
    assert!(!window.state().settings.traffic_open);
    assert!(!window.has("Command"));
}

#[test]
fn an_idle_window_asks_for_no_frame() {
    let mut window = Window::with_card();
    for (view, focused) in
        [(View::Inspect, "Agent address"), (View::Inspect, "Search JSON"), (View::Message, "Message text")]
    {
        window.apply(Action::ShowView(view));
        window.harness.get_by_label(focused).focus();
        window.harness.run();
        window.harness.step();
        let delay = window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay, Duration::MAX, "{view:?}: {:?}", window.harness.ctx.repaint_causes());
    }
}

#[test]
fn nothing_is_cut_off_in_a_small_or_zoomed_window() {
    for (size, zoom) in [([1280.0, 800.0], 1.0), ([720.0, 480.0], 1.0), ([1280.0, 800.0], 1.5), ([1280.0, 800.0], 2.0)]
    {
        let mut window = Window::with_card();
        window.harness.set_size(size.into());
        let settings = Settings { zoom, ..window.state().settings.clone() };
        window.apply(Action::ChangeSettings(settings));
        window.click("Message");
        let screen = window.harness.ctx.content_rect();
        for name in ["Agent address", "Fetch", "Theme", "Help", "Traffic", "Message text"] {
            let rect = window.harness.get_by_label(name).rect();
            assert!(screen.expand(1.0).contains_rect(rect), "{name} at {rect:?} in {screen:?}");
        }
        assert!(window.harness.get_by_label("Agent address").rect().width() > 60.0);
    }
}
