//! Skills: one calm row each, which opens to everything the card says about it.

use egui::accesskit::Role;
use egui::{CursorIcon, FontId, Label, RichText, Sense, Shape, Stroke, TextEdit, Ui, WidgetInfo, vec2};

use super::access_ui::requirements_words;
use super::field_ui::{chips_ui, words_ui};
use super::row::{RowUi, finding_mark_ui, row_ui};
use super::scene::Scene;
use crate::card::JsonPointer;
use crate::card::facts::{Modes, Skill, Tone};
use crate::ui::theme::{self, GRID, palette};
use crate::ui::widgets::chip::{chip_ui, chip_width};
use crate::ui::widgets::foreign_text::shown_text;
use crate::ui::widgets::text;

/// With more skills than this there is a filter.
pub const FILTER_FROM: usize = 5;
/// How many tags a closed row shows.
const TAGS_SHOWN: usize = 3;

/// A text and a tag to filter by.
pub fn skill_filter_ui(ui: &mut Ui, scene: &mut Scene<'_>) {
    let skills = &scene.inspection.skills;
    ui.add_space(GRID);
    ui.horizontal_wrapped(|ui| {
        let field = TextEdit::singleline(&mut scene.view.skill_query)
            .hint_text(text::small("Filter skills"))
            .desired_width(220.0)
            .margin(vec2(2.0 * GRID, 2.0))
            .min_size(vec2(0.0, ui.spacing().interact_size.y))
            .align(egui::Align2::LEFT_CENTER)
            .font(theme::small());
        ui.add(field).accessible_name("Filter skills");
        let chosen = scene.view.skill_tag.clone();
        let label = chosen
            .as_deref()
            .map_or_else(|| "any tag".to_owned(), |tag| shown_text(ui, &theme::small(), tag).into_owned());
        if !skills.tags.is_empty() {
            let label = RichText::new(label).font(theme::small());
            let combo = egui::ComboBox::from_id_salt("skill tag").selected_text(label).show_ui(ui, |ui| {
                ui.selectable_value(&mut scene.view.skill_tag, None, "any tag");
                for tag in &skills.tags {
                    let shown = shown_text(ui, &theme::small(), tag).into_owned();
                    ui.selectable_value(&mut scene.view.skill_tag, Some(tag.clone()), shown);
                }
            });
            combo.response.accessible_name("Tag");
        }
        let shown = scene.outline.skills_shown;
        if shown < skills.rows.len() {
            let words = format!("{shown} of {}", skills.rows.len());
            ui.label(RichText::new(words).font(theme::small()).color(palette(ui).muted));
        }
    });
    ui.add_space(GRID);
}

/// One skill.
pub fn skill_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, at: usize, pointer: Option<&JsonPointer>) {
    let inspection = scene.inspection;
    let Some(skill) = inspection.skills.rows.get(at) else { return };
    let is_open = scene.view.open_skills.contains(&at);
    let was_selected = scene.selected_row == Some(index);
    let mut marker_clicked = false;
    let clicked = row_ui(ui, scene, index, pointer, |ui, row, scene| {
        row.columns(
            ui,
            0.0,
            |ui, row| {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = GRID;
                    marker_clicked = marker_ui(ui, skill, is_open);
                    let id = if skill.id.is_empty() { "no id" } else { &skill.id };
                    row.name(ui, id, "What clients call the skill by.", "§4.4.5");
                });
            },
            |ui, row| {
                if is_open {
                    open_ui(ui, row, skill);
                } else {
                    closed_ui(ui, row, skill);
                }
                finding_mark_ui(ui, row, scene, index);
            },
        );
    });
    // A first click on the row opens it; once selected, it closes again.
    let toggles = marker_clicked || (clicked && (!is_open || was_selected));
    if toggles {
        if is_open {
            scene.view.open_skills.remove(&at);
        } else {
            scene.view.open_skills.insert(at);
        }
    }
}

fn marker_ui(ui: &mut Ui, skill: &Skill, is_open: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, 20.0), Sense::click());
    let center = rect.center();
    let points = if is_open {
        vec![center + vec2(-4.0, -2.0), center + vec2(4.0, -2.0), center + vec2(0.0, 3.0)]
    } else {
        vec![center + vec2(-2.0, -4.0), center + vec2(3.0, 0.0), center + vec2(-2.0, 4.0)]
    };
    ui.painter().add(Shape::convex_polygon(points, palette(ui).muted, Stroke::NONE));
    let word = if is_open { "Close" } else { "Open" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{word} skill {}", skill.id)));
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}

/// Name, first tags, and one line of the description.
fn closed_ui(ui: &mut Ui, row: &mut RowUi, skill: &Skill) {
    let right = ui.max_rect().right();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        let name = if skill.name.is_empty() { "no name" } else { &skill.name };
        let drawn = row.foreign(ui, name);
        if drawn.rect.height() > theme::LINE + 1.0 {
            return;
        }
        // Tags only where they fit on the name's line; the opened row has them all.
        ui.add_space(GRID);
        let mut room = right - drawn.rect.right() - GRID;
        for tag in skill.tags.iter().take(TAGS_SHOWN) {
            let shown = shown_text(ui, &theme::small(), tag).into_owned();
            room -= GRID + chip_width(ui, &shown);
            if room < 0.0 {
                break;
            }
            chip_ui(ui, &shown, Tone::Plain);
        }
    });
    let font = FontId::proportional(14.0);
    let line: String = skill.description.lines().next().unwrap_or_default().chars().take(240).collect();
    if !line.is_empty() {
        let shown = shown_text(ui, &font, &line).into_owned();
        let label = ui.add(Label::new(text::muted(ui, shown)).truncate());
        row.pass_click(&label);
    }
}

/// Everything the card says about the skill.
fn open_ui(ui: &mut Ui, row: &mut RowUi, skill: &Skill) {
    let name = if skill.name.is_empty() { "no name" } else { &skill.name };
    row.foreign(ui, name);
    if !skill.description.is_empty() {
        row.foreign_muted(ui, &skill.description);
    }
    if !skill.tags.is_empty() {
        ui.add_space(GRID / 2.0);
        chips_ui(ui, &skill.tags);
    }
    if !skill.examples.is_empty() {
        ui.add_space(GRID / 2.0);
        row.aside(ui, "examples");
        for example in &skill.examples {
            row.foreign(ui, example);
        }
    }
    ui.add_space(GRID / 2.0);
    modes_ui(ui, row, "in", &skill.input_modes);
    modes_ui(ui, row, "out", &skill.output_modes);
    if let Some(requirements) = &skill.requirements {
        row.aside(ui, "security, instead of the card's");
        let words = requirements_words(requirements);
        row.foreign(ui, &words);
        row.notes(ui, &requirements.notes);
    }
    row.notes(ui, &skill.notes);
}

fn modes_ui(ui: &mut Ui, row: &mut RowUi, word: &str, modes: &Modes) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        row.aside(ui, word);
        if modes.types.is_empty() {
            row.aside(ui, "none declared");
        } else {
            words_ui(ui, row, &modes.types);
        }
        if modes.inherited {
            row.aside(ui, "the card's defaults");
        }
    });
}
