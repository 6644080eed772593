//! The inspector's groups, in the order in which a reader asks.

use super::outline::is_explained_first;
use crate::card::facts::{Inspection, Note, Shape};
use crate::ui::quantities::count;

/// A group of the inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    Identity,
    Interfaces,
    Capabilities,
    Skills,
    Access,
    Signatures,
    Other,
    Findings,
    Retrieval,
}

impl Group {
    const ALL: [Self; 9] = [
        Self::Identity,
        Self::Interfaces,
        Self::Capabilities,
        Self::Skills,
        Self::Access,
        Self::Signatures,
        Self::Other,
        Self::Findings,
        Self::Retrieval,
    ];

    /// All groups as they follow each other for a document of this shape.
    pub fn order(shape: Shape) -> [Self; 9] {
        let mut order = Self::ALL;
        if is_explained_first(shape) {
            order.rotate_right(2);
        }
        order
    }

    /// The heading; part of the interface for tests and screen readers.
    pub fn title(self) -> &'static str {
        match self {
            Self::Identity => "Identity",
            Self::Interfaces => "Interfaces",
            Self::Capabilities => "Capabilities",
            Self::Skills => "Skills and formats",
            Self::Access => "Access",
            Self::Signatures => "Signatures",
            Self::Other => "Other fields",
            Self::Findings => "Findings",
            Self::Retrieval => "Retrieval",
        }
    }

    pub fn question(self) -> &'static str {
        match self {
            Self::Identity => "Who is offering the service?",
            Self::Interfaces => "Where and how can I call it?",
            Self::Capabilities => "Which protocol features work?",
            Self::Skills => "What work and formats fit?",
            Self::Access => "How is it protected?",
            Self::Signatures => "Can I check a signed copy?",
            Self::Other => "What else does it say?",
            Self::Findings => "What would mislead a client?",
            Self::Retrieval => "How was this document obtained?",
        }
    }

    /// What stands at the far end of the heading.
    pub fn count(self, inspection: &Inspection) -> String {
        let number = |count: usize| if count == 0 { String::new() } else { count.to_string() };
        match self {
            Self::Interfaces => number(inspection.interfaces.rows.len()),
            Self::Skills if !inspection.skills.rows.is_empty() => count(inspection.skills.rows.len(), "skill"),
            Self::Access if !inspection.access.schemes.is_empty() => count(inspection.access.schemes.len(), "scheme"),
            Self::Signatures => number(inspection.signatures.rows.len()),
            Self::Other => number(inspection.other_fields.len()),
            Self::Findings => number(inspection.findings.len()),
            _ => String::new(),
        }
    }

    /// What stands in a group without rows.
    pub fn nothing(self) -> &'static str {
        match self {
            Self::Identity => "Nothing in this document says who offers it.",
            Self::Interfaces => "No interface is declared.",
            Self::Capabilities => "No capability is declared.",
            Self::Skills => "No skill is declared.",
            Self::Access => "Nothing is said about access.",
            Self::Signatures => "The card is not signed.",
            Self::Other => "Every member of the document is shown above.",
            Self::Findings => "No findings.",
            Self::Retrieval => "Nothing is known about where this document came from.",
        }
    }

    /// Remarks on the whole group.
    pub fn notes(self, inspection: &Inspection) -> &[Note] {
        match self {
            Self::Interfaces => &inspection.interfaces.notes,
            Self::Capabilities => &inspection.capabilities.notes,
            Self::Skills => &inspection.skills.notes,
            Self::Access => &inspection.access.notes,
            Self::Signatures => &inspection.signatures.notes,
            _ => &[],
        }
    }
}
