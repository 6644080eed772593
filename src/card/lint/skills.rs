//! Rules on skills: what each has to say, and that they can be told apart.

use std::collections::HashMap;

use super::super::json::{Kind, Node};
use super::Rule;
use super::Severity::{Error, Info, Warning};
use super::card::Card;
use super::report::{Report, quoted};
use super::schema::{field, text_field};

/// Descriptions shorter than this say hardly more than a name (in narrow characters; wide ones count twice).
const SHORT_SKILL_DESCRIPTION: usize = 20;
const SHORT_CARD_DESCRIPTION: usize = 40;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "skills-malformed",
        Error,
        "§4.4.1",
        "Skills are a list of objects; typed clients refuse the card for anything else.",
        skills_malformed,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "skills-empty",
        Warning,
        "§5.7",
        "A client that chooses agents by their skills never chooses this one.",
        skills_empty,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "skill-member-missing",
        Error,
        "§4.4.5",
        "A skill has an id, a name and a description; strict clients refuse the card without them.",
        skill_member_missing,
    )
    .older("0.3 §5.5.4"),
    Rule::new(
        "skill-member-blank",
        Error,
        "§4.4.5",
        "A blank id or name cannot be referred to or shown.",
        skill_member_blank,
    )
    .older("0.3 §5.5.4"),
    Rule::new(
        "skill-list-malformed",
        Error,
        "§4.4.5",
        "Tags and examples are lists of strings; typed clients refuse the card for anything else.",
        skill_list_malformed,
    )
    .older("0.3 §5.5.4"),
    Rule::new(
        "skill-tags-empty",
        Warning,
        "§4.4.5",
        "Tags are required: catalogs find and group skills by them.",
        skill_tags_empty,
    )
    .older("0.3 §5.5.4"),
    Rule::new(
        "skill-id-duplicate",
        Error,
        "§4.4.5",
        "A skill's id is unique in its card; with two of the same a reference can mean either.",
        skill_id_duplicate,
    )
    .older("0.3 §5.5.4"),
    Rule::new(
        "skill-name-duplicate",
        Warning,
        "",
        "People and models that choose by name cannot tell the two apart.",
        skill_name_duplicate,
    ),
    Rule::new(
        "skill-description-duplicate",
        Warning,
        "",
        "Two skills with the same text cannot be told apart by what they do.",
        skill_description_duplicate,
    ),
    Rule::new(
        "skill-examples-missing",
        Info,
        "§4.4.5",
        "Examples show people what to ask and models when to choose the skill.",
        skill_examples_missing,
    )
    .older("0.3 §5.5.4"),
    Rule::new(
        "description-short",
        Info,
        "§4.4.1",
        "Agents are chosen by their descriptions; a few words rarely say for what, and for what not.",
        description_short,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "skill-id-with-space",
        Info,
        "§4.4.5",
        "Ids turn up in addresses, logs and commands, where spaces have to be escaped.",
        skill_id_with_space,
    )
    .older("0.3 §5.5.4"),
];

fn skills_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    let mut mistyped = card.differences.mistyped.iter();
    let first = mistyped.find(|place| place.owner.name == "AgentCard" && place.member.name == "skills");
    let Some(first) = first else { return };
    let count = card.differences.mistyped.count("AgentCard", "skills");
    // One sentence for all of them: whoever writes one skill as a string writes all of them so.
    report.at(first.node, || {
        let kind = first.node.kind().with_article();
        match first.node.as_str().filter(|_| first.node.key().is_none()) {
            Some(text) => {
                let many = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
                format!(
                    "A skill must be an object with id, name, description and tags, but {}{many} is a string.",
                    quoted(&text)
                )
            }
            None => format!("\"skills\" must be a list of objects, but {kind} stands there."),
        }
    });
}

fn skills_empty(card: &Card<'_>, report: &mut Report<'_>) {
    if let Some(list) = card.field("skills").filter(|list| list.kind() == Kind::Array && list.child_count() == 0) {
        report.at(list, || "\"skills\" is empty; declare at least one skill.".to_owned());
    }
}

/// A skill in a sentence: by its id, its name, or not at all.
fn called(skill: Node<'_>) -> String {
    let name = text_field(skill, "id").or_else(|| text_field(skill, "name")).filter(|text| !text.trim().is_empty());
    name.map_or_else(|| "The skill".to_owned(), |name| format!("The skill {}", quoted(&name)))
}

fn skill_member_missing(card: &Card<'_>, report: &mut Report<'_>) {
    for place in card.differences.missing.iter().filter(|place| place.owner.name == "AgentSkill") {
        if place.member.name != "tags" {
            report.at(place.node, || {
                format!("{} has no \"{}\", which is required; add it.", called(place.node), place.member.name)
            });
        }
    }
}

fn skill_member_blank(card: &Card<'_>, report: &mut Report<'_>) {
    for skill in &card.skills {
        for name in ["id", "name"] {
            let blank = field(*skill, name).filter(|node| node.as_str().is_some_and(|text| text.trim().is_empty()));
            if let Some(node) = blank {
                report.at(node, || format!("The skill's \"{name}\" is blank; give it one."));
            }
        }
    }
}

fn skill_list_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    let mistyped = card.differences.mistyped.iter();
    for place in mistyped.filter(|place| matches!(place.member.name, "tags" | "examples")) {
        report.at(place.node, || {
            format!(
                "\"{}\" of a skill must be a list of strings, but {} stands there.",
                place.member.name,
                place.node.kind().with_article()
            )
        });
    }
}

fn skill_tags_empty(card: &Card<'_>, report: &mut Report<'_>) {
    for skill in &card.skills {
        let tags = field(*skill, "tags");
        if tags.is_none_or(|tags| tags.kind() == Kind::Array && tags.child_count() == 0) {
            report.at(tags.unwrap_or(*skill), || format!("{} has no tags; add at least one.", called(*skill)));
        }
    }
}

/// Reports every skill whose `member` reads, after `fold`, like that of an earlier skill.
fn duplicates(
    card: &Card<'_>,
    report: &mut Report<'_>,
    member: &str,
    fold: fn(&str) -> Vec<u8>,
    message: fn(&str, &str) -> String,
) {
    let mut first: HashMap<Vec<u8>, Node<'_>> = HashMap::new();
    for skill in &card.skills {
        let Some(node) = field(*skill, member) else { continue };
        let Some(text) = node.as_str() else { continue };
        let key = fold(&text);
        if key.is_empty() {
            continue;
        }
        match first.get(&key) {
            Some(earlier) => report.at(node, || message(&quoted(&text), &called(*earlier))),
            None => {
                first.insert(key, *skill);
            }
        }
    }
}

/// Letters and digits only, so that case, spacing and punctuation do not make a difference.
fn letters(text: &str) -> Vec<u8> {
    if text.is_ascii() {
        let mut letters = Vec::with_capacity(text.len());
        letters.extend(text.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()));
        return letters;
    }
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>().into_bytes()
}

fn skill_id_duplicate(card: &Card<'_>, report: &mut Report<'_>) {
    duplicates(
        card,
        report,
        "id",
        |id| id.trim().as_bytes().to_vec(),
        |id, _| format!("An earlier skill has the id {id} too; give each skill an id of its own."),
    );
}

fn skill_name_duplicate(card: &Card<'_>, report: &mut Report<'_>) {
    duplicates(card, report, "name", letters, |name, earlier| {
        format!("The name {name} reads like that of another skill ({earlier}); give them names that differ.")
    });
}

fn skill_description_duplicate(card: &Card<'_>, report: &mut Report<'_>) {
    duplicates(card, report, "description", letters, |_, earlier| {
        format!("The description is that of another skill ({earlier}); say what sets the two apart.")
    });
}

fn skill_examples_missing(card: &Card<'_>, report: &mut Report<'_>) {
    let lacks = |skill: &&Node<'_>| field(**skill, "examples").is_none_or(|examples| examples.child_count() == 0);
    let without: Vec<_> = card.skills.iter().filter(lacks).collect();
    let Some(first) = without.first() else { return };
    // One sentence for all of them: a card of two hundred skills has one habit, not two hundred faults.
    report.at(**first, || match (without.len(), card.skills.len()) {
        (1, 1) => format!("{} has no examples; add a text that a user would write.", called(**first)),
        (some, all) if some == all => {
            format!("None of the {all} skills has examples; add texts that a user would write.")
        }
        (some, all) => format!("{some} of the {all} skills have no examples, {} first; add some.", called(**first)),
    });
}

/// Whether a text is shorter than `limit` as the eye takes it: East Asian characters say about twice as much.
fn is_short(text: &str, limit: usize) -> bool {
    let weight = |c: char| if ('\u{1100}'..='\u{FFEF}').contains(&c) || c > '\u{1FFFF}' { 2 } else { 1 };
    let weights = text.trim().chars().map(weight).take(limit);
    weights.sum::<usize>() < limit
}

fn description_short(card: &Card<'_>, report: &mut Report<'_>) {
    let mut check = |object: Node<'_>, limit: usize, what: &str| {
        let Some(node) = field(object, "description") else { return };
        if node.as_str().is_some_and(|text| !text.trim().is_empty() && is_short(&text, limit)) {
            report.at(node, || format!("The description of the {what} is short; say what it does, and for whom."));
        }
    };
    check(card.root, SHORT_CARD_DESCRIPTION, "agent");
    for skill in &card.skills {
        check(*skill, SHORT_SKILL_DESCRIPTION, "skill");
    }
}

fn skill_id_with_space(card: &Card<'_>, report: &mut Report<'_>) {
    for skill in &card.skills {
        let id = field(*skill, "id");
        if let Some(node) = id.filter(|node| node.as_str().is_some_and(|id| id.trim().contains(char::is_whitespace))) {
            report.at(node, || {
                let id = quoted(&node.as_str().unwrap_or_default());
                format!("The id {id} has a space; write it with hyphens.")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, edited, fires, older, silent};

    const SKILL: &str = r#"{"id": "sum", "name": "Sum up", "description": "Adds the totals of all quotes.",
        "tags": ["sums"], "examples": ["What is the total?"]}"#;

    fn skill(from: &str, to: &str) -> String {
        assert!(SKILL.contains(from), "{from}");
        edited("skills", &format!("[{}]", SKILL.replace(from, to)))
    }

    #[test]
    fn each_skill_says_what_it_has_to() {
        fires("skills-malformed", &edited("skills", "{}"), "/skills");
        fires("skills-malformed", &edited("skills", "[\"refunds\"]"), "/skills/0");
        fires("skills-empty", &edited("skills", "[]"), "/skills");
        for member in ["id", "name", "description"] {
            fires("skill-member-missing", &skill(&format!("\"{member}\""), "\"x-other\""), "/skills/0");
        }
        fires("skill-member-missing", &older("skills", "[{\"id\": \"a\", \"name\": \"A\"}]"), "/skills/0");
        fires("skill-member-blank", &skill("\"sum\"", "\"\""), "/skills/0/id");
        fires("skill-member-blank", &skill("\"Sum up\"", "\" \""), "/skills/0/name");
        fires("skill-list-malformed", &skill("[\"sums\"]", "\"sums\""), "/skills/0/tags");
        fires("skill-list-malformed", &skill("[\"sums\"]", "[1]"), "/skills/0/tags/0");
        fires("skill-list-malformed", &skill("[\"What", "[{}, \"What"), "/skills/0/examples/0");
        fires("skill-tags-empty", &skill("[\"sums\"]", "[]"), "/skills/0/tags");
        fires("skill-tags-empty", &skill("\"tags\": [\"sums\"],", ""), "/skills/0");
        silent("skill-member-missing", &skill("\"tags\": [\"sums\"],", ""));
        fires("skill-examples-missing", &skill("[\"What is the total?\"]", "[]"), "/skills/0");
        fires("description-short", &skill("Adds the totals of all quotes.", "Adds."), "/skills/0/description");
        silent("description-short", &skill("Adds the totals of all quotes.", "すべての見積もりを合計する"));
        fires("description-short", &edited("description", "\"Compares.\""), "/description");
        fires("skill-id-with-space", &skill("\"sum\"", "\"sum up\""), "/skills/0/id");
        for rule in [
            "skills-malformed",
            "skills-empty",
            "skill-member-missing",
            "skill-member-blank",
            "skill-list-malformed",
            "skill-tags-empty",
            "skill-examples-missing",
            "description-short",
            "skill-id-with-space",
        ] {
            silent(rule, CARD);
        }
    }

    #[test]
    fn skills_can_be_told_apart() {
        let two = |second: &str| edited("skills", &format!("[{SKILL}, {second}]"));
        let other = |id: &str, name: &str, description: &str| {
            two(&format!(r#"{{"id": "{id}", "name": "{name}", "description": "{description}", "tags": ["x"]}}"#))
        };
        let (name, description) = ("Average", "Finds the average of all quotes.");
        fires("skill-id-duplicate", &other("sum", name, description), "/skills/1/id");
        fires("skill-name-duplicate", &other("b", "sum-up", description), "/skills/1/name");
        let same = "Adds the totals of all quotes";
        fires("skill-description-duplicate", &other("b", name, same), "/skills/1/description");
        for rule in ["skill-id-duplicate", "skill-name-duplicate", "skill-description-duplicate"] {
            silent(rule, &other("Sum", name, description));
        }
    }
}
