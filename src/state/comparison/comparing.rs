//! What the user does in the Compare view, and what comes back: pairs, reading, comparing, selecting.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::{
    Age, Compared, ComparedDocument, ComparisonResult, Content, DocumentId, ExportFormat, LoadState, Pair, SideRef,
    SideSource,
};
use crate::card::facts::{Inspection, Tone};
use crate::state::discovery::EntryId;
use crate::state::{ComparisonAction, Effect, FilePurpose, JobId, Notice, State, View};

/// Results kept for the way back.
const MAX_KEPT: usize = 6;

impl State {
    pub(in crate::state) fn apply_comparison(&mut self, action: ComparisonAction) -> Vec<Effect> {
        match action {
            ComparisonAction::Choose { age, side } => self.choose_side(age, side),
            ComparisonAction::Swap => self.swap_sides(),
            ComparisonAction::PickFile { age } => return vec![Effect::PickFile { purpose: FilePurpose::Compare(age) }],
            ComparisonAction::OpenFile { age, path } => self.compare_file(age, path),
            ComparisonAction::OpenBytes { age, name, bytes } => self.compare_bytes(age, name, bytes),
            ComparisonAction::Cancel => return self.cancel_comparison(),
            ComparisonAction::Again => self.compare_again(),
            ComparisonAction::SelectChange { change } => self.select_change(change),
            ComparisonAction::Export { format } => return self.export_comparison(format),
        }
        Vec::new()
    }

    /// Opens the comparison of two sides under the current entry.
    pub(in crate::state) fn compare(&mut self, older: SideRef, newer: SideRef) {
        let Some(entry) = self.discovery.current else { return };
        self.view = View::Compare;
        self.comparison.pairs.insert(entry, Pair { older: Some(older), newer: Some(newer) });
        self.remember_pair(entry);
    }

    pub(in crate::state) fn compare_with_previous(&mut self, entry: EntryId) -> Vec<Effect> {
        let effects = self.select_agent(entry);
        match self.previous_of(entry) {
            Some(older) => self.compare(older, SideRef::Entry(entry)),
            None => self.notify(
                Notice::new(
                    Tone::Plain,
                    "There is no earlier version yet",
                    "This card has been the same since it was opened.",
                )
                .with_hint("Once it changes, fetch it again: the card shown before is then the previous one."),
            ),
        }
        effects
    }

    fn choose_side(&mut self, age: Age, side: SideRef) {
        let Some(entry) = self.discovery.current else { return };
        // Whoever picks what failed before wants another try.
        self.comparison.loads.retain(|of, load| *of != side || !matches!(load.state, LoadState::Failed(_)));
        self.comparison.pairs.entry(entry).or_default().set(age, side);
        self.remember_pair(entry);
    }

    fn swap_sides(&mut self) {
        let Some(entry) = self.discovery.current else { return };
        let pair = self.comparison.pairs.entry(entry).or_default();
        std::mem::swap(&mut pair.older, &mut pair.newer);
        self.remember_pair(entry);
    }

    pub(in crate::state) fn compare_file(&mut self, age: Age, path: PathBuf) {
        let id = self.file_to_compare(path);
        // It may say something else by now.
        self.comparison.loads.remove(&SideRef::Document(id));
        self.choose_side(age, SideRef::Document(id));
    }

    fn compare_bytes(&mut self, age: Age, name: String, bytes: Bytes) {
        let id = DocumentId(self.next_id());
        let content = Content::ToRead(SideSource::Bytes { name: name.clone(), bytes });
        let document = ComparedDocument { id, entry: None, version: None, name, at: SystemTime::now(), content };
        self.comparison.documents.push(document);
        self.choose_side(age, SideRef::Document(id));
    }

    fn compare_again(&mut self) {
        self.comparison.loads.retain(|_, load| !matches!(load.state, LoadState::Failed(_)));
        self.comparison.of = None;
    }

    fn cancel_comparison(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for load in self.comparison.loads.values_mut() {
            if let LoadState::Pending(job) = load.state {
                load.state = LoadState::Failed("Reading it was cancelled.".to_owned());
                effects.push(Effect::Abort { job });
            }
        }
        if let ComparisonResult::Pending { job, .. } = self.comparison.result {
            self.comparison.result = ComparisonResult::Cancelled;
            effects.push(Effect::Abort { job });
        }
        effects
    }

    /// The selection is shared with Inspect where one of the sides is the document that is shown there.
    fn select_change(&mut self, change: Option<usize>) {
        let Some(compared) = self.comparison.ready().map(Arc::clone) else { return };
        let change = change.filter(|&index| index < compared.diff.changes.len());
        self.comparison.selected = change;
        let Some(change) = change.map(|index| &compared.diff.changes[index]) else { return };
        let shown = self.discovery.current_entry().and_then(|entry| entry.inspection.as_ref());
        let Some(shown) = shown.map(|inspection| inspection.document.sha256()) else { return };
        let of_shown = [Age::Newer, Age::Older].into_iter().find(|&age| compared.side(age).document.sha256() == shown);
        if let Some(pointer) = of_shown.and_then(|age| compared.pointer_of(change, age)) {
            self.selection = Some(pointer.clone());
        }
    }

    fn export_comparison(&mut self, format: ExportFormat) -> Vec<Effect> {
        let compared = self.comparison.ready().map(Arc::clone);
        compared.map(|compared| Effect::ExportComparison { compared, format }).into_iter().collect()
    }

    /// Makes what is compared follow from what is chosen: reads sides, drops what is no longer wanted, starts anew.
    pub(in crate::state) fn settle_comparison(&mut self) -> Vec<Effect> {
        let Some(entry) = self.discovery.current.filter(|_| self.view == View::Compare) else { return Vec::new() };
        let pair = self.completed_pair(entry);
        let mut effects = Vec::new();
        let older = pair.older.and_then(|side| self.obtain(side, &mut effects));
        let newer = pair.newer.and_then(|side| self.obtain(side, &mut effects));
        let wanted = older.zip(newer);
        let is_same = match (&wanted, &self.comparison.of) {
            (Some((older, newer)), Some(before)) => Arc::ptr_eq(older, &before.0) && Arc::ptr_eq(newer, &before.1),
            (None, None) => true,
            _ => false,
        };
        if is_same {
            return effects;
        }
        if let ComparisonResult::Pending { job, .. } = self.comparison.result {
            effects.push(Effect::Abort { job });
        }
        self.comparison.of.clone_from(&wanted);
        self.comparison.selected = None;
        self.comparison.result = match wanted {
            None => ComparisonResult::Nothing,
            Some((older, newer)) => self.begin_comparing(older, newer, &mut effects),
        };
        effects
    }

    fn begin_comparing(
        &mut self,
        older: Arc<Inspection>,
        newer: Arc<Inspection>,
        effects: &mut Vec<Effect>,
    ) -> ComparisonResult {
        let is_it = |compared: &&Arc<Compared>| {
            let digests =
                |inspection: &Inspection, other: &Inspection| inspection.document.sha256() == other.document.sha256();
            digests(&compared.older, &older) && digests(&compared.newer, &newer)
        };
        if let Some(compared) = self.comparison.kept.iter().find(is_it) {
            return ComparisonResult::Ready(Arc::clone(compared));
        }
        let job = self.next_job();
        effects.push(Effect::Compare { job, older, newer });
        ComparisonResult::Pending { job, since: SystemTime::now() }
    }

    /// A pair that was never chosen begins with what is shown as the newer side, and what was shown before it.
    fn completed_pair(&mut self, entry: EntryId) -> Pair {
        let previous = self.previous_of(entry);
        if !self.comparison.pairs.contains_key(&entry) {
            let pair = self.restored_pair(entry).unwrap_or_else(|| Pair::of_shown(entry));
            self.comparison.pairs.insert(entry, pair);
        }
        let pair = self.comparison.pairs.entry(entry).or_default();
        if pair.older.is_none() && pair.newer == Some(SideRef::Entry(entry)) {
            pair.older = previous;
        }
        *pair
    }

    pub(in crate::state) fn side_loaded(&mut self, job: JobId, result: Result<Arc<Inspection>, String>) {
        let waiting = |state: &LoadState| matches!(state, LoadState::Pending(current) if *current == job);
        if let Some((&side, load)) = self.comparison.loads.iter_mut().find(|(_, load)| waiting(&load.state)) {
            load.state = result.map_or_else(LoadState::Failed, LoadState::Ready);
            self.check_restored(side);
        }
    }

    pub(in crate::state) fn compared(&mut self, job: JobId, compared: Arc<Compared>) {
        if !matches!(self.comparison.result, ComparisonResult::Pending { job: current, .. } if current == job) {
            return;
        }
        self.comparison.kept.push(Arc::clone(&compared));
        if self.comparison.kept.len() > MAX_KEPT {
            self.comparison.kept.remove(0);
        }
        self.comparison.result = ComparisonResult::Ready(compared);
    }

    pub(in crate::state) fn comparison_broke(&mut self, job: JobId, problem: &str) {
        self.side_loaded(job, Err(problem.to_owned()));
        if matches!(self.comparison.result, ComparisonResult::Pending { job: current, .. } if current == job) {
            self.comparison.result = ComparisonResult::Failed(problem.to_owned());
        }
    }
}
