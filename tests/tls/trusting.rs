//! A certificate that is trusted at one origin, by its fingerprint.

use cardscope::client::{CertificateProblem, NetworkSettings, TlsRefusal};
use cardscope::state::trusting::ask_to_trust;
use cardscope::state::{Action, Settings, View};

use super::{CARD_PATH, discover, fingerprint, refused, serve_card, trusting};
use crate::support::tls_front::certificate;
use crate::support::{Clients, FakeAgent, Model, Reply, TlsFront, rpc};

#[test]
fn a_self_signed_certificate_is_refused_with_what_it_says() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let (retrieval, _) = discover(&NetworkSettings::default(), &agent.url(""), &[]);
    let shown = refused(&retrieval);
    assert_eq!((shown.sha256, &shown.origin), (fingerprint("self_signed"), &agent.url("")));
    assert_eq!(shown.problem, CertificateProblem::SelfSigned);
    assert_eq!(shown.subject.as_deref(), Some("'Larder' (Jar Counters)"));
    assert_eq!((shown.names.len(), shown.trusted), (2, None));
    assert!(shown.validity.is_some());
    assert!(retrieval.verdict.contains("self-signed"), "{}", retrieval.verdict);
    assert_eq!(retrieval.attempts.len(), 1, "nothing else of the host is asked");
    assert!(agent.requests().is_empty(), "nothing was said to a server that is not trusted");
}

#[test]
fn the_trusted_certificate_is_accepted_and_no_other_is() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let settings = trusting(&agent, "self_signed");
    let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
    assert!(retrieval.found_card, "{}", retrieval.verdict);

    agent.show("self_signed_newer");
    let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
    let shown = refused(&retrieval);
    assert_eq!((shown.sha256, shown.trusted), (fingerprint("self_signed_newer"), Some(fingerprint("self_signed"))));
    for words in ["not the one that you trust", &shown.sha256.to_string(), &fingerprint("self_signed").to_string()] {
        assert!(retrieval.verdict.contains(words), "{words}: {}", retrieval.verdict);
    }

    // Another one that an authority vouches for is as good as anywhere.
    agent.show("server");
    let settings = NetworkSettings { ca_file: Some(certificate("authority.pem")), ..settings };
    let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
    assert!(retrieval.found_card, "{}", retrieval.verdict);
}

#[test]
fn whoever_has_the_certificate_without_its_key_is_refused() {
    for versions in [rustls::ALL_VERSIONS, &[&rustls::version::TLS12]] {
        let agent = TlsFront::with_versions("self_signed", Clients::NotAsked, versions);
        serve_card(&agent);
        let settings = trusting(&agent, "self_signed");
        assert!(discover(&settings, &agent.url(""), &[]).0.found_card);
        agent.show_with_key_of("self_signed", "self_signed_newer");
        let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
        assert!(!retrieval.found_card, "{}", retrieval.verdict);
        assert_eq!(agent.hits(CARD_PATH), 1, "nothing was said to it");
    }
}

#[test]
fn what_is_trusted_at_one_origin_is_not_trusted_at_another() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    let other = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&other);
    let settings = trusting(&agent, "self_signed");
    let (retrieval, _) = discover(&settings, &other.url(""), &[]);
    assert_eq!((&refused(&retrieval).origin, refused(&retrieval).trusted), (&other.url(""), None));
    // Another name of the same machine is another host.
    let by_name = agent.url(CARD_PATH).replace("127.0.0.1", "localhost");
    assert!(!discover(&settings, &by_name, &[]).0.found_card);

    agent.on(CARD_PATH, Reply::redirect(302, &other.url(CARD_PATH)));
    let (retrieval, _) = discover(&settings, &agent.url(CARD_PATH), &[]);
    assert_eq!(refused(&retrieval).origin, other.url(""), "{}", retrieval.verdict);
    assert!(other.requests().is_empty());
    assert_eq!(agent.hits(CARD_PATH), 1);
}

#[test]
fn trust_given_on_a_question_outlives_the_run_until_it_is_removed() {
    let agent = TlsFront::start("self_signed", Clients::NotAsked);
    serve_card(&agent);
    let mut model = Model::new();
    model.apply(Action::FetchCard { address: agent.url("") });
    model.until("it is refused", |state| state.discovery.pending.is_none());
    let shown = refused(&model.state.discovery.current_entry().unwrap().retrieval);
    model.apply(ask_to_trust(&shown, Some(Action::RefreshCard)));
    model.apply(Action::AnswerQuestion { choice: 0 });
    model.until("it is fetched again", |state| state.discovery.pending.is_none());
    assert!(model.state.discovery.current_entry().unwrap().retrieval.found_card);

    let kept = serde_json::to_string(&model.state.settings).unwrap();
    let mut model = Model::with_settings(serde_json::from_str::<Settings>(&kept).unwrap());
    model.open(&agent.url(""));
    model.apply(Action::StopTrusting { origin: agent.url("") });
    model.apply(Action::RefreshCard);
    model.until("it is refused again", |state| state.discovery.pending.is_none());
    let notice = model.state.notices.last().unwrap();
    assert_eq!(notice.title, "The card could not be fetched again");
    assert_eq!(notice.choices[0].label, "Trust this certificate…", "the way back is offered");
}

#[test]
fn a_message_to_an_interface_that_is_not_trusted_offers_to_trust_it() {
    let interface = TlsFront::start("self_signed", Clients::NotAsked);
    interface.handle("/rpc", |request, _| {
        rpc::result(request, &serde_json::json!({"task": rpc::task_with_artifact("t1", "COMPLETED", "4 jars")}))
    });
    let agent = FakeAgent::with_card(&rpc::card_with_interfaces(&[&interface.url("/rpc")]));
    let mut model = Model::showing(&agent.url(""));
    model.apply(Action::ShowView(View::Message));
    model.send_to_the_end("how many jars?");
    assert!(interface.requests().is_empty());
    let exchange = model.turn().last_exchange.clone().unwrap();
    assert!(matches!(exchange.tls_refusal(), Some(TlsRefusal::Certificate(_))));
    let ask = model.state.notices.last().unwrap().choices[0].actions.clone();
    for action in ask {
        model.apply(action);
    }
    model.apply(Action::AnswerQuestion { choice: 0 });
    assert!(interface.requests().is_empty(), "a message is not sent again by itself");
    model.send_to_the_end("how many jars?");
    assert_eq!(interface.hits("/rpc"), 1);
}

#[test]
fn a_certificate_made_in_one_step_is_trusted_by_its_own_file_for_the_host_that_it_names() {
    let agent = TlsFront::start("self_signed_authority", Clients::NotAsked);
    serve_card(&agent);
    assert!(!discover(&NetworkSettings::default(), &agent.url(""), &[]).0.found_card);
    let settings =
        NetworkSettings { ca_file: Some(certificate("self_signed_authority.pem")), ..NetworkSettings::default() };
    let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
    assert!(retrieval.found_card, "{}", retrieval.verdict);

    let elsewhere = agent.url("").replace("127.0.0.1", "localhost");
    let (retrieval, _) = discover(&settings, &elsewhere, &[]);
    assert_eq!(refused(&retrieval).problem, CertificateProblem::OtherName);
    let other = NetworkSettings { ca_file: Some(certificate("authority.pem")), ..NetworkSettings::default() };
    assert!(!discover(&other, &agent.url(""), &[]).0.found_card);

    agent.show_with_key_of("self_signed_authority", "self_signed_newer");
    let (retrieval, _) = discover(&settings, &agent.url(""), &[]);
    assert!(!retrieval.found_card, "its key is needed as well: {}", retrieval.verdict);
}
