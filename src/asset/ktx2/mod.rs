//! KTX2 textures (KHR_texture_basisu, and plain ones) to RGBA. The container is read here: which format, where the largest
//! level lies. Levels below it are not read: all images get theirs in one way. ETC1S, which is compressed against
//! codebooks of the whole file, is `codebook` and `etc1s`, its bits and Huffman codes `bits`; UASTC is `uastc`.

mod bits;
mod codebook;
mod etc1s;
mod uastc;

use std::borrow::Cow;
use std::io::Read;

use ruzstd::decoding::StreamingDecoder;
use thiserror::Error;

use etc1s::Slice;

#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum Ktx2Error {
    #[error("the KTX2 file ends early")]
    EndsEarly,
    #[error("KTX2 files in {0} are not supported")]
    Unsupported(String),
    #[error("the codes of the KTX2 file cannot be decoded")]
    Codes,
}

/// In pixels.
#[derive(Debug, Clone, Copy)]
struct Size {
    width: u32,
    height: u32,
}

/// The part of the header that all kinds share.
struct Container<'a> {
    bytes: &'a [u8],
    format: u32,
    size: Size,
    supercompression: u32,
}

const NO_SUPERCOMPRESSION: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;

/// Width and height, of files that can be decoded.
pub fn size(bytes: &[u8]) -> Result<(u32, u32), Ktx2Error> {
    let container = Container::read(bytes)?;
    container.kind()?;
    Ok((container.size.width, container.size.height))
}

/// RGBA of the largest level, of the first layer and face, rows from the top.
pub fn decode(bytes: &[u8]) -> Result<Vec<u8>, Ktx2Error> {
    let container = Container::read(bytes)?;
    match container.kind()? {
        Kind::Etc1s { second } => container.etc1s(second),
        Kind::Uastc => container.uastc(),
        Kind::Bytes { channels } => container.plain(channels),
    }
}

enum Kind {
    /// With which channel a second slice holds, if there is one.
    Etc1s {
        second: usize,
    },
    Uastc,
    /// Pixels of so many bytes.
    Bytes {
        channels: usize,
    },
}

impl<'a> Container<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Ktx2Error> {
        let mut container = Self { bytes, format: 0, size: Size { width: 0, height: 0 }, supercompression: 0 };
        container.format = container.number(12)?;
        // Of a texture of one dimension the height is 0.
        container.size = Size { width: container.number(20)?, height: container.number(24)?.max(1) };
        container.supercompression = container.number(44)?;
        Ok(container)
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

    /// The largest level, decompressed, of which `wanted` bytes are needed.
    fn level(&self, wanted: u64) -> Result<Cow<'a, [u8]>, Ktx2Error> {
        let stored = self.part(80)?;
        if self.supercompression != ZSTANDARD {
            return slice(stored, 0, wanted).map(Cow::Borrowed);
        }
        let mut level = Vec::new();
        let decoder = StreamingDecoder::new(stored).map_err(|_| Ktx2Error::Codes)?;
        decoder.take(wanted).read_to_end(&mut level).map_err(|_| Ktx2Error::Codes)?;
        if level.len() as u64 == wanted { Ok(Cow::Owned(level)) } else { Err(Ktx2Error::EndsEarly) }
    }

    fn kind(&self) -> Result<Kind, Ktx2Error> {
        // Of the data format descriptor: the colour model, and what the second sample is.
        let descriptor = self.number(48)? as usize;
        let model = self.number(descriptor.saturating_add(12))? & 0xff;
        match (self.format, self.supercompression, model) {
            (0, BASIS_LZ, 163) => {
                let samples = self.number(descriptor.saturating_add(8))? >> 16 >= 24 + 2 * 16;
                let second = if samples { self.number(descriptor.saturating_add(28 + 16))? >> 24 & 15 } else { 15 };
                Ok(Kind::Etc1s { second: if second == 15 { 3 } else { 1 } })
            }
            (0, NO_SUPERCOMPRESSION | ZSTANDARD, 166) => Ok(Kind::Uastc),
            // Unsigned normalized and sRGB bytes.
            (9 | 15, NO_SUPERCOMPRESSION | ZSTANDARD, _) => Ok(Kind::Bytes { channels: 1 }),
            (16 | 22, NO_SUPERCOMPRESSION | ZSTANDARD, _) => Ok(Kind::Bytes { channels: 2 }),
            (23 | 29, NO_SUPERCOMPRESSION | ZSTANDARD, _) => Ok(Kind::Bytes { channels: 3 }),
            (37 | 43, NO_SUPERCOMPRESSION | ZSTANDARD, _) => Ok(Kind::Bytes { channels: 4 }),
            (0, NO_SUPERCOMPRESSION | ZSTANDARD, model) => Err(Ktx2Error::Unsupported(format!("the colour model {model}"))),
            (format, NO_SUPERCOMPRESSION | ZSTANDARD, _) => Err(Ktx2Error::Unsupported(format!("the Vulkan format {format}"))),
            (_, scheme, _) => Err(Ktx2Error::Unsupported(format!("the supercompression scheme {scheme}"))),
        }
    }

    fn plain(&self, channels: usize) -> Result<Vec<u8>, Ktx2Error> {
        let count = self.size.width as usize * self.size.height as usize;
        let level = self.level((count * channels) as u64)?;
        let mut rgba = Vec::with_capacity(count * 4);
        for pixel in level.chunks_exact(channels) {
            let channel = |index: usize, absent: u8| pixel.get(index).copied().unwrap_or(absent);
            rgba.extend([channel(0, 0), channel(1, 0), channel(2, 0), channel(3, 255)]);
        }
        Ok(rgba)
    }

    fn uastc(&self) -> Result<Vec<u8>, Ktx2Error> {
        let blocks = self.level(uastc::block_bytes(self.size))?;
        let mut rgba = vec![0; self.size.width as usize * self.size.height as usize * 4];
        uastc::decode(&blocks, self.size, &mut rgba)?;
        Ok(rgba)
    }

    fn etc1s(&self, second: usize) -> Result<Vec<u8>, Ktx2Error> {
        let global = self.part(64)?;
        let codebooks = codebook::read(global, self.images()?)?;
        let slices = Slice { codebooks: &codebooks, size: self.size };
        // The first image is that of the largest level: its flags, then where its slices lie in the level.
        let [_, colors_at, colors_length, alpha_at, alpha_length] = codebook::numbers(global, 20)?;
        let level = self.part(80)?;
        let mut rgba = vec![255; self.size.width as usize * self.size.height as usize * 4];
        slices.decode(slice(level, colors_at.into(), colors_length.into())?, &mut rgba, &[(0, 0), (1, 1), (2, 2)])?;
        if alpha_length > 0 {
            // Grey in principle; where its codebook is not, green is meant.
            slices.decode(slice(level, alpha_at.into(), alpha_length.into())?, &mut rgba, &[(1, second)])?;
        }
        Ok(rgba)
    }

    /// Levels, layers, faces and depths: how many images are described.
    fn images(&self) -> Result<u64, Ktx2Error> {
        let mut images = 0u64;
        for level in 0..self.number(40)?.clamp(1, 32) {
            let depth = u64::from((self.number(28)? >> level).max(1));
            images += depth * u64::from(self.number(32)?.max(1)) * u64::from(self.number(36)?.clamp(1, 6));
        }
        Ok(images)
    }
}

fn slice(bytes: &[u8], offset: u64, length: u64) -> Result<&[u8], Ktx2Error> {
    let end = offset.checked_add(length).filter(|&end| end <= bytes.len() as u64).ok_or(Ktx2Error::EndsEarly)?;
    bytes.get(offset as usize..end as usize).ok_or(Ktx2Error::EndsEarly)
}
