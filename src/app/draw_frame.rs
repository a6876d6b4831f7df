//! The picture of what is open in its viewport, egui over it.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use glam::DVec2;

use crate::camera::Camera;
use crate::export::still;
use crate::render::actor::Actor;
use crate::render::annotations::line::Theme;
use crate::render::annotations::{Annotations, Seen, onion_skin};
use crate::render::light::punctual;
use crate::render::picture::{Picture, Tile, Viewport};
use crate::session::camera::screen::ScreenProjection;
use crate::session::inspect::heat_map;

use super::App;
use super::open_document::OpenDocument;
use super::progressive_ghosts::{Pace, Pictured};
use super::window::Shell;

impl App {
    /// Draws both; tells how long that took of the processor.
    pub(super) fn present(
        &self,
        shell: &mut Shell,
        open: &mut OpenDocument,
        output: egui::FullOutput,
        (viewport, camera): (egui::Rect, Camera),
        now: Instant,
    ) -> Duration {
        let pixels_per_point = output.pixels_per_point;
        let theme = picture_theme(&shell.egui);
        let (view, moment) = (&self.view, self.transport.moment());
        let (model, posed) = (&*open.document.model, &open.posed);
        let lights = punctual::placed_lights(model, &posed.lights, &posed.globals, &posed.shown);
        let sight = ScreenProjection { camera, size: DVec2::new(viewport.width().into(), viewport.height().into()) };
        let seen = Seen { document: &open.document, analyses: &open.analyses, view, posed, moment, theme, sight };
        let Annotations { skeleton, outlined, .. } = Annotations::new(&seen, false);
        let tints = heat_map::tints(&open.document, view);
        let gpu_model = open.gpu_model.read().unwrap_or_else(PoisonError::into_inner);
        let (crowd, visible) = (&open.crowd, &posed.shown);
        let (count, palettes, weights) = (crowd.count(), crowd.palettes(), crowd.weights());
        let (materials, tints, left, ghost) = (&posed.materials, &*tints, &posed.visible_indices, None);
        let body = Actor { model, gpu: &gpu_model, count, palettes, weights, materials, tints, left, visible, ghost, outlined: &outlined };
        let actors: Vec<_> = std::iter::once(body).chain(onion_skin::actors(model, &gpu_model, &open.ghosts, theme)).collect();
        let mut picture = Picture {
            camera: &camera,
            tile: Tile::whole([0, 0]),
            supersample: 1,
            anchor: posed.anchor,
            options: still::picture_options(&view.display),
            background: still::picture_background(&view.display, theme),
            lights: &lights,
            lines: &skeleton.lines,
            solids: &skeleton.solids,
            bounds: open.analyses.crowd_bounds(view),
            theme,
            pixels_per_point,
        };
        let pace = open.stillness.pace(
            [onion_skin::count_while_moving(&shell.gpu, &actors[1..]), actors.len() - 1],
            || Pictured::of(view, moment, viewport, &picture, &actors),
            now,
        );
        let took = shell.present(output, |renderer, gpu, encoder, target| {
            let rect = pixels(viewport, pixels_per_point, target.texture().size());
            picture.tile = Tile::whole([rect[2], rect[3]]);
            let viewport = Viewport { target, rect };
            match pace {
                Pace::AtOnce => renderer.draw(gpu, encoder, &viewport, &picture, &actors),
                Pace::Moving(ghosts) => renderer.draw(gpu, encoder, &viewport, &picture, &actors[..=ghosts]),
                Pace::InSteps => {
                    let is_whole = renderer.draw_progressively(gpu, encoder, &viewport, &picture, &actors);
                    open.stillness.stepped(is_whole, renderer.late);
                }
            }
        });
        self.ask_probe(shell, &picture, &actors);
        took
    }

    /// Where there are more ghosts, or less, the panels say so in another frame.
    pub(super) fn follow_ghosts(&mut self, open: &OpenDocument, now: Instant) {
        let before = std::mem::replace(&mut self.ui.status.ghosts_drawn, open.stillness.ghosts);
        let told = (before != open.stillness.ghosts).then_some(Duration::ZERO);
        for delay in open.stillness.again.into_iter().chain(told) {
            self.pacing.ask(now, delay);
        }
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
