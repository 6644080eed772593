//! Pieces that several panes paint with.

pub mod foreign_text;
pub mod json_view;
