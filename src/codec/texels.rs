//! Decoded images: the formats of their texels, and the options of decoding.

/// An image ready for upload. Rows start at the top; colors are encoded as in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedImage {
    /// Width of the first level, in pixels.
    pub width: u32,
    /// Height of the first level, in pixels.
    pub height: u32,
    pub texels: Texels,
    /// Mip levels, at least one. The largest comes first, and each is half as large as the previous one. Only KTX2 files have several.
    pub levels: Vec<Vec<u8>>,
}

impl DecodedImage {
    /// Makes an image with one RGBA level.
    pub fn rgba(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        Self { width, height, texels: Texels::Rgba8, levels: vec![rgba] }
    }

    /// Returns whether every level has exactly the bytes that its size needs.
    pub fn is_complete(&self) -> bool {
        let size = |level: usize| [self.width, self.height].map(|side| (side >> level.min(31)).max(1));
        let has_all_bytes = |(level, bytes): (usize, &Vec<u8>)| bytes.len() as u64 == self.texels.level_bytes(size(level));
        self.width > 0 && self.height > 0 && !self.levels.is_empty() && self.levels.iter().enumerate().all(has_all_bytes)
    }
}

/// How texels are stored: one by one, or in compressed blocks. The format does not tell whether colors are sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texels {
    /// Four bytes per texel.
    Rgba8,
    Bc1,
    Bc2,
    Bc3,
    Bc7,
    Etc2Rgb,
    /// ETC2 with an alpha of 0 or 255.
    Etc2Rgba1,
    Etc2Rgba8,
    /// ASTC with blocks of this size, in texels.
    Astc {
        width: u8,
        height: u8,
    },
}

impl Texels {
    /// Returns width and height of a block, in pixels.
    pub fn block(self) -> [u32; 2] {
        match self {
            Self::Rgba8 => [1, 1],
            Self::Astc { width, height } => [width.into(), height.into()],
            _ => [4, 4],
        }
    }

    /// Returns the size of a block, in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Rgba8 => 4,
            Self::Bc1 | Self::Etc2Rgb | Self::Etc2Rgba1 => 8,
            _ => 16,
        }
    }

    /// Returns the size of a level, in bytes. `size` is its width and height in pixels.
    pub fn level_bytes(self, size: [u32; 2]) -> u64 {
        let [columns, rows] = [0, 1].map(|axis| u64::from(size[axis].div_ceil(self.block()[axis])));
        columns.saturating_mul(rows).saturating_mul(self.bytes().into())
    }

    /// Returns the name of the format family, for messages.
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
    /// Returns whether the device can read the format. RGBA is always possible.
    pub fn has(self, texels: Texels) -> bool {
        match texels {
            Texels::Rgba8 => true,
            Texels::Bc1 | Texels::Bc2 | Texels::Bc3 | Texels::Bc7 => self.bc,
            Texels::Etc2Rgb | Texels::Etc2Rgba1 | Texels::Etc2Rgba8 => self.etc2,
            Texels::Astc { .. } => self.astc,
        }
    }
}

/// How the first three channels of RGBA texels encode light. Alpha is always linear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Colors (IEC 61966-2-1), which are averaged as linear light.
    #[default]
    Srgb,
    /// Data, which is averaged as it is.
    Linear,
}

impl Encoding {
    /// The encoding of a texture of colors, or of data.
    pub fn new(is_color: bool) -> Self {
        if is_color { Self::Srgb } else { Self::Linear }
    }
}

/// Options of decoding an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeOptions {
    pub encoding: Encoding,
    /// Whether the smaller levels of a file are decoded, too.
    pub mipmaps: bool,
    /// Block formats that the device supports. KTX2 textures are decoded to one of them if possible.
    pub blocks: BlockFormats,
    /// The longest side that the device supports, in pixels. Larger images are halved.
    pub max_size: u32,
}

impl Default for DecodeOptions {
    /// Returns the options for RGBA colors with all levels, of any size.
    fn default() -> Self {
        Self { encoding: Encoding::Srgb, mipmaps: true, blocks: BlockFormats::default(), max_size: u32::MAX }
    }
}
