//! Starts, changes and ends the comparison of the open document with another one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::compare::counterpart::{self, CompareView};
use crate::compare::time_map::TimeMap;
use crate::compare::{Comparison, pairing, text};
use crate::ui::context::app_status::Failure;
use crate::ui::context::comparison::{CompareChoices, OtherAnimation, OtherKind};
use crate::ui::context::window_state::RevealedSection;

use crate::app::documents::load_job::{LoadReason, Source};
use crate::app::window::dialogs;
use crate::app::worker_events::MeasuredComparison;
use crate::app::workers::files::load::LoadRequest;

use super::open_comparison::{CompareKey, NextComparison, OpenComparison, OtherDocument};

/// A new comparison opens the inspector only if the picture, with both halves, is at least this wide, in points.
const MIN_WIDTH_FOR_INSPECTOR: f32 = 400.0;

impl App {
    /// Shows the dialog for the file to compare with. The answer comes as an event.
    pub(crate) fn show_compare_dialog(&self) {
        if let Some(window) = &self.window {
            dialogs::compare(&window.handle, self.settings.current.open_folder.as_deref(), self.proxy.clone());
        }
    }

    /// Compares the open document with its version before the last reload.
    pub(crate) fn compare_previous_version(&mut self) {
        // The version stays, so that it can be compared again after the comparison has ended.
        if let Some(version) = self.previous_version.clone() {
            let choices = self.new_choices(OtherAnimation::Counterpart);
            self.start_comparison(OtherKind::PreviousVersion, version, choices, None);
        }
    }

    /// Compares the current animation with another one of the open file.
    pub(crate) fn compare_animation(&mut self, animation: usize) {
        let Some(open) = &self.open else { return };
        let other = OtherDocument::in_memory(open);
        self.start_comparison(OtherKind::SameFile, other, self.new_choices(OtherAnimation::Chosen(animation)), None);
    }

    /// The choices for a new comparison, which keeps the layout of the previous one.
    pub(super) fn new_choices(&self, animation: OtherAnimation) -> CompareChoices {
        let layout = self.comparison.as_ref().map(|comparison| comparison.status.choices.layout).unwrap_or_default();
        CompareChoices { layout, animation, ..CompareChoices::default() }
    }

    /// Starts a comparison. `found` is its result, if it was measured already. A load for another comparison is canceled.
    pub(super) fn start_comparison(
        &mut self,
        kind: OtherKind,
        other: OtherDocument,
        choices: CompareChoices,
        found: Option<(CompareKey, Arc<Comparison>)>,
    ) {
        self.cancel_other();
        let Some(open) = &self.open else { return };
        let name = &open.document.name;
        let paths = open.document.path.as_ref().zip(other.document.path.as_ref()).filter(|_| *name == other.document.name);
        let side_names = match (kind, paths) {
            (OtherKind::File, Some((a, b))) => text::path_names([a, b]),
            (OtherKind::File, None) => [name.clone(), other.document.name.clone()],
            (OtherKind::PreviousVersion, _) => [name.clone(), format!("{name} before")],
            // These are the names of the animations, and are updated in each frame.
            (OtherKind::SameFile, _) => Default::default(),
        };
        let mut comparison = OpenComparison::new(kind, side_names, choices, other);
        comparison.found = found;
        self.comparison = Some(comparison);
        // Open the inspector, which shows the numbers of the comparison, and scroll it to them.
        self.ui.window.revealed_section = Some(RevealedSection::Comparison);
        if self.ui.status.statistics.picture[0] >= MIN_WIDTH_FOR_INSPECTOR {
            self.ui.window.show_inspector(&mut self.ui.preferences, true);
        }
        self.request_frame();
    }

    /// The animation that B plays. `None` without a comparison.
    pub(crate) fn compared_animation(&self) -> Option<usize> {
        let (open, status) = (self.open.as_ref()?, &self.comparison.as_ref()?.status);
        status.other_animation(&open.document.model, &self.view)
    }

    /// The map from times of A to times of B. `None` without a comparison.
    pub(crate) fn compared_time_map(&self) -> Option<TimeMap> {
        let (open, status) = (self.open.as_ref()?, &self.comparison.as_ref()?.status);
        Some(status.time_map(&open.document.model, &self.view))
    }

    /// The choices after A and B are swapped. `None` without a comparison.
    fn swapped_choices(&self) -> Option<CompareChoices> {
        let (open, status) = (self.open.as_ref()?, &self.comparison.as_ref()?.status);
        let CompareChoices { layout, animation, timing } = status.choices;
        let animation = match (animation, self.view.animation) {
            (OtherAnimation::Chosen(_), Some(played)) => OtherAnimation::Chosen(played),
            _ => OtherAnimation::Counterpart,
        };
        let durations = status.durations(&open.document.model, &self.view);
        Some(CompareChoices { layout, animation, timing: timing.swapped(durations) })
    }

    /// Swaps A and B: opens the other file, and compares it with the file that was open. View and choices stay, and both models keep their
    /// poses: A continues at the time that B had.
    pub(crate) fn swap_compared(&mut self) {
        let (Some(choices), Some(time_map)) = (self.swapped_choices(), self.compared_time_map()) else { return };
        let (Some(comparison), Some(open)) = (&self.comparison, &self.open) else { return };
        match (comparison.status.kind, comparison.other.file(), &open.source) {
            (OtherKind::File, Some(other), source @ Source::File { .. }) => {
                let request = LoadRequest { reason: LoadReason::Swapped, ..LoadRequest::open(other.clone(), None) };
                self.start_open(request, Some(NextComparison { source: source.clone(), choices }));
            }
            (OtherKind::SameFile, ..) => {
                let Some(other) = self.compared_animation() else { return };
                let same_file = OtherDocument::in_memory(open);
                self.view.animation = Some(other);
                self.view.range = counterpart::range(self.view.range, &time_map);
                let moment = counterpart::moment(&self.transport.moment(), &time_map);
                self.transport.jump(&open.document.model, &self.view, &moment);
                self.start_comparison(OtherKind::SameFile, same_file, choices, None);
            }
            _ => self.show_message("The sample model and earlier versions cannot be swapped".into()),
        }
    }

    /// Ends the comparison. The open document stays as it is.
    pub(crate) fn stop_comparing(&mut self) {
        self.workers.comparison.stop();
        self.workers.difference.stop();
        (self.comparison, self.compare_next) = (None, None);
    }

    /// Starts the comparison again with the same choices, because B was on a lost device. An earlier version of the open file is not
    /// compared again.
    pub(crate) fn restart_comparison(&mut self) {
        let next = self.compare_next.take();
        // A file that is being loaded replaces B.
        let loading = self.workers.comparison.loading().filter(|loading| !loading.reason.is_automatic());
        let loading = loading.map(|loading| (OtherKind::File, Some(loading.source.clone()), loading.choices));
        let current = |OpenComparison { status, other, .. }: &OpenComparison| (status.kind, other.file().cloned(), status.choices);
        let current = self.comparison.as_ref().map(current);
        self.stop_comparing();
        self.compare_next = next;
        match (loading.or(current), &self.open) {
            (Some((OtherKind::File, Some(source), choices)), Some(_)) => self.start_comparing(source, choices),
            (Some((OtherKind::SameFile, _, choices)), Some(open)) => {
                let other = OtherDocument::in_memory(open);
                self.start_comparison(OtherKind::SameFile, other, choices, None);
            }
            _ => {}
        }
    }

    /// Receives the result of a measured comparison.
    pub(crate) fn compared(&mut self, measured: MeasuredComparison) {
        if let Err(message) = self.workers.comparison.receive(measured, self.comparison.as_mut()) {
            self.show_failure(Failure::new("The comparison cannot be measured", message));
        }
    }

    /// Updates the comparison after the open document was replaced. After a reload, the comparison is measured again. Another file ends the
    /// comparison.
    pub(crate) fn follow_document(&mut self, is_reload: bool, previous: Option<OtherDocument>) {
        if is_reload {
            self.previous_version = previous;
            self.renew_same_file();
            if let Some(comparison) = &mut self.comparison {
                comparison.forget_result();
            }
        } else {
            let next = self.compare_next.take();
            self.stop_comparing();
            self.previous_version = None;
            if let Some(NextComparison { source, choices }) = next {
                self.start_comparing(source, choices);
            }
        }
    }

    /// If two animations of the open file are compared, makes B from the open document again, because its model or its animations have
    /// changed.
    pub(crate) fn renew_same_file(&mut self) {
        let (Some(open), Some(comparison)) = (&self.open, &mut self.comparison) else { return };
        let (model, status) = (&open.document.model, &mut comparison.status);
        if status.kind != OtherKind::SameFile {
            return;
        }
        // If the chosen animation is gone, the choice stays, because a later version of the file may have the animation again.
        if let OtherAnimation::Chosen(chosen) = &mut status.choices.animation {
            *chosen = pairing::animation(&status.model, model, *chosen).unwrap_or(*chosen);
        }
        comparison.replace(OtherDocument::in_memory(open), None);
    }

    /// Starts measuring the comparison that the user chose in the panels, and passes the result to the panels.
    pub(crate) fn update_comparison(&mut self) {
        self.ui.status.has_previous_version = self.previous_version.is_some();
        let Self { open: Some(open), comparison: Some(comparison), workers, .. } = self else { return };
        let key = comparison.key(&open.document, &self.view);
        workers.comparison.update(&open.document, comparison, key, &self.proxy);
        // While new choices are measured, the result of the previous choices stays on screen.
        let has_failed = workers.comparison.has_failed(key);
        let result = comparison.found.as_ref().filter(|(measured, _)| measured.documents == key.documents && !has_failed);
        let (status, found) = (&mut comparison.status, result.map(|(_, found)| found.clone()));
        let is_measuring = !has_failed && comparison.found.as_ref().is_none_or(|(measured, _)| *measured != key);
        if status.found.is_some() != found.is_some() || status.is_measuring != is_measuring {
            self.pacing.request(Instant::now(), Duration::ZERO);
        }
        (status.found, status.is_measuring) = (found, is_measuring);
        status.is_shown |= status.found.is_some();
        if status.kind == OtherKind::SameFile {
            status.side_names = text::animation_names(&open.document, key.choices.animations);
        }
        if status.choices.layout == CompareView::Difference {
            workers.difference.update(open, comparison, &self.proxy);
        } else {
            workers.difference.stop();
            comparison.set_heats(None);
        }
    }
}
