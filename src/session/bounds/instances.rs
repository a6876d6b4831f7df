//! The extents of meshes that nodes show in many places (EXT_mesh_gpu_instancing): those of all places together, in the node's
//! space, worked out once. After that a node with a million instances is as quick to frame as one without.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};

use crate::animation::hierarchy::deform;
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::node::{Node, NodeIndex};
use crate::session::pose::solve::Posed;

use super::mesh::{self, PrimitiveExtents};

/// Of one node.
#[derive(Debug, Clone)]
pub struct Instance {
    /// By the mesh's primitives: boxes that hold it at all places.
    pub primitives: Vec<PrimitiveExtents>,
    /// By the mesh's primitives: which vertices stick out, and at which place.
    outlines: Vec<Vec<(usize, usize)>>,
}

/// By node, for those that have instances. `meshes`: the extents of every mesh's primitives, at one place.
pub fn extents(model: &Model, meshes: &[Vec<PrimitiveExtents>]) -> BTreeMap<usize, Instance> {
    let with_instances = model.nodes.iter().enumerate().filter(|(_, node)| !node.instances.is_empty());
    with_instances.filter_map(|(index, node)| Some((index, placed(model, node, &meshes[node.mesh?])))).collect()
}

/// Places times what is placed, beyond which the largest place speaks for all, or only some of them do: a file of a few kilobytes
/// could ask for days of work.
const MOST_PRODUCTS: usize = 4 << 20;

/// A box that holds what one holds, however a place turns and stretches it.
fn grown(bounds: &Bounds, largest: f64) -> Bounds {
    let reach = bounds.min.abs().max(bounds.max.abs()).length() * largest;
    Bounds { min: DVec3::splat(-reach), max: DVec3::splat(reach) }
}

/// The same about every place.
fn about(node: &Node, reach: &Bounds) -> Bounds {
    let mut all = Bounds::EMPTY;
    node.instances.iter().for_each(|instance| all.add(instance.as_daffine3().translation));
    if all.is_empty() { all } else { Bounds { min: all.min + reach.min, max: all.max + reach.max } }
}

fn placed(model: &Model, node: &Node, primitives: &[PrimitiveExtents]) -> Instance {
    // By the length of all its columns no place stretches anything further.
    let lengths = node.instances.iter().map(|instance| instance.as_daffine3().matrix3);
    let lengths =
        lengths.map(|matrix| (matrix.x_axis.length_squared() + matrix.y_axis.length_squared() + matrix.z_axis.length_squared()).sqrt());
    let largest = lengths.fold(0.0, f64::max);
    let are_many = |things: usize| node.instances.len().saturating_mul(things) > MOST_PRODUCTS;
    let targets: usize = primitives.iter().map(|primitive| primitive.targets.len()).sum();
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
    let outline = |(primitive, extents): (&crate::model::mesh::Primitive, &PrimitiveExtents)| {
        // Where a vertex is at rest, and where each morph target alone takes it.
        let shapes = |vertex: usize| {
            let rest = primitive.vertices.positions[vertex];
            let targets = primitive.vertices.targets.iter().filter_map(move |target| Some(rest + *target.positions.get(vertex)?));
            std::iter::once(rest).chain(targets)
        };
        let all: Vec<(usize, Vec3)> = extents.outline.iter().flat_map(|&vertex| shapes(vertex).map(move |at| (vertex, at))).collect();
        let mut chosen = BTreeSet::new();
        let step = node.instances.len().saturating_mul(all.len()).div_ceil(MOST_PRODUCTS).max(1);
        let places = node.instances.iter().enumerate().step_by(step);
        mesh::furthest(
            places.flat_map(|(i, place)| all.iter().map(move |(vertex, at)| (0, (i, *vertex), place.transform_point3(*at)))),
            1,
            &mut chosen,
        );
        chosen.into_iter().collect()
    };
    Instance {
        primitives: (primitives.iter())
            .map(|primitive| PrimitiveExtents {
                whole: if are_many(primitives.len()) {
                    about(node, &grown(&primitive.whole, largest))
                } else {
                    everywhere(&primitive.whole, true)
                },
                joints: Vec::new(),
                targets: (primitive.targets.iter())
                    .map(|target| if are_many(targets) { grown(target, largest) } else { everywhere(target, false) })
                    .collect(),
                outline: Vec::new(),
            })
            .collect(),
        outlines: mesh.iter().zip(primitives).map(outline).collect(),
    }
}

impl Instance {
    /// Where the outline of a primitive is in a pose.
    pub fn outline(&self, model: &Model, posed: &Posed, node: NodeIndex, primitive: usize) -> Vec<DVec3> {
        let (global, data) = (&posed.globals[node.index()], model.node(node));
        let Some(mesh) = data.mesh else { return Vec::new() };
        let morphed = deform::morphed(model, node, &model.meshes[mesh].primitives[primitive], &posed.pose.weights);
        let at = |(place, vertex): &(usize, usize)| {
            let place = data.instances[*place].as_daffine3();
            global.transform_point3(place.transform_point3(morphed(*vertex)))
        };
        self.outlines[primitive].iter().map(at).collect()
    }
}
