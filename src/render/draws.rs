//! Actors to an ordered list of draws: which primitive, with which pipeline, for which instances. Solid ones by pipeline and
//! from the front to the back, blended ones from the back to the front. The winding is decided here, every frame, from the
//! palette: members of a crowd that differ in it are drawn apart.

use std::collections::BTreeMap;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::animation::skinning::JointMatrix;
use crate::model::material::AlphaMode;
use crate::session::view::{Lighting, Shading};

use super::frame;
use super::geometry::GpuPrimitive;
use super::pages::{self, Span};
use super::picture::{Actor, Drawn, Picture};
use super::pipelines::{self, Alpha, Cull, PointsOrLines, Role, SurfaceKey};
use super::upload::GpuMaterial;
use super::winding::Winding;

/// In a crowd of no more, each member's blended primitives are drawn by themselves and in order among all others; in a larger
/// one each primitive is drawn for all members, the far ones first. The places that a node shows its mesh at count as members.
pub(super) const APART: usize = 1000;

/// Keep in sync with `Instance` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Instance {
    palette_base: u32,
    weights_base: u32,
    extra_sets: u32,
    morphed: u32,
}

pub(super) struct Draw<'a> {
    pub key: SurfaceKey,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a GpuMaterial,
    /// Group 2.
    pub group: &'a wgpu::BindGroup,
    /// Place in the list of actors.
    pub actor: usize,
    pub page: usize,
    /// In the page's list; times the number of places, where the primitive is drawn at many.
    pub instances: Range<u32>,
    /// Of the first instance: along the view, from the eye.
    distance: f32,
}

#[derive(Default)]
pub(super) struct Draws<'a> {
    /// What stands in each page.
    pub pages: Vec<(Vec<Span>, Vec<Instance>)>,
    /// Opaque and masked.
    pub solid: Vec<Draw<'a>>,
    pub blended: Vec<Draw<'a>>,
    /// What is selected, of the first member.
    pub marked: Vec<Draw<'a>>,
}

/// `lamps`: whether any light of [`frame::lights`] shines. `limit`: bytes of a page's largest buffer.
pub(super) fn collect<'a>(picture: &Picture, actors: &[Actor<'a>], lamps: bool, limit: u64) -> Draws<'a> {
    let mut draws = Draws::default();
    let back = picture.camera.view_from_world.matrix3.row(2).as_vec3();
    for (page, spans) in pages::divide(actors, limit).into_iter().enumerate() {
        let mut collector = Collector { picture, lamps, back, page, instances: Vec::new(), shared: None };
        for span in &spans {
            collector.shared = None;
            let actor = &actors[span.actor];
            for drawn in actor.drawn() {
                let part = Part { actor, span, drawn };
                for (winding, members) in part.members_by_winding() {
                    let mirrored = drawn.placed.is_some_and(|placed| placed.places.mirrored);
                    let winding = if mirrored { winding.flipped() } else { winding };
                    collector.collect(&part, winding, members, &mut draws);
                }
            }
        }
        draws.pages.push((spans, collector.instances));
    }
    draws.solid.sort_by(|a, b| a.key.cmp(&b.key).then(a.page.cmp(&b.page)).then(a.distance.total_cmp(&b.distance)));
    draws.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    draws
}

/// What is collected into one page.
struct Collector<'c> {
    picture: &'c Picture<'c>,
    lamps: bool,
    /// From what is seen to the eye.
    back: Vec3,
    page: usize,
    instances: Vec<Instance>,
    /// The last instances of all members of a span, by the first of them: further primitives of the node share them.
    shared: Option<(Instance, Range<u32>)>,
}

impl Collector<'_> {
    /// `members`: none means all of the span.
    fn collect<'a>(&mut self, part: &Part<'_, 'a>, winding: Winding, members: Option<Vec<usize>>, draws: &mut Draws<'a>) {
        let primitive = part.drawn.primitive;
        let material = &part.actor.gpu.materials[primitive.material];
        let key = key(self.picture, &part.drawn, material, winding, self.lamps);
        let actor = part.span.actor;
        let (placed, page) = (part.drawn.placed, self.page);
        let group = placed.map_or(&primitive.vertices.group, |placed| &placed.primitive.group);
        let draw = |instances, distance| Draw { key, primitive, material, group, actor, page, instances, distance };
        if part.drawn.outlined && part.span.members.start == 0 && members.as_ref().is_none_or(|members| members.contains(&0)) {
            let first = self.append(part, std::iter::once(0));
            draws.marked.extend(part.everywhere(first).map(|first| draw(first, 0.0)));
        }
        if key.alpha != Alpha::Blend {
            let first = members.as_ref().and_then(|members| members.first().copied()).unwrap_or(part.span.members.start);
            let distance = self.distance(part, first);
            let instances = match members {
                Some(members) => self.append(part, members.into_iter()),
                None => self.append_all(part),
            };
            draws.solid.extend(part.everywhere(instances).map(|instances| draw(instances, distance)));
            return;
        }
        let members = members.unwrap_or_else(|| part.span.members.clone().collect());
        let mut members: Vec<_> = members.into_iter().map(|member| (self.distance(part, member), member)).collect();
        members.sort_by(|a, b| b.0.total_cmp(&a.0));
        let apart = part.actor.count.saturating_mul(part.place_count() as usize) <= APART;
        let together = if apart { 1 } else { members.len().max(1) };
        for members in members.chunks(together) {
            let (distance, first) = members[0];
            let instances = self.append(part, members.iter().map(|(_, member)| *member));
            let Some(everywhere) = part.everywhere(instances) else { continue };
            match placed.filter(|_| apart) {
                Some(placed) => draws.blended.extend(everywhere.zip(&placed.places.matrices).map(|(instance, place)| {
                    let center = part.moved(first, place.transform_point(primitive.vertices.center));
                    draw(instance..instance + 1, -self.back.dot(center))
                })),
                None => draws.blended.push(draw(everywhere, distance)),
            }
        }
    }

    fn append(&mut self, part: &Part, members: impl Iterator<Item = usize>) -> Range<u32> {
        let start = self.instances.len() as u32;
        self.instances.extend(members.map(|member| part.instance(member)));
        start..self.instances.len() as u32
    }

    fn append_all(&mut self, part: &Part) -> Range<u32> {
        let first = part.instance(part.span.members.start);
        match &self.shared {
            Some((shared, range)) if *shared == first => range.clone(),
            _ => {
                let range = self.append(part, part.span.members.clone());
                self.shared = Some((first, range.clone()));
                range
            }
        }
    }

    fn distance(&self, part: &Part, member: usize) -> f32 {
        -self.back.dot(part.center(member))
    }
}

/// A primitive of a node, for the members of a span.
struct Part<'p, 'a> {
    actor: &'p Actor<'a>,
    span: &'p Span,
    drawn: Drawn<'a>,
}

impl Part<'_, '_> {
    fn instance(&self, member: usize) -> Instance {
        let (node, primitive) = (self.drawn.node, self.drawn.primitive);
        let place = member - self.span.members.start;
        Instance {
            palette_base: (self.span.palette_base + place * self.actor.palette_len() + self.drawn.matrix) as u32,
            weights_base: (self.span.weights_base + place * self.actor.weights_len() + node.weights.start) as u32,
            extra_sets: primitive.vertices.extra_sets,
            morphed: u32::from(primitive.vertices.morphed && !node.weights.is_empty()),
        }
    }

    /// The matrices of a member that move the primitive.
    fn matrices(&self, member: usize) -> impl Iterator<Item = &JointMatrix> {
        let palette = self.actor.palettes_of(&(member..member + 1));
        let rigid = (!self.drawn.skinned).then_some(self.drawn.matrix);
        let joints: &[u16] = if self.drawn.skinned { &self.drawn.primitive.vertices.used_joints } else { &[] };
        let joints = joints.iter().map(|&joint| self.drawn.matrix + usize::from(joint));
        joints.chain(rigid).filter_map(|entry| palette.get(entry))
    }

    /// Where all have the same winding it is that of the first, and no list is made.
    fn members_by_winding(&self) -> Vec<(Winding, Option<Vec<usize>>)> {
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

    /// About where the primitive of a member is, relative to the anchor.
    fn center(&self, member: usize) -> Vec3 {
        self.moved(member, self.drawn.placed.map_or(self.drawn.primitive.vertices.center, |placed| placed.primitive.center))
    }

    /// Where a point of the mesh (or, at many places, of the node) is for a member: for a skin the mean over the joints that move
    /// the primitive.
    fn moved(&self, member: usize, point: Vec3) -> Vec3 {
        let moved = self.matrices(member).map(|matrix| matrix.transform_point(point));
        let (sum, count) = moved.fold((Vec3::ZERO, 0), |(sum, count), moved| (sum + moved, count + 1));
        sum / count.max(1) as f32
    }

    /// Once, or at how many places.
    fn place_count(&self) -> u32 {
        self.drawn.placed.map_or(1, |placed| placed.places.count)
    }

    /// These instances at each place, as the shader takes them apart again. None where that is more than it can count.
    fn everywhere(&self, instances: Range<u32>) -> Option<Range<u32>> {
        let count = self.place_count();
        Some(instances.start.checked_mul(count)?..instances.end.checked_mul(count)?)
    }
}

impl<'a> Draw<'a> {
    /// The same with another side left out.
    pub fn culled(&self, cull: Cull) -> SurfaceKey {
        SurfaceKey { cull, ..self.key }
    }

    /// The same for something else than to be seen.
    pub fn playing(&self, role: Role) -> SurfaceKey {
        SurfaceKey { role, ..self.key }.simplified()
    }
}

fn key(picture: &Picture, drawn: &Drawn, material: &GpuMaterial, winding: Winding, lamps: bool) -> SurfaceKey {
    let (primitive, skinned) = (drawn.primitive, drawn.skinned);
    let display = picture.display;
    let points_or_lines = PointsOrLines::from_topology(primitive.topology);
    let lit = display.lighting != Lighting::None;
    let mixed = matches!(winding, Winding::Mixed { .. });
    let is_surface = points_or_lines.is_none();
    let no_side = !is_surface && !primitive.vertices.has_normals;
    let both_sides = material.double_sided || mixed || !is_surface;
    SurfaceKey {
        role: Role::Shade,
        alpha: match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        },
        points_or_lines,
        skinned,
        further: primitive.vertices.further.is_some(),
        placed: drawn.placed.is_some(),
        mirrored: matches!(winding, Winding::Mirrored | Winding::Mixed { mostly_mirrored: true }),
        cull: if both_sides { Cull::None } else { Cull::Back },
        textures: material.textures,
        // A line or a point has no side to take a normal from.
        normals: primitive.vertices.has_normals || !is_surface,
        tangents: primitive.vertices.has_tangents,
        two_sided: is_surface && both_sides,
        unlit: match display.shading {
            Shading::Lit => material.unlit || !lit || no_side,
            Shading::Clay => !lit || no_side,
            _ => no_side,
        },
        studio: frame::studio_shines(picture),
        lamps,
        shading: pipelines::shading_index(display.shading),
        tonemap: pipelines::tonemap_index(display.tonemap),
        lacking: match display.shading {
            Shading::Normals => no_side,
            Shading::Tangents => !primitive.vertices.has_tangents,
            Shading::Uv => !primitive.vertices.has_tex_coords,
            Shading::VertexColors => !primitive.vertices.has_colors,
            Shading::Lit | Shading::BaseColor | Shading::Clay => false,
        },
        xray: display.xray,
    }
    .simplified()
}
