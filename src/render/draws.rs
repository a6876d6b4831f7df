//! Actors to an ordered list of draws: which primitive, with which pipeline, for which instances. Solid ones by pipeline and
//! from the front to the back, blended ones from the back to the front. Nodes that show the same solid primitive are instances of
//! one draw. The winding is decided here, every frame, from the palette: members of a crowd that differ in it are drawn apart.
//! Instances that are not in the picture stand behind those that are.

use std::collections::HashMap;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::model::material::AlphaMode;
use crate::session::view::{Lighting, Shading, Weights};

use super::cut::{self, Cuts};
use super::features::Features;
use super::frame;
use super::geometry::GpuPrimitive;
use super::pages::{self, Span};
use super::part::Part;
use super::picture::{Actor, Picture};
use super::pipelines::{self, Alpha, Cull, PointsOrLines, Role, SurfaceKey};
use super::reach::Frustum;
use super::upload::GpuMaterial;
use super::winding::Winding;

/// In a crowd of no more, each member's blended primitives are drawn by themselves and in order among all others; in a larger
/// one each primitive is drawn for all members, the far ones first. The places that a node shows its mesh at count as members.
pub(super) const APART: usize = 1000;

/// Keep in sync with `Instance` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Instance {
    pub palette_base: u32,
    pub weights_base: u32,
    pub extra_sets: u32,
    pub morphed: u32,
    /// Among the morph weights.
    pub tints_base: u32,
}

#[derive(Clone)]
pub(super) struct Draw<'a> {
    pub key: SurfaceKey,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a GpuMaterial,
    /// Its place in the model.
    pub material_index: usize,
    /// Group 2.
    pub group: &'a wgpu::BindGroup,
    /// Not all of it is drawn.
    pub cut: Option<cut::Part>,
    /// Place in the list of actors.
    pub actor: usize,
    pub page: usize,
    /// Those in the picture, in the page's list; times the number of places, where the primitive is drawn at many.
    pub instances: Range<u32>,
    /// The same, and those that are not in the picture.
    pub all: Range<u32>,
    /// Of the first instance: along the view, from the eye.
    pub distance: f32,
}

#[derive(Default)]
pub(super) struct Draws<'a> {
    /// What stands in each page.
    pub pages: Vec<(Vec<Span>, Vec<Instance>)>,
    /// Opaque and masked.
    pub solid: Vec<Draw<'a>>,
    pub blended: Vec<Draw<'a>>,
    /// In the order of their actors.
    pub ghosts: Vec<Draw<'a>>,
    /// The ground receives the shadow of all that.
    pub shadow: bool,
    /// What is selected, of the first member.
    pub marked: Vec<Draw<'a>>,
}

/// What shines beside the light around the model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shining {
    /// Any light of [`frame::lights`].
    pub lamps: bool,
    /// The key lamp, and casts a shadow.
    pub shadow: bool,
}

impl<'a> Draws<'a> {
    /// What is drawn, sides of blended surfaces by themselves.
    pub fn count(&self) -> usize {
        let all = self.solid.iter().chain(&self.blended);
        all.filter(|draw| !draw.instances.is_empty()).map(|draw| draw.keys().count()).sum()
    }

    /// Those of the solid ones, with what they are seen by.
    pub fn of_body(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        self.solid.iter().map(|draw| (draw, draw.key))
    }

    /// One ghost after the other, the nearest in time first: its depth, then its colour.
    pub fn of_ghosts(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        let ghosts = self.ghosts.chunk_by(|a, b| a.actor == b.actor);
        let roles = ghosts.flat_map(|ghost| [Role::GhostDepth, Role::Ghost].map(|role| (ghost, role)));
        roles.flat_map(|(ghost, role)| ghost.iter().map(move |draw| (draw, draw.playing(role))))
    }

    /// Whether anything lets light through.
    pub fn transmit(&self) -> bool {
        self.solid.iter().chain(&self.blended).any(Draw::transmits)
    }
}

/// `limit`: bytes of a page's largest buffer. `frustum`: what is beyond it is not drawn. `cuts`: what is not drawn whole.
pub(super) fn collect<'a>(
    picture: &Picture,
    actors: &[Actor<'a>],
    shining: Shining,
    limit: u64,
    (frustum, cuts): (Option<&Frustum>, &Cuts),
) -> Draws<'a> {
    let mut draws = Draws { shadow: shining.shadow, ..Draws::default() };
    let back = picture.camera.view_from_world.matrix3.row(2).as_vec3();
    for (page, spans) in pages::divide(actors, limit).into_iter().enumerate() {
        let mut collector = Collector { frustum, back, page, instances: Vec::new(), shared: None };
        let mut solids = Solids::default();
        for span in &spans {
            let actor = &actors[span.actor];
            if actor.ghost.is_some() && !picture.display.ghosts.shown {
                continue;
            }
            for drawn in actor.drawn() {
                let material = drawn.primitive.material_in(picture.display.variant);
                let cut = cuts.part(actor, drawn.index, drawn.place);
                if cut.as_ref().is_some_and(|cut| cut.range.is_empty()) {
                    continue;
                }
                let part = Part { actor, span, drawn, material, cut };
                for (winding, members) in part.members_by_winding() {
                    let mirrored = drawn.placed.is_some_and(|placed| placed.places.mirrored);
                    let winding = if mirrored { winding.flipped() } else { winding };
                    let key = key(picture, &part, &actor.gpu.materials[material], winding, shining);
                    let key = if actor.ghost.is_some() { SurfaceKey { role: Role::Ghost, ..key }.simplified() } else { key };
                    if drawn.outlined && span.members.start == 0 && members.as_ref().is_none_or(|members| members.contains(&0)) {
                        let first = collector.append(&[part.instance(0)], &[]);
                        draws.marked.extend(part.draw(key, page, [first.0, first.1], 0.0));
                    }
                    match key.alpha {
                        Alpha::Blend if key.role != Role::Ghost => collector.blended(&part, key, members, &mut draws.blended),
                        _ => solids.add(key, part.clone(), members),
                    }
                }
            }
        }
        for (key, parts) in solids.parts {
            let list = if key.role == Role::Ghost { &mut draws.ghosts } else { &mut draws.solid };
            collector.solid(key, &parts, list);
        }
        let instances = collector.instances;
        draws.pages.push((spans, instances));
    }
    draws.solid.sort_by(|a, b| a.key.cmp(&b.key).then(a.page.cmp(&b.page)).then(a.distance.total_cmp(&b.distance)));
    draws.ghosts.sort_by_key(|draw| draw.actor);
    draws.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    draws
}

/// A part with some of its members; none means all.
type Members<'p, 'a> = (Part<'p, 'a>, Option<Vec<usize>>);

/// The parts of a page by what is drawn at once, in the order that they came in.
#[derive(Default)]
struct Solids<'p, 'a> {
    parts: Vec<(SurfaceKey, Vec<Members<'p, 'a>>)>,
    known: HashMap<(SurfaceKey, usize, *const GpuPrimitive), usize>,
}

impl<'p, 'a> Solids<'p, 'a> {
    fn add(&mut self, key: SurfaceKey, part: Part<'p, 'a>, members: Option<Vec<usize>>) {
        let parts = &mut self.parts;
        if part.drawn.placed.is_some() || part.cut.is_some() {
            // Each has places, or indices, of its own.
            return parts.push((key, vec![(part, members)]));
        }
        let primitive: *const GpuPrimitive = part.drawn.primitive;
        let at = *self.known.entry((key, part.span.actor, primitive)).or_insert(parts.len());
        match parts.get_mut(at) {
            Some((_, parts)) => parts.push((part, members)),
            None => parts.push((key, vec![(part, members)])),
        }
    }
}

/// What is collected into one page.
struct Collector<'c> {
    frustum: Option<&'c Frustum>,
    /// From what is seen to the eye.
    back: Vec3,
    page: usize,
    instances: Vec<Instance>,
    /// The last instances of all members of a span, by the first of them: further primitives of the node share them.
    shared: Option<(Instance, Range<u32>)>,
}

impl Collector<'_> {
    fn solid<'a>(&mut self, key: SurfaceKey, parts: &[Members<'_, 'a>], draws: &mut Vec<Draw<'a>>) {
        let (mut seen, mut unseen, mut distance) = (Vec::new(), Vec::new(), f32::INFINITY);
        for (part, members) in parts {
            let first = members.as_ref().and_then(|members| members.first().copied()).unwrap_or(part.span.members.start);
            distance = distance.min(self.distance(part, first));
            let all = members.is_none().then(|| part.span.members.clone());
            for member in all.into_iter().flatten().chain(members.iter().flatten().copied()) {
                let side = if self.sees(part, member) { &mut seen } else { &mut unseen };
                side.push(part.instance(member));
            }
        }
        let (in_picture, all) = match parts {
            [(part, None)] if unseen.is_empty() => {
                let all = self.append_all(part);
                (all.clone(), all)
            }
            _ => self.append(&seen, &unseen),
        };
        let Some((part, _)) = parts.first() else { return };
        draws.extend(part.draw(key, self.page, [in_picture, all], distance));
    }

    /// `members`: none means all of the span.
    fn blended<'a>(&mut self, part: &Part<'_, 'a>, key: SurfaceKey, members: Option<Vec<usize>>, draws: &mut Vec<Draw<'a>>) {
        let members = members.unwrap_or_else(|| part.span.members.clone().collect());
        let mut members: Vec<_> = members.into_iter().map(|member| (self.distance(part, member), member)).collect();
        members.sort_by(|a, b| b.0.total_cmp(&a.0));
        let apart = part.actor.count.saturating_mul(part.place_count() as usize) <= APART;
        let together = if apart { 1 } else { members.len().max(1) };
        for members in members.chunks(together) {
            let (distance, first) = members[0];
            let (seen, unseen): (Vec<_>, Vec<_>) = members.iter().map(|(_, member)| *member).partition(|member| self.sees(part, *member));
            let instances = |members: Vec<usize>| members.into_iter().map(|member| part.instance(member)).collect::<Vec<_>>();
            let (in_picture, all) = self.append(&instances(seen), &instances(unseen));
            let Some(draw) = part.draw(key, self.page, [in_picture, all], distance) else { continue };
            match part.drawn.placed.filter(|_| apart) {
                Some(placed) => draws.extend(draw.all.clone().zip(&placed.places.matrices).map(|(instance, place)| {
                    let center = part.moved(first, place.transform_point(draw.primitive.vertices.center));
                    let instances = instance..instance + 1;
                    Draw { distance: -self.back.dot(center), all: instances.clone(), instances, ..draw.clone() }
                })),
                None => draws.push(draw),
            }
        }
    }

    /// Where these stand now, and where they and those that are not in the picture do.
    fn append(&mut self, seen: &[Instance], unseen: &[Instance]) -> (Range<u32>, Range<u32>) {
        let start = self.instances.len() as u32;
        self.instances.extend_from_slice(seen);
        let end = self.instances.len() as u32;
        self.instances.extend_from_slice(unseen);
        (start..end, start..self.instances.len() as u32)
    }

    fn sees(&self, part: &Part, member: usize) -> bool {
        self.frustum.is_none_or(|frustum| !part.is_beyond(frustum, member))
    }

    fn append_all(&mut self, part: &Part) -> Range<u32> {
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

    fn distance(&self, part: &Part, member: usize) -> f32 {
        -self.back.dot(part.center(member))
    }
}

impl Draw<'_> {
    pub fn indices(&self) -> Range<u32> {
        self.cut.as_ref().map_or(0..self.primitive.index_count, |cut| cut.range.clone())
    }

    pub fn index_buffer(&self) -> (&wgpu::Buffer, wgpu::IndexFormat) {
        match &self.cut {
            Some(cut) => (&cut.indices, wgpu::IndexFormat::Uint32),
            None => (&self.primitive.indices, self.primitive.index_format),
        }
    }

    pub fn transmits(&self) -> bool {
        self.key.features.has(Features::TRANSMISSION)
    }

    /// Of the pipelines that it is drawn with, one after the other: of a blended surface first what covers, in whatever order its
    /// triangles stand; then, where it has two sides, the far one before the near one.
    pub fn keys(&self) -> impl Iterator<Item = SurfaceKey> {
        let key = self.key;
        let blended = key.alpha == Alpha::Blend;
        let covering = (blended && self.material.may_cover).then_some(SurfaceKey { alpha: Alpha::Covering, ..key });
        let has_sides = key.two_sided || key.cull == Cull::None && key.points_or_lines.is_none();
        let sides = if blended && has_sides {
            [Some(SurfaceKey { cull: Cull::Front, ..key }), Some(SurfaceKey { cull: Cull::Back, ..key })]
        } else {
            [Some(key), None]
        };
        covering.into_iter().chain(sides.into_iter().flatten())
    }

    /// The same for something else than to be seen.
    pub fn playing(&self, role: Role) -> SurfaceKey {
        SurfaceKey { role, ..self.key }.simplified()
    }
}

pub(super) fn key(picture: &Picture, part: &Part, material: &GpuMaterial, winding: Winding, shining: Shining) -> SurfaceKey {
    let drawn = &part.drawn;
    let (primitive, skinned) = (drawn.primitive, drawn.skinned);
    let display = picture.display;
    let points_or_lines = PointsOrLines::from_topology(primitive.topology);
    let lit = display.lighting != Lighting::None;
    let mixed = matches!(winding, Winding::Mixed { .. });
    let is_surface = points_or_lines.is_none();
    let no_side = !is_surface && !primitive.vertices.has_normals;
    let both_sides = material.double_sided || mixed || !is_surface;
    let weighed = display.weights != Weights::Off && !part.actor.tints.is_empty();
    SurfaceKey {
        role: Role::Shade,
        alpha: match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        },
        points_or_lines,
        skinned,
        morphed: primitive.vertices.morphed && !drawn.node.weights.is_empty(),
        further_influences: skinned && primitive.vertices.extra_sets > 0,
        further: primitive.vertices.further.is_some(),
        placed: drawn.placed.is_some(),
        mirrored: matches!(winding, Winding::Mirrored | Winding::Mixed { mostly_mirrored: true }),
        cull: if both_sides { Cull::None } else { Cull::Back },
        textures: material.textures,
        features: material.features,
        // A line or a point has no side to take a normal from.
        normals: primitive.vertices.has_normals || !is_surface,
        tangents: primitive.vertices.has_tangents,
        two_sided: is_surface && both_sides,
        unlit: match display.shading {
            _ if weighed => no_side,
            Shading::Lit => material.unlit || !lit || no_side,
            Shading::Clay => !lit || no_side,
            _ => no_side,
        },
        studio: frame::studio_shines(picture),
        lamps: shining.lamps,
        shadowed: shining.shadow,
        shading: if weighed { pipelines::WEIGHTS } else { pipelines::shading_index(display.shading) },
        tonemap: pipelines::tonemap_index(display.tonemap),
        lacking: match display.shading {
            _ if weighed => false,
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
