//! Changes to the flows of an OAuth 2.0 scheme: how a token is had, and what it can be limited to.

use super::change::{Group, Level, Report, Rule, Sides};
use super::matching::{Matches, set_changes};
use super::other_fields::{self, Owner};
use super::same_address::same_address;
use super::schemes::{LOGIN_URL_CHANGED, Pair};
use super::side::by_name;
use super::wording::{capital, listed, quoted, text_of};
use crate::card::facts::Field;

const FLOW_REMOVED: Rule = Rule::new(
    "oauth-flow-removed",
    Level::Breaking,
    Group::Access,
    "Clients that get their token this way no longer can.",
);
const FLOW_ADDED: Rule =
    Rule::new("oauth-flow-added", Level::Compatible, Group::Access, "One more way to get a token.");
const PKCE_NOW_REQUIRED: Rule =
    Rule::new("pkce-now-required", Level::Breaking, Group::Access, "Clients that sign in without PKCE are refused.");
const PKCE_NO_LONGER_REQUIRED: Rule = Rule::new(
    "pkce-no-longer-required",
    Level::Risky,
    Group::Access,
    "Nobody is refused, but a protection against stolen codes is no longer enforced.",
);
const OFFERED_SCOPE_REMOVED: Rule = Rule::new(
    "offered-scope-removed",
    Level::Risky,
    Group::Access,
    "Clients that ask for the scope may be refused a token.",
);
const OFFERED_SCOPE_ADDED: Rule =
    Rule::new("offered-scope-added", Level::Compatible, Group::Access, "Clients may ask for one more scope.");
const SCOPE_DESCRIPTION_CHANGED: Rule = Rule::new(
    "scope-description-changed",
    Level::Docs,
    Group::Access,
    "What people read before they agree to a scope.",
);
const LOGIN_URL_RESPELLED: Rule = Rule::new(
    "login-url-respelled",
    Level::Docs,
    Group::Access,
    "Case of scheme and host, the standard port and an empty path make no other address (RFC 3986 §6.2): people and secrets go where they went.",
);

pub(super) const RULES: &[&Rule] = &[
    &FLOW_REMOVED,
    &FLOW_ADDED,
    &PKCE_NOW_REQUIRED,
    &PKCE_NO_LONGER_REQUIRED,
    &OFFERED_SCOPE_REMOVED,
    &OFFERED_SCOPE_ADDED,
    &SCOPE_DESCRIPTION_CHANGED,
    &LOGIN_URL_RESPELLED,
];

pub(super) fn compare(report: &mut Report, pair: &Pair<'_>, before: Option<&Field>, after: Option<&Field>) {
    let children = |field: Option<&Field>| field.map(|field| field.children.clone()).unwrap_or_default();
    let (old, new) = (children(before), children(after));
    let mut matches = Matches::none(old.len(), new.len());
    matches.pass(|at| Some(&old[at].name), |at| Some(&new[at].name));
    for &at in &matches.only_older {
        let flow = &old[at];
        let sides = Sides::at(flow.pointer.as_ref(), None).values(Some(&flow.name), None::<String>);
        let message = format!(
            "The flow {} of {} is gone; clients that get their token this way no longer can.",
            quoted(&flow.name),
            pair.which
        );
        report.add(&FLOW_REMOVED, sides, message);
    }
    for &at in &matches.only_newer {
        let flow = &new[at];
        let sides = Sides::at(None, flow.pointer.as_ref()).values(None::<String>, Some(&flow.name));
        report.add(
            &FLOW_ADDED,
            sides,
            format!("The flow {} of {} is new; clients may get their token this way.", quoted(&flow.name), pair.which),
        );
    }
    for &(a, b) in &matches.pairs {
        flow(report, pair, &old[a], &new[b]);
    }
}

/// Where a flow sends people and secrets.
const LOGIN_URLS: [&str; 4] = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"];

fn flow(report: &mut Report, pair: &Pair<'_>, before: &Field, after: &Field) {
    let (old, new) = (by_name(&before.children), by_name(&after.children));
    let pair = pair.part(format!("the flow {} of {}", quoted(&after.name), pair.which));
    for name in LOGIN_URLS {
        let fields = (old.get(name).copied(), new.get(name).copied());
        login_url(report, &pair, name, fields, "people and secrets are sent there");
    }
    let (before_pkce, after_pkce) = (old.get("pkceRequired").copied(), new.get("pkceRequired").copied());
    let required = |field: Option<&Field>| field.and_then(text_of).as_deref() == Some("true");
    match (required(before_pkce), required(after_pkce)) {
        (false, true) => {
            let message =
                format!("{} now requires PKCE; clients that sign in without it are refused.", capital(&pair.which));
            report.add(&PKCE_NOW_REQUIRED, pair.at(before_pkce, after_pkce), message);
        }
        (true, false) => {
            let message = format!(
                "{} no longer requires PKCE; nobody is refused, but stolen codes are worth more.",
                capital(&pair.which)
            );
            report.add(&PKCE_NO_LONGER_REQUIRED, pair.at(before_pkce, after_pkce), message);
        }
        _ => {}
    }
    offered_scopes(report, &pair, old.get("scopes").copied(), new.get("scopes").copied());
    let is_known = |field: &&Field| {
        LOGIN_URLS.contains(&field.name.as_str()) || matches!(field.name.as_str(), "pkceRequired" | "scopes")
    };
    let rest = |flow: &Field| flow.children.iter().filter(|field| !is_known(field)).cloned().collect::<Vec<_>>();
    let owner = Owner { group: Group::Access, words: &pair.which, known: &[] };
    other_fields::compare(report, &owner, &rest(before), &rest(after));
}

/// An address where clients sign in, in a flow or in the scheme itself.
pub(super) fn login_url(
    report: &mut Report,
    pair: &Pair<'_>,
    name: &str,
    (before, after): (Option<&Field>, Option<&Field>),
    effect: &str,
) {
    if let (Some(old), Some(new)) = (before.and_then(text_of), after.and_then(text_of))
        && old != new
        && same_address(&old, &new)
    {
        let message = format!(
            "The {name} of {} is written {}, formerly {}; it is the same address.",
            pair.which,
            quoted(&new),
            quoted(&old)
        );
        return report.add(&LOGIN_URL_RESPELLED, pair.at(before, after), message);
    }
    pair.field(report, &LOGIN_URL_CHANGED, name, (before, after), effect);
}

fn offered_scopes(report: &mut Report, pair: &Pair<'_>, before: Option<&Field>, after: Option<&Field>) {
    let names = |field: Option<&Field>| -> Vec<String> {
        field.map(|field| field.children.iter().map(|scope| scope.name.clone()).collect()).unwrap_or_default()
    };
    let (old, new) = (names(before), names(after));
    let (gone, come) = set_changes(&old, &new);
    let text = |names: &[String]| (!names.is_empty()).then(|| names.join(", "));
    let sides = || pair.at(before, after).values(text(&old), text(&new));
    if !gone.is_empty() {
        let message = format!(
            "{} no longer offers the scope {}; clients that ask for it may get no token.",
            capital(&pair.which),
            listed(&gone)
        );
        report.add(&OFFERED_SCOPE_REMOVED, sides(), message);
    }
    if !come.is_empty() {
        let message =
            format!("{} offers the scope {} too; clients may ask for it.", capital(&pair.which), listed(&come));
        report.add(&OFFERED_SCOPE_ADDED, sides(), message);
    }
    let (Some(before), Some(after)) = (before, after) else { return };
    let others = by_name(&after.children);
    for scope in &before.children {
        let Some(other) = others.get(scope.name.as_str()) else { continue };
        if text_of(scope) != text_of(other) {
            let message = format!(
                "The scope {} of {} is described otherwise; people who are asked to agree read something else.",
                quoted(&scope.name),
                pair.which
            );
            report.add(&SCOPE_DESCRIPTION_CHANGED, pair.at(Some(scope), Some(other)), message);
        }
    }
}
