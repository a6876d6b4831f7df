//! Implements [`Simd`] with AVX2 and FMA intrinsics, and enters code compiled for them.

use std::arch::x86_64 as x86;

use glam::{Vec3A, Vec4};

use super::{Kernel, Simd};

/// Runs a kernel compiled for AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub fn run(kernel: impl Kernel) {
    kernel.run(Avx2(()));
}

/// Proof that the processor has AVX2 and FMA: only [`run`] creates it.
#[derive(Debug, Clone, Copy)]
pub struct Avx2(());

// SAFETY of every block below: the intrinsics need AVX2 or FMA, which a value of `Avx2` proves. Those that access memory go
// through a reference to an array of exactly the size that they touch, and do not require alignment.
impl Simd for Avx2 {
    type V = x86::__m256;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        unsafe { x86::_mm256_set1_ps(x) }
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::V {
        unsafe { x86::_mm256_loadu_ps(from.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, v: Self::V, to: &mut [f32; 8]) {
        unsafe { x86::_mm256_storeu_ps(to.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_add_ps(a, b) }
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_div_ps(a, b) }
    }
    #[inline(always)]
    fn sqrt(self, a: Self::V) -> Self::V {
        unsafe { x86::_mm256_sqrt_ps(a) }
    }
    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { x86::_mm256_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { x86::_mm256_fnmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { x86::_mm256_fmsub_ps(a, b, c) }
    }
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_max_ps(a, b) }
    }
    #[inline(always)]
    fn flip_sign(self, a: Self::V, sign: Self::V) -> Self::V {
        unsafe { x86::_mm256_xor_ps(a, x86::_mm256_and_ps(sign, x86::_mm256_set1_ps(-0.0))) }
    }
    #[inline(always)]
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool {
        unsafe {
            let (from, to) = (x86::_mm256_cmp_ps::<{ x86::_CMP_LE_OQ }>(start, a), x86::_mm256_cmp_ps::<{ x86::_CMP_LT_OQ }>(a, end));
            x86::_mm256_movemask_ps(x86::_mm256_and_ps(from, to)) == 0xff
        }
    }
    #[inline(always)]
    fn any_not_above(self, a: Self::V, bound: f32) -> bool {
        unsafe { x86::_mm256_movemask_ps(x86::_mm256_cmp_ps::<{ x86::_CMP_NGT_UQ }>(a, x86::_mm256_set1_ps(bound))) != 0 }
    }
    #[inline(always)]
    fn join_halves(self, low: Vec4, high: Vec4) -> Self::V {
        unsafe { x86::_mm256_insertf128_ps::<1>(x86::_mm256_castps128_ps256(low.into()), high.into()) }
    }
    #[inline(always)]
    fn join_halves3(self, low: Vec3A, high: Vec3A) -> Self::V {
        unsafe { x86::_mm256_insertf128_ps::<1>(x86::_mm256_castps128_ps256(low.into()), high.into()) }
    }
    #[inline(always)]
    fn low(self, v: Self::V) -> Vec4 {
        unsafe { x86::_mm256_castps256_ps128(v).into() }
    }
    #[inline(always)]
    fn high(self, v: Self::V) -> Vec4 {
        unsafe { x86::_mm256_extractf128_ps::<1>(v).into() }
    }
    #[inline(always)]
    fn broadcast<const I: i32>(self, v: Self::V) -> Self::V {
        // The immediate operand of a permutation cannot be computed from a const parameter.
        unsafe {
            match I {
                0 => x86::_mm256_permute_ps::<0b00_00_00_00>(v),
                1 => x86::_mm256_permute_ps::<0b01_01_01_01>(v),
                2 => x86::_mm256_permute_ps::<0b10_10_10_10>(v),
                _ => x86::_mm256_permute_ps::<0b11_11_11_11>(v),
            }
        }
    }
    #[inline(always)]
    fn keep_last(self, v: Self::V) -> Self::V {
        unsafe { x86::_mm256_blend_ps::<0b1000_1000>(x86::_mm256_setzero_ps(), v) }
    }
    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [Self::V; 4]) -> [Self::V; 4] {
        unsafe {
            // First interleave pairs of rows, then pick pairs of columns; each half by itself.
            let (ab_low, ab_high) = (x86::_mm256_unpacklo_ps(a, b), x86::_mm256_unpackhi_ps(a, b));
            let (cd_low, cd_high) = (x86::_mm256_unpacklo_ps(c, d), x86::_mm256_unpackhi_ps(c, d));
            [
                x86::_mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
                x86::_mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
                x86::_mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                x86::_mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
            ]
        }
    }
}
