//! The whole window, headless, used through its accessible names.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use cardscope::app::App;
use cardscope::state::{Action, Effect, HistoryEffect, Outcome, Settings, State};
use cardscope::worker::{Outbox, Worker};
use egui::{Key, Modifiers, OutputCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use tokio::runtime::Runtime;

/// A window over a real model whose effects are kept instead of carried out; what comes of them is sent in.
pub struct Recording {
    pub harness: Harness<'static, App>,
    pub effects: Rc<RefCell<Vec<Effect>>>,
    pub outcomes: Sender<Outcome>,
}

impl Recording {
    pub fn open(size: [f32; 2], settings: Settings) -> Self {
        let effects = Rc::new(RefCell::new(Vec::new()));
        let (outcomes, receiver) = std::sync::mpsc::channel();
        let kept = Rc::clone(&effects);
        let harness = Harness::builder().with_size(size).with_max_steps(20).build_eframe(move |cc| {
            App::new(&cc.egui_ctx, State::new(settings), receiver, move |effect| kept.borrow_mut().push(effect))
        });
        let mut window = Self { harness, effects, outcomes };
        window.harness.run();
        window
    }

    pub fn absorb(&mut self, outcome: Outcome) {
        self.outcomes.send(outcome).unwrap();
        self.harness.run();
    }

    /// What history was asked for since the last time; other effects are forgotten.
    pub fn orders(&self) -> Vec<HistoryEffect> {
        let drained = self.effects.borrow_mut().drain(..).collect::<Vec<_>>();
        let orders = drained.into_iter().filter_map(|effect| match effect {
            Effect::History(order) => Some(order),
            _ => None,
        });
        orders.collect()
    }
}

impl Hands for Recording {
    fn harness(&self) -> &Harness<'static, App> {
        &self.harness
    }

    fn harness_mut(&mut self) -> &mut Harness<'static, App> {
        &mut self.harness
    }
}

/// A window with a real worker behind it.
pub struct Working {
    pub harness: Harness<'static, App>,
    _runtime: Runtime,
}

impl Working {
    pub fn open(settings: Settings) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (outbox, outcomes) = Outbox::new(|| {});
        let mut worker = Worker::new(runtime.handle().clone(), outbox, settings.network.clone());
        let harness = Harness::builder().with_size([1280.0, 800.0]).with_max_steps(12).build_eframe(move |cc| {
            App::new(&cc.egui_ctx, State::new(settings), outcomes, move |effect| worker.run(effect))
        });
        let mut window = Self { harness, _runtime: runtime };
        window.harness.run();
        window
    }

    pub fn until(&mut self, what: &str, condition: impl Fn(&State) -> bool) {
        let end = Instant::now() + Duration::from_secs(10);
        while !condition(self.state()) {
            assert!(Instant::now() < end, "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(2));
            self.harness.step();
        }
        self.harness.run();
    }
}

impl Hands for Working {
    fn harness(&self) -> &Harness<'static, App> {
        &self.harness
    }

    fn harness_mut(&mut self) -> &mut Harness<'static, App> {
        &mut self.harness
    }
}

/// What a user does at the window and sees in it.
pub trait Hands {
    fn harness(&self) -> &Harness<'static, App>;
    fn harness_mut(&mut self) -> &mut Harness<'static, App>;

    /// Lets the window take what was done.
    fn settle(&mut self) {
        self.harness_mut().run();
    }

    fn state(&self) -> &State {
        self.harness().state().state()
    }

    fn apply(&mut self, action: Action) {
        self.harness_mut().state_mut().apply(action);
        self.settle();
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness_mut().key_press_modifiers(modifiers, key);
        self.settle();
    }

    fn click(&mut self, name: &str) {
        self.harness().get_by_label(name).click();
        self.settle();
    }

    fn right_click(&mut self, name: &str) {
        self.harness().get_by_label(name).click_secondary();
        self.settle();
    }

    fn write(&mut self, name: &str, text: &str) {
        self.harness().get_by_label(name).focus();
        self.settle();
        self.harness().get_by_label(name).type_text(text);
        self.settle();
    }

    fn has(&self, name: &str) -> bool {
        self.harness().query_all_by_label(name).next().is_some()
    }

    fn shows(&self, words: &str) -> bool {
        self.harness().query_all_by_label_contains(words).next().is_some()
            || self.harness().query_all_by_value(words).next().is_some()
    }

    /// Clicks `name` and gives the text that this put on the clipboard.
    fn copied_by(&mut self, name: &str) -> String {
        self.harness().get_by_label(name).click_accesskit();
        for _ in 0..6 {
            self.harness_mut().step();
            for command in &self.harness().output().platform_output.commands {
                if let OutputCommand::CopyText(text) = command {
                    return text.clone();
                }
            }
        }
        panic!("{name} copied nothing");
    }
}
