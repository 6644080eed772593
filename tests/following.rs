//! Tasks followed to their end through the worker.
