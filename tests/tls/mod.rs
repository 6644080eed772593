//! Certificates that no authority vouches for, and clients that show one of their own.

mod client_certificates;
mod commands;
mod trusting;
mod window;

use cardscope::client::{
    Client, Credential, Exchange, Fingerprint, NetworkSettings, RefusedCertificate, Retrieval, TlsRefusal,
    TrustedCertificate,
};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use tokio_util::sync::CancellationToken;

use crate::support::tls_front::der;
use crate::support::{Reply, TlsFront, rpc};

const CARD_PATH: &str = "/.well-known/agent-card.json";

fn fingerprint(name: &str) -> Fingerprint {
    Fingerprint::of(&der(name))
}

fn trusted(agent: &TlsFront, name: &str) -> TrustedCertificate {
    TrustedCertificate { origin: agent.url(""), sha256: fingerprint(name), since: SystemTime::now() }
}

/// Settings with one certificate that is trusted at the agent's origin.
fn trusting(agent: &TlsFront, name: &str) -> NetworkSettings {
    NetworkSettings { trusted: vec![trusted(agent, name)], ..NetworkSettings::default() }
}

/// Serves a card whose interface is at the same origin.
fn serve_card(agent: &TlsFront) {
    agent.on(CARD_PATH, Reply::json(rpc::card_with_interfaces(&[&agent.url("/rpc")])));
}

/// A retrieval, and every exchange in order.
fn discover(settings: &NetworkSettings, address: &str, credentials: &[Credential]) -> (Retrieval, Vec<Arc<Exchange>>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let exchanges: Arc<Mutex<Vec<Arc<Exchange>>>> = Arc::default();
    let record = Arc::clone(&exchanges);
    let client = Client::new(settings, Arc::new(move |exchange| record.lock().unwrap().push(exchange))).unwrap();
    let retrieval = runtime.block_on(client.discover(address, credentials, &|_| {}, &CancellationToken::new()));
    let exchanges = exchanges.lock().unwrap().clone();
    (retrieval, exchanges)
}

/// The certificate that was refused, or a panic with what came instead.
fn refused(retrieval: &Retrieval) -> Arc<RefusedCertificate> {
    match retrieval.attempts.first().and_then(|attempt| attempt.tls_refusal()) {
        Some(TlsRefusal::Certificate(certificate)) => Arc::clone(certificate),
        other => panic!("{other:?}: {}", retrieval.verdict),
    }
}
