//! An error that the agent reported (§3.3.2, §5.4): its number, the name the specification gives it, its own words.

use super::message::RawJson;

/// What the agent said went wrong, in any binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentError {
    /// The JSON-RPC number, or the HTTP status in a google.rpc error of HTTP+JSON.
    pub code: Option<i64>,
    /// `ErrorInfo.reason` or the google.rpc status word, as sent.
    pub reason: Option<String>,
    /// In the server's own words; may be empty.
    pub message: String,
    /// `data` or `details`, as it stood on the wire.
    pub data: Option<RawJson>,
}

impl AgentError {
    /// The name that the specification gives to the code, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.code.and_then(error_name)
    }
}

/// The name of a JSON-RPC error code in JSON-RPC 2.0 (§9.5) and A2A (§5.4).
#[must_use]
pub fn error_name(code: i64) -> Option<&'static str> {
    Some(match code {
        -32700 => "JSONParseError",
        -32600 => "InvalidRequestError",
        -32601 => "MethodNotFoundError",
        -32602 => "InvalidParamsError",
        -32603 => "InternalError",
        -32001 => "TaskNotFoundError",
        -32002 => "TaskNotCancelableError",
        -32003 => "PushNotificationNotSupportedError",
        -32004 => "UnsupportedOperationError",
        -32005 => "ContentTypeNotSupportedError",
        -32006 => "InvalidAgentResponseError",
        -32007 => "ExtendedAgentCardNotConfiguredError",
        -32008 => "ExtensionSupportRequiredError",
        -32009 => "VersionNotSupportedError",
        _ => return None,
    })
}
