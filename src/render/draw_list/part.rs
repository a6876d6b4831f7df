//! A primitive of a node for the members of a span: which instances they are, where they are, and which way their triangles turn.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{Vec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::render::buffers::palette_pages::Span;
use crate::render::model::cull_bounds::Frustum;
use crate::render::model::partial_indices;
use crate::render::model::winding::Winding;
use crate::render::picture::{Actor, Drawn};
use crate::render::pipelines::SurfaceKey;

use super::draw::{Draw, Instance};

/// A primitive of a node, for the members of a span.
#[derive(Clone)]
pub(crate) struct Part<'p, 'a> {
    pub actor: &'p Actor<'a>,
    pub span: &'p Span,
    pub drawn: Drawn<'a>,
    /// In the actor's list.
    pub material: usize,
    /// Not all of it is drawn.
    pub cut: Option<partial_indices::Part>,
}

impl<'a> Part<'_, 'a> {
    /// `instances`: those in the picture, and all. None where there are more places than the shader can count.
    pub fn draw(&self, key: SurfaceKey, page: usize, instances: [Range<u32>; 2], distance: f32) -> Option<Draw<'a>> {
        let primitive = self.drawn.primitive;
        let [instances, all] = instances.map(|instances| self.everywhere(instances));
        Some(Draw {
            key,
            primitive,
            material: &self.actor.gpu.materials[self.material],
            material_index: self.material,
            group: self.drawn.placed.map_or(&primitive.vertices.group, |placed| &placed.primitive.group),
            cut: self.cut.clone(),
            actor: self.span.actor,
            page,
            instances: instances?,
            all: all?,
            distance,
        })
    }

    /// Whether nothing of a member can be in the picture. Where it stands in many places, that is not asked.
    pub fn is_beyond(&self, frustum: &Frustum, member: usize) -> bool {
        if self.drawn.placed.is_some() {
            return false;
        }
        let members = member..member + 1;
        let (palette, weights) = (self.actor.palettes_of(&members), self.actor.weights_of(&members));
        let weights = weights.get(self.drawn.node.weights.clone()).unwrap_or(&[]);
        let matrix = |joint| palette.get(self.drawn.matrix + joint);
        frustum.misses(&self.drawn.primitive.vertices.reach, weights, self.drawn.skinned, matrix)
    }

    pub fn instance(&self, member: usize) -> Instance {
        let (node, primitive) = (self.drawn.node, self.drawn.primitive);
        let place = member - self.span.members.start;
        Instance {
            palette_base: (self.span.palette_base + place * self.actor.palette_len() + self.drawn.matrix) as u32,
            weights_base: (self.span.weights_base + place * self.actor.weights_len() + node.weights.start) as u32,
            extra_sets: primitive.vertices.extra_sets,
            morphed: u32::from(primitive.vertices.morphed && !node.weights.is_empty()),
            tints_base: (self.span.tints_base + self.drawn.matrix * (size_of::<Vec4>() / size_of::<f32>())) as u32,
        }
    }

    /// The matrices of a member that move the primitive.
    fn matrices(&self, member: usize) -> impl Iterator<Item = &JointMatrix> {
        let palette = self.actor.palettes_of(&(member..member + 1));
        let rigid = (!self.drawn.skinned).then_some(self.drawn.matrix);
        let joints = if self.drawn.skinned { &self.drawn.primitive.vertices.reach.joints[..] } else { &[] };
        let joints = joints.iter().map(|(joint, _)| self.drawn.matrix + usize::from(*joint));
        joints.chain(rigid).filter_map(|entry| palette.get(entry))
    }

    /// Where all have the same winding it is that of the first, and no list is made.
    pub fn members_by_winding(&self) -> Vec<(Winding, Option<Vec<usize>>)> {
        let members = self.span.members.clone();
        if !self.actor.gpu.winding_changes || members.len() == 1 {
            return vec![(Winding::of(self.matrices(members.start)), None)];
        }
        let mut groups: BTreeMap<Winding, Vec<usize>> = BTreeMap::new();
        for member in members {
            groups.entry(Winding::of(self.matrices(member))).or_default().push(member);
        }
        groups.into_iter().map(|(winding, members)| (winding, Some(members))).collect()
    }

    /// Which way the triangles of a member turn.
    pub fn winding(&self, member: usize) -> Winding {
        let winding = Winding::of(self.matrices(member));
        if self.drawn.placed.is_some_and(|placed| placed.places.mirrored) { winding.flipped() } else { winding }
    }

    /// About where the primitive of a member is, relative to the anchor.
    pub fn center(&self, member: usize) -> Vec3 {
        self.moved(member, self.drawn.placed.map_or(self.drawn.primitive.vertices.center, |placed| placed.primitive.center))
    }

    /// Where a point of the mesh (or, at many places, of the node) is for a member: for a skin the mean over the joints that move
    /// the primitive.
    pub fn moved(&self, member: usize, point: Vec3) -> Vec3 {
        let moved = self.matrices(member).map(|matrix| matrix.transform_point(point));
        let (sum, count) = moved.fold((Vec3::ZERO, 0), |(sum, count), moved| (sum + moved, count + 1));
        sum / count.max(1) as f32
    }

    /// Once, or at how many places.
    pub fn place_count(&self) -> u32 {
        self.drawn.placed.map_or(1, |placed| placed.places.count)
    }

    /// These instances at each place, as the shader takes them apart again. None where that is more than it can count.
    fn everywhere(&self, instances: Range<u32>) -> Option<Range<u32>> {
        let count = self.place_count();
        Some(instances.start.checked_mul(count)?..instances.end.checked_mul(count)?)
    }
}
