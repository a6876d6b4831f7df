//! Computes global transforms and the palette from local transforms, for one character, in `f32` relative to an anchor. The results are
//! for drawing; [`super::pose::global_transforms`] computes the f64 numbers that commands and panels show.
//!
//! For each block of the [`super::schedule`], eight local transforms become matrices. Then each pair of matrices is multiplied by those
//! of the parents, and the result by the inverse bind matrices of the joints, which gives the palette.

use glam::{DAffine3, DVec3, Vec4};

use crate::animation::simd::lane_access::{LaneElementsMut, LaneIndices, LaneWindows};
use crate::animation::simd::{self, InstructionSet, Kernel, Simd, rotation};
use crate::model::hierarchy::Trs;

use super::matrix_pair::{self, MatrixPair, ROWS};
use super::schedule::{NO_INDEX, Schedule, SlotPair};
use super::skinning::JointMatrix;

/// Global matrices of a character, kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct GlobalMatrices {
    /// Two slots per pair, the base slots first.
    pairs: Vec<MatrixPair>,
    /// Whether the static blocks are up to date, here and in the palette.
    has_static: bool,
}

impl GlobalMatrices {
    /// Allocates the matrices, all identity.
    pub fn new(schedule: &Schedule) -> Self {
        Self { pairs: vec![MatrixPair::IDENTITY; schedule.base_slots / 2 + schedule.pairs.len()], has_static: false }
    }

    /// Returns whether the static blocks have been written.
    pub fn has_static(&self) -> bool {
        self.has_static
    }

    /// Makes the next [`compute`] write the static blocks again. Call it after other code has written to the palette.
    pub fn invalidate(&mut self) {
        self.has_static = false;
    }

    /// Sets the base slots: the world, then the far nodes. `far_globals` are the global transforms of the far nodes. `anchor` is the point,
    /// in global space, that all matrices are relative to.
    pub fn set_base_slots(&mut self, far_globals: &[DAffine3], anchor: DVec3) {
        for (slot, global) in std::iter::once(&DAffine3::IDENTITY).chain(far_globals).enumerate() {
            self.pairs[slot / 2].set(slot % 2, &JointMatrix::anchored(global, anchor));
        }
    }
}

/// Computes all global matrices and writes the palette. Nodes that no animation moves are computed on the first call only.
///
/// `locals` has one entry per node, in model order. `palette` has one matrix per palette entry, or is empty to compute the global matrices
/// only.
pub fn compute(
    instructions: InstructionSet,
    schedule: &Schedule,
    locals: &[Trs],
    globals: &mut GlobalMatrices,
    palette: &mut [JointMatrix],
) {
    // Static blocks come first.
    let first_block = if globals.has_static { schedule.static_blocks } else { 0 };
    globals.has_static = true;
    simd::run(instructions, GlobalsKernel { schedule, first_block, locals, pairs: &mut globals.pairs, palette });
    for extra in &schedule.extra_entries {
        let Some(entry) = palette.get_mut(extra.entry as usize) else { continue };
        *entry = product(&globals.pairs[extra.slot as usize / 2].get(extra.slot as usize % 2), &extra.inverse_bind_matrix);
    }
}

/// Computes the blocks of a schedule.
struct GlobalsKernel<'a> {
    schedule: &'a Schedule,
    /// The first block that is computed.
    first_block: usize,
    locals: &'a [Trs],
    pairs: &'a mut [MatrixPair],
    palette: &'a mut [JointMatrix],
}

impl Kernel for GlobalsKernel<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { schedule, first_block, locals, pairs: globals, palette } = self;
        let base_pairs = schedule.base_slots / 2;
        for block in &schedule.blocks[first_block..] {
            // Most nodes are never scaled, so most blocks skip the loads and multiplications for the scale.
            let mut matrices = if block.is_unscaled {
                local_matrices::<S, false>(s, block.nodes, locals)
            } else {
                local_matrices::<S, true>(s, block.nodes, locals)
            };
            for (slot, matrix) in &block.fixed {
                matrices[slot / 2].set(slot % 2, matrix);
            }
            let mut parents = block.parents.windows(globals);
            let first = base_pairs + block.first_pair;
            let pairs = &schedule.pairs[block.first_pair..];
            match &block.entries {
                Some(entries) if !palette.is_empty() => {
                    let (pairs, locals) = (&pairs.as_chunks().0[0], &matrices);
                    let mut block = BlockOutput { first, locals, pairs, globals: parents, palette: entries.get_mut(palette) };
                    // The compiler does not unroll a loop over the pairs, because it is too long.
                    block.write_pair(s, 0);
                    block.write_pair(s, 1);
                    block.write_pair(s, 2);
                    block.write_pair(s, 3);
                }
                _ => {
                    for (i, (pair, local)) in pairs.iter().zip(&matrices).enumerate() {
                        let global = global_pair(s, &parents, i, local);
                        parents.slice_mut()[first + i].store(s, global);
                        if pair.entries != [NO_INDEX; 2] {
                            write_entries(s, matrix_pair::product(s, global, pair.inverse_bind_matrices.load(s)), pair.entries, palette);
                        }
                    }
                }
            }
        }
    }
}

/// A block whose palette entries are all written without conditions.
struct BlockOutput<'a> {
    /// Index of the first pair in the global matrices.
    first: usize,
    locals: &'a [MatrixPair; 4],
    pairs: &'a [SlotPair; 4],
    /// All global matrices, with those of the parents in the lanes.
    globals: LaneWindows<'a, Vec4, MatrixPair, ROWS>,
    palette: LaneElementsMut<'a, JointMatrix>,
}

impl BlockOutput<'_> {
    /// Computes and writes the global matrices and the palette entries of one of the four pairs.
    #[inline(always)]
    fn write_pair<S: Simd>(&mut self, s: S, i: usize) {
        let Self { first, locals, pairs, globals, palette } = self;
        let global = global_pair(s, globals, i, &locals[i]);
        globals.slice_mut()[*first..*first + 4][i].store(s, global);
        let [x, y, z] = matrix_pair::product(s, global, pairs[i].inverse_bind_matrices.load(s));
        palette.lane(i).rows = [s.low(x), s.low(y), s.low(z)];
        palette.lane(i + 4).rows = [s.high(x), s.high(y), s.high(z)];
    }
}

/// Returns the global matrices of pair `i` of a block.
#[inline(always)]
fn global_pair<S: Simd>(s: S, parents: &LaneWindows<Vec4, MatrixPair, ROWS>, i: usize, local: &MatrixPair) -> [S::V; 3] {
    // Parents may be any two earlier slots, so they are loaded one by one.
    matrix_pair::product(s, matrix_pair::load_two(s, parents.lane(i), parents.lane(i + 4)), local.load(s))
}

/// Writes the two matrices to their palette entries, if they have any.
#[inline(always)]
fn write_entries<S: Simd>(s: S, [x, y, z]: [S::V; 3], entries: [u32; 2], palette: &mut [JointMatrix]) {
    if let Some(entry) = palette.get_mut(entries[0] as usize) {
        entry.rows = [s.low(x), s.low(y), s.low(z)];
    }
    if let Some(entry) = palette.get_mut(entries[1] as usize) {
        entry.rows = [s.high(x), s.high(y), s.high(z)];
    }
}

/// Converts eight local transforms to matrices. `SCALED` tells whether any of them may have a scale.
#[inline(always)]
fn local_matrices<S: Simd, const SCALED: bool>(s: S, nodes: LaneIndices<Trs>, locals: &[Trs]) -> [MatrixPair; 4] {
    let [a, b, c, d, e, f, g, h] = nodes.get(locals);
    // Eight quaternions become four vectors: all x, all y, all z, all w. Lanes are a to h.
    let q = s.transpose([
        s.join_halves(a.rotation.into(), e.rotation.into()),
        s.join_halves(b.rotation.into(), f.rotation.into()),
        s.join_halves(c.rotation.into(), g.rotation.into()),
        s.join_halves(d.rotation.into(), h.rotation.into()),
    ]);
    let mut rows = rotation::rotation_rows(s, q);
    if SCALED {
        let scales = s.transpose([
            s.join_halves3(a.scale, e.scale),
            s.join_halves3(b.scale, f.scale),
            s.join_halves3(c.scale, g.scale),
            s.join_halves3(d.scale, h.scale),
        ]);
        rows = rotation::scaled_rows(s, rows, [scales[0], scales[1], scales[2]]);
    }
    let [tx, ty, tz, _] = s.transpose([
        s.join_halves3(a.translation, e.translation),
        s.join_halves3(b.translation, f.translation),
        s.join_halves3(c.translation, g.translation),
        s.join_halves3(d.translation, h.translation),
    ]);
    let [x, y, z] = rows;
    // Transpose lanes back to rows: afterwards `x[i]` holds the first rows of nodes i and i + 4, which are a pair.
    let x = s.transpose([x[0], x[1], x[2], tx]);
    let y = s.transpose([y[0], y[1], y[2], ty]);
    let z = s.transpose([z[0], z[1], z[2], tz]);
    let mut matrices = [MatrixPair::IDENTITY; 4];
    for i in 0..4 {
        matrices[i].store(s, [x[i], y[i], z[i]]);
    }
    matrices
}

/// Returns `a * b`.
pub fn product(a: &JointMatrix, b: &JointMatrix) -> JointMatrix {
    let [x, y, z] = a.rows.map(|row| b.rows[0] * row.x + b.rows[1] * row.y + b.rows[2] * row.z + Vec4::W * row.w);
    JointMatrix { rows: [x, y, z] }
}
