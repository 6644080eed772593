//! What commands are told of certificates, and what they say.

use std::process::{Command, Output};

use serde_json::{Value, json};

use super::{fingerprint, serve_card};
use crate::support::tls_front::certificate;
use crate::support::{Clients, FakeAgent, Reply, TlsFront, rpc};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardscope"));
    command.args(arguments).arg("--no-history").env_remove("RUST_LOG").output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_fingerprint_that_inspect_prints_is_the_one_that_it_takes() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let refused = run(&["inspect", &agent.url("")]);
    assert_eq!(refused.status.code(), Some(2));
    let sha256 = fingerprint("self_signed").to_string();
    let option = format!("--trust-certificate {sha256}");
    for words in ["self-signed", "'Larder' (Jar Counters)", &option] {
        assert!(said(&refused).contains(words), "{words}: {}", said(&refused));
    }
    let refused = run(&["inspect", &agent.url(""), "--json"]);
    let json: Value = serde_json::from_slice(&refused.stdout).unwrap();
    let shown = &json["attempts"][0]["certificate"];
    assert_eq!((&shown["sha256"], &shown["origin"]), (&json!(sha256), &json!(agent.url(""))));
    assert_eq!(shown["names"], json!(["localhost", "127.0.0.1"]));
    assert!(shown["validUntil"].is_string(), "{shown}");

    for spelling in [sha256.clone(), sha256.replace(':', "").to_lowercase()] {
        let output = run(&["inspect", &agent.url(""), "--trust-certificate", &spelling]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let other = fingerprint("self_signed_newer").to_string();
    let output = run(&["inspect", &agent.url(""), "--trust-certificate", &other]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains(&other) && said(&output).contains(&sha256), "{}", said(&output));
}

// Elsewhere the system's own store is asked, whatever the variable says.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[test]
fn a_certificate_in_the_file_of_the_environment_is_accepted_as_other_tools_do() {
    let agent = TlsFront::start("self_signed_authority", Clients::NotAsked);
    serve_card(&agent);
    assert_eq!(run(&["inspect", &agent.url("")]).status.code(), Some(2));
    let output = Command::new(env!("CARGO_BIN_EXE_cardscope"))
        .args(["inspect", &agent.url(""), "--no-history"])
        .env("SSL_CERT_FILE", certificate("self_signed_authority.pem"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn a_guessed_http_where_tls_is_expected_is_said_with_the_address_to_ask() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let bare = agent.url("").replace("https://", "");
    let output = run(&["inspect", &bare]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains(&format!("expects TLS, ask https://{bare}")), "{}", said(&output));
    // Whoever wrote http:// meant it.
    assert!(!said(&run(&["inspect", &format!("http://{bare}")])).contains("ask https"));
    // Some servers say it themselves.
    let plain = FakeAgent::start();
    plain.otherwise(Reply::new(400, "text/plain", &[], "Client sent an HTTP request to an HTTPS server.\n"));
    let bare = plain.url("").replace("http://", "");
    assert!(said(&run(&["inspect", &bare])).contains(&format!("ask https://{bare}")));
    plain.otherwise(Reply::status(400));
    assert!(!said(&run(&["inspect", &bare])).contains("ask https"));
}

#[test]
fn a_client_certificate_goes_with_a_command() {
    let agent = TlsFront::start("self_signed", Clients::Demanded);
    serve_card(&agent);
    agent.handle("/rpc", |request, _| {
        rpc::result(request, &json!({"task": rpc::task_with_artifact("t1", "COMPLETED", "4 jars")}))
    });
    let (url, sha256) = (agent.url(""), fingerprint("self_signed").to_string());
    let client = certificate("client.pem").display().to_string();
    let trust = ["--trust-certificate", &sha256];
    let without = run(&[&["inspect", &url][..], &trust].concat());
    assert_eq!(without.status.code(), Some(2));
    assert!(said(&without).contains("demands a client certificate"), "{}", said(&without));
    assert!(said(&without).contains("--client-certificate FILE"), "{}", said(&without));
    let with = [&trust[..], &["--client-certificate", &client]].concat();
    let output = run(&[&["send", &url, "how many jars?"][..], &with].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(agent.shown(), [true, true]);
    let output = run(&[&["diff", &url, &url][..], &with].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_is_asked() {
    let agent = FakeAgent::start();
    let (plain, sha256) = (agent.url(""), fingerprint("self_signed").to_string());
    let client = certificate("client.pem").display().to_string();
    let encrypted = certificate("client_encrypted.pem").display().to_string();
    for (arguments, words) in [
        (&["inspect", &plain, "--client-certificate", &client][..], "https only"),
        (&["inspect", &plain, "--trust-certificate", &sha256], "https"),
        (&["inspect", "a.example", "--trust-certificate", "AB:CD"], "64 hexadecimal digits"),
        (&["inspect", "https://a.example", "--client-certificate", "/nowhere/a.pem"], "/nowhere/a.pem"),
        (&["inspect", "https://a.example", "--client-certificate", &encrypted], "encrypted"),
        (&["inspect", "./card.json", "--client-certificate", &client], "none"),
        (&["diff", "https://a.example", "https://b.example", "--trust-certificate", &sha256], "one origin only"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said(&output).contains(words), "{words}: {}", said(&output));
    }
    assert!(agent.requests().is_empty());
}

#[test]
fn a_version_got_with_a_client_certificate_is_named_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let agent = TlsFront::start("self_signed", Clients::Demanded);
    serve_card(&agent);
    let sha256 = fingerprint("self_signed").to_string();
    let (latest, url) = (format!("{}@latest", agent.url("")), agent.url(""));
    let client = certificate("client.pem").display().to_string();
    let data = folder.path().display().to_string();
    let kept = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardscope"));
        command.args(arguments).args(["--data-dir", &data]).output().unwrap()
    };
    let output = kept(&["inspect", &url, "--trust-certificate", &sha256, "--client-certificate", &client]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = kept(&["inspect", &latest]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("client certificate"), "{}", said(&output));
    let output = kept(&["inspect", &latest, "--client-certificate", &client]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}
