//! A crowd: the same model many times on a grid, each member at a time of its own. From the view and the time to every
//! member's palette and weights, in one piece each, as the renderer uploads them.
//!
//! The first member is the model itself, where it is and as it is posed: panels, overlay and picking know no other. The others
//! are posed eight at a time ([`crate::animation::crowd`]), or one by one where layers, switches or a place far from the origin
//! ask for more than that does.

use glam::DVec3;

use crate::animation::compiled::model::AnimationContext;
use crate::animation::crowd::Characters;
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::camera::Bounds;
use crate::model::Model;
use crate::session::document::Document;
use crate::session::time::transport::{self, Moment};
use crate::session::view::View;

use super::solve::{self, Posed};

/// No crowd is larger.
pub const LARGEST: u32 = 100_000;

/// What a crowd may take of the main memory, and of the device's: palettes and weights, written here and copied for the
/// device, and a line for each primitive that is drawn.
pub const BUDGET: u64 = 2 << 30;

/// Of the renderer's list of instances: what one of them takes for one primitive.
const INSTANCE: u64 = 16;

/// From one member to the next, in widths of the model.
const SPACING: f64 = 1.2;

/// All members of a crowd, posed. Allocated anew only when their number or the animation changes.
#[derive(Debug, Clone, Default)]
pub struct Crowd {
    members: Characters,
    /// The animation that these were made for, if they are posed eight at a time.
    made_for: Option<usize>,
    times: Vec<f64>,
    /// Between members.
    spacing: f64,
    /// Where members are posed one after the other.
    scratch: Option<Posed>,
}

impl Crowd {
    /// Poses all members as `view` wants them at a moment. `posed`: the first one, which is ready.
    pub fn pose(&mut self, document: &Document, view: &View, moment: impl Into<Moment>, posed: &Posed) {
        let (model, moment) = (&*document.model, moment.into());
        let (count, spacing) = (count(view), spacing(&document.bounds));
        let phased = (0..count).map(|member| member_time(member, moment.time, transport::range(model, view)));
        self.times.clear();
        self.times.extend(phased);
        let at_once = view.animation.filter(|_| count > 1 && moment.fade.is_none() && view.layers.is_empty() && posed.is_plain());
        let shared = at_once.and_then(|animation| shared(model, posed, animation));
        if self.count() != count || self.spacing != spacing || self.made_for != shared.and(at_once) {
            let places = (0..count).map(|member| place(member, spacing).as_vec3()).collect();
            self.members = Characters::new(model, shared, places, threads());
            (self.spacing, self.made_for) = (spacing, shared.and(at_once));
        }
        let (matrices, targets) = (posed.palette.len(), posed.pose.weights.len());
        if let Some(shared) = shared {
            self.members.pose(shared, &self.times);
            self.scratch = None;
        } else if count > 1 {
            let scratch = self.scratch.get_or_insert_with(|| Posed::sharing(model, posed.prepared.clone(), posed.roots.clone()));
            let others = Members { times: &self.times[1..], spacing, anchor: posed.anchor };
            let (palettes, weights) = (&mut self.members.palettes[matrices..], &mut self.members.weights[targets..]);
            pose(model, view, moment, others, scratch, palettes, weights);
        }
        self.members.palettes[..matrices].copy_from_slice(&posed.palette);
        self.members.weights[..targets].copy_from_slice(&posed.pose.weights);
    }

    /// How many were posed.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Of every member in turn, as long as the model's: relative to the first one's anchor.
    pub fn palettes(&self) -> &[JointMatrix] {
        &self.members.palettes
    }

    /// Morph weights, of every member in turn.
    pub fn weights(&self) -> &[f32] {
        &self.members.weights
    }
}

fn shared<'a>(model: &'a Model, posed: &'a Posed, animation: usize) -> Option<AnimationContext<'a>> {
    (animation < model.animations.len()).then(|| posed.prepared.context(model, animation))
}

/// As many as the machine runs at once.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// All members but the first.
struct Members<'a> {
    /// Seconds on the animation's own key times.
    times: &'a [f64],
    spacing: f64,
    /// What the palettes are relative to.
    anchor: DVec3,
}

/// Poses these members one after the other. `palettes` and `weights` have the length of the model's for each of them.
fn pose(
    model: &Model,
    view: &View,
    moment: Moment,
    members: Members,
    scratch: &mut Posed,
    palettes: &mut [JointMatrix],
    weights: &mut [f32],
) {
    let [matrices, targets] = [model.palette_len, model.rest_weights.len()];
    for (i, &time) in members.times.iter().enumerate() {
        let ahead = time - members.times.first().copied().unwrap_or(time);
        solve::pose(model, view, Moment { time, clock: moment.clock + ahead, ..moment }, scratch);
        let anchor = members.anchor - place(i + 1, members.spacing);
        for (entry, transform) in palettes[i * matrices..(i + 1) * matrices].iter_mut().zip(&scratch.transforms) {
            *entry = JointMatrix::anchored(transform, anchor);
        }
        weights[i * targets..(i + 1) * targets].copy_from_slice(&scratch.pose.weights);
    }
}

/// How many members the view asks for.
pub fn count(view: &View) -> usize {
    view.display.crowd.clamp(1, LARGEST) as usize
}

/// How many members of this model fit into the budget and into the device's memory, of which one piece may have
/// `largest_buffer` bytes. At least one: the model by itself.
pub fn most(model: &Model, largest_buffer: u64) -> u32 {
    let primitives: usize = model.nodes.iter().filter_map(|node| Some(model.meshes.get(node.mesh?)?.primitives.len())).sum();
    let written = (model.palette_len * size_of::<JointMatrix>() + model.rest_weights.len() * size_of::<f32>()) as u64;
    let bytes = 2 * written + primitives as u64 * INSTANCE;
    // The vertex shader counts members, primitives and the places of each in 32 bits.
    let places = model.nodes.iter().map(|node| node.instances.len()).max().unwrap_or(0);
    let countable = u64::from(u32::MAX) / (primitives.saturating_mul(places).max(1) as u64);
    let fit = (BUDGET.min(largest_buffer) / bytes.max(1)).min(countable);
    u32::try_from(fit).unwrap_or(LARGEST).clamp(1, LARGEST)
}

/// The time of a member, with the first at `time`: phases look evenly spread for any number of members, and are the same
/// every time. Wrapped in the range.
pub fn member_time(member: usize, time: f64, [start, end]: [f64; 2]) -> f64 {
    let length = end - start;
    if member == 0 || length <= 0.0 || !length.is_finite() {
        return time;
    }
    // The golden ratio's multiples leave no gap and never come together.
    let phase = (member as f64 * 0.618_033_988_749_894_9).fract() * length;
    let wrapped = (time - start + phase).rem_euclid(length);
    // rem_euclid of a tiny negative number rounds up to the length itself.
    start + if wrapped < length { wrapped } else { 0.0 }
}

/// From the middle of one member to that of the next, metres. `bounds`: of the model by itself, over its whole animation.
pub fn spacing(bounds: &Bounds) -> f64 {
    let size = bounds.max - bounds.min;
    let width = size.x.max(size.z);
    let spacing = SPACING * if width > 0.0 { width } else { bounds.radius() };
    if spacing.is_finite() && spacing > 0.0 { spacing } else { 1.0 }
}

/// Where a member stands on the ground: along a square spiral about the first, so that those who are there stay where
/// they are when more come.
pub fn place(member: usize, spacing: f64) -> DVec3 {
    let [x, z] = cell(member);
    DVec3::new(x as f64, 0.0, z as f64) * spacing
}

/// The ring that a member stands in, and how many stand in the rings within it.
fn ring(member: usize) -> (i64, i64) {
    let ring = (member.isqrt() as i64 + 1) / 2;
    (ring, if ring == 0 { 0 } else { (2 * ring - 1).pow(2) })
}

fn cell(member: usize) -> [i64; 2] {
    let (ring, within) = ring(member);
    if ring == 0 {
        return [0, 0];
    }
    // Up the right side, along the far one, down the left one, and back along the near one.
    let (side, at) = ((member as i64 - within) / (2 * ring), (member as i64 - within) % (2 * ring) + 1);
    match side {
        0 => [ring, at - ring],
        1 => [ring - at, ring],
        2 => [-ring, ring - at],
        _ => [at - ring, -ring],
    }
}

/// The outermost cells in use, as places: left and near, right and far.
fn extent(count: usize, spacing: f64) -> [DVec3; 2] {
    let (ring, within) = ring(count.max(1) - 1);
    let in_ring = count.max(1) as i64 - within;
    let reach = |sides: i64| if ring > 0 && in_ring >= sides.max(1) { ring } else { (ring - 1).max(0) };
    let (low, high) = ([-reach(4 * ring), -reach(6 * ring)], [reach(0), reach(2 * ring)]);
    [low, high].map(|[x, z]| DVec3::new(x as f64, 0.0, z as f64) * spacing)
}

/// The box about all members. `bounds`: of the model by itself.
pub fn bounds(bounds: &Bounds, count: usize) -> Bounds {
    let [low, high] = extent(count, spacing(bounds));
    Bounds { min: bounds.min + low, max: bounds.max + high }
}

/// The outermost places of a crowd. `hull`: those of the model by itself.
pub fn hull(hull: &[DVec3], bounds: &Bounds, count: usize) -> Vec<DVec3> {
    let [low, high] = extent(count, spacing(bounds));
    let corners = [low, high, DVec3::new(low.x, 0.0, high.z), DVec3::new(high.x, 0.0, low.z)];
    let corners = if count > 1 { &corners[..] } else { &corners[..1] };
    corners.iter().flat_map(|corner| hull.iter().map(move |point| point + corner)).collect()
}
