//! The one HTTP stack: limits, redirects by our own rules, credentials bound to origins, everything recorded.

mod body;
mod certificate_facts;
mod certificates;
mod client_certificate;
mod clients;
mod failure;
mod masking;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::certificate::Fingerprint;
use super::credentials::{Credential, Secret};
use super::exchange::{Exchange, ExchangeEnd, RecordedHeader, RecordedRequest, RecordedResponse};
use super::network_settings::NetworkSettings;
use crate::card::address::mask_secrets;

pub(super) use body::Limits;
pub use body::MAX_CARD_BYTES;
pub use client_certificate::ClientCertificateError;
pub use clients::ClientError;
pub(super) use failure::{Failure, Step};
pub(super) use masking::mask_url;

use client_certificate::{ASKED, ClientIdentity};
use clients::{Chosen, Clients, NoClient};
use failure::Circumstances;

/// Redirects of one request that are followed at most.
const MAX_REDIRECTS: usize = 10;
/// What this build can decode.
const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";
const USER_AGENT: &str = concat!("cardscope/", env!("CARGO_PKG_VERSION"));

/// The fingerprint of the client certificate in a file that can be used as one.
pub(super) async fn read_client_certificate(path: &Path) -> Result<Fingerprint, ClientCertificateError> {
    ClientIdentity::read(path).await.map(|identity| identity.sha256)
}

/// Called with every exchange when it has ended.
pub(super) type Recorder = Arc<dyn Fn(Arc<Exchange>) + Send + Sync>;

/// The HTTP stack, shared by everything that asks a server.
pub(super) struct Http {
    clients: Clients,
    record: Recorder,
}

/// A request to make; credentials are added by origin when it is sent.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// What it is for, in the protocol's words.
    pub purpose: &'static str,
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(&'static str, String)>,
    pub body: Bytes,
    pub limits: Limits,
}

/// A request and the redirects that it led through.
pub(super) struct Trip {
    /// At least one; the last is the one that counts.
    pub exchanges: Vec<Arc<Exchange>>,
    /// The URL of the last one.
    pub url: Url,
    pub end: TripEnd,
}

pub(super) enum TripEnd {
    Answered,
    Failed(Failure),
    Cancelled,
    /// A redirect that is not followed: of a POST by 301 to 303, or of a POST to another origin.
    Redirected {
        status: u16,
        location: String,
    },
}

impl Trip {
    pub(super) fn last(&self) -> Option<&Arc<Exchange>> {
        self.exchanges.last()
    }
}

/// How one exchange ended, beside its record.
enum HopEnd {
    Answered { status: u16, location: Option<String> },
    Failed(Failure),
    Cancelled,
}

impl Http {
    pub(super) fn new(settings: &NetworkSettings, record: Recorder) -> Result<Self, ClientError> {
        Ok(Self { clients: Clients::new(settings)?, record })
    }

    /// Sends `request` and follows its redirects: a GET wherever http leads it, anything else only by 307 or
    /// 308 within its origin. Credentials stay behind as soon as a redirect leaves the origin.
    pub(super) async fn send(&self, request: &Request, credentials: &[Credential], cancel: &CancellationToken) -> Trip {
        let mut url = request.url.clone();
        let mut credentials = credentials;
        let mut exchanges = Vec::new();
        let mut asked = vec![url.clone()];
        let end = loop {
            let (exchange, hop) = self.exchange(request, &url, credentials, cancel).await;
            exchanges.push(exchange);
            let (status, location) = match hop {
                HopEnd::Answered { status, location: Some(location) } if is_redirect(status) => (status, location),
                HopEnd::Answered { .. } => break TripEnd::Answered,
                HopEnd::Failed(failure) => break TripEnd::Failed(failure),
                HopEnd::Cancelled => break TripEnd::Cancelled,
            };
            let next = match url.join(&location) {
                Ok(next) if matches!(next.scheme(), "http" | "https") && next.has_host() => without_user_info(next),
                _ => {
                    let cause = format!("it redirects to '{}', which is no web address", mask_secrets(&location));
                    break TripEnd::Failed(not_followed(&url, &cause));
                }
            };
            let same_origin = next.origin() == url.origin();
            if request.method != Method::GET && !(matches!(status, 307 | 308) && same_origin) {
                break TripEnd::Redirected { status, location: mask_url(&next) };
            }
            if asked.contains(&next) {
                break TripEnd::Failed(not_followed(&url, "it redirects in a circle"));
            }
            if asked.len() > MAX_REDIRECTS {
                let cause = format!("it was redirected more than {MAX_REDIRECTS} times");
                break TripEnd::Failed(not_followed(&url, &cause));
            }
            if !same_origin {
                credentials = &[];
            }
            asked.push(next.clone());
            url = next;
        };
        Trip { exchanges, url, end }
    }

    async fn exchange(
        &self,
        request: &Request,
        url: &Url,
        credentials: &[Credential],
        cancel: &CancellationToken,
    ) -> (Arc<Exchange>, HopEnd) {
        let started_at = SystemTime::now();
        let started = Instant::now();
        let shown_url = mask_url(url);
        let headers = Headers::new(request, url, credentials);
        let proxy = self.clients.proxy_for(url);
        let asked = Arc::new(AtomicBool::new(false));
        let mut chosen = None;
        let attempt = async {
            let chosen = match self.clients.for_url(url, credentials).await {
                Ok(client) => chosen.insert(client),
                Err(NoClient::Settings(cause)) => {
                    let sentence = failure::sentence(&shown_url, proxy.as_deref(), &cause);
                    return Err(Failure::new(Step::Connecting, sentence));
                }
                Err(NoClient::ClientCertificate(error)) => {
                    return Err(Failure::new(Step::Connecting, format!("Nothing was sent. {error}")));
                }
            };
            let headers = headers.to_map()?;
            let met = Circumstances {
                url,
                shown_url: &shown_url,
                proxy: proxy.as_deref(),
                has_certificate: chosen.has_certificate(),
                asked_for_certificate: &asked,
            };
            ASKED.scope(Arc::clone(&asked), self.attempt(&chosen.client, request, headers, &met)).await
        };
        let (end, hop) = tokio::select! {
            biased;
            () = cancel.cancelled() => (ExchangeEnd::Cancelled, HopEnd::Cancelled),
            result = attempt => match result {
                Ok((response, location)) => {
                    let status = response.status;
                    (ExchangeEnd::Answered(response), HopEnd::Answered { status, location })
                }
                Err(failure) => {
                    let (message, tls) = (failure.sentence.clone(), failure.tls.clone());
                    (ExchangeEnd::Failed { message, tls, is_no_http: failure.is_no_http }, HopEnd::Failed(failure))
                }
            },
        };
        let exchange = Arc::new(Exchange {
            purpose: request.purpose.to_owned(),
            started_at,
            duration: started.elapsed(),
            request: RecordedRequest {
                method: request.method.to_string(),
                url: shown_url,
                headers: headers.recorded(),
                body: request.body.clone(),
                proxy,
                client_certificate: chosen.as_ref().and_then(Chosen::shown_certificate),
            },
            end,
        });
        (self.record)(Arc::clone(&exchange));
        (exchange, hop)
    }

    /// Sends one request and reads its answer; the `Location` is handed out unmasked.
    async fn attempt(
        &self,
        client: &reqwest::Client,
        request: &Request,
        headers: HeaderMap,
        met: &Circumstances<'_>,
    ) -> Result<(RecordedResponse, Option<String>), Failure> {
        let mut builder = client.request(request.method.clone(), met.url.clone()).headers(headers);
        if !request.body.is_empty() {
            builder = builder.body(request.body.to_vec());
        }
        let sending = builder.send();
        let response = match request.limits.idle {
            Some(idle) => tokio::time::timeout(idle, sending).await.map_err(|_| {
                // Whether any of it came is not known here.
                let cause = format!("no complete answer header came within {} seconds", idle.as_secs());
                Failure::new(Step::Exchanging, failure::sentence(met.shown_url, met.proxy, &cause))
            })?,
            None => sending.await,
        }
        .map_err(|error| failure::explain(&error, met))?;
        let status = response.status().as_u16();
        let version = format!("{:?}", response.version());
        let location = response
            .headers()
            .get(reqwest::header::LOCATION)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                masking::record_header(name.as_str(), &String::from_utf8_lossy(value.as_bytes()), false)
            })
            .collect();
        let body = body::read(response, request.limits).await;
        let recorded = RecordedResponse {
            status,
            version,
            headers,
            body: Bytes::from(body.bytes),
            wire_bytes: body.wire_bytes,
            incomplete: body.incomplete,
        };
        Ok((recorded, location))
    }
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn not_followed(url: &Url, cause: &str) -> Failure {
    Failure::new(Step::Exchanging, format!("{} was not followed: {cause}.", mask_url(url)))
}

/// Credentials in an address that a server chose are not sent.
fn without_user_info(mut url: Url) -> Url {
    // Only URLs without a host refuse these, and this one has a host.
    url.set_username("").ok();
    url.set_password(None).ok();
    url
}

/// The headers of one request: ours, then those of the credentials for its origin.
struct Headers(Vec<(String, String, bool)>);

impl Headers {
    fn new(request: &Request, url: &Url, credentials: &[Credential]) -> Self {
        let own = [("accept-encoding", ACCEPT_ENCODING.to_owned()), ("user-agent", USER_AGENT.to_owned())];
        let mut list: Vec<(String, String, bool)> =
            request.headers.iter().cloned().chain(own).map(|(name, value)| (name.to_owned(), value, false)).collect();
        let origin = url.origin().ascii_serialization();
        for (name, secret) in credentials.iter().filter(|c| c.origin == origin).flat_map(|c| &c.headers) {
            if carries_nothing(secret) {
                continue;
            }
            list.retain(|(own_name, _, secret)| *secret || !own_name.eq_ignore_ascii_case(name));
            list.push((name.trim().to_owned(), secret.reveal().trim().to_owned(), true));
        }
        Self(list)
    }

    fn recorded(&self) -> Vec<RecordedHeader> {
        self.0.iter().map(|(name, value, credential)| masking::record_header(name, value, *credential)).collect()
    }

    fn to_map(&self) -> Result<HeaderMap, Failure> {
        let mut map = HeaderMap::with_capacity(self.0.len());
        for (name, value, _) in &self.0 {
            let refused = |what: &str| {
                let sentence = format!("Nothing was sent: the {what} of the header '{name}' is not allowed in HTTP.");
                Failure::new(Step::Connecting, sentence)
            };
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused("name"))?;
            let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| refused("value"))?;
            map.append(header, value);
        }
        Ok(map)
    }
}

/// An empty value, or a scheme with nothing behind it: sent, it would only start a circle of refusals.
fn carries_nothing(secret: &Secret) -> bool {
    let value = secret.reveal().trim();
    secret.is_empty() || ["bearer", "basic"].iter().any(|scheme| value.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;

    /// Answers one request with a head and then a byte every 20 ms.
    fn dripping_server() -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                assert!(stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0));
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n").ok();
                while stream.write_all(b"[").is_ok() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        });
        Url::parse(&url).unwrap()
    }

    fn get(url: &Url, limits: Limits) -> (Trip, Duration) {
        let http = Http::new(&NetworkSettings::default(), Arc::new(|_| {})).unwrap();
        let request = Request {
            purpose: "agent card",
            method: Method::GET,
            url: url.clone(),
            headers: Vec::new(),
            body: Bytes::new(),
            limits,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let started = Instant::now();
        let trip = runtime.block_on(http.send(&request, &[], &CancellationToken::new()));
        (trip, started.elapsed())
    }

    #[test]
    fn a_dripping_body_ends_and_what_came_is_kept() {
        let limits = Limits { body_total: Some(Duration::from_millis(300)), ..Limits::CARD };
        let (trip, took) = get(&dripping_server(), limits);
        let response = trip.last().unwrap().response().unwrap();
        assert!(response.incomplete.as_ref().unwrap().contains("still not complete"), "{:?}", response.incomplete);
        assert!((2..1000).contains(&response.body.len()), "{}", response.body.len());
        assert!(took < Duration::from_secs(5), "{took:?}");
    }

    #[test]
    fn silence_ends_before_and_within_an_answer() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for head in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"] {
                let (mut stream, _) = listener.accept().unwrap();
                assert!(stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0));
                stream.write_all(head.as_bytes()).ok();
                held.push(stream);
            }
            std::thread::park();
        });
        let limits = Limits { idle: Some(Duration::from_millis(200)), ..Limits::CARD };
        let (trip, _) = get(&url, limits);
        let TripEnd::Failed(failure) = trip.end else { panic!("no answer came") };
        assert!(failure.sentence.contains("no complete answer header came"), "{}", failure.sentence);
        let (trip, _) = get(&url, limits);
        let response = trip.last().unwrap().response().unwrap();
        assert!(response.incomplete.as_ref().unwrap().contains("nothing more"), "{:?}", response.incomplete);
    }
}
