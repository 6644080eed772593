//! What one person exports, another imports.

use std::fs;

use cardscope::history::{History, HistoryError, Imported, NewRetrieval, Page, RetrievalsOf, Source};
use serde_json::{Value, json};

use super::{URL, card, numbers, quote_card, record, retrieval};

/// A history with two agents: one public with three versions, one got with a credential and no UTF-8.
fn filled() -> History {
    let mut history = History::in_memory().unwrap();
    for version in ["1", "2", "3"] {
        let mut new = retrieval(URL, &quote_card(version, "a"));
        new.caching.cache_control = Some("max-age=300".to_owned());
        record(&mut history, &new);
    }
    let keyed = NewRetrieval {
        credentials: vec![("X-API-Key".to_owned(), "opensesame-7f2a".to_owned())],
        ..retrieval("https://keyed.example/card.json", r#"{"name": "Keyed"}"#)
    };
    record(&mut history, &keyed);
    let latin1 = cardscope::card::Document::new(&b"{\"name\": \"caf\xe9\"}"[..]);
    let latin1 = cardscope::card::Inspection::of(latin1.into(), cardscope::card::facts::Origin::default());
    record(&mut history, &NewRetrieval { document: Some((&latin1).into()), ..keyed });
    history.set_muted(super::AgentId(1), &[super::JsonPointer::from_text("/description")]).unwrap();
    history
}

#[test]
fn what_is_exported_arrives_whole_and_arriving_twice_changes_nothing() {
    let from = filled();
    let agents: Vec<_> = from.agents("", Page::ALL).unwrap().agents;
    let ids: Vec<_> = agents.iter().map(|agent| agent.id).collect();
    let file = from.export(&ids, &[]).unwrap();
    let mut to = History::in_memory().unwrap();
    // Ids differ where something was there before.
    record(&mut to, &retrieval("https://own.example/card.json", "{}"));
    let imported = to.import(file.as_bytes()).unwrap();
    assert_eq!(imported, Imported { new_agents: 2, new_versions: 5, ..Imported::default() });
    let again = to.import(file.as_bytes()).unwrap();
    assert_eq!(again, Imported { known_versions: 5, ..Imported::default() });
    for agent in agents {
        let found = to.agents(&agent.title, Page::ALL).unwrap().agents;
        let mut twin = found.into_iter().find(|twin| twin.card_url == agent.card_url).unwrap();
        let (mut versions, mut twins) =
            (from.versions(agent.id, Page::ALL).unwrap(), to.versions(twin.id, Page::ALL).unwrap());
        for (version, twin) in versions.iter().zip(&twins) {
            let (kept, arrived) = (from.document(version.id).unwrap().unwrap(), to.document(twin.id).unwrap().unwrap());
            assert_eq!(kept.document.bytes(), arrived.document.bytes());
            assert_eq!(kept.retrieval.unwrap().caching, arrived.retrieval.unwrap().caching);
        }
        assert_eq!(super::listed(&from, agent.id), super::listed(&to, twin.id));
        for version in versions.iter_mut().chain(&mut twins) {
            (version.id, version.agent, version.came_after) = (super::VersionId(0), agent.id, None);
        }
        assert_eq!(versions, twins);
        assert_eq!(
            twin.latest.take().map(|version| version.sha256),
            agent.latest.as_ref().map(|version| version.sha256.clone())
        );
        twin.id = agent.id;
        assert_eq!(twin, super::AgentRecord { latest: None, ..agent });
    }
}

#[test]
fn chosen_versions_join_what_is_known_of_the_agent() {
    let from = filled();
    let versions = from.versions(super::AgentId(1), Page::ALL).unwrap();
    let file = from.export(&[], &[versions[2].id, versions[0].id]).unwrap();
    let value: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(value["format"], "cardscope-history");
    assert_eq!(value["agents"][0]["versions"][0]["text"], quote_card("1", "a"));
    let mut to = History::in_memory().unwrap();
    let own = record(&mut to, &retrieval(URL, &quote_card("9", "a")));
    let imported = to.import(file.as_bytes()).unwrap();
    assert_eq!((imported.new_agents, imported.new_versions), (0, 2));
    let mut kept = numbers(&to, own.agent);
    kept.sort_unstable();
    assert_eq!(kept, [1, 2, 3]);
    let agent = to.agent(own.agent).unwrap().unwrap();
    assert_eq!(agent.latest.map(|version| version.id), own.version, "what was last got here stays the latest");
    assert_eq!(agent.muted, [], "the wishes of others are not ours");
}

#[test]
fn a_bad_file_is_refused_and_a_bad_version_left_out() {
    let mut history = History::in_memory().unwrap();
    for bad in ["", "[]", "{}", r#"{"format": "other", "formatVersion": 1, "agents": []}"#] {
        assert!(matches!(history.import(bad.as_bytes()), Err(HistoryError::NotImported(_))), "{bad}");
    }
    let newer = r#"{"format": "cardscope-history", "formatVersion": 2, "agents": []}"#;
    assert!(history.import(newer.as_bytes()).unwrap_err().to_string().contains("up to 1"));
    let sha256 = card("{}").document.sha256().to_owned();
    let version = |change: Value| {
        let mut version = json!({
            "sha256": sha256, "firstSeen": "2026-01-01T00:00:00Z", "lastSeen": "2026-01-02T00:00:00Z", "text": "{}"
        });
        version.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        version
    };
    let bad = [
        json!({"text": "[]"}),
        json!({"lastSeen": "yesterday"}),
        json!({"text": null}),
        json!({"text": null, "base64": "?"}),
    ];
    let mut versions: Vec<Value> = bad.into_iter().map(version).collect();
    versions.push(version(json!({})));
    let agents = json!([{"cardUrl": "https://u:hunter-22@a.example/c?token=hunter-22", "versions": versions}]);
    let file = json!({"format": "cardscope-history", "formatVersion": 1, "agents": agents});
    let imported = history.import(file.to_string().as_bytes()).unwrap();
    assert_eq!((imported.new_agents, imported.new_versions, imported.problems.len()), (1, 1, 4));
    let agent = history.agents("", Page::ALL).unwrap().agents.remove(0);
    assert_eq!(agent.card_url, "https://••••@a.example/c?token=••••");
    assert_eq!(agent.versions, 1);
}

#[test]
fn a_folder_of_cards_is_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("deeper/still")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("one.json", &quote_card("1", "a"));
    write("deeper/still/two.JSON", &quote_card("2", "a"));
    write("no-card.json", "[1]");
    write("readme.md", "not looked at");
    let mut history = History::in_memory().unwrap();
    let imported = history.import_folder(folder.path()).unwrap();
    assert_eq!((imported.new_agents, imported.new_versions, imported.problems.len()), (2, 2, 1));
    assert!(imported.problems[0].contains("no-card.json"), "{:?}", imported.problems);
    let again = history.import_folder(folder.path()).unwrap();
    assert_eq!((again.new_agents, again.new_versions, again.known_versions), (0, 0, 2));
    write("one.json", &quote_card("1.1", "a"));
    assert_eq!(history.import_folder(folder.path()).unwrap().new_versions, 1);
    let agents = history.agents("one.json", Page::ALL).unwrap().agents;
    assert_eq!((agents[0].source, agents[0].versions), (Source::File, 2));
    assert_eq!(history.retrievals(RetrievalsOf::Agent(agents[0].id), Page::ALL).unwrap().len(), 2);
    assert!(history.import_folder(&folder.path().join("absent")).is_err());
}
