//! Bakes the motion of a [`Plan`] to keys with linear interpolation.
//!
//! The keys are at the key times of all channels that move the bound joints. Where the error of linear interpolation between two keys would
//! exceed the tolerance, keys are added halfway. Two keys before each key of a STEP channel, as close as `f32` allows, make the value still
//! jump.

use glam::{DAffine3, DQuat, DVec3};

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};

use super::max_values;
use super::rest::GlobalRotation;
use super::rotation::{Local, Plan, Scratch};
use super::sampler::{NeededNodes, Sampled, Sampler};

/// Largest error of a rotation between two keys: 0.01 degrees.
pub const MAX_ANGLE_ERROR_RADIANS: f64 = 0.01 * std::f64::consts::PI / 180.0;
/// Largest error of a translation between two keys, as a fraction of the distance of the joint from its parent at rest. A joint that is
/// nearer to its parent than [`MIN_DISTANCE`] allows has that distance instead.
pub const MAX_TRANSLATION_ERROR: f64 = 1e-5;
/// Smallest distance of a joint from its parent, as a fraction of the largest distance of all joints. A root joint often lies at the origin
/// of its parent. With a distance of 0, rounding errors alone would exceed the tolerance everywhere.
const MIN_DISTANCE: f64 = 0.1;
/// Smallest cosine of half the angle between two keys. At half a turn both arcs are equally long, and rounding would decide between them.
const MIN_HALF_ANGLE_COSINE: f64 = 1e-3;
/// Maximum number of times that the interval between two keys of the source is halved.
const MAX_HALVINGS: u32 = 6;

/// A baked animation.
pub struct Baked {
    pub animation: Animation,
    /// Whether the animation has fewer keys than its motion needs, because all keys would take too much memory.
    pub is_reduced: bool,
}

/// Bakes the animations of a source. What depends on all of its nodes is computed once, because a file may have many nodes and many
/// animations of few of them.
pub struct Baker<'a> {
    plan: &'a Plan,
    source: &'a Model,
    needed: NeededNodes,
    /// The transform of each node of the source.
    sampled: Vec<Sampled>,
    /// The number of animations, which share the memory.
    animation_count: usize,
}

impl<'a> Baker<'a> {
    /// Prepares to bake `animation_count` animations of the source.
    pub fn new(plan: &'a Plan, source: &'a Model, animation_count: usize) -> Self {
        let mut is_wanted = vec![false; source.nodes.len()];
        plan.joints.iter().for_each(|joint| is_wanted[joint.source.index()] = true);
        let identity = Sampled { rotation: GlobalRotation::IDENTITY, global: DAffine3::IDENTITY };
        let sampled = vec![identity; source.nodes.len()];
        Self { plan, source, needed: NeededNodes::new(source, &is_wanted), sampled, animation_count }
    }

    /// Bakes one animation. The result has its name and duration, and no channel for a joint that stays at rest.
    pub fn bake(&mut self, animation: &Animation) -> Baked {
        let plan = self.plan;
        let sampler = Sampler::new(self.source, animation, &self.needed);
        let source_values: usize = animation.channels.iter().map(|channel| channel.output.len()).sum();
        // A rotation per joint, and a translation per joint that moves. Sampling and posing take about as much memory per node.
        let baked_values: usize = plan.joints.iter().map(|joint| if joint.moves() { 7 } else { 4 }).sum();
        let max_keys = max_values(source_values, self.animation_count) / baked_values.max(4 * sampler.len().max(plan.len()).max(1));
        let is_stepped = sampler.channels().all(|channel| channel.interpolation == Interpolation::Step);
        let has_splines = sampler.channels().any(|channel| channel.interpolation == Interpolation::CubicSpline);
        let mut times = key_times(animation, sampler.channels(), is_stepped);
        let mut is_reduced = times.len() > max_keys.max(2);
        let adds_keys = !is_stepped && !is_reduced;
        if is_reduced {
            times = thin_out(&times, max_keys.max(2));
        }
        let local_identity = Local { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
        let mut poser = Poser {
            plan,
            sampler,
            sampled: &mut self.sampled,
            scratch: Scratch::default(),
            pose: vec![local_identity; plan.joints.len()],
            distances: distances(plan),
        };
        let mut keys = Keys::new(plan);
        let mut previous: Option<Key> = None;
        for (index, &KeyTime { time, posed_at }) in times.iter().enumerate() {
            let key = Key { time, pose: poser.pose_at(f64::from(posed_at)) };
            if let Some(start) = previous.filter(|_| adds_keys) {
                // The intervals that are left share the keys that may still be added.
                let intervals = times.len() - index;
                let max_added = max_keys.saturating_sub(keys.times.len() + intervals) / intervals;
                let refinement = Refinement { halvings: MAX_HALVINGS, has_splines, max_added };
                is_reduced |= !refine(&mut poser, &mut keys, [&start, &key], refinement);
            }
            keys.push(plan, &key);
            previous = Some(key);
        }
        let interpolation = if is_stepped { Interpolation::Step } else { Interpolation::Linear };
        let mut baked = Animation { name: animation.name.clone(), duration: animation.duration, ..Animation::default() };
        write_channels(plan, keys, interpolation, &mut baked);
        Baked { animation: baked, is_reduced }
    }
}

/// The distance of each joint from its parent at rest, but at least [`MIN_DISTANCE`] of the largest one.
fn distances(plan: &Plan) -> Vec<f64> {
    let lengths: Vec<f64> = plan.rest().iter().map(|local| local.translation.length()).collect();
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    // If all joints are at the origin, there is no size to compare with.
    let least = if largest > 0.0 { MIN_DISTANCE * largest } else { 1.0 };
    lengths.into_iter().map(|length| length.max(least)).collect()
}

/// Poses the target at any time.
struct Poser<'a> {
    plan: &'a Plan,
    sampler: Sampler<'a>,
    /// See [`Baker::sampled`].
    sampled: &'a mut [Sampled],
    scratch: Scratch,
    /// The local pose of each joint.
    pose: Vec<Local>,
    /// See [`distances`].
    distances: Vec<f64>,
}

impl Poser<'_> {
    /// The local pose of each joint at `time`, in seconds.
    fn pose_at(&mut self, time: f64) -> Vec<Local> {
        self.sampler.sample(time, self.sampled);
        self.plan.pose(self.sampled, &mut self.scratch, &mut self.pose);
        self.pose.clone()
    }

    /// Returns whether linear interpolation from `start` to `end`, at `u` from 0 to 1, is within the tolerance of `pose`.
    fn is_close(&self, [start, end]: [&[Local]; 2], u: f64, pose: &[Local]) -> bool {
        let mut joints = self.plan.joints.iter().zip(&self.distances).zip(start.iter().zip(end)).zip(pose);
        joints.all(|(((joint, distance), (start, end)), pose)| {
            let cosine = start.rotation.dot(end.rotation);
            let end_rotation = if cosine < 0.0 { -end.rotation } else { end.rotation };
            let is_rotation_close = cosine.abs() > MIN_HALF_ANGLE_COSINE
                && start.rotation.slerp(end_rotation, u).angle_between(pose.rotation) <= MAX_ANGLE_ERROR_RADIANS;
            let translation_error = start.translation.lerp(end.translation, u).distance(pose.translation);
            is_rotation_close && (!joint.moves() || translation_error <= MAX_TRANSLATION_ERROR * distance)
        })
    }
}

/// A time, in seconds, and the local pose of each joint at this time.
struct Key {
    time: f32,
    pose: Vec<Local>,
}

/// The baked keys, as the channels store them.
struct Keys {
    /// Ascending, in seconds.
    times: Vec<f32>,
    /// The values of each joint's translation; empty for a joint that does not move.
    translations: Vec<Vec<f32>>,
    /// The values of each joint's rotation.
    rotations: Vec<Vec<f32>>,
    /// The last rotation of each joint; its rest rotation before the first key.
    last_rotations: Vec<DQuat>,
}

impl Keys {
    /// No keys.
    fn new(plan: &Plan) -> Self {
        let none = vec![Vec::new(); plan.joints.len()];
        let last_rotations = plan.rest().iter().map(|local| local.rotation).collect();
        Self { times: Vec::new(), translations: none.clone(), rotations: none, last_rotations }
    }

    /// Adds a key after the others.
    fn push(&mut self, plan: &Plan, key: &Key) {
        self.times.push(key.time);
        for (index, (joint, local)) in plan.joints.iter().zip(&key.pose).enumerate() {
            if joint.moves() {
                self.translations[index].extend(local.translation.as_vec3().to_array());
            }
            // Two quaternions stand for the same rotation. Use the one that is nearer to the previous key, so that the curves are
            // continuous.
            let last = &mut self.last_rotations[index];
            *last = if local.rotation.dot(*last) < 0.0 { -local.rotation } else { local.rotation };
            self.rotations[index].extend(last.as_quat().to_array());
        }
    }
}

/// Limits for adding keys between two keys.
#[derive(Clone, Copy)]
struct Refinement {
    /// Number of times that the interval may be halved.
    halvings: u32,
    /// Whether the motion has splines. If so, the error in the middle of an interval is not enough to judge the interval.
    has_splines: bool,
    /// Number of keys that may be added.
    max_added: usize,
}

/// Adds keys between `start`, which is the last key, and `end` until linear interpolation is close enough. Does not add `end` itself.
/// Returns whether `max_added` keys were enough.
fn refine(poser: &mut Poser, keys: &mut Keys, [start, end]: [&Key; 2], refinement: Refinement) -> bool {
    let middle_time = start.time.midpoint(end.time);
    if refinement.halvings == 0 || middle_time <= start.time || middle_time >= end.time {
        return true;
    }
    let [first, last] = [start, end].map(|key| f64::from(key.time));
    let position = |time: f64| (time - first) / (last - first);
    let middle = Key { time: middle_time, pose: poser.pose_at(middle_time.into()) };
    let mut fits = poser.is_close([&start.pose, &end.pose], position(middle_time.into()), &middle.pose);
    if fits && refinement.has_splines {
        fits = [0.25, 0.75].into_iter().all(|u| {
            let pose = poser.pose_at(first + u * (last - first));
            poser.is_close([&start.pose, &end.pose], u, &pose)
        });
    }
    if fits {
        return true;
    }
    if refinement.max_added == 0 {
        return false;
    }
    let (halvings, max_added, before) = (refinement.halvings - 1, refinement.max_added - 1, keys.times.len());
    let left = Refinement { halvings, max_added: max_added.div_ceil(2), ..refinement };
    let is_left_done = refine(poser, keys, [start, &middle], left);
    let remaining = max_added - (keys.times.len() - before);
    keys.push(poser.plan, &middle);
    let is_right_done = refine(poser, keys, [&middle, end], Refinement { halvings, max_added: remaining, ..refinement });
    is_left_done && is_right_done
}

/// The time of a baked key, and the time of the source's pose that it stores. Both are in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct KeyTime {
    time: f32,
    posed_at: f32,
}

/// The key times of these channels, ascending, without duplicates. Unless all channels are STEP (`is_stepped`), a STEP channel gets two
/// keys just before each jump: one with the old value, one with the new value. They lie so far before the key that a frame time rounded to
/// `f32` never falls between them, where it would show a blend of both values.
fn key_times<'a>(animation: &'a Animation, channels: impl Iterator<Item = &'a Channel>, is_stepped: bool) -> Vec<KeyTime> {
    // For each set of key times, whether a channel uses it, and whether a STEP channel does.
    let mut sets = vec![[false; 2]; animation.key_times.len()];
    for channel in channels {
        sets[channel.key_times][0] = true;
        sets[channel.key_times][1] |= channel.interpolation == Interpolation::Step && !is_stepped;
    }
    let mut times = Vec::new();
    for (set, [is_used, has_steps]) in animation.key_times.iter().zip(sets) {
        if is_used {
            times.extend(set.iter().map(|&time| KeyTime { time, posed_at: time }));
        }
        if has_steps {
            let jumps = set.iter().skip(1).flat_map(|key| {
                let [time, before] = [key.next_down(), key.next_down().next_down()];
                [KeyTime { time: before, posed_at: before }, KeyTime { time, posed_at: *key }]
            });
            times.extend(jumps.filter(|key| key.time >= 0.0));
        }
    }
    // If two keys have the same time, keep the one with the later pose, because it is the end of a jump.
    times.sort_unstable_by(|a, b| a.time.total_cmp(&b.time).then(b.posed_at.total_cmp(&a.posed_at)));
    times.dedup_by_key(|key| key.time);
    times
}

/// Chooses `count` of the times at even intervals of their indices, including the first and the last.
fn thin_out(times: &[KeyTime], count: usize) -> Vec<KeyTime> {
    let last = times.len() - 1;
    (0..count).map(|index| times[(index as f64 / (count - 1) as f64 * last as f64) as usize]).collect()
}

/// Writes the channels of all joints that do not stay at rest. Constant channels get one key.
fn write_channels(plan: &Plan, keys: Keys, interpolation: Interpolation, animation: &mut Animation) {
    let Keys { times, translations, rotations, .. } = keys;
    let Some(&first_time) = times.first() else { return };
    // Changing channels, then constant ones.
    let mut channels = [Vec::new(), Vec::new()];
    let mut add = |target: Target, components: usize, rest: &[f32], output: Vec<f32>| {
        let is_constant = output.chunks_exact(components).all(|value| is_near(value, &output[..components]));
        if is_constant && is_near(&output[..components], rest) {
            return;
        }
        let output = if is_constant { output[..components].to_vec() } else { output };
        channels[usize::from(is_constant)].push(Channel { source: 0, target, key_times: 0, interpolation, output, components });
    };
    let outputs = translations.into_iter().zip(rotations);
    for ((joint, rest), (translations, rotations)) in plan.joints.iter().zip(plan.rest()).zip(outputs) {
        if joint.moves() {
            add(Target::Translation(joint.target), 3, &rest.translation.as_vec3().to_array(), translations);
        }
        add(Target::Rotation(joint.target), 4, &rest.rotation.as_quat().to_array(), rotations);
    }
    let [changing, constant] = channels;
    for (set, channels) in [(times, changing), (vec![first_time], constant)] {
        if channels.is_empty() {
            continue;
        }
        let key_times = animation.key_times.len();
        animation.key_times.push(set);
        let sources = animation.channels.len()..;
        animation.channels.extend(channels.into_iter().zip(sources).map(|(channel, source)| Channel { source, key_times, ..channel }));
    }
}

/// Returns whether two values differ by no more than the rounding of `f32`.
fn is_near(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-3))
}
