//! The inspector pane, headless.
