//! `cardscope inspect`: fetches a card and prints what it declares.

use std::process::ExitCode;
use std::sync::Arc;

use super::access::Access;
use super::arguments::InspectArguments;
use super::output::{self, Style};
use super::{UNOBTAINED, inspect_json, inspect_text};
use crate::card::Inspection;
use crate::client::Retrieval;

/// What `inspect` found out.
pub(super) struct Inspected {
    pub retrieval: Retrieval,
    /// Of the chosen attempt; there may be one although it is no card.
    pub inspection: Option<Inspection>,
}

impl Inspected {
    pub(super) async fn obtain(access: &Access, address: &str) -> Self {
        let retrieval = access.discover(address).await;
        let document = retrieval.chosen.and_then(|attempt| {
            let document = retrieval.attempts.get(attempt)?.document.clone()?;
            Some((document, retrieval.origin(attempt)))
        });
        let inspection = document.map(|(document, origin)| Inspection::of(Arc::clone(&document), origin));
        Self { retrieval, inspection }
    }

    /// The inspection, if it is of a usable card.
    pub(super) fn card(&self) -> Option<&Inspection> {
        self.inspection.as_ref().filter(|_| self.retrieval.found_card)
    }
}

pub(super) async fn run(arguments: InspectArguments) -> ExitCode {
    let access = match Access::new(&arguments.address, &arguments.ask) {
        Ok(access) => access,
        Err(problem) => return output::fail(&problem),
    };
    let inspected = Inspected::obtain(&access, &arguments.address).await;
    if arguments.json {
        match inspect_json::document(&inspected) {
            Ok(json) => output::line(&json),
            Err(error) => return output::fail(&format!("The result could not be written as JSON: {error}.")),
        };
    }
    let Some(card) = inspected.card() else {
        output::note(&inspect_text::without_card(&inspected.retrieval));
        return ExitCode::from(UNOBTAINED);
    };
    if !arguments.json {
        output::line(&inspect_text::card(&inspected.retrieval, card, Style::of_stdout()));
    }
    let line = arguments.fail_on.severity();
    ExitCode::from(u8::from(card.findings.iter().any(|finding| finding.severity >= line)))
}
