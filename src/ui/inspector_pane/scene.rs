//! What every row needs to be drawn, and what drawing it may ask for.

use std::collections::HashMap;

use super::outline::{Outline, OutlineView};
use crate::card::JsonPointer;
use crate::card::facts::Inspection;
use crate::state::{Action, AgentEntry};
use crate::ui::widgets::json_view::{JsonContent, JsonView};

/// The inspection being drawn, and where wishes go.
pub struct Scene<'a> {
    pub inspection: &'a Inspection,
    pub entry: &'a AgentEntry,
    /// Members of the agent's card whose changes do not count.
    pub muted: &'a [JsonPointer],
    pub outline: &'a Outline,
    /// The row that shows the selection.
    pub selected_row: Option<usize>,
    pub view: &'a mut OutlineView,
    pub opened_json: &'a mut OpenedJson,
    pub actions: &'a mut Vec<Action>,
}

/// JSON values opened within a row, by where they stand; made once when opened.
#[derive(Debug, Default)]
pub struct OpenedJson {
    views: HashMap<JsonPointer, (JsonContent, JsonView)>,
}

impl OpenedJson {
    pub fn is_open(&self, pointer: &JsonPointer) -> bool {
        self.views.contains_key(pointer)
    }

    pub fn open(&mut self, pointer: &JsonPointer, json: &str) {
        let content = JsonContent::new(json.to_owned());
        self.views.insert(pointer.clone(), (content, JsonView::without_toolbar()));
    }

    pub fn close(&mut self, pointer: &JsonPointer) {
        self.views.remove(pointer);
    }

    pub fn get(&mut self, pointer: &JsonPointer) -> Option<&mut (JsonContent, JsonView)> {
        self.views.get_mut(pointer)
    }
}

impl Scene<'_> {
    pub fn select(&mut self, pointer: &JsonPointer) {
        self.actions.push(Action::Select { pointer: Some(pointer.clone()) });
    }

    pub fn copied(&mut self, what: &str) {
        self.actions.push(Action::Copied { what: what.to_owned() });
    }
}
