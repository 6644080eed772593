//! The centre when an address gave no card: what came instead, attempt by attempt, and what to do next.

use std::sync::Arc;

use egui::{RichText, ScrollArea, Ui};

use super::attempts::attempts_ui;
use super::dialogs::Dialog;
use super::theme::{self, GRID, MARGIN, palette};
use super::widgets::buttons::primary_button;
use super::widgets::facts::facts_ui;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::heading::heading_ui;
use super::widgets::json_view::{JsonSource, JsonView};
use super::widgets::text;
use crate::card::Document;
use crate::card::address::mask_secrets;
use crate::card::catalog::{CatalogKind, recognise};
use crate::card::facts::Inspection;
use crate::client::{AttemptOutcome, CertificateProblem, TlsRefusal};
use crate::state::trusting::{TRUST_LABEL, ask_to_trust, refused_certificate};
use crate::state::{Action, AgentEntry, CatalogAction, EntryId, State};

const EVIDENCE_HEIGHT: f32 = 380.0;

/// Which document without a card's shape the user wants to inspect all the same.
#[derive(Debug, Default)]
pub struct VerdictPane {
    inspect_anyway: Option<EntryId>,
    evidence: JsonView,
    /// The document judged last, and which kind of catalog it is.
    recognised: Option<(Arc<Document>, Option<CatalogKind>)>,
}

impl VerdictPane {
    /// Whether the entry is shown by its verdict instead of by the inspector.
    #[must_use]
    pub fn is_for(&self, entry: &AgentEntry) -> bool {
        !entry.retrieval.found_card && (entry.inspection.is_none() || self.inspect_anyway != Some(entry.id))
    }

    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        let frame = egui::Frame::new().inner_margin(egui::Margin::symmetric(MARGIN as i8, 12));
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            frame.show(ui, |ui| {
                let verdict = shown_in_body(ui, &entry.retrieval.verdict);
                ui.label(RichText::new(verdict).font(theme::title()).color(palette(ui).text));
                for assumption in &entry.retrieval.assumptions {
                    ui.label(text::faint(ui, assumption));
                }
                self.next_steps_ui(ui, state, entry, actions, dialog);
                if let Some(certificate) = refused_certificate(&entry.retrieval) {
                    heading_ui(ui, "Certificate", &format!("Shown by {}", certificate.origin));
                    facts_ui(ui, &certificate.facts());
                }
                heading_ui(ui, "Attempts", "Every address that was asked, in order");
                attempts_ui(ui, &entry.retrieval.attempts, entry.shown_attempt, actions);
                if let Some(inspection) = &entry.inspection {
                    self.evidence_ui(ui, state, inspection, actions);
                }
            });
        });
    }

    fn next_steps_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        actions: &mut Vec<Action>,
        dialog: &mut Option<Dialog>,
    ) {
        let catalog = entry.inspection.as_ref().and_then(|inspection| self.catalog_kind(&inspection.document));
        let advice = advice(entry, catalog);
        ui.add_space(2.0 * GRID);
        ui.label(text::muted(ui, advice.words));
        ui.add_space(2.0 * GRID);
        ui.horizontal_wrapped(|ui| {
            if catalog.is_some() && primary_button(ui, "Open as catalog", true).clicked() {
                actions.push(Action::Catalog(CatalogAction::OpenShownDocument));
            }
            if advice.credential {
                if primary_button(ui, "Set a credential…", true).clicked() {
                    *dialog = Some(Dialog::credential(state, &entry.address));
                }
                if ui.button("Fetch again").clicked() {
                    actions.push(Action::RefreshCard);
                }
            } else {
                let free = state.discovery.pending.is_none();
                let again = if catalog.is_some() {
                    ui.add_enabled(free, egui::Button::new("Fetch again"))
                } else {
                    primary_button(ui, "Fetch again", free)
                };
                if again.clicked() {
                    actions.push(Action::RefreshCard);
                }
            }
            if let Some(address) = entry.retrieval.https_instead()
                && ui.button(format!("Try {}", shown_in_body(ui, &mask_secrets(&address)))).clicked()
            {
                actions.push(Action::FetchCard { address });
            }
            if let Some(certificate) = refused_certificate(&entry.retrieval)
                && ui.button(TRUST_LABEL).clicked()
            {
                actions.push(ask_to_trust(certificate, Some(Action::RefreshCard)));
            }
            if advice.settings && ui.button("Network settings…").clicked() {
                *dialog = Some(Dialog::settings(state));
            }
            if entry.inspection.is_some() && ui.button("Inspect what came").clicked() {
                self.inspect_anyway = Some(entry.id);
            }
            if advice.connect && ui.button("Connect without a card…").clicked() {
                *dialog = Some(Dialog::connect(&entry.address));
            }
            if catalog.is_none() && ui.button("Open as catalog…").on_hover_text("If a registry is there").clicked() {
                let address = entry.address.clone();
                actions.push(Action::Catalog(CatalogAction::ShowForm { address }));
            }
        });
    }

    /// Judged once a document, not each frame.
    fn catalog_kind(&mut self, document: &Arc<Document>) -> Option<CatalogKind> {
        match &self.recognised {
            Some((known, kind)) if Arc::ptr_eq(known, document) => *kind,
            _ => {
                let kind = recognise(document);
                self.recognised = Some((Arc::clone(document), kind));
                kind
            }
        }
    }

    fn evidence_ui(&mut self, ui: &mut Ui, state: &State, inspection: &Inspection, actions: &mut Vec<Action>) {
        let bytes = inspection.document.bytes();
        heading_ui(ui, "What came", &super::quantities::size(bytes.len()));
        ui.horizontal(|ui| {
            if ui.button("Copy body").clicked() {
                ui.ctx().copy_text(inspection.document.text().to_string());
                actions.push(Action::Copied { what: "The body".to_owned() });
            }
            if ui.button("Save body as…").clicked() {
                actions.push(Action::SaveFile { suggested_name: "body.txt".to_owned(), bytes: bytes.clone() });
            }
        });
        ui.add_space(GRID);
        // The JSON view has its margins within.
        let across = -(MARGIN as i8);
        let frame = egui::Frame::new().outer_margin(egui::Margin::symmetric(across, 0));
        frame.show(ui, |ui| {
            ui.set_height(EVIDENCE_HEIGHT);
            let output = self.evidence.ui(ui, &JsonSource::of(inspection), state.selection.as_ref());
            if let Some(pointer) = output.selected {
                actions.push(Action::Select { pointer: Some(pointer) });
            }
        });
    }
}

/// What to do next, by the best of what came.
struct Advice {
    words: &'static str,
    credential: bool,
    settings: bool,
    /// Something may be there although it publishes no card.
    connect: bool,
}

fn advice(entry: &AgentEntry, catalog: Option<CatalogKind>) -> Advice {
    let plain = |words| Advice { words, credential: false, settings: false, connect: false };
    let open = |words| Advice { connect: true, ..plain(words) };
    let network = |words| Advice { settings: true, ..plain(words) };
    if catalog.is_some() {
        return plain("This is a catalog: it lists agents, and is none itself. Open it as a catalog to see them.");
    }
    if entry.retrieval.https_instead().is_some() {
        return network(
            "Something listens there, but does not speak plain HTTP, which was a guess. It may expect TLS: try https.",
        );
    }
    let Some(headline) = entry.retrieval.headline() else { return open(NOT_PUBLISHED) };
    match headline.outcome {
        AttemptOutcome::NotACard => {
            plain("JSON came, but nothing in it makes it a card. It can be inspected all the same.")
        }
        AttemptOutcome::NeedsCredentials => {
            let about_certificate = |refusal: &TlsRefusal| !matches!(refusal, TlsRefusal::Certificate(_));
            let wants_certificate =
                entry.retrieval.attempts.iter().any(|attempt| attempt.tls_refusal().is_some_and(about_certificate));
            Advice {
                words: if wants_certificate {
                    "Set the client certificate that the server accepts, for this origin, then fetch again."
                } else {
                    "Set a credential for this origin, then fetch again."
                },
                credential: true,
                settings: false,
                connect: true,
            }
        }
        AttemptOutcome::TooManyRequests => plain("The server wants fewer requests for now. Fetch again later."),
        AttemptOutcome::ServerError if headline.status.is_some_and(|status| (300..400).contains(&status)) => open(
            "The server's redirects lead nowhere, which only whoever runs it can mend. If you know where the card is, \
             type its complete URL.",
        ),
        AttemptOutcome::ServerError => {
            plain("The server is there but failing. Fetching again later may help; its answer is below.")
        }
        AttemptOutcome::Unreachable => match refused_certificate(&entry.retrieval).map(|refused| &refused.problem) {
            Some(CertificateProblem::UnknownIssuer { .. }) => network(
                "If you know this certificate by its fingerprint, trust it for this address alone. If an authority of \
                 your own issued it, add the authority's CA file in the network settings.",
            ),
            Some(_) => plain("If you know this certificate by its fingerprint, trust it for this address alone."),
            None => network(
                "Check the host and the port, that the agent is running, and the proxy and certificate settings.",
            ),
        },
        AttemptOutcome::NotJson(_) => {
            open("Something answered, but not with a card. Look at what came, or type the card's complete URL.")
        }
        AttemptOutcome::Cancelled => plain("The fetch was cancelled before it was over."),
        AttemptOutcome::Card | AttemptOutcome::NotFound => open(NOT_PUBLISHED),
    }
}

const NOT_PUBLISHED: &str = "No card is published at these addresses. If you know where it is, type its complete URL.";
