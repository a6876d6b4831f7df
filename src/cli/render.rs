//! `sinew render`: a picture or a clip of a file, without a window. The file is read while the graphics driver starts.

use std::f64::consts::TAU;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use glam::{DQuat, DVec3};

use crate::animation::compiled::model::CompiledModel;
use crate::asset::file::panorama::Panorama;
use crate::asset::image::ImageSource;
use crate::asset::{self, Loaded};
use crate::camera::{self, Bounds, Camera, Projection};
use crate::export::png;
use crate::export::still::{self, StillOptions};
use crate::model::Model;
use crate::render::annotations::line::Theme;
use crate::render::device::gpu::Gpu;
use crate::render::environment::EnvironmentLight;
use crate::render::environment::map::LightMap;
use crate::render::material::images;
use crate::render::model::GpuModel;
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::pose::{crowd, geometry_mask};
use crate::session::view::View;
use crate::session::view::display::{Display, JointNames, Lighting, Shadow, Weights};
use crate::session::view::selector::{self, Selector};

use super::args::{Overlay, RenderArgs};
use super::values::{Rgb, Size, Triple};
use super::{about, clip, output, view, wrong_usage};

/// Pictures higher than a usual screen get wider lines and larger names.
const FULL_SIZE: f32 = 1080.0;

pub fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let (start, process) = (Instant::now(), process_age());
    let target = output::clip(args).unwrap_or_else(|message| wrong_usage(message));
    let other_format = args.output.extension().is_some_and(|extension| !extension.eq_ignore_ascii_case("png"));
    if other_format && target.is_none() {
        bail!("{}: pictures are written as PNG, clips as PNG, GIF, MP4 or WebM; give a name that ends so", args.output.display());
    }
    let state = view::read(args.state.as_deref())?;
    let mut timings = Timings::new();

    let (gpu, Loaded { model, images, .. }) = start_and_load(args, &mut timings)?;
    // What every picture needs is made while the model is uploaded.
    let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, args.msaa);
    for finding in model.findings.iter().filter(|finding| finding.code == "IMAGE_LIMIT_EXCEEDED") {
        eprintln!("warning: {}", finding.message);
    }
    let view = view_of(args, state, &model).map_err(about(&args.file))?;

    for (overlay, name) in [(Overlay::Outline, "outline"), (Overlay::Trail, "trail")] {
        if args.overlay.contains(&overlay) && view.selection.is_empty() {
            eprintln!("note: no {name}: nothing is selected (--select, or a view that --state reads, says what is)");
        }
    }

    let (mut document, analyses, gpu_model, environment) = measure_and_upload(args, &view, &gpu, (model, images), &mut timings)?;
    // Edges, and what joints carry, are found among the triangles when they are drawn.
    if !view.display.wireframe && !geometry_mask::is_switched(&view.switches) {
        document.release_geometry();
    }

    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let options = still_options(args, subject);
    if let Some(map) = environment {
        if view.display.shadow == Shadow::On && map.key.is_none() {
            eprintln!("note: no shadow: the environment has no sun that is clear and high enough to cast one");
        }
        renderer.set_environment(EnvironmentLight::checked(&gpu, &map)?);
    }
    let drawing = (&gpu, &mut renderer, &gpu_model);
    match target {
        Some(target) => {
            let (written, drawn) = timed(|| clip::run(args, &target, drawing, subject, &options));
            timings.push(("clip", drawn));
            written?;
        }
        None => one(args, drawing, subject, &options, &mut timings)?,
    }

    if args.timings {
        timings.push(("all", start.elapsed()));
        for (what, time) in process.map(|time| ("process", time)).into_iter().chain(timings) {
            eprintln!("{what:11} {:8.1} ms", time.as_secs_f64() * 1000.0);
        }
    }
    Ok(())
}

/// A still picture, drawn and written.
fn one(
    args: &RenderArgs,
    (gpu, renderer, gpu_model): (&Gpu, &mut Renderer, &GpuModel),
    subject: Subject,
    options: &StillOptions,
    timings: &mut Timings,
) -> anyhow::Result<()> {
    let time = args.time.unwrap_or_default();
    let (picture, drawn) = timed(|| still::still(gpu, renderer, gpu_model, subject, time, options));
    timings.push(("pipelines", renderer.statistics.pipeline_wait));
    timings.push(("draw", drawn.saturating_sub(renderer.statistics.pipeline_wait)));
    let picture = picture?;
    if let Some(reason) = renderer.failure() {
        bail!("the graphics driver could not draw all of the picture: {reason}");
    }
    let (written, encoded) = timed(|| png::write_png(&picture, &args.output, true));
    timings.push(("encode", encoded));
    Ok(written?)
}

/// What took how long, in order.
type Timings = Vec<(&'static str, Duration)>;

/// Two of the three slow things at once; the third is drawing.
fn start_and_load(args: &RenderArgs, timings: &mut Timings) -> anyhow::Result<(Gpu, Loaded)> {
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| timed(|| asset::load(&args.file, &args.images.load_options())));
        let (gpu, adapter) = timed(Gpu::headless);
        timings.push(("adapter", adapter));
        let (loaded, read) = reading.join().map_err(|_| anyhow!("reading the file failed"))?;
        timings.push(("load", read));
        let loaded = loaded.map_err(about(&args.file))?;
        Ok((gpu?, loaded))
    })
}

/// The model is measured, and the environment read, while the device is given what it draws.
fn measure_and_upload(
    args: &RenderArgs,
    view: &View,
    gpu: &Gpu,
    (model, images): (Model, Vec<ImageSource>),
    timings: &mut Timings,
) -> anyhow::Result<(Document, Analyses, GpuModel, Option<LightMap>)> {
    let model = Arc::new(model);
    let (prepared, measured) = timed(|| prepared_for(&model, view));
    std::thread::scope(|scope| {
        let name = args.file.display().to_string();
        let measuring = scope.spawn(|| {
            timed(|| {
                let document = Document::with(prepared, model.clone(), name, Some(args.file.clone()));
                let analyses = Analyses::new(&document, view);
                (document, analyses)
            })
        });
        let lighting = view.display.environment.file.as_deref().filter(|_| view.display.lighting == Lighting::Studio);
        let lighting = lighting.map(|file| scope.spawn(move || timed(|| Panorama::read(file).map(|read| LightMap::from_panorama(&read)))));
        let (gpu_model, uploaded) = timed(|| upload(gpu, &model, images));
        timings.push(("upload", uploaded));
        let ((document, analyses), bounds) = measuring.join().map_err(|_| anyhow!("measuring the model failed"))?;
        timings.push(("bounds", bounds + measured));
        let environment = lighting.map(|lighting| lighting.join().map_err(|_| anyhow!("reading the environment failed"))).transpose()?;
        let environment = environment.map(|(map, read)| {
            timings.push(("environment", read));
            map
        });
        Ok((document, analyses, gpu_model.map_err(about(&args.file))?, environment.transpose()?))
    })
}

fn still_options(args: &RenderArgs, Subject { analyses, view, .. }: Subject) -> StillOptions {
    let Size(width, height) = args.size;
    let theme = Theme::DARK;
    let background = match (args.transparent, args.background) {
        (true, _) => Background::Transparent,
        (false, Some(Rgb(color))) => Background::Color(color),
        (false, None) => still::picture_background(&view.display, &theme),
    };
    StillOptions {
        width,
        height,
        supersample: args.supersample,
        background,
        overlays: true,
        theme,
        pixels_per_point: (height as f32 / FULL_SIZE).max(1.0),
        camera: explicit_camera(args, &analyses.crowd_bounds(view), 0.0),
    }
}

/// How long ago the process was started, to a hundredth of a second; where the system tells.
fn process_age() -> Option<Duration> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Counted behind the name, which may hold anything: the start is the twenty-second field.
    let started: f64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    let uptime: f64 = std::fs::read_to_string("/proc/uptime").ok()?.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64(uptime - started / TICKS_PER_SECOND).ok()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

/// The saved view, with the flags over it. Overlays are what `--overlay` says; without it and without a saved view, none.
fn view_of(args: &RenderArgs, state: View, model: &Model) -> anyhow::Result<View> {
    let mut view = state;
    view::apply(model, &mut view, args.scene, args.animation.as_ref(), args.camera.as_ref())?;
    view.repeat = args.repeat.unwrap_or(view.repeat);
    if let Some(span) = args.range {
        clip::set_range(model, &mut view, span)?;
    }
    if !args.select.is_empty() {
        view.selection = selected(args, model)?;
    }
    let display = &mut view.display;
    if args.state.is_none() {
        *display = Display { grid: false, shadow: Shadow::Off, ..Display::default() };
    }
    if !args.overlay.is_empty() {
        let wanted = |overlay| args.overlay.contains(&overlay);
        display.skeleton = wanted(Overlay::Skeleton);
        display.names = if wanted(Overlay::Names) { JointNames::All } else { JointNames::None };
        display.grid = wanted(Overlay::Grid);
        display.axes = wanted(Overlay::Axes);
        display.shadow = if wanted(Overlay::Shadow) { Shadow::On } else { Shadow::Off };
        display.wireframe = wanted(Overlay::Wireframe);
        display.outline = wanted(Overlay::Outline);
        display.xray = wanted(Overlay::Xray);
        display.trail.shown = wanted(Overlay::Trail);
        display.ghosts.shown = wanted(Overlay::Ghosts);
        display.path = wanted(Overlay::Path);
        display.contacts = wanted(Overlay::Contacts);
        display.weights = weights(display.weights, wanted(Overlay::Weights));
    }
    display.lighting = args.lighting.unwrap_or(display.lighting);
    display.environment.file = args.environment.clone().or(display.environment.file.take());
    display.tonemap = args.tonemap.unwrap_or(display.tonemap);
    display.shading = args.shading.unwrap_or(display.shading);
    display.exposure = args.exposure.unwrap_or(display.exposure);
    if let Some(selector) = args.variant.clone().or(display.variant.map(Selector::Index)) {
        display.variant = Some(view::noted(selector::variant(model, &selector)?, "variant"));
    }
    Ok(view)
}

/// By the file's own numbers, the last one active.
fn selected(args: &RenderArgs, model: &Model) -> anyhow::Result<Vec<usize>> {
    args.select.iter().map(|selector| Ok(view::noted(selector::node(model, selector)?, "node"))).collect()
}

/// Whose weights are shown: a saved view may want those of all joints.
fn weights(saved: Weights, wanted: bool) -> Weights {
    match saved {
        _ if !wanted => Weights::Off,
        Weights::Off => Weights::Selection,
        saved => saved,
    }
}

/// `--eye`, `--target`, `--up`, `--yfov`; `turn` of the way around, from 0 to 1.
pub(super) fn explicit_camera(args: &RenderArgs, bounds: &Bounds, turn: f64) -> Option<Camera> {
    let (Triple(eye), Triple(target), yfov) = (args.eye?, args.target?, args.yfov?);
    let up = args.up.map_or(DVec3::Y, |Triple(up)| up);
    let axis = up.try_normalize().unwrap_or(DVec3::Y);
    let eye = target + DQuat::from_axis_angle(axis, turn * TAU) * (eye - target);
    let znear = camera::near(eye, target, bounds);
    let projection = Projection::Perspective { yfov: yfov.to_radians(), aspect_ratio: None };
    Some(Camera::look_at(eye, target, up, projection, znear))
}

/// A picture of one model takes a few hundred poses at most: compiling its animations would take longer.
fn prepared_for(model: &Model, view: &View) -> CompiledModel {
    if crowd::count(view) > 1 { CompiledModel::new(model) } else { CompiledModel::uncompiled(model) }
}

/// Geometry goes to the device while the images are decoded.
pub(super) fn upload(gpu: &Gpu, model: &Model, images: Vec<ImageSource>) -> anyhow::Result<GpuModel> {
    let (sender, receiver) = mpsc::sync_channel(2);
    let holds = gpu.holds();
    std::thread::scope(|scope| {
        scope.spawn(move || images::prepare(model, images, holds, |index, image| sender.send((index, image)).is_ok()));
        let mut gpu_model = GpuModel::new(gpu, model).context("cannot upload the model")?;
        for (index, image) in receiver {
            if let Err(error) = gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string())) {
                eprintln!("warning: /images/{index}: {error}; a checker stands in where it is a colour");
            }
            gpu.settle();
        }
        Ok(gpu_model)
    })
}
