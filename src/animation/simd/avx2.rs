//! Implements [`Simd`] with AVX2 and FMA, through `pulp`: its tokens prove that the processor has the instructions, so its functions are
//! safe. They compile to the same instructions as the intrinsics.

use std::arch::x86_64::{__m128, __m256, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NGT_UQ, _MM_HINT_ET0};

use glam::{Vec3A, Vec4};
use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::{Kernel, Simd};

/// Proof that the processor has the instructions of x86-64-v3, among them AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub struct Avx2(V3);

impl Avx2 {
    /// Returns the proof, or `None` if the processor lacks any of these instructions.
    pub fn detect() -> Option<Self> {
        V3::try_new().map(Self)
    }

    /// Runs a kernel compiled for AVX2 and FMA.
    pub fn run(self, kernel: impl Kernel) {
        self.0.vectorize(Call { kernel, avx2: self });
    }
}

/// The call of a kernel, for [`V3::vectorize`].
struct Call<K> {
    kernel: K,
    avx2: Avx2,
}

impl<K: Kernel> NullaryFnOnce for Call<K> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.kernel.run(self.avx2);
    }
}

impl Simd for Avx2 {
    type V = __m256;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        self.0.avx._mm256_set1_ps(x)
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::V {
        bytemuck::cast(*from)
    }
    #[inline(always)]
    fn store(self, v: Self::V, to: &mut [f32; 8]) {
        *to = bytemuck::cast(v);
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.avx._mm256_add_ps(a, b)
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.avx._mm256_sub_ps(a, b)
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.avx._mm256_mul_ps(a, b)
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.avx._mm256_div_ps(a, b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::V) -> Self::V {
        self.0.avx._mm256_sqrt_ps(a)
    }
    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.0.fma._mm256_fmadd_ps(a, b, c)
    }
    #[inline(always)]
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.0.fma._mm256_fnmadd_ps(a, b, c)
    }
    #[inline(always)]
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.0.fma._mm256_fmsub_ps(a, b, c)
    }
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.avx._mm256_max_ps(a, b)
    }
    #[inline(always)]
    fn flip_sign(self, a: Self::V, sign: Self::V) -> Self::V {
        let avx = self.0.avx;
        avx._mm256_xor_ps(a, avx._mm256_and_ps(sign, avx._mm256_set1_ps(-0.0)))
    }
    #[inline(always)]
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool {
        let avx = self.0.avx;
        let (from, to) = (avx._mm256_cmp_ps::<_CMP_LE_OQ>(start, a), avx._mm256_cmp_ps::<_CMP_LT_OQ>(a, end));
        avx._mm256_movemask_ps(avx._mm256_and_ps(from, to)) == 0xff
    }
    #[inline(always)]
    fn any_not_above(self, a: Self::V, bound: f32) -> bool {
        let avx = self.0.avx;
        avx._mm256_movemask_ps(avx._mm256_cmp_ps::<_CMP_NGT_UQ>(a, avx._mm256_set1_ps(bound))) != 0
    }
    #[inline(always)]
    fn join_halves(self, low: Vec4, high: Vec4) -> Self::V {
        let (low, high): (__m128, __m128) = (low.into(), high.into());
        self.0.avx._mm256_insertf128_ps::<1>(self.0.avx._mm256_castps128_ps256(low), high)
    }
    #[inline(always)]
    fn join_halves3(self, low: Vec3A, high: Vec3A) -> Self::V {
        let (low, high): (__m128, __m128) = (low.into(), high.into());
        self.0.avx._mm256_insertf128_ps::<1>(self.0.avx._mm256_castps128_ps256(low), high)
    }
    #[inline(always)]
    fn low(self, v: Self::V) -> Vec4 {
        self.0.avx._mm256_castps256_ps128(v).into()
    }
    #[inline(always)]
    fn high(self, v: Self::V) -> Vec4 {
        self.0.avx._mm256_extractf128_ps::<1>(v).into()
    }
    #[inline(always)]
    fn broadcast<const I: i32>(self, v: Self::V) -> Self::V {
        // The immediate operand of a permutation cannot be computed from a const parameter.
        match I {
            0 => self.0.avx._mm256_permute_ps::<0b00_00_00_00>(v),
            1 => self.0.avx._mm256_permute_ps::<0b01_01_01_01>(v),
            2 => self.0.avx._mm256_permute_ps::<0b10_10_10_10>(v),
            _ => self.0.avx._mm256_permute_ps::<0b11_11_11_11>(v),
        }
    }
    #[inline(always)]
    fn keep_last(self, v: Self::V) -> Self::V {
        self.0.avx._mm256_blend_ps::<0b1000_1000>(self.0.avx._mm256_setzero_ps(), v)
    }
    #[inline(always)]
    fn prefetch<T>(self, address: *const T) {
        self.0.sse._mm_prefetch::<_MM_HINT_ET0>(address.cast());
    }
    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [Self::V; 4]) -> [Self::V; 4] {
        let avx = self.0.avx;
        // First interleave pairs of rows, then pick pairs of columns; each half by itself.
        let (ab_low, ab_high) = (avx._mm256_unpacklo_ps(a, b), avx._mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (avx._mm256_unpacklo_ps(c, d), avx._mm256_unpackhi_ps(c, d));
        [
            avx._mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            avx._mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            avx._mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            avx._mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}
