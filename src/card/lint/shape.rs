//! Rules on which release a card is written for, and on members that no release knows.

use super::super::facts::{Inspection, Shape};
use super::Severity::{Error, Hint, Info, Warning};
use super::card::{Card, TextAt, same_letters};
use super::report::{Report, listed, quoted};
use super::schema::{AGENT_CARD, Schema};
use super::{Finding, Rule};
use crate::a2a::ProtocolVersion;
use crate::card::JsonPointer;

/// Among more foreign names than this nobody looks for a slip of the pen.
const MAX_GUESSED: usize = 200;

/// What is no card gets this one finding, from [`not_a_card`]; no other rule is asked.
pub(super) const NOT_A_CARD: Rule = Rule::new(
    "not-a-card",
    Error,
    "§4.4.1",
    "The document has nothing by which a client could call an agent; judging its members would only add noise.",
    |_, _| {},
);

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "shape-hybrid",
        Info,
        "§5.7",
        "Members of before 1.0 beside supportedInterfaces serve old clients; new ones ignore them.",
        shape_hybrid,
    ),
    Rule::new(
        "shape-before-1-0",
        Warning,
        "§8.3.1",
        "A client that speaks only 1.0 finds no supportedInterfaces and cannot call the agent.",
        shape_before_1_0,
    ),
    Rule::new(
        "member-snake-case",
        Error,
        "§5.5",
        "JSON members are camelCase; a client that reads the card as JSON does not find them in snake_case.",
        member_snake_case,
    ),
    Rule::new(
        "version-claims-newer-shape",
        Error,
        "§8.3.1",
        "A client that believes the version looks for supportedInterfaces, which are not there.",
        version_claims_newer_shape,
    ),
    Rule::new(
        "protocol-version-is-date",
        Error,
        "§3.6",
        "Dates are versions of the Model Context Protocol; no client of A2A can match one.",
        protocol_version_is_date,
    ),
    Rule::new(
        "protocol-version-malformed",
        Error,
        "§3.6",
        "Clients compare Major.Minor; a version that is not a number matches none.",
        protocol_version_malformed,
    ),
    Rule::new(
        "protocol-version-with-patch",
        Warning,
        "§3.6",
        "Patch numbers should not be used in cards: a client that compares the text as it stands finds no match.",
        protocol_version_with_patch,
    ),
    Rule::new(
        "protocol-version-unknown",
        Warning,
        "§3.6",
        "No such release of A2A is known; clients have to guess what the agent speaks.",
        protocol_version_unknown,
    ),
    Rule::new(
        "protocol-version-conflict",
        Error,
        "§8.3.1",
        "The card and its interfaces name different major versions, so that one of them is wrong.",
        protocol_version_conflict,
    ),
    Rule::new(
        "required-member-null",
        Error,
        "§5.7",
        "A null is read as absent, and the member is required.",
        required_member_null,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "member-null",
        Warning,
        "§5.7",
        "Members without a value are left out; strict readers refuse a null.",
        member_null,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "unknown-members",
        Hint,
        "§5.7",
        "Clients ignore members that the specification does not know; extensions are declared in capabilities.",
        unknown_members,
    ),
    Rule::new(
        "unknown-nested-members",
        Hint,
        "§5.7",
        "Clients ignore members that the specification does not know; what matters is said by them to nobody.",
        unknown_nested_members,
    ),
];

/// The finding that says what a document is instead of a card.
pub(super) fn not_a_card(inspection: &Inspection) -> Finding {
    let reason = inspection.shape_reason.trim();
    let reason = if reason.is_empty() { "The document is no Agent Card." } else { reason };
    Finding {
        rule: NOT_A_CARD.name,
        severity: NOT_A_CARD.severity,
        pointer: JsonPointer::root(),
        message: format!("{reason} Look for the Agent Card under another address."),
        spec: NOT_A_CARD.spec,
    }
}

fn shape_hybrid(card: &Card<'_>, report: &mut Report<'_>) {
    if card.inspection.shape == Shape::Hybrid {
        report.at(card.root, || {
            "The card serves two generations: new clients use supportedInterfaces, old ones url and what belongs to it."
                .to_owned()
        });
    }
}

fn shape_before_1_0(card: &Card<'_>, report: &mut Report<'_>) {
    if !card.newer {
        report.at(card.root, || {
            format!(
                "The card has the shape of {}; for clients of 1.0 add supportedInterfaces with url, protocolBinding and \
                 protocolVersion.",
                card.release()
            )
        });
    }
}

fn member_snake_case(card: &Card<'_>, report: &mut Report<'_>) {
    for place in &card.differences.snake_case {
        report.at(place.node, || {
            let written = quoted(&place.node.key().unwrap_or_default());
            format!("The member {written} is in snake_case; write \"{}\".", place.member.name)
        });
    }
}

/// The top-level `protocolVersion` of before 1.0, as text.
fn claimed_version<'a>(card: &Card<'a>) -> Option<TextAt<'a>> {
    let node = card.field("protocolVersion")?;
    Some((node, node.as_str()?))
}

/// Every declared protocol version with its node: the card's and the interfaces'.
fn versions<'a>(card: &Card<'a>) -> impl Iterator<Item = TextAt<'a>> {
    let interfaces: Vec<_> = card.entries.iter().filter_map(|entry| entry.version.clone()).collect();
    claimed_version(card).into_iter().chain(interfaces)
}

fn version_claims_newer_shape(card: &Card<'_>, report: &mut Report<'_>) {
    if card.newer {
        return;
    }
    if let Some((node, text)) = claimed_version(card)
        && ProtocolVersion::parse(&text).is_some_and(|version| version.major >= 1)
    {
        report.at(node, || {
            format!(
                "The card says protocolVersion {} but has no supportedInterfaces; declare them, or say the version \
                 that the agent speaks.",
                quoted(&text)
            )
        });
    }
}

/// Whether the text is a date such as 2025-06-18.
fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.trim().split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn protocol_version_is_date(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, text) in versions(card).filter(|(_, text)| is_date(text)) {
        report.at(node, || {
            format!(
                "The protocol version {} is a date, as the Model Context Protocol has it; say the version of A2A, such \
                 as \"1.0\".",
                quoted(&text)
            )
        });
    }
}

fn protocol_version_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, text) in versions(card).filter(|(_, text)| !is_date(text) && ProtocolVersion::parse(text).is_none()) {
        report.at(node, || format!("The protocol version {} is not Major.Minor; write \"1.0\".", quoted(&text)));
    }
}

fn protocol_version_with_patch(card: &Card<'_>, report: &mut Report<'_>) {
    // Only of interfaces: 0.3 itself wrote "0.3.0" at the top.
    for (node, text) in card.entries.iter().filter_map(|entry| entry.version.as_ref()) {
        if let Some(version) = ProtocolVersion::parse(text).filter(|version| version.to_string() != **text) {
            report.at(*node, || format!("The protocol version {} should be written \"{version}\".", quoted(text)));
        }
    }
}

fn protocol_version_unknown(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, text) in versions(card) {
        let known = |version: ProtocolVersion| matches!((version.major, version.minor), (1, 0) | (0, 1..=3));
        if ProtocolVersion::parse(&text).is_some_and(|version| !known(version)) {
            report.at(node, || {
                format!("No A2A version {} is known; the latest is \"1.0\", the one before \"0.3\".", quoted(&text))
            });
        }
    }
}

fn protocol_version_conflict(card: &Card<'_>, report: &mut Report<'_>) {
    let Some((node, claimed)) = claimed_version(card).filter(|_| card.newer) else { return };
    // In a hybrid a claim of 0.x describes the older half, which is right.
    let Some(version) = ProtocolVersion::parse(&claimed).filter(|version| version.major >= 1) else { return };
    let mut majors = card.entries.iter().filter(|entry| entry.newer).filter_map(|entry| {
        let (_, text) = entry.version.as_ref()?;
        ProtocolVersion::parse(text).map(|version| version.major)
    });
    let declared: Vec<_> = majors.by_ref().collect();
    if !declared.is_empty() && !declared.contains(&version.major) {
        report.at(node, || {
            format!(
                "The card says protocolVersion {} but no interface has that major version; correct one of them.",
                quoted(&claimed)
            )
        });
    }
}

fn required_member_null(card: &Card<'_>, report: &mut Report<'_>) {
    let nulls = card.differences.nulls.iter();
    for place in nulls.filter(|place| place.member.required && card.expects(place.member)) {
        report.at(place.node, || {
            format!("\"{}\" is required and must be {}, but it is null.", place.member.name, place.form.words())
        });
    }
}

fn member_null(card: &Card<'_>, report: &mut Report<'_>) {
    let nulls = card.differences.nulls.iter();
    for place in nulls.filter(|place| !(place.member.required && card.expects(place.member))) {
        report.at(place.node, || format!("\"{}\" is null; leave it out instead.", place.member.name));
    }
}

fn unknown_members(card: &Card<'_>, report: &mut Report<'_>) {
    let foreign = card.differences.foreign.iter().filter(|(_, owner)| owner.name == AGENT_CARD.name);
    // `extensions` in the wrong place has a rule of its own.
    let names: Vec<_> = foreign.filter_map(|(node, _)| node.key()).filter(|name| name != "extensions").collect();
    if names.is_empty() {
        return;
    }
    report.at(card.root, || {
        let suggestions: Vec<_> =
            names.iter().take(MAX_GUESSED).filter_map(|name| suggestion(name, &AGENT_CARD)).take(5).collect();
        let suggested = if suggestions.is_empty() { String::new() } else { format!(" ({})", suggestions.join("; ")) };
        format!("The specification does not know {}{suggested}; clients ignore such members.", listed(&names))
    });
}

fn unknown_nested_members(card: &Card<'_>, report: &mut Report<'_>) {
    let mut owners: Vec<(&Schema, Vec<_>, Vec<String>)> = Vec::new();
    // Signatures of other formats have a rule of their own.
    let has_own_rule = |owner: &Schema| [AGENT_CARD.name, "AgentCardSignature"].contains(&owner.name);
    for (node, owner) in card.differences.foreign.iter().filter(|(_, owner)| !has_own_rule(owner)) {
        let Some(name) = node.key() else { continue };
        match owners.iter_mut().find(|(known, ..)| known.name == owner.name) {
            // A dozen names show what is going on; more are only noise.
            Some((_, _, names)) if names.len() < 12 && !names.contains(&name.to_string()) => names.push(name.into()),
            Some(_) => {}
            None => owners.push((owner, vec![*node], vec![name.into()])),
        }
    }
    for (owner, nodes, names) in owners {
        report.at(nodes[0], || {
            let suggestions: Vec<_> = names.iter().filter_map(|name| suggestion(name, owner)).take(5).collect();
            let suggested =
                if suggestions.is_empty() { String::new() } else { format!(" ({})", suggestions.join("; ")) };
            format!(
                "In {} the specification does not know {}{suggested}; clients ignore such members.",
                owner.name,
                listed(&names)
            )
        });
    }
}

/// "did you mean …" for a name that is nearly one of the schema's.
fn suggestion(name: &str, owner: &Schema) -> Option<String> {
    /// No member is nearly as long, and the distance of a name of megabytes takes gigabytes.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let near = owner.members.iter().map(|member| member.name).find(|known| {
        same_letters(name, known) || (known.len() >= 4 && strsim::damerau_levenshtein(name, known) <= allowed(known))
    })?;
    Some(format!("did you mean \"{near}\" by {}?", quoted(name)))
}

/// How many slips make a typo of a name, and not another word.
fn allowed(known: &str) -> usize {
    if known.len() < 8 { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::super::super::facts::{Origin, Shape};
    use super::super::findings;
    use super::super::testing::{CARD, OLDER_CARD, card_from, edited, fires, older, only, silent};

    #[test]
    fn what_is_no_card_gets_one_finding() {
        for text in ["", "[]", "null", "{}", "<!doctype html><title>Sign in</title>", "{\"openapi\": \"3.1.0\"}"] {
            let inspection = card_from(text, Origin::default());
            assert_eq!(inspection.shape, Shape::NotACard, "{text}");
            let findings = findings(&inspection);
            assert_eq!(findings.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["not-a-card"], "{text}");
            assert!(findings[0].message.len() > 30, "{}", findings[0].message);
        }
    }

    #[test]
    fn shapes_are_told() {
        fires("shape-hybrid", &edited("version", "\"1.0.0\", \"url\": \"https://a.example/a2a\""), "");
        silent("shape-hybrid", CARD);
        fires("shape-before-1-0", OLDER_CARD, "");
        silent("shape-before-1-0", CARD);
        fires(
            "member-snake-case",
            &edited("defaultInputModes", "[\"text/plain\"], \"default_output_modes\": [\"text/plain\"]"),
            "/default_output_modes",
        );
        silent("member-snake-case", CARD);
    }

    #[test]
    fn versions_are_judged() {
        let top = |version: &str| older("protocolVersion", &format!("\"{version}\""));
        let interface = |version: &str| {
            CARD.replace("\"protocolVersion\": \"1.0\"", &format!("\"protocolVersion\": \"{version}\""))
        };
        let at = "/supportedInterfaces/0/protocolVersion";
        fires("version-claims-newer-shape", &top("1.0"), "/protocolVersion");
        silent("version-claims-newer-shape", &top("0.3.0"));
        fires("protocol-version-is-date", &interface("2025-06-18"), at);
        fires("protocol-version-malformed", &interface("banana"), at);
        fires("protocol-version-with-patch", &interface("1.0.1"), at);
        fires("protocol-version-unknown", &interface("1.2"), at);
        for rule in [
            "protocol-version-is-date",
            "protocol-version-malformed",
            "protocol-version-with-patch",
            "protocol-version-unknown",
        ] {
            silent(rule, CARD);
            silent(rule, &top("0.3.0"));
            silent(rule, &interface("0.3"));
        }
        only("protocol-version-is-date", "protocol-version-malformed", &interface("2025-06-18"));
        let both = |top: &str, version: &str| {
            interface(version).replacen('{', &format!("{{\"protocolVersion\": \"{top}\","), 1)
        };
        fires("protocol-version-conflict", &both("1.0", "0.3"), "/protocolVersion");
        silent("protocol-version-conflict", &both("0.3.0", "1.0"));
        silent("protocol-version-conflict", &both("1.0", "1.0"));
    }

    #[test]
    fn nulls_are_worse_where_a_value_is_required() {
        fires("required-member-null", &edited("description", "null"), "/description");
        silent("member-null", &edited("description", "null"));
        fires("member-null", &edited("version", "\"1\", \"iconUrl\": null"), "/iconUrl");
        silent("required-member-null", &edited("version", "\"1\", \"iconUrl\": null"));
        silent("required-member-null", CARD);
        silent("member-null", CARD);
    }

    #[test]
    fn unknown_members_are_listed_once_with_a_guess() {
        let text = edited("version", "\"1\", \"documentationURL\": \"x\", \"x-price\": 1, \"iconUlr\": \"y\"");
        let finding = fires("unknown-members", &text, "");
        for part in ["\"documentationUrl\" by \"documentationURL\"", "\"iconUrl\" by \"iconUlr\"", "\"x-price\""] {
            assert!(finding.message.contains(part), "{}", finding.message);
        }
        assert!(!finding.message.contains("by \"x-price\""));
        silent("unknown-members", CARD);
        let nested = CARD.replace("\"id\": \"compare\"", "\"id\": \"compare\", \"price\": 1, \"exemples\": []");
        let finding = fires("unknown-nested-members", &nested, "/skills/0/price");
        assert!(finding.message.contains("\"examples\" by \"exemples\""), "{}", finding.message);
        silent("unknown-nested-members", CARD);
    }
}
