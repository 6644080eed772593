//! How an interface is named: its binding, its protocol version, and the dialect that Cardscope speaks to it.

/// `AgentInterface.protocol_binding` (§4.4.6, §5.8): an open string with three core names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProtocolBinding {
    JsonRpc,
    HttpJson,
    Grpc,
    /// A custom binding, kept as written.
    Other(String),
}

impl ProtocolBinding {
    /// Reads a binding name. Case and the separators `_`, `-`, `+`, `/` and space do not matter for the core
    /// names, and `REST` is read as HTTP+JSON; everything else stays verbatim.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let folded: String = text
            .chars()
            .filter(|c| !matches!(c, '_' | '-' | '+' | '/' | ' '))
            .map(|c| c.to_ascii_lowercase())
            .collect();
        match folded.as_str() {
            "jsonrpc" | "jsonrpc2.0" => Self::JsonRpc,
            "httpjson" | "rest" | "httpjsonrest" => Self::HttpJson,
            "grpc" => Self::Grpc,
            _ => Self::Other(text.to_owned()),
        }
    }

    /// The canonical spelling, or the custom name as written.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::JsonRpc => "JSONRPC",
            Self::HttpJson => "HTTP+JSON",
            Self::Grpc => "GRPC",
            Self::Other(text) => text,
        }
    }
}

/// A protocol version as compared by §3.6: Major.Minor; a patch part is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProtocolVersion {
    pub major: u16,
    pub minor: u16,
}

impl ProtocolVersion {
    /// Reads `1.0`, `1.0.1`, `1`, ` 1.0 `, `v1.0`; `None` for anything that is not a version number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let mut parts = text.split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next().map_or(Some(0), |minor| minor.parse().ok())?;
        // The patch part is ignored (§3.6), but it has to be one.
        let rest_is_numeric = parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        rest_is_numeric.then_some(Self { major, minor })
    }

    /// The dialect that speaks this version, if this build has one.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect> {
        match (self.major, self.minor) {
            (1, 0) => Some(Dialect::V1_0),
            (0, 1..=3) => Some(Dialect::V0_3),
            _ => None,
        }
    }
}

impl std::fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A form of the protocol on the wire that this build can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// A2A 0.2 and 0.3: `message/send`, `kind` members, lower-case states.
    V0_3,
    /// A2A 1.0: `SendMessage`, wrapped results, `TASK_STATE_*`.
    V1_0,
}

impl Dialect {
    /// The version as written in a card and on the screen.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::V0_3 => "0.3",
            Self::V1_0 => "1.0",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_bindings_are_read_in_every_spelling() {
        for text in ["JSONRPC", "jsonrpc", "JSON-RPC", "json_rpc", "JsonRpc"] {
            assert_eq!(ProtocolBinding::parse(text), ProtocolBinding::JsonRpc, "{text}");
        }
        for text in ["HTTP+JSON", "http_json", "HTTP/JSON", "http json", "REST", "HTTP+JSON/REST"] {
            assert_eq!(ProtocolBinding::parse(text), ProtocolBinding::HttpJson, "{text}");
        }
        assert_eq!(ProtocolBinding::parse("grpc"), ProtocolBinding::Grpc);
        for text in ["SLIMRPC", "https://a.example/my-binding/v1", "http", "", "MCP-STREAMABLE-HTTP"] {
            assert_eq!(ProtocolBinding::parse(text), ProtocolBinding::Other(text.to_owned()));
        }
    }

    #[test]
    fn versions_compare_by_major_and_minor_only() {
        let one = ProtocolVersion { major: 1, minor: 0 };
        for text in ["1.0", "1.0.1", "1", " 1.0 ", "v1.0", "1.0.0"] {
            assert_eq!(ProtocolVersion::parse(text), Some(one), "{text}");
        }
        for text in ["", "banana", "1.x", "1.0.", "-1", "example", "1.0.0-rc"] {
            assert_eq!(ProtocolVersion::parse(text), None, "{text}");
        }
        assert_eq!(ProtocolVersion::parse("0.2.9").and_then(ProtocolVersion::dialect), Some(Dialect::V0_3));
        assert_eq!(ProtocolVersion::parse("1.2").and_then(ProtocolVersion::dialect), None);
        // An MCP date is a number, but no version of A2A.
        assert_eq!(ProtocolVersion::parse("2025-06-18"), None);
    }
}
