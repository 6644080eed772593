//! The side: the agents that are open or kept, newest first, and the demo agent.

use egui::{Align, Button, Id, Layout, Popup, Rect, ScrollArea, Sense, TextEdit, Ui, UiBuilder, pos2, vec2};

use super::agent_list::{self, AgentList, EDGE};
use super::theme::{GRID, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::text;
use crate::state::{Action, Deletion, Demo, Export, HistoryAction, HistoryPlace, State};

/// The agents have at least so much of the pane, however much stands below them.
const LEAST_SHARE: f32 = 0.4;

/// Search text and focus.
#[derive(Debug, Default)]
pub struct DiscoveryPane {
    search: String,
    take_focus: bool,
    agents: AgentList,
    /// How high what stands below the agents was in the last frame.
    below: f32,
}

impl DiscoveryPane {
    pub fn focus_search(&mut self) {
        self.take_focus = true;
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(3.0 * GRID);
        self.search_ui(ui, actions);
        self.agents_ui(ui, state, actions);
        let below = ScrollArea::vertical().id_salt("below the agents").auto_shrink(false).show(ui, |ui| {
            rest_ui(ui, state);
            super::catalog_section::catalog_section_ui(ui, state, actions);
            demo_ui(ui, state, actions);
            ui.add_space(4.0 * GRID);
        });
        let height = below.content_size.y;
        if (height - self.below).abs() > 0.5 {
            self.below = height;
            ui.ctx().request_repaint();
        }
    }

    fn search_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.add_space(3.0 * GRID);
            let field = TextEdit::singleline(&mut self.search)
                .id(Id::unique("search agents"))
                .hint_text("Search agents")
                .margin(vec2(10.0, 5.0))
                .align(egui::Align2::LEFT_CENTER)
                .desired_width(ui.available_width() - 3.0 * GRID);
            let response = ui.add(field).accessible_name("Search agents");
            if std::mem::take(&mut self.take_focus) {
                response.request_focus();
            }
            if response.changed() {
                actions.push(Action::History(HistoryAction::Search { text: self.search.trim().to_owned() }));
            }
        });
    }

    fn agents_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let wanted = self.search.trim().to_lowercase();
        let count = agent_list::count(state, &wanted);
        section_ui_with(ui, "Agents", &count.to_string(), |ui| history_menu_ui(ui, state, actions));
        // What is below the list stays in reach however long it is.
        let room = ui.available_height();
        let most = (room - self.below).max(LEAST_SHARE * room);
        ScrollArea::vertical().id_salt("agents").max_height(most).auto_shrink([false, true]).show(ui, |ui| {
            if !self.agents.ui(ui, state, &wanted, actions) {
                line_ui(
                    ui,
                    if wanted.is_empty() { "What you open is listed here." } else { "No agent fits the search." },
                );
            }
        });
    }
}

/// What the list leaves out, and whether it is kept.
fn rest_ui(ui: &mut Ui, state: &State) {
    let more = (state.kept.total as usize).saturating_sub(state.kept.agents.len());
    if more > 0 {
        line_ui(ui, &format!("{more} more. Search to find them."));
    }
    if state.kept.place == HistoryPlace::InMemory {
        line_ui(ui, "Nothing of this is saved.");
    }
}

fn section_ui(ui: &mut Ui, title: &str, count: &str) {
    section_ui_with(ui, title, count, |_| {});
}

/// Draws the heading of a section, with `more` behind its title.
fn section_ui_with(ui: &mut Ui, title: &str, count: &str, more: impl FnOnce(&mut Ui)) {
    ui.add_space(4.0 * GRID);
    ui.horizontal(|ui| {
        ui.add_space(EDGE + 2.0);
        ui.label(text::note(ui, title));
        more(ui);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(EDGE + 2.0);
            ui.label(text::note(ui, count));
        });
    });
    ui.add_space(GRID);
}

/// What can be done with all that is kept, behind the heading of the agents.
fn history_menu_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let button = quiet_button(ui, "…").accessible_name("History").on_hover_text("Import, export, delete");
    Popup::menu(&button).show(|ui| {
        if ui.button("Import…").on_hover_text("A file that Cardscope exported; folders of cards are dropped").clicked()
        {
            actions.push(Action::History(HistoryAction::PickImport));
        }
        let any = state.kept.total > 0;
        if ui.add_enabled(any, Button::new("Export everything…")).clicked() {
            actions.push(Action::History(HistoryAction::Export(Export::Everything)));
        }
        if ui.add_enabled(any, Button::new("Delete the whole history…")).clicked() {
            actions.push(Action::History(HistoryAction::AskToDelete(Deletion::Everything)));
        }
    });
}

fn line_ui(ui: &mut Ui, words: &str) {
    ui.horizontal(|ui| {
        ui.add_space(EDGE + 2.0);
        ui.label(text::faint(ui, words));
    });
}

fn demo_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    section_ui(ui, "Demo agent", "");
    let row = ui.available_rect_before_wrap();
    let inner = Rect::from_min_max(pos2(row.left() + EDGE + 2.0, row.top()), pos2(row.right() - EDGE, row.bottom()));
    ui.scope_builder(UiBuilder::new().max_rect(inner), |ui| {
        ui.spacing_mut().item_spacing.y = GRID / 2.0;
        match &state.demo {
            Demo::Stopped => {
                if ui.button("Start demo agent").clicked() {
                    actions.push(Action::StartDemo);
                }
                ui.add_space(GRID);
                ui.label(text::faint(ui, "A complete agent inside this program, for trying things out."));
            }
            Demo::Starting => {
                ui.label(text::muted(ui, "Starting…"));
            }
            Demo::Running { address, revision } => running_demo_ui(ui, address, *revision, actions),
        }
    });
}

fn running_demo_ui(ui: &mut Ui, address: &str, revision: u8, actions: &mut Vec<Action>) {
    ui.spacing_mut().interact_size.y = 20.0;
    ui.horizontal(|ui| {
        let (dot, _) = ui.allocate_exact_size(vec2(10.0, 14.0), Sense::hover());
        ui.painter().circle_filled(dot.center() - vec2(2.0, 0.0), 3.5, palette(ui).good);
        ui.label("Running");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if quiet_button(ui, "Stop").accessible_name("Stop demo agent").clicked() {
                actions.push(Action::StopDemo);
            }
        });
    });
    ui.horizontal(|ui| {
        ui.add_space(18.0);
        ui.label(text::note(ui, format!("{} · revision {revision} of 2", host_of(address))));
    });
    ui.horizontal(|ui| {
        ui.add_space(13.0);
        if quiet_button(ui, "Open its card").clicked() {
            actions.push(Action::FetchCard { address: address.to_owned() });
        }
        let other = if revision == 1 { 2 } else { 1 };
        if quiet_button(ui, &format!("Serve revision {other}")).clicked() {
            actions.push(Action::SwitchDemoRevision);
        }
    });
}

fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().to_owned()
}
