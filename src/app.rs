//! The window: eframe's logic, ui and save around State, Panes and Worker.
