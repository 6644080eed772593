//! Whether a document is an Agent Card at all, and which release of the specification it is shaped by.

use super::foreign;
use super::members::Members;
use super::values::listed;
use crate::a2a::ProtocolVersion;
use crate::card::document::{BodyKind, Document};
use crate::card::facts::Shape;
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// The members of `capabilities` that any release of the specification defines.
pub(super) const KNOWN_CAPABILITIES: [&str; 5] =
    ["streaming", "pushNotifications", "extendedAgentCard", "stateTransitionHistory", "extensions"];

/// The top-level members that any release of the specification defines.
pub(in crate::card) const KNOWN_MEMBERS: [&str; 23] = [
    "name",
    "description",
    "version",
    "provider",
    "documentationUrl",
    "iconUrl",
    "url",
    "supportedInterfaces",
    "preferredTransport",
    "additionalInterfaces",
    "protocolVersion",
    "capabilities",
    "skills",
    "defaultInputModes",
    "defaultOutputModes",
    "securitySchemes",
    "securityRequirements",
    "security",
    "authentication",
    "signatures",
    "supportsAuthenticatedExtendedCard",
    "supportsExtendedAgentCard",
    "extensions",
];

/// Judges the shape of `document`, with the reason in one sentence. Cheap: only the top level is looked at.
///
/// Anything that a client could take for a card is one, however incomplete: it must open. Everything else, JSON or
/// not, is [`Shape::NotACard`], and the reason says what it looks like and what of a card is missing.
#[must_use]
pub fn judge(document: &Document) -> (Shape, String) {
    let Some(root) = document.object() else { return (Shape::NotACard, not_an_object(document)) };
    let evidence = Evidence::of(root);
    let (shape, mut reason) = if evidence.is_card() {
        evidence.shape()
    } else {
        (Shape::NotACard, foreign::describe(root, &evidence.missing()))
    };
    if document.fault().is_some() {
        reason.push_str(" It is not quite JSON: comments or trailing commas were skipped.");
    }
    (shape, reason)
}

/// Whether `node`, inside another document, has enough of a card to be taken for one.
pub(in crate::card) fn is_card_inside(node: Node<'_>) -> bool {
    node.kind() == Kind::Object && Evidence::of(node).is_evident()
}

fn not_an_object(document: &Document) -> String {
    match document.kind() {
        BodyKind::Empty => "The document is empty.".to_owned(),
        BodyKind::WebPage { title: Some(title) } => format!("A web page (\"{title}\"), not a card."),
        BodyKind::WebPage { title: None } => "A web page, not a card.".to_owned(),
        BodyKind::OtherJson(Kind::Array) | BodyKind::AlmostJson => {
            document.tree().map(|tree| foreign::describe_list(tree.root())).unwrap_or_default()
        }
        BodyKind::OtherJson(kind) => format!("JSON, but {}; a card is an object.", kind.with_article()),
        BodyKind::Object | BodyKind::NotJson => foreign::describe_text(document.text()),
    }
}

/// What the top level of an object has of a card.
#[expect(clippy::struct_excessive_bools, reason = "one observation each")]
struct Evidence {
    name: bool,
    version: bool,
    description: bool,
    url: bool,
    preferred_transport: bool,
    additional_interfaces: bool,
    /// `None`: not there, or no list.
    interfaces: Option<usize>,
    protocol_version: Option<String>,
    capabilities: bool,
    /// An object with a member that the specification knows, or an empty one.
    protocol_capabilities: bool,
    /// A member that only 1.0 has.
    new_member: Option<&'static str>,
    skills: bool,
    modes: bool,
    /// A manifest of another protocol that shares name, version and capabilities with a card.
    other_protocol: bool,
    /// No member but such as some release of the specification knows.
    all_known: bool,
}

impl Evidence {
    fn of(root: Node<'_>) -> Self {
        let members = Members::of(root, JsonPointer::root());
        let is = |name: &str, kind: Kind| members.peek(name).is_some_and(|node| node.kind() == kind);
        let is_text =
            |name: &str| members.peek(name).and_then(|node| node.as_str()).is_some_and(|text| !text.is_empty());
        let capabilities = members.peek("capabilities").filter(|node| node.kind().is_container());
        let inside = capabilities.map(|node| Members::of(node, JsonPointer::root()));
        let protocol_capabilities = capabilities.is_some_and(|node| {
            node.kind() == Kind::Object
                && (node.child_count() == 0
                    || inside
                        .as_ref()
                        .is_some_and(|inside| KNOWN_CAPABILITIES.iter().any(|name| inside.peek(name).is_some())))
        });
        let new_capability = inside.is_some_and(|inside| inside.has("extendedAgentCard"));
        let new_member = if members.peek("securityRequirements").is_some() {
            Some("securityRequirements")
        } else {
            new_capability.then_some("capabilities.extendedAgentCard")
        };
        Self {
            name: is_text("name"),
            version: is_text("version"),
            description: is_text("description"),
            url: is_text("url"),
            preferred_transport: is_text("preferredTransport"),
            additional_interfaces: is("additionalInterfaces", Kind::Array),
            interfaces: members
                .peek("supportedInterfaces")
                .filter(|node| node.kind() == Kind::Array)
                .map(|node| node.child_count()),
            protocol_version: members.peek("protocolVersion").and_then(|node| node.as_str()).map(Into::into),
            capabilities: capabilities.is_some(),
            protocol_capabilities,
            new_member,
            skills: is("skills", Kind::Array),
            modes: is("defaultInputModes", Kind::Array) || is("defaultOutputModes", Kind::Array),
            other_protocol: foreign::is_other_protocol(root),
            all_known: members.all_known(&KNOWN_MEMBERS),
        }
    }

    /// Beside the evident ones, a card is what has little, but nothing that is not a card's.
    fn is_card(&self) -> bool {
        let minimal = self.name && (self.url || self.skills) && self.all_known;
        self.is_evident() || minimal
    }

    /// A card declares where to call it in a way only A2A has; or has a `url` and a member that tells it is meant for
    /// A2A; or names itself and says what it can do.
    fn is_evident(&self) -> bool {
        let declares = self.interfaces.is_some_and(|count| count > 0)
            || self.preferred_transport
            || (self.additional_interfaces && self.url)
            || (self.interfaces.is_some() && self.name);
        let addressed = self.url
            && (self.skills
                || self.protocol_capabilities
                || self.modes
                || self.protocol_version.is_some()
                || (self.name && self.version));
        let described = self.name && self.version && (self.capabilities || self.skills) && !self.other_protocol;
        declares || addressed || described
    }

    /// What a reader of any release would look for in vain.
    fn missing(&self) -> Vec<&'static str> {
        [
            (self.name, "name"),
            (self.description, "description"),
            (self.version, "version"),
            (self.url || self.interfaces.is_some(), "supportedInterfaces or url"),
            (self.capabilities, "capabilities"),
            (self.skills, "skills"),
        ]
        .into_iter()
        .filter_map(|(there, name)| (!there).then_some(name))
        .collect()
    }

    fn older_members(&self) -> Vec<&'static str> {
        [
            (self.url, "url"),
            (self.preferred_transport, "preferredTransport"),
            (self.additional_interfaces, "additionalInterfaces"),
        ]
        .into_iter()
        .filter_map(|(there, name)| there.then_some(name))
        .collect()
    }

    fn shape(&self) -> (Shape, String) {
        let older = self.older_members();
        let listed_older = listed(&older, "and");
        match self.interfaces {
            Some(1..) if older.is_empty() => {
                (Shape::V1_0, "Its interfaces are in supportedInterfaces, as in 1.0.".to_owned())
            }
            Some(1..) => (
                Shape::Hybrid,
                format!(
                    "supportedInterfaces, as in 1.0, stands beside {listed_older}, as before: every client reads its own half."
                ),
            ),
            _ if older.is_empty() => self.unaddressed_shape(),
            empty => {
                let (shape, mut reason) = self.older_shape(&listed_older);
                if empty.is_some() {
                    reason.push_str(" supportedInterfaces is there, but empty.");
                }
                (shape, reason)
            }
        }
    }

    /// 0.3 brought preferredTransport; before it there was `url` alone.
    fn older_shape(&self, older: &str) -> (Shape, String) {
        let claimed = self.protocol_version.as_deref();
        let version = claimed.and_then(ProtocolVersion::parse);
        let is_0_3 = self.preferred_transport
            || self.additional_interfaces
            || version.is_some_and(|version| (version.major, version.minor) == (0, 3));
        let shape = if is_0_3 { Shape::V0_3 } else { Shape::V0_2 };
        let label = shape.label();
        let reason = match (claimed, version) {
            (Some(claimed), Some(version)) if version.major >= 1 => {
                format!("It says {claimed}, but its shape is {label}: there is no supportedInterfaces, only {older}.")
            }
            (Some(claimed), None) => {
                format!("\"{claimed}\" is no A2A version; by its members ({older}) its shape is {label}.")
            }
            (Some(claimed), _) => format!("It says {claimed} and declares {older}."),
            (None, _) if is_0_3 => format!("It declares {older}, as in 0.3, and no protocol version."),
            (None, _) => {
                "It declares url without preferredTransport and no protocol version, as before 0.3.".to_owned()
            }
        };
        (shape, reason)
    }

    /// A card that names no address is judged by what else it says.
    fn unaddressed_shape(&self) -> (Shape, String) {
        let version = self.protocol_version.as_deref().and_then(ProtocolVersion::parse);
        let claimed = self.protocol_version.as_deref().unwrap_or_default();
        match (version.map(|version| (version.major, version.minor)), self.new_member) {
            (Some((1.., _)), _) => (Shape::V1_0, format!("It says {claimed}, but names no interface at all.")),
            (Some((0, 3)), _) => (Shape::V0_3, format!("It says {claimed}, but names no address at all.")),
            (None, Some(member)) => {
                (Shape::V1_0, format!("It has {member}, as in 1.0, but names no interface at all."))
            }
            _ if self.interfaces.is_some() => {
                (Shape::V1_0, "supportedInterfaces is there, as in 1.0, but empty.".to_owned())
            }
            _ => (
                Shape::V0_2,
                "It names no address and no protocol version; what it has is read as before 0.3.".to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> (Shape, String) {
        judge(&Document::new(text.to_owned()))
    }

    #[test]
    fn scanty_cards_are_cards() {
        for (text, shape) in [
            (r#"{"name": "A", "url": "https://a.example", "skills": []}"#, Shape::V0_2),
            (r#"{"name": "A", "url": "https://a.example"}"#, Shape::V0_2),
            (r#"{"protocolVersion": "1.0", "url": "https://a.example/rpc", "skills": []}"#, Shape::V0_2),
            (r#"{"url": "https://q.example/mcp", "preferredTransport": "MCP-STREAMABLE-HTTP"}"#, Shape::V0_3),
            (r#"{"supported_interfaces": [{"url": "/api"}], "default_input_modes": []}"#, Shape::V1_0),
            (r#"{"name": "A", "supportedInterfaces": []}"#, Shape::V1_0),
            (r#"{"supportedInterfaces": [], "url": "https://a.example", "protocolVersion": "0.3.0"}"#, Shape::V0_3),
            (r#"{"supportedInterfaces": [{"url": "https://a.example"}], "url": null}"#, Shape::V1_0),
            (r#"{"supportedInterfaces": [{}], "url": "https://a.example"}"#, Shape::Hybrid),
            (r#"{"name": "A", "version": "1", "capabilities": {"extendedAgentCard": true}}"#, Shape::V1_0),
            ("{\"name\": \"A\", # mine\n \"url\": \"https://a.example\"}", Shape::V0_2),
        ] {
            assert_eq!(judged(text).0, shape, "{text}");
        }
    }

    #[test]
    fn what_is_no_card_is_told_apart() {
        for (text, words) in [
            ("{}", "An empty JSON object"),
            ("[]", "An empty JSON list"),
            ("null", "JSON, but null"),
            ("\"card\"", "JSON, but a string"),
            ("", "empty"),
            ("<!doctype html><title>Sign in</title>", "web page (\"Sign in\")"),
            ("../src/card.json", "a path (../src/card.json), 16 bytes"),
            ("{\"name\": ", "begins like JSON"),
            ("Service unavailable", "\"Service unavailable\""),
            (r#"[{"name": "A", "url": "https://a.example", "skills": []}]"#, "one Agent Card"),
            (r#"{"agents": [{"name": "A"}]}"#, "registry"),
            (r#"{"error": "not found"}"#, "an error message (\"not found\")"),
            (r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32600}}"#, "JSON-RPC"),
            (r#"{"card": {"supportedInterfaces": [{}]}}"#, "its member card is shaped like one"),
            (
                r#"{"name": "Zed", "services": [{"name": "A2A", "endpoint": "https://z.example/c.json"}], "registrations": []}"#,
                "its A2A service names https://z.example/c.json",
            ),
            (r#"{"name": "M", "version": "1", "capabilities": {"tools": {}}, "tools": []}"#, "MCP"),
        ] {
            let (shape, reason) = judged(text);
            assert_eq!(shape, Shape::NotACard, "{text}");
            assert!(reason.contains(words), "{text}: {reason}");
        }
    }

    #[test]
    fn a_claim_that_the_shape_denies_is_said() {
        let (shape, reason) =
            judged(r#"{"protocolVersion": "1.0", "url": "https://a.example", "preferredTransport": "JSONRPC"}"#);
        assert_eq!(shape, Shape::V0_3);
        assert!(reason.contains("says 1.0, but its shape is 0.3"), "{reason}");
    }
}
