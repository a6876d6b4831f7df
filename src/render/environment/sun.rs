//! Finds the sun of a panorama, a small area that emits much of the light. The sun is removed before prefiltering and added back
//! analytically: as the key light ([`super::key_light`]) or, if it is too weak or too low to cast a shadow, as an analytic lobe and a
//! diffuse light. If the sun were sampled, it would cause bright spots. If it were part of the spherical harmonics, it would also light
//! surfaces that face away from it.

use std::f64::consts::PI;

use glam::Vec3;

use super::octahedral::{self, Square};

/// A directional light without an angular width.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sun {
    /// Unit direction towards the sun.
    pub direction: Vec3,
    /// Irradiance of a surface that faces the sun, divided by pi.
    pub light: Vec3,
}

/// A texel belongs to the sun only if it is more than this many times as bright as the mean of the environment.
const MIN_SUN_BRIGHTNESS_RATIO: f32 = 16.0;
/// Cosine of the largest angle between the sun's brightest texel and its other texels: ten degrees.
const MIN_SUN_COS: f32 = 0.985;

impl Sun {
    /// Removes the sun from a map: the texels of the sun are darkened to `MIN_SUN_BRIGHTNESS_RATIO` times the mean. Returns `None`, and
    /// changes nothing, if there is no sun.
    pub fn take_out(square: &mut Square) -> Option<Self> {
        let size = square.size;
        let on_octahedron = |i: usize| octahedral::direction(octahedral::texel(i % size, i / size, size));
        // Side of a texel, if the square of directions (without the rim) has sides of length 2.
        let side = 2.0 / octahedral::SQUARE_FRACTION / size as f32;
        let rim = octahedral::rim(size);
        let inside = |i: usize| [i % size, i / size].iter().all(|coordinate| (rim..size - rim).contains(coordinate));
        let texel_solid_angle = |i: usize| if inside(i) { side * side * octahedral::solid_angle(on_octahedron(i)) } else { 0.0 };
        let (mut sum, mut brightest) = (0.0, (0, 0.0));
        for (i, light) in square.texels.iter().enumerate().filter(|(i, _)| inside(*i)) {
            let brightness = light.max_element();
            sum += f64::from(brightness * texel_solid_angle(i));
            brightest = if brightness > brightest.1 { (i, brightness) } else { brightest };
        }
        let limit = MIN_SUN_BRIGHTNESS_RATIO * (sum / (4.0 * PI)) as f32;
        // If no texel is much brighter than the mean, there is no sun.
        if brightest.1 <= limit {
            return None;
        }
        let brightest_direction = on_octahedron(brightest.0).normalize();
        let (mut weighted_direction, mut light) = (Vec3::ZERO, Vec3::ZERO);
        for i in 0..square.texels.len() {
            let (texel, brightness) = (square.texels[i], square.texels[i].max_element());
            if brightness > limit && on_octahedron(i).normalize().dot(brightest_direction) > MIN_SUN_COS {
                let kept = texel * (limit / brightness);
                weighted_direction += on_octahedron(i).normalize() * (brightness - limit) * texel_solid_angle(i);
                light += (texel - kept) * texel_solid_angle(i);
                square.texels[i] = kept;
            }
        }
        Some(Self { direction: weighted_direction.normalize_or(brightest_direction), light: light / PI as f32 })
    }

    /// Returns the light that a GGX lobe about a unit normal receives from the sun, as the radiance to add to a prefiltered texel.
    /// `integral` is the integral of the normal distribution times the cosine.
    pub fn lobe_radiance(&self, normal: Vec3, alpha: f32, integral: f32) -> Vec3 {
        let n_dot_l = normal.dot(self.direction);
        if n_dot_l <= 0.0 {
            return Vec3::ZERO;
        }
        // Squared cosine between the normal and the half vector of normal and sun.
        let n_dot_h_squared = 0.5 + 0.5 * n_dot_l;
        let d = n_dot_h_squared * (alpha * alpha - 1.0) + 1.0;
        self.light * (alpha * alpha / (d * d) * n_dot_l / integral)
    }
}
