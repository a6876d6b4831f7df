//! The studio's map and the BRDF table, made once by [`made`] and embedded, so that starting costs nothing. A
//! test holds the bytes against what is made; `cargo run --example make_studio` writes them.

use std::borrow::Cow;

use glam::Vec3;

use crate::render::light::studio::{self, Studio};

use super::brdf_lut;
use super::harmonics::Irradiance;
use super::map::LightMap;
use super::octahedral::LAST_LEVEL_SIZE;

/// Side of the first level, in texels.
const SIZE: usize = 512;
/// Samples of a texel, each way: the boxes' edges are sharp.
const STEPS: usize = 2;

/// The table in half floats, then the irradiance in floats, then the map's levels, all little-endian.
static EMBEDDED: &[u8; LENGTH] = include_bytes!("../../../assets/studio/studio.bin");

const LEVELS: usize = (SIZE / LAST_LEVEL_SIZE).ilog2() as usize + 1;
const TABLE_BYTES: usize = brdf_lut::SIDE * brdf_lut::SIDE * 4;
const IRRADIANCE_BYTES: usize = 9 * 3 * 4;
const LENGTH: usize = level_start(LEVELS);

pub(crate) static TABLE: &[u8] = EMBEDDED.split_at(TABLE_BYTES).0;

const fn level_start(level: usize) -> usize {
    let (mut at, mut i) = (TABLE_BYTES + IRRADIANCE_BYTES, 0);
    while i < level {
        at += (SIZE >> i) * (SIZE >> i) * 4;
        i += 1;
    }
    at
}

/// The embedded map of the studio.
pub fn studio_map() -> LightMap {
    let levels = (0..LEVELS).map(|level| Cow::Borrowed(&EMBEDDED[level_start(level)..level_start(level + 1)]));
    let mut numbers = EMBEDDED[TABLE_BYTES..].as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let mut next = || numbers.next().unwrap_or_default();
    let polynomial = std::array::from_fn(|_| Vec3::new(next(), next(), next()));
    let irradiance = Irradiance { polynomial, ..Irradiance::default() };
    LightMap { size: SIZE, levels: levels.collect(), irradiance, key: Some(studio::key()) }
}

/// Computes the embedded bytes.
pub fn made() -> Vec<u8> {
    let studio = Studio::standard();
    let map = LightMap::new(SIZE, STEPS, |direction| studio.radiance(direction.normalize()));
    let mut bytes: Vec<u8> = brdf_lut::table().as_flattened().iter().flat_map(|&share| half(share).to_le_bytes()).collect();
    bytes.extend(map.irradiance.polynomial.iter().flat_map(Vec3::to_array).flat_map(f32::to_le_bytes));
    map.levels.iter().for_each(|level| bytes.extend_from_slice(level));
    bytes
}

/// Converts a float from 0 to 1 to half precision.
fn half(share: f32) -> u16 {
    // Exponents differ by 112; below the smallest normal one the steps are even.
    if share < 6.103_515_6e-5 {
        return (share * 16_777_216.0 + 0.5) as u16;
    }
    let bits = share.to_bits() - (112 << 23);
    ((bits + 0xfff + (bits >> 13 & 1)) >> 13) as u16
}
