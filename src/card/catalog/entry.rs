//! One entry of a catalog: what it says of itself, and where its document is.

use std::borrow::Cow;

use url::Url;

use super::location::resolve;
use super::{CatalogEntry, CatalogKind, EntryKind, MAX_DESCRIPTION};
use crate::card::inspection::shape;
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// The most characters of a name, a version or a tag that are kept for the list.
const MAX_WORDS: usize = 200;
const MAX_TAGS: usize = 20;

/// What reading an entry depends on.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub kind: CatalogKind,
    pub base: Option<&'a Url>,
    /// The member that holds the list.
    pub list: &'static str,
}

impl Reading<'_> {
    pub(super) fn entry(&self, node: Node<'_>, pointer: JsonPointer, index: usize) -> CatalogEntry {
        let mut entry = CatalogEntry::at(node, pointer);
        match (node.kind(), self.kind) {
            (Kind::String, CatalogKind::JsonList) => self.bare_address(node, &mut entry),
            (Kind::Object, CatalogKind::Apicurio) => self.apicurio_agent(node, &mut entry),
            (Kind::Object, CatalogKind::ApicurioVersions) => self.apicurio_version(node, &mut entry),
            (Kind::Object, CatalogKind::A2aRegistry) => self.registry_agent(node, &mut entry),
            (Kind::Object, CatalogKind::JsonList) => self.listed(node, &mut entry),
            (Kind::Object, _) => self.catalog_entry(node, &mut entry),
            (kind, _) => {
                entry.problem = Some(format!("An entry is an object, but this is {}.", kind.with_article()));
            }
        }
        if entry.title.is_empty() {
            entry.title = match &entry.url {
                Some(url) => url.clone(),
                None => format!("Entry {} has no name", index + 1),
            };
        }
        if entry.source.is_empty() {
            entry.source = entry.url.as_deref().and_then(host_of).unwrap_or_default();
        }
        entry
    }

    /// What every kind of entry may say, by the names that are in use for it.
    pub(super) fn common(node: Node<'_>, entry: &mut CatalogEntry) {
        entry.title = text(node, &["displayName", "name", "title", "identifier", "id"]).unwrap_or_default();
        entry.identifier = text(node, &["identifier", "id"]).or(entry.identifier.take());
        entry.description = words(node, &["description", "summary"], MAX_DESCRIPTION).unwrap_or_default();
        entry.version = text(node, &["version"]);
        entry.tags = tags(node);
    }

    /// An entry of the AI Catalog specification, which ARD and AGNTCY use too.
    fn catalog_entry(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        Self::common(node, entry);
        if text(node, &["displayName", "name"]).is_none() && !entry.title.is_empty() {
            entry.notes.push("It has no displayName; its identifier stands in.".to_owned());
        }
        self.type_of(node, entry);
        self.content(node, entry);
        if self.kind == CatalogKind::Agntcy {
            self.agntcy_export(node, entry);
        }
        extra(node, entry);
        if let Some(source) = text(node, &["source"]) {
            entry.source = host_of(&source).unwrap_or(source);
        } else if let Some(publisher) = node.get("publisher") {
            entry.source = text(publisher, &["displayName", "identifier"]).unwrap_or_default();
        }
    }

    /// `type`, or `mediaType` as it was called before.
    fn type_of(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        entry.media_type = text(node, &["type", "mediaType", "media_type"]).unwrap_or_default();
        entry.kind = kind_of(&entry.media_type);
        if self.list == "collections" {
            // The type is that of what the collection lists.
            entry.kind = EntryKind::Catalog;
        } else if entry.kind == EntryKind::Untyped && node.get("data").is_some_and(shape::is_card_inside) {
            entry.kind = EntryKind::Card;
            entry.notes.push("It declares no type; what it holds is shaped like a card.".to_owned());
        }
    }

    /// Exactly one of `url` and `data`.
    pub(super) fn content(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        let (url, data) = (node.get_set("url"), node.get_set("data"));
        match url.map(|url| (url.kind(), url.as_str())) {
            Some((_, Some(address))) => self.locate(&address, entry),
            Some((kind, None)) => {
                entry.problem = Some(format!("Its url is {}, not a text.", kind.with_article()));
            }
            None => {}
        }
        match data.map(|data| (data.kind(), data.span())) {
            Some((Kind::Object | Kind::Array, span)) => entry.data = Some(span),
            Some((kind, _)) if url.is_none() => {
                entry.problem = Some(format!("Its data is {}, not a document.", kind.with_article()));
            }
            None if url.is_none() => {
                entry.problem = Some("It has neither url nor data, so there is nothing to open.".to_owned());
            }
            Some(_) | None => {}
        }
        if entry.url.is_some() && entry.data.is_some() {
            entry.notes.push("It has both url and data, where one is allowed; the url is opened.".to_owned());
        }
        if entry.data.is_some() && entry.problem.take_if(|_| url.is_some()).is_some() {
            entry.notes.push("Its url cannot be opened; what it holds itself is.".to_owned());
        }
    }

    /// Takes `address` as where the document lies, or says why it cannot be.
    pub(super) fn locate(&self, address: &str, entry: &mut CatalogEntry) {
        match resolve(address, self.base) {
            Ok((url, note)) => {
                entry.url = Some(url);
                entry.notes.extend(note);
            }
            Err(problem) => entry.problem = Some(problem),
        }
    }
}

/// What the media type says the document is.
fn kind_of(media_type: &str) -> EntryKind {
    let media_type = media_type.to_ascii_lowercase();
    if media_type.is_empty() {
        EntryKind::Untyped
    } else if media_type.contains("ai-catalog") {
        EntryKind::Catalog
    } else if media_type.contains("ai-registry") {
        EntryKind::Registry
    } else if media_type.contains("agent-card") {
        EntryKind::Card
    } else {
        EntryKind::Other
    }
}

/// Identity, publisher, date, rating and trust, as far as they are told.
fn extra(node: Node<'_>, entry: &mut CatalogEntry) {
    let identifier = text(node, &["identifier"]);
    let publisher = node.get("publisher").and_then(|publisher| text(publisher, &["displayName", "identifier"]));
    for (name, value) in [
        ("identifier", identifier.clone()),
        ("publisher", publisher),
        ("updated", text(node, &["updatedAt"])),
        ("score", text(node, &["score"])),
    ] {
        entry.extra.extend(value.map(|value| (name, value)));
    }
    let Some(trust) = node.get_set("trustManifest") else { return };
    entry.extra.push(("trust manifest", "there, not checked".to_owned()));
    let identity = text(trust, &["identity"]);
    if identity.is_some() && identity != identifier {
        entry.notes.push("Its trust manifest is about another identity, so it says nothing about this one.".to_owned());
    }
}

/// The first of the members `names` that is a text (or a number) with something in it, on one line.
pub(super) fn text(node: Node<'_>, names: &[&str]) -> Option<String> {
    words(node, names, MAX_WORDS)
}

fn words(node: Node<'_>, names: &[&str], most: usize) -> Option<String> {
    let value = |name: &&str| {
        let member = node.get(name)?;
        let value = match member.kind() {
            Kind::Number => Cow::Borrowed(member.raw()),
            _ => member.as_str()?,
        };
        let line = one_line(&value, most);
        (!line.is_empty()).then_some(line)
    };
    names.iter().find_map(value)
}

fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > 4 * most {
            break;
        }
    }
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// A list of texts, or one text with commas.
fn tags(node: Node<'_>) -> Vec<String> {
    let Some(tags) = node.get("tags") else { return Vec::new() };
    let list: Vec<String> = match tags.as_str() {
        Some(text) => text.split(',').map(|tag| one_line(tag, MAX_WORDS)).collect(),
        None => tags.items().filter_map(|tag| tag.as_str()).map(|tag| one_line(&tag, MAX_WORDS)).collect(),
    };
    list.into_iter().filter(|tag| !tag.is_empty()).take(MAX_TAGS).collect()
}

/// Host and port of a URL, for the eye; a file's name.
pub(super) fn host_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    if url.scheme() == "file" {
        return Some("this computer".to_owned());
    }
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    url.host_str().map(|host| format!("{host}{port}"))
}
