//! The ways in which cards in the wild depart from the specification: each opens, and what is odd is said.

use super::said::{pasted, said};

/// A card, and pieces of what must be said about it.
type Case = (&'static str, &'static [&'static str]);

const SHAPES: &[Case] = &[
    (
        r#"{"type": "https://eips.ethereum.org/EIPS/eip-8004#registration-v1", "name": "Zed",
            "services": [{"name": "A2A", "endpoint": "https://z.example/.well-known/agent-card.json"}], "registrations": []}"#,
        &["ERC-8004 registration; its A2A service names https://z.example/.well-known/agent-card.json", "absent"],
    ),
    (
        r#"{"schema_version": "1.0", "name": "Shop", "intents": ["buy"], "openapi": "/openapi.json"}"#,
        &["Not an Agent Card", "supportedInterfaces or url, capabilities and skills are absent"],
    ),
    (
        r#"{"name": "Q", "url": "https://q.example/mcp", "preferredTransport": "MCP-STREAMABLE-HTTP", "skills": []}"#,
        &["belongs to MCP", "this build speaks JSONRPC and HTTP+JSON", "an MCP server may be there"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "skills": []}"#,
        &["No protocol version is declared; treated as 0.3.", "preferredTransport is absent; JSONRPC is assumed."],
    ),
    (
        r#"{"name": "A", "protocolVersion": "1.0", "url": "https://a.example/rpc", "preferredTransport": "JSONRPC"}"#,
        &["says 1.0, but its shape is 0.3", "spoken to as 0.3"],
    ),
    (
        r#"{"name": "A", "protocolVersion": "0.2.9", "url": "https://a.example", "preferredTransport": "JSONRPC"}"#,
        &["It says 0.2.9", "The patch part of 0.2.9 is ignored"],
    ),
    (
        r#"{"name": "A", "protocolVersion": "example", "url": "https://a.example", "preferredTransport": "JSONRPC"}"#,
        &["\"example\" is no protocol version; by its shape treated as 0.3."],
    ),
    (
        r#"{"name": "A", "supportedInterfaces":
            [{"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.2"}]}"#,
        &["A2A 1.2 is not spoken by this build", "The card offers JSONRPC 1.2"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "supportedInterfaces":
            [{"url": "https://a.example/a2a/", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}]}"#,
        &[
            "The halves differ: new clients call https://a.example/a2a/ (HTTP+JSON), old ones https://a.example (JSONRPC).",
        ],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "preferredTransport": "JSONRPC", "protocolVersion": "0.3",
            "security": [{"b": []}], "securityRequirements": [{"schemes": {"b": {"list": []}}}],
            "securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "Bearer"}, "type": "http", "scheme": "Bearer"}},
            "supportedInterfaces": [{"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
                                    {"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}]}"#,
        &["it serves 0.3 and 1.0", "security says the same", "Given in both notations", "Required: b."],
    ),
    (
        "{ \"name\": \"A\", # demo\n \"url\": \"https://a.example\", /* more */ }",
        &["not quite JSON: comments or trailing commas were skipped"],
    ),
    ("../src/card.json", &["The body is a path (../src/card.json), 16 bytes"]),
];

const ACCESS: &[Case] = &[
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes":
            {"k": {"type": "apiKey", "in": "header", "name": "X-K", "apiKey": {"location": "header", "name": "X-K"}}}}"#,
        &["API key in header X-K", "as the Go SDK writes it", "Given in both notations"],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes": {"b": {"type": "http", "scheme": "bearer"}}}"#,
        &["HTTP bearer", "In the notation of 0.3; clients of 1.0 do not read it.", "Declared, but required nowhere."],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "x"}}},
            "securityRequirements": [{"b": []}]}"#,
        &["Required: b.", "notation of before 1.0"],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes": {"g": {"mtlsSecurityScheme": {}}},
            "securityRequirements": [{"schemes": {"g": ["openid"]}}]}"#,
        &["Required: g (openid).", "as the Go SDK writes them"],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes": {"b": {"mtlsSecurityScheme": {}}},
            "securityRequirements": [{"schemes": {"b": {}}}]}"#,
        &["Required: b."],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "authentication": {"schemes": ["Bearer"], "credentials": null}}"#,
        &["a member of before 0.2", "HTTP bearer", "Required: Bearer."],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "authentication": ["bearer", "oauth2"]}"#,
        &["Any one of: bearer; oauth2."],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "authentication": "none"}"#,
        &["No authentication", "anonymous use is allowed"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "authentication": {"schemes": ["none"]}}"#,
        &["No authentication", "anonymous use is allowed"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "securitySchemes": {"none": {"type": "none"}}}"#,
        &["No authentication"],
    ),
    (r#"{"name": "A", "url": "https://a.example", "security": [{}]}"#, &["anonymous use is allowed"]),
    (r#"{"name": "A", "url": "https://a.example", "security": []}"#, &["An empty list: nothing is required."]),
    (r#"{"name": "A", "url": "https://a.example", "security": {}}"#, &["an empty object, where a list belongs"]),
    (
        r#"{"name": "A", "url": "https://a.example", "securitySchemes": {"p": {"type": "http", "scheme": "basic"}}}"#,
        &["Schemes are declared, but none is required.", "Declared, but required nowhere."],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "securitySchemes": {"p": {"type": "http", "scheme": "basic"}},
            "security": [{"q": []}]}"#,
        &["q is not declared in securitySchemes, which declares p."],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "securitySchemes":
            {"x": {"type": "x402"}, "h": {"type": "httpAuth", "scheme": "Bearer"}, "e": {"type": "Ed25519"},
             "n": {"in": "header", "name": "X", "scheme": "apiKey"}}}"#,
        &[
            "Unknown kind \"x402\"",
            "About payment",
            "\"httpAuth\" is none of A2A's types; read as HTTP authentication.",
            "Unknown kind \"Ed25519\"",
            "No type is given; by its members it is an API key.",
        ],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "security": [{"door": []}]}"#,
        &["clients of 1.0 look for securityRequirements and will not see it"],
    ),
];

const CONTENT: &[Case] = &[
    (
        r#"{"name": "A", "url": "https://a.example", "capabilities": ["search", "quote"]}"#,
        &["capabilities is a list of 2", "list of 2", "streaming None: absent counts as false"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "capabilities": {"streaming": true, "push_notifications": false, "tools": true}}"#,
        &[
            "streaming Some(true): message/stream",
            "Written as push_notifications",
            "pushNotifications Some(false)",
            "tools: ",
        ],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{}], "capabilities": {"stateTransitionHistory": true}}"#,
        &["Removed in 1.0"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "skills": ["refunds", "quotes"]}"#,
        &["plain strings, where A2A defines objects"],
    ),
    (r#"{"name": "A", "url": "https://a.example", "version": "1"}"#, &["No skills are declared"]),
    (
        r#"{"name": "A", "url": "https://a.example", "skills": [{"name": "sum", "description": "…"}]}"#,
        &["id is missing.", "tags is missing."],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "skills":
            [{"id": "q", "name": "Q", "endpoint": "https://a.example/v1/q", "method": "GET", "price_usd": 0.01}]}"#,
        &["endpoint: ", "Cardscope does not call it", "price_usd: "],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "skills": [], "defaultInputModes": ["text", "audio"]}"#,
        &[
            "\"text\" (probably text/plain) and \"audio\" (probably audio/*) are no media types.",
            "defaultOutputModes: not declared",
        ],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{"url": "https://a.example/llms.txt", "transport": "https"}]}"#,
        &[
            "Read from transport, another name for protocolBinding.",
            "protocolVersion is missing; 1.0 is assumed",
            "llms.txt looks like a file",
        ],
    ),
    (
        r#"{"name": "A", "supported_interfaces": [{"url": "/api", "protocol_binding": "HTTP+JSON", "protocol_version": "1.0"}],
            "default_input_modes": ["text/plain"]}"#,
        &["Written as supported_interfaces", "Written as default_input_modes", "A relative address"],
    ),
    (
        r#"{"name": "A", "supportedInterfaces": [{"url": "https://a.example", "protocolBinding": "json-rpc", "protocolVersion": "1.0"},
            {"url": "https://a.example", "protocolBinding": "https://a.example/my-binding/v1", "protocolVersion": "1.0"}]}"#,
        &["Written json-rpc; the specification's name is JSONRPC.", "A custom binding, named by a URI"],
    ),
    (r#"{"name": "A", "url": "https://github.com/zz/tool"}"#, &["no agent answers there"]),
    (r#"{"name": "A", "url": "{BASE_URL}/mcp"}"#, &["{BASE_URL} was never filled in"]),
    (r#"{"name": "A", "url": "http://billing-agent:8044"}"#, &["a name that only its own network knows"]),
    (r#"{"name": "A", "url": "mailto:bot@a.example"}"#, &["mailto: is no web address"]),
    (r#"{"name": "A", "url": "", "skills": []}"#, &["No address is given."]),
    (
        r#"{"name": "A", "supportedInterfaces": [{"url": "h:50051", "protocolBinding": "GRPC", "protocolVersion": "1.0"}]}"#,
        &["gRPC is not spoken by this build."],
    ),
    (r#"{"name": "A", "url": "https://a.example/mcp/9f86d081884c7d659a2feaa0c55ad015"}"#, &["may be a secret"]),
    (
        r#"{"name": "A", "url": "https://a.example", "signatures":
            [{"type": "Ed25519Signature2020", "did": "did:web:a.example", "proofValue": "zABC"}]}"#,
        &["Data Integrity proof (Ed25519Signature2020), not a JWS", "That does not make it wrong."],
    ),
    (
        // {"alg":"ES256","kid":"k1","typ":"JOSE"}
        r#"{"name": "A", "url": "https://a.example", "signatures":
            [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}"#,
        &[
            "JWS, ES256, key k1",
            "does not say where the key is",
            "has 3 bytes; ES256 gives 64",
            "listed here, not checked",
        ],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "extensions": {"x402": {"network": "n"}}}"#,
        &["In the wrong place", "filed under the name x402"],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "capabilities": {"extensions": ["a.example/ext", {"uri": "urn:x", "required": true}]}}"#,
        &["this is a string", "no complete URI", "answered with -32008"],
    ),
    (
        r#"{"name": null, "url": "https://a.example", "version": null, "skills": [],
            "provider": {"name": "Z", "email": "z@a.example"}}"#,
        &["null counts as absent.", "Read from name, another name for organization.", "email: "],
    ),
    (
        r#"{"name": "A", "url": "https://a.example", "": "nobody", "$schema": "https://a.example/s.json", "x402": {}}"#,
        &["A member whose name is empty.", "does not fetch it", "Cardscope never pays"],
    ),
];

#[test]
fn every_deviation_opens_and_is_explained() {
    for (text, phrases) in [SHAPES, ACCESS, CONTENT].into_iter().flatten() {
        let said = said(&pasted(text));
        for phrase in *phrases {
            assert!(said.contains(phrase), "{text}\nlacks: {phrase}\nsays:\n{said}");
        }
    }
}
