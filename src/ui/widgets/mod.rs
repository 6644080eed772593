//! Pieces that several panes paint with.

pub mod buttons;
pub mod chip;
pub mod foreign_text;
pub mod heading;
pub mod json_view;
pub mod text;
pub mod text_rows;
