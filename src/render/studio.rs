//! The studio: the light that needs no file. A room, darker below, and soft boxes in it: a key, a fill, two behind for the rims,
//! and a faint one above. Surfaces see it through the map that [`super::environment::studio_map`] makes of it, once.
//!
//! Directions are the world's: +Z is before the model, +Y up, +X at its left hand.

use glam::{Vec2, Vec3, vec2, vec3};

/// Towards the middle of the key; not of unit length.
pub const KEY_DIRECTION: Vec3 = vec3(-0.50, 0.62, 0.80);

/// What the key lamp throws at a surface that faces it. Of the light of a box in its place this is six tenths, the box has the
/// rest: one casts a shadow, the other shows in mirrors.
pub const KEY_IRRADIANCE: Vec3 = vec3(1.724, 1.673, 1.594);
/// How wide the box is to a mirror, as the alpha of a microfacet distribution.
pub const KEY_SPREAD: f32 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftBox {
    pub direction: Vec3,
    /// Half its width and height, at unit distance.
    pub half: Vec2,
    /// Radiance.
    pub color: Vec3,
    /// How far its edges are blurred.
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
        let soft_box = |direction: Vec3, half: Vec2, color: Vec3| SoftBox { direction: direction.normalize(), half, color, softness: 0.2 };
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

    /// What comes from a direction of unit length.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let height = direction.y / (direction.y * direction.y + 0.2 * 0.2).sqrt();
        let room = self.floor.lerp(self.ceiling, 0.5 + 0.5 * height);
        self.boxes.iter().fold(room, |sum, soft_box| sum + soft_box.radiance(direction))
    }
}

impl SoftBox {
    fn radiance(&self, direction: Vec3) -> Vec3 {
        let right = Vec3::Y.cross(self.direction).normalize();
        // Stereographic: nothing but a box's very back is far away.
        let stretch = 2.0 / (1.001 + direction.dot(self.direction));
        let at = vec2(direction.dot(right), direction.dot(self.direction.cross(right))) * stretch;
        let cover = |at: f32, half: f32| soft_step(at + half, self.softness) - soft_step(at - half, self.softness);
        self.color * (0.25 * cover(at.x, self.half.x) * cover(at.y, self.half.y))
    }
}

/// From -1 to 1, within so far of 0.
fn soft_step(x: f32, softness: f32) -> f32 {
    let t = (x / softness).clamp(-1.0, 1.0);
    t * (1.5 - 0.5 * t * t)
}
