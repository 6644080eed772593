//! The demo agent as a peer.
