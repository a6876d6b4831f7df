//! The studio's environment map and the BRDF table. Computing them takes seconds, so the results are embedded in the program. They are
//! compressed to a fifth of their size. `cargo run --example make_studio` computes them with [`build`] and writes the embedded file. A test
//! compares that file with the result of [`build`].

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use glam::Vec3;

use crate::render::light::studio::{self, Studio};

use super::brdf_lut;
use super::harmonics::Irradiance;
use super::map::EnvironmentMap;
use super::octahedral::LAST_LEVEL_SIZE;

/// Side of the first level, in texels.
const SIZE: usize = 512;
/// Samples along each side of a texel. One is not enough, because the studio's soft boxes have sharp edges.
const STEPS: usize = 2;

/// The result of [`compress`].
static EMBEDDED: &[u8] = include_bytes!("../../../assets/studio/studio.bin");

/// Number of mip levels.
const LEVELS: usize = (SIZE / LAST_LEVEL_SIZE).ilog2() as usize + 1;
/// Bytes of the BRDF table, two half floats per entry.
const TABLE_BYTES: usize = brdf_lut::SIDE * brdf_lut::SIDE * 4;
/// Bytes of the irradiance, nine RGB coefficients in floats.
const IRRADIANCE_BYTES: usize = 9 * 3 * 4;
/// Bytes of table, irradiance and all levels.
const LENGTH: usize = level_start(LEVELS);

/// Returns the BRDF table, as it is uploaded.
pub(crate) fn brdf_table() -> Vec<u8> {
    uncompress(TABLE_BYTES)
}

/// Returns the offset of a mip level, in bytes.
const fn level_start(level: usize) -> usize {
    let (mut offset, mut i) = (TABLE_BYTES + IRRADIANCE_BYTES, 0);
    while i < level {
        offset += (SIZE >> i) * (SIZE >> i) * 4;
        i += 1;
    }
    offset
}

/// Returns the embedded map of the studio.
pub fn studio_map() -> EnvironmentMap {
    let bytes = embedded();
    let levels = (0..LEVELS).map(|level| bytes[level_start(level)..level_start(level + 1)].to_vec()).collect();
    let mut numbers = bytes[TABLE_BYTES..].as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let mut next = || numbers.next().unwrap_or_default();
    let polynomial = std::array::from_fn(|_| Vec3::new(next(), next(), next()));
    let irradiance = Irradiance { polynomial, ..Irradiance::default() };
    EnvironmentMap { size: SIZE, levels, irradiance, key: Some(studio::key()) }
}

/// Computes the BRDF table in half floats, then the irradiance in floats, then the map's levels, all little-endian.
pub fn build() -> Vec<u8> {
    let studio = Studio::standard();
    let map = EnvironmentMap::new(SIZE, STEPS, |direction| studio.radiance(direction.normalize()));
    let mut bytes: Vec<u8> = brdf_lut::table().as_flattened().iter().flat_map(|&value| half(value).to_le_bytes()).collect();
    bytes.extend(map.irradiance.polynomial.iter().flat_map(Vec3::to_array).flat_map(f32::to_le_bytes));
    map.levels.iter().for_each(|level| bytes.extend_from_slice(level));
    bytes
}

/// Returns the embedded bytes, in the format of [`build`].
pub fn embedded() -> Vec<u8> {
    uncompress(LENGTH)
}

/// Compresses the result of [`build`] with zlib. It stores the differences of consecutive words, which take 40 % less space than the words.
pub fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut previous = 0;
    for bytes in bytes.as_chunks::<4>().0 {
        let word = u32::from_le_bytes(*bytes);
        encoder.write_all(&word.wrapping_sub(previous).to_le_bytes())?;
        previous = word;
    }
    encoder.finish()
}

/// Returns the first `len` embedded bytes, uncompressed. `len` is a multiple of four and at most [`LENGTH`].
fn uncompress(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    ZlibDecoder::new(EMBEDDED).read_exact(&mut bytes).expect("the embedded file is complete");
    let mut word = 0u32;
    for bytes in bytes.as_chunks_mut::<4>().0 {
        word = word.wrapping_add(u32::from_le_bytes(*bytes));
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// Converts a float from 0 to 1 to half precision.
fn half(value: f32) -> u16 {
    // Half floats below the smallest normal one are multiples of 2^-24.
    if value < 6.103_515_6e-5 {
        return (value * 16_777_216.0 + 0.5) as u16;
    }
    // The exponent biases of `f32` and half floats differ by 112. The additions below round to nearest, ties to even.
    let bits = value.to_bits() - (112 << 23);
    ((bits + 0xfff + (bits >> 13 & 1)) >> 13) as u16
}
