//! Bodies of every kind: judged by what they are, bounded, kept as evidence.

use std::time::{Duration, Instant};

use async_compression::tokio::bufread::{BrotliEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use cardscope::client::{AttemptOutcome, MAX_CARD_BYTES, Retrieval};
use tokio::io::AsyncReadExt as _;

use super::{CARD_PATH, card, chosen_name, discover, runtime};
use crate::support::{FakeAgent, Reply, Step};

/// What comes of a server whose card path answers with `reply`.
fn fetched(reply: Reply) -> Retrieval {
    let agent = FakeAgent::start();
    agent.on(CARD_PATH, reply);
    let retrieval = discover(&agent.url(CARD_PATH));
    assert_eq!(agent.hits(CARD_PATH), 1);
    retrieval
}

/// The bytes of the document that stays viewable.
fn evidence(retrieval: &Retrieval) -> &[u8] {
    let attempt = &retrieval.attempts[retrieval.chosen.expect("the evidence is viewable")];
    attempt.document.as_ref().unwrap().bytes()
}

#[test]
fn a_web_page_with_any_label_is_a_web_page() {
    let body = "<!doctype html><title>Sign in</title>";
    for label in ["application/json", "text/html; charset=utf-8", ""] {
        let agent = FakeAgent::start();
        agent.on(CARD_PATH, Reply::new(200, label, &[], body));
        let retrieval = discover(&agent.url(""));
        let url = agent.url(CARD_PATH);
        assert_eq!(retrieval.verdict, format!("{url} answered with a web page ('Sign in'), not a card."));
        assert_eq!(evidence(&retrieval), body.as_bytes());
        assert!(agent.hits("/.well-known/agent.json") == 1, "asking goes on");
    }
}

#[test]
fn bodies_that_are_no_card_are_said() {
    for (body, words) in [
        ("{}", "not an Agent Card"),
        ("[]", "not an Agent Card"),
        ("null", "not an Agent Card"),
        ("", "an empty body"),
        ("{\"name\": \"Clerk\", \"skills\": [", "line 1, column 30"),
        ("../src/card.json", "beginning '../src/card.json'"),
        ("{\"name\": \"\u{1}\"}", "control character"),
    ] {
        let retrieval = fetched(Reply::json(body));
        assert!(retrieval.verdict.contains(words), "{body}: {}", retrieval.verdict);
        assert!(!retrieval.found_card);
        if !body.is_empty() {
            assert_eq!(evidence(&retrieval), body.as_bytes());
        }
    }
    let deep = fetched(Reply::json("[".repeat(1_000_000)));
    assert!(deep.verdict.contains("nesting of more than 64 levels"), "{}", deep.verdict);
    let deep = fetched(Reply::json(format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000))));
    assert!(deep.verdict.contains("nesting of more than 64 levels"), "{}", deep.verdict);
}

#[test]
fn cards_with_odd_clothes_open() {
    let card = card("A");
    let bom = format!("\u{feff}{card}");
    for (reply, body, words) in [
        (Reply::new(200, "text/plain", &[], &card), &card, "labelled 'text/plain'"),
        (Reply::new(200, "", &[], &card), &card, "labelled no content type"),
        (Reply::new(200, "application/a2a+json; charset=latin-9", &[], &card), &card, "an Agent Card shaped by 1.0"),
        (Reply::json(&bom), &bom, "byte order mark"),
        (Reply::new(203, "application/json", &[], &card), &card, "an Agent Card"),
        (
            Reply::raw(Reply::head(200, "application/json", &[], None)).then(Step::Bytes(card.clone().into_bytes())),
            &card,
            "an Agent Card",
        ),
        (
            Reply::raw(format!("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{card}")),
            &card,
            "an Agent Card",
        ),
    ] {
        let retrieval = fetched(reply);
        assert!(retrieval.found_card, "{}", retrieval.verdict);
        assert!(retrieval.verdict.contains(words), "{words}: {}", retrieval.verdict);
        assert_eq!(evidence(&retrieval), body.as_bytes());
    }
    let commented = card.replacen('{', "{ # a comment\n", 1);
    let retrieval = fetched(Reply::json(&commented));
    assert!(retrieval.found_card && retrieval.verdict.contains("comments"), "{}", retrieval.verdict);
}

fn encoded(encoding: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    runtime().block_on(async {
        match encoding {
            "gzip" => GzipEncoder::new(body).read_to_end(&mut bytes).await,
            "deflate" => ZlibEncoder::new(body).read_to_end(&mut bytes).await,
            "br" => BrotliEncoder::new(body).read_to_end(&mut bytes).await,
            _ => ZstdEncoder::new(body).read_to_end(&mut bytes).await,
        }
        .unwrap();
    });
    bytes
}

#[test]
fn compressed_cards_open_and_cut_ones_are_said_to_be_cut() {
    let body = card(&"A".repeat(3000));
    for encoding in ["gzip", "deflate", "br", "zstd"] {
        let header = format!("Content-Encoding: {encoding}");
        let compressed = encoded(encoding, body.as_bytes());
        let retrieval = fetched(Reply::new(200, "application/json", &[&header], &compressed));
        assert_eq!(evidence(&retrieval), body.as_bytes(), "{encoding}: {}", retrieval.verdict);
        assert!(retrieval.found_card);
        let response = retrieval.attempts[0].exchanges[0].response().unwrap();
        assert_eq!((response.wire_bytes, response.header("content-encoding")), (compressed.len(), Some(encoding)));

        let half = &compressed[..compressed.len() / 2];
        let retrieval = fetched(Reply::new(200, "application/json", &[&header], half));
        assert!(!retrieval.found_card, "{encoding}");
        assert!(retrieval.verdict.contains("not completely"), "{encoding}: {}", retrieval.verdict);
    }
    let twice = encoded("br", &encoded("gzip", body.as_bytes()));
    let retrieval = fetched(Reply::new(200, "application/json", &["Content-Encoding: gzip, br"], twice));
    assert!(retrieval.found_card, "{}", retrieval.verdict);
    for (label, body) in [("gzip", "no gzip at all"), ("snappy", "what is it")] {
        let header = format!("Content-Encoding: {label}");
        let retrieval = fetched(Reply::new(200, "application/json", &[&header], body));
        assert!(retrieval.verdict.contains(&format!("'{label}'")), "{}", retrieval.verdict);
        assert_eq!(evidence(&retrieval), body.as_bytes());
    }
}

#[test]
fn a_whole_card_in_a_cut_body_is_not_taken_for_one() {
    let card = card("A");
    let longer = Reply::head(200, "application/json", &[], Some(card.len() + 100));
    let retrieval = fetched(Reply::raw(longer).then(Step::Bytes(card.clone().into_bytes())));
    assert!(!retrieval.found_card);
    let expected = format!("broke off after {} of {} bytes", card.len(), card.len() + 100);
    assert!(retrieval.verdict.contains(&expected), "{}", retrieval.verdict);
    assert_eq!(chosen_name(&retrieval), "A", "what came stays viewable");
}

#[test]
fn bodies_without_end_are_cut_and_kept() {
    let started = Instant::now();
    let filler = vec![b'x'; 64 * 1024];
    let endless =
        Reply::raw(Reply::head(200, "application/json", &[], None) + "{\"name\": \"").then(Step::Endless(filler));
    let huge = Reply::json(format!("{{\"name\": \"{}\"}}", "y".repeat(30 << 20)));
    let bomb = encoded("gzip", &vec![b' '; 17 << 20]);
    let bomb = Reply::new(200, "application/json", &["Content-Encoding: gzip"], bomb);
    for reply in [endless, huge, bomb] {
        let retrieval = fetched(reply);
        assert!(retrieval.verdict.contains("stopped at 16 MiB"), "{}", retrieval.verdict);
        assert_eq!(evidence(&retrieval).len(), MAX_CARD_BYTES);
        assert!(matches!(retrieval.attempts[0].outcome, AttemptOutcome::NotJson(_)));
    }
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
}
