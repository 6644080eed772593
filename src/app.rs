//! The window: eframe's logic, ui and save around State, Panes and Worker.

mod launch;

use std::sync::mpsc::Receiver;
use std::time::Instant;

use crate::state::{Action, Effect, Outcome, Settings, State};
use crate::ui::{Panes, theme};

pub use launch::{Renderer, WindowError, WindowOptions, data_folder, run_window};

/// Under which name the preferences stand in eframe's storage.
const SETTINGS_KEY: &str = "settings";

/// Everything behind the window.
pub struct App {
    state: State,
    panes: Panes,
    outcomes: Receiver<Outcome>,
    /// The worker; a test looks at the effects instead.
    carry_out: Box<dyn FnMut(Effect)>,
    actions: Vec<Action>,
    /// When the program was asked for a window, until the first card stands in it.
    asked_at: Option<Instant>,
}

impl App {
    /// An app over `state`; what comes back from `carry_out` arrives through `outcomes`.
    pub fn new(
        ctx: &egui::Context,
        state: State,
        outcomes: Receiver<Outcome>,
        carry_out: impl FnMut(Effect) + 'static,
    ) -> Self {
        theme::install(ctx);
        let app = Self {
            state,
            panes: Panes::default(),
            outcomes,
            carry_out: Box::new(carry_out),
            actions: Vec::new(),
            asked_at: None,
        };
        app.follow_settings(ctx);
        app
    }

    /// Logs how long after `asked_at` the first card is on screen: what a start costs a user.
    #[must_use]
    pub fn timed_from(mut self, asked_at: Instant) -> Self {
        self.asked_at = Some(asked_at);
        self
    }

    /// The model as it stands.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Applies `action` as if a pane had pushed it.
    pub fn apply(&mut self, action: Action) {
        for effect in self.state.apply(action) {
            (self.carry_out)(effect);
        }
    }

    fn absorb(&mut self, outcome: Outcome) {
        for effect in self.state.absorb(outcome) {
            (self.carry_out)(effect);
        }
    }

    /// Theme and zoom are egui's to carry out; setting what is already set costs nothing.
    fn follow_settings(&self, ctx: &egui::Context) {
        theme::follow(ctx, &self.state.settings);
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        let mut news = false;
        while let Ok(outcome) = self.outcomes.try_recv() {
            self.absorb(outcome);
            news = true;
        }
        if news {
            ctx.request_repaint();
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let mut actions = std::mem::take(&mut self.actions);
        self.panes.ui(ui, &self.state, &mut actions);
        if self.state.discovery.current.is_some()
            && let Some(asked_at) = self.asked_at.take()
        {
            tracing::debug!("the first card is laid out {} ms after the start", asked_at.elapsed().as_millis());
        }
        if !actions.is_empty() {
            // What the actions changed is painted by the next frame.
            ui.ctx().request_repaint();
        }
        for action in actions.drain(..) {
            self.apply(action);
        }
        self.actions = actions;
        self.follow_settings(ui.ctx());
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS_KEY, &self.state.settings);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

/// The preferences of the last run, or the defaults.
fn stored_settings(storage: Option<&dyn eframe::Storage>) -> Settings {
    storage.and_then(|storage| eframe::get_value(storage, SETTINGS_KEY)).unwrap_or_default()
}
