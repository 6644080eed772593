//! Rules on the members that every card has, and on the kind of value a member holds.

use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::differences::Place;
use super::report::{Report, quoted};
use super::schema::AGENT_CARD;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "required-member-missing",
        Error,
        "§4.4.1",
        "A client may refuse a card that lacks what the specification requires, and cannot call what is not declared.",
        required_member_missing,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "required-list-missing",
        Warning,
        "§5.7",
        "Required lists must not be empty; serializers leave empty ones out, so that absent and empty look alike.",
        required_list_missing,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "required-member-blank",
        Error,
        "§4.4.1",
        "A blank name or version tells nobody which agent this is, or which release of it.",
        required_member_blank,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "description-blank",
        Warning,
        "§4.4.1",
        "People and agents choose by the description.",
        description_blank,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "member-type-wrong",
        Error,
        "§4.4.1",
        "Typed clients refuse the whole card for one value of another kind.",
        member_type_wrong,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "version-not-semantic",
        Info,
        "§4.4.1",
        "With Major.Minor.Patch a reader can tell a fix from a change that breaks.",
        version_not_semantic,
    )
    .older("0.3 §5.5"),
];

fn top_level<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = &'c Place<'a>> {
    card.differences.missing.iter().filter(|place| place.owner.name == AGENT_CARD.name)
}

fn required_member_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for place in top_level(card) {
        // An empty list is left out by ProtoJSON writers, so that its absence is judged mildly; without any
        // interface, though, the agent cannot be called.
        let name = place.member.name;
        if place.form.vanishes_when_empty() && name != "supportedInterfaces" {
            continue;
        }
        report.at(place.node, || {
            // Of a hybrid, only the older half has `url`.
            let release = if name == "url" && card.newer { "A2A before 1.0" } else { card.release() };
            format!("{release} requires \"{name}\" and the card has none; add it as {}.", place.form.words())
        });
    }
}

fn required_list_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for place in top_level(card) {
        let name = place.member.name;
        if place.form.vanishes_when_empty() && name != "supportedInterfaces" {
            report.at(place.node, || {
                format!(
                    "{} requires \"{name}\" with at least one entry and the card has none; an empty list may have been \
                     left out.",
                    card.release()
                )
            });
        }
    }
}

/// The text of a top-level member that is blank.
fn blank<'a>(card: &Card<'a>, name: &str) -> Option<super::super::json::Node<'a>> {
    card.field(name).filter(|node| node.as_str().is_some_and(|text| text.trim().is_empty()))
}

fn required_member_blank(card: &Card<'_>, report: &mut Report<'_>) {
    for name in ["name", "version"] {
        if let Some(node) = blank(card, name) {
            report.at(node, || format!("\"{name}\" is blank; say the agent's {name}."));
        }
    }
}

fn description_blank(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(node) = blank(card, "description") {
        report.at(node, || "\"description\" is blank; say in a sentence what the agent does.".to_owned());
    }
}

fn member_type_wrong(card: &Card<'_>, report: &mut Report<'_>) {
    for place in card.differences.mistyped.iter().filter(|place| !has_rule_of_its_own(place)) {
        report.at(place.node, || {
            format!(
                "\"{}\" must be {}, but {} stands there.",
                place.member.name,
                place.member.form.words(),
                place.node.kind().with_article()
            )
        });
    }
}

/// Kinds that a rule of the subject judges, with a better sentence.
fn has_rule_of_its_own(place: &Place<'_>) -> bool {
    let member = place.member.name;
    match place.owner.name {
        "AgentCard" => {
            matches!(member, "capabilities" | "defaultInputModes" | "defaultOutputModes" | "skills" | "securitySchemes")
        }
        "AgentCapabilities" => true,
        "AgentSkill" => matches!(member, "examples" | "tags" | "inputModes" | "outputModes"),
        _ => false,
    }
}

fn version_not_semantic(card: &Card<'_>, report: &mut Report<'_>) {
    let Some(node) = card.field("version") else { return };
    let Some(text) = node.as_str().filter(|text| !text.trim().is_empty()) else { return };
    if !is_semantic(&text) {
        report
            .at(node, || format!("The agent's version {} is not Major.Minor.Patch, such as \"1.2.0\".", quoted(&text)));
    }
}

/// Three numbers, then what a release or a build may add.
fn is_semantic(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or_default();
    let mut numbers = 0;
    core.split('.').all(|part| {
        numbers += 1;
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    }) && numbers == 3
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, OLDER_CARD, edited, fires, older, older_without, only, silent, without};

    #[test]
    fn what_is_missing_is_said_per_release() {
        for name in ["name", "description", "version", "capabilities"] {
            let finding = fires("required-member-missing", &without(name), "");
            assert!(finding.message.contains("A2A 1.0") && finding.message.contains(name), "{}", finding.message);
            let finding = fires("required-member-missing", &older_without(name), "");
            assert!(finding.message.contains("A2A 0.3"), "{}", finding.message);
            assert_eq!(finding.spec, "0.3 §5.5");
        }
        for name in ["skills", "defaultInputModes", "defaultOutputModes"] {
            silent("required-member-missing", &without(name));
            fires("required-list-missing", &without(name), "");
            fires("required-list-missing", &older_without(name), "");
        }
        for text in [CARD, OLDER_CARD] {
            silent("required-member-missing", text);
            silent("required-list-missing", text);
        }
    }

    #[test]
    fn values_are_judged() {
        fires("required-member-blank", &edited("name", "\" \""), "/name");
        silent("required-member-blank", CARD);
        fires("description-blank", &edited("description", "\"\""), "/description");
        silent("description-blank", CARD);
        fires("member-type-wrong", &edited("name", "7"), "/name");
        fires("member-type-wrong", &older("description", "[]"), "/description");
        silent("member-type-wrong", CARD);
        only("capabilities-not-object", "member-type-wrong", &edited("capabilities", "[\"search\"]"));
        for version in ["2.1", "latest", "v1.0.0", "1.0.0.0"] {
            fires("version-not-semantic", &edited("version", &format!("\"{version}\"")), "/version");
        }
        for version in ["1.0.0", "2.1.0-rc.1", "0.1.0+5"] {
            silent("version-not-semantic", &edited("version", &format!("\"{version}\"")));
        }
    }
}
