//! Parts and artifacts, each shown as what it is: text, Markdown, JSON, a file, a link.

use std::borrow::Cow;
use std::collections::HashMap;

use bytes::Bytes;
use egui::{Align, Frame, Label, Layout, Margin, Stroke, TextStyle, Ui};
use egui_commonmark::CommonMarkCache;

use super::markdown_ui::markdown_ui;
use crate::a2a::{Artifact, Part, PartContent};
use crate::card::facts::Tone;
use crate::state::Action;
use crate::state::earlier::{PastArtifact, PastPart};
use crate::ui::dialogs::Dialog;
use crate::ui::quantities::size;
use crate::ui::theme::{GRID, palette};
use crate::ui::widgets::body_view::BodyView;
use crate::ui::widgets::buttons::{link_button, quiet_button};
use crate::ui::widgets::foreign_text::shown_text;
use crate::ui::widgets::text;

/// Texts longer than this are shown in rows of their own, so that only the visible ones are laid out.
const MAX_FLOWING_BYTES: usize = 16 * 1024;
const MAX_HEIGHT: f32 = 320.0;

/// What was laid out of answers, kept from frame to frame.
#[derive(Default)]
pub(super) struct PartViews {
    markdown: CommonMarkCache,
    /// By place and length: a longer snapshot of the same part is another text.
    bodies: HashMap<(egui::Id, usize), BodyView>,
}

impl PartViews {
    fn body(&mut self, place: egui::Id, text: &str) -> &mut BodyView {
        self.bodies.entry((place, text.len())).or_insert_with(|| BodyView::new(text.to_owned()))
    }
}

/// A part as it came, or what is left of one that was too large to be kept.
#[derive(Clone, Copy)]
pub(super) enum ShownPart<'a> {
    Whole(&'a Part),
    LeftOut { name: &'a str, media_type: &'a str, bytes_len: u64 },
}

impl<'a> From<&'a Part> for ShownPart<'a> {
    fn from(part: &'a Part) -> Self {
        Self::Whole(part)
    }
}

impl<'a> From<&'a PastPart> for ShownPart<'a> {
    fn from(part: &'a PastPart) -> Self {
        match part {
            PastPart::Whole(part) => Self::Whole(part),
            PastPart::LeftOut { name, media_type, bytes_len } => Self::LeftOut {
                name: name.as_deref().unwrap_or_default(),
                media_type: media_type.as_deref().unwrap_or_default(),
                bytes_len: *bytes_len,
            },
        }
    }
}

/// An artifact, live or kept.
pub(super) struct ShownArtifact<'a> {
    id: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    parts: Vec<ShownPart<'a>>,
}

impl<'a> From<&'a Artifact> for ShownArtifact<'a> {
    fn from(artifact: &'a Artifact) -> Self {
        Self {
            id: &artifact.artifact_id,
            name: artifact.name.as_deref(),
            description: artifact.description.as_deref(),
            parts: artifact.parts.iter().map(ShownPart::from).collect(),
        }
    }
}

impl<'a> From<&'a PastArtifact> for ShownArtifact<'a> {
    fn from(artifact: &'a PastArtifact) -> Self {
        Self {
            id: &artifact.artifact_id,
            name: artifact.name.as_deref(),
            description: artifact.description.as_deref(),
            parts: artifact.parts.iter().map(ShownPart::from).collect(),
        }
    }
}

/// An artifact in a thin frame: name, type and size, what can be done with it, and its content.
pub(super) fn artifact_ui(
    ui: &mut Ui,
    artifact: &ShownArtifact<'_>,
    repeated: bool,
    views: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    ui.add_space(2.0 * GRID);
    let line = Stroke::new(1.0, palette(ui).line);
    let frame = Frame::new().stroke(line).corner_radius(5).inner_margin(Margin::symmetric(12, 8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let name = artifact.name.filter(|name| !name.is_empty()).unwrap_or(artifact.id);
        for (index, part) in artifact.parts.iter().enumerate() {
            ui.push_id((artifact.id, index), |ui| match *part {
                ShownPart::Whole(part) => {
                    part_heading_ui(ui, name, part, actions);
                    content_ui(ui, part, views, actions, dialog);
                }
                ShownPart::LeftOut { .. } => left_out_ui(ui, name, *part),
            });
        }
        if artifact.parts.is_empty() {
            ui.label(text::note(ui, format!("{name} · no parts")));
        }
        if let Some(description) = artifact.description {
            ui.label(text::faint(ui, description));
        }
        if repeated {
            let words = "An earlier task of this context had the same artifact.";
            ui.label(text::toned_note(ui, words, Tone::Caution));
        }
    });
}

/// A part outside an artifact: plain text stands for itself, everything else has a heading.
pub(super) fn part_ui(
    ui: &mut Ui,
    part: ShownPart<'_>,
    views: &mut PartViews,
    actions: &mut Vec<Action>,
    dialog: &mut Option<Dialog>,
) {
    let ShownPart::Whole(part) = part else { return left_out_ui(ui, "", part) };
    if !matches!(part.content, PartContent::Text(_)) || is_markdown(part) {
        part_heading_ui(ui, "", part, actions);
    }
    content_ui(ui, part, views, actions, dialog);
}

/// A file of which only name and size were kept.
fn left_out_ui(ui: &mut Ui, name: &str, part: ShownPart<'_>) {
    let ShownPart::LeftOut { name: own, media_type, bytes_len } = part else { return };
    let name = if own.is_empty() { name } else { own };
    let bytes = size(usize::try_from(bytes_len).unwrap_or(usize::MAX));
    let words = [name, media_type, &*bytes];
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    ui.label(text::note(ui, words.join(" · ")));
    ui.label(text::faint(ui, "Too large to be kept: its name and size are all that is left."));
}

fn part_heading_ui(ui: &mut Ui, name: &str, part: &Part, actions: &mut Vec<Action>) {
    let kind = kind_words(part);
    let bytes = match &part.content {
        PartContent::Url(_) => None,
        _ => Some(size(part_bytes(part).len())),
    };
    let name = part.filename.as_deref().unwrap_or(name);
    let words: Vec<Cow<'_, str>> = [Some(Cow::Borrowed(name)), Some(kind), bytes.map(Cow::Owned)]
        .into_iter()
        .flatten()
        .filter(|word| !word.is_empty())
        .collect();
    ui.horizontal(|ui| {
        ui.add(Label::new(text::note(ui, words.join(" · "))).truncate());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let what = if name.is_empty() { "part" } else { name };
            if quiet_button(ui, "Save as…").accessible_name(format!("Save {what} as…")).clicked() {
                let suggested_name = suggested_name(name, part);
                actions.push(Action::SaveFile { suggested_name, bytes: Bytes::copy_from_slice(part_bytes(part)) });
            }
            if let Ok(copy) = std::str::from_utf8(part_bytes(part))
                && quiet_button(ui, "Copy").accessible_name(format!("Copy {what}")).clicked()
            {
                ui.ctx().copy_text(copy.to_owned());
                actions.push(Action::Copied { what: format!("'{what}'") });
            }
        });
    });
}

fn content_ui(ui: &mut Ui, part: &Part, views: &mut PartViews, actions: &mut Vec<Action>, dialog: &mut Option<Dialog>) {
    match &part.content {
        PartContent::Text(words) if is_json(part) => body_ui(ui, words, views, actions),
        PartContent::Text(words) if is_markdown(part) => formatted_ui(ui, words, views, actions),
        PartContent::Text(words) => text_ui(ui, words, views, actions),
        PartContent::Data(json) => body_ui(ui, json.as_str(), views, actions),
        PartContent::Raw(bytes) => {
            if bytes.is_empty() {
                ui.label(text::faint(ui, "An empty file."));
            } else if let Some(words) = std::str::from_utf8(bytes).ok().filter(|_| is_text(part)) {
                if is_json(part) { body_ui(ui, words, views, actions) } else { text_ui(ui, words, views, actions) }
            }
        }
        PartContent::Undecodable(_) => {
            let words = "The bytes could not be decoded from base64; copying and saving give the text as it came.";
            ui.label(text::toned(ui, words, Tone::Caution));
        }
        PartContent::Url(url) => {
            if link_button(ui, url).clicked() {
                *dialog = Some(Dialog::Link(url.clone()));
            }
            ui.label(text::faint(ui, "A link to the file; nothing was fetched from it."));
        }
        PartContent::Unknown(json) => {
            ui.label(text::toned(ui, "A part of no known kind, as it came:", Tone::Caution));
            body_ui(ui, json.as_str(), views, actions);
        }
    }
}

fn text_ui(ui: &mut Ui, words: &str, views: &mut PartViews, actions: &mut Vec<Action>) {
    if words.len() > MAX_FLOWING_BYTES {
        body_ui(ui, words, views, actions);
    } else {
        let shown = shown_text(ui, &TextStyle::Body.resolve(ui.style()), words).into_owned();
        ui.add(Label::new(text::plain(ui, shown)).wrap());
    }
}

fn formatted_ui(ui: &mut Ui, words: &str, views: &mut PartViews, actions: &mut Vec<Action>) {
    if words.len() > MAX_FLOWING_BYTES {
        ui.label(text::faint(ui, "Too long to be laid out as Markdown; shown as text."));
        text_ui(ui, words, views, actions);
    } else {
        let shown = shown_text(ui, &TextStyle::Body.resolve(ui.style()), words).into_owned();
        markdown_ui(ui, &shown, &mut views.markdown);
    }
}

fn body_ui(ui: &mut Ui, text: &str, views: &mut PartViews, actions: &mut Vec<Action>) {
    let place = ui.unique_id();
    views.body(place, text).ui(ui, MAX_HEIGHT, actions);
}

fn media_type(part: &Part) -> &str {
    part.media_type.as_deref().unwrap_or_default()
}

fn is_markdown(part: &Part) -> bool {
    matches!(part.content, PartContent::Text(_)) && media_type(part).to_ascii_lowercase().starts_with("text/markdown")
}

/// Whether the bytes of a file are declared to be text.
fn is_text(part: &Part) -> bool {
    media_type(part).to_ascii_lowercase().starts_with("text/") || is_json(part)
}

fn is_json(part: &Part) -> bool {
    let kind = media_type(part).to_ascii_lowercase();
    kind.starts_with("application/json") || kind.contains("+json")
}

fn kind_words(part: &Part) -> Cow<'_, str> {
    if let Some(declared) = part.media_type.as_deref().filter(|declared| !declared.is_empty()) {
        return Cow::Borrowed(declared);
    }
    Cow::Borrowed(match &part.content {
        PartContent::Text(_) => "text",
        PartContent::Raw(bytes) => infer::get(bytes).map_or("file of no declared type", |kind| kind.mime_type()),
        PartContent::Undecodable(_) => "file",
        PartContent::Url(_) => "link",
        PartContent::Data(_) => "data",
        PartContent::Unknown(_) => "unknown kind",
    })
}

/// What copying and saving give.
fn part_bytes(part: &Part) -> &[u8] {
    match &part.content {
        PartContent::Text(text) | PartContent::Url(text) => text.as_bytes(),
        PartContent::Raw(bytes) => bytes,
        PartContent::Undecodable(text) => text.as_bytes(),
        PartContent::Data(json) | PartContent::Unknown(json) => json.as_str().as_bytes(),
    }
}

/// The file's own name without folders, or the artifact's with an ending that fits.
fn suggested_name(name: &str, part: &Part) -> String {
    let own = name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let own: String = own.chars().filter(|c| !c.is_control()).collect();
    if part.filename.is_some() && !own.is_empty() {
        return own;
    }
    let ending = match &part.content {
        PartContent::Data(_) | PartContent::Unknown(_) => "json",
        PartContent::Text(_) if is_markdown(part) => "md",
        PartContent::Text(_) if is_json(part) => "json",
        PartContent::Raw(bytes) => infer::get(bytes).map_or("bin", |kind| kind.extension()),
        _ => "txt",
    };
    let stem = if own.is_empty() { "artifact" } else { &own };
    format!("{stem}.{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::a2a::RawJson;

    #[test]
    fn a_suggested_name_never_leaves_its_folder() {
        let file = |name: &str| Part::file(Bytes::from_static(b"x"), name.to_owned(), None);
        let part = file("../../etc/passwd");
        assert_eq!(suggested_name("../../etc/passwd", &part), "passwd");
        assert_eq!(suggested_name("a\\b.txt", &file("a\\b.txt")), "b.txt");
        assert_eq!(suggested_name("", &file("")), "artifact.bin");
    }

    #[test]
    fn a_name_without_a_file_gets_a_fitting_ending() {
        assert_eq!(suggested_name("totals", &Part::data(RawJson::new("{}"))), "totals.json");
        let markdown = Part { media_type: Some("text/markdown".to_owned()), ..Part::text("# x") };
        assert_eq!(suggested_name("report", &markdown), "report.md");
        assert_eq!(suggested_name("", &Part::text("x")), "artifact.txt");
    }
}
