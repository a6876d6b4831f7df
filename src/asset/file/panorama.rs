//! Panoramas: .hdr and .exr files with the light from all around, as equirectangular images. What a hostile file could ask for is
//! bounded before anything is allocated, and what is no light (below nothing, not a number) is taken for darkness.

use std::f32::consts::{PI, TAU};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use glam::{Vec3, vec3};
use image::{ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use thiserror::Error;

/// No side of an image is longer, and it has no more pixels.
const LONGEST: u32 = 16384;
const MOST_PIXELS: u64 = 8192 * 4096;
/// Bytes of a file.
const LARGEST_FILE: u64 = 1 << 30;
/// Wider ones are halved: no more of them is seen.
const WIDEST: usize = 4096;
/// The sun is some hundred thousand times as bright as the sky beside it; nothing is brighter than this.
const BRIGHTEST: f32 = 1e6;

/// Endings of the files that are read.
pub const ENDINGS: [&str; 2] = ["hdr", "exr"];

#[derive(Debug, Error)]
pub enum PanoramaError {
    #[error("{path}: cannot be read: {reason}", path = path.display())]
    Read { path: PathBuf, reason: std::io::Error },
    #[error("{path}: neither a Radiance (.hdr) nor an OpenEXR (.exr) file", path = path.display())]
    Kind { path: PathBuf },
    #[error("{path}: the file has {bytes} bytes; of an environment at most {LARGEST_FILE} are read", path = path.display())]
    File { path: PathBuf, bytes: u64 },
    #[error("{path}: {width} x {height} pixels; an environment has at most 8192 x 4096: make it smaller", path = path.display())]
    Size { path: PathBuf, width: u32, height: u32 },
    #[error("{path}: {width} x {height} pixels are no panorama: it is twice as wide as high", path = path.display())]
    Shape { path: PathBuf, width: u32, height: u32 },
    #[error("{path}: the image is broken: {reason}", path = path.display())]
    Broken { path: PathBuf, reason: ImageError },
    #[error("{path}: reading it needs more memory than there is", path = path.display())]
    Memory { path: PathBuf },
}

/// Linear light, in rows from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Panorama {
    pub width: usize,
    pub height: usize,
    pub texels: Vec<Vec3>,
}

pub fn is_panorama(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ENDINGS.iter().any(|ending| extension.eq_ignore_ascii_case(ending)))
}

impl Panorama {
    pub fn read(path: &Path) -> Result<Self, PanoramaError> {
        let unread = |reason| PanoramaError::Read { path: path.to_owned(), reason };
        // What is no file may never end, or never begin.
        let about = std::fs::metadata(path).map_err(unread)?;
        if !about.is_file() {
            return Err(PanoramaError::Kind { path: path.to_owned() });
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)).map_err(unread)?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(PanoramaError::File { path: path.to_owned(), bytes: about.len() });
        }
        Self::from_bytes(&bytes, path)
    }

    /// `path`: what the file is called where something is wrong with it.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, PanoramaError> {
        let path = || path.to_owned();
        let format = match bytes {
            [b'#', b'?', ..] => ImageFormat::Hdr,
            [0x76, 0x2f, 0x31, 0x01, ..] => ImageFormat::OpenExr,
            _ => return Err(PanoramaError::Kind { path: path() }),
        };
        let broken = |reason| PanoramaError::Broken { path: path(), reason };
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        // The size is looked at below.
        let mut limits = Limits::no_limits();
        limits.max_alloc = Some(MOST_PIXELS * 16);
        reader.limits(limits);
        let decoder = reader.into_decoder().map_err(broken)?;
        let (width, height) = decoder.dimensions();
        if u64::from(width) * u64::from(height) > MOST_PIXELS || width > LONGEST || height > LONGEST {
            return Err(PanoramaError::Size { path: path(), width, height });
        }
        // Some are a row or two short.
        if height == 0 || (f64::from(width) / f64::from(height) - 2.0).abs() > 0.1 {
            return Err(PanoramaError::Shape { path: path(), width, height });
        }
        let channels = usize::from(decoder.color_type().channel_count());
        let length = usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX);
        let mut decoded = Vec::new();
        decoded.try_reserve_exact(length).map_err(|_| PanoramaError::Memory { path: path() })?;
        decoded.resize(length, 0);
        decoder.read_image(&mut decoded).map_err(broken)?;
        let value = |bytes: &[u8]| light(bytes.first_chunk().map_or(0.0, |bytes| f32::from_ne_bytes(*bytes)));
        let texel = |bytes: &[u8]| match channels {
            1 | 2 => Vec3::splat(value(bytes)),
            _ => vec3(value(bytes), value(&bytes[4..]), value(&bytes[8..])),
        };
        let mut texels = Vec::new();
        texels.try_reserve_exact(length / (channels * 4).max(1)).map_err(|_| PanoramaError::Memory { path: path() })?;
        texels.extend(decoded.chunks_exact(channels * 4).map(texel));
        drop(decoded);
        let mut panorama = Self { width: width as usize, height: height as usize, texels };
        while panorama.width > WIDEST {
            panorama = panorama.halved();
        }
        Ok(panorama)
    }

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

    /// Between the four nearest texels; `direction`: of unit length. The middle of the image is at -Z, behind the model as it is seen
    /// from its front; what is right of it is at +X.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let across = (direction.x.atan2(-direction.z) / TAU + 0.5) * self.width as f32 - 0.5;
        let down = direction.y.clamp(-1.0, 1.0).acos() / PI * self.height as f32 - 0.5;
        let (left, top) = (across.floor(), down.floor());
        let (fx, fy) = (across - left, down - top);
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

fn light(value: f32) -> f32 {
    if value > 0.0 { value.min(BRIGHTEST) } else { 0.0 }
}
