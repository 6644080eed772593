//! Catalogs that are open: their pages, what is asked for, and where it goes on.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::JobId;
use super::settings::RememberedCatalog;
use crate::card::Document;
use crate::card::address::mask_secrets;
use crate::card::catalog::{
    CatalogEntry, CatalogKind, CatalogPage, CatalogQuery, NextPage, entry_address, searches_on_server,
};
use crate::client::{CatalogFailure, Exchange};

/// Identifies an opened catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CatalogId(pub u64);

/// Every catalog that is open, and what the centre shows where no agent is.
#[derive(Debug, Default)]
pub struct Catalogs {
    /// Oldest first.
    pub opened: Vec<Catalog>,
    pub shown: CatalogView,
}

/// What the centre shows while no agent is current.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CatalogView {
    #[default]
    Nothing,
    /// The form to open one, with the address that it begins with.
    Form {
        address: String,
    },
    Catalog(CatalogId),
}

/// One catalog with the pages that are here.
#[derive(Debug)]
pub struct Catalog {
    pub id: CatalogId,
    /// As typed, or the entry's name where it stood inside another catalog.
    pub address: String,
    /// What the user said it is.
    pub choice: Option<CatalogKind>,
    /// What it turned out to be.
    pub kind: Option<CatalogKind>,
    pub title: Option<String>,
    /// Where the list itself lies, as its entries are known by it: whatever was looked for in it meanwhile.
    pub(super) url: Option<String>,
    pub pages: Vec<LoadedPage>,
    /// Page and index of every entry, in order.
    pub rows: Vec<(usize, usize)>,
    /// What the registry looked for to give the pages that are here; empty for everything.
    pub search: String,
    pub next: Option<NextPage>,
    pub total: Option<u64>,
    /// Why there is no further page although the registry names one.
    pub stopped: Option<String>,
    pub pending: Option<PendingPage>,
    /// Why the last page asked for did not come.
    pub problem: Option<CatalogFailure>,
    /// Changes with every change of the rows.
    pub edition: u64,
    /// The document itself, where nothing can be asked for again.
    pub(super) inline: Option<Inline>,
    tokens: HashSet<NextPage>,
}

/// One page as it came.
#[derive(Clone, Debug)]
pub struct LoadedPage {
    pub place: String,
    pub base: Option<String>,
    pub assumptions: Vec<String>,
    pub document: Arc<Document>,
    /// What brought it, and so on whose behalf.
    pub exchange: Option<Arc<Exchange>>,
    pub page: Arc<CatalogPage>,
}

/// A page that is being asked for; those that are here stay on screen.
#[derive(Clone, Debug)]
pub struct PendingPage {
    pub job: JobId,
    pub since: SystemTime,
    /// Takes the place of the pages that are here.
    pub replaces: bool,
    pub search: String,
    /// What brought the document, where it is here already.
    pub(super) exchange: Option<Arc<Exchange>>,
}

#[derive(Clone, Debug)]
pub(super) struct Inline {
    pub(super) bytes: Bytes,
    pub(super) base: Option<String>,
    /// The entry that it stands in, and what brought that.
    pub(super) within: Option<(String, Option<Arc<Exchange>>)>,
}

/// What the user asks for about catalogs.
#[derive(Clone, Debug)]
pub enum CatalogAction {
    /// Shows the form to open one.
    ShowForm {
        address: String,
    },
    /// Asks the address; a kind is a choice, `None` finds it out from the answer.
    Open {
        address: String,
        kind: Option<CatalogKind>,
    },
    /// Opens what the current entry's shown attempt brought.
    OpenShownDocument,
    Select {
        catalog: CatalogId,
    },
    Close {
        catalog: CatalogId,
    },
    Refresh {
        catalog: CatalogId,
    },
    /// Asks the registry to look for words; none ask for everything again.
    Search {
        catalog: CatalogId,
        words: String,
    },
    /// The next page.
    More {
        catalog: CatalogId,
    },
    Cancel {
        catalog: CatalogId,
    },
    /// What the row leads to: its card, or the catalog that it names.
    OpenEntry {
        catalog: CatalogId,
        row: usize,
    },
    /// The document that stands in the row itself.
    OpenCopy {
        catalog: CatalogId,
        row: usize,
    },
    OpenVersions {
        catalog: CatalogId,
        row: usize,
    },
}

impl Catalogs {
    /// Those of the last run; none is asked until it is selected.
    #[must_use]
    pub(super) fn remembered(list: &[RememberedCatalog], mut next_id: impl FnMut() -> u64) -> Self {
        let opened = list.iter().map(|known| Catalog::new(CatalogId(next_id()), known.address.clone(), known.kind));
        Self { opened: opened.collect(), shown: CatalogView::Nothing }
    }

    /// The one at this address, asked as the same kind: a host may have several.
    pub(super) fn at(&self, address: &str, choice: Option<CatalogKind>) -> Option<&Catalog> {
        let is_same = |catalog: &&Catalog| catalog.address == address && catalog.choice == choice;
        self.opened.iter().filter(|catalog| catalog.has_address()).find(is_same)
    }

    #[must_use]
    pub fn get(&self, id: CatalogId) -> Option<&Catalog> {
        self.opened.iter().find(|catalog| catalog.id == id)
    }

    /// The catalog that the centre shows where no agent is current.
    #[must_use]
    pub fn current(&self) -> Option<&Catalog> {
        match self.shown {
            CatalogView::Catalog(id) => self.get(id),
            _ => None,
        }
    }

    pub(super) fn get_mut(&mut self, id: CatalogId) -> Option<&mut Catalog> {
        self.opened.iter_mut().find(|catalog| catalog.id == id)
    }
}

impl Catalog {
    pub(super) fn new(id: CatalogId, address: String, choice: Option<CatalogKind>) -> Self {
        Self {
            id,
            address,
            choice,
            kind: None,
            title: None,
            url: None,
            pages: Vec::new(),
            rows: Vec::new(),
            search: String::new(),
            next: None,
            total: None,
            stopped: None,
            pending: None,
            problem: None,
            edition: 0,
            inline: None,
            tokens: HashSet::new(),
        }
    }

    /// What it calls itself, or its host or file.
    #[must_use]
    pub fn name(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let address = mask_secrets(self.address.trim());
        let url = url::Url::parse(&address).ok();
        match url.as_ref().and_then(|url| Some((url.host_str()?, url.port()))) {
            Some((host, Some(port))) => format!("{host}:{port}"),
            Some((host, None)) => host.to_owned(),
            None => address.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(&address).to_owned(),
        }
    }

    /// The entry of a row with the page that it came on.
    #[must_use]
    pub fn entry(&self, row: usize) -> Option<(&CatalogEntry, &LoadedPage)> {
        let (page, index) = *self.rows.get(row)?;
        let page = self.pages.get(page)?;
        Some((page.page.entries.get(index)?, page))
    }

    /// Whether the registry itself looks for words.
    #[must_use]
    pub fn searches_on_server(&self) -> bool {
        self.inline.is_none() && self.kind.or(self.choice).is_some_and(searches_on_server)
    }

    /// Whether it lies somewhere where it can be asked for again.
    #[must_use]
    pub fn has_address(&self) -> bool {
        self.inline.is_none()
    }

    /// The document of a row as its own bytes.
    #[must_use]
    pub fn data(&self, row: usize) -> Option<Bytes> {
        let (entry, page) = self.entry(row)?;
        let text = page.document.text().get(entry.data.clone()?)?;
        Some(Bytes::from(text.to_owned()))
    }

    /// What the document of a row is known by, wherever the row moves to; `None` in a catalog that lies nowhere.
    #[must_use]
    pub(super) fn entry_address(&self, row: usize) -> Option<String> {
        let (entry, page) = self.entry(row)?;
        let list = match &self.inline {
            Some(inline) => inline.within.as_ref().map(|(entry, _)| entry),
            None => self.url.as_ref(),
        }?;
        let of_version =
            |entry: &CatalogEntry| Some(format!("{} {}", entry.identifier.as_ref()?, entry.version.as_ref()?));
        let is_alone = |name: &dyn Fn(&CatalogEntry) -> Option<String>| {
            let own = name(entry)?;
            let entries = self.pages.iter().flat_map(|page| &page.page.entries);
            let mut namesakes = entries.filter(|other| name(other).as_ref() == Some(&own));
            (namesakes.next().is_some() && namesakes.next().is_none()).then_some(own)
        };
        let name = is_alone(&|entry| entry.identifier.clone()).or_else(|| is_alone(&of_version));
        let number = self.pages.iter().position(|other| Arc::ptr_eq(&other.page, &page.page)).unwrap_or(0);
        let pointer = || match number {
            0 => entry.pointer.as_str().to_owned(),
            page => format!("{} on page {}", entry.pointer.as_str(), page + 1),
        };
        Some(entry_address(list, &name.unwrap_or_else(pointer)))
    }

    /// What brought the document of a row.
    pub(super) fn exchange(&self, row: usize) -> Option<Arc<Exchange>> {
        let within = self.inline.as_ref().and_then(|inline| inline.within.as_ref());
        within.map_or_else(|| self.entry(row)?.1.exchange.clone(), |(_, exchange)| exchange.clone())
    }

    pub(super) fn query(&self, search: &str, next: Option<NextPage>) -> CatalogQuery {
        // The first page is asked for as the user said; what it turned out to be rules the ones after it.
        let goes_on = next.is_some() || !search.is_empty();
        let shape = self.kind.filter(|_| goes_on);
        CatalogQuery { address: self.address.clone(), kind: self.choice, shape, search: search.to_owned(), next }
    }

    /// Takes a page in; one that repeats what is here ends the paging.
    pub(super) fn take_page(&mut self, page: LoadedPage, replaces: bool) {
        if replaces {
            self.pages.clear();
            self.rows.clear();
            self.tokens.clear();
            self.total = None;
            self.title = None;
        }
        self.stopped = None;
        self.url = self.url.take().or_else(|| list_url(page.base.as_deref()?, &self.address));
        self.kind = Some(page.page.kind);
        self.title = page.page.title.clone().or(self.title.take());
        self.total = page.page.total.or(self.total);
        let repeats = self.pages.iter().any(|other| other.document.sha256() == page.document.sha256());
        if repeats && !page.page.entries.is_empty() {
            self.stop("The registry gave the same page again instead of the next one, so it was not asked further.");
            return;
        }
        self.next.clone_from(&page.page.next);
        if let Some(next) = self.next.clone()
            && !self.tokens.insert(next)
        {
            self.stop("The registry names a page as the next one that is here already, so it was not asked further.");
        }
        let number = self.pages.len();
        self.rows.extend((0..page.page.entries.len()).map(|index| (number, index)));
        self.pages.push(page);
        self.edition += 1;
    }

    fn stop(&mut self, why: &str) {
        self.next = None;
        self.stopped = Some(why.to_owned());
        self.edition += 1;
    }
}

/// The URL that answered, with the query that was typed: the rest of a query is about paging and searching.
fn list_url(base: &str, typed: &str) -> Option<String> {
    let mut url = url::Url::parse(base).ok()?;
    url.set_fragment(None);
    if matches!(url.scheme(), "http" | "https") {
        let typed = typed.split_once('#').map_or(typed, |(typed, _)| typed);
        url.set_query(typed.split_once('?').map(|(_, query)| query.trim()));
    }
    Some(url.into())
}
