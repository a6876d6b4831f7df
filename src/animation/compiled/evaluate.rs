//! Evaluates the coefficients of a segment ([`crate::animation::compiled`]) eight lanes at a time: eight channels of one character,
//! or one channel of eight characters.
//!
//! All functions are `#[inline(always)]`; [`crate::animation::simd::Kernel`] explains why.

use crate::animation::simd::{F32x8, Simd};

use super::{RotationSegment, VectorSegment};

/// Coefficients of `cos x` as a polynomial in `x * x`, for x from 0 to pi/2, with errors below 1e-8.
/// Each is stored eight times, so that it is loaded from memory as a vector.
static COS: [F32x8; 6] = splat_all([1.0, -0.5, 0.041_666_66, -0.001_388_865_2, 2.477_462_1e-5, -2.629_836e-7]);
/// Coefficients of `sin x / x` as a polynomial in `x * x`, for x from 0 to pi/2, with errors below 4e-8.
static SINC: [F32x8; 5] = splat_all([1.0, -0.166_666_66, 0.008_333_242, -0.000_198_227_83, 2.634_874_4e-6]);

/// Coefficients of `atan x / x` as a polynomial in `x * x`, for x from 0 to 1, within 2e-8 (Abramowitz and Stegun, 4.4.49).
static ATAN: [F32x8; 9] =
    splat_all([1.0, -0.333_331_45, 0.199_935_51, -0.142_089, 0.106_562_64, -0.075_289_64, 0.042_909_614, -0.016_165_737, 0.002_866_225_7]);

/// Stores each number eight times.
const fn splat_all<const N: usize>(numbers: [f32; N]) -> [F32x8; N] {
    let mut vectors = [F32x8([0.0; 8]); N];
    let mut i = 0;
    while i < N {
        vectors[i] = F32x8([numbers[i]; 8]);
        i += 1;
    }
    vectors
}

/// Evaluates `start + slope * u`.
#[inline(always)]
pub fn linear<S: Simd>(s: S, start: S::V, slope: S::V, u: S::V) -> S::V {
    s.fma(slope, u, start)
}

/// Evaluates `a + b * u + c * u^2 + d * u^3`.
#[inline(always)]
pub fn cubic<S: Simd>(s: S, [a, b, c, d]: [S::V; 4], u: S::V) -> S::V {
    s.fma(s.fma(s.fma(d, u, c), u, b), u, a)
}

/// Evaluates a slerp (glTF 2.0, appendix C.4): `q cos(u theta) + turn sin(u theta) / theta` with `theta = |turn|`. The result has
/// unit length if `q` has.
///
/// Both series are even in theta, so neither theta nor a square root is needed.
#[inline(always)]
pub fn slerp<S: Simd>(s: S, q: [S::V; 4], turn: [S::V; 4], u: S::V) -> [S::V; 4] {
    let ([q_factor], [turn_factor]) = slerp_factors(s, [length_squared(s, turn)], u);
    [
        s.fma(turn[0], turn_factor, s.mul(q[0], q_factor)),
        s.fma(turn[1], turn_factor, s.mul(q[1], q_factor)),
        s.fma(turn[2], turn_factor, s.mul(q[2], q_factor)),
        s.fma(turn[3], turn_factor, s.mul(q[3], q_factor)),
    ]
}

/// Returns the factors of `q` and of `turn` in [`slerp`], for the squares of `N` vectors of angles. Several vectors share the loads of the
/// polynomials' coefficients.
#[inline(always)]
pub fn slerp_factors<S: Simd, const N: usize>(s: S, angles_squared: [S::V; N], u: S::V) -> ([S::V; N], [S::V; N]) {
    let (mut y, mut cos, mut sinc) = (angles_squared, [s.load(&COS[5].0); N], [s.load(&SINC[4].0); N]);
    // y is (u theta)^2. Both polynomials are evaluated by Horner's scheme.
    for y in &mut y {
        *y = s.mul(s.mul(*y, u), u);
    }
    for coefficient in COS[..5].iter().rev() {
        for i in 0..N {
            cos[i] = s.fma(cos[i], y[i], s.load(&coefficient.0));
        }
    }
    for coefficient in SINC[..4].iter().rev() {
        for i in 0..N {
            sinc[i] = s.fma(sinc[i], y[i], s.load(&coefficient.0));
        }
    }
    for sinc in &mut sinc {
        *sinc = s.mul(*sinc, u);
    }
    (cos, sinc)
}

/// Evaluates the dot products of quaternions.
#[inline(always)]
pub fn dot<S: Simd>(s: S, a: [S::V; 4], b: [S::V; 4]) -> S::V {
    s.fma(a[0], b[0], s.fma(a[1], b[1], s.fma(a[2], b[2], s.mul(a[3], b[3]))))
}

/// Interpolates unit quaternions along the shorter arc (glTF 2.0, appendix C.4). `dot` has their dot products. [`slerp`] is faster, but
/// needs the `turn` between both quaternions, computed in advance.
#[inline(always)]
pub fn slerp_between<S: Simd>(s: S, start: [S::V; 4], end: [S::V; 4], dot: S::V, u: S::V) -> [S::V; 4] {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    // Adding zero turns negative zero into zero, so that the arc flips only if the dot product is less than zero.
    let dot = s.add(dot, zero);
    let end = [s.flip_sign(end[0], dot), s.flip_sign(end[1], dot), s.flip_sign(end[2], dot), s.flip_sign(end[3], dot)];
    let difference = [s.sub(end[0], start[0]), s.sub(end[1], start[1]), s.sub(end[2], start[2]), s.sub(end[3], start[3])];
    let sum = [s.add(end[0], start[0]), s.add(end[1], start[1]), s.add(end[2], start[2]), s.add(end[3], start[3])];
    // The tangent of half the angle is the length of the difference divided by that of the sum. This is exact near 0, unlike an arc cosine.
    let tangent_squared = s.div(length_squared(s, difference), length_squared(s, sum));
    let mut atan = s.fma(s.load(&ATAN[8].0), tangent_squared, s.load(&ATAN[7].0));
    for coefficient in ATAN[..7].iter().rev() {
        atan = s.fma(atan, tangent_squared, s.load(&coefficient.0));
    }
    let angle_squared = s.mul(s.mul(tangent_squared, s.splat(4.0)), s.mul(atan, atan));
    let rest = s.sub(one, u);
    // The weights are sin((1 - u) angle) / sin(angle) and sin(u angle) / sin(angle).
    let whole = sinc(s, angle_squared);
    let start_weight = s.div(s.mul(rest, sinc(s, s.mul(angle_squared, s.mul(rest, rest)))), whole);
    let end_weight = s.div(s.mul(u, sinc(s, s.mul(angle_squared, s.mul(u, u)))), whole);
    [
        s.fma(end[0], end_weight, s.mul(start[0], start_weight)),
        s.fma(end[1], end_weight, s.mul(start[1], start_weight)),
        s.fma(end[2], end_weight, s.mul(start[2], start_weight)),
        s.fma(end[3], end_weight, s.mul(start[3], start_weight)),
    ]
}

/// Evaluates `sin x / x` for `y = x * x`.
#[inline(always)]
fn sinc<S: Simd>(s: S, y: S::V) -> S::V {
    let sinc = s.fma(s.load(&SINC[4].0), y, s.load(&SINC[3].0));
    let sinc = s.fma(sinc, y, s.load(&SINC[2].0));
    let sinc = s.fma(sinc, y, s.load(&SINC[1].0));
    s.fma(sinc, y, s.load(&SINC[0].0))
}

/// Evaluates the sum of the squares of four components.
#[inline(always)]
fn length_squared<S: Simd>(s: S, v: [S::V; 4]) -> S::V {
    s.fma(v[0], v[0], s.fma(v[1], v[1], s.fma(v[2], v[2], s.mul(v[3], v[3]))))
}

/// Normalizes quaternions. A quaternion whose length is almost 0 (a spline from v to -v passes through 0) is replaced by the normalized
/// `fallback`, or by the identity if the length of the fallback is 0, too.
#[inline(always)]
pub fn normalize<S: Simd>(s: S, q: [S::V; 4], fallback: [S::V; 4]) -> [S::V; 4] {
    let length_squared = length_squared(s, q);
    if s.any_not_above(length_squared, 1e-24) {
        return normalize_or_fallback(s, q, fallback);
    }
    let scale = s.div(s.splat(1.0), s.sqrt(length_squared));
    [s.mul(q[0], scale), s.mul(q[1], scale), s.mul(q[2], scale), s.mul(q[3], scale)]
}

/// Does the same as [`normalize`], lane by lane in f64, for the rare case that the length of a lane is 0.
#[cold]
#[inline(never)]
fn normalize_or_fallback<S: Simd>(s: S, q: [S::V; 4], fallback: [S::V; 4]) -> [S::V; 4] {
    let (mut q, fallback) = (arrays(s, q), arrays(s, fallback));
    for lane in 0..8 {
        let unit = |q: &[[f32; 8]; 4]| {
            let q = [q[0][lane], q[1][lane], q[2][lane], q[3][lane]].map(f64::from);
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            (length > 1e-12 && length.is_finite()).then(|| q.map(|x| (x / length) as f32))
        };
        let unit = unit(&q).or_else(|| unit(&fallback)).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        for (component, x) in q.iter_mut().zip(unit) {
            component[lane] = x;
        }
    }
    [s.load(&q[0]), s.load(&q[1]), s.load(&q[2]), s.load(&q[3])]
}

/// Stores four vectors to memory.
#[inline(always)]
fn arrays<S: Simd>(s: S, v: [S::V; 4]) -> [[f32; 8]; 4] {
    let mut out = [[0.0; 8]; 4];
    for i in 0..4 {
        s.store(v[i], &mut out[i]);
    }
    out
}

/// Transposes eight lanes of four numbers into four vectors: the first number of each lane, the second of each lane, ...
#[inline(always)]
pub fn gather<S: Simd>(s: S, lanes: [&[f32; 4]; 8]) -> [S::V; 4] {
    let pair = |low: usize, high: usize| (glam::Vec4::from_array(*lanes[low]), glam::Vec4::from_array(*lanes[high]));
    let ((a, e), (b, f), (c, g), (d, h)) = (pair(0, 4), pair(1, 5), pair(2, 6), pair(3, 7));
    s.transpose([s.join_halves(a, e), s.join_halves(b, f), s.join_halves(c, g), s.join_halves(d, h)])
}

/// The time of each lane, in seconds. It is split into two `f32`, because a single `f32` is too coarse for long animations.
#[derive(Clone, Copy)]
pub struct LaneTimes<V> {
    /// The largest `f32` not above the time.
    pub floor: V,
    /// The time minus `floor`.
    pub remainder: V,
}

impl<V: Copy> LaneTimes<V> {
    /// Returns whether every lane's time lies within its segment of a [`super::SeparateChannel`].
    #[inline(always)]
    pub fn are_within<S: Simd<V = V>, const N: usize>(self, s: S, segments: &[&[f32; N]; 8]) -> bool {
        let [start, end, ..] = gather(s, four_numbers(segments, 0));
        s.all_within(self.floor, start, end)
    }

    /// Returns the position in each lane's segment, from 0 to 1; 0 before the first key and after the last.
    #[inline(always)]
    fn position<S: Simd<V = V>>(self, s: S, start: V, end: V) -> V {
        let elapsed = s.max(s.add(s.sub(self.floor, start), self.remainder), s.splat(0.0));
        s.div(elapsed, s.max(s.sub(end, start), s.splat(f32::MIN_POSITIVE)))
    }
}

/// Evaluates eight segments of separate rotations.
#[inline(always)]
pub fn separate_rotations<S: Simd>(s: S, segments: &[&RotationSegment; 8], times: LaneTimes<S::V>) -> [S::V; 4] {
    let [start, end, a, b] = gather(s, four_numbers(segments, 0));
    let [c, d, e, f] = gather(s, four_numbers(segments, 4));
    let [_, _, g, h] = gather(s, four_numbers(segments, 6));
    slerp(s, [a, b, c, d], [e, f, g, h], times.position(s, start, end))
}

/// Evaluates eight segments of separate translations or scales.
#[inline(always)]
pub fn separate_vectors<S: Simd>(s: S, segments: &[&VectorSegment; 8], times: LaneTimes<S::V>) -> [S::V; 3] {
    let [start, end, x, y] = gather(s, four_numbers(segments, 0));
    let [z, dx, dy, dz] = gather(s, four_numbers(segments, 4));
    let u = times.position(s, start, end);
    [linear(s, x, dx, u), linear(s, y, dy, u), linear(s, z, dz, u)]
}

/// Returns four numbers of each segment, from `first` on.
#[inline(always)]
fn four_numbers<'a, const N: usize>(segments: &[&'a [f32; N]; 8], first: usize) -> [&'a [f32; 4]; 8] {
    let mut four = [chunk(segments[0], first); 8];
    for lane in 1..8 {
        four[lane] = chunk(segments[lane], first);
    }
    four
}

/// Returns `N` values from `start` on.
///
/// # Panics
///
/// Panics if the slice has fewer than `N` values from `start` on.
#[inline(always)]
pub fn chunk<T, const N: usize>(values: &[T], start: usize) -> &[T; N] {
    &values[start..].as_chunks().0[0]
}
