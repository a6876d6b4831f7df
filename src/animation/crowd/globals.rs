//! Computes the global matrices and palettes of eight members, with one member per lane. Writing the palettes turns lanes into rows
//! of matrices again.
// A lane is an index into several arrays at once, and the compiler does not always unroll iterators over them.
#![allow(clippy::needless_range_loop)]

use crate::animation::hierarchy::schedule::ExtraEntry;
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::animation::simd::lane_access::{LaneChunkElements, LaneChunksMut};
use crate::animation::simd::{F32x8, Simd, rotation};

use super::slots::{LocalForm, NodeSlot};
use super::{LaneMatrix, LaneOffsets};

/// The palettes of eight members, or of fewer if not `FULL`, and their offsets.
pub(super) struct LanePalettes<'a, const FULL: bool> {
    palettes: LaneChunksMut<'a, JointMatrix, FULL>,
    offsets: LaneOffsets,
}

impl<'a, const FULL: bool> LanePalettes<'a, FULL> {
    /// Takes the palettes of `count` members with these offsets. `len` is the number of entries per palette. `palettes` begins with the
    /// palettes of these members; others may follow.
    pub fn new(offsets: &LaneOffsets, count: usize, len: usize, palettes: &'a mut [JointMatrix]) -> Self {
        Self { palettes: LaneChunksMut::new(palettes, len, count), offsets: *offsets }
    }
}

/// Computes the global matrices of `slots`.
#[inline(always)]
pub(super) fn compute_eight<S: Simd, const FULL: bool>(
    s: S,
    slots: &[NodeSlot],
    locals: &[[F32x8; 10]],
    globals: &mut [LaneMatrix],
    palettes: &mut LanePalettes<FULL>,
) {
    for slot in slots {
        let (local, inverse_bind_matrix) = (&locals[slot.node as usize], splat_matrix(s, &slot.inverse_bind_matrix));
        let local = match &slot.local {
            LocalForm::Unscaled => unscaled_matrix(s, local),
            LocalForm::Scaled => scaled_matrix(s, local),
            LocalForm::Fixed(matrix) => splat_matrix(s, matrix),
        };
        let (slot, parent, entry) = (slot.slot as usize, slot.parent as usize, slot.entry as usize);
        // A row of the global matrices needs one row of the parents' matrices, and a row of the palette entries needs no other. So few
        // numbers must be kept in registers at a time.
        if let Some(mut entries) = palettes.palettes.get(s, entry) {
            for r in 0..3 {
                let row = row_product(s, load_row(s, &globals[parent][r]), &local);
                store_row(s, row, &mut globals[slot][r]);
                write_row(s, r, row_product(s, row, &inverse_bind_matrix), &palettes.offsets, &mut entries);
            }
        } else {
            for r in 0..3 {
                store_row(s, row_product(s, load_row(s, &globals[parent][r]), &local), &mut globals[slot][r]);
            }
        }
    }
}

/// Writes second and further palette entries of some nodes.
#[inline(always)]
pub(super) fn write_extra_entries<S: Simd, const FULL: bool>(
    s: S,
    entries: &[ExtraEntry],
    globals: &[LaneMatrix],
    palettes: &mut LanePalettes<FULL>,
) {
    for extra in entries {
        let Some(mut entries) = palettes.palettes.get(s, extra.entry as usize) else { continue };
        let (global, inverse_bind_matrix) = (&globals[extra.slot as usize], splat_matrix(s, &extra.inverse_bind_matrix));
        for r in 0..3 {
            let row = row_product(s, load_row(s, &global[r]), &inverse_bind_matrix);
            write_row(s, r, row, &palettes.offsets, &mut entries);
        }
    }
}

/// Converts local translations and rotations to 3x4 matrices.
#[inline(always)]
fn unscaled_matrix<S: Simd>(s: S, local: &[F32x8; 10]) -> [[S::V; 4]; 3] {
    let [x, y, z] = rotation::rotation_rows(s, [s.load(&local[3].0), s.load(&local[4].0), s.load(&local[5].0), s.load(&local[6].0)]);
    [[x[0], x[1], x[2], s.load(&local[0].0)], [y[0], y[1], y[2], s.load(&local[1].0)], [z[0], z[1], z[2], s.load(&local[2].0)]]
}

/// Converts local translations, rotations and scales to 3x4 matrices.
#[inline(always)]
fn scaled_matrix<S: Simd>(s: S, local: &[F32x8; 10]) -> [[S::V; 4]; 3] {
    let [x, y, z] = unscaled_matrix(s, local);
    let scale = [s.load(&local[7].0), s.load(&local[8].0), s.load(&local[9].0)];
    let [a, b, c] = rotation::scaled_rows(s, [[x[0], x[1], x[2]], [y[0], y[1], y[2]], [z[0], z[1], z[2]]], scale);
    [[a[0], a[1], a[2], x[3]], [b[0], b[1], b[2], y[3]], [c[0], c[1], c[2], z[3]]]
}

/// Returns a matrix with each number in all lanes.
#[inline(always)]
fn splat_matrix<S: Simd>(s: S, matrix: &JointMatrix) -> [[S::V; 4]; 3] {
    let mut rows = [[s.splat(0.0); 4]; 3];
    for r in 0..3 {
        let row = matrix.rows[r].to_array();
        rows[r] = [s.splat(row[0]), s.splat(row[1]), s.splat(row[2]), s.splat(row[3])];
    }
    rows
}

/// Loads one row of eight matrices.
#[inline(always)]
fn load_row<S: Simd>(s: S, [x, y, z, w]: &[F32x8; 4]) -> [S::V; 4] {
    [s.load(&x.0), s.load(&y.0), s.load(&z.0), s.load(&w.0)]
}

/// Stores one row of eight matrices.
#[inline(always)]
fn store_row<S: Simd>(s: S, row: [S::V; 4], to: &mut [F32x8; 4]) {
    for column in 0..4 {
        s.store(row[column], &mut to[column].0);
    }
}

/// Returns one row of `a * b`, where `row` is that row of `a`. The fourth row of both matrices is 0, 0, 0, 1.
#[inline(always)]
fn row_product<S: Simd>(s: S, row: [S::V; 4], b: &[[S::V; 4]; 3]) -> [S::V; 4] {
    let mut out = row;
    for c in 0..4 {
        // Only the last column gets the translation of `a`.
        let last = if c == 3 { s.fma(row[2], b[2][c], row[3]) } else { s.mul(row[2], b[2][c]) };
        out[c] = s.fma(row[0], b[0][c], s.fma(row[1], b[1][c], last));
    }
    out
}

/// Writes row `r` of eight palette entries, moved by the members' offsets.
#[inline(always)]
fn write_row<S: Simd, const FULL: bool>(
    s: S,
    r: usize,
    [x, y, z, w]: [S::V; 4],
    offsets: &LaneOffsets,
    entries: &mut LaneChunkElements<JointMatrix, FULL>,
) {
    // Four vectors with one number per member become eight rows with four numbers each.
    let rows = s.transpose([x, y, z, s.add(w, s.load(&offsets[r]))]);
    for lane in 0..4 {
        entries.lane(lane).rows[r] = s.low(rows[lane]);
        entries.lane(lane + 4).rows[r] = s.high(rows[lane]);
    }
}
