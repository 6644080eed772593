//! Paints the state and turns gestures into actions; egui lives here and in `app`.

pub mod inspector_pane;
pub mod theme;
pub mod widgets;
