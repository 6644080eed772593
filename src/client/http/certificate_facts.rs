//! What a certificate says of itself: whose it is, by whom, for which hosts and how long.

use std::net::IpAddr;
use std::time::SystemTime;

use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{ExtendedKeyUsage, SubjectAltName};
use x509_cert::name::Name;
use x509_cert::time::Time;

use crate::card::visible_text::visible_text;

/// The most hosts that are read, and characters of each name: a certificate may hold thousands.
const MOST_NAMES: usize = 50;
const MOST_CHARACTERS: usize = 80;

/// `id-kp-serverAuth` (RFC 5280 §4.2.1.12).
const SERVER_AUTHENTICATION: &str = "1.3.6.1.5.5.7.3.1";

/// What could be read of a certificate; what could not is absent.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// "'common name' (organisation)".
    pub subject: Option<String>,
    pub issuer: Option<String>,
    pub names: Vec<String>,
    pub validity: Option<(SystemTime, SystemTime)>,
    /// By the names alone.
    pub is_self_signed: bool,
    /// It is not limited to other purposes.
    pub is_for_servers: bool,
}

/// Reads a certificate in DER.
pub(super) fn read(der: &[u8]) -> Facts {
    let Ok(certificate) = Certificate::from_der(der) else { return Facts::default() };
    let signed = certificate.tbs_certificate();
    let (subject, issuer) = (signed.subject(), signed.issuer());
    let validity = signed.validity();
    let names = match signed.get_extension::<SubjectAltName>() {
        Ok(Some((_, names))) => names.0.iter().filter_map(host).take(MOST_NAMES).collect(),
        _ => Vec::new(),
    };
    let is_for_servers = match signed.get_extension::<ExtendedKeyUsage>() {
        Ok(Some((_, purposes))) => purposes.0.iter().any(|purpose| purpose.to_string() == SERVER_AUTHENTICATION),
        Ok(None) => true,
        Err(_) => false,
    };
    Facts {
        is_self_signed: subject == issuer,
        is_for_servers,
        subject: words(subject),
        issuer: words(issuer),
        names,
        validity: time(validity.not_before).zip(time(validity.not_after)),
    }
}

fn time(time: Time) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(time.to_unix_duration())
}

fn words(name: &Name) -> Option<String> {
    let text = |text: String| shown(&text);
    let common_name = name.common_name().ok().flatten().map(|name| text(name.value().into_owned()));
    let organisation = name.organization().ok().flatten().map(|name| text(name.value().into_owned()));
    match (common_name, organisation) {
        (Some(name), Some(organisation)) => Some(format!("'{name}' ({organisation})")),
        (name, organisation) => name.or(organisation).map(|name| format!("'{name}'")),
    }
}

/// A host that TLS compares with, or the URI of a workload.
fn host(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::DnsName(name) => Some(shown(name.as_str())),
        GeneralName::UniformResourceIdentifier(uri) => Some(shown(uri.as_str())),
        GeneralName::IpAddress(bytes) => match bytes.as_bytes().len() {
            4 => <[u8; 4]>::try_from(bytes.as_bytes()).ok().map(|bytes| IpAddr::from(bytes).to_string()),
            _ => <[u8; 16]>::try_from(bytes.as_bytes()).ok().map(|bytes| IpAddr::from(bytes).to_string()),
        },
        _ => None,
    }
}

/// A stranger's text, of bounded length.
fn shown(text: &str) -> String {
    visible_text(text).chars().take(MOST_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;

    use super::*;

    fn certificate(name: &str) -> Vec<u8> {
        let path = format!("{}/tests/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
        CertificateDer::from_pem_file(path).unwrap().to_vec()
    }

    #[test]
    fn whose_a_certificate_is_can_be_read() {
        let facts = read(&certificate("server.pem"));
        assert_eq!(facts.issuer.unwrap(), "'Pantry Root' (Pantry Inspection)");
        assert!(!facts.is_self_signed);
        let (from, until) = facts.validity.unwrap();
        assert!(from < until);

        let facts = read(&certificate("self_signed.pem"));
        assert_eq!(facts.names, ["localhost", "127.0.0.1"]);
        assert_eq!(facts.subject.as_deref(), Some("'Larder' (Jar Counters)"));
        assert!(facts.is_self_signed && facts.subject == facts.issuer);
    }

    #[test]
    fn nonsense_says_nothing() {
        let certificate = certificate("self_signed.pem");
        for end in 0..certificate.len() {
            let facts = read(&certificate[..end]);
            assert!(facts.subject.is_none() && facts.validity.is_none() && !facts.is_self_signed);
        }
    }
}
