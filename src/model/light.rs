//! Lights (KHR_lights_punctual). They shine along -Z of their nodes.

use glam::Vec3;

/// A light of the file.
#[derive(Debug, Clone)]
pub struct Light {
    pub name: Option<String>,
    /// Linear RGB.
    pub color: Vec3,
    /// In candela for points and spots, in lux for directional lights.
    pub intensity: f32,
    /// In metres; `None` for no limit.
    pub range: Option<f32>,
    pub kind: LightKind,
}

/// The kind of a light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    Directional,
    Point,
    /// Angles from the axis, in radians.
    Spot {
        inner_cone_angle: f32,
        outer_cone_angle: f32,
    },
}
