//! Solids as signed distances in meters: negative inside, zero on the surface. The body is a smooth union of them.

use glam::{DVec2, DVec3};

/// One solid.
#[derive(Clone, Debug)]
pub enum Shape {
    Ellipsoid {
        center: DVec3,
        radii: DVec3,
    },
    /// A tapered limb with round ends.
    RoundCone {
        from: DVec3,
        to: DVec3,
        radii: [f64; 2],
    },
    /// Round cones through all points. x is multiplied by `flatness`, so that a tail is taller than wide.
    Chain {
        points: Vec<DVec3>,
        radii: Vec<f64>,
        flatness: f64,
    },
}

impl Shape {
    pub fn distance(&self, p: DVec3) -> f64 {
        match self {
            Shape::Ellipsoid { center, radii } => ellipsoid(p - *center, *radii),
            Shape::RoundCone { from, to, radii } => round_cone(p, *from, *to, *radii),
            Shape::Chain { points, radii, flatness } => {
                let squash = |v: DVec3| DVec3::new(v.x * flatness, v.y, v.z);
                let links = points.windows(2).zip(radii.windows(2));
                let distance = links.map(|(ends, r)| round_cone(squash(p), squash(ends[0]), squash(ends[1]), [r[0], r[1]]));
                distance.reduce(|a, b| smooth_min(a, b, 0.012)).unwrap_or(f64::INFINITY) / flatness.sqrt()
            }
        }
    }
}

/// Returns a union whose seam is rounded over about `k` meters.
pub fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * h * k / 6.0
}

pub fn smooth_max(a: f64, b: f64, k: f64) -> f64 {
    -smooth_min(-a, -b, k)
}

/// Returns 0 below `from`, 1 above `to`, and a smooth step in between.
pub fn smoothstep(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Returns the gradient of a distance: the normal of the surface.
pub fn gradient(distance: impl Fn(DVec3) -> f64, p: DVec3, step: f64) -> DVec3 {
    let along = |axis: DVec3| distance(p + axis * step) - distance(p - axis * step);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / (2.0 * step)
}

/// Approximates the distance; accurate near the surface, where it is used.
fn ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    let scaled = (p / radii).length();
    let slope = (p / (radii * radii)).length();
    if slope < 1e-9 { -radii.min_element() } else { scaled * (scaled - 1.0) / slope }
}

/// Returns the distance to the convex hull of two spheres, computed in the plane through `p` and the axis (after Inigo Quilez).
fn round_cone(p: DVec3, from: DVec3, to: DVec3, [r1, r2]: [f64; 2]) -> f64 {
    let axis = to - from;
    let length = axis.length();
    let along = (p - from).dot(axis) / length;
    let q = DVec2::new((p - from - axis * (along / length)).length(), along);
    let slope = (r1 - r2) / length;
    let across = (1.0 - slope * slope).max(0.0).sqrt();
    let k = q.dot(DVec2::new(-slope, across));
    if k < 0.0 {
        q.length() - r1
    } else if k > across * length {
        (q - DVec2::new(0.0, length)).length() - r2
    } else {
        q.dot(DVec2::new(across, slope)) - r1
    }
}
