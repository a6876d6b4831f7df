//! Many characters of one model, each at a time of its own: eight at once, one in each lane. Rows ([`super::compiled`]) are gathered
//! from eight places in time and turned, so that a lane is a character ([`sample`]); from there on everything is plain arithmetic
//! ([`place`]). Large crowds are shared out among threads, whole eights to each.

mod place;
mod sample;

use glam::{Vec3, Vec4};

use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::hierarchy::Trs;

use super::compiled::Rows;
use super::compiled::sample::begin;
use super::hierarchy::globals::multiplied;
use super::hierarchy::pose::Pose;
use super::hierarchy::schedule::Order;
use super::hierarchy::skinning::JointMatrix;
use super::simd::{self, F32x8, Kernel, Lanes, Work};

use place::Palettes;

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

/// Where eight characters are posed at once; components as [`F32x8`]s of one number a character.
#[derive(Debug, Clone)]
struct Room {
    /// By node: translation, rotation, scale.
    locals: Vec<[F32x8; 10]>,
    /// By slot: the rows of the global transform.
    globals: Vec<[F32x8; 12]>,
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
        begin(model, rows, &mut rest);
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
                scope.spawn(|| simd::run(shared.kernel, part));
            }
            simd::run(shared.kernel, first);
        });
    }
}

impl Room {
    fn new(shared: Shared, rest: &Pose) -> Self {
        let Shared { kernel, order, .. } = shared;
        let splat = |x: f32| F32x8([x; 8]);
        let locals = rest.locals.iter().map(|local| numbers_of(local).map(splat)).collect();
        let globals = vec![[F32x8::default(); 12]; order.bases + 2 * order.pairs.len()];
        let mut room = Self { locals, globals, scratch: rest.clone() };
        for base in &mut room.globals[..order.bases] {
            *base = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(splat);
        }
        simd::run(kernel, Settle { order, room: &mut room });
        room
    }

    /// The palette's entries that never move.
    fn still_entries(&self, order: &Order, place: Vec3, palette: &mut [JointMatrix]) {
        for (pair, globals) in order.pairs[..4 * order.still].iter().zip(self.globals[order.bases..].as_chunks::<2>().0) {
            for (which, global) in globals.iter().enumerate() {
                let Some(entry) = palette.get_mut(pair.places[which] as usize) else { continue };
                let row = |row: usize| Vec4::from_array(std::array::from_fn(|column| global[4 * row + column].0[0]));
                *entry = multiplied(&JointMatrix { rows: [row(0), row(1), row(2)] }, &pair.inverse_bind_matrices.get(which));
                for (row, offset) in entry.rows.iter_mut().zip(place.to_array()) {
                    row.w += offset;
                }
            }
        }
    }
}

/// Places everything once.
struct Settle<'a> {
    order: &'a Order,
    room: &'a mut Room,
}

impl Work for Settle<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        place::place_eight(l, self.order, 0, self.room, Palettes::new(&[Vec3::ZERO], 0, &mut []));
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
    const MANY_VECTORS: bool = true;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Shared { model, order, rows, .. } = self.shared;
        let (palette, weight, cursor) = (model.palette_len, model.rest_weights.len(), rows.cursors());
        for first in (0..self.places.len()).step_by(8) {
            let count = (self.places.len() - first).min(8);
            let times = &self.times[first..first + count];
            let cursors = &mut self.cursors[first * cursor..(first + count) * cursor];
            let weights = &mut self.weights[first * weight..(first + count) * weight];
            sample::sample_eight(l, self.shared, times, cursors, weights, self.room);
            let palettes = Palettes::new(&self.places[first..first + count], palette, &mut self.palettes[first * palette..]);
            place::place_eight(l, order, order.still, self.room, palettes);
        }
    }
}
