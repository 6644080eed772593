//! A card as rules look at it: the halves it has, its interfaces, skills and schemes, all found once.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::facts::{Inspection, Shape};
use super::super::json::{Kind, Node};
use super::differences::Differences;
use super::schema::{AGENT_CARD, Era, Member, field, is_snake_case_of};

/// What every rule is given.
pub(super) struct Card<'a> {
    pub(super) inspection: &'a Inspection,
    pub(super) root: Node<'a>,
    /// Judged by 1.0: it has that shape, or that half.
    pub(super) newer: bool,
    /// Judged by 0.3 or 0.2: it has that shape, or that half.
    pub(super) older: bool,
    /// The members of the root that the specification knows, found once: a document may have many others.
    top_level: HashMap<&'static str, Node<'a>>,
    pub(super) differences: Differences<'a>,
    pub(super) entries: Vec<Entry<'a>>,
    /// The items of `skills` that are objects.
    pub(super) skills: Vec<Node<'a>>,
    /// The members of `securitySchemes`, by name.
    pub(super) schemes: Vec<(Cow<'a, str>, Node<'a>)>,
    pub(super) scheme_names: HashSet<Cow<'a, str>>,
}

/// A member's node with its text.
pub(super) type TextAt<'a> = (Node<'a>, Cow<'a, str>);

/// One declared way to call the agent.
pub(super) struct Entry<'a> {
    /// The entry; the card itself for the main `url` of before 1.0.
    pub(super) node: Node<'a>,
    pub(super) url: Option<TextAt<'a>>,
    /// `protocolBinding`, `preferredTransport` or `transport`.
    pub(super) binding: Option<TextAt<'a>>,
    /// Of an entry of `supportedInterfaces` only.
    pub(super) version: Option<TextAt<'a>>,
    pub(super) tenant: Option<TextAt<'a>>,
    /// An entry of `supportedInterfaces`.
    pub(super) newer: bool,
}

impl<'a> Card<'a> {
    pub(super) fn new(inspection: &'a Inspection, root: Node<'a>) -> Self {
        let newer = matches!(inspection.shape, Shape::V1_0 | Shape::Hybrid);
        let older = inspection.shape != Shape::V1_0;
        let top_level = top_level(root);
        let of = |name: &str| top_level.get(name).copied();
        let schemes: Vec<_> = of("securitySchemes").into_iter().flat_map(|node| node.members()).collect();
        let skills = of("skills").into_iter().flat_map(|list| list.items());
        Self {
            inspection,
            root,
            newer,
            older,
            differences: Differences::of(root, newer, older),
            entries: entries(root, of),
            skills: skills.filter(|skill| skill.kind() == Kind::Object).collect(),
            scheme_names: schemes.iter().map(|(name, _)| name.clone()).collect(),
            schemes,
            top_level,
        }
    }

    /// The release that a sentence names: "A2A 1.0" for a card that has that half, else its own.
    pub(super) fn release(&self) -> &'static str {
        match self.inspection.shape {
            Shape::V0_2 => "A2A 0.2",
            Shape::V0_3 => "A2A 0.3",
            _ => "A2A 1.0",
        }
    }

    /// The top-level member called `name` or its snake_case alias, unless it is null.
    pub(super) fn field(&self, name: &str) -> Option<Node<'a>> {
        self.top_level.get(name).copied()
    }

    /// Whether the card belongs to an era that knows `member`.
    pub(super) fn expects(&self, member: &Member) -> bool {
        match member.era {
            Era::Both => true,
            Era::Newer => self.newer,
            Era::Older => self.older,
        }
    }

    /// The object `capabilities`.
    pub(super) fn capabilities(&self) -> Option<Node<'a>> {
        self.field("capabilities").filter(|node| node.kind() == Kind::Object)
    }

    /// The items of `capabilities.extensions` that are objects.
    pub(super) fn extensions(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        self.capabilities()
            .into_iter()
            .flat_map(|capabilities| items(capabilities, "extensions"))
            .filter(|item| item.kind() == Kind::Object)
    }

    /// The URL that the document came from, if it came over HTTP.
    pub(super) fn source(&self) -> Option<url::Url> {
        let origin = &self.inspection.origin;
        let url = origin.final_url.as_deref().or(origin.requested_url.as_deref())?;
        url::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
    }
}

/// The items of the list `name` in `object`.
pub(super) fn items<'a>(object: Node<'a>, name: &str) -> impl Iterator<Item = Node<'a>> + use<'a> {
    field(object, name).into_iter().flat_map(|list| list.items())
}

fn text_at<'a>(object: Node<'a>, name: &str) -> Option<TextAt<'a>> {
    let node = field(object, name)?;
    Some((node, node.as_str()?))
}

/// The members of the card that any release knows, by name, nulls left out; a snake_case alias serves in need.
fn top_level(root: Node<'_>) -> HashMap<&'static str, Node<'_>> {
    // No release knows `extensions` here, but cards have them, and a rule says where they belong.
    let names: Vec<_> = AGENT_CARD.members.iter().map(|member| member.name).chain(["extensions"]).collect();
    let mut found = HashMap::new();
    let mut aliases = HashMap::new();
    for (key, node) in root.members() {
        if let Some(name) = names.iter().find(|name| key == **name) {
            found.insert(*name, node);
        } else if let Some(name) = names.iter().find(|name| is_snake_case_of(&key, name)) {
            aliases.insert(*name, node);
        }
    }
    for (name, node) in aliases {
        found.entry(name).or_insert(node);
    }
    found.retain(|_, node| !node.is_null());
    found
}

fn entries<'a>(root: Node<'a>, of: impl Fn(&str) -> Option<Node<'a>>) -> Vec<Entry<'a>> {
    let objects =
        |name: &str| of(name).into_iter().flat_map(|list| list.items()).filter(|item| item.kind() == Kind::Object);
    let text_of = |name: &str| of(name).and_then(|node| Some((node, node.as_str()?)));
    let mut entries = Vec::new();
    for node in objects("supportedInterfaces") {
        entries.push(Entry {
            node,
            url: text_at(node, "url"),
            binding: text_at(node, "protocolBinding").or_else(|| text_at(node, "transport")),
            version: text_at(node, "protocolVersion"),
            tenant: text_at(node, "tenant"),
            newer: true,
        });
    }
    if let Some(url) = text_of("url") {
        let binding = text_of("preferredTransport");
        entries.push(Entry { node: root, url: Some(url), binding, version: None, tenant: None, newer: false });
    }
    for node in objects("additionalInterfaces") {
        let binding = text_at(node, "transport").or_else(|| text_at(node, "protocolBinding"));
        entries.push(Entry { node, url: text_at(node, "url"), binding, version: None, tenant: None, newer: false });
    }
    entries
}

/// Whether `name` is `known` but for its case, its underscores or its hyphens.
pub(super) fn same_letters(name: &str, known: &str) -> bool {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    is_snake_case_of(name, known) || letters(name).eq_ignore_ascii_case(&letters(known))
}
