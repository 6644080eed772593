//! What stands behind an address: how it was obtained, and what it says.

use std::sync::Arc;

use super::access::Access;
use crate::card::Inspection;
use crate::client::Retrieval;

/// An address, asked and judged.
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
