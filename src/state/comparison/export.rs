//! A comparison as a file: Markdown for a pull request, JSON, or a JSON Patch.

use serde_json::json;

use super::{Compared, Sameness};
use crate::card::diff::json_patch::JsonPatch;
use crate::card::diff::markdown::markdown;
use crate::card::facts::Inspection;

/// How a comparison can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    Markdown,
    /// What `cardscope diff --json` prints.
    Json,
    /// RFC 6902: applied to the older document it gives the newer.
    JsonPatch,
}

impl Compared {
    /// The comparison in `format`; the sentence says why there is none.
    ///
    /// # Errors
    /// A patch is wanted, and a side is not JSON.
    pub fn export(&self, format: ExportFormat) -> Result<String, &'static str> {
        match format {
            ExportFormat::Markdown => Ok(self.markdown()),
            ExportFormat::Json => Ok(self.json()),
            ExportFormat::JsonPatch => match JsonPatch::between(&self.older.document, &self.newer.document) {
                Some(patch) => Ok(patch.to_json() + "\n"),
                None => Err("A JSON Patch is between two JSON documents, and one of these is not JSON."),
            },
        }
    }

    #[must_use]
    pub fn markdown(&self) -> String {
        markdown(&self.diff, &self.older, &self.newer)
    }

    /// Whether a patch can be made at all.
    #[must_use]
    pub fn has_patch(&self) -> bool {
        self.older.document.tree().is_some() && self.newer.document.tree().is_some()
    }

    /// A name for the file ("quote-agent-2.1.0-to-2.2.0.md").
    #[must_use]
    pub fn export_name(&self, format: ExportFormat) -> String {
        let version =
            |inspection: &Inspection| inspection.agent_version.as_deref().map_or_else(|| "card".to_owned(), slug);
        let name = slug(&self.newer.title);
        let end = match format {
            ExportFormat::Markdown => "md",
            ExportFormat::Json => "json",
            ExportFormat::JsonPatch => "patch.json",
        };
        format!("{name}-{}-to-{}.{end}", version(&self.older), version(&self.newer))
    }

    fn json(&self) -> String {
        let side = |inspection: &Inspection| {
            json!({
                "finalUrl": inspection.origin.final_url,
                "title": inspection.title,
                "version": inspection.agent_version,
                "shape": inspection.shape.label(),
                "sha256": inspection.document.sha256(),
            })
        };
        let value = json!({
            "older": side(&self.older),
            "newer": side(&self.newer),
            "level": self.diff.level_label(),
            "sameMeaning": self.sameness != Sameness::Different,
            "changes": self.diff.changes,
        });
        format!("{value:#}\n")
    }
}

/// Lower-case letters, digits and dots, joined by hyphens; never empty, never long.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-").to_lowercase();
    let short: String = joined.chars().take(48).collect();
    if short.is_empty() { "card".to_owned() } else { short }
}
