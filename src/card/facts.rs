//! What a card says, as plain facts for panes and commands to show; filled by [`super::inspection`].
//!
//! Everything here is words and addresses: no colours, no layout. Each fact knows the JSON Pointer of the
//! member it was read from, or that the member is absent.

use std::sync::Arc;

use super::document::Document;
use super::finding::{Finding, Severity};
use super::json_text::JsonText;
use super::pointer::JsonPointer;
use crate::a2a::{Dialect, ProtocolBinding};

/// Where a document came from, as far as its judgement needs it. All `None` for a file or pasted text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The URL that was asked first for this document.
    pub requested_url: Option<String>,
    /// The URL that answered, after redirects; relative and local addresses are judged against it.
    pub final_url: Option<String>,
    /// `Content-Type` as sent.
    pub content_type: Option<String>,
    pub cache_control: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Served at the `agent.json` of before 0.3.
    pub legacy_path: bool,
    /// How the server dealt with a copy that was known before; `None` if there was none, or it just changed.
    pub revalidation: Option<Revalidation>,
}

/// What a server made of the question whether a known copy of its card is still good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revalidation {
    /// It said so with a 304.
    Confirmed,
    /// It was asked by its own ETag, and sent the same bytes once more.
    SentAgain,
    /// Other content came under an ETag that had stood for the earlier one.
    SameTagOtherContent,
    /// It answered 304 although that could not be true: nothing had been asked, or another ETag was named.
    Contradictory,
}

/// Everything derived from one document, computed once and shared.
#[derive(Debug)]
pub struct Inspection {
    pub document: Arc<Document>,
    pub origin: Origin,
    pub shape: Shape,
    /// Why the shape was judged so, in one sentence ("supportedInterfaces beside url and preferredTransport").
    pub shape_reason: String,
    /// The card's name, hidden characters made visible; falls back to the address or "Unnamed card".
    pub title: String,
    /// The agent's own `version`, if it declares one.
    pub agent_version: Option<String>,
    pub identity: Vec<Field>,
    pub interfaces: InterfaceTable,
    pub capabilities: Capabilities,
    pub skills: Skills,
    pub access: Access,
    pub signatures: Signatures,
    /// Top-level members that no version of the specification knows, in the order of the document.
    pub other_fields: Vec<Field>,
    /// Most severe first, then in document order.
    pub findings: Vec<Finding>,
    /// The document laid out for reading; `None` if it is not JSON.
    pub pretty: Option<JsonText>,
    /// The document as received.
    pub received: JsonText,
}

impl Inspection {
    /// How many findings are of `severity`.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// The finding texts that concern `pointer` or something inside it.
    pub fn findings_at<'a>(&'a self, pointer: &'a JsonPointer) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(|finding| pointer.contains(&finding.pointer))
    }
}

/// Which release of the specification a document is shaped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    V1_0,
    V0_3,
    V0_2,
    /// 1.0 and older members side by side.
    Hybrid,
    /// Anything else, JSON or not.
    NotACard,
}

impl Shape {
    /// The word that `cardscope inspect --json` prints.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V0_3 => "0.3",
            Self::V0_2 => "0.2",
            Self::Hybrid => "hybrid",
            Self::NotACard => "notACard",
        }
    }
}

/// How something should strike the eye; always beside a word that says the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Good,
    Caution,
    Bad,
}

/// A remark on a fact: what was assumed, which alias was read, what is odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub tone: Tone,
    pub text: String,
}

impl Note {
    #[must_use]
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self { tone, text: text.into() }
    }
}

/// One line of the inspector: a member, what it says and what it means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// As the wire names it ("iconUrl", "openIdConnectUrl").
    pub name: String,
    /// Where it stands; `None` if the member is absent.
    pub pointer: Option<JsonPointer>,
    pub value: FieldValue,
    /// Muted words behind the value ("the agent's own release, not the protocol's").
    pub aside: String,
    pub notes: Vec<Note>,
    /// What the field means, in one or two sentences; empty for unknown fields.
    pub help: &'static str,
    /// Where the specification defines it ("§4.4.1"); empty for unknown fields.
    pub spec: &'static str,
    pub children: Vec<Field>,
}

/// The value of a [`Field`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldValue {
    /// The member is absent; [`Field::aside`] says what that means.
    #[default]
    Absent,
    /// The member is there and null.
    Null,
    /// A string, unescaped, hidden characters not yet replaced: panes show it through
    /// [`super::visible_text`], and copy it as it is.
    Text(String),
    /// A web address or id: the same, in the monospace face.
    Address(String),
    /// Short words in a row: tags, modes, scopes.
    Words(Vec<String>),
    /// A number or literal, exactly as written.
    Literal(String),
    /// A container or a foreign shape: its JSON, as written.
    Json(String),
    /// Only children.
    Group,
}

/// The group "Interfaces": where and how the agent can be called.
#[derive(Debug, Default)]
pub struct InterfaceTable {
    /// `supportedInterfaces` in declared order, then what older clients read (`url`, `additionalInterfaces`).
    pub rows: Vec<Interface>,
    /// Index into `rows` of the one a client that speaks what Cardscope speaks would choose (§8.3.2).
    pub chosen: Option<usize>,
    /// Why that one, or why none, in one sentence.
    pub chosen_reason: String,
    /// Remarks on the whole table: which half an old and a new client use, what was assumed.
    pub notes: Vec<Note>,
}

/// Which clients read an interface entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// The only list there is.
    All,
    /// An entry of `supportedInterfaces` in a hybrid card.
    NewClients,
    /// `url` or `additionalInterfaces` in a hybrid card.
    OldClients,
}

/// One way to call the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub pointer: JsonPointer,
    /// Where the address itself stands; `None` if it is missing.
    pub url_pointer: Option<JsonPointer>,
    /// Byte for byte as declared; empty if missing.
    pub url: String,
    pub binding: ProtocolBinding,
    /// As declared; `None` if assumed.
    pub binding_text: Option<String>,
    /// As declared; `None` if assumed.
    pub version_text: Option<String>,
    /// What Cardscope would speak to it; `None` if it has no dialect for the version.
    pub dialect: Option<Dialect>,
    /// Exactly as declared; `None` if absent.
    pub tenant: Option<String>,
    pub readers: Readers,
    /// Why this build cannot use the entry at all ("gRPC is not spoken by this build"); `None` if it can.
    pub unusable: Option<String>,
    /// Why its address will hardly work from here; sending to it is asked for first.
    pub flag: Option<AddressFlag>,
    /// What was assumed, aliased or is odd.
    pub notes: Vec<Note>,
    /// Members that the specification does not know.
    pub other_fields: Vec<Field>,
}

impl Interface {
    /// Whether this build can speak to the entry.
    #[must_use]
    pub fn usable(&self) -> bool {
        self.unusable.is_none()
    }
}

/// Why an advertised address will hardly work from here (field reports D10 to D12, D17).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressFlag {
    pub kind: AddressFlagKind,
    /// One sentence for the row.
    pub text: String,
    /// The address that the user may choose instead for this session: the card's own host, or the relative
    /// address resolved against the card's URL. Never used unasked.
    pub suggestion: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFlagKind {
    /// `0.0.0.0`, `[::]`: where the server listens, not where it is reached.
    Wildcard,
    /// A single-label or cluster name that only its own network knows.
    ContainerName,
    /// Loopback or private address in a card from elsewhere.
    PrivateAddress,
    /// `{BASE_URL}`, `${BASE}`, `<host>`, `example` stand-ins not filled in.
    Placeholder,
    Relative,
    /// A website, a repository page, a static file or the card itself.
    WebPage,
    /// Not http or https (mailto:, file:, stdio:).
    NotHttp,
    /// Plain http for a card that came over TLS.
    PlainText,
    /// Missing or no URL at all.
    NotAUrl,
}

/// The group "Capabilities".
#[derive(Debug, Default)]
pub struct Capabilities {
    /// streaming, pushNotifications, extendedAgentCard, and the older stateTransitionHistory where declared.
    pub rows: Vec<Capability>,
    pub extensions: Vec<Extension>,
    /// Other members of `capabilities`, or its items where it is a list.
    pub other_fields: Vec<Field>,
    pub notes: Vec<Note>,
}

impl Capabilities {
    /// The URIs of the extensions without which the agent takes no message.
    pub fn required_extensions(&self) -> impl Iterator<Item = &str> {
        let required = self.extensions.iter().filter(|extension| extension.required && !extension.uri.is_empty());
        required.map(|extension| extension.uri.as_str())
    }
}

/// One protocol feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    pub name: &'static str,
    pub pointer: Option<JsonPointer>,
    /// `None`: not declared, which counts as no.
    pub declared: Option<bool>,
    /// What it allows when yes, which error the specification demands when it is used all the same (§3.3.4).
    pub meaning: String,
    pub notes: Vec<Note>,
    pub help: &'static str,
    pub spec: &'static str,
}

/// A declared protocol extension (§4.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    pub pointer: JsonPointer,
    pub uri: String,
    pub description: Option<String>,
    pub required: bool,
    /// The parameters' JSON, as written.
    pub params: Option<String>,
    pub notes: Vec<Note>,
    pub other_fields: Vec<Field>,
}

/// The group "Skills and formats".
#[derive(Debug, Default)]
pub struct Skills {
    /// defaultInputModes and defaultOutputModes.
    pub default_modes: Vec<Field>,
    pub rows: Vec<Skill>,
    /// Every tag of any skill, once, in order of first use.
    pub tags: Vec<String>,
    pub notes: Vec<Note>,
}

/// One kind of work the agent does (§4.4.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    pub pointer: JsonPointer,
    /// As declared; empty if missing.
    pub id: String,
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    pub examples: Vec<String>,
    /// Effective: its own, or the card's defaults.
    pub input_modes: Modes,
    pub output_modes: Modes,
    /// Its own security requirements, if it declares any.
    pub requirements: Option<Requirements>,
    pub notes: Vec<Note>,
    pub other_fields: Vec<Field>,
}

/// The media types that apply, and whether they are inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    pub types: Vec<String>,
    pub inherited: bool,
}

/// The group "Access".
#[derive(Debug, Default)]
pub struct Access {
    /// The whole requirement in one sentence ("Nothing is required", "Any one of: …").
    pub summary: String,
    pub schemes: Vec<Scheme>,
    pub requirements: Requirements,
    pub notes: Vec<Note>,
}

/// A declared way to prove who one is (§4.5.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    pub pointer: JsonPointer,
    pub name: String,
    pub kind: SchemeKind,
    /// In one sentence: "API key in header X-Key", "HTTP bearer (JWT)".
    pub summary: String,
    pub details: Vec<Field>,
    pub notes: Vec<Note>,
    /// Two variants at once, or a part without which no login is possible.
    pub faulty: bool,
    /// Whether any requirement names it.
    pub required_somewhere: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeKind {
    ApiKey,
    Http,
    OAuth2,
    OpenIdConnect,
    MutualTls,
    /// An explicit "none".
    None,
    Unknown,
}

/// Security requirements: any one of the alternatives, all of the schemes within it (§4.5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    pub pointer: Option<JsonPointer>,
    pub alternatives: Vec<Alternative>,
    pub notes: Vec<Note>,
    /// Which clients find it under the name and in the notation that they know.
    pub found_by: FoundBy,
    /// What `security` says to clients of before 1.0 where it stands beside `securityRequirements`.
    pub beside: Option<Box<Requirements>>,
}

/// Which clients find something where and how their release looks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundBy {
    /// Those of 1.0.
    pub newer: bool,
    /// Those of before 1.0.
    pub older: bool,
}

/// One sufficient set of schemes; an empty one means that anonymous use is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub pointer: JsonPointer,
    pub schemes: Vec<RequiredScheme>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredScheme {
    pub name: String,
    pub scopes: Vec<String>,
    /// Whether `securitySchemes` declares the name.
    pub declared: bool,
}

/// The group "Signatures": listed with their decoded headers; this build does not check them yet.
#[derive(Debug, Default)]
pub struct Signatures {
    pub rows: Vec<Signature>,
    pub notes: Vec<Note>,
}

/// One signature of the card (§8.4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub pointer: JsonPointer,
    pub alg: Option<String>,
    pub kid: Option<String>,
    /// The protected header's members as decoded, or the members of a foreign signature format.
    pub fields: Vec<Field>,
    /// What it is in one sentence ("JWS, ES256, key k1", "Data Integrity proof, not a JWS").
    pub summary: String,
    pub notes: Vec<Note>,
}
