//! The way through the window, headless, with a real worker behind it.

use cardscope::card::catalog::CatalogKind;
use cardscope::state::{Action, CatalogAction, Settings};
use egui_kittest::kittest::Queryable as _;

use super::{fingerprint, serve_card, trusting};
use crate::support::tls_front::certificate;
use crate::support::window::{Hands as _, Working};
use crate::support::{Clients, Reply, TlsFront, rpc};

type Window = Working;

impl Window {
    fn fetch(&mut self, address: &str) {
        self.harness.state_mut().apply(Action::FetchCard { address: address.to_owned() });
        self.all_answer();
    }

    fn all_answer(&mut self) {
        self.until("everything answered", |state| {
            let catalogs = &state.catalogs.opened;
            state.discovery.pending.is_none() && catalogs.iter().all(|catalog| catalog.pending.is_none())
        });
    }

    fn found_card(&self) -> bool {
        self.state().discovery.current_entry().is_some_and(|entry| entry.retrieval.found_card)
    }
}

#[test]
fn a_refused_certificate_is_looked_at_trusted_and_removed_again() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let sha256 = fingerprint("self_signed").to_string();
    let mut window = Window::open(Settings::default());
    window.fetch(&agent.url(""));
    assert!(window.shows("self-signed") && window.has(&sha256), "the evidence is on screen");
    assert!(!window.shows("CA file") && !window.has("Network settings…"), "no authority issued it");

    window.click("Trust this certificate…");
    assert!(window.shows("Trust the certificate of https://127.0.0.1"));
    window.click("Do not trust");
    assert!(!window.found_card() && window.state().settings.network.trusted.is_empty());

    window.click("Trust this certificate…");
    window.click("Trust this certificate");
    window.all_answer();
    assert!(window.found_card() && window.shows("Jar counter"));

    window.harness.get_by_label("Theme").click();
    window.harness.run();
    window.click("Settings…");
    assert!(window.shows(&fingerprint("self_signed").short()));
    window.click(&format!("Remove {}", agent.url("")));
    assert!(window.state().settings.network.trusted.is_empty());
    assert!(!window.has("Trusted certificates"));
    window.click("Close");
}

#[test]
fn https_is_offered_where_http_was_a_guess_and_asked_only_by_a_click() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let mut window = Window::open(Settings { network: trusting(&agent, "self_signed"), ..Settings::default() });
    window.fetch(&agent.url("").replace("https://", ""));
    assert!(window.shows("may expect TLS") && agent.requests().is_empty());
    window.click(&format!("Try {}", agent.url("")));
    window.all_answer();
    assert!(window.found_card());
}

#[test]
fn a_catalog_is_asked_again_once_its_certificate_is_trusted() {
    let registry = TlsFront::start("self_signed", Clients::NotAsked);
    registry.on("/list", Reply::json(format!("[{}]", rpc::card_with_interfaces(&["https://jars.example/rpc"]))));
    let mut window = Window::open(Settings::default());
    let open = CatalogAction::Open { address: registry.url("/list"), kind: Some(CatalogKind::JsonList) };
    window.harness.state_mut().apply(Action::Catalog(open));
    window.all_answer();
    window.click("Trust this certificate…");
    window.click("Trust this certificate");
    window.all_answer();
    assert!(window.shows("Jar counter"));
}

#[test]
fn a_server_that_demands_a_client_certificate_leads_to_the_field_for_it() {
    let agent = TlsFront::start("self_signed", Clients::Demanded);
    let card = serde_json::json!({
        "name": "Jar counter", "description": "Counts.", "version": "1", "capabilities": {},
        "supportedInterfaces": [{"url": agent.url("/rpc"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "securitySchemes": {"clerks": {"mtlsSecurityScheme": {"description": "Clerks only."}}},
        "securityRequirements": [{"schemes": {"clerks": {"list": []}}}],
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": []
    });
    agent.on(super::CARD_PATH, Reply::json(card.to_string()));
    let network = trusting(&agent, "self_signed");
    let mut window = Window::open(Settings { network, ..Settings::default() });
    window.fetch(&agent.url(""));
    assert!(window.shows("demands a client certificate"));
    assert!(!window.has("Trust this certificate…"));
    window.click("Set a credential…");
    window.write("Client certificate", &certificate("client.pem").display().to_string());
    window.click("Set credential");
    window.click("Fetch again");
    window.all_answer();
    assert!(window.found_card());
    assert!(window.shows("takes the file of a client certificate"), "Access says how to set it");
}
