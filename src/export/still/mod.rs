//! Draws a still picture: poses the document, draws it in tiles, reads them back, and paints names and legends over them. Screenshots,
//! clips and `sinew render` use it. A picture can compare the document with another one ([`compared`]).

mod allocation;
mod captions;
pub mod compared;
pub mod options;
pub mod sheet;
pub mod tiles;

use std::sync::Arc;

use glam::DVec2;
use image::RgbaImage;

use crate::camera::{Camera, Orbit};
use crate::captions::legends::{self, Legends, frame};
use crate::compare::counterpart::{self, CompareView};
use crate::compare::heat::PosePair;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::render::picture::{Background, Picture, Resolution};
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::camera::screen::ScreenProjection;
use crate::session::camera::view_camera;
use crate::session::document::Document;
use crate::session::motion::sampled::SampledMotion;
use crate::session::pose::crowd;
use crate::session::pose::posed_document::PosedDocument;
use crate::session::time::moment::Moment;
use crate::session::view::display::JointNames;

use super::error::ExportError;
use super::formats::encoder::ExportProgress;
use super::picture::compared::{Compared, ComparisonParts, PosedOther};
use super::picture::{Overlays, PictureContent, ShownDocument};

use allocation::empty_picture;
use captions::{CaptionPainter, Captions};
use options::StillOptions;
use tiles::{draw_tiles, tile_size};

/// The uploaded models of a still.
#[derive(Clone, Copy)]
pub struct UploadedModels<'m> {
    pub model: &'m GpuModel,
    /// The model of B. `None` without a comparison, or if A and B are the same model.
    pub other: Option<&'m GpuModel>,
}

impl<'m> From<&'m GpuModel> for UploadedModels<'m> {
    fn from(model: &'m GpuModel) -> Self {
        Self { model, other: None }
    }
}

/// The other model of a comparison.
struct OtherStills<'a> {
    compared: Compared<'a>,
    /// The analyses of the other model, with the bounds of both, so that both models have the same ground, shadow and crowd.
    analyses: Analyses,
    buffers: Buffers<'a>,
}

/// Draws stills one after another. Buffers and the painter of names are created once.
pub struct Stills<'a> {
    gpu: &'a Gpu,
    renderer: &'a mut Renderer,
    subject: Subject<'a>,
    buffers: Buffers<'a>,
    compared: Option<OtherStills<'a>>,
    /// An orbit that replaces the view's camera. It moves with the node that the view follows.
    pub orbit: Option<Orbit>,
    /// A title at the top of each still. It replaces the title of a comparison.
    pub title: Option<String>,
    /// Height of the band above each still that holds the titles, in pixels. 0 paints the titles over the still.
    pub title_band: u32,
    /// A text in the middle of each still.
    pub note: Option<String>,
    /// Counts the tiles of each still, and cancels it.
    pub progress: Option<&'a ExportProgress>,
}

impl<'a> Stills<'a> {
    /// Prepares to draw stills of a subject.
    pub fn new(gpu: &'a Gpu, renderer: &'a mut Renderer, subject: Subject<'a>) -> Self {
        Self {
            gpu,
            renderer,
            subject,
            buffers: Buffers::new(subject),
            compared: None,
            orbit: None,
            title: None,
            title_band: 0,
            note: None,
            progress: None,
        }
    }

    /// Compares the subject with another model in each still. The bounds of the subject must include that model
    /// ([`Analyses::widened`]).
    pub fn compare_with(&mut self, compared: Compared<'a>) {
        let documents = [self.subject.document, compared.subject.document];
        self.buffers.documents = documents.to_vec();
        let buffers = Buffers { documents: documents.to_vec(), ..Buffers::new(compared.subject) };
        self.compared = Some(OtherStills { compared, analyses: compared.subject.analyses.widened(self.subject.analyses), buffers });
    }

    /// Draws a still of the subject or, after [`Self::compare_with`], of the comparison. The title band is added to the height in
    /// `options`. Returns an error if a part of the still could not be drawn, or if it is canceled.
    pub fn draw<'m>(
        &mut self,
        models: impl Into<UploadedModels<'m>>,
        moment: Moment,
        options: &StillOptions,
    ) -> Result<RgbaImage, ExportError> {
        let picture = self.draw_parts(models.into(), moment, options)?;
        // The renderer leaves out what it has no pipeline for.
        self.renderer.failure().map_or(Ok(picture), |reason| Err(ExportError::Draw(reason.to_owned())))
    }

    /// Draws the still without the parts whose pipelines cannot be compiled.
    fn draw_parts(&mut self, models: UploadedModels, moment: Moment, options: &StillOptions) -> Result<RgbaImage, ExportError> {
        let &mut Self { gpu, subject, title_band, progress, .. } = self;
        let note = self.note.as_deref();
        let scene = Scene { gpu, subject, gpu_model: models.model, moment, options, title_band, note, progress };
        self.buffers.pose(&scene)?;
        let Some(OtherStills { compared, analyses, buffers }) = &mut self.compared else {
            let camera = self.buffers.camera(&scene, self.orbit, options.width);
            let parts = self.title.clone().map_or_else(ComparisonParts::default, ComparisonParts::from_title);
            return self.buffers.draw(self.renderer, &scene, camera, &parts);
        };
        let other_moment = counterpart::moment(&moment, &compared.time_map);
        let other_model = models.other.unwrap_or(models.model);
        let other = Scene { subject: Subject { analyses, ..compared.subject }, gpu_model: other_model, moment: other_moment, ..scene };
        buffers.pose(&other)?;
        if compared.layout == CompareView::Side {
            let half = StillOptions { width: compared.layout.part_width(options.width), ..options.clone() };
            let camera = self.buffers.camera(&scene, self.orbit, half.width);
            let [title_a, title_b] = compared.titles();
            let title_a = ComparisonParts::from_title(self.title.clone().unwrap_or(title_a));
            let title_b = ComparisonParts::from_title(title_b);
            let left = self.buffers.draw(self.renderer, &Scene { options: &half, ..scene }, camera, &title_a)?;
            let right = buffers.draw(self.renderer, &Scene { options: &half, ..other }, camera, &title_b)?;
            return compared::side_by_side(&left, &right, options.width, &options.theme);
        }
        let camera = self.buffers.camera(&scene, self.orbit, options.width);
        let (posed, other) = (&self.buffers.pose.posed, PosedOther { posed: &buffers.pose.posed, gpu_model: other_model });
        let heats = compared.heats(PosePair { a: posed, b: other.posed });
        let mut parts = compared.parts(posed, other, heats, &options.theme);
        if let (Some(title), Some(legend)) = (&self.title, &mut parts.legend) {
            legend.title.clone_from(title);
        }
        self.buffers.draw(self.renderer, &scene, camera, &parts)
    }
}

/// The aspect ratio of a picture of this width and height or, if two models are compared side by side, of each half.
pub fn aspect([width, height]: [u32; 2], compared: Option<CompareView>) -> f64 {
    f64::from(compared.map_or(width, |layout| layout.part_width(width))) / f64::from(height)
}

/// A model at a moment, with the options of its picture.
#[derive(Clone, Copy)]
struct Scene<'a> {
    gpu: &'a Gpu,
    subject: Subject<'a>,
    gpu_model: &'a GpuModel,
    moment: Moment,
    options: &'a StillOptions,
    /// See [`Stills::title_band`].
    title_band: u32,
    /// See [`Stills::note`].
    note: Option<&'a str>,
    /// See [`Stills::progress`].
    progress: Option<&'a ExportProgress>,
}

/// The buffers for stills of one model. Successive stills reuse their memory.
struct Buffers<'a> {
    /// The painter of names and legends, created on first use.
    names: Option<CaptionPainter>,
    /// The documents whose names may appear in the stills.
    documents: Vec<&'a Document>,
    /// The pose of the last still.
    pose: PosedDocument,
}

impl<'a> Buffers<'a> {
    /// Empty buffers for this subject.
    fn new(subject: Subject<'a>) -> Self {
        Self { names: None, documents: vec![subject.document], pose: PosedDocument::new(subject.document) }
    }

    /// Draws the posed model with lines and ghosts, and paints names and legends over it.
    fn draw(&mut self, renderer: &mut Renderer, scene: &Scene, camera: Camera, parts: &ComparisonParts) -> Result<RgbaImage, ExportError> {
        let options = scene.options;
        let [width, height] = [options.width, options.height];
        let whole_height = height.saturating_add(scene.title_band);
        let mut rgba = empty_picture(width, whole_height)?;
        let (band, picture) = rgba.split_at_mut(width as usize * scene.title_band as usize * 4);
        fill_band(band, options);
        let points = |pixels: u32| f64::from(pixels) / f64::from(options.pixels_per_point);
        let projection = ScreenProjection { camera, size: DVec2::new(points(width), points(height)) };
        let input = PictureInput { scene, projection, parts };
        let motion = self.draw_scene(renderer, &input, picture)?;
        if options.overlays || parts.legend.is_some() {
            self.paint_annotations(&input, motion.as_deref(), &mut rgba)?;
        }
        Ok(rgba)
    }

    /// Poses the model, its crowd and its ghosts. Returns an error if the crowd does not fit into memory.
    fn pose(&mut self, scene: &Scene) -> Result<(), ExportError> {
        let &Scene { gpu, subject: Subject { document, analyses, view }, moment, options, .. } = scene;
        let (count, capacity) = (crowd::count(view), crowd::capacity(&document.model, gpu.device.limits().max_buffer_size) as usize);
        if count > capacity {
            return Err(ExportError::Crowd { count, capacity });
        }
        self.pose.pose(document, view, moment, analyses.find_roots(document, view, &moment), &analyses.bounds);
        if options.overlays {
            self.pose.pose_ghosts(document, view);
        }
        Ok(())
    }

    /// Returns the camera of the options. If they have none, returns the camera of the orbit, or of the view if there is no orbit. `width`
    /// is the width of the picture, in pixels.
    fn camera(&self, scene: &Scene, orbit: Option<Orbit>, width: u32) -> Camera {
        let (Subject { document, analyses, view }, posed) = (scene.subject, &self.pose.posed);
        let aspect = f64::from(width) / f64::from(scene.options.height);
        let orbit = orbit.map(|orbit| view_camera::following(document, view, posed, &orbit).camera(&analyses.crowd_bounds(view)));
        scene.options.camera.or(orbit).unwrap_or_else(|| view_camera::camera(scene.subject, posed, aspect))
    }

    /// Draws the model with lines and ghosts into `rgba`. Returns the sampled motion of the trail, which its legend needs.
    fn draw_scene(
        &self,
        renderer: &mut Renderer,
        input: &PictureInput,
        rgba: &mut [u8],
    ) -> Result<Option<Arc<SampledMotion>>, ExportError> {
        let &PictureInput { scene, projection, parts } = input;
        let &Scene { gpu, subject, gpu_model, options, progress, .. } = scene;
        let shown = ShownDocument { subject, pose: &self.pose, gpu_model };
        let overlays = if options.overlays { Overlays::All } else { Overlays::Off };
        let content = PictureContent::new(shown, projection, &options.theme, overlays, parts);
        let picture = Picture {
            resolution: Resolution::Supersampled(options.supersample),
            background: options.background,
            ..content.picture([options.width, options.height], options.pixels_per_point)
        };
        let vertex_count = gpu_model.vertex_count().saturating_mul(self.pose.crowd.count());
        let tile = tile_size(gpu, picture.resolution.texels(options.width), vertex_count);
        draw_tiles(gpu, renderer, picture, &content.actors(), rgba, tile, progress)?;
        Ok(content.annotations.motion)
    }

    /// Paints joint names and the legends of trail, onion skin and heat map over the picture, if the view shows them, and the legend of the
    /// comparison over the picture or into the band above it.
    fn paint_annotations(&mut self, input: &PictureInput, motion: Option<&SampledMotion>, rgba: &mut [u8]) -> Result<(), ExportError> {
        let &PictureInput { scene, projection, parts } = input;
        let &Scene { gpu, subject: Subject { document, view, .. }, moment, options, title_band, .. } = scene;
        let band_height = title_band as f32 / options.pixels_per_point;
        let whole_size = projection.size + DVec2::new(0.0, f64::from(band_height));
        let legends = Legends {
            heat_map: legends::heat_map::Legend::new(document, view, projection.size, options.names)
                .filter(|_| parts.tints.is_none() && options.overlays),
            onion_skin: legends::onion_skin::Legend::new(document, view, &moment, projection.size).filter(|_| options.overlays),
            motion_trail: motion.and_then(|motion| legends::motion_trail::Legend::new(document, view, motion, &projection, options.units)),
            comparison: parts.legend.clone().map(|legend| if frame::fits(whole_size) { legend } else { legend.only_title() }),
            note: scene.note.map(str::to_owned),
        };
        if (view.display.names == JointNames::None || !options.overlays) && legends.is_empty() {
            return Ok(());
        }
        let captions = Captions {
            document,
            view,
            posed: &self.pose.posed,
            camera: &projection.camera,
            colors: &options.theme,
            style: options.names,
            pixels_per_point: options.pixels_per_point,
            legends: &legends,
            band_height,
        };
        let painter = self.names.get_or_insert_with(|| CaptionPainter::new(gpu, &self.documents));
        captions::paint_over(gpu, painter, &captions, [options.width, options.height + title_band], rgba)?;
        Ok(())
    }
}

/// The input of one picture.
struct PictureInput<'a> {
    scene: &'a Scene<'a>,
    /// The camera, and the picture's size in points.
    projection: ScreenProjection,
    /// The parts that a comparison adds to the picture.
    parts: &'a ComparisonParts<'a>,
}

/// Fills a band with the background color of the picture below it. Below a band, an environment has the background color of the theme.
fn fill_band(band: &mut [u8], options: &StillOptions) {
    let fill = match options.background {
        Background::Color([red, green, blue]) => [red, green, blue, 255],
        Background::Transparent => [0; 4],
        Background::Environment => {
            let [red, green, blue] = options.theme.background;
            [red, green, blue, 255]
        }
    };
    band.as_chunks_mut::<4>().0.fill(fill);
}
