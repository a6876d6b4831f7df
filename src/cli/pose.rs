//! Runs `sinew pose`: prints poses as numbers, without a GPU. Nodes, skins, meshes and primitives are identified by their indices in the
//! file.

use std::cell::Cell;
use std::sync::Arc;

use anyhow::bail;
use glam::DAffine3;
use serde::{Serialize, Serializer};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::hierarchy::deform;
use crate::animation::keys::pointer_targets;
use crate::asset::LoadOptions;
use crate::model::node::NodeIndex;
use crate::model::pointer::{Pointer, ValueKind};
use crate::model::{Model, mesh};
use crate::numbers::{agreeing, counted, grouped};
use crate::session::analyses;
use crate::session::locomotion::root_cache::RootCache;
use crate::session::pose::solve::Posed;
use crate::session::pose::{self, Rig};
use crate::session::time::moment::Moment;
use crate::session::view::{View, layers};

use super::args::PoseArgs;
use super::args::values::Vertices;
use super::{about, borrow, check_printed, json, load, messages, view};

/// Maximum number of vertices that are printed per time. Their positions are in memory at the same time, 32 bytes each. Many nodes can show
/// the same vertices, so a small file can have any number of them.
const MAX_VERTICES: usize = 1 << 24;
/// Maximum number of missing vertices that a note lists.
const MAX_LISTED: usize = 10;

/// The JSON output of the command.
#[derive(Serialize)]
struct Output<S> {
    /// Version of the format: 1.
    schema: u32,
    /// The file's path, as given.
    file: String,
    /// The scene that is shown.
    scene: Option<usize>,
    /// One [`Sample`] per time of `--times`, in the same order.
    samples: S,
}

/// A sequence that is computed while it is printed, so that only one item is in memory at a time. It can be printed once.
struct Computed<I>(Cell<Option<I>>);

impl<I: Iterator<Item: Serialize>> Serialize for Computed<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// The pose at one time. Numbers that are not finite are printed as null.
#[derive(Serialize)]
struct Sample {
    /// The animation that is posed; null for the rest pose and the bind pose.
    animation: Option<usize>,
    /// Time in seconds, as given.
    time: f64,
    /// Every node, in file order.
    nodes: Vec<Node>,
    /// The nodes that have morph weights, in file order.
    weights: Vec<Weights>,
    /// Every skin, in file order.
    skins: Vec<Skin>,
    /// Vertex positions, if `--vertices` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    primitives: Option<Vec<Primitive>>,
    /// Values that KHR_animation_pointer animates, by JSON pointer.
    pointers: serde_json::Map<String, serde_json::Value>,
}

/// Transforms of a node as 4x4 matrices, column by column.
#[derive(Serialize)]
struct Node {
    node: usize,
    /// Transform relative to the parent.
    local: Vec<f64>,
    /// Transform relative to the world.
    global: Vec<f64>,
}

/// Morph weights of a node.
#[derive(Serialize)]
struct Weights {
    node: usize,
    weights: Vec<f32>,
}

/// Joint matrices of a skin. Each has twelve numbers, the rows of a 3x4 affine matrix.
#[derive(Serialize)]
struct Skin {
    skin: usize,
    joints: Vec<usize>,
    matrices: Vec<Vec<f64>>,
}

/// Vertex positions of a primitive in world space, in meters, after morphing and skinning.
#[derive(Serialize)]
struct Primitive {
    node: usize,
    mesh: usize,
    primitive: usize,
    /// The instance of the node, if it has instances (EXT_mesh_gpu_instancing).
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<usize>,
    vertices: Vec<usize>,
    positions: Vec<[f64; 3]>,
}

/// Runs the command.
pub fn run(args: &PoseArgs) -> anyhow::Result<()> {
    let mut view = view::read(args.state.as_deref())?;
    let loaded = load(&args.file, &LoadOptions::default())?;
    let model = &borrow::with_animations(loaded.model, &borrow::read(&args.borrowed.animations)?, &view);
    view::apply(model, &mut view, args.scene, args.animation.as_ref(), None).map_err(about(&args.file))?;
    note_missing_animation(args, &view);
    args.vertices.as_ref().map_or(Ok(()), |vertices| check_vertices(model, vertices)).map_err(about(&args.file))?;

    let compiled = Arc::new(CompiledModel::new(model));
    let (rig, roots) = (Rig { model, compiled: &compiled }, RootCache::default());
    let mut posed = rig.posed();
    let times = match args.time {
        Some(time) => vec![time],
        None if args.times.is_empty() => vec![0.0],
        None => args.times.clone(),
    };
    let samples = times.iter().map(|&time| {
        // The numbers must not depend on cached data, so the root is searched for if the view needs it.
        let roots = analyses::roots(&view, &Moment::from(time), |animation| roots.get_or_find(rig, &view, animation));
        pose::pose(model, &view, time, roots, &mut posed);
        sample(model, &view, time, &posed, args.vertices.as_ref())
    });
    let samples = Computed(Cell::new(Some(samples)));
    let output = Output { schema: 1, file: args.file.display().to_string(), scene: model.scene_or_default(view.scene), samples };
    check_printed(json::write_compact(&output, std::io::stdout().lock()))
}

/// Prints a note if the arguments name times, but nothing moves.
fn note_missing_animation(args: &PoseArgs, view: &View) {
    let flag = if args.time.is_some() { "--time" } else { "--times" };
    let is_given = args.time.is_some() || !args.times.is_empty();
    if let Some(reason) = view::why_still(view).filter(|_| is_given) {
        messages::note(format_args!("{flag} has no effect: {reason}; use --animation"));
    }
}

/// Prints a note about vertices that no primitive has. Errors if there are more vertices to print than [`MAX_VERTICES`].
fn check_vertices(model: &Model, vertices: &Vertices) -> anyhow::Result<()> {
    let meshes = model.nodes.iter().filter_map(|node| Some((&model.meshes[node.mesh?], node.instances.len().max(1))));
    // The number of vertices of each primitive, and how often it is printed.
    let primitives =
        meshes.flat_map(|(mesh, instances)| mesh.primitives.iter().map(move |primitive| (primitive.source_vertex_count, instances)));
    let total = |counts: &mut dyn Iterator<Item = (usize, usize)>| {
        counts.fold(0, |total: usize, (vertices, instances)| total.saturating_add(vertices.saturating_mul(instances)))
    };
    let total = match vertices {
        Vertices::All => total(&mut primitives.clone()),
        Vertices::These(these) => {
            let vertex_count = primitives.clone().map(|(vertex_count, _)| vertex_count).max().unwrap_or_default();
            let missing: Vec<usize> = these.iter().copied().filter(|&vertex| vertex >= vertex_count).collect();
            if !missing.is_empty() {
                messages::note(missing_note(&missing, vertex_count));
            }
            let mut sorted = these.clone();
            sorted.sort_unstable();
            total(&mut primitives.map(|(count, instances)| (sorted.partition_point(|&vertex| vertex < count), instances)))
        }
    };
    if total > MAX_VERTICES {
        let (total, max) = (grouped(total), grouped(MAX_VERTICES));
        bail!("--vertices asks for {total} positions per time, the limit is {max}: name fewer vertices, as in --vertices 0,1,2");
    }
    Ok(())
}

/// The note about vertices that no primitive has. `vertex_count` is that of the largest primitive.
fn missing_note(missing: &[usize], vertex_count: usize) -> String {
    let listed: Vec<String> = missing.iter().take(MAX_LISTED).map(usize::to_string).collect();
    let more = missing.len() - listed.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let [vertices, exist] = [agreeing(missing.len(), "vertex", "vertices"), agreeing(missing.len(), "does not exist", "do not exist")];
    let reason = match vertex_count {
        0 => "the file has no vertices".to_owned(),
        _ => format!("the largest primitive has {}", counted(vertex_count, "vertex")),
    };
    format!("{vertices} {}{more} {exist}: {reason}", listed.join(", "))
}

/// Collects the output for one time from a pose.
fn sample(model: &Model, view: &View, time: f64, posed: &Posed, vertices: Option<&Vertices>) -> Sample {
    // The output lists nodes in the order of the file.
    let order = || model.node_of_source.iter().copied();
    let nodes = order().map(|node| Node {
        node: model.node(node).source,
        local: columns(&posed.local_matrix(model, node.index())),
        global: columns(&posed.globals[node.index()]),
    });
    let weights = order()
        .filter(|&node| !model.node(node).weights.is_empty())
        .map(|node| Weights { node: model.node(node).source, weights: posed.pose.weights[model.node(node).weights.clone()].to_vec() });
    let skins = model.skins.iter().enumerate().map(|(index, skin)| Skin {
        skin: index,
        joints: skin.joints.iter().map(|&joint| model.node(joint).source).collect(),
        matrices: posed.joint_transforms[skin.matrices.clone()].iter().map(rows).collect(),
    });
    Sample {
        animation: view.animation.filter(|_| !view.bind_pose),
        time,
        nodes: nodes.collect(),
        weights: weights.collect(),
        skins: skins.collect(),
        primitives: vertices.map(|vertices| order().flat_map(|node| primitives(model, posed, node, vertices)).collect()),
        pointers: pointers(model, view, posed),
    }
}

/// The values that the animation and the layers drive through pointers. Scalars and booleans are not wrapped in arrays.
fn pointers(model: &Model, view: &View, posed: &Posed) -> serde_json::Map<String, serde_json::Value> {
    let layers = layers::active(&view.layers, model).map(|(_, layer)| layer.animation);
    let playing: Vec<usize> = view.animation.into_iter().chain(layers).filter(|_| !view.bind_pose).collect();
    let driven = model.pointers.iter().filter(|pointer| playing.iter().any(|animation| pointer.animations.contains(animation)));
    let value = |pointer: &Pointer| {
        let numbers = pointer_targets::value(model, pointer, &posed.pose);
        match (pointer.kind, numbers.as_slice()) {
            (ValueKind::Boolean, &[number]) => (number != 0.0).into(),
            (ValueKind::Scalar, &[number]) => number.into(),
            _ => numbers.into(),
        }
    };
    driven.map(|pointer| (pointer.path.clone(), value(pointer))).collect()
}

/// The requested vertices of each primitive of the node's mesh, once per instance. Indices beyond a primitive are skipped.
fn primitives(model: &Model, posed: &Posed, node: NodeIndex, vertices: &Vertices) -> Vec<Primitive> {
    let Some(mesh) = model.node(node).mesh else { return Vec::new() };
    let output = |primitive: &mesh::Primitive, instance: Option<usize>| {
        let node_from_mesh = instance.map_or(DAffine3::IDENTITY, |instance| model.node(node).instances[instance].as_daffine3());
        let vertices: Vec<usize> = match vertices {
            Vertices::All => (0..primitive.source_vertex_count).collect(),
            Vertices::These(these) => these.iter().copied().filter(|&v| v < primitive.source_vertex_count).collect(),
        };
        let morphed = deform::morphed(model, node, primitive, &posed.pose.weights);
        let placed = |vertex: usize| node_from_mesh.transform_point3(morphed(vertex));
        let chosen = vertices.iter().copied();
        let positions = deform::positions_from_morphed(model, node, primitive, posed.vertex_pose(), placed, chosen);
        let positions = positions.into_iter().map(|position| position.to_array()).collect();
        Primitive { node: model.node(node).source, mesh, primitive: primitive.source, instance, vertices, positions }
    };
    let primitives = &model.meshes[mesh].primitives;
    match model.node(node).instances.len() {
        0 => primitives.iter().map(|primitive| output(primitive, None)).collect(),
        count => (0..count)
            .flat_map(|instance| primitives.iter().map(move |primitive| (primitive, instance)))
            .map(|(primitive, instance)| output(primitive, Some(instance)))
            .collect(),
    }
}

/// The 16 numbers of a 4x4 matrix, column by column.
fn columns(matrix: &DAffine3) -> Vec<f64> {
    glam::DMat4::from(*matrix).to_cols_array().to_vec()
}

/// The 12 numbers of a 3x4 matrix, row by row.
fn rows(matrix: &DAffine3) -> Vec<f64> {
    let m = glam::DMat4::from(*matrix);
    (0..3).flat_map(|row| m.row(row).to_array()).collect()
}
