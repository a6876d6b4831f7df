//! Turns actors into draws, in the order in which they are encoded. Nodes that show the same solid primitive become instances of one draw.
//! The winding of the triangles is computed from the palette in every frame, and crowd members with different windings are drawn
//! separately. In the instance list of a draw, instances inside the picture come before those outside.

use std::ops::Range;

use glam::Vec3;

use crate::render::actor::{Actor, VisiblePrimitive};
use crate::render::buffers::palette_pages::{self, Instance, PageContents, Span};
use crate::render::material::features::ShaderFeatures;
use crate::render::model::cull_bounds::Frustum;
use crate::render::model::instances::MAX_SEPARATE_INSTANCES;
use crate::render::model::node_groups::NodeGroup;
use crate::render::model::partial_indices::IndexSubsets;
use crate::render::model::winding::Winding;
use crate::render::picture::Picture;
use crate::render::pipelines::key::{Alpha, Role, SurfaceKey};

use super::draw::{ActorDraws, Draw};
use super::key::{LightFeatures, surface_key};
use super::order;
use super::part::DrawPart;

/// The settings for turning actors into draws.
pub(crate) struct Collection<'c> {
    pub picture: &'c Picture<'c>,
    /// The lights that the shaders of surfaces must support.
    pub features: LightFeatures,
    /// Largest buffer of a palette page, in bytes.
    pub page_bytes: u64,
    /// Instances outside of this frustum come last in the instance list of their draw. With `None`, all instances count as inside.
    pub frustum: Option<Frustum>,
    /// Index lists of primitives that are drawn in part.
    pub subsets: &'c IndexSubsets,
}

impl Collection<'_> {
    /// Makes the draws of all actors, page by page.
    pub fn draws<'a>(&self, actors: &[Actor<'a>]) -> ActorDraws<'a> {
        let mut draws = ActorDraws::default();
        // Distances are measured along the view axis. Row 2 of the view matrix points from the scene to the camera.
        let back = self.picture.camera.view_from_world.matrix3.row(2).as_vec3();
        for (page, spans) in palette_pages::divide(actors, self.page_bytes).into_iter().enumerate() {
            let mut collector =
                Collector { collection: self, back, page, instances: Vec::new(), last: 0, spare: Default::default(), draws: &mut draws };
            for span in &spans {
                let actor = &actors[span.actor];
                if actor.ghost.is_none() || self.picture.options.onion_skin {
                    // Groups are many and small, so they share a list.
                    let mut surfaces = Vec::new();
                    actor.gpu.node_groups.iter().for_each(|group| collector.add_group(actor, span, group, &mut surfaces));
                }
            }
            let instances = collector.instances;
            draws.pages.push(PageContents { spans, instances });
        }
        order::sort(&mut draws);
        draws
    }

    /// Combines a visible primitive with its material and its index subset. Returns `None` if none of its indices are drawn.
    pub fn part<'p, 'a>(&self, actor: &'p Actor<'a>, span: &'p Span, visible: VisiblePrimitive<'a>) -> Option<DrawPart<'p, 'a>> {
        let material = visible.primitive.material_in(self.picture.options.variant);
        let subset = self.subsets.get(actor, visible.node_index, visible.primitive_index);
        let is_empty = subset.as_ref().is_some_and(|subset| subset.range.is_empty());
        let is_simplified = self.picture.is_simplified && !self.picture.options.wireframe;
        (!is_empty).then_some(DrawPart { actor, span, visible, material, subset, is_simplified })
    }
}

/// Members of a span.
#[derive(Clone, Copy)]
enum Members<'m> {
    All,
    /// The members with these indices.
    Only(&'m [usize]),
}

impl<'m> Members<'m> {
    /// Lists the indices of the members.
    fn in_span(self, span: &Span) -> impl Iterator<Item = usize> + use<'m> {
        let (all, some) = match self {
            Self::All => (span.members.clone(), &[][..]),
            Self::Only(some) => (0..0, some),
        };
        all.chain(some.iter().copied())
    }
}

/// The parts of a node group that have the same winding.
struct Surface<'p, 'a> {
    winding: Winding,
    /// The pipeline, which depends on the group and the winding alone.
    key: SurfaceKey,
    /// The solid parts so far that share a draw. `None` if there are none.
    solid: Option<Solid<'p, 'a>>,
}

/// Solid parts that become one draw. They differ only in their instances.
struct Solid<'p, 'a> {
    /// The first of the parts.
    part: DrawPart<'p, 'a>,
    /// Instances in the picture.
    inside: Vec<Instance>,
    /// Instances outside the picture.
    outside: Vec<Instance>,
    /// Distance of the nearest part.
    distance: f32,
}

impl Solid<'_, '_> {
    /// Adds members of a part.
    fn add(&mut self, collector: &Collector, part: &DrawPart, members: Members) {
        if let Some(first) = members.in_span(part.span).next() {
            self.distance = self.distance.min(collector.distance(part, first));
        }
        for member in members.in_span(part.span) {
            let side = if collector.is_in_picture(part, member) { &mut self.inside } else { &mut self.outside };
            side.push(part.instance(member));
        }
    }
}

/// Collects the draws of one page.
struct Collector<'c, 'a> {
    collection: &'c Collection<'c>,
    /// Direction from the scene to the camera, of unit length.
    back: Vec3,
    /// Index of the page.
    page: usize,
    /// The instance list of the page.
    instances: Vec<Instance>,
    /// Start of the instances that were appended last.
    last: usize,
    /// Two empty lists for the next [`Solid`]. Allocating lists for each one would take a noticeable part of the time.
    spare: [Vec<Instance>; 2],
    draws: &'c mut ActorDraws<'a>,
}

impl<'a> Collector<'_, 'a> {
    /// Makes the draws of a group of nodes. `surfaces` is empty before and afterwards.
    fn add_group<'p>(&mut self, actor: &'p Actor<'a>, span: &'p Span, group: &'a NodeGroup, surfaces: &mut Vec<Surface<'p, 'a>>) {
        for visible in actor.visible_in(group) {
            let Some(part) = self.collection.part(actor, span, visible) else { continue };
            match part.common_winding() {
                Some(winding) => self.add_part(&part, winding, Members::All, surfaces),
                None => part.members_by_winding().iter().for_each(|(&winding, members)| {
                    self.add_part(&part, winding, Members::Only(members), surfaces);
                }),
            }
        }
        for Surface { key, solid, .. } in surfaces.drain(..) {
            solid.into_iter().for_each(|solid| self.push_solid(key, solid));
        }
    }

    /// Adds members of a part, all with the same winding.
    fn add_part<'p>(&mut self, part: &DrawPart<'p, 'a>, winding: Winding, members: Members, surfaces: &mut Vec<Surface<'p, 'a>>) {
        let known = surfaces.iter().position(|surface| surface.winding == winding).unwrap_or(surfaces.len());
        if known == surfaces.len() {
            let key = surface_key(self.collection.picture, part, winding, self.collection.features);
            let key = if part.actor.ghost.is_some() { SurfaceKey { role: Role::Ghost, ..key }.simplified() } else { key };
            self.draws.has_transmission |= key.features.has(ShaderFeatures::TRANSMISSION);
            surfaces.push(Surface { winding, key, solid: None });
        }
        let Surface { key, solid, .. } = &mut surfaces[known];
        if part.visible.outlined && members.in_span(part.span).any(|member| member == 0) {
            let instances = self.append(&[part.instance(0)], &[]);
            self.draws.outlined.extend(part.draw(*key, self.page, instances, 0.0));
        }
        if key.alpha == Alpha::Blend && key.role != Role::Ghost {
            self.push_blended(part, *key, members);
        } else if part.subset.is_some() {
            // Such a part has separate indices and cannot share a draw.
            let mut alone = self.solid(part.clone());
            alone.add(self, part, members);
            self.push_solid(*key, alone);
        } else {
            solid.get_or_insert_with(|| self.solid(part.clone())).add(self, part, members);
        }
    }

    /// Starts a draw with this part, without instances.
    fn solid<'p>(&mut self, part: DrawPart<'p, 'a>) -> Solid<'p, 'a> {
        let [inside, outside] = std::mem::take(&mut self.spare);
        Solid { part, inside, outside, distance: f32::INFINITY }
    }

    /// Makes one draw from parts that share pipeline and primitive.
    fn push_solid(&mut self, key: SurfaceKey, solid: Solid<'_, 'a>) {
        let Solid { part, mut inside, mut outside, distance } = solid;
        let instances = self.append(&inside, &outside);
        let list = if key.role == Role::Ghost { &mut self.draws.ghosts } else { &mut self.draws.solid };
        list.extend(part.draw(key, self.page, instances, distance));
        inside.clear();
        outside.clear();
        self.spare = [inside, outside];
    }

    /// Makes the draws of a blended part. Unless there are too many, each member and each instance of EXT_mesh_gpu_instancing becomes a
    /// separate draw, so that it can be sorted by distance.
    fn push_blended(&mut self, part: &DrawPart<'_, 'a>, key: SurfaceKey, members: Members) {
        let mut members: Vec<_> = members.in_span(part.span).map(|member| (self.distance(part, member), member)).collect();
        members.sort_by(|a, b| b.0.total_cmp(&a.0));
        let separate = part.actor.count.saturating_mul(part.visible.instance_count() as usize) <= MAX_SEPARATE_INSTANCES;
        let chunk_size = if separate { 1 } else { members.len().max(1) };
        for members in members.chunks(chunk_size) {
            let (distance, first) = members[0];
            let (inside, outside): (Vec<_>, Vec<_>) =
                members.iter().map(|(_, member)| *member).partition(|member| self.is_in_picture(part, *member));
            let instances = |members: Vec<usize>| members.into_iter().map(|member| part.instance(member)).collect::<Vec<_>>();
            let ranges = self.append(&instances(inside), &instances(outside));
            let Some(draw) = part.draw(key, self.page, ranges, distance) else { continue };
            match part.visible.instances.filter(|_| separate) {
                Some(instances) => {
                    let back = self.back;
                    self.draws.blended.extend(draw.all_instances.clone().zip(&instances.mesh.matrices).map(|(instance, matrix)| {
                        let center = part.transform_point(first, matrix.transform_point(draw.primitive.vertices.center()));
                        let instances = instance..instance + 1;
                        Draw { distance: -back.dot(center), all_instances: instances.clone(), instances, ..draw.clone() }
                    }));
                }
                None => self.draws.blended.push(draw),
            }
        }
    }

    /// Appends instances. Returns the range of the instances in the picture, and the range of all instances.
    fn append(&mut self, inside: &[Instance], outside: &[Instance]) -> [Range<u32>; 2] {
        // The primitives of a mesh belong to the same nodes, so they often have equal instance lists. Such a list is not appended again.
        let last = &self.instances[self.last..];
        let is_equal = last.len() == inside.len() + outside.len() && last.starts_with(inside) && last.ends_with(outside);
        if !is_equal {
            self.last = self.instances.len();
            self.instances.extend_from_slice(inside);
            self.instances.extend_from_slice(outside);
        }
        let start = self.last as u32;
        [start..start + inside.len() as u32, start..self.instances.len() as u32]
    }

    /// Returns whether a member may be in the picture.
    fn is_in_picture(&self, part: &DrawPart, member: usize) -> bool {
        self.collection.frustum.as_ref().is_none_or(|frustum| !part.is_outside(frustum, member))
    }

    /// Distance of a member's center from the anchor along the view axis, in meters. Farther is larger.
    fn distance(&self, part: &DrawPart, member: usize) -> f32 {
        -self.back.dot(part.center(member))
    }
}
