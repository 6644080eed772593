//! How fast a large document is read and laid out.

fn main() {}
