//! Computes the global matrices and palettes of eight characters, with one character per lane. Writing the palettes turns lanes into rows
//! of matrices again.
// A lane is an index into several arrays at once, and the compiler does not always unroll iterators over them.
#![allow(clippy::needless_range_loop)]

use glam::Vec3;

use crate::animation::hierarchy::schedule::{Schedule, SlotBlock, SlotPair};
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::animation::simd::lane_access::LaneChunksMut;
use crate::animation::simd::{F32x8, Simd, rotation};

use super::LaneScratch;

/// The palettes of up to eight characters, and their offsets.
pub(super) struct LanePalettes<'a> {
    palettes: LaneChunksMut<'a, JointMatrix>,
    /// X, Y and Z of each character's offset, in meters.
    offsets: [[f32; 8]; 3],
}

impl<'a> LanePalettes<'a> {
    /// Takes the palettes of up to eight characters. `positions` are their offsets, in meters, and `len` is the number of entries per
    /// palette. `palettes` begins with the palettes of these characters; others may follow.
    pub fn new(positions: &[Vec3], len: usize, palettes: &'a mut [JointMatrix]) -> Self {
        let mut offsets = [[0.0; 8]; 3];
        for lane in 0..8 {
            // Lanes without a character repeat the last one.
            let [x, y, z] = positions[lane.min(positions.len() - 1)].to_array();
            (offsets[0][lane], offsets[1][lane], offsets[2][lane]) = (x, y, z);
        }
        Self { palettes: LaneChunksMut::new(palettes, len, positions.len()), offsets }
    }
}

/// Inputs and outputs of [`compute_slot`].
struct Buffers<'r, 'p> {
    /// See [`LaneScratch::locals`].
    locals: &'r [[F32x8; 10]],
    /// See [`LaneScratch::globals`].
    globals: &'r mut [[F32x8; 12]],
    palettes: LanePalettes<'p>,
}

/// Computes the global matrices of all blocks from `first_block` on, and writes their palette entries.
#[inline(always)]
pub(super) fn compute_eight<S: Simd>(s: S, schedule: &Schedule, first_block: usize, scratch: &mut LaneScratch, palettes: LanePalettes) {
    let mut buffers = Buffers { locals: &scratch.locals, globals: &mut scratch.globals, palettes };
    let blocks = schedule.blocks[first_block..].iter().zip(schedule.pairs[4 * first_block..].chunks(4));
    for (index, (block, pairs)) in (first_block..).zip(blocks) {
        // A lane is a character here, so the two slots of a pair are computed one after the other.
        for (p, pair) in pairs.iter().enumerate() {
            let first_slot = schedule.base_slots + 8 * index;
            compute_slot::<S, 0>(s, Slot { block, pair, in_block: 2 * p, first_slot }, &mut buffers);
            compute_slot::<S, 1>(s, Slot { block, pair, in_block: 2 * p + 1, first_slot }, &mut buffers);
        }
    }
    for extra in &schedule.extra_entries {
        let global = &buffers.globals[extra.slot as usize];
        write_entries(s, global, &splat_matrix(s, &extra.inverse_bind_matrix), extra.entry, &mut buffers.palettes);
    }
}

/// A slot of a schedule.
struct Slot<'a> {
    block: &'a SlotBlock,
    pair: &'a SlotPair,
    /// Index in the block, 0 to 7.
    in_block: usize,
    /// First slot of the block, base slots included.
    first_slot: usize,
}

/// Computes one slot. `WHICH` tells whether it is the first (0) or the second (1) of its pair.
#[inline(always)]
fn compute_slot<S: Simd, const WHICH: usize>(s: S, slot: Slot, Buffers { locals, globals, palettes }: &mut Buffers) {
    let Slot { block, pair, in_block, first_slot } = slot;
    // Empty slots have no node.
    let Some(local) = locals.get(pair.nodes[WHICH] as usize) else { return };
    let mut local = local_rows(s, local, block.is_unscaled);
    // Nodes whose transform is a matrix in the file are never animated (glTF 2.0, 3.5.3).
    if let Some((_, fixed)) = block.fixed.iter().find(|(slot, _)| *slot == in_block) {
        local = splat_matrix(s, fixed);
    }
    let product = product(s, &globals[pair.parents[WHICH] as usize], &local);
    let global = &mut globals[first_slot + in_block];
    for r in 0..3 {
        for column in 0..4 {
            s.store(product[r][column], &mut global[4 * r + column].0);
        }
    }
    write_entries(s, global, &pair.inverse_bind_matrices.splat::<S, WHICH>(s), pair.entries[WHICH], palettes);
}

/// Converts local transforms (translation, rotation, scale) to 3x4 matrices.
#[inline(always)]
fn local_rows<S: Simd>(s: S, local: &[F32x8; 10], unscaled: bool) -> [[S::V; 4]; 3] {
    let q = [s.load(&local[3].0), s.load(&local[4].0), s.load(&local[5].0), s.load(&local[6].0)];
    let mut rows = rotation::rotation_rows(s, q);
    if !unscaled {
        rows = rotation::scaled_rows(s, rows, [s.load(&local[7].0), s.load(&local[8].0), s.load(&local[9].0)]);
    }
    let [x, y, z] = rows;
    [[x[0], x[1], x[2], s.load(&local[0].0)], [y[0], y[1], y[2], s.load(&local[1].0)], [z[0], z[1], z[2], s.load(&local[2].0)]]
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

/// Returns `a * b`, computed column by column.
#[inline(always)]
fn product<S: Simd>(s: S, a: &[F32x8; 12], b: &[[S::V; 4]; 3]) -> [[S::V; 4]; 3] {
    let mut out = *b;
    for c in 0..4 {
        for r in 0..3 {
            let (x, y, z, w) = (s.load(&a[4 * r].0), s.load(&a[4 * r + 1].0), s.load(&a[4 * r + 2].0), s.load(&a[4 * r + 3].0));
            // The fourth row of both matrices is 0, 0, 0, 1, so only the last column gets the translation of `a`.
            let last = if c == 3 { s.fma(z, b[2][c], w) } else { s.mul(z, b[2][c]) };
            out[r][c] = s.fma(x, b[0][c], s.fma(y, b[1][c], last));
        }
    }
    out
}

/// Writes `global * inverse_bind_matrix` to one entry of eight palettes. Does nothing if the palettes have no such entry.
#[inline(always)]
fn write_entries<S: Simd>(s: S, global: &[F32x8; 12], inverse_bind_matrix: &[[S::V; 4]; 3], entry: u32, palettes: &mut LanePalettes) {
    let LanePalettes { palettes, offsets } = palettes;
    let Some(mut entries) = palettes.get(s, entry as usize) else { return };
    let product = product(s, global, inverse_bind_matrix);
    let mut rows = product;
    for r in 0..3 {
        let [x, y, z, w] = product[r];
        // Four vectors with one number per character become eight rows with four numbers each. The offset moves
        // the character to its position.
        rows[r] = s.transpose([x, y, z, s.add(w, s.load(&offsets[r]))]);
    }
    let [x, y, z] = rows;
    entries.lane(0).rows = [s.low(x[0]), s.low(y[0]), s.low(z[0])];
    entries.lane(1).rows = [s.low(x[1]), s.low(y[1]), s.low(z[1])];
    entries.lane(2).rows = [s.low(x[2]), s.low(y[2]), s.low(z[2])];
    entries.lane(3).rows = [s.low(x[3]), s.low(y[3]), s.low(z[3])];
    entries.lane(4).rows = [s.high(x[0]), s.high(y[0]), s.high(z[0])];
    entries.lane(5).rows = [s.high(x[1]), s.high(y[1]), s.high(z[1])];
    entries.lane(6).rows = [s.high(x[2]), s.high(y[2]), s.high(z[2])];
    entries.lane(7).rows = [s.high(x[3]), s.high(y[3]), s.high(z[3])];
}
