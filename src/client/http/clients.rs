//! The ways out of this machine: direct or by proxy, with the certificates that are trusted.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{ClientBuilder, Proxy};
use rustls::pki_types::CertificateDer;
use url::Url;

use super::certificates::{self, Pinned, Platform};
use super::client_certificate::{ClientAuth, ClientCertificateError, ClientIdentity};
use crate::card::address::is_loopback;
use crate::client::certificate::Fingerprint;
use crate::client::credentials::Credential;
use crate::client::exchange::SentCertificate;
use crate::client::network_settings::{NetworkSettings, ProxyChoice};

/// How long a connection may take to be made, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why the network settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    #[error("The CA file {path} cannot be read: {reason}.")]
    CaFile { path: String, reason: String },
    #[error("'{text}' is not a proxy address: {reason}.")]
    Proxy { text: String, reason: String },
}

/// HTTP clients for each way out, built when first needed: reading the system's certificates takes time
/// that a plain loopback request should not pay.
pub(super) struct Clients {
    plain: Lazy,
    direct: Lazy,
    proxied: Lazy,
    /// For origins at which a certificate is trusted or a client certificate shown: nothing of theirs, connections
    /// included, is used for another.
    own: Mutex<HashMap<OwnKey, OwnClient>>,
    platform: OnceLock<Result<Arc<Platform>, String>>,
    ca: Vec<CertificateDer<'static>>,
    settings: NetworkSettings,
    route: Route,
}

/// An origin, and the client certificate that is shown there.
type OwnKey = (String, Option<Fingerprint>);

#[derive(Clone)]
struct OwnClient {
    client: reqwest::Client,
    auth: Arc<ClientAuth>,
}

/// A client for one exchange.
pub(super) struct Chosen {
    pub client: reqwest::Client,
    shows: Option<(Arc<ClientAuth>, SentCertificate)>,
}

impl Chosen {
    fn without_certificate(client: reqwest::Client) -> Self {
        Self { client, shows: None }
    }

    pub(super) fn has_certificate(&self) -> bool {
        self.shows.is_some()
    }

    /// The client certificate, once the server has asked for it.
    pub(super) fn shown_certificate(&self) -> Option<SentCertificate> {
        let (auth, certificate) = self.shows.as_ref()?;
        auth.is_shown().then(|| certificate.clone())
    }
}

/// Why there is no client for an exchange.
pub(super) enum NoClient {
    /// The network settings cannot be used; a part of a sentence.
    Settings(String),
    /// Nothing is to be sent without the client certificate that was set.
    ClientCertificate(ClientCertificateError),
}

type Lazy = OnceLock<Result<reqwest::Client, String>>;

enum Route {
    Direct,
    System(Matcher),
    Manual { proxy: Proxy, name: String },
}

impl Clients {
    pub(super) fn new(settings: &NetworkSettings) -> Result<Self, ClientError> {
        let ca = settings.ca_file.as_deref().map(read_ca_file).transpose()?.unwrap_or_default();
        let route = match &settings.proxy {
            ProxyChoice::None => Route::Direct,
            ProxyChoice::System => Route::System(Matcher::from_system()),
            ProxyChoice::Manual(text) => manual(text.trim())?,
        };
        Ok(Self {
            plain: Lazy::new(),
            direct: Lazy::new(),
            proxied: Lazy::new(),
            own: Mutex::default(),
            platform: OnceLock::new(),
            ca,
            settings: settings.clone(),
            route,
        })
    }

    /// The client for `url`, which shows what of `credentials` belongs to its origin.
    pub(super) async fn for_url(&self, url: &Url, credentials: &[Credential]) -> Result<Chosen, NoClient> {
        let origin = url.origin().ascii_serialization();
        let certificate = credentials
            .iter()
            .filter(|credential| credential.origin == origin && url.scheme() == "https")
            .find_map(|credential| credential.client_certificate.clone());
        if let Some(path) = certificate {
            return self.with_certificate(url, origin, path).await;
        }
        let client = if url.scheme() == "https" && self.settings.trusted_at(&origin).next().is_some() {
            self.own_client(url, origin, None).map(|own| own.client)
        } else if self.proxy_for(url).is_some() {
            self.proxied.get_or_init(|| self.build(self.proxied_builder())).clone()
        } else if url.scheme() == "http" {
            self.plain.get_or_init(|| built(builder().no_proxy().tls_certs_only([]))).clone()
        } else {
            self.direct.get_or_init(|| self.build(builder().no_proxy())).clone()
        };
        client.map(Chosen::without_certificate).map_err(NoClient::Settings)
    }

    async fn with_certificate(&self, url: &Url, origin: String, path: PathBuf) -> Result<Chosen, NoClient> {
        let error = |reason: String| {
            NoClient::ClientCertificate(ClientCertificateError { path: path.display().to_string(), reason })
        };
        if let Some(proxy) = self.proxy_for(url).filter(|proxy| proxy.starts_with("https:")) {
            // One TLS configuration serves proxy and agent: the proxy could ask for the certificate too.
            return Err(error(format!("the proxy {proxy} speaks TLS itself, and would be shown it as well")));
        }
        let identity = ClientIdentity::read(&path).await.map_err(NoClient::ClientCertificate)?;
        let certificate = SentCertificate { sha256: identity.sha256, path };
        let own = self.own_client(url, origin, Some(identity)).map_err(NoClient::Settings)?;
        Ok(Chosen { client: own.client, shows: Some((own.auth, certificate)) })
    }

    /// The client of this origin alone.
    fn own_client(&self, url: &Url, origin: String, identity: Option<ClientIdentity>) -> Result<OwnClient, String> {
        let key = (origin, identity.as_ref().map(|identity| identity.sha256));
        if let Some(own) = self.own.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(own.clone());
        }
        let pinned = Pinned { host: url.join("/").ok(), fingerprints: self.settings.trusted_at(&key.0).collect() };
        let auth = Arc::new(ClientAuth::with(identity.map(|identity| identity.key)));
        let builder = if self.proxy_for(url).is_some() { self.proxied_builder() } else { builder().no_proxy() };
        let client = self.build_with(builder, pinned, Arc::clone(&auth))?;
        let own = OwnClient { client, auth };
        // Where two were built at a time, both use the first.
        let mut all = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(all.entry(key).or_insert(own).clone())
    }

    /// The proxy that `url` is asked through, named without credentials.
    pub(super) fn proxy_for(&self, url: &Url) -> Option<String> {
        if is_loopback(url) {
            return None;
        }
        match &self.route {
            Route::Direct => None,
            Route::Manual { name, .. } => Some(name.clone()),
            Route::System(matcher) => {
                let proxy = matcher.intercept(&url.as_str().parse().ok()?)?;
                Some(proxy_name(&proxy.uri().to_string()))
            }
        }
    }

    fn proxied_builder(&self) -> ClientBuilder {
        match &self.route {
            Route::Manual { proxy, .. } => builder().no_proxy().proxy(proxy.clone()),
            Route::Direct | Route::System(_) => builder(),
        }
    }

    fn build(&self, builder: ClientBuilder) -> Result<reqwest::Client, String> {
        self.build_with(builder, Pinned::default(), Arc::default())
    }

    fn build_with(
        &self,
        builder: ClientBuilder,
        pinned: Pinned,
        auth: Arc<ClientAuth>,
    ) -> Result<reqwest::Client, String> {
        let unusable = |error: rustls::Error| format!("the trusted certificates cannot be used ({error})");
        let platform = self.platform.get_or_init(|| certificates::platform(&self.ca).map_err(unusable)).clone()?;
        built(certificates::with_tls(builder, platform, pinned, auth).map_err(unusable)?)
    }
}

fn built(builder: ClientBuilder) -> Result<reqwest::Client, String> {
    builder.build().map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        format!("the network settings cannot be used ({cause})")
    })
}

fn builder() -> ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        // A request that may have been received is never sent twice unasked.
        .retry(reqwest::retry::never())
        .referer(false)
        .http1_ignore_invalid_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .user_agent(concat!("cardscope/", env!("CARGO_PKG_VERSION")))
}

fn read_ca_file(path: &std::path::Path) -> Result<Vec<CertificateDer<'static>>, ClientError> {
    let error = |reason: String| ClientError::CaFile { path: path.display().to_string(), reason };
    let pem = std::fs::read(path).map_err(|cause| error(cause.to_string()))?;
    let certificates = certificates::from_pem(&pem).map_err(&error)?;
    if certificates.is_empty() {
        return Err(error("it holds no certificate in PEM form".to_owned()));
    }
    Ok(certificates)
}

fn manual(text: &str) -> Result<Route, ClientError> {
    let text = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let proxy = Proxy::all(&text).map_err(|error| ClientError::Proxy {
        text: proxy_name(&text),
        reason: std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string),
    })?;
    Ok(Route::Manual { proxy, name: proxy_name(&text) })
}

/// Scheme, host and port: a proxy's user name and password are nobody's business.
fn proxy_name(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let authority = rest.split('/').next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    format!("{scheme}://{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clients(proxy: &str) -> Clients {
        let proxy = ProxyChoice::Manual(proxy.to_owned());
        Clients::new(&NetworkSettings { proxy, ..NetworkSettings::default() }).unwrap()
    }

    #[test]
    fn loopback_never_goes_through_a_proxy_and_a_proxy_is_named_without_its_password() {
        let clients = clients("http://user:pass@127.0.0.1:9");
        for near in ["http://localhost:1/", "http://127.0.0.9/", "http://[::1]:5/", "https://a.localhost/"] {
            assert_eq!(clients.proxy_for(&Url::parse(near).unwrap()), None, "{near}");
        }
        let far = Url::parse("http://agent.example/").unwrap();
        assert_eq!(clients.proxy_for(&far).unwrap(), "http://127.0.0.1:9");
    }

    #[test]
    fn a_proxy_that_speaks_tls_itself_is_not_shown_the_client_certificate() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let credential = Credential {
            origin: "https://agent.example".to_owned(),
            client_certificate: Some("clerk.pem".into()),
            ..Credential::default()
        };
        let (clients, agent) = (clients("https://proxy.example:3128"), Url::parse("https://agent.example/").unwrap());
        let chosen = runtime.block_on(clients.for_url(&agent, &[credential]));
        let Err(NoClient::ClientCertificate(error)) = chosen else { panic!("it was to be shown") };
        assert!(error.to_string().contains("proxy https://proxy.example:3128"), "{error}");
    }

    #[test]
    fn settings_that_cannot_be_used_are_refused_with_a_sentence() {
        let missing = NetworkSettings { ca_file: Some("/nowhere/ca.pem".into()), ..NetworkSettings::default() };
        let error = Clients::new(&missing).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("/nowhere/ca.pem"), "{error}");
        let bad = NetworkSettings { proxy: ProxyChoice::Manual("::::".to_owned()), ..NetworkSettings::default() };
        assert!(Clients::new(&bad).is_err());
    }
}
