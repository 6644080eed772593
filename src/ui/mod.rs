//! Paints the state and turns gestures into actions; egui lives here and in `app`.

mod agent_list;
mod attempts;
mod catalog_pane;
mod catalog_section;
mod command_palette;
pub mod compare_pane;
mod connect_sheet;
mod credential_editor;
mod dialogs;
mod discovery_pane;
pub mod fonts;
mod header;
mod help_sheet;
pub mod inspector_pane;
mod message_pane;
mod notice_bars;
mod panes;
pub mod problem;
mod quantities;
mod settings_sheet;
pub mod shortcuts;
pub mod theme;
mod title_line;
mod traffic_pane;
mod verdict_pane;
mod version_rows;
mod welcome_pane;
pub mod widgets;

pub use panes::Panes;
