//! The inspector's rows in order, as places in an inspection: what is drawn, and which pointer each row stands for.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::group::Group;
use crate::card::JsonPointer;
use crate::card::facts::{Field, Inspection, Shape, Skill};
use crate::card::lint::{Finding, Severity};

/// A row of the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    /// The member it stands for; of an absent one, where it would stand.
    pub pointer: Option<JsonPointer>,
}

/// What a row shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    Heading(Group),
    /// The n-th remark on the whole group.
    Note(Group, usize),
    /// A group that has nothing to show.
    Nothing(Group),
    Field(FieldPlace),
    InterfacesHead,
    Interface(usize),
    Capability(usize),
    Extension(usize),
    SkillFilter,
    Skill(usize),
    Requirements,
    Scheme(usize),
    Signature(usize),
    FindingFilter,
    Finding(usize),
    RetrievalVerdict,
    Attempts,
    RetrievalFacts,
    Headers,
}

/// Which list of fields a field is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldList {
    Identity,
    InterfaceOther(usize),
    CapabilitiesOther,
    ExtensionOther(usize),
    DefaultModes,
    SkillOther(usize),
    Scheme(usize),
    Signature(usize),
    Other,
}

/// A field by its list and the way down from there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldPlace {
    pub list: FieldList,
    pub path: Vec<usize>,
}

impl FieldList {
    pub fn of(self, inspection: &Inspection) -> &[Field] {
        let fields = match self {
            Self::Identity => Some(&inspection.identity),
            Self::InterfaceOther(at) => inspection.interfaces.rows.get(at).map(|row| &row.other_fields),
            Self::CapabilitiesOther => Some(&inspection.capabilities.other_fields),
            Self::ExtensionOther(at) => inspection.capabilities.extensions.get(at).map(|row| &row.other_fields),
            Self::DefaultModes => Some(&inspection.skills.default_modes),
            Self::SkillOther(at) => inspection.skills.rows.get(at).map(|row| &row.other_fields),
            Self::Scheme(at) => inspection.access.schemes.get(at).map(|row| &row.details),
            Self::Signature(at) => inspection.signatures.rows.get(at).map(|row| &row.fields),
            Self::Other => Some(&inspection.other_fields),
        };
        fields.map_or(&[], Vec::as_slice)
    }
}

impl FieldList {
    /// How far its fields stand in from the edge: those of a row stand under the row.
    pub fn indent(self) -> f32 {
        match self {
            Self::Identity | Self::DefaultModes | Self::CapabilitiesOther | Self::Other => 0.0,
            _ => 12.0,
        }
    }
}

impl FieldPlace {
    /// Whether the field's members stand in its own row: few, plain, and known by their order.
    pub fn is_compact(&self, field: &Field) -> bool {
        let is_plain = |member: &Field| {
            use crate::card::facts::FieldValue::{Absent, Address, Literal, Text};
            member.children.is_empty()
                && !member.help.is_empty()
                && matches!(member.value, Absent | Address(_) | Literal(_) | Text(_))
        };
        self.list == FieldList::Identity
            && (1..=3).contains(&field.children.len())
            && field.children.iter().all(is_plain)
    }

    pub fn of<'a>(&self, inspection: &'a Inspection) -> Option<&'a Field> {
        let mut fields = self.list.of(inspection);
        let mut found = None;
        for &step in &self.path {
            let field = fields.get(step)?;
            found = Some(field);
            fields = &field.children;
        }
        found
    }
}

/// What the reader opened, closed and filtered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutlineView {
    pub closed: HashSet<Group>,
    pub open_skills: HashSet<usize>,
    /// Matched in id, name, description, tags and examples, in any case.
    pub skill_query: String,
    pub skill_tag: Option<String>,
    /// Only findings of this severity.
    pub severity: Option<Severity>,
}

/// All rows of an inspection as the reader wants to see them.
#[derive(Debug, Default)]
pub struct Outline {
    pub items: Vec<Item>,
    /// For each row with findings the indices of those.
    pub findings: BTreeMap<usize, Vec<usize>>,
    /// How many skills pass the filter.
    pub skills_shown: usize,
    /// For each pointer the first row that stands for it.
    rows: HashMap<JsonPointer, usize>,
}

impl Outline {
    /// Lists the rows; everything is open and nothing filtered if `view` is `None`.
    pub fn of(inspection: &Inspection, view: Option<&OutlineView>) -> Self {
        let mut builder = Builder { inspection, view, items: Vec::new(), skills_shown: 0 };
        for group in Group::order(inspection.shape) {
            builder.group(group);
        }
        let mut outline = Self { items: builder.items, skills_shown: builder.skills_shown, ..Self::default() };
        outline.place_rows();
        outline.place_findings(inspection);
        outline
    }

    /// The row that stands for `pointer`, or for the innermost thing around it.
    pub fn row_of(&self, pointer: &JsonPointer) -> Option<usize> {
        let mut around = Some(pointer.clone()).filter(|pointer| !pointer.is_root());
        while let Some(pointer) = around {
            if let Some(&row) = self.rows.get(&pointer) {
                return Some(row);
            }
            around = pointer.parent().filter(|parent| !parent.is_root());
        }
        None
    }

    fn place_rows(&mut self) {
        for (row, item) in self.items.iter().enumerate() {
            if let Some(pointer) = item.pointer.as_ref().filter(|_| !matches!(item.kind, ItemKind::Finding(_))) {
                // Of two rows for the same member the first is the one that shows it.
                self.rows.entry(pointer.clone()).or_insert(row);
            }
        }
    }

    fn place_findings(&mut self, inspection: &Inspection) {
        for (index, finding) in inspection.findings.iter().enumerate() {
            if let Some(row) = self.row_of(&finding.pointer) {
                self.findings.entry(row).or_default().push(index);
            }
        }
    }
}

struct Builder<'a> {
    inspection: &'a Inspection,
    view: Option<&'a OutlineView>,
    items: Vec<Item>,
    skills_shown: usize,
}

impl Builder<'_> {
    fn push(&mut self, kind: ItemKind, pointer: Option<JsonPointer>) {
        self.items.push(Item { kind, pointer });
    }

    fn group(&mut self, group: Group) {
        self.push(ItemKind::Heading(group), None);
        if self.view.is_some_and(|view| view.closed.contains(&group)) {
            return;
        }
        let before = self.items.len();
        match group {
            Group::Identity => self.fields(FieldList::Identity, &JsonPointer::root()),
            Group::Interfaces => self.interfaces(),
            Group::Capabilities => self.capabilities(),
            Group::Skills => self.skills(),
            Group::Access => self.access(),
            Group::Signatures => self.signatures(),
            Group::Other => self.fields(FieldList::Other, &JsonPointer::root()),
            Group::Findings => self.findings(),
            Group::Retrieval => {
                for kind in
                    [ItemKind::RetrievalVerdict, ItemKind::Attempts, ItemKind::RetrievalFacts, ItemKind::Headers]
                {
                    self.push(kind, None);
                }
            }
        }
        for note in 0..group.notes(self.inspection).len() {
            self.push(ItemKind::Note(group, note), None);
        }
        if self.items.len() == before {
            self.push(ItemKind::Nothing(group), None);
        }
    }

    /// All fields of a list with their children, in order.
    fn fields(&mut self, list: FieldList, around: &JsonPointer) {
        self.fields_in(list, list.of(self.inspection), around, &mut Vec::new());
    }

    fn fields_in(&mut self, list: FieldList, fields: &[Field], around: &JsonPointer, path: &mut Vec<usize>) {
        for (at, field) in fields.iter().enumerate() {
            path.push(at);
            let pointer = field.pointer.clone().unwrap_or_else(|| around.child(&field.name));
            let place = FieldPlace { list, path: path.clone() };
            let is_compact = place.is_compact(field);
            self.push(ItemKind::Field(place), Some(pointer.clone()));
            if !is_compact {
                self.fields_in(list, &field.children, &pointer, path);
            }
            path.pop();
        }
    }

    fn interfaces(&mut self) {
        let rows = &self.inspection.interfaces.rows;
        if !rows.is_empty() {
            self.push(ItemKind::InterfacesHead, None);
        }
        for (at, row) in rows.iter().enumerate() {
            self.push(ItemKind::Interface(at), Some(row.pointer.clone()));
            self.fields(FieldList::InterfaceOther(at), &row.pointer);
        }
    }

    fn capabilities(&mut self) {
        let capabilities = JsonPointer::root().child("capabilities");
        for (at, row) in self.inspection.capabilities.rows.iter().enumerate() {
            let pointer = row.pointer.clone().unwrap_or_else(|| capabilities.child(row.name));
            self.push(ItemKind::Capability(at), Some(pointer));
        }
        for (at, row) in self.inspection.capabilities.extensions.iter().enumerate() {
            self.push(ItemKind::Extension(at), Some(row.pointer.clone()));
            self.fields(FieldList::ExtensionOther(at), &row.pointer);
        }
        self.fields(FieldList::CapabilitiesOther, &capabilities);
    }

    fn skills(&mut self) {
        self.fields(FieldList::DefaultModes, &JsonPointer::root());
        let rows = &self.inspection.skills.rows;
        if rows.len() > super::skills_ui::FILTER_FROM {
            self.push(ItemKind::SkillFilter, None);
        }
        let filter = SkillFilter::of(self.view);
        for (at, row) in rows.iter().enumerate() {
            if !filter.passes(row) {
                continue;
            }
            self.skills_shown += 1;
            self.push(ItemKind::Skill(at), Some(row.pointer.clone()));
            if self.view.is_none_or(|view| view.open_skills.contains(&at)) {
                self.fields(FieldList::SkillOther(at), &row.pointer);
            }
        }
    }

    fn access(&mut self) {
        let access = &self.inspection.access;
        if !access.summary.is_empty() || !access.requirements.alternatives.is_empty() {
            self.push(ItemKind::Requirements, access.requirements.pointer.clone());
        }
        for (at, scheme) in access.schemes.iter().enumerate() {
            self.push(ItemKind::Scheme(at), Some(scheme.pointer.clone()));
            self.fields(FieldList::Scheme(at), &scheme.pointer);
        }
    }

    fn signatures(&mut self) {
        let rows = &self.inspection.signatures.rows;
        for (at, row) in rows.iter().enumerate() {
            self.push(ItemKind::Signature(at), Some(row.pointer.clone()));
            self.fields(FieldList::Signature(at), &row.pointer);
        }
    }

    fn findings(&mut self) {
        let findings = &self.inspection.findings;
        if findings.len() > super::findings_ui::FILTER_FROM {
            self.push(ItemKind::FindingFilter, None);
        }
        let wanted = self.view.and_then(|view| view.severity);
        for (at, finding) in findings.iter().enumerate() {
            if wanted.is_none_or(|wanted| wanted == finding.severity) {
                self.push(ItemKind::Finding(at), Some(finding.pointer.clone()));
            }
        }
    }
}

/// The reader's filter over skills, its query in lower case once.
struct SkillFilter<'a> {
    query: String,
    tag: Option<&'a str>,
}

impl<'a> SkillFilter<'a> {
    fn of(view: Option<&'a OutlineView>) -> Self {
        let query = view.map_or_else(String::new, |view| view.skill_query.trim().to_lowercase());
        Self { query, tag: view.and_then(|view| view.skill_tag.as_deref()) }
    }

    fn passes(&self, skill: &Skill) -> bool {
        let has = |text: &String| text.to_lowercase().contains(&self.query);
        let by_query = self.query.is_empty()
            || [&skill.id, &skill.name, &skill.description]
                .into_iter()
                .chain(&skill.tags)
                .chain(&skill.examples)
                .any(has);
        by_query && self.tag.is_none_or(|tag| skill.tags.iter().any(|own| own == tag))
    }
}

/// Whether a finding is worse than another thing said about the same row.
pub fn worst<'a>(inspection: &'a Inspection, findings: &[usize]) -> Option<&'a Finding> {
    findings.iter().filter_map(|&index| inspection.findings.get(index)).max_by_key(|finding| finding.severity)
}

/// A document that is no card is explained by what came and how before anything else.
pub fn is_explained_first(shape: Shape) -> bool {
    shape == Shape::NotACard
}
