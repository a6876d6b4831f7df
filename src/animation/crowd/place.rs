//! Local transforms of eight characters to global ones, and to their palettes, where lanes become rows again.
// Lanes are indices into several arrays at once, and iterators over them do not always unroll.
#![allow(clippy::needless_range_loop)]

use glam::Vec3;

use crate::animation::evaluate;
use crate::animation::lanes::{EightParts, Lanes, Oct};
use crate::animation::order::Order;
use crate::animation::skinning::JointMatrix;

use super::Room;

/// Where eight characters' palettes go, and where each of the eight stands.
pub(super) struct Palettes<'a> {
    parts: EightParts<'a, JointMatrix>,
    offsets: [[f32; 8]; 3],
}

impl<'a> Palettes<'a> {
    /// One palette for each place. Lanes without a character repeat the last one.
    pub fn new(places: &[Vec3], palettes: &'a mut [JointMatrix]) -> Self {
        let (count, each) = (places.len(), palettes.len() / places.len());
        let mut offsets = [[0.0; 8]; 3];
        for lane in 0..8 {
            let [x, y, z] = places[lane.min(count - 1)].to_array();
            (offsets[0][lane], offsets[1][lane], offsets[2][lane]) = (x, y, z);
        }
        Self { parts: EightParts::new(palettes, each, std::array::from_fn(|lane| lane.min(count - 1))), offsets }
    }
}

/// Places all from eight `first` on and writes their palettes' entries, of those that have a place there.
#[inline(always)]
pub(super) fn place_eight<L: Lanes>(l: L, order: &Order, first: usize, room: &mut Room, palettes: &mut Palettes) {
    let (locals, globals) = (&room.locals[..], &mut room.globals[..]);
    let mut at = order.bases + 8 * first;
    for (eight, pairs) in order.eights[first..].iter().zip(order.pairs[4 * first..].chunks(4)) {
        for (i, pair) in pairs.iter().enumerate() {
            for which in 0..2 {
                // Empty slots have no node.
                if let Some(local) = locals.get(pair.nodes[which] as usize) {
                    let mut local = local_rows(l, local, eight.is_unscaled);
                    if let Some((_, fixed)) = eight.fixed.iter().find(|(slot, _)| *slot == 2 * i + which) {
                        local = splatted(l, fixed);
                    }
                    let global = global(l, globals, pair.parents[which], &local);
                    for r in 0..3 {
                        for column in 0..4 {
                            l.store(global[r][column], &mut globals[at + which][4 * r + column].0);
                        }
                    }
                    let place = pair.places[which] as usize;
                    if place < palettes.parts.len() {
                        write_entries(l, &globals[at + which], &pair.inverse_bind_matrices.get(which), palettes, place);
                    }
                }
            }
            at += 2;
        }
    }
    for entry in &order.more_entries {
        let place = entry.place as usize;
        if place < palettes.parts.len() {
            write_entries(l, &globals[entry.slot as usize], &entry.inverse_bind_matrix, palettes, place);
        }
    }
}

/// A local transform by the parent's global one.
#[inline(always)]
fn global<L: Lanes>(l: L, globals: &[[Oct; 12]], parent: u32, local: &[[L::V; 4]; 3]) -> [[L::V; 4]; 3] {
    let parent = &globals[parent as usize];
    [times(l, row(l, parent, 0), local), times(l, row(l, parent, 1), local), times(l, row(l, parent, 2), local)]
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

/// One entry of eight palettes.
#[inline(always)]
fn write_entries<L: Lanes>(l: L, global: &[Oct; 12], inverse_bind_matrix: &JointMatrix, palettes: &mut Palettes, place: usize) {
    let inverse_bind_matrix = splatted(l, inverse_bind_matrix);
    let mut rows = [[l.splat(0.0); 4]; 3];
    for r in 0..3 {
        let mut product = times(l, row(l, global, r), &inverse_bind_matrix);
        product[3] = l.add(product[3], l.load(&palettes.offsets[r]));
        rows[r] = l.transpose(product);
    }
    let [x, y, z] = rows;
    let parts = &mut palettes.parts;
    parts.at(0, place).rows = [l.low(x[0]), l.low(y[0]), l.low(z[0])];
    parts.at(1, place).rows = [l.low(x[1]), l.low(y[1]), l.low(z[1])];
    parts.at(2, place).rows = [l.low(x[2]), l.low(y[2]), l.low(z[2])];
    parts.at(3, place).rows = [l.low(x[3]), l.low(y[3]), l.low(z[3])];
    parts.at(4, place).rows = [l.high(x[0]), l.high(y[0]), l.high(z[0])];
    parts.at(5, place).rows = [l.high(x[1]), l.high(y[1]), l.high(z[1])];
    parts.at(6, place).rows = [l.high(x[2]), l.high(y[2]), l.high(z[2])];
    parts.at(7, place).rows = [l.high(x[3]), l.high(y[3]), l.high(z[3])];
}
