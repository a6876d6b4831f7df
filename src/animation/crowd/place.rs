//! Local transforms of eight characters to global ones, and to their palettes, where lanes become rows again.
// Lanes are indices into several arrays at once, and iterators over them do not always unroll.
#![allow(clippy::needless_range_loop)]

use glam::Vec3;

use crate::animation::compiled::evaluate;
use crate::animation::hierarchy::schedule::{EightSlots, Order, Pair};
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::animation::simd::eight::EightParts;
use crate::animation::simd::{F32x8, Lanes};

use super::Room;

/// Where eight characters' palettes go, and where each of the eight stands.
pub(super) struct Palettes<'a> {
    parts: EightParts<'a, JointMatrix>,
    offsets: [[f32; 8]; 3],
}

impl<'a> Palettes<'a> {
    /// `places`: of up to eight characters. `palettes`: theirs, and all after them.
    pub fn new(places: &[Vec3], each: usize, palettes: &'a mut [JointMatrix]) -> Self {
        let mut offsets = [[0.0; 8]; 3];
        for lane in 0..8 {
            // Lanes without a character repeat the last one.
            let [x, y, z] = places[lane.min(places.len() - 1)].to_array();
            (offsets[0][lane], offsets[1][lane], offsets[2][lane]) = (x, y, z);
        }
        Self { parts: EightParts::new(palettes, each, places.len()), offsets }
    }
}

/// What [`place_eight`] reads and writes.
struct Buffers<'r, 'p> {
    locals: &'r [[F32x8; 10]],
    globals: &'r mut [[F32x8; 12]],
    palettes: Palettes<'p>,
}

/// Places all from eight `first` on and writes their palettes' entries, of those that have a place there.
#[inline(always)]
pub(super) fn place_eight<L: Lanes>(l: L, order: &Order, first: usize, room: &mut Room, palettes: Palettes) {
    let mut buffers = Buffers { locals: &room.locals, globals: &mut room.globals, palettes };
    for (e, (eight, pairs)) in (first..).zip(order.eights[first..].iter().zip(order.pairs[4 * first..].chunks(4))) {
        for (p, pair) in pairs.iter().enumerate() {
            place_slot::<L, 0>(l, (eight, pair), 2 * p, order.bases + 8 * e, &mut buffers);
            place_slot::<L, 1>(l, (eight, pair), 2 * p + 1, order.bases + 8 * e, &mut buffers);
        }
    }
    for entry in &order.more_entries {
        let global = &buffers.globals[entry.slot as usize];
        write_entries(l, global, &splatted(l, &entry.inverse_bind_matrix), entry.place, &mut buffers.palettes);
    }
}

/// The slot `at` of eight slots that begin at `first`, the bases counted; of its pair it is `WHICH`.
#[inline(always)]
fn place_slot<L: Lanes, const WHICH: usize>(
    l: L,
    (eight, pair): (&EightSlots, &Pair),
    at: usize,
    first: usize,
    Buffers { locals, globals, palettes }: &mut Buffers,
) {
    // Empty slots have no node.
    let Some(local) = locals.get(pair.nodes[WHICH] as usize) else { return };
    let mut local = local_rows(l, local, eight.is_unscaled);
    if let Some((_, fixed)) = eight.fixed.iter().find(|(slot, _)| *slot == at) {
        local = splatted(l, fixed);
    }
    let product = product(l, &globals[pair.parents[WHICH] as usize], &local);
    let global = &mut globals[first + at];
    for r in 0..3 {
        for column in 0..4 {
            l.store(product[r][column], &mut global[4 * r + column].0);
        }
    }
    write_entries(l, global, &pair.inverse_bind_matrices.splat::<L, WHICH>(l), pair.places[WHICH], palettes);
}

#[inline(always)]
fn local_rows<L: Lanes>(l: L, local: &[F32x8; 10], unscaled: bool) -> [[L::V; 4]; 3] {
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

/// `a * b`, column after column.
#[inline(always)]
fn product<L: Lanes>(l: L, a: &[F32x8; 12], b: &[[L::V; 4]; 3]) -> [[L::V; 4]; 3] {
    let mut out = *b;
    for c in 0..4 {
        for r in 0..3 {
            let (x, y, z, w) = (l.load(&a[4 * r].0), l.load(&a[4 * r + 1].0), l.load(&a[4 * r + 2].0), l.load(&a[4 * r + 3].0));
            let last = if c == 3 { l.fma(z, b[2][c], w) } else { l.mul(z, b[2][c]) };
            out[r][c] = l.fma(x, b[0][c], l.fma(y, b[1][c], last));
        }
    }
    out
}

/// One entry of eight palettes, if they have it.
#[inline(always)]
fn write_entries<L: Lanes>(l: L, global: &[F32x8; 12], inverse_bind_matrix: &[[L::V; 4]; 3], place: u32, palettes: &mut Palettes) {
    let Palettes { parts, offsets } = palettes;
    let Some(mut entries) = parts.at(place as usize) else { return };
    let product = product(l, global, inverse_bind_matrix);
    let mut rows = product;
    for r in 0..3 {
        let [x, y, z, w] = product[r];
        rows[r] = l.transpose([x, y, z, l.add(w, l.load(&offsets[r]))]);
    }
    let [x, y, z] = rows;
    entries.of(0).rows = [l.low(x[0]), l.low(y[0]), l.low(z[0])];
    entries.of(1).rows = [l.low(x[1]), l.low(y[1]), l.low(z[1])];
    entries.of(2).rows = [l.low(x[2]), l.low(y[2]), l.low(z[2])];
    entries.of(3).rows = [l.low(x[3]), l.low(y[3]), l.low(z[3])];
    entries.of(4).rows = [l.high(x[0]), l.high(y[0]), l.high(z[0])];
    entries.of(5).rows = [l.high(x[1]), l.high(y[1]), l.high(z[1])];
    entries.of(6).rows = [l.high(x[2]), l.high(y[2]), l.high(z[2])];
    entries.of(7).rows = [l.high(x[3]), l.high(y[3]), l.high(z[3])];
}
