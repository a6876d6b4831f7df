//! Samples an animation for eight characters, each at its own time: local transforms with one character per lane, and morph weights.
// A lane is an index into several arrays at once, and the compiler does not always unroll iterators over them.
#![allow(clippy::needless_range_loop)]

use crate::animation::compiled::evaluate::{self, LaneTimes, chunk, gather};
use crate::animation::compiled::model::AnimationContext;
use crate::animation::compiled::{ChannelBlock, ChannelPath, SeparateChannel, sample, split_time};
use crate::animation::keys::{keyframe, pointer_targets};
use crate::animation::simd::{F32x8, Simd};
use crate::model::animation::{Interpolation, Target};

use super::{CharacterSizes, LaneScratch, trs_numbers};

/// Up to eight characters.
pub(super) struct EightCharacters<'a> {
    /// The time of each character, in seconds.
    pub times: &'a [f64],
    /// The cursors of all characters.
    pub cursors: &'a mut [u32],
    /// The morph weights of all characters: all weights of the first character, then those of the next.
    pub weights: &'a mut [f32],
    /// The number of elements that one character has in each list.
    pub sizes: CharacterSizes,
}

/// Writes the animated transforms to `scratch.locals`, and the animated morph weights to `characters.weights`.
#[inline(always)]
pub(super) fn sample_eight<S: Simd>(s: S, context: AnimationContext, mut characters: EightCharacters, scratch: &mut LaneScratch) {
    let AnimationContext { animation, compiled, .. } = context;
    let (count, cursors_per_character) = (characters.times.len(), characters.sizes.cursors);
    sample_separate(s, context, &mut characters, scratch);
    if !compiled.uncompiled.is_empty() {
        sample_uncompiled(context, &mut characters, scratch);
    }
    let EightCharacters { times, cursors, weights, sizes } = characters;
    let mut weights = LaneWeights { weights, per_character: sizes.weights, count };
    for (t, timeline) in compiled.timelines.iter().enumerate() {
        let key_times = &animation.key_times[timeline.key_times];
        // Each character is at its own time, so the search runs once per lane.
        let (mut us, mut segments) = ([0.0; 8], [&timeline.coefficients[..timeline.stride]; 8]);
        for lane in 0..8 {
            // Lanes without a character repeat the last one.
            let character = lane.min(count - 1);
            let segment = keyframe::find(key_times, times[character], &mut cursors[character * cursors_per_character + t]);
            us[lane] = segment.u as f32;
            segments[lane] = &timeline.coefficients[segment.key * timeline.stride..][..timeline.stride];
        }
        let u = s.load(&us);
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
fn sample_separate<S: Simd>(s: S, context: AnimationContext, characters: &mut EightCharacters, scratch: &mut LaneScratch) {
    let compiled = context.compiled;
    let (mut floors, mut remainders) = ([0.0; 8], [0.0; 8]);
    for lane in 0..8 {
        // Lanes without a character repeat the last one.
        (floors[lane], remainders[lane]) = split_time(characters.times[lane.min(characters.times.len() - 1)]);
    }
    let lanes = LaneTimes { floor: s.load(&floors), remainder: s.load(&remainders) };
    let times = SeparateTimes { floors, count: characters.times.len(), lanes };
    // Copy these references out of the structs, because otherwise every store into the transforms would force the compiler to reload them.
    let (cursors, per_character, locals) = (&mut *characters.cursors, characters.sizes.cursors, &mut scratch.locals[..]);
    let mut cursor = compiled.timelines.len();
    let paths = [ChannelPath::Translation, ChannelPath::Rotation, ChannelPath::Scale];
    for (path, channels) in paths.into_iter().zip(&compiled.separate) {
        for channel in channels {
            let cursors = LaneCursors { cursors: &mut cursors[cursor..], per_character };
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

/// Times of up to eight characters in seconds, as scalars and in lanes.
struct SeparateTimes<V> {
    /// The largest `f32` not above each time.
    floors: [f32; 8],
    /// Number of characters.
    count: usize,
    lanes: LaneTimes<V>,
}

/// The cursor of one channel of up to eight characters.
struct LaneCursors<'a> {
    cursors: &'a mut [u32],
    /// Distance from one character to the next.
    per_character: usize,
}

/// Finds the segments of one channel for eight characters.
#[inline(always)]
fn find_segments<'a, S: Simd, const N: usize>(
    s: S,
    channel: &SeparateChannel,
    segments: &'a [[f32; N]],
    times: &SeparateTimes<S::V>,
    LaneCursors { cursors, per_character }: LaneCursors,
) -> [&'a [f32; N]; 8] {
    // Each character steps to the next segment if its time has reached it. If the segment of any character is wrong, search the segments of
    // all.
    let mut found = [channel.step(segments, times.floors[0], &mut cursors[0]); 8];
    for lane in 1..8 {
        found[lane] = channel.step(segments, times.floors[lane], &mut cursors[lane.min(times.count - 1) * per_character]);
    }
    if !times.lanes.are_within(s, &found) {
        for lane in 0..8 {
            found[lane] = channel.seek(segments, times.floors[lane], &mut cursors[lane.min(times.count - 1) * per_character]);
        }
    }
    found
}

/// Samples the channels that are read from the file's keys, one character after the other.
#[inline(never)]
fn sample_uncompiled(context: AnimationContext, characters: &mut EightCharacters, scratch: &mut LaneScratch) {
    let AnimationContext { model, animation, compiled, .. } = context;
    let EightCharacters { times, cursors, weights, sizes } = characters;
    let pose = &mut scratch.pose;
    for lane in 0..8 {
        let character = lane.min(times.len() - 1);
        let own_weights = &mut weights[character * sizes.weights..(character + 1) * sizes.weights];
        for (i, &channel) in compiled.uncompiled.iter().enumerate() {
            let cursor = &mut cursors[character * sizes.cursors + compiled.compiled_cursor_count() + i];
            // Sample as for a single character, then copy weights to the character and transforms to its lane.
            sample::sample_uncompiled(context, channel, times[character], cursor, pose);
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
    segments: &'r [&'a [F32x8]; 8],
    /// Index of the block's first coefficient in each segment.
    start: usize,
}

/// The morph weights of up to eight characters.
struct LaneWeights<'a> {
    weights: &'a mut [f32],
    /// Weights per character.
    per_character: usize,
    /// Number of characters.
    count: usize,
}

/// Evaluates a block for eight characters. `u` holds the position of each character in its segment, from 0 to 1.
#[inline(always)]
fn sample_block<S: Simd>(s: S, block: LaneBlock, u: S::V, locals: &mut [[F32x8; 10]], weights: &mut LaneWeights) {
    match (block.block.path, block.block.interpolation) {
        (ChannelPath::Rotation, Interpolation::Step) => transform::<S, 4, 4>(s, block, u, locals),
        (ChannelPath::Rotation, Interpolation::Linear) => transform::<S, 8, 4>(s, block, u, locals),
        (ChannelPath::Rotation, Interpolation::CubicSpline) => transform::<S, 16, 4>(s, block, u, locals),
        (ChannelPath::Translation | ChannelPath::Scale, Interpolation::Step) => transform::<S, 3, 3>(s, block, u, locals),
        (ChannelPath::Translation | ChannelPath::Scale, Interpolation::Linear) => transform::<S, 6, 3>(s, block, u, locals),
        (ChannelPath::Translation | ChannelPath::Scale, Interpolation::CubicSpline) => transform::<S, 12, 3>(s, block, u, locals),
        (ChannelPath::Weights, Interpolation::Step) => morph_weights::<S, 1>(s, block, u, weights),
        (ChannelPath::Weights, Interpolation::Linear) => morph_weights::<S, 2>(s, block, u, weights),
        (ChannelPath::Weights, Interpolation::CubicSpline) => morph_weights::<S, 4>(s, block, u, weights),
    }
}

/// Evaluates a transform block. Each lane has `C` components and `N` coefficients, that is, 1, 2 or 4 per component.
#[inline(always)]
fn transform<S: Simd, const N: usize, const C: usize>(s: S, lane_block: LaneBlock, u: S::V, locals: &mut [[F32x8; 10]]) {
    let block = lane_block.block;
    let coefficients = coefficients::<N>(lane_block);
    let mut locals = block.targets.get_mut(locals);
    let first = match block.path {
        ChannelPath::Translation => 0,
        ChannelPath::Rotation => 3,
        _ => 7,
    };
    for half in 0..block.lanes.div_ceil(4) {
        let four = transpose_half::<S, N>(s, &coefficients, half);
        // Empty lanes write the same values as the last lane in use.
        for lane in 0..4 {
            let local = locals.lane(half * 4 + lane);
            if C == 4 {
                let q = rotation(s, &four, lane, u);
                s.store(q[0], &mut local[first].0);
                s.store(q[1], &mut local[first + 1].0);
                s.store(q[2], &mut local[first + 2].0);
                s.store(q[3], &mut local[first + 3].0);
            } else {
                for i in 0..3 {
                    // `% N` matters only to the compiler: in the branch that is taken, every index is below `N`.
                    let x = match N {
                        3 => four[i][lane],
                        6 => evaluate::linear(s, four[i][lane], four[(3 + i) % N][lane], u),
                        _ => evaluate::cubic(
                            s,
                            [four[i][lane], four[(3 + i) % N][lane], four[(6 + i) % N][lane], four[(9 + i) % N][lane]],
                            u,
                        ),
                    };
                    s.store(x, &mut local[first + i].0);
                }
            }
        }
    }
}

/// Evaluates a rotation with `N` coefficients: 4 for STEP, 8 for LINEAR, 16 for CUBICSPLINE. `lane` is the index of the channel among the
/// four.
#[inline(always)]
fn rotation<S: Simd, const N: usize>(s: S, four: &[[S::V; 4]; N], lane: usize, u: S::V) -> [S::V; 4] {
    let q = [four[0][lane], four[1][lane], four[2][lane], four[3 % N][lane]];
    match N {
        4 => q,
        8 => evaluate::slerp(s, q, [four[4 % N][lane], four[5 % N][lane], four[6 % N][lane], four[7 % N][lane]], u),
        _ => {
            let x = evaluate::cubic(s, [four[0][lane], four[4 % N][lane], four[8 % N][lane], four[12 % N][lane]], u);
            let y = evaluate::cubic(s, [four[1][lane], four[5 % N][lane], four[9 % N][lane], four[13 % N][lane]], u);
            let z = evaluate::cubic(s, [four[2][lane], four[6 % N][lane], four[10 % N][lane], four[14 % N][lane]], u);
            let w = evaluate::cubic(s, [four[3 % N][lane], four[7 % N][lane], four[11 % N][lane], four[15 % N][lane]], u);
            evaluate::normalize(s, [x, y, z, w], q)
        }
    }
}

/// Evaluates a block of morph weights with `N` coefficients per lane, and writes the weights of the characters.
#[inline(always)]
fn morph_weights<S: Simd, const N: usize>(s: S, lane_block: LaneBlock, u: S::V, weights: &mut LaneWeights) {
    let block = lane_block.block;
    let coefficients = coefficients::<N>(lane_block);
    for half in 0..block.lanes.div_ceil(4) {
        let four = transpose_half::<S, N>(s, &coefficients, half);
        for lane in 0..(block.lanes - half * 4).min(4) {
            let weight = match N {
                1 => four[0][lane],
                2 => evaluate::linear(s, four[0][lane], four[1 % N][lane], u),
                _ => evaluate::cubic(s, [four[0][lane], four[1 % N][lane], four[2 % N][lane], four[3 % N][lane]], u),
            };
            let mut values = [0.0; 8];
            s.store(weight, &mut values);
            let target = block.targets.indices()[half * 4 + lane] as usize;
            for character in 0..weights.count {
                weights.weights[character * weights.per_character + target] = values[character];
            }
        }
    }
}

/// Returns the block's coefficients in eight segments.
#[inline(always)]
fn coefficients<'a, const N: usize>(LaneBlock { segments, start, .. }: LaneBlock<'_, 'a>) -> [&'a [F32x8; N]; 8] {
    let mut all = [chunk(segments[0], start); 8];
    for lane in 1..8 {
        all[lane] = chunk(segments[lane], start);
    }
    all
}

/// Transposes half of a block. Returns each coefficient of four channels, with one character per lane.
#[inline(always)]
fn transpose_half<S: Simd, const N: usize>(s: S, coefficients: &[&[F32x8; N]; 8], half: usize) -> [[S::V; 4]; N] {
    let mut four = [[s.splat(0.0); 4]; N];
    for i in 0..N {
        let numbers = |lane: usize| chunk(&coefficients[lane][i].0, half * 4);
        four[i] = gather(s, [numbers(0), numbers(1), numbers(2), numbers(3), numbers(4), numbers(5), numbers(6), numbers(7)]);
    }
    four
}
