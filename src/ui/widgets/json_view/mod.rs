//! A JSON text of any size: lines with numbers, folding, search, and a selection shared with the fields beside it.

mod content;
mod keyboard;
mod layout;
pub(in crate::ui) mod lines;
mod pointer_input;
pub(in crate::ui) mod scroll;
pub(in crate::ui) mod search;
pub(in crate::ui) mod shown_line;
mod text_area;
mod toolbar;

use bytestring::ByteString;
use egui::{Id, Ui};

use self::layout::Layout;
use self::search::Search;
use crate::card::JsonPointer;
use crate::card::json::NodeId;
use crate::card::json_text::JsonText;
use crate::state::Action;

pub use content::{JsonContent, JsonSource};

/// What the user did in the view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonViewOutput {
    /// A value was picked.
    pub selected: Option<JsonPointer>,
    /// Something was copied: what, in two words.
    pub copied: Option<&'static str>,
}

/// The view's own state: layout, folds, search, scroll positions. The text itself is handed in each frame.
#[derive(Debug, Default)]
pub struct JsonView {
    /// The text shown; another one starts anew.
    shown: Option<ByteString>,
    as_received: bool,
    pretty: Layout,
    received: Layout,
    query: String,
    search: Search,
    focus_search: bool,
    selection: Selection,
    without_toolbar: bool,
    /// The selection of a view that stands alone.
    own_selection: Option<JsonPointer>,
}

/// The selected value, found again in the tree only when it changes.
#[derive(Debug, Default)]
struct Selection {
    pointer: Option<JsonPointer>,
    /// The value, or the nearest one around it that exists.
    node: Option<NodeId>,
    /// It has to be scrolled to.
    reveal: bool,
}

impl JsonView {
    /// A view of the text alone, without search and switches.
    #[must_use]
    pub fn without_toolbar() -> Self {
        Self { without_toolbar: true, ..Self::default() }
    }

    /// Puts the keyboard into the search field in the next frame.
    pub fn focus_search(&mut self) {
        self.focus_search = true;
    }

    /// Draws the view into all the room that `ui` has; `selection` is scrolled to when it comes from elsewhere.
    pub fn ui(&mut self, ui: &mut Ui, source: &JsonSource<'_>, selection: Option<&JsonPointer>) -> JsonViewOutput {
        self.ui_with(ui, source, selection, |_| {})
    }

    /// The same with something more at the far end of its toolbar.
    pub fn ui_with(
        &mut self,
        ui: &mut Ui,
        source: &JsonSource<'_>,
        selection: Option<&JsonPointer>,
        toolbar_end: impl FnOnce(&mut Ui),
    ) -> JsonViewOutput {
        let mut output = JsonViewOutput::default();
        self.adopt(source);
        self.follow_selection(source, selection);
        if !self.without_toolbar {
            self.toolbar_ui(ui, source, toolbar_end);
        }
        self.advance_search(ui, source);
        let id = Id::unique((ui.scope_id(), "json text"));
        self.text_ui(ui, id, source, &mut output);
        output
    }

    /// Draws a view whose selection concerns nothing else.
    pub fn standalone_ui(&mut self, ui: &mut Ui, content: &JsonContent, actions: &mut Vec<Action>) {
        let selection = self.own_selection.clone();
        let output = self.ui(ui, &content.source(), selection.as_ref());
        if let Some(selected) = output.selected {
            self.own_selection = Some(selected);
        }
        if let Some(what) = output.copied {
            actions.push(Action::Copied { what: what.to_owned() });
        }
    }

    fn adopt(&mut self, source: &JsonSource<'_>) {
        let text = source.received.text();
        if self.shown.as_ref().is_some_and(|shown| is_same(shown, text)) {
            return;
        }
        self.shown = Some(text.clone());
        self.pretty = source.pretty.map(|pretty| Layout::new(pretty, source.tree, true)).unwrap_or_default();
        self.received = Layout::new(source.received, source.tree, false);
        self.selection = Selection::default();
        self.search.begin(&self.query);
    }

    fn shows_received(&self, source: &JsonSource<'_>) -> bool {
        self.as_received || source.pretty.is_none()
    }

    fn text<'a>(&self, source: &JsonSource<'a>) -> &'a JsonText {
        match source.pretty {
            Some(pretty) if !self.as_received => pretty,
            _ => source.received,
        }
    }

    fn layout(&mut self, source: &JsonSource<'_>) -> &mut Layout {
        if self.shows_received(source) { &mut self.received } else { &mut self.pretty }
    }

    fn follow_selection(&mut self, source: &JsonSource<'_>, selection: Option<&JsonPointer>) {
        if self.selection.pointer.as_ref() == selection {
            return;
        }
        let mut around = selection.cloned();
        let mut node = None;
        while let Some((tree, pointer)) = source.tree.zip(around) {
            node = tree.resolve(&pointer).map(|node| node.id());
            around = if node.is_none() { pointer.parent() } else { None };
        }
        // The whole document is no place to look at.
        let node = node.filter(|&node| node.0 != 0);
        self.selection = Selection { pointer: selection.cloned(), node, reveal: node.is_some() };
    }

    /// Takes over a value picked here, which is on screen already.
    fn pick(&mut self, source: &JsonSource<'_>, node: NodeId, output: &mut JsonViewOutput) {
        let Some(tree) = source.tree else { return };
        let pointer = tree.node(node).pointer();
        self.selection =
            Selection { pointer: Some(pointer.clone()), node: (node.0 != 0).then_some(node), reveal: false };
        output.selected = Some(pointer);
    }
}

/// Whether both are one text in memory, which takes no look at its megabytes.
fn is_same(one: &ByteString, other: &ByteString) -> bool {
    std::ptr::eq(one.as_ptr(), other.as_ptr()) && one.len() == other.len()
}
