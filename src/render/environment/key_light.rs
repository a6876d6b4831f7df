//! The lamp that casts a shadow: the studio's key, or a panorama's sun where that is one.

use std::f32::consts::PI;

use glam::{Mat3, Vec3};

use super::harmonics::Irradiance;
use super::sun::Sun;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyLight {
    /// To it, unit length, as the light from all around is before it is turned.
    pub direction: Vec3,
    /// What it throws at a surface that faces it.
    pub irradiance: Vec3,
    /// How wide it is to a mirror, as the alpha of a microfacet distribution.
    pub spread: f32,
    /// The first level of the map shows it, too: mirrors have it from there.
    pub in_map: bool,
    /// What its deepest shadow takes away of the light behind the ground.
    pub strength: f32,
}

/// Of what a surface that faces it gets, a sun that casts a shadow gives this share and more.
const LEAST_SHARE: f32 = 0.2;
/// Lower ones throw it further than anybody looks: the sine of five degrees.
const LOWEST: f32 = 0.087;
/// Wider than the sun is: its glint on what is all but a mirror would be brighter than a picture can hold.
const SUN_SPREAD: f32 = 0.02;
/// What is outside a sun's lobe in the sky still shines into its shadow.
const MOST_STRENGTH: f32 = 0.9;

impl KeyLight {
    /// None of a sun that is lost in the `rest` of the light, or too low.
    pub fn of_sun(sun: &Sun, rest: &Irradiance) -> Option<Self> {
        let share = |light: Vec3, rest: Vec3| light.element_sum() / (light + rest.max(Vec3::ZERO)).element_sum();
        let clear = share(sun.light, rest.towards(sun.direction)) >= LEAST_SHARE && sun.direction.y >= LOWEST;
        clear.then(|| Self {
            direction: sun.direction,
            irradiance: sun.light * PI,
            spread: SUN_SPREAD,
            in_map: true,
            strength: share(sun.light * sun.direction.y, rest.towards(Vec3::Y)).min(MOST_STRENGTH),
        })
    }

    /// Where the light from all around is turned about Y by so many degrees.
    pub fn turned(self, rotation: f32) -> Self {
        Self { direction: Mat3::from_rotation_y(rotation.to_radians()) * self.direction, ..self }
    }
}
