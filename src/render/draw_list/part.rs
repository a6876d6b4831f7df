//! A part is one primitive of a node, for the members of a span. It computes the instances, positions and windings of these members.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{Vec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::render::actor::{Actor, VisiblePrimitive};
use crate::render::buffers::palette_pages::{Instance, NO_HEATS, Span};
use crate::render::model::cull_bounds::Frustum;
use crate::render::model::geometry::IndexSubset;
use crate::render::model::winding::Winding;
use crate::render::pipelines::key::SurfaceKey;

use super::draw::Draw;

/// One primitive of a node, for the members of a span.
#[derive(Clone)]
pub(crate) struct DrawPart<'p, 'a> {
    pub actor: &'p Actor<'a>,
    /// The members, and the position of their data in the page.
    pub span: &'p Span,
    pub visible: VisiblePrimitive<'a>,
    /// Index among the model's materials.
    pub material: usize,
    /// Indices to draw for this node only. `None` draws the whole primitive, or its simplified triangles.
    pub subset: Option<IndexSubset>,
    /// Whether the primitive is drawn with its simplified triangles, if it has them.
    pub is_simplified: bool,
}

impl<'a> DrawPart<'_, 'a> {
    /// Makes a draw. `instances` are two ranges of the page's instance list: the instances in the picture, and all instances. Returns
    /// `None` if there are more instances than a `u32` can count.
    pub fn draw(&self, key: SurfaceKey, page: usize, instances: [Range<u32>; 2], distance: f32) -> Option<Draw<'a>> {
        let primitive = self.visible.primitive;
        let [instances, all_instances] = instances.map(|instances| self.times_instances(instances));
        let subset = self.subset.clone().or_else(|| self.simplified());
        Some(Draw {
            key,
            primitive,
            material: &self.actor.gpu.materials[self.material],
            material_index: self.material,
            group: self.visible.instances.map_or(&primitive.bindings.group, |instances| &instances.primitive.group),
            bindings: &primitive.bindings,
            indices: subset.as_ref().map_or_else(|| primitive.index_range.clone(), |subset| subset.range.clone()),
            partial_indices: subset.map(|subset| subset.indices),
            base_vertex: primitive.vertices.base_vertex,
            actor: self.span.actor,
            page,
            instances: instances?,
            all_instances: all_instances?,
            distance,
            first: (self.visible.node_index, self.visible.primitive_index),
        })
    }

    /// Returns the simplified triangles to draw.
    fn simplified(&self) -> Option<IndexSubset> {
        let meshes = self.actor.gpu.simplified().filter(|_| self.is_simplified)?;
        meshes.get(self.visible.node.mesh?, self.visible.primitive_index)
    }

    /// Returns whether a member is certainly outside the picture. Instanced meshes are never culled.
    pub fn is_outside(&self, frustum: &Frustum, member: usize) -> bool {
        if self.visible.instances.is_some() {
            return false;
        }
        let palette = self.palette(member);
        let weights = &self.actor.weights[member * self.span.weights_len..][..self.span.weights_len];
        let weights = weights.get(self.weights()).unwrap_or(&[]);
        let matrix = |joint| palette.get(self.visible.matrix + joint);
        frustum.misses(&self.visible.primitive.vertices.cull_bounds, weights, self.visible.skinned, matrix)
    }

    /// Returns the instance of a member, which holds the start of the member's data in the page.
    pub fn instance(&self, member: usize) -> Instance {
        let (span, vertices) = (self.span, &self.visible.primitive.vertices);
        let offset = member - span.members.start;
        let place = (self.visible.node_index, self.visible.primitive_index);
        let heats = self.actor.heats.and_then(|heats| heats.starts.get(&place));
        let weights = self.weights();
        Instance {
            palette_base: (span.palette_base + offset * span.palette_len + self.visible.matrix) as u32,
            weights_base: (span.weights_base + offset * span.weights_len + weights.start) as u32,
            extra_sets: vertices.extra_sets,
            morphed: u32::from(!weights.is_empty()),
            tints_base: (span.tints_base + self.visible.matrix * (size_of::<Vec4>() / size_of::<f32>())) as u32,
            heats_base: heats.map_or(NO_HEATS, |first| (span.heats_base + first) as u32),
        }
    }

    /// Returns the range of the morph weights that deform the primitive, among the weights of a member. Nodes without morph targets are
    /// not read, because in large scenes they are not in the processor's caches.
    pub fn weights(&self) -> Range<usize> {
        if self.visible.primitive.vertices.morphed { self.visible.node.weights.clone() } else { 0..0 }
    }

    /// Returns the palette of a member.
    fn palette(&self, member: usize) -> &[JointMatrix] {
        &self.actor.palettes[member * self.span.palette_len..][..self.span.palette_len]
    }

    /// Lists the palette matrices of a member that move the primitive.
    fn matrices(&self, member: usize) -> impl Iterator<Item = &JointMatrix> {
        let palette = self.palette(member);
        let rigid = (!self.visible.skinned).then_some(self.visible.matrix);
        let joints = if self.visible.skinned { &self.visible.primitive.vertices.cull_bounds.joints[..] } else { &[] };
        let joints = joints.iter().map(|(joint, _)| self.visible.matrix + usize::from(*joint));
        joints.chain(rigid).filter_map(|entry| palette.get(entry))
    }

    /// Returns the winding of all members of the span. `None` if each member must be tested separately, which only a few models need.
    pub fn common_winding(&self) -> Option<Winding> {
        let members = &self.span.members;
        (!self.actor.gpu.winding_changes || members.len() == 1).then(|| self.winding(members.start))
    }

    /// Groups the members of the span by winding.
    pub fn members_by_winding(&self) -> BTreeMap<Winding, Vec<usize>> {
        let mut groups: BTreeMap<Winding, Vec<usize>> = BTreeMap::new();
        for member in self.span.members.clone() {
            groups.entry(self.winding(member)).or_default().push(member);
        }
        groups
    }

    /// Returns the winding of a member's triangles.
    pub fn winding(&self, member: usize) -> Winding {
        let winding = Winding::from_matrices(self.matrices(member));
        if self.visible.instances.is_some_and(|instances| instances.mesh.mirrored) { winding.flipped() } else { winding }
    }

    /// Returns the approximate center of a member's primitive, in meters relative to the anchor.
    pub fn center(&self, member: usize) -> Vec3 {
        self.transform_point(
            member,
            self.visible.instances.map_or(self.visible.primitive.vertices.center(), |instances| instances.primitive.center),
        )
    }

    /// Transforms a point of a member's mesh to a position in meters, relative to the anchor. If the mesh is instanced, the point is in the
    /// space of the node. If the mesh is skinned, the result is the mean over the joints that move the primitive.
    pub fn transform_point(&self, member: usize, point: Vec3) -> Vec3 {
        let moved = self.matrices(member).map(|matrix| matrix.transform_point(point));
        let (sum, count) = moved.fold((Vec3::ZERO, 0), |(sum, count), moved| (sum + moved, count + 1));
        sum / count.max(1) as f32
    }

    /// Multiplies both ends of a range of the page's instance list by the number of instances of EXT_mesh_gpu_instancing. The shader
    /// divides by this number again. Returns `None` on overflow.
    fn times_instances(&self, instances: Range<u32>) -> Option<Range<u32>> {
        let count = self.visible.instance_count();
        Some(instances.start.checked_mul(count)?..instances.end.checked_mul(count)?)
    }
}
