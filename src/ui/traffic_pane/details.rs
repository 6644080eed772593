//! One exchange in full: headers and bodies as sent and received, secrets masked.

use std::sync::Arc;

use bytes::Bytes;
use egui::{Align, Layout, ScrollArea, Ui};

use super::line_ui;
use crate::card::facts::Tone;
use crate::client::{Exchange, ExchangeEnd, HeaderText, RecordedHeader, curl};
use crate::state::Action;
use crate::ui::quantities::{clock_exact, duration, size};
use crate::ui::theme::GRID;
use crate::ui::widgets::body_view::BodyView;
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::heading::heading_with_ui;
use crate::ui::widgets::text;

const BODY_HEIGHT: f32 = 320.0;

/// The selected exchange with its bodies in rows, made once.
pub(super) struct Details {
    pub(super) exchange: Arc<Exchange>,
    request: Option<BodyView>,
    response: Option<BodyView>,
}

impl Details {
    pub(super) fn new(exchange: Arc<Exchange>) -> Self {
        let request = body_view(&exchange.request.body);
        let response = exchange.response().and_then(|response| body_view(&response.body));
        Self { exchange, request, response }
    }

    /// Draws the exchange; true when it was closed.
    pub(super) fn ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        let exchange = Arc::clone(&self.exchange);
        let mut closed = false;
        ScrollArea::vertical().id_salt("exchange").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.horizontal_wrapped(|ui| {
                ui.label(text::strong(ui, &exchange.purpose));
                let times = format!("{} · {}", clock_exact(exchange.started_at), duration(exchange.duration));
                ui.label(text::note(ui, times));
                if let Some(proxy) = &exchange.request.proxy {
                    ui.label(text::note(ui, format!("through the proxy {proxy}")));
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    closed = quiet_button(ui, "Close").clicked();
                    if has_secrets(&exchange) && quiet_button(ui, "Copy as cURL with secrets").clicked() {
                        copy_as_curl(ui, &exchange, true, actions);
                    }
                });
            });
            self.request_ui(ui, actions);
            self.response_ui(ui, actions);
        });
        closed
    }

    fn request_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let exchange = Arc::clone(&self.exchange);
        let request = &exchange.request;
        heading_with_ui(ui, "Request", &body_size(&request.body), |ui| {
            body_buttons_ui(ui, "request", &request.body, actions);
        });
        line_ui(ui, &request.method, &request.url);
        headers_ui(ui, &request.headers);
        if let Some(certificate) = &request.client_certificate {
            line_ui(ui, "client certificate", &format!("SHA-256 {}", certificate.sha256));
        }
        body_ui(ui, "request body", self.request.as_mut(), actions);
    }

    fn response_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let exchange = Arc::clone(&self.exchange);
        match &exchange.end {
            ExchangeEnd::Answered(response) => {
                heading_with_ui(ui, "Response", &body_size(&response.body), |ui| {
                    body_buttons_ui(ui, "response", &response.body, actions);
                });
                line_ui(ui, &response.version, &response.status.to_string());
                if let Some(why) = &response.incomplete {
                    ui.label(text::toned(ui, format!("The body is not whole: {why}."), Tone::Caution));
                }
                headers_ui(ui, &response.headers);
                body_ui(ui, "response body", self.response.as_mut(), actions);
            }
            ExchangeEnd::Failed { message, .. } => {
                ui.add_space(2.0 * GRID);
                ui.label(text::toned(ui, message, Tone::Bad));
                for (name, value) in exchange.refused_certificate().into_iter().flat_map(|refused| refused.facts()) {
                    line_ui(ui, name, &value);
                }
            }
            ExchangeEnd::Cancelled => {
                ui.add_space(2.0 * GRID);
                ui.label(text::toned(ui, "Cancelled before an answer came.", Tone::Caution));
            }
        }
    }
}

fn body_view(body: &Bytes) -> Option<BodyView> {
    (!body.is_empty()).then(|| BodyView::new(body.clone()))
}

fn body_ui(ui: &mut Ui, id: &str, body: Option<&mut BodyView>, actions: &mut Vec<Action>) {
    if let Some(body) = body {
        ui.add_space(GRID);
        ui.push_id(id, |ui| body.ui(ui, BODY_HEIGHT, actions));
    }
}

fn headers_ui(ui: &mut Ui, headers: &[RecordedHeader]) {
    for header in headers {
        match &header.value {
            HeaderText::Plain(value) => line_ui(ui, &header.name, value),
            HeaderText::Secret(secret) => line_ui(ui, &header.name, &secret.masked()),
        }
    }
}

fn body_size(body: &[u8]) -> String {
    if body.is_empty() { "no body".to_owned() } else { size(body.len()) }
}

fn body_buttons_ui(ui: &mut Ui, which: &str, body: &Bytes, actions: &mut Vec<Action>) {
    if body.is_empty() {
        return;
    }
    if quiet_button(ui, "Save as…").accessible_name(format!("Save {which} body as…")).clicked() {
        let suggested_name = format!("{which}.json");
        actions.push(Action::SaveFile { suggested_name, bytes: body.clone() });
    }
    if quiet_button(ui, "Copy").accessible_name(format!("Copy {which} body")).clicked() {
        ui.ctx().copy_text(String::from_utf8_lossy(body).into_owned());
        actions.push(Action::Copied { what: format!("The {which}'s body") });
    }
}

fn has_secrets(exchange: &Exchange) -> bool {
    exchange.request.headers.iter().any(|header| matches!(header.value, HeaderText::Secret(_)))
}

pub(super) fn copy_as_curl(ui: &Ui, exchange: &Exchange, reveal_secrets: bool, actions: &mut Vec<Action>) {
    ui.ctx().copy_text(curl::command(exchange, reveal_secrets));
    let what = if reveal_secrets { "The cURL command, with its secrets" } else { "The cURL command" };
    actions.push(Action::Copied { what: what.to_owned() });
}
