//! Inspect: what a card says and means, beside its JSON.
