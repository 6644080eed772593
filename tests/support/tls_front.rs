//! TLS before a scripted server: what arrives encrypted is handed to it in plain, and its answers go back.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{RootCertStore, ServerConfig, ServerConnection, Stream, SupportedProtocolVersion};

use super::FakeAgent;

/// A file of the certificates that were made for these tests alone.
pub fn certificate(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// The certificate in DER.
pub fn der(name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(certificate(&format!("{name}.pem"))).unwrap()
}

/// What the server does about client certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clients {
    NotAsked,
    Asked,
    /// Nobody is served without one that `client_authority.pem` issued.
    Demanded,
}

/// A [`FakeAgent`] behind TLS on 127.0.0.1; it dereferences to the agent, for scripts and what it received.
pub struct TlsFront {
    agent: FakeAgent,
    port: u16,
    shows: Arc<Mutex<Arc<ServerConfig>>>,
    clients: Clients,
    /// For each request in order: whether the client showed a certificate.
    shown: Arc<Mutex<Vec<bool>>>,
}

impl TlsFront {
    /// Shows the certificate `NAME.pem` with `NAME.key`.
    pub fn start(name: &str, clients: Clients) -> Self {
        Self::with_versions(name, clients, rustls::ALL_VERSIONS)
    }

    pub fn with_versions(name: &str, clients: Clients, versions: &[&'static SupportedProtocolVersion]) -> Self {
        let agent = FakeAgent::start();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shows = Arc::new(Mutex::new(config(certified(name, name), clients, versions)));
        let shown = Arc::new(Mutex::new(Vec::new()));
        let (showing, noting, behind) = (Arc::clone(&shows), Arc::clone(&shown), agent.port());
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let config = Arc::clone(&showing.lock().unwrap());
                let noting = Arc::clone(&noting);
                std::thread::spawn(move || serve(socket, config, behind, &noting));
            }
        });
        Self { agent, port, shows, clients, shown }
    }

    /// Agrees to HTTP/2 in the handshake; what comes after that is not understood.
    pub fn agree_to_http2(&self) {
        let mut config = ServerConfig::clone(&self.shows.lock().unwrap());
        config.alpn_protocols = vec![b"h2".to_vec()];
        *self.shows.lock().unwrap() = Arc::new(config);
    }

    /// Shows another certificate from now on.
    pub fn show(&self, name: &str) {
        self.show_with_key_of(name, name);
    }

    /// The same with a key that belongs to another one, as somebody would who has only the certificate.
    pub fn show_with_key_of(&self, name: &str, key: &str) {
        *self.shows.lock().unwrap() = config(certified(name, key), self.clients, rustls::ALL_VERSIONS);
    }

    /// `https://127.0.0.1:PORT` with `path` behind it.
    pub fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    pub fn shown(&self) -> Vec<bool> {
        self.shown.lock().unwrap().clone()
    }
}

impl std::ops::Deref for TlsFront {
    type Target = FakeAgent;

    fn deref(&self) -> &FakeAgent {
        &self.agent
    }
}

/// Gives out a certificate whether or not the key is its own.
#[derive(Debug)]
struct Always(Arc<CertifiedKey>);

impl ResolvesServerCert for Always {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

fn certified(name: &str, key: &str) -> Always {
    let key = PrivateKeyDer::from_pem_file(certificate(&format!("{key}.key"))).unwrap();
    let key = rustls::crypto::aws_lc_rs::sign::any_supported_type(&key).unwrap();
    Always(Arc::new(CertifiedKey::new(vec![der(name)], key)))
}

fn config(shows: Always, clients: Clients, versions: &[&'static SupportedProtocolVersion]) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_protocol_versions(versions).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(der("client_authority")).unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    let builder = match clients {
        Clients::NotAsked => builder.with_no_client_auth(),
        Clients::Asked => builder.with_client_cert_verifier(verifier.allow_unauthenticated().build().unwrap()),
        Clients::Demanded => builder.with_client_cert_verifier(verifier.build().unwrap()),
    };
    Arc::new(builder.with_cert_resolver(Arc::new(shows)))
}

/// One request and its answer; a client that goes away in the handshake is nobody's fault.
fn serve(mut socket: TcpStream, config: Arc<ServerConfig>, behind: u16, shown: &Mutex<Vec<bool>>) -> Option<()> {
    let mut connection = ServerConnection::new(config).unwrap();
    let mut stream = Stream::new(&mut connection, &mut socket);
    let request = receive(&mut stream)?;
    shown.lock().unwrap().push(stream.conn.peer_certificates().is_some());
    let mut plain = TcpStream::connect(("127.0.0.1", behind)).ok()?;
    plain.write_all(&request).ok()?;
    let mut answer = Vec::new();
    plain.read_to_end(&mut answer).ok()?;
    stream.write_all(&answer).ok()?;
    stream.flush().ok()?;
    connection.send_close_notify();
    connection.complete_io(&mut socket).ok()?;
    Some(())
}

fn receive(stream: &mut Stream<'_, ServerConnection, TcpStream>) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        request.extend_from_slice(&buffer[..count]);
        let Some(head) = request.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let text = String::from_utf8_lossy(&request[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.map_or(0, |length| length.trim().parse().unwrap_or(0));
        if request.len() >= head + 4 + length {
            return Some(request);
        }
    }
}
