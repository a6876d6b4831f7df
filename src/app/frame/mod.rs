//! One frame of the window: input, panels and pose, picture, presentation; then the background work and the requests of the panels.
//! [`App::frame`] runs these steps in order.

pub(super) mod adaptive_quality;
pub(super) mod draw;
pub(super) mod gpu_pick;
pub(super) mod moving_picture;
pub(super) mod pacing;
pub(super) mod progressive_ghosts;
pub(super) mod quality;
pub(super) mod status;
pub(super) mod stillness;

use std::time::{Duration, Instant};

use winit::event_loop::ActiveEventLoop;

use crate::camera::bounds::Bounds;
use crate::camera::{self, Camera};
use crate::numbers;
use crate::report::terminal;
use crate::session::analyses::Subject;
use crate::session::camera::view_camera;
use crate::session::pose::crowd;
use crate::session::time::moment::Moment;
use crate::session::time::playlist;
use crate::session::view::View;
use crate::session::view::playback_range;
use crate::ui::actions::Action;
use crate::ui::context::comparison::FrameContent;
use crate::ui::context::request::Request;
use crate::ui::input_steps::{self, InputStep};
use crate::ui::state::SharedState;
use crate::ui::style::theme;
use crate::ui::{layout, loading_screen, perform};

use super::App;
use super::comparison::open_comparison::{OpenComparison, shown_analyses};
use super::documents::load_job::Source;
use super::documents::open_document::OpenDocument;
use super::startup_timings::Step;
use super::window::AppWindow;

use draw::FramePicture;
use pacing::UNNOTICED_DELAY;
use status::FrameTimes;

/// Delay before the next attempt after a frame that could not be presented.
const RETRY_DELAY: Duration = Duration::from_millis(100);
/// Interval between frames while a progress bar is shown. It is longer than necessary, to leave processor time to the load.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// Time after the start of a load before the window draws an empty frame. Most models are ready sooner, and appear earlier if that frame
/// is skipped.
const EMPTY_FRAME_DELAY: Duration = Duration::from_millis(100);

/// The result of laying out the panels: the viewport and camera to draw with, and a message.
struct FrameLayout {
    /// The viewport in points. If two models are side by side, it is the half of A.
    viewport: egui::Rect,
    /// The half of B in points. `None` unless two models are side by side.
    other_viewport: Option<egui::Rect>,
    camera: Camera,
    /// Time that posing took. It is measured separately, because posing runs between two groups of panels.
    pose_time: Duration,
    /// A message for the status bar: why a key did nothing, or that the crowd was limited.
    message: Option<String>,
}

/// The content of a frame: egui's shapes, and the picture below them. `laid_out` is set once the panels have run.
struct FrameDrawing {
    shapes: egui::FullOutput,
    laid_out: Option<FrameLayout>,
}

/// The output of one run of the panels.
struct PanelOutput {
    drawing: FrameDrawing,
    requests: Vec<Request>,
    /// When egui wants the next frame.
    repaint_delay: Duration,
}

impl PanelOutput {
    /// Combines the outputs of this run and the next one of the same frame. Only the next one is drawn.
    fn followed_by(mut self, next: Self) -> Self {
        let message = self.drawing.laid_out.take().and_then(|laid_out| laid_out.message);
        self.drawing.shapes.append(next.drawing.shapes);
        self.requests.extend(next.requests);
        let laid_out = next.drawing.laid_out.map(|laid_out| FrameLayout { message: laid_out.message.or(message), ..laid_out });
        Self {
            drawing: FrameDrawing { laid_out, ..self.drawing },
            requests: self.requests,
            repaint_delay: self.repaint_delay.min(next.repaint_delay),
        }
    }
}

impl App {
    /// Runs a frame. winit requests it when [`pacing`] has decided that a frame is due.
    pub(crate) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        self.pacing.start_frame(now);
        self.upload_decoded_images();
        // Window and document are moved out of `self`, so that methods can borrow them together with it.
        let Some(mut window) = self.window.take() else { return };
        let Some(mut open) = self.open.take() else { return self.loading_frame(event_loop, window, now) };
        #[cfg(debug_assertions)]
        {
            super::simulated_faults::lose_device_on_request(&window.gpu.device);
            super::simulated_faults::panic_on_request();
        }

        let input = self.take_input(&mut window, &mut open, now);
        let output = self.run_steps(&mut window, &mut open, input);
        let message = self.draw_and_present(&mut window, &mut open, output.drawing, now);
        self.time_pipelines(&window);
        let timings = self.startup_timings.as_mut().filter(|_| open.moving.is_presented);
        if let Some(table) = timings.and_then(|timings| timings.frame_drawn(now, &open.document)) {
            terminal::print_message(table.trim_end());
            self.startup_timings = None;
        }

        // A drag changes the view in every frame, so bounds are measured when it ends.
        let is_dragging = window.egui.input(|input| input.pointer.any_down());
        if window.must_retry {
            self.pacing.request(now, RETRY_DELAY);
        }
        self.window = Some(window);
        self.open = Some(open);
        self.update_workers(is_dragging);
        if let Some(message) = message {
            self.show_message(message);
        }
        self.perform_requests(event_loop, output.requests);
        self.update_settings(now);
        self.schedule_next_frame(now, output.repaint_delay);
        let frame_ms = now.elapsed().as_secs_f32() * 1000.0;
        self.ui.status.statistics.frame_ms = frame_ms;
        if let Some(open) = &mut self.open {
            open.moving.quality.measure(frame_ms);
        }
    }

    /// Adds the pipelines that are compiled to the steps of the start. A pipeline that is added again changes nothing.
    fn time_pipelines(&mut self, window: &AppWindow) {
        let Some(timings) = &mut self.startup_timings else { return };
        for &[start, end] in window.renderer.compile_times() {
            timings.add_part(Step { name: "compile pipelines", start, end });
        }
    }

    /// Advances the clock, updates the state that the panels show, and collects the user's input.
    fn take_input(&mut self, window: &mut AppWindow, open: &mut OpenDocument, now: Instant) -> egui::RawInput {
        let since_last = self.clock.tick(now);
        self.update_ui_state(now, window);
        theme::apply(&window.egui, &self.ui.preferences, window.scale_correction());
        // Time passes before the panels run, so that they show the moment that is drawn.
        if !self.is_time_held() {
            playlist::advance(&mut self.transport, &open.document.model, &mut self.view, since_last.as_secs_f64());
        }
        gpu_pick::receive(&mut self.ui.panels.viewport.picks, window);
        window.input.take_egui_input(&window.handle)
    }

    /// Runs the panels once for each step of the input. The picture shows the result of the last run.
    fn run_steps(&mut self, window: &mut AppWindow, open: &mut OpenDocument, mut input: egui::RawInput) -> PanelOutput {
        let actions = std::mem::take(&mut self.input.actions);
        let mut steps = input_steps::steps(std::mem::take(&mut input.events), &actions).into_iter();
        let mut output = self.run_step(window, open, &input, steps.next().unwrap_or_default());
        for step in steps {
            let next = self.run_step(window, open, &input, step);
            output = output.followed_by(next);
        }
        output
    }

    /// Performs the actions of a step and runs the panels with its events.
    fn run_step(&mut self, window: &mut AppWindow, open: &mut OpenDocument, input: &egui::RawInput, step: InputStep) -> PanelOutput {
        self.input.due_actions = step.actions;
        let output = self.run_panels(window, open, egui::RawInput { events: step.events, ..input.clone() });
        // A drag changes the view in every frame. It becomes one undo step when the gesture ends.
        if !self.ui.window.is_in_gesture(&window.egui) {
            self.undo.settle(&self.view);
        }
        output
    }

    /// Runs egui with the panels of an open document.
    fn run_panels(&mut self, window: &mut AppWindow, open: &mut OpenDocument, input: egui::RawInput) -> PanelOutput {
        let largest_buffer = window.gpu.device.limits().max_buffer_size;
        let (mut laid_out, mut requests) = (None, Vec::new());
        let shapes = window.egui.run_ui(input, |ui| laid_out = Some(self.panels(ui, open, &mut requests, largest_buffer)));
        let repaint_delay = shapes.viewport_output.values().map(|viewport| viewport.repaint_delay).min().unwrap_or(Duration::MAX);
        PanelOutput { drawing: FrameDrawing { shapes, laid_out }, requests, repaint_delay }
    }

    /// Runs the panels that change the view, then poses the model, then runs the panels that show the pose. So all values on screen belong
    /// to one moment.
    fn panels(&mut self, ui: &mut egui::Ui, open: &mut OpenDocument, requests: &mut Vec<Request>, largest_buffer: u64) -> FrameLayout {
        let analyses = shown_analyses(&open.analyses, self.comparison.as_ref());
        let (panels, mut context) = self.ui.split(SharedState {
            document: &open.document,
            analyses: &analyses,
            view: &mut self.view,
            undo: &mut self.undo,
            transport: &mut self.transport,
            comparison: self.comparison.as_mut().map(|comparison| &mut comparison.status),
            requests,
        });
        let mut disabled_reason = None;
        for action in self.input.due_actions.drain(..) {
            disabled_reason = perform::perform_if_available(action, panels, &mut context).or(disabled_reason);
        }
        let areas = layout::controls_ui(ui, panels, &mut context);
        // Bounds are measured only after a drag has ended.
        if !ui.input(|input| input.pointer.any_down()) {
            update_bounds(open, &self.view);
        }
        let other_model = self.comparison.as_ref().map(|comparison| &*comparison.other.document.model);
        let crowd_limit = crowd::limit(&open.document.model, other_model, self.view.display.crowd, largest_buffer);
        if let Some(limit) = crowd_limit {
            let apply = |view: &mut View| view.display.crowd = view.display.crowd.min(limit);
            apply(&mut self.view);
            self.undo.amend(apply);
        }
        let bounds = shown_analyses(&open.analyses, self.comparison.as_ref()).bounds;
        let pose_time = pose(open, &self.view, self.transport.moment(), &bounds);
        let aspect = camera::aspect(areas.viewport.size().into());
        let moment = self.transport.moment();
        let pose_time = pose_time + pose_other(open, self.comparison.as_mut(), &self.view, &moment, &bounds);
        let analyses = shown_analyses(&open.analyses, self.comparison.as_ref());
        let camera = view_camera::camera(Subject { analyses: &analyses, ..open.subject(&self.view) }, &open.pose.posed, aspect);
        let (comparison, other) = self.comparison.as_mut().map(OpenComparison::split).unzip();
        let content = FrameContent { posed: &open.pose.posed, other: other.flatten(), camera: &camera };
        // The context borrows view and transport mutably, so it is created again after posing.
        let (panels, mut context) = self.ui.split(SharedState {
            document: &open.document,
            analyses: &analyses,
            view: &mut self.view,
            undo: &mut self.undo,
            transport: &mut self.transport,
            comparison,
            requests,
        });
        layout::readouts_ui(ui, panels, &mut context, &areas, &content);
        let crowd_message = |limit| format!("Crowd limited to {} instances: more do not fit into memory", numbers::grouped(limit));
        let message = crowd_limit.map(crowd_message).or(disabled_reason);
        FrameLayout { viewport: areas.viewport, other_viewport: areas.other, camera, pose_time, message }
    }

    /// Draws the picture and the panels over it. Returns the message of the panels.
    fn draw_and_present(&mut self, window: &mut AppWindow, open: &mut OpenDocument, drawing: FrameDrawing, now: Instant) -> Option<String> {
        let ui_time = now.elapsed();
        let FrameLayout { viewport, other_viewport, camera, pose_time, message } = drawing.laid_out?;
        let picture = FramePicture {
            view: &self.view,
            viewport,
            other_viewport,
            camera,
            comparison: self.comparison.as_ref(),
            units: self.ui.preferences.units,
            picks: &self.ui.panels.viewport.picks,
            may_lower_quality: self.ui.preferences.lower_quality_while_moving,
            now,
        };
        let draw_time = draw::draw(window, open, &picture, drawing.shapes);
        self.update_ghosts(open, now);
        if open.moving.is_sharpened_later {
            self.pacing.request(now, UNNOTICED_DELAY);
        }
        let times = FrameTimes { ui: ui_time.saturating_sub(pose_time), pose: pose_time, draw: draw_time };
        self.update_performance(window, open, now, times);
        self.update_memory(window, open, now);
        if let Some(delay) = gpu_pick::poll(&mut self.ui.panels.viewport.picks, window) {
            self.pacing.request(now, delay);
        }
        message
    }

    /// Starts the background work that became necessary in this frame.
    fn update_workers(&mut self, is_dragging: bool) {
        self.watch_files();
        self.update_environment();
        self.update_comparison();
        self.update_borrowed();
        self.load_ahead();
        let other = self.comparison.as_ref().filter(|comparison| comparison.is_posed());
        if let Some(open) = &self.open {
            let subject = open.subject(&self.view);
            self.workers.motions.update(std::iter::once(subject).chain(other.map(OpenComparison::subject)), &self.proxy);
            if !is_dragging {
                self.workers.bounds.update(subject, &self.proxy);
            }
        }
        if let Some(other) = other.filter(|_| !is_dragging) {
            self.workers.bounds.update(other.subject(), &self.proxy);
        }
        self.update_checks();
    }

    /// Requests the next frame if an animation plays, egui asks for one, or a progress bar is shown.
    fn schedule_next_frame(&mut self, now: Instant, repaint_delay: Duration) {
        self.pacing.request(now, repaint_delay);
        if self.is_moving() {
            self.pacing.request(now, Duration::ZERO);
        }
        let shows_checks = self.workers.checks.is_running() && self.ui.inspector_shown();
        let loads_other = self.workers.comparison.loading().is_some_and(|loading| !loading.reason.is_automatic());
        let is_loading = self.workers.load.job().is_some() || loads_other;
        if is_loading || self.workers.is_exporting() || shows_checks {
            self.pacing.request(now, PROGRESS_INTERVAL);
        }
    }

    /// Draws the window while no model is open: the name of the file and its progress, or an error. Esc opens the sample model instead.
    /// Nothing is drawn for the first [`EMPTY_FRAME_DELAY`] of a load; input is handled after it.
    fn loading_frame(&mut self, event_loop: &ActiveEventLoop, mut window: AppWindow, now: Instant) {
        let waited = self.workers.load.job().map(|job| job.started.elapsed());
        if let Some(remaining) = waited.and_then(|waited| EMPTY_FRAME_DELAY.checked_sub(waited)) {
            self.window = Some(window);
            return self.pacing.request(now, remaining);
        }
        self.update_ui_state(now, &window);
        theme::apply(&window.egui, &self.ui.preferences, window.scale_correction());
        let input = window.input.take_egui_input(&window.handle);
        let job = self.workers.load.job();
        let is_slow = job.is_some_and(|job| job.started.elapsed() > UNNOTICED_DELAY);
        let loading = self.ui.status.loading.as_ref().filter(|_| is_slow);
        let failure = self.ui.status.failure.as_ref().filter(|_| job.is_none());
        let output = window.egui.run_ui(input, |ui| loading_screen::loading_screen_ui(ui, loading, failure));
        window.present(output, &[], |_, _, _, _| {});
        if window.must_retry {
            self.pacing.request(now, RETRY_DELAY);
        }
        self.window = Some(window);
        for placed in std::mem::take(&mut self.input.actions) {
            match placed.action {
                Action::CloseOrDeselect => self.open_source(Source::Sample),
                Action::Open => self.show_open_dialog(),
                Action::PreviousFile => self.step_file(-1),
                Action::NextFile => self.step_file(1),
                Action::Quit => self.quit(event_loop),
                _ => {}
            }
        }
        self.update_settings(now);
        if self.workers.load.job().is_some() {
            self.pacing.request(now, PROGRESS_INTERVAL);
        }
    }

    /// Returns whether the next frame will differ even without input: an animation plays, and the window is visible.
    pub(crate) fn is_moving(&self) -> bool {
        let is_animated = |open: &OpenDocument| self.view.speed != 0.0 && playback_range::moves(&open.document.model, &self.view);
        let is_changing = self.transport.fade.is_some() || self.open.as_ref().is_some_and(is_animated);
        let is_visible = self.window.as_ref().is_some_and(|window| !window.is_occluded && window.has_size());
        self.transport.is_playing() && !self.is_time_held() && is_changing && is_visible
    }

    /// Returns whether playback waits for the dialogs of a screenshot: the picture shows the moment at which the first of them opened.
    fn is_time_held(&self) -> bool {
        self.is_choosing_picture_path || self.ui.window.asks_about_screenshot()
    }
}

/// Poses the model, its crowd and its ghosts. `bounds` are those of the shown models. Returns the time that it took.
fn pose(open: &mut OpenDocument, view: &View, moment: Moment, bounds: &Bounds) -> Duration {
    let start = Instant::now();
    let OpenDocument { document, analyses, pose, .. } = open;
    // A root that is not known yet is searched for in the background (`workers::analysis::bounds`). Until it is found, the last known root
    // is used.
    let roots = analyses.known_roots(view, &moment).or(pose.roots);
    pose.pose(document, view, moment, roots, bounds);
    pose.pose_ghosts(document, view);
    start.elapsed()
}

/// Poses the model of B, if there is a comparison. `bounds` are those of both models. Returns the time that it took.
fn pose_other(open: &OpenDocument, comparison: Option<&mut OpenComparison>, view: &View, moment: &Moment, bounds: &Bounds) -> Duration {
    let start = Instant::now();
    if let Some(comparison) = comparison {
        comparison.pose(&open.document, view, moment, bounds);
    }
    start.elapsed()
}

/// Measures the bounds again if the view has changed. For a model that stays in place, and the first time for a large model, a background
/// thread measures them ([`super::workers::analysis::bounds`]).
fn update_bounds(open: &mut OpenDocument, view: &View) {
    open.analyses.update_scene(&open.document, view);
    let Some(measured) = &open.analyses.measured else { return };
    if !measured.is_of(view) && !measured.pose.in_place && !view.in_place {
        open.analyses.update_bounds(&open.document, view);
    }
}
