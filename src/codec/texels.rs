//! Decoded images: formats of their texels, and the options of decoding.

/// An image ready for upload: rows from the top, colors as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedImage {
    pub width: u32,
    pub height: u32,
    pub texels: Texels,
    /// At least one level; the largest first, each half as large as the one before. KTX2 files may have several.
    pub levels: Vec<Vec<u8>>,
}

impl DecodedImage {
    /// An image of one RGBA level.
    pub fn rgba(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        Self { width, height, texels: Texels::Rgba8, levels: vec![rgba] }
    }

    /// Whether every level has its full size.
    pub fn is_whole(&self) -> bool {
        let size = |level: usize| [self.width, self.height].map(|side| (side >> level.min(31)).max(1));
        let whole = |(level, bytes): (usize, &Vec<u8>)| bytes.len() as u64 == self.texels.level_bytes(size(level));
        self.width > 0 && self.height > 0 && !self.levels.is_empty() && self.levels.iter().enumerate().all(whole)
    }
}

/// How texels are stored: individually or in compressed blocks. The format does not tell whether colors are sRGB.
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
    /// Width and height of a block, in pixels.
    pub fn block(self) -> [u32; 2] {
        match self {
            Self::Rgba8 => [1, 1],
            Self::Astc { width, height } => [width.into(), height.into()],
            _ => [4, 4],
        }
    }

    /// Size of a block, in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Rgba8 => 4,
            Self::Bc1 | Self::Etc2Rgb | Self::Etc2Rgba1 => 8,
            _ => 16,
        }
    }

    /// Size of a level, in bytes. `size` is its width and height in pixels.
    pub fn level_bytes(self, size: [u32; 2]) -> u64 {
        let [columns, rows] = [0, 1].map(|axis| u64::from(size[axis].div_ceil(self.block()[axis])));
        columns.saturating_mul(rows).saturating_mul(self.bytes().into())
    }

    /// The name of the family.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgba8 => "RGBA",
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => "BC",
            Self::Etc2Rgb | Self::Etc2Rgba1 | Self::Etc2Rgba8 => "ETC2",
            Self::Astc { .. } => "ASTC",
        }
    }
}

/// The block formats that a graphics device supports.
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

/// Options of decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeOptions {
    /// Whether texels are sRGB colors, to be averaged as linear light.
    pub color: bool,
    /// Whether to decode the smaller levels of a file, too.
    pub mipmaps: bool,
    /// Block formats that KTX2 textures may be transcoded to.
    pub blocks: BlockFormats,
    /// The longest side that the device supports, in pixels.
    pub largest: u32,
}

impl Default for DecodeOptions {
    /// RGBA with all levels.
    fn default() -> Self {
        Self { color: true, mipmaps: true, blocks: BlockFormats::default(), largest: u32::MAX }
    }
}
