//! Entries of registries with shapes of their own: Apicurio, a2aregistry.org, an AGNTCY export, and plain lists of cards.

use url::Url;

use super::entry::{Reading, host_of, text};
use super::{CatalogEntry, CatalogKind, EntryKind};
use crate::card::inspection::shape;
use crate::card::json::{Kind, Node};

/// The group that Apicurio puts things into that were given none.
const DEFAULT_GROUP: &str = "default";
/// Members under which lists keep the card itself.
const WRAPPERS: [&str; 7] = ["card", "agentCard", "agent_card", "agent", "a2aCard", "spec", "data"];
/// Members that hold the address of a card, surest first.
const CARD_ADDRESSES: [&str; 8] =
    ["wellKnownURI", "well_known_uri", "cardUrl", "card_url", "agentCardUrl", "agent_card_url", "card", "url"];

impl Reading<'_> {
    /// An agent as Apicurio's search lists it; its card and its versions have places of their own.
    pub(super) fn apicurio_agent(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        Self::common(node, entry);
        entry.kind = EntryKind::Card;
        let group = text(node, &["groupId"]).unwrap_or_else(|| DEFAULT_GROUP.to_owned());
        let Some(artifact) = text(node, &["artifactId"]) else {
            entry.problem = Some("It names no artifactId, so its card cannot be asked for.".to_owned());
            return;
        };
        if entry.title.is_empty() {
            entry.title.clone_from(&artifact);
        }
        entry.extra.push(("artifact", format!("{group}/{artifact}")));
        entry.extra.extend(text(node, &["owner"]).map(|owner| ("owner", owner)));
        entry.tags = node.get("skills").map(names).unwrap_or_default();
        let Some(root) = self.base.and_then(|base| registry_root(base, &["/.well-known/agents"])) else {
            entry.problem =
                Some("Where the registry itself is, is not known, so its card cannot be asked for.".to_owned());
            return;
        };
        entry.url = below(&root, &[".well-known", "agents", &group, &artifact]).map(|url| url.to_string());
        let versions = below(&root, &["apis", "registry", "v3", "groups", &group, "artifacts", &artifact, "versions"]);
        entry.versions_url = versions.map(|url| url.to_string());
        entry.source = group;
    }

    /// One of an artifact's versions; the card of each can be asked for.
    pub(super) fn apicurio_version(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        Self::common(node, entry);
        entry.kind = EntryKind::Card;
        for (name, member) in [("created", "createdOn"), ("state", "state"), ("owner", "owner")] {
            entry.extra.extend(text(node, &[member]).map(|value| (name, value)));
        }
        let of_path = self.base.and_then(artifact_of_path);
        let artifact = text(node, &["artifactId"]).or_else(|| of_path.as_ref().map(|(_, artifact)| artifact.clone()));
        let group = text(node, &["groupId"]).or_else(|| of_path.map(|(group, _)| group));
        let group = group.unwrap_or_else(|| DEFAULT_GROUP.to_owned());
        let (Some(artifact), Some(version)) = (artifact, entry.version.clone()) else {
            entry.problem = Some("It names no artifactId or no version, so its card cannot be asked for.".to_owned());
            return;
        };
        if entry.title.is_empty() {
            entry.title.clone_from(&artifact);
        }
        entry.source = text(node, &["createdOn"]).unwrap_or_default();
        let root = self.base.and_then(|base| registry_root(base, &["/apis/registry/"]));
        let url = root.and_then(|root| below(&root, &[".well-known", "agents", &group, &artifact]));
        match url {
            Some(mut url) => {
                url.query_pairs_mut().append_pair("version", &version);
                entry.url = Some(url.to_string());
            }
            None => entry.problem = Some("Where the registry itself is, is not known.".to_owned()),
        }
    }

    /// An agent of a2aregistry.org: a copy of its card with what the registry found out about it.
    pub(super) fn registry_agent(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        Self::common(node, entry);
        entry.kind = EntryKind::Card;
        if let Some(address) = text(node, &["wellKnownURI"]) {
            self.locate(&address, entry);
        } else {
            entry.notes.push("It names no wellKnownURI; the registry's copy of the card is opened.".to_owned());
        }
        if shape::is_card_inside(node) {
            entry.data = Some(node.span());
        } else if entry.url.is_none() && entry.problem.is_none() {
            entry.problem = Some("It names no wellKnownURI and is no card itself.".to_owned());
        }
        if entry.data.is_some()
            && let Some(problem) = entry.problem.take()
        {
            entry.notes.push(format!("{problem} The registry's copy of the card is opened."));
        }
        entry.extra.extend(text(node, &["author"]).map(|author| ("author", author)));
        for (name, member, yes, no) in [
            ("health", "is_healthy", "answers, says the registry", "does not answer, says the registry"),
            ("conformance", "conformance", "standard, says the registry", "not standard, says the registry"),
        ] {
            let value = node.get(member).and_then(|node| node.as_bool());
            entry.extra.extend(value.map(|value| (name, if value { yes } else { no }.to_owned())));
        }
        entry.extra.extend(text(node, &["uptime_percentage"]).map(|uptime| ("uptime", format!("{uptime} %"))));
    }

    /// The card of an AGNTCY record, which lists it as data of its own form: the export gives it as it was published.
    pub(super) fn agntcy_export(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        let is_card = |node: Node<'_>| {
            text(node, &["type", "mediaType", "media_type"]).is_some_and(|kind| kind.contains("a2a-agent-card"))
        };
        let holds_card = node
            .get("data")
            .and_then(|data| data.get("entries"))
            .is_some_and(|entries| entries.items().take(32).any(is_card));
        let cid = text(node, &["identifier"]).and_then(|id| id.split(":cid:").nth(1).map(str::to_owned));
        let cid = cid.map(|rest| rest.split(':').next().unwrap_or_default().to_owned()).filter(|cid| !cid.is_empty());
        let (Some(cid), true) = (cid, is_card(node) || holds_card) else { return };
        let root = self.base.and_then(|base| registry_root(base, &["/v1/agents", "/v1/search", "/.well-known/"]));
        let Some(mut url) = root.and_then(|root| below(&root, &["v1", "agents", &cid, "export"])) else { return };
        url.query_pairs_mut().append_pair("format", "a2a");
        entry.kind = EntryKind::Card;
        entry.url = Some(url.to_string());
        entry.problem = None;
        entry.notes.push("Its card is asked for as the directory's export, which gives it as published.".to_owned());
    }

    /// An item of a list in no known form: a card, something around a card, or something that names one.
    pub(super) fn listed(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        Self::common(node, entry);
        if shape::is_card_inside(node) {
            entry.kind = EntryKind::Card;
            entry.data = Some(node.span());
            entry.source = offered_by(node);
            return;
        }
        let wrapped = WRAPPERS.iter().find_map(|name| {
            let inner = node.get(name).filter(|inner| inner.kind() == Kind::Object)?;
            shape::is_card_inside(inner).then_some((name, inner))
        });
        if let Some((name, inner)) = wrapped {
            let identifier = entry.identifier.take();
            Self::common(inner, entry);
            entry.identifier = identifier.or(entry.identifier.take());
            entry.kind = EntryKind::Card;
            entry.data = Some(inner.span());
            entry.source = offered_by(inner);
            entry.notes.push(format!("The card stands in its member {name}."));
            return;
        }
        if node.get_set("type").or_else(|| node.get_set("mediaType")).is_some() && node.get_set("data").is_some() {
            self.content(node, entry);
            return;
        }
        let address = CARD_ADDRESSES.iter().find_map(|name| Some((name, text(node, &[name])?)));
        match address {
            Some((name, address)) => {
                entry.notes.push(format!("Its member {name} is taken for the address of a card."));
                self.locate(&address, entry);
            }
            None => entry.problem = Some("It is no card, and names no address of one.".to_owned()),
        }
    }

    /// A text in a list is an address.
    pub(super) fn bare_address(&self, node: Node<'_>, entry: &mut CatalogEntry) {
        let address = node.as_str().unwrap_or_default();
        self.locate(&address, entry);
        if entry.problem.is_some() {
            entry.title = address.chars().take(120).collect();
        }
    }
}

/// Who offers a card: its provider, or the host of its first address.
fn offered_by(card: Node<'_>) -> String {
    let provider = card.get("provider").and_then(|provider| text(provider, &["organization", "name"]));
    let interface = || card.get("supportedInterfaces").and_then(|list| text(list.items().next()?, &["url"]));
    let host = || text(card, &["url"]).or_else(interface).as_deref().and_then(host_of);
    provider.or_else(host).unwrap_or_default()
}

/// Texts of a list, or the `id` or `name` of its objects.
fn names(list: Node<'_>) -> Vec<String> {
    let name = |item: Node<'_>| item.as_str().map(Into::into).or_else(|| text(item, &["id", "name"]));
    list.items().filter_map(name).take(20).collect()
}

/// The registry's own address: what stands before the first of `marks`, or the origin.
fn registry_root(base: &Url, marks: &[&str]) -> Option<Url> {
    if !matches!(base.scheme(), "http" | "https") {
        return None;
    }
    let at = marks.iter().filter_map(|mark| base.path().find(mark)).min().unwrap_or(0);
    let mut root = base.clone();
    root.set_path(&base.path()[..at]);
    root.set_query(None);
    root.set_fragment(None);
    Some(root)
}

/// `root` with `segments` behind its path, each escaped.
fn below(root: &Url, segments: &[&str]) -> Option<Url> {
    let mut url = root.clone();
    url.path_segments_mut().ok()?.pop_if_empty().extend(segments);
    Some(url)
}

/// Whose versions a page lists.
pub(super) fn versions_title(kind: CatalogKind, base: Option<&Url>) -> Option<String> {
    let (_, artifact) = base.filter(|_| kind == CatalogKind::ApicurioVersions).and_then(artifact_of_path)?;
    Some(format!("Versions of {artifact}"))
}

/// Group and artifact in `…/groups/G/artifacts/A/versions`.
fn artifact_of_path(base: &Url) -> Option<(String, String)> {
    let segments: Vec<String> = base
        .path_segments()?
        .map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect();
    let after = |name: &str| {
        let at = segments.iter().position(|segment| segment == name)?;
        segments.get(at + 1).cloned()
    };
    Some((after("groups")?, after("artifacts")?))
}
