//! Finds the sun of a panorama, a small area that emits much of the light. It is removed before prefiltering and added back exactly: as the
//! key light ([`super::key_light`]) or, if it is too weak to cast a shadow, as an analytic lobe and a diffuse light. Sampling it would
//! leave bright spots, and as spherical harmonics it would also light the far side.

use std::f64::consts::PI;

use glam::Vec3;

use super::octahedral::{self, Square};

/// A directional light without a width.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sun {
    /// Unit direction towards the sun.
    pub direction: Vec3,
    /// Irradiance over pi of a surface that faces the sun.
    pub light: Vec3,
}

/// A sun is at least this many times as bright as the mean of the environment.
const BRIGHT: f32 = 16.0;
/// Cosine of the largest angle between the sun's brightest texel and its other texels: ten degrees.
const MIN_SUN_COS: f32 = 0.985;

impl Sun {
    /// Removes the sun from a map, down to the brightness limit. Returns `None` if there is no sun.
    pub fn taken_out(square: &mut Square) -> Option<Self> {
        let size = square.size;
        let at = |i: usize| octahedral::direction(octahedral::texel(i % size, i / size, size));
        // Side of a texel on the octahedron, where the square without its rim has the side 2.
        let side = 2.0 * 16.0 / 15.0 / size as f32;
        let rim = size / 32;
        let inside = |i: usize| [i % size, i / size].iter().all(|at| (rim..size - rim).contains(at));
        let part = |i: usize| if inside(i) { side * side * octahedral::solid_angle(at(i)) } else { 0.0 };
        let (mut sum, mut brightest) = (0.0, (0, 0.0));
        for (i, light) in square.texels.iter().enumerate().filter(|(i, _)| inside(*i)) {
            let most = light.max_element();
            sum += f64::from(most * part(i));
            brightest = if most > brightest.1 { (i, most) } else { brightest };
        }
        let limit = BRIGHT * (sum / (4.0 * PI)) as f32;
        // Nothing is much brighter than the mean.
        if brightest.1 <= limit {
            return None;
        }
        let middle = at(brightest.0).normalize();
        let (mut towards, mut light) = (Vec3::ZERO, Vec3::ZERO);
        for i in 0..square.texels.len() {
            let (texel, most) = (square.texels[i], square.texels[i].max_element());
            if most > limit && at(i).normalize().dot(middle) > MIN_SUN_COS {
                let kept = texel * (limit / most);
                towards += at(i).normalize() * (most - limit) * part(i);
                light += (texel - kept) * part(i);
                square.texels[i] = kept;
            }
        }
        Some(Self { direction: towards.normalize_or(middle), light: light / PI as f32 })
    }

    /// Returns the light that a GGX lobe about a unit normal receives from the sun. `whole` is the lobe's integral with the cosine.
    pub fn seen(&self, normal: Vec3, alpha: f32, whole: f32) -> Vec3 {
        let n_dot_l = normal.dot(self.direction);
        if n_dot_l <= 0.0 {
            return Vec3::ZERO;
        }
        // Squared cosine between the normal and the half vector of normal and sun.
        let square = 0.5 + 0.5 * n_dot_l;
        let d = square * (alpha * alpha - 1.0) + 1.0;
        self.light * (alpha * alpha / (d * d) * n_dot_l / whole)
    }
}
