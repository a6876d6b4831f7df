//! Reads panoramas: .hdr and .exr files with image-based light, in equirectangular projection. Sizes are limited before anything
//! is allocated. Negative values and NaN become black.

use std::f32::consts::{PI, TAU};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use exr::meta::{BlockDescription, MetaData};
use glam::{Vec3, vec3};
use image::{ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use thiserror::Error;

use crate::asset::error::read_reason;
use crate::numbers::grouped;

/// Longest side of an image, in pixels.
const MAX_SIDE_PIXELS: u32 = 16384;
/// Largest image, in pixels.
const MAX_PIXELS: u64 = 8192 * 4096;
/// Largest file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// Wider panoramas are halved to this width, in pixels: finer detail is not visible in the light.
const MAX_WIDTH_PIXELS: usize = 4096;
/// Maximum radiance; larger values are clamped. The sun is about 100,000 times brighter than the sky.
const MAX_RADIANCE: f32 = 1e6;

/// File extensions of panoramas.
pub const FILE_EXTENSIONS: [&str; 2] = ["hdr", "exr"];

/// The reason why a panorama cannot be read.
#[derive(Debug, Error)]
pub enum PanoramaError {
    #[error("cannot read {}: {}", path.display(), read_reason(reason))]
    Read { path: PathBuf, reason: std::io::Error },
    #[error("{path}: not a Radiance (.hdr) or OpenEXR (.exr) file", path = path.display())]
    Kind { path: PathBuf },
    #[error("{path}: the file has {} bytes; at most {} are supported", grouped(*bytes), grouped(MAX_FILE_BYTES), path = path.display())]
    File { path: PathBuf, bytes: u64 },
    #[error("{path}: {width} x {height} pixels exceed the limit of 8192 x 4096: reduce the image", path = path.display())]
    Size { path: PathBuf, width: u32, height: u32 },
    #[error("{path}: {width} x {height} pixels are not a panorama (expected twice as wide as high)", path = path.display())]
    Shape { path: PathBuf, width: u32, height: u32 },
    #[error("{path}: the image is broken: {reason}", path = path.display())]
    Broken { path: PathBuf, reason: ImageError },
    #[error("{path}: not enough memory to read it", path = path.display())]
    Memory { path: PathBuf },
}

/// Linear RGB radiance in equirectangular projection: rows from the top, `width` times `height` texels.
#[derive(Debug, Clone, PartialEq)]
pub struct Panorama {
    pub width: usize,
    pub height: usize,
    pub texels: Vec<Vec3>,
}

/// Returns whether the file extension belongs to a panorama.
pub fn is_panorama(path: &Path) -> bool {
    path.extension().is_some_and(|found| FILE_EXTENSIONS.iter().any(|extension| found.eq_ignore_ascii_case(extension)))
}

/// Returns whether an image of this width and height is too large to decode.
fn exceeds_limits([width, height]: [u32; 2]) -> bool {
    u64::from(width) * u64::from(height) > MAX_PIXELS || width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS
}

/// The width and height, in pixels, that all layers and tiles of an EXR file fit into. Decoding allocates memory for them, although the
/// displayed part of the image may be much smaller. `None` if the header cannot be read.
fn largest_exr_sides(bytes: &[u8]) -> Option<[usize; 2]> {
    let headers = MetaData::read_from_buffered(bytes, false).ok()?.headers;
    let sizes = headers.iter().flat_map(|header| {
        let tile = match header.blocks {
            BlockDescription::Tiles(tiles) => Some(tiles.tile_size),
            BlockDescription::ScanLines => None,
        };
        [Some(header.layer_size), tile]
    });
    sizes.flatten().map(|size| [size.width(), size.height()]).reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])
}

impl Panorama {
    /// Reads and decodes a panorama. An error names the file.
    pub fn read(path: &Path) -> Result<Self, PanoramaError> {
        let read_error = |reason| PanoramaError::Read { path: path.to_owned(), reason };
        // Check before opening: opening a pipe would wait for a writer.
        let metadata = std::fs::metadata(path).map_err(read_error)?;
        if !metadata.is_file() {
            return Err(PanoramaError::Kind { path: path.to_owned() });
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)).map_err(read_error)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(PanoramaError::File { path: path.to_owned(), bytes: metadata.len() });
        }
        Self::from_bytes(&bytes, path)
    }

    /// Decodes a panorama, which is recognized by its first bytes. `path` is for error messages.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, PanoramaError> {
        let path = || path.to_owned();
        let format = match bytes {
            [b'#', b'?', ..] => ImageFormat::Hdr,
            [0x76, 0x2f, 0x31, 0x01, ..] => ImageFormat::OpenExr,
            _ => return Err(PanoramaError::Kind { path: path() }),
        };
        let broken = |reason| PanoramaError::Broken { path: path(), reason };
        if format == ImageFormat::OpenExr {
            let sides = |[width, height]: [usize; 2]| [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
            let too_large = largest_exr_sides(bytes).map(sides).filter(|sides| exceeds_limits(*sides));
            if let Some([width, height]) = too_large {
                return Err(PanoramaError::Size { path: path(), width, height });
            }
        }
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        // Limit only the memory here: the size is checked below, with a better message.
        let mut limits = Limits::no_limits();
        limits.max_alloc = Some(MAX_PIXELS * 16);
        reader.limits(limits);
        let decoder = reader.into_decoder().map_err(broken)?;
        let (width, height) = decoder.dimensions();
        if exceeds_limits([width, height]) {
            return Err(PanoramaError::Size { path: path(), width, height });
        }
        // A panorama is twice as wide as high. Some lack a row or two, so a small difference is allowed.
        if height == 0 || (f64::from(width) / f64::from(height) - 2.0).abs() > 0.1 {
            return Err(PanoramaError::Shape { path: path(), width, height });
        }
        let channels = usize::from(decoder.color_type().channel_count());
        let length = usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX);
        // Reserve memory in a way that reports failure: a panorama can be larger than the free memory.
        let mut decoded = Vec::new();
        decoded.try_reserve_exact(length).map_err(|_| PanoramaError::Memory { path: path() })?;
        decoded.resize(length, 0);
        decoder.read_image(&mut decoded).map_err(broken)?;
        let value = |bytes: &[u8]| clamp_radiance(bytes.first_chunk().map_or(0.0, |bytes| f32::from_ne_bytes(*bytes)));
        // One channel is gray, two are gray and alpha.
        let texel = |bytes: &[u8]| match channels {
            1 | 2 => Vec3::splat(value(bytes)),
            _ => vec3(value(bytes), value(&bytes[4..]), value(&bytes[8..])),
        };
        let mut texels = Vec::new();
        texels.try_reserve_exact(length / (channels * 4).max(1)).map_err(|_| PanoramaError::Memory { path: path() })?;
        texels.extend(decoded.chunks_exact(channels * 4).map(texel));
        drop(decoded);
        let mut panorama = Self { width: width as usize, height: height as usize, texels };
        while panorama.width > MAX_WIDTH_PIXELS {
            panorama = panorama.halved();
        }
        Ok(panorama)
    }

    /// The panorama at half the width and height. Each texel is the mean of four texels.
    fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, (self.height / 2).max(1));
        let row = |y: usize| &self.texels[y * self.width..][..self.width];
        let texels = (0..height).flat_map(|y| {
            let (above, below) = (row(2 * y), row((2 * y + 1).min(self.height - 1)));
            let pairs = above.chunks_exact(2).zip(below.chunks_exact(2));
            pairs.map(|(above, below)| (above[0] + above[1] + below[0] + below[1]) * 0.25)
        });
        Self { width, height, texels: texels.collect() }
    }

    /// The radiance from a direction of unit length, interpolated between the four nearest texels. The center of the image is at
    /// -Z, behind a model seen from its front. +X is to the right of the center.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        // Texel coordinates: longitude from -Z goes across, the angle from +Y goes down. Texel centers are at halves.
        let across = (direction.x.atan2(-direction.z) / TAU + 0.5) * self.width as f32 - 0.5;
        let down = direction.y.clamp(-1.0, 1.0).acos() / PI * self.height as f32 - 0.5;
        let (left, top) = (across.floor(), down.floor());
        let (fx, fy) = (across - left, down - top);
        // Columns wrap around, rows end at the poles.
        let column = |by: i32| (left as i32 + by).rem_euclid(self.width as i32) as usize;
        let (left, right) = (column(0), column(1));
        let row = |by: i32| {
            let row = &self.texels[(top as i32 + by).clamp(0, self.height as i32 - 1) as usize * self.width..][..self.width];
            row[left] + (row[right] - row[left]) * fx
        };
        let (above, below) = (row(0), row(1));
        above + (below - above) * fy
    }
}

/// Clamps a radiance to the range from 0 to the limit. NaN becomes 0, because it compares false.
fn clamp_radiance(value: f32) -> f32 {
    if value > 0.0 { value.min(MAX_RADIANCE) } else { 0.0 }
}
