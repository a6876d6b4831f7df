//! Makes the environment map of a panorama or of the studio in main memory. From the radiance by direction it computes one mip level per
//! roughness, the irradiance and the key light.

use glam::Vec3;

use crate::asset::file::panorama::Panorama;

use super::harmonics::Irradiance;
use super::key_light::KeyLight;
use super::octahedral::{self, Square};
use super::prefilter::{self, Pyramid};
use super::rgb9e5;
use super::sun::Sun;

/// Smallest side of the first level, in texels.
const MIN_SIZE: usize = 512;
/// Largest side of the first level, in texels.
const MAX_SIZE: usize = 2048;
/// Largest side of the level that irradiance is computed from, in texels.
const MAX_IRRADIANCE_SIZE: usize = 64;

/// An environment map in main memory, ready to upload.
#[derive(Debug, Clone)]
pub struct EnvironmentMap {
    /// Side of the first level, in texels.
    pub size: usize,
    /// RGB9E5 texels in rows, little-endian. Each level has half the side of the previous one. The first is for mirrors, the last for the
    /// roughest surfaces.
    pub levels: Vec<Vec<u8>>,
    /// Diffuse light, as a function of the normal.
    pub irradiance: Irradiance,
    /// The light that casts a shadow. If this light is the sun of a panorama, only the first level contains it, and the irradiance does
    /// not.
    pub key: Option<KeyLight>,
}

impl EnvironmentMap {
    /// Builds the map from the radiance by direction. `radiance` receives directions that are not of unit length. Each texel of the first
    /// level averages `steps` x `steps` samples. `size` is the side of the first level, in texels.
    pub fn new(size: usize, steps: usize, radiance: impl Fn(Vec3) -> Vec3 + Sync) -> Self {
        let mut first_level = prefilter::sample_first_level(size, steps, radiance);
        let mut levels = vec![bytes(&first_level)];
        let sun = Sun::take_out(&mut first_level);
        let pyramid = Pyramid::new(first_level);
        let rest = irradiance(&pyramid);
        let key = sun.and_then(|sun| KeyLight::from_sun(&sun, &rest));
        // A sun that is not a key light is added back to the irradiance and to the levels.
        let sun = sun.filter(|_| key.is_none());
        let last = pyramid.levels.len() - 1;
        levels.extend((1..=last).map(|level| {
            let roughness = level as f64 / last as f64;
            bytes(&pyramid.prefilter(roughness, size >> level, sun.as_ref()))
        }));
        Self { size, levels, irradiance: Irradiance { sun: sun.unwrap_or_default(), ..rest }, key }
    }

    /// Builds the map of a panorama. Prefiltering uses all cores, and the function blocks until it is done.
    pub fn from_panorama(panorama: &Panorama) -> Self {
        let size = panorama.height.next_power_of_two().clamp(MIN_SIZE, MAX_SIZE);
        Self::new(size, 2, |direction| panorama.radiance(direction.normalize()))
    }
}

/// Encodes texels as RGB9E5.
fn bytes(square: &Square) -> Vec<u8> {
    square.texels.iter().flat_map(|&light| rgb9e5::encode(light).to_le_bytes()).collect()
}

/// Computes the irradiance from a small level, which is exact enough because there are only nine harmonics.
fn irradiance(pyramid: &Pyramid) -> Irradiance {
    let level = pyramid.levels.iter().find(|level| level.size <= MAX_IRRADIANCE_SIZE).or(pyramid.levels.last());
    let Some(Square { size, texels }) = level else { return Irradiance::default() };
    // Skip the border, which repeats texels from the inside.
    let rim = octahedral::rim(*size);
    let inside = rim..size - rim;
    Irradiance::new(inside.clone().flat_map(|y| inside.clone().map(move |x| (x, y))).map(|(x, y)| {
        let on_octahedron = octahedral::direction(octahedral::texel(x, y, *size));
        (on_octahedron.normalize(), octahedral::solid_angle(on_octahedron), texels[y * size + x])
    }))
}
