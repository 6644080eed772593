//! JSON text as semantic tokens, row by row; no colours.
