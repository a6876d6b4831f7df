//! The key light is the one light of an environment that casts a shadow. It is the main light of the studio, or the sun of a panorama.

use std::f32::consts::PI;

use glam::{Mat3, Vec3};

use super::harmonics::Irradiance;
use super::sun::Sun;

/// A directional light with an angular width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyLight {
    /// Unit direction towards the light, in world space.
    pub direction: Vec3,
    /// Irradiance of a surface that faces the light.
    pub irradiance: Vec3,
    /// Width of the light's reflection, as the alpha of a microfacet distribution.
    pub spread: f32,
    /// Whether the first level of the environment map contains the light, so that mirrors reflect it from the map.
    pub in_map: bool,
    /// Opacity of the light's darkest shadow on the ground, 0 to 1.
    pub strength: f32,
}

/// A sun casts a shadow only if it provides at least this fraction of the light on a surface that faces it.
const MIN_SUN_SHARE: f32 = 0.2;
/// Sine of the lowest elevation at which a sun casts a shadow, five degrees.
const MIN_ELEVATION_SINE: f32 = 0.087;
/// Spread of a sun. It is wider than the real sun. On nearly smooth surfaces, the highlight of the real sun would exceed the range of the
/// picture.
const SUN_SPREAD: f32 = 0.02;
/// Upper limit of the shadow's opacity. It is less than 1, because the sky around the sun lights the shadow.
const MAX_SHADOW_STRENGTH: f32 = 0.9;

impl KeyLight {
    /// Makes the key light of a sun. Returns `None` if the sun is too low, or too weak compared with the `rest` of the light.
    pub fn from_sun(sun: &Sun, rest: &Irradiance) -> Option<Self> {
        let share = |light: Vec3, rest: Vec3| light.element_sum() / (light + rest.max(Vec3::ZERO)).element_sum();
        let casts_shadow = share(sun.light, rest.towards(sun.direction)) >= MIN_SUN_SHARE && sun.direction.y >= MIN_ELEVATION_SINE;
        casts_shadow.then(|| Self {
            direction: sun.direction,
            irradiance: sun.light * PI,
            spread: SUN_SPREAD,
            in_map: true,
            strength: share(sun.light * sun.direction.y, rest.towards(Vec3::Y)).min(MAX_SHADOW_STRENGTH),
        })
    }

    /// Returns the key light of an environment that is rotated about +Y by `rotation`, in degrees.
    pub fn rotated(self, rotation: f32) -> Self {
        Self { direction: Mat3::from_rotation_y(rotation.to_radians()) * self.direction, ..self }
    }
}
