//! A block's numbers ([`crate::animation::compiled`]) to its values, eight lanes at a time: eight channels of one character, or one channel
//! of eight characters. Everything is `#[inline(always)]`: see [`crate::animation::simd::Work`].

use crate::animation::simd::{F32x8, Lanes};

use super::{LooseRotation, LooseVector};

/// Of a polynomial in `y = x * x`: `cos x = 1 + y * (...)` for x from 0 to pi/2, within 1e-8.
/// (Eight of each, so that they can be read straight from memory.)
static COS: [F32x8; 6] = eights([1.0, -0.5, 0.041_666_66, -0.001_388_865_2, 2.477_462_1e-5, -2.629_836e-7]);
/// `sin x / x = 1 + y * (...)`, within 4e-8.
static SINC: [F32x8; 5] = eights([1.0, -0.166_666_66, 0.008_333_242, -0.000_198_227_83, 2.634_874_4e-6]);

const fn eights<const N: usize>(numbers: [f32; N]) -> [F32x8; N] {
    let mut octs = [F32x8([0.0; 8]); N];
    let mut i = 0;
    while i < N {
        octs[i] = F32x8([numbers[i]; 8]);
        i += 1;
    }
    octs
}

#[inline(always)]
pub fn linear<L: Lanes>(l: L, start: L::V, slope: L::V, u: L::V) -> L::V {
    l.fma(slope, u, start)
}

#[inline(always)]
pub fn cubic<L: Lanes>(l: L, [a, b, c, d]: [L::V; 4], u: L::V) -> L::V {
    l.fma(l.fma(l.fma(d, u, c), u, b), u, a)
}

/// The rotation `u` of the way along `turn` from `q` (glTF 2.0, appendix C.4): `q cos(u theta) + turn sin(u theta) / theta`,
/// `theta = |turn|`. Both series are even, so that neither theta nor a square root is needed.
#[inline(always)]
pub fn slerp<L: Lanes>(l: L, q: [L::V; 4], turn: [L::V; 4], u: L::V) -> [L::V; 4] {
    let square = l.fma(turn[0], turn[0], l.fma(turn[1], turn[1], l.fma(turn[2], turn[2], l.mul(turn[3], turn[3]))));
    let y = l.mul(l.mul(square, u), u);
    let cos = l.fma(l.load(&COS[5].0), y, l.load(&COS[4].0));
    let cos = l.fma(cos, y, l.load(&COS[3].0));
    let cos = l.fma(cos, y, l.load(&COS[2].0));
    let cos = l.fma(cos, y, l.load(&COS[1].0));
    let cos = l.fma(cos, y, l.load(&COS[0].0));
    let sinc = l.fma(l.load(&SINC[4].0), y, l.load(&SINC[3].0));
    let sinc = l.fma(sinc, y, l.load(&SINC[2].0));
    let sinc = l.fma(sinc, y, l.load(&SINC[1].0));
    let sinc = l.fma(sinc, y, l.load(&SINC[0].0));
    let along = l.mul(sinc, u);
    [
        l.fma(turn[0], along, l.mul(q[0], cos)),
        l.fma(turn[1], along, l.mul(q[1], cos)),
        l.fma(turn[2], along, l.mul(q[2], cos)),
        l.fma(turn[3], along, l.mul(q[3], cos)),
    ]
}

/// At unit length. Where the length is next to nothing (a spline from v to -v passes through zero) `fallback`, so far as that has
/// one itself, else no rotation.
#[inline(always)]
pub fn normalized<L: Lanes>(l: L, q: [L::V; 4], fallback: [L::V; 4]) -> [L::V; 4] {
    let square = l.fma(q[0], q[0], l.fma(q[1], q[1], l.fma(q[2], q[2], l.mul(q[3], q[3]))));
    if l.any_not_above(square, 1e-24) {
        return mended(l, q, fallback);
    }
    let scale = l.div(l.splat(1.0), l.sqrt(square));
    [l.mul(q[0], scale), l.mul(q[1], scale), l.mul(q[2], scale), l.mul(q[3], scale)]
}

#[cold]
#[inline(never)]
fn mended<L: Lanes>(l: L, q: [L::V; 4], fallback: [L::V; 4]) -> [L::V; 4] {
    let (mut q, fallback) = (arrays(l, q), arrays(l, fallback));
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
    [l.load(&q[0]), l.load(&q[1]), l.load(&q[2]), l.load(&q[3])]
}

#[inline(always)]
fn arrays<L: Lanes>(l: L, v: [L::V; 4]) -> [[f32; 8]; 4] {
    let mut out = [[0.0; 8]; 4];
    for i in 0..4 {
        l.store(v[i], &mut out[i]);
    }
    out
}

/// The rows of the 3x3 matrix of a rotation of unit length.
#[inline(always)]
pub fn rotation_rows<L: Lanes>(l: L, [x, y, z, w]: [L::V; 4]) -> [[L::V; 3]; 3] {
    let (x2, y2, z2) = (l.add(x, x), l.add(y, y), l.add(z, z));
    let one = l.splat(1.0);
    let (wx, wy, wz) = (l.mul(w, x2), l.mul(w, y2), l.mul(w, z2));
    let (xz, xx) = (l.mul(x, z2), l.fnma(x, x2, one));
    [
        [l.fnma(y, y2, l.fnma(z, z2, one)), l.fms(x, y2, wz), l.add(xz, wy)],
        [l.fma(x, y2, wz), l.fnma(z, z2, xx), l.fms(y, z2, wx)],
        [l.sub(xz, wy), l.fma(y, z2, wx), l.fnma(y, y2, xx)],
    ]
}

/// Its columns scaled (glTF 2.0, 5.25: scale first).
#[inline(always)]
pub fn scaled<L: Lanes>(l: L, [a, b, c]: [[L::V; 3]; 3], [x, y, z]: [L::V; 3]) -> [[L::V; 3]; 3] {
    [
        [l.mul(a[0], x), l.mul(a[1], y), l.mul(a[2], z)],
        [l.mul(b[0], x), l.mul(b[1], y), l.mul(b[2], z)],
        [l.mul(c[0], x), l.mul(c[1], y), l.mul(c[2], z)],
    ]
}

/// Four neighbouring numbers of eight places: the first of each, the second of each...
#[inline(always)]
pub fn gather<L: Lanes>(l: L, places: [&[f32; 4]; 8]) -> [L::V; 4] {
    let pair = |low: usize, high: usize| (glam::Vec4::from_array(*places[low]), glam::Vec4::from_array(*places[high]));
    let ((a, e), (b, f), (c, g), (d, h)) = (pair(0, 4), pair(1, 5), pair(2, 6), pair(3, 7));
    l.transpose([l.halves(a, e), l.halves(b, f), l.halves(c, g), l.halves(d, h)])
}

/// A time in all lanes or one in each: the largest `f32` that is not above it, and what is missing.
#[derive(Clone, Copy)]
pub struct Times<V> {
    pub floor: V,
    pub rest: V,
}

impl<V: Copy> Times<V> {
    /// Whether none is before its row ([`super::Loose`]) or has come to the next one.
    #[inline(always)]
    pub fn are_within<L: Lanes<V = V>, const N: usize>(self, l: L, rows: &[&[f32; N]; 8]) -> bool {
        let [start, end, ..] = gather(l, four_of(rows, 0));
        l.all_within(self.floor, start, end)
    }

    /// How far from its row to the next one each is; 0 before the first and after the last.
    #[inline(always)]
    fn between<L: Lanes<V = V>>(self, l: L, start: V, end: V) -> V {
        let elapsed = l.max(l.add(l.sub(self.floor, start), self.rest), l.splat(0.0));
        l.div(elapsed, l.max(l.sub(end, start), l.splat(f32::MIN_POSITIVE)))
    }
}

/// Eight loose rotations by their rows.
#[inline(always)]
pub fn loose_rotations<L: Lanes>(l: L, rows: &[&LooseRotation; 8], times: Times<L::V>) -> [L::V; 4] {
    let [start, end, a, b] = gather(l, four_of(rows, 0));
    let [c, d, e, f] = gather(l, four_of(rows, 4));
    let [_, _, g, h] = gather(l, four_of(rows, 6));
    slerp(l, [a, b, c, d], [e, f, g, h], times.between(l, start, end))
}

/// The same of translations or scales.
#[inline(always)]
pub fn loose_vectors<L: Lanes>(l: L, rows: &[&LooseVector; 8], times: Times<L::V>) -> [L::V; 3] {
    let [start, end, x, y] = gather(l, four_of(rows, 0));
    let [z, dx, dy, dz] = gather(l, four_of(rows, 4));
    let u = times.between(l, start, end);
    [linear(l, x, dx, u), linear(l, y, dy, u), linear(l, z, dz, u)]
}

/// Four numbers of each row, from `first` on.
#[inline(always)]
fn four_of<'a, const N: usize>(rows: &[&'a [f32; N]; 8], first: usize) -> [&'a [f32; 4]; 8] {
    let mut four = [chunk(rows[0], first); 8];
    for lane in 1..8 {
        four[lane] = chunk(rows[lane], first);
    }
    four
}

/// `N` values from `start` on, which are there.
#[inline(always)]
pub fn chunk<T, const N: usize>(values: &[T], start: usize) -> &[T; N] {
    match values[start..].first_chunk() {
        Some(chunk) => chunk,
        None => unreachable!("rows are as long as their blocks"),
    }
}
