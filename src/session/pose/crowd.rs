//! Poses a crowd: copies of one model on a grid, each at its own time.
//!
//! The palettes and weights of all members lie in one buffer each, as the renderer uploads them. The first member is the model itself, with
//! its own position and pose. Panels, annotations and picking use only this member. The others are posed eight at a time
//! ([`crate::animation::crowd`]), or one by one if layers, switches or a large distance from the origin need the full [`pose`].

use glam::DVec3;

use crate::animation::compiled::model::AnimationContext;
use crate::animation::crowd::CrowdMembers;
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::animation::playback::{self, AtEnd};
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::session::time::moment::Moment;
use crate::session::view::playback_range;
use crate::session::view::{Repeat, View};

use super::solve::Posed;
use super::{Body, pose};

/// Maximum number of members.
pub const MAX_MEMBERS: u32 = 100_000;

/// Maximum memory of a crowd, in bytes. It counts palettes and weights twice (here and on the GPU), and an entry of the instance list
/// per member and primitive.
pub const MAX_BYTES: u64 = 2 << 30;

/// Bytes that one member takes in the renderer's instance list, per primitive.
pub const INSTANCE_BYTES: u64 = 24;

/// Distance between neighbors, as a multiple of the model's width.
const SPACING_RATIO: f64 = 1.2;

/// The poses of all members. Buffers are reallocated only when the number of members, their distance or the animation changes.
#[derive(Debug, Clone, Default)]
pub struct Crowd {
    members: CrowdMembers,
    /// The animation that `members` was built for; `None` if members are posed one by one.
    cache_key: Option<usize>,
    /// Time of each member in the animation, in seconds.
    times: Vec<f64>,
    /// Distance between neighbors, in meters.
    spacing: f64,
    /// Buffers for posing members one by one.
    scratch: Option<Posed>,
}

impl Crowd {
    /// Poses all members for the body's view and moment. The body becomes the first member. `bounds` are those of one model over its whole
    /// animation.
    pub fn pose(&mut self, body: &Body, bounds: &Bounds) {
        let Body { model, view, moment, posed, .. } = *body;
        let (count, spacing) = (count(view), spacing(bounds));
        let phases = Phases::new(model, view);
        self.times.clear();
        self.times.extend((0..count).map(|member| phases.time(member, &moment)));
        // Eight members are posed at once only if a single animation plays, without layers, a cross-fade or changes by the view.
        let single_animation =
            view.animation.filter(|_| count > 1 && moment.fade.is_none() && view.layers.is_empty() && posed.is_single_animation());
        let shared = single_animation.and_then(|animation| shared(model, posed, animation));
        // Buffers depend on the number of members, their distance and the animation, so only a change of these reallocates them.
        if self.count() != count || self.spacing != spacing || self.cache_key != shared.and(single_animation) {
            let positions = (0..count).map(|member| position(member, spacing).as_vec3()).collect();
            self.members = CrowdMembers::new(model, shared, positions, threads());
            (self.spacing, self.cache_key) = (spacing, shared.and(single_animation));
        }
        if let Some(shared) = shared {
            self.members.pose(shared, &self.times);
            self.scratch = None;
        } else if count > 1 {
            self.pose_one_by_one(body, phases);
        }
        // The first member is the model itself, in the pose that the panels show.
        self.members.palettes[..posed.palette.len()].copy_from_slice(&posed.palette);
        self.members.weights[..posed.pose.weights.len()].copy_from_slice(&posed.pose.weights);
    }

    /// Poses every member but the first with the full [`pose`].
    fn pose_one_by_one(&mut self, body: &Body, phases: Phases) {
        let Body { model, view, moment, roots, posed } = *body;
        let (matrices, targets) = (posed.palette.len(), posed.pose.weights.len());
        let scratch = self.scratch.get_or_insert_with(|| Posed::with_compiled(model, posed.compiled.clone()));
        for (member, &time) in self.times.iter().enumerate().skip(1) {
            // The clock does not wrap with the time, because layers do not begin again when the animation loops.
            let clock = moment.clock + phases.phase(member);
            pose(model, view, Moment { time, clock, ..moment }, roots, scratch);
            let anchor = posed.anchor - position(member, self.spacing);
            let palette = &mut self.members.palettes[member * matrices..(member + 1) * matrices];
            for (entry, transform) in palette.iter_mut().zip(&scratch.joint_transforms) {
                *entry = JointMatrix::anchored(transform, anchor);
            }
            self.members.weights[member * targets..(member + 1) * targets].copy_from_slice(&scratch.pose.weights);
        }
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The palettes of all members, one after the other, relative to the anchor of the first member.
    pub fn palettes(&self) -> &[JointMatrix] {
        &self.members.palettes
    }

    /// The morph weights of all members, one after the other.
    pub fn weights(&self) -> &[f32] {
        &self.members.weights
    }
}

/// The animation that all members share, with the data that posing it needs. `None` if the model does not have that animation.
fn shared<'a>(model: &'a Model, posed: &'a Posed, animation: usize) -> Option<AnimationContext<'a>> {
    (animation < model.animations.len()).then(|| posed.compiled.context(model, animation))
}

/// The number of threads that the machine can run at once.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The number of members in the view, within the limits.
pub fn count(view: &View) -> usize {
    view.display.crowd.clamp(1, MAX_MEMBERS) as usize
}

/// The number of members of this model that fit into [`MAX_BYTES`] and into a GPU buffer of `largest_buffer` bytes. At least 1.
pub fn capacity(model: &Model, largest_buffer: u64) -> u32 {
    let primitives: usize = model.nodes.iter().filter_map(|node| Some(model.meshes.get(node.mesh?)?.primitives.len())).sum();
    let member_bytes = (model.palette_len * size_of::<JointMatrix>() + model.rest_weights.len() * size_of::<f32>()) as u64;
    let bytes = 2 * member_bytes + primitives as u64 * INSTANCE_BYTES;
    // The vertex shader indexes members, primitives and instances together in 32 bits.
    let instances = model.nodes.iter().map(|node| node.instances.len()).max().unwrap_or(0);
    let countable = u64::from(u32::MAX) / (primitives.saturating_mul(instances).max(1) as u64);
    let fit = (MAX_BYTES.min(largest_buffer) / bytes.max(1)).min(countable);
    u32::try_from(fit).unwrap_or(MAX_MEMBERS).clamp(1, MAX_MEMBERS)
}

/// The number of members to which a crowd is limited, so that it fits into memory together with the equal crowd of the model of B, `other`.
/// `None` if `members` fit.
pub fn limit(model: &Model, other: Option<&Model>, members: u32, largest_buffer: u64) -> Option<u32> {
    let capacities = std::iter::once(model).chain(other).map(|model| capacity(model, largest_buffer));
    capacities.min().filter(|&capacity| members > capacity)
}

/// The seconds by which the members of a view's crowd play ahead of the first one. They are spread evenly for any number of members.
#[derive(Debug, Clone, Copy)]
pub struct Phases {
    /// The in and out point of the view's animation, in seconds.
    range: [f64; 2],
    /// Members continue at the end of the range, also if the first one stops there.
    at_end: AtEnd,
    /// Seconds over which the phases are spread: one run through the range, there and back in a ping-pong. If the range is empty, one run
    /// of the longest layer.
    cycle: f64,
}

impl Phases {
    /// The phases of a view's crowd.
    pub fn new(model: &Model, view: &View) -> Self {
        let range = playback_range::range(model, view);
        let length = range[1] - range[0];
        let (at_end, run) = if view.repeat == Repeat::PingPong { (AtEnd::PingPong, 2.0 * length) } else { (AtEnd::Wrap, length) };
        Self { range, at_end, cycle: if length > 0.0 { run } else { playback_range::longest_layer(model, view) } }
    }

    /// The seconds by which a member plays ahead of the first one.
    pub fn phase(&self, member: usize) -> f64 {
        // Multiples of the golden ratio spread evenly and never coincide.
        let phase = (member as f64 * 0.618_033_988_749_894_9).fract() * self.cycle;
        if phase.is_finite() { phase } else { 0.0 }
    }

    /// The time of a member in the view's animation when the first one is at `moment`, in seconds.
    pub fn time(&self, member: usize, moment: &Moment) -> f64 {
        let ([start, end], phase) = (self.range, self.phase(member));
        if phase <= 0.0 {
            return moment.time;
        }
        let played = if moment.returning { 2.0 * end - start - moment.time } else { moment.time - start };
        playback::at_clock(played, 1.0, phase, self.at_end, self.range)
    }
}

/// The distance between the centers of neighbors, in meters. `bounds` contains one model over its whole animation.
pub fn spacing(bounds: &Bounds) -> f64 {
    let size = bounds.max - bounds.min;
    let width = size.x.max(size.z);
    let spacing = SPACING_RATIO * if width > 0.0 { width } else { bounds.radius() };
    if spacing.is_finite() && spacing > 0.0 { spacing } else { 1.0 }
}

/// The position of a member on the ground, in world space. Members lie on a square spiral around the first one, so they keep their
/// positions when the crowd grows.
pub fn position(member: usize, spacing: f64) -> DVec3 {
    let [x, z] = cell(member);
    DVec3::new(x as f64, 0.0, z as f64) * spacing
}

/// The ring of a member, and the number of members in the rings inside it.
fn ring(member: usize) -> (i64, i64) {
    let ring = (member.isqrt() as i64 + 1) / 2;
    (ring, if ring == 0 { 0 } else { (2 * ring - 1).pow(2) })
}

/// The cell of a member on the grid: x and z, in steps of the spacing.
fn cell(member: usize) -> [i64; 2] {
    let (ring, members_inside) = ring(member);
    if ring == 0 {
        return [0, 0];
    }
    // Each ring is walked along its four sides: towards +Z at the largest x, -X at the largest z, -Z at the smallest x, and +X at the
    // smallest z.
    let (side, step) = ((member as i64 - members_inside) / (2 * ring), (member as i64 - members_inside) % (2 * ring) + 1);
    match side {
        0 => [ring, step - ring],
        1 => [ring - step, ring],
        2 => [-ring, ring - step],
        _ => [step - ring, -ring],
    }
}

/// The corners of the cells in use, in world space: smallest and largest x and z.
fn extent(count: usize, spacing: f64) -> [DVec3; 2] {
    let (ring, members_inside) = ring(count.max(1) - 1);
    let in_ring = count.max(1) as i64 - members_inside;
    // A side of the outermost ring counts only if the members of that ring reach it.
    let reach = |sides: i64| if ring > 0 && in_ring >= sides.max(1) { ring } else { (ring - 1).max(0) };
    let (min, max) = ([-reach(4 * ring), -reach(6 * ring)], [reach(0), reach(2 * ring)]);
    [min, max].map(|[x, z]| DVec3::new(x as f64, 0.0, z as f64) * spacing)
}

/// The bounds of all members. `bounds` contains one model.
pub fn bounds(bounds: &Bounds, count: usize) -> Bounds {
    let [low, high] = extent(count, spacing(bounds));
    Bounds { min: bounds.min + low, max: bounds.max + high }
}

/// The outermost points of a crowd. `hull` and `bounds` belong to one model.
pub fn hull(hull: &[DVec3], bounds: &Bounds, count: usize) -> Vec<DVec3> {
    let [low, high] = extent(count, spacing(bounds));
    let corners = [low, high, DVec3::new(low.x, 0.0, high.z), DVec3::new(high.x, 0.0, low.z)];
    // A single member has one cell, so its hull is the model's hull.
    let corners = if count > 1 { &corners[..] } else { &corners[..1] };
    corners.iter().flat_map(|corner| hull.iter().map(move |point| point + corner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_fits_both_models_of_a_comparison() {
        let (light, heavy) = (Model::default(), Model { palette_len: 1000, ..Model::default() });
        let capacity = capacity(&heavy, u64::MAX);
        assert!(capacity < MAX_MEMBERS);
        assert_eq!(limit(&light, None, MAX_MEMBERS, u64::MAX), None);
        assert_eq!(limit(&light, Some(&heavy), MAX_MEMBERS, u64::MAX), Some(capacity));
        assert_eq!(limit(&light, Some(&heavy), capacity, u64::MAX), None);
    }
}
