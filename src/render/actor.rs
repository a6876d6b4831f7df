//! One posed model, alone or as a crowd: what the renderer draws.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec4;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::material::Material;
use crate::model::node::{Node, NodeIndex};
use crate::session::pose::geometry_mask::VisibleIndices;

use super::model::GpuModel;
use super::model::geometry::GpuPrimitive;
use super::model::instances::{InstancedPrimitive, MeshInstances};

/// A model, posed once or many times. Members of a crowd show the same meshes and differ in palette and morph weights.
///
/// Plain data, borrowed and made again for every frame. The renderer draws a list of actors and knows no other model. Slices that
/// hold something for each member hold it member after member, each with the same length.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    pub model: &'a Model,
    /// The same model, uploaded to the device that draws.
    pub gpu: &'a GpuModel,
    /// Number of members; 1 for a model that is no crowd.
    pub count: usize,
    /// Joint palette of each member: 3 x 4 matrices from mesh space to world space, in metres relative to [`Picture::anchor`].
    ///
    /// [`Picture::anchor`]: super::picture::Picture::anchor
    pub palettes: &'a [JointMatrix],
    /// Morph weights of each member, node after node as [`Node::weights`] tells.
    pub weights: &'a [f32],
    /// The model's materials with their animated values, in model order. Empty: as they were uploaded.
    pub materials: &'a [Material],
    /// Heat map colours by palette entry, shared by all members; see [`crate::session::inspect::heat_map`]. Empty: no heat map.
    pub tints: &'a [Vec4],
    /// The indices that remain of primitives that are drawn in part.
    pub left: &'a Arc<VisibleIndices>,
    /// One per node, in model order: whether its mesh is drawn.
    pub visible: &'a [bool],
    /// `Some` draws a ghost of the onion skin: linear colour, and density as alpha. Ghosts cast no shadow.
    pub ghost: Option<Vec4>,
    /// One per node, in model order: whether its mesh gets an outline, around the first member only. Empty: none does.
    pub outlined: &'a [bool],
}

/// A primitive at a node that an actor shows.
#[derive(Clone, Copy)]
pub(crate) struct VisiblePrimitive<'a> {
    pub index: NodeIndex,
    pub node: &'a Node,
    /// Index among the primitives of its mesh.
    pub number: usize,
    pub primitive: &'a GpuPrimitive,
    /// Index in a member's palette: the skin's first matrix, or the node's own.
    pub matrix: usize,
    pub skinned: bool,
    pub outlined: bool,
    /// Instances of EXT_mesh_gpu_instancing; `None` draws it once, at the node.
    pub instances: Option<PrimitiveInstances<'a>>,
}

/// The instances of a primitive that either all mirror or all do not.
#[derive(Clone, Copy)]
pub(crate) struct PrimitiveInstances<'a> {
    pub mesh: &'a MeshInstances,
    pub primitive: &'a InstancedPrimitive,
}

impl<'a> Actor<'a> {
    /// Palette entries of one member.
    pub(crate) fn palette_len(&self) -> usize {
        self.palettes.len() / self.count.max(1)
    }

    /// Morph weights of one member.
    pub(crate) fn weights_len(&self) -> usize {
        self.weights.len() / self.count.max(1)
    }

    /// Number of vertices that a picture deforms.
    pub(crate) fn vertices(&self) -> usize {
        let visible = self.visible_primitives().map(|visible| {
            let count = visible.instances.map_or(1, |instances| instances.mesh.count as usize);
            visible.primitive.vertices.count().saturating_mul(count)
        });
        visible.sum::<usize>().saturating_mul(self.count)
    }

    pub fn palettes_of(&self, members: &Range<usize>) -> &'a [JointMatrix] {
        &self.palettes[members.start * self.palette_len()..members.end * self.palette_len()]
    }

    pub(crate) fn weights_of(&self, members: &Range<usize>) -> &'a [f32] {
        &self.weights[members.start * self.weights_len()..members.end * self.weights_len()]
    }

    /// What each member of the actor shows.
    pub(crate) fn visible_primitives(&self) -> impl Iterator<Item = VisiblePrimitive<'a>> + use<'a> {
        let actor = *self;
        let visible = actor.model.nodes.iter().enumerate().zip(actor.visible).filter(|(_, visible)| **visible);
        visible.flat_map(move |((index, node), _)| {
            let primitives = node.mesh.and_then(|mesh| actor.gpu.meshes.get(mesh)).map_or(&[][..], Vec::as_slice);
            let drawn = primitives.iter().enumerate().filter(|(_, primitive)| primitive.index_count > 0);
            drawn.flat_map(move |(number, primitive)| {
                let visible = actor.visible_primitive(index, node, number, primitive);
                let meshes = actor.gpu.instances.get(&index).map_or(&[][..], Vec::as_slice);
                let once = meshes.is_empty().then_some(None);
                let instanced =
                    meshes.iter().filter_map(move |mesh| Some(PrimitiveInstances { mesh, primitive: mesh.primitives.get(number)? }));
                let all = once.into_iter().chain(instanced.map(Some));
                all.filter_map(move |instances| visible.map(|visible| VisiblePrimitive { instances, ..visible }))
            })
        })
    }

    /// `None` for a node that no palette entry moves.
    fn visible_primitive(&self, index: usize, node: &'a Node, number: usize, primitive: &'a GpuPrimitive) -> Option<VisiblePrimitive<'a>> {
        let skin = node.skin.filter(|_| primitive.vertices.influences.is_some()).map(|skin| &self.model.skins[skin]);
        let matrix = skin.map(|skin| skin.matrices.start).or(node.rigid_matrix)?;
        let outlined = self.outlined.get(index).copied().unwrap_or_default();
        let index = NodeIndex(index as u32);
        Some(VisiblePrimitive { index, node, number, primitive, matrix, skinned: skin.is_some(), outlined, instances: None })
    }
}
