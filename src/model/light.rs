//! KHR_lights_punctual. A light shines along its node's -Z.

use glam::Vec3;

#[derive(Debug, Clone)]
pub struct Light {
    pub name: Option<String>,
    /// Linear.
    pub color: Vec3,
    /// Candela for points and spots, lux for directional lights.
    pub intensity: f32,
    /// Metres; none: no limit.
    pub range: Option<f32>,
    pub kind: LightKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    Directional,
    Point,
    /// Angles from the axis, radians.
    Spot {
        inner_cone_angle: f32,
        outer_cone_angle: f32,
    },
}
