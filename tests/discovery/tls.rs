//! Cards over TLS: an authority of one's own is trusted by its file, and named where it is not.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use cardscope::client::NetworkSettings;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};

use super::{card, chosen_name, discover, discover_by};

/// Certificates made for this test alone: an authority that nobody trusts, and a server on 127.0.0.1.
fn certificate(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// Serves `body` over TLS to whoever asks; the port.
fn serve(body: String) -> u16 {
    let chain = vec![CertificateDer::from_pem_file(certificate("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut socket, _)) = listener.accept() {
            let mut connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = Stream::new(&mut connection, &mut socket);
            // A client that does not trust the certificate goes away here.
            if stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {
                let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
                stream.write_all((head + &body).as_bytes()).unwrap();
                stream.flush().unwrap();
                connection.send_close_notify();
                connection.complete_io(&mut socket).ok();
            }
        }
    });
    port
}

#[test]
fn an_authority_is_trusted_by_its_file_and_named_without_it() {
    let port = serve(card("Sealed"));
    let address = format!("https://127.0.0.1:{port}/card.json");
    let settings = NetworkSettings { ca_file: Some(certificate("authority.pem")), ..NetworkSettings::default() };
    let retrieval = discover_by(&settings, &address, &[]);
    assert_eq!(chosen_name(&retrieval), "Sealed", "{}", retrieval.verdict);

    let refused = discover(&address);
    assert!(refused.verdict.contains("'Pantry Root' (Pantry Inspection)"), "{}", refused.verdict);
    assert!(refused.verdict.contains("does not trust"), "{}", refused.verdict);

    let elsewhere = discover_by(&settings, &format!("https://localhost:{port}/card.json"), &[]);
    assert!(elsewhere.verdict.contains("for another host name"), "{}", elsewhere.verdict);
}
