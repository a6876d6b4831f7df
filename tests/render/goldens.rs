//! Compares pictures of the sample model, in several shading modes and with several overlays, with those in tests/render/golden, which are
//! drawn in software. Pictures of graphics cards may differ more. `SINEW_BLESS=1 cargo test --test render goldens` writes them again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::RgbaImage;
use sinew::asset;
use sinew::export::formats::png;
use sinew::export::still::options::StillOptions;
use sinew::model::Model;
use sinew::render::device::gpu::Gpu;
use sinew::render::material::images;
use sinew::render::model::GpuModel;
use sinew::render::picture::Msaa;
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::document::Document;
use sinew::session::view::View;
use sinew::session::view::display::{Display, JointShape, Shading};

use crate::scene::{gpu, still};

/// A pixel counts as different if one of its bytes is off by more than this.
const MAX_BYTE_DIFFERENCE: u8 = 12;
/// One in this many pixels may differ, because driver versions round differently at edges.
const PIXELS_PER_ALLOWED_DIFFERENCE: usize = 100;
/// Maximum mean difference of the bytes of a picture that a graphics card draws.
const MAX_MEAN_DIFFERENCE: f64 = 1.0;

struct Sample {
    model: Arc<Model>,
    gpu_model: GpuModel,
}

/// Uploads the sample model. It has neither tangents nor vertex colors; with `add_attributes`, it gets both, computed from its normals.
fn sample(gpu: &Gpu, add_attributes: bool) -> Sample {
    let bytes = std::fs::read(root().join("assets/sample/sample.glb")).unwrap();
    let mut loaded = asset::load_bytes(bytes, "sample").unwrap();
    for primitive in loaded.model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).filter(|_| add_attributes) {
        let vertices = Arc::make_mut(&mut primitive.vertices);
        vertices.tangents = vertices.normals.iter().map(|normal| normal.any_orthonormal_vector().extend(1.0)).collect();
        vertices.colors = vertices.normals.iter().map(|normal| (*normal * 0.5 + 0.5).extend(1.0)).collect();
    }
    let mut gpu_model = GpuModel::new(gpu, &loaded.model).unwrap();
    let mut prepared = Vec::new();
    let collected = std::sync::Mutex::new(&mut prepared);
    images::prepare(&loaded.model, loaded.images, gpu.image_support(), |index, image| {
        collected.lock().unwrap().push((index, image));
        true
    });
    for (index, image) in prepared {
        gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string())).unwrap();
    }
    Sample { model: Arc::new(loaded.model), gpu_model }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn golden(name: &str) -> PathBuf {
    root().join("tests/render/golden").join(format!("{name}.png"))
}

/// The displays of values that the sample model has only with added attributes.
const WITH_ATTRIBUTES: [&str; 2] = ["tangents", "vertex-colors"];

/// Returns the displays to draw, with the names of their goldens.
fn displays() -> Vec<(&'static str, Display)> {
    let with = |change: fn(&mut Display)| {
        let mut display = Display { grid: false, outline: false, ..Display::default() };
        change(&mut display);
        display
    };
    vec![
        ("lit", with(|_| {})),
        ("base-color", with(|d| d.shading = Shading::BaseColor)),
        ("clay", with(|d| d.shading = Shading::Clay)),
        ("normals", with(|d| d.shading = Shading::Normals)),
        ("tangents", with(|d| d.shading = Shading::Tangents)),
        ("missing-attribute", with(|d| d.shading = Shading::Tangents)),
        ("uv", with(|d| d.shading = Shading::Uv)),
        ("vertex-colors", with(|d| d.shading = Shading::VertexColors)),
        ("wireframe", with(|d| (d.shading, d.wireframe) = (Shading::Clay, true))),
        ("x-ray", with(|d| d.xray = true)),
        ("outline", with(|d| (d.shading, d.outline) = (Shading::Normals, true))),
        ("skeleton", with(|d| (d.shading, d.skeleton) = (Shading::Normals, true))),
        ("octahedra", with(|d| (d.shading, d.skeleton, d.joint_shape) = (Shading::Normals, true, JointShape::Octahedra))),
        ("spheres", with(|d| (d.shading, d.skeleton, d.joint_shape) = (Shading::Normals, true, JointShape::Spheres))),
        ("boxes", with(|d| (d.shading, d.skeleton, d.joint_shape) = (Shading::Normals, true, JointShape::Boxes))),
        ("joint-axes", with(|d| (d.shading, d.skeleton, d.joint_axes) = (Shading::Normals, true, true))),
        ("grid", with(|d| (d.shading, d.grid) = (Shading::Normals, true))),
    ]
}

fn draw(gpu: &Gpu, renderer: &mut Renderer, sample: &Sample, display: Display) -> RgbaImage {
    // Select the first node with a mesh if the outline is shown.
    let selection =
        if display.outline { vec![sample.model.nodes.iter().position(|node| node.mesh.is_some()).unwrap()] } else { Vec::new() };
    let selection = selection.into_iter().map(|node| sample.model.nodes[node].source).collect();
    let view = View { animation: Some(0), selection, display, ..View::default() };
    let document = Document::new(Arc::clone(&sample.model), "sample".into(), None);
    still(
        gpu,
        renderer,
        &sample.gpu_model,
        Subject { document: &document, analyses: &Analyses::new(&document, &view), view: &view },
        0.3,
        &StillOptions::new([160, 120]),
    )
    .unwrap()
}

#[test]
fn the_sample_model_matches_its_goldens() {
    let Some(gpu) = gpu() else { return };
    let bless = std::env::var_os("SINEW_BLESS").is_some();
    assert!(!(bless && gpu.is_hardware()), "the goldens are pictures of software rendering, and this is {}", gpu.info.name);
    let (plain, with_attributes) = (sample(gpu, false), sample(gpu, true));
    let kept = |(name, _)| Some((name, image::open(golden(name)).ok()?.into_rgba8()));
    let goldens: BTreeMap<&str, RgbaImage> = displays().into_iter().filter_map(kept).collect();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::Four);
    let mut wrong = Vec::new();
    for (name, display) in displays() {
        let sample = if WITH_ATTRIBUTES.contains(&name) { &with_attributes } else { &plain };
        let picture = draw(gpu, &mut renderer, sample, display);
        assert_eq!(renderer.failure(), None, "{name}");
        let path = golden(name);
        if bless {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            png::write_png(&picture, &path, true).unwrap();
            continue;
        }
        let Some(kept) = goldens.get(name) else {
            wrong.push(format!("{} is missing", path.display()));
            continue;
        };
        // Graphics cards draw a finer shadow, and round differently.
        let fault = if gpu.is_hardware() { far_apart(kept, &picture) } else { differing_pixels(kept, &picture) };
        let nearest = goldens.iter().min_by(|a, b| mean_difference(a.1, &picture).total_cmp(&mean_difference(b.1, &picture)));
        let mistaken = nearest.filter(|nearest| *nearest.0 != name).map(|nearest| format!("the picture is more like {}", nearest.0));
        if let Some(fault) = fault.or(mistaken) {
            let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
            png::write_png(&picture, &beside, true).unwrap();
            wrong.push(format!("{name}: {fault}; the drawn picture is {}", beside.display()));
        }
    }
    let advice = if gpu.is_hardware() { "" } else { "\nSINEW_BLESS=1 writes the drawn pictures to tests/render/golden" };
    assert!(wrong.is_empty(), "{}{advice}", wrong.join("\n"));
}

/// Returns how many pixels of two pictures differ, if these are too many.
fn differing_pixels(kept: &RgbaImage, picture: &RgbaImage) -> Option<String> {
    if kept.dimensions() != picture.dimensions() {
        return Some("the sizes differ".into());
    }
    let differs = |(a, b): (&image::Rgba<u8>, &image::Rgba<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > MAX_BYTE_DIFFERENCE);
    let off = kept.pixels().zip(picture.pixels()).filter(|pair| differs(*pair)).count();
    (off > (picture.width() * picture.height()) as usize / PIXELS_PER_ALLOWED_DIFFERENCE).then(|| format!("{off} pixels differ"))
}

/// Returns the mean difference of the bytes of two pictures, if it is too large.
fn far_apart(kept: &RgbaImage, picture: &RgbaImage) -> Option<String> {
    if kept.dimensions() != picture.dimensions() {
        return Some("the sizes differ".into());
    }
    let mean = mean_difference(kept, picture);
    (mean > MAX_MEAN_DIFFERENCE).then(|| format!("the mean difference is {mean:.2}"))
}

/// Returns the mean difference of the bytes of two pictures of the same size.
fn mean_difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let differences = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| f64::from(a.abs_diff(*b)));
    differences.sum::<f64>() / a.as_raw().len() as f64
}
