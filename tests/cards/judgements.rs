//! Cards that mislead careless readers: which interface is chosen, what is required, what is kept.

use cardscope::a2a::{Dialect, ProtocolBinding};
use cardscope::card::facts::{AddressFlagKind, FieldValue, Interface, Readers, SchemeKind, Shape};

use super::said::{from, pasted, said};

#[test]
fn the_first_interface_that_is_spoken_is_chosen_in_declared_order() {
    let card = pasted(
        r#"{"name": "A", "supportedInterfaces": [
            {"url": "https://a.example/1", "protocolBinding": "SLIMRPC", "protocolVersion": "1.0"},
            {"url": "https://a.example/2", "protocolBinding": "JSONRPC", "protocolVersion": "0.3.0"},
            {"url": "https://a.example/3", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
            {"url": "https://a.example/4", "protocolBinding": "jsonrpc", "protocolVersion": "1.0.1", "tenant": " north/42 β"}]}"#,
    );
    let table = &card.interfaces;
    assert_eq!(table.chosen, Some(1));
    assert_eq!(table.rows.iter().map(Interface::usable).collect::<Vec<_>>(), [false, true, true, true]);
    assert_eq!(table.rows[1].dialect, Some(Dialect::V0_3));
    assert_eq!(table.rows[2].dialect, Some(Dialect::V1_0));
    assert_eq!(table.rows[3].notes.len(), 2, "{:?}", table.rows[3].notes);
    assert_eq!(table.rows[3].tenant.as_deref(), Some(" north/42 β"));
    let only = pasted(
        r#"{"supportedInterfaces": [{"url": "https://a.example", "protocolBinding": "SLIMRPC", "protocolVersion": "1.0"}]}"#,
    );
    assert_eq!(only.interfaces.chosen, None);
    assert_eq!(
        only.interfaces.chosen_reason,
        "The card offers SLIMRPC 1.0; this build speaks JSONRPC and HTTP+JSON, in 1.0 and 0.3."
    );
}

#[test]
fn addresses_that_cannot_work_are_flagged_and_left_as_they_are() {
    let card = r#"{"name": "A", "supportedInterfaces": [
        {"url": "http://0.0.0.0:8000/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "http://[::]:8080/x", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "http://svc-clerk:8000/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "http://127.0.0.1:4321/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}"#;
    let card = from(card, Some("http://127.0.0.1:4321/.well-known/agent-card.json"));
    let flags: Vec<_> = card.interfaces.rows.iter().map(|row| row.flag.as_ref().map(|flag| flag.kind)).collect();
    assert_eq!(
        flags,
        [
            Some(AddressFlagKind::Wildcard),
            Some(AddressFlagKind::Wildcard),
            Some(AddressFlagKind::ContainerName),
            Some(AddressFlagKind::Relative),
            None
        ]
    );
    let suggested: Vec<_> =
        card.interfaces.rows.iter().filter_map(|row| row.flag.as_ref()?.suggestion.as_deref()).collect();
    assert!(suggested.iter().all(|url| url.starts_with("http://127.0.0.1:4321/")), "{suggested:?}");
    assert_eq!(card.interfaces.rows[0].url, "http://0.0.0.0:8000/");
    assert!(card.interfaces.rows.iter().all(Interface::usable));
}

#[test]
fn cards_of_before_1_0_make_the_same_table() {
    let card = pasted(
        r#"{"protocolVersion": "0.3.0", "name": "A", "url": "https://a.example/rpc", "preferredTransport": "JSONRPC",
            "additionalInterfaces": [{"url": "https://a.example/rpc", "transport": "JSONRPC"},
                                     {"url": "https://a.example/rest", "transport": "HTTP+JSON"}]}"#,
    );
    assert_eq!(card.shape, Shape::V0_3);
    let rows: Vec<_> = card.interfaces.rows.iter().map(|row| (row.url.as_str(), row.binding.name())).collect();
    assert_eq!(rows, [("https://a.example/rpc", "JSONRPC"), ("https://a.example/rest", "HTTP+JSON")]);
    assert_eq!(card.interfaces.chosen, Some(0));
    assert_eq!(card.interfaces.rows[0].pointer.as_str(), "/url");
    let oldest = pasted(r#"{"name": "A", "url": "https://a.example", "skills": []}"#);
    assert_eq!(oldest.shape, Shape::V0_2);
    assert_eq!(oldest.interfaces.rows[0].binding, ProtocolBinding::JsonRpc);
    assert_eq!(oldest.interfaces.rows[0].binding_text, None);
    assert_eq!(oldest.interfaces.rows[0].dialect, Some(Dialect::V0_3));
}

#[test]
fn in_a_hybrid_card_the_newer_list_wins_and_the_older_half_follows() {
    let card = pasted(
        r#"{"name": "A", "url": "https://a.example/old", "protocolVersion": "0.3.0", "preferredTransport": "JSONRPC",
            "supportedInterfaces": [{"url": "https://a.example/new", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}]}"#,
    );
    let readers: Vec<_> = card.interfaces.rows.iter().map(|row| row.readers).collect();
    assert_eq!(readers, [Readers::NewClients, Readers::OldClients]);
    assert_eq!(card.interfaces.chosen, Some(0));
    let fallback = pasted(
        r#"{"name": "A", "url": "https://a.example/old", "preferredTransport": "JSONRPC",
            "supportedInterfaces": [{"url": "a.example:443", "protocolBinding": "GRPC", "protocolVersion": "1.0"}]}"#,
    );
    assert_eq!(fallback.interfaces.chosen, Some(1));
    assert!(fallback.interfaces.chosen_reason.contains("Nothing in supportedInterfaces is spoken"));
}

#[test]
fn every_notation_of_schemes_and_requirements_is_read() {
    let card = pasted(
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes": {
            "flat": {"type": "apiKey", "in": "query", "name": "key"},
            "wrapped": {"oauth2_security_scheme": {"flows": {"clientCredentials": {"tokenUrl": "https://t.example", "scopes": {"read": "Read"}}}}},
            "bare": {"openIdConnectUrl": "https://id.example/.well-known/openid-configuration"},
            "doubled": {"apiKeySecurityScheme": {"location": "header", "name": "X"}, "httpAuthSecurityScheme": {"scheme": "Bearer"}},
            "halved": {"type": "http"},
            "strange": {"type": "sealed-letter", "wax": "red"}},
            "securityRequirements": [{"flat": []}, {"schemes": {"wrapped": ["read"]}}, {"schemes": {"bare": {"list": []}, "flat": {}}},
                                     {"schemes": {"nowhere": {"list": []}}}]}"#,
    );
    let kinds: Vec<_> = card.access.schemes.iter().map(|scheme| scheme.kind).collect();
    assert_eq!(
        kinds,
        [
            SchemeKind::ApiKey,
            SchemeKind::OAuth2,
            SchemeKind::OpenIdConnect,
            SchemeKind::ApiKey,
            SchemeKind::Http,
            SchemeKind::Unknown
        ]
    );
    let faulty: Vec<_> =
        card.access.schemes.iter().filter(|scheme| scheme.faulty).map(|scheme| scheme.name.as_str()).collect();
    assert_eq!(faulty, ["doubled", "halved"]);
    assert_eq!(card.access.summary, "Any one of: flat; wrapped (read); all of bare and flat; nowhere.");
    let undeclared: Vec<_> = card
        .access
        .requirements
        .alternatives
        .iter()
        .flat_map(|alternative| &alternative.schemes)
        .filter(|scheme| !scheme.declared)
        .map(|scheme| scheme.name.as_str())
        .collect();
    assert_eq!(undeclared, ["nowhere"]);
    assert_eq!(card.access.schemes[1].summary, "OAuth 2.0: client credentials");
    let object = pasted(r#"{"name": "A", "url": "https://a.example", "security": {"door": []}}"#);
    assert_eq!(object.access.summary, "Required: door.");
}

#[test]
fn an_oauth_scheme_without_flows_is_faulty() {
    let card = pasted(r#"{"name": "A", "url": "https://a.example", "securitySchemes": {"o": {"type": "oauth2"}}}"#);
    assert!(card.access.schemes[0].faulty);
    assert!(said(&card).contains("flows is missing; without it nobody can prove who they are this way."));
}

#[test]
fn a_skill_may_require_what_its_card_does_not() {
    let card = pasted(
        r#"{"name": "A", "supportedInterfaces": [{}], "securitySchemes": {"m": {"mtlsSecurityScheme": {}}}, "skills":
            [{"id": "s", "name": "S", "tags": [], "securityRequirements": [{"schemes": {"m": {"list": []}}}]}]}"#,
    );
    assert!(card.access.schemes[0].required_somewhere);
    assert_eq!(card.skills.rows[0].requirements.as_ref().unwrap().alternatives.len(), 1);
}

#[test]
fn the_extended_card_is_found_under_every_name_it_ever_had() {
    let declared = |text: &str| {
        let card = pasted(text);
        let row = card.capabilities.rows.iter().find(|row| row.name == "extendedAgentCard").unwrap().clone();
        (row.declared, row.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>().join(" "))
    };
    let (value, notes) =
        declared(r#"{"name": "A", "url": "https://a.example", "supportsAuthenticatedExtendedCard": true}"#);
    assert_eq!(value, Some(true));
    assert!(notes.contains("its name in 0.3"));
    let (value, notes) = declared(r#"{"name": "A", "supportedInterfaces": [{}], "supportsExtendedAgentCard": true}"#);
    assert_eq!(value, Some(true));
    assert!(notes.contains("capabilities.extendedAgentCard"));
    let (value, notes) = declared(
        r#"{"name": "A", "supportedInterfaces": [{}], "capabilities": {"extendedAgentCard": false}, "supportsAuthenticatedExtendedCard": true}"#,
    );
    assert_eq!(value, Some(false));
    assert!(notes.contains("says otherwise"));
    assert_eq!(declared(r#"{"name": "A", "url": "https://a.example"}"#).0, None);
}

#[test]
fn undeclared_capabilities_name_the_error_that_their_use_demands() {
    let card = pasted(
        r#"{"name": "A", "supportedInterfaces": [{}], "capabilities": {"streaming": "true", "extendedAgentCard": true}}"#,
    );
    let meanings: Vec<_> = card.capabilities.rows.iter().map(|row| (row.declared, row.meaning.as_str())).collect();
    assert_eq!(
        meanings,
        [
            (None, "absent counts as false; use is answered with -32004"),
            (None, "absent counts as false; use is answered with -32003"),
            (Some(true), "GetExtendedAgentCard; answered with -32007 if none is set up"),
        ]
    );
    assert!(said(&card).contains("\"true\" is neither true nor false"));
}

#[test]
fn a_messy_card_opens_and_nothing_of_it_is_lost() {
    let name = "Ä".repeat(400);
    let text = format!(
        r#"{{"name": "{name}", "url": "https://a.example", "iconUrl": null, "icon_url": "https://a.example/i.png", "signatures": null,
            "x-vendor": {{"n": 1.0}}, "capabilities": {{"x-depth": [1, {{"deep": true}}]}}, "provider": {{"x-mail": "m"}},
            "securityRequirements": null, "skills": [{{"id": "🦊", "name": "Fox", "tags": null, "x-cost": 8747832031878802303}}]}}"#
    );
    let card = pasted(&text);
    assert_eq!(&**card.document.bytes(), text.as_bytes());
    assert_eq!(card.title, name);
    assert_eq!(card.skills.rows[0].id, "🦊");
    let extra: Vec<_> =
        card.skills.rows[0].other_fields.iter().map(|field| (field.name.as_str(), &field.value)).collect();
    assert_eq!(
        extra,
        [("tags", &FieldValue::Null), ("x-cost", &FieldValue::Literal("8747832031878802303".to_owned()))]
    );
    let other: Vec<_> = card.other_fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(other, ["iconUrl", "signatures", "x-vendor", "securityRequirements"]);
    let icon = card.identity.iter().find(|field| field.name == "iconUrl").unwrap();
    assert_eq!(icon.value, FieldValue::Address("https://a.example/i.png".to_owned()));
    assert_eq!(icon.pointer.as_ref().unwrap().as_str(), "/icon_url");
}

#[test]
fn skills_inherit_the_formats_of_their_card() {
    let card = pasted(
        r#"{"name": "A", "url": "https://a.example", "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [
            {"id": "a", "name": "A", "tags": ["x", "y"]},
            {"id": "b", "name": "B", "tags": ["y", "z"], "outputModes": ["image/png"], "inputModes": []}]}"#,
    );
    assert_eq!(card.skills.tags, ["x", "y", "z"]);
    let [a, b] = &card.skills.rows[..] else { panic!("two skills") };
    assert!(a.input_modes.inherited && a.output_modes.inherited);
    assert!(b.input_modes.inherited && !b.output_modes.inherited);
    assert_eq!(b.output_modes.types, ["image/png"]);
}

#[test]
fn what_is_no_card_still_shows_what_it_holds() {
    let list = pasted(r#"[1, {"a": 2}]"#);
    assert_eq!(list.shape, Shape::NotACard);
    assert_eq!(list.other_fields[0].value, FieldValue::Json(r#"[1, {"a": 2}]"#.to_owned()));
    let page = from("<!doctype html><title>Sign in</title>", Some("https://a.example/"));
    assert_eq!((page.shape, page.title.as_str()), (Shape::NotACard, "https://a.example/"));
    assert!(page.pretty.is_none() && page.other_fields.is_empty());
    assert_eq!(page.findings.len(), 1);
}

#[test]
fn large_cards_are_read_whole() {
    let skills: Vec<String> = (0..260)
        .map(|at| {
            format!(r#"{{"id": "s{at}", "name": "S", "description": "d", "tags": ["t{at}"], "examples": ["e"]}}"#)
        })
        .collect();
    let params = format!(r#"{{"data": "{}"}}"#, "x".repeat(47_000));
    let text = format!(
        r#"{{"name": "A", "supportedInterfaces": [{{}}], "capabilities": {{"extensions": [{{"uri": "urn:x", "params": {params}}}]}}, "skills": [{}]}}"#,
        skills.join(",")
    );
    let card = pasted(&text);
    assert_eq!((card.skills.rows.len(), card.skills.tags.len()), (260, 260));
    assert_eq!(card.capabilities.extensions[0].params.as_deref(), Some(params.as_str()));
}
