//! Runs `sinew render`: draws a picture or a clip of a file, without a window. The file loads while the graphics driver starts.

mod chosen_view;
pub mod clip;
mod conflicts;
mod explicit_camera;
mod inputs;
mod notes;
pub mod output;
pub mod scene;
mod sheet;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::anyhow;

use crate::animation::compiled::model::CompiledModel;
use crate::asset::Loaded;
use crate::asset::file::panorama::Panorama;
use crate::asset::image::ImageSource;
use crate::colors;
use crate::export::clip::ClipTarget;
use crate::export::picture::picture_background;
use crate::export::still::Stills;
use crate::export::still::options::StillOptions;
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::environment::EnvironmentLight;
use crate::render::environment::map::EnvironmentMap;
use crate::render::model::GpuModel;
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::report::terminal;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::pose::{crowd, geometry_mask};
use crate::session::view::View;
use crate::session::view::display::{Lighting, Shadow};

use super::args::render::RenderArgs;
use super::args::values::{Rgb, SheetGrid, Size};
use super::upload::upload;
use super::{about, borrow, check_is_no_folder, messages, usage_error};

use chosen_view::chosen_view;
use explicit_camera::{check_direction, explicit_camera};
use scene::{RenderScene, UploadedComparison, uploaded};

/// Height of a picture, in pixels, above which lines and names grow in proportion.
pub(crate) const SCREEN_HEIGHT: f32 = 1080.0;

/// Runs the command. `started` is when the program started, for `--timings`.
pub fn run(args: &RenderArgs, started: Instant) -> anyhow::Result<()> {
    let start = Instant::now();
    // Report wrong usage before any slow work begins.
    let checks = [inputs::check_overwrites_no_input, check_direction, conflicts::check];
    checks.into_iter().try_for_each(|check| check(args)).unwrap_or_else(|message| usage_error("render", message));
    let target = output::clip(args);
    check_is_no_folder(&output::path(args))?;
    output::check_folder(args)?;
    let state = inputs::load_view(args)?;
    let mut timings = Timings::new();

    let (gpu, Loaded { model, images, .. }, failure) = start_and_load(args, &mut timings)?;
    // The pipelines compile in the background while the model is uploaded.
    let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, args.msaa);
    let (model, borrowing) = timed(|| inputs::load_animations(args).map(|files| borrow::with_animations(model, &files, &state)));
    let model = model?;
    if !args.borrowed.animations.is_empty() {
        timings.push(("animations", borrowing));
    }
    let view = chosen_view(args, state, &model).map_err(about(&args.file))?;
    notes::note_flags(args, &view)?;

    let file = ModelAndImages { model, images };
    let Prepared { mut document, mut analyses, gpu_model, environment } = measure_and_upload(args, &view, &gpu, file, &mut timings)?;
    let compared = args.compared.compare.as_deref().map(|file| UploadedComparison::load(args, file, &gpu, &document, &view)).transpose()?;
    if let Some(compared) = &compared {
        analyses = analyses.widened(&compared.model.analyses);
    }
    // Free the triangles unless they are needed: comparisons, wireframe and hidden or soloed geometry need them for drawing, and a sheet
    // needs them to measure each tile.
    let is_plain = !view.display.wireframe && !geometry_mask::is_switched(&view.switches);
    if is_plain && compared.is_none() && args.sheet.is_none() {
        document.release_geometry();
    }

    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    notes::note_content(args, subject);
    let options = still_options(args, subject);
    if let Some(map) = environment {
        if view.display.shadow == Shadow::On && map.key.is_none() {
            messages::note("no shadow: the environment has no sun that is bright and high enough to cast one");
        }
        renderer.set_environment(EnvironmentLight::checked(&gpu, &map)?);
    }
    let mut scene = RenderScene { gpu, renderer, gpu_model, document, analyses, view, compared, failure };
    write_output(args, target, &mut scene, &options, &mut timings)?;
    if args.timings {
        timings.push(("all", start.elapsed()));
        for (what, time) in std::iter::once(("process", start - started)).chain(timings) {
            terminal::print_message(format_args!("{what:11} {:8.1} ms", time.as_secs_f64() * 1000.0));
        }
    }
    Ok(())
}

/// Draws and writes the contact sheet, the clip or the still picture.
fn write_output(
    args: &RenderArgs,
    target: Option<ClipTarget>,
    scene: &mut RenderScene,
    options: &StillOptions,
    timings: &mut Timings,
) -> anyhow::Result<()> {
    let (name, (written, drawn)) = match target {
        _ if let Some(SheetGrid(grid)) = args.sheet => ("sheet", timed(|| sheet::run(args, grid, scene, options))),
        Some(target) => ("clip", timed(|| clip::run(args, &target, scene, options))),
        None => return write_still(args, scene, options, timings),
    };
    timings.push((name, drawn));
    written
}

/// Draws and writes a still picture.
fn write_still(args: &RenderArgs, scene: &mut RenderScene, options: &StillOptions, timings: &mut Timings) -> anyhow::Result<()> {
    let RenderScene { gpu, renderer, gpu_model, document, analyses, view, compared, .. } = scene;
    let subject = Subject { document, analyses, view };
    let time = args.time.unwrap_or_default();
    let (picture, drawn) = timed(|| {
        let mut stills = Stills::new(gpu, renderer, subject);
        if let Some(compared) = &*compared {
            stills.compare_with(compared.model.compared(&document.model, options.units));
        }
        stills.draw(uploaded(gpu_model, compared.as_ref()), time.into(), options)
    });
    timings.push(("pipelines", renderer.statistics.pipeline_wait));
    timings.push(("draw", drawn.saturating_sub(renderer.statistics.pipeline_wait)));
    let picture = picture?;
    let (written, encoded) = timed(|| output::write_picture(&picture, &output::path(args)));
    timings.push(("encode", encoded));
    written
}

/// Names and durations for `--timings`, in the order of printing.
type Timings = Vec<(&'static str, Duration)>;

/// Starts the graphics driver and loads the file at the same time, because both are slow. Among several files of a sheet, a broken file is
/// replaced by an empty one. Then also returns what is wrong with it.
fn start_and_load(args: &RenderArgs, timings: &mut Timings) -> anyhow::Result<(Gpu, Loaded, Option<String>)> {
    std::thread::scope(|scope| {
        let load = || match args.others[..] {
            [] => inputs::load_model(args, &args.file).map(|loaded| (loaded, None)),
            [..] => inputs::load_for_tile(args, &args.file),
        };
        let reading = scope.spawn(move || timed(load));
        let (gpu, adapter) = timed(Gpu::headless);
        timings.push(("adapter", adapter));
        let (loaded, read) = reading.join().map_err(|_| anyhow!("reading the file failed"))?;
        timings.push(("load", read));
        let (gpu, (loaded, failure)) = (gpu?, loaded?);
        Ok((gpu, loaded, failure))
    })
}

/// The contents of the file.
struct ModelAndImages {
    /// The decoded model.
    model: Model,
    /// Its images, still encoded.
    images: Vec<ImageSource>,
}

/// All that drawing needs besides the view.
struct Prepared {
    document: Document,
    analyses: Analyses,
    gpu_model: GpuModel,
    /// The panorama that lights the model, if there is one.
    environment: Option<EnvironmentMap>,
}

/// Measures the model and reads the environment while the model is uploaded.
fn measure_and_upload(args: &RenderArgs, view: &View, gpu: &Gpu, file: ModelAndImages, timings: &mut Timings) -> anyhow::Result<Prepared> {
    let ModelAndImages { model, images } = file;
    let model = Arc::new(model);
    let is_compared = args.compared.compare.is_some();
    let (compiled, compile_time) = timed(|| if is_compared { CompiledModel::new(&model) } else { compile_for(&model, view) });
    std::thread::scope(|scope| {
        let name = args.file.display().to_string();
        // Bounds, environment and upload are slow and independent of each other, so they run at the same time.
        let measuring = scope.spawn(|| {
            timed(|| {
                let document = Document::with_compiled(compiled, model.clone(), name, Some(args.file.clone()));
                let analyses = Analyses::new(&document, view);
                (document, analyses)
            })
        });
        let lighting = view.display.environment.file.as_deref().filter(|_| view.display.lighting == Lighting::Studio);
        let lighting =
            lighting.map(|file| scope.spawn(move || timed(|| Panorama::read(file).map(|read| EnvironmentMap::from_panorama(&read)))));
        let (gpu_model, uploaded) = timed(|| upload(gpu, &model, images));
        timings.push(("upload", uploaded));
        let ((document, analyses), bounds) = measuring.join().map_err(|_| anyhow!("measuring the model failed"))?;
        timings.push(("bounds", bounds + compile_time));
        let environment = lighting.map(|lighting| lighting.join().map_err(|_| anyhow!("reading the environment failed"))).transpose()?;
        let environment = environment.map(|(map, read)| {
            timings.push(("environment", read));
            map
        });
        Ok(Prepared { document, analyses, gpu_model: gpu_model.map_err(about(&args.file))?, environment: environment.transpose()? })
    })
}

/// The drawing options that the flags ask for.
fn still_options(args: &RenderArgs, Subject { analyses, view, .. }: Subject) -> StillOptions {
    let Size(width, height) = args.size;
    let background = match (args.transparent, args.background) {
        (true, _) => Background::Transparent,
        (false, Some(Rgb(color))) => Background::Color(color),
        (false, None) => picture_background(&view.display, &colors::DARK),
    };
    StillOptions {
        supersample: args.supersample,
        background,
        overlays: !args.hides_overlays(),
        pixels_per_point: (height as f32 / SCREEN_HEIGHT).max(1.0),
        camera: explicit_camera(args, &analyses.crowd_bounds(view), 0.0),
        ..StillOptions::new([width, height])
    }
}

/// Runs `work` and returns its result and duration.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

/// The compiled model for posing. A single model needs so few poses that compiling its animations would take longer than posing.
fn compile_for(model: &Model, view: &View) -> CompiledModel {
    if crowd::count(view) > 1 { CompiledModel::new(model) } else { CompiledModel::uncompiled(model) }
}
