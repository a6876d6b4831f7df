//! Samples one animation for one character: computes its local transforms and morph weights at a given time from the compiled animation
//! ([`crate::animation::compiled`]).
//!
//! Each set of key times is searched once. Then every block evaluates eight channels at once, and the result is transposed and written
//! to the nodes' transforms.

use glam::{DVec3, Quat, Vec3A};

use crate::animation::compiled::{ChannelBlock, ChannelPath, CompiledAnimation, SeparateChannel, split_time};
use crate::animation::hierarchy::pose::Pose;
use crate::animation::keys::{interpolate, keyframe, pointer_targets};
use crate::animation::simd::lane_access::LaneIndices;
use crate::animation::simd::{self, F32x8, Kernel, Simd};
use crate::model::Model;
use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;

use super::evaluate::{self, LaneTimes};
use super::keyed::KeyedRotations;
use super::model::{AnimationContext, CompiledModel};
use super::write::{write_rotations, write_vectors};

/// Samples animations into a pose. Properties that an animation does not drive are written only when the animation starts.
///
/// Call [`Sampler::invalidate`] after other code has written to the pose. [`CompiledModel`] has an example.
#[derive(Debug, Clone, Default)]
pub struct Sampler {
    /// The animation whose constants the pose holds, `Some(None)` for the rest pose. `None` if the content of the pose is unknown.
    current: Option<Option<usize>>,
    /// The keys at which the last searches ended. They affect speed, never the result.
    cursors: Vec<u32>,
    /// Node index and translation in f64 of the far nodes that the animation moves ([`crate::animation::hierarchy::far_nodes`]).
    far: Vec<(usize, DVec3)>,
}

impl Sampler {
    /// Makes the next call write the whole pose again.
    pub fn invalidate(&mut self) {
        self.current = None;
        self.far.clear();
    }

    /// Writes `animation` at `time` into `pose`, or the rest pose if `None`.
    ///
    /// `time` is in seconds on the animation's time axis. It is clamped to the key times and never loops.
    ///
    /// # Panics
    ///
    /// Panics if the model has no animation of that index.
    pub fn sample(&mut self, compiled: &CompiledModel, model: &Model, animation: Option<usize>, time: f64, pose: &mut Pose) {
        let context = animation.map(|animation| compiled.context(model, animation));
        if self.current != Some(animation) {
            self.start(model, animation, context, pose);
        }
        let Some(context) = context else { return };
        sample(context, time, &mut self.cursors, pose);
        self.far.clear();
        let AnimationContext { animation, compiled, .. } = context;
        // Cursors of far channels are the last ones, after those that `sample` uses.
        let cursors = &mut self.cursors[compiled.cursor_count() - compiled.far.len()..];
        for (&channel, cursor) in compiled.far.iter().zip(cursors) {
            let channel = &animation.channels[channel];
            let segment = keyframe::find(&animation.key_times[channel.key_times], time, cursor);
            let node = channel.target.node().map_or(0, NodeIndex::index);
            self.far.push((node, interpolate::translation(channel, &segment)));
        }
    }

    /// Resets the pose to rest plus the animation's constants.
    fn start(&mut self, model: &Model, animation: Option<usize>, context: Option<AnimationContext>, pose: &mut Pose) {
        self.current = Some(animation);
        self.cursors.clear();
        self.cursors.resize(context.map_or(0, |context| context.compiled.cursor_count()), 0);
        self.far.clear();
        pose.reset(model);
        if let Some(context) = context {
            write_constants(model, context.compiled, pose);
        }
    }

    /// Returns the index and f64 translation of each far node that the animation moves, by ascending index, except for the nodes in
    /// `at_rest`, which stay at rest. `at_rest` is in ascending order.
    pub fn far(&self, at_rest: &[usize]) -> Vec<(usize, DVec3)> {
        self.far.iter().filter(|(node, _)| at_rest.binary_search(node).is_err()).copied().collect()
    }
}

/// Writes the constant channels of the animation into `pose`, which holds the rest pose.
pub fn write_constants(model: &Model, compiled: &CompiledAnimation, pose: &mut Pose) {
    for constant in &compiled.constants {
        let v = &constant.value;
        match constant.target {
            Target::Translation(node) => pose.locals[node.index()].translation = Vec3A::from_slice(v),
            Target::Rotation(node) => pose.locals[node.index()].rotation = Quat::from_slice(v),
            Target::Scale(node) => pose.locals[node.index()].scale = Vec3A::from_slice(v),
            Target::Weights(node) => pose.weights[model.node(node).weights.clone()].copy_from_slice(v),
            Target::Pointer(pointer) => write_pointer(model, pointer, &compiled.own_weights, pose, |values| values.copy_from_slice(v)),
        }
    }
}

/// Samples all channels except the constant ones at `time`, and writes their values into `pose`. [`write_constants`] writes the others.
///
/// `time` is in seconds on the animation's time axis, clamped to the key times. `cursors` are [`CompiledAnimation::cursor_count`] numbers.
/// They are 0 before the first call, and the caller keeps them from call to call.
///
/// # Panics
///
/// Panics if `cursors` is too short or `pose` belongs to another model.
pub fn sample(context: AnimationContext, time: f64, cursors: &mut [u32], pose: &mut Pose) {
    let AnimationContext { instructions, animation, compiled, .. } = context;
    let (block_cursors, cursors) = cursors.split_at_mut(compiled.timelines.len());
    let Pose { locals, weights, .. } = &mut *pose;
    simd::run(instructions, BlockKernel { animation, compiled, time, cursors: block_cursors, locals, weights });
    if compiled.separate_count() > 0 || !compiled.uncompiled.is_empty() {
        sample_others(context, time, cursors, pose);
    }
}

/// Samples all channels that are neither constant nor in a block. `cursors` are those after the cursors of the timelines. This is a
/// separate function, so that [`sample`] keeps fewer values if there are no such channels.
#[inline(never)]
fn sample_others(context: AnimationContext, time: f64, cursors: &mut [u32], pose: &mut Pose) {
    let AnimationContext { instructions, animation, compiled, .. } = context;
    if compiled.separate_count() > 0 {
        simd::run(instructions, SeparateKernel { compiled, time, cursors, locals: &mut pose.locals });
    }
    if compiled.uncompiled.is_empty() {
        return;
    }
    let (rotations, others) = compiled.uncompiled.split_at(compiled.keyed_rotations);
    let (rotation_cursors, cursors) = cursors[compiled.separate_count()..].split_at_mut(rotations.len());
    simd::run(instructions, KeyedRotations { animation, channels: rotations, time, cursors: rotation_cursors, locals: &mut pose.locals });
    for (&channel, cursor) in others.iter().zip(cursors) {
        sample_uncompiled(context, channel, time, cursor, pose);
    }
}

/// Samples one channel from the file's keys. `channel` is the index in the animation. `cursor` is as for [`sample`].
pub fn sample_uncompiled(context: AnimationContext, channel: usize, time: f64, cursor: &mut u32, pose: &mut Pose) {
    let AnimationContext { model, animation, compiled, .. } = context;
    let channel = &animation.channels[channel];
    let segment = keyframe::find(&animation.key_times[channel.key_times], time, cursor);
    let vector = || {
        let mut v = [0.0; 3];
        interpolate::components(channel, &segment, &mut v);
        Vec3A::from(v)
    };
    match channel.target {
        Target::Translation(node) => pose.locals[node.index()].translation = vector(),
        Target::Scale(node) => pose.locals[node.index()].scale = vector(),
        Target::Rotation(node) => pose.locals[node.index()].rotation = interpolate::rotation(channel, &segment),
        Target::Weights(node) => interpolate::components(channel, &segment, &mut pose.weights[model.node(node).weights.clone()]),
        Target::Pointer(pointer) => {
            write_pointer(model, pointer, &compiled.own_weights, pose, |values| interpolate::components(channel, &segment, values));
        }
    }
}

/// Writes the values of a pointer, and the morph weights that it drives. `own` is [`CompiledAnimation::own_weights`].
fn write_pointer(model: &Model, pointer: usize, own: &[NodeIndex], pose: &mut Pose, write: impl FnOnce(&mut [f32])) {
    let pointer = &model.pointers[pointer];
    write(&mut pose.pointer_values[pointer.values.clone()]);
    pointer_targets::write_weights(model, pointer, own, pose);
}

/// Samples the blocks of all timelines.
struct BlockKernel<'a> {
    animation: &'a Animation,
    compiled: &'a CompiledAnimation,
    time: f64,
    /// The cursor of each timeline.
    cursors: &'a mut [u32],
    locals: &'a mut [Trs],
    weights: &'a mut [f32],
}

impl Kernel for BlockKernel<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { animation, compiled, time, cursors, locals, weights } = self;
        for (timeline, cursor) in compiled.timelines.iter().zip(cursors) {
            let segment = keyframe::find(&animation.key_times[timeline.key_times], time, cursor);
            let u = s.splat(segment.u as f32);
            let mut remaining = &timeline.coefficients[segment.key * timeline.stride..][..timeline.stride];
            for block in &timeline.blocks {
                let coefficients;
                (coefficients, remaining) = remaining.split_at(block.width);
                let ChannelBlock { interpolation, locals: ref nodes, lanes, .. } = *block;
                match block.path {
                    ChannelPath::Rotation => write_rotations(s, rotations(s, interpolation, coefficients, u), *nodes, lanes, locals),
                    ChannelPath::Translation => {
                        write_vectors::<S, false>(s, components(s, interpolation, coefficients, u), *nodes, lanes, locals);
                    }
                    ChannelPath::Scale => {
                        write_vectors::<S, true>(s, components(s, interpolation, coefficients, u), *nodes, lanes, locals);
                    }
                    ChannelPath::Weights => {
                        let [value] = components::<S, 1>(s, interpolation, coefficients, u);
                        let mut values = [0.0; 8];
                        s.store(value, &mut values);
                        for (&target, value) in block.targets.iter().zip(values) {
                            weights[target as usize] = value;
                        }
                    }
                }
            }
        }
    }
}

/// Samples the separate channels, eight at a time.
struct SeparateKernel<'a> {
    compiled: &'a CompiledAnimation,
    time: f64,
    /// The cursor of each separate channel, then others that are not used.
    cursors: &'a mut [u32],
    locals: &'a mut [Trs],
}

impl Kernel for SeparateKernel<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { compiled, time, cursors, locals } = self;
        let (floor, remainder) = split_time(time);
        let time = SeparateTime { floor, lanes: LaneTimes { floor: s.splat(floor), remainder: s.splat(remainder) } };
        // The cursors are in the same order as the separate channels: translations, rotations, scales.
        let [translations, rotations, scales] = &compiled.separate;
        let (translation_cursors, cursors) = cursors.split_at_mut(translations.len());
        let (rotation_cursors, scale_cursors) = cursors.split_at_mut(rotations.len());
        for (channels, cursors) in translations.chunks(8).zip(translation_cursors.chunks_mut(8)) {
            let (segments, targets) = find_segments(s, channels, &compiled.vector_segments, time, cursors);
            write_vectors::<S, false>(s, evaluate::separate_vectors(s, &segments, time.lanes), targets, 8, locals);
        }
        for (channels, cursors) in rotations.chunks(8).zip(rotation_cursors.chunks_mut(8)) {
            let (segments, targets) = find_segments(s, channels, &compiled.rotation_segments, time, cursors);
            write_rotations(s, evaluate::separate_rotations(s, &segments, time.lanes), targets, 8, locals);
        }
        for (channels, cursors) in scales.chunks(8).zip(scale_cursors.chunks_mut(8)) {
            let (segments, targets) = find_segments(s, channels, &compiled.vector_segments, time, cursors);
            write_vectors::<S, true>(s, evaluate::separate_vectors(s, &segments, time.lanes), targets, 8, locals);
        }
    }
}

/// Evaluates the `N` components of a block.
#[inline(always)]
fn components<S: Simd, const N: usize>(s: S, interpolation: Interpolation, coefficients: &[F32x8], u: S::V) -> [S::V; N] {
    let mut values = [u; N];
    match interpolation {
        Interpolation::Step => {
            // Each slice is cut to its length first, so that its bounds are checked once.
            let coefficients = &coefficients[..N];
            for i in 0..N {
                values[i] = s.load(&coefficients[i].0);
            }
        }
        Interpolation::Linear => {
            let coefficients = &coefficients[..2 * N];
            for i in 0..N {
                values[i] = evaluate::linear(s, s.load(&coefficients[i].0), s.load(&coefficients[N + i].0), u);
            }
        }
        Interpolation::CubicSpline => {
            let coefficients = &coefficients[..4 * N];
            for i in 0..N {
                let powers = [
                    s.load(&coefficients[i].0),
                    s.load(&coefficients[N + i].0),
                    s.load(&coefficients[2 * N + i].0),
                    s.load(&coefficients[3 * N + i].0),
                ];
                values[i] = evaluate::cubic(s, powers, u);
            }
        }
    }
    values
}

/// Evaluates a block of rotations. The results have unit length.
#[inline(always)]
fn rotations<S: Simd>(s: S, interpolation: Interpolation, coefficients: &[F32x8], u: S::V) -> [S::V; 4] {
    match interpolation {
        Interpolation::Step => load_four(s, coefficients, 0),
        Interpolation::Linear => {
            let coefficients = &coefficients[..8];
            evaluate::slerp(s, load_four(s, coefficients, 0), load_four(s, coefficients, 4), u)
        }
        Interpolation::CubicSpline => {
            evaluate::normalize(s, components::<S, 4>(s, interpolation, coefficients, u), load_four(s, coefficients, 0))
        }
    }
}

/// Loads four vectors of coefficients, from `first` on.
#[inline(always)]
fn load_four<S: Simd>(s: S, coefficients: &[F32x8], first: usize) -> [S::V; 4] {
    let coefficients = &coefficients[first..first + 4];
    [s.load(&coefficients[0].0), s.load(&coefficients[1].0), s.load(&coefficients[2].0), s.load(&coefficients[3].0)]
}

/// One time in seconds, as a scalar and in all lanes.
#[derive(Clone, Copy)]
struct SeparateTime<V> {
    /// The largest `f32` not above the time.
    floor: f32,
    lanes: LaneTimes<V>,
}

/// Finds the segments of up to eight separate channels, and their targets. Lanes without a channel repeat the first.
#[inline(always)]
fn find_segments<'a, S: Simd, const N: usize>(
    s: S,
    channels: &[SeparateChannel],
    segments: &'a [[f32; N]],
    time: SeparateTime<S::V>,
    cursors: &mut [u32],
) -> ([&'a [f32; N]; 8], LaneIndices<Trs>) {
    // Assume that time has moved forward by at most one key, which is right during playback.
    let first = channels[0].step(segments, time.floor, &mut cursors[0]);
    let (mut found, mut targets) = ([first; 8], [channels[0].target; 8]);
    for (lane, (channel, cursor)) in channels.iter().zip(&mut *cursors).enumerate().take(8).skip(1) {
        found[lane] = channel.step(segments, time.floor, cursor);
        targets[lane] = channel.target;
    }
    // The assumption is wrong after a jump or a loop, and before the first key. In these cases, search the segments of all eight channels.
    if !time.lanes.are_within(s, &found) {
        found = [channels[0].seek(segments, time.floor, &mut cursors[0]); 8];
        for (lane, (channel, cursor)) in channels.iter().zip(cursors).enumerate().take(8).skip(1) {
            found[lane] = channel.seek(segments, time.floor, cursor);
        }
    }
    (found, LaneIndices::new(targets))
}
