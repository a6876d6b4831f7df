//! Draws the open document into the viewport, with the panels over it: collects the renderer's input from the document, the pose and the
//! view. It changes none of these. It only updates the data that decide the quality and the ghosts of the next picture.

use std::sync::{PoisonError, RwLockReadGuard};
use std::time::{Duration, Instant};

use glam::DVec2;

use crate::camera::Camera;
use crate::colors::Colors;
use crate::export::picture::compared::{Compared, ComparisonParts, PosedOther};
use crate::export::picture::{Overlays, PictureContent, ShownDocument};
use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::annotations::onion_skin;
use crate::render::device::gpu::Gpu;
use crate::render::light::shadow_fit;
use crate::render::model::GpuModel;
use crate::render::picture::{Picture, Viewport};
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::camera::screen::ScreenProjection;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::session::view::display::Shadow;
use crate::session::view::playback_range;
use crate::ui::style::theme;
use crate::ui::viewport::pick_query::PickQueries;
use crate::units::Units;

use crate::app::comparison::open_comparison::{OpenComparison, shown_analyses};
use crate::app::documents::open_document::OpenDocument;
use crate::app::window::{AppWindow, SAMPLES};
use crate::app::workers::pictures::simplified_meshes;

use super::gpu_pick;
use super::moving_picture::{Conditions, Drawing, MovingPicture};
use super::progressive_ghosts::GhostDrawing;
use super::quality::{Omissions, Quality};
use super::stillness::FrameState;

/// The input of a frame, besides the open document.
pub struct FramePicture<'a> {
    pub view: &'a View,
    /// Rectangle of the viewport, in points. If two models are side by side, it is the half of A.
    pub viewport: egui::Rect,
    /// The half of B, equally large. `None` unless two models are side by side.
    pub other_viewport: Option<egui::Rect>,
    /// The comparison of the open document, if there is one.
    pub comparison: Option<&'a OpenComparison>,
    /// The units of legends.
    pub units: Units,
    pub camera: Camera,
    /// The query of the panels for the vertex under the pointer.
    pub picks: &'a PickQueries,
    /// Whether the user allows a lower quality for moving pictures.
    pub may_lower_quality: bool,
    /// When the frame started.
    pub now: Instant,
}

/// A picture whose quality is decided, ready to be recorded.
struct ReadyPicture<'a> {
    picture: &'a Picture<'a>,
    /// The body, the model that it is compared with, then the ghosts of the body, the nearest in time first.
    actors: &'a [Actor<'a>],
    drawing: Drawing,
    conditions: Conditions,
    /// Left, top, width and height of the viewport, in pixels.
    rect: [u32; 4],
    /// `None` unless two models are side by side.
    other: Option<HalfOfOther<'a>>,
}

/// The half of B beside that of A.
#[derive(Clone, Copy)]
struct HalfOfOther<'a> {
    /// As large as the half of A.
    rect: [u32; 4],
    gpu_model: &'a GpuModel,
    /// The analyses of A, with the bounds of both models.
    common: &'a Analyses,
}

/// Draws the picture into its viewport and egui's shapes over it, and presents both. Returns the CPU time spent.
pub fn draw(window: &mut AppWindow, open: &mut OpenDocument, frame: &FramePicture, shapes: egui::FullOutput) -> Duration {
    let &FramePicture { view, viewport, picks, now, .. } = frame;
    let (pixels_per_point, theme) = (shapes.pixels_per_point, theme::picture_colors(&window.egui));
    let OpenDocument { document, analyses, gpu_model, pose, moving, simplifying, progress, .. } = open;
    let analyses = &*shown_analyses(analyses, frame.comparison);
    let locked_model = gpu_model.read().unwrap_or_else(PoisonError::into_inner);
    let other_model = frame.other_gpu_model();
    let compared = frame.comparison_parts(&document.model, &pose.posed, other_model.as_deref(), theme);
    let shown = ShownDocument { subject: Subject { document, analyses, view }, pose, gpu_model: &locked_model };
    let content = PictureContent::new(shown, frame.projection(), theme, Overlays::Known, &compared);
    let (rect, other_rect) = frame.halves_in_pixels(pixels_per_point, window.size_in_pixels());
    let (mut picture, actors) = (content.picture([rect[2], rect[3]], pixels_per_point), content.actors());
    let conditions = frame.conditions(&window.gpu, &picture, &actors);
    let state = || {
        // Time passes even if nothing moves.
        let moment = pose.moment;
        let moves = moment.fade.is_some() || playback_range::moves(&document.model, view);
        FrameState { view, moment: moves.then_some(moment), viewport, picture: &picture, actors: &actors }
    };
    let drawing = moving.next_drawing(conditions, state, || !shadow_fit::is_fast_in_software(&actors), now);
    lower_quality(&mut picture, drawing.quality, conditions.omissions);
    if moving.starts_simplification(conditions) {
        *simplifying = simplified_meshes::start(window.gpu.clone(), document.model.clone(), gpu_model.clone(), progress.clone());
    }
    let half = |(rect, gpu_model)| HalfOfOther { rect, gpu_model, common: analyses };
    let other = other_rect.zip(other_model.as_deref()).map(half);
    let ready = ReadyPicture { picture: &picture, actors: &actors, drawing, conditions, rect, other };
    let draw_time = present(window, moving, frame, &ready, shapes);
    gpu_pick::start(picks, window, &picture, &actors);
    draw_time
}

/// Leaves out of the picture what its quality does not include.
fn lower_quality(picture: &mut Picture, quality: Quality, omissions: Omissions) {
    (picture.resolution, picture.is_simplified) = (quality.resolution(), quality.is_simplified() && omissions.meshes);
    if omissions.shadow && !quality.has_shadow() {
        picture.options.shadow = Shadow::Off;
    }
}

/// Draws a picture and egui's shapes, and presents both. Returns the CPU time spent.
fn present(
    window: &mut AppWindow,
    moving: &mut MovingPicture,
    frame: &FramePicture,
    ready: &ReadyPicture,
    shapes: egui::FullOutput,
) -> Duration {
    let &ReadyPicture { picture, actors, drawing, conditions: Conditions { max_ghosts, .. }, rect, other } = ready;
    let areas: Vec<_> = std::iter::once(rect).chain(other.map(|other| other.rect)).collect();
    let mut is_drawn = false;
    let draw_time = window.present(shapes, &areas, |renderer, gpu, encoder, target| {
        renderer.samples = drawing.quality.samples(SAMPLES);
        let viewport = Viewport { target, rect };
        is_drawn = true;
        // Only the panels have changed.
        if drawing.repeats && renderer.repeat(gpu, encoder, &viewport, picture) {
            return;
        }
        if let Some(other) = other {
            frame.draw_other(renderer, gpu, &Viewport { target, rect: other.rect }, ready, other);
        }
        match drawing.ghosts {
            GhostDrawing::AtOnce => renderer.draw(gpu, encoder, &viewport, picture, actors),
            GhostDrawing::Nearest(ghosts) => renderer.draw(gpu, encoder, &viewport, picture, &actors[..=ghosts]),
            GhostDrawing::InChunks if !renderer.can_continue(&viewport, picture) => {
                renderer.draw(gpu, encoder, &viewport, picture, &actors[..=max_ghosts]);
                moving.ghosts.chunk_drawn(false, renderer.is_outdated);
            }
            GhostDrawing::InChunks => {
                let is_complete = renderer.draw_progressively(gpu, encoder, &viewport, picture, actors);
                moving.ghosts.chunk_drawn(is_complete, renderer.is_outdated);
            }
        }
    });
    moving.drawn(is_drawn, window.renderer.is_outdated);
    draw_time
}

impl FramePicture<'_> {
    /// The conditions for drawing the picture with these actors, of which the first is the body.
    fn conditions(&self, gpu: &Gpu, picture: &Picture, actors: &[Actor]) -> Conditions {
        let is_comparison = self.comparison.is_some();
        Conditions {
            ghosts: actors.len() - 1,
            max_ghosts: onion_skin::count_while_moving(gpu, &actors[1..]),
            is_hardware: gpu.is_hardware(),
            may_lower_quality: self.may_lower_quality,
            omissions: Omissions {
                shadow: picture.options.shadow == Shadow::Automatic && shadow_fit::is_wanted(gpu, &picture.options, actors),
                // The other model of a comparison is not simplified, and the same parts of both must look the same.
                meshes: actors[0].gpu.simplified().is_some() && !is_comparison,
            },
            is_comparison,
        }
    }

    /// The rectangles of the viewport and of the half of B, in pixels of the window: left, top, width and height.
    fn halves_in_pixels(&self, pixels_per_point: f32, window_size: [u32; 2]) -> ([u32; 4], Option<[u32; 4]>) {
        let rect = viewport_in_pixels(self.viewport, pixels_per_point, window_size);
        let other_rect = self.other_viewport.map(|other| {
            let [left, top, ..] = viewport_in_pixels(other, pixels_per_point, window_size);
            [left.min(window_size[0].saturating_sub(rect[2])), top, rect[2], rect[3]]
        });
        (rect, other_rect)
    }

    /// The model of B on the device. `None` without a comparison, or before its first result.
    fn other_gpu_model(&self) -> Option<RwLockReadGuard<'_, GpuModel>> {
        let comparison = self.comparison?;
        comparison.status.is_shown.then(|| comparison.other.gpu_model.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The camera, and the size of the viewport in points.
    fn projection(&self) -> ScreenProjection {
        ScreenProjection { camera: self.camera, size: DVec2::new(self.viewport.width().into(), self.viewport.height().into()) }
    }

    /// The parts that the comparison adds to the picture of A. `model` and `posed` belong to A.
    fn comparison_parts<'a>(&'a self, model: &'a Model, posed: &Posed, other: Option<&'a GpuModel>, theme: &Colors) -> ComparisonParts<'a> {
        let Some((comparison, gpu_model)) = self.comparison.zip(other) else { return ComparisonParts::default() };
        let status = &comparison.status;
        let Some(found) = &status.found else { return ComparisonParts::default() };
        let compared = Compared {
            subject: comparison.subject(),
            model,
            comparison: found,
            time_map: found.time_map,
            max_distance: found.largest_distance(),
            layout: status.choices.layout,
            side_names: &status.side_names,
            units: self.units,
        };
        let other = PosedOther { posed: &comparison.pose.posed, gpu_model };
        compared.parts(posed, other, comparison.heats(), theme)
    }

    /// Draws B into its half, with the quality of the picture of A. Both halves use the same buffers, so the commands for B are submitted
    /// before the buffers are filled for A. A must come last, because picking uses its buffers.
    fn draw_other(&self, renderer: &mut Renderer, gpu: &Gpu, viewport: &Viewport, ready: &ReadyPicture, half: HalfOfOther) {
        let Some(comparison) = self.comparison else { return };
        let subject = comparison.subject();
        let subject = Subject { analyses: &subject.analyses.widened(half.common), ..subject };
        let shown = ShownDocument { subject, pose: &comparison.pose, gpu_model: half.gpu_model };
        let (parts, Picture { theme, pixels_per_point, .. }) = (ComparisonParts::default(), *ready.picture);
        let content = PictureContent::new(shown, self.projection(), theme, Overlays::Known, &parts);
        let mut picture = content.picture([half.rect[2], half.rect[3]], pixels_per_point);
        lower_quality(&mut picture, ready.drawing.quality, ready.conditions.omissions);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("half of B") });
        renderer.draw(gpu, &mut encoder, viewport, &picture, &content.actors());
        gpu.queue.submit([encoder.finish()]);
    }
}

/// Converts a rectangle in points to left, top, width and height in whole pixels, clipped to the window.
fn viewport_in_pixels(rect: egui::Rect, pixels_per_point: f32, [window_width, window_height]: [u32; 2]) -> [u32; 4] {
    let pixel = |points: f32, limit: u32| ((points * pixels_per_point).round().max(0.0) as u32).min(limit);
    let (left, top) = (pixel(rect.left(), window_width), pixel(rect.top(), window_height));
    let (right, bottom) = (pixel(rect.right(), window_width), pixel(rect.bottom(), window_height));
    [left, top, right.saturating_sub(left), bottom.saturating_sub(top)]
}
