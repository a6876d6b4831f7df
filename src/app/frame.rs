//! One frame: the clock, what was pressed, the panels that control, the pose, the panels that read out, the picture, egui
//! over it.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use winit::event_loop::ActiveEventLoop;

use crate::camera::Camera;
use crate::model::Model;
use crate::session::bounds::key::BoundsKey;
use crate::session::camera::view_camera;
use crate::session::pose::{self, Body, crowd};
use crate::session::time::moment::Moment;
use crate::session::time::playlist;
use crate::session::view::View;
use crate::session::view::playback_range;
use crate::ui::actions::action::Action;
use crate::ui::app_status::Loading;
use crate::ui::request::Request;
use crate::ui::style::{numbers, theme};
use crate::ui::{layout, perform, status_bar};

use super::App;
use super::open_document::OpenDocument;
use super::window::Shell;
use super::workers::clip_export::Export;
use super::workers::load::{Job, LoadReason, Source};

/// A wait that nobody notices.
pub(super) const UNNOTICED: Duration = Duration::from_millis(300);
/// From a frame that could not be shown to the next.
const MISSED: Duration = Duration::from_millis(100);

/// What the panels leave to be drawn.
struct LaidOut {
    /// Points.
    viewport: egui::Rect,
    camera: Camera,
    /// How long that took.
    posing: Duration,
    /// Why a key did nothing, or that there was no room for all of the crowd.
    word: Option<String>,
}

impl App {
    pub(super) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        self.pacing.begin(now);
        let Some(mut shell) = self.shell.take() else { return };
        let Some(mut open) = self.open.take() else { return self.waiting_frame(event_loop, shell, now) };
        let since_last = self.last_frame.replace(now).map_or(Duration::ZERO, |last| now - last);
        #[cfg(debug_assertions)]
        super::device_loss::lose_on_request(&shell.gpu.device);
        self.tell_ui(now, &shell);
        theme::apply(&shell.egui, &self.ui.preferences, shell.lag());

        let mut commands = Vec::new();
        // Time passes first, so that what the panels show is what is drawn.
        playlist::advance(&mut self.transport, &open.document.model, &mut self.view, since_last.as_secs_f64());
        self.take_in_probe(&mut shell);
        let input = shell.input.take_egui_input(&shell.window);
        let largest_buffer = shell.gpu.device.limits().max_buffer_size;
        let mut laid_out = None;
        let output = shell.egui.run_ui(input, |ui| laid_out = Some(self.panels(ui, &mut open, &mut commands, largest_buffer)));

        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min().unwrap_or(Duration::MAX);
        let until_drawn = now.elapsed();
        let mut said = None;
        if let Some(LaidOut { viewport, camera, posing, word }) = laid_out {
            let drawing = self.present(&mut shell, &mut open, output, (viewport, camera), now);
            self.follow_ghosts(&open, now);
            self.tell_performance(&mut shell, &open, now, [until_drawn.saturating_sub(posing), posing, drawing]);
            said = word;
        }
        self.follow_probe(&shell, now);
        let is_dragged = shell.egui.input(|input| input.pointer.any_down());
        if !is_dragged {
            self.undo.settle(&self.view);
        }
        if shell.missed {
            self.pacing.ask(now, MISSED);
        }
        self.shell = Some(shell);
        self.open = Some(open);
        self.follow_files();
        self.follow_environment();
        self.follow_motions();
        if !is_dragged {
            self.follow_bounds();
        }
        if let Some(word) = said {
            self.note(word);
        }
        self.do_commands(event_loop, commands);
        self.keep_settings(now);
        self.pacing.ask(now, repaint);
        if self.moves() {
            self.pacing.ask(now, Duration::ZERO);
        }
        // What is being read shows how far it is, and has the processor otherwise.
        if self.job.is_some() || self.export.is_some() {
            self.pacing.ask(now, UNNOTICED / 3);
        }
        self.ui.status.statistics.frame_ms = now.elapsed().as_secs_f32() * 1000.0;
    }

    /// The panels that control, the pose, the panels that read out.
    fn panels(&mut self, ui: &mut egui::Ui, open: &mut OpenDocument, commands: &mut Vec<Request>, largest_buffer: u64) -> LaidOut {
        let (panels, mut context) = self.ui.split(&open.document, &open.analyses, &mut self.view, &mut self.transport, commands);
        let mut hindered = None;
        for action in self.actions.drain(..) {
            hindered = perform::perform_possible(action, panels, &mut context).or(hindered);
        }
        let areas = layout::controls_ui(ui, panels, &mut context);
        // What is dragged is measured when it is let go.
        if !ui.input(|input| input.pointer.any_down()) {
            follow(open, &self.view);
        }
        let crowd_cut = limit_crowd(&open.document.model, &mut self.view, largest_buffer);
        let posing = pose_all(open, &self.view, self.transport.moment());
        let aspect = f64::from((areas.viewport.width() / areas.viewport.height().max(1.0)).max(0.01));
        let camera = view_camera::camera(open.subject(&self.view), &open.posed, aspect);
        let (panels, mut context) = self.ui.split(&open.document, &open.analyses, &mut self.view, &mut self.transport, commands);
        layout::readouts_ui(ui, panels, &mut context, &areas, &open.posed, &camera);
        LaidOut { viewport: areas.viewport, camera, posing, word: crowd_cut.or(hindered) }
    }

    /// Before the first model is there: its name and how far it is. Esc opens the sample model instead.
    fn waiting_frame(&mut self, event_loop: &ActiveEventLoop, mut shell: Shell, now: Instant) {
        self.tell_ui(now, &shell);
        theme::apply(&shell.egui, &self.ui.preferences, shell.lag());
        let input = shell.input.take_egui_input(&shell.window);
        // Most files are there before a person could read the name.
        let slow = self.job.as_ref().is_some_and(|job| job.started.elapsed() > UNNOTICED);
        let output = shell.egui.run_ui(input, |ui| status_bar::waiting_ui(ui, self.ui.status.loading.as_ref().filter(|_| slow)));
        shell.present(output, |_, _, _, _| {});
        self.shell = Some(shell);
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Back => self.show(Source::Sample),
                Action::PreviousFile => self.step_file(-1),
                Action::NextFile => self.step_file(1),
                Action::Quit => self.quit(event_loop),
                _ => {}
            }
        }
        self.keep_settings(now);
        if self.job.is_some() {
            self.pacing.ask(now, UNNOTICED / 3);
        }
    }

    /// What the frame took, for the panel that shows it; the device is only asked while it is shown.
    fn tell_performance(&mut self, shell: &mut Shell, open: &OpenDocument, began: Instant, took: [Duration; 3]) {
        shell.renderer.measure(&shell.gpu, self.ui.performance_shown());
        let performance = &mut self.ui.status.performance;
        [performance.ui_ms, performance.pose_ms, performance.draw_ms] = took.map(|time| time.as_secs_f32() * 1000.0);
        performance.instances = open.crowd.count();
        performance.joints = open.document.posed_joints() * open.crowd.count();
        performance.upload_bytes = shell.renderer.statistics.uploaded;
        let (model, targets) = (open.gpu_model.read().unwrap_or_else(PoisonError::into_inner).memory(), shell.renderer.target_memory());
        let statistics = &mut self.ui.status.statistics;
        statistics.memory = vec![
            ("GPU vertices", model.vertices),
            ("GPU indices", model.indices),
            ("GPU morphs", model.morphs),
            ("GPU textures", model.textures),
            ("GPU targets", targets),
            ("GPU environment", shell.renderer.environment_memory()),
        ];
        let sometimes = [("GPU edges", model.corners), ("GPU instances", model.instances)];
        statistics.memory.extend(sometimes.into_iter().filter(|(_, bytes)| *bytes > 0));
        statistics.bytes_per_vertex = (model.vertex_count > 0).then(|| model.bytes_per_vertex());
        performance.gpu_ms = shell.renderer.gpu_milliseconds(&shell.gpu);
        performance.remember((began - self.started).as_secs_f64());
    }

    /// Whether the next frame will differ by itself.
    fn moves(&self) -> bool {
        let lasts = |open: &OpenDocument| self.view.speed != 0.0 && playback_range::moves(&open.document.model, &self.view);
        let plays = self.transport.fade.is_some() || self.open.as_ref().is_some_and(lasts);
        self.transport.playing() && plays && !self.occluded
    }

    /// A word in the status bar does not stay.
    fn forget_note(&mut self, now: Instant) {
        if self.note_until.is_some_and(|until| until <= now) {
            self.drop_note();
        }
    }

    /// What the application knows and the panels show.
    fn tell_ui(&mut self, now: Instant, shell: &Shell) {
        self.forget_note(now);
        // A file that is read again by itself is there before a bar could be more than a flash.
        let unasked = |job: &&Job| matches!(job.why, LoadReason::Changed { .. }) && job.started.elapsed() < UNNOTICED;
        self.ui.status.loading = self.job.as_ref().filter(|job| !unasked(job)).map(|job| Loading {
            name: job.label(),
            stage: job.progress.stage().to_owned(),
            fraction: job.progress.fraction(),
        });
        self.ui.status.exporting = self.export.as_ref().map(Export::shown);
        self.ui.status.files = self.list.models.len();
        self.ui.status.sunless = self.environments.around.as_ref().is_some_and(|around| around.key.is_none());
        self.ui.status.next_undo = self.undo.next_undo();
        self.ui.status.next_redo = self.undo.next_redo();
        self.ui.status.statistics.pixels_per_point = shell.egui.pixels_per_point();
    }
}

/// The pose of the model and of its crowd; tells how long that took.
fn pose_all(open: &mut OpenDocument, view: &View, moment: Moment) -> Duration {
    let start = Instant::now();
    let OpenDocument { document, analyses, posed, crowd, ghosts, .. } = open;
    let model = &*document.model;
    // A root that is not found yet is searched for beside the frames (`workers::bounds`); meanwhile the last one serves.
    let roots = analyses.known_roots(view, &moment).or(open.roots);
    open.roots = roots;
    pose::pose(model, view, moment, roots, posed);
    let body = Body { model, view, moment, roots, posed };
    crowd.pose(&body, &analyses.bounds);
    ghosts.pose(&body, document.rate(view).fps);
    start.elapsed()
}

/// No more of the model than there is memory for; says so where there were more.
fn limit_crowd(model: &Model, view: &mut View, largest_buffer: u64) -> Option<String> {
    let most = crowd::capacity(model, largest_buffer);
    if view.display.crowd <= most {
        return None;
    }
    view.display.crowd = most;
    Some(format!("Of this model {} fit into the memory that a crowd may take", numbers::grouped(most as usize)))
}

/// Where what is shown changed with the view, its bounds are taken anew; for what stays in place see [`super::workers::bounds`].
fn follow(open: &mut OpenDocument, view: &View) {
    open.analyses.update_scene(&open.document, view);
    let shown = BoundsKey::new(view);
    if open.measured != shown && !open.measured.in_place && !shown.in_place {
        open.analyses.update_bounds(&open.document, view);
        open.measured = shown;
    }
}
