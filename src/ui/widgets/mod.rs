//! Pieces that several panes paint with.

pub mod body_view;
pub mod buttons;
pub mod cell;
pub mod chip;
pub mod facts;
pub mod foreign_text;
pub mod heading;
pub mod json_view;
pub mod side_list;
pub mod text;
