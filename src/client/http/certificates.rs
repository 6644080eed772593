//! TLS: the system's authorities and the user's own, and who issued a certificate that neither of them trusts.

use std::sync::Arc;

use reqwest::ClientBuilder;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;

use crate::card::visible_text::visible_text;

/// A certificate by an authority that is not trusted here; the words are the reason in a sentence.
#[derive(Debug, thiserror::Error)]
#[error("the certificate was issued by {issuer}, which this computer does not trust")]
pub(super) struct UntrustedIssuer {
    issuer: String,
}

/// Gives `builder` a TLS stack that trusts what the system trusts and `extra`.
///
/// # Errors
/// The system has no authorities at all, or an extra one cannot be used.
pub(super) fn with_tls(builder: ClientBuilder, extra: &[CertificateDer<'static>]) -> Result<ClientBuilder, Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = Verifier::new_with_extra_roots(extra.iter().cloned(), Arc::clone(&provider))?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(NamingVerifier(verifier)))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(builder.tls_backend_preconfigured(config))
}

/// The certificates in a PEM file.
pub(super) fn from_pem(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// The platform's verifier, which decides; this only adds the issuer's name to its refusal.
#[derive(Debug)]
struct NamingVerifier(Verifier);

impl ServerCertVerifier for NamingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now).map_err(|error| {
            // The last certificate of the chain is the one whose issuer would have to be known.
            let issuer = issuer_name(intermediates.last().unwrap_or(end_entity));
            match (error, issuer) {
                (Error::InvalidCertificate(CertificateError::UnknownIssuer), Some(issuer)) => {
                    Error::Other(OtherError(Arc::new(UntrustedIssuer { issuer })))
                }
                (error, _) => error,
            }
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// The issuer of a certificate as "common name (organisation)". Only this one name is wanted, so the way to it is
/// walked here instead of taking in a whole X.509 reader.
fn issuer_name(certificate: &[u8]) -> Option<String> {
    let (_, certificate, _) = element(certificate)?;
    let (_, mut rest, _) = element(certificate)?;
    // An optional version, the serial number and the algorithm stand before the issuer.
    let (tag, _, after) = element(rest)?;
    if tag == 0xa0 {
        rest = after;
    }
    let (_, _, rest) = element(rest)?;
    let (_, _, rest) = element(rest)?;
    let (_, mut names, _) = element(rest)?;
    let (mut common_name, mut organisation) = (None, None);
    while let Some((_, set, after)) = element(names) {
        names = after;
        let (_, attribute, _) = element(set)?;
        let (_, identifier, value) = element(attribute)?;
        let (_, text, _) = element(value)?;
        let text = visible_text(&String::from_utf8_lossy(text)).chars().take(80).collect::<String>();
        match identifier {
            [0x55, 4, 3] => common_name = Some(text),
            [0x55, 4, 10] => organisation = Some(text),
            _ => {}
        }
    }
    match (common_name, organisation) {
        (Some(name), Some(organisation)) => Some(format!("'{name}' ({organisation})")),
        (name, organisation) => name.or(organisation).map(|name| format!("'{name}'")),
    }
}

/// The first DER element of `bytes`: its tag, its content, and what follows it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let (length_bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
        let length = length_bytes
            .iter()
            .try_fold(0_usize, |sum, &byte| sum.checked_mul(256).and_then(|sum| sum.checked_add(usize::from(byte))))?;
        (length, rest)
    };
    let (content, after) = rest.split_at_checked(length)?;
    Some((tag, content, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn der(tag: u8, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        let length = u8::try_from(content.len()).unwrap();
        [&[tag, 0x81, length][..], &content].concat()
    }

    fn name(identifier: u8, text: &str) -> Vec<u8> {
        let attribute = der(0x30, &[&der(6, &[&[0x55, 4, identifier]]), &der(0x0c, &[text.as_bytes()])]);
        der(0x31, &[&attribute])
    }

    #[test]
    fn the_issuer_is_named_and_nonsense_is_not() {
        let issuer = der(0x30, &[&name(10, "Pantry Inspection"), &name(3, "Pantry Root")]);
        let to_be_signed = der(0x30, &[&der(0xa0, &[&der(2, &[&[2]])]), &der(2, &[&[7]]), &der(0x30, &[]), &issuer]);
        let certificate = der(0x30, &[&to_be_signed]);
        assert_eq!(issuer_name(&certificate).unwrap(), "'Pantry Root' (Pantry Inspection)");
        for end in 0..certificate.len() {
            // Whatever is cut off, nothing breaks.
            assert_eq!(issuer_name(&certificate[..end]), None);
        }
    }
}
