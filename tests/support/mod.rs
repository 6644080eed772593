//! What several tests need: a scripted server and builders.
