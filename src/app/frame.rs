//! One frame: the clock, what was pressed, the panels that control, the pose, the panels that read out, the picture, egui
//! over it.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use winit::event_loop::ActiveEventLoop;

use crate::camera::Camera;
use crate::render::lights;
use crate::render::overlay::{self, Theme};
use crate::render::picture::{Actor, Background, Picture, Tile};
use crate::session::view::View;
use crate::session::{eye, posing, transport};
use crate::ui::actions::Action;
use crate::ui::{Frame, Loading, layout, perform, status, theme};

use super::opening::Source;
use super::shell::Shell;
use super::{App, Open, Shown};

/// A wait that nobody notices.
const UNNOTICED: Duration = Duration::from_millis(300);

impl App {
    pub(super) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        self.pacing.begin(now);
        let Some(mut shell) = self.shell.take() else { return };
        let Some(mut open) = self.open.take() else { return self.waiting_frame(event_loop, shell, now) };
        let since_last = self.last_frame.replace(now).map_or(Duration::ZERO, |last| now - last);
        self.tell_ui(now, &shell);
        theme::apply(&shell.egui, &self.ui.preferences);

        let mut commands = Vec::new();
        // Time passes first, so that what the panels show is what is drawn.
        self.transport.advance(&open.document.model, &self.view, since_last.as_secs_f64());
        let input = shell.input.take_egui_input(&shell.window);
        let mut seen = None;
        let output = shell.egui.run_ui(input, |ui| {
            let mut frame = Frame {
                state: &mut self.ui,
                document: &open.document,
                view: &mut self.view,
                transport: &mut self.transport,
                commands: &mut commands,
            };
            for action in self.actions.drain(..) {
                perform::perform(action, &mut frame);
            }
            let areas = layout::controls_ui(ui, &mut frame);
            follow(&mut open, &self.view);
            posing::pose(&open.document.model, &self.view, self.transport.time(), &mut open.posed);
            let aspect = f64::from((areas.viewport.width() / areas.viewport.height().max(1.0)).max(0.01));
            let camera = eye::camera(&open.document, &self.view, &open.posed, aspect);
            let mut frame = Frame {
                state: &mut self.ui,
                document: &open.document,
                view: &mut self.view,
                transport: &mut self.transport,
                commands: &mut commands,
            };
            layout::readouts_ui(ui, &mut frame, &areas, &open.posed, &camera);
            seen = Some((areas.viewport, camera));
        });

        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min().unwrap_or(Duration::MAX);
        if let Some((viewport, camera)) = seen {
            self.present(&mut shell, &open, output, viewport, &camera);
        }
        if !shell.egui.input(|input| input.pointer.any_down()) {
            self.undo.settle(&self.view);
        }
        self.shell = Some(shell);
        self.open = Some(open);
        self.do_commands(event_loop, commands);
        self.keep_settings(now);
        self.pacing.ask(now, repaint);
        if self.moves() {
            self.pacing.ask(now, Duration::ZERO);
        }
        self.ui.statistics.frame_ms = now.elapsed().as_secs_f32() * 1000.0;
    }

    /// Before the first model is there: its name and how far it is. Esc opens the sample model instead.
    fn waiting_frame(&mut self, event_loop: &ActiveEventLoop, mut shell: Shell, now: Instant) {
        self.tell_ui(now, &shell);
        theme::apply(&shell.egui, &self.ui.preferences);
        let input = shell.input.take_egui_input(&shell.window);
        // Most files are there before a person could read the name.
        let slow = self.job.as_ref().is_some_and(|job| job.started.elapsed() > UNNOTICED);
        let output = shell.egui.run_ui(input, |ui| status::waiting_ui(ui, self.ui.loading.as_ref().filter(|_| slow)));
        shell.present(output, |_, _, _, _| {});
        self.shell = Some(shell);
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Back => self.open_source(Source::Sample),
                Action::Quit => self.quit(event_loop),
                _ => {}
            }
        }
        self.keep_settings(now);
        if self.job.is_some() {
            self.pacing.ask(now, UNNOTICED / 3);
        }
    }

    /// The picture in the viewport, egui over it.
    fn present(&self, shell: &mut Shell, open: &Open, output: egui::FullOutput, viewport: egui::Rect, camera: &Camera) {
        let pixels_per_point = output.pixels_per_point;
        let theme = picture_theme(&shell.egui);
        let display = &self.view.display;
        let (model, posed) = (&*open.document.model, &open.posed);
        let lights = lights::placed_lights(model, &posed.globals, &posed.shown);
        let lines = match open.document.shows_skeleton(&self.view) {
            true => overlay::skeleton_lines(&open.document, &self.view, posed, theme),
            false => Vec::new(),
        };
        let gpu_model = open.gpu_model.read().unwrap_or_else(PoisonError::into_inner);
        let actors = [Actor { model, gpu: &gpu_model, palette: &posed.palette, weights: &posed.pose.weights, visible: &posed.shown }];
        shell.present(output, |renderer, gpu, encoder, target| {
            let viewport = pixels(viewport, pixels_per_point, target.texture().size());
            let picture = Picture {
                camera,
                tile: Tile::whole([viewport[2], viewport[3]]),
                supersample: 1,
                anchor: posed.anchor,
                display,
                background: Background::Color(display.background.unwrap_or(theme.background)),
                lights: &lights,
                lines: &lines,
                bounds: open.document.bounds,
                theme,
                pixels_per_point,
            };
            renderer.draw(gpu, encoder, target, viewport, &picture, &actors);
        });
    }

    /// Whether the next frame will differ by itself.
    fn moves(&self) -> bool {
        let lasts = |open: &Open| transport::duration(&open.document.model, &self.view) > 0.0;
        let plays = self.transport.playing() && self.view.speed != 0.0 && self.open.as_ref().is_some_and(lasts);
        plays && !self.occluded || self.job.is_some()
    }

    /// A word in the status bar does not stay.
    fn forget_note(&mut self, now: Instant) {
        if self.note_until.is_some_and(|until| until <= now) {
            self.note_until = None;
            self.ui.note = None;
        }
    }

    /// What the application knows and the panels show.
    fn tell_ui(&mut self, now: Instant, shell: &Shell) {
        self.forget_note(now);
        self.ui.loading = self.job.as_ref().map(|job| Loading {
            name: job.source.name(),
            stage: job.progress.stage().to_owned(),
            fraction: job.progress.fraction(),
        });
        self.ui.can_undo = self.undo.can_undo();
        self.ui.can_redo = self.undo.can_redo();
        self.ui.statistics.pixels_per_point = shell.egui.pixels_per_point();
    }
}

/// Where what is shown changed with the view, its bounds are taken anew.
fn follow(open: &mut Open, view: &View) {
    let shown = Shown::of(view);
    if open.measured != shown {
        open.document.refresh_bounds(view);
        open.measured = shown;
    }
}

/// The colours of what is drawn around the model, for the window's theme.
pub(super) fn picture_theme(egui: &egui::Context) -> &'static Theme {
    match egui.theme() {
        egui::Theme::Dark => &Theme::DARK,
        egui::Theme::Light => &Theme::LIGHT,
    }
}

/// Points to whole pixels that lie in the window.
fn pixels(rect: egui::Rect, pixels_per_point: f32, window: wgpu::Extent3d) -> [u32; 4] {
    let place = |points: f32, most: u32| ((points * pixels_per_point).round().max(0.0) as u32).min(most);
    let (left, top) = (place(rect.left(), window.width), place(rect.top(), window.height));
    let (right, bottom) = (place(rect.right(), window.width), place(rect.bottom(), window.height));
    [left, top, right.saturating_sub(left), bottom.saturating_sub(top)]
}
