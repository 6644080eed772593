//! What `cardscope inspect` prints for people.

use super::access::Access;
use super::inspect_json::interface_notes;
use super::output::Style;
use crate::card::Inspection;
use crate::card::address::mask_secrets;
use crate::card::facts::{Capability, Interface, Skill};
use crate::card::lint::{Finding, Severity};
use crate::card::visible_text::visible_text;
use crate::client::{Attempt, RefusedCertificate, Retrieval, TlsRefusal};
use crate::state::trusting::refused_certificate;

/// Why there is no card: the verdict, and every attempt with what came.
pub(super) fn without_card(retrieval: &Retrieval, access: &Access) -> String {
    let origin = access.origin.as_deref();
    let mut text = format!("cardscope: {}", visible_text(&retrieval.verdict));
    for assumption in &retrieval.assumptions {
        text = format!("{text}\n  {}", visible_text(assumption));
    }
    if retrieval.attempts.is_empty() {
        return text;
    }
    let rows = attempt_rows(retrieval);
    let text = format!("{text}\n\nTried:\n{}", table(&rows));
    if let Some(certificate) = refused_certificate(retrieval) {
        return format!("{text}\n\n{}", refused(certificate, origin));
    }
    if let Some(address) = retrieval.https_instead() {
        let address = visible(&mask_secrets(&address));
        return format!(
            "{text}\n\nNo scheme was given, and http was a guess. If the server expects TLS, ask {address}"
        );
    }
    let demands = |attempt: &Attempt| attempt.tls_refusal() == Some(&TlsRefusal::ClientCertificateWanted);
    if access.client_certificate.is_none() && retrieval.attempts.iter().any(demands) {
        return format!("{text}\n\n--client-certificate FILE gives it one: PEM, certificate and private key.");
    }
    text
}

/// A certificate that kept an answer away, and how it is trusted; `origin` is the one that options are about.
pub(super) fn refused(certificate: &RefusedCertificate, origin: Option<&str>) -> String {
    let rows: Vec<Vec<String>> =
        certificate.facts().into_iter().map(|(name, value)| vec![name.to_owned(), visible(&value)]).collect();
    let text = format!("Certificate of {}:\n{}", certificate.origin, table(&rows));
    if origin != Some(certificate.origin.as_str()) {
        return text;
    }
    let sha256 = certificate.sha256;
    format!("{text}\n\nIf this is the certificate that you expect: --trust-certificate {sha256}")
}

/// The card, group by group, in the order of the window.
pub(super) fn card(retrieval: &Retrieval, card: &Inspection, style: Style) -> String {
    let mut sections = vec![heading(card, style)];
    let mut add = |title: &str, body: String| {
        if !body.is_empty() {
            sections.push(format!("{}\n{body}", style.bold(title)));
        }
    };
    let assumptions = retrieval.assumptions.iter().map(|text| format!("  {}\n", visible_text(text)));
    add("Retrieval", format!("{}{}", assumptions.collect::<String>(), table(&attempt_rows(retrieval))));
    add("Interfaces", interfaces(card));
    add("Capabilities", table(&card.capabilities.rows.iter().map(capability_row).collect::<Vec<_>>()));
    add("Skills", table(&card.skills.rows.iter().map(skill_row).collect::<Vec<_>>()));
    if !card.access.summary.is_empty() {
        add("Access", format!("  {}", visible_text(&card.access.summary)));
    }
    add("Signatures", signatures(card));
    add("Findings", findings(card, style));
    sections.join("\n\n")
}

fn heading(card: &Inspection, style: Style) -> String {
    let version =
        card.agent_version.as_deref().map(|version| format!(" {}", visible_text(version))).unwrap_or_default();
    let url = card.origin.final_url.as_deref().or(card.origin.requested_url.as_deref()).unwrap_or("no address");
    format!(
        "{}{version}\nA2A {} card, {} bytes, {}",
        style.bold(&visible_text(&card.title)),
        card.shape.label(),
        card.document.bytes().len(),
        visible_text(url)
    )
}

fn attempt_rows(retrieval: &Retrieval) -> Vec<Vec<String>> {
    let rows = retrieval.attempts.iter();
    rows.map(|attempt| {
        let status = attempt.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
        let (url, what) = (visible(&attempt.url), visible(attempt.note_without_url()));
        // A note that does not begin with the URL is a sentence of its own.
        let colon = if attempt.note_without_url() == attempt.note { ":" } else { "" };
        vec![status, attempt.outcome.label().to_owned(), format!("{url}{colon} {what}")]
    })
    .collect()
}

fn interfaces(card: &Inspection) -> String {
    let mut text = String::new();
    let table_of_rows = table(&card.interfaces.rows.iter().enumerate().map(interface_row).collect::<Vec<_>>());
    for (line, interface) in table_of_rows.lines().zip(&card.interfaces.rows) {
        text = format!("{text}{line}\n");
        for note in interface_notes(interface) {
            text = format!("{text}       {}\n", visible_text(note));
        }
    }
    let chosen = card.interfaces.chosen.map_or_else(String::new, |number| format!("{number}: "));
    format!("{text}  Selected: {chosen}{}", visible_text(&card.interfaces.chosen_reason))
}

fn interface_row((number, interface): (usize, &Interface)) -> Vec<String> {
    let version = interface.version_text.as_deref().or(interface.dialect.map(crate::a2a::Dialect::label));
    let usable = if interface.usable() { "usable" } else { "not usable" };
    vec![
        number.to_string(),
        visible(interface.binding_text.as_deref().unwrap_or(interface.binding.name())),
        visible(version.unwrap_or("-")),
        usable.to_owned(),
        visible(&interface.url),
    ]
}

fn capability_row(capability: &Capability) -> Vec<String> {
    let declared = match capability.declared {
        Some(true) => "yes",
        Some(false) => "no",
        None => "no (not declared)",
    };
    vec![capability.name.to_owned(), declared.to_owned()]
}

fn skill_row(skill: &Skill) -> Vec<String> {
    vec![visible(&skill.id), visible(&skill.name), visible(&skill.tags.join(", "))]
}

fn signatures(card: &Inspection) -> String {
    let rows: Vec<_> = card
        .signatures
        .rows
        .iter()
        .map(|signature| vec![visible(&signature.summary), "not checked by this version".to_owned()])
        .collect();
    table(&rows)
}

fn findings(card: &Inspection, style: Style) -> String {
    if card.findings.is_empty() {
        return "  None.".to_owned();
    }
    let texts: Vec<String> = card.findings.iter().map(|finding| finding_text(finding, style)).collect();
    texts.join("\n")
}

fn finding_text(finding: &Finding, style: Style) -> String {
    let label = format!("{:<8}", finding.severity.label());
    let label = match finding.severity {
        Severity::Error => style.bad(&label),
        Severity::Warning => style.caution(&label),
        Severity::Info | Severity::Hint => style.muted(&label),
    };
    let place = if finding.pointer.is_root() { "the document" } else { finding.pointer.as_str() };
    let spec = if finding.spec.is_empty() { String::new() } else { format!(" ({})", finding.spec) };
    format!("  {label}{} at {}\n          {}{spec}", finding.rule, visible_text(place), visible_text(&finding.message))
}

/// Nothing of a card may steer the terminal, and a row is one line.
fn visible(text: &str) -> String {
    visible_text(text).replace(['\n', '\r', '\t'], " ")
}

/// Rows with their columns aligned, indented by two; the last column may be as wide as it likes.
fn table(rows: &[Vec<String>]) -> String {
    /// A longer cell pushes its own row aside, not all of them.
    const WIDEST: usize = 48;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["200", "card", "https://a.example"], ["-", "unreachable", ""]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect();
        assert_eq!(table(&rows), "  200  card         https://a.example\n  -    unreachable");
        assert_eq!(table(&[]), "");
    }

    #[test]
    fn a_card_cannot_steer_the_terminal() {
        let shown = visible("a\u{1b}[2Jb\nc");
        assert!(!shown.contains(['\u{1b}', '\n']), "{shown}");
    }
}
