//! Changes to where and how the agent can be called.

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::Matches;
use super::offers::{self, Names, Offered, identity, spoken};
use super::other_fields::{self, Owner};
use super::preference;
use super::same_address::{normal, same_address};
use super::side::Side;
use super::wording::{capital, quoted};
use crate::a2a::{Dialect, ProtocolVersion};
use crate::card::facts::{Field, Interface};
use crate::card::pointer::JsonPointer;

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
const ADDRESS_RESPELLED: Rule = Rule::new(
    "interface-address-respelled",
    Level::Docs,
    Group::Interfaces,
    "Case of scheme and host, the standard port and an empty path make no other address (RFC 3986 §6.2): clients go where they went. Only who compares texts can notice.",
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
pub(super) const RULES: &[&Rule] = &[
    &BINDING_RESPELLED,
    &ORIGIN_CHANGED,
    &PATH_CHANGED,
    &ADDRESS_RESPELLED,
    &MAJOR_VERSION_CHANGED,
    &MINOR_VERSION_CHANGED,
    &PATCH_VERSION_CHANGED,
    &VERSION_UNDECLARED,
    &VERSION_DECLARED,
    &TENANT_CHANGED,
    &TENANT_REMOVED,
];

pub(super) fn compare(report: &mut Report, older: &Side<'_>, newer: &Side<'_>) {
    let (before, after) = (&older.card.interfaces.rows, &newer.card.interfaces.rows);
    let matches = matched(before, after);
    let (offered_before, offered_after) = (Offered::of(before), Offered::of(after));
    let names = Names::of(&offered_before, &offered_after);
    for &at in &matches.only_older {
        offers::removed(report, &names, &before[at], &offered_after);
    }
    for &at in &matches.only_newer {
        offers::added(report, &names, &after[at], &offered_before);
    }
    for &(a, b) in &matches.pairs {
        let (a, b) = (&before[a], &after[b]);
        address(report, &names, a, b);
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
    preference::compare(report, before, after, &matches);
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
    let address = |row: &Interface| (row.binding.clone(), normal(&row.url));
    matches.pass(|at| Some(address(&older[at])), |at| Some(address(&newer[at])));
    matches.pass(|at| Some(spoken(&older[at])), |at| Some(spoken(&newer[at])));
    matches.pass(|at| Some(&older[at].binding), |at| Some(&newer[at].binding));
    matches
}

/// An empty tenant is none.
pub(super) fn tenant_of(row: &Interface) -> &str {
    row.tenant.as_deref().unwrap_or_default()
}

pub(super) fn said(row: &Interface) -> String {
    format!("the {} interface at {}", named(row), quoted(&row.url))
}

pub(super) fn named(row: &Interface) -> &str {
    if row.binding.name().is_empty() { "unnamed" } else { row.binding.name() }
}

fn address(report: &mut Report, names: &Names<'_>, before: &Interface, after: &Interface) {
    if before.url == after.url {
        return;
    }
    let at = |row: &Interface| row.url_pointer.clone().unwrap_or_else(|| row.pointer.clone());
    let sides = Sides::at(Some(&at(before)), Some(&at(after))).values(Some(&before.url), Some(&after.url));
    let (binding, version) = (named(after), names.version("for", after));
    let (old, new) = (quoted(&before.url), quoted(&after.url));
    if same_address(&before.url, &after.url) {
        let message = format!(
            "The address of the {binding} interface{version} is written {new}, formerly {old}; it is the same for clients, which go where they went."
        );
        report.add(&ADDRESS_RESPELLED, sides, message);
    } else if origin(&before.url) == origin(&after.url) {
        let message = format!(
            "The {binding} interface{version} moved from {old} to {new} on the same host; clients that kept the address fail until they read the card again."
        );
        report.add(&PATH_CHANGED, sides, message);
    } else {
        let message = format!(
            "The {binding} interface{version} moved from {old} to {new}, another origin; messages and credentials of every client go there."
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
