//! Files that the user picks, attaches and saves, and links that are opened.

use std::path::PathBuf;

use bytes::Bytes;

use super::{Attachment, Effect, FilePurpose, HistoryEffect, Notice, Settings, State};
use crate::card::facts::Tone;

impl State {
    pub(super) fn file_picked(&mut self, purpose: FilePurpose, path: Option<PathBuf>, at_once: bool) -> Vec<Effect> {
        let Some(path) = path else {
            if at_once {
                self.notify(no_dialog(purpose));
            }
            return Vec::new();
        };
        match purpose {
            FilePurpose::OpenCard => self.open_file(path),
            FilePurpose::Attach => vec![Effect::ReadAttachment { path }],
            FilePurpose::Compare(age) => {
                self.compare_file(age, path);
                Vec::new()
            }
            FilePurpose::ClientCertificate => {
                self.picked_client_certificate = Some(path);
                Vec::new()
            }
            FilePurpose::Import => vec![Effect::History(HistoryEffect::Import { path })],
            FilePurpose::CaFile => {
                let mut settings = self.settings.clone();
                settings.network.ca_file = Some(path);
                self.change_settings(settings)
            }
        }
    }

    pub(super) fn attachment_read(&mut self, name: String, result: Result<Bytes, String>) {
        match result {
            Ok(bytes) => self.attachments.push(Attachment { name, bytes }),
            Err(problem) => {
                self.notify(Notice::new(Tone::Bad, "The file could not be attached", format!("{name}: {problem}")));
            }
        }
    }

    pub(super) fn remove_attachment(&mut self, index: usize) {
        if index < self.attachments.len() {
            self.attachments.remove(index);
        }
    }

    pub(super) fn file_saved(&mut self, result: Result<Option<PathBuf>, String>) {
        match result {
            Ok(Some(path)) => self.notify(Notice::new(Tone::Good, "Saved", path.display().to_string())),
            Ok(None) => {}
            Err(problem) => self.notify(Notice::new(Tone::Bad, "The file could not be saved", problem)),
        }
    }

    /// Only what a browser or a mail program opens; a card may name anything.
    pub(super) fn open_link(&mut self, url: String) -> Vec<Effect> {
        let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme).to_ascii_lowercase();
        if matches!(scheme.as_str(), "http" | "https" | "mailto") {
            return vec![Effect::OpenLink { url }];
        }
        self.notify(
            Notice::new(Tone::Caution, "The link was not opened", format!("{url} is not a web or mail address."))
                .with_hint("It can be copied."),
        );
        Vec::new()
    }

    pub(super) fn change_settings(&mut self, mut settings: Settings) -> Vec<Effect> {
        // What is remembered of certificates, catalogs and comparisons may have changed since the settings were opened.
        settings.network.trusted.clone_from(&self.settings.network.trusted);
        settings.network.trusted_in_this_run.clone_from(&self.settings.network.trusted_in_this_run);
        let network_changed = settings.network != self.settings.network;
        let catalogs = std::mem::take(&mut self.settings.catalogs);
        let comparisons = std::mem::take(&mut self.settings.comparisons);
        self.settings = Settings { catalogs, comparisons, ..settings };
        if network_changed { vec![Effect::UseNetworkSettings(self.settings.network.clone())] } else { Vec::new() }
    }
}

fn no_dialog(purpose: FilePurpose) -> Notice {
    let hint = match purpose {
        FilePurpose::OpenCard => "Type the file's path into the address field, or drop the file on the window.",
        FilePurpose::Attach => "Type the file's path beside the message, or drop the file on the window.",
        FilePurpose::Import => "Drop the file on the window.",
        FilePurpose::CaFile => "Type the file's path in the settings.",
        FilePurpose::ClientCertificate => "Type the file's path beside the credential.",
        FilePurpose::Compare(_) => "Type the file's path below the list of versions.",
    };
    Notice::new(Tone::Caution, "There is no file dialog on this system", "The dialog closed at once without an answer.")
        .with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Outcome};

    #[test]
    fn a_picked_file_goes_where_it_was_picked_for() {
        let mut state = State::default();
        let picked = |purpose, path: Option<&str>, at_once| Outcome::FilePicked {
            purpose,
            path: path.map(PathBuf::from),
            at_once,
        };
        assert!(matches!(
            state.absorb(picked(FilePurpose::OpenCard, Some("/tmp/card.json"), false))[..],
            [Effect::ReadFile { .. }]
        ));
        assert!(matches!(
            state.absorb(picked(FilePurpose::Attach, Some("/tmp/jars.csv"), false))[..],
            [Effect::ReadAttachment { .. }]
        ));
        assert!(matches!(
            state.absorb(picked(FilePurpose::CaFile, Some("/tmp/ca.pem"), false))[..],
            [Effect::UseNetworkSettings(_)]
        ));
        assert!(state.absorb(picked(FilePurpose::ClientCertificate, Some("/tmp/clerk.pem"), false)).is_empty());
        assert_eq!(state.picked_client_certificate, Some(PathBuf::from("/tmp/clerk.pem")));
        let effects = state.apply(Action::PickClientCertificate);
        assert!(matches!(effects[..], [Effect::PickFile { purpose: FilePurpose::ClientCertificate }]));
        assert_eq!(state.picked_client_certificate, None, "the same file may be picked again");
        assert!(state.absorb(picked(FilePurpose::OpenCard, None, false)).is_empty());
        assert!(state.notices.is_empty(), "cancelling is no news");
        assert!(state.absorb(picked(FilePurpose::OpenCard, None, true)).is_empty());
        assert_eq!(state.notices[0].title, "There is no file dialog on this system");
    }

    #[test]
    fn an_empty_file_is_attached_and_taken_away_again() {
        let mut state = State::default();
        let read = |name: &str, bytes: &[u8]| Outcome::AttachmentRead {
            name: name.to_owned(),
            result: Ok(Bytes::from(bytes.to_owned())),
        };
        let _ = state.absorb(read("empty.txt", b""));
        let _ = state.absorb(read("jars.csv", b"4"));
        let _ = state.apply(Action::RemoveAttachment { index: 7 });
        let _ = state.apply(Action::RemoveAttachment { index: 1 });
        assert_eq!(state.attachments, [Attachment { name: "empty.txt".to_owned(), bytes: Bytes::from_static(b"") }]);
    }

    #[test]
    fn only_web_and_mail_links_are_opened() {
        let mut state = State::default();
        for url in ["https://a.example/", "HTTP://a.example", "mailto:clerk@a.example"] {
            assert_eq!(state.apply(Action::OpenLink { url: url.to_owned() }).len(), 1, "{url}");
        }
        for url in ["file:///etc/passwd", "javascript:alert(1)", "smb://host/x", "nothing"] {
            assert!(state.apply(Action::OpenLink { url: url.to_owned() }).is_empty(), "{url}");
        }
    }
}
