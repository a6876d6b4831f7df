//! Two affine matrices side by side, so that operations on rows of four use all eight lanes.

use bytemuck::{Pod, Zeroable};
use glam::Vec4;

use crate::animation::simd::{F32x8, Simd};

use super::skinning::JointMatrix;

/// Two 3x4 matrices. Each [`F32x8`] holds a row of the first, then the same row of the second.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MatrixPair {
    rows: [F32x8; 3],
}

impl MatrixPair {
    /// Two identity matrices.
    pub const IDENTITY: Self = Self {
        rows: [
            F32x8([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
            F32x8([0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            F32x8([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        ],
    };

    /// Returns the first (0) or the second (1) matrix.
    pub fn get(&self, which: usize) -> JointMatrix {
        let row = |rows: &F32x8| Vec4::from_slice(&rows.0[4 * which..]);
        JointMatrix { rows: [row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2])] }
    }

    /// Replaces the first (0) or the second (1) matrix.
    pub fn set(&mut self, which: usize, matrix: &JointMatrix) {
        for (rows, row) in self.rows.iter_mut().zip(&matrix.rows) {
            rows.0[4 * which..][..4].copy_from_slice(&row.to_array());
        }
    }

    /// Loads the three rows of both matrices.
    #[inline(always)]
    pub fn load<S: Simd>(&self, s: S) -> [S::V; 3] {
        [s.load(&self.rows[0].0), s.load(&self.rows[1].0), s.load(&self.rows[2].0)]
    }

    /// Stores the three rows of both matrices.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, s: S, rows: [S::V; 3]) {
        s.store(rows[0], &mut self.rows[0].0);
        s.store(rows[1], &mut self.rows[1].0);
        s.store(rows[2], &mut self.rows[2].0);
    }
}

/// Number of rows from the first to the last row of a matrix in a pair, with rows of the other matrix in between.
pub const ROWS: usize = 5;

/// Returns the index of a matrix's first row among the rows of a slice of pairs.
pub fn first_row(matrix: usize) -> u32 {
    (matrix / 2 * 6 + matrix % 2) as u32
}

/// Loads two matrices, of any pairs.
#[inline(always)]
pub fn load_two<S: Simd>(s: S, a: &[Vec4; ROWS], b: &[Vec4; ROWS]) -> [S::V; 3] {
    [s.join_halves(a[0], b[0]), s.join_halves(a[2], b[2]), s.join_halves(a[4], b[4])]
}

/// Multiplies two pairs of matrices: `a * b` for each.
#[inline(always)]
pub fn product<S: Simd>(s: S, a: [S::V; 3], b: [S::V; 3]) -> [S::V; 3] {
    [row_product(s, a[0], b), row_product(s, a[1], b), row_product(s, a[2], b)]
}

/// Multiplies one row of each left matrix by the right matrix, whose rows are `x`, `y` and `z`. The fourth row, which is not stored, is 0,
/// 0, 0, 1.
#[inline(always)]
fn row_product<S: Simd>(s: S, row: S::V, [x, y, z]: [S::V; 3]) -> S::V {
    let sum = s.fma(s.broadcast::<2>(row), z, s.keep_last(row));
    s.fma(s.broadcast::<0>(row), x, s.fma(s.broadcast::<1>(row), y, sum))
}
