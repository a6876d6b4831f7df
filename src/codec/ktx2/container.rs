//! The KTX2 container: which format, and where the levels lie, with Zstandard or ZLIB around them or without. What is read is
//! bounded by the size that the level has to have.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::channels::Channels;
use super::codebook::{self, Codebooks};
use super::{Ktx2Error, Size, Texels};

/// The part of the header that all kinds share.
pub struct Container<'a> {
    bytes: &'a [u8],
    format: u32,
    pub size: Size,
    /// How many, at least one; never more than there can be.
    pub levels: u32,
    supercompression: u32,
}

const NO_SUPERCOMPRESSION: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;
const ZLIB: u32 = 3;

pub enum Kind {
    /// One slice or two, and in which channel the second is.
    Etc1s {
        slices: u32,
        second: usize,
    },
    Uastc,
    /// Pixels of so many bytes.
    Bytes {
        channels: usize,
    },
    /// Blocks that are unpacked, for few devices read them all.
    Channels(Channels),
    /// Blocks as graphics devices read them.
    Stored(Texels),
}

impl<'a> Container<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self, Ktx2Error> {
        let mut container = Self { bytes, format: 0, size: Size { width: 0, height: 0 }, levels: 1, supercompression: 0 };
        container.format = container.number(12)?;
        // Of a texture of one dimension the height is 0.
        container.size = Size { width: container.number(20)?, height: container.number(24)?.max(1) };
        let chain = container.size.width.max(container.size.height).max(1).ilog2() + 1;
        container.levels = container.number(40)?.clamp(1, chain);
        container.supercompression = container.number(44)?;
        Ok(container)
    }

    pub fn level_size(&self, level: u32) -> Size {
        Size { width: (self.size.width >> level).max(1), height: (self.size.height >> level).max(1) }
    }

    fn number(&self, at: usize) -> Result<u32, Ktx2Error> {
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(Ktx2Error::EndsEarly)?;
        Ok(u32::from_le_bytes(*bytes))
    }

    /// The bytes that an offset and a length of 64 bits name.
    fn part(&self, at: usize) -> Result<&'a [u8], Ktx2Error> {
        let long = |at| Ok(u64::from(self.number(at)?) | u64::from(self.number(at + 4)?) << 32);
        slice(self.bytes, long(at)?, long(at + 8)?)
    }

    fn stored_level(&self, level: u32) -> Result<&'a [u8], Ktx2Error> {
        self.part(80 + 24 * level as usize)
    }

    /// A level, decompressed, of which `wanted` bytes are needed.
    pub fn level(&self, level: u32, wanted: u64) -> Result<Cow<'a, [u8]>, Ktx2Error> {
        let stored = self.stored_level(level)?;
        let decoder: Box<dyn Read> = match self.supercompression {
            ZSTANDARD => Box::new(StreamingDecoder::new(stored).map_err(|_| Ktx2Error::Codes)?),
            ZLIB => Box::new(ZlibDecoder::new(stored)),
            _ => return slice(stored, 0, wanted).map(Cow::Borrowed),
        };
        let mut level = Vec::new();
        decoder.take(wanted).read_to_end(&mut level).map_err(|_| Ktx2Error::Codes)?;
        if level.len() as u64 == wanted { Ok(Cow::Owned(level)) } else { Err(Ktx2Error::EndsEarly) }
    }

    pub fn kind(&self) -> Result<Kind, Ktx2Error> {
        // Of the data format descriptor: the colour model, and what the second sample is.
        let descriptor = self.number(48)? as usize;
        let model = self.number(descriptor.saturating_add(12))? & 0xff;
        match (self.format, self.supercompression, model) {
            (0, BASIS_LZ, 163) => {
                let two = self.number(descriptor.saturating_add(8))? >> 16 >= 24 + 2 * 16;
                let second = if two { self.number(descriptor.saturating_add(28 + 16))? >> 24 & 15 } else { 15 };
                Ok(Kind::Etc1s { slices: 1 + u32::from(two), second: if second == 15 { 3 } else { 1 } })
            }
            (0, NO_SUPERCOMPRESSION | ZSTANDARD | ZLIB, 166) => Ok(Kind::Uastc),
            (0, NO_SUPERCOMPRESSION | ZSTANDARD | ZLIB, model) => Err(Ktx2Error::Unsupported(format!("the colour model {model}"))),
            (format, NO_SUPERCOMPRESSION | ZSTANDARD | ZLIB, _) => plain(format).ok_or_else(|| Ktx2Error::Unsupported(unsupported(format))),
            (_, scheme, _) => Err(Ktx2Error::Unsupported(format!("the supercompression scheme {scheme}"))),
        }
    }

    /// Of ETC1S.
    pub fn codebooks(&self) -> Result<Codebooks, Ktx2Error> {
        codebook::read(self.part(64)?, self.images(self.number(40)?.clamp(1, 32))?)
    }

    /// The slices of colour and alpha (empty without) in a level of ETC1S.
    pub fn slices(&self, level: u32) -> Result<[&'a [u8]; 2], Ktx2Error> {
        // Of each image the global data have its flags, then where its slices lie in the level; that of the first layer and
        // face comes first of a level.
        let at = self.images(level)?.saturating_mul(20).saturating_add(20);
        let [_, color_at, color_length, alpha_at, alpha_length] = codebook::numbers(self.part(64)?, at)?;
        let level = self.stored_level(level)?;
        Ok([slice(level, color_at.into(), color_length.into())?, slice(level, alpha_at.into(), alpha_length.into())?])
    }

    /// How many images are described before those of a level: layers, faces and depths of the larger ones.
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

/// Vulkan's formats, unsigned normalized and sRGB: what uses a texture says which of the two it is.
fn plain(format: u32) -> Option<Kind> {
    Some(match format {
        9 | 15 => Kind::Bytes { channels: 1 },
        16 | 22 => Kind::Bytes { channels: 2 },
        23 | 29 => Kind::Bytes { channels: 3 },
        37 | 43 => Kind::Bytes { channels: 4 },
        131..=134 => Kind::Stored(Texels::Bc1),
        135 | 136 => Kind::Stored(Texels::Bc2),
        137 | 138 => Kind::Stored(Texels::Bc3),
        139 => Kind::Channels(Channels { eac: false, count: 1 }),
        141 => Kind::Channels(Channels { eac: false, count: 2 }),
        145 | 146 => Kind::Stored(Texels::Bc7),
        147 | 148 => Kind::Stored(Texels::Etc2Rgb),
        149 | 150 => Kind::Stored(Texels::Etc2Rgba1),
        151 | 152 => Kind::Stored(Texels::Etc2Rgba8),
        153 => Kind::Channels(Channels { eac: true, count: 1 }),
        155 => Kind::Channels(Channels { eac: true, count: 2 }),
        157..=184 => {
            const SIZES: [(u8, u8); 14] =
                [(4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10), (12, 12)];
            let (width, height) = SIZES[(format as usize - 157) / 2];
            Kind::Stored(Texels::Astc { width, height })
        }
        _ => return None,
    })
}

fn unsupported(format: u32) -> String {
    match format {
        143 | 144 => format!("BC6H (Vulkan format {format})"),
        140 | 142 | 154 | 156 => format!("blocks of signed numbers (Vulkan format {format})"),
        _ => format!("the Vulkan format {format}"),
    }
}

pub fn slice(bytes: &[u8], offset: u64, length: u64) -> Result<&[u8], Ktx2Error> {
    let end = offset.checked_add(length).filter(|&end| end <= bytes.len() as u64).ok_or(Ktx2Error::EndsEarly)?;
    bytes.get(offset as usize..end as usize).ok_or(Ktx2Error::EndsEarly)
}
