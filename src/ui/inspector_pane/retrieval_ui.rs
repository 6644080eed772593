//! How the document was obtained: the verdict, every attempt, what the server said about it, and its digest.

use std::time::SystemTime;

use egui::{RichText, Ui};

use super::row::RowUi;
use super::scene::Scene;
use crate::client::{Attempt, Exchange, exchange::HeaderText};
use crate::state::Action;
use crate::ui::attempts::{attempts_ui, failed_attempts_ui};
use crate::ui::quantities;
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::buttons::quiet_button;
use crate::ui::widgets::foreign_text::shown_text;

/// What came of it, what was assumed, and another card if one was found.
pub fn retrieval_verdict_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    let entry = scene.entry;
    let retrieval = &entry.retrieval;
    let mut row = RowUi::plain();
    row.foreign(ui, &retrieval.verdict);
    for assumption in &retrieval.assumptions {
        let shown = shown_text(ui, &theme::small(), assumption).into_owned();
        row.aside(ui, shown);
    }
    if !scene.inspection.shape_reason.is_empty() {
        let words = format!("Read as {}: {}", shape_words(scene), scene.inspection.shape_reason);
        let shown = shown_text(ui, &theme::small(), &words).into_owned();
        row.aside(ui, shown);
    }
    if let Some(other) = retrieval.alternative.and_then(|at| retrieval.attempts.get(at)) {
        let url = shown_text(ui, &theme::small(), &other.url).into_owned();
        ui.horizontal_wrapped(|ui| {
            row.aside(ui, format!("A different card was found at {url}."));
            if quiet_button(ui, "Show the other card").clicked() {
                scene.actions.push(Action::ShowAlternative);
            }
        });
    }
}

fn shape_words(scene: &Scene<'_>) -> &'static str {
    use crate::card::facts::Shape;
    match scene.inspection.shape {
        Shape::V1_0 => "a card of 1.0",
        Shape::V0_3 => "a card of 0.3",
        Shape::V0_2 => "a card of 0.2",
        Shape::Hybrid => "a hybrid card",
        Shape::NotACard => "no card",
    }
}

/// Every address that was asked.
pub fn retrieval_attempts_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    ui.add_space(GRID);
    let entry = scene.entry;
    attempts_ui(ui, &entry.retrieval.attempts, entry.shown_attempt, scene.actions);
    if let Some(failed) = &entry.failed_again {
        ui.add_space(3.0 * GRID);
        let words = format!("Asked again at {}, in vain:", quantities::clock(failed.fetched_at));
        RowUi::plain().aside(ui, words);
        failed_attempts_ui(ui, &failed.attempts, scene.actions);
    }
    ui.add_space(2.0 * GRID);
}

/// The facts of the attempt shown, one a line.
pub fn retrieval_facts_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    let document = &scene.inspection.document;
    let origin = &scene.inspection.origin;
    let copy = scene.entry.kept_copy();
    let freshness = copy.map(|copy| copy.freshness(SystemTime::now()));
    let mut facts: Vec<(&str, String, &str)> = Vec::new();
    let mut add = |name, value: Option<&String>, aside| {
        if let Some(value) = value {
            facts.push((name, value.clone(), aside));
        }
    };
    add("requested", origin.requested_url.as_ref(), "");
    let moved = origin.final_url.as_ref().filter(|url| Some(*url) != origin.requested_url.as_ref());
    add("answered by", moved, "after redirects");
    add("Content-Type", origin.content_type.as_ref(), "");
    add("Cache-Control", origin.cache_control.as_ref(), "");
    add("ETag", origin.etag.as_ref(), "");
    add("Last-Modified", origin.last_modified.as_ref(), "");
    if origin.legacy_path {
        facts.push(("path", "agent.json".to_owned(), "the name of before 0.3; agent-card.json is looked for since"));
    }
    if let Some(freshness) = &freshness {
        facts.push(("freshness", freshness.short.clone(), &freshness.reason));
    }
    let fetched_at = copy.map_or(scene.entry.retrieval.fetched_at, |copy| copy.fetched_at);
    facts.push(("fetched", quantities::clock(fetched_at), ""));
    if let Some(copy) = copy.filter(|copy| copy.checked_at > copy.fetched_at) {
        facts.push(("checked", quantities::clock(copy.checked_at), "unchanged: the server answered 304"));
    }
    facts.push(("size", quantities::size(document.bytes().len()), body_words(scene)));
    facts.push(("sha256", document.sha256().to_owned(), ""));
    for (name, value, aside) in &facts {
        fact_ui(ui, name, value, aside);
    }
}

fn body_words(scene: &Scene<'_>) -> &'static str {
    let document = &scene.inspection.document;
    if document.not_utf8_at().is_some() {
        "not all of it is UTF-8; what is not shows as U+FFFD"
    } else if document.has_bom() {
        "begins with a byte order mark, which is skipped"
    } else {
        ""
    }
}

fn fact_ui(ui: &mut Ui, name: &str, value: &str, aside: &str) {
    let mut row = RowUi::plain();
    ui.spacing_mut().item_spacing.y = 1.0;
    row.columns(
        ui,
        0.0,
        |ui, row| row.name(ui, name, "", ""),
        |ui, row| {
            row.mono(ui, value);
            if !aside.is_empty() {
                row.aside(ui, aside);
            }
        },
    );
    ui.add_space(3.0);
}

/// The headers of the exchange that brought the document, closed at first.
pub fn headers_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    let shown = scene.entry.shown_attempt.or(scene.entry.retrieval.chosen);
    let attempt = shown.and_then(|at| scene.entry.retrieval.attempts.get(at));
    let Some(exchange) = attempt.and_then(|attempt: &Attempt| attempt.exchanges.last()) else { return };
    let title = RichText::new("Headers as sent and received").font(theme::small()).color(palette(ui).muted);
    egui::CollapsingHeader::new(title).id_salt("headers").show(ui, |ui| {
        header_list_ui(ui, exchange);
    });
}

fn header_list_ui(ui: &mut Ui, exchange: &Exchange) {
    let mut row = RowUi::plain();
    let request = exchange.request.headers.iter().map(|header| (">", header));
    let response =
        exchange.response().into_iter().flat_map(|response| response.headers.iter().map(|header| ("<", header)));
    for (arrow, header) in request.chain(response) {
        let value = match &header.value {
            HeaderText::Plain(text) => text.clone(),
            HeaderText::Secret(secret) => secret.masked(),
        };
        row.mono(ui, &format!("{arrow} {}: {value}", header.name));
    }
}
