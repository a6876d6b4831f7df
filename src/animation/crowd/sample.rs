//! The keys of eight characters, each at its own time, to local transforms in eight lanes, and to morph weights.
// Lanes are indices into several arrays at once, and iterators over them do not always unroll.
#![allow(clippy::needless_range_loop)]

use crate::animation::compiled::evaluate::{self, Times, chunk, gather};
use crate::animation::compiled::{self, Block, Loose, Path, sample};
use crate::animation::keys::{keyframe, pointer_targets};
use crate::animation::simd::{F32x8, Lanes};
use crate::model::animation::{Interpolation, Target};

use super::{Room, Shared, numbers_of};

#[inline(always)]
pub(super) fn sample_eight<L: Lanes>(l: L, shared: Shared, times: &[f64], cursors: &mut [u32], weights: &mut [f32], room: &mut Room) {
    let Shared { model, animation, rows, .. } = shared;
    let (count, each) = (times.len(), rows.cursors());
    sample_loose(l, shared, times, cursors, room);
    if !rows.plain.is_empty() {
        sample_plainly(shared, times, cursors, weights, room);
    }
    for (t, timeline) in rows.timelines.iter().enumerate() {
        let key_times = &animation.key_times[timeline.key_times];
        let (mut us, mut found) = ([0.0; 8], [&timeline.rows[..timeline.stride]; 8]);
        for lane in 0..8 {
            let character = lane.min(count - 1);
            let segment = keyframe::find(key_times, times[character], &mut cursors[character * each + t]);
            us[lane] = segment.u as f32;
            found[lane] = &timeline.rows[segment.key * timeline.stride..][..timeline.stride];
        }
        let u = l.load(&us);
        let mut start = 0;
        for block in &timeline.blocks {
            sample_block(l, block, (&found, start), u, &mut room.locals, (weights, model.rest_weights.len(), count));
            start += block.octs;
        }
    }
}

/// LINEAR channels with key times of their own: each lane is at a place of its own anyway.
#[inline(always)]
fn sample_loose<L: Lanes>(l: L, shared: Shared, times: &[f64], cursors: &mut [u32], room: &mut Room) {
    let rows = shared.rows;
    let each = rows.cursors();
    let (mut floors, mut rests) = ([0.0; 8], [0.0; 8]);
    for lane in 0..8 {
        // Lanes without a character repeat the last one.
        let time = times[lane.min(times.len() - 1)];
        floors[lane] = compiled::floor(time);
        rests[lane] = (time - f64::from(floors[lane])) as f32;
    }
    let times = LooseTimes { floors, count: times.len(), lanes: Times { floor: l.load(&floors), rest: l.load(&rests) } };
    let mut cursor = rows.timelines.len();
    for (path, channels) in [Path::Translation, Path::Rotation, Path::Scale].into_iter().zip(&rows.loose) {
        for channel in channels {
            let own = &mut cursors[cursor..];
            let local = &mut room.locals[channel.target as usize];
            if path == Path::Rotation {
                let q = evaluate::loose_rotations(l, &rows_of(l, channel, &rows.loose_rotations, &times, (own, each)), times.lanes);
                for i in 0..4 {
                    l.store(q[i], &mut local[3 + i].0);
                }
            } else {
                let v = evaluate::loose_vectors(l, &rows_of(l, channel, &rows.loose_vectors, &times, (own, each)), times.lanes);
                let first = if path == Path::Scale { 7 } else { 0 };
                for i in 0..3 {
                    l.store(v[i], &mut local[first + i].0);
                }
            }
            cursor += 1;
        }
    }
}

/// The times of so many characters, by themselves and in lanes.
struct LooseTimes<V> {
    floors: [f32; 8],
    count: usize,
    lanes: Times<V>,
}

/// Rows of one channel for eight characters. `cursors`: how far apart they are, too.
#[inline(always)]
fn rows_of<'a, L: Lanes, const N: usize>(
    l: L,
    channel: &Loose,
    rows: &'a [[f32; N]],
    times: &LooseTimes<L::V>,
    (cursors, each): (&mut [u32], usize),
) -> [&'a [f32; N]; 8] {
    let mut all = [channel.step(rows, times.floors[0], &mut cursors[0]); 8];
    for lane in 1..8 {
        all[lane] = channel.step(rows, times.floors[lane], &mut cursors[lane.min(times.count - 1) * each]);
    }
    if !times.lanes.are_within(l, &all) {
        for lane in 0..8 {
            all[lane] = channel.seek(rows, times.floors[lane], &mut cursors[lane.min(times.count - 1) * each]);
        }
    }
    all
}

/// Channels that are read from the file's keys: one character after the other.
#[inline(never)]
fn sample_plainly(shared: Shared, times: &[f64], cursors: &mut [u32], weights: &mut [f32], room: &mut Room) {
    let Shared { model, animation, rows, .. } = shared;
    let (each, pose) = (rows.cursors(), &mut room.scratch);
    let of_weights = model.rest_weights.len();
    for lane in 0..8 {
        let character = lane.min(times.len() - 1);
        for (i, &channel) in rows.plain.iter().enumerate() {
            let cursor = &mut cursors[character * each + rows.fast_cursors() + i];
            sample::plainly(model, animation, channel, times[character], cursor, pose);
            let own_weights = &mut weights[character * of_weights..(character + 1) * of_weights];
            match animation.channels[channel].target {
                Target::Weights(node) => {
                    let range = model.node(node).weights.clone();
                    own_weights[range.clone()].copy_from_slice(&pose.weights[range]);
                }
                Target::Pointer(pointer) => {
                    for &node in pointer_targets::weight_nodes(model, &model.pointers[pointer]) {
                        let range = model.node(node).weights.clone();
                        own_weights[range.clone()].copy_from_slice(&pose.weights[range]);
                    }
                }
                target @ (Target::Translation(node) | Target::Rotation(node) | Target::Scale(node)) => {
                    let driven = match target {
                        Target::Translation(_) => 0..3,
                        Target::Rotation(_) => 3..7,
                        _ => 7..10,
                    };
                    let local = &mut room.locals[node.index()];
                    for (oct, number) in local[driven.clone()].iter_mut().zip(&numbers_of(&pose.locals[node.index()])[driven]) {
                        oct.0[lane] = *number;
                    }
                }
            }
        }
    }
}

/// Eight rows, and where in them the block begins.
type Found<'r, 'a> = (&'r [&'a [F32x8]; 8], usize);
/// Of all characters: how many numbers of each, how many characters.
type Weights<'a> = (&'a mut [f32], usize, usize);

#[inline(always)]
fn sample_block<L: Lanes>(l: L, block: &Block, found: Found, u: L::V, locals: &mut [[F32x8; 10]], weights: Weights) {
    match (block.path, block.interpolation) {
        (Path::Rotation, Interpolation::Step) => transform::<L, 4, 4>(l, block, found, u, locals),
        (Path::Rotation, Interpolation::Linear) => transform::<L, 8, 4>(l, block, found, u, locals),
        (Path::Rotation, Interpolation::CubicSpline) => transform::<L, 16, 4>(l, block, found, u, locals),
        (Path::Translation | Path::Scale, Interpolation::Step) => transform::<L, 3, 3>(l, block, found, u, locals),
        (Path::Translation | Path::Scale, Interpolation::Linear) => transform::<L, 6, 3>(l, block, found, u, locals),
        (Path::Translation | Path::Scale, Interpolation::CubicSpline) => transform::<L, 12, 3>(l, block, found, u, locals),
        (Path::Weights, Interpolation::Step) => morph_weights::<L, 1>(l, block, found, u, weights),
        (Path::Weights, Interpolation::Linear) => morph_weights::<L, 2>(l, block, found, u, weights),
        (Path::Weights, Interpolation::CubicSpline) => morph_weights::<L, 4>(l, block, found, u, weights),
    }
}

/// `N` numbers a lane, by components of the value `C`: 1, 2 or 4 coefficients.
#[inline(always)]
fn transform<L: Lanes, const N: usize, const C: usize>(l: L, block: &Block, found: Found, u: L::V, locals: &mut [[F32x8; 10]]) {
    let numbers = numbers::<N>(found);
    let mut locals = block.targets.of_mut(locals);
    let first = match block.path {
        Path::Translation => 0,
        Path::Rotation => 3,
        _ => 7,
    };
    for half in 0..block.lanes.div_ceil(4) {
        let four = turned::<L, N>(l, &numbers, half);
        // Lanes that are empty write what the last one did.
        for lane in 0..4 {
            let local = locals.at(half * 4 + lane);
            if C == 4 {
                let q = [four[0][lane], four[1][lane], four[2][lane], four[3][lane]];
                let q = match N {
                    4 => q,
                    8 => evaluate::slerp(l, q, [four[4][lane], four[5][lane], four[6][lane], four[7][lane]], u),
                    _ => {
                        let x = evaluate::cubic(l, [four[0][lane], four[4 % N][lane], four[8 % N][lane], four[12 % N][lane]], u);
                        let y = evaluate::cubic(l, [four[1][lane], four[5 % N][lane], four[9 % N][lane], four[13 % N][lane]], u);
                        let z = evaluate::cubic(l, [four[2][lane], four[6 % N][lane], four[10 % N][lane], four[14 % N][lane]], u);
                        let w = evaluate::cubic(l, [four[3][lane], four[7 % N][lane], four[11 % N][lane], four[15 % N][lane]], u);
                        evaluate::normalized(l, [x, y, z, w], q)
                    }
                };
                l.store(q[0], &mut local[first].0);
                l.store(q[1], &mut local[first + 1].0);
                l.store(q[2], &mut local[first + 2].0);
                l.store(q[3], &mut local[first + 3].0);
            } else {
                for i in 0..3 {
                    let x = match N {
                        3 => four[i][lane],
                        6 => evaluate::linear(l, four[i][lane], four[(3 + i) % N][lane], u),
                        _ => evaluate::cubic(
                            l,
                            [four[i][lane], four[(3 + i) % N][lane], four[(6 + i) % N][lane], four[(9 + i) % N][lane]],
                            u,
                        ),
                    };
                    l.store(x, &mut local[first + i].0);
                }
            }
        }
    }
}

#[inline(always)]
fn morph_weights<L: Lanes, const N: usize>(l: L, block: &Block, found: Found, u: L::V, (weights, each, count): Weights) {
    let numbers = numbers::<N>(found);
    for half in 0..block.lanes.div_ceil(4) {
        let four = turned::<L, N>(l, &numbers, half);
        for lane in 0..(block.lanes - half * 4).min(4) {
            let weight = match N {
                1 => four[0][lane],
                2 => evaluate::linear(l, four[0][lane], four[1 % N][lane], u),
                _ => evaluate::cubic(l, [four[0][lane], four[1 % N][lane], four[2 % N][lane], four[3 % N][lane]], u),
            };
            let mut values = [0.0; 8];
            l.store(weight, &mut values);
            let target = block.targets.indices()[half * 4 + lane] as usize;
            for character in 0..count {
                weights[character * each + target] = values[character];
            }
        }
    }
}

/// The block's numbers in eight rows.
#[inline(always)]
fn numbers<'a, const N: usize>((rows, start): Found<'_, 'a>) -> [&'a [F32x8; N]; 8] {
    let mut all = [chunk(rows[0], start); 8];
    for lane in 1..8 {
        all[lane] = chunk(rows[lane], start);
    }
    all
}

/// Of half of a block: each number of four channels, eight characters wide.
#[inline(always)]
fn turned<L: Lanes, const N: usize>(l: L, numbers: &[&[F32x8; N]; 8], half: usize) -> [[L::V; 4]; N] {
    let mut four = [[l.splat(0.0); 4]; N];
    for i in 0..N {
        let at = |lane: usize| chunk(&numbers[lane][i].0, half * 4);
        four[i] = gather(l, [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
    }
    four
}
