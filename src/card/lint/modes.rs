//! Rules on input and output modes, of the card and of its skills.

use std::collections::HashSet;

use super::super::json::{Kind, Node};
use super::Rule;
use super::Severity::{Error, Hint, Info, Warning};
use super::card::{Card, TextAt};
use super::report::{Report, quoted};
use super::schema::field;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "modes-empty",
        Warning,
        "§5.7",
        "With no mode at all a client cannot tell what it may send or will get.",
        modes_empty,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "mode-not-text",
        Error,
        "§4.4.1",
        "Modes are a list of media types, each a string with something in it.",
        mode_not_text,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "mode-not-media-type",
        Warning,
        "§4.4.1",
        "Clients compare modes with the media types of their parts; other words match none.",
        mode_not_media_type,
    )
    .older("0.3 §5.5"),
    Rule::new(
        "mode-short-form",
        Info,
        "§4.4.1",
        "Early releases wrote modes in short; clients of today compare media types.",
        mode_short_form,
    )
    .older("0.3 §5.5"),
    Rule::new("mode-duplicate", Info, "", "A mode that is there twice says nothing more.", mode_duplicate),
    Rule::new(
        "mode-uncommon",
        Hint,
        "",
        "The type in front of the slash is not a registered one, so that few clients will know it.",
        mode_uncommon,
    ),
];

/// Short forms with the media type that was probably meant.
const SHORT_FORMS: [(&str, &str); 10] = [
    ("text", "text/plain"),
    ("data", "application/json"),
    ("json", "application/json"),
    ("markdown", "text/markdown"),
    ("html", "text/html"),
    ("image", "image/png"),
    ("audio", "audio/mpeg"),
    ("video", "video/mp4"),
    ("file", "application/octet-stream"),
    ("pdf", "application/pdf"),
];

/// The registered top-level media types.
const TOP_LEVEL_TYPES: [&str; 11] =
    ["application", "audio", "example", "font", "haptics", "image", "message", "model", "multipart", "text", "video"];

const CARD_LISTS: [&str; 2] = ["defaultInputModes", "defaultOutputModes"];
const SKILL_LISTS: [&str; 2] = ["inputModes", "outputModes"];

/// Every list of modes, the card's first.
fn lists<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = Node<'a>> + use<'c, 'a> {
    let of_card = CARD_LISTS.iter().filter_map(|name| card.field(name));
    let of_skills = card.skills.iter().flat_map(|skill| SKILL_LISTS.iter().filter_map(|name| field(*skill, name)));
    of_card.chain(of_skills).filter(|list| list.kind() == Kind::Array)
}

/// Every mode that is a string with something in it.
fn modes<'c, 'a>(card: &'c Card<'a>) -> impl Iterator<Item = TextAt<'a>> + use<'c, 'a> {
    lists(card)
        .flat_map(|list| list.items())
        .filter_map(|node| Some((node, node.as_str().filter(|text| !text.trim().is_empty())?)))
}

fn modes_empty(card: &Card<'_>, report: &mut Report<'_>) {
    for name in CARD_LISTS {
        if let Some(list) = card.field(name).filter(|list| list.kind() == Kind::Array && list.child_count() == 0) {
            report.at(list, || format!("\"{name}\" is empty; name at least one media type, such as text/plain."));
        }
    }
}

fn mode_not_text(card: &Card<'_>, report: &mut Report<'_>) {
    let is_mode = |name: &str| CARD_LISTS.contains(&name) || SKILL_LISTS.contains(&name);
    for place in card.differences.mistyped.iter().filter(|place| is_mode(place.member.name)) {
        report.at(place.node, || {
            format!(
                "\"{}\" must be a list of strings, but {} stands there.",
                place.member.name,
                place.node.kind().with_article()
            )
        });
    }
    for item in lists(card).flat_map(|list| list.items()) {
        if item.as_str().is_some_and(|text| text.trim().is_empty()) {
            report.at(item, || "The mode is blank; remove it or name a media type.".to_owned());
        }
    }
}

fn short_form(mode: &str) -> Option<&'static str> {
    SHORT_FORMS.iter().find(|(short, _)| mode.trim().eq_ignore_ascii_case(short)).map(|(_, media_type)| *media_type)
}

/// `type/subtype` of the characters that RFC 6838 allows, parameters and a final `*` included.
fn is_media_type(mode: &str) -> bool {
    let essence = mode.split(';').next().unwrap_or_default().trim();
    let is_token =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&-^_.+".contains(c));
    essence
        .split_once('/')
        .is_some_and(|(kind, subtype)| (is_token(kind) || kind == "*") && (is_token(subtype) || subtype == "*"))
}

fn mode_not_media_type(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, mode) in modes(card).filter(|(_, mode)| !is_media_type(mode) && short_form(mode).is_none()) {
        report.at(node, || {
            format!("The mode {} is no media type; write type and subtype, such as text/plain.", quoted(&mode))
        });
    }
}

fn mode_short_form(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, mode) in modes(card) {
        if let Some(media_type) = short_form(&mode) {
            report.at(node, || {
                format!("The mode {} is a short form; write a media type, such as {media_type}.", quoted(&mode))
            });
        }
    }
}

fn mode_duplicate(card: &Card<'_>, report: &mut Report<'_>) {
    for list in lists(card) {
        let mut seen = HashSet::new();
        for item in list.items() {
            let Some(mode) = item.as_str() else { continue };
            if !seen.insert(mode.trim().to_ascii_lowercase()) {
                report.at(item, || format!("The mode {} is in this list twice; remove one.", quoted(&mode)));
            }
        }
    }
}

fn mode_uncommon(card: &Card<'_>, report: &mut Report<'_>) {
    for (node, mode) in modes(card).filter(|(_, mode)| is_media_type(mode)) {
        let kind = mode.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind != "*" && !TOP_LEVEL_TYPES.contains(&kind.as_str()) {
            report.at(node, || {
                format!("The mode {} begins with an unregistered type; check that it is meant.", quoted(&mode))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CARD, edited, fires, older, silent};

    fn modes(list: &str) -> String {
        edited("defaultInputModes", list)
    }

    #[test]
    fn modes_are_media_types() {
        let item = "/defaultInputModes/0";
        fires("modes-empty", &modes("[]"), "/defaultInputModes");
        fires("mode-not-text", &modes("\"text/plain\""), "/defaultInputModes");
        fires("mode-not-text", &modes("[1]"), item);
        fires("mode-not-text", &modes("[\" \"]"), item);
        for mode in ["task-status", "text/", "/plain", "text plain/x", "a/b/c"] {
            fires("mode-not-media-type", &modes(&format!("[\"{mode}\"]")), item);
        }
        fires("mode-short-form", &modes("[\"text\"]"), item);
        fires("mode-short-form", &older("defaultOutputModes", "[\"text\"]"), "/defaultOutputModes/0");
        fires("mode-duplicate", &modes("[\"text/plain\", \"Text/Plain\"]"), "/defaultInputModes/1");
        fires("mode-uncommon", &modes("[\"agent/task\"]"), item);
        let skill = CARD.replace("\"tags\":", "\"outputModes\": [\"spoken\"], \"tags\":");
        fires("mode-not-media-type", &skill, "/skills/0/outputModes/0");

        let well =
            "[\"text/plain\", \"application/vnd.geo+json\", \"text/plain; charset=utf-8\", \"image/*\", \"*/*\"]";
        for rule in [
            "modes-empty",
            "mode-not-text",
            "mode-not-media-type",
            "mode-short-form",
            "mode-duplicate",
            "mode-uncommon",
        ] {
            silent(rule, &modes(well));
        }
        silent("mode-not-media-type", &modes("[\"text\"]"));
        silent("modes-empty", &CARD.replace("\"tags\":", "\"inputModes\": [], \"tags\":"));
    }
}
