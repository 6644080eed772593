//! The ways out of this machine: direct or by proxy, with the certificates that are trusted.

use std::sync::OnceLock;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{ClientBuilder, Proxy};
use rustls::pki_types::CertificateDer;
use url::Url;

use super::certificates;
use crate::card::address::is_loopback;
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
    ca: Vec<CertificateDer<'static>>,
    route: Route,
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
        Ok(Self { plain: Lazy::new(), direct: Lazy::new(), proxied: Lazy::new(), ca, route })
    }

    /// The client for `url`, or why there is none, and the proxy it goes through, named without credentials.
    pub(super) fn for_url(&self, url: &Url) -> (Result<reqwest::Client, String>, Option<String>) {
        if let Some(proxy) = self.proxy_for(url) {
            let client = self.proxied.get_or_init(|| self.build(self.proxied_builder()));
            return (client.clone(), Some(proxy));
        }
        let client = if url.scheme() == "http" {
            self.plain.get_or_init(|| built(builder().no_proxy().tls_certs_only([])))
        } else {
            self.direct.get_or_init(|| self.build(builder().no_proxy()))
        };
        (client.clone(), None)
    }

    fn proxy_for(&self, url: &Url) -> Option<String> {
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
        let builder = certificates::with_tls(builder, &self.ca)
            .map_err(|error| format!("the trusted certificates cannot be used ({error})"))?;
        built(builder)
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
        Clients::new(&NetworkSettings { proxy, ca_file: None }).unwrap()
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
    fn settings_that_cannot_be_used_are_refused_with_a_sentence() {
        let missing = NetworkSettings { proxy: ProxyChoice::None, ca_file: Some("/nowhere/ca.pem".into()) };
        let error = Clients::new(&missing).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("/nowhere/ca.pem"), "{error}");
        let bad = NetworkSettings { proxy: ProxyChoice::Manual("::::".to_owned()), ca_file: None };
        assert!(Clients::new(&bad).is_err());
    }
}
