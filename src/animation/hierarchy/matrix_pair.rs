//! Two affine matrices side by side: what takes half of the lanes for one takes all of them for two.

use bytemuck::{Pod, Zeroable};
use glam::Vec4;

use crate::animation::simd::{F32x8, Lanes};

use super::skinning::JointMatrix;

/// In each [`F32x8`] a row of the one, then the same row of the other.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MatrixPair {
    rows: [F32x8; 3],
}

impl MatrixPair {
    pub const IDENTITY: Self = Self {
        rows: [
            F32x8([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
            F32x8([0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            F32x8([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        ],
    };

    /// The first (0) or the second (1).
    pub fn get(&self, which: usize) -> JointMatrix {
        let row = |oct: &F32x8| Vec4::from_slice(&oct.0[4 * which..]);
        JointMatrix { rows: [row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2])] }
    }

    pub fn set(&mut self, which: usize, matrix: &JointMatrix) {
        for (oct, row) in self.rows.iter_mut().zip(&matrix.rows) {
            oct.0[4 * which..][..4].copy_from_slice(&row.to_array());
        }
    }

    /// Each number of one of them in all lanes.
    #[inline(always)]
    pub fn splat<L: Lanes, const WHICH: usize>(&self, l: L) -> [[L::V; 4]; 3] {
        let mut rows = [[l.splat(0.0); 4]; 3];
        for (row, oct) in rows.iter_mut().zip(&self.rows) {
            for (column, splat) in row.iter_mut().enumerate() {
                *splat = l.splat(oct.0[4 * WHICH + column]);
            }
        }
        rows
    }

    #[inline(always)]
    pub fn load<L: Lanes>(&self, l: L) -> [L::V; 3] {
        [l.load(&self.rows[0].0), l.load(&self.rows[1].0), l.load(&self.rows[2].0)]
    }

    #[inline(always)]
    pub fn store<L: Lanes>(&mut self, l: L, rows: [L::V; 3]) {
        l.store(rows[0], &mut self.rows[0].0);
        l.store(rows[1], &mut self.rows[1].0);
        l.store(rows[2], &mut self.rows[2].0);
    }
}

/// Where a matrix begins among the numbers of a slice of pairs. Its rows are eight numbers apart.
pub fn first_number(matrix: usize) -> u32 {
    (matrix / 2 * 24 + matrix % 2 * 4) as u32
}

/// Any two matrices of `pairs`, by their first numbers.
#[inline(always)]
pub fn any_two<L: Lanes>(l: L, pairs: &[MatrixPair], first_numbers: [u32; 2]) -> [L::V; 3] {
    let numbers: &[f32] = bytemuck::cast_slice(pairs);
    let (a, b) = (from(numbers, first_numbers[0]), from(numbers, first_numbers[1]));
    let row = |matrix: &[f32; 20], row: usize| Vec4::from_slice(&matrix[8 * row..][..4]);
    [l.halves(row(a, 0), row(b, 0)), l.halves(row(a, 1), row(b, 1)), l.halves(row(a, 2), row(b, 2))]
}

/// From a matrix' first number to its last one.
#[inline(always)]
fn from(numbers: &[f32], first: u32) -> &[f32; 20] {
    let first = first as usize;
    match numbers.get(first..first + 20).and_then(<[f32]>::first_chunk) {
        Some(numbers) => numbers,
        None => unreachable!("a matrix that is there"),
    }
}

/// `a * b` of both.
#[inline(always)]
pub fn product<L: Lanes>(l: L, a: [L::V; 3], b: [L::V; 3]) -> [L::V; 3] {
    [row_by(l, a[0], b), row_by(l, a[1], b), row_by(l, a[2], b)]
}

#[inline(always)]
fn row_by<L: Lanes>(l: L, row: L::V, [x, y, z]: [L::V; 3]) -> L::V {
    let sum = l.fma(l.dup::<2>(row), z, l.only_last(row));
    l.fma(l.dup::<0>(row), x, l.fma(l.dup::<1>(row), y, sum))
}
