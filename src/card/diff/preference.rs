//! Changes to which interface clients take where they can choose.

use std::collections::HashSet;

use super::change::{Group, Level, Report, Rule, Sides};
use super::interfaces::said;
use super::matching::Matches;
use crate::a2a::Dialect;
use crate::card::facts::Interface;

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

pub(super) const RULES: &[&Rule] = &[&PREFERRED_CHANGED, &REORDERED];

/// Says that another interface is preferred; failing that, that those behind it stand otherwise.
pub(super) fn compare(report: &mut Report, older: &[Interface], newer: &[Interface], matches: &Matches) {
    if !preference(report, older, newer, matches) {
        order(report, older, newer, matches);
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
