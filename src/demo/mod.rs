//! The demo agent: a quote comparison service on the official server SDK, on loopback.
