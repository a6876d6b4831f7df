//! Runs `sinew render`: draws a picture or a clip of a file, without a window. The file loads while the graphics driver starts.

pub mod clip;
mod explicit_camera;
mod inputs;
pub mod output;
pub mod scene;
mod sheet;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use glam::DVec2;

use crate::animation::compiled::model::CompiledModel;
use crate::asset::Loaded;
use crate::asset::file::panorama::Panorama;
use crate::asset::image::ImageSource;
use crate::colors;
use crate::export::clip::ClipTarget;
use crate::export::still::Stills;
use crate::export::still::options::{StillOptions, picture_background};
use crate::model::Model;
use crate::numbers::agreeing;
use crate::render::device::gpu::Gpu;
use crate::render::environment::EnvironmentLight;
use crate::render::environment::map::LightMap;
use crate::render::model::GpuModel;
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::report::terminal;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::pose::{crowd, geometry_mask};
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::{Display, GhostSource, JointNames, Lighting, Shadow, Weights};
use crate::session::view::selector::{self, Selector};

use super::args::render::{Overlay, RenderArgs};
use super::args::values::{Rgb, SheetGrid, Size};
use super::upload::upload;
use super::{about, borrow, check_is_no_folder, messages, usage_error, view};

use explicit_camera::{check_direction, explicit_camera};
use scene::{RenderScene, UploadedComparison, uploaded};

/// Height of a picture, in pixels, above which lines and names grow in proportion.
pub(crate) const SCREEN_HEIGHT: f32 = 1080.0;

/// Runs the command. `started` is when the program started, for `--timings`.
pub fn run(args: &RenderArgs, started: Instant) -> anyhow::Result<()> {
    let start = Instant::now();
    // Report wrong usage before any slow work begins.
    inputs::check_overwrites_no_input(args).unwrap_or_else(|message| usage_error("render", message));
    check_direction(args).unwrap_or_else(|message| usage_error("render", message));
    let target = output::clip(args).unwrap_or_else(|message| usage_error("render", message));
    check_is_no_folder(&output::path(args))?;
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
    let view = make_view(args, state, &model).map_err(about(&args.file))?;
    note_missing_selection(args, &view);
    note_unused_times(args, &view);
    note_missing_animation(args, &view);
    note_unused_environment(args, &view)?;

    let (mut document, mut analyses, gpu_model, environment) =
        measure_and_upload(args, &view, &gpu, ModelAndImages { model, images }, &mut timings)?;
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
    note_nothing_to_draw(args, subject);
    note_missing_footprints(subject);
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

/// Notes overlays that need a selection if there is none.
fn note_missing_selection(args: &RenderArgs, view: &View) {
    // If nothing moves, [`note_missing_animation`] notes the trail.
    for (overlay, name, is_noted) in [(Overlay::Outline, "outline", false), (Overlay::Trail, "trail", is_still(args, view))] {
        if args.overlay.contains(&overlay) && view.selection.is_empty() && !is_noted {
            messages::note(format_args!("no {name}: nothing is selected; use --select, or --state with a view that has a selection"));
        }
    }
}

/// Returns whether nothing moves. The tiles of a sheet play animations by themselves.
fn is_still(args: &RenderArgs, view: &View) -> bool {
    view.animation.is_none() && view.layers.is_empty() && args.sheet.is_none()
}

/// Notes flags about time that have no effect.
fn note_unused_times(args: &RenderArgs, view: &View) {
    // The path and the footprints of an animation are shown in the bind pose, too.
    let shows_animation = args.sheet.is_some() || view.bind_pose && LocomotionCache::is_drawn(view);
    let flags = [("--range", args.range.is_some()), ("--time", args.time.is_some()), ("--repeat", args.repeat.is_some())];
    let (reason, flags) = match view::why_still(view).filter(|_| !shows_animation) {
        Some(reason) => (reason, &flags[..]),
        None if args.turntable.is_some() && view.animation.is_none() && !view.bind_pose => {
            ("layers over the rest pose have no end", &flags[..1])
        }
        None => return,
    };
    let unused: Vec<&str> = flags.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    if !unused.is_empty() {
        let have = agreeing(unused.len(), "has", "have");
        messages::note(format_args!("{} {have} no effect: {reason}; use --animation", unused.join(", ")));
    }
}

/// Notes overlays that show motion if nothing moves.
fn note_missing_animation(args: &RenderArgs, view: &View) {
    if !is_still(args, view) {
        return;
    }
    // The ghosts of a saved view may show the rest pose or the bind pose.
    let shows_times = view.display.ghosts.source == GhostSource::Times;
    let overlays = [
        (Overlay::Trail, "trail", true),
        (Overlay::Ghosts, "ghosts", shows_times),
        (Overlay::Path, "path", true),
        (Overlay::Contacts, "contacts", true),
    ];
    let missing = overlays.iter().filter(|(overlay, _, needs_motion)| *needs_motion && args.overlay.contains(overlay));
    let names: Vec<&str> = missing.map(|(_, name, _)| *name).collect();
    if !names.is_empty() {
        messages::note(format_args!("no {}: nothing moves; use --animation", names.join(", ")));
    }
}

/// Notes a panorama of the flags that does not light the model. Errors if it cannot be read, as if it were used.
fn note_unused_environment(args: &RenderArgs, view: &View) -> anyhow::Result<()> {
    if let Some(file) = &args.environment
        && view.display.lighting != Lighting::Studio
    {
        Panorama::read(file)?;
        messages::note("--environment has no effect: a panorama lights the model only with --lighting studio");
    }
    Ok(())
}

/// Notes if there is nothing to draw. Sheets of several files and comparisons are left out, because they draw other models, too.
fn note_nothing_to_draw(args: &RenderArgs, Subject { document, view, .. }: Subject) {
    let model = &document.model;
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let has_mesh = model.nodes.iter().zip(&in_scene).any(|(node, in_scene)| *in_scene && node.mesh.is_some());
    let has_skeleton = document.shows_skeleton(view) && document.skeleton_nodes(view).contains(&true);
    let has_other_models = !args.others.is_empty() || args.compared.compare.is_some();
    if has_mesh || has_skeleton && !args.overlay.contains(&Overlay::None) || has_other_models {
        return;
    }
    messages::note(match () {
        () if !in_scene.contains(&true) => "nothing to draw: the scene is empty",
        () if has_skeleton => "nothing to draw: no node of the scene has a mesh, and --overlay none hides the skeleton",
        () => "nothing to draw: no node of the scene has a mesh",
    });
}

/// Notes if the foot contacts of the view leave no footprints. Pictures need the result, too, and find it in the cache.
fn note_missing_footprints(Subject { document, analyses, view }: Subject) {
    if !view.display.contacts {
        return;
    }
    let locomotion = analyses.compute_locomotion(document, view, &Moment::from(0.0));
    if locomotion.is_some_and(|locomotion| locomotion.ground_velocity != DVec2::ZERO) {
        messages::note("no footprints: the model walks on the spot, so its footprints would move with the ground");
    }
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
    if let Some(reason) = renderer.failure() {
        bail!("the graphics driver could not draw the whole picture: {reason}");
    }
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

/// Measures the model and reads the environment while the model is uploaded.
fn measure_and_upload(
    args: &RenderArgs,
    view: &View,
    gpu: &Gpu,
    file: ModelAndImages,
    timings: &mut Timings,
) -> anyhow::Result<(Document, Analyses, GpuModel, Option<LightMap>)> {
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
        let lighting = lighting.map(|file| scope.spawn(move || timed(|| Panorama::read(file).map(|read| LightMap::from_panorama(&read)))));
        let (gpu_model, uploaded) = timed(|| upload(gpu, &model, images));
        timings.push(("upload", uploaded));
        let ((document, analyses), bounds) = measuring.join().map_err(|_| anyhow!("measuring the model failed"))?;
        timings.push(("bounds", bounds + compile_time));
        let environment = lighting.map(|lighting| lighting.join().map_err(|_| anyhow!("reading the environment failed"))).transpose()?;
        let environment = environment.map(|(map, read)| {
            timings.push(("environment", read));
            map
        });
        Ok((document, analyses, gpu_model.map_err(about(&args.file))?, environment.transpose()?))
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
        overlays: !args.overlay.contains(&Overlay::None),
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

/// The saved view, overridden by the flags. Without `--overlay` and without a saved view there are no overlays.
fn make_view(args: &RenderArgs, state: View, model: &Model) -> anyhow::Result<View> {
    let mut view = state;
    view::apply(model, &mut view, args.scene, args.animation.as_ref(), args.camera.as_ref())?;
    view.repeat = args.repeat.unwrap_or(view.repeat);
    // A turntable without an animation ignores the range.
    if let Some(span) = args.range.filter(|_| args.turntable.is_none() || view.animation.is_some()) {
        clip::set_range(model, &mut view, span)?;
    }
    if !args.select.is_empty() {
        view.selection = selected(args, model)?;
    }
    // A plain picture shows the model only. Flags and saved views add to that.
    if args.state.is_none() {
        view.display = Display::plain();
    }
    set_display(args, &mut view.display);
    if let Some(selector) = args.variant.clone().or(view.display.variant.map(Selector::Index)) {
        view.display.variant = Some(view::note_namesakes(selector::variant(model, &selector)?, "variant", &selector));
    }
    Ok(view)
}

/// Sets overlays, lighting and shading from the flags.
fn set_display(args: &RenderArgs, display: &mut Display) {
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
}

/// The selected nodes, as the file's indices. The last one is the active node.
fn selected(args: &RenderArgs, model: &Model) -> anyhow::Result<Vec<usize>> {
    let find = |text: &String| {
        let Ok(mut selector) = text.parse::<Selector>();
        // A name may have blanks around it. If there is no such name, they belong to the list, as in "A, B".
        if selector::node(model, &selector).is_err() {
            let Ok(trimmed) = text.trim().parse();
            selector = trimmed;
        }
        Ok(view::note_namesakes(selector::node(model, &selector)?, "node", &selector))
    };
    args.select.iter().map(find).collect()
}

/// The heat map to show. A saved view may show the weights of all joints.
fn weights(saved: Weights, wanted: bool) -> Weights {
    match saved {
        _ if !wanted => Weights::Off,
        Weights::Off => Weights::Selection,
        saved => saved,
    }
}

/// The compiled model for posing. A single model needs so few poses that compiling its animations would take longer than posing.
fn compile_for(model: &Model, view: &View) -> CompiledModel {
    if crowd::count(view) > 1 { CompiledModel::new(model) } else { CompiledModel::uncompiled(model) }
}
