//! From a document to everything the inspector shows, computed once.

mod aliases;
mod foreign;
mod members;
pub mod shape;
