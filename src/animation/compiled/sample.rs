//! An animation at a time, for one character: rows ([`crate::animation::compiled`]) to local transforms and morph weights.
//!
//! For each set of key times one search, then block after block: eight channels are evaluated at once, turned from lanes to
//! rows, and each row is written where its node's transform is.

use glam::{DVec3, Quat, Vec3A, Vec4};

use crate::animation::compiled::{self, Block, Loose, Path, Rows};
use crate::animation::hierarchy::pose::Pose;
use crate::animation::keys::{interpolate, keyframe, pointer_targets};
use crate::animation::simd::eight::LaneIndices;
use crate::animation::simd::{self, F32x8, Kernel, Lanes, Work};
use crate::model::Model;
use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;

use super::evaluate::{self, Times};
use super::model::CompiledModel;

/// Samples animations into a pose that nobody else writes to: what an animation leaves alone is written once only.
#[derive(Debug, Clone, Default)]
pub struct Sampler {
    /// The animation that the pose was begun for.
    begun: Option<Option<usize>>,
    /// Where the last searches among key times ended. Only speed depends on it, never the result.
    cursors: Vec<u32>,
    /// By node: translations in f64 ([`crate::animation::hierarchy::far_nodes`]).
    far: Vec<(usize, DVec3)>,
}

impl Sampler {
    /// The pose was written to by others.
    pub fn forget(&mut self) {
        self.begun = None;
        self.far.clear();
    }

    /// Writes `animation` (none: rest) at `time`, seconds on its own key times, clamped to them, never looped.
    pub fn sample(&mut self, prepared: &CompiledModel, model: &Model, animation: Option<usize>, time: f64, pose: &mut Pose) {
        let rows = animation.map(|animation| prepared.rows(model, animation));
        if self.begun != Some(animation) {
            self.begun = Some(animation);
            self.cursors.clear();
            self.cursors.resize(rows.map_or(0, Rows::cursors), 0);
            self.far.clear();
            pose.reset(model);
            if let Some(rows) = rows {
                begin(model, rows, pose);
            }
        }
        if let (Some(animation), Some(rows)) = (animation, rows) {
            let animation = &model.animations[animation];
            sample(prepared.kernel, model, animation, rows, time, &mut self.cursors, pose);
            self.far.clear();
            let cursors = &mut self.cursors[rows.cursors() - rows.far.len()..];
            for (&channel, cursor) in rows.far.iter().zip(cursors) {
                let channel = &animation.channels[channel];
                let segment = keyframe::find(&animation.key_times[channel.key_times], time, cursor);
                let node = channel.target.node().map_or(0, NodeIndex::index);
                self.far.push((node, interpolate::translation(channel, &segment)));
            }
        }
    }

    /// Translations of nodes far out, without those that are `held` at rest.
    pub fn far(&self, held: &[usize]) -> Vec<(usize, DVec3)> {
        self.far.iter().filter(|(node, _)| held.binary_search(node).is_err()).copied().collect()
    }
}

/// Writes what does not change while the animation plays; `pose` holds the rest pose before.
pub fn begin(model: &Model, rows: &Rows, pose: &mut Pose) {
    for constant in &rows.constants {
        let v = &constant.value;
        match constant.target {
            Target::Translation(node) => pose.locals[node.index()].translation = Vec3A::from_slice(v),
            Target::Rotation(node) => pose.locals[node.index()].rotation = Quat::from_slice(v),
            Target::Scale(node) => pose.locals[node.index()].scale = Vec3A::from_slice(v),
            Target::Weights(node) => pose.weights[model.node(node).weights.clone()].copy_from_slice(v),
            Target::Pointer(pointer) => write_pointer(model, pointer, pose, |values| values.copy_from_slice(v)),
        }
    }
}

/// Writes what `animation`, compiled as `rows`, drives at `time` into `pose`, for which [`begin`] was called. `cursors`: as many
/// as [`Rows::cursors`].
pub fn sample(kernel: Kernel, model: &Model, animation: &Animation, rows: &Rows, time: f64, cursors: &mut [u32], pose: &mut Pose) {
    let (of_blocks, cursors) = cursors.split_at_mut(rows.timelines.len());
    let (locals, weights) = (&mut pose.locals, &mut pose.weights);
    simd::run(kernel, SampleBlocks { animation, rows, time, cursors: of_blocks, locals, weights });
    if rows.loose_count() > 0 {
        simd::run(kernel, SampleLoose { rows, time, cursors, locals });
    }
    for (i, &channel) in rows.plain.iter().enumerate() {
        plainly(model, animation, channel, time, &mut cursors[rows.loose_count() + i], pose);
    }
}

/// A channel straight from the file's keys.
pub fn plainly(model: &Model, animation: &Animation, channel: usize, time: f64, cursor: &mut u32, pose: &mut Pose) {
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
        Target::Pointer(pointer) => write_pointer(model, pointer, pose, |values| interpolate::components(channel, &segment, values)),
    }
}

fn write_pointer(model: &Model, pointer: usize, pose: &mut Pose, write: impl FnOnce(&mut [f32])) {
    let pointer = &model.pointers[pointer];
    write(&mut pose.driven[pointer.values.clone()]);
    pointer_targets::write_weights(model, pointer, pose);
}

/// Blocks on shared key times.
struct SampleBlocks<'a> {
    animation: &'a Animation,
    rows: &'a Rows,
    time: f64,
    cursors: &'a mut [u32],
    locals: &'a mut [Trs],
    weights: &'a mut [f32],
}

impl Work for SampleBlocks<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { animation, rows, time, cursors, locals, weights } = self;
        for (timeline, cursor) in rows.timelines.iter().zip(cursors) {
            let segment = keyframe::find(&animation.key_times[timeline.key_times], time, cursor);
            let u = l.splat(segment.u as f32);
            let mut row = &timeline.rows[segment.key * timeline.stride..][..timeline.stride];
            for block in &timeline.blocks {
                let (numbers, rest) = row.split_at(block.octs);
                row = rest;
                sample_block(l, block, numbers, u, locals, weights);
            }
        }
    }
}

/// Channels with key times of their own.
struct SampleLoose<'a> {
    rows: &'a Rows,
    time: f64,
    cursors: &'a mut [u32],
    locals: &'a mut [Trs],
}

impl Work for SampleLoose<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { rows, time, cursors, locals } = self;
        let floor = compiled::floor(time);
        let times = LooseTimes { floor, lanes: Times { floor: l.splat(floor), rest: l.splat((time - f64::from(floor)) as f32) } };
        let [translations, rotations, scales] = &rows.loose;
        let (of_translations, cursors) = cursors.split_at_mut(translations.len());
        let (of_rotations, of_scales) = cursors.split_at_mut(rotations.len());
        for (eight, cursors) in translations.chunks(8).zip(of_translations.chunks_mut(8)) {
            let (rows, targets) = rows_of(l, eight, &rows.loose_vectors, times, cursors);
            write_vectors::<L, false>(l, evaluate::loose_vectors(l, &rows, times.lanes), targets, 8, locals);
        }
        for (eight, cursors) in rotations.chunks(8).zip(of_rotations.chunks_mut(8)) {
            let (rows, targets) = rows_of(l, eight, &rows.loose_rotations, times, cursors);
            write_rotations(l, evaluate::loose_rotations(l, &rows, times.lanes), targets, 8, locals);
        }
        for (eight, cursors) in scales.chunks(8).zip(of_scales.chunks_mut(8)) {
            let (rows, targets) = rows_of(l, eight, &rows.loose_vectors, times, cursors);
            write_vectors::<L, true>(l, evaluate::loose_vectors(l, &rows, times.lanes), targets, 8, locals);
        }
    }
}

#[inline(always)]
fn sample_block<L: Lanes>(l: L, block: &Block, numbers: &[F32x8], u: L::V, locals: &mut [Trs], weights: &mut [f32]) {
    match block.path {
        Path::Rotation => write_rotations(l, rotations(l, block.interpolation, numbers, u), block.targets, block.lanes, locals),
        Path::Translation => write_vectors::<L, false>(l, vectors(l, block.interpolation, numbers, u), block.targets, block.lanes, locals),
        Path::Scale => write_vectors::<L, true>(l, vectors(l, block.interpolation, numbers, u), block.targets, block.lanes, locals),
        Path::Weights => {
            let mut values = [0.0; 8];
            l.store(component::<L, 1>(l, block.interpolation, numbers, 0, u), &mut values);
            for (&target, value) in block.targets.indices().iter().zip(values) {
                weights[target as usize] = value;
            }
        }
    }
}

/// Component `i` of `N` of a STEP, LINEAR or CUBICSPLINE block.
#[inline(always)]
fn component<L: Lanes, const N: usize>(l: L, interpolation: Interpolation, numbers: &[F32x8], i: usize, u: L::V) -> L::V {
    match interpolation {
        Interpolation::Step => l.load(&numbers[i].0),
        Interpolation::Linear => evaluate::linear(l, l.load(&numbers[i].0), l.load(&numbers[N + i].0), u),
        Interpolation::CubicSpline => {
            let powers = [l.load(&numbers[i].0), l.load(&numbers[N + i].0), l.load(&numbers[2 * N + i].0), l.load(&numbers[3 * N + i].0)];
            evaluate::cubic(l, powers, u)
        }
    }
}

#[inline(always)]
fn vectors<L: Lanes>(l: L, interpolation: Interpolation, numbers: &[F32x8], u: L::V) -> [L::V; 3] {
    [
        component::<L, 3>(l, interpolation, numbers, 0, u),
        component::<L, 3>(l, interpolation, numbers, 1, u),
        component::<L, 3>(l, interpolation, numbers, 2, u),
    ]
}

#[inline(always)]
fn rotations<L: Lanes>(l: L, interpolation: Interpolation, numbers: &[F32x8], u: L::V) -> [L::V; 4] {
    match interpolation {
        Interpolation::Step => four(l, numbers, 0),
        Interpolation::Linear => evaluate::slerp(l, four(l, numbers, 0), four(l, numbers, 4), u),
        Interpolation::CubicSpline => {
            let sum = [
                component::<L, 4>(l, interpolation, numbers, 0, u),
                component::<L, 4>(l, interpolation, numbers, 1, u),
                component::<L, 4>(l, interpolation, numbers, 2, u),
                component::<L, 4>(l, interpolation, numbers, 3, u),
            ];
            evaluate::normalized(l, sum, four(l, numbers, 0))
        }
    }
}

#[inline(always)]
fn four<L: Lanes>(l: L, numbers: &[F32x8], from: usize) -> [L::V; 4] {
    let numbers = &numbers[from..from + 4];
    [l.load(&numbers[0].0), l.load(&numbers[1].0), l.load(&numbers[2].0), l.load(&numbers[3].0)]
}

/// Of lanes that are empty, the last four at least are not written.
#[inline(always)]
fn write_rotations<L: Lanes>(l: L, rotations: [L::V; 4], targets: LaneIndices, lanes: usize, locals: &mut [Trs]) {
    let [a, b, c, d] = l.transpose(rotations);
    let mut locals = targets.of_mut(locals);
    locals.at(0).rotation = Quat::from_vec4(l.low(a));
    locals.at(1).rotation = Quat::from_vec4(l.low(b));
    locals.at(2).rotation = Quat::from_vec4(l.low(c));
    locals.at(3).rotation = Quat::from_vec4(l.low(d));
    if lanes > 4 {
        locals.at(4).rotation = Quat::from_vec4(l.high(a));
        locals.at(5).rotation = Quat::from_vec4(l.high(b));
        locals.at(6).rotation = Quat::from_vec4(l.high(c));
        locals.at(7).rotation = Quat::from_vec4(l.high(d));
    }
}

#[inline(always)]
fn write_vectors<L: Lanes, const SCALE: bool>(l: L, [x, y, z]: [L::V; 3], targets: LaneIndices, lanes: usize, locals: &mut [Trs]) {
    let [a, b, c, d] = l.transpose([x, y, z, z]);
    let mut locals = targets.of_mut(locals);
    write_vector::<SCALE>(l.low(a), locals.at(0));
    write_vector::<SCALE>(l.low(b), locals.at(1));
    write_vector::<SCALE>(l.low(c), locals.at(2));
    write_vector::<SCALE>(l.low(d), locals.at(3));
    if lanes > 4 {
        write_vector::<SCALE>(l.high(a), locals.at(4));
        write_vector::<SCALE>(l.high(b), locals.at(5));
        write_vector::<SCALE>(l.high(c), locals.at(6));
        write_vector::<SCALE>(l.high(d), locals.at(7));
    }
}

#[inline(always)]
fn write_vector<const SCALE: bool>(value: Vec4, local: &mut Trs) {
    if SCALE {
        local.scale = Vec3A::from_vec4(value);
    } else {
        local.translation = Vec3A::from_vec4(value);
    }
}

/// One time, by itself and in lanes.
#[derive(Clone, Copy)]
struct LooseTimes<V> {
    floor: f32,
    lanes: Times<V>,
}

/// Up to eight LINEAR channels with key times of their own: their rows, and where they go. Lanes without one repeat the first.
#[inline(always)]
fn rows_of<'a, L: Lanes, const N: usize>(
    l: L,
    channels: &[Loose],
    rows: &'a [[f32; N]],
    times: LooseTimes<L::V>,
    cursors: &mut [u32],
) -> ([&'a [f32; N]; 8], LaneIndices) {
    let first = channels[0].step(rows, times.floor, &mut cursors[0]);
    let (mut all, mut targets) = ([first; 8], [channels[0].target; 8]);
    for (lane, (channel, cursor)) in channels.iter().zip(&mut *cursors).enumerate().take(8).skip(1) {
        all[lane] = channel.step(rows, times.floor, cursor);
        targets[lane] = channel.target;
    }
    if !times.lanes.are_within(l, &all) {
        all = [channels[0].seek(rows, times.floor, &mut cursors[0]); 8];
        for (lane, (channel, cursor)) in channels.iter().zip(cursors).enumerate().take(8).skip(1) {
            all[lane] = channel.seek(rows, times.floor, cursor);
        }
    }
    (all, LaneIndices::new(targets))
}
