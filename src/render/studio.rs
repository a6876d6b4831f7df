//! The studio: the light that needs no file. A room, darker below, and four soft boxes in it: key, fill, and two behind
//! for the rims. The shader evaluates it analytically for what surfaces mirror; what matt surfaces gather is worked out here.
//!
//! Directions are the world's: +Z is before the model, +Y up, +X at its left hand.

use std::f32::consts::PI;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4, vec2, vec3};

/// To the key lamp and the soft box that it stands for; not of unit length.
pub const KEY_DIRECTION: Vec3 = vec3(-0.50, 0.62, 0.80);
/// What the key lamp throws at a surface that faces it. Of the light of a box in its place this is six tenths, the box has the
/// rest: one casts a shadow, the other shows in mirrors.
pub const KEY_IRRADIANCE: Vec3 = vec3(1.724, 1.673, 1.594);
/// How wide the box is to a mirror, as the alpha of a microfacet distribution.
pub const KEY_SPREAD: f32 = 0.2;

/// Keep in sync with `SoftBox` in frame.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SoftBox {
    pub direction: Vec3,
    pub half_width: f32,
    pub right: Vec3,
    pub half_height: f32,
    pub color: Vec3,
    pub softness: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Studio {
    /// Radiance from below and from above.
    pub floor: Vec3,
    pub ceiling: Vec3,
    pub boxes: [SoftBox; 4],
}

impl Studio {
    pub fn standard() -> Self {
        let soft_box = |direction: Vec3, half: Vec2, color: Vec3| {
            let direction = direction.normalize();
            let right = Vec3::Y.cross(direction).normalize();
            SoftBox { direction, half_width: half.x, right, half_height: half.y, color, softness: 0.2 }
        };
        Self {
            floor: vec3(0.12, 0.115, 0.11),
            ceiling: vec3(0.25, 0.26, 0.28),
            boxes: [
                soft_box(KEY_DIRECTION, vec2(0.62, 0.62), vec3(0.96, 0.932, 0.888)),
                soft_box(vec3(0.95, 0.20, 0.50), vec2(0.35, 0.75), vec3(0.95, 1.03, 1.15)),
                soft_box(vec3(-0.85, 0.30, -0.75), vec2(0.20, 0.80), vec3(2.3, 2.38, 2.5)),
                soft_box(vec3(0.70, 0.40, -0.85), vec2(0.25, 0.80), vec3(2.3, 2.23, 2.15)),
            ],
        }
    }

    /// What comes from a direction. Keep in sync with `studio_radiance` in environment.wgsl (of which this is the mirror, spread 0).
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let height = direction.y / (direction.y * direction.y + 0.2 * 0.2).sqrt();
        let mut radiance = self.floor.lerp(self.ceiling, 0.5 + 0.5 * height);
        for b in &self.boxes {
            let stretch = 2.0 / (1.001 + direction.dot(b.direction));
            let x = direction.dot(b.right) * stretch;
            let y = direction.dot(b.direction.cross(b.right)) * stretch;
            let cover = |at: f32, half: f32| soft_step(at + half, b.softness) - soft_step(at - half, b.softness);
            radiance += b.color * (0.25 * cover(x, b.half_width) * cover(y, b.half_height));
        }
        radiance
    }

    /// What a white matt surface sends back, over its normal, as nine spherical harmonics with all their constants folded
    /// in (Ramamoorthi and Hanrahan: more of them do not matter to a cosine).
    pub fn irradiance(&self) -> [Vec4; 9] {
        const STEPS: usize = 64;
        let mut sums = [Vec3::ZERO; 9];
        for i in 0..STEPS {
            for j in 0..2 * STEPS {
                // Equal areas on the sphere.
                let z = 1.0 - 2.0 * (i as f32 + 0.5) / STEPS as f32;
                let angle = PI * (j as f32 + 0.5) / STEPS as f32;
                let radius = (1.0 - z * z).sqrt();
                let d = vec3(radius * angle.cos(), radius * angle.sin(), z);
                let radiance = self.radiance(d);
                for (sum, value) in sums.iter_mut().zip(harmonics(d)) {
                    *sum += radiance * value;
                }
            }
        }
        // Of the harmonics' normalisation twice (projection, evaluation) and the clamped cosine's share over pi.
        let area = 4.0 * PI / (2 * STEPS * STEPS) as f32;
        let (band1, band2) = (0.488603_f32.powi(2) * 2.0 / 3.0, 1.092548_f32.powi(2) / 4.0);
        let zonal = 0.315392_f32.powi(2) / 4.0;
        let factors = [0.282095_f32.powi(2), band1, band1, band1, band2, band2, zonal, band2, 0.546274_f32.powi(2) / 4.0];
        std::array::from_fn(|i| (sums[i] * factors[i] * area).extend(0.0))
    }
}

fn soft_step(x: f32, blur: f32) -> f32 {
    let t = (x / blur).clamp(-1.0, 1.0);
    t * (1.5 - 0.5 * t * t)
}

/// Without their constants, in the order that environment.wgsl reads them.
fn harmonics(d: Vec3) -> [f32; 9] {
    [1.0, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3.0 * d.z * d.z - 1.0, d.x * d.z, d.x * d.x - d.y * d.y]
}
