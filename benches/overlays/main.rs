//! Measures the cost of each overlay. A picture of 1024x768 with four samples per pixel is drawn and read back, as for a clip.
//!
//! Prints the time until the picture is complete, the CPU time of the calling thread and the time on the graphics device. Each time is the
//! minimum over many pictures. Then [`probe`] measures how long it takes to find the vertex at a point.
//!
//! Run with `cargo bench --bench overlays -- [FILE...]`; without a file it uses the sample model. The first animation plays, and the
//! node that moves furthest in it is selected.

#![allow(clippy::unwrap_used)] // a measurement that fails may panic

mod probe;
#[path = "../common/thread_time.rs"]
mod thread_time;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use sinew::asset::{self, LoadOptions, Loaded};
use sinew::export::still::Stills;
use sinew::export::still::options::StillOptions;
use sinew::render::device::gpu::Gpu;
use sinew::render::material::images;
use sinew::render::model::GpuModel;
use sinew::render::picture::Msaa;
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::document::Document;
use sinew::session::motion::request::MotionRequest;
use sinew::session::time::moment::Moment;
use sinew::session::view::View;
use sinew::session::view::display::{Depth, Display, HeatMap, JointNames, JointShape, Shadow};
use sinew::session::view::playback_range;

use thread_time::thread_time;

/// Pictures per round. The first picture is not measured, because it also creates pipelines and samples motions.
const FRAMES: usize = 5;
const ROUNDS: usize = 3;
const SIZE: [u32; 2] = [1024, 768];

type Change = fn(&mut Display);

const OVERLAYS: [(&str, Change); 18] = [
    ("nothing", |_| {}),
    ("nothing again", |_| {}),
    ("grid", |display| display.grid = true),
    ("outline", |display| display.outline = true),
    ("shadow", |display| display.shadow = Shadow::On),
    ("skeleton", |display| display.skeleton = true),
    ("names", |display| display.names = JointNames::All),
    ("octahedra", |display| (display.skeleton, display.joint_shape) = (true, JointShape::Octahedra)),
    ("wireframe", |display| display.wireframe = true),
    ("xray", |display| display.xray = true),
    ("weights", |display| display.heat_map = HeatMap::Selection),
    ("weights, all", |display| display.heat_map = HeatMap::All),
    ("path", |display| display.ground_path = true),
    ("contacts", |display| display.contacts = true),
    ("trail", |display| display.trail.shown = true),
    ("trail, hidden", |display| (display.trail.shown, display.trail.depth) = (true, Depth::Occluded)),
    ("ghosts, 2", |display| (display.ghosts.shown, display.ghosts.before, display.ghosts.after) = (true, 1, 1)),
    ("ghosts, 6", |display| display.ghosts.shown = true),
];

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(PathBuf::from).collect();
    let sample = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/sample.glb"));
    for file in if files.is_empty() { vec![sample] } else { files } {
        measure(&file);
    }
}

fn measure(file: &Path) {
    let gpu = Gpu::headless().unwrap();
    let Loaded { model, images, .. } = asset::load(file, &LoadOptions::default()).unwrap();
    let bare = Display { outline: false, ..Display::plain() };
    let mut view = View { animation: (!model.animations.is_empty()).then_some(0), display: bare, ..View::default() };
    let gpu_model = uploaded(&gpu, &model, images);
    let document = Document::new(Arc::new(model), String::new(), None);
    view.selection = vec![furthest(&document, &view)];
    let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::Four);
    renderer.measure(&gpu, true);
    println!("{} on {}", file.display(), gpu.info.name);
    println!("{:<16} {:>10} {:>10} {:>10}", "", "picture ms", "thread ms", "device ms");
    for (name, change) in OVERLAYS {
        let mut view = view.clone();
        change(&mut view.display);
        let (mut all, mut thread, mut device) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            for took in round(&gpu, &mut renderer, &gpu_model, &document, &view) {
                all.push(took.wall);
                thread.push(took.thread);
            }
            device.extend(renderer.gpu_milliseconds(&gpu));
        }
        println!("{name:<16} {:10.2} {:10.2} {:10.2}", minimum(all), minimum(thread), minimum(device));
    }
    probe::measure(&gpu, &mut renderer, &gpu_model, &document, &view);
}

/// How long a measured closure took, in milliseconds.
struct MeasuredTime {
    /// Wall time.
    wall: f64,
    /// CPU time of the measuring thread.
    thread: f64,
}

/// Runs a closure. Returns how long it took, and its result.
fn timed<T>(what: impl FnOnce() -> T) -> (MeasuredTime, T) {
    let (start, before) = (Instant::now(), thread_time());
    let result = what();
    let [thread, wall] = [thread_time() - before, start.elapsed()].map(|time| time.as_secs_f64() * 1e3);
    (MeasuredTime { wall, thread }, result)
}

/// Measures each picture of one round.
fn round(gpu: &Gpu, renderer: &mut Renderer, gpu_model: &GpuModel, document: &Document, view: &View) -> Vec<MeasuredTime> {
    let options = StillOptions::new(SIZE);
    let analyses = Analyses::new(document, view);
    let mut stills = Stills::new(gpu, renderer, Subject { document, analyses: &analyses, view });
    let duration = playback_range::duration(&document.model, view);
    let draw = |frame: usize| {
        let time = duration * (0.3 + frame as f64 / 100.0);
        timed(|| stills.draw(gpu_model, Moment::from(time), &options).unwrap()).0
    };
    (0..FRAMES).map(draw).skip(1).collect()
}

fn uploaded(gpu: &Gpu, model: &sinew::model::Model, sources: Vec<asset::image::ImageSource>) -> GpuModel {
    let mut gpu_model = GpuModel::new(gpu, model).unwrap();
    let decoded = Mutex::new(Vec::new());
    images::prepare(model, sources, gpu.image_support(), |index, image| {
        decoded.lock().unwrap().push((index, image));
        true
    });
    for (index, image) in decoded.into_inner().unwrap() {
        gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string())).unwrap();
    }
    gpu_model
}

/// Returns the source index of the node that covers the longest distance in the animation.
fn furthest(document: &Document, view: &View) -> usize {
    let nodes: Vec<usize> = (0..document.model.nodes.len()).collect();
    let request = MotionRequest::from_frames(document, view, &nodes, &Moment::from(0.0));
    let motion = Analyses::new(document, view).sample_motion(document, &request).unwrap();
    let length = |node: usize| motion.positions(node).map_or(0.0, |places| places.windows(2).map(|pair| pair[0].distance(pair[1])).sum());
    let node = nodes.into_iter().max_by(|a, b| length(*a).total_cmp(&length(*b))).unwrap();
    document.model.nodes[node].source
}

/// Returns the minimum. Other load on the machine affects it less than any other value.
fn minimum(values: Vec<f64>) -> f64 {
    values.into_iter().min_by(f64::total_cmp).unwrap_or(f64::NAN)
}
