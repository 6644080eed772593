//! What goes on the wire and what is read from it.
