//! Implements [`Simd`] with plain arrays, for every target.

use glam::{Vec3A, Vec4};

use super::Simd;

/// Arrays of eight, which the compiler vectorizes with whatever instructions the target has.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Portable {
    /// Applies an operation lane by lane.
    #[inline(always)]
    fn zip(a: [f32; 8], b: [f32; 8], op: impl Fn(f32, f32) -> f32) -> [f32; 8] {
        let mut out = a;
        for i in 0..8 {
            out[i] = op(a[i], b[i]);
        }
        out
    }
}

impl Simd for Portable {
    type V = [f32; 8];

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        [x; 8]
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::V {
        *from
    }
    #[inline(always)]
    fn store(self, v: Self::V, to: &mut [f32; 8]) {
        *to = v;
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::V) -> Self::V {
        Self::zip(a, a, |a, _| a.sqrt())
    }
    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        // `mul_add` would be a slow call on processors without the instruction.
        self.add(self.mul(a, b), c)
    }
    #[inline(always)]
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.sub(c, self.mul(a, b))
    }
    #[inline(always)]
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.sub(self.mul(a, b), c)
    }
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn flip_sign(self, a: Self::V, sign: Self::V) -> Self::V {
        Self::zip(a, sign, |a, sign| if sign.is_sign_negative() { -a } else { a })
    }
    #[inline(always)]
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool {
        let mut all = true;
        for i in 0..8 {
            all &= start[i] <= a[i] && a[i] < end[i];
        }
        all
    }
    #[inline(always)]
    fn any_not_above(self, a: Self::V, bound: f32) -> bool {
        let mut any = false;
        for x in a {
            any |= x.is_nan() || x <= bound;
        }
        any
    }
    #[inline(always)]
    fn join_halves(self, low: Vec4, high: Vec4) -> Self::V {
        let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn join_halves3(self, low: Vec3A, high: Vec3A) -> Self::V {
        self.join_halves(low.extend(0.0), high.extend(0.0))
    }
    #[inline(always)]
    fn low(self, [a, b, c, d, ..]: Self::V) -> Vec4 {
        Vec4::new(a, b, c, d)
    }
    #[inline(always)]
    fn high(self, [.., a, b, c, d]: Self::V) -> Vec4 {
        Vec4::new(a, b, c, d)
    }
    #[inline(always)]
    fn broadcast<const I: i32>(self, v: Self::V) -> Self::V {
        let (low, high) = (v[I as usize & 3], v[4 + (I as usize & 3)]);
        [low, low, low, low, high, high, high, high]
    }
    #[inline(always)]
    fn keep_last(self, v: Self::V) -> Self::V {
        [0.0, 0.0, 0.0, v[3], 0.0, 0.0, 0.0, v[7]]
    }
    #[inline(always)]
    fn prefetch<T>(self, _: *const T) {
        // Not every target has an instruction for this.
    }
    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [Self::V; 4]) -> [Self::V; 4] {
        let mut out = [[0.0; 8]; 4];
        for i in 0..4 {
            out[i] = [a[i], b[i], c[i], d[i], a[4 + i], b[4 + i], c[4 + i], d[4 + i]];
        }
        out
    }
}
