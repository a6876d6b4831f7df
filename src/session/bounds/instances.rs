//! Computes the bounds of meshes with instances (EXT_mesh_gpu_instancing), in the node's space: once, for all instances together. A node
//! with a million instances is then framed as fast as one without.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use glam::{Affine3A, DVec3, Vec3};

use crate::animation::hierarchy::deform;
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::{Node, NodeIndex};
use crate::session::pose::solve::Posed;

use super::primitive::{self, PrimitiveBounds};

/// Maximum number of instances times points, or instances times boxes, of a file. Above it, not every instance is transformed: points are
/// taken from every n-th instance, and boxes are bounded by the largest instance. Without a limit, a file of a few kilobytes could take
/// days.
const MAX_INSTANCE_PRODUCTS: usize = 16 << 20;

/// The bounds of a node's mesh over all of its instances.
#[derive(Debug, Clone)]
pub struct InstancedBounds {
    /// One per primitive of the mesh, for all instances together, in the node's space.
    pub primitives: Vec<Arc<PrimitiveBounds>>,
    /// One list per primitive of the mesh. Each extreme point is the index of an instance and the index of a vertex.
    extreme_points: Vec<Vec<(usize, usize)>>,
}

/// The bounds of every node with instances, by node index. `meshes` has the bounds of every mesh's primitives, in mesh space.
pub fn bounds(model: &Model, meshes: &[Vec<Arc<PrimitiveBounds>>]) -> BTreeMap<usize, InstancedBounds> {
    let with_instances = model.nodes.iter().enumerate().filter(|(_, node)| !node.instances.is_empty() && node.mesh.is_some());
    let max_products = MAX_INSTANCE_PRODUCTS / with_instances.clone().count().max(1);
    with_instances.filter_map(|(index, node)| Some((index, instance_bounds(model, index, &meshes[node.mesh?], max_products)))).collect()
}

/// A cube about the origin that contains `bounds` under any rotation and any scale up to `max_scale`. Empty if `bounds` is.
fn rotated_bounds(bounds: &Bounds, max_scale: f64) -> Bounds {
    if bounds.is_empty() {
        return Bounds::EMPTY;
    }
    let radius = bounds.min.abs().max(bounds.max.abs()).length() * max_scale;
    Bounds { min: DVec3::splat(-radius), max: DVec3::splat(radius) }
}

/// Bounds that contain `bounds` moved to every position within `positions`.
fn moved_bounds(bounds: &Bounds, positions: &Bounds) -> Bounds {
    let is_empty = positions.is_empty() || bounds.is_empty();
    if is_empty { Bounds::EMPTY } else { Bounds { min: positions.min + bounds.min, max: positions.max + bounds.max } }
}

/// The bounds of the mesh of the node with this index, over all of its instances. `max_products` limits the number of instances times
/// points, and of instances times boxes.
fn instance_bounds(model: &Model, index: usize, primitives: &[Arc<PrimitiveBounds>], max_products: usize) -> InstancedBounds {
    let node = &model.nodes[index];
    let max_scale = max_scale(node);
    let mut positions = Bounds::EMPTY;
    node.instances.iter().for_each(|instance| positions.add(instance.as_daffine3().translation));
    let exceeds_limit = |boxes: usize| node.instances.len().saturating_mul(boxes) > max_products;
    let targets: usize = primitives.iter().map(|primitive| primitive.targets.len()).sum();
    // The union over all instances. Offsets of morph targets are directions, which a translation does not change.
    let union = |bounds: &Bounds, translates: bool| {
        node.instances.iter().fold(Bounds::EMPTY, |all, instance| {
            let mut transform = instance.as_daffine3();
            if !translates {
                transform.translation = DVec3::ZERO;
            }
            all.union(&bounds.transformed(&transform))
        })
    };
    let mesh = node.mesh.map_or(&[][..], |mesh| &model.meshes[mesh].primitives);
    let instanced = |primitive: &PrimitiveBounds| PrimitiveBounds {
        whole: if exceeds_limit(primitives.len()) {
            moved_bounds(&rotated_bounds(&primitive.whole, max_scale), &positions)
        } else {
            union(&primitive.whole, true)
        },
        joints: Vec::new(),
        targets: (primitive.targets.iter())
            .map(|target| if exceeds_limit(targets) { rotated_bounds(target, max_scale) } else { union(target, false) })
            .collect(),
        extreme_points: Vec::new(),
        point_offsets: Vec::new(),
    };
    let center = model.instances_center(NodeIndex(index as u32));
    // Primitives that share their vertices share the results.
    let mut computed: HashMap<*const PrimitiveBounds, Arc<PrimitiveBounds>> = HashMap::new();
    let shared =
        |primitive: &Arc<PrimitiveBounds>| computed.entry(Arc::as_ptr(primitive)).or_insert_with(|| Arc::new(instanced(primitive))).clone();
    InstancedBounds {
        primitives: primitives.iter().map(shared).collect(),
        extreme_points: (mesh.iter().zip(primitives))
            .map(|(primitive, bounds)| extreme_points(node, center, primitive, bounds, max_products / primitives.len()))
            .collect(),
    }
}

/// An upper bound of the scale of a node's instances: the largest Euclidean norm of all entries of a matrix.
fn max_scale(node: &Node) -> f64 {
    let matrices = node.instances.iter().map(|instance| instance.as_daffine3().matrix3);
    let norms =
        matrices.map(|matrix| (matrix.x_axis.length_squared() + matrix.y_axis.length_squared() + matrix.z_axis.length_squared()).sqrt());
    norms.fold(0.0, f64::max)
}

/// The extreme points of a primitive over all instances of a node, as indices of instance and vertex. The instances are compared relative
/// to `center`, because `f32` is too coarse if they are far. `max_products` limits the number of instances times points.
fn extreme_points(node: &Node, center: DVec3, primitive: &Primitive, bounds: &PrimitiveBounds, max_products: usize) -> Vec<(usize, usize)> {
    // The vertex at rest, and with each morph target alone.
    let shapes = |vertex: usize| {
        let rest = primitive.vertices.positions[vertex];
        let targets = primitive.vertices.targets.iter().filter_map(move |target| Some(rest + *target.positions.get(vertex)?));
        std::iter::once(rest).chain(targets)
    };
    let all: Vec<(usize, Vec3)> =
        bounds.extreme_points.iter().flat_map(|&vertex| shapes(vertex).map(move |point| (vertex, point))).collect();
    let mut chosen = BTreeSet::new();
    // With too many products, only every `step`-th instance is a candidate.
    let step = node.instances.len().saturating_mul(all.len()).div_ceil(max_products.max(1)).max(1);
    let near = |instance: &Affine3A| Affine3A { translation: (instance.translation.as_dvec3() - center).as_vec3a(), ..*instance };
    let candidates = node.instances.iter().map(near).enumerate().step_by(step);
    primitive::furthest(
        candidates.flat_map(|(i, instance)| all.iter().map(move |(vertex, point)| (0, (i, *vertex), instance.transform_point3(*point)))),
        1,
        &primitive::FEW_DIRECTIONS,
        &mut chosen,
    );
    chosen.into_iter().collect()
}

impl InstancedBounds {
    /// The extreme points of a primitive in a pose, in world space.
    pub fn posed_points(&self, model: &Model, posed: &Posed, node: NodeIndex, primitive: usize) -> Vec<DVec3> {
        let (global, data) = (&posed.globals[node.index()], model.node(node));
        let Some(mesh) = data.mesh else { return Vec::new() };
        let morphed = deform::morphed(model, node, &model.meshes[mesh].primitives[primitive], &posed.pose.weights);
        let world_point = |(instance, vertex): &(usize, usize)| {
            let instance = data.instances[*instance].as_daffine3();
            global.transform_point3(instance.transform_point3(morphed(*vertex)))
        };
        self.extreme_points[primitive].iter().map(world_point).collect()
    }
}
