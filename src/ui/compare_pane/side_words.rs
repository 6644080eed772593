//! A side in words: agent, version, where it came from and when, in as few as tell it from others.

use std::collections::HashMap;

use crate::state::comparison::{Choice, ChoiceKind};
use crate::ui::quantities;

/// Below this width of a picker one fact has to do.
const SEVERAL_FROM: f32 = 130.0;
/// What every card's path ends in says nothing.
const USUAL_PATHS: [&str; 2] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/// A side in as few words as tell it from the other one: without the name `own` of the agent under which it is compared,
/// by its place only where that differs, to the second only where both are alike.
pub(super) fn short(choice: &Choice, other: Option<&Choice>, own: Option<&str>, width: f32) -> String {
    let version = choice.version.as_deref().map(str::to_owned);
    if let ChoiceKind::Demo { revision } = choice.kind {
        let revision = format!("demo revision {revision}");
        return version.map_or(revision.clone(), |version| format!("{version} {revision}"));
    }
    let name = choice.name.clone();
    let is_narrow = width < SEVERAL_FROM;
    let is_named_alike = other.is_none_or(|other| other.name == choice.name);
    let is_own = own == Some(choice.name.as_str());
    if !is_named_alike || !is_own {
        return [Some(name), version].into_iter().flatten().collect::<Vec<_>>().join(" ");
    }
    let other_place = other.map(|other| other.place.as_str()).filter(|place| !place.is_empty());
    let is_elsewhere = other_place.is_some_and(|place| place != choice.place) && !choice.place.is_empty();
    let is_alike = other.is_some_and(|other| other.version == choice.version);
    let moment = if is_alike { quantities::moment_exact } else { quantities::moment };
    let mut when = choice.at.map(moment).unwrap_or_default();
    if let ChoiceKind::Kept { number: Some(number) } = choice.kind
        && is_alike
        && other.is_some_and(|other| other.at.map(moment) == choice.at.map(moment))
    {
        when = format!("@{number}  {when}");
    }
    match version {
        _ if is_elsewhere => {
            let place = apart(&choice.place, other_place);
            version.filter(|_| !is_narrow).map_or(place.clone(), |version| format!("{version}  {place}"))
        }
        Some(_) if is_alike && is_narrow => when,
        Some(version) if is_narrow => version,
        Some(version) => format!("{version}  {when}"),
        None if is_narrow => when,
        None => format!("{name}  {when}"),
    }
}

/// A side in full: agent, version, where it came from, when, and why it can be chosen.
#[must_use]
pub(super) fn full(choice: &Choice) -> String {
    let parts = [what(choice, &choice.place), since(choice)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Agent, version, and where it came from.
#[must_use]
pub(super) fn what(choice: &Choice, place: &str) -> String {
    let mut parts = vec![choice.name.clone()];
    parts.extend(choice.version.as_deref().map(str::to_owned));
    if let ChoiceKind::Demo { revision } = choice.kind {
        parts.push(format!("revision {revision}"));
    }
    // A file that is not read yet has no other name.
    if !place.is_empty() && choice.place != choice.name {
        parts.push(place.to_owned());
    }
    parts.join(" · ")
}

/// When it was obtained, and why it can be chosen.
#[must_use]
pub(super) fn since(choice: &Choice) -> String {
    let parts = choice.at.map(quantities::moment_exact).into_iter().chain(note(choice.kind));
    parts.collect::<Vec<_>>().join(" · ")
}

fn note(kind: ChoiceKind) -> Option<String> {
    let words = match kind {
        ChoiceKind::Now => "shown now",
        ChoiceKind::Earlier => "shown before",
        // As commands name it.
        ChoiceKind::Kept { number: Some(number) } => return Some(format!("kept @{number}")),
        ChoiceKind::Kept { number: None } => "kept",
        ChoiceKind::OtherDocument => "other document found",
        ChoiceKind::Opened => "opened for comparing",
        ChoiceKind::Demo { .. } => return None,
    };
    Some(words.to_owned())
}

/// Where each of `choices` came from, in as few words as tell it from all the others.
#[must_use]
pub(super) fn places<'a>(choices: impl Iterator<Item = &'a Choice> + Clone) -> HashMap<&'a str, String> {
    let all: HashMap<&str, [String; 3]> = choices.map(|choice| (&*choice.place, forms(&choice.place))).collect();
    let mut lengths: HashMap<&str, usize> = all.keys().map(|place| (*place, 0)).collect();
    for _ in 1..3 {
        let mut alike: HashMap<&str, Vec<&str>> = HashMap::new();
        for (place, forms) in &all {
            alike.entry(&forms[lengths[place]]).or_default().push(*place);
        }
        // Those that say the same say more.
        for place in alike.into_values().filter(|places| places.len() > 1).flatten() {
            lengths.entry(place).and_modify(|length| *length += 1);
        }
    }
    all.iter().map(|(place, forms)| (*place, forms[lengths[place]].clone())).collect()
}

/// The shortest form of `place` that differs from the other's.
fn apart(place: &str, other: Option<&str>) -> String {
    let own = forms(place);
    let other = other.map(forms);
    let differs = |at: &usize| other.as_ref().is_none_or(|other| other[*at] != own[*at]);
    let at = (0..own.len()).find(differs).unwrap_or(0);
    own[at].clone()
}

/// Host, then with the path; or file name, then with its folder; then the whole place.
fn forms(place: &str) -> [String; 3] {
    let whole = place.to_owned();
    let url = url::Url::parse(place).ok();
    if let Some((host, url)) = url.as_ref().and_then(|url| Some((url.host_str()?, url))) {
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let after = place.split_once("://").and_then(|(_, rest)| Some(&rest[rest.find(['/', '?', '#'])?..]));
        let path = after.unwrap_or_default();
        let path = USUAL_PATHS.iter().find_map(|usual| path.strip_suffix(usual)).unwrap_or(path).trim_end_matches('/');
        return [host.clone(), format!("{host}{path}"), whole];
    }
    if let Some(digest) = place.strip_prefix("pasted:") {
        return ["pasted".to_owned(), format!("pasted {}", &digest[..digest.len().min(8)]), whole];
    }
    let tail = |parts: usize| place.rmatch_indices(['/', '\\']).nth(parts).map_or(place, |(at, _)| &place[at + 1..]);
    [tail(0).to_owned(), tail(1).to_owned(), whole]
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::history::records::VersionId;
    use crate::state::SideRef;

    fn choice(name: &str, version: &str, place: &str, number: u32) -> Choice {
        Choice {
            side: SideRef::Kept(VersionId(number.into())),
            kind: ChoiceKind::Kept { number: Some(number) },
            name: name.to_owned(),
            version: Some(version.to_owned()),
            place: place.to_owned(),
            at: Some(SystemTime::UNIX_EPOCH),
        }
    }

    #[test]
    fn two_sides_are_always_told_apart() {
        let base = choice("Quotes", "1.0.0", "/tmp/m1.json", 1);
        let words = |one: &Choice, other: &Choice, width| short(one, Some(other), Some("Quotes"), width);
        for width in [100.0, 200.0] {
            for other in [
                choice("Quotes", "1.0.0", "/tmp/m2.json", 1),
                choice("Quotes", "2.0.0", "/tmp/m1.json", 1),
                choice("Larder", "1.0.0", "/tmp/m1.json", 1),
                choice("Quotes", "1.0.0", "/tmp/m1.json", 2),
            ] {
                assert_ne!(words(&base, &other, width), words(&other, &base, width), "{other:?}");
            }
        }
        assert_eq!(words(&base, &choice("Quotes", "1.0.0", "/tmp/m2.json", 1), 200.0), "1.0.0  m1.json");
        assert_eq!(words(&base, &choice("Larder", "1.0.0", "/tmp/m2.json", 1), 200.0), "Quotes 1.0.0");
        let listed =
            [base.clone(), choice("Quotes", "1.0.0", "/old/m1.json", 3), choice("Quotes", "1", "/tmp/m2.json", 1)];
        let of = |place: &str| choice("Quotes", "1", place, 1);
        let served =
            [of("http://127.0.0.1:9877/.well-known/agent-card.json"), of("http://127.0.0.1:9877/c.json#urn:x:3")];
        let words = places(served.iter());
        let words = served.each_ref().map(|choice| &*words[&*choice.place]);
        assert_eq!(words, ["127.0.0.1:9877", "127.0.0.1:9877/c.json#urn:x:3"]);
        let places = places(listed.iter());
        assert_eq!(listed.each_ref().map(|choice| &*places[&*choice.place]), ["tmp/m1.json", "old/m1.json", "m2.json"]);
    }

    #[test]
    fn a_place_is_as_short_as_tells_it_from_the_other() {
        let card = "/.well-known/agent-card.json";
        for (place, other, words) in [
            ("/tmp/i3/m1.json", "/tmp/i3/m2.json", "m1.json"),
            ("/tmp/old/card.json", "/tmp/new/card.json", "old/card.json"),
            ("/a/x/card.json", "/b/x/card.json", "/a/x/card.json"),
            (r"C:\cards\old.json", "/tmp/new.json", "old.json"),
            (&format!("http://127.0.0.1:9311{card}"), &format!("https://a.example{card}"), "127.0.0.1:9311"),
            (&format!("https://a.example/jars{card}"), &format!("https://a.example{card}"), "a.example/jars"),
            ("https://a.example/c.json#urn:a", "https://a.example/c.json#urn:b", "a.example/c.json#urn:a"),
            ("http://a.example", "https://a.example", "http://a.example"),
            ("pasted:0123456789", "/tmp/card.json", "pasted"),
        ] {
            assert_eq!(apart(place, Some(other)), words, "{place}");
        }
    }
}
