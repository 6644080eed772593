//! Client certificates: for servers that demand them, and for one origin only.

use std::path::{Path, PathBuf};

use cardscope::client::{AttemptOutcome, Client, Credential, NetworkSettings, TlsRefusal};
use cardscope::history::AskedAs;
use cardscope::state::{Action, Settings};

use super::{CARD_PATH, discover, fingerprint, serve_card, trusted, trusting};
use crate::support::tls_front::certificate;
use crate::support::{Clients, Model, Reply, TlsFront, rpc};

fn showing(agent: &TlsFront, path: PathBuf) -> Vec<Credential> {
    vec![Credential { origin: agent.url(""), client_certificate: Some(path), ..Credential::default() }]
}

#[test]
fn a_server_that_demands_a_certificate_says_so_and_accepts_it() {
    for versions in [rustls::ALL_VERSIONS, &[&rustls::version::TLS12]] {
        let agent = TlsFront::with_versions("self_signed", Clients::Demanded, versions);
        serve_card(&agent);
        let settings = trusting(&agent, "self_signed");
        let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
        let attempt = &retrieval.attempts[0];
        assert_eq!(attempt.outcome, AttemptOutcome::NeedsCredentials, "{}", retrieval.verdict);
        assert_eq!(attempt.tls_refusal(), Some(&TlsRefusal::ClientCertificateWanted), "{}", retrieval.verdict);
        assert!(retrieval.verdict.contains("client certificate"), "{}", retrieval.verdict);
        assert!(agent.requests().is_empty());

        // PKCS#8, SEC1 and PKCS#1.
        for name in ["client.pem", "client_sec1.pem", "client_pkcs1.pem"] {
            let (retrieval, exchanges) = discover(&settings, &agent.url(""), &showing(&agent, certificate(name)));
            assert!(retrieval.found_card, "{name}: {}", retrieval.verdict);
            let sent = exchanges.last().unwrap().request.client_certificate.clone().unwrap();
            assert_eq!(sent.sha256, fingerprint(name.trim_end_matches(".pem")));
        }
        assert_eq!(agent.shown(), [true; 3]);

        // One that the server's authority did not issue.
        let folder = tempfile::tempdir().unwrap();
        let stranger = folder.path().join("stranger.pem");
        let pem =
            [certificate("self_signed.pem"), certificate("self_signed.key")].map(|path| std::fs::read(path).unwrap());
        std::fs::write(&stranger, pem.concat()).unwrap();
        let (retrieval, _) = discover(&settings, &agent.url(""), &showing(&agent, stranger));
        let refusal = retrieval.attempts[0].tls_refusal();
        assert_eq!(refusal, Some(&TlsRefusal::ClientCertificateRefused), "{}", retrieval.verdict);
        assert!(retrieval.verdict.contains("did not accept the client certificate"), "{}", retrieval.verdict);
    }
}

#[test]
fn a_server_that_speaks_http2_demands_it_just_so() {
    let agent = TlsFront::start("self_signed", Clients::Demanded);
    agent.agree_to_http2();
    for _ in 0..20 {
        let (retrieval, _) = discover(&trusting(&agent, "self_signed"), &agent.url(""), &[]);
        let refusal = retrieval.attempts[0].tls_refusal();
        assert_eq!(refusal, Some(&TlsRefusal::ClientCertificateWanted), "{}", retrieval.attempts[0].note);
        assert_eq!(retrieval.attempts[0].outcome, AttemptOutcome::NeedsCredentials);
    }
}

#[test]
fn a_client_certificate_is_shown_to_its_origin_alone() {
    let agent = TlsFront::start("self_signed", Clients::Asked);
    let other = TlsFront::start("self_signed", Clients::Asked);
    serve_card(&other);
    agent.on(CARD_PATH, Reply::redirect(302, &other.url(CARD_PATH)));
    let both = vec![trusted(&agent, "self_signed"), trusted(&other, "self_signed")];
    let settings = NetworkSettings { trusted: both, ..NetworkSettings::default() };
    let credentials = showing(&agent, certificate("client.pem"));
    let (retrieval, exchanges) = discover(&settings, &agent.url(CARD_PATH), &credentials);
    assert!(retrieval.found_card, "{}", retrieval.verdict);
    assert_eq!((agent.shown(), other.shown()), (vec![true], vec![false]));
    let sent: Vec<bool> = exchanges.iter().map(|exchange| exchange.request.client_certificate.is_some()).collect();
    assert_eq!(sent, [true, false]);
    assert!(!retrieval.attempts[0].is_with_credentials(), "the card itself was got by anybody");

    assert!(discover(&settings, &other.url(""), &credentials).0.found_card);
    assert_eq!(other.shown(), [false, false]);
}

#[test]
fn a_certificate_that_no_server_asked_for_was_not_shown() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let settings = trusting(&agent, "self_signed");
    let (retrieval, _) = discover(&settings, &agent.url(""), &showing(&agent, certificate("client.pem")));
    assert!(retrieval.found_card && !retrieval.attempts[0].is_with_credentials());
}

#[test]
fn a_file_that_cannot_be_used_is_said_and_nothing_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(certificate(name)).unwrap();
    let whole = read("client.pem");
    let certificate_end = whole.find("-----BEGIN PRIVATE").unwrap();
    let (alone, key) = whole.split_at(certificate_end);
    let legacy = read("client_pkcs1.pem").replace(
        "RSA PRIVATE KEY-----\nM",
        "RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nM",
    );
    assert_ne!(legacy, read("client_pkcs1.pem"));
    let cases = [
        ("no certificate", key.to_owned()),
        ("no private key", alone.to_owned()),
        ("encrypted", read("client_encrypted.pem")),
        ("encrypted", legacy),
        ("does not belong", format!("{alone}{}", read("self_signed.key"))),
        ("no end", whole[..certificate_end - 40].to_owned()),
        ("base64", format!("{alone}-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----\n")),
        ("not supported, or damaged", format!("{alone}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")),
        ("no certificate", String::new()),
        ("1 MB", "x".repeat(1 << 21)),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let problem = |path: &Path| runtime.block_on(Client::read_client_certificate(path)).unwrap_err().to_string();
    for (words, pem) in cases {
        let path = folder.path().join("case.pem");
        std::fs::write(&path, &pem).unwrap();
        let said = problem(&path);
        assert!(said.contains(words) && said.contains("case.pem"), "{words}: {said}");
    }
    assert!(problem(folder.path()).contains("not a file"));
    let missing = folder.path().join("nowhere.pem");
    assert!(problem(&missing).contains("nowhere.pem cannot be used: there is no such file"));

    let agent = TlsFront::start("self_signed", Clients::Asked);
    serve_card(&agent);
    let settings = trusting(&agent, "self_signed");
    let (retrieval, _) = discover(&settings, &agent.url(""), &showing(&agent, missing));
    assert!(retrieval.verdict.starts_with("Nothing was sent."), "{}", retrieval.verdict);
    assert!(agent.requests().is_empty());
}

#[test]
fn messages_and_polls_show_it_and_the_card_is_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let agent = TlsFront::start("self_signed", Clients::Asked);
    let card = rpc::card_with_interfaces(&[&agent.url("/rpc")]);
    agent.on(CARD_PATH, Reply::new(200, "application/json", &["ETag: \"k1\""], card));
    agent.handle("/rpc", |request, turn| {
        let task = rpc::task("t1", if turn == 0 { "WORKING" } else { "COMPLETED" });
        rpc::result(request, &if turn == 0 { serde_json::json!({"task": task}) } else { task })
    });
    let network = trusting(&agent, "self_signed");
    let mut model = Model::with_settings(Settings { network, ..Settings::default() });
    model.worker = model.worker.map(|worker| worker.with_history(Some(folder.path().to_owned())));
    model.open(&agent.url(""));
    model.until("the public card is kept", |state| state.kept.agents.len() == 1);
    let [credential] = &showing(&agent, certificate("client.pem"))[..] else { panic!("one is set") };
    model.apply(Action::SetCredential(credential.clone()));
    model.open(&agent.url(""));
    model.until("both are kept", |state| state.kept.agents.len() == 2);
    assert_eq!(model.state.discovery.entries.len(), 2, "the public card stays beside it");
    let private = model.state.kept.agents.iter().find_map(|agent| match &agent.asked_as {
        AskedAs::Credentials { names, .. } => Some(names.clone()),
        AskedAs::Public => None,
    });
    assert_eq!(private.unwrap(), ["client certificate"]);
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), None, "what others got says nothing of this");

    model.send_to_the_end("how many jars?");
    assert_eq!(agent.hits("/rpc"), 2, "it was sent and polled");
    assert_eq!(agent.shown(), [false, true, true, true]);
    model.open(&agent.url(""));
    assert_eq!(agent.last(CARD_PATH).header("If-None-Match"), Some("\"k1\""), "this is its own");
    model.apply(Action::RemoveCredential { origin: agent.url("") });
    model.open(&agent.url(""));
    assert_eq!(agent.shown().last(), Some(&false));

    drop(model);
    let key = std::fs::read_to_string(certificate("client.pem")).unwrap();
    let key = key.split("-----BEGIN PRIVATE KEY-----\n").nth(1).unwrap().lines().next().unwrap().to_owned();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(memchr::memmem::find(&bytes, key.as_bytes()).is_none(), "no key is on disk");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_said_when_it_is_set() {
    let agent = TlsFront::start("self_signed", Clients::Asked);
    let mut model = Model::new();
    let [credential] = &showing(&agent, certificate("client_encrypted.pem"))[..] else { panic!("one is set") };
    model.apply(Action::SetCredential(credential.clone()));
    model.until("it is said", |state| !state.notices.is_empty());
    let notice = &model.state.notices[0];
    assert_eq!(notice.title, "The client certificate cannot be used");
    assert!(notice.detail.contains("encrypted"), "{}", notice.detail);
}
