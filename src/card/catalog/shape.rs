//! Which shape of catalog a document has, told by its top level and the beginning of its list.

use super::CatalogKind;
use super::entry::text;
use crate::card::document::Document;
use crate::card::inspection::shape::is_card_inside;
use crate::card::json::{Kind, Node};

/// How many items of a list are looked at to judge it.
const LOOKED_AT: usize = 20;

/// A shape that was found, and the members that hold the lists.
pub(super) struct Found {
    pub kind: CatalogKind,
    list: List,
}

enum List {
    Root,
    Members(&'static [&'static str]),
}

/// Names under which lists of agents stand in no known form.
const LIST_NAMES: [&str; 9] =
    ["agents", "agentCards", "agent_cards", "cards", "items", "results", "entries", "data", "records"];

/// The kind of catalog that `document` is, if it is one. Cheap: the top level and the first items are looked at.
#[must_use]
pub fn recognise(document: &Document) -> Option<CatalogKind> {
    find(document.tree()?.root(), None).map(|found| found.kind)
}

/// The shape of `root`; `chosen` decides where the document alone does not.
pub(super) fn find(root: Node<'_>, chosen: Option<CatalogKind>) -> Option<Found> {
    by_content(root, chosen).or_else(|| by_choice(root, chosen?))
}

fn by_content(root: Node<'_>, chosen: Option<CatalogKind>) -> Option<Found> {
    if root.kind() == Kind::Array {
        return any(root, is_listed).then_some(Found { kind: CatalogKind::JsonList, list: List::Root });
    }
    let list = |name: &str| root.get(name).filter(|node| node.kind() == Kind::Array);
    let has = |name: &str| root.get(name).is_some();
    let of = |kind, names| Some(Found { kind, list: List::Members(names) });
    if list("entries").or_else(|| list("collections")).is_some()
        && (has("specVersion") || list("entries").is_some_and(|entries| any(entries, is_entry)))
    {
        return of(CatalogKind::AiCatalog, &["entries", "collections"]);
    }
    if let Some(results) = list("results") {
        let is_agntcy = has("nextPageToken") || has("totalCount") || any(results, is_agntcy);
        let is_ard = has("referrals") || has("pageToken") || any(results, is_entry);
        match chosen {
            Some(CatalogKind::Agntcy) if !has("referrals") => return of(CatalogKind::Agntcy, &["results"]),
            Some(CatalogKind::Ard) => return of(CatalogKind::Ard, &["results", "referrals"]),
            _ if is_agntcy => return of(CatalogKind::Agntcy, &["results"]),
            _ if is_ard => return of(CatalogKind::Ard, &["results", "referrals"]),
            _ => {}
        }
    }
    if list("items").is_some_and(|items| any(items, is_entry)) {
        return of(CatalogKind::Ard, &["items"]);
    }
    if let Some(agents) = list("agents") {
        if any(agents, |agent| agent.get("artifactId").is_some()) {
            return of(CatalogKind::Apicurio, &["agents"]);
        }
        if any(agents, |agent| agent.get("wellKnownURI").is_some()) || (has("limit") && has("offset") && has("total")) {
            return of(CatalogKind::A2aRegistry, &["agents"]);
        }
    }
    if list("versions").is_some_and(|versions| any(versions, |version| version.get("globalId").is_some())) {
        return of(CatalogKind::ApicurioVersions, &["versions"]);
    }
    LIST_NAMES
        .iter()
        .position(|name| list(name).is_some_and(|list| any(list, is_listed)))
        .map(|at| Found { kind: CatalogKind::JsonList, list: List::Members(&LIST_NAMES[at..=at]) })
}

/// What the user says it is, as long as the list is there at all; an empty one says nothing of itself.
fn by_choice(root: Node<'_>, chosen: CatalogKind) -> Option<Found> {
    if root.kind() == Kind::Array {
        return Some(Found { kind: CatalogKind::JsonList, list: List::Root });
    }
    let names: &'static [&'static str] = match chosen {
        CatalogKind::AiCatalog => &["entries", "collections"],
        CatalogKind::Ard => &["results", "items", "referrals"],
        CatalogKind::Agntcy => &["results"],
        CatalogKind::Apicurio | CatalogKind::A2aRegistry => &["agents"],
        CatalogKind::ApicurioVersions => &["versions"],
        CatalogKind::JsonList => &LIST_NAMES,
    };
    let is_list = |name: &&'static str| root.get(name).is_some_and(|node| node.kind() == Kind::Array);
    let at = names.iter().position(is_list)?;
    // Of a list in no known form, the first is the one that is meant.
    let names = if chosen == CatalogKind::JsonList { &names[at..=at] } else { names };
    Some(Found { kind: chosen, list: List::Members(names) })
}

impl Found {
    /// The lists with the members that hold them.
    pub(super) fn lists<'a>(&self, root: Node<'a>) -> Vec<(Option<&'static str>, Node<'a>)> {
        match self.list {
            List::Root => vec![(None, root)],
            List::Members(names) => names.iter().filter_map(|&name| Some((Some(name), root.get(name)?))).collect(),
        }
    }
}

/// What the catalog calls itself.
pub(super) fn title(root: Node<'_>) -> Option<String> {
    let host = root.get("host").and_then(|host| text(host, &["displayName", "identifier"]));
    host.or_else(|| text(root, &["displayName", "name", "title"]))
}

/// Why `root` is no catalog, as it goes on after "answered with".
pub(super) fn not_a_catalog(root: Node<'_>, chosen: Option<CatalogKind>) -> String {
    if is_card_inside(root) {
        return "an Agent Card, not a list of them; it can be fetched as an agent".to_owned();
    }
    match (root.kind(), chosen) {
        (Kind::Object | Kind::Array, Some(kind)) => {
            format!("JSON that holds no list as {} has it", kind.label())
        }
        (Kind::Object | Kind::Array, None) => "JSON that is no catalog of a kind known here".to_owned(),
        (kind, _) => format!("JSON, but {}; a catalog is an object or a list", kind.with_article()),
    }
}

fn any(list: Node<'_>, is: impl Fn(Node<'_>) -> bool) -> bool {
    list.items().take(LOOKED_AT).any(is)
}

/// Something that an AI Catalog could list.
fn is_entry(item: Node<'_>) -> bool {
    let has = |name: &str| item.get_set(name).is_some();
    (has("url") || has("data")) && (has("identifier") || has("displayName") || has("mediaType"))
}

fn is_agntcy(item: Node<'_>) -> bool {
    item.get_str("identifier").is_some_and(|id| id.contains(":cid:")) && item.get("score").is_none()
}

/// Something that a list of cards could hold.
fn is_listed(item: Node<'_>) -> bool {
    let names_card = || {
        ["wellKnownURI", "cardUrl", "card_url", "agentCardUrl", "agent_card_url"]
            .iter()
            .any(|name| item.get_str(name).is_some())
    };
    let wraps_card = || item.members().take(16).any(|(_, member)| is_card_inside(member));
    match item.kind() {
        Kind::Object => is_card_inside(item) || is_entry(item) || names_card() || wraps_card(),
        Kind::String => item.as_str().is_some_and(|text| {
            (text.starts_with("https://") || text.starts_with("http://")) && text.contains("agent")
        }),
        _ => false,
    }
}
