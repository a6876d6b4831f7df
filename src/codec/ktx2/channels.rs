//! Unpacks blocks of one or two channels to pixels: BC4 and BC5, EAC R11 and RG11 (Khronos Data Format 1.3, sections 18.5 and 22). Few
//! devices support both kinds. EAC's eleven bits are reduced to eight, which is enough for glTF textures.

use super::Size;

/// Size of a block of one channel, in bytes.
const BLOCK_BYTES: usize = 8;

/// Offsets of the eight EAC codes, before they are multiplied (Khronos Data Format 1.3, section 22).
pub const EAC: [[i16; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// A block format of one or two channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    /// True for EAC, false for BC4.
    pub eac: bool,
    /// Number of channels, 1 or 2. Each channel has its own block.
    pub count: usize,
}

impl Channels {
    /// Returns the size of a level, in bytes.
    pub fn bytes(self, Size { width, height }: Size) -> u64 {
        u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)) * (BLOCK_BYTES * self.count) as u64
    }

    /// Decodes blocks to RGBA. Missing color channels are 0, and alpha is 255.
    pub fn decode(self, blocks: &[u8], size: Size) -> Vec<u8> {
        let Size { width, height } = size;
        let mut rgba = size.rgba();
        rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[..3].fill(0));
        let columns = width.div_ceil(4) as usize;
        for (index, block) in blocks.as_chunks::<BLOCK_BYTES>().0.iter().enumerate() {
            let (position, channel) = (index / self.count, index % self.count);
            let (left, top) = (position % columns * 4, position / columns * 4);
            let values = if self.eac { eac(*block) } else { bc4(*block) };
            for (pixel, value) in values.into_iter().enumerate() {
                let (x, y) = (left + pixel % 4, top + pixel / 4);
                if x < width as usize && y < height as usize {
                    rgba[(y * width as usize + x) * 4 + channel] = value;
                }
            }
        }
        rgba
    }
}

/// Decodes a BC4 block. It has two end values, and three bits per pixel that choose one of them, a value between them, 0 or 255.
fn bc4(block: [u8; BLOCK_BYTES]) -> [u8; 16] {
    let [first, last, ..] = block.map(u32::from);
    let steps = if first > last { 7 } else { 5 };
    let mut values = [first, last, 0, 0, 0, 0, 0, 255];
    for step in 1..steps {
        values[step as usize + 1] = (first * (steps - step) + last * step + steps / 2) / steps;
    }
    let bits = u64::from_le_bytes(block) >> 16;
    std::array::from_fn(|pixel| values[(bits >> (3 * pixel)) as usize & 7] as u8)
}

/// Decodes an EAC block. It has a base value, and three bits per pixel, column by column, that choose an offset from a table.
fn eac(block: [u8; BLOCK_BYTES]) -> [u8; 16] {
    let [base, scale, ..] = block.map(i32::from);
    let (table, multiplier) = (EAC[scale as usize & 15], scale >> 4);
    let bits = u64::from_be_bytes(block);
    std::array::from_fn(|pixel| {
        let position = pixel % 4 * 4 + pixel / 4;
        let code = (bits >> (45 - 3 * position)) as usize & 7;
        let step = if multiplier == 0 { 1 } else { 8 * multiplier };
        let value = (base * 8 + 4 + i32::from(table[code]) * step).clamp(0, 2047);
        ((value * 255 + 1023) / 2047) as u8
    })
}
