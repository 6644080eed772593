//! One change between two cards: which rule names it, how much it matters, to whom, and where it stands.

use std::borrow::Cow;

use crate::card::pointer::JsonPointer;
use crate::card::visible_text::visible_text;

/// How much a change matters to those who use the agent; the milder first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A remark on the comparison or on how the card is kept, not a change to anybody.
    Notice,
    /// Only what people and other agents read.
    Docs,
    /// What worked goes on working.
    Compatible,
    /// What worked may stop working, or deserves a second look before it is trusted.
    Risky,
    /// A client that followed the older card fails with the newer.
    Breaking,
}

impl Level {
    /// The word that `cardscope diff --json` prints.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Docs => "docs",
            Self::Compatible => "compatible",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}

/// The part of a card that a change belongs to, in the order and with the names of the inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum Group {
    /// The document as a whole.
    Document,
    Identity,
    Interfaces,
    Capabilities,
    #[serde(rename = "Skills and formats")]
    Skills,
    Access,
    Signatures,
    #[serde(rename = "Other fields")]
    OtherFields,
}

impl Group {
    /// The name on the screen.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Document => "Document",
            Self::Identity => "Identity",
            Self::Interfaces => "Interfaces",
            Self::Capabilities => "Capabilities",
            Self::Skills => "Skills and formats",
            Self::Access => "Access",
            Self::Signatures => "Signatures",
            Self::OtherFields => "Other fields",
        }
    }
}

/// One difference in meaning.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The rule's stable name, lower-case words joined by hyphens ("skill-removed").
    pub rule: &'static str,
    pub level: Level,
    pub group: Group,
    /// The member concerned in the older document; `None` if it has nothing of the kind.
    pub older_pointer: Option<JsonPointer>,
    /// The same in the newer document.
    pub newer_pointer: Option<JsonPointer>,
    /// One sentence: what changed, who is affected and how.
    pub message: String,
    /// The value before, as text; `None` if there was none.
    pub older: Option<String>,
    /// The value after, as text; `None` if there is none.
    pub newer: Option<String>,
    /// Whether it deserves a look with suspicion: text that other agents obey, or where secrets are sent, changed.
    pub trust: bool,
}

/// What names and weighs one kind of change.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable: lower-case words joined by hyphens.
    pub name: &'static str,
    /// The usual level; where a rule judges by circumstances, its `why` says so.
    pub level: Level,
    pub group: Group,
    pub trust: bool,
    /// Why it has this level, in a sentence or two.
    pub why: &'static str,
}

impl Rule {
    pub(super) const fn new(name: &'static str, level: Level, group: Group, why: &'static str) -> Self {
        Self { name, level, group, trust: false, why }
    }

    /// The same rule with the trust mark.
    pub(super) const fn trust(self) -> Self {
        Self { trust: true, ..self }
    }
}

/// The two sides of a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    pub older_pointer: Option<JsonPointer>,
    pub newer_pointer: Option<JsonPointer>,
    pub older: Option<String>,
    pub newer: Option<String>,
}

impl Sides {
    pub(super) fn at(older: Option<&JsonPointer>, newer: Option<&JsonPointer>) -> Self {
        Self { older_pointer: older.cloned(), newer_pointer: newer.cloned(), ..Self::default() }
    }

    pub(super) fn values(self, older: Option<impl Into<String>>, newer: Option<impl Into<String>>) -> Self {
        Self { older: older.map(Into::into), newer: newer.map(Into::into), ..self }
    }
}

/// The changes found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub changes: Vec<Change>,
}

impl Report {
    pub(super) fn add(&mut self, rule: &Rule, sides: Sides, message: String) {
        self.add_as(rule, rule.level, sides, message);
    }

    /// Adds a change that circumstances make milder or graver than usual.
    pub(super) fn add_as(&mut self, rule: &Rule, level: Level, sides: Sides, message: String) {
        let Sides { older_pointer, newer_pointer, older, newer } = sides;
        let (rule, group, trust) = (rule.name, rule.group, rule.trust);
        let message = match visible_text(&message) {
            Cow::Borrowed(_) => message,
            Cow::Owned(visible) => visible,
        };
        self.changes.push(Change { rule, level, group, older_pointer, newer_pointer, message, older, newer, trust });
    }
}
