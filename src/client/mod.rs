//! The network: finding cards and calling agents over one recorded HTTP stack.

pub mod credentials;
pub mod endpoint;
pub mod error;
pub mod exchange;
pub mod network_settings;
pub mod retrieval;

pub use credentials::{Credential, Secret};
pub use endpoint::{Answered, Endpoint};
pub use error::{CallError, CallErrorKind};
pub use exchange::{Exchange, ExchangeEnd, HeaderText, RecordedHeader, RecordedRequest, RecordedResponse};
pub use network_settings::{NetworkSettings, ProxyChoice};
pub use retrieval::{Attempt, AttemptKind, AttemptOutcome, Retrieval};
