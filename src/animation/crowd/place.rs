//! Local transforms of eight characters to global ones, and to their palettes, where lanes become rows again.
// Lanes are indices into several arrays at once, and iterators over them do not always unroll.
#![allow(clippy::needless_range_loop)]

use glam::Vec3;

use crate::animation::evaluate;
use crate::animation::lanes::{Eight, Lanes, Oct, Work};
use crate::animation::order::{NO_PLACE, Order};
use crate::animation::skinning::JointMatrix;

use super::Room;

/// All from slot `first` on.
pub(super) struct PlaceEight<'a> {
    pub order: &'a Order,
    pub first: usize,
    pub room: &'a mut Room,
}

impl Work for PlaceEight<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        place_eight(l, self.order, self.first, self.room);
    }
}

/// Local to global transforms, from slot `first` after the bases on.
#[inline(always)]
pub(super) fn place_eight<L: Lanes>(l: L, order: &Order, first: usize, room: &mut Room) {
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
pub(super) fn write_palettes<L: Lanes>(l: L, order: &Order, places: &[Vec3], room: &Room, palettes: &mut [JointMatrix]) {
    let count = places.len();
    let each = palettes.len() / count;
    // Lanes without a character repeat the last one.
    let starts = Eight::new(std::array::from_fn(|lane| (lane.min(count - 1) * each) as u32));
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
    starts: Eight,
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
