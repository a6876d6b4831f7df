//! Defines the built-in studio lighting: a room that is darker below, with five soft boxes (key, fill, two rim lights and a faint top
//! light). Surfaces are lit by the environment map that [`crate::render::environment::studio_map`] stores.
//!
//! Directions are in world space: +Z is in front of the model, +Y is up, +X is at its left. Colors are linear radiances.

use glam::{Vec2, Vec3, vec2, vec3};

use crate::render::environment::key_light::KeyLight;

/// Direction to the center of the key box, not of unit length.
pub const KEY_DIRECTION: Vec3 = vec3(-0.50, 0.62, 0.80);

/// Irradiance of the key light on a surface that faces it. The studio's main light has two parts: the key light casts the shadow and has
/// 60 % of the energy; the key soft box is visible in reflections and has the rest.
pub const KEY_IRRADIANCE: Vec3 = vec3(1.724, 1.673, 1.594);
/// Width of the key light's reflection, as the alpha of a microfacet distribution.
pub const KEY_SPREAD: f32 = 0.2;
/// Opacity of the shadow. It is below 1, because the room and the other boxes light what the key light does not reach.
const SHADOW_STRENGTH: f32 = 0.65;

/// Returns the studio's key light.
pub fn key() -> KeyLight {
    KeyLight {
        direction: KEY_DIRECTION.normalize(),
        irradiance: KEY_IRRADIANCE,
        spread: KEY_SPREAD,
        in_map: false,
        strength: SHADOW_STRENGTH,
    }
}

/// A rectangular light with blurred edges, infinitely far away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftBox {
    /// Direction to its center, of unit length.
    pub direction: Vec3,
    /// Half width and half height at unit distance.
    pub half_size: Vec2,
    /// Radiance of its center.
    pub color: Vec3,
    /// Half the width of the blurred edge at unit distance.
    pub softness: f32,
}

/// The room and its lights.
#[derive(Debug, Clone, PartialEq)]
pub struct Studio {
    /// Radiance below the horizon, without the darkening near it and without `bounce`.
    pub floor: Vec3,
    /// Radiance above the horizon, without the darkening near it.
    pub wall: Vec3,
    /// Radiance that the floor adds straight below the model.
    pub bounce: Vec3,
    /// Key, fill, two rim lights and top light.
    pub boxes: [SoftBox; 5],
}

/// Darkening at the horizon, as a fraction. Metals need something dark to reflect.
const HORIZON_DARKENING: f32 = 0.45;
/// Height of the darkening, as the sine of an elevation.
const HORIZON_HEIGHT: f32 = 0.22;

impl Studio {
    /// Returns the built-in studio.
    pub fn standard() -> Self {
        let soft_box = |direction: Vec3, half: Vec2, color: Vec3, softness| SoftBox {
            direction: direction.normalize(),
            half_size: half,
            color,
            softness,
        };
        Self {
            floor: vec3(0.165, 0.157, 0.149),
            wall: vec3(0.235, 0.246, 0.268),
            bounce: vec3(0.077, 0.073, 0.066),
            boxes: [
                // The key soft box: the part of the main light that the key light does not have.
                soft_box(KEY_DIRECTION, vec2(0.46, 0.46), vec3(1.65, 1.6, 1.52), 0.06),
                soft_box(vec3(0.95, 0.16, 0.42), vec2(0.24, 0.55), vec3(1.1, 1.18, 1.29), 0.12),
                soft_box(vec3(-0.88, 0.28, -0.72), vec2(0.15, 0.52), vec3(2.6, 2.7, 2.85), 0.06),
                soft_box(vec3(0.78, 0.34, -0.82), vec2(0.18, 0.52), vec3(2.6, 2.52, 2.42), 0.06),
                soft_box(vec3(0.10, 0.96, -0.30), vec2(0.42, 0.24), vec3(0.85, 0.87, 0.92), 0.2),
            ],
        }
    }

    /// Returns the radiance from a direction of unit length.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let y = direction.y;
        let room = self.floor.lerp(self.wall, 0.5 + 0.5 * y / (y * y + 0.15 * 0.15).sqrt());
        let away = 1.0 + (y / HORIZON_HEIGHT) * (y / HORIZON_HEIGHT);
        let near_horizon = 1.0 / (away * away);
        let below = (-y).max(0.0);
        let room = room * (1.0 - HORIZON_DARKENING * near_horizon) + self.bounce * (below * below);
        self.boxes.iter().fold(room, |sum, soft_box| sum + soft_box.radiance(direction))
    }
}

impl SoftBox {
    /// Returns the radiance that the box adds from a direction of unit length.
    fn radiance(&self, direction: Vec3) -> Vec3 {
        let right = Vec3::Y.cross(self.direction).normalize();
        // Project stereographically, centered on the box. Directions nearly opposite to the box become very distant points.
        let stretch = 2.0 / (1.001 + direction.dot(self.direction));
        let point = vec2(direction.dot(right), direction.dot(self.direction.cross(right))) * stretch;
        let cover = |x: f32, half: f32| soft_step(x + half, self.softness) - soft_step(x - half, self.softness);
        self.color * (0.25 * cover(point.x, self.half_size.x) * cover(point.y, self.half_size.y))
    }
}

/// Rises smoothly from -1 to 1 while `x` goes from `-softness` to `softness`.
fn soft_step(x: f32, softness: f32) -> f32 {
    let t = (x / softness).clamp(-1.0, 1.0);
    t * (1.5 - 0.5 * t * t)
}
