//! Computes the pose-independent bounds of every mesh, once per model: the bounds and extreme points of its primitives.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::model::Model;
use crate::model::mesh::{Primitive, Vertices};

use super::instances::{self, InstancedBounds};
use super::primitive::{self, PrimitiveBounds};

/// Bounds of the primitives of every mesh, without a pose.
#[derive(Debug, Clone)]
pub struct MeshBounds {
    /// Bounds by mesh index, then by primitive index. Primitives that share their vertices share them.
    pub meshes: Vec<Vec<Arc<PrimitiveBounds>>>,
    /// Bounds over all instances, by node index, for nodes whose mesh has instances.
    pub instances: BTreeMap<usize, InstancedBounds>,
}

impl MeshBounds {
    /// The bounds of a model's meshes.
    pub fn new(model: &Model) -> Self {
        let mut computed: HashMap<*const Vertices, Arc<PrimitiveBounds>> = HashMap::new();
        let is_large = primitive::is_large_scene(model);
        let mut bounds = |primitive: &Primitive| {
            let compute = || Arc::new(PrimitiveBounds::new(&primitive.vertices, is_large));
            computed.entry(Arc::as_ptr(&primitive.vertices)).or_insert_with(compute).clone()
        };
        let meshes: Vec<Vec<_>> = model.meshes.iter().map(|mesh| mesh.primitives.iter().map(&mut bounds).collect()).collect();
        Self { instances: instances::bounds(model, &meshes), meshes }
    }

    /// The bounds of a mesh's primitives at a node, over all of its instances.
    pub fn node_primitives(&self, node: usize, mesh: usize) -> &[Arc<PrimitiveBounds>] {
        self.instances.get(&node).map_or(&self.meshes[mesh], |instanced| &instanced.primitives)
    }
}
