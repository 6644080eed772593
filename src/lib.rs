//! Cardscope, a desktop explorer for A2A Agent Cards.
//!
//! Documents in, facts out, pictures last. A card is first of all the exact bytes a server sent
//! ([`card::Document`]). Pure functions derive facts from them ([`card::facts::Inspection`]), each addressed by a
//! JSON Pointer. Panes paint facts and push actions; the model turns actions into effects; the worker carries
//! them out and sends outcomes back.
//!
//! | layer | what it is | may import |
//! |---|---|---|
//! | [`a2a`] | the protocol's vocabulary | nothing of ours |
//! | [`card`] | pure analysis of documents | `a2a` |
//! | [`client`] | the network | `card`, `a2a` |
//! | [`history`] | what was seen, in SQLite | `card`, `a2a` |
//! | [`state`] | the model, without egui, tokio or I/O | `card`, `a2a`, the plain-data files of `client` and `history` |
//! | [`demo`] | the demo agent | everything but `ui`, `app` |
//! | [`worker`] | carries effects out, the only place that spawns | `state`, `client`, `history`, `demo`, `card`, `a2a` |
//! | [`ui`] | paints, egui only | `state`, `card`, `a2a`, the plain-data files of `client` and `history` |
//! | [`cli`] | the commands | everything but `ui`, `app` |
//! | [`app`] | joins them in a window | everything |
//!
//! `tests/layers.rs` keeps this table true.

pub mod a2a;
pub mod app;
pub mod card;
pub mod cli;
pub mod client;
pub mod demo;
pub mod history;
pub mod state;
pub mod ui;
pub mod worker;
