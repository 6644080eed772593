//! Changes to where and how the agent can be called.

use std::collections::HashSet;

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::other_fields::{self, Owner};
use super::side::Side;
use super::wording::{capital, quoted};
use crate::a2a::{Dialect, ProtocolBinding, ProtocolVersion};
use crate::card::facts::{Field, Interface};
use crate::card::pointer::JsonPointer;

const INTERFACE_REMOVED: Rule = Rule::new(
    "interface-removed",
    Level::Breaking,
    Group::Interfaces,
    "Clients that call this address fail, although others of the binding remain.",
);
const BINDING_REMOVED: Rule = Rule::new(
    "binding-removed",
    Level::Breaking,
    Group::Interfaces,
    "With its last interface of a version a binding is gone: clients that speak no other can no longer call the agent.",
);
const INTERFACE_ADDED: Rule =
    Rule::new("interface-added", Level::Compatible, Group::Interfaces, "One more way to call the agent.");
const BINDING_ADDED: Rule = Rule::new(
    "binding-added",
    Level::Compatible,
    Group::Interfaces,
    "Clients that speak only this binding, in this version, can now call the agent.",
);
const BINDING_RESPELLED: Rule = Rule::new(
    "interface-binding-respelled",
    Level::Risky,
    Group::Interfaces,
    "The specification's names are exact; readers differ in how much of another spelling they forgive.",
);
const ORIGIN_CHANGED: Rule = Rule::new(
    "interface-origin-changed",
    Level::Risky,
    Group::Interfaces,
    "Messages and credentials go to another host; clients that kept the old address fail or talk to whoever has it.",
)
.trust();
const PATH_CHANGED: Rule = Rule::new(
    "interface-path-changed",
    Level::Risky,
    Group::Interfaces,
    "The host stays the same; clients that kept the old address fail until they read the card again.",
);
const MAJOR_VERSION_CHANGED: Rule = Rule::new(
    "interface-major-version-changed",
    Level::Breaking,
    Group::Interfaces,
    "Another major version of the protocol is another language on the wire.",
);
const MINOR_VERSION_CHANGED: Rule = Rule::new(
    "interface-minor-version-changed",
    Level::Risky,
    Group::Interfaces,
    "A client that asks for the version it knows may be refused (§3.6.2).",
);
const PATCH_VERSION_CHANGED: Rule = Rule::new(
    "interface-patch-version-changed",
    Level::Docs,
    Group::Interfaces,
    "Clients ignore the patch part (§3.6), as they do another spelling of the same version.",
);
const VERSION_UNDECLARED: Rule = Rule::new(
    "interface-version-undeclared",
    Level::Breaking,
    Group::Interfaces,
    "Clients of 1.0 choose an interface by its protocolVersion, and one without is not chosen by the strict.",
);
const VERSION_DECLARED: Rule = Rule::new(
    "interface-version-declared",
    Level::Compatible,
    Group::Interfaces,
    "What clients had to assume is now said.",
);
const TENANT_CHANGED: Rule = Rule::new(
    "interface-tenant-changed",
    Level::Breaking,
    Group::Interfaces,
    "Requests must carry the tenant that the card names (§4.4.6); the old one, or none, leads elsewhere or nowhere.",
);
const TENANT_REMOVED: Rule = Rule::new(
    "interface-tenant-removed",
    Level::Risky,
    Group::Interfaces,
    "Requests without a tenant are served; whether those that still carry one are is the agent's choice.",
);
const PREFERRED_CHANGED: Rule = Rule::new(
    "preferred-interface-changed",
    Level::Risky,
    Group::Interfaces,
    "Clients take the first interface that they can speak to, and that is now another one.",
);
const REORDERED: Rule = Rule::new(
    "interfaces-reordered",
    Level::Risky,
    Group::Interfaces,
    "The order of interfaces is the agent's order of preference (§8.3.2); clients that cannot use the first are led otherwise.",
);

pub(super) const RULES: &[&Rule] = &[
    &INTERFACE_REMOVED,
    &BINDING_REMOVED,
    &INTERFACE_ADDED,
    &BINDING_ADDED,
    &BINDING_RESPELLED,
    &ORIGIN_CHANGED,
    &PATH_CHANGED,
    &MAJOR_VERSION_CHANGED,
    &MINOR_VERSION_CHANGED,
    &PATCH_VERSION_CHANGED,
    &VERSION_UNDECLARED,
    &VERSION_DECLARED,
    &TENANT_CHANGED,
    &TENANT_REMOVED,
    &PREFERRED_CHANGED,
    &REORDERED,
];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (before, after) = (&older.card.interfaces.rows, &newer.card.interfaces.rows);
    let matches = matched(before, after);
    // A client speaks a binding in one major version: the same binding in another one is of no use to it.
    let all = |rows: &'_ [Interface]| rows.iter().map(spoken).collect::<HashSet<_>>();
    let (spoken_before, spoken_after) = (all(before), all(after));
    for &at in &matches.only_older {
        removed(report, &before[at], spoken_after.contains(&spoken(&before[at])));
    }
    for &at in &matches.only_newer {
        added(report, &after[at], spoken_before.contains(&spoken(&after[at])));
    }
    for &(a, b) in &matches.pairs {
        let (a, b) = (&before[a], &after[b]);
        address(report, a, b);
        binding(report, (older, a), (newer, b));
        version(report, (older, a), (newer, b));
        tenant(report, (older, a), (newer, b));
        other_fields::compare(
            report,
            &Owner { group: Group::Interfaces, words: &said(b), known: &KNOWN },
            &without_repetitions(a),
            &without_repetitions(b),
        );
    }
    if !preference(report, before, after, &matches) {
        order(report, before, after, &matches);
    }
}

/// What A2A gives an interface, in any release.
const KNOWN: [&str; 5] = ["url", "protocolBinding", "transport", "protocolVersion", "tenant"];

/// The left-over members; that an entry says again what another one says is none.
fn without_repetitions(row: &Interface) -> Vec<Field> {
    row.other_fields.iter().filter(|field| !field.name.starts_with("additionalInterfaces ")).cloned().collect()
}

/// Interfaces are the same by binding, address and tenant, preferably of the same protocol; then by binding.
fn matched(older: &[Interface], newer: &[Interface]) -> Matches {
    let mut matches = Matches::none(older.len(), newer.len());
    matches.pass(
        |at| Some((identity(&older[at]), older[at].dialect)),
        |at| Some((identity(&newer[at]), newer[at].dialect)),
    );
    matches.pass(|at| Some(identity(&older[at])), |at| Some(identity(&newer[at])));
    let address = |row: &Interface| (row.binding.clone(), row.url.clone());
    matches.pass(|at| Some(address(&older[at])), |at| Some(address(&newer[at])));
    matches.pass(|at| Some(spoken(&older[at])), |at| Some(spoken(&newer[at])));
    matches.pass(|at| Some(&older[at].binding), |at| Some(&newer[at].binding));
    matches
}

fn spoken(row: &Interface) -> (ProtocolBinding, Option<Dialect>) {
    (row.binding.clone(), row.dialect)
}

fn identity(row: &Interface) -> (ProtocolBinding, String, String) {
    (row.binding.clone(), row.url.clone(), tenant_of(row).to_owned())
}

/// An empty tenant is none.
fn tenant_of(row: &Interface) -> &str {
    row.tenant.as_deref().unwrap_or_default()
}

fn said(row: &Interface) -> String {
    let binding = if row.binding.name().is_empty() { "unnamed" } else { row.binding.name() };
    format!("the {} interface at {}", binding, quoted(&row.url))
}

fn removed(report: &mut Report, row: &Interface, binding_remains: bool) {
    let sides = Sides::at(Some(&row.pointer), None).values(Some(row.url.clone()), None::<String>);
    if binding_remains {
        let message =
            format!("{} is gone; clients that call it there have to choose another entry.", capital(&said(row)));
        report.add(&INTERFACE_REMOVED, sides, message);
    } else {
        let message = format!(
            "{} was the last of its binding; clients that speak nothing else can no longer call the agent.",
            capital(&said(row))
        );
        report.add(&BINDING_REMOVED, sides, message);
    }
}

fn added(report: &mut Report, row: &Interface, binding_was_there: bool) {
    let sides = Sides::at(None, Some(&row.pointer)).values(None::<String>, Some(row.url.clone()));
    let message = format!("{} is new; clients may use it, none has to.", capital(&said(row)));
    let rule = if binding_was_there { &INTERFACE_ADDED } else { &BINDING_ADDED };
    report.add(rule, sides, message);
}

fn address(report: &mut Report, before: &Interface, after: &Interface) {
    if before.url == after.url {
        return;
    }
    let at = |row: &Interface| row.url_pointer.clone().unwrap_or_else(|| row.pointer.clone());
    let sides = Sides::at(Some(&at(before)), Some(&at(after))).values(Some(&before.url), Some(&after.url));
    let binding = after.binding.name();
    let (old, new) = (quoted(&before.url), quoted(&after.url));
    if origin(&before.url) == origin(&after.url) {
        let message = format!(
            "The {binding} interface moved from {old} to {new} on the same host; clients that kept the address fail until they read the card again."
        );
        report.add(&PATH_CHANGED, sides, message);
    } else {
        let message = format!(
            "The {binding} interface moved from {old} to {new}, another origin; messages and credentials of every client go there."
        );
        report.add(&ORIGIN_CHANGED, sides, message);
    }
}

fn origin(address: &str) -> Option<url::Origin> {
    // What is no URL has no origin, and every opaque origin differs from every other.
    url::Url::parse(address).ok().map(|url| url.origin())
}

/// The same binding under another of its names.
fn binding(report: &mut Report, (older, before): (&Side<'_>, &Interface), (newer, after): (&Side<'_>, &Interface)) {
    let (Some(old), Some(new)) = (&before.binding_text, &after.binding_text) else { return };
    if old == new || before.binding != after.binding {
        return;
    }
    let at = |side: &Side<'_>, row: &Interface| {
        ["protocolBinding", "transport"]
            .into_iter()
            .map(|name| side.member(&row.pointer, name))
            .find(|pointer| *pointer != row.pointer)
            .or_else(|| side.top("preferredTransport"))
    };
    let sides = Sides::at(at(older, before).as_ref(), at(newer, after).as_ref()).values(Some(old), Some(new));
    let message = format!(
        "The binding of {} is written {}, formerly {}; clients that compare names exactly do not know it.",
        said(after),
        quoted(new),
        quoted(old)
    );
    report.add(&BINDING_RESPELLED, sides, message);
}

fn version(report: &mut Report, (older, before): (&Side<'_>, &Interface), (newer, after): (&Side<'_>, &Interface)) {
    if before.version_text == after.version_text && before.dialect == after.dialect {
        return;
    }
    let at = |side: &Side<'_>, row: &Interface| version_pointer(side, row);
    let sides = Sides::at(Some(&at(older, before)), Some(&at(newer, after)))
        .values(before.version_text.as_ref(), after.version_text.as_ref());
    let effective = |row: &Interface| {
        row.version_text.clone().or_else(|| row.dialect.map(|dialect| dialect.label().to_owned())).unwrap_or_default()
    };
    let (old, new) = (effective(before), effective(after));
    let which = said(after);
    let numbers = (ProtocolVersion::parse(&old), ProtocolVersion::parse(&new));
    let rule = match numbers {
        (Some(a), Some(b)) if a.major != b.major => &MAJOR_VERSION_CHANGED,
        (Some(a), Some(b)) if a == b => match (&before.version_text, &after.version_text) {
            (Some(_), None) if after.dialect == Some(Dialect::V1_0) => &VERSION_UNDECLARED,
            (None, Some(_)) if before.dialect == Some(Dialect::V1_0) => &VERSION_DECLARED,
            _ => &PATCH_VERSION_CHANGED,
        },
        _ => &MINOR_VERSION_CHANGED,
    };
    let message = match rule.name {
        "interface-major-version-changed" => {
            format!("{which} speaks A2A {new} instead of {old}; clients of {old} can no longer call it.")
        }
        "interface-version-undeclared" => {
            format!("{which} no longer says that it speaks {old}; strict clients pass it over.")
        }
        "interface-version-declared" => {
            format!("{which} now says that it speaks {new}; clients had to assume that before.")
        }
        "interface-patch-version-changed" => {
            format!("{which} writes its version otherwise ({old}, now {new}); clients go by major and minor alone.")
        }
        _ => format!("{which} speaks A2A {new} instead of {old}; clients that ask for {old} may be refused."),
    };
    report.add(rule, sides, capital(&message));
}

/// Where the version of an interface is said: in the entry, or in the card for `url` and `additionalInterfaces`.
fn version_pointer(side: &Side<'_>, row: &Interface) -> JsonPointer {
    let own = side.member(&row.pointer, "protocolVersion");
    if own != row.pointer || row.pointer.as_str().starts_with("/supported") {
        return own;
    }
    if row.version_text.is_some() { side.top("protocolVersion").unwrap_or(own) } else { own }
}

fn tenant(report: &mut Report, (older, before): (&Side<'_>, &Interface), (newer, after): (&Side<'_>, &Interface)) {
    let (old, new) = (tenant_of(before), tenant_of(after));
    if old == new {
        return;
    }
    let at = |side: &Side<'_>, row: &Interface| side.member(&row.pointer, "tenant");
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let sides = Sides::at(Some(&at(older, before)), Some(&at(newer, after))).values(some(old), some(new));
    let which = capital(&said(after));
    if new.is_empty() {
        let message = format!(
            "{which} no longer names the tenant {}; clients that still send it depend on the agent's patience.",
            quoted(old)
        );
        report.add(&TENANT_REMOVED, sides, message);
    } else {
        let was = if old.is_empty() { "none".to_owned() } else { quoted(old) };
        let message = format!(
            "{which} asks for the tenant {}, formerly {was}; requests without it are not for this agent.",
            quoted(new)
        );
        report.add(&TENANT_CHANGED, sides, message);
    }
}

/// Whether the first interface of any protocol became another one while one of the two is on both sides.
fn preference(report: &mut Report, older: &[Interface], newer: &[Interface], matches: &Matches) -> bool {
    let (paired_older, paired_newer): (HashSet<usize>, HashSet<usize>) = matches.pairs.iter().copied().unzip();
    let mut found = false;
    for dialect in [Some(Dialect::V1_0), Some(Dialect::V0_3), None] {
        let first = |rows: &[Interface]| rows.iter().position(|row| row.dialect == dialect);
        let (Some(a), Some(b)) = (first(older), first(newer)) else { continue };
        let remains = paired_older.contains(&a) || paired_newer.contains(&b);
        if matches.pairs.contains(&(a, b)) || !remains {
            continue;
        }
        let (before, after) = (&older[a], &newer[b]);
        let sides = Sides::at(Some(&before.pointer), Some(&after.pointer)).values(
            Some(format!("{} {}", before.binding.name(), before.url)),
            Some(format!("{} {}", after.binding.name(), after.url)),
        );
        let clients = dialect.map_or_else(|| "Clients".to_owned(), |dialect| format!("Clients of {}", dialect.label()));
        let message =
            format!("{clients} that take what comes first now use {}, formerly {}.", said(after), said(before));
        report.add(&PREFERRED_CHANGED, sides, message);
        found = true;
    }
    found
}

fn order(report: &mut Report, older: &[Interface], newer: &[Interface], matches: &Matches) {
    let mut turned = matches.pairs.windows(2).filter(|pair| pair[0].1 > pair[1].1);
    if turned.next().is_none() {
        return;
    }
    let list = |rows: &[Interface]| rows.first().and_then(|row| row.pointer.parent());
    let names =
        |rows: &[Interface]| rows.iter().map(|row| row.binding.name().to_owned()).collect::<Vec<_>>().join(", ");
    let sides = Sides::at(list(older).as_ref(), list(newer).as_ref()).values(Some(names(older)), Some(names(newer)));
    report.add(
        &REORDERED,
        sides,
        "The interfaces stand in another order; clients that cannot use the first are led to another one.".to_owned(),
    );
}
