//! Computes the bounds of meshes with instances (EXT_mesh_gpu_instancing), in the node's space: once, for all instances together. A node
//! with a million instances is then framed as fast as one without.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};

use crate::animation::hierarchy::deform;
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::{Node, NodeIndex};
use crate::session::pose::solve::Posed;

use super::primitive::{self, PrimitiveBounds};

/// The bounds of a node's mesh over all of its instances.
#[derive(Debug, Clone)]
pub struct Instance {
    /// One per primitive of the mesh, for all instances together.
    pub primitives: Vec<PrimitiveBounds>,
    /// One list per primitive of the mesh: index of the instance and of the vertex for each extreme point.
    extreme_points: Vec<Vec<(usize, usize)>>,
}

/// The bounds of every node with instances, by node index. `meshes` has the bounds of every mesh's primitives at one instance.
pub fn bounds(model: &Model, meshes: &[Vec<PrimitiveBounds>]) -> BTreeMap<usize, Instance> {
    let with_instances = model.nodes.iter().enumerate().filter(|(_, node)| !node.instances.is_empty());
    with_instances.filter_map(|(index, node)| Some((index, instance_bounds(model, node, &meshes[node.mesh?])))).collect()
}

/// Maximum number of instances times points (or boxes). Beyond it, only some instances are sampled, or the largest one stands for all.
/// Without a limit, a file of a few kilobytes could take days.
const MAX_PRODUCTS: usize = 4 << 20;

/// Bounds that contain `bounds` under any rotation and any scale up to `largest`.
fn grown(bounds: &Bounds, largest: f64) -> Bounds {
    let reach = bounds.min.abs().max(bounds.max.abs()).length() * largest;
    Bounds { min: DVec3::splat(-reach), max: DVec3::splat(reach) }
}

/// Bounds that contain `reach` around every instance.
fn about(node: &Node, reach: &Bounds) -> Bounds {
    let mut all = Bounds::EMPTY;
    node.instances.iter().for_each(|instance| all.add(instance.as_daffine3().translation));
    if all.is_empty() { all } else { Bounds { min: all.min + reach.min, max: all.max + reach.max } }
}

/// The bounds of one node's mesh over all of its instances.
fn instance_bounds(model: &Model, node: &Node, primitives: &[PrimitiveBounds]) -> Instance {
    // The Euclidean norm of all matrix entries is an upper bound of the scale.
    let lengths = node.instances.iter().map(|instance| instance.as_daffine3().matrix3);
    let lengths =
        lengths.map(|matrix| (matrix.x_axis.length_squared() + matrix.y_axis.length_squared() + matrix.z_axis.length_squared()).sqrt());
    let largest = lengths.fold(0.0, f64::max);
    let are_many = |things: usize| node.instances.len().saturating_mul(things) > MAX_PRODUCTS;
    let targets: usize = primitives.iter().map(|primitive| primitive.targets.len()).sum();
    // The union over all instances. Offsets of morph targets are directions, which a translation does not change.
    let everywhere = |bounds: &Bounds, moves: bool| {
        node.instances.iter().fold(Bounds::EMPTY, |all, instance| {
            let mut place = instance.as_daffine3();
            if !moves {
                place.translation = DVec3::ZERO;
            }
            all.union(&bounds.transformed(&place))
        })
    };
    let mesh = node.mesh.map_or(&[][..], |mesh| &model.meshes[mesh].primitives);
    let extreme_points = |(primitive, bounds): (&Primitive, &PrimitiveBounds)| {
        // The vertex at rest, and with each morph target alone.
        let shapes = |vertex: usize| {
            let rest = primitive.vertices.positions[vertex];
            let targets = primitive.vertices.targets.iter().filter_map(move |target| Some(rest + *target.positions.get(vertex)?));
            std::iter::once(rest).chain(targets)
        };
        let all: Vec<(usize, Vec3)> = bounds.extreme_points.iter().flat_map(|&vertex| shapes(vertex).map(move |at| (vertex, at))).collect();
        let mut chosen = BTreeSet::new();
        // With too many products, only every `step`-th instance is a candidate.
        let step = node.instances.len().saturating_mul(all.len()).div_ceil(MAX_PRODUCTS).max(1);
        let places = node.instances.iter().enumerate().step_by(step);
        primitive::furthest(
            places.flat_map(|(i, place)| all.iter().map(move |(vertex, at)| (0, (i, *vertex), place.transform_point3(*at)))),
            1,
            &mut chosen,
        );
        chosen.into_iter().collect()
    };
    Instance {
        primitives: (primitives.iter())
            .map(|primitive| PrimitiveBounds {
                whole: if are_many(primitives.len()) {
                    about(node, &grown(&primitive.whole, largest))
                } else {
                    everywhere(&primitive.whole, true)
                },
                joints: Vec::new(),
                targets: (primitive.targets.iter())
                    .map(|target| if are_many(targets) { grown(target, largest) } else { everywhere(target, false) })
                    .collect(),
                extreme_points: Vec::new(),
            })
            .collect(),
        extreme_points: mesh.iter().zip(primitives).map(extreme_points).collect(),
    }
}

impl Instance {
    /// The extreme points of a primitive in a pose, in world space.
    pub fn posed_points(&self, model: &Model, posed: &Posed, node: NodeIndex, primitive: usize) -> Vec<DVec3> {
        let (global, data) = (&posed.globals[node.index()], model.node(node));
        let Some(mesh) = data.mesh else { return Vec::new() };
        let morphed = deform::morphed(model, node, &model.meshes[mesh].primitives[primitive], &posed.pose.weights);
        let at = |(place, vertex): &(usize, usize)| {
            let place = data.instances[*place].as_daffine3();
            global.transform_point3(place.transform_point3(morphed(*vertex)))
        };
        self.extreme_points[primitive].iter().map(at).collect()
    }
}
