//! The JSON document that `cardscope inspect --json` prints.

use std::time::SystemTime;

use serde::Serialize;

use super::inspected::Inspected;
use super::kept::shown;
use crate::card::Inspection;
use crate::card::facts::{Interface, InterfaceTable};
use crate::card::lint::Finding;
use crate::client::{Fingerprint, RefusedCertificate, Retrieval};

#[derive(Serialize)]
struct Output<'a> {
    address: String,
    verdict: &'a str,
    attempts: Vec<AttemptOutput<'a>>,
    retrieval: Option<RetrievalOutput>,
    /// `null` if nothing came at all.
    shape: Option<&'static str>,
    interfaces: Vec<InterfaceOutput<'a>>,
    capabilities: CapabilitiesOutput,
    signatures: Vec<SignatureOutput<'a>>,
    findings: &'a [Finding],
}

#[derive(Serialize)]
struct AttemptOutput<'a> {
    url: &'a str,
    outcome: &'static str,
    status: Option<u16>,
    note: &'a str,
    /// What the server showed, where that is why no answer came.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CertificateOutput<'a> {
    origin: &'a str,
    sha256: Fingerprint,
    reason: String,
    subject: Option<&'a str>,
    issuer: Option<&'a str>,
    names: &'a [String],
    valid_from: Option<String>,
    valid_until: Option<String>,
}

impl<'a> From<&'a RefusedCertificate> for CertificateOutput<'a> {
    fn from(refused: &'a RefusedCertificate) -> Self {
        let (from, until) = refused.validity.unzip();
        Self {
            origin: &refused.origin,
            sha256: refused.sha256,
            reason: refused.reason(),
            subject: refused.subject.as_deref(),
            issuer: refused.issuer.as_deref(),
            names: &refused.names,
            valid_from: from.and_then(rfc3339),
            valid_until: until.and_then(rfc3339),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RetrievalOutput {
    requested_url: Option<String>,
    final_url: Option<String>,
    status: Option<u16>,
    legacy_path: bool,
    etag: Option<String>,
    cache_control: Option<String>,
    fetched_at: Option<String>,
    sha256: String,
    bytes: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InterfaceOutput<'a> {
    url: &'a str,
    protocol_binding: &'a str,
    protocol_version: Option<&'a str>,
    tenant: Option<&'a str>,
    usable: bool,
    selected: bool,
    notes: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CapabilitiesOutput {
    streaming: Declared,
    push_notifications: Declared,
    extended_agent_card: Declared,
}

#[derive(Serialize)]
struct Declared {
    declared: Option<bool>,
}

#[derive(Serialize)]
struct SignatureOutput<'a> {
    verdict: &'static str,
    dialect: Option<&'static str>,
    kid: Option<&'a str>,
    alg: Option<&'a str>,
    uncovered: [&'static str; 0],
    reason: &'static str,
}

/// Everything that `inspect` found out, as JSON.
pub(super) fn document(inspected: &Inspected) -> serde_json::Result<String> {
    let Inspected { retrieval, inspection } = inspected;
    let inspection = inspection.as_ref();
    let output = Output {
        address: shown(&retrieval.address),
        verdict: &retrieval.verdict,
        attempts: attempts(retrieval),
        retrieval: inspection.and_then(|inspection| of_chosen(retrieval, inspection)),
        shape: inspection.map(|inspection| inspection.shape.label()),
        interfaces: inspection.map(|inspection| interfaces(&inspection.interfaces)).unwrap_or_default(),
        capabilities: CapabilitiesOutput {
            streaming: declared(inspection, "streaming"),
            push_notifications: declared(inspection, "pushNotifications"),
            extended_agent_card: declared(inspection, "extendedAgentCard"),
        },
        signatures: inspection.map(signatures).unwrap_or_default(),
        findings: inspection.map(|inspection| &inspection.findings[..]).unwrap_or_default(),
    };
    serde_json::to_string_pretty(&output)
}

fn attempts(retrieval: &Retrieval) -> Vec<AttemptOutput<'_>> {
    let attempts = retrieval.attempts.iter();
    attempts
        .map(|attempt| AttemptOutput {
            url: &attempt.url,
            outcome: attempt.outcome.label(),
            status: attempt.status,
            note: &attempt.note,
            certificate: attempt
                .exchanges
                .last()
                .and_then(|exchange| exchange.refused_certificate())
                .map(|refused| CertificateOutput::from(&**refused)),
        })
        .collect()
}

fn of_chosen(retrieval: &Retrieval, inspection: &Inspection) -> Option<RetrievalOutput> {
    let attempt = retrieval.attempts.get(retrieval.chosen?)?;
    let origin = &inspection.origin;
    Some(RetrievalOutput {
        requested_url: origin.requested_url.clone(),
        final_url: origin.final_url.clone(),
        status: attempt.status,
        legacy_path: origin.legacy_path,
        etag: origin.etag.clone(),
        cache_control: origin.cache_control.clone(),
        fetched_at: rfc3339(retrieval.fetched_at),
        sha256: inspection.document.sha256().to_owned(),
        bytes: inspection.document.bytes().len(),
    })
}

fn interfaces(table: &InterfaceTable) -> Vec<InterfaceOutput<'_>> {
    let rows = table.rows.iter().enumerate();
    rows.map(|(number, interface)| {
        let assumed_version = interface.dialect.map(crate::a2a::Dialect::label);
        // What was declared stands as it was written; what was assumed is said in the notes.
        InterfaceOutput {
            url: &interface.url,
            protocol_binding: interface.binding_text.as_deref().unwrap_or(interface.binding.name()),
            protocol_version: interface.version_text.as_deref().or(assumed_version),
            tenant: interface.tenant.as_deref(),
            usable: interface.usable(),
            selected: table.chosen == Some(number),
            notes: interface_notes(interface),
        }
    })
    .collect()
}

/// Why it cannot be used, what is wrong with its address, and what was assumed.
pub(super) fn interface_notes(interface: &Interface) -> Vec<&str> {
    let flag = interface.flag.as_ref().map(|flag| flag.text.as_str());
    let notes = interface.notes.iter().map(|note| note.text.as_str());
    interface.unusable.as_deref().into_iter().chain(flag).chain(notes).collect()
}

fn declared(inspection: Option<&Inspection>, name: &str) -> Declared {
    let rows = inspection.map(|inspection| &inspection.capabilities.rows[..]).unwrap_or_default();
    Declared { declared: rows.iter().find(|row| row.name == name).and_then(|row| row.declared) }
}

fn signatures(inspection: &Inspection) -> Vec<SignatureOutput<'_>> {
    let rows = inspection.signatures.rows.iter();
    rows.map(|signature| SignatureOutput {
        verdict: "unverified",
        dialect: None,
        kid: signature.kid.as_deref(),
        alg: signature.alg.as_deref(),
        uncovered: [],
        reason: "checking signatures is not part of this version",
    })
    .collect()
}

fn rfc3339(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(time.round(jiff::Unit::Millisecond).unwrap_or(time).to_string())
}
