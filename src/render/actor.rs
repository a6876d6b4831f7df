//! An actor is one posed model, alone or as a crowd. A frame's input is a list of actors; the draw list is made from the primitives that
//! each actor shows.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec4;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::material::Material;
use crate::model::node::{Node, NodeIndex};
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::crowd::Crowd;
use crate::session::pose::geometry_mask::VisibleIndices;
use crate::session::pose::solve::Posed;

use super::model::GpuModel;
use super::model::geometry::GpuPrimitive;
use super::model::instances::{InstancedPrimitive, MeshInstances};
use super::model::node_groups::{GroupNode, NodeGroup};

/// A model, posed once or many times. The members of a crowd show the same meshes and differ in palette and morph weights.
///
/// An actor is plain data that borrows from its owners and is made again for every frame. The renderer draws only the models in its list of
/// actors. A slice with data of several members holds the data of one member after the other, with the same length for each member.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    /// The model on the CPU: nodes, skins and materials.
    pub model: &'a Model,
    /// The same model, uploaded to the device that draws.
    pub gpu: &'a GpuModel,
    /// Number of members; 1 for a single model.
    pub count: usize,
    /// Joint palette of each member: 3 x 4 matrices from mesh space to world space, in meters relative to [`Picture::anchor`].
    ///
    /// [`Picture::anchor`]: super::picture::Picture::anchor
    pub palettes: &'a [JointMatrix],
    /// Morph weights of each member. [`Node::weights`] is the range of a node in a member's slice.
    pub weights: &'a [f32],
    /// The model's materials with their animated values, in model order. If empty, materials stay as they were uploaded.
    pub materials: &'a [Material],
    /// Heat map colors by palette entry, shared by all members; see [`crate::session::inspect::heat_map`]. If empty, the actor has no heat
    /// map.
    pub tints: &'a [Vec4],
    /// Heats of the vertices that are not colored by the tints of their joints, shared by all members. Needs `tints` for all other
    /// vertices.
    pub heats: Option<&'a VertexHeats>,
    /// The drawn indices of primitives that are drawn in part, because some of their triangles are hidden.
    pub visible_indices: &'a Arc<VisibleIndices>,
    /// One value per node, in model order: whether its mesh is drawn.
    pub visible: &'a [bool],
    /// `Some` draws the actor as a ghost of the onion skin, in this linear color, with the opacity as alpha. Ghosts cast no shadow.
    pub ghost: Option<Vec4>,
    /// One value per node, in model order: whether its mesh gets an outline, around the first member only. If empty, no mesh gets one.
    pub outlined: &'a [bool],
}

impl<'a> Actor<'a> {
    /// A single posed model, without heat map, ghost color and outline. `gpu` is the uploaded `model`.
    pub fn single(model: &'a Model, gpu: &'a GpuModel, posed: &'a Posed, palettes: &'a [JointMatrix]) -> Self {
        Self {
            model,
            gpu,
            count: 1,
            palettes,
            weights: &posed.pose.weights,
            materials: &posed.materials,
            tints: &[],
            heats: None,
            visible_indices: &posed.visible_indices,
            visible: &posed.shown,
            ghost: None,
            outlined: &[],
        }
    }

    /// Like [`Actor::single`], with all members of a crowd.
    pub fn crowd(model: &'a Model, gpu: &'a GpuModel, posed: &'a Posed, crowd: &'a Crowd) -> Self {
        Self { count: crowd.count(), weights: crowd.weights(), ..Self::single(model, gpu, posed, crowd.palettes()) }
    }
}

/// A primitive that an actor shows at a node.
#[derive(Clone, Copy)]
pub(crate) struct VisiblePrimitive<'a> {
    pub node_index: NodeIndex,
    pub node: &'a Node,
    /// Index among the primitives of its mesh.
    pub primitive_index: usize,
    /// The uploaded primitive.
    pub primitive: &'a GpuPrimitive,
    /// Index of the skin's first matrix in the palette of a member. Without a skin, it is the index of the node's matrix.
    pub matrix: usize,
    /// Whether joints move the vertices. If not, only the node's matrix moves them.
    pub skinned: bool,
    /// Whether the primitive gets an outline.
    pub outlined: bool,
    /// Instances of EXT_mesh_gpu_instancing. `None` draws the primitive once, at the node.
    pub instances: Option<PrimitiveInstances<'a>>,
}

/// Instances of a primitive. Either all instances in the list mirror the primitive or none does, because mirrored triangles need the
/// opposite winding.
#[derive(Clone, Copy)]
pub(crate) struct PrimitiveInstances<'a> {
    pub mesh: &'a MeshInstances,
    pub primitive: &'a InstancedPrimitive,
}

impl<'a> Actor<'a> {
    /// Returns the number of palette entries per member.
    pub(crate) fn palette_len(&self) -> usize {
        self.palettes.len() / self.count.max(1)
    }

    /// Returns the number of `f32` values of tints and of heats.
    pub(crate) fn color_lengths(&self) -> [usize; 2] {
        [self.tints.len() * (size_of::<Vec4>() / size_of::<f32>()), self.heats.map_or(0, |heats| heats.heats.len())]
    }

    /// Returns the number of morph weights per member.
    pub(crate) fn weights_len(&self) -> usize {
        self.weights.len() / self.count.max(1)
    }

    /// Returns the number of vertices that a picture of this actor deforms.
    pub(crate) fn vertex_count(&self) -> usize {
        let in_group = |group: &'a NodeGroup| {
            self.visible_in(group).map(|visible| visible.primitive.vertices.count().saturating_mul(visible.instance_count() as usize))
        };
        self.gpu.node_groups.iter().flat_map(in_group).sum::<usize>().saturating_mul(self.count)
    }

    /// Returns the palettes of a range of members.
    pub fn palettes_of(&self, members: &Range<usize>) -> &'a [JointMatrix] {
        &self.palettes[members.start * self.palette_len()..members.end * self.palette_len()]
    }

    /// Returns the morph weights of a range of members.
    pub(crate) fn weights_of(&self, members: &Range<usize>) -> &'a [f32] {
        &self.weights[members.start * self.weights_len()..members.end * self.weights_len()]
    }

    /// Lists the primitive of a group once for each visible node of the group, as each member of the actor shows it.
    pub(crate) fn visible_in(&self, group: &'a NodeGroup) -> impl Iterator<Item = VisiblePrimitive<'a>> + use<'a> {
        let actor = *self;
        let NodeGroup { mesh, primitive: primitive_index, skinned, .. } = *group;
        let primitive = &actor.gpu.meshes[mesh][primitive_index];
        let visible = group.nodes.iter().filter(move |node| actor.visible.get(node.node.index()).is_some_and(|visible| *visible));
        visible.filter_map(move |&GroupNode { node: node_index, matrix }| {
            let index = node_index.index();
            let instances = match group.instances {
                Some(list) => {
                    let mesh = actor.gpu.instances.get(&index)?.get(list)?;
                    Some(PrimitiveInstances { mesh, primitive: mesh.primitives.get(primitive_index)? })
                }
                None => None,
            };
            Some(VisiblePrimitive {
                node_index,
                node: &actor.model.nodes[index],
                primitive_index,
                primitive,
                matrix: matrix as usize,
                skinned,
                outlined: actor.outlined.get(index).copied().unwrap_or_default(),
                instances,
            })
        })
    }
}

impl VisiblePrimitive<'_> {
    /// Returns the number of instances of EXT_mesh_gpu_instancing, or 1 without the extension.
    pub fn instance_count(&self) -> u32 {
        self.instances.map_or(1, |instances| instances.mesh.count)
    }
}
