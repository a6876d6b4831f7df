//! One frame: the clock, the panels that control, the pose, the panels that read out, the picture, egui over it.

use std::time::{Duration, Instant};

use glam::DVec3;
use winit::event_loop::ActiveEventLoop;

use crate::camera::Camera;
use crate::render::picture;
use crate::session::posing;
use crate::session::view::{Repeat, View, ViewCamera};
use crate::session::{eye, transport};
use crate::ui::layout;
use crate::ui::perform;
use crate::ui::{Frame, Loading, Statistics};

use super::{App, Open};

impl App {
    pub(super) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        self.pacing.begin(now);
        let Some(mut shell) = self.shell.take() else { return };
        let dt = self.last_frame.map_or(0.0, |last| (now - last).as_secs_f64());
        self.last_frame = Some(now);
        self.tell_ui(now, &shell);

        let mut commands = Vec::new();
        let input = shell.input.take_egui_input(&shell.window);
        let egui = shell.egui.clone();
        let mut drawn = None;
        let mut open = self.open.take();
        let before = self.view.clone();
        if let Some(open) = &open {
            self.transport.advance(&open.document.model, &self.view, dt);
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
        }
        let output = egui.run_ui(input, |ui| {
            let Some(open) = &mut open else { return };
            let mut frame = Frame {
                state: &mut self.ui,
                document: &open.document,
                view: &mut self.view,
                transport: &mut self.transport,
                commands: &mut commands,
            };
            let areas = layout::controls_ui(ui, &mut frame);
            follow(open, &before, frame.view);
            posing::pose(&open.document.model, frame.view, frame.transport.time(), &mut open.posed);
            let size = areas.viewport.size();
            let aspect = f64::from((size.x / size.y.max(1.0)).max(0.01));
            let mut frame = Frame { document: &open.document, ..frame };
            let camera = eye::camera(&open.document.model, frame.view, &open.posed, &open.document.bounds, aspect);
            layout::readouts_ui(ui, &mut frame, &areas, &open.posed, &camera);
            drawn = Some((areas.viewport, camera));
        });

        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min().unwrap_or(Duration::MAX);
        if shell.has_size() && !self.occluded {
            let pixels_per_point = output.pixels_per_point;
            let palette = theme_palette(&egui);
            shell.present(output, |renderer, gpu, encoder, target| {
                if let (Some(open), Some((viewport, camera))) = (&open, &drawn) {
                    let viewport = pixels(*viewport, pixels_per_point);
                    picture::draw(renderer, gpu, encoder, target, viewport, open, camera);
                }
            });
        } else {
            shell.skip(output);
        }
        let _ = (camera_anchor::<()>, Repeat::Loop, DVec3::ZERO, ViewCamera::Fit);
        self.open = open;
        self.shell = Some(shell);
        self.pacing.ask(now, repaint);
    }
}
