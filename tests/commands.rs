//! The commands as a script sees them.
