//! The demo agent inside the program, as far as the window knows it.

use super::{Action, Effect, Notice, State};
use crate::card::facts::Tone;

/// The demo agent inside the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Demo {
    #[default]
    Stopped,
    Starting,
    Running {
        /// Its card's address.
        address: String,
        /// Which card it serves, 1 or 2.
        revision: u8,
    },
}

impl State {
    pub(super) fn apply_demo(&mut self, action: &Action) -> Vec<Effect> {
        match (action, &self.demo) {
            (Action::StartDemo, Demo::Stopped) => {
                self.demo = Demo::Starting;
                vec![Effect::StartDemo { revision: 1 }]
            }
            (Action::StopDemo, Demo::Running { .. } | Demo::Starting) => vec![Effect::StopDemo],
            (Action::SwitchDemoRevision, Demo::Running { revision, .. }) => {
                vec![Effect::SetDemoRevision { revision: if *revision == 1 { 2 } else { 1 } }]
            }
            _ => Vec::new(),
        }
    }

    /// Whoever starts the demo or turns its card over wants to see that card.
    pub(super) fn demo_started(&mut self, address: &str, revision: u8) -> Vec<Effect> {
        self.demo = Demo::Running { address: address.to_owned(), revision };
        self.fetch_card(address, false)
    }

    pub(super) fn demo_stopped(&mut self, problem: Option<String>) {
        self.demo = Demo::Stopped;
        if let Some(problem) = problem {
            self.notify(Notice::new(Tone::Bad, "The demo agent stopped", problem));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starting_the_demo_opens_its_card_and_switching_fetches_the_other() {
        let mut state = State::default();
        assert!(matches!(state.apply(Action::StartDemo)[..], [Effect::StartDemo { revision: 1 }]));
        assert!(state.apply(Action::StartDemo).is_empty(), "one demo agent is enough");
        let address = "http://127.0.0.1:4000/.well-known/agent-card.json";
        let effects = state.demo_started(address, 1);
        assert!(matches!(&effects[..], [Effect::FetchCard { address: asked, .. }] if asked == address));
        assert!(matches!(state.apply(Action::SwitchDemoRevision)[..], [Effect::SetDemoRevision { revision: 2 }]));
        assert!(matches!(state.apply(Action::StopDemo)[..], [Effect::StopDemo]));
        state.demo_stopped(None);
        assert_eq!((state.demo, state.notices.len()), (Demo::Stopped, 0));
    }
}
