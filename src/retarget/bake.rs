//! Bakes the motion of a [`Plan`] to keys that are linear in between.
//!
//! The keys are at the key times of all channels that move the bound joints. Where linear interpolation between two of them would be off
//! by more than the tolerance, keys are added in the middle. Before a key of a STEP channel stands one more key, as close as `f32` allows,
//! so that the jump stays a jump.

use glam::{DAffine3, DQuat, DVec3};

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};

use super::rest::Turn;
use super::rotation::{Local, Plan, Scratch};
use super::sampler::{Sampled, Sampler};

/// Largest error of a rotation between two keys, in radians: 0.01 degrees.
pub const MAX_ANGLE: f64 = 0.01 * std::f64::consts::PI / 180.0;
/// Largest error of a translation between two keys, as a fraction of the distance of the joint from its parent.
pub const MAX_DISTANCE: f64 = 1e-5;
/// Smallest cosine of half the angle between two keys.
const MIN_COSINE: f64 = 1e-3;
/// Limit on halving the time between two keys of the source.
const MAX_HALVINGS: u32 = 6;
/// Numbers that the baked keys of a file may take beyond a multiple of the source's: 64 MiB.
const BASE_VALUES: usize = 16 << 20;
/// Numbers that the baked keys may take, as a multiple of the source's.
const MAX_GROWTH: usize = 4;

/// A baked animation.
pub struct Baked {
    pub animation: Animation,
    /// Whether it has fewer keys than the source, because all would take too much memory.
    pub is_thinned: bool,
}

/// Bakes one animation of the source. The result has its name and duration, and no channel for a joint that stays at rest. `animations`
/// is the number of animations of the source, which share the memory.
pub fn bake(plan: &Plan, source: &Model, animation: &Animation, animations: usize) -> Baked {
    let mut is_wanted = vec![false; source.nodes.len()];
    plan.joints.iter().for_each(|joint| is_wanted[joint.source.index()] = true);
    let sampler = Sampler::new(source, animation, &is_wanted);
    let numbers: usize = animation.channels.iter().map(|channel| channel.output.len()).sum();
    let limit = (BASE_VALUES / animations.max(1) + MAX_GROWTH * numbers) / (4 * sampler.len().max(plan.len()).max(1));
    let is_stepped = sampler.channels().all(|channel| channel.interpolation == Interpolation::Step);
    let has_splines = sampler.channels().any(|channel| channel.interpolation == Interpolation::CubicSpline);
    let mut times = union(animation, sampler.channels(), is_stepped);
    let is_thinned = times.len() > limit.max(2);
    if is_thinned {
        times = thinned(&times, limit.max(2));
    }
    let rest = Sampled { turn: Turn::IDENTITY, global: DAffine3::IDENTITY };
    let blank = Local { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
    let mut poser = Poser {
        plan,
        sampler,
        sampled: vec![rest; source.nodes.len()],
        scratch: Scratch::default(),
        pose: vec![blank; plan.joints.len()],
        distances: plan.rest().iter().map(|local| local.translation.length().max(f64::MIN_POSITIVE)).collect(),
    };
    let mut keys = Keys { times: Vec::new(), poses: Vec::new() };
    for (at, &time) in times.iter().enumerate() {
        let pose = poser.at(f64::from(time));
        if !is_stepped && !is_thinned && at > 0 {
            let spare = limit.saturating_sub(keys.times.len() + times.len() - at);
            let end = (time, pose.clone());
            refine(&mut poser, &mut keys, end, Refinement { halvings: MAX_HALVINGS, has_splines, spare });
        }
        keys.push(time, pose);
    }
    let interpolation = if is_stepped { Interpolation::Step } else { Interpolation::Linear };
    let mut baked = Animation { name: animation.name.clone(), duration: animation.duration, ..Animation::default() };
    write_channels(plan, keys, interpolation, &mut baked);
    Baked { animation: baked, is_thinned }
}

/// Poses the target at any time.
struct Poser<'a> {
    plan: &'a Plan,
    sampler: Sampler<'a>,
    /// One per node of the source.
    sampled: Vec<Sampled>,
    scratch: Scratch,
    /// One per joint.
    pose: Vec<Local>,
    /// One per joint: its distance from its parent at rest.
    distances: Vec<f64>,
}

impl Poser<'_> {
    /// The local pose of each joint at `time`, in seconds.
    fn at(&mut self, time: f64) -> Vec<Local> {
        self.sampler.sample(time, &mut self.sampled);
        self.plan.pose(&self.sampled, &mut self.scratch, &mut self.pose);
        self.pose.clone()
    }

    /// Returns whether linear interpolation from `start` to `end`, at `u` from 0 to 1, is within the tolerance of `pose`.
    fn is_close(&self, [start, end]: [&[Local]; 2], u: f64, pose: &[Local]) -> bool {
        let mut joints = self.plan.joints.iter().zip(&self.distances).zip(start.iter().zip(end)).zip(pose);
        joints.all(|(((joint, distance), (start, end)), pose)| {
            let cosine = start.rotation.dot(end.rotation);
            let end_rotation = if cosine < 0.0 { -end.rotation } else { end.rotation };
            // At half a turn both arcs are equally long, and rounding would decide between them.
            let is_turned = cosine.abs() > MIN_COSINE && start.rotation.slerp(end_rotation, u).angle_between(pose.rotation) <= MAX_ANGLE;
            let off = start.translation.lerp(end.translation, u).distance(pose.translation);
            is_turned && (!joint.moves() || off <= MAX_DISTANCE * distance)
        })
    }
}

/// Baked poses with their times, in seconds.
struct Keys {
    times: Vec<f32>,
    poses: Vec<Vec<Local>>,
}

impl Keys {
    fn push(&mut self, time: f32, pose: Vec<Local>) {
        self.times.push(time);
        self.poses.push(pose);
    }
}

/// How far the time between two keys is refined.
#[derive(Clone, Copy)]
struct Refinement {
    halvings: u32,
    /// Whether the middle alone does not tell how well a line fits.
    has_splines: bool,
    /// Number of keys that may be added.
    spare: usize,
}

/// Adds keys between the last one and `end`, which is not added, until linear interpolation is close enough. Returns their number.
fn refine(poser: &mut Poser, keys: &mut Keys, end: (f32, Vec<Local>), refinement: Refinement) -> usize {
    let (Some(&start_time), Some(start)) = (keys.times.last(), keys.poses.last().cloned()) else { return 0 };
    let middle_time = start_time.midpoint(end.0);
    if refinement.halvings == 0 || refinement.spare == 0 || middle_time <= start_time || middle_time >= end.0 {
        return 0;
    }
    let [first, last] = [f64::from(start_time), f64::from(end.0)];
    let position = |time: f64| (time - first) / (last - first);
    let middle = poser.at(middle_time.into());
    let mut fits = poser.is_close([&start, &end.1], position(middle_time.into()), &middle);
    if fits && refinement.has_splines {
        fits = [0.25, 0.75].into_iter().all(|u| {
            let pose = poser.at(first + u * (last - first));
            poser.is_close([&start, &end.1], u, &pose)
        });
    }
    if fits {
        return 0;
    }
    let half = Refinement { halvings: refinement.halvings - 1, spare: refinement.spare - 1, ..refinement };
    let before = refine(poser, keys, (middle_time, middle.clone()), half);
    keys.push(middle_time, middle);
    before + 1 + refine(poser, keys, end, Refinement { spare: half.spare.saturating_sub(before), ..half })
}

/// The key times of these channels, ascending and without repetition.
fn union<'a>(animation: &'a Animation, channels: impl Iterator<Item = &'a Channel>, is_stepped: bool) -> Vec<f32> {
    // Whether each set of key times is used, and whether a STEP channel uses it.
    let mut sets = vec![[false; 2]; animation.key_times.len()];
    for channel in channels {
        sets[channel.key_times][0] = true;
        sets[channel.key_times][1] |= channel.interpolation == Interpolation::Step && !is_stepped;
    }
    let mut times = Vec::new();
    for (set, [is_used, has_steps]) in animation.key_times.iter().zip(sets) {
        if is_used {
            times.extend_from_slice(set);
        }
        if has_steps {
            times.extend(set.iter().skip(1).map(|time| time.next_down()).filter(|time| *time >= 0.0));
        }
    }
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    times
}

/// This many of the times, evenly chosen, with the first and the last.
fn thinned(times: &[f32], count: usize) -> Vec<f32> {
    let last = times.len() - 1;
    (0..count).map(|at| times[(at as f64 / (count - 1) as f64 * last as f64) as usize]).collect()
}

/// Writes the channels of all joints that do not stay at rest. Joints that never change get one key.
fn write_channels(plan: &Plan, keys: Keys, interpolation: Interpolation, animation: &mut Animation) {
    let Keys { times, poses } = keys;
    let Some(&first) = times.first() else { return };
    let mut channels = [Vec::new(), Vec::new()];
    let mut add = |target: Target, components: usize, rest: &[f32], output: Vec<f32>| {
        let is_constant = output.chunks_exact(components).all(|value| is_near(value, &output[..components]));
        if is_constant && is_near(&output[..components], rest) {
            return;
        }
        let output = if is_constant { output[..components].to_vec() } else { output };
        channels[usize::from(is_constant)].push(Channel { source: 0, target, key_times: 0, interpolation, output, components });
    };
    for (at, (joint, rest)) in plan.joints.iter().zip(plan.rest()).enumerate() {
        if joint.moves() {
            let output = poses.iter().flat_map(|pose| pose[at].translation.as_vec3().to_array()).collect();
            add(Target::Translation(joint.target), 3, &rest.translation.as_vec3().to_array(), output);
        }
        let mut last = rest.rotation;
        let output = poses.iter().flat_map(|pose| {
            // Neighboring keys on the same side of the sphere draw continuous curves.
            last = if pose[at].rotation.dot(last) < 0.0 { -pose[at].rotation } else { pose[at].rotation };
            last.as_quat().to_array()
        });
        let output = output.collect();
        add(Target::Rotation(joint.target), 4, &rest.rotation.as_quat().to_array(), output);
    }
    let [moving, constant] = channels;
    for (set, channels) in [(times, moving), (vec![first], constant)] {
        if channels.is_empty() {
            continue;
        }
        let key_times = animation.key_times.len();
        animation.key_times.push(set);
        let numbered = animation.channels.len()..;
        animation.channels.extend(channels.into_iter().zip(numbered).map(|(channel, source)| Channel { source, key_times, ..channel }));
    }
}

/// Returns whether two values differ by no more than the rounding of `f32`.
fn is_near(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-3))
}
