//! Runs `sinew thumbnail`: draws a small picture for file managers, without a display and without settings.
//!
//! File managers run it on files that people only look at, so the size of the model and of its images is limited.

use std::sync::Arc;

use anyhow::anyhow;

use crate::animation::compiled::model::CompiledModel;
use crate::asset::{self, LoadOptions, Loaded};
use crate::camera::Orbit;
use crate::export::formats::png;
use crate::export::still::{self, StillOptions};
use crate::model::Model;
use crate::render::annotations::line::Theme;
use crate::render::device::gpu::Gpu;
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::bounds;
use crate::session::document::Document;
use crate::session::names::NameStyle;
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::{Display, Shadow};

use super::about;
use super::args::ThumbnailArgs;
use super::scene::upload;

/// Largest model, with all files that it refers to, in bytes.
const MAX_MODEL_BYTES: u64 = 256 << 20;
/// Limit for the decoded pixels of all images, in bytes. A small picture needs no large textures.
const MAX_IMAGE_BYTES: u64 = 32 << 20;
/// The time that the picture shows, as a fraction of the first animation. The start is often a T-pose.
const TIME_FRACTION: f64 = 1.0 / 3.0;

/// Draws and writes the thumbnail.
pub fn run(args: &ThumbnailArgs) -> anyhow::Result<()> {
    let options = LoadOptions { image_limit: Some(MAX_IMAGE_BYTES), byte_limit: Some(MAX_MODEL_BYTES), ..LoadOptions::default() };
    // The graphics driver starts while the file loads.
    let (loaded, gpu) = std::thread::scope(|scope| {
        let starting = scope.spawn(Gpu::headless);
        let loaded = asset::load(&args.file, &options);
        (loaded, starting.join())
    });
    let Loaded { model, images, .. } = loaded.map_err(about(&args.file))?;
    let gpu = gpu.map_err(|_| anyhow!("starting the graphics driver failed"))??;
    // The pipelines compile in the background while the model is uploaded.
    let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, 4);
    let model = Arc::new(model);
    let gpu_model = upload(&gpu, &model, images).map_err(about(&args.file))?;
    let (view, moment) = view_and_moment(&model);
    let name = args.file.display().to_string();
    let document = Document::with(CompiledModel::uncompiled(&model), model, name, Some(args.file.clone()));
    let analyses = Analyses::new(&document, &view);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let shown = bounds::moment_bounds(document.rig(), &view, moment, &document.mesh_bounds);
    let orbit = shown.fit(&Orbit::default(), 1.0);
    let options = StillOptions {
        width: args.size,
        height: args.size,
        supersample: 1,
        background: Background::Transparent,
        overlays: true,
        theme: Theme::DARK,
        names: NameStyle::Short,
        pixels_per_point: 1.0,
        camera: Some(orbit.camera(&analyses.crowd_bounds(&view))),
    };
    let picture = still::still(&gpu, &mut renderer, &gpu_model, subject, moment, &options)?;
    if let Some(reason) = renderer.failure() {
        return Err(anyhow!("the graphics driver could not draw the whole picture: {reason}"));
    }
    // tumbler makes the file, keeps it open, and reads the picture from it.
    Ok(png::write_png_in_place(&picture, &args.output)?)
}

/// The view of the model alone, and the moment that the picture shows.
pub fn view_and_moment(model: &Model) -> (View, Moment) {
    let display = Display { grid: false, shadow: Shadow::Off, ..Display::default() };
    let mut view = View { display, ..View::default() };
    let first = model.animations.first();
    view.choose_animation(first.map(|_| 0));
    (view, Moment::from(first.map_or(0.0, |animation| animation.duration * TIME_FRACTION)))
}
