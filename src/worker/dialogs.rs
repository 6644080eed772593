//! File dialogs, and the files that are read and written for the user.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::Outbox;
use crate::client::traffic_json::exchanges_to_json;
use crate::client::{Client, Exchange};
use crate::state::{FilePurpose, Outcome};

/// Nobody closes a dialog so quickly: it never appeared.
const AT_ONCE: Duration = Duration::from_millis(300);
/// The most that is attached to a message.
const MAX_ATTACHMENT_BYTES: u64 = 64 << 20;

/// Shows the dialog for one existing file. To be called on the main thread, awaited anywhere.
pub(super) fn pick(purpose: FilePurpose, outbox: Outbox) -> impl Future<Output = ()> + Send + use<> {
    let dialog = rfd::AsyncFileDialog::new();
    let dialog = match purpose {
        FilePurpose::OpenCard => dialog.set_title("Open an Agent Card").add_filter("Cards", &["json", "jsonc", "txt"]),
        FilePurpose::Attach => dialog.set_title("Attach a file"),
        FilePurpose::Import => {
            dialog.set_title("Import agents and versions").add_filter("Exported by Cardscope", &["json"])
        }
        FilePurpose::CaFile => {
            dialog.set_title("Trust a certificate authority").add_filter("PEM", &["pem", "crt", "cer"])
        }
        FilePurpose::ClientCertificate => {
            dialog.set_title("Choose a client certificate").add_filter("PEM", &["pem", "crt", "cer", "key"])
        }
        FilePurpose::Compare(_) => {
            dialog.set_title("Compare with an Agent Card").add_filter("Cards", &["json", "jsonc", "txt"])
        }
    };
    let dialog = if purpose == FilePurpose::Attach { dialog } else { dialog.add_filter("All files", &["*"]) };
    let shown = Instant::now();
    let answer = dialog.pick_file();
    async move {
        let path = answer.await.map(|file| file.path().to_owned());
        let at_once = path.is_none() && shown.elapsed() < AT_ONCE;
        outbox.send(Outcome::FilePicked { purpose, path, at_once });
    }
}

/// Asks where to and writes. To be called on the main thread, awaited anywhere.
pub(super) fn save(suggested_name: &str, bytes: Bytes, outbox: Outbox) -> impl Future<Output = ()> + Send + use<> {
    save_made(suggested_name, async { Ok(bytes) }, outbox)
}

/// The same for bytes that are made only when it is known where to; the sentence says why there are none.
pub(super) fn save_made<F>(suggested_name: &str, made: F, outbox: Outbox) -> impl Future<Output = ()> + Send + use<F>
where
    F: Future<Output = Result<Bytes, String>> + Send,
{
    let name = file_name_only(suggested_name);
    let shown = Instant::now();
    let answer = rfd::AsyncFileDialog::new().set_title("Save").set_file_name(&name).save_file();
    async move {
        let path = match answer.await {
            Some(file) => Some(file.path().to_owned()),
            // Without a dialog the file still has to go somewhere: where downloads go, under a name that is free.
            None if shown.elapsed() < AT_ONCE => download_path(&name),
            None => return outbox.send(Outcome::FileSaved { result: Ok(None) }),
        };
        let result = match path {
            Some(path) => match made.await {
                Ok(bytes) => write(&path, &bytes).await.map(|()| Some(path)),
                Err(problem) => Err(problem),
            },
            None => Err("There is no file dialog on this system, and no folder for downloads.".to_owned()),
        };
        outbox.send(Outcome::FileSaved { result });
    }
}

/// The exchanges as JSON, secrets masked.
pub(super) fn save_traffic(exchanges: &[Arc<Exchange>], outbox: Outbox) -> impl Future<Output = ()> + Send + use<> {
    let text = exchanges_to_json(exchanges.iter().map(AsRef::as_ref));
    save("cardscope-traffic.json", Bytes::from(text), outbox)
}

pub(super) async fn read_attachment(path: PathBuf, outbox: Outbox) {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let result = read(&path).await;
    outbox.send(Outcome::AttachmentRead { name, result });
}

/// Says what is wrong with a client certificate; nothing where it can be used.
pub(super) async fn check_client_certificate(path: PathBuf, outbox: Outbox) {
    if let Err(error) = Client::read_client_certificate(&path).await {
        outbox.send(Outcome::ClientCertificateRefused { problem: format!("{}: {}.", error.path, error.reason) });
    }
}

async fn read(path: &Path) -> Result<Bytes, String> {
    let metadata = tokio::fs::metadata(path).await.map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("this is not a file".to_owned());
    }
    if metadata.len() > MAX_ATTACHMENT_BYTES {
        return Err(format!("the file has {} bytes; up to 64 MiB can be attached", metadata.len()));
    }
    tokio::fs::read(path).await.map(Bytes::from).map_err(|error| error.to_string())
}

async fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    tokio::fs::write(path, bytes).await.map_err(|error| format!("{}: {error}", path.display()))
}

/// An agent names its files as it likes: no folders, no hidden or empty names, nothing that a file system refuses.
fn file_name_only(suggested: &str) -> String {
    let name: String =
        suggested.chars().map(|c| if c.is_control() || r#"/\:*?"<>|"#.contains(c) { '_' } else { c }).collect();
    let name = name.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if name.is_empty() { "file".to_owned() } else { name.chars().take(120).collect() }
}

fn download_path(name: &str) -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    let folder = folders.download_dir().unwrap_or(folders.home_dir()).to_owned();
    let (stem, extension) = name.rsplit_once('.').map_or((name, ""), |(stem, extension)| (stem, extension));
    (1..1000)
        .map(|number| match (number, extension) {
            (1, _) => folder.join(name),
            (_, "") => folder.join(format!("{stem} ({number})")),
            _ => folder.join(format!("{stem} ({number}).{extension}")),
        })
        .find(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_name_stays_in_its_folder() {
        for (suggested, name) in [
            ("quotes.csv", "quotes.csv"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("C:\\Users\\x.txt", "C__Users_x.txt"),
            ("..", "file"),
            ("", "file"),
            ("果物 リスト.json", "果物 リスト.json"),
        ] {
            assert_eq!(file_name_only(suggested), name);
        }
        assert_eq!(file_name_only(&"x".repeat(500)).len(), 120);
    }
}
