//! From a document to everything the inspector shows, computed once.
