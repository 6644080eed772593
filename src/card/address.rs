//! What the user typed, as candidates to ask in order.
