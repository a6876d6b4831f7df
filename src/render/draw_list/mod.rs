//! Actors to an ordered list of draws. Solid ones by pipeline and from the front to the back, blended ones from the back to the
//! front. Nodes that show the same solid primitive are instances of one draw. The winding is decided here, every frame, from the
//! palette: members of a crowd that differ in it are drawn apart. Instances that are not in the picture stand behind those that are.

pub(crate) mod draw;
pub(crate) mod part;

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec3;

use super::buffers::palette_pages;
use super::model::cull_bounds::Frustum;
use super::model::geometry::GpuPrimitive;
use super::model::partial_indices::Cuts;
use super::picture::{Actor, Picture};
use super::pipelines::{Alpha, Role, SurfaceKey};

use draw::{Draw, Draws, Instance, LightFeatures};
use part::Part;

/// In a crowd of no more, each member's blended primitives are drawn by themselves and in order among all others; in a larger
/// one each primitive is drawn for all members, the far ones first. The places that a node shows its mesh at count as members.
pub(crate) const APART: usize = 1000;

/// `limit`: bytes of a page's largest buffer. `frustum`: what is beyond it is not drawn. `cuts`: what is not drawn whole.
pub(crate) fn collect<'a>(
    picture: &Picture,
    actors: &[Actor<'a>],
    shining: LightFeatures,
    limit: u64,
    (frustum, cuts): (Option<&Frustum>, &Cuts),
) -> Draws<'a> {
    let mut draws = Draws { shadow: shining.shadow, ..Draws::default() };
    let back = picture.camera.view_from_world.matrix3.row(2).as_vec3();
    for (page, spans) in palette_pages::divide(actors, limit).into_iter().enumerate() {
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
                    let key = draw::key(picture, &part, &actor.gpu.materials[material], winding, shining);
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
