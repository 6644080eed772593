//! Sets the headers that go to one origin and to no other; the values are never shown again and never saved.

use std::path::PathBuf;

use egui::{Align, Layout, TextEdit, Ui};

use super::theme::{CHOOSE_WIDTH, GRID, LINE, NAME_WIDTH};
use super::widgets::buttons::{primary_button, quiet_button};
use super::widgets::cell::cell_ui;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::address::{Address, Target};
use crate::card::facts::Tone;
use crate::client::{Credential, Secret};
use crate::state::{Action, State};

/// What is being typed.
pub struct CredentialEditor {
    origin: String,
    bearer: String,
    /// Name and value of further headers.
    headers: Vec<(String, String)>,
    /// Path of a PEM file.
    client_certificate: String,
    /// The origin and the path that the editor opened with.
    prefilled: Option<(String, String)>,
    /// What the dialog had given when the editor opened or gave since.
    seen_pick: Option<PathBuf>,
}

impl std::fmt::Debug for CredentialEditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CredentialEditor").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// The credential that is set for the origin of the card on screen.
pub(super) fn current(state: &State) -> Option<&Credential> {
    let origin = current_origin(state)?;
    state.credentials.iter().find(|credential| credential.origin == origin)
}

fn current_origin(state: &State) -> Option<String> {
    let entry = state.discovery.current_entry()?;
    let attempt = entry.shown_attempt.or(Some(0)).and_then(|index| entry.retrieval.attempts.get(index))?;
    origin_of(attempt.final_url.as_deref().unwrap_or(&attempt.url))
}

/// `https://host:port` of what was typed, read as discovery reads it.
fn origin_of(address: &str) -> Option<String> {
    match Address::parse(address).ok()?.target {
        Target::Web(candidates) => candidates.first().map(|candidate| candidate.url.origin().ascii_serialization()),
        _ => None,
    }
}

impl CredentialEditor {
    /// For the origin of `address`, as typed, or else of the card on screen.
    #[must_use]
    pub fn new(state: &State, address: &str) -> Self {
        let origin = origin_of(address).or_else(|| current_origin(state)).unwrap_or_default();
        // A path is no secret: whoever sets a new token does not lose the certificate.
        let known = state.credentials.iter().find(|credential| credential.origin == origin);
        let client_certificate = known.and_then(|credential| credential.client_certificate.as_ref());
        let client_certificate = client_certificate.map(|path| path.display().to_string());
        Self {
            prefilled: client_certificate.clone().map(|path| (origin.clone(), path)),
            origin,
            bearer: String::new(),
            headers: Vec::new(),
            client_certificate: client_certificate.unwrap_or_default(),
            seen_pick: state.picked_client_certificate.clone(),
        }
    }

    /// A client certificate is for the origin that it was set for: typing another one takes it out of its field.
    fn keep_certificate_with_its_origin(&mut self) {
        if let Some((origin, path)) = &self.prefilled
            && self.client_certificate == *path
            && origin_of(&self.origin).is_some_and(|typed| typed != *origin)
        {
            self.client_certificate.clear();
            self.prefilled = None;
        }
    }

    /// A file picked by dialog lands in the model; it belongs into the field.
    fn follow_picked_file(&mut self, state: &State) {
        if state.picked_client_certificate != self.seen_pick {
            self.seen_pick.clone_from(&state.picked_client_certificate);
            if let Some(path) = &self.seen_pick {
                self.client_certificate = path.display().to_string();
            }
        }
    }

    /// Draws the editor; true when it was closed.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
        self.follow_picked_file(state);
        ui.label(text::strong(ui, "Credential"));
        ui.label(text::faint(
            ui,
            "Goes with every request to this scheme, host and port, and to no other, redirects included. It is kept \
             until the program ends and is never written to disk.",
        ));
        ui.add_space(2.0 * GRID);
        self.fields_ui(ui, actions);
        ui.add_space(3.0 * GRID);
        let closed = self.buttons_ui(ui, actions);
        list_ui(ui, state, actions);
        closed
    }

    fn fields_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        row_ui(ui, "origin", |ui| {
            let field =
                TextEdit::singleline(&mut self.origin).hint_text("https://agent.example").desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Origin");
        });
        self.keep_certificate_with_its_origin();
        row_ui(ui, "bearer token", |ui| {
            let field = TextEdit::singleline(&mut self.bearer).password(true).desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Bearer token");
        });
        let mut gone = None;
        for (index, (name, value)) in self.headers.iter_mut().enumerate() {
            ui.horizontal(|ui| {
                let field = TextEdit::singleline(name).hint_text("X-API-Key").desired_width(NAME_WIDTH - 16.0);
                ui.add(field).accessible_name("Header name");
                let width = ui.available_width() - 70.0;
                let field = TextEdit::singleline(value).password(true).desired_width(width);
                ui.add(field).accessible_name("Header value");
                if quiet_button(ui, "Remove").clicked() {
                    gone = Some(index);
                }
            });
        }
        if let Some(index) = gone {
            self.headers.remove(index);
        }
        if quiet_button(ui, "Add a header").clicked() {
            self.headers.push((String::new(), String::new()));
        }
        row_ui(ui, "client certificate", |ui| {
            let width = ui.available_width() - CHOOSE_WIDTH;
            let field = TextEdit::singleline(&mut self.client_certificate)
                .hint_text("PEM file with certificate and private key")
                .desired_width(width);
            ui.add(field).accessible_name("Client certificate");
            if ui.button("Choose…").accessible_name("Choose a client certificate…").clicked() {
                actions.push(Action::PickClientCertificate);
            }
        });
    }

    fn buttons_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        let credential = self.credential();
        if let Err(problem) = &credential
            && !problem.is_empty()
        {
            ui.label(text::toned(ui, problem, Tone::Caution));
        }
        ui.horizontal(|ui| {
            let set = primary_button(ui, "Set credential", credential.is_ok()).clicked();
            if let (true, Ok(credential)) = (set, credential) {
                actions.push(Action::SetCredential(credential));
            }
            set | ui.button("Close").clicked()
        })
        .inner
    }

    /// What was typed as a credential, or what is missing (nothing is said while nothing was typed).
    fn credential(&self) -> Result<Credential, String> {
        let bearer = self.bearer.trim();
        let mut headers = Vec::new();
        if !bearer.is_empty() {
            // People paste the whole header value as well.
            let whole = bearer.get(..7).is_some_and(|head| head.eq_ignore_ascii_case("bearer "));
            let value = if whole { bearer.to_owned() } else { format!("Bearer {bearer}") };
            headers.push(("Authorization".to_owned(), Secret::new(value)));
        }
        for (name, value) in self.headers.iter().filter(|(name, value)| !(name.is_empty() && value.is_empty())) {
            if !is_header_name(name.trim()) {
                return Err(format!("'{name}' is no name of a header."));
            }
            headers.push((name.trim().to_owned(), Secret::new(value.trim())));
        }
        let path = self.client_certificate.trim();
        let client_certificate = (!path.is_empty()).then(|| PathBuf::from(path));
        if headers.is_empty() && client_certificate.is_none() {
            return Err(String::new());
        }
        if headers.iter().any(|(_, secret)| secret.reveal().chars().any(char::is_control)) {
            return Err("A header's value cannot hold line breaks or control characters.".to_owned());
        }
        let origin = origin_of(&self.origin).ok_or("The origin must be a host, such as https://agent.example.")?;
        if client_certificate.is_some() && !origin.starts_with("https:") {
            return Err("A client certificate is shown over https only, and this origin is not.".to_owned());
        }
        Ok(Credential { origin, headers, client_certificate })
    }
}

/// A token as RFC 9110 §5.6.2 has it.
fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

fn row_ui(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        cell_ui(ui, NAME_WIDTH, text::muted(ui, name));
        content(ui);
    });
}

/// What is set, values masked.
fn list_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    if state.credentials.is_empty() {
        return;
    }
    super::widgets::heading::heading_ui(ui, "Set in this run", "");
    for credential in &state.credentials {
        ui.horizontal_top(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                if quiet_button(ui, "Remove").clicked() {
                    actions.push(Action::RemoveCredential { origin: credential.origin.clone() });
                }
                ui.with_layout(Layout::top_down(Align::Min), |ui| {
                    ui.spacing_mut().item_spacing.y = 1.0;
                    ui.label(text::mono(ui, &credential.origin).line_height(Some(LINE)));
                    for (name, secret) in &credential.headers {
                        ui.label(text::note(ui, format!("{name} {}", secret.masked())));
                    }
                    if let Some(path) = &credential.client_certificate {
                        let path = shown_in_body(ui, &path.display().to_string()).into_owned();
                        ui.label(text::note(ui, format!("client certificate {path}")));
                    }
                });
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor(origin: &str, bearer: &str, headers: &[(&str, &str)]) -> CredentialEditor {
        CredentialEditor {
            origin: origin.to_owned(),
            bearer: bearer.to_owned(),
            headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            client_certificate: String::new(),
            prefilled: None,
            seen_pick: None,
        }
    }

    #[test]
    fn a_client_certificate_does_not_follow_the_origin_to_another() {
        let mut set = editor("https://a.example", "", &[]);
        set.client_certificate = "clerk.pem".to_owned();
        set.prefilled = Some(("https://a.example".to_owned(), "clerk.pem".to_owned()));
        set.keep_certificate_with_its_origin();
        assert_eq!(set.client_certificate, "clerk.pem");
        set.origin = "https://b.example".to_owned();
        set.keep_certificate_with_its_origin();
        assert_eq!(set.client_certificate, "");
        // One that is chosen for it stays.
        set.client_certificate = "clerk.pem".to_owned();
        set.keep_certificate_with_its_origin();
        assert_eq!(set.client_certificate, "clerk.pem");
    }

    #[test]
    fn a_client_certificate_goes_alone_or_beside_headers_and_over_https_only() {
        let with_certificate = |origin: &str, bearer: &str| {
            let editor =
                CredentialEditor { client_certificate: " clerk.pem ".to_owned(), ..editor(origin, bearer, &[]) };
            editor.credential()
        };
        let alone = with_certificate("https://a.example", "").unwrap();
        assert_eq!((alone.headers.len(), alone.client_certificate), (0, Some(PathBuf::from("clerk.pem"))));
        let both = with_certificate("https://a.example", "tok-1").unwrap();
        assert!(both.headers.len() == 1 && both.client_certificate.is_some());
        assert!(with_certificate("http://a.example", "").unwrap_err().contains("https only"));
    }

    #[test]
    fn a_token_is_completed_once_and_bound_to_the_origin_alone() {
        for bearer in ["tok-1", "Bearer tok-1", " tok-1 "] {
            let credential = editor("https://a.example/cards/x.json", bearer, &[]).credential().unwrap();
            assert_eq!(credential.origin, "https://a.example");
            assert_eq!(credential.headers[0].1.reveal(), "Bearer tok-1", "{bearer}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_refused_before_it_is_kept() {
        assert_eq!(editor("https://a.example", "", &[]).credential(), Err(String::new()));
        assert!(editor("https://a.example", "", &[("X Key", "1")]).credential().is_err());
        assert!(editor("https://a.example", "a\r\nX-Evil: 1", &[]).credential().is_err());
        assert!(editor("./card.json", "t", &[]).credential().is_err());
        assert!(editor("https://a.example", "", &[("X-API-Key", "1")]).credential().is_ok());
    }

    #[test]
    fn nothing_typed_appears_in_debug_output() {
        let text = format!("{:?}", editor("https://a.example", "tok-secret", &[("X-Key", "hidden")]));
        assert!(!text.contains("tok-secret") && !text.contains("hidden"), "{text}");
    }
}
