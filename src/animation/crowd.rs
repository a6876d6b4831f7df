//! Many characters of one model, each at a time of its own: eight at once, one in each lane. Rows ([`super::rows`]) are gathered
//! from eight places in time and turned, so that a lane is a character; from there on everything is plain arithmetic.

// Lanes are indices into several arrays at once, and iterators over them do not always unroll.
#![allow(clippy::needless_range_loop)]

use glam::{Vec3, Vec4};

use crate::model::Model;
use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;

use super::driven;
use super::evaluate::{self, chunk, gather};
use super::keyframe;
use super::lanes::{self, Kernel, Lanes, Oct, Work};
use super::order::{NO_PLACE, Order};
use super::pose::Pose;
use super::rows::{self, Block, Loose, Path, Rows};
use super::sample;
use super::skinning::JointMatrix;

/// Fewer joints than so many (of all characters) are not worth a second thread.
const WORTH_A_THREAD: usize = 20_000;

/// Characters of a crowd with what moves of them, allocated when it gathers.
#[derive(Debug, Clone, Default)]
pub struct Characters {
    /// One palette after the other.
    pub palettes: Vec<JointMatrix>,
    /// Every character's morph weights.
    pub weights: Vec<f32>,
    /// Where each character stands, metres from where the model is.
    places: Vec<Vec3>,
    cursors: Vec<u32>,
    rooms: Vec<Room>,
}

/// Where eight characters are posed at once; components as [`Oct`]s of one number a character.
#[derive(Debug, Clone)]
struct Room {
    /// By slot after the bases: translation, rotation, scale.
    locals: Vec<[Oct; 10]>,
    /// By slot: the rows of the global transform.
    globals: Vec<[Oct; 12]>,
    /// Of one character, for channels that are sampled one by one.
    scratch: Pose,
}

/// What all of a crowd share.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub kernel: Kernel,
    pub model: &'a Model,
    pub order: &'a Order,
    pub animation: &'a Animation,
    pub rows: &'a Rows,
}

impl Characters {
    /// `places`: one for each character. Without `shared` they are only given room: somebody else poses them. `threads`: at most so
    /// many are used, and only where it pays.
    pub fn new(model: &Model, shared: Option<Shared>, places: Vec<Vec3>, threads: usize) -> Self {
        let mut characters = Self {
            palettes: vec![JointMatrix::IDENTITY; model.palette_len * places.len()],
            weights: model.rest_weights.repeat(places.len()),
            cursors: Vec::new(),
            rooms: Vec::new(),
            places,
        };
        if let Some(shared) = shared {
            characters.begin(shared, threads);
        }
        characters
    }

    /// Writes what does not change.
    fn begin(&mut self, shared: Shared, threads: usize) {
        let Shared { model, order, rows, .. } = shared;
        let mut rest = Pose::rest(model);
        sample::begin(model, rows, &mut rest);
        let room = Room::new(shared, &rest);
        for (place, palette) in self.places.iter().zip(self.palettes.chunks_exact_mut(model.palette_len.max(1))) {
            room.still_entries(order, *place, palette);
        }
        self.weights = rest.weights.repeat(self.places.len());
        self.cursors = vec![0; rows.cursors() * self.places.len()];
        let worth = (self.palettes.len() / WORTH_A_THREAD).max(1).min(self.places.len().div_ceil(8).max(1));
        self.rooms = vec![room; threads.clamp(1, worth)];
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Poses every character at its time (seconds on the animation's own key times).
    pub fn pose(&mut self, shared: Shared, times: &[f64]) {
        let Self { palettes, weights, places, cursors, rooms } = self;
        let (palette, weight, cursor) = (shared.model.palette_len, shared.model.rest_weights.len(), shared.rows.cursors());
        // Whole eights to each thread.
        let part = places.len().div_ceil(rooms.len()).next_multiple_of(8);
        let mut parts = Vec::with_capacity(rooms.len());
        let (mut palettes, mut weights, mut cursors) = (&mut palettes[..], &mut weights[..], &mut cursors[..]);
        for ((places, times), room) in places.chunks(part).zip(times.chunks(part)).zip(rooms) {
            let (own_palettes, own_weights, own_cursors);
            (own_palettes, palettes) = palettes.split_at_mut(palette * places.len());
            (own_weights, weights) = weights.split_at_mut(weight * places.len());
            (own_cursors, cursors) = cursors.split_at_mut(cursor * places.len());
            parts.push(Part { shared, places, times, palettes: own_palettes, weights: own_weights, cursors: own_cursors, room });
        }
        let Some(first) = parts.pop() else { return };
        std::thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| lanes::run(shared.kernel, part));
            }
            lanes::run(shared.kernel, first);
        });
    }
}

impl Room {
    fn new(shared: Shared, rest: &Pose) -> Self {
        let Shared { kernel, order, .. } = shared;
        let splat = |x: f32| Oct([x; 8]);
        let locals = order.eights.iter().flat_map(lanes::Eight::indices).map(|&node| {
            let local = &rest.locals[node as usize];
            numbers_of(local).map(splat)
        });
        let globals = vec![[Oct::default(); 12]; order.bases + order.parents.len()];
        let mut room = Self { locals: locals.collect(), globals, scratch: rest.clone() };
        for base in &mut room.globals[..order.bases] {
            *base = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(splat);
        }
        lanes::run(kernel, PlaceEight { order, first: 0, room: &mut room });
        room
    }

    /// The palette's entries that never move.
    fn still_entries(&self, order: &Order, place: Vec3, palette: &mut [JointMatrix]) {
        let still = order.places[..order.still].iter().zip(&order.inverse_bind_matrices).zip(&self.globals[order.bases..]);
        for ((&entry, inverse_bind_matrix), global) in still {
            if let Some(entry) = palette.get_mut(entry as usize) {
                let row = |row: usize| Vec4::from_array(std::array::from_fn(|column| global[4 * row + column].0[0]));
                *entry = super::place::multiplied(&JointMatrix { rows: [row(0), row(1), row(2)] }, inverse_bind_matrix);
                for (row, offset) in entry.rows.iter_mut().zip(place.to_array()) {
                    row.w += offset;
                }
            }
        }
    }
}

/// Translation, rotation, scale.
fn numbers_of(local: &Trs) -> [f32; 10] {
    let ([tx, ty, tz], [x, y, z, w], [sx, sy, sz]) = (local.translation.to_array(), local.rotation.to_array(), local.scale.to_array());
    [tx, ty, tz, x, y, z, w, sx, sy, sz]
}

/// The characters of one thread.
struct Part<'a> {
    shared: Shared<'a>,
    places: &'a [Vec3],
    times: &'a [f64],
    palettes: &'a mut [JointMatrix],
    weights: &'a mut [f32],
    cursors: &'a mut [u32],
    room: &'a mut Room,
}

impl Work for Part<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Shared { model, order, rows, .. } = self.shared;
        let (palette, weight, cursor) = (model.palette_len, model.rest_weights.len(), rows.cursors());
        for first in (0..self.places.len()).step_by(8) {
            let count = (self.places.len() - first).min(8);
            let times = &self.times[first..first + count];
            let cursors = &mut self.cursors[first * cursor..(first + count) * cursor];
            let weights = &mut self.weights[first * weight..(first + count) * weight];
            sample_eight(l, self.shared, times, cursors, weights, self.room);
            place_eight(l, order, order.still, self.room);
            let palettes = &mut self.palettes[first * palette..(first + count) * palette];
            write_palettes(l, order, &self.places[first..first + count], self.room, palettes);
        }
    }
}

#[inline(always)]
fn sample_eight<L: Lanes>(l: L, shared: Shared, times: &[f64], cursors: &mut [u32], weights: &mut [f32], room: &mut Room) {
    let Shared { model, order, animation, rows, .. } = shared;
    let (count, each) = (times.len(), rows.cursors());
    sample_loose(l, shared, times, cursors, room);
    if !rows.plain.is_empty() {
        sample_plainly(shared, times, cursors, weights, room);
    }
    for (t, timeline) in rows.timelines.iter().enumerate() {
        let key_times = &animation.key_times[timeline.key_times];
        let (mut us, mut starts) = ([0.0; 8], [0; 8]);
        for lane in 0..8 {
            let character = lane.min(count - 1);
            let segment = keyframe::find(key_times, times[character], &mut cursors[character * each + t]);
            (us[lane], starts[lane]) = (segment.u as f32, segment.key * timeline.stride);
        }
        let u = l.load(&us);
        for block in &timeline.blocks {
            sample_block(l, block, &timeline.rows, &starts, u, (order, &mut room.locals), (weights, model.rest_weights.len(), count));
            for start in &mut starts {
                *start += block.octs;
            }
        }
    }
}

/// LINEAR channels with key times of their own: each lane is at a place of its own anyway.
#[inline(always)]
fn sample_loose<L: Lanes>(l: L, shared: Shared, times: &[f64], cursors: &mut [u32], room: &mut Room) {
    let Shared { order, rows, .. } = shared;
    let each = rows.cursors();
    let mut floors = [0.0; 8];
    for (floor, time) in floors.iter_mut().zip(times) {
        *floor = rows::floor(*time);
    }
    let mut cursor = rows.timelines.len();
    for (path, channels) in [Path::Translation, Path::Rotation, Path::Scale].into_iter().zip(&rows.loose) {
        for channel in channels {
            let own = cursors[cursor..].iter_mut().step_by(each);
            let local = &mut room.locals[order.slots[channel.target as usize] as usize - order.bases];
            if path == Path::Rotation {
                let (rows, elapsed) = rows_of(l, channel, &rows.loose_rows, times, &floors, own);
                let q = evaluate::loose_rotations(l, &rows, elapsed);
                for i in 0..4 {
                    l.store(q[i], &mut local[3 + i].0);
                }
            } else {
                let (rows, elapsed) = rows_of(l, channel, &rows.loose_rows, times, &floors, own);
                let v = evaluate::loose_vectors(l, &rows, elapsed);
                let first = if path == Path::Scale { 7 } else { 0 };
                for i in 0..3 {
                    l.store(v[i], &mut local[first + i].0);
                }
            }
            cursor += 1;
        }
    }
}

/// Rows of one channel for eight characters.
#[inline(always)]
fn rows_of<'a, 'c, L: Lanes, const N: usize>(
    l: L,
    channel: &Loose,
    rows: &'a [f32],
    times: &[f64],
    floors: &[f32; 8],
    cursors: impl Iterator<Item = &'c mut u32>,
) -> ([&'a [f32; N]; 8], L::V) {
    let mut all = [chunk(rows, channel.start); 8];
    let mut elapsed = [0.0; 8];
    for (lane, ((&time, &floor), cursor)) in times.iter().zip(floors).zip(cursors).enumerate().take(8) {
        (all[lane], elapsed[lane]) = channel.row(rows, time, floor, cursor);
    }
    // Lanes without a character repeat the last one.
    for lane in times.len()..8 {
        (all[lane], elapsed[lane]) = (all[times.len() - 1], elapsed[times.len() - 1]);
    }
    (all, l.load(&elapsed))
}

/// Channels that are read from the file's keys: one character after the other.
#[inline(never)]
fn sample_plainly(shared: Shared, times: &[f64], cursors: &mut [u32], weights: &mut [f32], room: &mut Room) {
    let Shared { model, order, animation, rows, .. } = shared;
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
                    for &node in driven::weight_nodes(model, &model.pointers[pointer]) {
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
                    let local = &mut room.locals[order.slots[node.index()] as usize - order.bases];
                    for (oct, number) in local[driven.clone()].iter_mut().zip(&numbers_of(&pose.locals[node.index()])[driven]) {
                        oct.0[lane] = *number;
                    }
                }
            }
        }
    }
}

type Locals<'a> = (&'a Order, &'a mut [[Oct; 10]]);
type Weights<'a> = (&'a mut [f32], usize, usize);

#[inline(always)]
fn sample_block<L: Lanes>(l: L, block: &Block, rows: &[Oct], starts: &[usize; 8], u: L::V, locals: Locals, weights: Weights) {
    match (block.path, block.interpolation) {
        (Path::Rotation, Interpolation::Step) => transform::<L, 4, 4>(l, block, rows, starts, u, locals),
        (Path::Rotation, Interpolation::Linear) => transform::<L, 8, 4>(l, block, rows, starts, u, locals),
        (Path::Rotation, Interpolation::CubicSpline) => transform::<L, 16, 4>(l, block, rows, starts, u, locals),
        (Path::Translation | Path::Scale, Interpolation::Step) => transform::<L, 3, 3>(l, block, rows, starts, u, locals),
        (Path::Translation | Path::Scale, Interpolation::Linear) => transform::<L, 6, 3>(l, block, rows, starts, u, locals),
        (Path::Translation | Path::Scale, Interpolation::CubicSpline) => transform::<L, 12, 3>(l, block, rows, starts, u, locals),
        (Path::Weights, Interpolation::Step) => morph_weights::<L, 1>(l, block, rows, starts, u, weights),
        (Path::Weights, Interpolation::Linear) => morph_weights::<L, 2>(l, block, rows, starts, u, weights),
        (Path::Weights, Interpolation::CubicSpline) => morph_weights::<L, 4>(l, block, rows, starts, u, weights),
    }
}

/// `N` numbers a lane, by components of the value `C`: 1, 2 or 4 coefficients.
#[inline(always)]
fn transform<L: Lanes, const N: usize, const C: usize>(
    l: L,
    block: &Block,
    rows: &[Oct],
    starts: &[usize; 8],
    u: L::V,
    (order, locals): Locals,
) {
    let numbers = numbers::<N>(rows, starts);
    let first = match block.path {
        Path::Translation => 0,
        Path::Rotation => 3,
        _ => 7,
    };
    for half in 0..block.lanes.div_ceil(4) {
        let four = turned::<L, N>(l, &numbers, half);
        for lane in 0..(block.lanes - half * 4).min(4) {
            let slot = order.slots[block.targets.indices()[half * 4 + lane] as usize] as usize - order.bases;
            let local = &mut locals[slot];
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
fn morph_weights<L: Lanes, const N: usize>(
    l: L,
    block: &Block,
    rows: &[Oct],
    starts: &[usize; 8],
    u: L::V,
    (weights, each, count): Weights,
) {
    let numbers = numbers::<N>(rows, starts);
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

/// The block's numbers at eight rows.
#[inline(always)]
fn numbers<'a, const N: usize>(rows: &'a [Oct], starts: &[usize; 8]) -> [&'a [Oct; N]; 8] {
    let mut all = [chunk(rows, starts[0]); 8];
    for lane in 1..8 {
        all[lane] = chunk(rows, starts[lane]);
    }
    all
}

/// Of half of a block: each number of four channels, eight characters wide.
#[inline(always)]
fn turned<L: Lanes, const N: usize>(l: L, numbers: &[&[Oct; N]; 8], half: usize) -> [[L::V; 4]; N] {
    let mut four = [[l.splat(0.0); 4]; N];
    for i in 0..N {
        let at = |lane: usize| chunk(&numbers[lane][i].0, half * 4);
        four[i] = gather(l, [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
    }
    four
}

struct PlaceEight<'a> {
    order: &'a Order,
    first: usize,
    room: &'a mut Room,
}

impl Work for PlaceEight<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        place_eight(l, self.order, self.first, self.room);
    }
}

/// Local to global transforms, from slot `first` after the bases on.
#[inline(always)]
fn place_eight<L: Lanes>(l: L, order: &Order, first: usize, room: &mut Room) {
    let mut fixed = order.fixed.iter().skip_while(|(slot, _)| *slot < first).peekable();
    for slot in first..order.parents.len() {
        let local = match fixed.next_if(|(at, _)| *at == slot) {
            Some((_, matrix)) => splatted(l, matrix),
            None => local_rows(l, &room.locals[slot], order.unscaled[slot / 8]),
        };
        let parent = &room.globals[order.parents[slot] as usize];
        let parent = [row(l, parent, 0), row(l, parent, 1), row(l, parent, 2)];
        let global = &mut room.globals[order.bases + slot];
        for r in 0..3 {
            let product = times(l, parent[r], &local);
            for column in 0..4 {
                l.store(product[column], &mut global[4 * r + column].0);
            }
        }
    }
}

#[inline(always)]
fn row<L: Lanes>(l: L, matrix: &[Oct; 12], row: usize) -> [L::V; 4] {
    [l.load(&matrix[4 * row].0), l.load(&matrix[4 * row + 1].0), l.load(&matrix[4 * row + 2].0), l.load(&matrix[4 * row + 3].0)]
}

#[inline(always)]
fn local_rows<L: Lanes>(l: L, local: &[Oct; 10], unscaled: bool) -> [[L::V; 4]; 3] {
    let q = [l.load(&local[3].0), l.load(&local[4].0), l.load(&local[5].0), l.load(&local[6].0)];
    let mut rows = evaluate::rotation_rows(l, q);
    if !unscaled {
        rows = evaluate::scaled(l, rows, [l.load(&local[7].0), l.load(&local[8].0), l.load(&local[9].0)]);
    }
    let [x, y, z] = rows;
    [[x[0], x[1], x[2], l.load(&local[0].0)], [y[0], y[1], y[2], l.load(&local[1].0)], [z[0], z[1], z[2], l.load(&local[2].0)]]
}

#[inline(always)]
fn splatted<L: Lanes>(l: L, matrix: &JointMatrix) -> [[L::V; 4]; 3] {
    let mut rows = [[l.splat(0.0); 4]; 3];
    for r in 0..3 {
        let row = matrix.rows[r].to_array();
        rows[r] = [l.splat(row[0]), l.splat(row[1]), l.splat(row[2]), l.splat(row[3])];
    }
    rows
}

/// A row by a matrix.
#[inline(always)]
fn times<L: Lanes>(l: L, [x, y, z, w]: [L::V; 4], [a, b, c]: &[[L::V; 4]; 3]) -> [L::V; 4] {
    [
        l.fma(x, a[0], l.fma(y, b[0], l.mul(z, c[0]))),
        l.fma(x, a[1], l.fma(y, b[1], l.mul(z, c[1]))),
        l.fma(x, a[2], l.fma(y, b[2], l.mul(z, c[2]))),
        l.fma(x, a[3], l.fma(y, b[3], l.fma(z, c[3], w))),
    ]
}

#[inline(always)]
fn write_palettes<L: Lanes>(l: L, order: &Order, places: &[Vec3], room: &Room, palettes: &mut [JointMatrix]) {
    let count = places.len();
    let each = palettes.len() / count;
    // Lanes without a character repeat the last one.
    let starts = lanes::Eight::new(std::array::from_fn(|lane| (lane.min(count - 1) * each) as u32));
    let mut offsets = [[0.0; 8]; 3];
    for lane in 0..8 {
        let [x, y, z] = places[lane.min(count - 1)].to_array();
        (offsets[0][lane], offsets[1][lane], offsets[2][lane]) = (x, y, z);
    }
    let entries = order.places[order.still..].iter().zip(&order.inverse_bind_matrices[order.still..]);
    let entries = entries.zip(&room.globals[order.bases + order.still..]).filter(|((place, _), _)| **place != NO_PLACE);
    for ((&place, inverse_bind_matrix), global) in entries {
        write_entries(l, global, inverse_bind_matrix, &offsets, starts, &mut palettes[place as usize..]);
    }
    for entry in &order.more_entries {
        let global = &room.globals[entry.slot as usize];
        write_entries(l, global, &entry.inverse_bind_matrix, &offsets, starts, &mut palettes[entry.place as usize..]);
    }
}

/// One entry of eight palettes: of each the first one.
#[inline(always)]
fn write_entries<L: Lanes>(
    l: L,
    global: &[Oct; 12],
    inverse_bind_matrix: &JointMatrix,
    offsets: &[[f32; 8]; 3],
    starts: lanes::Eight,
    palettes: &mut [JointMatrix],
) {
    let inverse_bind_matrix = splatted(l, inverse_bind_matrix);
    let mut rows = [[l.splat(0.0); 4]; 3];
    for r in 0..3 {
        let mut product = times(l, row(l, global, r), &inverse_bind_matrix);
        product[3] = l.add(product[3], l.load(&offsets[r]));
        rows[r] = l.transpose(product);
    }
    let [x, y, z] = rows;
    let mut palettes = starts.of_mut(palettes);
    palettes.at(0).rows = [l.low(x[0]), l.low(y[0]), l.low(z[0])];
    palettes.at(1).rows = [l.low(x[1]), l.low(y[1]), l.low(z[1])];
    palettes.at(2).rows = [l.low(x[2]), l.low(y[2]), l.low(z[2])];
    palettes.at(3).rows = [l.low(x[3]), l.low(y[3]), l.low(z[3])];
    palettes.at(4).rows = [l.high(x[0]), l.high(y[0]), l.high(z[0])];
    palettes.at(5).rows = [l.high(x[1]), l.high(y[1]), l.high(z[1])];
    palettes.at(6).rows = [l.high(x[2]), l.high(y[2]), l.high(z[2])];
    palettes.at(7).rows = [l.high(x[3]), l.high(y[3]), l.high(z[3])];
}
