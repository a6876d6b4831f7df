//! Local transforms to global ones and to the palette, for one character, in `f32` relative to an anchor: what is drawn.
//! (For numbers in f64 see [`super::pose::global_transforms`].)
//!
//! Slot after slot ([`super::schedule`]): eight local transforms at a time to matrices; then a pair of them at a time by their
//! parents' matrices, and those by the inverse bind matrices of their joints, into the palette.

use std::ops::Range;

use glam::{DAffine3, DVec3, Vec4};

use crate::animation::compiled::evaluate;
use crate::animation::simd::eight::LaneIndices;
use crate::animation::simd::{self, Kernel, Lanes, Work};
use crate::model::hierarchy::Trs;

use super::matrix_pair::{self, MatrixPair};
use super::schedule::{NONE, Order};
use super::skinning::JointMatrix;

/// Global matrices of a character, kept from one time to the next.
#[derive(Debug, Clone, Default)]
pub struct Placed {
    /// By slot, with the bases.
    globals: Vec<MatrixPair>,
    /// Whether the still part holds.
    settled: bool,
}

impl Placed {
    pub fn new(order: &Order) -> Self {
        Self { globals: vec![MatrixPair::IDENTITY; order.bases / 2 + order.pairs.len()], settled: false }
    }

    /// Somebody else wrote into the palette: the still part is to be placed once more.
    pub fn unsettle(&mut self) {
        self.settled = false;
    }

    /// What hangs on nothing hangs on the world; then the nodes of the trunk.
    pub fn set_bases(&mut self, trunk: &[DAffine3], anchor: DVec3) {
        for (slot, global) in std::iter::once(&DAffine3::IDENTITY).chain(trunk).enumerate() {
            self.globals[slot / 2].set(slot % 2, &JointMatrix::anchored(global, anchor));
        }
    }
}

/// Places all nodes and writes the palette's entries (none into an empty one). What no animation moves is done the first time only.
pub fn place(kernel: Kernel, order: &Order, locals: &[Trs], placed: &mut Placed, palette: &mut [JointMatrix]) {
    let (still, all) = (order.still, order.eights.len());
    if !placed.settled {
        placed.settled = true;
        simd::run(kernel, Placing { order, eights: 0..still, locals, placed, palette });
    }
    simd::run(kernel, Placing { order, eights: still..all, locals, placed, palette });
    for entry in &order.more_entries {
        let Some(place) = palette.get_mut(entry.place as usize) else { continue };
        *place = multiplied(&placed.globals[entry.slot as usize / 2].get(entry.slot as usize % 2), &entry.inverse_bind_matrix);
    }
}

struct Placing<'a> {
    order: &'a Order,
    eights: Range<usize>,
    locals: &'a [Trs],
    placed: &'a mut Placed,
    palette: &'a mut [JointMatrix],
}

impl Work for Placing<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { order, eights, locals, placed, palette } = self;
        let globals = &mut placed.globals[..];
        let mut at = order.bases / 2 + 4 * eights.start;
        let pairs = order.pairs[4 * eights.start..].chunks(4);
        for (eight, pairs) in order.eights[eights].iter().zip(pairs) {
            let mut matrices = if eight.is_unscaled {
                local_matrices::<L, false>(l, eight.nodes, locals)
            } else {
                local_matrices::<L, true>(l, eight.nodes, locals)
            };
            for (slot, matrix) in &eight.fixed {
                matrices[slot / 2].set(slot % 2, matrix);
            }
            for (pair, local) in pairs.iter().zip(&matrices) {
                let global = matrix_pair::product(l, matrix_pair::any_two(l, globals, pair.parent_numbers), local.load(l));
                globals[at].store(l, global);
                at += 1;
                if pair.places != [NONE; 2] {
                    write_entries(l, matrix_pair::product(l, global, pair.inverse_bind_matrices.load(l)), pair.places, palette);
                }
            }
        }
    }
}

/// Those of them that have a place.
#[inline(always)]
fn write_entries<L: Lanes>(l: L, [x, y, z]: [L::V; 3], places: [u32; 2], palette: &mut [JointMatrix]) {
    if let Some(entry) = palette.get_mut(places[0] as usize) {
        entry.rows = [l.low(x), l.low(y), l.low(z)];
    }
    if let Some(entry) = palette.get_mut(places[1] as usize) {
        entry.rows = [l.high(x), l.high(y), l.high(z)];
    }
}

#[inline(always)]
fn local_matrices<L: Lanes, const SCALED: bool>(l: L, nodes: LaneIndices, locals: &[Trs]) -> [MatrixPair; 4] {
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
    let x = l.transpose([x[0], x[1], x[2], tx]);
    let y = l.transpose([y[0], y[1], y[2], ty]);
    let z = l.transpose([z[0], z[1], z[2], tz]);
    let mut matrices = [MatrixPair::IDENTITY; 4];
    for i in 0..4 {
        matrices[i].store(l, [x[i], y[i], z[i]]);
    }
    matrices
}

/// `a * b`
pub fn multiplied(a: &JointMatrix, b: &JointMatrix) -> JointMatrix {
    let [x, y, z] = a.rows.map(|row| b.rows[0] * row.x + b.rows[1] * row.y + b.rows[2] * row.z + Vec4::W * row.w);
    JointMatrix { rows: [x, y, z] }
}
