//! A scripted loopback server on plain sockets, so that it can misbehave in every way a test needs.
//!
//! It runs on threads of its own and works the same in blocking and in async tests. Each connection serves one
//! request, which is recorded byte for byte before it is answered.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Received {
    pub method: String,
    /// Path and query, as on the request line.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Head and body, byte for byte.
    pub raw: Vec<u8>,
}

impl Received {
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The first header called `name`, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("the request's body is JSON")
    }
}

/// One thing the server does while answering.
#[derive(Clone, Debug)]
pub enum Step {
    Bytes(Vec<u8>),
    /// One byte at a time, with a pause after each.
    Drip(Vec<u8>, Duration),
    /// The same bytes until the client goes away.
    Endless(Vec<u8>),
    Pause(Duration),
    /// Nothing more, with the connection left open until the client goes away.
    Hang,
}

/// An answer: steps, after which the connection closes.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub steps: Vec<Step>,
}

impl Reply {
    /// A whole answer with its length; further `headers` as "Name: value".
    pub fn new(status: u16, content_type: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        Self::raw(Self::head(status, content_type, headers, Some(body.len()))).then(Step::Bytes(body.to_vec()))
    }

    pub fn json(body: impl AsRef<[u8]>) -> Self {
        Self::new(200, "application/json", &[], body)
    }

    pub fn status(status: u16) -> Self {
        Self::new(status, "text/plain", &[], "")
    }

    pub fn redirect(status: u16, location: &str) -> Self {
        Self::new(status, "text/plain", &[&format!("Location: {location}")], "")
    }

    /// Status and JSON body.
    pub fn error(status: u16, body: impl AsRef<[u8]>) -> Self {
        Self::new(status, "application/json", &[], body)
    }

    /// Exactly these bytes; none at all closes the connection without an answer.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { steps: vec![Step::Bytes(bytes.into())] }
    }

    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The same answer after a while.
    #[must_use]
    pub fn after(mut self, pause: Duration) -> Self {
        self.steps.insert(0, Step::Pause(pause));
        self
    }

    /// An answer's head; without a length the body ends with the connection.
    pub fn head(status: u16, content_type: &str, headers: &[&str], length: Option<usize>) -> String {
        let mut lines = vec![format!("HTTP/1.1 {status} Scripted"), "Connection: close".to_owned()];
        if !content_type.is_empty() {
            lines.push(format!("Content-Type: {content_type}"));
        }
        lines.extend(length.map(|length| format!("Content-Length: {length}")));
        lines.extend(headers.iter().map(|header| (*header).to_owned()));
        lines.join("\r\n") + "\r\n\r\n"
    }
}

type Handler = Arc<dyn Fn(&Received, usize) -> Reply + Send + Sync>;

#[derive(Default)]
struct Shared {
    handlers: Mutex<HashMap<String, (Handler, usize)>>,
    fallback: Mutex<Option<Handler>>,
    requests: Mutex<Vec<Received>>,
    open: AtomicUsize,
    stopped: AtomicBool,
}

/// The server; it stops when dropped. Paths without a script answer 404.
pub struct FakeAgent {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl FakeAgent {
    /// Starts on a free port of 127.0.0.1.
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("the port is known");
        let shared = Arc::new(Shared::default());
        let server = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if server.stopped.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let shared = Arc::clone(&server);
                std::thread::spawn(move || {
                    shared.open.fetch_add(1, Ordering::SeqCst);
                    serve(stream, &shared);
                    shared.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { address, shared }
    }

    /// A server with a card at the well-known path of its origin.
    pub fn with_card(card: &str) -> Self {
        let agent = Self::start();
        agent.on("/.well-known/agent-card.json", Reply::json(card));
        agent
    }

    /// `http://127.0.0.1:PORT` with `path` behind it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Always answers `path` (any method, any query) with `reply`.
    pub fn on(&self, path: &str, reply: Reply) {
        self.handle(path, move |_, _| reply.clone());
    }

    /// Answers `path` with the replies in turn; the last one stays.
    pub fn script(&self, path: &str, replies: Vec<Reply>) {
        self.handle(path, move |_, turn| replies[turn.min(replies.len() - 1)].clone());
    }

    /// Answers `path` by a closure; the number counts its requests from 0.
    pub fn handle(&self, path: &str, handler: impl Fn(&Received, usize) -> Reply + Send + Sync + 'static) {
        self.shared.handlers.lock().expect("unpoisoned").insert(path.to_owned(), (Arc::new(handler), 0));
    }

    /// What every path without a script answers, instead of 404.
    pub fn otherwise(&self, reply: Reply) {
        *self.shared.fallback.lock().expect("unpoisoned") = Some(Arc::new(move |_, _| reply.clone()));
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.requests.lock().expect("unpoisoned").clone()
    }

    /// How many requests asked for `path`, whatever their query.
    pub fn hits(&self, path: &str) -> usize {
        self.requests().iter().filter(|request| request.path() == path).count()
    }

    /// The last request for `path`.
    pub fn last(&self, path: &str) -> Received {
        let request = self.requests().into_iter().rfind(|request| request.path() == path);
        request.unwrap_or_else(|| panic!("nobody asked for {path}"))
    }

    /// Connections that are being served now.
    pub fn open_connections(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }

    /// Waits until `condition` holds; panics after five seconds.
    pub fn wait_until(&self, what: &str, condition: impl Fn(&Self) -> bool) {
        let started = Instant::now();
        while !condition(self) {
            assert!(started.elapsed() < Duration::from_secs(5), "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for FakeAgent {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        TcpStream::connect(self.address).ok();
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    let Some(request) = receive(&mut stream) else { return };
    let reply = reply_to(&request, shared);
    shared.requests.lock().expect("unpoisoned").push(request);
    for step in reply.steps {
        if !carry_out(step, &mut stream, shared) {
            return;
        }
    }
    // Without this, a client that is still sending would see a reset instead of the answer.
    stream.shutdown(std::net::Shutdown::Write).ok();
    stream.set_read_timeout(Some(Duration::from_millis(200))).ok();
    while matches!(stream.read(&mut [0; 4096]), Ok(count) if count > 0) {}
}

fn reply_to(request: &Received, shared: &Shared) -> Reply {
    let found = {
        let mut handlers = shared.handlers.lock().expect("unpoisoned");
        handlers.get_mut(request.path()).map(|(handler, turn)| {
            *turn += 1;
            (Arc::clone(handler), *turn - 1)
        })
    };
    if let Some((handler, turn)) = found {
        return handler(request, turn);
    }
    let fallback = shared.fallback.lock().expect("unpoisoned").clone();
    fallback.map_or_else(|| Reply::status(404), |fallback| fallback(request, 0))
}

/// Reads one request; `None` if the client went away.
fn receive(stream: &mut TcpStream) -> Option<Received> {
    let mut raw = Vec::new();
    let mut buffer = [0; 16 * 1024];
    let head_end = loop {
        if let Some(at) = raw.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => raw.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
        // A client that begins with TLS hears what a plain server says to that.
        if raw.first() == Some(&0x16) {
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").ok();
            return None;
        }
    };
    let head = String::from_utf8_lossy(&raw[..head_end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = length.map_or(0, |(_, value)| value.parse().unwrap_or(0));
    while raw.len() < head_end + length {
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => raw.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
    Some(Received { method, target, headers, body: raw[head_end..].to_vec(), raw })
}

/// Does one step; false when the client is gone or the connection is over.
fn carry_out(step: Step, stream: &mut TcpStream, shared: &Shared) -> bool {
    match step {
        Step::Bytes(bytes) => stream.write_all(&bytes).is_ok(),
        Step::Drip(bytes, pause) => bytes.iter().all(|byte| {
            std::thread::sleep(pause);
            !shared.stopped.load(Ordering::SeqCst)
                && stream.write_all(&[*byte]).is_ok()
                && is_there(stream, Duration::ZERO)
        }),
        Step::Endless(bytes) => loop {
            if shared.stopped.load(Ordering::SeqCst) || stream.write_all(&bytes).is_err() {
                return false;
            }
        },
        Step::Pause(pause) => {
            let end = Instant::now() + pause;
            while let Some(left) = end.checked_duration_since(Instant::now()) {
                if !is_there(stream, left.min(Duration::from_millis(10))) {
                    return false;
                }
            }
            true
        }
        Step::Hang => loop {
            if !is_there(stream, Duration::from_millis(10)) || shared.stopped.load(Ordering::SeqCst) {
                return false;
            }
        },
    }
}

/// Whether the client still holds the connection, found out by waiting for its end for `wait`.
fn is_there(stream: &mut TcpStream, wait: Duration) -> bool {
    stream.set_read_timeout(Some(wait.max(Duration::from_millis(1)))).ok();
    let answer = stream.read(&mut [0; 64]);
    match answer {
        Ok(count) => count > 0,
        Err(error) => matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
    }
}
