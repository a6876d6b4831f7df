//! The KTX2 container: its format and its levels, optionally supercompressed with Zstandard or ZLIB. Decompression is limited to the size
//! that a level must have.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::bits::{read_u32s, slice};
use super::channels::Channels;
use super::codebook::{self, Codebooks};
use super::{Ktx2Error, Size, Texels};

/// The header of a file, and its bytes.
pub struct Container<'a> {
    bytes: &'a [u8],
    /// Vulkan format; 0 for Basis Universal textures.
    format: u32,
    pub size: Size,
    /// Number of levels: at least one, and at most as many as the size allows.
    pub levels: u32,
    supercompression: u32,
}

// Values of the header field `supercompressionScheme`.
const NO_SUPERCOMPRESSION: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;
const ZLIB: u32 = 3;

/// How the pixels of a level are stored.
pub enum PixelKind {
    /// One or two slices, and the RGBA channel that the second one holds.
    Etc1s { slices: u32, second_channel: usize },
    /// Blocks of 16 bytes that are transcoded.
    Uastc,
    /// Uncompressed pixels with one byte per channel.
    Bytes { channels: usize },
    /// Blocks that the processor unpacks, because few devices support all these formats.
    Channels(Channels),
    /// Blocks that graphics devices read directly.
    Stored(Texels),
}

impl<'a> Container<'a> {
    /// Reads the header. The levels are checked when they are read.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Ktx2Error> {
        let mut container = Self { bytes, format: 0, size: Size { width: 0, height: 0 }, levels: 1, supercompression: 0 };
        container.format = container.number(12)?;
        // A one-dimensional texture has height 0.
        container.size = Size { width: container.number(20)?, height: container.number(24)?.max(1) };
        // Length of a complete mip chain.
        let chain = container.size.width.max(container.size.height).max(1).ilog2() + 1;
        container.levels = container.number(40)?.clamp(1, chain);
        container.supercompression = container.number(44)?;
        Ok(container)
    }

    /// Returns the size of a level.
    pub fn level_size(&self, level: u32) -> Size {
        Size { width: (self.size.width >> level).max(1), height: (self.size.height >> level).max(1) }
    }

    /// Reads a little-endian number at an offset in bytes.
    fn number(&self, offset: usize) -> Result<u32, Ktx2Error> {
        let bytes = self.bytes.get(offset..).and_then(<[u8]>::first_chunk).ok_or(Ktx2Error::EndsEarly)?;
        Ok(u32::from_le_bytes(*bytes))
    }

    /// Returns the section of the file whose offset and length are stored at `offset`, as two numbers of 64 bits.
    fn section(&self, offset: usize) -> Result<&'a [u8], Ktx2Error> {
        let read_u64 = |offset| Ok(u64::from(self.number(offset)?) | u64::from(self.number(offset + 4)?) << 32);
        slice(self.bytes, read_u64(offset)?, read_u64(offset + 8)?)
    }

    /// Returns a level as it is stored.
    pub fn stored_level(&self, level: u32) -> Result<&'a [u8], Ktx2Error> {
        self.section(80 + 24 * level as usize)
    }

    /// Returns the first `length` bytes of a level, decompressed. Returns an error if there are fewer.
    pub fn level(&self, level: u32, length: u64) -> Result<Cow<'a, [u8]>, Ktx2Error> {
        let stored = self.stored_level(level)?;
        let decoder: Box<dyn Read> = match self.supercompression {
            ZSTANDARD => Box::new(StreamingDecoder::new(stored).map_err(|_| Ktx2Error::InvalidData)?),
            ZLIB => Box::new(ZlibDecoder::new(stored)),
            _ => return slice(stored, 0, length).map(Cow::Borrowed),
        };
        let mut level = Vec::new();
        decoder.take(length).read_to_end(&mut level).map_err(|_| Ktx2Error::InvalidData)?;
        if level.len() as u64 == length { Ok(Cow::Owned(level)) } else { Err(Ktx2Error::EndsEarly) }
    }

    /// Returns how the pixels are stored, or an error if this format is not supported.
    pub fn kind(&self) -> Result<PixelKind, Ktx2Error> {
        // The data format descriptor names the color model, and the channel of its second sample.
        let descriptor = self.number(48)? as usize;
        let model = self.number(descriptor.saturating_add(12))? & 0xff;
        match (self.format, self.supercompression, model) {
            (0, BASIS_LZ, 163) => {
                let has_second = self.number(descriptor.saturating_add(8))? >> 16 >= 24 + 2 * 16;
                let second = if has_second { self.number(descriptor.saturating_add(28 + 16))? >> 24 & 15 } else { 15 };
                Ok(PixelKind::Etc1s { slices: 1 + u32::from(has_second), second_channel: if second == 15 { 3 } else { 1 } })
            }
            (0, NO_SUPERCOMPRESSION | ZSTANDARD | ZLIB, 166) => Ok(PixelKind::Uastc),
            (0, NO_SUPERCOMPRESSION | ZSTANDARD | ZLIB, model) => Err(Ktx2Error::Unsupported(format!("the color model {model}"))),
            (format, NO_SUPERCOMPRESSION | ZSTANDARD | ZLIB, _) => {
                kind_of_format(format).ok_or_else(|| Ktx2Error::Unsupported(unsupported(format)))
            }
            (_, scheme, _) => Err(Ktx2Error::Unsupported(format!("the supercompression scheme {scheme}"))),
        }
    }

    /// Returns whether the file has BC1 blocks without alpha.
    pub fn is_opaque_bc1(&self) -> bool {
        matches!(self.format, 131 | 132)
    }

    /// Reads the codebooks of an ETC1S file.
    pub fn codebooks(&self) -> Result<Codebooks, Ktx2Error> {
        codebook::read(self.section(64)?, self.images(self.number(40)?.clamp(1, 32))?)
    }

    /// Returns the slices of color and alpha of an ETC1S level. The second is empty without alpha.
    pub fn slices(&self, level: u32) -> Result<[&'a [u8]; 2], Ktx2Error> {
        // Each image has flags and the positions of its slices in the level. The first layer and face come first in a level.
        let offset = self.images(level)?.saturating_mul(20).saturating_add(20);
        let [_, color_at, color_length, alpha_at, alpha_length] = read_u32s(self.section(64)?, offset)?;
        let level = self.stored_level(level)?;
        Ok([slice(level, color_at.into(), color_length.into())?, slice(level, alpha_at.into(), alpha_length.into())?])
    }

    /// Returns the number of images that precede those of a level: the layers, faces and depth slices of all larger levels.
    fn images(&self, level: u32) -> Result<u64, Ktx2Error> {
        let mut images = 0u64;
        for level in 0..level {
            let depth = u64::from((self.number(28)? >> level).max(1));
            let faces = u64::from(self.number(32)?.max(1)) * u64::from(self.number(36)?.clamp(1, 6));
            images = images.saturating_add(depth.saturating_mul(faces));
        }
        Ok(images)
    }
}

/// Returns the kind of a Vulkan format that is unsigned normalized or sRGB. The use of the texture decides which of the two applies.
fn kind_of_format(format: u32) -> Option<PixelKind> {
    Some(match format {
        9 | 15 => PixelKind::Bytes { channels: 1 },
        16 | 22 => PixelKind::Bytes { channels: 2 },
        23 | 29 => PixelKind::Bytes { channels: 3 },
        37 | 43 => PixelKind::Bytes { channels: 4 },
        131..=134 => PixelKind::Stored(Texels::Bc1),
        135 | 136 => PixelKind::Stored(Texels::Bc2),
        137 | 138 => PixelKind::Stored(Texels::Bc3),
        139 => PixelKind::Channels(Channels { eac: false, count: 1 }),
        141 => PixelKind::Channels(Channels { eac: false, count: 2 }),
        145 | 146 => PixelKind::Stored(Texels::Bc7),
        147 | 148 => PixelKind::Stored(Texels::Etc2Rgb),
        149 | 150 => PixelKind::Stored(Texels::Etc2Rgba1),
        151 | 152 => PixelKind::Stored(Texels::Etc2Rgba8),
        153 => PixelKind::Channels(Channels { eac: true, count: 1 }),
        155 => PixelKind::Channels(Channels { eac: true, count: 2 }),
        157..=184 => {
            const SIZES: [(u8, u8); 14] =
                [(4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10), (12, 12)];
            let (width, height) = SIZES[(format as usize - 157) / 2];
            PixelKind::Stored(Texels::Astc { width, height })
        }
        _ => return None,
    })
}

/// Describes a Vulkan format that is not supported.
fn unsupported(format: u32) -> String {
    match format {
        143 | 144 => format!("BC6H (Vulkan format {format})"),
        140 | 142 | 154 | 156 => format!("blocks of signed numbers (Vulkan format {format})"),
        _ => format!("the Vulkan format {format}"),
    }
}
