//! Lays the whole window out, hands keys to the panes, and keeps the one open dialog.

use std::time::Duration;

use egui::{CentralPanel, Frame, Margin, OutputCommand, Panel, Ui};

use super::attempts::pending_ui;
use super::catalog_pane::CatalogPane;
use super::compare_pane::ComparePane;
use super::dialogs::{Dialog, DialogEnd, question_ui};
use super::discovery_pane::DiscoveryPane;
use super::header::{self, Header};
use super::inspector_pane::InspectorPane;
use super::message_pane::MessagePane;
use super::notice_bars::{Flash, notice_bars_ui};
use super::shortcuts::{Command, Keyboard};
use super::theme::{self, palette};
use super::title_line::title_line_ui;
use super::traffic_pane::{self, TrafficPane};
use super::verdict_pane::VerdictPane;
use super::welcome_pane::welcome_ui;
use crate::state::comparison::SideStanding;
use crate::state::{
    Action, Age, AgentEntry, CatalogAction, ComparisonAction, ConversationAction, EarlierAction, Settings, State, View,
};

/// Everything the window shows, with the drafts, filters and scroll positions that only the window knows.
#[derive(Default)]
pub struct Panes {
    keyboard: Keyboard,
    header: Header,
    discovery: DiscoveryPane,
    catalog: CatalogPane,
    verdict: VerdictPane,
    inspector: InspectorPane,
    compare: ComparePane,
    message: MessagePane,
    traffic: TrafficPane,
    dialog: Option<Dialog>,
    flash: Flash,
}

impl Panes {
    /// Draws one frame; what the user asked for is pushed in order.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        if state.question.is_none() && self.dialog.is_none() {
            for command in self.keyboard.commands(ui) {
                self.run(ui, command, state, actions);
            }
        }
        take_dropped_files(ui, state, actions);
        self.header_ui(ui, state, actions);
        self.traffic_ui(ui, state, actions);
        self.side_ui(ui, state, actions);
        let frame = Frame::new().fill(palette(ui).background);
        CentralPanel::no_frame().frame(frame).show(ui, |ui| self.centre_ui(ui, state, actions));
        self.dialogs_ui(ui, state, actions);
        self.take_links(ui);
        self.flash.ui(ui, state, actions);
        for action in actions.iter() {
            if let Action::ShowExchange(exchange) = action {
                self.traffic.select(exchange);
            }
        }
        if is_something_pending(state) {
            // Elapsed seconds are the only thing that changes by itself.
            ui.ctx().request_repaint_after(Duration::from_secs(1));
        }
    }

    fn header_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let frame = Frame::new().fill(palette(ui).panel).inner_margin(Margin::symmetric(14, 8));
        Panel::top("header").exact_size(theme::TOP_HEIGHT).frame(frame).show(ui, |ui| {
            self.header.ui(ui, state, actions, &mut self.dialog);
        });
    }

    fn traffic_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let frame = Frame::new().fill(palette(ui).panel);
        if state.settings.traffic_open {
            // Where the window is low or enlarged, the work area comes first.
            let most = (ui.available_height() - 320.0).max(96.0);
            // Two sizes are remembered: with an exchange in full, and without.
            let (name, height) = if self.traffic.shows_details() {
                ("traffic with details", (2.2 * theme::TRAFFIC_HEIGHT).min(most))
            } else {
                ("traffic", theme::TRAFFIC_HEIGHT)
            };
            Panel::bottom(name)
                .resizable(true)
                .default_size(height)
                .size_range(80.0..=most)
                .frame(frame)
                .show(ui, |ui| self.traffic.ui(ui, state, actions));
        } else {
            let panel = Panel::bottom("traffic strip").exact_size(30.0).frame(frame);
            panel.show(ui, |ui| TrafficPane::closed_ui(ui, state, actions));
        }
    }

    fn side_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let most = (ui.available_width() * 0.45).max(200.0);
        Panel::left("discovery")
            .resizable(true)
            .default_size(theme::SIDE_WIDTH)
            .size_range(180.0..=most)
            .frame(Frame::new().fill(palette(ui).panel))
            .show(ui, |ui| self.discovery.ui(ui, state, actions));
    }

    fn centre_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            notice_bars_ui(ui, state, actions);
            if let Some(pending) = &state.discovery.pending {
                pending_ui(ui, pending);
            }
        });
        let Some(entry) = state.discovery.current_entry() else {
            if !self.catalog.ui(ui, state, actions, &mut self.dialog) {
                welcome_ui(ui, state, actions, &mut self.dialog);
            }
            return;
        };
        title_line_ui(ui, state, entry, actions);
        match state.view {
            View::Inspect => self.inspect_ui(ui, state, entry, actions),
            View::Compare => self.compare.ui(ui, state, entry, actions, &mut self.dialog),
            View::Message => self.message.ui(ui, state, actions, &mut self.dialog),
        }
    }

    fn inspect_ui(&mut self, ui: &mut Ui, state: &State, entry: &AgentEntry, actions: &mut Vec<Action>) {
        if self.verdict.is_for(entry) {
            self.verdict.ui(ui, state, entry, actions, &mut self.dialog);
        } else {
            self.inspector.ui(ui, state, actions);
        }
    }

    fn dialogs_ui(&mut self, ui: &Ui, state: &State, actions: &mut Vec<Action>) {
        if let Some(dialog) = &mut self.dialog {
            match dialog.ui(ui.ctx(), state, actions) {
                DialogEnd::Open => {}
                DialogEnd::Closed => self.dialog = None,
                DialogEnd::Run(command) => {
                    self.dialog = None;
                    self.run(ui, command, state, actions);
                }
            }
        }
        question_ui(ui.ctx(), state, actions);
    }

    /// A link in foreign text (Markdown, a card's own URLs) shows its target first and opens only then.
    fn take_links(&mut self, ui: &Ui) {
        let clicked = ui.ctx().output_mut(|output| {
            let mut clicked = None;
            output.commands.retain(|command| match command {
                OutputCommand::OpenUrl(open) => {
                    clicked = Some(open.url.clone());
                    false
                }
                _ => true,
            });
            clicked
        });
        if let Some(url) = clicked {
            self.dialog = Some(Dialog::Link(url));
        }
    }

    fn run(&mut self, ui: &Ui, command: Command, state: &State, actions: &mut Vec<Action>) {
        let settings = &state.settings;
        let catalog = state.shown_catalog().map(|catalog| catalog.id);
        match command {
            Command::FocusAddress => self.header.focus_address(),
            Command::SearchAgents => self.discovery.focus_search(),
            // Where a catalog is on screen, what concerns a card concerns the catalog.
            Command::SearchJson if catalog.is_some() => self.catalog.focus_search(),
            Command::SearchJson if state.view == View::Compare => self.compare.focus_search(),
            Command::SearchJson => {
                actions.push(Action::ShowView(View::Inspect));
                self.inspector.focus_search(state, actions);
            }
            Command::Send => self.message.send(state, actions),
            Command::PasteCard => self.dialog = Some(Dialog::paste()),
            Command::Connect => self.dialog = Some(Dialog::connect(self.header.address())),
            Command::EditCredential => self.dialog = Some(Dialog::credential(state, self.header.address())),
            Command::Settings => self.dialog = Some(Dialog::settings(state)),
            Command::Palette => self.dialog = Some(Dialog::Palette(super::command_palette::CommandPalette::default())),
            Command::Help => self.dialog = Some(Dialog::Help),
            Command::FetchAgain => actions.push(match catalog {
                Some(catalog) => Action::Catalog(CatalogAction::Refresh { catalog }),
                None => Action::RefreshCard,
            }),
            Command::FetchAnew => actions.push(Action::RefetchCard),
            Command::CancelFetch => actions.push(Action::CancelFetch),
            Command::OpenCatalog => {
                let address = self.header.address().to_owned();
                actions.push(Action::Catalog(CatalogAction::ShowForm { address }));
            }
            Command::SearchCatalog => self.catalog.focus_search(),
            Command::OpenFile => actions.push(Action::PickCardFile),
            Command::StartDemo => actions.push(Action::StartDemo),
            Command::StopDemo => actions.push(Action::StopDemo),
            Command::ShowInspect => actions.push(Action::ShowView(View::Inspect)),
            Command::ShowCompare => actions.push(Action::ShowView(View::Compare)),
            Command::ComparePrevious => {
                actions.extend(state.discovery.current.map(|entry| Action::CompareWithPrevious { entry }));
            }
            Command::SwapSides => actions.push(Action::Comparison(ComparisonAction::Swap)),
            Command::NextChange | Command::PreviousChange => {
                self.compare.go_to_change(command == Command::NextChange);
            }
            Command::ShowMessage => actions.push(Action::ShowView(View::Message)),
            Command::StopFollowing => actions.push(Action::Conversation(ConversationAction::Stop)),
            Command::NewConversation => actions.push(Action::Conversation(ConversationAction::NewConversation)),
            Command::ShowConversations => {
                actions.push(Action::ShowView(View::Message));
                actions.push(Action::Earlier(EarlierAction::ShowList));
            }
            Command::AttachFile => actions.push(Action::PickAttachment),
            Command::ToggleTraffic => actions.push(traffic_pane::toggle(state)),
            Command::SaveTraffic => actions.push(Action::SaveTraffic),
            Command::ToggleJson => {
                let json_open = !settings.json_open;
                actions.push(Action::ChangeSettings(Settings { json_open, ..settings.clone() }));
            }
            Command::NextTheme => actions.push(header::next_theme(state)),
            Command::ZoomIn => actions.push(header::zoom_by(state, 1)),
            Command::ZoomOut => actions.push(header::zoom_by(state, -1)),
            Command::ZoomReset => actions.push(header::zoom_by(state, 0)),
        }
        ui.ctx().request_repaint();
    }
}

/// A file dropped on the window is a card, an attachment while a message is being written, or the side that a
/// comparison lacks.
fn take_dropped_files(ui: &Ui, state: &State, actions: &mut Vec<Action>) {
    let dropped = ui.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
    let attaches = state.view == View::Message && state.discovery.current.is_some();
    let lacks = |age: &Age| matches!(state.side_standing(*age), SideStanding::Missing);
    let compares = state.view == View::Compare && state.discovery.current.is_some();
    let mut missing = [Age::Older, Age::Newer].into_iter().find(|age| compares && lacks(age));
    for file in dropped {
        let path = file.path().to_path_buf();
        if let Some(age) = missing.take() {
            actions.push(Action::Comparison(ComparisonAction::OpenFile { age, path }));
            continue;
        }
        actions.push(if attaches { Action::AttachFile { path } } else { Action::OpenFile { path } });
    }
}

fn is_something_pending(state: &State) -> bool {
    let waits = state.discovery.entries.iter().any(|entry| entry.conversation.running_turn().is_some());
    let asks = state.catalogs.opened.iter().any(|catalog| catalog.pending.is_some());
    state.discovery.pending.is_some() || waits || asks || state.comparison.is_waiting()
}
