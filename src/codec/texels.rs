//! Decoded images: the formats their texels can have (graphics devices know more, under names of their own), and what a device
//! and a material ask of decoding.

/// An image ready to be uploaded: rows from the top, colours as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedImage {
    pub width: u32,
    pub height: u32,
    pub texels: Texels,
    /// At least one; the largest first, each half of the one before. Of a KTX2 file its own, else one alone.
    pub levels: Vec<Vec<u8>>,
}

impl DecodedImage {
    /// One level of bytes.
    pub fn rgba(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        Self { width, height, texels: Texels::Rgba8, levels: vec![rgba] }
    }

    /// Whether every level is there in full.
    pub fn is_whole(&self) -> bool {
        let size = |level: usize| [self.width, self.height].map(|side| (side >> level.min(31)).max(1));
        let whole = |(level, bytes): (usize, &Vec<u8>)| bytes.len() as u64 == self.texels.level_bytes(size(level));
        self.width > 0 && self.height > 0 && !self.levels.is_empty() && self.levels.iter().enumerate().all(whole)
    }
}

/// How texels are stored: single, or in compressed blocks. Whether their colours are sRGB is said by who uses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texels {
    Rgba8,
    Bc1,
    Bc2,
    Bc3,
    Bc7,
    Etc2Rgb,
    Etc2Rgba1,
    Etc2Rgba8,
    Astc { width: u8, height: u8 },
}

impl Texels {
    /// Width and height of a block.
    pub fn block(self) -> [u32; 2] {
        match self {
            Self::Rgba8 => [1, 1],
            Self::Astc { width, height } => [width.into(), height.into()],
            _ => [4, 4],
        }
    }

    /// Of a block.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Rgba8 => 4,
            Self::Bc1 | Self::Etc2Rgb | Self::Etc2Rgba1 => 8,
            _ => 16,
        }
    }

    pub fn level_bytes(self, size: [u32; 2]) -> u64 {
        let [columns, rows] = [0, 1].map(|axis| u64::from(size[axis].div_ceil(self.block()[axis])));
        columns.saturating_mul(rows).saturating_mul(self.bytes().into())
    }

    /// The family, as people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgba8 => "RGBA",
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => "BC",
            Self::Etc2Rgb | Self::Etc2Rgba1 | Self::Etc2Rgba8 => "ETC2",
            Self::Astc { .. } => "ASTC",
        }
    }
}

/// Which families of blocks a graphics device reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockFormats {
    pub bc: bool,
    pub etc2: bool,
    pub astc: bool,
}

impl BlockFormats {
    pub fn has(self, texels: Texels) -> bool {
        match texels {
            Texels::Rgba8 => true,
            Texels::Bc1 | Texels::Bc2 | Texels::Bc3 | Texels::Bc7 => self.bc,
            Texels::Etc2Rgb | Texels::Etc2Rgba1 | Texels::Etc2Rgba8 => self.etc2,
            Texels::Astc { .. } => self.astc,
        }
    }
}

/// What is asked of decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The texels are sRGB colours, which are averaged as light.
    pub color: bool,
    /// Smaller levels, too, where the file has them.
    pub mipmaps: bool,
    /// KTX2 textures become these where they can.
    pub blocks: BlockFormats,
    /// The longest side that the device can hold.
    pub largest: u32,
}

impl Default for Wanted {
    /// RGBA, all of it.
    fn default() -> Self {
        Self { color: true, mipmaps: true, blocks: BlockFormats::default(), largest: u32::MAX }
    }
}
