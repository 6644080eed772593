//! The whole window, headless, through its accessible names.
