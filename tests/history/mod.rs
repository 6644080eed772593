//! The history: what is kept, what counts as a version, and what is found again.

mod conversations;
mod deleting;
mod durability;
mod exchanging;
mod layouts;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cardscope::card::facts::Origin;
use cardscope::card::{Document, Inspection, JsonPointer};
use cardscope::history::{
    AgentId, AgentRecord, AskedAs, AttemptRecord, CachingHeaders, History, NewDocument, NewRetrieval, Page, Recorded,
    RetrievalsOf, Source, VersionId, WatchInterval, Which, previous_version,
};

const URL: &str = "https://quotes.example/.well-known/agent-card.json";

fn card(text: &str) -> NewDocument {
    NewDocument::from(&Inspection::of(Arc::new(Document::new(text.to_owned())), Origin::default()))
}

/// A retrieval of `text` from `url`, typed as its host.
fn retrieval(url: &str, text: &str) -> NewRetrieval {
    let typed = url.split('/').nth(2).unwrap();
    NewRetrieval {
        address: typed.to_owned(),
        card_url: Some(url.to_owned()),
        requested_url: url.to_owned(),
        final_url: url.to_owned(),
        status: Some(200),
        outcome: "card".to_owned(),
        verdict: "A card was found.".to_owned(),
        document: Some(card(text)),
        ..NewRetrieval::default()
    }
}

fn record(history: &mut History, new: &NewRetrieval) -> Recorded {
    history.record(new).unwrap().unwrap()
}

fn quote_card(version: &str, description: &str) -> String {
    format!(
        r#"{{"name": "Quotes", "version": "{version}", "description": "{description}", "supportedInterfaces": [{{"url":
        "https://quotes.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}}], "skills": [{{"id":
        "compare", "name": "Compare Offers", "tags": ["Preise"]}}]}}"#
    )
}

fn numbers(history: &History, agent: AgentId) -> Vec<u32> {
    history.versions(agent, Page::ALL).unwrap().iter().map(|version| version.number).collect()
}

#[test]
fn the_same_bytes_are_the_same_version() {
    let mut history = History::in_memory().unwrap();
    let first = record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    assert!(first.is_new_agent && first.is_new_version && first.previous.is_none());
    let second = record(&mut history, &retrieval(URL, &quote_card("2", "a")));
    assert!(!second.is_new_agent && second.is_new_version);
    assert_eq!(second.previous, first.version);
    assert!(!second.content_changed_version_did_not);
    // The older document comes back: no new version, and it is the latest again.
    let third = record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    assert_eq!((third.version, third.previous, third.is_new_version), (first.version, second.version, false));
    let agent = history.agent(first.agent).unwrap().unwrap();
    assert_eq!((agent.versions, agent.retrievals), (2, 3));
    assert_eq!(agent.latest.as_ref().map(|version| version.id), first.version);
    let version = |which| history.version(first.agent, which).unwrap().map(|version| version.number);
    assert_eq!([version(Which::Latest), version(Which::Previous)], [Some(1), Some(2)]);
    assert_eq!([version(Which::Number(2)), version(Which::Number(3))], [Some(2), None]);
}

/// The versions as listed, each with the previous one, by their numbers.
fn listed(history: &History, agent: AgentId) -> Vec<(u32, Option<u32>)> {
    let versions = history.versions(agent, Page::ALL).unwrap();
    let previous = |version| previous_version(&versions, version).map(|previous| previous.number);
    versions.iter().map(|version| (version.number, previous(version))).collect()
}

#[test]
fn the_previous_version_is_the_one_that_was_served_before_whatever_came_back() {
    let mut history = History::in_memory().unwrap();
    let name = |name: &str| format!(r#"{{"name": "{name}"}}"#);
    let respelled = |name: &str| format!(r#"{{ "name":"{name}" }}"#);
    let mut at = SystemTime::UNIX_EPOCH;
    let mut serve = |text: String| {
        at += Duration::from_secs(1);
        let new = NewRetrieval { at: Some(at), ..retrieval(URL, &text) };
        let agent = record(&mut history, &new).agent;
        let which = |which| history.version(agent, which).unwrap().map(|version| version.number);
        let listed = listed(&history, agent);
        // A kept version is named as the list has it.
        assert_eq!(which(Which::Latest), Some(listed[0].0));
        assert_eq!(which(Which::Previous), listed[0].1.or(listed.get(1).map(|other| other.0)), "{listed:?}");
        listed
    };
    assert_eq!(serve(name("A")), [(1, None)]);
    assert_eq!(serve(respelled("A")), [(2, None), (1, None)]);
    assert_eq!(serve(name("B")), [(3, Some(2)), (2, None), (1, None)]);
    // A comes back: each of the two was served before the other.
    assert_eq!(serve(name("A")), [(1, Some(3)), (3, Some(2)), (2, Some(3))]);
    // Another spelling changes nothing about what was there before, also where spellings take turns.
    assert_eq!(serve(respelled("A")), [(2, Some(3)), (1, Some(3)), (3, Some(2))]);
    assert_eq!(serve(name("A")), [(1, Some(3)), (2, Some(3)), (3, Some(2))]);
    assert_eq!(serve(name("C")), [(4, Some(1)), (1, Some(3)), (2, Some(3)), (3, Some(2))]);
    let agent = history.agents("", Page::ALL).unwrap().agents[0].id;
    for number in [1, 2] {
        let gone = history.version(agent, Which::Number(number)).unwrap().unwrap();
        history.delete_version(gone.id).unwrap();
    }
    assert_eq!(listed(&history, agent), [(4, Some(3)), (3, None)]);
}

#[test]
fn every_byte_comes_back() {
    let mut history = History::in_memory().unwrap();
    let large = vec![b'x'; 300_000];
    let odd: [&[u8]; 5] = [b"", b"\xff\xfe{\0}\0", b"\xef\xbb\xbf{ }\r\n", b"<html>\xe9", &large];
    for bytes in odd {
        let inspection = Inspection::of(Arc::new(Document::new(bytes.to_owned())), Origin::default());
        let new = NewRetrieval { document: Some(NewDocument::from(&inspection)), ..retrieval(URL, "{}") };
        let version = record(&mut history, &new).version.unwrap();
        let kept = history.document(version).unwrap().unwrap();
        assert_eq!(&kept.document.bytes()[..], bytes);
        assert_eq!(kept.version.bytes_len, bytes.len() as u64);
    }
    assert!(history.document(VersionId(99)).unwrap().is_none());
}

#[test]
fn another_spelling_of_the_same_meaning_is_a_version_that_says_so() {
    let mut history = History::in_memory().unwrap();
    let first = record(&mut history, &retrieval(URL, r#"{"name": "A", "version": "1", "skills": []}"#));
    let spelled = record(&mut history, &retrieval(URL, r#"{"version":"1","name":"\u0041"}"#));
    assert!(spelled.is_new_version && !spelled.content_changed_version_did_not);
    assert_eq!(spelled.same_meaning_as, first.version);
    let changed = record(&mut history, &retrieval(URL, r#"{"version":"1","name":"B"}"#));
    assert_eq!(changed.same_meaning_as, None);
    assert!(changed.content_changed_version_did_not);
    let without = record(&mut history, &retrieval(URL, r#"{"name":"C"}"#));
    assert!(!without.content_changed_version_did_not, "a card without `version` cannot forget to change it");
    let listed = history.versions(first.agent, Page::ALL).unwrap();
    let folds: Vec<_> = listed.iter().map(|version| version.same_meaning_as).collect();
    assert_eq!(folds, [None, None, first.version, None]);
}

#[test]
fn a_muted_member_makes_no_other_meaning() {
    let mut history = History::in_memory().unwrap();
    let first = record(&mut history, &retrieval(URL, &quote_card("1", "1547 tiers")));
    let second = record(&mut history, &retrieval(URL, &quote_card("1", "1549 tiers")));
    assert!(second.content_changed_version_did_not && second.same_meaning_as.is_none());
    let muted = [JsonPointer::from_text("/description")];
    history.set_muted(first.agent, &muted).unwrap();
    assert_eq!(history.agent(first.agent).unwrap().unwrap().muted, muted);
    // Judged anew for what is kept, and for what comes.
    let second = history.version(first.agent, Which::Number(2)).unwrap().unwrap();
    assert_eq!(second.same_meaning_as, first.version);
    let third = record(&mut history, &retrieval(URL, &quote_card("1", "1551 tiers")));
    assert!(!third.content_changed_version_did_not);
    assert_eq!(third.same_meaning_as, first.version);
    history.set_muted(first.agent, &[]).unwrap();
    assert!(history.versions(first.agent, Page::ALL).unwrap().iter().all(|version| version.same_meaning_as.is_none()));
}

#[test]
fn a_304_confirms_a_version_and_makes_none() {
    let mut history = History::in_memory().unwrap();
    let hour = Duration::from_hours(1);
    let long_ago = SystemTime::UNIX_EPOCH + hour;
    let first = NewRetrieval { at: Some(long_ago), ..retrieval(URL, &quote_card("1", "a")) };
    let first = record(&mut history, &first);
    let checked = NewRetrieval {
        at: Some(long_ago + hour),
        document: None,
        not_modified: first.version,
        status: Some(304),
        caching: CachingHeaders { etag: Some("\"k1\"".to_owned()), ..CachingHeaders::default() },
        ..retrieval(URL, "")
    };
    let checked = record(&mut history, &checked);
    assert_eq!((checked.version, checked.previous, checked.is_new_version), (first.version, None, false));
    let version = history.version(first.agent, Which::Latest).unwrap().unwrap();
    assert_eq!((version.first_seen, version.last_seen), (long_ago, long_ago + hour));
    let retrievals = history.retrievals(RetrievalsOf::Version(version.id), Page::ALL).unwrap();
    assert_eq!(retrievals.iter().map(|retrieval| retrieval.not_modified).collect::<Vec<_>>(), [true, false]);
    assert_eq!(retrievals[0].caching.etag.as_deref(), Some("\"k1\""));
}

#[test]
fn a_failure_belongs_to_the_agent_that_was_meant_and_to_nobody_else() {
    let mut history = History::in_memory().unwrap();
    let failed = NewRetrieval { card_url: None, document: None, status: Some(503), ..retrieval(URL, "") };
    assert_eq!(history.record(&failed).unwrap(), None, "nobody is known at this address");
    let known = record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    let attempts = vec![AttemptRecord { url: URL.to_owned(), outcome: "serverError".to_owned(), ..attempt() }];
    let again = record(&mut history, &NewRetrieval { outcome: "serverError".to_owned(), attempts, ..failed });
    assert_eq!((again.agent, again.version), (known.agent, None));
    let latest = history.retrievals(RetrievalsOf::Agent(known.agent), Page { offset: 0, limit: 1 }).unwrap();
    assert_eq!((latest[0].outcome.as_str(), latest[0].attempts.len()), ("serverError", 1));
    assert_eq!(history.agent(known.agent).unwrap().unwrap().latest.map(|version| version.id), known.version);
}

fn attempt() -> AttemptRecord {
    AttemptRecord { url: String::new(), outcome: "card".to_owned(), status: Some(200), note: String::new() }
}

#[test]
fn cards_of_different_askers_are_different_agents() {
    let mut history = History::in_memory().unwrap();
    let with = |token: &str| NewRetrieval {
        credentials: vec![("Authorization".to_owned(), format!("Bearer {token}"))],
        ..retrieval(URL, &quote_card("1", "a"))
    };
    let public = record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    let one = record(&mut history, &with("opensesame-1"));
    let other = record(&mut history, &with("opensesame-2"));
    let keyed_url = format!("{URL}?api_key=opensesame-3");
    let in_address = record(&mut history, &NewRetrieval { address: keyed_url.clone(), ..retrieval(&keyed_url, "{}") });
    let agents = [public.agent, one.agent, other.agent, in_address.agent];
    assert_eq!(agents.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    assert_eq!(record(&mut history, &with("opensesame-1")).agent, one.agent);
    let asked_as = |agent| history.agent(agent).unwrap().unwrap().asked_as;
    assert_eq!(asked_as(public.agent), AskedAs::Public);
    let AskedAs::Credentials { names, .. } = asked_as(one.agent) else { panic!("it was got with credentials") };
    assert_eq!(names, ["authorization"]);
    let AskedAs::Credentials { names, .. } = asked_as(in_address.agent) else { panic!("it was got with credentials") };
    assert_eq!(names, ["address"]);
    let found = history.agents_at("quotes.example").unwrap();
    assert_eq!(found[0].id, public.agent, "the public one comes first");
    assert_eq!(found.len(), 3);
}

#[test]
fn files_are_known_by_their_whole_path_and_pasted_texts_by_themselves() {
    let mut history = History::in_memory().unwrap();
    let file = NewRetrieval {
        source: Source::File,
        address: "card.json".to_owned(),
        card_url: Some("card.json".to_owned()),
        ..retrieval(URL, "{}")
    };
    let agent = record(&mut history, &file).agent;
    let whole = std::path::absolute("card.json").unwrap().display().to_string();
    let kept = history.agent(agent).unwrap().unwrap();
    assert_eq!((kept.card_url, kept.address, kept.source), (whole.clone(), whole, Source::File));
    let pasted = |text| NewRetrieval { source: Source::Pasted, card_url: None, ..retrieval(URL, text) };
    let one = record(&mut history, &pasted("{}")).agent;
    assert_eq!(record(&mut history, &pasted("{}")).agent, one);
    assert_ne!(record(&mut history, &pasted("[]")).agent, one);
}

#[test]
fn agents_are_found_by_title_address_and_skills_and_paged() {
    let mut history = History::in_memory().unwrap();
    let quotes = record(&mut history, &retrieval(URL, &quote_card("1", "a"))).agent;
    for number in 0..30 {
        let url = format!("https://host{number}.example/card.json");
        record(&mut history, &retrieval(&url, &format!(r#"{{"name": "Weather {number} ÄÖ"}}"#)));
    }
    let page = |offset, limit| Page { offset, limit };
    for (search, total) in [
        ("", 31),
        ("weather", 30),
        ("QUOTES", 1),
        ("compare offers", 1),
        ("offers compare", 1),
        ("preise", 1),
        ("äö", 30),
        ("host7.example", 1),
        ("weather host2", 11),
        ("nobody", 0),
        ("%", 0),
        ("'; DROP TABLE agents; --", 0),
    ] {
        assert_eq!(history.agents(search, page(0, 5)).unwrap().total, total, "{search}");
    }
    let titles = |list: Vec<AgentRecord>| -> Vec<String> { list.into_iter().map(|agent| agent.title).collect() };
    let last = history.agents("weather", page(28, 5)).unwrap();
    assert_eq!(titles(last.agents), ["Weather 1 ÄÖ", "Weather 0 ÄÖ"]);
    // The one checked last comes first.
    record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    assert_eq!(history.agents("", page(0, 1)).unwrap().agents[0].id, quotes);
    // What a newer version no longer has does not find it.
    record(&mut history, &retrieval(URL, r#"{"name": "Offers of tomorrow"}"#));
    assert_eq!(history.agents("preise", page(0, 5)).unwrap().total, 0);
    assert_eq!(history.agents("tomorrow", page(0, 5)).unwrap().agents[0].title, "Offers of tomorrow");
}

#[test]
fn levels_and_watches_are_kept() {
    let mut history = History::in_memory().unwrap();
    let first = record(&mut history, &retrieval(URL, &quote_card("1", "a")));
    let second = record(&mut history, &retrieval(URL, &quote_card("2", "a")));
    history.set_level(second.version.unwrap(), first.version.unwrap(), "breaking").unwrap();
    history.set_watch(first.agent, Some(WatchInterval::of_minutes(1))).unwrap();
    let watched = history.watched().unwrap();
    assert_eq!(watched[0].watch, Some(WatchInterval::SHORTEST), "one minute would not be polite");
    let versions = history.versions(first.agent, Page::ALL).unwrap();
    assert_eq!(versions[0].level_against(&versions[1]), Some("breaking"));
    // A level belongs to its pair.
    assert_eq!(versions[0].level_against(&versions[0]), None);
    history.set_watch(first.agent, None).unwrap();
    assert!(history.watched().unwrap().is_empty());
    assert!(history.set_watch(AgentId(99), None).is_err());
    assert!(history.set_level(VersionId(99), VersionId(1), "docs").is_err());
}
