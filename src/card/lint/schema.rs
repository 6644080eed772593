//! The members of a card as the specification declares them.
//!
//! One table serves both eras: a member says in which it exists and whether it is required there (a2a.proto,
//! §4.4 and §4.5; 0.3 §5.5).

use std::borrow::Cow;

use super::super::json::{Kind, Node};

/// What a member's value has to be.
#[derive(Debug)]
pub(super) enum Form {
    Text,
    Flag,
    /// An object whose members are declared.
    Object(&'static Schema),
    /// An object whose members are free.
    Record,
    List(&'static Form),
    /// An object of free names, each with a value of this form.
    Map(&'static Form),
    /// Judged by a rule of its own.
    Any,
}

impl Form {
    pub(super) fn fits(&self, kind: Kind) -> bool {
        match self {
            Self::Text => kind == Kind::String,
            Self::Flag => matches!(kind, Kind::True | Kind::False),
            Self::Object(_) | Self::Record | Self::Map(_) => kind == Kind::Object,
            Self::List(_) => kind == Kind::Array,
            Self::Any => true,
        }
    }

    /// The form in a sentence: "a list of strings".
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Flag => "true or false",
            Self::Object(_) | Self::Record | Self::Map(_) => "an object",
            Self::List(Self::Text) => "a list of strings",
            Self::List(Self::Object(_)) => "a list of objects",
            Self::List(_) => "a list",
            Self::Any => "any value",
        }
    }

    /// Lists and maps: what serializers leave out when it is empty.
    pub(super) fn vanishes_when_empty(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }
}

/// The releases that know a member.
#[derive(Clone, Copy, Debug)]
pub(super) enum Era {
    Both,
    /// 1.0 only.
    Newer,
    /// Before 1.0 only.
    Older,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) form: Form,
    pub(super) required: bool,
    pub(super) era: Era,
}

#[derive(Debug)]
pub(super) struct Schema {
    /// As a2a.proto names it.
    pub(super) name: &'static str,
    pub(super) members: &'static [Member],
}

impl Schema {
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.members.iter().position(|member| member.name == name)
    }

    pub(super) fn find_snake_case(&self, name: &str) -> Option<usize> {
        if !name.contains('_') {
            return None;
        }
        self.members.iter().position(|member| is_snake_case_of(name, member.name))
    }
}

const fn required(name: &'static str, form: Form) -> Member {
    Member { name, form, required: true, era: Era::Both }
}

const fn optional(name: &'static str, form: Form) -> Member {
    Member { name, form, required: false, era: Era::Both }
}

impl Member {
    const fn newer(mut self) -> Self {
        self.era = Era::Newer;
        self
    }

    const fn older(mut self) -> Self {
        self.era = Era::Older;
        self
    }
}

const TEXTS: Form = Form::List(&Form::Text);

pub(super) static AGENT_CARD: Schema = Schema {
    name: "AgentCard",
    members: &[
        required("name", Form::Text),
        required("description", Form::Text),
        required("version", Form::Text),
        required("supportedInterfaces", Form::List(&Form::Object(&AGENT_INTERFACE))).newer(),
        required("url", Form::Text).older(),
        required("capabilities", Form::Object(&AGENT_CAPABILITIES)),
        required("defaultInputModes", TEXTS),
        required("defaultOutputModes", TEXTS),
        required("skills", Form::List(&Form::Object(&AGENT_SKILL))),
        optional("provider", Form::Object(&AGENT_PROVIDER)),
        optional("documentationUrl", Form::Text),
        optional("iconUrl", Form::Text),
        optional("securitySchemes", Form::Map(&Form::Object(&SECURITY_SCHEME))),
        optional("securityRequirements", Form::List(&Form::Record)).newer(),
        optional("signatures", Form::List(&Form::Object(&AGENT_CARD_SIGNATURE))),
        optional("protocolVersion", Form::Text).older(),
        optional("preferredTransport", Form::Text).older(),
        optional("additionalInterfaces", Form::List(&Form::Object(&OLDER_INTERFACE))).older(),
        optional("security", Form::List(&Form::Record)).older(),
        optional("supportsAuthenticatedExtendedCard", Form::Flag).older(),
        optional("supportsExtendedAgentCard", Form::Flag).older(),
        optional("authentication", Form::Any).older(),
    ],
};

pub(super) static AGENT_INTERFACE: Schema = Schema {
    name: "AgentInterface",
    members: &[
        required("url", Form::Text),
        required("protocolBinding", Form::Text),
        required("protocolVersion", Form::Text),
        optional("tenant", Form::Text),
        // What 0.3 called the binding: read as an alias, and said by a rule of its own.
        optional("transport", Form::Text).older(),
    ],
};

pub(super) static OLDER_INTERFACE: Schema =
    Schema { name: "AgentInterface", members: &[required("url", Form::Text), required("transport", Form::Text)] };

static AGENT_PROVIDER: Schema =
    Schema { name: "AgentProvider", members: &[required("organization", Form::Text), required("url", Form::Text)] };

static AGENT_CAPABILITIES: Schema = Schema {
    name: "AgentCapabilities",
    members: &[
        optional("streaming", Form::Flag),
        optional("pushNotifications", Form::Flag),
        optional("extendedAgentCard", Form::Flag).newer(),
        optional("stateTransitionHistory", Form::Flag).older(),
        optional("extensions", Form::List(&Form::Object(&AGENT_EXTENSION))),
    ],
};

static AGENT_EXTENSION: Schema = Schema {
    name: "AgentExtension",
    members: &[
        required("uri", Form::Text),
        optional("description", Form::Text),
        optional("required", Form::Flag),
        optional("params", Form::Record),
    ],
};

static AGENT_SKILL: Schema = Schema {
    name: "AgentSkill",
    members: &[
        required("id", Form::Text),
        required("name", Form::Text),
        required("description", Form::Text),
        required("tags", TEXTS),
        optional("examples", TEXTS),
        optional("inputModes", TEXTS),
        optional("outputModes", TEXTS),
        optional("securityRequirements", Form::List(&Form::Record)).newer(),
        optional("security", Form::List(&Form::Record)).older(),
    ],
};

static AGENT_CARD_SIGNATURE: Schema = Schema {
    name: "AgentCardSignature",
    members: &[
        // Missing ones are judged with the signature's format in mind.
        optional("protected", Form::Text),
        optional("signature", Form::Text),
        optional("header", Form::Record),
    ],
};

/// Both notations side by side, and the short names that one SDK's compatible output adds.
static SECURITY_SCHEME: Schema = Schema {
    name: "SecurityScheme",
    members: &[
        optional("apiKeySecurityScheme", Form::Object(&API_KEY)).newer(),
        optional("httpAuthSecurityScheme", Form::Object(&HTTP_AUTH)).newer(),
        optional("oauth2SecurityScheme", Form::Object(&OAUTH2)).newer(),
        optional("openIdConnectSecurityScheme", Form::Object(&OPEN_ID_CONNECT)).newer(),
        optional("mtlsSecurityScheme", Form::Object(&MUTUAL_TLS)).newer(),
        optional("type", Form::Text).older(),
        optional("description", Form::Text).older(),
        optional("in", Form::Text).older(),
        optional("name", Form::Text).older(),
        optional("scheme", Form::Text).older(),
        optional("bearerFormat", Form::Text).older(),
        optional("flows", Form::Object(&OAUTH_FLOWS)).older(),
        optional("oauth2MetadataUrl", Form::Text).older(),
        optional("openIdConnectUrl", Form::Text).older(),
        optional("apiKey", Form::Any),
        optional("http", Form::Any),
        optional("oauth2", Form::Any),
        optional("openIdConnect", Form::Any),
        optional("mutualTLS", Form::Any),
    ],
};

static API_KEY: Schema = Schema {
    name: "APIKeySecurityScheme",
    members: &[
        optional("description", Form::Text),
        optional("location", Form::Text),
        // Flat members inside the wrapper are a common mistake, which the rule on API keys names.
        optional("in", Form::Text).older(),
        optional("name", Form::Text),
    ],
};

static HTTP_AUTH: Schema = Schema {
    name: "HTTPAuthSecurityScheme",
    members: &[
        optional("description", Form::Text),
        optional("scheme", Form::Text),
        optional("bearerFormat", Form::Text),
    ],
};

static OAUTH2: Schema = Schema {
    name: "OAuth2SecurityScheme",
    members: &[
        optional("description", Form::Text),
        optional("flows", Form::Object(&OAUTH_FLOWS)),
        optional("oauth2MetadataUrl", Form::Text),
    ],
};

static OPEN_ID_CONNECT: Schema = Schema {
    name: "OpenIdConnectSecurityScheme",
    members: &[optional("description", Form::Text), optional("openIdConnectUrl", Form::Text)],
};

static MUTUAL_TLS: Schema = Schema { name: "MutualTlsSecurityScheme", members: &[optional("description", Form::Text)] };

static OAUTH_FLOWS: Schema = Schema {
    name: "OAuthFlows",
    members: &[
        optional("authorizationCode", Form::Object(&OAUTH_FLOW)),
        optional("clientCredentials", Form::Object(&OAUTH_FLOW)),
        optional("implicit", Form::Object(&OAUTH_FLOW)),
        optional("password", Form::Object(&OAUTH_FLOW)),
        optional("deviceCode", Form::Object(&OAUTH_FLOW)).newer(),
    ],
};

/// The members of all flows; which of them a flow needs is judged by the rule on flows.
static OAUTH_FLOW: Schema = Schema {
    name: "OAuthFlow",
    members: &[
        optional("authorizationUrl", Form::Text),
        optional("deviceAuthorizationUrl", Form::Text),
        optional("tokenUrl", Form::Text),
        optional("refreshUrl", Form::Text),
        optional("scopes", Form::Map(&Form::Text)),
        optional("pkceRequired", Form::Flag),
    ],
};

/// Whether `written` is the camelCase `name` in snake_case: `protocol_version` for `protocolVersion`.
pub(super) fn is_snake_case_of(written: &str, name: &str) -> bool {
    let mut rest = written.bytes();
    let mut differs = false;
    for byte in name.bytes() {
        if byte.is_ascii_uppercase() {
            if rest.next() != Some(b'_') {
                return false;
            }
            differs = true;
        }
        if rest.next() != Some(byte.to_ascii_lowercase()) {
            return false;
        }
    }
    differs && rest.next().is_none()
}

/// The member called `name`, or its snake_case alias; a null counts as absent.
pub(super) fn field<'a>(object: Node<'a>, name: &str) -> Option<Node<'a>> {
    let mut found = None;
    for (key, child) in object.members() {
        if key == name || (found.is_none() && is_snake_case_of(&key, name)) {
            found = Some(child);
        }
    }
    found.filter(|node| !node.is_null())
}

/// The text of the string member called `name`, or of its alias.
pub(super) fn text_field<'a>(object: Node<'a>, name: &str) -> Option<Cow<'a, str>> {
    field(object, name)?.as_str()
}
