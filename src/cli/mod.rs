//! The commands: inspect, send and demo, on the same core as the window.
