//! TLS: the system's authorities and the user's own, and the one certificate that is trusted at an origin.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::ClientBuilder;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use url::Url;

use super::certificate_facts::{self, Facts};
use super::client_certificate::ClientAuth;
use crate::client::certificate::{CertificateProblem, Fingerprint, RefusedCertificate};

/// A certificate that was refused, on its way through the errors of the libraries.
#[derive(Debug, thiserror::Error)]
#[error("{}", certificate.reason())]
pub(super) struct CertificateRefused {
    /// Who should have shown it: the host that was asked, or a proxy on the way.
    server_name: String,
    certificate: RefusedCertificate,
}

impl CertificateRefused {
    /// The certificate, if `url`'s own server showed it.
    pub(super) fn shown_by(&self, url: &Url) -> Option<RefusedCertificate> {
        let origin = url.origin().ascii_serialization();
        is_host_of(&self.server_name, url).then(|| RefusedCertificate { origin, ..self.certificate.clone() })
    }
}

/// What is trusted beside the authorities: certificates of one host, by their fingerprints.
#[derive(Debug, Default)]
pub(super) struct Pinned {
    /// Any URL of the host.
    pub host: Option<Url>,
    pub fingerprints: Vec<Fingerprint>,
}

/// Who decides about certificates on this system.
#[derive(Debug)]
pub(super) struct Platform {
    verifier: Verifier,
    /// What the user gave to be trusted: the extra authorities, and those in the file of `SSL_CERT_FILE`.
    given: Vec<Fingerprint>,
}

/// Who decides about certificates on this system; `extra` authorities are trusted as well.
///
/// # Errors
/// The system has no authorities at all, or an extra one cannot be used.
pub(super) fn platform(extra: &[CertificateDer<'static>]) -> Result<Arc<Platform>, Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = Verifier::new_with_extra_roots(extra.iter().cloned(), provider)?;
    let file = std::env::var_os("SSL_CERT_FILE").and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let from_environment = CertificateDer::pem_slice_iter(&file).map_while(Result::ok);
    let given = extra.iter().cloned().chain(from_environment).map(|der| Fingerprint::of(&der)).collect();
    Ok(Arc::new(Platform { verifier, given }))
}

/// Gives `builder` a TLS stack that trusts what `platform` trusts and what is pinned.
///
/// # Errors
/// The TLS versions of this build cannot be used.
pub(super) fn with_tls(
    builder: ClientBuilder,
    platform: Arc<Platform>,
    pinned: Pinned,
    client: Arc<ClientAuth>,
) -> Result<ClientBuilder, Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(PinningVerifier { platform, pinned }))
        .with_client_cert_resolver(client);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(builder.tls_backend_preconfigured(config))
}

/// The certificates in a PEM file.
pub(super) fn from_pem(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// The platform's verifier, which decides, but for the certificates that the user trusts at one host. Whoever shows a
/// certificate has to prove in every case that its key is theirs.
#[derive(Debug)]
struct PinningVerifier {
    platform: Arc<Platform>,
    pinned: Pinned,
}

impl ServerCertVerifier for PinningVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let sha256 = Fingerprint::of(end_entity);
        let host = server_name.to_str();
        // A proxy on the way is another host.
        let is_pinned_host = self.pinned.host.as_ref().is_some_and(|url| is_host_of(&host, url));
        let pinned = if is_pinned_host { &self.pinned.fingerprints[..] } else { &[] };
        let verdict =
            self.platform.verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verdict.or_else(|error| {
            // What its own issuer took back is not accepted, whoever trusted it before.
            let is_revoked = matches!(error, Error::InvalidCertificate(CertificateError::Revoked));
            if pinned.contains(&sha256) && !is_revoked {
                return Ok(ServerCertVerified::assertion());
            }
            let Error::InvalidCertificate(error) = error else { return Err(error) };
            let facts = certificate_facts::read(end_entity);
            let mut problem = problem(&error, end_entity, intermediates, &facts);
            if problem == CertificateProblem::IsAuthority && self.platform.given.contains(&sha256) {
                match as_given(end_entity, server_name, now, &facts) {
                    Ok(verified) => return Ok(verified),
                    Err(what_else) => problem = what_else,
                }
            }
            let Facts { subject, issuer, names, validity, .. } = facts;
            let trusted = pinned.first().copied();
            let origin = String::new();
            let certificate = RefusedCertificate { origin, sha256, problem, subject, issuer, names, validity, trusted };
            let refused = CertificateRefused { server_name: host.into_owned(), certificate };
            Err(Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(refused)))))
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.platform.verifier.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.platform.verifier.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.platform.verifier.supported_verify_schemes()
    }
}

/// Judges a certificate that the user gave as an authority's and that the server shows as its own, as one is that was
/// made in one step (`openssl req -x509`): it vouches for itself, and has to be for this host and time all the same.
fn as_given(
    certificate: &CertificateDer<'_>,
    server_name: &ServerName<'_>,
    now: UnixTime,
    facts: &Facts,
) -> Result<ServerCertVerified, CertificateProblem> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(now.as_secs());
    match facts.validity {
        None => return Err(CertificateProblem::IsAuthority),
        Some((from, _)) if now < from => return Err(CertificateProblem::NotValidYet),
        Some((_, until)) if until < now => return Err(CertificateProblem::Expired),
        Some(_) if !facts.is_for_servers => return Err(CertificateProblem::IsAuthority),
        Some(_) => {}
    }
    let parsed = ParsedCertificate::try_from(certificate).map_err(|_| CertificateProblem::IsAuthority)?;
    verify_server_name(&parsed, server_name).map_err(|_| CertificateProblem::OtherName)?;
    Ok(ServerCertVerified::assertion())
}

/// Whether `name`, as TLS has it, is the host of `url`.
fn is_host_of(name: &str, url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    !host.is_empty() && host.trim_end_matches('.').eq_ignore_ascii_case(name.trim_end_matches('.'))
}

fn problem(
    error: &CertificateError,
    end_entity: &[u8],
    intermediates: &[CertificateDer<'_>],
    facts: &Facts,
) -> CertificateProblem {
    match error {
        CertificateError::UnknownIssuer if facts.is_self_signed => CertificateProblem::SelfSigned,
        CertificateError::UnknownIssuer => {
            // The last certificate of the chain is the one whose issuer would have to be known.
            let last = intermediates.last().map_or(end_entity, AsRef::as_ref);
            CertificateProblem::UnknownIssuer { issuer: certificate_facts::read(last).issuer }
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => CertificateProblem::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => CertificateProblem::NotValidYet,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            CertificateProblem::OtherName
        }
        CertificateError::Revoked => CertificateProblem::Revoked,
        CertificateError::Other(other) if other.0.to_string().contains("CaUsedAsEndEntity") => {
            CertificateProblem::IsAuthority
        }
        other => CertificateProblem::Other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_by_its_reason() {
        let own = OtherError(Arc::new(std::io::Error::other("CaUsedAsEndEntity")));
        for (error, wanted) in [
            (CertificateError::Other(own), CertificateProblem::IsAuthority),
            (CertificateError::Expired, CertificateProblem::Expired),
            (CertificateError::NotValidForName, CertificateProblem::OtherName),
            (CertificateError::Revoked, CertificateProblem::Revoked),
            (CertificateError::UnknownIssuer, CertificateProblem::UnknownIssuer { issuer: None }),
        ] {
            assert_eq!(problem(&error, b"", &[], &Facts::default()), wanted);
        }
        let own = Facts { is_self_signed: true, ..Facts::default() };
        assert_eq!(problem(&CertificateError::UnknownIssuer, b"", &[], &own), CertificateProblem::SelfSigned);
    }

    #[test]
    fn a_host_is_compared_as_tls_and_addresses_write_it() {
        for (name, url, same) in [
            ("a.example", "https://A.example./x", true),
            ("127.0.0.1", "https://127.0.0.1:8443/", true),
            ("::1", "https://[::1]:8443/", true),
            ("a.example", "https://b.a.example/", false),
            ("", "https://a.example/", false),
        ] {
            assert_eq!(is_host_of(name, &Url::parse(url).unwrap()), same, "{name} {url}");
        }
    }
}
