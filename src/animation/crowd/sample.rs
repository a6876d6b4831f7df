//! Samples an animation for eight members, each at its own time: local transforms with one member per lane, and morph weights.
// A lane is an index into several arrays at once, and the compiler does not always unroll iterators over them.
#![allow(clippy::needless_range_loop)]

use crate::animation::compiled::evaluate::{self, LaneTimes, chunk, gather};
use crate::animation::compiled::model::AnimationContext;
use crate::animation::compiled::{ChannelBlock, ChannelPath, SeparateChannel, sample, split_time};
use crate::animation::keys::{keyframe, pointer_targets};
use crate::animation::simd::lane_access::{LaneChunkElements, LaneChunksMut, LaneElementsMut, LaneIndices, LaneSlices};
use crate::animation::simd::{F32x8, Simd};
use crate::model::animation::{Interpolation, Target};

use super::{LaneScratch, MemberSizes, trs_numbers};

/// Up to eight members.
pub(super) struct EightMembers<'a> {
    /// The time of each member, in seconds.
    pub times: &'a [f64],
    /// The cursors of all members.
    pub cursors: &'a mut [u32],
    /// The morph weights of all members: all weights of the first member, then those of the next.
    pub weights: &'a mut [f32],
    /// The number of elements that one member has in each list.
    pub sizes: MemberSizes,
}

/// Writes the animated transforms to `scratch.locals`, and the animated morph weights to `members.weights`.
#[inline(always)]
pub(super) fn sample_eight<S: Simd>(s: S, context: AnimationContext, mut members: EightMembers, scratch: &mut LaneScratch) {
    let AnimationContext { animation, compiled, .. } = context;
    let (count, cursors_per_member) = (members.times.len(), members.sizes.cursors);
    if compiled.separate_count() > 0 {
        sample_separate(s, context, &mut members, scratch);
    }
    if !compiled.uncompiled.is_empty() {
        sample_uncompiled(context, &mut members, scratch);
    }
    let EightMembers { times, cursors, weights, sizes } = members;
    let mut weights = LaneWeights { weights, per_member: sizes.weights, count };
    for (t, timeline) in compiled.timelines.iter().enumerate() {
        let key_times = &animation.key_times[timeline.key_times];
        // Each member is at its own time, so the search runs once per lane.
        let (mut us, mut segments) = ([0.0; 8], [&timeline.coefficients[..timeline.stride]; 8]);
        for lane in 0..8 {
            // Lanes without a member repeat the last one.
            let member = lane.min(count - 1);
            let segment = keyframe::find(key_times, times[member], &mut cursors[member * cursors_per_member + t]);
            us[lane] = segment.u as f32;
            segments[lane] = &timeline.coefficients[segment.key * timeline.stride..][..timeline.stride];
        }
        let (u, segments) = (s.load(&us), LaneSlices::new(segments));
        let mut start = 0;
        for block in &timeline.blocks {
            let lane_block = LaneBlock { block, segments: &segments, start };
            sample_block(s, lane_block, u, &mut scratch.locals, &mut weights);
            start += block.width;
        }
    }
}

/// Samples the separate channels, one channel at a time.
#[inline(always)]
fn sample_separate<S: Simd>(s: S, context: AnimationContext, members: &mut EightMembers, scratch: &mut LaneScratch) {
    let compiled = context.compiled;
    let (mut floors, mut remainders) = ([0.0; 8], [0.0; 8]);
    for lane in 0..8 {
        // Lanes without a member repeat the last one.
        (floors[lane], remainders[lane]) = split_time(members.times[lane.min(members.times.len() - 1)]);
    }
    let lanes = LaneTimes { floor: s.load(&floors), remainder: s.load(&remainders) };
    let times = SeparateTimes { floors, lanes };
    // Copy these references out of the structs, because otherwise every store into the transforms would force the compiler to reload them.
    let (per_member, count, locals) = (members.sizes.cursors, members.times.len(), &mut scratch.locals[..]);
    let mut cursors = LaneChunksMut::<u32, false>::new(members.cursors, per_member, count);
    let mut cursor = compiled.timelines.len();
    let paths = [ChannelPath::Translation, ChannelPath::Rotation, ChannelPath::Scale];
    for (path, channels) in paths.into_iter().zip(&compiled.separate) {
        for channel in channels {
            let Some(cursors) = cursors.get(s, cursor) else { return };
            let local = &mut locals[channel.target as usize];
            // In `local`, elements 0 to 2 are the translation, 3 to 6 the rotation and 7 to 9 the scale.
            if path == ChannelPath::Rotation {
                let segments = find_segments(s, channel, &compiled.rotation_segments, &times, cursors);
                let q = evaluate::separate_rotations(s, &segments, times.lanes);
                for i in 0..4 {
                    s.store(q[i], &mut local[3 + i].0);
                }
            } else {
                let segments = find_segments(s, channel, &compiled.vector_segments, &times, cursors);
                let v = evaluate::separate_vectors(s, &segments, times.lanes);
                let first = if path == ChannelPath::Scale { 7 } else { 0 };
                for i in 0..3 {
                    s.store(v[i], &mut local[first + i].0);
                }
            }
            cursor += 1;
        }
    }
}

/// Times of up to eight members in seconds, as scalars and in lanes.
struct SeparateTimes<V> {
    /// The largest `f32` not above each time.
    floors: [f32; 8],
    lanes: LaneTimes<V>,
}

/// Finds the segments of one channel for eight members. `cursors` are those of the channel.
#[inline(always)]
fn find_segments<'a, S: Simd, const N: usize>(
    s: S,
    channel: &SeparateChannel,
    segments: &'a [[f32; N]],
    times: &SeparateTimes<S::V>,
    mut cursors: LaneChunkElements<u32, false>,
) -> [&'a [f32; N]; 8] {
    // Each member steps to the next segment if its time has reached it. If the segment of any member is wrong, search the segments of
    // all.
    let mut found = [channel.step(segments, times.floors[0], cursors.lane(0)); 8];
    for lane in 1..8 {
        found[lane] = channel.step(segments, times.floors[lane], cursors.lane(lane));
    }
    if !times.lanes.are_within(s, &found) {
        for lane in 0..8 {
            found[lane] = channel.seek(segments, times.floors[lane], cursors.lane(lane));
        }
    }
    found
}

/// Samples the channels that are read from the file's keys, one member after the other.
#[inline(never)]
fn sample_uncompiled(context: AnimationContext, members: &mut EightMembers, scratch: &mut LaneScratch) {
    let AnimationContext { model, animation, compiled, .. } = context;
    let EightMembers { times, cursors, weights, sizes } = members;
    let pose = &mut scratch.pose;
    for lane in 0..8 {
        let member = lane.min(times.len() - 1);
        let own_weights = &mut weights[member * sizes.weights..(member + 1) * sizes.weights];
        for (i, &channel) in compiled.uncompiled.iter().enumerate() {
            let cursor = &mut cursors[member * sizes.cursors + compiled.compiled_cursor_count() + i];
            // Sample as for a single member, then copy weights to the member and transforms to its lane.
            sample::sample_uncompiled(context, channel, times[member], cursor, pose);
            match animation.channels[channel].target {
                Target::Weights(node) => {
                    let range = model.node(node).weights.clone();
                    own_weights[range.clone()].copy_from_slice(&pose.weights[range]);
                }
                Target::Pointer(pointer) => {
                    for range in pointer_targets::driven_weights(model, &model.pointers[pointer], &compiled.own_weights) {
                        own_weights[range.clone()].copy_from_slice(&pose.weights[range]);
                    }
                }
                target @ (Target::Translation(node) | Target::Rotation(node) | Target::Scale(node)) => {
                    let numbers = match target {
                        Target::Translation(_) => 0..3,
                        Target::Rotation(_) => 3..7,
                        _ => 7..10,
                    };
                    let local = &mut scratch.locals[node.index()];
                    for (vector, number) in local[numbers.clone()].iter_mut().zip(&trs_numbers(&pose.locals[node.index()])[numbers]) {
                        vector.0[lane] = *number;
                    }
                }
            }
        }
    }
}

/// A block, and its coefficients in eight segments.
#[derive(Clone, Copy)]
struct LaneBlock<'r, 'a> {
    block: &'r ChannelBlock,
    /// The segment of each lane, with the coefficients of all blocks.
    segments: &'r LaneSlices<'a, F32x8>,
    /// Index of the block's first coefficient in each segment.
    start: usize,
}

/// The morph weights of up to eight members.
struct LaneWeights<'a> {
    weights: &'a mut [f32],
    /// Weights per member.
    per_member: usize,
    /// Number of members.
    count: usize,
}

/// Evaluates a block for eight members. `u` holds the position of each member in its segment, from 0 to 1.
#[inline(always)]
fn sample_block<S: Simd>(s: S, block: LaneBlock, u: S::V, locals: &mut [[F32x8; 10]], weights: &mut LaneWeights) {
    match (block.block.path, block.block.interpolation) {
        (ChannelPath::Rotation, Interpolation::Step) => rotations::<S, 4>(s, block, u, locals),
        (ChannelPath::Rotation, Interpolation::Linear) => rotations::<S, 8>(s, block, u, locals),
        (ChannelPath::Rotation, Interpolation::CubicSpline) => rotations::<S, 16>(s, block, u, locals),
        (ChannelPath::Translation | ChannelPath::Scale, Interpolation::Step) => vectors::<S, 3>(s, block, u, locals),
        (ChannelPath::Translation | ChannelPath::Scale, Interpolation::Linear) => vectors::<S, 6>(s, block, u, locals),
        (ChannelPath::Translation | ChannelPath::Scale, Interpolation::CubicSpline) => vectors::<S, 12>(s, block, u, locals),
        (ChannelPath::Weights, Interpolation::Step) => morph_weights::<S, 1>(s, block, u, weights),
        (ChannelPath::Weights, Interpolation::Linear) => morph_weights::<S, 2>(s, block, u, weights),
        (ChannelPath::Weights, Interpolation::CubicSpline) => morph_weights::<S, 4>(s, block, u, weights),
    }
}

/// Evaluates a block of translations or scales with `N` coefficients per lane: 3 for STEP, 6 for LINEAR, 12 for CUBICSPLINE.
#[inline(always)]
fn vectors<S: Simd, const N: usize>(s: S, lane_block: LaneBlock, u: S::V, locals: &mut [[F32x8; 10]]) {
    let block = lane_block.block;
    let coefficients = lane_block.segments.chunks::<N>(lane_block.start);
    let first = if block.path == ChannelPath::Scale { 7 } else { 0 };
    let mut locals = LaneIndices::new(block.targets).get_mut(locals);
    for half in 0..block.lanes.div_ceil(4) {
        for component in 0..3 {
            let four = polynomials::<S, N, 3>(s, &coefficients, half, component, u);
            // Empty lanes write the same values as the last lane in use.
            for lane in 0..4 {
                s.store(four[lane], &mut locals.lane(half * 4 + lane)[first + component].0);
            }
        }
    }
}

/// Evaluates a block of rotations with `N` coefficients per lane: 4 for STEP, 8 for LINEAR, 16 for CUBICSPLINE.
#[inline(always)]
fn rotations<S: Simd, const N: usize>(s: S, lane_block: LaneBlock, u: S::V, locals: &mut [[F32x8; 10]]) {
    let block = lane_block.block;
    let coefficients = lane_block.segments.chunks::<N>(lane_block.start);
    let mut locals = LaneIndices::new(block.targets).get_mut(locals);
    for half in 0..block.lanes.div_ceil(4) {
        if N == 8 {
            slerps(s, &coefficients, half, u, &mut locals);
            continue;
        }
        for component in 0..4 {
            let four = polynomials::<S, N, 4>(s, &coefficients, half, component, u);
            for lane in 0..4 {
                s.store(four[lane], &mut locals.lane(half * 4 + lane)[3 + component].0);
            }
        }
        if N == 16 {
            normalize_four(s, &coefficients, half, &mut locals);
        }
    }
}

/// Normalizes four CUBICSPLINE rotations.
#[inline(always)]
fn normalize_four<S: Simd, const N: usize>(s: S, coefficients: &[&[F32x8; N]; 8], half: usize, locals: &mut LaneElementsMut<[F32x8; 10]>) {
    let (mut fallback, mut four) = ([[s.splat(0.0); 4]; 4], [[s.splat(0.0); 4]; 4]);
    for component in 0..4 {
        fallback[component] = transpose_half(s, coefficients, half, component);
    }
    for lane in 0..4 {
        let local = locals.lane(half * 4 + lane);
        let q = [s.load(&local[3].0), s.load(&local[4].0), s.load(&local[5].0), s.load(&local[6].0)];
        four[lane] = evaluate::normalize(s, q, [fallback[0][lane], fallback[1][lane], fallback[2][lane], fallback[3][lane]]);
    }
    // Empty lanes have the place of the last lane in use, so all rotations are read before the first one is written.
    for lane in 0..4 {
        for component in 0..4 {
            s.store(four[lane][component], &mut locals.lane(half * 4 + lane)[3 + component].0);
        }
    }
}

/// Evaluates four LINEAR rotations.
#[inline(always)]
fn slerps<S: Simd, const N: usize>(s: S, coefficients: &[&[F32x8; N]; 8], half: usize, u: S::V, locals: &mut LaneElementsMut<[F32x8; 10]>) {
    // There are too few registers for all coefficients of four rotations, so the turns are kept in the place of the results.
    let mut angles_squared = [s.splat(0.0); 4];
    for component in (0..4).rev() {
        let turns = transpose_half(s, coefficients, half, 4 + component);
        for lane in 0..4 {
            s.store(turns[lane], &mut locals.lane(half * 4 + lane)[3 + component].0);
            angles_squared[lane] = match component {
                3 => s.mul(turns[lane], turns[lane]),
                _ => s.fma(turns[lane], turns[lane], angles_squared[lane]),
            };
        }
    }
    let (start_factors, turn_factors) = evaluate::slerp_factors(s, angles_squared, u);
    for component in 0..4 {
        let mut four = transpose_half(s, coefficients, half, component);
        for lane in 0..4 {
            let turn = s.load(&locals.lane(half * 4 + lane)[3 + component].0);
            four[lane] = s.fma(turn, turn_factors[lane], s.mul(four[lane], start_factors[lane]));
        }
        // Empty lanes have the place of the last lane in use, so all turns are read before the first result is written.
        for lane in 0..4 {
            s.store(four[lane], &mut locals.lane(half * 4 + lane)[3 + component].0);
        }
    }
}

/// Evaluates a block of morph weights with `N` coefficients per lane, and writes the weights of the members.
#[inline(always)]
fn morph_weights<S: Simd, const N: usize>(s: S, lane_block: LaneBlock, u: S::V, weights: &mut LaneWeights) {
    let block = lane_block.block;
    let coefficients = lane_block.segments.chunks::<N>(lane_block.start);
    for half in 0..block.lanes.div_ceil(4) {
        let four = polynomials::<S, N, 1>(s, &coefficients, half, 0, u);
        for lane in 0..(block.lanes - half * 4).min(4) {
            let mut values = [0.0; 8];
            s.store(four[lane], &mut values);
            let target = block.targets[half * 4 + lane] as usize;
            for member in 0..weights.count {
                weights.weights[member * weights.per_member + target] = values[member];
            }
        }
    }
}

/// Evaluates one of the `C` components of half a block, that is, of four channels. The block has `N` coefficients per lane: 1, 2 or 4 for
/// each component.
#[inline(always)]
fn polynomials<S: Simd, const N: usize, const C: usize>(
    s: S,
    coefficients: &[&[F32x8; N]; 8],
    half: usize,
    component: usize,
    u: S::V,
) -> [S::V; 4] {
    let mut four = transpose_half(s, coefficients, half, component);
    if N == 2 * C {
        let slopes = transpose_half(s, coefficients, half, C + component);
        for lane in 0..4 {
            four[lane] = evaluate::linear(s, four[lane], slopes[lane], u);
        }
    } else if N == 4 * C {
        let b = transpose_half(s, coefficients, half, C + component);
        let c = transpose_half(s, coefficients, half, 2 * C + component);
        let d = transpose_half(s, coefficients, half, 3 * C + component);
        for lane in 0..4 {
            four[lane] = evaluate::cubic(s, [four[lane], b[lane], c[lane], d[lane]], u);
        }
    }
    four
}

/// Returns one coefficient of half a block, that is, of four channels, with one member per lane.
#[inline(always)]
fn transpose_half<S: Simd, const N: usize>(s: S, coefficients: &[&[F32x8; N]; 8], half: usize, coefficient: usize) -> [S::V; 4] {
    let mut four = [chunk(&coefficients[0][coefficient].0, half * 4); 8];
    for lane in 1..8 {
        four[lane] = chunk(&coefficients[lane][coefficient].0, half * 4);
    }
    gather(s, four)
}
