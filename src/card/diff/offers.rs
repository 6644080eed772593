//! Interfaces that only one of two cards offers, and what the other one has in their place.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::change::{Group, Level, Report, Rule, Sides};
use super::interfaces::{named, tenant_of};
use super::same_address::normal;
use super::wording::{listed, quoted};
use crate::a2a::{Dialect, ProtocolBinding, ProtocolVersion};
use crate::card::facts::Interface;

const INTERFACE_REMOVED: Rule = Rule::new(
    "interface-removed",
    Level::Breaking,
    Group::Interfaces,
    "Clients that call this address fail, although others of the binding remain. Docs where the entry was only listed twice.",
);
const BINDING_REMOVED: Rule = Rule::new(
    "binding-removed",
    Level::Breaking,
    Group::Interfaces,
    "With its last interface of a version a binding is gone: clients that speak no other can no longer call the agent.",
);
const INTERFACE_ADDED: Rule = Rule::new(
    "interface-added",
    Level::Compatible,
    Group::Interfaces,
    "One more way to call the agent. Docs where the entry is only listed once more.",
);
const BINDING_ADDED: Rule = Rule::new(
    "binding-added",
    Level::Compatible,
    Group::Interfaces,
    "Clients that speak only this binding, in this version, can now call the agent.",
);
pub(super) const RULES: &[&Rule] = &[&INTERFACE_REMOVED, &BINDING_REMOVED, &INTERFACE_ADDED, &BINDING_ADDED];

type Spoken<'a> = (&'a ProtocolBinding, Option<Dialect>, Option<u16>);
type Identity<'a> = (&'a ProtocolBinding, String, &'a str);

/// What a client has to speak: a binding in one major version. The same binding in another one is of no use to it.
pub(super) fn spoken(row: &Interface) -> Spoken<'_> {
    let major = || Some(ProtocolVersion::parse(row.version_text.as_deref()?)?.major);
    (&row.binding, row.dialect, if row.dialect.is_some() { None } else { major() })
}

pub(super) fn identity(row: &Interface) -> Identity<'_> {
    (&row.binding, normal(&row.url), tenant_of(row))
}

/// Major.Minor, as clients go by it; else as declared.
fn version_of(row: &Interface) -> Option<String> {
    match &row.version_text {
        Some(text) => Some(ProtocolVersion::parse(text).map_or_else(|| quoted(text), |version| version.to_string())),
        None => row.dialect.map(|dialect| dialect.label().to_owned()),
    }
}

/// What a card offers, so that nothing has to be looked for in its list.
#[derive(Default)]
pub(super) struct Offered<'a> {
    entries: HashSet<(Identity<'a>, Spoken<'a>)>,
    spoken: HashSet<Spoken<'a>>,
    versions: HashMap<&'a ProtocolBinding, BTreeSet<String>>,
    /// The versions of a binding at one address, whatever the tenant.
    versions_at: HashMap<(&'a ProtocolBinding, String), BTreeSet<String>>,
}

impl<'a> Offered<'a> {
    pub(super) fn of(rows: &'a [Interface]) -> Self {
        let mut offered = Self::default();
        for row in rows {
            offered.entries.insert((identity(row), spoken(row)));
            offered.spoken.insert(spoken(row));
            offered.versions.entry(&row.binding).or_default().extend(version_of(row));
            offered.versions_at.entry((&row.binding, normal(&row.url))).or_default().extend(version_of(row));
        }
        offered
    }
}

/// The versions of each binding on either side, to tell interfaces apart in sentences.
pub(super) struct Names<'a>(HashMap<&'a ProtocolBinding, BTreeSet<&'a str>>);

impl<'a> Names<'a> {
    pub(super) fn of(older: &'a Offered<'a>, newer: &'a Offered<'a>) -> Self {
        let mut names: HashMap<_, BTreeSet<&str>> = HashMap::new();
        for (binding, versions) in older.versions.iter().chain(&newer.versions) {
            names.entry(*binding).or_default().extend(versions.iter().map(String::as_str));
        }
        Self(names)
    }

    /// " A2A 0.3" behind a space and `word` where the binding is there in another version as well.
    pub(super) fn version(&self, word: &str, row: &Interface) -> String {
        let several = self.0.get(&row.binding).is_some_and(|versions| versions.len() > 1);
        version_of(row).filter(|_| several).map_or_else(String::new, |version| format!(" {word} A2A {version}"))
    }
}

/// An interface that is on one side alone.
struct Alone<'a> {
    /// As a sentence begins: "The JSONRPC interface for A2A 0.3 at \"…\"".
    which: String,
    /// "clients", or those of a version.
    clients: String,
    /// The other side has the same entry, only not as often.
    is_repetition: bool,
    /// The other side has the binding in this version.
    has_spoken: bool,
    /// The versions in which it has the binding.
    versions: Vec<&'a str>,
    /// The other versions that it has at this very address.
    versions_here: Vec<&'a str>,
}

impl<'a> Alone<'a> {
    fn of(names: &Names<'_>, row: &'a Interface, others: &'a Offered<'_>) -> Self {
        let is_repetition = others.entries.contains(&(identity(row), spoken(row)));
        let own = version_of(row);
        let here = others.versions_at.get(&(&row.binding, normal(&row.url)));
        let has_own_here = own.as_ref().is_some_and(|own| here.is_some_and(|versions| versions.contains(own)));
        let tenant = match tenant_of(row) {
            "" if is_repetition || !has_own_here => String::new(),
            "" => " without a tenant".to_owned(),
            tenant => format!(" for the tenant {}", quoted(tenant)),
        };
        let (binding, version) = (named(row), names.version("for", row));
        let texts = |versions: Option<&'a BTreeSet<String>>| versions.into_iter().flatten().map(String::as_str);
        Self {
            which: format!("The {binding} interface{version} at {}{tenant}", quoted(&row.url)),
            clients: format!("clients{}", names.version("of", row)),
            is_repetition,
            has_spoken: others.spoken.contains(&spoken(row)),
            versions: texts(others.versions.get(&row.binding)).collect(),
            versions_here: texts(here).filter(|version| Some(*version) != own.as_deref()).collect(),
        }
    }
}

pub(super) fn removed(report: &mut Report, names: &Names<'_>, row: &Interface, after: &Offered<'_>) {
    let sides = Sides::at(Some(&row.pointer), None).values(Some(row.url.clone()), None::<String>);
    let alone = Alone::of(names, row, after);
    let (which, clients, binding) = (&alone.which, &alone.clients, named(row));
    if alone.is_repetition {
        let message = format!("{which} is listed once less; it is still there, so that nobody is affected.");
        return report.add_as(&INTERFACE_REMOVED, Level::Docs, sides, message);
    }
    let there = match alone.versions_here[..] {
        [] => String::new(),
        _ => format!(", that for {} is there", listed(&alone.versions_here)),
    };
    if alone.has_spoken {
        let message = format!("{which} is gone{there}; {clients} that call it there have to choose another entry.");
        report.add(&INTERFACE_REMOVED, sides, message);
    } else if alone.versions.is_empty() {
        let message = format!(
            "{which} is gone and no {binding} interface is left; clients that speak nothing else can no longer call the agent."
        );
        report.add(&BINDING_REMOVED, sides, message);
    } else {
        let message = format!(
            "{which} is gone{there}; {clients} that speak nothing but {binding} can no longer call the agent, those of {} can.",
            listed(&alone.versions)
        );
        report.add(&BINDING_REMOVED, sides, message);
    }
}

pub(super) fn added(report: &mut Report, names: &Names<'_>, row: &Interface, before: &Offered<'_>) {
    let sides = Sides::at(None, Some(&row.pointer)).values(None::<String>, Some(row.url.clone()));
    let alone = Alone::of(names, row, before);
    let (which, clients) = (&alone.which, &alone.clients);
    if alone.is_repetition {
        let message = format!("{which} is listed once more; it was there already, so that nobody is affected.");
        return report.add_as(&INTERFACE_ADDED, Level::Docs, sides, message);
    }
    let beside = match alone.versions_here[..] {
        [] => String::new(),
        _ => format!(", at an address known for {}", listed(&alone.versions_here)),
    };
    let message = format!("{which} is new{beside}; {clients} may use it, none has to.");
    let rule = if alone.has_spoken { &INTERFACE_ADDED } else { &BINDING_ADDED };
    report.add(rule, sides, message);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::card::diff::CardDiff;
    use crate::card::facts::Origin;
    use crate::card::{Document, Inspection};

    /// A card with these entries of `supportedInterfaces`: "JSONRPC 1.0 https://a.example tenant".
    fn card(entries: &[&str]) -> Inspection {
        let entry = |entry: &&str| {
            let words: Vec<&str> = entry.split(' ').collect();
            let tenant = words.get(3).map_or_else(String::new, |tenant| format!(r#", "tenant": "{tenant}""#));
            format!(
                r#"{{"protocolBinding": "{}", "protocolVersion": "{}", "url": "{}"{tenant}}}"#,
                words[0], words[1], words[2]
            )
        };
        let entries: Vec<String> = entries.iter().map(entry).collect();
        let text = format!(r#"{{"name": "A", "supportedInterfaces": [{}]}}"#, entries.join(", "));
        Inspection::of(Arc::new(Document::new(text)), Origin::default())
    }

    fn sentences(older: &[&str], newer: &[&str]) -> Vec<String> {
        let changes = CardDiff::of(&card(older), &card(newer)).changes;
        changes.into_iter().map(|change| format!("{} {}", change.level.label(), change.message)).collect()
    }

    #[test]
    fn who_loses_a_version_is_not_told_to_those_of_another() {
        let (new, both) =
            (["JSONRPC 1.0 https://a.example"], ["JSONRPC 1.0 https://a.example", "JSONRPC 0.3 https://a.example"]);
        let gone = "breaking The JSONRPC interface for A2A 0.3 at \"https://a.example\" is gone, that for 1.0 is there; clients of A2A 0.3 that speak nothing but JSONRPC can no longer call the agent, those of 1.0 can.";
        assert_eq!(sentences(&both, &new), [gone]);
        let come = "compatible The JSONRPC interface for A2A 0.3 at \"https://a.example\" is new, at an address known for 1.0; clients of A2A 0.3 may use it, none has to.";
        assert_eq!(sentences(&new, &both), [come]);
    }

    #[test]
    fn what_is_said_of_interfaces_that_go_together_is_true_of_each() {
        let older =
            ["HTTP+JSON 1.0 https://a.example", "JSONRPC 1.0 https://a.example", "JSONRPC 1.0 https://a.example t"];
        let found = sentences(&older, &older[..1]);
        assert_eq!(found.len(), 2);
        assert!(
            found.iter().all(|text| text.contains("is gone and no JSONRPC interface is left; clients")),
            "{found:?}"
        );
        assert!(found[1].contains("at \"https://a.example\" for the tenant \"t\" is gone"), "{found:?}");
    }

    #[test]
    fn one_of_the_same_entry_twice_is_missed_by_nobody() {
        let (once, twice) = (
            ["JSONRPC 1.0 https://a.example"],
            ["JSONRPC 1.0 https://a.example", "JSONRPC 1.0 https://A.example:443/"],
        );
        assert!(sentences(&twice, &once)[0].starts_with("docs "));
        assert!(sentences(&once, &twice)[0].starts_with("docs "));
        let other_tenant = ["JSONRPC 1.0 https://a.example", "JSONRPC 1.0 https://a.example t"];
        assert!(sentences(&other_tenant, &once)[0].starts_with("breaking "));
    }
}
