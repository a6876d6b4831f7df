//! Converts eight rotations at a time to matrix rows.

use super::Simd;

/// Returns the rows of the 3x3 matrices of eight unit quaternions (x, y, z, w).
#[inline(always)]
pub fn rotation_rows<S: Simd>(s: S, [x, y, z, w]: [S::V; 4]) -> [[S::V; 3]; 3] {
    // The usual matrix of a unit quaternion, for example 1 - 2 (y^2 + z^2) at the top left. Products that occur twice are computed once.
    let (x2, y2, z2) = (s.add(x, x), s.add(y, y), s.add(z, z));
    let one = s.splat(1.0);
    let (wx, wy, wz) = (s.mul(w, x2), s.mul(w, y2), s.mul(w, z2));
    let (xz, xx) = (s.mul(x, z2), s.fnma(x, x2, one));
    [
        [s.fnma(y, y2, s.fnma(z, z2, one)), s.fms(x, y2, wz), s.add(xz, wy)],
        [s.fma(x, y2, wz), s.fnma(z, z2, xx), s.fms(y, z2, wx)],
        [s.sub(xz, wy), s.fma(y, z2, wx), s.fnma(y, y2, xx)],
    ]
}

/// Multiplies the columns of 3x3 matrices by a scale (glTF 2.0, 5.25: scale is applied first).
#[inline(always)]
pub fn scaled_rows<S: Simd>(s: S, [a, b, c]: [[S::V; 3]; 3], [x, y, z]: [S::V; 3]) -> [[S::V; 3]; 3] {
    [
        [s.mul(a[0], x), s.mul(a[1], y), s.mul(a[2], z)],
        [s.mul(b[0], x), s.mul(b[1], y), s.mul(b[2], z)],
        [s.mul(c[0], x), s.mul(c[1], y), s.mul(c[2], z)],
    ]
}
