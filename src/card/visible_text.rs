//! Untrusted text made safe to look at: hidden and bidirectional characters become visible marks.
