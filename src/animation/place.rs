//! Local transforms to global ones and to the palette, for one character, in `f32` relative to an anchor: what is drawn.
//! (For numbers in f64 see [`super::pose::global_transforms`].)
//!
//! Two loops over slots ([`super::order`]): eight local transforms at a time to matrices; then each matrix by its parent's, and
//! that by the inverse bind matrix of its joint, into the palette.

use std::ops::Range;

use glam::{DAffine3, DVec3, Vec4};

use crate::model::hierarchy::Trs;

use super::evaluate;
use super::lanes::{self, Eight, Kernel, Lanes, Work};
use super::order::Order;
use super::skinning::JointMatrix;

/// Matrices of a character by slot, kept from one time to the next.
#[derive(Debug, Clone, Default)]
pub struct Placed {
    /// Without the bases, in whole eights.
    locals: Vec<[JointMatrix; 8]>,
    /// With the bases.
    globals: Vec<JointMatrix>,
    /// Whether the still part holds.
    settled: bool,
}

impl Placed {
    pub fn new(order: &Order) -> Self {
        Self {
            locals: vec![[JointMatrix::IDENTITY; 8]; order.eights.len()],
            globals: vec![JointMatrix::IDENTITY; order.bases + order.parents.len()],
            settled: false,
        }
    }

    /// What hangs on nothing hangs on the world; then the nodes of the trunk.
    pub fn set_bases(&mut self, trunk: &[DAffine3], anchor: DVec3) {
        for (base, global) in self.globals.iter_mut().zip(std::iter::once(&DAffine3::IDENTITY).chain(trunk)) {
            *base = JointMatrix::anchored(global, anchor);
        }
    }
}

/// Places all nodes and writes the palette's entries (none into an empty one). What no animation moves is done the first time only.
pub fn place(kernel: Kernel, order: &Order, locals: &[Trs], placed: &mut Placed, palette: &mut [JointMatrix]) {
    let (still, all) = (order.still, order.parents.len());
    if !placed.settled {
        placed.settled = true;
        lanes::run(kernel, Placing { order, slots: 0..still, locals, placed, palette });
    }
    lanes::run(kernel, Placing { order, slots: still..all, locals, placed, palette });
    for entry in &order.more_entries {
        let Some(place) = palette.get_mut(entry.place as usize) else { continue };
        *place = multiplied(&placed.globals[entry.slot as usize], &entry.inverse_bind_matrix);
    }
}

struct Placing<'a> {
    order: &'a Order,
    /// From a whole eight on.
    slots: Range<usize>,
    locals: &'a [Trs],
    placed: &'a mut Placed,
    palette: &'a mut [JointMatrix],
}

impl Work for Placing<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { order, slots, locals, placed: Placed { locals: matrices, globals, .. }, palette } = self;
        let eights = slots.start / 8..slots.end.div_ceil(8);
        let nodes = order.eights[eights.clone()].iter().zip(&order.unscaled[eights.clone()]);
        for ((nodes, &unscaled), matrices) in nodes.zip(&mut matrices[eights]) {
            if unscaled {
                local_matrices::<L, false>(l, *nodes, locals, matrices);
            } else {
                local_matrices::<L, true>(l, *nodes, locals, matrices);
            }
        }
        for (slot, matrix) in &order.fixed {
            matrices[slot / 8][slot % 8] = *matrix;
        }
        let first = order.bases + slots.start;
        let globals = &mut globals[..first + slots.len()];
        let of_slots = order.parents[slots.clone()].iter().zip(&matrices.as_flattened()[slots.clone()]);
        let of_slots = of_slots.zip(&order.places[slots.clone()]).zip(&order.inverse_bind_matrices[slots]);
        for (at, (((&parent, local), &place), inverse_bind_matrix)) in (first..).zip(of_slots) {
            let global = product(l, &globals[parent as usize], local);
            globals[at] = global;
            if let Some(entry) = palette.get_mut(place as usize) {
                *entry = product(l, &global, inverse_bind_matrix);
            }
        }
    }
}

#[inline(always)]
fn local_matrices<L: Lanes, const SCALED: bool>(l: L, nodes: Eight, locals: &[Trs], matrices: &mut [JointMatrix; 8]) {
    let [a, b, c, d, e, f, g, h] = nodes.of(locals);
    let q = l.transpose([
        l.halves(a.rotation.into(), e.rotation.into()),
        l.halves(b.rotation.into(), f.rotation.into()),
        l.halves(c.rotation.into(), g.rotation.into()),
        l.halves(d.rotation.into(), h.rotation.into()),
    ]);
    let mut rows = evaluate::rotation_rows(l, q);
    if SCALED {
        let scales = l.transpose([
            l.halves3(a.scale, e.scale),
            l.halves3(b.scale, f.scale),
            l.halves3(c.scale, g.scale),
            l.halves3(d.scale, h.scale),
        ]);
        rows = evaluate::scaled(l, rows, [scales[0], scales[1], scales[2]]);
    }
    let [tx, ty, tz, _] = l.transpose([
        l.halves3(a.translation, e.translation),
        l.halves3(b.translation, f.translation),
        l.halves3(c.translation, g.translation),
        l.halves3(d.translation, h.translation),
    ]);
    let [x, y, z] = rows;
    write_row::<L, 0>(l, [x[0], x[1], x[2], tx], matrices);
    write_row::<L, 1>(l, [y[0], y[1], y[2], ty], matrices);
    write_row::<L, 2>(l, [z[0], z[1], z[2], tz], matrices);
}

#[inline(always)]
fn write_row<L: Lanes, const ROW: usize>(l: L, row: [L::V; 4], matrices: &mut [JointMatrix; 8]) {
    let [a, b, c, d] = l.transpose(row);
    matrices[0].rows[ROW] = l.low(a);
    matrices[1].rows[ROW] = l.low(b);
    matrices[2].rows[ROW] = l.low(c);
    matrices[3].rows[ROW] = l.low(d);
    matrices[4].rows[ROW] = l.high(a);
    matrices[5].rows[ROW] = l.high(b);
    matrices[6].rows[ROW] = l.high(c);
    matrices[7].rows[ROW] = l.high(d);
}

/// `a * b`
pub fn multiplied(a: &JointMatrix, b: &JointMatrix) -> JointMatrix {
    let [x, y, z] = a.rows.map(|row| b.rows[0] * row.x + b.rows[1] * row.y + b.rows[2] * row.z + Vec4::W * row.w);
    JointMatrix { rows: [x, y, z] }
}

/// `a * b`, affine matrices by rows: the first two rows of the result together, then the third.
#[inline(always)]
fn product<L: Lanes>(l: L, a: &JointMatrix, b: &JointMatrix) -> JointMatrix {
    let (bx, by, bz) = (l.both(b.rows[0]), l.both(b.rows[1]), l.both(b.rows[2]));
    let xy = l.halves(a.rows[0], a.rows[1]);
    let sum = l.fma(l.dup::<2>(xy), bz, l.only_last(xy));
    let xy = l.fma(l.dup::<0>(xy), bx, l.fma(l.dup::<1>(xy), by, sum));
    let [x, y, z, _] = a.rows[2].to_array();
    let sum = l.fma(l.splat(z), bz, l.only_last(l.both(a.rows[2])));
    let z = l.fma(l.splat(x), bx, l.fma(l.splat(y), by, sum));
    JointMatrix { rows: [l.low(xy), l.high(xy), l.low(z)] }
}
