//! Decodes KTX2 textures (KHR_texture_basisu, and plain formats) with all their levels, to a block format that the device supports, or to
//! RGBA if there is none.
//!
//! - `container`: header and levels
//! - `codebook`, `etc1s`, `bits`: decode ETC1S, whose codebooks are shared by the whole file; `etc1s_blocks` transcodes it to BC1, BC3 or
//!   ETC2
//! - `uastc`, `patterns`: decode UASTC; `uastc_bc7` and `bc7` transcode it to BC7, and `astc` to ASTC
//! - `channels`: unpacks blocks of one or two channels; `bc1` unpacks BC1 without alpha

mod astc;
mod bc1;
mod bc7;
mod bits;
mod channels;
mod codebook;
mod container;
mod etc1s;
mod etc1s_blocks;
mod patterns;
mod uastc;
mod uastc_bc7;

use thiserror::Error;

use super::texels::{BlockFormats, DecodeOptions, DecodedImage, Texels};

use codebook::Codebooks;
use container::{Container, PixelKind};
use etc1s::Slice;

/// Why a KTX2 file cannot be decoded.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum Ktx2Error {
    #[error("the KTX2 file is truncated")]
    EndsEarly,
    #[error("KTX2 files with {0} are not supported; use UASTC or ETC1S instead")]
    Unsupported(String),
    #[error("the KTX2 data is invalid")]
    InvalidData,
    #[error("the KTX2 file has {0} blocks, which this graphics device does not support; use UASTC or ETC1S instead")]
    UnsupportedBlocks(&'static str),
    #[error("the KTX2 file has no level that is small enough for this graphics device")]
    NoSmallLevel,
    #[error("the KTX2 file has {width} x {height} pixels, not a multiple of its blocks of {0} x {1}", block[0], block[1])]
    PartialBlocks { width: u32, height: u32, block: [u32; 2] },
    #[error("{width} x {height} pixels of the KTX2 file are more than the {limit} bytes that may be decoded")]
    TooLarge { width: u32, height: u32, limit: u64 },
}

/// A size, in pixels.
#[derive(Debug, Clone, Copy)]
struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// Returns opaque white pixels of this size.
    fn rgba(self) -> Vec<u8> {
        vec![255; self.width as usize * self.height as usize * 4]
    }
}

/// Properties of a file that are known without decoding.
pub struct Info {
    /// Width of the first level, in pixels.
    pub width: u32,
    /// Height of the first level, in pixels.
    pub height: u32,
    /// Number of levels that can serve as the largest one; at least one.
    pub levels: u32,
    /// The format that the file is decoded to, with mip maps, for a device that supports BC blocks. BC1 that is unpacked to RGBA counts as
    /// BC1.
    pub texels: Texels,
    /// Whether only devices that support its blocks can show it.
    pub needs_blocks: bool,
}

/// Returns the properties of a file, or an error if it cannot be decoded.
pub fn info(bytes: &[u8]) -> Result<Info, Ktx2Error> {
    let container = Container::read(bytes)?;
    let Size { width, height } = container.size;
    let kind = container.kind()?;
    let info = Info { width, height, levels: container.levels, texels: Texels::Rgba8, needs_blocks: false };
    if let PixelKind::Stored(texels) = kind {
        check_whole_blocks(texels, container.size)?;
        let usable = |&level: &u32| check_whole_blocks(texels, container.level_size(level)).is_ok();
        // The largest level is always included. It may have a side of 0, while the sides of smaller levels are at least 1.
        let levels = 1 + (1..container.levels).take_while(usable).count() as u32;
        return Ok(Info { levels, texels, needs_blocks: true, ..info });
    }
    let common = DecodeOptions { blocks: BlockFormats { bc: true, ..BlockFormats::default() }, ..DecodeOptions::default() };
    Ok(Info { texels: target(&container, &kind, &common, 0)?, ..info })
}

/// Returns whether the file ends before the header or the data of a level does.
pub fn is_truncated(bytes: &[u8]) -> bool {
    Container::read(bytes).is_ok_and(|container| (0..container.levels).any(|level| container.stored_level(level).is_err()))
}

/// Decodes the levels of the first layer and face, without the `dropped` largest ones. If this leaves no level, it decodes only the
/// smallest one. If a level after the first decoded one cannot be read, the chain ends before it. `limit` bounds the size of the largest
/// decoded level, in bytes as RGBA; it is checked before anything is allocated.
pub fn decode(bytes: &[u8], wanted: &DecodeOptions, dropped: u32, limit: u64) -> Result<DecodedImage, Ktx2Error> {
    let container = Container::read(bytes)?;
    let kind = container.kind()?;
    let first = dropped.min(container.levels - 1);
    let Size { width, height } = container.level_size(first);
    if Texels::Rgba8.level_bytes([width, height]) > limit {
        return Err(Ktx2Error::TooLarge { width, height, limit });
    }
    let texels = target(&container, &kind, wanted, dropped)?;
    let codebooks = match kind {
        PixelKind::Etc1s { .. } => Some(container.codebooks()?),
        _ => None,
    };
    let decoder = Decoder { container: &container, kind: &kind, codebooks: codebooks.as_ref(), texels };
    let mut levels = vec![decoder.level(first)?];
    if wanted.mipmaps && dropped == first {
        levels.extend((first + 1..container.levels).map_while(|level| decoder.level(level).ok()));
    }
    if container.is_opaque_bc1() && levels.iter().any(|level| bc1::has_holes(level)) {
        let unpack = |(level, blocks): (u32, &Vec<u8>)| bc1::unpack(blocks, container.level_size(level));
        let levels = (first..).zip(&levels).map(unpack).collect();
        return Ok(DecodedImage { width, height, texels: Texels::Rgba8, levels });
    }
    Ok(DecodedImage { width, height, texels, levels })
}

/// Returns the format to decode to. BC is preferred, because devices that support it read it at full speed.
fn target(container: &Container, kind: &PixelKind, wanted: &DecodeOptions, dropped: u32) -> Result<Texels, Ktx2Error> {
    let (offered, first) = (wanted.blocks, dropped.min(container.levels - 1));
    let size = container.level_size(first);
    if let PixelKind::Stored(texels) = *kind {
        check_whole_blocks(texels, size)?;
        return match offered.has(texels) {
            true if dropped > first => Err(Ktx2Error::NoSmallLevel),
            true => Ok(texels),
            false => Err(Ktx2Error::UnsupportedBlocks(texels.name())),
        };
    }
    let blocks = match kind {
        PixelKind::Uastc if offered.bc => Texels::Bc7,
        PixelKind::Uastc if offered.astc => Texels::Astc { width: 4, height: 4 },
        PixelKind::Etc1s { second_channel: 3, slices } => match (slices, offered.bc, offered.etc2) {
            (1, true, _) => Texels::Bc1,
            (_, true, _) => Texels::Bc3,
            (1, _, true) => Texels::Etc2Rgb,
            (_, _, true) => Texels::Etc2Rgba8,
            _ => Texels::Rgba8,
        },
        _ => Texels::Rgba8,
    };
    // Block formats need whole blocks in the largest level. An image that must be halved, or whose smaller levels must be generated, needs
    // plain texels.
    let lacks_mipmaps = wanted.mipmaps && container.levels - first == 1 && size.width.max(size.height) > 1;
    let needs_rgba = lacks_mipmaps || dropped > first || check_whole_blocks(blocks, size).is_err();
    Ok(if needs_rgba { Texels::Rgba8 } else { blocks })
}

/// Returns an error unless the size is a multiple of the block size.
fn check_whole_blocks(texels: Texels, Size { width, height }: Size) -> Result<(), Ktx2Error> {
    let block = texels.block();
    let is_whole = width.is_multiple_of(block[0]) && height.is_multiple_of(block[1]);
    if is_whole { Ok(()) } else { Err(Ktx2Error::PartialBlocks { width, height, block }) }
}

/// Decodes the levels of a file to one format.
struct Decoder<'a> {
    container: &'a Container<'a>,
    kind: &'a PixelKind,
    /// `Some` for ETC1S.
    codebooks: Option<&'a Codebooks>,
    texels: Texels,
}

impl Decoder<'_> {
    /// Decodes a level.
    fn level(&self, level: u32) -> Result<Vec<u8>, Ktx2Error> {
        let size = self.container.level_size(level);
        match (self.kind, self.codebooks) {
            (PixelKind::Etc1s { second_channel, .. }, Some(codebooks)) => self.etc1s(level, *second_channel, Slice { codebooks, size }),
            (PixelKind::Uastc, _) => self.uastc(level, size),
            (PixelKind::Bytes { channels }, _) => self.plain(level, *channels, size),
            (PixelKind::Channels(channels), _) => Ok(channels.decode(&self.container.level(level, channels.bytes(size))?, size)),
            _ => Ok(self.container.level(level, self.texels.level_bytes([size.width, size.height]))?.into_owned()),
        }
    }

    /// Expands uncompressed pixels to RGBA.
    fn plain(&self, level: u32, channels: usize, size: Size) -> Result<Vec<u8>, Ktx2Error> {
        let count = size.width as usize * size.height as usize;
        let bytes = self.container.level(level, (count * channels) as u64)?;
        let mut rgba = Vec::with_capacity(count * 4);
        for pixel in bytes.chunks_exact(channels) {
            let channel = |index: usize, absent: u8| pixel.get(index).copied().unwrap_or(absent);
            rgba.extend([channel(0, 0), channel(1, 0), channel(2, 0), channel(3, 255)]);
        }
        Ok(rgba)
    }

    /// Decodes or transcodes UASTC blocks.
    fn uastc(&self, level: u32, size: Size) -> Result<Vec<u8>, Ktx2Error> {
        let blocks = self.container.level(level, Texels::Bc7.level_bytes([size.width, size.height]))?;
        let blocks = blocks.as_chunks::<16>().0.iter().map(|block| uastc::unpack(u128::from_le_bytes(*block)));
        let transcode: fn(&uastc::UastcBlock) -> u128 = match self.texels {
            Texels::Bc7 => uastc_bc7::transcode,
            Texels::Astc { .. } => astc::transcode,
            _ => {
                let mut rgba = size.rgba();
                uastc::write(blocks, size, &mut rgba)?;
                return Ok(rgba);
            }
        };
        let blocks: Result<Vec<_>, _> = blocks.map(|block| Ok(transcode(&block?).to_le_bytes())).collect();
        Ok(blocks?.into_flattened())
    }

    /// Decodes or transcodes ETC1S slices. `second_channel` is the RGBA channel of the second slice.
    fn etc1s(&self, level: u32, second_channel: usize, slice: Slice) -> Result<Vec<u8>, Ktx2Error> {
        let [color, alpha] = self.container.slices(level)?;
        let color = slice.blocks(color)?;
        let alpha = if alpha.is_empty() { None } else { Some(slice.blocks(alpha)?) };
        if self.texels != Texels::Rgba8 {
            return Ok(etc1s_blocks::transcode(&color, alpha.as_deref(), self.texels));
        }
        let mut rgba = slice.size.rgba();
        slice.write(&color, &mut rgba, &[(0, 0), (1, 1), (2, 2)]);
        if let Some(alpha) = alpha {
            // Alpha slices are gray. If the colors of the codebook are not gray, the green channel is used.
            slice.write(&alpha, &mut rgba, &[(1, second_channel)]);
        }
        Ok(rgba)
    }
}
