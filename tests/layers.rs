//! Keeps the layer table true.
