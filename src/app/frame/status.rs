//! Tells the panels what the application is doing: messages, progress, the list of files, the drawn ghosts, and measurements.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::app::documents::load_job::LoadJob;
use crate::app::documents::open_document::OpenDocument;
use crate::app::window::AppWindow;
use crate::app::workers::analysis::comparison::LoadingOther;
use crate::ui::context::app_status::Loading;

use super::pacing::UNNOTICED_DELAY;

/// The CPU times of the steps of a frame.
pub(super) struct FrameTimes {
    /// The time of the panels.
    pub ui: Duration,
    pub pose: Duration,
    pub draw: Duration,
}

/// The load that the status bar shows.
pub enum ShownLoad<'a> {
    /// The load of a file to open.
    Open(&'a LoadJob),
    /// The load of a file to compare with.
    Other(&'a LoadingOther),
}

/// Chooses the load that the status bar shows: `job`, or else `other`, the load of a file to compare with.
pub fn shown_load<'a>(job: Option<&'a LoadJob>, other: Option<&'a LoadingOther>) -> Option<ShownLoad<'a>> {
    // An automatic reload usually ends so soon that a progress bar would only flash.
    let job = job.filter(|job| !job.reason.is_automatic() || job.started.elapsed() >= UNNOTICED_DELAY);
    let other = other.filter(|loading| !loading.reason.is_automatic());
    job.map(ShownLoad::Open).or_else(|| other.map(ShownLoad::Other))
}

impl App {
    /// Updates the application state that the panels show: messages, progress, the file list.
    pub(super) fn update_ui_state(&mut self, now: Instant, window: &AppWindow) {
        self.ui.status.message.take_if(|message| message.until <= now);
        let shown = shown_load(self.workers.load.job(), self.workers.comparison.loading());
        self.ui.status.loading = shown.map(|shown| {
            let (name, progress) = match shown {
                ShownLoad::Open(job) => (job.label(), &job.progress),
                ShownLoad::Other(loading) => (loading.source.name(), &loading.progress),
            };
            Loading { name, stage: progress.stage().to_owned(), fraction: progress.fraction() }
        });
        self.ui.status.exporting = self.workers.export_progress();
        (self.ui.status.files, self.ui.status.requested_file) = (self.file_list.models.clone(), self.file_list.at);
        self.ui.status.is_environment_sunless = self.workers.environment.is_sunless();
        self.ui.status.statistics.pixels_per_point = window.egui.pixels_per_point();
    }

    /// Records measurements for the performance panel. The GPU is measured, and joints are counted, only while the panel is shown.
    pub(super) fn update_performance(&mut self, window: &mut AppWindow, open: &OpenDocument, started: Instant, times: FrameTimes) {
        let is_shown = self.ui.performance_shown();
        window.renderer.measure(&window.gpu, is_shown);
        let performance = &mut self.ui.status.performance;
        let FrameTimes { ui, pose, draw } = times;
        [performance.ui_ms, performance.pose_ms, performance.draw_ms] = [ui, pose, draw].map(|time| time.as_secs_f32() * 1000.0);
        performance.instances = open.pose.crowd.count();
        if is_shown {
            performance.joints = open.document.joint_count() * open.pose.crowd.count();
        }
        performance.upload_bytes = window.renderer.statistics.uploaded;
        performance.gpu_ms = window.renderer.gpu_milliseconds(&window.gpu);
        performance.remember(self.clock.seconds(started));
    }

    /// Updates the memory of the device for the inspector, while it is shown.
    pub(super) fn update_memory(&mut self, window: &AppWindow, open: &OpenDocument, now: Instant) {
        if !self.ui.inspector_shown() {
            self.ui.status.statistics.memory.clear();
            return;
        }
        // The panels of this frame could not show the numbers yet.
        if self.ui.status.statistics.memory.is_empty() {
            self.pacing.request(now, Duration::ZERO);
        }
        let (model, targets) = (open.gpu_model.read().unwrap_or_else(PoisonError::into_inner).memory(), window.renderer.target_memory());
        let statistics = &mut self.ui.status.statistics;
        statistics.memory = vec![
            ("GPU vertices", model.vertices),
            ("GPU indices", model.indices),
            ("GPU morph targets", model.morphs),
            ("GPU textures", model.textures),
            ("GPU render targets", targets),
            ("GPU environment", window.renderer.environment_memory()),
        ];
        let optional = [("GPU edges", model.corners), ("GPU instances", model.instances)];
        statistics.memory.extend(optional.into_iter().filter(|(_, bytes)| *bytes > 0));
        statistics.bytes_per_vertex = (model.vertex_count > 0).then(|| model.bytes_per_vertex());
    }

    /// Passes the number of drawn ghosts to the panels, and requests the frame that draws more of them.
    pub(super) fn update_ghosts(&mut self, open: &OpenDocument, now: Instant) {
        let drawn = open.moving.ghosts.drawn;
        let is_changed = std::mem::replace(&mut self.ui.status.ghosts_drawn, drawn) != drawn;
        for delay in open.moving.ghosts.next.into_iter().chain(is_changed.then_some(Duration::ZERO)) {
            self.pacing.request(now, delay);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::documents::load_job::{LoadLimits, LoadReason, Source};
    use crate::app::ids::LoadJobId;
    use crate::ui::context::comparison::CompareChoices;

    #[test]
    fn a_file_to_open_is_shown_before_a_file_to_compare_with_and_reloads_only_if_they_take_long() {
        let start = Instant::now();
        let job = |reason, started| LoadJob {
            id: LoadJobId::next(),
            source: Source::Sample,
            list_position: None,
            reason,
            limits: LoadLimits { image_limit: None, byte_limit: None },
            progress: Default::default(),
            started,
        };
        let other = |reason| LoadingOther {
            job: LoadJobId::next(),
            source: Source::alone("b.glb".into()),
            reason,
            choices: CompareChoices::default(),
            progress: Default::default(),
        };
        let shown = |job: &LoadJob, other: &LoadingOther| match shown_load(Some(job), Some(other)) {
            Some(ShownLoad::Open(_)) => "A",
            Some(ShownLoad::Other(_)) => "B",
            None => "none",
        };
        let (opened, reload) = (LoadReason::Opened, LoadReason::Changed { last: false });
        let slow = start.checked_sub(UNNOTICED_DELAY).expect("a system that has run for a while");
        // A reload that starts later stays unnoticed during the test.
        let quick = start + UNNOTICED_DELAY * 1000;
        assert_eq!(shown(&job(opened, start), &other(opened)), "A");
        assert_eq!(shown(&job(reload, slow), &other(opened)), "A");
        assert_eq!(shown(&job(reload, quick), &other(opened)), "B");
        assert_eq!(shown(&job(reload, quick), &other(reload)), "none");
    }
}
