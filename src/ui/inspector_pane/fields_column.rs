//! The column of groups and fields: rows of different heights, of which only those near the view are drawn.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use egui::{Rect, ScrollArea, Ui, UiBuilder, pos2};

use super::access_ui::{requirements_ui, scheme_ui};
use super::capabilities_ui::{capability_ui, extension_ui};
use super::field_ui::field_ui;
use super::findings_ui::{finding_filter_ui, finding_ui};
use super::group::Group;
use super::heading_ui::heading_ui;
use super::interfaces_ui::{interface_ui, interfaces_head_ui};
use super::outline::{Item, ItemKind, Outline, OutlineView};
use super::retrieval_ui::{headers_ui, retrieval_attempts_ui, retrieval_facts_ui, retrieval_verdict_ui};
use super::row::RowUi;
use super::scene::{OpenedJson, Scene};
use super::signatures_ui::signature_ui;
use super::skills_ui::{skill_filter_ui, skill_ui};
use crate::card::JsonPointer;
use crate::card::facts::{Inspection, Note, Tone};
use crate::state::{Action, AgentEntry, State};
use crate::ui::theme::MARGIN;

/// Up to this many rows all are drawn, seen or not: a screen reader then has them all.
const ALL_DRAWN: usize = 120;
/// How far above and below the view rows are drawn.
const MORE_DRAWN: f32 = 240.0;
/// Height of a row that was never drawn.
const USUAL_HEIGHT: f32 = 26.0;
/// A scroll goes on for some frames, because rows on the way get their true heights only then.
const SCROLL_FRAMES: u8 = 3;

/// The column as the reader left it.
#[derive(Debug, Default)]
pub struct FieldsColumn {
    shown: Option<Arc<Inspection>>,
    view: OutlineView,
    /// The view that the outline was made for.
    outline_view: OutlineView,
    outline: Outline,
    heights: Vec<f32>,
    opened_json: OpenedJson,
    /// The selection seen last, and the row that shows it.
    selection: Option<JsonPointer>,
    selected_row: Option<usize>,
    /// A selection that was made here and is in sight already.
    own_selection: Option<JsonPointer>,
    scroll_to: Option<(usize, u8)>,
    /// Another document begins at its top.
    starts_at_top: bool,
}

impl FieldsColumn {
    /// Draws the column into all the room that `ui` has.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        entry: &AgentEntry,
        inspection: &Arc<Inspection>,
        actions: &mut Vec<Action>,
    ) {
        self.adopt(inspection);
        self.follow_selection(inspection, state.selection.as_ref());
        if self.view != self.outline_view {
            self.rebuild(inspection);
        }
        let record = entry.history.agent.and_then(|agent| state.kept.agent(agent));
        let muted = record.map(|record| &record.muted[..]).unwrap_or_default();
        let before = actions.len();
        let mut area = ScrollArea::vertical().id_salt("fields").auto_shrink(false).animated(false);
        if std::mem::take(&mut self.starts_at_top) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show_viewport(ui, |ui, viewport| {
            self.rows_ui(ui, viewport, (entry, muted), inspection, actions);
        });
        if let Some(Action::Select { pointer }) = actions[before..].last() {
            self.own_selection.clone_from(pointer);
        }
        if self.view != self.outline_view {
            ui.ctx().request_repaint();
        }
    }

    fn adopt(&mut self, inspection: &Arc<Inspection>) {
        if self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, inspection)) {
            return;
        }
        let closed = match self.shown {
            Some(_) => std::mem::take(&mut self.view.closed),
            None => HashSet::from([Group::Other]),
        };
        let view = OutlineView { closed, ..OutlineView::default() };
        *self = Self { shown: Some(Arc::clone(inspection)), view, starts_at_top: true, ..Self::default() };
        if inspection.skills.rows.len() == 1 {
            self.view.open_skills.insert(0);
        }
        self.rebuild(inspection);
    }

    fn rebuild(&mut self, inspection: &Inspection) {
        let known: HashMap<&ItemKind, f32> =
            self.outline.items.iter().map(|item| &item.kind).zip(self.heights.iter().copied()).collect();
        let outline = Outline::of(inspection, Some(&self.view));
        let height_of = |item: &Item| known.get(&item.kind).copied().unwrap_or(USUAL_HEIGHT);
        self.heights = outline.items.iter().map(height_of).collect();
        self.outline = outline;
        self.outline_view = self.view.clone();
        self.selected_row = self.selection.as_ref().and_then(|pointer| self.outline.row_of(pointer));
    }

    /// Finds the row of a new selection, opening what hides it if the selection was made elsewhere.
    fn follow_selection(&mut self, inspection: &Inspection, selection: Option<&JsonPointer>) {
        if self.selection.as_ref() == selection {
            return;
        }
        self.selection = selection.cloned();
        self.selected_row = None;
        let Some(pointer) = selection else { return };
        let is_own = self.own_selection.take().as_ref() == Some(pointer);
        if !is_own && self.is_covered(pointer) {
            self.uncover(inspection, pointer);
            self.rebuild(inspection);
        }
        self.selected_row = self.outline.row_of(pointer);
        self.scroll_to = self.selected_row.filter(|_| !is_own).map(|row| (row, SCROLL_FRAMES));
    }

    /// Whether the row that shows `pointer` is not among the rows: its group is closed, or its skill.
    fn is_covered(&self, pointer: &JsonPointer) -> bool {
        let item = self.outline.row_of(pointer).and_then(|row| self.outline.items.get(row));
        item.is_none_or(|item| match item.kind {
            ItemKind::Skill(at) => item.pointer.as_ref() != Some(pointer) && !self.view.open_skills.contains(&at),
            _ => false,
        })
    }

    fn uncover(&mut self, inspection: &Inspection, pointer: &JsonPointer) {
        let whole = Outline::of(inspection, None);
        let Some(row) = whole.row_of(pointer) else { return };
        let before = whole.items[..=row].iter().rev();
        let group =
            before.clone().find_map(|item| if let ItemKind::Heading(group) = item.kind { Some(group) } else { None });
        if let Some(group) = group {
            self.view.closed.remove(&group);
        }
        let skill = whole.items.get(row).filter(|_| group == Some(Group::Skills)).and_then(|_| {
            before.clone().find_map(|item| {
                if let ItemKind::Skill(at) = item.kind { Some((at, item.pointer.clone())) } else { None }
            })
        });
        if let Some((at, stands)) =
            skill.filter(|(_, stands)| stands.as_ref().is_some_and(|stands| stands.contains(pointer)))
        {
            let is_filtered_out = !self.outline.items.iter().any(|item| item.kind == ItemKind::Skill(at));
            if is_filtered_out {
                self.view.skill_query.clear();
                self.view.skill_tag = None;
            }
            if stands.as_ref() != Some(pointer) {
                self.view.open_skills.insert(at);
            }
        }
    }

    fn rows_ui(
        &mut self,
        ui: &mut Ui,
        viewport: Rect,
        (entry, muted): (&AgentEntry, &[JsonPointer]),
        inspection: &Arc<Inspection>,
        actions: &mut Vec<Action>,
    ) {
        let mut scene = Scene {
            inspection,
            entry,
            muted,
            outline: &self.outline,
            selected_row: self.selected_row,
            view: &mut self.view,
            opened_json: &mut self.opened_json,
            actions,
        };
        let all = ui.max_rect();
        let (left, right) = (all.left() + MARGIN, all.right() - MARGIN);
        let scrolls_to = self.scroll_to.map(|(row, _)| row);
        let draws_all = scene.outline.items.len() <= ALL_DRAWN;
        let (from, to) = (viewport.min.y - MORE_DRAWN, viewport.max.y + MORE_DRAWN);
        let mut y = 0.0;
        for (index, item) in scene.outline.items.iter().enumerate() {
            let is_near = y + self.heights[index] > from && y < to;
            // Headings are always there for whoever reads the window by its names.
            if draws_all || is_near || matches!(item.kind, ItemKind::Heading(_)) || scrolls_to == Some(index) {
                let max_rect = Rect::from_min_max(pos2(left, all.top() + y), pos2(right, f32::INFINITY));
                let builder = UiBuilder::new().id_salt(index).max_rect(max_rect);
                let drawn = ui.scope_builder(builder, |ui| item_ui(ui, &mut scene, index, item)).response.rect;
                self.heights[index] = drawn.height();
                if scrolls_to == Some(index) {
                    ui.scroll_to_rect(drawn, None);
                }
            }
            y += self.heights[index];
        }
        let bottom = all.top() + y + MARGIN;
        ui.expand_to_include_rect(Rect::from_min_max(all.min, pos2(all.right(), bottom)));
        self.scroll_to = self.scroll_to.and_then(|(row, frames)| Some((row, frames.checked_sub(1)?)));
        if self.scroll_to.is_some() {
            ui.ctx().request_repaint();
        }
    }
}

fn item_ui(ui: &mut Ui, scene: &mut Scene<'_>, index: usize, item: &Item) {
    let pointer = item.pointer.as_ref();
    match &item.kind {
        ItemKind::Heading(group) => heading_ui(ui, scene, *group),
        ItemKind::Note(group, at) => {
            if let Some(note) = group.notes(scene.inspection).get(*at) {
                note_ui(ui, note);
            }
        }
        ItemKind::Nothing(group) => note_ui(ui, &Note::new(Tone::Plain, group.nothing())),
        ItemKind::Field(place) => field_ui(ui, scene, index, place, pointer),
        ItemKind::InterfacesHead => interfaces_head_ui(ui, scene),
        ItemKind::Interface(at) => interface_ui(ui, scene, index, *at, pointer),
        ItemKind::Capability(at) => capability_ui(ui, scene, index, *at, pointer),
        ItemKind::Extension(at) => extension_ui(ui, scene, index, *at, pointer),
        ItemKind::SkillFilter => skill_filter_ui(ui, scene),
        ItemKind::Skill(at) => skill_ui(ui, scene, index, *at, pointer),
        ItemKind::Requirements => requirements_ui(ui, scene, index, pointer),
        ItemKind::Scheme(at) => scheme_ui(ui, scene, index, *at, pointer),
        ItemKind::Signature(at) => signature_ui(ui, scene, index, *at, pointer),
        ItemKind::FindingFilter => finding_filter_ui(ui, scene),
        ItemKind::Finding(at) => finding_ui(ui, scene, index, *at, pointer),
        ItemKind::RetrievalVerdict => retrieval_verdict_ui(ui, scene),
        ItemKind::Attempts => retrieval_attempts_ui(ui, scene),
        ItemKind::RetrievalFacts => retrieval_facts_ui(ui, scene),
        ItemKind::Headers => headers_ui(ui, scene),
    }
}

fn note_ui(ui: &mut Ui, note: &Note) {
    RowUi::plain().note(ui, note);
    ui.add_space(3.0);
}
