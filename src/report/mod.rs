//! Builds the output of `inspect`: [`report`] counts and lists a model's content. The report serializes to JSON for tools, and
//! [`to_text`] writes it as text for people. Field names are the JSON keys, and indices refer to the file.

pub mod terminal;
pub mod text;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::animation::compiled::CompiledAnimation;
use crate::animation::compiled::model::CompiledModel;
use crate::animation::frame_rate;
use crate::model::Model;
use crate::model::animation::{Animation, Rate};
use crate::model::finding::Finding;
use crate::model::mesh::{Mesh, Primitive, Vertices};

/// The content of a file. Names and meaning of its fields are stable while `schema` is 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InspectReport {
    /// Version of this format: 1.
    pub schema: u32,
    /// The file's name, as given.
    pub file: String,
    /// Size of the file and of its external files, in bytes.
    pub bytes: u64,
    /// The tool that wrote the file (`asset.generator`).
    pub generator: Option<String>,
    /// The glTF version (`asset.version`).
    pub version: String,
    /// The extensions in `extensionsUsed`.
    pub extensions: Vec<ExtensionReport>,
    /// Number of scenes.
    pub scenes: usize,
    /// Number of nodes, including those outside all scenes.
    pub nodes: usize,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of primitives of all meshes.
    pub primitives: usize,
    /// Number of vertices of all primitives, as in the file.
    pub vertices: usize,
    /// Number of triangles of all primitives, each mesh counted once.
    pub triangles: usize,
    /// Number of mesh instances of EXT_mesh_gpu_instancing.
    pub instances: usize,
    /// Number of triangles, counted once for each node and instance that draws them.
    pub drawn_triangles: usize,
    /// Number of materials.
    pub materials: usize,
    /// The material variants, in file order.
    pub variants: Vec<VariantReport>,
    /// Number of textures, used or not.
    pub textures: usize,
    /// The images, in file order.
    pub images: Vec<ImageReport>,
    /// Number of cameras.
    pub cameras: usize,
    /// Number of lights.
    pub lights: usize,
    /// The skins, in file order.
    pub skins: Vec<SkinReport>,
    /// Number of morph targets of all meshes.
    pub morph_targets: usize,
    /// The animations, in file order.
    pub animations: Vec<AnimationReport>,
    /// Memory that the open model takes.
    pub memory: MemoryReport,
    /// Faults in the file that were ignored or repaired, and possible mistakes.
    pub findings: Vec<Finding>,
    /// Duration of each loading step in milliseconds, in the order of the steps.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_object")]
    pub timings: Vec<(&'static str, f64)>,
}

/// The report on a file that cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Version of this format: 1.
    pub schema: u32,
    /// The file's name, as given.
    pub file: String,
    /// The reason.
    pub error: String,
    /// The violations of the specification that were found although the file cannot be shown.
    pub findings: Vec<Finding>,
}

/// An extension that the file uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExtensionReport {
    /// The name, such as "KHR_texture_transform".
    pub name: String,
    /// Whether `extensionsRequired` lists it too.
    pub required: bool,
    /// Whether Sinew supports it.
    pub supported: bool,
}

/// An image, as its header describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImageReport {
    /// Width in pixels; 0 if the header cannot be read.
    pub width: u32,
    /// Height in pixels; 0 if the header cannot be read.
    pub height: u32,
    /// The encoding, such as "png". Empty if it is unknown.
    pub kind: String,
    /// Size of the encoded image, in bytes.
    pub bytes: u64,
}

/// A material variant (KHR_materials_variants).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariantReport {
    /// Index in the file.
    pub variant: usize,
    /// The name in the file.
    pub name: Option<String>,
    /// Number of primitives with a material for this variant.
    pub primitives: usize,
}

/// A skin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkinReport {
    /// Index in the file.
    pub skin: usize,
    /// The name in the file.
    pub name: Option<String>,
    /// Number of joints.
    pub joints: usize,
    /// The largest number of joints with a weight at one vertex.
    pub influences: usize,
}

/// An animation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnimationReport {
    /// Index in the file.
    pub animation: usize,
    /// The name in the file.
    pub name: Option<String>,
    /// Largest key time, in seconds.
    pub duration: f64,
    /// Number of channels.
    pub channels: usize,
    /// Number of keys of all channels together.
    pub keys: usize,
    /// Number of distinct sets of key times.
    pub key_times: usize,
    /// Frames per second, inferred from the key times.
    pub rate: f64,
    /// The source of the rate, as [`crate::model::animation::RateSource::name`] writes it.
    pub rate_source: &'static str,
    /// The interpolations of the channels, as the file names them.
    pub interpolations: Vec<&'static str>,
    /// The forms in which the channels are stored for playback, with the number of each.
    pub layout: String,
    /// Size of the compiled form in bytes, in addition to the keys.
    pub compiled_bytes: u64,
}

/// Memory that an open model takes, without the buffers that Sinew needs for any model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MemoryReport {
    /// Bytes in main memory.
    pub cpu_bytes: u64,
    /// Bytes on the graphics device.
    pub gpu_bytes: u64,
}

/// Counts and lists the content of a model. `file` is its name in the report; `timings` may be empty.
pub fn report(model: &Model, file: &str, timings: &[(&'static str, Duration)]) -> InspectReport {
    let asset = &model.asset;
    InspectReport {
        schema: 1,
        file: file.to_owned(),
        bytes: asset.bytes,
        generator: asset.generator.clone(),
        version: asset.version.clone(),
        extensions: (asset.extensions.iter())
            .map(|extension| ExtensionReport { name: extension.name.clone(), required: extension.required, supported: extension.supported })
            .collect(),
        scenes: model.scenes.len(),
        nodes: model.nodes.len(),
        meshes: model.meshes.len(),
        primitives: model.primitives().count(),
        vertices: model.primitives().map(|primitive| primitive.source_vertex_count).sum(),
        triangles: model.primitives().map(Primitive::triangle_count).sum(),
        instances: model.instance_count(),
        drawn_triangles: model.drawn_triangle_count(),
        materials: model.materials.len(),
        variants: variants(model),
        textures: asset.textures,
        images: (model.images.iter())
            .map(|image| ImageReport { width: image.width, height: image.height, kind: image.kind.clone(), bytes: image.bytes })
            .collect(),
        cameras: model.cameras.len(),
        lights: model.lights.len(),
        skins: skins(model),
        morph_targets: model.meshes.iter().map(|mesh| mesh.target_count).sum(),
        animations: animations(model),
        memory: MemoryReport { cpu_bytes: cpu_bytes(model), gpu_bytes: gpu_bytes(model) },
        findings: model.findings.clone(),
        timings: timings.iter().map(|(step, duration)| (*step, duration.as_secs_f64() * 1e3)).collect(),
    }
}

/// The report as lines of text.
pub fn to_text(report: &InspectReport) -> String {
    let mut out = String::new();
    // Writing into a String cannot fail.
    let _ = text::write(report, &mut out);
    out
}

/// A report on a file that cannot be shown.
pub fn refusal(file: &str, error: &str, findings: Vec<Finding>) -> Refusal {
    Refusal { schema: 1, file: file.to_owned(), error: error.to_owned(), findings }
}

/// The refusal as lines of text.
pub fn refusal_to_text(refusal: &Refusal) -> String {
    let [file, error] = [&refusal.file, &refusal.error].map(|text| terminal::escape(text, terminal::MAX_MESSAGE_CHARS));
    let mut out = format!("{file}\n  cannot be shown: {error}\n");
    // Writing into a String cannot fail.
    let _ = text::write_findings(&refusal.findings, &mut out);
    out
}

/// Serializes the timings as a JSON object that keeps their order.
fn as_object<S: Serializer>(timings: &[(&'static str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(timings.iter().copied())
}

/// The report on each material variant.
fn variants(model: &Model) -> Vec<VariantReport> {
    let mut primitives = vec![0; model.variants.len()];
    for (variant, _) in model.primitives().flat_map(|primitive| &primitive.variants) {
        primitives[*variant] += 1;
    }
    let variants = model.variants.iter().zip(primitives).enumerate();
    variants.map(|(index, (variant, primitives))| VariantReport { variant: index, name: variant.name.clone(), primitives }).collect()
}

/// The report on each skin.
fn skins(model: &Model) -> Vec<SkinReport> {
    let max_by_mesh: Vec<usize> = model.meshes.iter().map(max_influences).collect();
    // The influences of a skin are the maximum over the meshes that nodes draw with this skin.
    let mut influences = vec![0; model.skins.len()];
    for (skin, mesh) in model.nodes.iter().filter_map(|node| Some((node.skin?, node.mesh?))) {
        influences[skin] = influences[skin].max(max_by_mesh[mesh]);
    }
    let skin = |(index, skin): (usize, &crate::model::skin::Skin)| SkinReport {
        skin: index,
        name: skin.name.clone(),
        joints: skin.joints.len(),
        influences: influences[index],
    };
    model.skins.iter().enumerate().map(skin).collect()
}

/// The largest number of joints that move a vertex of the mesh.
fn max_influences(mesh: &Mesh) -> usize {
    let mut joints = Vec::new();
    let mut primitive_max = |primitive: &Primitive| {
        let Vertices { influences, positions, .. } = &*primitive.vertices;
        (0..positions.len()).map(|vertex| influences.joint_count(vertex, &mut joints)).max().unwrap_or(0)
    };
    mesh.primitives.iter().map(&mut primitive_max).max().unwrap_or(0)
}

/// The report on each animation. This compiles all animations.
fn animations(model: &Model) -> Vec<AnimationReport> {
    let compiled = CompiledModel::new(model);
    let animations = model.animations.iter().zip(frame_rate::model_rates(model)).enumerate();
    animations.map(|(index, (animation, rate))| animation_report(index, animation, rate, compiled.animation(model, index))).collect()
}

/// The report on one animation and its compiled form.
fn animation_report(index: usize, animation: &Animation, rate: Rate, compiled: &CompiledAnimation) -> AnimationReport {
    let mut interpolations = Vec::new();
    for channel in &animation.channels {
        if !interpolations.contains(&channel.interpolation.name()) {
            interpolations.push(channel.interpolation.name());
        }
    }
    AnimationReport {
        animation: index,
        name: animation.name.clone(),
        duration: animation.duration,
        channels: animation.channels.len(),
        keys: animation.channels.iter().map(|channel| animation.key_times[channel.key_times].len()).sum(),
        key_times: animation.key_times.len(),
        rate: rate.fps,
        rate_source: rate.source.name(),
        interpolations,
        layout: compiled.layout(),
        compiled_bytes: compiled.bytes() as u64,
    }
}

/// Bytes of the elements of a slice.
fn size<T>(elements: &[T]) -> u64 {
    size_of_val(elements) as u64
}

/// Size of the data that grows with the file, in bytes: geometry, keys, nodes, skins, instances.
fn cpu_bytes(model: &Model) -> u64 {
    let key_bytes = |animation: &Animation| {
        let times: u64 = animation.key_times.iter().map(|times| size(times)).sum();
        let output: u64 = animation.channels.iter().map(|channel| size(&channel.output)).sum();
        times + output + size(&animation.channels)
    };
    let hierarchy = &model.hierarchy;
    let matrices = hierarchy.fixed_local.iter().flatten().map(|matrix| size_of_val(&**matrix) as u64).sum::<u64>();
    let nodes = size(&model.nodes) + size(&hierarchy.rest) + size(&hierarchy.fixed_local) + matrices + size(&hierarchy.parents);
    let skins: u64 = model.skins.iter().map(|skin| size(&skin.joints) + size(&skin.inverse_bind_matrices)).sum();
    let instances: u64 = model.nodes.iter().map(|node| size(&node.instances)).sum();
    geometry_bytes(model) + model.animations.iter().map(key_bytes).sum::<u64>() + nodes + instances + skins
}

/// Size on the graphics device, in bytes: vertices, indices, morph targets, the matrix palette, instances, and all images with mip levels.
/// For KTX2 images, this is the size on a device that supports BC blocks, as most devices do. BC1 that is unpacked to RGBA counts as
/// BC1.
fn gpu_bytes(model: &Model) -> u64 {
    /// Size of a 3 x 4 matrix.
    const MATRIX_BYTES: u64 = 48;
    let images: u64 = model.images.iter().map(|image| image.gpu_bytes).sum();
    let matrices = model.palette_len + model.instance_count();
    geometry_bytes(model) + matrices as u64 * MATRIX_BYTES + images
}

/// Bytes of vertices and indices of all primitives.
fn geometry_bytes(model: &Model) -> u64 {
    let mut counted = HashSet::new();
    let mut bytes = |primitive: &Primitive| {
        // Count shared vertices once.
        let vertex_size = counted.insert(Arc::as_ptr(&primitive.vertices)).then(|| vertex_bytes(&primitive.vertices));
        vertex_size.unwrap_or(0) + size(&primitive.indices)
    };
    model.primitives().map(&mut bytes).sum()
}

/// Bytes of all attributes of these vertices.
fn vertex_bytes(vertices: &Vertices) -> u64 {
    let targets = vertices.targets.iter().map(|target| size(&target.positions) + size(&target.normals) + size(&target.tangents));
    let influences = size(&vertices.influences.joints) + size(&vertices.influences.weights);
    let tex_coords: u64 = vertices.tex_coords.iter().map(|tex_coords| size(tex_coords)).sum();
    let surface = size(&vertices.normals) + size(&vertices.tangents) + size(&vertices.colors);
    size(&vertices.positions) + surface + tex_coords + influences + targets.sum::<u64>()
}
