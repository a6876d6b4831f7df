//! Measures the angle between two rotations.

use glam::DVec4;

/// The smaller angle between two rotations, in degrees. The rotations are unit quaternions: x, y, z, w. A quaternion and its negative are
/// the same rotation.
pub fn degrees_between(a: DVec4, b: DVec4) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    // Half-chords are exact for small angles, unlike the arc cosine.
    (4.0 * (a - b).length().atan2((a + b).length())).to_degrees()
}
