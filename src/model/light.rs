//! Lights (KHR_lights_punctual). They shine along -Z of their nodes.

use glam::Vec3;

/// Maximum number of lights that light a picture. Every drawn pixel adds up the light of all of them.
pub const MAX_LIGHTS: usize = 256;

/// A light of the file.
#[derive(Debug, Clone)]
pub struct Light {
    /// The name in the file.
    pub name: Option<String>,
    /// Color of the light. Linear RGB.
    pub color: Vec3,
    /// Brightness: in candela for points and spots, in lux for directional lights.
    pub intensity: f32,
    /// Distance in meters beyond which the light has no effect; `None` for no limit.
    pub range: Option<f32>,
    /// The kind of light, and the cone of a spot light.
    pub kind: LightKind,
}

/// The kind of a light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// Parallel light from infinitely far away.
    Directional,
    /// Light in all directions from the node's position.
    Point,
    /// A cone of light. Both angles are measured from its axis, in radians. The light has full intensity inside the inner angle, and none
    /// outside the outer angle.
    Spot { inner_cone_angle: f32, outer_cone_angle: f32 },
}
