//! What a user does with catalogs, and what comes back: opening, paging, searching, and following an entry.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::catalogs::{Catalog, CatalogAction, CatalogId, CatalogView, Inline, LoadedPage, PendingPage};
use super::settings::RememberedCatalog;
use super::{Effect, JobId, State};
use crate::card::address::{exactly, mask_secrets};
use crate::card::catalog::{CatalogKind, CatalogQuery, EntryKind, NextPage};
use crate::client::{AttemptKind, CatalogAnswer, Exchange};

/// The most catalogs that are remembered between runs.
const MAX_REMEMBERED: usize = 50;

/// Where a catalog without an address of its own stands: what its addresses are read against, and the entry that holds
/// it with what brought that.
#[derive(Default)]
struct Standing {
    base: Option<String>,
    within: Option<(String, Option<Arc<Exchange>>)>,
}

impl State {
    pub(super) fn apply_catalog(&mut self, action: CatalogAction) -> Vec<Effect> {
        match action {
            CatalogAction::ShowForm { address } => {
                self.show_instead_of_agent(CatalogView::Form { address });
                Vec::new()
            }
            CatalogAction::Open { address, kind } => self.open_catalog(address.trim(), kind),
            CatalogAction::OpenShownDocument => self.open_shown_document(),
            CatalogAction::Select { catalog } => self.select_catalog(catalog),
            CatalogAction::Close { catalog } => self.close_catalog(catalog),
            CatalogAction::Refresh { catalog } => {
                let search = self.catalogs.get(catalog).map(|catalog| catalog.search.clone()).unwrap_or_default();
                self.ask_catalog(catalog, &search, None)
            }
            CatalogAction::Search { catalog, words } => self.ask_catalog(catalog, words.trim(), None),
            CatalogAction::More { catalog } => {
                let Some(found) = self.catalogs.get(catalog).filter(|found| found.pending.is_none()) else {
                    return Vec::new();
                };
                let (search, next) = (found.search.clone(), found.next.clone());
                if next.is_some() { self.ask_catalog(catalog, &search, next) } else { Vec::new() }
            }
            CatalogAction::Cancel { catalog } => {
                let pending = self.catalogs.get_mut(catalog).and_then(|catalog| catalog.pending.take());
                pending.map(|pending| Effect::Abort { job: pending.job }).into_iter().collect()
            }
            CatalogAction::OpenEntry { catalog, row } => self.open_entry(catalog, row),
            CatalogAction::OpenCopy { catalog, row } => self.open_copy(catalog, row),
            CatalogAction::OpenVersions { catalog, row } => {
                let entry = self.catalogs.get(catalog).and_then(|catalog| catalog.entry(row));
                let Some(address) = entry.and_then(|(entry, _)| entry.versions_url.clone()) else { return Vec::new() };
                self.open_catalog(&address, Some(CatalogKind::ApicurioVersions))
            }
        }
    }

    /// The catalog on screen: an agent and a catalog never are at once.
    #[must_use]
    pub fn shown_catalog(&self) -> Option<&Catalog> {
        self.catalogs.current().filter(|_| self.discovery.current.is_none())
    }

    fn show_catalog(&mut self, id: CatalogId) {
        self.show_instead_of_agent(CatalogView::Catalog(id));
    }

    fn show_instead_of_agent(&mut self, view: CatalogView) {
        self.discovery.current = None;
        self.selection = None;
        self.catalogs.shown = view;
    }

    fn open_catalog(&mut self, address: &str, kind: Option<CatalogKind>) -> Vec<Effect> {
        if address.is_empty() {
            return Vec::new();
        }
        if address.starts_with(['{', '[']) {
            return self.open_inline("Pasted catalog", Bytes::from(address.to_owned()), Standing::default(), kind);
        }
        // One that gave nothing is what the user tries anew, perhaps as another kind.
        let gave_nothing = |catalog: &Catalog| catalog.pages.is_empty() && catalog.problem.is_some();
        self.catalogs.opened.retain(|catalog| catalog.address != address || !gave_nothing(catalog));
        let id = self.catalog_at(address, kind);
        self.show_catalog(id);
        self.ask_catalog(id, "", None)
    }

    fn catalog_at(&mut self, address: &str, kind: Option<CatalogKind>) -> CatalogId {
        let known = self.catalogs.at(address, kind).map(|known| known.id);
        known.unwrap_or_else(|| self.add_catalog(address.to_owned(), kind))
    }

    fn add_catalog(&mut self, address: String, kind: Option<CatalogKind>) -> CatalogId {
        let id = CatalogId(self.next_id());
        self.catalogs.opened.push(Catalog::new(id, address, kind));
        id
    }

    /// A catalog without an address: pasted, or inside another one.
    fn open_inline(
        &mut self,
        name: &str,
        bytes: Bytes,
        Standing { base, within }: Standing,
        kind: Option<CatalogKind>,
    ) -> Vec<Effect> {
        let is_same = |catalog: &&Catalog| catalog.inline.as_ref().is_some_and(|inline| inline.bytes == bytes);
        let known = self.catalogs.opened.iter().find(is_same).map(|catalog| catalog.id);
        let id = known.unwrap_or_else(|| self.add_catalog(name.to_owned(), kind));
        if let Some(catalog) = self.catalogs.get_mut(id) {
            catalog.inline = Some(Inline { bytes, base, within });
        }
        self.show_catalog(id);
        if known.is_some() { Vec::new() } else { self.ask_catalog(id, "", None) }
    }

    /// The document is here already: its first page needs no request.
    fn open_shown_document(&mut self) -> Vec<Effect> {
        let Some(entry) = self.discovery.current_entry() else { return Vec::new() };
        let Some(attempt) = entry.shown_attempt.and_then(|index| entry.retrieval.attempts.get(index)) else {
            return Vec::new();
        };
        let Some(document) = attempt.document.as_ref() else { return Vec::new() };
        let bytes = document.bytes().clone();
        if !entry.has_address() {
            let name = entry.address.clone();
            return self.open_inline(&name, bytes, Standing::default(), None);
        }
        let place = attempt.final_url.as_ref().unwrap_or(&attempt.url);
        // A masked address cannot be asked again; what was typed can.
        let address = if place.contains('•') { entry.address.clone() } else { place.clone() };
        if attempt.kind == AttemptKind::File {
            // Reading it anew tells where it lies, also where the path is relative.
            return self.open_catalog(&address, None);
        }
        let (base, exchange) = (Some(place.clone()), attempt.exchanges.last().cloned());
        let id = self.catalog_at(&address, None);
        self.show_catalog(id);
        let query = CatalogQuery { address, ..CatalogQuery::default() };
        let (job, mut effects) = self.begin_page(id, true, "");
        if let Some(pending) = self.catalogs.get_mut(id).and_then(|catalog| catalog.pending.as_mut()) {
            pending.exchange = exchange;
        }
        effects.push(Effect::ReadCatalog { job, query, bytes, base });
        effects
    }

    fn select_catalog(&mut self, id: CatalogId) -> Vec<Effect> {
        let Some(catalog) = self.catalogs.get(id) else { return Vec::new() };
        // One that is remembered from the last run is asked when it is wanted.
        let is_new = catalog.pages.is_empty() && catalog.pending.is_none() && catalog.problem.is_none();
        self.show_catalog(id);
        if is_new { self.ask_catalog(id, "", None) } else { Vec::new() }
    }

    fn close_catalog(&mut self, id: CatalogId) -> Vec<Effect> {
        let Some(at) = self.catalogs.opened.iter().position(|catalog| catalog.id == id) else { return Vec::new() };
        let catalog = self.catalogs.opened.remove(at);
        if self.catalogs.shown == CatalogView::Catalog(id) {
            self.catalogs.shown = CatalogView::Nothing;
            if self.discovery.current.is_none() {
                self.discovery.current = self.discovery.entries.first().map(|entry| entry.id);
            }
        }
        self.settings.catalogs.retain(|known| known.address != catalog.address || known.kind != catalog.choice);
        catalog.pending.map(|pending| Effect::Abort { job: pending.job }).into_iter().collect()
    }

    /// Asks for a page; without `next` it will take the place of those that are here.
    fn ask_catalog(&mut self, id: CatalogId, search: &str, next: Option<NextPage>) -> Vec<Effect> {
        let Some(catalog) = self.catalogs.get(id) else { return Vec::new() };
        let replaces = next.is_none();
        let query = catalog.query(search, next);
        let inline = catalog.inline.clone();
        let credentials = self.credentials.clone();
        let (job, mut effects) = self.begin_page(id, replaces, search);
        effects.push(match inline {
            Some(Inline { bytes, base, .. }) => Effect::ReadCatalog { job, query, bytes, base },
            None => Effect::AskCatalog { job, query, credentials },
        });
        effects
    }

    /// Makes a request the current one of its catalog; an older one under way is given up.
    fn begin_page(&mut self, id: CatalogId, replaces: bool, search: &str) -> (JobId, Vec<Effect>) {
        let job = self.next_job();
        let pending =
            PendingPage { job, since: SystemTime::now(), replaces, search: search.to_owned(), exchange: None };
        let catalog = self.catalogs.get_mut(id);
        let older = catalog.and_then(|catalog| {
            catalog.problem = None;
            catalog.pending.replace(pending)
        });
        (job, older.map(|older| Effect::Abort { job: older.job }).into_iter().collect())
    }

    pub(super) fn catalog_answered(&mut self, job: JobId, answer: CatalogAnswer) {
        let is_of = |catalog: &&mut Catalog| catalog.pending.as_ref().is_some_and(|pending| pending.job == job);
        let Some(catalog) = self.catalogs.opened.iter_mut().find(is_of) else { return };
        let Some(pending) = catalog.pending.take() else { return };
        let CatalogAnswer { place, base, assumptions, document, exchange, result, .. } = answer;
        match (result, document) {
            (Ok(page), Some(document)) => {
                catalog.search = pending.search;
                catalog.take_page(
                    LoadedPage { place, base, assumptions, document, exchange: exchange.or(pending.exchange), page },
                    pending.replaces,
                );
                let id = catalog.id;
                self.remember_catalog(id);
            }
            (Err(failure), _) => catalog.problem = Some(failure),
            (Ok(_), None) => {}
        }
    }

    /// Addresses only, and none that holds a key.
    fn remember_catalog(&mut self, id: CatalogId) {
        let Some(catalog) = self.catalogs.get(id).filter(|catalog| catalog.has_address()) else { return };
        let address = catalog.address.clone();
        if mask_secrets(&address) != address || catalog.kind == Some(CatalogKind::ApicurioVersions) {
            return;
        }
        let kind = catalog.choice;
        let known = &mut self.settings.catalogs;
        known.retain(|other| other.address != address || other.kind != kind);
        known.push(RememberedCatalog { address, kind });
        if known.len() > MAX_REMEMBERED {
            known.remove(0);
        }
    }

    fn open_entry(&mut self, id: CatalogId, row: usize) -> Vec<Effect> {
        let Some((entry, page)) = self.catalogs.get(id).and_then(|catalog| catalog.entry(row)) else {
            return Vec::new();
        };
        if !entry.opens() {
            return Vec::new();
        }
        let (kind, title, base) = (entry.kind, entry.title.clone(), page.base.clone());
        match (kind, entry.url.clone()) {
            (EntryKind::Catalog, Some(url)) => self.open_catalog(&url, None),
            (EntryKind::Registry, Some(url)) => self.open_catalog(&url, Some(CatalogKind::Ard)),
            (_, Some(url)) => self.fetch_card(&exactly(&url), false),
            (EntryKind::Catalog, None) => {
                let Some(catalog) = self.catalogs.get(id) else { return Vec::new() };
                let within = catalog.entry_address(row).map(|address| (address, catalog.exchange(row)));
                let bytes = catalog.data(row);
                bytes.map_or_else(Vec::new, |bytes| self.open_inline(&title, bytes, Standing { base, within }, None))
            }
            (_, None) => self.open_copy(id, row),
        }
    }

    fn open_copy(&mut self, id: CatalogId, row: usize) -> Vec<Effect> {
        let Some(catalog) = self.catalogs.get(id) else { return Vec::new() };
        let (Some((entry, _)), Some(bytes)) = (catalog.entry(row), catalog.data(row)) else { return Vec::new() };
        if let Some(address) = catalog.entry_address(row) {
            let exchange = catalog.exchange(row);
            self.open_listed(address, bytes, exchange)
        } else {
            let name = format!("{} (in {})", entry.title, catalog.name());
            self.open_bytes(name, bytes)
        }
    }

    pub(super) fn catalog_broke(&mut self, job: JobId) {
        for catalog in &mut self.catalogs.opened {
            catalog.pending.take_if(|pending| pending.job == job);
        }
    }
}

#[cfg(test)]
mod tests;
