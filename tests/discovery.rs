//! Discovery against scripted servers.
