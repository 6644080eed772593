//! Client certificates: read from a PEM file when they are needed, and shown only to a server that asks.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::client::ResolvesClientCert;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{InconsistentKeys, SignatureScheme};

use crate::client::certificate::Fingerprint;

/// Chain and key take a few kilobytes; whatever is larger is another file.
const MAX_BYTES: u64 = 1 << 20;

tokio::task_local! {
    /// Set while an exchange runs: whether the server asked for a client certificate.
    pub(super) static ASKED: Arc<AtomicBool>;
}

/// Why a file cannot be used as a client certificate; completed to a sentence by its path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The client certificate {path} cannot be used: {reason}.")]
pub struct ClientCertificateError {
    pub path: String,
    pub reason: String,
}

/// A certificate chain with its private key.
#[derive(Clone, Debug)]
pub(super) struct ClientIdentity {
    pub key: Arc<CertifiedKey>,
    /// Of the first certificate.
    pub sha256: Fingerprint,
}

impl ClientIdentity {
    pub(super) async fn read(path: &Path) -> Result<Self, ClientCertificateError> {
        let error = |reason: String| ClientCertificateError { path: path.display().to_string(), reason };
        let metadata = tokio::fs::metadata(path).await.map_err(|cause| error(unread(&cause)))?;
        if !metadata.is_file() {
            return Err(error("it is not a file".to_owned()));
        }
        if metadata.len() > MAX_BYTES {
            return Err(error("it is larger than 1 MB".to_owned()));
        }
        let pem = tokio::fs::read(path).await.map_err(|cause| error(unread(&cause)))?;
        Self::from_pem(&pem).map_err(error)
    }

    fn from_pem(pem: &[u8]) -> Result<Self, String> {
        // Older files of this kind are no PEM as it is read here.
        if is_encrypted(pem) {
            return Err("its private key is encrypted with a password; give one that is not".to_owned());
        }
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|error| broken(&error))?;
        let first = chain.first().ok_or("it holds no certificate in PEM form")?;
        let sha256 = Fingerprint::of(first);
        let mut keys = PrivateKeyDer::pem_slice_iter(pem);
        let key = keys.next().ok_or("it holds no private key; certificate and key belong into one file")?;
        let key = key.map_err(|error| broken(&error))?;
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let key = CertifiedKey::from_der(chain, key, &provider).map_err(|error| match error {
            rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                "its private key does not belong to its first certificate".to_owned()
            }
            rustls::Error::InvalidCertificate(_) => "its first certificate cannot be read".to_owned(),
            // What the library says of a key is for developers, and may say too much of it.
            _ => "its private key is of a kind that is not supported, or damaged".to_owned(),
        })?;
        Ok(Self { key: Arc::new(key), sha256 })
    }
}

fn unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "this user may not read it".to_owned(),
        _ => format!("it cannot be read ({error})"),
    }
}

fn broken(error: &rustls::pki_types::pem::Error) -> String {
    use rustls::pki_types::pem::Error;
    let what = match error {
        Error::MissingSectionEnd { .. } => "a section has no end",
        Error::IllegalSectionStart { .. } => "the beginning of a section is damaged",
        Error::Base64Decode(_) => "a section is not base64",
        _ => "it is damaged",
    };
    format!("it is not PEM as it should be, {what}")
}

/// By its label (PKCS#8) or by the header of older files.
fn is_encrypted(pem: &[u8]) -> bool {
    [&b"-----BEGIN ENCRYPTED PRIVATE KEY-----"[..], b"Proc-Type: 4,ENCRYPTED"]
        .iter()
        .any(|mark| memchr::memmem::find(pem, mark).is_some())
}

/// Answers servers that ask for a client certificate, and knows whether one did.
#[derive(Debug, Default)]
pub(super) struct ClientAuth {
    key: Option<Arc<CertifiedKey>>,
    was_asked: AtomicBool,
}

impl ClientAuth {
    pub(super) fn with(key: Option<Arc<CertifiedKey>>) -> Self {
        Self { key, was_asked: AtomicBool::new(false) }
    }

    /// Whether the certificate has been shown: from then on it says who asks, also on connections that are resumed.
    pub(super) fn is_shown(&self) -> bool {
        self.key.is_some() && self.was_asked.load(Ordering::Relaxed)
    }
}

impl ResolvesClientCert for ClientAuth {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.was_asked.store(true, Ordering::Relaxed);
        // Outside of an exchange there is nobody to be told.
        ASKED.try_with(|asked| asked.store(true, Ordering::Relaxed)).ok();
        self.key.clone()
    }

    fn has_certs(&self) -> bool {
        self.key.is_some()
    }
}
