//! The corpus of real-shaped cards.
