//! The extents of meshes that nodes show in many places (EXT_mesh_gpu_instancing): those of all places together, in the node's
//! space, worked out once. After that a node with a million instances is as quick to frame as one without.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};

use crate::animation::deform;
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::node::{Node, NodeIndex};

use super::bounds::{self, PrimitiveExtents};
use super::posing::Posed;

/// Of one node.
#[derive(Debug, Clone)]
pub struct Placed {
    /// By the mesh's primitives: boxes that hold it at all places.
    pub primitives: Vec<PrimitiveExtents>,
    /// By the mesh's primitives: which vertices stick out, and at which place.
    outlines: Vec<Vec<(usize, usize)>>,
}

/// By node, for those that have instances. `meshes`: the extents of every mesh's primitives, at one place.
pub fn extents(model: &Model, meshes: &[Vec<PrimitiveExtents>]) -> BTreeMap<usize, Placed> {
    let with_instances = model.nodes.iter().enumerate().filter(|(_, node)| !node.instances.is_empty());
    with_instances.filter_map(|(index, node)| Some((index, placed(model, node, &meshes[node.mesh?])))).collect()
}

fn placed(model: &Model, node: &Node, primitives: &[PrimitiveExtents]) -> Placed {
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
            let rest = primitive.positions[vertex];
            let targets = primitive.targets.iter().filter_map(move |target| Some(rest + *target.positions.get(vertex)?));
            std::iter::once(rest).chain(targets)
        };
        let all: Vec<(usize, Vec3)> = extents.outline.iter().flat_map(|&vertex| shapes(vertex).map(move |at| (vertex, at))).collect();
        let mut chosen = BTreeSet::new();
        let places = node.instances.iter().enumerate();
        bounds::furthest(
            places.flat_map(|(i, place)| all.iter().map(move |(vertex, at)| (0, (i, *vertex), place.transform_point3(*at)))),
            1,
            &mut chosen,
        );
        chosen.into_iter().collect()
    };
    Placed {
        primitives: (primitives.iter())
            .map(|primitive| PrimitiveExtents {
                whole: everywhere(&primitive.whole, true),
                joints: Vec::new(),
                targets: primitive.targets.iter().map(|target| everywhere(target, false)).collect(),
                outline: Vec::new(),
            })
            .collect(),
        outlines: mesh.iter().zip(primitives).map(outline).collect(),
    }
}

impl Placed {
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
