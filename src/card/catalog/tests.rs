//! Each documented shape, and what becomes of entries that are none.

use super::*;

const CARD: &str = r#"{"name": "Jar Counter", "description": "Counts\n jars.", "version": "2.1.0", "url": "https://jars.example/rpc",
    "skills": [], "capabilities": {}, "tags": ["jars"]}"#;

fn read_from(base: &str, text: &str, kind: Option<CatalogKind>) -> Result<(Document, CatalogPage), String> {
    let document = Document::new(text.to_owned());
    let base = Url::parse(base).ok();
    let page = CatalogPage::read(&document, Asked { base: base.as_ref(), kind, offset: 0 })?;
    Ok((document, page))
}

fn read(text: &str) -> CatalogPage {
    read_from("https://pantry.example/.well-known/ai-catalog.json", text, None).unwrap().1
}

#[test]
fn an_ai_catalog_in_both_spellings_nested_linked_and_inline() {
    let text = format!(
        r#"{{"specVersion": "1.0", "host": {{"displayName": "Pantry"}}, "entries": [
        {{"identifier": "urn:p:a", "displayName": "A", "type": "application/a2a-agent-card+json", "url": "cards/a.json",
          "version": "1.2", "tags": ["x"], "publisher": {{"identifier": "p", "displayName": "Clerk"}}}},
        {{"identifier": "urn:p:b", "displayName": "B", "mediaType": "application/a2a-agent-card+json", "data": {CARD}}},
        {{"identifier": "urn:p:c", "displayName": "C", "mediaType": "application/ai-catalog+json", "url": "https://c.example/c.json"}},
        {{"identifier": "urn:p:m", "displayName": "M", "type": "application/mcp-server-card+json", "url": "https://m.example/m"}},
        {{"identifier": "urn:p:z", "displayName": "Z", "type": "application/agentskill+zip", "url": "https://m.example/z"}}],
        "collections": [{{"displayName": "All", "url": "/v1/agents?filter=x", "mediaType": "application/a2a-agent-card+json"}}]}}"#
    );
    let (document, page) = read_from("https://pantry.example/.well-known/ai-catalog.json", &text, None).unwrap();
    assert_eq!((page.kind, page.title.as_deref()), (CatalogKind::AiCatalog, Some("Pantry")));
    let kinds: Vec<&str> = page.entries.iter().map(CatalogEntry::kind_words).collect();
    assert_eq!(kinds, ["card", "card", "catalog", "mcp-server-card", "agentskill", "catalog"]);
    let opens: Vec<bool> = page.entries.iter().map(CatalogEntry::opens).collect();
    assert_eq!(opens, [true, true, true, true, false, true]);
    let first = &page.entries[0];
    assert_eq!(first.url.as_deref(), Some("https://pantry.example/.well-known/cards/a.json"));
    assert!(first.notes[0].contains("relative"), "{:?}", first.notes);
    assert_eq!((first.version.as_deref(), first.source.as_str()), (Some("1.2"), "Clerk"));
    assert_eq!(first.pointer.as_str(), "/entries/0");
    assert_eq!(page.entries[5].pointer.as_str(), "/collections/0");
    let data = page.entries[1].data.clone().unwrap();
    assert_eq!(&document.text()[data], CARD);
    assert_eq!(page.entries[2].source, "c.example");
}

#[test]
fn one_bad_entry_is_a_row_that_says_so() {
    let entries = [
        (
            r#"{"displayName": "Good", "type": "application/a2a-agent-card+json", "url": "https://a.example/c.json"}"#,
            "",
        ),
        ("null", "this is null"),
        ("\"text\"", "this is a string"),
        (r#"{"displayName": "Nothing", "type": "application/a2a-agent-card+json"}"#, "neither url nor data"),
        (r#"{"displayName": "Number", "url": 3}"#, "a number, not a text"),
        (r#"{"displayName": "Scheme", "url": "file:///etc/passwd"}"#, "not an http or https"),
        (r#"{"displayName": "Password", "url": "https://a:b@c.example/"}"#, "password"),
        (r#"{"displayName": "Text", "type": "x/json", "data": "{}"}"#, "not a document"),
        (r#"{"displayName": 7, "tags": "jam, jars", "version": 2, "url": "https://a.example/c.json"}"#, ""),
    ];
    let list: Vec<&str> = entries.iter().map(|(entry, _)| *entry).collect();
    let page = read(&format!(r#"{{"specVersion": "1.0", "entries": [{}]}}"#, list.join(",")));
    assert_eq!(page.entries.len(), entries.len());
    for (entry, (text, problem)) in page.entries.iter().zip(entries) {
        let said = entry.problem.as_deref().unwrap_or_default();
        assert!(said.contains(problem) && said.is_empty() == problem.is_empty(), "{text}: {said}");
        assert!(!entry.title.is_empty(), "{text}");
    }
    let odd = &page.entries[8];
    assert_eq!((odd.title.as_str(), odd.version.as_deref(), odd.tags.len()), ("7", Some("2"), 2));
}

#[test]
fn a_bad_url_beside_good_data_does_no_harm() {
    let page = read(&format!(
        r#"{{"specVersion": "1.0", "entries": [{{"displayName": "A", "url": "ftp://a.example", "data": {CARD}}}]}}"#
    ));
    let entry = &page.entries[0];
    assert!(entry.opens() && entry.url.is_none() && entry.kind == EntryKind::Card, "{entry:?}");
    assert!(entry.notes.iter().any(|note| note.contains("cannot be opened")), "{:?}", entry.notes);
}

#[test]
fn ard_answers_and_their_referrals() {
    let found = read(
        r#"{"results": [{"identifier": "urn:air:a", "displayName": "A", "type": "application/a2a-agent-card+json",
        "url": "https://a.example/c.json", "score": 95, "source": "https://registry.example/api/"}],
        "referrals": [{"identifier": "urn:r", "displayName": "Finder", "type": "application/ai-registry+json",
        "url": "https://finder.example/search"}], "pageToken": "t2"}"#,
    );
    assert_eq!((found.kind, &found.next), (CatalogKind::Ard, &Some(NextPage::Token("t2".to_owned()))));
    assert_eq!(found.entries[0].source, "registry.example");
    assert!(found.entries[0].extra.contains(&("score", "95".to_owned())));
    assert_eq!(found.entries[1].kind, EntryKind::Registry);
    let listed = read(
        r#"{"items": [{"identifier": "urn:air:a", "displayName": "A", "type": "x/y+json", "url": "https://a.example/"}],
        "total": 1, "pageToken": null}"#,
    );
    assert_eq!((listed.kind, listed.total, listed.next), (CatalogKind::Ard, Some(1), None));
    let (_, empty) = read_from("https://r.example/search", r#"{"results": []}"#, Some(CatalogKind::Ard)).unwrap();
    assert!(empty.entries.is_empty());
}

#[test]
fn an_agntcy_directory_gives_cards_by_their_export() {
    let text = r#"{"results": [
        {"identifier": "urn:ai:org.agntcy:cid:bafy1", "displayName": "burger", "mediaType": "application/a2a-agent-card+json",
         "data": {"card_data": {}}, "version": "v1"},
        {"identifier": "urn:ai:org.agntcy:cid:bafy2", "displayName": "both", "mediaType": "application/ai-catalog+json",
         "data": {"specVersion": "1.0", "entries": [{"displayName": "both - A2A", "mediaType": "application/a2a-agent-card+json", "data": {}}]}},
        {"identifier": "urn:ai:org.agntcy:cid:bafy3", "displayName": "tool", "mediaType": "application/mcp-server-card+json", "data": {}}],
        "nextPageToken": "20", "totalCount": 41}"#;
    let (_, page) = read_from("https://dir.example/base/v1/agents?pageSize=2", text, None).unwrap();
    assert_eq!((page.kind, page.total), (CatalogKind::Agntcy, Some(41)));
    assert_eq!(page.next, Some(NextPage::Token("20".to_owned())));
    let export = |cid: &str| format!("https://dir.example/base/v1/agents/{cid}/export?format=a2a");
    assert_eq!(page.entries[0].url, Some(export("bafy1")));
    assert_eq!((page.entries[1].kind, &page.entries[1].url), (EntryKind::Card, &Some(export("bafy2"))));
    assert!(page.entries[2].url.is_none() && page.entries[2].data.is_some());
}

#[test]
fn apicurio_lists_cards_and_their_versions() {
    let text = r#"{"count": 3, "agents": [
        {"groupId": "team a", "artifactId": "jars", "name": "Jar Counter", "version": "3", "skills": ["count"], "createdOn": 1},
        {"artifactId": "plums", "owner": "clerk"}]}"#;
    let (_, page) = read_from("https://reg.example/base/.well-known/agents?limit=2", text, None).unwrap();
    assert_eq!((page.kind, page.total, page.next), (CatalogKind::Apicurio, Some(3), Some(NextPage::Offset(2))));
    let first = &page.entries[0];
    assert_eq!(first.url.as_deref(), Some("https://reg.example/base/.well-known/agents/team%20a/jars"));
    let versions = "https://reg.example/base/apis/registry/v3/groups/team%20a/artifacts/jars/versions";
    assert_eq!(first.versions_url.as_deref(), Some(versions));
    assert_eq!(page.entries[1].title, "plums");
    assert!(page.entries[1].url.as_deref().unwrap().ends_with("/agents/default/plums"));

    let text = r#"{"count": 2, "versions": [{"version": "2", "globalId": 8, "artifactId": "jars", "createdOn": "2026-02-01"},
        {"version": "1 beta", "globalId": 7, "artifactId": "jars"}, {"globalId": 6}]}"#;
    let (_, page) = read_from(versions, text, None).unwrap();
    assert_eq!((page.kind, page.next), (CatalogKind::ApicurioVersions, None));
    let old = "https://reg.example/base/.well-known/agents/team%20a/jars?version=1+beta";
    assert_eq!(page.entries[1].url.as_deref(), Some(old));
    assert!(page.entries[2].problem.is_some());
}

#[test]
fn a2aregistry_lists_copies_and_where_the_cards_are() {
    let text = format!(
        r#"{{"agents": [{{"wellKnownURI": "https://jars.example/.well-known/agent.json", "author": "clerk", "is_healthy": false,
        {}, {CARD_BUT_OPEN}, {{"name": "Broken", "wellKnownURI": "nowhere:"}}], "total": 5, "limit": 3, "offset": 0}}"#,
        &CARD[1..]
    );
    let (document, page) = read_from("https://a2aregistry.org/api/agents", &text, None).unwrap();
    assert_eq!((page.kind, page.next), (CatalogKind::A2aRegistry, Some(NextPage::Offset(3))));
    let first = &page.entries[0];
    assert_eq!(first.url.as_deref(), Some("https://jars.example/.well-known/agent.json"));
    assert!(document.text()[first.data.clone().unwrap()].contains("Jar Counter"));
    assert!(first.extra.iter().any(|(name, value)| *name == "health" && value.contains("does not answer")));
    assert!(page.entries[1].url.is_none() && page.entries[1].opens());
    assert!(!page.entries[2].opens());
}

const CARD_BUT_OPEN: &str = r#"{"name": "Copy", "version": "1", "url": "https://c.example", "skills": []}"#;

#[test]
fn lists_of_cards_in_any_wrapping() {
    for text in [
        format!("[{CARD}, 3]"),
        format!(r#"{{"agents": [{CARD}, {{"x": 1}}]}}"#),
        format!(r#"{{"records": [{{"id": 4, "agentCard": {CARD}}}, null]}}"#),
        format!(r#"{{"total": 9, "data": [{CARD}, []]}}"#),
    ] {
        let (document, page) = read_from("https://l.example/x", &text, None).unwrap();
        assert_eq!(page.kind, CatalogKind::JsonList, "{text}");
        assert_eq!(page.entries[0].title, "Jar Counter", "{text}");
        assert_eq!(page.entries[0].description, "Counts jars.");
        assert_eq!(&document.text()[page.entries[0].data.clone().unwrap()], CARD, "{text}");
        assert!(page.entries[1].problem.is_some(), "{text}");
    }
    let page = read(r#"["https://a.example/.well-known/agent-card.json", "cards/b.json"]"#);
    assert_eq!(page.entries[1].url.as_deref(), Some("https://pantry.example/.well-known/cards/b.json"));
}

#[test]
fn what_is_no_catalog_is_said() {
    for (text, kind, words) in [
        (CARD, None, "an Agent Card, not a list"),
        (r#"{"error": "no"}"#, None, "no catalog"),
        (r#"{"error": "no"}"#, Some(CatalogKind::Apicurio), "no list as Apicurio"),
        ("3", None, "a number"),
        ("<html>", None, "not JSON"),
        (r#"{"entries": ["#, None, "cannot be read"),
    ] {
        let error = read_from("https://a.example", text, kind).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
        assert_eq!(recognise(&Document::new(text.to_owned())), None, "{text}");
    }
}

#[test]
fn a_choice_that_the_shape_denies_is_said_and_not_followed() {
    let text =
        format!(r#"{{"specVersion": "1.0", "entries": [{{"identifier": "a", "displayName": "A", "data": {CARD}}}]}}"#);
    let (_, page) = read_from("https://a.example/x", &text, Some(CatalogKind::Apicurio)).unwrap();
    assert_eq!(page.kind, CatalogKind::AiCatalog);
    assert!(page.notes[0].contains("read as that"), "{:?}", page.notes);
}

#[test]
fn ten_thousand_entries_are_read_in_linear_time() {
    let entry = |index: usize| {
        format!(
            r#"{{"identifier": "urn:{index}", "displayName": "Agent {index}",
            "type": "application/a2a-agent-card+json", "url": "https://a.example/{index}.json"}}"#
        )
    };
    let took = |count: usize| {
        let entries: Vec<String> = (0..count).map(entry).collect();
        let document = Document::new(format!(r#"{{"specVersion": "1.0", "entries": [{}]}}"#, entries.join(",")));
        let once = || {
            let started = std::time::Instant::now();
            let page = CatalogPage::read(&document, Asked::default()).unwrap();
            assert_eq!(page.entries.len(), count);
            started.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    let (small, large) = (took(1_000), took(10_000));
    // Reading each entry's place by counting its siblings would make it a hundredfold.
    assert!(large < small * 40, "{small:?} for 1,000, {large:?} for 10,000");
}
