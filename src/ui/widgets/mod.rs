//! Pieces that several panes paint with.
