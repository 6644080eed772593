//! The one test binary: behaviour across layers.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed step is a failed test")]

mod caching;
mod cards;
mod catalogs;
mod commands;
mod compare;
mod comparison;
mod conversations;
mod demo;
mod discovery;
mod extended_card;
mod following;
mod history;
mod hostile;
mod inspector;
mod layers;
mod lint_corpus;
mod messaging;
mod real_window;
mod support;
// Apple's verifier has words of its own, and refuses certificates that are valid for as long as these.
#[cfg(not(target_vendor = "apple"))]
mod tls;
mod version_list;
mod versions;
mod window;
