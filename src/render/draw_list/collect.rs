//! Turns actors into ordered draws. Solid draws are sorted by pipeline and page, then front to back; blended draws back to front. Nodes
//! that show the same solid primitive become instances of one draw. The winding is decided in every frame from the palette, and crowd
//! members that differ in it are drawn separately. In the instance list of a draw, instances outside the picture come after those inside.

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec3;

use crate::render::actor::{Actor, VisiblePrimitive};
use crate::render::buffers::palette_pages::{self, Instance, PageContents, Span};
use crate::render::model::cull_bounds::Frustum;
use crate::render::model::geometry::GpuPrimitive;
use crate::render::model::instances::MAX_SEPARATE_INSTANCES;
use crate::render::model::partial_indices::IndexSubsets;
use crate::render::picture::Picture;
use crate::render::pipelines::key::{Alpha, Role, SurfaceKey};

use super::draw::{ActorDraws, Draw};
use super::key::{LightFeatures, surface_key};
use super::part::DrawPart;

/// The settings that turn actors into draws.
pub(crate) struct Collection<'c> {
    pub picture: &'c Picture<'c>,
    /// The lights that surfaces are shaded with.
    pub features: LightFeatures,
    /// Largest buffer of a palette page, in bytes.
    pub page_bytes: u64,
    /// Draws outside this frustum are left out. `None` draws everything.
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
            let mut collector = Collector { frustum: self.frustum.as_ref(), back, page, instances: Vec::new(), shared: None };
            let mut solids = Solids::default();
            for span in &spans {
                let actor = &actors[span.actor];
                if actor.ghost.is_some() && !self.picture.options.onion_skin {
                    continue;
                }
                for part in actor.visible_primitives().filter_map(|visible| self.part(actor, span, visible)) {
                    self.collect_part(&part, &mut collector, &mut solids, &mut draws);
                }
            }
            for (key, parts) in solids.parts {
                let list = if key.role == Role::Ghost { &mut draws.ghosts } else { &mut draws.solid };
                collector.solid(key, &parts, list);
            }
            let instances = collector.instances;
            draws.pages.push(PageContents { spans, instances });
        }
        draws.solid.sort_by(|a, b| a.key.cmp(&b.key).then(a.page.cmp(&b.page)).then(a.distance.total_cmp(&b.distance)));
        draws.ghosts.sort_by_key(|draw| draw.actor);
        draws.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        draws
    }

    /// Combines a visible primitive with its material and its index subset. Returns `None` if no index of it is drawn.
    pub fn part<'p, 'a>(&self, actor: &'p Actor<'a>, span: &'p Span, visible: VisiblePrimitive<'a>) -> Option<DrawPart<'p, 'a>> {
        let material = visible.primitive.material_in(self.picture.options.variant);
        let subset = self.subsets.get(actor, visible.node_index, visible.primitive_index);
        let is_empty = subset.as_ref().is_some_and(|subset| subset.range.is_empty());
        (!is_empty).then_some(DrawPart { actor, span, visible, material, subset })
    }

    /// Adds one primitive of a node: once for each winding among its members, and once more if it is outlined.
    fn collect_part<'p, 'a>(
        &self,
        part: &DrawPart<'p, 'a>,
        collector: &mut Collector,
        solids: &mut Solids<'p, 'a>,
        draws: &mut ActorDraws<'a>,
    ) {
        let (visible, is_ghost) = (&part.visible, part.actor.ghost.is_some());
        for (winding, members) in part.members_by_winding() {
            let mirrored = visible.instances.is_some_and(|instances| instances.mesh.mirrored);
            let winding = if mirrored { winding.flipped() } else { winding };
            let key = surface_key(self.picture, part, winding, self.features);
            let key = if is_ghost { SurfaceKey { role: Role::Ghost, ..key }.simplified() } else { key };
            if visible.outlined && part.span.members.start == 0 && members.as_ref().is_none_or(|members| members.contains(&0)) {
                let (instances, all) = collector.append(&[part.instance(0)], &[]);
                draws.outlined.extend(part.draw(key, collector.page, [instances, all], 0.0));
            }
            match key.alpha {
                Alpha::Blend if key.role != Role::Ghost => collector.blended(part, key, members, &mut draws.blended),
                _ => solids.add(key, part.clone(), members),
            }
        }
    }
}

/// A part with some of its members. `None` means all members of the span.
type Members<'p, 'a> = (DrawPart<'p, 'a>, Option<Vec<usize>>);

/// The solid parts and the ghosts of a page, grouped into draws, in the order in which they were added.
#[derive(Default)]
struct Solids<'p, 'a> {
    /// One entry per draw.
    parts: Vec<(SurfaceKey, Vec<Members<'p, 'a>>)>,
    /// Index in `parts`, by pipeline, actor and primitive.
    known: HashMap<(SurfaceKey, usize, *const GpuPrimitive), usize>,
}

impl<'p, 'a> Solids<'p, 'a> {
    /// Adds a part to the draw of the same pipeline, actor and primitive, or starts a new draw.
    fn add(&mut self, key: SurfaceKey, part: DrawPart<'p, 'a>, members: Option<Vec<usize>>) {
        let parts = &mut self.parts;
        if part.visible.instances.is_some() || part.subset.is_some() {
            // Such a part has instances or indices of its own and cannot share a draw.
            return parts.push((key, vec![(part, members)]));
        }
        let primitive: *const GpuPrimitive = part.visible.primitive;
        let index = *self.known.entry((key, part.span.actor, primitive)).or_insert(parts.len());
        match parts.get_mut(index) {
            Some((_, parts)) => parts.push((part, members)),
            None => parts.push((key, vec![(part, members)])),
        }
    }
}

/// Collects the draws of one page.
struct Collector<'c> {
    frustum: Option<&'c Frustum>,
    /// Direction from the scene to the camera, of unit length.
    back: Vec3,
    /// Index of the page.
    page: usize,
    /// The instance list of the page.
    instances: Vec<Instance>,
    /// The last list of all members of a span: its first instance and its range. Other primitives of the same node reuse it.
    shared: Option<(Instance, Range<u32>)>,
}

impl Collector<'_> {
    /// Makes one draw from parts that share pipeline and primitive. Its distance is that of the nearest part.
    fn solid<'a>(&mut self, key: SurfaceKey, parts: &[Members<'_, 'a>], draws: &mut Vec<Draw<'a>>) {
        let (mut inside, mut outside, mut distance) = (Vec::new(), Vec::new(), f32::INFINITY);
        for (part, members) in parts {
            let first = members.as_ref().and_then(|members| members.first().copied()).unwrap_or(part.span.members.start);
            distance = distance.min(self.distance(part, first));
            let all = members.is_none().then(|| part.span.members.clone());
            for member in all.into_iter().flatten().chain(members.iter().flatten().copied()) {
                let side = if self.is_in_picture(part, member) { &mut inside } else { &mut outside };
                side.push(part.instance(member));
            }
        }
        let (in_picture, all) = match parts {
            // All members of one node are in the picture, so primitives of that node can share their list.
            [(part, None)] if outside.is_empty() => {
                let all = self.append_all(part);
                (all.clone(), all)
            }
            _ => self.append(&inside, &outside),
        };
        let Some((part, _)) = parts.first() else { return };
        draws.extend(part.draw(key, self.page, [in_picture, all], distance));
    }

    /// Makes the draws of a blended part. Each member and each instance of EXT_mesh_gpu_instancing becomes a draw of its own, which can be
    /// sorted by distance, unless there are too many. `members` of `None` means all members of the span.
    fn blended<'a>(&mut self, part: &DrawPart<'_, 'a>, key: SurfaceKey, members: Option<Vec<usize>>, draws: &mut Vec<Draw<'a>>) {
        let members = members.unwrap_or_else(|| part.span.members.clone().collect());
        let mut members: Vec<_> = members.into_iter().map(|member| (self.distance(part, member), member)).collect();
        members.sort_by(|a, b| b.0.total_cmp(&a.0));
        let separate = part.actor.count.saturating_mul(part.instance_count() as usize) <= MAX_SEPARATE_INSTANCES;
        let chunk_size = if separate { 1 } else { members.len().max(1) };
        for members in members.chunks(chunk_size) {
            let (distance, first) = members[0];
            let (inside, outside): (Vec<_>, Vec<_>) =
                members.iter().map(|(_, member)| *member).partition(|member| self.is_in_picture(part, *member));
            let instances = |members: Vec<usize>| members.into_iter().map(|member| part.instance(member)).collect::<Vec<_>>();
            let (in_picture, all) = self.append(&instances(inside), &instances(outside));
            let Some(draw) = part.draw(key, self.page, [in_picture, all], distance) else { continue };
            match part.visible.instances.filter(|_| separate) {
                Some(instances) => draws.extend(draw.all_instances.clone().zip(&instances.mesh.matrices).map(|(instance, matrix)| {
                    let center = part.transform_point(first, matrix.transform_point(draw.primitive.vertices.center));
                    let instances = instance..instance + 1;
                    Draw { distance: -self.back.dot(center), all_instances: instances.clone(), instances, ..draw.clone() }
                })),
                None => draws.push(draw),
            }
        }
    }

    /// Appends instances. Returns the range of those in the picture, and the range of all.
    fn append(&mut self, inside: &[Instance], outside: &[Instance]) -> (Range<u32>, Range<u32>) {
        let start = self.instances.len() as u32;
        self.instances.extend_from_slice(inside);
        let end = self.instances.len() as u32;
        self.instances.extend_from_slice(outside);
        (start..end, start..self.instances.len() as u32)
    }

    /// Returns whether a member may be in the picture.
    fn is_in_picture(&self, part: &DrawPart, member: usize) -> bool {
        self.frustum.is_none_or(|frustum| !part.is_outside(frustum, member))
    }

    /// Appends the instances of all members of a span, or returns the range of an equal list appended just before.
    fn append_all(&mut self, part: &DrawPart) -> Range<u32> {
        let first = part.instance(part.span.members.start);
        match &self.shared {
            Some((shared, range)) if *shared == first => range.clone(),
            _ => {
                let start = self.instances.len() as u32;
                self.instances.extend(part.span.members.clone().map(|member| part.instance(member)));
                let range = start..self.instances.len() as u32;
                self.shared = Some((first, range.clone()));
                range
            }
        }
    }

    /// Distance of a member's center from the anchor along the view axis, in meters. Farther is larger.
    fn distance(&self, part: &DrawPart, member: usize) -> f32 {
        -self.back.dot(part.center(member))
    }
}
