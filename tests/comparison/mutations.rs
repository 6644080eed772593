//! Small damage of every kind to every place of the base cards: the other way round it is told of the same members.

use cardscope::card::diff::CardDiff;
use serde_json::{Value, json};

use super::edits::{Which, edited};
use super::inspected;
use super::mirror::assert_mirrored;

/// The places of all members and items in a value.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in inside {
        let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
        places(value, &pointer, found);
        found.push(pointer);
    }
}

/// What can befall the entry `name` of `parent`; `None` where it cannot.
type Damage = fn(&mut Value, &str) -> Option<()>;

fn gone(parent: &mut Value, name: &str) -> Option<()> {
    match parent {
        Value::Array(items) => drop(items.remove(name.parse().ok()?)),
        parent => drop(parent.as_object_mut()?.shift_remove(name)?),
    }
    Some(())
}

fn renamed(parent: &mut Value, name: &str) -> Option<()> {
    let members = parent.as_object_mut()?;
    let value = members.shift_remove(name)?;
    members.insert(format!("{name}X"), value);
    Some(())
}

fn twice(parent: &mut Value, name: &str) -> Option<()> {
    let items = parent.as_array_mut()?;
    items.push(items.get(name.parse::<usize>().ok()?)?.clone());
    Some(())
}

fn turned(parent: &mut Value, name: &str) -> Option<()> {
    entry(parent, name)?.as_array_mut().filter(|items| items.len() > 1)?.reverse();
    Some(())
}

fn emptied(parent: &mut Value, name: &str) -> Option<()> {
    let value = entry(parent, name)?;
    *value = match &*value {
        Value::Object(_) => json!({}),
        Value::Array(_) => json!([]),
        Value::String(_) => json!(""),
        _ => json!(null),
    };
    Some(())
}

fn other(parent: &mut Value, name: &str) -> Option<()> {
    let value = entry(parent, name)?;
    *value = match &*value {
        Value::String(text) => json!(format!("{text}x")),
        Value::Bool(yes) => json!(!yes),
        _ => json!("x"),
    };
    Some(())
}

fn entry<'a>(parent: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    match parent {
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        parent => parent.get_mut(name),
    }
}

const DAMAGES: [(&str, Damage); 6] = [
    ("gone", gone),
    ("renamed", renamed),
    ("twice", twice),
    ("turned", turned),
    ("emptied", emptied),
    ("other", other),
];

#[test]
fn whatever_befalls_a_base_card_is_told_of_the_same_members_either_way() {
    let signed = "/signatures := [jws(ES256 k1 https://a.example/jwks), jws(ES256 k2)]";
    let both_halves = "/security := [{\"key\": []}, {\"login\": [\"read\"]}] ; \
        /skills/2/security := [{\"login\": [\"write\"]}] ; /supportsAuthenticatedExtendedCard := true";
    let mut pairs = 0;
    for (form, edits) in [("0.3", signed), ("1.0", signed), ("hybrid", ""), ("hybrid", both_halves)] {
        let text = edited(form, edits, Which::Newer);
        let card: Value = serde_json::from_str(&text).unwrap();
        let base = inspected(text);
        let mut found = Vec::new();
        places(&card, "", &mut found);
        for place in &found {
            let (parent, name) = place.rsplit_once('/').unwrap();
            for (what, damage) in DAMAGES {
                let mut damaged = card.clone();
                let parent = damaged.pointer_mut(parent).unwrap();
                if damage(parent, &name.replace("~1", "/").replace("~0", "~")).is_none() {
                    continue;
                }
                let damaged = inspected(damaged.to_string());
                let (forwards, backwards) = (CardDiff::of(&base, &damaged), CardDiff::of(&damaged, &base));
                assert_mirrored(&format!("{form}: {place} {what}"), &forwards, &backwards);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 1500, "{pairs} pairs");
}
